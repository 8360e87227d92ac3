//! The page of `cupbot board` in a real browser: by mouse, keyboard and touch, on wide screens and on a
//! phone's.

#![cfg(unix)]

use crate::common::board::{Server, PATIENCE};
use crate::common::browser::{Browser, Element};
use serde_json::{json, Value};
use std::thread;
use std::time::{Duration, Instant};

const SETUPS: [&str; 2] = ["DDAFFANAAADAWAAD", "addndffdaaaaaawa"];
/// A real game after these setups: a drop on move 10, a wazir captured on move 12.
const MOVES: [&str; 10] =
    ["b1d3", "g4e5", "a1c1", "g1e3", "a3c5", "e5d3", "c5a3", "ad7", "a3c5", "d7b5"];
const END: &str = "Blue has captured the wazir and won";
const DESKTOP: [u32; 2] = [1280, 860];
const PHONE: [u32; 2] = [360, 740];
/// A phone held across.
const ACROSS: [u32; 2] = [740, 360];
/// An open page.
struct Page {
    browser: Browser,
    server: Server,
}

impl Page {
    fn open(&self, path: &str) {
        let address = format!("http://{}/{path}", self.server.host());
        // A change behind # alone would load nothing.
        self.browser.open("about:blank").expect("a blank page");
        self.browser.open(&address).expect("the page opens");
        self.until("document.body.dataset.ready === 'true'");
    }

