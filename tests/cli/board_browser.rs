//! The page of `cupbot board` in a real browser: mouse, keyboard and touch, desktop and phone.

#![cfg(unix)]

use crate::board::BLUNDERS;
use crate::common::board::Server;
use crate::common::browser::{Device, Page};
use crate::common::{folder, wait_until};
use serde_json::{json, Value};
use std::ops::Deref;
use std::thread;

const SETUPS: [&str; 2] = ["DDAFFANAAADAWAAD", "addndffdaaaaaawa"];
/// The moves of a real game after the setups: a drop on move 10, a wazir captured on move 12.
const MOVES: [&str; 10] =
    ["b1d3", "g4e5", "a1c1", "g1e3", "a3c5", "e5d3", "c5a3", "ad7", "a3c5", "d7b5"];
const END: &str = "Blue has captured the wazir and won";
const DESKTOP: [u32; 2] = [1280, 860];
const PHONE: [u32; 2] = [360, 740];
/// A phone in landscape.
const ACROSS: [u32; 2] = [740, 360];
/// A desktop of 1280 x 800 at a zoom of 200 %.
const ZOOMED: [u32; 2] = [640, 400];
/// Selector of the moves of the main line in the list.
const LINE: &str = "#list > div [data-node]:not(.start)";
/// Selector of the current move in the list.
const CHOSEN: &str = "#list .chosen";
/// Selector of the pieces of Red's setup.
const ARRANGED: &str = "['a', 'b'].flatMap(row => [1, 2, 3, 4, 5, 6, 7, 8].map(column => \
     document.querySelector(`#board [data-square=${row}${column}]`)?.dataset.piece)).join('')";
const LINK: &str = "byId('link').value.split('/').pop()";
const FIRST_FOUND: &str = "document.querySelector('#found button')?.textContent ?? null";

/// An open page of a server.
struct Board {
    page: Page,
    host: String,
}

impl Deref for Board {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

/// Returns a script for the texts of list elements, without pictures and scores. A setup is in the title of its button.
fn texts(selector: &str) -> String {
    format!("[...document.querySelectorAll({selector:?})].map(button => /^[a-z]{{16}}$/i.test(button.title) ? button.title : [...button.childNodes].filter(part => part.nodeType === Node.TEXT_NODE).map(part => part.data).join('')).join(' ')")
}

impl Board {
    /// Opens a page of a server in a window of this size. `None` if there is no browser.
    fn new(size: [u32; 2], server: &Server) -> Option<Board> {
        Page::new(size).map(|page| Board { page, host: server.host() })
    }

    /// An open page of the shared server in a large window.
    fn at(path: &str) -> Option<Board> {
        let board = Board::new(DESKTOP, Server::shared())?;
        board.open(path);
        Some(board)
    }

    /// Checks the current page and opens another one.
    fn open(&self, path: &str) {
        self.check();
        self.load(&format!("http://{}/{path}", self.host));
        self.until_ready();
    }

    fn until_ready(&self) {
        self.until("document.body.dataset.ready === 'true'");
    }

    /// Waits until the address contains the game, then reloads the page.
    fn reload(&self) {
        self.until("new Set([location.href, byId('link').value].map(link => link.replace(/&clock=[^&]*/, ''))).size === 1");
        self.run("document.body.dataset.ready = ''; location.reload()");
        self.until_ready();
    }

    /// Waits until the position after this move is shown; `start` or `position` for the first one.
    fn until_at(&self, text: &str) {
        self.until_is(&texts(CHOSEN), text);
    }

    /// Waits until the game has these moves.
    fn until_line(&self, moves: &str) {
        self.until_is(&texts(LINE), moves);
    }

    /// Waits until cupbot has moved, or stopped, and the game has this number of moves.
    fn until_idle(&self, moves: usize) {
        self.until_count(LINE, moves);
        self.until("!byId('status').textContent.includes('cupbot')");
    }

    /// Waits until a puzzle is open and accepts moves.
    fn until_puzzle(&self, number: usize) {
        self.until_is("byId('task-number').textContent", format!("Puzzle {number}"));
        self.until_status(" to move");
    }

    fn until_status(&self, part: &str) {
        self.until_text("status", part);
    }

    /// Analyses the game quickly, to the end.
    fn review(&self) {
        self.click("#tab-analyse");
        self.choose("#review-time", "50");
        self.click("#review");
        self.until_reviewed();
    }

    fn until_reviewed(&self) {
        let shown = ["curve", "summary"].map(|id| format!("!byId('{id}').hidden")).join(" && ");
        self.until(&format!("{shown} && byId('progress').hidden"));
    }

    /// Waits until the browser complains of a refused request, and of nothing else.
    fn until_refused(&self) {
        wait_until("the browser complains", || {
            let complaints = self.complaints();
            assert!(complaints.iter().all(|text| text.contains("422")), "{complaints:?}");
            !complaints.is_empty()
        });
    }

    /// Analyses the position until `count` lines are shown.
    fn analyse(&self, lines: usize) {
        self.click("#tab-analyse");
        self.click("#live");
        self.until_count("#found li", lines);
    }

    /// Waits until the text of the position starts with this one.
    fn until_position(&self, start: &str) {
        self.click("#tab-share");
        self.until(&format!("byId('fen').value.startsWith({start:?})"));
    }

    /// Types a move and waits until the list shows it with this text.
    fn play(&self, typed: &str, text: &str) {
        self.type_into("#move", &format!("{typed}\n"));
        self.until_at(text);
    }

    /// Imports a text.
    fn import(&self, text: &str) {
        self.click("#tab-import");
        self.type_into("#pasted", text);
        self.click("#read");
    }

    /// Returns the centre of a spot.
    fn middle(&self, spot: &str) -> [f64; 2] {
        self.point_of(&selector_of(spot))
    }

    fn tap(&self, device: Device, spot: &str) {
        self.gesture(device, &[self.middle(spot)]);
    }

    fn drag(&self, device: Device, from: &str, to: &str) {
        // The window may scroll for each of them.
        self.middle(to);
        self.gesture(device, &[self.middle(from), self.middle(to)]);
    }

    /// Places pieces on an empty board in the editor.
    fn build(&self, pieces: &[[&str; 2]]) {
        self.click("#tab-edit");
        // The response moves the tools.
        self.until_count("#edit[aria-busy=false]", 1);
        self.click("#edit-clear");
        self.until_count("#board [data-piece]", 0);
        for [brush, spot] in pieces {
            self.click(&format!("[data-brush='{brush}']"));
            self.tap(Device::Mouse, spot);
            self.until_count(&format!("#board [data-square={spot}][data-piece={brush}]"), 1);
        }
    }

    /// Opens the tools on a phone.
    fn open_menu(&self) {
        self.click("#menu");
        self.until_count("body.menu .tools", 1);
    }

    /// Arranges a setup by tapping pairs of pieces.
    fn arrange(&self, rows: [&str; 2], setup: &str) {
        let places: Vec<String> = rows
            .iter()
            .flat_map(|row| (1..=8).map(move |column| format!("{row}{column}")))
            .collect();
        for (index, letter) in setup.chars().enumerate() {
            let has_it = format!("document.querySelector(`#board [data-square=${{place}}]`)?.dataset.piece === '{letter}'");
            let from = format!("{:?}.find(place => {has_it}) ?? null", &places[index..]);
            let (from, to) = (self.poll(&from, Value::is_string), &places[index]);
            if from != **to {
                self.tap(Device::Finger, from.as_str().expect("a square"));
                self.tap(Device::Finger, to);
            }
            self.until(&format!("[{to:?}].some(place => {has_it})"));
        }
        self.click("#set-up");
    }

    fn blur(&self) {
        self.run("document.activeElement.blur()");
    }

    /// Starts a game of two users with the setups of the real game, typed in.
    fn set_up(&self) {
        self.choose("#seat", "both");
        SETUPS.into_iter().for_each(|setup| self.play(setup, setup));
        self.blur();
    }

    /// Asserts that the browser reports no error and that nothing is wider than the window.
    fn check(&self) {
        assert_eq!(self.complaints(), Vec::<String>::new(), "the console of the browser");
        self.until("document.documentElement.scrollWidth <= innerWidth");
    }
}

/// Checks the page at the end of each test.
impl Drop for Board {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.check();
        }
    }
}

/// Returns the squares or the piece in hand of a move, and its target.
fn spots(text: &str) -> [&str; 2] {
    let (from, to) = text.split_at(text.len() - 2);
    [from, to]
}

/// Returns the CSS selector of a spot: a piece in hand if its name has one letter, otherwise a square.
fn selector_of(spot: &str) -> String {
    let place = if spot.len() == 1 { ".extra" } else { "#board" };
    format!("{place} [data-spot='{spot}']")
}

/// Returns the numbers of a list.
fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
}

