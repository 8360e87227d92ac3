//! `cupbot replay` as a user runs it, and its page in a real browser.

use crate::common::browser::Page;
use crate::common::{fails, folder, printed};
use serde_json::json;
use std::fmt::Display;
use std::path::Path;

/// A real game: a drop on move 10, a wazir captured on move 12.
const GAME: &str =
    "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3 a3c5 e5d3 c5a3 ad7 a3c5 d7b5";
const WINDOW: [u32; 2] = [1200, 900];

/// Returns the page of a game: its moves, or a file and options.
fn replay(game: impl Display) -> String {
    printed(Path::new("."), &format!("replay {game}"))
}

/// Creates the page of the real game with an analysis of its moves.
fn analysed(name: &str) -> String {
    let analysis = folder("replay", name).join("analysis.json");
    let analysed = printed(Path::new("."), &format!("analyse --json --nodes 300 {GAME}"));
    std::fs::write(&analysis, analysed).expect("written");
    replay(analysis.display())
}

/// Opens a page from a file in the folder of this name; `hash` names the move.
fn show(page: &Page, name: &str, text: &str, hash: &str) {
    let file = folder("replay", &format!("{name}-page")).join("game.html");
    std::fs::write(&file, text).expect("written");
    page.load(&format!("file://{}{hash}", file.display()));
}

/// Waits until the position after this move is shown; `start` for the first one.
fn until_at(page: &Page, text: &str) {
    page.until_text_of("#list .chosen", text);
}

/// The pieces on squares, `-` for none.
fn pieces_on(page: &Page, squares: &[&str]) -> String {
    let script = format!("{squares:?}.map(square => document.querySelector(`#board [data-square=${{square}}]`)?.dataset.piece ?? '-').join('')");
    page.run(&script).as_str().expect("a text").to_string()
}

#[test]
fn a_game_becomes_a_page_in_every_form() {
    let page = replay(GAME);
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("Blue has captured the wazir and won"));
    let folder = folder("replay", "forms");
    let file = folder.join("games.txt");
    std::fs::write(&file, format!("g1 blue {GAME}\ng2 blue {GAME}\n")).expect("written");
    let g2 = replay(format!("{} --number g2", file.display()));
    assert!(g2.contains("<title>Game g2</title>"));
    fails(&folder, "replay games.txt", "--number");
    fails(&folder, "replay WFNADAAADDFDAAAA aaaadddaaadaffnw b5b6", "ply 3");
}