    /// The value of an expression in the page.
    fn value(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        let returned = self.browser.run(&script);
        returned.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Waits until an expression is true in the page.
    fn until(&self, expression: &str) {
        let started = Instant::now();
        while self.value(expression) != json!(true) {
            if started.elapsed() > PATIENCE {
                let seen = self.value(
                    "[byId('status').textContent, byId('message').textContent, location.hash]",
                );
                panic!("in vain: {expression}; {seen}");
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn until_status(&self, text: &str) {
        self.until(&format!("byId('status').textContent.includes({text:?})"));
    }

    fn element(&self, selector: &str) -> Element<'_> {
        let found = self.browser.find(selector);
        found.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// Clicks an element; once more where the page moves it away under the pointer, as people do.
    fn click(&self, selector: &str) {
        let started = Instant::now();
        while let Err(error) = self.element(selector).click() {
            let has_moved = error.to_string().contains("click intercepted");
            assert!(has_moved && started.elapsed() < PATIENCE, "{selector}: {error}");
        }
    }

    fn choose(&self, selector: &str, value: &str) {
        self.click(&format!("{selector} option[value='{value}']"));
    }

    fn type_into(&self, selector: &str, text: &str) {
        self.element(selector).send_keys(text).expect("a field");
    }

    /// Gives a text to the tool that reads games.
    fn import(&self, text: &str) {
        self.click("#tab-import");
        self.type_into("#pasted", text);
        self.click("#read");
    }

    /// The numbers of a list.
    fn numbers(&self, script: &str) -> Vec<f64> {
        let found = self.value(script);
        found.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
    }

    /// The window is that of a phone.
    fn be_phone(&self, [width, height]: [u32; 2]) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
        self.command("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// The element of a spot of the board or of a hand.
    fn spot(&self, id: &str) -> Element<'_> {
        self.element(&selector_of(id))
    }

    /// The middle of a spot in the window, into which it is brought.
    fn middle(&self, id: &str) -> [f64; 2] {
        let script = format!(
            "(spot => {{ spot.scrollIntoView({{ block: 'nearest' }}); \
             const box = spot.getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})\
             (document.querySelector(\"{}\"))",
            selector_of(id)
        );
        let middle = self.value(&script);
        [0, 1].map(|index| middle[index].as_f64().expect("a number"))
    }

    /// A command of the browser's own protocol.
    fn command(&self, name: &str, parameters: Value) {
        self.browser.command(name, parameters).expect("possible");
    }

    /// Presses, moves along points and lets go.
    fn gesture(&self, device: Device, points: &[[f64; 2]]) {
        let (first, last) = (points[0], points[points.len() - 1]);
        self.point(device, 0, first);
        // Before it gets anywhere a drag has to begin.
        for &[x, y] in points.iter().skip(1) {
            self.point(device, 1, [(first[0] + x) / 2.0, (first[1] + y) / 2.0]);
            self.point(device, 1, [x, y]);
        }
        self.point(device, 2, last);
    }

    /// An event of a device: 0 for the press, 1 for a move, 2 for the release.
    fn point(&self, device: Device, phase: usize, [x, y]: [f64; 2]) {
        match device {
            Device::Mouse | Device::RightButton => {
                let kind = ["mousePressed", "mouseMoved", "mouseReleased"][phase];
                let (button, buttons) =
                    if matches!(device, Device::Mouse) { ("left", 1) } else { ("right", 2) };
                let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
                self.command("Input.dispatchMouseEvent", event);
            }
            Device::Finger => {
                let kind = ["touchStart", "touchMove", "touchEnd"][phase];
                let points = if phase == 2 { json!([]) } else { json!([{ "x": x, "y": y }]) };
                let event = json!({ "type": kind, "touchPoints": points });
                self.command("Input.dispatchTouchEvent", event);
            }
        }
    }

    fn tap(&self, device: Device, spot: &str) {
        let middle = self.middle(spot);
        self.gesture(device, &[middle]);
    }

    fn drag(&self, device: Device, from: &str, to: &str) {
        // The window scrolls for either of them.
        self.middle(to);
        let points = [self.middle(from), self.middle(to)];
        self.gesture(device, &points);
    }

    fn reload(&self) {
        self.browser.run("document.body.dataset.ready = ''; location.reload()").expect("a reload");
        self.until("document.body.dataset.ready === 'true'");
    }

    fn blur(&self) {
        self.browser.run("document.activeElement.blur()").expect("blurred");
    }

    /// What the browser has complained of since it was asked last.
    fn complaints(&self) -> Vec<String> {
        self.browser.complaints().expect("a log")
    }

    /// The number of elements.
    fn count(&self, selector: &str) -> usize {
        self.browser.count(selector).expect("a selector")
    }

    /// Two people play from the setups of the real game, which are typed in.
    fn set_up(&self) {
        self.choose("#seat", "both");
        for (index, setup) in SETUPS.into_iter().enumerate() {
            self.type_into("#move", &format!("{setup}\n"));
            self.until(&format!("cupbot.state.current.scene.ply === {}", index + 1));
        }
        self.blur();
    }

    /// Nothing went wrong that the browser noticed, and nothing is wider than the window.
    fn check(&self) {
        assert_eq!(self.complaints(), Vec::<String>::new(), "the console of the browser");
        let width = self.value("[document.documentElement.scrollWidth, innerWidth]");
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
    RightButton,
    Finger,
}

/// Spots with names of one letter are pieces in hand.
fn selector_of(spot: &str) -> String {
    let place = if spot.len() == 1 { ".extra" } else { "#board" };
    format!("{place} [data-spot='{spot}']")
}

/// Runs a test with a page in a window of this size; says nothing where there is no browser.
fn with_page(size: [u32; 2], test: impl FnOnce(Page)) {
    if let Some(browser) = Browser::start(size) {
        test(Page { browser, server: Server::start() });
    }
}

#[test]
fn a_whole_game_is_played_by_mouse() {
    with_page(DESKTOP, |page| {
        page.open("zero-point-one");
        page.set_up();
        // Pieces show how they leap.
        page.point(Device::Mouse, 1, page.middle("a7"));
        page.until("document.querySelectorAll('.reach').length === 3");
        for (index, text) in MOVES.into_iter().enumerate() {
            let [from, to] = spots(text);
            // In turn by dragging and by two clicks.
            if index % 2 == 0 {
                page.drag(Device::Mouse, from, to);
            } else {
                page.tap(Device::Mouse, from);
                assert!(page.count(".target") > 0, "{text}");
                page.tap(Device::Mouse, to);
            }
            page.until(&format!("cupbot.state.current.scene.ply === {}", index + 3));
            assert_eq!(page.value("cupbot.state.current.text"), json!(text));
        }
        page.until_status(END);
        // The last move is marked, and so was the attacked wazir before.
        assert_eq!(page.count("[data-moved]"), 2);
        page.click("#back");
        page.click("#back");
        page.until("cupbot.state.current.text === 'ad7'");
        assert_eq!(page.count(".threat"), 1);
        page.check();
    });
}

#[test]
fn a_whole_game_is_played_by_keyboard() {
    with_page(DESKTOP, |page| {
        page.open("zero-point-one");
        page.set_up();
        let board = page.element("#board");
        // From the first key on the place is a1.
        board.send_keys(RIGHT).expect("keys");
        let mut place = "a1".to_string();
        for (index, text) in MOVES.into_iter().enumerate() {
            let [from, to] = spots(text);
            if from.len() == 1 {
                page.spot(from).send_keys(ENTER).expect("keys");
                page.until("document.activeElement === byId('board')");
            }
            for target in [from, to].into_iter().filter(|spot| spot.len() == 2) {
                board.send_keys(&way(&place, target)).expect("keys");
                assert_eq!(page.value("cupbot.state.place"), json!(target));
                place = target.to_string();
                board.send_keys(ENTER).expect("keys");
            }
            page.until(&format!("cupbot.state.current.scene.ply === {}", index + 3));
        }
        page.until_status(END);
        // Elsewhere the arrows go through the game, and letters stand for the tools.
        page.blur();
        let body = page.element("body");
        body.send_keys(LEFT).expect("keys");
        page.until("cupbot.state.current.text === 'a3c5'");
        body.send_keys("f").expect("keys");
        page.until("document.body.classList.contains('flipped')");
        body.send_keys("?").expect("keys");
        page.until("byId('help').open");
        page.check();
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
    with_page(PHONE, |page| {
        page.open("zero-point-one");
        page.set_up();
        for (index, text) in MOVES.into_iter().enumerate() {
            let [from, to] = spots(text);
            if index == 0 {
                // A drag ...
                page.middle("h1");
                page.drag(Device::Finger, from, to);
            } else {
                // ... and taps.
                for spot in [from, to] {
                    page.tap(Device::Finger, spot);
                }
            }
            page.until(&format!("cupbot.state.current.scene.ply === {}", index + 3));
        }
        page.until_status(END);
        // All tools fit, and the pieces tell the sides apart by letters too.
        page.click("#letters");
        for tool in ["play", "analyse", "import", "share", "edit"] {
            page.click(&format!("#tab-{tool}"));
            page.until(&format!("!byId('{tool}').hidden"));
            page.check();
        }
    });
}

#[test]
fn setups_hints_and_moves_taken_back() {
    with_page(DESKTOP, |page| {
        page.open("zero-point-one");
        page.choose("#level", "0");
        let before = page.value("cupbot.state.arrangement.letters.join('')");
        page.drag(Device::Mouse, "a2", "b6");
        page.until("cupbot.state.arrangement.letters.join('') !== byId('good').value");
        let after = page.value("cupbot.state.arrangement.letters.join('')");
        let swapped = page.value(
            "[cupbot.state.arrangement.letters[1], cupbot.state.arrangement.letters[13]].join('')",
        );
        let letters = before.as_str().expect("letters").as_bytes();
        assert_eq!(swapped, json!(format!("{}{}", letters[13] as char, letters[1] as char)));
        page.click("#set-up");
        page.until("cupbot.state.current.scene.ply === 2 && !cupbot.state.thinking");
        assert_eq!(page.value("cupbot.state.game.root.children[0].text"), after);
        page.click("#hint");
        page.until("cupbot.state.hint !== null");
        assert_eq!(page.count("[data-hint]"), 1);
        let hint = page.value("cupbot.state.hint.move");
        page.type_into("#move", &format!("{}\n", hint.as_str().expect("a move")));
        page.until("cupbot.state.current.scene.ply === 4 && !cupbot.state.thinking");
        page.click("#undo");
        page.until("cupbot.state.current.scene.ply === 2 && cupbot.lineFrom(cupbot.state.game.root).length === 3");
        // A bad move is explained and changes nothing.
        page.type_into("#move", "a1a8\n");
        page.until("!byId('message').hidden && byId('message').textContent.includes('illegal')");
        // The link shows the same again.
        let link = page
            .value("[location.pathname.slice(1) + location.hash, cupbot.movesTo(cupbot.state.current).join(' ')]");
        page.open(link[0].as_str().expect("a link"));
        page.until(&format!("cupbot.movesTo(cupbot.state.current).join(' ') === {}", link[1]));
        page.click("#resign");
        page.until("byId('confirm').open");
        page.click("#yes");
        page.until_status("Red resigns, Blue wins");
        // The refused move is the only thing that the browser complained of.
        let complaints = page.complaints();
        assert!(complaints.iter().all(|text| text.contains("422")), "{complaints:?}");
    });
}

#[test]
fn a_game_is_imported_analysed_live_and_reviewed() {
    with_page(DESKTOP, |page| {
        page.open("zuniq");
        // A game of another kind leads to its page.
        let game = [&SETUPS[..], &MOVES[..]].concat().join(" ");
        page.import(&game);
        page.until(
            "location.pathname === '/zero-point-one' && document.body.dataset.ready === 'true'",
        );
        page.until_status(END);
        page.import(&format!("one red {game}\ntwo blue {game}"));
        page.until("document.querySelectorAll('#games button').length === 2");
        page.click("#list [data-node]");
        for _ in 0..5 {
            page.click("#forward");
        }
        page.until("cupbot.state.current.text === 'a1c1'");
        page.click("#tab-analyse");
        page.click("#live");
        page.until("document.querySelectorAll('#found li').length === 3 && byId('effort').textContent.includes('nodes/s')");
        assert!(page.count("#board [data-hint]") == 3);
        assert_eq!(page.value("byId('meter').hidden"), json!(false));
        // The position changes: what is found is about the new one, and one search runs.
        let first = page.value("cupbot.state.current.found.finding.lines[0].moves[0]");
        page.click("#forward");
        page.until("Boolean(cupbot.state.current.found) && cupbot.state.current.found.finding.lines.length === 3");
        let legal = page.value("cupbot.state.current.scene.moves.some(move => move.text === cupbot.state.current.found.finding.lines[0].moves[0])");
        assert_eq!(legal, json!(true), "{first}");
        assert!(page.server.status().1 <= 1);
        page.click("#live");
        page.server.wait_for_no_search();
        // A move of a line is played as a variation.
        // What was found stays.
        page.until("document.querySelectorAll('#found li').length === 3 && byId('effort').textContent.includes('stopped')");
        page.click("#review");
        page.until("!byId('curve').hidden && !cupbot.state.review");
        assert!(page.count("#curve [data-mark]") > 0 && page.count("#list b.blunder") > 0);
        page.click("#tab-share");
        page.until("byId('as-text').textContent.includes('a1c1')");
        let picture = page.value("cupbot.boardPicture()");
        let picture = picture.as_str().expect("a text");
        assert!(
            picture.starts_with("<svg")
                && picture.contains("data-piece=\"w\"")
                && !picture.contains("class=\"spot")
        );
        page.check();
    });
}

#[test]
fn dark_mode_a_variation_and_a_built_position() {
    with_page(DESKTOP, |page| {
        let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
        page.command("Emulation.setEmulatedMedia", dark);
        let game = [&SETUPS[..], &MOVES[..4]].concat().join("+");
        page.open(&format!("zero-point-one#tree={game}&at=x4&play=you,you,0,off"));
        let light = page.value("getComputedStyle(document.body).backgroundColor");
        assert_eq!(light, json!("rgb(22, 24, 28)"));
        page.type_into("#move", "a2c2\n");
        page.until(
            "cupbot.state.current.text === 'a2c2' && document.querySelectorAll('.variation').length === 1",
        );
        assert!(page
            .value("decodeURIComponent(location.hash)")
            .as_str()
            .is_some_and(|hash| hash.contains("(a2c2)")));
        page.click("#promote");
        page.until("cupbot.lineFrom(cupbot.state.game.root).includes(cupbot.state.current)");
        page.click("#tab-edit");
        page.click("#edit-clear");
        page.until("document.querySelectorAll('[data-piece]').length === 0");
        for (brush, spot) in [("W", "a1"), ("w", "h8"), ("N", "c3"), ("D", "e5")] {
            page.click(&format!("[data-brush='{brush}']"));
            page.tap(Device::Mouse, spot);
            page.until(&format!("Boolean(document.querySelector('[data-square={spot}]'))"));
        }
        page.click("#edit-use");
        page.until("cupbot.state.game.start === 'W7/8/2N5/8/4D3/8/8/7w - 2' && cupbot.state.current === cupbot.state.game.root");
        page.type_into("#move", "c3d5\n");
        page.until("cupbot.state.current.text === 'c3d5'");
        page.check();
    });
}

#[test]
fn chess960_is_played_imported_and_analysed() {
    with_page(DESKTOP, |page| {
        let at =
            |fen: &str| format!("chess960#start={}&play=you,you,0,on", fen.replace(' ', "%20"));
        // Castling by dragging the king two squares, and by clicking king and rook.
        page.open(&at("r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1"));
        page.drag(Device::Mouse, "e1", "g1");
        page.until("cupbot.state.current.text === 'e1h1'");
        page.tap(Device::Mouse, "e8");
        page.until("document.querySelectorAll('.target').length > 4");
        page.tap(Device::Mouse, "a8");
        page.until("cupbot.state.current.text === 'e8a8' && cupbot.state.current.scene.written === 'O-O-O'");
        page.check();

        // A promotion asks for the piece.
        page.open(&at("8/P6k/8/8/8/8/8/K7 w - - 0 1"));
        page.drag(Device::Mouse, "a7", "a8");
        page.until("document.querySelectorAll('.promotion.open').length === 4");
        page.tap(Device::Mouse, "=R");
        page.until("cupbot.state.current.text === 'a7a8r'");
        assert_eq!(page.count(".promotion.open"), 0);

        // A draw is offered and accepted.
        page.open("chess960#play=you,you,0,on");
        page.click("#mark");
        page.type_into("#move", "e4\n");
        page.until("cupbot.state.current.text === 'e2e4='");
        page.until_status("White offers a draw");
        page.type_into("#move", "draw\n");
        page.until_status("A draw by agreement");
        page.check();

        // A game in PGN, its analysis, and a line played as a variation.
        page.import("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
        page.until("cupbot.movesTo(cupbot.state.current).join(' ') === 'e2e4 e7e5 g1f3 b8c6'");
        page.until("byId('list').textContent.includes('Nf3')");
        page.click("#tab-analyse");
        page.click("#live");
        page.until("document.querySelectorAll('#found li').length === 3 && byId('effort').textContent.includes('nodes/s')");
        page.until("document.querySelectorAll('#board [data-hint] line').length === 3");
        page.click("#back");
        page.until("document.querySelectorAll('#found li').length === 3");
        let moves = page.value("cupbot.state.current.scene.moves.map(move => move.written)");
        let line = page.value("cupbot.state.current.found.finding.lines[2].moves[0]");
        assert!(moves.as_array().is_some_and(|moves| moves.contains(&line)), "{line}");
        page.click("#live");
        page.server.wait_for_no_search();
        page.click("#review");
        page.until("!byId('curve').hidden && !cupbot.state.review");
        page.check();

        // Begin by number, and build a position.
        page.click("#tab-play");
        page.type_into("#start-number", "0");
        page.click("#new");
        page.until("(cupbot.state.game.start || '').startsWith('bbqnnrkr/') && cupbot.state.current === cupbot.state.game.root");
        page.click("#tab-edit");
        page.click("#edit-clear");
        page.until("document.querySelectorAll('#board [data-piece]').length === 0");
        for (brush, spot) in [("K", "a1"), ("k", "h8"), ("Q", "c3")] {
            page.click(&format!("[data-brush='{brush}']"));
            page.tap(Device::Mouse, spot);
            page.until(&format!("Boolean(document.querySelector('[data-square={spot}]'))"));
        }
        // White to move could take the king.
        page.until("byId('edit-use').disabled");
        page.click("#edit-turn");
        page.until("!byId('edit-use').disabled");
        page.click("#edit-use");
        page.until("cupbot.state.game.start === '7k/8/8/8/8/2Q5/8/K7 b - - 0 1' && cupbot.state.current === cupbot.state.game.root");
        page.type_into("#move", "Kg8\n");
        page.until("cupbot.state.current.text === 'h8g8'");
        page.check();
    });
}

#[test]
fn other_games_are_played_by_clicks_swipes_keys() {
    with_page(PHONE, |page| {
        page.open("zuniq");
        page.choose("#level", "0");
        page.tap(Device::Finger, "B3h");
        page.until("cupbot.state.current.scene.ply === 2 && !cupbot.state.thinking");
        assert_eq!(page.count("[data-wall]"), 2);
        page.check();

        page.open("6561");
        page.choose("#seat", "both");
        for (ply, square) in [(1, "11"), (2, "12"), (3, "14")] {
            page.tap(Device::Finger, square);
            page.until(&format!("cupbot.state.current.scene.ply === {ply}"));
        }
        // A swipe over the board slides all pieces.
        page.drag(Device::Finger, "23", "21");
        page.until("cupbot.state.current.text === 'L'");
        // So does an arrow key.
        page.element("#board").send_keys(DOWNWARD).expect("keys");
        page.until("cupbot.state.current.text === 'D'");
        // Cupbot against itself goes on alone.
        page.choose("#level", "0");
        page.choose("#seat", "nobody");
        page.until("cupbot.state.match.live.scene.ply > 12");
        page.click("#go");
        page.until("!cupbot.state.thinking");
        page.check();
    });
}

const PGN: &str =
    "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 0-1\n";

#[test]
fn a_resigned_game_goes_on_and_survives_a_reload() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.import(PGN);
        page.until_status("White has resigned");
        // A step back takes nothing away.
        page.blur();
        page.element("body").send_keys(BACKSPACE).expect("keys");
        page.until("cupbot.state.current.scene.ply === 5");
        assert_eq!(page.value("cupbot.lineFrom(cupbot.state.game.root).length"), json!(7));
        page.click("#last");
        page.type_into("#move", "BXC6\n");
        page.until("cupbot.state.current.text === 'b5c6'");
        page.until_status("Black to move");
        page.click("#tab-analyse");
        page.click("#review");
        page.until("!byId('summary').hidden && !cupbot.state.review");
        let seen = "[cupbot.movesTo(cupbot.state.current).join(), cupbot.state.game.names.join(), cupbot.state.game.result.text, cupbot.state.current.note.view]";
        let before = page.value(seen);
        page.reload();
        assert_eq!(page.value(seen), before);
        // Nothing of it sticks to a new game.
        page.click("#tab-play");
        page.click("#new");
        page.until("cupbot.state.match.is === 'on' && byId('message').hidden");
        page.until("document.querySelector('#side-0 .name').textContent === 'White: you'");
        page.check();
    });
}

const BACKSPACE: &str = "\u{e003}";

#[test]
fn moves_are_restored_and_refusals_explained() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.choose("#seat", "both");
        for (typed, text) in [("e4", "e2e4"), ("nf6", "g8f6"), ("NC3", "b1c3")] {
            page.type_into("#move", &format!("{typed}\n"));
            page.until(&format!("cupbot.state.current.text === '{text}'"));
        }
        page.click("#undo");
        page.until("cupbot.state.current.scene.ply === 2");
        page.click("#restore");
        page.until("cupbot.state.current.text === 'b1c3' && cupbot.state.match.live === cupbot.state.current");
        // A pick that is none says why at its place.
        page.tap(Device::Mouse, "f8");
        page.until("byId('why').textContent === 'The bishop on f8 has no move'");
        page.tap(Device::Mouse, "e4");
        page.until("byId('why').textContent === 'Black is to move'");
        // After the mouse the arrows go through the game, as does the wheel.
        page.element("body").send_keys(LEFT).expect("keys");
        page.until("cupbot.state.current.scene.ply === 2 && cupbot.state.place === null");
        let [x, y] = page.middle("e4");
        let turn = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 100 });
        page.command("Input.dispatchMouseEvent", turn);
        page.until("cupbot.state.current.scene.ply === 3");
        page.until("byId('match').textContent === 'You play both sides.'");
        page.check();

        page.open("zuniq#tree=A1h+A1v+A2v+C3h+B1h+D4v+C3v+C4v&play=you,you,0,on");
        page.tap(Device::Mouse, "D3h");
        page.until("byId('why').textContent.includes('would close a second zone of size 1')");
        page.open("6561#tree=11+12+14&play=you,you,0,on");
        page.tap(Device::Mouse, "23");
        page.until("byId('why').textContent.includes('a slide')");
        page.check();
    });
}