#[test]
fn a_whole_game_is_played_by_mouse() {
    let Some(page) = Board::at("zero-point-one") else { return };
    page.set_up();
    // Hovering a piece shows its reach.
    page.point(Device::Mouse, 1, page.middle("a7"));
    page.until_count(".reach", 3);
    for (index, text) in MOVES.into_iter().enumerate() {
        let [from, to] = spots(text);
        // Alternates between a drag and two clicks.
        if index % 2 == 0 {
            page.drag(Device::Mouse, from, to);
        } else {
            page.tap(Device::Mouse, from);
            page.until("document.querySelector('.target') !== null");
            page.tap(Device::Mouse, to);
        }
        page.until_at(text);
    }
    page.until_status(END);
    // The last move is marked, and the attacked wazir was.
    page.until_count("[data-moved]", 2);
    page.click("#back");
    page.click("#back");
    page.until_at("ad7");
    page.until_count(".threat", 1);
}

#[test]
fn a_whole_game_is_played_by_keyboard() {
    let Some(page) = Board::at("zero-point-one") else { return };
    page.set_up();
    // The first key selects a1.
    page.focus("#board");
    page.press(&["ArrowRight"]);
    let mut place = "a1";
    for text in MOVES {
        let [from, to] = spots(text);
        if from.len() == 1 {
            page.focus(&selector_of(from));
            page.press(&["Enter"]);
            page.until("document.activeElement === byId('board')");
        }
        for target in [from, to].into_iter().filter(|spot| spot.len() == 2) {
            page.press(&way(place, target));
            page.until_count(&format!("#board [data-place={target}]"), 1);
            place = target;
            page.press(&["Enter"]);
        }
        page.until_at(text);
    }
    page.until_status(END);
    // Outside the board, arrows step through the game and letters open tools.
    page.blur();
    page.press(&["ArrowLeft"]);
    page.until_at("a3c5");
    page.press(&["f"]);
    page.until("document.body.classList.contains('flipped')");
    page.press(&["?"]);
    page.until("byId('help').open");
}

/// Returns the arrow keys from one square to another.
fn way(from: &str, to: &str) -> Vec<&'static str> {
    let [from, to] = [from, to].map(str::as_bytes);
    let steps = |index: usize, more, less| {
        let key = if to[index] > from[index] { more } else { less };
        vec![key; usize::from(to[index].abs_diff(from[index]))]
    };
    [steps(0, "ArrowUp", "ArrowDown"), steps(1, "ArrowRight", "ArrowLeft")].concat()
}

#[test]
fn a_whole_game_is_played_by_touch_on_a_phone() {
    let Some(page) = Board::new(PHONE, Server::shared()) else { return };
    page.open("zero-point-one");
    page.open_menu();
    page.choose("#seat", "both");
    for (rows, setup) in [["a", "b"], ["g", "h"]].into_iter().zip(SETUPS) {
        page.arrange(rows, setup);
        page.until_at(setup);
    }
    for (index, text) in MOVES.into_iter().enumerate() {
        let [from, to] = spots(text);
        if index == 0 {
            // A drag ...
            page.drag(Device::Finger, from, to);
        } else {
            // ... and taps.
            [from, to].into_iter().for_each(|spot| page.tap(Device::Finger, spot));
        }
        page.until_at(text);
    }
    page.until_status(END);
    // All tools fit.
    for tool in ["play", "analyse", "import", "share", "edit"] {
        page.click(&format!("#tab-{tool}"));
        page.until(&format!("!byId('{tool}').hidden"));
        page.check();
    }
}

#[test]
fn setups_hints_and_moves_taken_back() {
    let Some(page) = Board::at("zero-point-one") else { return };
    page.choose("#level", "0");
    let before = page.poll(ARRANGED, |seen| seen.as_str().is_some_and(|all| all.len() == 16));
    let mut after = before.as_str().expect("letters").chars().collect::<Vec<_>>();
    after.swap(1, 13);
    let after = String::from_iter(after);
    assert_ne!(before, after);
    page.drag(Device::Mouse, "a2", "b6");
    page.until_is(ARRANGED, &*after);
    page.click("#set-up");
    page.until_idle(2);
    page.until(&format!("{}.startsWith({after:?})", texts(LINE)));
    page.click("#hint");
    let hint = "byId('hinted').dataset.move || null";
    let hint = page.poll(hint, Value::is_string);
    page.until_count("[data-hint]", 1);
    page.type_into("#move", &format!("{}\n", hint.as_str().expect("a move")));
    page.until_idle(4);
    page.click("#undo");
    page.until_idle(2);
    // An illegal move is explained and changes nothing.
    page.type_into("#move", "a1a8\n");
    page.until("!byId('message').hidden");
    page.until_text("message", "illegal");
    page.until_refused();
    // The link restores the same state.
    let [link, line] = [LINK, &texts(LINE)].map(|shown| page.poll(shown, Value::is_string));
    page.open(link.as_str().expect("a link"));
    page.until_is(&texts(LINE), line);
    page.click("#resign");
    page.until("byId('confirm').open");
    page.click("#yes");
    page.until_status("Red resigns, Blue wins");
}

#[test]
fn a_game_is_imported_analysed_live_and_reviewed() {
    let server = Server::start();
    let Some(page) = Board::new(DESKTOP, &server) else { return };
    page.open("zuniq");
    // Importing another game's record opens that game's page.
    let game = [&SETUPS[..], &MOVES[..]].concat().join(" ");
    page.import(&game);
    page.until("location.pathname === '/zero-point-one'");
    page.until_ready();
    page.until_status(END);
    page.import(&format!("one red {game}\ntwo blue {game}"));
    page.until_count("#games button", 2);
    page.click("#tab-analyse");
    page.click("#list .start");
    (0..5).for_each(|_| page.click("#forward"));
    page.until_at("a1c1");
    page.analyse(3);
    page.until_text("effort", "nodes/s");
    page.until_count("#board [data-hint]", 3);
    page.until("!byId('meter').hidden");
    // After a change of position the lines are those of the new one, and one search runs.
    page.click("#forward");
    page.until_at("g1e3");
    page.until_count("#found li", 3);
    wait_until("one search at most", || server.status().1 <= 1);
    page.click("#live");
    server.wait_for_no_search();
    // The lines remain.
    page.until_text("effort", "stopped");
    page.until_count("#found li", 3);
    // A click on a move of a line plays it as a variation.
    let found = page.poll(FIRST_FOUND, Value::is_string);
    page.click("#found button");
    page.until_at(found.as_str().expect("a move"));
    page.click("#back");
    page.click("#tab-share");
    page.until_text("as-text", "a1c1");
    let text = page.saved("#save-text", &folder("board", "text"), "zero-point-one.txt");
    assert!(text.contains("b1d3 g4e5 a1c1"), "{text}");
    page.import(&format!("{BLUNDERS}\n"));
    page.until_count(LINE, 10);
    page.review();
    page.until(
        "['#curve [data-mark]', '#list b.blunder'].every(name => document.querySelector(name))",
    );
}

#[test]
fn dark_mode_a_variation_and_a_built_position() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
    page.set_scheme("dark");
    let game = [&SETUPS[..], &MOVES[..4]].concat().join("+");
    page.open(&format!("zero-point-one#tree={game}&at=x4&play=you,you,0,off"));
    page.until_is("getComputedStyle(document.body).backgroundColor", "rgb(22, 24, 28)");
    page.play("a2c2", "a2c2");
    page.until_count(".variation", 1);
    page.until("decodeURIComponent(location.hash).includes('(a2c2)')");
    page.click("#promote");
    page.until(&format!("{}.endsWith(' a2c2')", texts(LINE)));
    page.build(&[["W", "a1"], ["w", "h8"], ["N", "c3"], ["D", "e5"]]);
    page.click("#edit-use");
    page.until_at("position");
    page.until_position("W7/8/2N5/8/4D3/8/8/7w - 2");
    page.play("c3d5", "c3d5");
}

#[test]
fn chess960_has_castling_promotions_and_draws() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
    let at = |fen: &str| format!("chess960#start={}&play=you,you,0,on", fen.replace(' ', "%20"));
    // Castling by dragging the king two squares, and by clicking king and rook.
    page.open(&at("r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1"));
    page.drag(Device::Mouse, "e1", "g1");
    page.until_at("O-O");
    page.tap(Device::Mouse, "e8");
    page.until("document.querySelectorAll('.target').length > 4");
    page.tap(Device::Mouse, "a8");
    page.until_at("O-O-O");

    // A promotion opens the chooser.
    page.open(&at("8/P6k/8/8/8/8/8/K7 w - - 0 1"));
    page.drag(Device::Mouse, "a7", "a8");
    page.until_count(".promotion.open", 4);
    page.tap(Device::Mouse, "=R");
    page.until_at("a8=R");
    page.until_count(".promotion.open", 0);

    // A draw is offered and accepted.
    page.open("chess960#play=you,you,0,on");
    page.click("#mark");
    page.play("e4", "e4=");
    page.until_status("White offers a draw");
    page.type_into("#move", "draw\n");
    page.until_status("A draw by agreement");
    page.check();
}

