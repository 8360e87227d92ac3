//! The page of `cupbot board` in a real browser, driven through WebDriver: by mouse, keyboard and touch, on
//! wide screens and on a phone's.

#![cfg(unix)]

use crate::common::board::{Server, PATIENCE};
use serde_json::{json, Value};
use std::future::Future;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};
use thirtyfour::components::SelectElement;
use thirtyfour::{By, Capabilities, WebDriver, WebElement};
use tokio::task::{spawn_local, LocalSet};

const SETUPS: [&str; 2] = ["DDAFFANAAADAWAAD", "addndffdaaaaaawa"];
/// A real game after these setups: a drop on move 10, a wazir captured on move 12.
const MOVES: [&str; 10] =
    ["b1d3", "g4e5", "a1c1", "g1e3", "a3c5", "e5d3", "c5a3", "ad7", "a3c5", "d7b5"];
const END: &str = "Blue has captured the wazir and won";
const DESKTOP: [u32; 2] = [1280, 860];
const PHONE: [u32; 2] = [360, 740];
/// Narrower windows than this are only emulated.
const MIN_WINDOW: u32 = 500;
/// The names that browsers go by whose driver is called `chromedriver`.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The driver of the browser, taken down when dropped.
struct Driver(Child, u16);

impl Driver {
    /// None, and a line that says so, where no browser with its driver is installed.
    fn start() -> Option<(Driver, &'static str)> {
        let works = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
        };
        let driver =
            || Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn().ok();
        // No driver is started without a browser.
        let found = BROWSERS.into_iter().find(works).and_then(|browser| Some((browser, driver()?)));
        let Some((browser, mut child)) = found else {
            // Not by a macro, whose output the test runner would hide.
            let _ = writeln!(io::stderr(), "SKIPPED a browser test: no chromium with chromedriver");
            return None;
        };
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut lines = output.lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, rest) = line.split_once("started successfully on port ")?;
            rest.trim_end_matches('.').parse().ok()
        });
        // The driver must not run into a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some((Driver(child, port.expect("a port")), browser))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An open page.
struct Page {
    client: WebDriver,
    server: Rc<Server>,
}

impl Page {
    async fn open(&self, path: &str) {
        let address = format!("http://{}/{path}", self.server.host());
        // A change behind # alone would load nothing.
        self.client.goto("about:blank").await.expect("a blank page");
        self.client.goto(&address).await.expect("the page opens");
        self.until("document.body.dataset.ready === 'true'").await;
    }

    /// The value of an expression in the page.
    async fn value(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        let returned = self.client.execute(script, Vec::new()).await;
        returned.unwrap_or_else(|error| panic!("{expression}: {error}")).json().clone()
    }

