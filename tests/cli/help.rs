//! Snapshots of the help pages in `tests/data/help`. `UPDATE_HELP=1 cargo test --release --test cli help` rewrites
//! them; review the diff before committing.

use crate::common::{cupbot, folder as folder_of};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// Maximum number of commands on the first page.
const MAX_COMMANDS: usize = 16;
/// Snapshot file of the options that all pages share.
const COMMON: &str = "common.txt";
/// Heading of the global options.
const GLOBAL: &str = "Global options:\n";

/// Returns the help page of a command.
fn page(command: &[String]) -> String {
    let output = cupbot(&command.join(" ")).arg("--help").output().expect("the binary starts");
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the commands listed on a page, except `help`.
fn commands_of(page: &str) -> Vec<String> {
    let list = page.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names =
        list.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

/// Splits the examples from the end of a page.
fn without_examples(page: &str) -> (String, Vec<String>) {
    let (page, examples) = page.split_once("\nExamples:\n").unwrap_or((page, ""));
    (page.to_string(), examples.lines().map(|line| line.trim_start().to_string()).collect())
}

/// Adds a page and all pages below it, each with the file name of its snapshot; lower pages come first.
fn pages(command: &[String], found: &mut Vec<(String, String)>) {
    let page = page(command);
    for name in commands_of(&page) {
        pages(&[command, &[name]].concat(), found);
    }
    let name = [&["cupbot".to_string()], command].concat().join("-");
    found.push((format!("{name}.txt"), page));
}

/// Returns all pages by the file names of their snapshots, including those of hidden commands.
fn all_pages() -> Vec<(String, String)> {
    let mut found = Vec::new();
    pages(&[], &mut found);
    for hidden in ["merge", "completions", "random-mover"] {
        pages(&[hidden.to_string()], &mut found);
    }
    assert!(found.len() > 20, "only {} pages", found.len());
    found
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/help")
}

/// Returns the texts of the options that end every page, each with the mark that replaces it in the snapshots.
fn common_options() -> [(&'static str, String); 2] {
    let text = fs::read_to_string(folder().join(COMMON)).expect("the common options");
    let (help, global) = text.split_at(text.find(GLOBAL).expect("global options"));
    [("[help and version]\n", help.to_string()), ("[global options]\n", global.to_string())]
}

fn write_pages(found: &[(String, String)]) {
    let _ = fs::remove_dir_all(folder());
    fs::create_dir_all(folder()).expect("a folder");
    let (_, page) = found.iter().find(|(name, _)| name == "cupbot-games.txt").expect("a page");
    let options = &page[page.find("  -h, --help\n").expect("an option")..];
    fs::write(folder().join(COMMON), options).expect("a file of ours");
    for (name, page) in found {
        let page = common_options()
            .iter()
            .fold(page.clone(), |page, (mark, options)| page.replacen(options, mark, 1));
        fs::write(folder().join(name), page).expect("a page");
    }
}

#[test]
fn help_pages_are_as_expected() {
    let mut found = all_pages();
    for (_, page) in &mut found {
        // The examples are run by another test.
        *page = without_examples(page).0;
    }
    if env::var_os("UPDATE_HELP").is_some() {
        write_pages(&found);
    }
    for (name, page) in &found {
        let mut expected = fs::read_to_string(folder().join(name)).unwrap_or_default();
        for (mark, options) in common_options() {
            // Every page has the common options once, after its own.
            assert_eq!(page.matches(&options).count(), 1, "{name}: {page}");
            expected = expected.replacen(mark, &options, 1);
        }
        assert!(page.find("\nOptions:\n") < page.find(GLOBAL), "{name}: {page}");
        assert_eq!(*page, expected, "{name}: see tests/cli/help.rs");
    }
    let files = fs::read_dir(folder()).expect("pages");
    let files: BTreeSet<String> =
        files.map(|file| file.expect("a file").file_name().to_string_lossy().to_string()).collect();
    let names = found.into_iter().map(|(name, _)| name).chain([COMMON.to_string()]);
    assert_eq!(files, names.collect());
}

/// Commands whose examples run until Ctrl-C or take too long.
const ONLY_PARSED: [&str; 3] = ["cupbot board", "cupbot submit --check", "cupbot check --player"];

/// Runs each command's two examples in this order in a new folder, with a shell. Those of [`ONLY_PARSED`] print their
/// help, after their arguments were parsed.
#[test]
fn examples_of_the_help_work_when_pasted() {
    let found = all_pages();
    let folders = Path::new(env!("CARGO_BIN_EXE_cupbot")).parent().expect("a folder");
    let path = format!("{}:{}", folders.display(), env::var("PATH").expect("a path"));
    for (name, page) in &found {
        let is_group = !commands_of(page).is_empty() && name != "cupbot.txt";
        let (_, examples) = without_examples(page);
        assert_eq!(examples.len(), if is_group { 0 } else { 2 }, "{name}: {page}");
        let folder = folder_of("help", name);
        for example in examples {
            assert!(example.len() < 79, "wider than a terminal: {example}");
            let is_parsed = ONLY_PARSED.iter().any(|start| example.starts_with(start));
            let script = if is_parsed { example.clone() + " --help" } else { example.clone() };
            let output = Command::new("bash")
                .args(["-ec", &script])
                .current_dir(&folder)
                .env("PATH", &path)
                .stdin(Stdio::null())
                .output()
                .expect("a shell");
            let log = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: {example}: {log}");
        }
    }
}

#[test]
fn the_first_page_is_short() {
    let commands = commands_of(&page(&[]));
    assert!(commands.len() <= MAX_COMMANDS, "{commands:?}");
}

/// Completes the last word with the generated bash script.
fn completed_by_bash(folder: &Path, words: &[&str]) -> Vec<String> {
    const COMPLETE: &str = r#"source ./script; words=("$@"); COMP_WORDS=(cupbot "$@"); COMP_CWORD=$#
        registered=$(complete -p cupbot); function=${registered#*-F }
        "${function%% *}" cupbot "${words[-1]}" "${COMP_WORDS[-2]}"; printf '%s\n' "${COMPREPLY[@]}""#;
    let mut bash = Command::new("bash");
    let output = bash.args(["-c", COMPLETE, "bash"]).args(words).current_dir(folder).output();
    let text = String::from_utf8(output.expect("bash").stdout).expect("text");
    let mut found: Vec<String> =
        text.lines().filter(|line| !line.is_empty()).map(str::to_string).collect();
    found.sort_unstable();
    found
}

#[test]
fn completions_offer_games_levels_and_files() {
    let folder = folder_of("help", "completions");
    let script = |shell: &str| {
        let output = cupbot(&format!("completions {shell}")).output().expect("it runs");
        String::from_utf8(output.stdout).expect("text")
    };
    fs::write(folder.join("script"), script("bash")).expect("a script");
    fs::write(folder.join("games.txt"), "").expect("a file");
    let games = ["6561", "chess960", "zero-point-one", "zuniq"];
    let cases: [(&[&str], &[&str]); 9] = [
        (&["play", ""], &games),
        (&["submit", ""], &games),
        (&["match", "--game", "ch"], &["chess960"]),
        (&["play", "--level", "be"], &["beginner"]),
        (&["--level", "m"], &["medium"]),
        // bash completes file names itself, and quotes them.
        (&["analyse", "--net", "ga"], &[]),
        (&["6561", "train", "-o", "ga"], &[]),
        (&["play", "--lev"], &["--level"]),
        (&["check", ""], &[]),
    ];
    for (words, expected) in cases {
        assert_eq!(completed_by_bash(&folder, words), expected, "{words:?}");
    }
    assert!(script("bash").contains("-o default cupbot"));
    let all = games.map(|game| script("zsh").contains(&format!(" {game}")));
    assert_eq!(all, [true; 4]);
    let fish = script("fish");
    for part in
        ["using_subcommand play\" -f -a \"zero-point-one zuniq", "-l level -d 'Level of play' -r"]
    {
        assert!(fish.contains(part), "{part}");
    }
}
