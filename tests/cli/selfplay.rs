//! Self-play, its files and training, through the binary.

use crate::common::{fails, folder, json, printed, run, stderr, succeeds};
use std::fs;
use std::path::Path;
use std::process::Output;

/// Plays `games` games at very few nodes.
fn play(folder: &Path, file: &str, games: &str, more: &[&str]) -> Output {
    succeeds(folder, &with(file, games, more))
}

fn with<'a>(file: &'a str, games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let selfplay = ["selfplay", "-o", file, "--games", games, "--nodes", "30", "--seed", "5"];
    [&selfplay[..], more].concat()
}

#[test]
fn an_interrupted_run_ends_in_the_same_file() {
    let folder = folder("selfplay", "resume");
    let read = |name: &str| fs::read(folder.join(name)).expect("just written");
    play(&folder, "whole.gam", "150", &["--jobs", "2"]);
    play(&folder, "resumed.gam", "100", &[]);
    // As after a kill in the middle of a block.
    let mut bytes = read("resumed.gam");
    bytes.truncate(bytes.len() - 77);
    fs::write(folder.join("resumed.gam"), bytes).expect("a writable file");
    play(&folder, "resumed.gam", "150", &["--resume"]);
    assert!(read("whole.gam") == read("resumed.gam"));
}

/// A file that version 0.6.0 has written, with 6 games in one block:
/// `selfplay --games 6 --nodes 30 --seed 5 --net handmade --noise 0.2 --shard 1/1`.
const OLD: &[u8] = include_bytes!("../data/selfplay_0_6_0.gam");

#[test]
fn a_file_of_version_0_6_0_stays_readable() {
    let folder = folder("selfplay", "old");
    fs::write(folder.join("old.gam"), OLD).expect("a writable folder");
    let games = printed(&folder, &["data", "old.gam", "--text"]);
    assert_eq!(games, include_str!("../data/selfplay_0_6_0.txt"));
    succeeds(&folder, &["train", "old.gam", "-o", "network", "--epochs", "2"]);
    // The games are the same in one block each.
    printed(&folder, &["merge", "old.gam", "-o", "new.gam"]);
    assert_eq!(printed(&folder, &["data", "new.gam", "--text"]), games);
    let same = ["--net", "handmade", "--noise", "0.2", "--shard", "1/1", "--resume"];
    play(&folder, "old.gam", "6", &same);
    assert_eq!(fs::read(folder.join("old.gam")).expect("the file"), OLD);
}

/// Headers of version 0.6.0.
#[test]
fn text_files_of_version_0_6_0_are_refused() {
    let folder = folder("selfplay", "old-text");
    for (game, header) in [
        (
            "zuniq",
            "# cupbot zuniq selfplay {\"seed\":1,\"network\":\"2239809f\"}\nA1h A1v | 1:50\n",
        ),
        ("chess960", "# cupbot chess960 games 2 {\"seed\":9}\n24116352 952 b 1 WmMY\n"),
    ] {
        fs::write(folder.join("games"), header).expect("a writable folder");
        let selfplay = [game, "selfplay", "--resume", "-o", "games"];
        let train = [game, "train", "games", "-o", "network"];
        for command in [&selfplay[..], &train, &["merge", "games"], &["data", "games"]] {
            fails(
                &folder,
                command,
                "\"games\": it is in the text format of earlier versions, which cupbot 0.6.0",
            );
            assert_eq!(fs::read_to_string(folder.join("games")).expect("the file"), header);
        }
    }
}

#[test]
fn a_run_is_resumed_only_with_the_same_options() {
    let folder = folder("selfplay", "options");
    let read = || fs::read(folder.join("games.gam")).expect("the file");
    play(&folder, "games.gam", "2", &[]);
    let begun = read();
    for other in [
        &["--noise", "0.5"][..],
        &["--net", "handmade"],
        &["--resign", "500"],
        &["--random-plies", "2", "--hard-nodes", "90"],
    ] {
        let resumed = [&["--resume"], other].concat();
        let expected = "\"games.gam\" was created with other options";
        fails(&folder, &with("games.gam", "4", &resumed), expected);
        assert_eq!(read(), begun);
    }
    // Without --resume nothing is overwritten.
    let expected = "\"games.gam\" already exists: use --resume to continue it";
    fails(&folder, &with("games.gam", "4", &[]), expected);
    assert_eq!(read(), begun);
    // The same options, explicit or by default.
    let same = ["--resume", "--jobs", "2", "--noise", "0.04"];
    let report = stderr(&play(&folder, "games.gam", "4", &same));
    assert!(report.contains("4/4 games 2 in this run: "), "{report}");
    assert!(read().len() > begun.len());
}

