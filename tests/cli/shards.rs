//! Tests of sharded runs and `cupbot merge`.

use crate::common::{
    fails as refused, folder, games, printed as done, run, stderr, stdout, succeeds,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Self-play of each game, without the number of games.
const SELF_PLAY: [(&str, &str); 3] = [
    ("main", "selfplay --nodes 10"),
    ("zuniq", "zuniq selfplay --simulations 2"),
    ("chess", "chess960 selfplay --nodes 10"),
];

const MATCH: &str = "match self:nodes=60 self:nodes=30 --openings random:plies=6 --seed 3";

/// Runs all shards of a command, which writes the files `shard1`, `shard2` and so on.
fn run_shards(folder: &Path, command: &str, count: usize) {
    let option = if command.contains("selfplay") { "-o" } else { "--record" };
    for shard in 1..=count {
        done(folder, &format!("{command} {option} shard{shard} --shard {shard}/{count}"));
    }
}

#[test]
fn merged_self_play_equals_an_unsharded_run() {
    for (name, command) in SELF_PLAY {
        let folder = folder("shards", &format!("selfplay-{name}"));
        let command = format!("{command} --games 7");
        done(&folder, &format!("{command} --seed 5 -o whole"));
        run_shards(&folder, &format!("{command} --seed 5"), 3);
        // Resuming a complete shard changes nothing.
        run_shards(&folder, &format!("{command} --seed 5 --resume"), 3);
        let merged = done(&folder, "merge shard2 shard3 shard1 -o merged");
        assert!(merged.starts_with("games "), "{merged}");
        let [whole, merged] = ["whole", "merged"].map(|file| fs::read(folder.join(file)).unwrap());
        assert!(whole == merged, "{} and {} bytes", whole.len(), merged.len());
        done(&folder, &format!("{command} --seed 6 -o other-seed --shard 2/3"));
        for (files, expected) in [
            ("shard1 shard3", "shard 2/3 is missing"),
            ("shard1 shard1 shard3", "twice"),
            ("whole", "not a shard"),
            ("nothing", "opening \"nothing\""),
            ("shard1 other-seed shard3", "another run"),
        ] {
            refused(&folder, &format!("merge -o other {files}"), expected);
        }
        refused(&folder, "merge shard1 shard2 shard3 -o whole", "exists");
        assert!(!folder.join("other").exists());
        let part = succeeds(&folder, "merge -o other shard1 shard3 --allow-missing");
        assert!(stderr(&part).contains("shard 2/3 is missing"));
        assert!(folder.join("other").exists());
    }
}

#[test]
fn a_damaged_shard_is_reported_and_left_unchanged() {
    for (name, command) in SELF_PLAY {
        let folder = folder("shards", &format!("damage-{name}"));
        let command = format!("{command} --games 20");
        run_shards(&folder, &command, 2);
        let path = folder.join("shard2");
        let mut bytes = fs::read(&path).expect("a shard");
        let marks = bytes.windows(4).enumerate().filter(|(_, window)| window == b"blok");
        let block = marks.map(|(at, _)| at).nth(6).expect("ten blocks");
        bytes[block + 30] ^= 1;
        fs::write(&path, &bytes).expect("written");
        let damage = format!("\"shard2\": offset {block}: damaged up to offset");
        refused(&folder, "merge shard1 shard2 -o merged", &damage);
        refused(&folder, &format!("{command} -o shard2 --shard 2/2 --resume"), &damage);
        assert!(!folder.join("merged").exists() && fs::read(&path).expect("a shard") == bytes);
        // Without an output file the shards are only checked.
        let checked = run(&folder, "merge shard1 shard2 --allow-missing");
        assert!(stdout(&checked).contains("games 16 of 20"), "{}", stdout(&checked));
        let message = stderr(&checked);
        assert!(message.contains("\"shard2\": shard 2/2 has 6 of 10"), "{message}");
        let merged = done(&folder, "merge shard1 shard2 -o merged --allow-missing --json");
        assert!(merged.contains("\"games\":16,\"planned\":20"), "{merged}");
        if name == "main" {
            let verified = done(&folder, "data merged");
            assert!(verified.contains("games           16"), "{verified}");
        }
        // The incomplete result can't be resumed as if it were complete.
        refused(&folder, &format!("{command} -o merged --resume"), "other options");
    }
}

#[test]
fn games_before_an_invalid_utf8_byte_are_merged() {
    let folder = folder("shards", "byte");
    run_shards(&folder, &format!("{MATCH} --games 8"), 2);
    let path = folder.join("shard2");
    let mut bytes = fs::read(&path).expect("a shard");
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let last = bytes.len() - 20;
    bytes[last] = 0xFF;
    fs::write(&path, &bytes).expect("written");
    let merge = "merge shard1 shard2 -o merged";
    refused(&folder, merge, &format!("\"shard2\": line {lines}: not UTF-8"));
    assert!(!folder.join("merged").exists());
    let before = done(&folder, &format!("{merge} --allow-missing"));
    assert!(before.contains("games 7"), "{before}");
}

#[test]
fn a_shard_may_come_from_a_pipe() {
    for (name, command) in SELF_PLAY.into_iter().chain([("match", MATCH)]) {
        let folder = folder("shards", &format!("pipe-{name}"));
        run_shards(&folder, &format!("{command} --games 4"), 2);
        done(&folder, "merge shard1 shard2 -o merged");
        let bot = env!("CARGO_BIN_EXE_cupbot");
        let piped = format!("{bot} merge <(cat shard1) <(cat shard2) -o piped >log");
        // `cat` ends at the end of its input, so the pipe is opened and written once.
        let merge = format!("{bot} merge shard1 shard2 -o out >log");
        let out = format!("mkfifo out; cat out >read & {merge} || {{ kill $!; exit 1; }}; wait $!");
        for script in [piped, out] {
            let status = Command::new("bash").args(["-c", &script]).current_dir(&folder).status();
            assert!(status.expect("a shell").success(), "{name}: {script}");
        }
        let [merged, piped, read] =
            ["merged", "piped", "read"].map(|file| games_or_bytes(&folder.join(file)));
        assert!(merged == piped && merged == read, "{name}");
    }
}

#[test]
fn a_lost_shard_of_a_job_array_is_played_again() {
    let folder = folder("shards", "array");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let task = |script: &str, options: &str, id: u64, count: u64| {
        let mut sh = Command::new("sh");
        sh.arg(root.join("scripts/slurm").join(script)).arg(".").args(options.split(' '));
        sh.current_dir(&folder).env("CUPBOT", env!("CARGO_BIN_EXE_cupbot"));
        sh.env("SLURM_ARRAY_TASK_ID", id.to_string());
        sh.env("SLURM_ARRAY_TASK_COUNT", count.to_string());
        let output = sh.output().expect("a shell");
        assert!(output.status.success(), "{}", stderr(&output));
    };
    let (_, of_match) = MATCH.split_once(' ').expect("options");
    let of_match = format!("{of_match} --games 8");
    for (script, options) in
        [("selfplay.sbatch", "--games 6 --nodes 10"), ("match.sbatch", &of_match)]
    {
        (1..=3).for_each(|id| task(script, options, id, 3));
        done(&folder, "merge shard-1 shard-2 shard-3 -o whole");
        fs::remove_file(folder.join("shard-2")).expect("a shard");
        let missing = "shard 2/3 is missing (the run's command with --shard 2/3";
        refused(&folder, "merge shard-1 shard-3", missing);
        task(script, options, 2, 1);
        done(&folder, "merge shard-1 shard-2 shard-3 -o again");
        let moves = |file| games_or_bytes(&folder.join(file));
        assert_eq!(moves("again"), moves("whole"));
        for file in ["shard-1", "shard-2", "shard-3", "whole", "again", "shards"] {
            fs::remove_file(folder.join(file)).expect("written");
        }
    }
}

/// Returns what does not depend on the time: the moves of a match record, or the whole file of self-play.
fn games_or_bytes(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).expect("a file");
    match bytes.starts_with(b"{") {
        true => format!("{:?}", games_of(path)).into_bytes(),
        false => bytes,
    }
}

