//! The page of `cupbot board` when a match ends, and when the server is away.

#![cfg(unix)]

use crate::common::board::Server;
use crate::common::browser::Page;
use crate::common::{cupbot, folder};
use rustix::process::Signal;
use std::fs;

const SIZE: [u32; 2] = [1280, 860];
const LINE: &str = "document.querySelectorAll('#list > div [data-node]:not(.start)').length";

fn open(server: &Server, path: &str) -> Option<Page> {
    let page = Page::new(SIZE)?;
    page.load(&format!("http://{}/{path}", server.host()));
    page.until("document.body.dataset.ready === 'true'");
    Some(page)
}

#[test]
fn the_end_is_shown_on_a_card_over_the_board() {
    let Some(page) = open(Server::shared(), "chess960") else { return };
    page.choose("#seat", "both");
    for (index, text) in ["f3", "e5", "g4", "Qh4#"].into_iter().enumerate() {
        page.type_into("#move", &format!("{text}\n"));
        page.until(&format!("{LINE} === {}", index + 1));
    }
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
    page.until(&format!("{LINE} === 0"));
    page.click("#resign");
    page.click("#yes");
    page.until_text("ending", "You have lost");
    page.click("#ending [data-does=rematch]");
    page.until("byId('ending').hidden");
    page.until_text("match", "You are Black");
}

#[test]
fn a_team_compares_its_points_with_its_best() {
    let Some(page) = open(Server::shared(), "6561") else { return };
    for best in ["Your first game at this level", "Your best so far at this level: 1 points"] {
        page.choose("#seat", "both");
        page.click("[data-spot='11']");
        page.until(&format!("{LINE} === 1"));
        page.click("#resign");
        page.click("#yes");
        page.until_text("ending", "The game is given up");
        page.until_text("ending", "Two copies of cupbot reach");
        page.until_text("ending", best);
        page.press(&["Escape"]);
        page.click("#new");
        page.until(&format!("{LINE} === 0"));
    }
}

#[test]
fn a_move_is_kept_while_the_server_is_away() {
    let mut first = Server::start();
    let Some(page) = open(&first, "zuniq") else { return };
    page.choose("#seat", "both");
    page.click("[data-spot='A1h']");
    page.until(&format!("{LINE} === 1"));
    first.running.send(Signal::INT);
    first.running.wait();
    // The wall is shown at once, with a sentence, and is not in the list yet.
    page.click("[data-spot='B2v']");
    page.until("document.querySelectorAll('#board [data-wall=B2v]').length === 1");
    page.until_text("message", "Your move is kept");
    assert_eq!(page.run(LINE), 1);
    page.click("#undo");
    page.until_text("message", "taken back");
    page.until("document.querySelectorAll('#board [data-wall=B2v]').length === 0");
    page.click("[data-spot='C3h']");
    page.until_text("message", "Your move is kept");
    let port = first.port.to_string();
    let _second = Server::of(&mut cupbot(&["board", "--no-open", "--port", &port]));
    page.until(&format!("{LINE} === 2"));
    page.until("document.querySelectorAll('#board [data-wall]').length === 2");
}

#[test]
fn a_game_continues_after_a_visit_to_another_one() {
    let Some(page) = open(Server::shared(), "zuniq") else { return };
    page.choose("#seat", "both");
    page.click("[data-spot='A1h']");
    page.until(&format!("{LINE} === 1"));
    for (game, moves) in [("6561", 0), ("zuniq", 1)] {
        page.choose("#game", game);
        page.until(&format!(
            "location.pathname === '/{game}' && document.body.dataset.ready === 'true'"
        ));
        page.until(&format!("{LINE} === {moves}"));
    }
    page.until_text("match", "You play both sides");
}

#[test]
fn a_binary_file_is_no_game() {
    let Some(page) = open(Server::shared(), "zuniq") else { return };
    let path = folder("board_ends", "binary").join("bot.bin");
    fs::write(&path, vec![0_u8; 3 << 20]).expect("written");
    let root = page.command("DOM.getDocument", serde_json::json!({}));
    let found = serde_json::json!({ "nodeId": root["root"]["nodeId"], "selector": "#file" });
    let field = page.command("DOM.querySelector", found);
    let files = serde_json::json!({ "nodeId": field["nodeId"], "files": [path] });
    page.command("DOM.setFileInputFiles", files);
    page.until_text("message", "bot.bin is not a file of games: it is not a text (3.0 MiB).");
}