#[test]
fn chess960_is_imported_analysed_and_edited() {
    let server = Server::start();
    let Some(page) = Board::new(DESKTOP, &server) else { return };
    page.open("chess960");
    // A PGN game, its analysis, and a line played as a variation.
    page.import("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
    page.until_line("e4 e5 Nf3 Nc6");
    page.analyse(3);
    page.until_text("effort", "nodes/s");
    page.until_count("#board [data-hint] line", 3);
    page.click("#back");
    page.until_count("#found li", 3);
    page.click("#live");
    server.wait_for_no_search();
    page.until_text("effort", "stopped");
    let third = "document.querySelector('#found li:nth-child(3) button').textContent";
    let third = page.poll(third, Value::is_string);
    page.click("#found li:nth-child(3) button");
    page.until_at(third.as_str().expect("a move"));
    page.review();
    page.check();

    // A start position by number, and the editor.
    page.click("#tab-play");
    page.type_into("#start-number", "0");
    page.click("#new");
    page.until_at("position");
    page.until_position("bbqnnrkr/");
    page.build(&[["K", "a1"], ["k", "h8"], ["Q", "c3"]]);
    // White to move could capture the king.
    page.until("byId('edit-use').disabled");
    page.click("#edit-turn");
    page.click("#edit-use");
    page.until_at("position");
    page.until_position("7k/8/8/8/8/2Q5/8/K7 b - - 0 1");
    page.play("Kg8", "Kg8");
}

#[test]
fn other_games_are_played_by_clicks_swipes_keys() {
    let Some(page) = Board::new(PHONE, Server::shared()) else { return };
    page.open("zuniq");
    page.open_menu();
    page.choose("#level", "0");
    page.tap(Device::Finger, "B3h");
    page.until_idle(2);
    page.until_count("[data-wall]", 2);

    page.open("6561");
    page.open_menu();
    page.choose("#seat", "both");
    for square in ["11", "12", "14"] {
        page.tap(Device::Finger, square);
        page.until_at(square);
    }
    // A swipe over the board slides all tiles.
    page.drag(Device::Finger, "23", "21");
    page.until_at("L");
    // So does an arrow key.
    page.focus("#board");
    page.press(&["ArrowDown"]);
    page.until_at("D");
    page.until_is("byId('count').textContent", "Move 6 of 1,000.");
    // Cupbot plays against itself without clicks.
    page.choose("#level", "0");
    page.choose("#seat", "nobody");
    page.until(&format!("document.querySelectorAll({LINE:?}).length > 12"));
    page.click("#go");
    page.until("!byId('status').textContent.includes('cupbot')");
}

const PGN: &str =
    "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 0-1\n";

#[test]
fn a_resigned_game_goes_on_and_survives_a_reload() {
    let Some(page) = Board::at("chess960") else { return };
    page.import(PGN);
    page.until_status("Black has won");
    // A step back deletes nothing.
    page.blur();
    page.press(&["Backspace"]);
    page.until_at("Bb5");
    page.until_line("e4 e5 Nf3 Nc6 Bb5 a6");
    page.click("#last");
    page.play("BXC6", "Bxc6");
    page.until_status("Black to move");
    page.review();
    let seen = "['#list', '#side-0 .name', '#side-1 .name', '#score', '#remark'].map(name => document.querySelector(name).textContent).join()";
    let before = page.poll(seen, Value::is_string);
    page.reload();
    page.until_is(seen, before);
    // A new game has nothing of it.
    page.click("#tab-play");
    page.click("#new");
    page.until_is("byId('match').textContent", "You are White.");
    page.until("byId('message').hidden");
    page.until("document.querySelector('#side-0 .name').textContent === 'White: you'");
}

#[test]
fn moves_are_restored_and_refusals_explained() {
    let Some(page) = Board::at("chess960") else { return };
    page.choose("#seat", "both");
    for (typed, text) in [("e4", "e4"), ("nf6", "Nf6"), ("NC3", "Nc3")] {
        page.play(typed, text);
    }
    page.click("#undo");
    page.until_line("e4 Nf6");
    page.click("#restore");
    page.until_at("Nc3");
    page.until_is("byId('match').textContent", "You play both sides.");
    // An invalid pick is explained beside the board.
    page.tap(Device::Mouse, "f8");
    page.until_is("byId('why').textContent", "The bishop on f8 has no move");
    page.tap(Device::Mouse, "e4");
    page.until_is("byId('why').textContent", "Black is to move");
    // After a click the arrow keys still step through the game, as does the wheel.
    page.press(&["ArrowLeft"]);
    page.until_at("Nf6");
    page.until_count("[data-place]", 0);
    let [x, y] = page.middle("e4");
    let turn = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 100 });
    page.command("Input.dispatchMouseEvent", turn);
    page.until_at("Nc3");
    page.until_is("byId('match').textContent", "You play both sides.");

    page.open("zuniq#tree=A1h+A1v+A2v+C3h+B1h+D4v+C3v+C4v&play=you,you,0,on");
    page.tap(Device::Mouse, "D3h");
    page.until_text("why", "would close a second zone of size 1");
    page.open("6561#tree=11+12+14&play=you,you,0,on");
    page.tap(Device::Mouse, "23");
    page.until_text("why", "a slide");
}

#[test]
fn positions_are_dragged_together() {
    let Some(page) = Board::at("chess960") else { return };
    page.until_count(".clock[data-running=true]", 1);
    page.click("#tab-edit");
    page.until_count("#rights input:checked", 4);
    page.drag(Device::Mouse, "h1", "h4");
    // The rook has lost its castling right, and the clock is stopped.
    page.until_count("#rights input:checked", 3);
    page.until("byId('position').value.startsWith('rnbqkbnr/pppppppp/8/8/7R/')");
    page.until_count(".clock[data-running=true]", 0);
    page.click("[data-right='q']");
    page.until("byId('position').value.includes(' w Qk ')");
}

#[test]
fn a_game_is_left_with_a_question() {
    let Some(page) = Board::at("chess960") else { return };
    page.choose("#seat", "both");
    page.choose("#level", "0");
    page.play("nf3", "Nf3");
    page.blur();
    for ask in ["n", "resign"] {
        match ask {
            "n" => page.press(&["n"]),
            _ => page.click("#resign"),
        }
        page.until("byId('confirm').open");
        page.click("#confirm [value=no]");
        page.until("!byId('confirm').open");
        page.until_is("byId('match').textContent", "You play both sides.");
        page.until_at("Nf3");
    }
    page.open("zuniq");
    page.until_is("byId('level').value", "0");
    // White has 0.1 s of three minutes left.
    page.open("chess960#play=you,cupbot,7,on&live=&clock=179900,0,0");
    page.until_status("The time of White is over, Black wins");
    page.until("document.querySelector('#side-0 .clock').textContent === '0:00'");
    page.until_is("byId('match').textContent", "The match is over, you have lost.");
}

#[test]
fn promotions_are_asked_for_and_moves_said() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
    let start = "chess960#start=8/P6k/8/8/8/8/7P/K7%20w%20-%20-%200%201&play=you,cupbot,0,on";
    page.open(start);
    page.type_into("#move", "a8\n");
    page.until_count(".promotion.open", 4);
    page.until_text("message", "what the pawn becomes");
    page.type_into("#move", "a8=n\n");
    page.until(&format!("{}.startsWith('a8=N ')", texts(LINE)));
    // The answer is announced to screen readers.
    page.until("byId('said').textContent.startsWith('Black plays ')");
    page.open(start);
    page.focus("#board");
    page.press(&["ArrowRight"]);
    page.press(&["ArrowUp"; 6]);
    page.press(&["Enter", "ArrowUp", "Enter"]);
    page.until_text("spot", "promotes to a queen");
    page.press(&["Enter"]);
    page.until(&format!("{}.startsWith('a8=Q')", texts(LINE)));
}

#[test]
fn arrows_and_circles_are_drawn_and_kept() {
    let Some(page) = Board::at("chess960") else { return };
    page.choose("#seat", "both");
    page.play("e4", "e4");
    page.drag(Device::RightButton, "g8", "f6");
    page.tap(Device::RightButton, "e5");
    let shapes = "[...document.querySelectorAll('#board [data-shape]')].map(shape => shape.dataset.shape).join()";
    page.until(&format!("{shapes} === 'g8f6,e5e5'"));
    // Shapes belong to their position and survive a reload.
    page.click("#back");
    page.until(&format!("{shapes} === ''"));
    page.click("#forward");
    page.reload();
    page.until(&format!("{shapes} === 'g8f6,e5e5'"));
    page.tap(Device::RightButton, "e5");
    page.until(&format!("{shapes} === 'g8f6'"));
}