#[test]
fn positions_are_dragged_together() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.click("#tab-edit");
        page.until("document.querySelectorAll('#rights input:checked').length === 4");
        page.drag(Device::Mouse, "h1", "h4");
        // The right of the rook is gone, and its clock stands.
        page.until("document.querySelectorAll('#rights input:checked').length === 3");
        page.until("cupbot.state.editing.position.startsWith('rnbqkbnr/pppppppp/8/8/7R/')");
        page.until("cupbot.state.match.since === null");
        page.click("[data-right='q']");
        page.until("cupbot.state.editing.position.includes(' w Ah ')");
        page.check();
    });
}

#[test]
fn the_board_fits_a_phone_held_across() {
    with_page(ACROSS, |page| {
        page.be_phone(ACROSS);
        for game in ["zero-point-one", "zuniq", "6561", "chess960"] {
            page.open(game);
            page.until("byId('board').getBoundingClientRect().bottom <= innerHeight");
            page.click("#rules-button");
            page.until("byId('rules').open && document.querySelector('#rules-text svg') !== null");
            page.check();
        }
    });
}

#[test]
fn a_game_is_left_with_a_question() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.choose("#seat", "both");
        page.choose("#level", "0");
        page.type_into("#move", "nf3\n");
        page.until("cupbot.state.current.text === 'g1f3'");
        page.blur();
        for ask in ["n", "resign"] {
            match ask {
                "n" => page.element("body").send_keys("n").expect("keys"),
                _ => page.click("#resign"),
            }
            page.until("byId('confirm').open");
            page.click("#confirm [value=no]");
            page.until("!byId('confirm').open");
            page.until("cupbot.state.match.is === 'on' && cupbot.state.current.text === 'g1f3'");
        }
        page.open("zuniq");
        assert_eq!(page.value("byId('level').value"), json!("0"));
        // White has a tenth of a second left of three minutes.
        page.open("chess960#play=you,cupbot,7,on&live=&clock=179900,0,0");
        page.until_status("The time of White is over, Black wins");
        page.until("document.querySelector('#side-0 .clock').textContent === '0:00'");
        page.until("byId('match').textContent === 'The match is over, you have lost.'");
        page.check();
    });
}

