//! Self-play, its files and training, through the binary.

use crate::common::cupbot;
use std::path::{Path, PathBuf};
use std::process::Output;

fn run(arguments: &[&str]) -> Output {
    cupbot(arguments).output().expect("the binary starts")
}

fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cupbot-selfplay-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a writable directory");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// Plays `games` games at very few nodes.
fn play(path: &Path, games: &str, more: &[&str]) -> Output {
    let mut arguments = vec!["selfplay", "-o", text(path), "--games", games, "--nodes", "30"];
    arguments.extend(["--seed", "5"]);
    arguments.extend(more);
    run(&arguments)
}

#[test]
fn an_interrupted_run_ends_in_the_same_file() {
    let dir = directory("resume");
    let (whole, resumed) = (dir.join("whole.gam"), dir.join("resumed.gam"));
    assert!(play(&whole, "150", &["--jobs", "2"]).status.success());
    assert!(play(&resumed, "128", &[]).status.success());
    // As after a kill in the middle of a block.
    let mut bytes = std::fs::read(&resumed).expect("just written");
    bytes.truncate(bytes.len() - 77);
    std::fs::write(&resumed, bytes).expect("a writable file");
    assert!(play(&resumed, "150", &["--resume"]).status.success());
    let (whole, resumed) = (std::fs::read(whole).unwrap(), std::fs::read(resumed).unwrap());
    assert!(whole == resumed, "{} and {} bytes", whole.len(), resumed.len());
    std::fs::remove_dir_all(dir).expect("just made");
}

#[test]
fn a_file_is_gone_on_with_by_the_same_options_only() {
    let dir = directory("options");
    let path = dir.join("games.gam");
    assert!(play(&path, "2", &[]).status.success());
    let begun = std::fs::read(&path).expect("just written");
    for other in [
        &["--noise", "0.5"][..],
        &["--net", "handmade"],
        &["--resign", "500"],
        &["--random-plies", "2", "--hard-nodes", "90"],
    ] {
        let output = play(&path, "4", &[&["--resume"], other].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("games.gam was created with other options"), "{message}");
        assert_eq!(std::fs::read(&path).expect("the file"), begun);
    }
    // Without --resume nothing is overwritten.
    let error = String::from_utf8_lossy(&play(&path, "4", &[]).stderr).into_owned();
    assert!(error.contains("games.gam exists: use --resume to continue it"), "{error}");
    assert_eq!(std::fs::read(&path).expect("the file"), begun);
    // The same options, explicit or by default.
    let same = ["--resume", "--jobs", "2", "--noise", "0.04"];
    let output = play(&path, "4", &same);
    assert!(output.status.success());
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(report.contains("4/4 games 2 in this run: "), "{report}");
    assert!(std::fs::read(&path).expect("the file").len() > begun.len());
    std::fs::remove_dir_all(dir).expect("just made");
}

#[test]
fn bad_options_leave_no_file_behind() {
    let dir = directory("bad");
    let path = dir.join("games.gam");
    let cases: [[&str; 2]; 5] = [
        ["--net", "no-such-network"],
        ["--noise", "1.1"],
        ["--good-setups", "-1"],
        ["--good-setups", "NaN"],
        ["--random-plies", "81"],
    ];
    for case in cases {
        let output = play(&path, "1", &[&case.join("=")]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(case[usize::from(case[0] == "--net")]), "{message}");
        assert!(!path.exists());
    }
    for (games, nodes, wrong) in [("1", "0", "--nodes"), ("0", "30", "--games")] {
        let arguments = ["selfplay", "-o", text(&path), "--games", games, "--nodes", nodes];
        let error = String::from_utf8_lossy(&run(&arguments).stderr).into_owned();
        assert!(error.contains(wrong) && !path.exists(), "{error}");
    }
    std::fs::remove_dir_all(dir).expect("just made");
}

#[test]
fn data_verifies_and_names_damage() {
    let dir = directory("data");
    let path = dir.join("games.gam");
    assert!(play(&path, "70", &[]).status.success());
    let again = play(&path, "70", &[]);
    assert_eq!(again.status.code(), Some(2), "an existing file is not overwritten");
    let sound = run(&["data", text(&path), "--json"]);
    assert!(sound.status.success());
    let statistics: serde_json::Value = serde_json::from_slice(&sound.stdout).expect("JSON");
    assert_eq!(statistics["games"], 70);
    assert_eq!(statistics["bad_games"], 0);
    // `check` accepts every exported game.
    let games = run(&["data", text(&path), "--text"]);
    let list = dir.join("games.txt");
    std::fs::write(&list, &games.stdout).expect("a writable directory");
    assert!(run(&["check", text(&list)]).status.success());
    let mut bytes = std::fs::read(&path).expect("just written");
    let block = bytes.windows(4).position(|window| window == b"blok").expect("a block");
    bytes[block + 100] ^= 1;
    std::fs::write(&path, bytes).expect("a writable file");
    let damaged = run(&["data", text(&path)]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&damaged.stderr).contains(&format!("offset {block}:")));
    std::fs::remove_dir_all(dir).expect("just made");
}