#[test]
fn a_phone_shows_board_and_analysis_together() {
    for size in [PHONE, ACROSS] {
        let Some(page) = Board::new(size, Server::shared()) else { return };
        page.open("chess960");
        page.open_menu();
        page.analyse(3);
        page.run("scrollTo(0, 0)");
        page.until(&is_within("['board', 'found']"));
        page.click("#live");
        page.open("zero-point-one");
        page.until("byId('set-up').getBoundingClientRect().bottom <= innerHeight");
    }
}

/// Script function: the contrast ratio of two colours (W3C, "Web Content Accessibility Guidelines 2.2", 1.4.3).
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
        let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
        page.set_scheme(scheme);
        let game = [&SETUPS[..], &MOVES[..4]].concat().join("+");
        page.open(&format!("zero-point-one#tree={game}&at=x6&play=you,you,0,off"));
        let pairs = "[
            ['.list .red .disc', 'fill', '.list svg', 'backgroundColor'], ['.list .blue .disc', 'fill', '.list svg', 'backgroundColor'],
            ['#board .coordinate', 'fill', '#board .light', 'fill'], ['#board .coordinate', 'fill', '#board .dark', 'fill'],
            ['.buttons button', 'borderColor', '.card', 'backgroundColor'], ['.soft', 'color', 'body', 'backgroundColor'],
        ]";
        let found = numbers(&page.run(&format!("{CONTRAST}({pairs})")));
        // The minimum is 3 for pieces and borders, 4.5 for texts.
        let least = [3.0, 3.0, 4.5, 4.5, 3.0, 4.5];
        assert!(
            found.iter().zip(least).all(|(found, least)| *found >= least),
            "{scheme}: {found:?}"
        );
    }
}

#[test]
fn a_mistake_is_explained_and_counted() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
    // The queen captures a pawn that the king defends.
    page.open("chess960#tree=e2e4+e7e5+d1h5+b8c6+h5f7+e8f7&at=x5&play=you,you,0,off");
    page.review();
    page.until_text("remark", "It allows Kxf7, which takes the queen");
    page.until("/costs \\d+\\.\\d\\d pawns/.test(byId('remark').textContent)");
    page.until("byId('summary').textContent.includes('White: accuracy') && byId('summary').textContent.includes('1 blunder')");
    page.until("[...document.querySelectorAll('#list small')].filter(score => /^[-+]\\d/.test(score.textContent)).length >= 5");
    // The marks do not differ only by colour.
    page.until("document.querySelector('#list b.blunder').textContent === '??' && document.querySelector('#curve path.blunder') !== null");
}

#[test]
fn later_lines_are_fainter_and_what_was_found_stays() {
    let server = Server::start();
    let Some(page) = Board::new(DESKTOP, &server) else { return };
    page.open("chess960");
    page.click("#tab-analyse");
    page.choose("#lines", "5");
    page.click("#live");
    page.until_count("#board [data-hint]", 5);
    let opacities = "[...document.querySelectorAll('#board [data-hint]')].map(arrow => \
         Number(getComputedStyle(arrow).opacity)).sort((one, other) => other - one)";
    let found = numbers(&page.run(opacities));
    assert!(found.len() == 5 && found.windows(2).all(|two| two[0] > two[1]), "{found:?}");
    page.click("#live");
    server.wait_for_no_search();
    page.until("document.querySelectorAll('#found li').length === 5 && byId('effort').textContent.includes('stopped')");
    // 6561 is cooperative, so the bar shows no second side.
    page.open("6561");
    page.click("#tab-analyse");
    page.click("#live");
    page.until("byId('meter').classList.contains('team') && document.querySelectorAll('#found li').length > 0");
    page.click("#live");
}

#[test]
fn settings_last_and_a_premove_is_made() {
    let Some(page) = Board::at("chess960") else { return };
    page.click("#tab-options");
    for setting in ["premove", "sound"] {
        page.click(&format!("#options [data-setting='{setting}']"));
    }
    page.choose("#options [data-setting='theme']", "blue");
    let shade = "getComputedStyle(document.querySelector('#board .dark')).fill";
    page.until(&format!("{shade} === 'rgb(140, 162, 173)'"));
    page.until("document.title.startsWith('● Your move')");
    page.click("#tab-play");
    page.choose("#level", "0");
    // Cupbot's answer is delayed until the premove is chosen.
    page.command("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*/answer" }] }));
    page.drag(Device::Mouse, "e2", "e4");
    page.until("document.title.startsWith('cupbot thinks')");
    page.drag(Device::Mouse, "g1", "f3");
    page.until_count(".premove-mark", 2);
    page.command("Fetch.disable", json!({}));
    page.until(&format!("{}.split(' ')[2] === 'Nf3'", texts(LINE)));
    page.reload();
    page.until_count("#options :is([data-setting=premove], [data-setting=sound]):checked", 2);
    page.until(&format!("{shade} === 'rgb(140, 162, 173)'"));
}

const ANNOTATED: &str = "[Event \"A cup\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n\
     {At first.} 1. e4 e5 $6 2. Nf3 (2. f4 exf4 {The gambit.} (2... d5 3. exd5)) 2... Nc6 {Usual.} 1-0\n";

#[test]
fn pgn_keeps_variations_comments_and_names() {
    let Some(page) = Board::at("chess960") else { return };
    page.import(ANNOTATED);
    page.until_line("e4 e5?! Nf3 Nc6");
    page.until_status("White has won");
    let list = "byId('list').textContent";
    for text in ["At first.", "e5?!", "The gambit.", "Usual."] {
        page.until(&format!("{list}.includes({text:?})"));
    }
    // A click on a move of a nested variation shows its position.
    let button = "[...document.querySelectorAll('#list .variation button')].find(button => button.textContent.includes('exd5'))";
    page.until(&format!("Boolean({button})"));
    // A nested variation follows the move that it replaces.
    page.until("document.querySelector('#list .variation').textContent.indexOf('exf4') < document.querySelector('#list .variation').textContent.indexOf('d5')");
    page.run(&format!("{button}.click()"));
    page.until_at("exd5");
    page.until_count("#board :is([data-square=f4], [data-square=d5])[data-piece=P]", 2);
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
    // The page can import its export, and a reload keeps the game.
    let written = page.run("byId('as-file').value");
    page.reload();
    page.click("#tab-share");
    page.until(&format!("byId('as-file').value === {written}"));
    page.click("#tab-import");
    page.run(&format!("byId('pasted').value = {written}; byId('read').click()"));
    page.until_line("e4 e5?! Nf3 Nc6");
    page.click("#tab-share");
    page.until(&format!("byId('as-file').value === {written}"));
}

/// A game with the annotations that servers and programs write.
const ADORNED: &str = "[White \"Ann\"]\n[Variant \"Standard\"]\n[Result \"0-1\"]\n\n1. e4 {[%clk 0:00:58] \
    [%cal Ge2e4] good} e5?! $6 $13 $139 (1... c5 {+0.35/12 0.1s sharp} 2. Nf3 {[%eval 0.31]}) 0-1\n";

#[test]
fn pgn_shows_clocks_arrows_and_all_signs() {
    let Some(page) = Board::at("chess960") else { return };
    page.import(ADORNED);
    let shows = |page: &Board| {
        for text in ["0:58", "good", "e5?!∞ $139", "sharp", "0.31"] {
            page.until(&format!("byId('list').textContent.includes({text:?})"));
        }
        page.until("!/\\[%|0.1s/.test(byId('list').textContent)");
        page.click("#first");
        page.press(&["ArrowRight"]);
        page.until_count("#board line[data-shape=e2e4]", 1);
        page.click("#tab-share");
        for part in [
            "[Variant \"Standard\"]",
            "[Result \"0-1\"]",
            "1. e4 {[%clk 0:00:58] [%cal Ge2e4] good} 1... e5 $6 $13 $139",
            "(1... c5 {+0.35/12 0.1s sharp} 2. Nf3 {[%eval 0.31]}) 0-1",
        ] {
            page.until(&format!("byId('as-file').value.replace(/\\n/g, ' ').includes({part:?})"));
        }
    };
    shows(&page);
    // A link contains everything except tags, for browsers that have not stored the game.
    let link = page.run("byId('link').value.replace(/id=\\w+/, 'id=other')");
    page.load("about:blank");
    page.load(link.as_str().expect("an address"));
    page.until_ready();
    page.until("byId('list').textContent.includes('e5?!∞ $139')");
    page.until("byId('list').textContent.includes('sharp')");
    // After promoting a variation the result is unchanged.
    page.run("[...document.querySelectorAll('#list .variation button')][0].click()");
    page.click("#promote");
    page.until_line("e4 c5 Nf3");
    page.click("#tab-share");
    page.until("byId('as-file').value.includes('[Result \"0-1\"]')");
}