#[test]
fn promotions_are_asked_for_and_moves_said() {
    with_page(DESKTOP, |page| {
        let start = "chess960#start=8/P6k/8/8/8/8/7P/K7%20w%20-%20-%200%201&play=you,cupbot,0,on";
        page.open(start);
        page.type_into("#move", "a8\n");
        page.until("document.querySelectorAll('.promotion.open').length === 4");
        page.until("byId('message').textContent.includes('what the pawn becomes')");
        page.type_into("#move", "=n\n");
        page.until("cupbot.movesTo(cupbot.state.current)[0] === 'a7a8n'");
        // The answer is said, for those who hear the page.
        page.until("byId('said').textContent.startsWith('Black plays ')");
        page.open(start);
        let board = page.element("#board");
        board.send_keys(RIGHT).expect("keys");
        board.send_keys(&[&UPWARD.repeat(6), ENTER, UPWARD, ENTER].concat()).expect("keys");
        page.until("byId('spot').textContent.includes('promotes to a queen')");
        board.send_keys(ENTER).expect("keys");
        page.until("cupbot.movesTo(cupbot.state.current)[0] === 'a7a8q'");
        page.check();
    });
}

#[test]
fn arrows_and_circles_are_drawn_and_kept() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.choose("#seat", "both");
        page.type_into("#move", "e4\n");
        page.until("cupbot.state.current.text === 'e2e4'");
        page.drag(Device::RightButton, "g8", "f6");
        page.tap(Device::RightButton, "e5");
        let shapes = "[...document.querySelectorAll('#board [data-shape]')].map(shape => shape.dataset.shape).join()";
        page.until(&format!("{shapes} === 'g8f6,e5e5'"));
        // They belong to their position, and outlast the page.
        page.click("#back");
        page.until(&format!("{shapes} === ''"));
        page.click("#forward");
        page.until(
            "Object.keys(localStorage).some(key => (localStorage[key] || '').includes('g8'))",
        );
        page.reload();
        page.until(&format!("{shapes} === 'g8f6,e5e5'"));
        page.tap(Device::RightButton, "e5");
        page.until(&format!("{shapes} === 'g8f6'"));
        page.check();
    });
}

