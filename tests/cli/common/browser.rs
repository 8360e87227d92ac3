//! Controls pages in a browser by the Chrome DevTools Protocol over pipes. All tests of the process share one browser,
//! which ends when its pipes close; each page has its own storage and emulation.

use super::{folder, wait_until, PATIENCE};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{channel, Sender};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// Names of browsers that support the protocol.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Shell script that connects stdin and stdout to the file descriptors of the protocol.
const PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;
const ARGUMENTS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--remote-debugging-pipe",
];
/// Polling interval.
const POLL: Duration = Duration::from_millis(10);
/// Minimum width and height of desktop windows, in pixels. Smaller windows emulate a phone.
const MIN_DESKTOP: u32 = 400;

/// A response of the browser, or its error message.
type Answer<T> = Result<T, String>;

static BROWSER: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();
static REPLIES: Mutex<BTreeMap<u64, Sender<Value>>> = Mutex::new(BTreeMap::new());
/// Errors, exceptions and console messages by page.
static COMPLAINTS: Mutex<BTreeMap<String, Vec<String>>> = Mutex::new(BTreeMap::new());

/// Starts the browser. If none is installed, returns `None` and prints a line.
fn start() -> Option<Mutex<ChildStdin>> {
    let works = |name: &&str| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let Some(browser) = BROWSERS.into_iter().find(works) else {
        // Not with `eprintln!`, whose output the test runner would hide.
        let _ = writeln!(io::stderr(), "SKIPPED the browser tests: no chromium");
        return None;
    };
    let profile = format!("--user-data-dir={}", folder("browser", "profile").display());
    let mut command = Command::new("sh");
    command.args(["-c", PIPES, browser]).args(ARGUMENTS).arg(profile);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let input = child.stdin.take();
    thread::spawn(move || {
        output.split(0).map_while(Result::ok).for_each(|text| receive(&text));
        // The browser has ended: callers that wait for a reply get an error.
        REPLIES.lock().expect("no panic").clear();
        child.wait()
    });
    input.map(Mutex::new)
}

/// Passes a reply to its waiting caller, and collects complaints.
fn receive(text: &[u8]) {
    let Ok(message) = serde_json::from_slice::<Value>(text) else { return };
    if let Some(id) = message["id"].as_u64() {
        let waiting = REPLIES.lock().expect("no panic").remove(&id);
        // The caller may have timed out.
        let _ = waiting.map(|waiting| waiting.send(message));
        return;
    }
    let complains = ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"];
    if let Some(session) = message["sessionId"].as_str() {
        if complains.iter().any(|event| message["method"] == *event) {
            let mut all = COMPLAINTS.lock().expect("no panic");
            all.entry(session.to_string()).or_default().push(message["params"].to_string());
        }
    }
}

/// Sends a command to a page, or to the browser if `session` is empty, and returns the result.
fn command(session: &str, method: &str, parameters: &Value) -> Answer<Value> {
    static LAST_ID: AtomicU64 = AtomicU64::new(0);
    let id = LAST_ID.fetch_add(1, Ordering::Relaxed);
    let mut message = json!({ "id": id, "method": method, "params": parameters });
    if !session.is_empty() {
        message["sessionId"] = json!(session);
    }
    let (sender, receiver) = channel();
    REPLIES.lock().expect("no panic").insert(id, sender);
    let input = BROWSER.get().and_then(Option::as_ref).ok_or("no browser")?;
    let sent = input.lock().expect("no panic").write_all(format!("{message}\0").as_bytes());
    sent.map_err(|error| format!("{method}: {error}"))?;
    let reply = receiver.recv_timeout(PATIENCE);
    let mut reply = reply.map_err(|error| format!("{method}: {error}"))?;
    match &reply["error"] {
        Value::Null => Ok(reply["result"].take()),
        error => Err(format!("{method}: {error}")),
    }
}

/// Sends a command to the browser and returns a name of its result.
fn asked(method: &str, parameters: Value, key: &str) -> String {
    let answer = command("", method, &parameters).expect("the browser works");
    answer[key].as_str().expect("a name").to_string()
}

/// Input device.
#[derive(Clone, Copy)]
pub enum Device {
    Mouse,
    RightButton,
    Finger,
}

/// An open page. It is closed when dropped.
pub struct Page {
    context: String,
    session: String,
    /// Target id if the page shares the storage of another page, which is closed after it; otherwise empty.
    target: String,
}