#[test]
fn puzzles_are_solved_and_remembered() {
    let Some(page) = Board::at("zero-point-one") else { return };
    page.click("#tab-puzzles");
    page.until("byId('solved').textContent.startsWith('0 of ')");
    page.click("#puzzle-begin");
    page.until_puzzle(1);
    page.until_is("byId('task-text').textContent", "Red captures the wazir at once.");
    // Errors are explained and undone.
    page.drag(Device::Mouse, "a5", "c5");
    page.until_text("verdict", "does not capture the wazir");
    page.until_is("byId('verdict').className", "open");
    page.until_at("position");
    page.drag(Device::Mouse, "b2", "b1");
    page.until_is("byId('verdict').textContent", "Solved: Red has captured the wazir.");
    page.until("byId('solved').textContent.startsWith('1 of ')");
    page.click("#puzzle-next");
    page.until_puzzle(2);
    page.reload();
    page.until_puzzle(2);
    page.until("byId('puzzle-list').options[0].textContent.endsWith('✓')");
    // A correct move is answered, and the rest is shown on request.
    page.choose("#puzzle-list", "3");
    page.until_puzzle(4);
    page.until("byId('task-text').textContent.startsWith('Blue captures the wazir by move 2')");
    page.until("document.body.classList.contains('flipped')");
    page.drag(Device::Mouse, "e1", "c3");
    page.until("byId('verdict').textContent.startsWith('Right')");
    page.until_count(LINE, 2);
    page.click("#puzzle-solve");
    page.until_is("byId('verdict').className", "shown");
    page.until_status("has captured the wazir");
    page.until("byId('solved').textContent.startsWith('1 of ')");
    // Another win of the same length also counts, here by a drop.
    page.choose("#puzzle-list", "4");
    page.until_puzzle(5);
    page.tap(Device::Mouse, "A");
    page.tap(Device::Mouse, "f4");
    page.until("byId('verdict').textContent.startsWith('Right')");
    page.click("#puzzle-leave");
    page.until("byId('task').hidden");
}

#[test]
fn a_puzzle_is_solved_by_touch_on_a_phone() {
    for size in [PHONE, ACROSS] {
        let Some(page) = Board::new(size, Server::shared()) else { return };
        page.open("zero-point-one#puzzle=1");
        page.run("scrollTo(0, 0)");
        page.until("byId('task').getBoundingClientRect().bottom <= innerHeight");
        page.tap(Device::Finger, "b2");
        page.tap(Device::Finger, "b1");
        page.until("byId('verdict').textContent.startsWith('Solved')");
        // All tools are within the window.
        page.open_menu();
        page.until("[...document.querySelectorAll('.tabs button')].every(tab => tab.getBoundingClientRect().right <= innerWidth)");
    }
}

#[test]
fn the_shapes_of_pieces_are_chosen_and_last() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
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
        // Each kind of piece has a different shape.
        page.until("new Set([...document.querySelectorAll('#board .other')].map(shape => document.querySelector(shape.getAttribute('href')).innerHTML)).size >= 5");
        page.click("#tab-options");
        page.choose("#options [data-setting='pieces']", "");
        page.check();
    }
    page.open("zuniq");
    page.until("byId('pieces').hidden");
}

/// Script that records the pitch of each sound instead of playing it.
const DEAF: &str = "globalThis.pitches = []; globalThis.AudioContext = class {
    currentTime = 0;
    createOscillator() { const tone = { frequency: {}, connect: other => other, start() { pitches.push(tone.frequency.value); }, stop() {} }; return tone; }
    createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: other => other }; }
};";

#[test]
fn sounds_tell_moves_and_captures_apart() {
    let Some(page) = Board::at("chess960#play=you,you,0,on") else { return };
    page.run(DEAF);
    page.play("f3", "f3");
    page.until("pitches.length === 0");
    page.click("#tab-options");
    page.click("#options [data-setting='sound']");
    for (typed, text) in
        [("e5", "e5"), ("f4", "f4"), ("exf4", "exf4"), ("g4", "g4"), ("Qh4", "Qh4#")]
    {
        page.play(typed, text);
    }
    page.until_status("mate");
    let found = numbers(&page.run("pitches"));
    assert_eq!(found.len(), 5, "{found:?}");
    let (quiet, capture, end) = (found[0], found[2], found[4]);
    assert!(quiet == found[1] && quiet == found[3], "{found:?}");
    assert!(quiet != capture && quiet != end && capture != end, "{found:?}");
    // Stepping back is silent.
    page.click("#back");
    page.until_at("g4");
    page.until_is("pitches.length", 5);
}

#[test]
fn pieces_glide_unless_that_is_switched_off() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
    for (game, moves) in [("chess960", ["e4", "e5"]), ("zero-point-one", ["b1d3", "g4e5"])] {
        let tree =
            if game == "chess960" { String::new() } else { format!("tree={}&", SETUPS.join("+")) };
        page.open(&format!("{game}#{tree}play=you,you,0,on"));
        page.run("globalThis.glides = 0; const animate = Element.prototype.animate; Element.prototype.animate = function (...how) { glides++; return animate.apply(this, how); };");
        page.play(moves[0], moves[0]);
        page.until_is("glides", 1);
        page.click("#tab-options");
        page.click("#options [data-setting='animation']");
        page.play(moves[1], moves[1]);
        page.until_is("glides", 1);
        page.click("#options [data-setting='animation']");
    }
}

#[test]
fn own_games_are_listed_opened_again_and_forgotten() {
    let Some(page) = Board::at("chess960") else { return };
    page.choose("#seat", "both");
    page.play("e4", "e4");
    page.play("c5", "c5");
    // A game is saved even if the page is left right after a move.
    page.run("byId('new').click(); byId('yes').click()");
    page.until_at("start");
    page.until_status("White to move");
    page.play("d4", "d4");
    page.click("#tab-import");
    page.until_count("#own > div", 2);
    page.until("byId('own').lastChild.textContent.includes('2 moves')");
    page.click("#own > div:last-child > button");
    page.until_line("e4 c5");
    page.until_ready();
    // Games of all kinds are in one list.
    page.open("zuniq#play=you,you,0,on");
    page.tap(Device::Mouse, "B3h");
    page.until_count(LINE, 1);
    page.click("#tab-import");
    page.until_count("#own > div", 3);
    for left in [2, 1, 0] {
        page.click("#own .remove");
        page.until(&format!("document.querySelectorAll('#own > div').length === {left}"));
    }
    page.until("!byId('no-games').hidden");
    // The current game is not saved again until it continues.
    page.reload();
    page.tap(Device::Mouse, "B4h");
    page.until_count(LINE, 2);
    page.click("#tab-import");
    page.until_count("#own > div", 1);
    page.click("#own .remove");
    page.until("Object.keys(localStorage).every(key => !key.startsWith('cupbot-game-'))");
}

#[test]
fn somebody_new_is_told_how_to_move() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
    for (game, words) in [
        ("zuniq", "two neighbouring dots"),
        ("6561", "empty square"),
        ("chess960", "click it and then where it goes"),
    ] {
        page.open(&format!("{game}#play=you,you,0,on"));
        page.until(&format!("!byId('how').hidden && byId('how').textContent.includes({words:?})"));
    }
    page.click("#how-rules");
    page.until("byId('rules').open && byId('rules-text').textContent.includes('en passant')");
    // The figures of the rules are drawn by the board's script.
    page.open("zero-point-one");
    page.click("#rules-button");
    page.until_count("#rules-text svg text", 5);
    page.until("byId('rules-text').innerHTML.includes(byId('glyph-A').querySelector('path').getAttribute('d'))");
    // Zuniq shows the walls that can't be drawn; at the end these are all that are left.
    page.open("zuniq#tree=A1h+A1v+A2v+C3h+B1h+D4v+C3v+C4v&play=you,you,0,on");
    page.until("document.querySelector('[data-barred=D3h]') !== null && byId('how').hidden");
    page.until("document.querySelectorAll('[data-barred]').length === 60 - 8 - document.querySelectorAll('#board .spot.open').length");
    page.open("chess960");
    page.type_into("#move", "e4\n");
    page.until_idle(2);
    page.click("#resign");
    page.click("#yes");
    page.until_is("byId('match').textContent", "The match is over, you have lost.");
}

