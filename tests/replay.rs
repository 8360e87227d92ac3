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
    let file = folder.join("game.html");
    std::fs::write(&file, page).expect("written");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=1000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
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