/// The board and the lines of an analysis are both within the window.
const SEEN_TOGETHER: &str =
    "['board', 'found'].every(id => { const box = byId(id).getBoundingClientRect(); \
     return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight; })";

#[test]
fn a_phone_shows_board_and_analysis_together() {
    for size in [PHONE, ACROSS] {
        with_page(size, |page| {
            page.be_phone(size);
            page.open("chess960");
            page.click("#tab-analyse");
            page.click("#live");
            page.until("document.querySelectorAll('#found li').length === 3");
            page.browser.run("scrollTo(0, 0)").expect("scrolled");
            page.until(SEEN_TOGETHER);
            page.click("#live");
            page.open("zero-point-one");
            page.until("byId('set-up').getBoundingClientRect().bottom <= innerHeight");
            page.check();
        });
    }
}

/// The contrast of two colours (W3C, "Web Content Accessibility Guidelines 2.2", 1.4.3), as a function of the page.
const CONTRAST: &str = "(() => {
    const parts = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const linear = part => part / 255 <= .04045 ? part / 255 / 12.92 : ((part / 255 + .055) / 1.055) ** 2.4;
    const light = colour => { const [r, g, b] = parts(colour).map(linear); return .2126 * r + .7152 * g + .0722 * b; };
    const contrast = (one, other) => { const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b); return (bright + .05) / (dark + .05); };
    const style = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
    return pairs => pairs.map(([one, name, other, its]) => contrast(style(one, name), style(other, its)));
})()";