/// One game of each kind with an analysis that marks one move as a mistake: the record without `rules` and `moves`, the
/// moves, the mistake, a better move, and the texts of the verdict and of the hint.
const MISTAKES: [[&str; 7]; 4] = [
    [
        "chess960",
        r#"{"ply": 3, "score": -38, "line": ["e4"], "loss": 962, "mark": "allowed-win"}"#,
        "f3 e5 g4 Qh4#",
        "g4",
        "e4",
        "g4?? was played. Find a better move for White, better by 9.62 pawns.",
        "The best move starts at e2.",
    ],
    [
        "zero-point-one",
        r#"{"ply": 5, "score": -300, "line": ["b6d4"], "loss": 150, "mark": "mistake"}"#,
        "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3",
        "a1c1",
        "b6d4",
        "a1c1? was played. Find a better move for Red, better by 1.5 pieces.",
        "The best move starts at b6.",
    ],
    [
        "zuniq",
        r#"{"ply": 2, "white": 0.5, "best": "B4h", "loss": 31, "mark": "blunder"}"#,
        "D4h F4h D3h",
        "F4h",
        "B4h",
        "F4h?? was played. Find a better move for Black, better by 31 % of the probability of winning.",
        "The best move starts with B.",
    ],
    [
        "6561",
        r#"{"ply": 3, "value": 900, "best": "12", "loss": 130, "mark": "blunder"}"#,
        "11 44 43 R D",
        "43",
        "12",
        "43?? was played. Find a better move for A, better by 130 points.",
        "The best move starts with 1.",
    ],
];

#[test]
fn every_game_offers_its_mistakes_as_puzzles() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
    for [game, note, moves, mistake, better, task, hint] in MISTAKES {
        page.open(game);
        let moves: Vec<&str> = moves.split(' ').collect();
        let note: Value = serde_json::from_str(note).expect("JSON");
        let record =
            json!({ "rules": game, "moves": moves, "outcome": "draw", "analysis": [note] });
        page.import(&record.to_string());
        page.until("!byId('after').hidden && byId('after-review').hidden");
        let line = page.poll(&texts(LINE), Value::is_string);
        page.click("#next-mistake");
        page.until_is("byId('task-number').textContent", "Mistake 1 of 1");
        page.until_is("byId('task-text').textContent", task);
        page.until("byId('after').hidden && byId('puzzle-again').hidden");
        page.click("#hint");
        page.until_text("verdict", hint);
        // The mistake is rejected and taken back; the better move solves the puzzle without a search.
        page.type_into("#move", &format!("{mistake}\n"));
        page.until_text("verdict", "is the mistake");
        page.until_is("byId('verdict').className", "open");
        page.type_into("#move", &format!("{better}\n"));
        page.until_is("byId('verdict').className", "solved");
        page.until_is("byId('verdict').textContent", format!("{better} is best."));
        page.click("#puzzle-again");
        page.until_is("byId('verdict').className", "open");
        page.click("#puzzle-solve");
        page.until_is("byId('verdict').className", "shown");
        page.until_is("byId('verdict').textContent", format!("The solution: {better}"));
        // The game is on the board again, unchanged.
        page.click("#puzzle-next");
        page.until_text("message", "That was the last mistake.");
        page.until("byId('task').hidden");
        page.until_is(&texts(LINE), line);
        page.check();
    }
}

#[test]
fn other_moves_than_the_best_are_judged_by_a_search() {
    let Some(page) = Board::at("chess960") else { return };
    // Each rook can mate; any other move loses.
    let record = json!({
        "rules": "chess960", "position": "6k1/5ppp/8/8/8/8/qqq2PPP/3RR1K1 w - - 0 1", "moves": ["h3", "Qxd1"],
        "outcome": "black",
        "analysis": [{ "ply": 1, "score": 30000, "line": ["Re8#"], "loss": 1000, "mark": "missed-win" }],
    });
    page.import(&record.to_string());
    page.click("#next-mistake");
    page.until_text("task-text", "Find a better move for White");
    page.type_into("#move", "g3\n");
    page.until_text("verdict", "No: g3 costs");
    page.until_is("byId('verdict').className", "open");
    page.type_into("#move", "Rd8\n");
    page.until_is("byId('verdict').textContent", "Rd8# is good; Re8# was expected.");
    page.click("#puzzle-leave");
    page.until_line("h3 Qxd1");
}

#[test]
fn after_a_match_there_is_a_rematch_and_an_analysis() {
    let Some(page) =
        Board::at("chess960#tree=f2f3+e7e5+g2g4+d8h4&at=x4&play=you,cupbot,0,over&live=x4")
    else {
        return;
    };
    page.until_status("Black has given mate and won");
    // In an analysis of the final position the bar still shows the winner.
    page.click("#tab-analyse");
    page.click("#live");
    page.until_is("byId('meter').getAttribute('aria-valuenow')", "-100");
    page.click("#live");
    page.choose("#review-time", "50");
    page.click("#tab-play");
    page.click("#after-review");
    page.until_reviewed();
    // Only the user's mistakes are shown.
    page.click("#next-mistake");
    page.until_is("byId('task-number').textContent", "Mistake 1 of 1");
    page.until_text("task-text", "g4?? was played");
    page.click("#hint");
    page.until_text("verdict", "g4 allows Qh4#, which ends the game");
    // The address contains the game, not the mistake.
    page.reload();
    page.until_line("f3 e5 g4 Qh4#");
    page.until("byId('task').hidden && !byId('after').hidden");
    page.click("#rematch");
    page.click("#tab-play");
    page.until_is("byId('match').textContent", "You are Black.");
    page.until_is("byId('seat').value", "second");
    page.until_idle(1);
}

#[test]
fn the_accuracy_is_that_of_lichess() {
    let Some(page) = Board::at("chess960") else { return };
    // Windows of four positions. The expected values come from a separate implementation of the published formula.
    page.run(
        "import('/chess960/state/review.js').then(review => {
            const heights = [0, 0, .05, -.25, -.15, -.17, .23, .08, .15, .15, .12, .3, .24, .25, .01, .1, .06, .06, .11, -.19, -.09,
                -.11, .29, .14, .21, .21, .18, .36, .3, .31, .07, .16, .12, .12, .17, -.13, -.03, -.05, .35, .2, .27];
            const marks = { 3: 'inaccuracy', 19: 'mistake', 35: 'blunder', 37: 'missed-win' };
            let end = null;
            heights.forEach((height, ply) => { end = { parent: end, scene: { mover: (ply + 1) % 2 }, note: { height, mark: marks[ply] } }; });
            window.summaries = [0, 1].map(side => review.summaryOf(end, side));
        }), 0",
    );
    page.until_is(
        "window.summaries?.map(({ accuracy }) => accuracy.toFixed(3)).join()",
        "83.286,77.611",
    );
    page.until_is(
        "JSON.stringify(window.summaries[0].marks)",
        r#"{"inaccuracy":1,"mistake":1,"blunder":2}"#,
    );
}

#[test]
fn a_puzzle_gives_the_match_back() {
    let Some(page) = Board::at("zero-point-one") else { return };
    page.set_up();
    page.play("b1d3", "b1d3");
    page.click("#tab-puzzles");
    page.click("#puzzle-begin");
    page.until_puzzle(1);
    page.click("#puzzle-next");
    page.until_puzzle(2);
    page.click("#puzzle-leave");
    page.until_line(&format!("{} {} b1d3", SETUPS[0], SETUPS[1]));
    page.until_is("byId('match').textContent", "You play both sides.");
    page.play("g4e5", "g4e5");
    page.click("#tab-import");
    page.until_count("#own > div", 1);
    // Leaving a puzzle that was opened by its link starts a new game.
    page.open("zero-point-one#puzzle=3");
    page.until_puzzle(3);
    page.click("#puzzle-leave");
    page.until_at("start");
    page.until_count("#setup:not([hidden])", 1);
}

#[test]
fn a_text_that_is_no_position_begins_no_game() {
    let Some(page) = Board::at("chess960") else { return };
    page.click("#tab-edit");
    page.until_count("#edit[aria-busy=false]", 1);
    page.type_into("#position", "hello");
    page.click("#edit-use");
    page.until_text("edit-fault", "Not yet a position: unknown piece 'h'.");
    page.until("byId('edit-use').disabled && byId('position').value === 'hello'");
    page.until_status("Building a position");
    page.type_into("#position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n");
    page.until_text("edit-fault", "only the board, assumed no castling rights");
    page.click("#edit-use");
    page.until_at("position");
    page.until_status("White to move");
    // The editor takes over an unfinished setup, without its panel and the seats.
    page.open("zero-point-one");
    let arranged =
        page.poll(ARRANGED, |pieces| pieces.as_str().is_some_and(|pieces| pieces.len() == 16));
    page.click("#tab-edit");
    page.until_is(ARRANGED, arranged);
    page.until(
        "byId('setup').hidden && document.querySelector('#side-0 .name').textContent === 'Red'",
    );
}

#[test]
fn nobody_is_to_move_when_the_game_is_over() {
    let Some(page) = Board::at("chess960#play=you,you,0,on") else { return };
    page.play("e4", "e4");
    page.until_count(".side.moves", 1);
    page.until("!byId('mark').closest('label').hidden");
    page.click("#resign");
    page.click("#yes");
    page.until_status("Black resigns, White wins");
    page.until_count(".side.moves", 0);
    page.until("byId('mark').closest('label').hidden && document.title.startsWith('Game over')");
}

