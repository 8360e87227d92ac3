//! `cupbot replay` as a user runs it, and its page in a real browser.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A real game: a drop on move 10, a wazir captured on move 12.
const GAME: &str =
    "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3 a3c5 e5d3 c5a3 ad7 a3c5 d7b5";
/// The names that browsers with a headless mode go by.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

fn cupbot(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cupbot")).args(args).output().expect("starts")
}

fn replay(args: &[&str]) -> String {
    let output = cupbot(&[&["replay"], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("cupbot-replay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left behind at worst.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn browser() -> Option<&'static str> {
    let works = |name: &&str| {
        Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success())
    };
    let found = BROWSERS.into_iter().find(works);
    if found.is_none() {
        // Not by a macro, whose output the test runner would hide.
        let names = BROWSERS.join(", ");
        let _ = writeln!(io::stderr(), "SKIPPED the browser test: none of {names} is installed");
    }
    found
}

/// The document as it stands once the browser has run the page's script; `hash` names the move.
fn dom(browser: &str, folder: &Path, page: &str, hash: &str) -> String {
    sized_dom(browser, folder, page, hash, [1200, 900])
}

/// The same in a window of this width and height.
fn sized_dom(browser: &str, folder: &Path, page: &str, hash: &str, size: [u32; 2]) -> String {
    let file = folder.join("game.html");
    std::fs::write(&file, page).expect("written");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=1000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--window-size={},{}", size[0], size[1]))
        .arg("--dump-dom")
        .arg(format!("file://{}{hash}", file.display()))
        .output()
        .expect("the browser starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The page with a script that acts once the page's own has run.
fn acting(page: &str, script: &str) -> String {
    page.replace("</body>", &format!("<script>{script}</script></body>"))
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
    let folder = Folder::new("forms");
    let file = folder.0.join("games.txt");
    std::fs::write(&file, format!("g1 blue {GAME}\ng2 blue {GAME}\n")).expect("written");
    let path = file.to_str().expect("UTF-8");
    assert!(replay(&[path, "--game", "g2"]).contains("<title>Game g2</title>"));
    let refused = cupbot(&["replay", path]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--game"));
}

#[test]
fn an_illegal_game_makes_no_page() {
    let output = cupbot(&["replay", "WFNADAAADDFDAAAA", "aaaadddaaadaffnw", "b5b6"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("ply 3"));
}

#[test]
fn a_browser_shows_the_position_and_obeys() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("browser");
    let analysis = folder.0.join("analysis.json");
    let words: Vec<&str> = GAME.split(' ').collect();
    let args = [&["analyse", "--json", "--nodes", "300"], &words[..]].concat();
    std::fs::write(&analysis, cupbot(&args).stdout).expect("written");
    let page = replay(&[analysis.to_str().expect("UTF-8")]);

    // After move 10, Blue's drop: the alfil stands, the hand is empty, the wazir is in danger.
    let drop = dom(browser, &folder.0, &page, "#10");
    assert!(has_piece(&drop, "d7", "a") && has_piece(&drop, "b5", "W"), "{drop}");
    assert_eq!(drop.matches("data-piece=").count(), 32);
    assert!(drop.contains("data-moved=\"d7\"") && drop.contains("class=\"threat\""));
    assert!(!drop.contains("data-hand=\"a\"") && drop.contains("move 10 of 12"));
    // The record has scores: the curve is drawn.
    assert!(drop.contains("class=\"graph\""));

    // From there one key on, one button back and back: move 9, before the drop.
    let press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));";
    let click = "document.getElementById('back').click();";
    let stepped = dom(browser, &folder.0, &acting(&page, &format!("{press}{click}{click}")), "#10");
    assert!(stepped.contains("move 9 of 12") && !has_piece(&stepped, "d7", "a"));
    assert!(stepped.contains("data-hand=\"a\" data-count=\"1\""));

    // A click in the list goes straight to the end; without scores there is no curve.
    let pick = "document.querySelector('#list [data-index=\"10\"]').click();";
    let plain = dom(browser, &folder.0, &acting(&replay(&words), pick), "");
    assert!(plain.contains("move 12 of 12") && has_piece(&plain, "b5", "a"));
    assert!(!plain.contains("class=\"graph\""));
}

#[test]
fn a_page_names_better_moves_and_turns_the_board() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("better");
    let words = GAME.split(' ').map(|word| format!("{word:?}")).collect::<Vec<_>>().join(",");
    let note = r#"{"ply": 9, "score": -120, "depth": 7, "line": ["b6d4"], "loss": 350, "mark": "blunder"}"#;
    let file = folder.0.join("game.json");
    std::fs::write(&file, format!(r#"{{"moves": [{words}], "analysis": [{note}]}}"#))
        .expect("written");
    let page = replay(&[file.to_str().expect("UTF-8")]);

    let blunder = dom(browser, &folder.0, &page, "#9");
    assert!(blunder.contains("b6d4 was best"), "{blunder}");
    assert!(blunder.contains("costs 350 hundredths of a piece"), "{blunder}");
    // Red's corner is at the bottom left, and after a turn at the top right.
    let corner = "data-square=\"b2\"";
    let at = |place: &str| format!("transform=\"translate({place})\" {corner}");
    assert!(blunder.contains(&at("150 650")), "{blunder}");
    let flip = "document.getElementById('flip').click();";
    let turned = dom(browser, &folder.0, &acting(&page, flip), "#9");
    assert!(
        turned.contains(&at("650 150")) && turned.contains("class=\"scored flipped\""),
        "{turned}"
    );
    let back = dom(browser, &folder.0, &acting(&page, &flip.repeat(2)), "#9");
    assert!(back.contains(&at("150 650")), "{back}");
    // In every other position nothing is said of a better move.
    assert!(blunder.contains("class=\"better\""), "{blunder}");
    assert!(!dom(browser, &folder.0, &page, "#8").contains("class=\"better\""));
    // What the small letters mean is said where there are letters.
    let shown = "document.title = getComputedStyle(document.querySelector('footer > .for-letters')).display;";
    let letters = format!("document.getElementById('letters').click();{shown}");
    assert!(dom(browser, &folder.0, &acting(&page, shown), "").contains("<title>none</title>"));
    let letters = dom(browser, &folder.0, &acting(&page, &letters), "");
    assert!(!letters.contains("<title>none</title>") && letters.contains("small letters: Blue"));
}

/// Says in the title which of these hold: the board fits the window; the controls are beside it, and
/// in the window; the words of the curve lie outside its drawing; nothing is wider than the window.
const MEASURE: &str = "{
    const box = name => document.querySelector(name).getBoundingClientRect();
    const board = box('#board'), controls = box('.controls'), curve = box('#curve svg');
    const words = [...document.querySelectorAll('#curve span')].map(word => word.getBoundingClientRect());
    document.title = [
      board.bottom <= innerHeight, controls.left >= board.right, controls.bottom <= innerHeight,
      words.length === 2 && words.every(word => word.bottom <= curve.top || word.top >= curve.bottom),
      document.documentElement.scrollWidth <= innerWidth,
    ].join(' ');
    }";

#[test]
fn a_browser_lays_the_page_out_for_its_window() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("layout");
    let analysis = folder.0.join("analysis.json");
    let words: Vec<&str> = GAME.split(' ').collect();
    let args = [&["analyse", "--json", "--nodes", "300"], &words[..]].concat();
    std::fs::write(&analysis, cupbot(&args).stdout).expect("written");
    let page = acting(&replay(&[analysis.to_str().expect("UTF-8")]), MEASURE);
    for (size, expected) in [
        ([1200, 900], "true false true true true"),
        // A phone held across: the window of a browser without its frame is lower than it is asked for.
        ([844, 480], "true true true true true"),
        ([500, 900], "true false true true true"),
    ] {
        let found = sized_dom(browser, &folder.0, &page, "#9", size);
        assert!(found.contains(&format!("<title>{expected}</title>")), "{size:?}: {found}");
    }
}

#[test]
fn a_tournament_becomes_a_page_with_its_games() {
    let folder = Folder::new("tournament");
    let path = |name: &str| folder.0.join(name).display().to_string();
    let evil = "echo '</script><b>'; cat >/dev/null";
    let played = cupbot(&[
        "tournament",
        "self:nodes=20",
        "self:nodes=200",
        evil,
        "--openings",
        "none",
        "--record",
        &path("record"),
        "--html",
        &path("table.html"),
    ]);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let page = std::fs::read_to_string(path("table.html")).expect("a page");
    // The same order and results as in the table for the terminal.
    let table = String::from_utf8_lossy(&played.stdout).into_owned();
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
    assert!(page.contains("&lt;b&gt;") && page.contains("(garbage)"), "{page}");

    let Some(browser) = browser() else { return };
    // A link of the table leads to the games of two players, and one of these to the game.
    let follow = "document.querySelector('#table a').click();";
    let met = dom(
        browser,
        &folder.0,
        &acting(&page, &format!("{follow} document.title = location.hash;")),
        "",
    );
    assert!(met.contains("<title>#games-1-2</title>"), "{met}");
    let says = "
        const inner = document.querySelector('iframe');
        inner.addEventListener('load', () => {
          const page = inner.contentDocument;
          document.title = [page.getElementById('outcome').textContent, page.getElementById('counter').textContent,
            page.querySelectorAll('[data-piece]').length].join('|');
        });
        document.querySelector('summary a').click();";
    let game = dom(browser, &folder.0, &acting(&page, says), "");
    let title = game.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    let title = title.expect("a title");
    assert!(title.contains(" at move ") || title.contains("moves are made"), "{title}");
    assert!(title.ends_with("|32") && title.contains("|move 2 of "), "{title}");
    assert!(game.contains("<dialog id=\"replay\" aria-label=\"A game\" open"), "{game}");
    let closed = format!("{says} setTimeout(() => document.getElementById('close').click(), 300);");
    let closed = dom(browser, &folder.0, &acting(&page, &closed), "");
    assert!(closed.contains("<dialog id=\"replay\" aria-label=\"A game\">"), "{closed}");
}

#[test]
fn an_unwritable_page_is_refused_at_once() {
    let folder = Folder::new("unwritable");
    // A folder can't be made where a file is.
    std::fs::write(folder.0.join("none"), "").expect("a writable folder");
    let file = folder.0.join("none/table.html").display().to_string();
    let players = ["tournament", "self:nodes=20", "self:nodes=30"];
    let refused = cupbot(&[&players[..], &["--no-record", "--html", &file]].concat());
    let message = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("table.html") && message.lines().count() == 1, "{message}");
    assert!(refused.stdout.is_empty());
}

#[test]
fn castling_from_pgn_is_shown() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("chess");
    let file = folder.0.join("game.pgn");
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O {+0.20/9} Nf6 {-0.10/8} *\n";
    std::fs::write(&file, game).expect("written");
    let page = replay(&[file.to_str().expect("UTF-8")]);
    let dom = dom(browser, &folder.0, &page, "#7");
    assert!(has_piece(&dom, "g1", "K") && has_piece(&dom, "f1", "R"), "{dom}");
    assert!(!has_piece(&dom, "e1", "K") && !has_piece(&dom, "h1", "R"));
    assert!(dom.contains("4. O-O") && dom.contains("Score +0.10"), "{dom}");
    assert!(dom.contains("data-moved=\"e1\"") && dom.contains("data-moved=\"g1\""));
}
