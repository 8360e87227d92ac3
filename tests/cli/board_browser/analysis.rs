//! Reviews, live analysis, variations and marks.

use super::{
    is_within, numbers, texts, Board, CHOSEN, DESKTOP, END, LINE, MOVES, SCROLLING, SETUPS,
};
use crate::board::BLUNDERS;
use crate::common::board::Server;
use crate::common::browser::Device;
use crate::common::{folder, wait_until};
use serde_json::{json, Value};

const FIRST_FOUND: &str = "document.querySelector('#found button')?.textContent ?? null";

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
    // The shared text replaces the moves.
    page.click("#tab-share");
    page.until("byId('as-file').value.length > 100");
    page.until_is(SCROLLING, "as-file");
    page.until(&is_within("['link', 'fen', 'as-file', 'save-replay', 'move']"));
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
    // A symbol is shown after the move and saved with the game.
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