#[test]
fn messages_of_an_import_end_with_the_next_one() {
    let Some(page) = Board::at("zuniq") else { return };
    page.import("A1h A1v\nhello");
    page.until_text("faults", "line 2");
    page.until_text("message", "Opened: 2 moves");
    let size = "const data = new DataTransfer(); data.items.add(new File([new Uint8Array(17 << 20).fill(32)], 'long.txt')); \
         byId('file').files = data.files; byId('file').dispatchEvent(new Event('change'))";
    page.run(&format!("{{ {size} }}"));
    page.until_text("message", "it has 17.0 MiB, and at most 16 MiB can be imported");
    page.import("A1h A1v A2h");
    page.until_is("byId('faults').textContent", "");
    page.until_text("message", "Opened: 3 moves");
}

#[test]
fn two_tabs_with_one_game_follow_each_other() {
    let Some(page) = Board::at("chess960#id=twotabs&play=you,you,0,on") else { return };
    page.play("e4", "e4");
    let link = page.poll(LINK, |link| link.as_str().is_some_and(|link| link.contains("tree=e2e4")));
    let other = Board { page: page.beside(DESKTOP), host: page.host.clone() };
    other.open(link.as_str().expect("a link"));
    other.until_at("e4");
    page.play("e5", "e5");
    other.until_line("e4 e5");
    other.until_is("byId('match').textContent", "The match is paused.");
    other.click("#resume");
    other.play("Nf3", "Nf3");
    page.until_line("e4 e5 Nf3");
    page.until_text("message", "another tab");
    page.until_is("byId('match').textContent", "The match is paused.");
}

/// Whether elements are within the window.
fn is_within(ids: &str) -> String {
    format!("{ids}.every(id => {{ const box = byId(id).getBoundingClientRect(); return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth; }})")
}

/// The places of elements in the window.
fn places_of(ids: &str) -> String {
    format!("{ids}.map(id => {{ const box = byId(id).getBoundingClientRect(); return [box.left, box.top, box.width, box.height].map(Math.round); }}).join()")
}

#[test]
fn the_board_is_as_high_as_the_window() {
    for (size, least) in [
        ([1280, 800], 640),
        ([1920, 1080], 920),
        ([2560, 1440], 1000),
        ([1024, 768], 580),
        (PHONE, 360),
        (ACROSS, 350),
        (ZOOMED, 350),
        ([768, 1024], 690),
    ] {
        let Some(page) = Board::new(size, Server::shared()) else { return };
        for game in ["zero-point-one", "zuniq", "6561", "chess960"] {
            page.open(game);
            page.until(&format!("byId('board').getBoundingClientRect().width >= {least}"));
            page.until(&is_within("['board', 'status', 'hint']"));
            page.until("[...document.querySelectorAll('.bar button')].every(button => button.scrollWidth <= button.clientWidth)");
            if size == ACROSS {
                page.click("#rules-button");
                page.until(
                    "byId('rules').open && document.querySelector('#rules-text svg') !== null",
                );
            }
            if size[0] > 1000 {
                page.until(&is_within("['game', 'new', 'list', 'move', 'comment']"));
                page.until("new Set(['h1', '#board', '.side .name'].map(name => Math.round(document.querySelector(name).getBoundingClientRect().left))).size === 1");
            }
        }
    }
}

#[test]
fn a_phone_has_one_bar_below_the_board() {
    let Some(page) = Board::new(PHONE, Server::shared()) else { return };
    page.open("chess960#tree=e2e4+e7e5+d1h5+b8c6+h5f7+e8f7&at=x6&play=you,you,0,off");
    let order = "['board', 'status', 'back', 'forward', 'hint', 'undo', 'menu', 'list'].map(id => byId(id).getBoundingClientRect())";
    page.until(&format!("{order}.every((box, index, all) => !index || box.left >= all[index - 1].right || box.top >= all[index - 1].bottom)"));
    page.until(
        "['back', 'forward', 'hint', 'undo', 'menu'].every(id => byId(id).offsetHeight >= 44)",
    );
    page.until("byId('typed').offsetHeight === 0");
    // A hint is between the bar and the list.
    page.click("#hint");
    page.until("!byId('hinted').hidden");
    let order = order.replace("'menu', ", "'menu', 'hinted', ");
    page.until(&format!("{order}.every((box, index, all) => !index || box.left >= all[index - 1].right || box.top >= all[index - 1].bottom)"));
    // No move in the list is wrapped.
    page.until("[...document.querySelectorAll('#list button')].every(button => button.offsetHeight === 26)");
    // A reason is within the window, and the next input removes it.
    page.tap(Device::Finger, "h8");
    page.until("byId('why').textContent !== '' && !byId('why').hidden");
    page.until(&is_within("['why']"));
    page.check();
    page.tap(Device::Finger, "e5");
    page.tap(Device::Finger, "a1");
    page.until("!byId('why').hidden");
    page.click("#menu");
    page.until("byId('why').hidden");
    page.tap(Device::Finger, "a1");
    page.until("!byId('why').hidden && getComputedStyle(byId('why')).visibility === 'hidden'");
}

#[test]
fn messages_are_in_the_window() {
    let Some(page) = Board::new([1280, 800], Server::shared()) else { return };
    for (link, text) in [
        ("chess960#tree=hello&at=x1", "This link can't be opened"),
        ("chess960#hello", "This link leads to no game"),
        ("zero-point-one#puzzle=999", "There is no puzzle 999"),
    ] {
        page.load(&format!("http://{}/{link}", page.host));
        page.until_text("message", text);
        page.until(&is_within("['message']"));
        // It covers no name and no clock.
        page.until("(box => [...document.querySelectorAll('.side')].every(side => { const { top, bottom } = side.getBoundingClientRect(); return box.bottom <= top || box.top >= bottom; }))(byId('message').getBoundingClientRect())");
    }
    page.until_refused();
}

#[test]
fn nothing_jumps_and_one_button_stands_out() {
    let Some(page) = Board::new([1280, 800], Server::shared()) else { return };
    let stands_out = |id: &str| {
        page.until_is("[...document.querySelectorAll('main button.main')].filter(button => button.offsetHeight).map(button => button.id).join()", id);
    };
    page.open("zero-point-one");
    stands_out("set-up");
    // The end comes before both setups.
    page.click("#resign");
    page.click("#yes");
    page.until("!byId('ending').hidden && byId('setup').hidden && byId('how').hidden");
    page.press(&["Escape"]);
    stands_out("rematch");
    page.open("chess960#play=you,you,0,on");
    stands_out("new");
    page.until_count("[role=tab]", 3);
    let places = places_of("['board', 'tab-play', 'new', 'hint', 'first', 'move']");
    let before = page.poll(&places, Value::is_string);
    page.until("!byId('how').hidden");
    for text in ["e4", "e5", "d4", "d5"] {
        page.play(text, text);
    }
    page.until("byId('how').hidden");
    page.until_is(&places, before);
    // In a running match there is nothing better to do than to move.
    stands_out("");
    page.click("#tab-analyse");
    stands_out("live");
    let places = places_of("['board', 'hint', 'first', 'move']");
    let before = page.poll(&places, Value::is_string);
    page.click("#live");
    page.until_count("#found li", 3);
    page.until_is(&places, before);
    page.click("#live");
    // A long list does not shrink the tools.
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(10).join("+");
    page.open(&format!("chess960#tree={moves}&at=x39&play=you,you,0,off"));
    page.click("#tab-analyse");
    page.until(&is_within("['tab-analyse', 'live', 'lines', 'review-time', 'list', 'move']"));
    page.until(
        "(upper => upper.scrollHeight === upper.clientHeight)(document.querySelector('.upper'))",
    );
    // Only games with a time limit show a clock.
    page.until("[...document.querySelectorAll('.clock')].every(clock => clock.hidden)");
    page.open("chess960#tree=f2f3+e7e5+g2g4+d8h4&at=x4&play=you,you,0,over&live=x4");
    stands_out("rematch");
    page.click("#tab-analyse");
    stands_out("live");
    page.open("chess960#play=you,cupbot,7,on");
    page.until("[...document.querySelectorAll('.clock')].every(clock => !clock.hidden)");
}

/// The parts of the page that scroll by themselves.
const SCROLLING: &str = "[...document.querySelectorAll('body *')].filter(part => part.offsetHeight && part.scrollHeight > part.clientHeight + 1 \
     && /auto|scroll/.test(getComputedStyle(part).overflowY)).map(part => part.id || part.className).join()";

