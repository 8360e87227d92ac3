//! A browser under test, through its driver: as much of the WebDriver protocol (W3C, "WebDriver") as the
//! tests of pages need, in plain HTTP.

use super::board::PATIENCE;
use serde_json::{json, Value};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};

/// Narrower windows than this are only emulated.
const MIN_WINDOW: u32 = 500;
/// The names that browsers go by whose driver is called `chromedriver`.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// The key of an element's name in answers (W3C, "WebDriver", 11.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What the driver refused, in its words.
type Answer<T> = Result<T, String>;

/// A browser with one window, taken down when dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    /// The path of the session with the browser; empty before it has begun.
    session: String,
}

/// An element of the page.
pub struct Element<'a> {
    browser: &'a Browser,
    path: String,
}

impl Browser {
    /// A browser with a window of this size. None, and a line that says so, where no browser with its
    /// driver is installed.
    pub fn start(size: [u32; 2]) -> Option<Browser> {
        let works = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
        };
        let driver =
            || Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn().ok();
        // No driver is started without a browser.
        let found = BROWSERS.into_iter().find(works).and_then(|browser| Some((browser, driver()?)));
        let Some((browser, mut driver)) = found else {
            // Not by a macro, whose output the test runner would hide.
            let _ = writeln!(io::stderr(), "SKIPPED a browser test: no chromium with chromedriver");
            return None;
        };
        let output = BufReader::new(driver.stdout.take().expect("a pipe"));
        let mut lines = output.lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, rest) = line.split_once("started successfully on port ")?;
            rest.trim_end_matches('.').parse().ok()
        });
        // The driver must not run into a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let mut started = Browser { driver, port: port.expect("a port"), session: String::new() };
        let wanted = json!({ "capabilities": { "alwaysMatch": capabilities(browser, size) } });
        let session = started.ask("session", &wanted).expect("the browser starts");
        started.session = format!("session/{}", session["sessionId"].as_str().expect("a name"));
        Some(started)
    }

    /// The value of the answer to a request.
    fn request(&self, method: &str, path: &str, body: &str) -> Answer<Value> {
        let exchange = || -> io::Result<Vec<u8>> {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let head = format!(
                "{method} /{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                self.port,
                body.len()
            );
            stream.write_all(format!("{head}{body}").as_bytes())?;
            let mut answer = BufReader::new(stream);
            let mut length = 0;
            loop {
                let mut line = String::new();
                answer.read_line(&mut line)?;
                let line = line.trim_end().to_ascii_lowercase();
                if let Some(number) = line.strip_prefix("content-length:") {
                    length = number.trim().parse().unwrap_or(0);
                }
                if line.is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            answer.read_exact(&mut body)?;
            Ok(body)
        };
        let body = exchange().map_err(|error| format!("{path}: {error}"))?;
        let mut answer: Value =
            serde_json::from_slice(&body).map_err(|error| format!("{path}: {error}"))?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["message"])),
            None => Ok(value),
        }
    }

    fn ask(&self, path: &str, body: &Value) -> Answer<Value> {
        self.request("POST", path, &body.to_string())
    }

    /// A command within the session.
    fn tell(&self, command: &str, body: &Value) -> Answer<Value> {
        self.ask(&format!("{}/{command}", self.session), body)
    }

    /// Opens a page.
    pub fn open(&self, address: &str) -> Answer<()> {
        self.tell("url", &json!({ "url": address })).map(drop)
    }

    /// Runs a script in the page; its value is what the script returns.
    pub fn run(&self, script: &str) -> Answer<Value> {
        self.tell("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The first element that a selector of CSS finds.
    pub fn find(&self, selector: &str) -> Answer<Element<'_>> {
        let found = self.tell("element", &json!({ "using": "css selector", "value": selector }))?;
        let name = found[ELEMENT].as_str().ok_or_else(|| format!("no element: {found}"))?;
        Ok(Element { browser: self, path: format!("element/{name}") })
    }

    /// The number of elements that a selector finds.
    pub fn count(&self, selector: &str) -> Answer<usize> {
        let found =
            self.tell("elements", &json!({ "using": "css selector", "value": selector }))?;
        found.as_array().map(Vec::len).ok_or_else(|| format!("no list: {found}"))
    }

    /// A command of the browser's own protocol.
    pub fn command(&self, name: &str, parameters: Value) -> Answer<Value> {
        self.tell("goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    /// What the browser has complained of since it was asked last.
    pub fn complaints(&self) -> Answer<Vec<String>> {
        let log = self.tell("se/log", &json!({ "type": "browser" }))?;
        let entries = log.as_array().ok_or_else(|| format!("no list: {log}"))?;
        Ok(entries.iter().map(|entry| entry["message"].to_string()).collect())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.request("DELETE", &self.session, "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Element<'_> {
    pub fn click(&self) -> Answer<()> {
        self.browser.tell(&format!("{}/click", self.path), &json!({})).map(drop)
    }

    pub fn send_keys(&self, keys: &str) -> Answer<()> {
        self.browser.tell(&format!("{}/value", self.path), &json!({ "text": keys })).map(drop)
    }
}

/// What the browser is to be like.
fn capabilities(browser: &str, [width, height]: [u32; 2]) -> Value {
    let window = format!("--window-size={width},{height}");
    let all = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
    let arguments: Vec<&str> = all.into_iter().chain([&*window]).collect();
    let mut options = json!({ "args": arguments, "binary": path_of(browser) });
    if width < MIN_WINDOW {
        let metrics = json!({ "width": width, "height": height, "pixelRatio": 2, "touch": true });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    json!({
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": { "browser": "ALL" },
    })
}

/// Where a program of the path lies.
fn path_of(program: &str) -> String {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.exists());
    found.map_or_else(|| program.to_string(), |path| path.display().to_string())
}