#[test]
fn the_text_of_a_record_is_escaped() {
    let evil = "</script><script>alert(1)</script><!--";
    let file = folder("replay", "evil").join("game.json");
    let record = json!({ "id": evil, "red": evil, "blue": "B&B", "moves": ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"] });
    std::fs::write(&file, record.to_string()).expect("written");
    let text = replay(file.display());
    assert!(!text.contains("<script>alert") && text.contains("B&amp;B</title>"));
    let Some(page) = Page::new(WINDOW) else { return };
    show(&page, "evil", &text, "");
    page.until_is("document.querySelector('h1').textContent", format!("{evil} – B&B"));
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn the_page_steps_and_plays_in_a_browser() {
    let Some(page) = Page::new(WINDOW) else { return };
    // After move 10, Blue's drop: the alfil is on the board, the hand is empty, the wazir is attacked.
    show(&page, "browser", &analysed("browser"), "#10");
    until_at(&page, "ad7");
    assert_eq!(pieces_on(&page, &["d7", "b5"]), "aW");
    page.until_count("#board [data-piece]", 32);
    page.until_count("[data-moved=d7], .threat", 2);
    page.until_count("[data-hand=a]", 0);
    // The record has scores: the curve and the accuracy are shown.
    page.until_count("#curve .graph", 1);
    page.until_text("summary", "Red: accuracy");
    page.until_text("outcome", "Blue has captured the wazir and won");

    // One key forward and two buttons back: move 9, before the drop.
    page.press(&["ArrowRight"]);
    until_at(&page, "a3c5");
    page.click("#back");
    page.click("#back");
    until_at(&page, "c5a3");
    page.until_count("[data-hand=a][data-count='1']", 1);
    assert_eq!(pieces_on(&page, &["d7"]), "-");
    // Nothing can be moved: a click on the right half of the board steps forward.
    page.click("#board [data-spot=a3]");
    until_at(&page, "e5d3");
    page.click("#board [data-spot=a8]");
    until_at(&page, "c5a3");
    page.until_count("#board .source, .target", 0);
    // The game plays by itself up to its end.
    page.press(&[" "]);
    page.until_count("#run[aria-pressed=true]", 1);
    until_at(&page, "d7b5");
    page.until_count("#run[aria-pressed=false]", 1);
    assert_eq!(page.complaints(), Vec::<String>::new());

    // A click in the list jumps to a position; without scores there is no curve.
    show(&page, "browser", &replay(GAME), "");
    until_at(&page, "start");
    page.click("#list div:last-of-type button:last-child");
    until_at(&page, "d7b5");
    assert_eq!(pieces_on(&page, &["b5"]), "a");
    page.until("byId('curve').hidden && byId('summary').hidden");
}

#[test]
fn a_page_names_better_moves_and_turns_the_board() {
    let Some(page) = Page::new(WINDOW) else { return };
    let words: Vec<&str> = GAME.split(' ').collect();
    let note = json!({ "ply": 9, "score": -120, "depth": 7, "line": ["b6d4"], "loss": 350, "mark": "blunder" });
    let file = folder("replay", "better").join("game.json");
    std::fs::write(&file, json!({ "moves": words, "analysis": [note] }).to_string())
        .expect("written");
    let text = replay(file.display());

    show(&page, "better", &text, "#9");
    until_at(&page, "c5a3");
    page.until_text("remark", "5. c5a3 ?? a blunder (costs 3.5 pieces)b6d4 was best");
    page.until("!/[a-z]{16}/i.test(byId('list').textContent)");
    // Red's corner is at the bottom left, and at the top right after a flip.
    let place = "document.querySelector('#board [data-square=b2]').getAttribute('transform')";
    page.until_is(place, "translate(150 650)");
    page.click("#flip");
    page.until_is(place, "translate(650 150)");
    page.press(&["f"]);
    page.until_is(place, "translate(150 650)");
    // The position before shows the better move; no other one does.
    page.click("#back");
    until_at(&page, "e5d3");
    page.until_count("#board [data-hint=b6d4] line", 1);
    page.until_count(".better", 0);
}

#[test]
fn a_page_keeps_variations_comments_and_arrows() {
    let Some(page) = Page::new(WINDOW) else { return };
    let file = folder("replay", "annotated").join("game.pgn");
    let game = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n{At first.} 1. e4 {[%cal Ge2e4]} e5 $6 2. Nf3 \
        (2. f4 exf4 {The gambit.} (2... d5 3. exd5)) 2... Nc6 {Usual.} 3. Bc4 Bc5 4. O-O {+0.20/9} Nf6 {-0.10/8} 1-0\n";
    std::fs::write(&file, game).expect("written");
    show(&page, "annotated", &replay(file.display()), "#1");
    page.until_count("#board [data-shape=e2e4]", 1);
    page.until_is("document.title", "Ann – Bob");
    for text in ["At first.", "e5?!", "The gambit.", "Usual.", "White has won"] {
        page.until_text("list", text);
    }
    // A nested variation has its positions.
    page.click("#list .variation button:last-of-type");
    until_at(&page, "exd5");
    assert_eq!(pieces_on(&page, &["d5", "f4", "e4"]), "PP-");
    // Castling is shown by the king, and a score of the file below the board.
    page.run("location.hash = '#7'");
    until_at(&page, "O-O");
    assert_eq!(pieces_on(&page, &["g1", "f1", "e1", "h1"]), "KR--");
    page.until_count("[data-moved=e1], [data-moved=g1]", 2);
    page.until_text("remark", "4. O-OScore +0.10");
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn every_game_has_a_page_for_every_window() {
    for (game, moves) in [
        ("zero-point-one", GAME),
        ("zuniq", "A1h A1v A2v C3h B1h D4v C3v C4v"),
        ("6561", "11 12 14 L D 21"),
        ("chess960", "e4 e5 Nf3 Nc6 Bb5 a6"),
    ] {
        let words: Vec<&str> = moves.split(' ').collect();
        let (text, last) = (replay(moves), words[words.len() - 1]);
        for (size, is_beside) in [([1200, 900], true), ([844, 390], true), ([390, 844], false)] {
            for scheme in ["light", "dark"] {
                let Some(page) = Page::new(size) else { return };
                page.set_scheme(scheme);
                show(&page, game, &text, "");
                page.until_is("document.body.dataset.ready", "true");
                until_at(&page, "start");
                page.click("#forward");
                // A setup has a name instead of letters.
                until_at(&page, if words[0].len() == 16 { "setup" } else { words[0] });
                page.press(&["End"]);
                until_at(&page, last);
                let shown = "(() => { const [board, bar] = ['board', 'list'].map(id => byId(id).getBoundingClientRect()); \
                    return [bar.left >= board.right, document.documentElement.scrollWidth <= innerWidth].join(); })()";
                page.until_is(shown, format!("{is_beside},true"));
                // What needs a server is not there.
                page.until("['new', 'hint', 'undo', 'move', 'tab-analyse', 'tab-share', 'game'].every(id => !byId(id).offsetHeight)");
                assert_eq!(page.complaints(), Vec::<String>::new(), "{game}");
            }
        }
    }
}

#[test]
fn a_tournament_becomes_a_page_with_its_games() {
    let folder = folder("replay", "tournament");
    let evil = "echo '</script><b>'; cat >/dev/null";
    let players = format!("tournament self:nodes=20 self:nodes=200 `{evil}`");
    // The same order and results as in the table for the terminal.
    let table = printed(&folder, &(players + " --openings none --html table.html"));
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
    let says = "(page => [page.querySelector('h1').textContent, page.querySelector('#list .chosen').textContent,
        page.querySelector('#outcome').textContent].join('|'))(document.querySelector('iframe').contentDocument)";
    shown.poll(says, |seen| {
        let text = seen.as_str().unwrap_or_default();
        text.contains(" – ") && text.contains("|start|") && !text.ends_with('|')
    });
    shown.until_count("#replay[open]", 1);
    shown.click("#close");
    shown.until_count("#replay:not([open])", 1);
}

#[test]
fn an_unwritable_page_is_refused_at_once() {
    let folder = folder("replay", "unwritable");
    // A folder can't be made where a file is.
    std::fs::write(folder.join("none"), "").expect("a writable folder");
    let line = "tournament self:nodes=20 self:nodes=30 --no-record --html none/table.html";
    fails(&folder, line, "table.html");
}