impl Page {
    /// Opens a blank page with empty storage in a window of this size. `None` if there is no browser.
    pub fn new(size: [u32; 2]) -> Option<Page> {
        BROWSER.get_or_init(start).as_ref()?;
        let context = asked("Target.createBrowserContext", json!({}), "browserContextId");
        let mut page = Page::within(context, size);
        page.target.clear();
        Some(page)
    }

    /// Opens another page with the storage of this one.
    pub fn beside(&self, size: [u32; 2]) -> Page {
        Page::within(self.context.clone(), size)
    }

    fn within(context: String, [width, height]: [u32; 2]) -> Page {
        let wanted =
            json!({ "url": "about:blank", "browserContextId": context, "newWindow": true });
        let target = asked("Target.createTarget", wanted, "targetId");
        let attached = json!({ "targetId": target, "flatten": true });
        let session = asked("Target.attachToTarget", attached, "sessionId");
        let page = Page { context, session, target };
        let is_phone = width.min(height) < MIN_DESKTOP;
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
        page.command("Emulation.setDeviceMetricsOverride", metrics);
        page.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": is_phone }));
        page.command("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        page.command("Log.enable", json!({}));
        page.command("Runtime.enable", json!({}));
        page
    }

    /// Opens an address and waits until the page has loaded.
    pub fn load(&self, address: &str) {
        // Navigating to `about:blank` first forces a load even if only the fragment changes.
        for address in ["about:blank", address] {
            self.command("Page.navigate", json!({ "url": address }));
        }
        let path = address.split('#').next().unwrap_or_default();
        self.until(&format!(
            "location.href.startsWith({path:?}) && document.readyState === 'complete'"
        ));
    }

    /// Sends a command of the browser's protocol.
    pub fn command(&self, method: &str, parameters: Value) -> Value {
        command(&self.session, method, &parameters).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Evaluates an expression in the page. It may fail while a document is loading.
    fn evaluate(&self, expression: &str) -> Answer<Value> {
        let wanted =
            json!({ "expression": expression, "returnByValue": true, "userGesture": true });
        let mut answer = command(&self.session, "Runtime.evaluate", &wanted)?;
        match &answer["exceptionDetails"] {
            Value::Null => Ok(answer["result"]["value"].take()),
            error => Err(error["exception"]["description"].to_string()),
        }
    }

    /// Evaluates an expression until its value is accepted, and returns the value.
    pub fn poll(&self, expression: &str, mut accepts: impl FnMut(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let seen = self.evaluate(expression);
            match seen {
                Ok(value) if accepts(&value) => return value,
                _ => assert!(
                    started.elapsed() < PATIENCE,
                    "timeout: {expression}\nlast value: {seen:?}\n{:?}",
                    self.evaluate("document.body.innerText")
                ),
            }
            thread::sleep(POLL);
        }
    }

    /// Waits until an expression has a value.
    pub fn until_is(&self, expression: &str, value: impl Into<Value>) {
        let value = value.into();
        self.poll(expression, |seen| *seen == value);
    }

    /// Waits until an expression is true.
    pub fn until(&self, condition: &str) {
        self.until_is(condition, true);
    }

    /// Waits until the text of an element contains `part`.
    pub fn until_text(&self, id: &str, part: &str) {
        let text = format!("document.getElementById({id:?}).textContent");
        self.poll(&text, |seen| seen.as_str().is_some_and(|text| text.contains(part)));
    }

    /// Waits until the text of an element, without that of its children, starts with `part`.
    pub fn until_text_of(&self, selector: &str, part: &str) {
        let text = format!(
            "[...document.querySelector({selector:?}).childNodes].filter(part => part.nodeType === Node.TEXT_NODE).map(part => part.data).join('')"
        );
        self.until_is(&text, part);
    }

    /// Waits until a selector matches this number of elements.
    pub fn until_count(&self, selector: &str, count: usize) {
        self.until_is(&format!("document.querySelectorAll({selector:?}).length"), count);
    }

    /// Evaluates a script once and returns its value.
    pub fn run(&self, script: &str) -> Value {
        self.evaluate(script).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Scrolls an element into view and returns its centre, once it can be clicked and no longer moves.
    pub fn point_of(&self, selector: &str) -> [f64; 2] {
        let script = format!(
            "(element => {{
                if (!element || element.disabled) return element && 'disabled';
                element.scrollIntoView({{ block: 'nearest', behavior: 'instant' }});
                const box = element.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
                return element.contains(document.elementFromPoint(x, y)) ? [x, y] : 'covered';
            }})(document.querySelector({selector:?}))"
        );
        let mut last = Value::Null;
        let point = self.poll(&script, |seen| {
            let before = std::mem::replace(&mut last, seen.clone());
            seen.is_array() && *seen == before
        });
        [0, 1].map(|index| point[index].as_f64().expect("a number"))
    }

