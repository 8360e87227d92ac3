//! Puzzles and own mistakes.

use super::{texts, Board, ACROSS, DESKTOP, LINE, PHONE, SETUPS};
use crate::common::board::Server;
use crate::common::browser::Device;
use serde_json::{json, Value};

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
