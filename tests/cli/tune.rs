//! Drives `cupbot tune`.

use crate::common::{cupbot, fails, printed, stderr, stdout, succeeds, wait_until, Running};
use rustix::io::ioctl_fionbio;
use serde_json::Value;
use std::fs;
use std::io::{pipe, PipeReader, PipeWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

fn folder(name: &str) -> PathBuf {
    crate::common::folder("tune", name)
}

/// Returns a pipe whose buffer has room for only this many bytes: longer writes block until it is read.
pub fn full_pipe(room: usize) -> (PipeReader, PipeWriter) {
    let filled = |most: usize| {
        let (reader, mut writer) = pipe().expect("a pipe");
        ioctl_fionbio(&writer, true).expect("a pipe of ours");
        let written = (0..most).take_while(|_| writer.write(b".").is_ok()).count();
        ioctl_fionbio(&writer, false).expect("a pipe of ours");
        (written, (reader, writer))
    };
    let (capacity, _) = filled(usize::MAX);
    filled(capacity - room).1
}

/// All parameters, so that some have an effect even in short searches.
fn with(more: &str) -> String {
    format!("tune self:nodes=60 --iterations 6 --pairs 2 {more}")
}

#[test]
fn a_killed_tuning_resumes_to_the_same_result() {
    let folder = folder("resume");
    let unbroken = succeeds(&folder, &with("--state whole"));
    let whole = stdout(&unbroken);
    let state = folder.join("parts");
    let read = |path: &Path| -> Value {
        serde_json::from_str(&fs::read_to_string(path).expect("a state")).expect("JSON")
    };
    // After the first iteration it blocks until its progress line is read: only the line before it fits. The name of
    // the state in that line has as many letters as here.
    let announced = stderr(&unbroken).lines().next().expect("a line").len() + 1;
    let (_reader, writer) = full_pipe(announced);
    let line = with("--state parts");
    let mut command = cupbot(&line);
    command.current_dir(&folder).stdout(Stdio::null()).stderr(writer);
    let running = Running::of(&mut command);
    // An existing state file is complete at any moment.
    wait_until("an iteration is over", || state.exists() && read(&state)["iteration"] == 1);
    drop(running);
    assert_eq!(read(&state)["iteration"], 1);
    // The result does not depend on the number of jobs.
    assert_eq!(printed(&folder, &with("--state parts --resume --jobs 2")), whole);
    assert_eq!(read(&state), read(&folder.join("whole")));
    // A finished state is not overwritten.
    fails(&folder, &line, "\"parts\" already exists: use --resume");
    assert_eq!(read(&state), read(&folder.join("whole")));
    // Different seeds give different results.
    printed(&folder, &with("--state other --seed 2"));
    assert_ne!(read(&folder.join("other"))["tuned"], read(&state)["tuned"]);
}

#[test]
fn the_result_is_a_file_that_match_takes() {
    let folder = folder("match");
    let tuned = printed(&folder, &with("--only lmr_base,null_base"));
    assert_eq!(tuned.lines().filter(|line| line.starts_with("lmr_base = ")).count(), 1);
    fs::write(folder.join("tuned"), tuned).expect("written");
    printed(&folder, "match self:nodes=40,params=tuned self:nodes=40 -n 2");
}

#[test]
fn the_search_of_chess960_is_tuned_in_the_same_way() {
    let folder = folder("chess960");
    let tuned = printed(&folder, "chess960 tune self:nodes=60 --iterations 3 --pairs 1");
    assert!(tuned.lines().any(|line| line.starts_with("lmr_was_pv = ")), "{tuned}");
    fs::write(folder.join("tuned"), tuned).expect("written");
    let players = "self:nodes=40,params=tuned self:nodes=40";
    printed(&folder, &format!("match --game chess960 {players} -n 2"));
    fails(&folder, "chess960 tune --only lmr_min_moves", "cupbot chess960 params");
}