#[test]
fn icons_and_borders_stand_out() {
    for scheme in ["light", "dark"] {
        with_page(DESKTOP, |page| {
            let media =
                json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            page.command("Emulation.setEmulatedMedia", media);
            let game = [&SETUPS[..], &MOVES[..4]].concat().join("+");
            page.open(&format!("zero-point-one#tree={game}&at=x6&play=you,you,0,off"));
            let pairs = "[
                ['.list .red .disc', 'fill', '.list svg', 'backgroundColor'], ['.list .blue .disc', 'fill', '.list svg', 'backgroundColor'],
                ['#board .coordinate', 'fill', '#board .light', 'fill'], ['#board .coordinate', 'fill', '#board .dark', 'fill'],
                ['.buttons button', 'borderColor', '.card', 'backgroundColor'], ['.soft', 'color', 'body', 'backgroundColor'],
            ]";
            let found = page.numbers(&format!("{CONTRAST}({pairs})"));
            // Pieces and borders have to have 3, texts 4.5.
            let least = [3.0, 3.0, 4.5, 4.5, 3.0, 4.5];
            assert!(
                found.iter().zip(least).all(|(found, least)| *found >= least),
                "{scheme}: {found:?}"
            );
            page.check();
        });
    }
}

#[test]
fn a_mistake_is_explained_and_counted() {
    with_page(DESKTOP, |page| {
        // The queen takes a pawn that the king covers.
        page.open("chess960#tree=e2e4+e7e5+d1h5+b8c6+h5f7+e8f7&at=x5&play=you,you,0,off");
        page.click("#tab-analyse");
        page.choose("#review-time", "50");
        page.click("#review");
        page.until("!byId('summary').hidden && !cupbot.state.review");
        page.until("byId('remark').textContent.includes('It allows Kxf7, which takes the queen')");
        page.until("/costs \\d+\\.\\d\\d pawns/.test(byId('remark').textContent)");
        page.until("byId('summary').textContent.includes('White: accuracy') && byId('summary').textContent.includes('1 blunder')");
        page.until("[...document.querySelectorAll('#list small')].filter(score => /^[-+]\\d/.test(score.textContent)).length >= 5");
        // The signs differ by more than their colour.
        page.until("document.querySelector('#list b.blunder').textContent === '??' && document.querySelector('#curve path.blunder') !== null");
        page.check();
    });
}

#[test]
fn later_lines_are_fainter_and_what_was_found_stays() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.click("#tab-analyse");
        page.click("#lines option:nth-child(4)");
        page.click("#live");
        page.until("document.querySelectorAll('#board [data-hint]').length === 5");
        let opacities = "[...document.querySelectorAll('#board [data-hint]')].map(arrow => \
             Number(getComputedStyle(arrow).opacity)).sort((one, other) => other - one)";
        let found = page.numbers(opacities);
        assert!(found.len() == 5 && found.windows(2).all(|two| two[0] > two[1]), "{found:?}");
        page.click("#live");
        page.server.wait_for_no_search();
        page.until("document.querySelectorAll('#found li').length === 5 && byId('effort').textContent.includes('stopped')");
        // In 6561 there is no other side, and the bar shows none.
        page.open("6561");
        page.click("#tab-analyse");
        page.click("#live");
        page.until("byId('meter').classList.contains('team') && document.querySelectorAll('#found li').length > 0");
        page.click("#live");
        page.check();
    });
}

#[test]
fn settings_last_and_a_premove_is_made() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.click("#tab-options");
        for setting in ["premove", "sound"] {
            page.click(&format!("#options [data-setting='{setting}']"));
        }
        page.choose("#options [data-setting='theme']", "blue");
        let shade = "getComputedStyle(document.querySelector('#board .dark')).fill";
        page.until(&format!("{shade} === 'rgb(140, 162, 173)'"));
        page.until("document.title.startsWith('● Your move')");
        page.click("#tab-play");
        // A second for each of cupbot's moves.
        page.choose("#level", "4");
        page.drag(Device::Mouse, "e2", "e4");
        page.until("cupbot.state.thinking !== null && document.title.startsWith('cupbot thinks')");
        page.drag(Device::Mouse, "g1", "f3");
        page.until("document.querySelectorAll('.premove-mark').length === 2");
        page.until("cupbot.movesTo(cupbot.state.current)[2] === 'g1f3'");
        page.reload();
        page.until("cupbot.state.settings.premove && cupbot.state.settings.sound");
        page.until(&format!("{shade} === 'rgb(140, 162, 173)'"));
        page.check();
    });
}

const ANNOTATED: &str = "[Event \"A cup\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n\
     {At first.} 1. e4 e5 $6 2. Nf3 (2. f4 exf4 {The gambit.} (2... d5 3. exd5)) 2... Nc6 {Usual.} 1-0\n";

