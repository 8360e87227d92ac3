//! The help pages, compared with those in `tests/data/help`. `UPDATE_HELP=1 cargo test --release --features full
//! --test cli help` writes them anew: look at the difference before it is committed.

use crate::common::cupbot;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The first page is read at a glance.
const MAX_COMMANDS: usize = 16;

/// The page of a command.
fn page(command: &[String]) -> String {
    let output = cupbot(&[]).args(command).arg("--help").output().expect("the binary starts");
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The commands that a page lists, without `help`.
fn commands_of(page: &str) -> Vec<String> {
    let list = page.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names =
        list.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

/// The pages that lead from one page to others, and that page.
fn pages(command: &[String], found: &mut Vec<(String, String)>) {
    let page = page(command);
    for name in commands_of(&page) {
        pages(&[command, &[name]].concat(), found);
    }
    let name = [&["cupbot".to_string()], command].concat().join("-");
    found.push((format!("{name}.txt"), page));
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/help")
}

#[test]
fn help_pages_are_as_expected() {
    let mut found = Vec::new();
    pages(&[], &mut found);
    for hidden in ["merge", "progress", "completions", "random-mover"] {
        pages(&[hidden.to_string()], &mut found);
    }
    assert!(found.len() > 20, "only {} pages", found.len());
    if env::var_os("UPDATE_HELP").is_some() {
        let _ = fs::remove_dir_all(folder());
        fs::create_dir_all(folder()).expect("a folder");
        for (name, page) in &found {
            fs::write(folder().join(name), page).expect("a page");
        }
    }
    for (name, page) in &found {
        let expected = fs::read_to_string(folder().join(name)).unwrap_or_default();
        assert_eq!(*page, expected, "{name}: see tests/cli/help.rs");
    }
    let files = fs::read_dir(folder()).expect("pages");
    let files: BTreeSet<String> =
        files.map(|file| file.expect("a file").file_name().to_string_lossy().to_string()).collect();
    assert_eq!(files, found.into_iter().map(|(name, _)| name).collect());
}

#[test]
fn the_first_page_is_short() {
    let commands = commands_of(&page(&[]));
    assert!(commands.len() <= MAX_COMMANDS, "{commands:?}");
}

#[test]
fn global_options_come_last() {
    for command in ["match", "bench", "selfplay"] {
        let page = page(&[command.to_string()]);
        let [options, global] = ["\nOptions:\n", "\nGlobal options:\n"]
            .map(|head| page.find(head).unwrap_or_else(|| panic!("{page}")));
        assert!(options < global, "{page}");
        let simd = page.find("--simd").expect("an option of all commands");
        assert!(global < simd && page.matches("--simd").count() == 1, "{page}");
    }
}
