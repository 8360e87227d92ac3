//! The page of `cupbot board` in a real browser: mouse, keyboard and touch, desktop and phone.

#![cfg(unix)]

mod analysis;
mod bots;
mod ends;
mod files;
mod layout;
mod learn;
mod playing;
mod puzzles;
mod tabs;

use crate::common::board::Server;
use crate::common::browser::{Device, Page};
use crate::common::wait_until;
use serde_json::Value;
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
/// Selector of the moves of the main line in the list.
const LINE: &str = "#list > div [data-node]:not(.start)";
/// Selector of the current move in the list.
const CHOSEN: &str = "#list .chosen";
/// Selector of the pieces of Red's setup.
const ARRANGED: &str = "['a', 'b'].flatMap(row => [1, 2, 3, 4, 5, 6, 7, 8].map(column => \
     document.querySelector(`#board [data-square=${row}${column}]`)?.dataset.piece)).join('')";

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

/// Returns the CSS selector of a spot: a piece in hand if its name has one letter, otherwise a square.
fn selector_of(spot: &str) -> String {
    let place = if spot.len() == 1 { ".extra" } else { "#board" };
    format!("{place} [data-spot='{spot}']")
}

/// Returns the numbers of a list.
fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
}

/// Whether elements are within the window.
fn is_within(ids: &str) -> String {
    format!("{ids}.every(id => {{ const box = byId(id).getBoundingClientRect(); return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth; }})")
}

/// The parts of the page that scroll by themselves.
const SCROLLING: &str = "[...document.querySelectorAll('body *')].filter(part => part.offsetHeight && part.scrollHeight > part.clientHeight + 1 \
     && /auto|scroll/.test(getComputedStyle(part).overflowY)).map(part => part.id || part.className).join()";
