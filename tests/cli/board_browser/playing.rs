//! Matches: moves, hints, the end of a game, settings.

use super::{
    numbers, selector_of, texts, Board, ARRANGED, DESKTOP, END, LINE, MOVES, PHONE, SETUPS,
};
use crate::common::board::Server;
use crate::common::browser::Device;
use serde_json::{json, Value};

/// Script by which the first request for a move of cupbot is never answered.
const HOLD_ANSWER: &str = "let held = 0; const real = fetch; window.fetch = (url, how) => \
     /answer$/.test(url) && !held++ ? new Promise(() => {}) : real(url, how)";
const LINK: &str = "byId('link').value.split('/').pop()";

/// Returns the squares or the piece in hand of a move, and its target.
fn spots(text: &str) -> [&str; 2] {
    let (from, to) = text.split_at(text.len() - 2);
    [from, to]
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
fn cupbot_moves_after_an_interruption() {
    let Some(page) = Board::at("zuniq") else { return };
    page.choose("#seat", "first");
    for restored in [true, false] {
        page.open("zuniq");
        page.run(HOLD_ANSWER);
        page.click("[data-spot='A1h']");
        page.until_line("A1h");
        if restored {
            page.blur();
            page.press(&["Backspace"]);
            page.until_line("");
            page.press(&["z"]);
        } else {
            page.click("#tab-analyse");
            page.choose("#review-time", "50");
            page.click("#review");
        }
        page.until_idle(2);
    }
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
    page.open("chess960#play=you,cupbot,8,on&live=&clock=179900,0,0");
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
