//! The page of `cupbot board` in a real browser, driven through WebDriver: by mouse, keyboard and touch, on
//! wide screens and on a phone's.

#![cfg(unix)]

mod common;

use common::board::{Server, PATIENCE};
use fantoccini::actions::{
    Actions, InputSource, MouseActions, PointerAction, TouchActions, MOUSE_BUTTON_LEFT,
};
use fantoccini::elements::Element;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{json, Value};
use std::future::Future;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

const SETUPS: [&str; 2] = ["DDAFFANAAADAWAAD", "addndffdaaaaaawa"];
/// A real game after these setups: a drop on move 10, a wazir captured on move 12.
const MOVES: [&str; 10] =
    ["b1d3", "g4e5", "a1c1", "g1e3", "a3c5", "e5d3", "c5a3", "ad7", "a3c5", "d7b5"];
const END: &str = "Blue has captured the wazir and won";
const DESKTOP: [u32; 2] = [1280, 860];
const PHONE: [u32; 2] = [360, 740];
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
        let browser = BROWSERS.into_iter().find(works);
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
        let (Some(browser), Ok(mut child)) = (browser, driver) else {
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

/// A command of the browser's own protocol, or of its driver.
#[derive(Debug)]
struct Extension(&'static str, Value);

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}

/// An open page.
struct Page {
    client: Client,
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
        self.client
            .execute(&script, Vec::new())
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
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

    async fn element(&self, selector: &str) -> Element {
        let found = self.client.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    async fn click(&self, selector: &str) {
        let element = self.element(selector).await;
        element.click().await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    async fn choose(&self, selector: &str, value: &str) {
        self.element(selector).await.select_by_value(value).await.expect("an option");
    }

    async fn type_into(&self, selector: &str, text: &str) {
        self.element(selector).await.send_keys(text).await.expect("a field");
    }

    /// The spot of the board or of a hand.
    async fn spot(&self, id: &str) -> Element {
        let place = if id.len() == 1 { ".extra" } else { "#board" };
        self.element(&format!("{place} [data-spot='{id}']")).await
    }

    async fn perform(&self, actions: impl Into<Actions>) {
        self.client.perform_actions(actions).await.expect("possible");
        self.client.release_actions().await.expect("possible");
    }

    /// The number of elements.
    async fn count(&self, selector: &str) -> usize {
        self.client.find_all(Locator::Css(selector)).await.expect("a selector").len()
    }

    /// Two people play from the setups of the real game, which are typed in.
    async fn set_up(&self) {
        self.choose("#seat-1", "you").await;
        for (index, setup) in SETUPS.into_iter().enumerate() {
            self.type_into("#move", &format!("{setup}\n")).await;
            self.until(&format!("current.scene.ply === {}", index + 1)).await;
        }
        self.client.execute("document.activeElement.blur()", Vec::new()).await.expect("blurred");
    }

    /// Nothing went wrong that the browser noticed, and nothing is wider than the window.
    async fn check(&self) {
        let log = Extension("se/log", json!({ "type": "browser" }));
        let log = self.client.issue_cmd(log).await.expect("a log");
        assert_eq!(log, json!([]), "the console of the browser");
        let width = self.value("[document.documentElement.scrollWidth, innerWidth]").await;
        assert!(width[0].as_u64() <= width[1].as_u64(), "{width}");
    }
}

/// The squares or the piece in hand of a move, and where it goes.
fn spots(text: &str) -> [&str; 2] {
    let (from, to) = text.split_at(text.len() - 2);
    [from, to]
}

/// Runs a test with a page in a window of this size; says nothing where there is no browser.
fn with_page<F: Future<Output = ()>>(size: [u32; 2], test: impl FnOnce(Page) -> F) {
    let Some((driver, browser)) = Driver::start() else { return };
    let server = Rc::new(Server::start());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let client = connect(&driver, browser, size).await;
        let page = Page { client: client.clone(), server: server.clone() };
        // A test that fails leaves its browser to the driver, which takes it down.
        test(page).await;
        client.close().await.expect("the browser ends");
    });
}

async fn connect(driver: &Driver, browser: &str, size: [u32; 2]) -> Client {
    let all = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
    let mut options = json!({ "args": all, "binary": path_of(browser) });
    if size[0] < 500 {
        let metrics =
            json!({ "width": size[0], "height": size[1], "pixelRatio": 2, "touch": true });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".into(), options);
    capabilities.insert("goog:loggingPrefs".into(), json!({ "browser": "ALL" }));
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let connected =
        builder.capabilities(capabilities).connect(&format!("http://127.0.0.1:{}", driver.1)).await;
    let client = connected.expect("the browser starts");
    if size[0] >= 500 {
        client.set_window_size(size[0], size[1]).await.expect("a window");
    }
    client
}

/// Where a program of the path lies.
fn path_of(program: &str) -> String {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.exists());
    found.map_or_else(|| program.to_string(), |path| path.display().to_string())
}

fn mouse(action: PointerAction) -> MouseActions {
    MouseActions::new("mouse".into()).then(action)
}

fn finger(action: PointerAction) -> TouchActions {
    TouchActions::new("finger".into()).then(action)
}

fn over(element: Element) -> PointerAction {
    PointerAction::MoveToElement {
        element,
        duration: Some(Duration::from_millis(20)),
        x: 0.0,
        y: 0.0,
    }
}

const DOWN: PointerAction = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
const UP: PointerAction = PointerAction::Up { button: MOUSE_BUTTON_LEFT };

#[test]
fn a_whole_game_is_played_by_mouse_with_drags_clicks_and_a_drop() {
    with_page(DESKTOP, |page| async move {
        page.open("zero-point-one").await;
        page.set_up().await;
        // Pieces show how they leap.
        page.perform(mouse(over(page.spot("a7").await))).await;
        page.until("document.querySelectorAll('.reach').length === 3").await;
        for (index, text) in MOVES.into_iter().enumerate() {
            let [from, to] = spots(text);
            let (from, to) = (over(page.spot(from).await), over(page.spot(to).await));
            // In turn by dragging and by two clicks.
            if index % 2 == 0 {
                page.perform(mouse(from).then(DOWN).then(to).then(UP)).await;
            } else {
                page.perform(mouse(from).then(DOWN).then(UP)).await;
                assert!(page.count(".target").await > 0, "{text}");
                page.perform(mouse(to).then(DOWN).then(UP)).await;
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
        page.client.execute("document.activeElement.blur()", Vec::new()).await.expect("blurred");
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
    steps(rows, UPWARD, DOWNWARD) + &steps(i32::from(to[1]) - i32::from(from[1]), RIGHT, LEFT)
}

#[test]
fn a_whole_game_is_played_by_touch_on_a_phone() {
    with_page(PHONE, |page| async move {
        page.open("zero-point-one").await;
        page.set_up().await;
        page.client
            .execute("document.querySelector('.place-of-board').scrollIntoView()", Vec::new())
            .await
            .expect("scrolled");
        for (index, text) in MOVES.into_iter().enumerate() {
            let [from, to] = spots(text);
            if index == 0 {
                // A drag ...
                let drag = finger(over(page.spot(from).await)).then(DOWN);
                page.perform(drag.then(over(page.spot(to).await)).then(UP)).await;
            } else {
                // ... and taps.
                for spot in [from, to] {
                    page.perform(finger(over(page.spot(spot).await)).then(DOWN).then(UP)).await;
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
        let drag = mouse(over(page.spot("a2").await)).then(DOWN);
        page.perform(drag.then(over(page.spot("b6").await)).then(UP)).await;
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
        let log = page
            .client
            .issue_cmd(Extension("se/log", json!({ "type": "browser" })))
            .await
            .expect("a log");
        let log = log.as_array().expect("a list").clone();
        assert!(
            log.iter()
                .all(|entry| entry["message"].as_str().is_some_and(|text| text.contains("422"))),
            "{log:?}"
        );
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
        let command = json!({ "cmd": "Emulation.setEmulatedMedia", "params": dark });
        page.client.issue_cmd(Extension("goog/cdp/execute", command)).await.expect("set");
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
            page.perform(mouse(over(page.spot(spot).await)).then(DOWN).then(UP)).await;
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
fn the_other_games_are_played_by_clicks_swipes_and_keys() {
    with_page(PHONE, |page| async move {
        page.open("zuniq").await;
        page.choose("#level", "0").await;
        page.perform(finger(over(page.spot("B3h").await)).then(DOWN).then(UP)).await;
        page.until("current.scene.ply === 2 && !match.thinking").await;
        assert_eq!(page.count("[data-wall]").await, 2);
        page.check().await;

        page.open("6561").await;
        page.choose("#seat-1", "you").await;
        for (ply, square) in [(1, "11"), (2, "12"), (3, "14")] {
            page.perform(finger(over(page.spot(square).await)).then(DOWN).then(UP)).await;
            page.until(&format!("current.scene.ply === {ply}")).await;
        }
        // A swipe over the board slides all pieces.
        let swipe = finger(over(page.spot("23").await)).then(DOWN);
        let left =
            PointerAction::MoveBy { duration: Some(Duration::from_millis(50)), x: -90.0, y: 0.0 };
        page.perform(swipe.then(left).then(UP)).await;
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