#[test]
fn training_writes_a_network_that_plays() {
    let dir = directory("train");
    let (games, network) = (dir.join("games.gam"), dir.join("network.bin"));
    assert!(play(&games, "60", &["--net", "handmade"]).status.success());
    let train = |more: &[&str]| {
        let mut arguments = vec!["train", text(&games), "--batch", "256", "--epochs", "2"];
        if !more.contains(&"-o") {
            arguments.extend(["-o", text(&network)]);
        }
        arguments.extend(more);
        run(&arguments)
    };
    assert!(train(&[]).status.success());
    let first = std::fs::read(&network).expect("just written");
    assert!(train(&[]).status.success());
    assert!(first == std::fs::read(&network).expect("just written"), "not deterministic");
    // Nor do positions on disk.
    assert!(train(&["--memory", "0"]).status.success());
    assert!(first == std::fs::read(&network).expect("just written"));
    let played = play(&dir.join("next.gam"), "2", &["--net", text(&network)]);
    assert!(played.status.success());
    // Saving checkpoints does not change the result.
    let checkpoint = dir.join("state");
    let state = ["--checkpoint", text(&checkpoint)];
    assert!(train(&state).status.success());
    assert!(first == std::fs::read(&network).expect("just written"));
    // The checkpoint of a finished training still yields its network, and is rejected by other trainings.
    std::fs::remove_file(&network).expect("just written");
    assert!(train(&state).status.success());
    assert!(first == std::fs::read(&network).expect("just written"));
    // This rate is too low to change any weight.
    let dead = train(&["--rate", "1e-30", "-o", text(&dir.join("dead"))]);
    assert_eq!(dead.status.code(), Some(2));
    let message = String::from_utf8_lossy(&dead.stderr).into_owned();
    assert!(message.contains("the network has not learned"), "{message}");
    let other = train(&[&state[..], &["--seed", "2"]].concat());
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("\"seed\":1"));
    // A damaged network is refused.
    let mut damaged = first;
    damaged[5000] ^= 1;
    std::fs::write(&network, damaged).expect("a writable file");
    let refused = play(&dir.join("other.gam"), "2", &["--net", text(&network)]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("checksum"));
    std::fs::remove_dir_all(dir).expect("just made");
}

/// Overwriting a file changes it under all its hard links; replacing it changes one link.
#[test]
fn networks_and_setups_are_replaced_as_a_whole() {
    let dir = directory("replaced");
    let (games, zuniq_games) = (dir.join("games.gam"), dir.join("games.txt"));
    assert!(play(&games, "60", &["--net", "handmade"]).status.success());
    let zuniq = ["zuniq", "selfplay", "-o", text(&zuniq_games), "--games", "8", "--net", "none"];
    assert!(run(&[&zuniq[..], &["--simulations", "3"]].concat()).status.success());
    let (output, other_name) = (dir.join("output"), dir.join("other-name"));
    let commands: [&[&str]; 3] = [
        &["train", text(&games), "--batch", "256", "--epochs", "1"],
        &["zuniq", "train", text(&zuniq_games), "--epochs", "1"],
        &["setups", "--rounds", "0", "--pool", "1", "--nodes", "20"],
    ];
    for command in commands {
        let write = || {
            let result = run(&[command, &["-o", text(&output)]].concat());
            assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
            std::fs::read(&output).expect("the new file")
        };
        let mut old = write();
        // The header identifies the kind of file.
        old.truncate(20);
        std::fs::write(&output, &old).expect("a writable directory");
        std::fs::hard_link(&output, &other_name).expect("another name");
        assert!(write().len() > 20, "{command:?}");
        assert_eq!(std::fs::read(&other_name).expect("the old file"), old, "{command:?}");
        for path in [&other_name, &output] {
            std::fs::remove_file(path).expect("a file");
        }
    }
    assert_eq!(std::fs::read_dir(&dir).expect("a directory").count(), 2, "nothing is left beside");
    std::fs::remove_dir_all(dir).expect("just made");
}

#[test]
fn training_asks_first_whether_it_may_write() {
    for train in [&["train"][..], &["zuniq", "train"]] {
        let output = run(&[train, &["no-such-games", "-o", "Cargo.toml/net.bin"]].concat());
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("writing Cargo.toml/net.bin"), "{message}");
    }
}

#[test]
fn training_refuses_options_that_teach_nothing() {
    let rates = ["--rate=nan", "--rate=-1", "--rate=0", "--rate=inf", "--rate=1.1", "--rate=3e38"];
    let both = rates.iter().chain(&["--decay=nan", "--decay=-0.1", "--decay=1e30"]);
    let both = both.chain(&["--epochs=0", "--memory=-1", "--memory=nan"]);
    let scores = ["--score-scale=0", "--score-scale=nan", "--score-scale=1e-30", "--lambda=2"];
    let refused = |train: &[&str], option: &str| {
        let output = run(&[train, &["no-such-games", "-o", "unwritten", option]].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option}: {message}");
        let name = option.split_once('=').map(|(name, _)| name).expect("a name");
        assert!(message.contains(name) && !message.contains("no-such-games"), "{message}");
    };
    for train in [&["train"][..], &["chess960", "train"], &["zuniq", "train"]] {
        both.clone().for_each(|option| refused(train, option));
    }
    for train in [&["train"][..], &["chess960", "train"]] {
        scores.iter().for_each(|option| refused(train, option));
    }
    for option in
        ["--score-factor=0", "--score-factor=nan", "--score-factor=1e-30", "--smoothing=1e9"]
    {
        refused(&["chess960", "train"], option);
    }
}

#[test]
fn a_search_for_setups_needs_a_pool() {
    let output = run(&["setups", "-o", "unwritten", "--pool", "0"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("--pool") && !message.contains("panicked"), "{message}");
}