#[test]
fn an_empty_file_is_a_missing_shard() {
    let folder = folder("shards", "empty");
    let part = format!("{MATCH} --games 8 --record");
    done(&folder, &format!("{part} shard1 --shard 1/2"));
    // As after a kill before the first line was written.
    fs::write(folder.join("shard2"), "").expect("written");
    let merge = "merge shard2 shard1 -o merged";
    refused(&folder, merge, "\"shard2\" is empty");
    refused(&folder, "merge shard2 -o merged --allow-missing", "all files are empty");
    assert!(!folder.join("merged").exists());
    let output = succeeds(&folder, &format!("{merge} --allow-missing"));
    let message = stderr(&output);
    assert!(message.contains("\"shard2\" is empty") && message.contains("shard 2/2 is missing"));
    assert!(stdout(&output).contains("games 4"), "{}", stdout(&output));
    // Resuming the empty shard completes it.
    done(&folder, &format!("{part} shard2 --shard 2/2 --resume"));
    let whole = done(&folder, "merge shard1 shard2 -o whole");
    assert!(whole.contains("games 8"), "{whole}");
}

#[test]
fn a_merged_match_equals_an_unsharded_one() {
    let folder = folder("shards", "match");
    let whole = done(&folder, &format!("{MATCH} --games 8 --record whole --json"));
    run_shards(&folder, &format!("{MATCH} --games 8"), 3);
    run_shards(&folder, &format!("{MATCH} --games 8 --resume"), 3);
    let merged = done(&folder, "merge shard1 shard2 shard3 -o merged --json");
    let result = |text: &str| -> Value {
        let mut result: Value = serde_json::from_str(text).expect("JSON");
        // Times differ from run to run.
        result["speed"].take();
        for figure in ["most_wall", "longest"] {
            result["a"][figure].take();
            result["b"][figure].take();
        }
        result
    };
    assert_eq!(result(&merged), result(&whole));
    assert_eq!(games_of(&folder.join("merged")), games_of(&folder.join("whole")));
    // The merged record equals the record of an undivided match and can be resumed.
    let more = format!("{MATCH} --games 10 --record merged --resume");
    assert!(done(&folder, &more).contains("games 10 (pairs 5)"));
    let checked = done(&folder, "merge shard1 shard2 shard3 --json");
    assert_eq!(result(&checked), result(&whole));
}