#[test]
fn bad_options_leave_no_file_behind() {
    let folder = folder("selfplay", "bad");
    for (option, named) in [
        ("--net=no-such-network", "no-such-network"),
        ("--noise=1.1", "--noise"),
        ("--good-setups=-1", "--good-setups"),
        ("--good-setups=NaN", "--good-setups"),
        ("--random-plies=81", "--random-plies"),
    ] {
        fails(&folder, &with("games.gam", "1", &[option]), named);
    }
    for (games, nodes, wrong) in [("1", "0", "--nodes"), ("0", "30", "--games")] {
        let arguments = ["selfplay", "-o", "games.gam", "--games", games, "--nodes", nodes];
        fails(&folder, &arguments, wrong);
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
}

#[test]
fn data_verifies_files_and_reports_damage() {
    let folder = folder("selfplay", "data");
    play(&folder, "games.gam", "70", &[]);
    let statistics = json(&succeeds(&folder, &["data", "games.gam", "--json"]));
    assert_eq!((&statistics["games"], &statistics["bad_games"]), (&70.into(), &0.into()));
    // `check` accepts every exported game.
    let games = printed(&folder, &["data", "games.gam", "--text"]);
    fs::write(folder.join("games.txt"), games).expect("a writable folder");
    succeeds(&folder, &["check", "games.txt"]);
    let mut bytes = fs::read(folder.join("games.gam")).expect("just written");
    let block = bytes.windows(4).position(|window| window == b"blok").expect("a block");
    bytes[block + 100] ^= 1;
    fs::write(folder.join("games.gam"), bytes).expect("a writable file");
    let damaged = run(&folder, &["data", "games.gam"]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(stderr(&damaged).contains(&format!("offset {block}:")));
}

#[test]
fn training_writes_a_network_that_plays() {
    let folder = folder("selfplay", "train");
    let read = |name: &str| fs::read(folder.join(name)).expect("just written");
    play(&folder, "games.gam", "60", &["--net", "handmade"]);
    let train = ["train", "games.gam", "--batch", "256", "--epochs", "2", "-o"];
    succeeds(&folder, &[&train[..], &["network"]].concat());
    let first = read("network");
    play(&folder, "next.gam", "2", &["--net", "network"]);
    // Training is deterministic, wherever the positions are; checkpoints do not change the result. The checkpoint of a
    // finished training still yields its network, and is rejected by other trainings.
    let state = ["other", "--checkpoint", "state"];
    for more in [&["other"][..], &["other", "--memory", "0"], &state, &state] {
        succeeds(&folder, &[&train[..], more].concat());
        assert!(first == read("other"), "{more:?}");
        fs::remove_file(folder.join("other")).expect("just written");
    }
    fails(&folder, &[&train[..], &state, &["--seed", "2"]].concat(), "\"seed\":1");
    // This rate is too low to change any weight.
    let dead = [&train[..], &["dead", "--rate", "1e-30"]].concat();
    fails(&folder, &dead, "the network has not learned");
    // A damaged network is refused.
    let mut damaged = first;
    damaged[5000] ^= 1;
    fs::write(folder.join("network"), damaged).expect("a writable file");
    fails(&folder, &with("other.gam", "2", &["--net", "network"]), "checksum");
}

/// Overwriting a file changes it under all its hard links; replacing it changes one link.
#[test]
fn networks_and_setups_are_replaced_as_a_whole() {
    let folder = folder("selfplay", "replaced");
    play(&folder, "games.gam", "60", &["--net", "handmade"]);
    let zuniq = ["zuniq", "selfplay", "-o", "games.txt", "--games", "8", "--net", "none"];
    succeeds(&folder, &[&zuniq[..], &["--simulations", "3"]].concat());
    let (output, other_name) = (folder.join("output"), folder.join("other-name"));
    let commands: [&[&str]; 3] = [
        &["train", "games.gam", "--batch", "256", "--epochs", "1"],
        &["zuniq", "train", "games.txt", "--epochs", "1"],
        &["setups", "--rounds", "0", "--pool", "1", "--nodes", "20"],
    ];
    for command in commands {
        let write = || {
            succeeds(&folder, &[command, &["-o", "output"]].concat());
            fs::read(&output).expect("the new file")
        };
        let mut old = write();
        // The header identifies the kind of file.
        old.truncate(20);
        fs::write(&output, &old).expect("a writable folder");
        fs::hard_link(&output, &other_name).expect("another name");
        assert!(write().len() > 20, "{command:?}");
        assert_eq!(fs::read(&other_name).expect("the old file"), old, "{command:?}");
        for path in [&other_name, &output] {
            fs::remove_file(path).expect("a file");
        }
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2, "nothing is left beside");
}

#[test]
fn training_refuses_options_out_of_range() {
    let folder = folder("selfplay", "options-of-training");
    let rates = ["--rate=nan", "--rate=-1", "--rate=0", "--rate=inf", "--rate=1.1", "--rate=3e38"];
    let both = rates.iter().chain(&["--decay=nan", "--decay=-0.1", "--decay=1e30"]);
    let both = both.chain(&["--epochs=0", "--memory=-1", "--memory=nan"]);
    let scores = ["--score-scale=0", "--score-scale=nan", "--score-scale=1e-30", "--lambda=2"];
    let refused = |train: &[&str], option: &str| {
        let name = option.split('=').next().expect("a name");
        // The games, which do not exist, are read later.
        fails(&folder, &[train, &["no-such-games", "-o", "unwritten", option]].concat(), name);
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
    // Whether the network can be written is asked before the games are read, too.
    fs::write(folder.join("file"), "").expect("written");
    for train in [&["train"][..], &["zuniq", "train"]] {
        let unwritable = ["no-such-games", "-o", "file/net.bin"];
        fails(&folder, &[train, &unwritable].concat(), "writing \"file/net.bin\"");
    }
    fails(&folder, &["setups", "-o", "unwritten", "--pool", "0"], "--pool");
}