    /// Waits until an expression is true in the page.
    async fn until(&self, expression: &str) {
        let started = Instant::now();
        while self.value(expression).await != json!(true) {
            if started.elapsed() > PATIENCE {
                let seen = self
                    .value(
                        "[byId('status').textContent, byId('message').textContent, location.hash]",
                    )
                    .await;
                panic!("in vain: {expression}; {seen}");
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn until_status(&self, text: &str) {
        self.until(&format!("byId('status').textContent.includes({text:?})")).await;
    }

    async fn element(&self, selector: &str) -> WebElement {
        let found = self.client.find(By::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    async fn click(&self, selector: &str) {
        let element = self.element(selector).await;
        element.click().await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    async fn choose(&self, selector: &str, value: &str) {
        let list = SelectElement::new(&self.element(selector).await).await.expect("a list");
        list.select_by_value(value).await.expect("an option");
    }

    async fn type_into(&self, selector: &str, text: &str) {
        self.element(selector).await.send_keys(text).await.expect("a field");
    }

    /// The element of a spot of the board or of a hand.
    async fn spot(&self, id: &str) -> WebElement {
        self.element(&selector_of(id)).await
    }

    /// The middle of a spot in the window, into which it is brought.
    async fn middle(&self, id: &str) -> [f64; 2] {
        let script = format!(
            "(spot => {{ spot.scrollIntoView({{ block: 'nearest' }}); \
             const box = spot.getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})\
             (document.querySelector(\"{}\"))",
            selector_of(id)
        );
        let middle = self.value(&script).await;
        [0, 1].map(|index| middle[index].as_f64().expect("a number"))
    }

    /// A command of the browser's own protocol.
    async fn command(&self, name: &str, parameters: Value) {
        self.client.cdp().send_raw(name, parameters).await.expect("possible");
    }

    /// Presses, moves along points and lets go.
    async fn gesture(&self, device: Device, points: &[[f64; 2]]) {
        let (first, last) = (points[0], points[points.len() - 1]);
        self.point(device, 0, first).await;
        // Before it gets anywhere a drag has to begin.
        for &[x, y] in points.iter().skip(1) {
            self.point(device, 1, [(first[0] + x) / 2.0, (first[1] + y) / 2.0]).await;
            self.point(device, 1, [x, y]).await;
        }
        self.point(device, 2, last).await;
    }

    /// An event of a device: 0 for the press, 1 for a move, 2 for the release.
    async fn point(&self, device: Device, phase: usize, [x, y]: [f64; 2]) {
        match device {
            Device::Mouse => {
                let kind = ["mousePressed", "mouseMoved", "mouseReleased"][phase];
                let event =
                    json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
                self.command("Input.dispatchMouseEvent", event).await;
            }
            Device::Finger => {
                let kind = ["touchStart", "touchMove", "touchEnd"][phase];
                let points = if phase == 2 { json!([]) } else { json!([{ "x": x, "y": y }]) };
                let event = json!({ "type": kind, "touchPoints": points });
                self.command("Input.dispatchTouchEvent", event).await;
            }
        }
    }

    async fn tap(&self, device: Device, spot: &str) {
        let middle = self.middle(spot).await;
        self.gesture(device, &[middle]).await;
    }

    async fn drag(&self, device: Device, from: &str, to: &str) {
        // The window scrolls for either of them.
        self.middle(to).await;
        let points = [self.middle(from).await, self.middle(to).await];
        self.gesture(device, &points).await;
    }

    async fn blur(&self) {
        let script = "document.activeElement.blur()";
        self.client.execute(script, Vec::new()).await.expect("blurred");
    }

    /// What the browser has complained of since it was asked last.
    async fn complaints(&self) -> Vec<String> {
        let log = self.client.get_log("browser").await.expect("a log");
        log.into_iter().map(|entry| entry.message).collect()
    }

    /// The number of elements.
    async fn count(&self, selector: &str) -> usize {
        self.client.find_all(By::Css(selector)).await.expect("a selector").len()
    }

    /// Two people play from the setups of the real game, which are typed in.
    async fn set_up(&self) {
        self.choose("#seat-1", "you").await;
        for (index, setup) in SETUPS.into_iter().enumerate() {
            self.type_into("#move", &format!("{setup}\n")).await;
            self.until(&format!("current.scene.ply === {}", index + 1)).await;
        }
        self.blur().await;
    }

    /// Nothing went wrong that the browser noticed, and nothing is wider than the window.
    async fn check(&self) {
        assert_eq!(self.complaints().await, Vec::<String>::new(), "the console of the browser");
        let width = self.value("[document.documentElement.scrollWidth, innerWidth]").await;
        assert!(width[0].as_u64() <= width[1].as_u64(), "{width}");
    }
}

/// The squares or the piece in hand of a move, and where it goes.
fn spots(text: &str) -> [&str; 2] {
    let (from, to) = text.split_at(text.len() - 2);
    [from, to]
}

/// What moves the pieces.
#[derive(Clone, Copy)]
enum Device {
    Mouse,
    Finger,
}

/// Spots with names of one letter are pieces in hand.
fn selector_of(spot: &str) -> String {
    let place = if spot.len() == 1 { ".extra" } else { "#board" };
    format!("{place} [data-spot='{spot}']")
}

/// Runs a test with a page in a window of this size; says nothing where there is no browser.
fn with_page<F>(size: [u32; 2], test: impl FnOnce(Page) -> F)
where
    F: Future<Output = ()> + 'static,
{
    let Some((driver, browser)) = Driver::start() else { return };
    let server = Rc::new(Server::start());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(LocalSet::new().run_until(async {
        let client = connect(&driver, browser, size).await;
        let page = Page { client: client.clone(), server: server.clone() };
        // The browser ends whether the test passes or panics.
        let done = spawn_local(test(page)).await;
        client.quit().await.expect("the browser ends");
        if let Err(failed) = done {
            std::panic::resume_unwind(failed.into_panic());
        }
    }));
}

async fn connect(driver: &Driver, browser: &str, [width, height]: [u32; 2]) -> WebDriver {
    let window = format!("--window-size={width},{height}");
    let all = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
    let arguments: Vec<&str> = all.into_iter().chain([&*window]).collect();
    let mut options = json!({ "args": arguments, "binary": path_of(browser) });
    if width < MIN_WINDOW {
        let metrics = json!({ "width": width, "height": height, "pixelRatio": 2, "touch": true });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    let mut capabilities = Capabilities::new();
    capabilities.set("browserName", "chrome").expect("JSON");
    capabilities.set("goog:chromeOptions", options).expect("JSON");
    capabilities.set("goog:loggingPrefs", json!({ "browser": "ALL" })).expect("JSON");
    let connected = WebDriver::new(format!("http://127.0.0.1:{}", driver.1), capabilities).await;
    connected.expect("the browser starts")
}

/// Where a program of the path lies.
fn path_of(program: &str) -> String {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.exists());
    found.map_or_else(|| program.to_string(), |path| path.display().to_string())
}

#[test]
fn a_whole_game_is_played_by_mouse_with_drags_clicks_and_a_drop() {
    with_page(DESKTOP, |page| async move {
        page.open("zero-point-one").await;
        page.set_up().await;
        // Pieces show how they leap.
        page.point(Device::Mouse, 1, page.middle("a7").await).await;
        page.until("document.querySelectorAll('.reach').length === 3").await;
        for (index, text) in MOVES.into_iter().enumerate() {
            let [from, to] = spots(text);
            // In turn by dragging and by two clicks.
            if index % 2 == 0 {
                page.drag(Device::Mouse, from, to).await;
            } else {
                page.tap(Device::Mouse, from).await;
                assert!(page.count(".target").await > 0, "{text}");
                page.tap(Device::Mouse, to).await;
            }
            page.until(&format!("current.scene.ply === {}", index + 3)).await;
            assert_eq!(page.value("current.text").await, json!(text));
        }
        page.until_status(END).await;
        // The last move is marked, and so was the attacked wazir before.
        assert_eq!(page.count("[data-moved]").await, 2);
        page.click("#back").await;
        page.click("#back").await;
        page.until("current.text === 'ad7'").await;
        assert_eq!(page.count(".threat").await, 1);
        page.check().await;
    });
}

#[test]
fn a_whole_game_is_played_by_keyboard() {
    with_page(DESKTOP, |page| async move {
        page.open("zero-point-one").await;
        page.set_up().await;
        let board = page.element("#board").await;
        // From the first key on the place is a1.
        board.send_keys(RIGHT).await.expect("keys");
        let mut place = "a1".to_string();
        for (index, text) in MOVES.into_iter().enumerate() {
            let [from, to] = spots(text);
            if from.len() == 1 {
                page.spot(from).await.send_keys(ENTER).await.expect("keys");
                page.until("document.activeElement === byId('board')").await;
            }
            for target in [from, to].into_iter().filter(|spot| spot.len() == 2) {
                board.send_keys(&way(&place, target)).await.expect("keys");
                assert_eq!(page.value("place").await, json!(target));
                place = target.to_string();
                board.send_keys(ENTER).await.expect("keys");
            }
            page.until(&format!("current.scene.ply === {}", index + 3)).await;
        }
        page.until_status(END).await;
        // Elsewhere the arrows go through the game, and letters stand for the tools.
        page.blur().await;
        let body = page.element("body").await;
        body.send_keys(LEFT).await.expect("keys");
        page.until("current.text === 'a3c5'").await;
        body.send_keys("f").await.expect("keys");
        page.until("document.body.classList.contains('flipped')").await;
        body.send_keys("?").await.expect("keys");
        page.until("byId('help').open").await;
        page.check().await;
    });
}

const ENTER: &str = "\u{e007}";
const LEFT: &str = "\u{e012}";
const UPWARD: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const DOWNWARD: &str = "\u{e015}";

/// The arrow keys from one square to another.
fn way(from: &str, to: &str) -> String {
    let [from, to] = [from, to].map(str::as_bytes);
    let steps = |by: i32, more: &str, less: &str| {
        if by > 0 {
            more.repeat(by as usize)
        } else {
            less.repeat(-by as usize)
        }
    };
    let rows = i32::from(to[0]) - i32::from(from[0]);
    let columns = i32::from(to[1]) - i32::from(from[1]);
    [steps(rows, UPWARD, DOWNWARD), steps(columns, RIGHT, LEFT)].concat()
}

#[test]
fn a_whole_game_is_played_by_touch_on_a_phone() {
    with_page(PHONE, |page| async move {
        page.open("zero-point-one").await;
        page.set_up().await;
        for (index, text) in MOVES.into_iter().enumerate() {
            let [from, to] = spots(text);
            if index == 0 {
                // A drag ...
                page.middle("h1").await;
                page.drag(Device::Finger, from, to).await;
            } else {
                // ... and taps.
                for spot in [from, to] {
                    page.tap(Device::Finger, spot).await;
                }
            }
            page.until(&format!("current.scene.ply === {}", index + 3)).await;
        }
        page.until_status(END).await;
        // All tools fit, and the pieces tell the sides apart by letters too.
        page.click("#letters").await;
        for tool in ["play", "analyse", "import", "share", "edit"] {
            page.click(&format!("#tab-{tool}")).await;
            page.until(&format!("!byId('{tool}').hidden")).await;
            page.check().await;
        }
    });
}

#[test]
fn a_setup_is_arranged_cupbot_answers_hints_and_moves_are_taken_back() {
    with_page(DESKTOP, |page| async move {
        page.open("zero-point-one").await;
        page.choose("#level", "0").await;
        let before = page.value("arrangement.letters.join('')").await;
        page.drag(Device::Mouse, "a2", "b6").await;
        page.until("arrangement.letters.join('') !== byId('good').value").await;
        let after = page.value("arrangement.letters.join('')").await;
        let swapped =
            page.value("[arrangement.letters[1], arrangement.letters[13]].join('')").await;
        let letters = before.as_str().expect("letters").as_bytes();
        assert_eq!(swapped, json!(format!("{}{}", letters[13] as char, letters[1] as char)));
        page.click("#set-up").await;
        page.until("current.scene.ply === 2 && !match.thinking").await;
        assert_eq!(page.value("root.children[0].text").await, after);
        page.click("#hint").await;
        page.until("hinted.length === 1").await;
        assert_eq!(page.count("[data-hint]").await, 1);
        let hint = page.value("hinted[0]").await;
        page.type_into("#move", &format!("{}\n", hint.as_str().expect("a move"))).await;
        page.until("current.scene.ply === 4 && !match.thinking").await;
        page.click("#undo").await;
        page.until("current.scene.ply === 2 && lineFrom(root).length === 3").await;
        // A bad move is explained and changes nothing.
        page.type_into("#move", "a1a8\n").await;
        page.until("!byId('message').hidden && byId('message').textContent.includes('illegal')")
            .await;
        // The link shows the same again.
        let link = page
            .value("[location.pathname.slice(1) + location.hash, movesTo(current).join(' ')]")
            .await;
        page.open(link[0].as_str().expect("a link")).await;
        page.until(&format!("movesTo(current).join(' ') === {}", link[1])).await;
        page.click("#resign").await;
        page.until_status("Red resigns, Blue wins").await;
        // The refused move is the only thing that the browser complained of.
        let complaints = page.complaints().await;
        assert!(complaints.iter().all(|text| text.contains("422")), "{complaints:?}");
    });
}

#[test]
fn a_game_is_imported_analysed_live_and_reviewed() {
    with_page(DESKTOP, |page| async move {
        page.open("zuniq").await;
        // A game of another kind leads to its page.
        page.click("#tab-import").await;
        let game = [&SETUPS[..], &MOVES[..]].concat().join(" ");
        page.type_into("#pasted", &game).await;
        page.click("#read").await;
        page.until(
            "location.pathname === '/zero-point-one' && document.body.dataset.ready === 'true'",
        )
        .await;
        page.until_status(END).await;
        page.click("#tab-import").await;
        page.type_into("#pasted", &format!("one red {game}\ntwo blue {game}")).await;
        page.click("#read").await;
        page.until("document.querySelectorAll('#games button').length === 2").await;
        page.click("#list [data-node]").await;
        for _ in 0..5 {
            page.click("#forward").await;
        }
        page.until("current.text === 'a1c1'").await;
        page.click("#tab-analyse").await;
        page.click("#live").await;
        page.until("document.querySelectorAll('#found li').length === 3 && byId('effort').textContent.includes('nodes/s')").await;
        assert!(page.count("#board [data-hint]").await == 3);
        assert_eq!(page.value("byId('meter').hidden").await, json!(false));
        // The position changes: what is found is about the new one, and one search runs.
        let first = page.value("live.message.finding.lines[0].moves[0]").await;
        page.click("#forward").await;
        page.until("Boolean(live.message) && live.message.finding.lines.length === 3").await;
        let legal = page.value("current.scene.moves.some(move => move.text === live.message.finding.lines[0].moves[0])").await;
        assert_eq!(legal, json!(true), "{first}");
        assert!(page.server.status().1 <= 1);
        page.click("#live").await;
        page.server.wait_for_no_search();
        // A move of a line is played as a variation.
        page.until("document.querySelectorAll('#found li').length === 0").await;
        page.click("#review").await;
        page.until("!byId('curve').hidden && !reviewing").await;
        assert!(page.count("#curve circle").await > 0 && page.count("#list b.blunder").await > 0);
        page.click("#tab-share").await;
        page.until("byId('as-text').textContent.includes('a1c1')").await;
        let picture = page.value("boardPicture()").await;
        let picture = picture.as_str().expect("a text");
        assert!(
            picture.starts_with("<svg")
                && picture.contains("data-piece=\"w\"")
                && !picture.contains("class=\"spot")
        );
        page.check().await;
    });
}

#[test]
fn dark_mode_a_variation_and_a_built_position() {
    with_page(DESKTOP, |page| async move {
        let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
        page.command("Emulation.setEmulatedMedia", dark).await;
        let game = [&SETUPS[..], &MOVES[..4]].concat().join("+");
        page.open(&format!("zero-point-one#tree={game}&at=x4&play=you,you,0,off")).await;
        let light = page.value("getComputedStyle(document.body).backgroundColor").await;
        assert_eq!(light, json!("rgb(22, 24, 28)"));
        page.type_into("#move", "a2c2\n").await;
        page.until(
            "current.text === 'a2c2' && document.querySelectorAll('.variation').length === 1",
        )
        .await;
        assert!(page
            .value("decodeURIComponent(location.hash)")
            .await
            .as_str()
            .is_some_and(|hash| hash.contains("(a2c2)")));
        page.click("#promote").await;
        page.until("lineFrom(root).includes(current)").await;
        page.click("#tab-edit").await;
        page.click("#edit-clear").await;
        page.until("document.querySelectorAll('[data-piece]').length === 0").await;
        for (brush, spot) in [("W", "a1"), ("w", "h8"), ("N", "c3"), ("D", "e5")] {
            page.click(&format!("[data-brush='{brush}']")).await;
            page.tap(Device::Mouse, spot).await;
            page.until(&format!("Boolean(document.querySelector('[data-square={spot}]'))")).await;
        }
        page.click("#edit-use").await;
        page.until("start === 'W7/8/2N5/8/4D3/8/8/7w - 2' && current === root").await;
        page.type_into("#move", "c3d5\n").await;
        page.until("current.text === 'c3d5'").await;
        page.check().await;
    });
}

#[test]
fn chess960_is_played_imported_analysed_and_begun_by_number() {
    with_page(DESKTOP, |page| async move {
        let at =
            |fen: &str| format!("chess960#start={}&play=you,you,0,on", fen.replace(' ', "%20"));
        // Castling by dragging the king two squares, and by clicking king and rook.
        page.open(&at("r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1")).await;
        page.drag(Device::Mouse, "e1", "g1").await;
        page.until("current.text === 'e1h1'").await;
        page.tap(Device::Mouse, "e8").await;
        page.until("document.querySelectorAll('.target').length > 4").await;
        page.tap(Device::Mouse, "a8").await;
        page.until("current.text === 'e8a8' && current.scene.written === 'O-O-O'").await;
        page.check().await;

        // A promotion asks for the piece.
        page.open(&at("8/P6k/8/8/8/8/8/K7 w - - 0 1")).await;
        page.drag(Device::Mouse, "a7", "a8").await;
        page.until("document.querySelectorAll('.promotion.open').length === 4").await;
        page.tap(Device::Mouse, "=R").await;
        page.until("current.text === 'a7a8r'").await;
        assert_eq!(page.count(".promotion.open").await, 0);

        // A draw is offered and accepted.
        page.open("chess960#play=you,you,0,on").await;
        page.click("#mark").await;
        page.type_into("#move", "e4\n").await;
        page.until("current.text === 'e2e4='").await;
        page.until_status("White offers a draw").await;
        page.type_into("#move", "draw\n").await;
        page.until_status("A draw by agreement").await;
        page.check().await;

        // A game in PGN, its analysis, and a line played as a variation.
        page.click("#tab-import").await;
        page.type_into("#pasted", "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n").await;
        page.click("#read").await;
        page.until("movesTo(current).join(' ') === 'e2e4 e7e5 g1f3 b8c6'").await;
        page.until("byId('list').textContent.includes('Nf3')").await;
        page.click("#tab-analyse").await;
        page.click("#live").await;
        page.until("document.querySelectorAll('#found li').length === 3 && byId('effort').textContent.includes('nodes/s')").await;
        page.until("document.querySelectorAll('#board [data-hint] line').length === 3").await;
        page.click("#back").await;
        page.until("document.querySelectorAll('#found li').length === 3").await;
        let moves = page.value("current.scene.moves.map(move => move.written)").await;
        let line = page.value("live.message.finding.lines[2].moves[0]").await;
        assert!(moves.as_array().is_some_and(|moves| moves.contains(&line)), "{line}");
        page.click("#live").await;
        page.server.wait_for_no_search();
        page.click("#review").await;
        page.until("!byId('curve').hidden && !reviewing").await;
        page.check().await;

        // Begin by number, and build a position.
        page.click("#tab-play").await;
        page.type_into("#start-number", "0").await;
        page.click("#new").await;
        page.until("(start || '').startsWith('bbqnnrkr/') && current === root").await;
        page.click("#tab-edit").await;
        page.click("#edit-clear").await;
        page.until("document.querySelectorAll('#board [data-piece]').length === 0").await;
        for (brush, spot) in [("K", "a1"), ("k", "h8"), ("Q", "c3")] {
            page.click(&format!("[data-brush='{brush}']")).await;
            page.tap(Device::Mouse, spot).await;
            page.until(&format!("Boolean(document.querySelector('[data-square={spot}]'))")).await;
        }
        // White to move could take the king.
        page.until("byId('edit-use').disabled").await;
        page.click("#edit-turn").await;
        page.until("!byId('edit-use').disabled").await;
        page.click("#edit-use").await;
        page.until("start === '7k/8/8/8/8/2Q5/8/K7 b - - 0 1' && current === root").await;
        page.type_into("#move", "Kg8\n").await;
        page.until("current.text === 'h8g8'").await;
        page.check().await;
    });
}

#[test]
fn the_other_games_are_played_by_clicks_swipes_and_keys() {
    with_page(PHONE, |page| async move {
        page.open("zuniq").await;
        page.choose("#level", "0").await;
        page.tap(Device::Finger, "B3h").await;
        page.until("current.scene.ply === 2 && !match.thinking").await;
        assert_eq!(page.count("[data-wall]").await, 2);
        page.check().await;

        page.open("6561").await;
        page.choose("#seat-1", "you").await;
        for (ply, square) in [(1, "11"), (2, "12"), (3, "14")] {
            page.tap(Device::Finger, square).await;
            page.until(&format!("current.scene.ply === {ply}")).await;
        }
        // A swipe over the board slides all pieces.
        page.drag(Device::Finger, "23", "21").await;
        page.until("current.text === 'L'").await;
        // So does an arrow key.
        page.element("#board").await.send_keys(DOWNWARD).await.expect("keys");
        page.until("current.text === 'D'").await;
        // Cupbot against itself goes on alone.
        page.choose("#level", "0").await;
        page.choose("#seat-0", "cupbot").await;
        page.choose("#seat-1", "cupbot").await;
        page.until("match.live.scene.ply > 12").await;
        page.click("#go").await;
        page.until("!match.thinking").await;
        page.check().await;
    });
}
