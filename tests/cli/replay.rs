//! `cupbot replay` as a user runs it, and its page in a real browser.

use crate::common::browser::Page;
use crate::common::{fails, folder, printed};
use std::path::Path;

/// A real game: a drop on move 10, a wazir captured on move 12.
const GAME: &str =
    "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3 a3c5 e5d3 c5a3 ad7 a3c5 d7b5";
const WINDOW: [u32; 2] = [1200, 900];

fn replay(args: &[&str]) -> String {
    printed(Path::new("."), &[&["replay"], args].concat())
}

/// Creates the page of the real game with an analysis of its moves.
fn analysed(name: &str) -> String {
    let analysis = folder("replay", name).join("analysis.json");
    let words: Vec<&str> = GAME.split(' ').collect();
    let args = [&["analyse", "--json", "--nodes", "300"], &words[..]].concat();
    std::fs::write(&analysis, printed(Path::new("."), &args)).expect("written");
    replay(&[analysis.to_str().expect("UTF-8")])
}

/// Opens a page from a file in the folder of this name; `hash` names the move.
fn show(page: &Page, name: &str, text: &str, hash: &str) {
    let file = folder("replay", &format!("{name}-page")).join("game.html");
    std::fs::write(&file, text).expect("written");
    page.load(&format!("file://{}{hash}", file.display()));
}

/// Returns the document as soon as it contains a text.
fn dom(page: &Page, part: &str) -> String {
    let contains = |dom: &serde_json::Value| dom.as_str().is_some_and(|dom| dom.contains(part));
    let dom = page.poll("document.documentElement.outerHTML", contains);
    dom.as_str().expect("a text").to_string()
}

fn has_piece(dom: &str, square: &str, letter: &str) -> bool {
    dom.contains(&format!("data-square=\"{square}\" data-piece=\"{letter}\""))
}

#[test]
fn a_game_becomes_a_page_in_every_form() {
    let words: Vec<&str> = GAME.split(' ').collect();
    let page = replay(&words);
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("Blue captures the wazir at move 12"));
    let folder = folder("replay", "forms");
    let file = folder.join("games.txt");
    std::fs::write(&file, format!("g1 blue {GAME}\ng2 blue {GAME}\n")).expect("written");
    let path = file.to_str().expect("UTF-8");
    assert!(replay(&[path, "--number", "g2"]).contains("<title>Game g2</title>"));
    fails(&folder, &["replay", path], "--number");
    fails(&folder, &["replay", "WFNADAAADDFDAAAA", "aaaadddaaadaffnw", "b5b6"], "ply 3");
}

#[test]
fn a_browser_shows_the_position_and_obeys() {
    let Some(page) = Page::new(WINDOW) else { return };
    // After move 10, Blue's drop: the alfil is on the board, the hand is empty, the wazir is attacked.
    show(&page, "browser", &analysed("browser"), "#10");
    let drop = dom(&page, "move 10 of 12");
    assert!(has_piece(&drop, "d7", "a") && has_piece(&drop, "b5", "W"), "{drop}");
    assert_eq!(drop.matches("data-piece=").count(), 32);
    assert!(drop.contains("data-moved=\"d7\"") && drop.contains("class=\"threat\""));
    assert!(!drop.contains("data-hand=\"a\""));
    // The record has scores: the curve is drawn.
    assert!(drop.contains("class=\"graph\""));

    // One key forward and two buttons back: move 9, before the drop.
    page.press(&["ArrowRight"]);
    dom(&page, "move 11 of 12");
    page.click("#back");
    page.click("#back");
    let stepped = dom(&page, "move 9 of 12");
    assert!(!has_piece(&stepped, "d7", "a"));
    assert!(stepped.contains("data-hand=\"a\" data-count=\"1\""));

    // A click in the list jumps to the end; without scores there is no curve.
    show(&page, "browser", &replay(&GAME.split(' ').collect::<Vec<_>>()), "");
    page.click("#list [data-index='10']");
    let plain = dom(&page, "move 12 of 12");
    assert!(has_piece(&plain, "b5", "a") && !plain.contains("class=\"graph\""));
}

#[test]
fn a_page_names_better_moves_and_turns_the_board() {
    let Some(page) = Page::new(WINDOW) else { return };
    let words = GAME.split(' ').map(|word| format!("{word:?}")).collect::<Vec<_>>().join(",");
    let note = r#"{"ply": 9, "score": -120, "depth": 7, "line": ["b6d4"], "loss": 350, "mark": "blunder"}"#;
    let file = folder("replay", "better").join("game.json");
    std::fs::write(&file, format!(r#"{{"moves": [{words}], "analysis": [{note}]}}"#))
        .expect("written");
    let text = replay(&[file.to_str().expect("UTF-8")]);

    show(&page, "better", &text, "#9");
    let blunder = dom(&page, "move 9 of 12");
    assert!(blunder.contains("b6d4 was best"), "{blunder}");
    assert!(blunder.contains("costs 3.5 pieces"), "{blunder}");
    assert!(blunder.contains("class=\"better\""), "{blunder}");
    // Red's corner is at the bottom left, and at the top right after a flip.
    let at = |place: &str| format!("transform=\"translate({place})\" data-square=\"b2\"");
    assert!(blunder.contains(&at("150 650")), "{blunder}");
    page.click("#flip");
    assert!(dom(&page, &at("650 150")).contains("class=\"scored flipped\""));
    page.click("#flip");
    dom(&page, &at("150 650"));
    // No other position shows a better move.
    page.click("#back");
    assert!(!dom(&page, "move 8 of 12").contains("class=\"better\""));
    // The small letters are explained if there are any.
    let shown = "getComputedStyle(document.querySelector('footer > .for-letters')).display";
    page.until_is(shown, "none");
    page.click("#letters");
    page.until(&format!("{shown} !== 'none'"));
    dom(&page, "small letters: Blue");
}

/// Script that tests whether the board fits the window; the controls are beside it and in the window; the labels of the
/// curve are outside its drawing; nothing is wider than the window.
const MEASURE: &str = "(() => {
    const box = name => document.querySelector(name).getBoundingClientRect();
    const board = box('#board'), controls = box('.controls'), curve = box('#curve svg');
    const words = [...document.querySelectorAll('#curve span')].map(word => word.getBoundingClientRect());
    return [
      board.bottom <= innerHeight, controls.left >= board.right, controls.bottom <= innerHeight,
      words.length === 2 && words.every(word => word.bottom <= curve.top || word.top >= curve.bottom),
      document.documentElement.scrollWidth <= innerWidth,
    ].join(' ');
    })()";

