//! Import, export, own games and built positions.

use super::{Board, ARRANGED, LINE, SCROLLING};
use crate::common::board::Server;
use crate::common::browser::Device;

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