    pub fn click(&self, selector: &str) {
        self.gesture(Device::Mouse, &[self.point_of(selector)]);
    }

    /// Selects an option of a visible list.
    pub fn choose(&self, selector: &str, value: &str) {
        self.until(&format!(
            "(list => {{
                if (!list?.offsetParent || ![...list.options].some(option => option.value === {value:?})) return false;
                list.value = {value:?};
                for (const event of ['input', 'change']) list.dispatchEvent(new Event(event, {{ bubbles: true }}));
                return true;
            }})(document.querySelector({selector:?}))"
        ));
    }

    /// Focuses a visible element.
    pub fn focus(&self, selector: &str) {
        self.until(&format!(
            "(element => {{ element?.focus(); return document.activeElement === element; }})(document.querySelector({selector:?}))"
        ));
    }

    /// Replaces the text of a field. A line break at the end presses Enter.
    pub fn type_into(&self, selector: &str, text: &str) {
        self.focus(selector);
        self.run("document.activeElement.select()");
        self.command("Input.insertText", json!({ "text": text.trim_end() }));
        if text.ends_with('\n') {
            self.press(&["Enter"]);
        }
    }

    /// Presses keys, given by name or letter.
    pub fn press(&self, keys: &[&str]) {
        for key in keys {
            let mut event = json!({ "type": "keyDown", "key": key });
            match *key {
                "Enter" => {
                    event["text"] = json!("\r");
                    event["windowsVirtualKeyCode"] = json!(13);
                }
                letter if letter.len() == 1 => event["text"] = json!(letter),
                _ => {}
            }
            self.command("Input.dispatchKeyEvent", event);
            self.command("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
        }
    }

    /// Presses at the first point, moves along the others and releases.
    pub fn gesture(&self, device: Device, points: &[[f64; 2]]) {
        let (first, last) = (points[0], points[points.len() - 1]);
        self.point(device, 0, first);
        // An intermediate point starts the drag.
        for &[x, y] in points.iter().skip(1) {
            self.point(device, 1, [(first[0] + x) / 2.0, (first[1] + y) / 2.0]);
            self.point(device, 1, [x, y]);
        }
        self.point(device, 2, last);
    }

    /// Sends an event of a device. Phase 0 is the press, 1 a move, 2 the release.
    pub fn point(&self, device: Device, phase: usize, [x, y]: [f64; 2]) {
        if matches!(device, Device::Finger) {
            let kind = ["touchStart", "touchMove", "touchEnd"][phase];
            let points = if phase == 2 { json!([]) } else { json!([{ "x": x, "y": y }]) };
            let event = json!({ "type": kind, "touchPoints": points });
            self.command("Input.dispatchTouchEvent", event);
            return;
        }
        let kind = ["mousePressed", "mouseMoved", "mouseReleased"][phase];
        let (button, buttons) =
            if matches!(device, Device::Mouse) { ("left", 1) } else { ("right", 2) };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
        self.command("Input.dispatchMouseEvent", event);
    }

    /// Sets the colour scheme, `light` or `dark`.
    pub fn set_scheme(&self, scheme: &str) {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.command("Emulation.setEmulatedMedia", media);
    }

    /// Clicks an element that saves a file with this name, and returns the file's text.
    pub fn saved(&self, selector: &str, folder: &Path, name: &str) -> String {
        let wanted = json!({ "behavior": "allow", "browserContextId": self.context, "downloadPath": folder });
        command("", "Browser.setDownloadBehavior", &wanted).expect("a folder for files");
        self.click(selector);
        let file = folder.join(name);
        wait_until("the file is saved", || file.exists());
        std::fs::read_to_string(file).expect("a text")
    }

    /// Returns the complaints since the last call.
    pub fn complaints(&self) -> Vec<String> {
        COMPLAINTS.lock().expect("no panic").remove(&self.session).unwrap_or_default()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let (method, name) = match self.target.as_str() {
            "" => ("Target.disposeBrowserContext", json!({ "browserContextId": self.context })),
            target => ("Target.closeTarget", json!({ "targetId": target })),
        };
        let _ = command("", method, &name);
    }
}