#[test]
fn an_analysis_leaves_room_for_ten_moves() {
    let Some(page) = Board::new([1280, 800], Server::shared()) else { return };
    page.open("chess960");
    // The notes are given, since a search may mark moves.
    let note = |ply: usize| json!({ "ply": ply, "score": 10 * ply, "depth": 9, "line": ["d4", "d5", "c4", "e6", "Nc3"] });
    let notes: Vec<Value> = (1..30).map(note).collect();
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(8);
    page.import(
        &json!({ "rules": "chess960", "moves": moves, "outcome": "draw", "analysis": notes })
            .to_string(),
    );
    page.until_line(&moves.join(" "));
    page.click("#first");
    page.click("#forward");
    page.until_at("Nf3");
    page.analyse(3);
    page.click("#live");
    page.until_is(SCROLLING, "list");
    page.until("byId('list').clientHeight >= 10 * 24");
    page.until(&is_within("['summary', 'curve', 'remark', 'list', 'move', 'comment']"));
    // What is shared takes the place of the moves.
    page.click("#tab-share");
    page.until("byId('as-file').value.length > 100");
    page.until_is(SCROLLING, "as-file");
    page.until(&is_within("['link', 'fen', 'as-file', 'save-replay', 'move']"));
}

#[test]
fn many_games_are_listed_with_a_filter() {
    let Some(page) = Board::new([1280, 800], Server::shared()) else { return };
    page.open("chess960");
    let game = |index: usize| {
        let (white, result) = [("Ann", "1-0"), ("Bea", "0-1")][index % 2];
        format!("[White \"{white} {index}\"]\n[Black \"Cid\"]\n[Date \"2024.01.{:02}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n", index % 28 + 1)
    };
    let games: String = (0..200).map(game).collect();
    page.click("#tab-import");
    page.run(&format!("byId('pasted').value = {games:?}"));
    page.click("#read");
    page.until_count("#games button", 200);
    page.until_is(
        "[...document.querySelectorAll('#games button')][1].innerText.split('\\n').join()",
        "Bea 1 – Cid,black,2024.01.02,2",
    );
    page.until_is(SCROLLING, "upper");
    page.type_into("#filter", "ann 2024.01.15");
    let shown = "[...document.querySelectorAll('#games button')].filter(row => row.offsetHeight).map(row => row.firstChild.textContent).join()";
    page.until_is(shown, "Ann 14 – Cid,Ann 42 – Cid,Ann 70 – Cid,Ann 98 – Cid,Ann 126 – Cid,Ann 154 – Cid,Ann 182 – Cid");
    page.click("#games button:not([hidden])");
    page.until_line("e4 e5");
    page.until_is("document.querySelector('#side-0 .name').textContent", "White: Ann 14");
}

#[test]
fn colours_follow_the_switch_or_the_system() {
    let Some(page) = Board::new(DESKTOP, Server::shared()) else { return };
    page.set_scheme("dark");
    page.open("zuniq#tree=A1h+A1v+A2v+C3h&at=x4&play=you,you,0,on");
    let is =
        |colour: &str| page.until_is("getComputedStyle(document.body).backgroundColor", colour);
    is("rgb(22, 24, 28)");
    // Walls of both sides and the last move stand out from the paper, as does the text.
    let pairs = "[['#board .wall.first', 'stroke', '#board .paper', 'fill'], ['#board .wall.second', 'stroke', '#board .paper', 'fill'],
        ['#board .last', 'stroke', '#board .paper', 'fill'], ['#board text', 'fill', '#board .paper', 'fill']]";
    let found = numbers(&page.run(&format!("{CONTRAST}({pairs})")));
    let least = [3.0, 3.0, 3.0, 4.5];
    assert!(found.iter().zip(least).all(|(found, least)| *found >= least), "{found:?}");
    page.click("#tab-options");
    page.choose("#options [data-setting='scheme']", "light");
    is("rgb(246, 244, 239)");
    page.reload();
    is("rgb(246, 244, 239)");
    page.click("#tab-options");
    page.choose("#options [data-setting='scheme']", "");
    is("rgb(22, 24, 28)");
}

#[test]
fn captured_material_is_counted() {
    let Some(page) =
        Board::at("chess960#tree=e2e4+e7e5+d1h5+b8c6+h5f7+e8f7&at=x5&play=you,you,0,on")
    else {
        return;
    };
    let beside = |side: usize, pieces: usize, text: &str| {
        page.until_is(&format!("(row => [row.querySelectorAll('svg').length, row.textContent].join())(document.querySelector('#side-{side} .extra'))"), format!("{pieces},{text}"));
    };
    beside(0, 1, "+1");
    beside(1, 0, "");
    page.click("#forward");
    beside(0, 1, "");
    beside(1, 1, "+8");
}

#[test]
fn colours_curve_and_strips_are_drawn() {
    let Some(page) = Board::new([1280, 800], Server::shared()) else { return };
    page.open("chess960#tree=e2e4+e7e5+d1h5+b8c6+h5f7+e8f7&at=x5&play=you,you,0,off");
    page.review();
    for (selector, name, value) in [
        ("#meter div", "backgroundColor", "rgb(247, 244, 236)"),
        ("#meter", "backgroundColor", "rgb(43, 40, 34)"),
        ("#meter", "width", "8px"),
        ("#curve svg", "height", "56px"),
        ("#curve path.blunder", "strokeWidth", "7px"),
        ("#list small", "fontSize", "12.5px"),
    ] {
        let style = format!("getComputedStyle(document.querySelector({selector:?})).{name}");
        page.until_is(&style, value);
    }
    let [x, y] = page.point_of("#curve svg");
    page.point(Device::Mouse, 1, [x, y]);
    page.until("/^2\\. ?[Q.].*Score/.test(document.querySelector('#curve .label').textContent)");
    // The strips are as long as the sides of the board and surround it.
    page.open("6561#tree=11+12+14&play=you,you,0,on");
    page.until("document.querySelectorAll('.strip.open').length > 1");
    page.until("(box => [...document.querySelectorAll('.strip.open rect')].every(strip => Math.max(strip.getBBox().width, strip.getBBox().height) > .75 * 800))()");
    page.until("(() => { const board = byId('board').getBoundingClientRect(), [first, last] = ['11', '44'].map(id => document.querySelector(`#board [data-spot='${id}']`).getBoundingClientRect()); \
        return Math.abs(first.left - board.left - board.right + last.right) < 1 && Math.abs(first.top - board.top - board.bottom + last.bottom) < 1; })()");
    page.click("#board [data-spot='L']");
    page.until_at("L");
}

#[test]
fn taps_reach_the_nearest_wall_and_close_a_chooser() {
    let Some(page) = Board::new(PHONE, Server::shared()) else { return };
    page.open("zuniq#play=you,you,0,on");
    // Points on both sides of the wall, at a third of the distance between dots.
    for (index, (wall, [right, down])) in
        [("B3h", [0.0, 16.0]), ("D2v", [-16.0, 0.0])].into_iter().enumerate()
    {
        let [x, y] = page.middle(wall);
        page.gesture(Device::Finger, &[[x + right, y + down]]);
        page.until_count(LINE, index + 1);
        page.until_at(wall);
    }
    page.open("chess960#start=8/P6k/8/8/8/8/8/K7%20w%20-%20-%200%201&play=you,you,0,on");
    for elsewhere in ["#board [data-spot=d4]", "#board [data-spot=h7]", "#status"] {
        ["a7", "a8"].into_iter().for_each(|spot| page.tap(Device::Finger, spot));
        page.until_count(".promotion.open", 4);
        page.gesture(Device::Finger, &[page.point_of(elsewhere)]);
        page.until_count(".promotion.open", 0);
        page.until("byId('why').hidden");
    }
}

#[test]
fn lines_are_previewed_and_moves_get_signs() {
    let Some(page) = Board::at("chess960#tree=e2e4+e7e5&at=x2&play=you,you,0,off") else { return };
    page.until_at("e5");
    let pieces = "document.querySelectorAll('#board [data-square=e4][data-piece]').length";
    // Hovering a move of a line previews its position; the board is unchanged.
    page.analyse(3);
    page.click("#live");
    page.until_text("effort", "stopped");
    let at = page.point_of("#found button");
    page.point(Device::Mouse, 1, at);
    page.until("!byId('preview').hidden && byId('preview').naturalWidth > 100");
    page.until_is(pieces, 1);
    page.point(Device::Mouse, 1, page.point_of("#tab-play"));
    page.until("byId('preview').hidden");
    // A sign is shown after the move and saved with the game.
    page.blur();
    page.press(&["5"]);
    page.until_is(&texts(CHOSEN), "e5!?");
    page.press(&["2"]);
    page.until_is(&texts(CHOSEN), "e5?");
    page.reload();
    page.until_is(&texts(CHOSEN), "e5?");
    page.blur();
    page.press(&["2"]);
    page.until_is(&texts(CHOSEN), "e5");
    // The board is copied as a PNG.
    page.run("navigator.clipboard.write = async ([item]) => { window.copied = await createImageBitmap(await item.getType('image/png')); }");
    page.click("#tab-share");
    page.click("#copy-png");
    page.until("window.copied?.width === 800 && window.copied.height === 800");
    page.until_text("message", "copied");
}