#[test]
fn pgn_keeps_variations_comments_and_names() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.import(ANNOTATED);
        page.until("cupbot.movesTo(cupbot.state.current).join(' ') === 'e2e4 e7e5 g1f3 b8c6'");
        page.until_status("White has won");
        let list = "byId('list').textContent";
        for text in ["At first.", "e5?!", "The gambit.", "Usual."] {
            page.until(&format!("{list}.includes({text:?})"));
        }
        // A move of a variation within a variation leads to its position.
        let button = "[...document.querySelectorAll('#list .variation button')].find(button => button.textContent.includes('exd5'))";
        page.until(&format!("Boolean({button})"));
        // The variation of a variation stands after the move that it replaces.
        page.until("document.querySelector('#list .variation').textContent.indexOf('exf4') < document.querySelector('#list .variation').textContent.indexOf('d5')");
        page.browser.run(&format!("{button}.click()")).expect("a button");
        page.until("cupbot.movesTo(cupbot.state.current).join(' ') === 'e2e4 e7e5 f2f4 d7d5 e4d5'");
        page.type_into("#comment", "A countergambit.");
        page.click("#tab-share");
        let parts = [
            "[Event \"A cup\"]",
            "[White \"Ann\"]",
            "[Black \"Bob\"]",
            "[Result \"1-0\"]",
            "{At first.}",
            "e5 $6",
            "(2. f4 exf4 {The gambit.}",
            "(2...d5 3.exd5 {A countergambit.})",
            "Nc6 {Usual.} 1-0",
        ];
        for part in parts {
            let part = part.replace(' ', "");
            page.until(&format!("byId('as-file').value.replace(/\\s/g, '').includes({part:?})"));
        }
        // The page reads what it has written, and a reload keeps it.
        let written = page.value("byId('as-file').value");
        page.reload();
        page.click("#tab-share");
        page.until(&format!("byId('as-file').value === {written}"));
        page.click("#tab-import");
        page.browser
            .run(&format!("byId('pasted').value = {written}; byId('read').click()"))
            .expect("read");
        page.until("cupbot.movesTo(cupbot.state.current).join(' ') === 'e2e4 e7e5 g1f3 b8c6'");
        page.click("#tab-share");
        page.until(&format!("byId('as-file').value === {written}"));
        page.check();
    });
}

#[test]
fn puzzles_are_solved_and_remembered() {
    with_page(DESKTOP, |page| {
        page.open("zero-point-one");
        page.click("#tab-puzzles");
        page.until("byId('solved').textContent.startsWith('0 of ')");
        page.click("#puzzle-begin");
        page.until("byId('task-text').textContent === 'Red captures the wazir at once.'");
        // What is wrong is explained and taken back.
        page.drag(Device::Mouse, "a5", "c5");
        page.until("byId('verdict').textContent.includes('does not capture the wazir')");
        page.until(
            "cupbot.state.puzzle.is === 'open' && cupbot.state.current === cupbot.state.game.root",
        );
        page.drag(Device::Mouse, "b2", "b1");
        page.until("byId('verdict').textContent === 'Solved: Red has captured the wazir.'");
        page.until("byId('solved').textContent.startsWith('1 of ')");
        page.click("#puzzle-next");
        page.until("byId('task-number').textContent === 'Puzzle 2'");
        page.reload();
        page.until("byId('task-number').textContent === 'Puzzle 2'");
        page.until("byId('puzzle-list').options[0].textContent.endsWith('✓')");
        // A right move is answered, and the rest is shown.
        page.choose("#puzzle-list", "3");
        page.until("byId('task-text').textContent.startsWith('Blue captures the wazir by move 2')");
        page.until("cupbot.state.isFlipped");
        page.drag(Device::Mouse, "e1", "c3");
        page.until("byId('verdict').textContent.startsWith('Right')");
        assert_eq!(page.value("cupbot.movesTo(cupbot.state.current).length"), json!(2));
        page.click("#puzzle-solve");
        page.until("cupbot.state.puzzle.is === 'shown' && cupbot.isOver(cupbot.state.current)");
        page.until("byId('solved').textContent.startsWith('1 of ')");
        // Another win of the same length counts as well, here by a drop.
        page.choose("#puzzle-list", "4");
        page.until("byId('task-number').textContent === 'Puzzle 5'");
        page.tap(Device::Mouse, "A");
        page.tap(Device::Mouse, "f4");
        page.until("byId('verdict').textContent.startsWith('Right')");
        page.click("#puzzle-leave");
        page.until("byId('task').hidden && cupbot.state.puzzle === null");
        page.check();
    });
}

#[test]
fn a_puzzle_is_solved_by_touch_on_a_phone() {
    for size in [PHONE, ACROSS] {
        with_page(size, |page| {
            page.be_phone(size);
            page.open("zero-point-one#puzzle=1");
            page.browser.run("scrollTo(0, 0)").expect("scrolled");
            page.until("byId('task').getBoundingClientRect().bottom <= innerHeight");
            page.tap(Device::Finger, "b2");
            page.tap(Device::Finger, "b1");
            page.until("byId('verdict').textContent.startsWith('Solved')");
            // All tools are within the window.
            page.until("[...document.querySelectorAll('.tabs button')].every(tab => tab.getBoundingClientRect().right <= innerWidth)");
            page.check();
        });
    }
}

#[test]
fn the_shapes_of_pieces_are_chosen_and_last() {
    with_page(DESKTOP, |page| {
        for game in ["zero-point-one", "chess960"] {
            page.open(game);
            let is_seen = |set: &str| {
                format!("[...document.querySelectorAll('#board .glyph{set}')].filter(shape => getComputedStyle(shape).display !== 'none' && shape.getBBox().width > 0).length >= 16")
            };
            let is_hidden = |set: &str| {
                format!("[...document.querySelectorAll('.glyph{set}')].every(shape => getComputedStyle(shape).display === 'none')")
            };
            page.click("#tab-options");
            page.until(&is_seen(":not(.other)"));
            page.until(&is_hidden(".other"));
            page.choose("#options [data-setting='pieces']", "other");
            page.until(&is_seen(".other"));
            page.until(&is_hidden(":not(.other)"));
            page.reload();
            page.until(&is_seen(".other"));
            // Every kind has a shape of its own.
            page.until("new Set([...document.querySelectorAll('#board .other')].map(shape => document.querySelector(shape.getAttribute('href')).innerHTML)).size >= 5");
            // Letters stand in the place of either set.
            page.click("#letters");
            page.until(&is_hidden(".other"));
            page.click("#letters");
            page.click("#tab-options");
            page.choose("#options [data-setting='pieces']", "");
            page.check();
        }
        page.open("zuniq");
        page.until("byId('pieces').hidden");
    });
}

/// Notes the pitch of each sound in the place of making it.
const DEAF: &str = "globalThis.pitches = []; globalThis.AudioContext = class {
    currentTime = 0;
    createOscillator() { const tone = { frequency: {}, connect: other => other, start() { pitches.push(tone.frequency.value); }, stop() {} }; return tone; }
    createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: other => other }; }
};";

