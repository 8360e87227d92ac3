//! Windows of all sizes, colours and contrast.

use super::{is_within, numbers, Board, ACROSS, DESKTOP, MOVES, PHONE, SETUPS};
use crate::common::board::Server;
use crate::common::browser::Device;
use serde_json::Value;

/// A desktop of 1280 x 800 at a zoom of 200 %.
const ZOOMED: [u32; 2] = [640, 400];

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
    page.open("chess960#play=you,cupbot,8,on");
    page.until("[...document.querySelectorAll('.clock')].every(clock => !clock.hidden)");
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
