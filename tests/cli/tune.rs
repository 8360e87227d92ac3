//! Drives `cupbot tune`.

use crate::common::{cupbot, kill_when, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// So often an interruption is tried.
const ATTEMPTS: usize = 5;

fn folder(name: &str) -> PathBuf {
    crate::common::folder("tune", name)
}

/// What a run printed; it must have gone well.
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All parameters, so that some matter even in searches as short.
const TUNING: [&str; 6] = ["tune", "self:nodes=60", "--iterations", "40", "--pairs", "2"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&TUNING[..], more].concat()
}

#[test]
fn a_killed_tuning_resumes_to_the_same_result() {
    let folder = folder("resume");
    let whole = printed(&run(&folder, &with(&["--state", "whole"])));
    let state = folder.join("parts");
    let read = |path: &Path| -> Value {
        serde_json::from_str(&fs::read_to_string(path).expect("a state")).expect("JSON")
    };
    // On a busy machine a tuning may be over before the kill comes.
    let interrupted = (0..ATTEMPTS).any(|_| {
        let _ = fs::remove_file(&state);
        let mut command = cupbot(&with(&["--state", "parts"]));
        // A state that is there can be read at any moment.
        let iteration = || read(&state)["iteration"].as_u64().expect("a number");
        kill_when(command.current_dir(&folder), || state.exists() && iteration() > 0);
        iteration() < 40
    });
    assert!(interrupted, "the tuning is always over before the kill");
    // The number of jobs makes no difference.
    let resumed = run(&folder, &with(&["--state", "parts", "--resume", "--jobs", "2"]));
    assert_eq!(printed(&resumed), whole);
    assert_eq!(read(&state), read(&folder.join("whole")));
    // A finished state is not written over.
    let again = run(&folder, &with(&["--state", "parts"]));
    let error = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(again.status.code() == Some(2) && error.contains("parts exists: --resume"), "{error}");
    assert_eq!(read(&state), read(&folder.join("whole")));
    // Each seed goes its own way.
    run(&folder, &with(&["--state", "other", "--seed", "2"]));
    assert_ne!(read(&folder.join("other"))["tuned"], read(&state)["tuned"]);
}

#[test]
fn the_result_is_a_file_that_match_takes() {
    let folder = folder("match");
    let tuned = printed(&run(&folder, &with(&["--only", "lmr_base,null_base"])));
    assert_eq!(tuned.lines().filter(|line| line.starts_with("lmr_base = ")).count(), 1);
    fs::write(folder.join("tuned"), tuned).expect("written");
    let arguments = ["match", "self:nodes=40,params=tuned", "self:nodes=40", "-n", "2"];
    assert!(run(&folder, &arguments).status.success());
}

#[test]
fn bad_arguments_are_refused() {
    let folder = folder("bad");
    fs::write(folder.join("letter"), "Dear reader").expect("written");
    let cases: [&[&str]; 5] = [
        &["tune", "./program"],
        &["tune", "--only", "colour"],
        &["tune", "--rate", "-1"],
        &["tune", "--resume"],
        &["tune", "--resume", "--state", "letter"],
    ];
    for arguments in cases {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}

#[test]
fn the_search_of_chess960_is_tuned_in_the_same_way() {
    let folder = folder("chess960");
    let tuning = ["tune", "self:nodes=60", "--iterations", "3", "--pairs", "1"];
    let tuned = printed(&run(&folder, &[&["chess960"], &tuning[..]].concat()));
    assert!(tuned.lines().any(|line| line.starts_with("lmr_was_pv = ")), "{tuned}");
    fs::write(folder.join("tuned"), tuned).expect("written");
    let players = ["self:nodes=40,params=tuned", "self:nodes=40", "-n", "2"];
    printed(&run(&folder, &[&["match", "--game", "chess960"], &players[..]].concat()));
    let unknown = run(&folder, &["chess960", "tune", "--only", "lmr_min_moves"]);
    let error = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(!unknown.status.success() && error.contains("cupbot chess960 params"), "{error}");
}