#[test]
fn sounds_tell_moves_and_captures_apart() {
    with_page(DESKTOP, |page| {
        page.open("chess960#play=you,you,0,on");
        page.browser.run(DEAF).expect("a stand-in");
        let play = |text: &str, ply: usize| {
            page.type_into("#move", &format!("{text}\n"));
            page.until(&format!("cupbot.state.current.scene.ply === {ply}"));
        };
        play("f3", 1);
        page.until("pitches.length === 0");
        page.click("#tab-options");
        page.click("#options [data-setting='sound']");
        for (index, text) in ["e5", "f4", "exf4", "g4", "Qh4"].into_iter().enumerate() {
            play(text, index + 2);
        }
        page.until_status("mate");
        let found = page.numbers("pitches");
        assert_eq!(found.len(), 5, "{found:?}");
        let (quiet, capture, end) = (found[0], found[2], found[4]);
        assert!(quiet == found[1] && quiet == found[3], "{found:?}");
        assert!(quiet != capture && quiet != end && capture != end, "{found:?}");
        // Going back through the game is silent.
        page.click("#back");
        page.until("cupbot.state.current.text === 'g2g4' && pitches.length === 5");
        page.check();
    });
}

#[test]
fn pieces_glide_unless_that_is_switched_off() {
    with_page(DESKTOP, |page| {
        for (game, moves) in [("chess960", ["e4", "e5"]), ("zero-point-one", ["b1d3", "g4e5"])] {
            let tree = if game == "chess960" {
                String::new()
            } else {
                format!("tree={}&", SETUPS.join("+"))
            };
            page.open(&format!("{game}#{tree}play=you,you,0,on"));
            page.browser
                .run("globalThis.glides = 0; const animate = Element.prototype.animate; Element.prototype.animate = function (...how) { glides++; return animate.apply(this, how); };")
                .expect("a count");
            let ply = page.value("cupbot.state.current.scene.ply").as_u64().expect("a number");
            page.type_into("#move", &format!("{}\n", moves[0]));
            page.until(&format!("cupbot.state.current.scene.ply === {} && glides === 1", ply + 1));
            page.click("#tab-options");
            page.click("#options [data-setting='animation']");
            page.type_into("#move", &format!("{}\n", moves[1]));
            page.until(&format!("cupbot.state.current.scene.ply === {} && glides === 1", ply + 2));
            page.click("#options [data-setting='animation']");
            page.check();
        }
    });
}

#[test]
fn own_games_are_listed_opened_again_and_forgotten() {
    with_page(DESKTOP, |page| {
        page.open("chess960");
        page.choose("#seat", "both");
        for (index, text) in ["e4", "c5"].into_iter().enumerate() {
            page.type_into("#move", &format!("{text}\n"));
            page.until(&format!("cupbot.state.current.scene.ply === {}", index + 1));
        }
        // However soon after a move a game is left, it is kept.
        page.value("(byId('new').click(), byId('yes').click(), true)");
        page.until("cupbot.movesTo(cupbot.state.current).length === 0");
        page.type_into("#move", "d4\n");
        page.until("cupbot.state.current.text === 'd2d4'");
        page.click("#tab-import");
        page.until("document.querySelectorAll('#own > div').length === 2");
        page.until("byId('own').lastChild.textContent.includes('2 moves')");
        page.click("#own > div:last-child > button");
        page.until("document.body.dataset.ready === 'true' && cupbot.movesTo(cupbot.state.current).join() === 'e2e4,c7c5'");
        // Games of other kinds stand in the same list.
        page.open("zuniq#play=you,you,0,on");
        page.tap(Device::Mouse, "B3h");
        page.until("cupbot.state.current.scene.ply === 1");
        page.click("#tab-import");
        page.until("document.querySelectorAll('#own > div').length === 3");
        for left in [2, 1, 0] {
            page.click("#own .remove");
            page.until(&format!("document.querySelectorAll('#own > div').length === {left}"));
        }
        page.until("!byId('no-games').hidden");
        // The present game stays forgotten until it goes on.
        page.reload();
        page.tap(Device::Mouse, "B4h");
        page.until("cupbot.state.current.scene.ply === 2");
        page.click("#tab-import");
        page.until("document.querySelectorAll('#own > div').length === 1");
        page.click("#own .remove");
        page.until("Object.keys(localStorage).every(key => !key.startsWith('cupbot-game-'))");
        page.check();
    });
}

#[test]
fn somebody_new_is_told_how_to_move() {
    with_page(DESKTOP, |page| {
        for (game, words) in [
            ("zuniq", "between two dots"),
            ("6561", "empty square"),
            ("chess960", "Mate the other king"),
        ] {
            page.open(&format!("{game}#play=you,you,0,on"));
            page.until(&format!(
                "!byId('how').hidden && byId('how').textContent.includes({words:?})"
            ));
        }
        page.click("#how-rules");
        page.until("byId('rules').open && byId('rules-text').textContent.includes('en passant')");
        // The figures of the rules are those of the board.
        page.open("zero-point-one");
        page.click("#rules-button");
        page.until("document.querySelectorAll('#rules-text svg text').length === 5");
        page.until("byId('rules-text').innerHTML.includes(byId('glyph-A').querySelector('path').getAttribute('d'))");
        // Zuniq shows which walls can't be drawn, and at the end all that is left is such.
        page.open("zuniq#tree=A1h+A1v+A2v+C3h+B1h+D4v+C3v+C4v&play=you,you,0,on");
        page.until("document.querySelector('[data-barred=D3h]') !== null && byId('how').hidden");
        page.until("document.querySelectorAll('[data-barred]').length === 60 - 8 - cupbot.state.current.scene.moves.length");
        page.open("chess960");
        page.type_into("#move", "e4\n");
        page.until("cupbot.movesTo(cupbot.state.current).length === 2");
        page.click("#resign");
        page.click("#yes");
        page.until("byId('match').textContent === 'The match is over, you have lost.'");
        page.check();
    });
}
