//! The page when a match ends, and when the server is away.

use super::{Board, DESKTOP, LINE};
use crate::common::board::Server;
use crate::common::{cupbot, folder};
use rustix::process::Signal;
use std::fs;

#[test]
fn the_end_is_shown_on_a_card_over_the_board() {
    let Some(page) = Board::at("chess960") else { return };
    page.choose("#seat", "both");
    ["f3", "e5", "g4", "Qh4#"].into_iter().for_each(|text| page.play(text, text));
    page.until("!byId('ending').hidden");
    page.until_text("ending", "Black has given mate");
    page.until_text("ending", "0 – 1");
    // Only its first button stands out.
    let stands_out = "getComputedStyle(button).backgroundColor === getComputedStyle(document.querySelector('#ending .main')).backgroundColor";
    page.until_is(&format!("[...document.querySelectorAll('main .buttons button')].filter(button => button.offsetHeight && {stands_out}).length"), 1);
    // The card stays while the game is analysed, and then has the accuracy.
    page.click("#ending [data-does=after-review]");
    page.until_text("ending", "Accuracy: White ");
    page.press(&["Escape"]);
    page.until("byId('ending').hidden");
    // A resigned game, from the user's view.
    page.click("#tab-play");
    page.choose("#seat", "first");
    page.click("#new");
    page.until_count(LINE, 0);
    page.click("#resign");
    page.click("#yes");
    page.until_text("ending", "You have lost");
    page.click("#ending [data-does=rematch]");
    page.until("byId('ending').hidden");
    page.until_text("match", "You are Black");
}

#[test]
fn a_team_compares_its_points_with_its_best() {
    let Some(page) = Board::at("6561") else { return };
    for best in ["Your first game at this level", "Your best so far at this level: 1 point"] {
        page.choose("#seat", "both");
        page.click("[data-spot='11']");
        page.until_count(LINE, 1);
        page.click("#resign");
        page.click("#yes");
        page.until_text("ending", "The game is given up");
        page.until_text("ending", "Two copies of cupbot reach");
        page.until_text("ending", best);
        page.press(&["Escape"]);
        page.click("#new");
        page.until_count(LINE, 0);
    }
}

#[test]
fn a_move_is_kept_while_the_server_is_away() {
    let mut first = Server::start();
    let Some(page) = Board::new(DESKTOP, &first) else { return };
    page.open("zuniq");
    page.choose("#seat", "both");
    page.click("[data-spot='A1h']");
    page.until_count(LINE, 1);
    first.running.send(Signal::INT);
    first.running.wait();
    // The wall is shown at once, with a sentence, and is not in the list yet.
    page.click("[data-spot='B2v']");
    page.until("document.querySelectorAll('#board [data-wall=B2v]').length === 1");
    page.until_text("message", "Your move is kept");
    page.until_count(LINE, 1);
    page.click("#undo");
    page.until_text("message", "taken back");
    page.until("document.querySelectorAll('#board [data-wall=B2v]').length === 0");
    page.click("[data-spot='C3h']");
    page.until_text("message", "Your move is kept");
    let _second = Server::of(&mut cupbot(&format!("board --no-open --port {}", first.port)));
    page.until_count(LINE, 2);
    page.until_count("#board [data-wall]", 2);
    // The browser has reported requests without an answer.
    page.complaints();
}

#[test]
fn a_game_continues_after_a_visit_to_another_one() {
    let Some(page) = Board::at("zuniq") else { return };
    page.choose("#seat", "both");
    page.click("[data-spot='A1h']");
    page.until_count(LINE, 1);
    for (game, moves) in [("6561", 0), ("zuniq", 1)] {
        page.choose("#game", game);
        page.until_is("location.pathname", format!("/{game}"));
        page.until_ready();
        page.until_count(LINE, moves);
    }
    page.until_text("match", "You play both sides");
}

#[test]
fn a_binary_file_is_no_game() {
    let Some(page) = Board::at("zuniq") else { return };
    let path = folder("board_ends", "binary").join("bot.bin");
    fs::write(&path, vec![0_u8; 3 << 20]).expect("written");
    let root = page.command("DOM.getDocument", serde_json::json!({}));
    let found = serde_json::json!({ "nodeId": root["root"]["nodeId"], "selector": "#file" });
    let field = page.command("DOM.querySelector", found);
    let files = serde_json::json!({ "nodeId": field["nodeId"], "files": [path] });
    page.command("DOM.setFileInputFiles", files);
    page.until_text("message", "bot.bin is not a file of games: it is not a text (3.0 MiB).");
}