/// Reads the moves of the games of a record, by index in the schedule.
fn games_of(path: &Path) -> BTreeMap<u64, String> {
    let game = |game: Value| (game["game"].as_u64().expect("a number"), game["moves"].to_string());
    games(path).into_iter().map(game).collect()
}

#[test]
fn random_players_repeat_their_games_in_shards() {
    let folder = folder("shards", "random");
    let command = "match --game 6561 --openings none --games 8 --jobs 2 self:style=random \
                   self:style=random,seed=2 --record";
    for more in ["whole", "shard --shard 2/2", "broken --stop-after 3", "broken --resume"] {
        done(&folder, &format!("{command} {more}"));
    }
    let [whole, shard, broken] =
        ["whole", "shard", "broken"].map(|file| games_of(&folder.join(file)));
    assert_eq!((whole.len(), shard.len()), (8, 4));
    assert!(shard.iter().all(|(number, moves)| whole[number] == *moves));
    assert_eq!(broken, whole);
    // All games are different.
    assert_eq!(whole.values().collect::<BTreeSet<_>>().len(), 8);
}

#[test]
fn invalid_uses_of_shards_are_refused() {
    let folder = folder("shards", "refusals");
    let command = format!("{MATCH} --games 8 --shard");
    refused(&folder, &format!("{command} 1/2 --sprt 0 5"), "cupbot merge --sprt");
    refused(&folder, &format!("{command} 1/2 --no-record"), "nothing to merge");
    refused(&folder, &format!("{MATCH} --games 7 --shard 1/2"), "must be even");
    for wrong in ["0/2", "3/2", "x", "3", "1/0", "1/2/3", "1/99999999999"] {
        refused(&folder, &format!("{command} {wrong}"), "expected I/N");
    }
    fs::write(folder.join("text"), "hello\n").expect("written");
    refused(&folder, "merge text -o merged", "neither a file of self-play games nor");
    // An incomplete line, as after a kill.
    done(&folder, &format!("{command} 1/2 --record torn"));
    let text = fs::read_to_string(folder.join("torn")).expect("a record");
    fs::write(folder.join("torn"), &text[..text.len() - 20]).expect("written");
    refused(&folder, "merge torn -o merged", "\"torn\": line");
    // A game of another shard.
    let other_game = text.replace("\"game\":0", "\"game\":2");
    fs::write(folder.join("torn"), other_game).expect("written");
    refused(&folder, "merge torn -o merged --allow-missing", "does not belong to shard");
}

#[test]
fn merged_shards_of_a_tournament_print_its_table() {
    let folder = folder("shards", "tournament");
    let tournament = "tournament self:nodes=9 self:nodes=8 self:nodes=7 --openings random:plies=6";
    let whole = done(&folder, &format!("{tournament} --record whole"));
    run_shards(&folder, tournament, 2);
    assert_eq!(done(&folder, "merge shard1 shard2 -o merged"), whole);
}