#[test]
fn a_browser_lays_the_page_out_for_its_window() {
    let text = analysed("layout");
    for (size, expected) in [
        ([1200, 900], "true false true true true"),
        // A phone in landscape.
        ([844, 390], "true true true true true"),
        ([500, 900], "true false true true true"),
    ] {
        let Some(page) = Page::new(size) else { return };
        show(&page, "layout", &text, "#9");
        page.until_is(MEASURE, expected);
    }
}

#[test]
fn a_tournament_becomes_a_page_with_its_games() {
    let folder = folder("replay", "tournament");
    let evil = "echo '</script><b>'; cat >/dev/null";
    let players = ["tournament", "self:nodes=20", "self:nodes=200", evil];
    let more = ["--openings", "none", "--record", "record", "--html", "table.html"];
    // The same order and results as in the table for the terminal.
    let table = printed(&folder, &[&players[..], &more].concat());
    let page = std::fs::read_to_string(folder.join("table.html")).expect("a page");
    let first = table.lines().nth(1).and_then(|line| line.split_whitespace().last());
    let place = |name: &str| page.find(&format!("scope=\"row\">{name}</th>")).expect("a row");
    let names = ["self:nodes=20", "self:nodes=200"];
    let best = names.into_iter().min_by_key(|name| place(name));
    assert_eq!((first, page.matches("<summary>").count()), (best, 6), "{table}");
    // Self-contained, and no text of a player becomes markup.
    for reference in ["http://", "https://", "src=", "@import", "<link", "<b>'"] {
        let found = page.replace("http://www.w3.org/2000/svg", "").contains(reference);
        assert!(!found, "{reference}");
    }
    assert!(page.contains("&lt;b&gt;") && page.contains("lost by an unreadable answer)"), "{page}");

    let Some(shown) = Page::new(WINDOW) else { return };
    // A link in the table leads to the games of two players, and a link there to a game.
    show(&shown, "tournament", &page, "");
    // The lists of games are collapsed, and results also have different colours.
    shown.until_count("details.meeting:not([open])", 3);
    shown.until("new Set([...document.querySelectorAll('.result')].map(cell => getComputedStyle(cell).backgroundColor)).size > 1");
    shown.click("#table a");
    shown.until_is("location.hash", "#games-1-2");
    shown.click("summary a");
    let says = "(page => [page.getElementById('outcome').textContent, page.getElementById('counter').textContent,
        page.querySelectorAll('[data-piece]').length].join('|'))(document.querySelector('iframe').contentDocument)";
    shown.poll(says, |seen| {
        let text = seen.as_str().unwrap_or_default();
        let is_told = text.contains(" at move ") || text.contains("moves are made");
        is_told && text.ends_with("|32") && text.contains("|move 2 of ")
    });
    dom(&shown, "<dialog id=\"replay\" aria-label=\"Game\" open");
    shown.click("#close");
    dom(&shown, "<dialog id=\"replay\" aria-label=\"Game\">");
}

#[test]
fn an_unwritable_page_is_refused_at_once() {
    let folder = folder("replay", "unwritable");
    // A folder can't be made where a file is.
    std::fs::write(folder.join("none"), "").expect("a writable folder");
    let players = ["tournament", "self:nodes=20", "self:nodes=30"];
    let unwritable = ["--no-record", "--html", "none/table.html"];
    fails(&folder, &[&players[..], &unwritable].concat(), "table.html");
}

#[test]
fn castling_from_pgn_is_shown() {
    let Some(page) = Page::new(WINDOW) else { return };
    let file = folder("replay", "chess").join("game.pgn");
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O {+0.20/9} Nf6 {-0.10/8} *\n";
    std::fs::write(&file, game).expect("written");
    show(&page, "chess", &replay(&[file.to_str().expect("UTF-8")]), "#7");
    let dom = dom(&page, "4. O-O");
    assert!(has_piece(&dom, "g1", "K") && has_piece(&dom, "f1", "R"), "{dom}");
    assert!(!has_piece(&dom, "e1", "K") && !has_piece(&dom, "h1", "R"));
    assert!(dom.contains("Score +0.10"), "{dom}");
    assert!(dom.contains("data-moved=\"e1\"") && dom.contains("data-moved=\"g1\""));
}
