//! Self-play, its files and training, through the binary.

use crate::common::{fails, folder, json, printed, run, stderr, succeeds};
use std::fs;
use std::path::Path;
use std::process::Output;

/// Self-play at very few nodes.
const MAIN: &str = "selfplay --nodes 30 --seed 5";
const ZUNIQ: &str = "zuniq selfplay --simulations 3 --seed 2 --net none";

/// Plays games of [`MAIN`] to a file.
fn play(folder: &Path, file: &str, options: &str) -> Output {
    succeeds(folder, &format!("{MAIN} -o {file} {options}"))
}

#[test]
fn an_interrupted_run_ends_in_the_same_file() {
    let chess = "chess960 selfplay --nodes 30";
    for (name, command, [part, all]) in
        [("main", MAIN, [100, 150]), ("zuniq", ZUNIQ, [4, 6]), ("chess", chess, [4, 6])]
    {
        let folder = folder("selfplay", &format!("resume-{name}"));
        let read = |name: &str| fs::read(folder.join(name)).expect("just written");
        succeeds(&folder, &format!("{command} -o whole.gam --games {all} --jobs 2"));
        succeeds(&folder, &format!("{command} -o resumed.gam --games {part}"));
        // As after a kill in the middle of a block.
        let mut bytes = read("resumed.gam");
        bytes.truncate(bytes.len() - 70);
        fs::write(folder.join("resumed.gam"), bytes).expect("a writable file");
        succeeds(&folder, &format!("{command} -o resumed.gam --games {all} --resume"));
        assert!(read("whole.gam") == read("resumed.gam"), "{name}");
    }
}

/// A file that version 0.6.0 has written, with 6 games in one block:
/// `selfplay --games 6 --nodes 30 --seed 5 --net handmade --noise 0.2 --shard 1/1`.
const OLD: &[u8] = include_bytes!("../data/selfplay_0_6_0.gam");

#[test]
fn a_file_of_version_0_6_0_stays_readable() {
    let folder = folder("selfplay", "old");
    fs::write(folder.join("old.gam"), OLD).expect("a writable folder");
    let games = printed(&folder, "data old.gam --text");
    assert_eq!(games, include_str!("../data/selfplay_0_6_0.txt"));
    succeeds(&folder, "train old.gam -o network --epochs 2");
    // The games are the same in one block each.
    printed(&folder, "merge old.gam -o new.gam");
    assert_eq!(printed(&folder, "data new.gam --text"), games);
    play(&folder, "old.gam", "--games 6 --net handmade --noise 0.2 --shard 1/1 --resume");
    assert_eq!(fs::read(folder.join("old.gam")).expect("the file"), OLD);
}

/// Headers of version 0.6.0.
#[test]
fn text_files_of_version_0_6_0_are_refused() {
    let folder = folder("selfplay", "old-text");
    let expected = "\"games\": it is in the text format of earlier versions, which cupbot 0.6.0";
    for (game, header) in [
        (
            "zuniq",
            "# cupbot zuniq selfplay {\"seed\":1,\"network\":\"2239809f\"}\nA1h A1v | 1:50\n",
        ),
        ("chess960", "# cupbot chess960 games 2 {\"seed\":9}\n24116352 952 b 1 WmMY\n"),
    ] {
        fs::write(folder.join("games"), header).expect("a writable folder");
        let selfplay = format!("{game} selfplay --resume -o games");
        let train = format!("{game} train games -o network");
        for command in [&*selfplay, &train, "merge games", "data games"] {
            fails(&folder, command, expected);
            assert_eq!(fs::read_to_string(folder.join("games")).expect("the file"), header);
        }
    }
}

#[test]
fn only_own_files_with_the_same_options_are_resumed() {
    let main_others =
        ["--noise 0.5", "--net handmade", "--resign 500", "--random-plies 2 --hard-nodes 90"];
    let zuniq_others = [
        ZUNIQ.replace("--simulations 3", "--simulations 4"),
        ZUNIQ.replace("--seed 2", "--seed 3"),
        ZUNIQ.replace("--net none", ""),
        format!("{ZUNIQ} --black 5"),
    ];
    for (name, command, others, same) in [
        ("main", MAIN, main_others.map(|other| format!("{MAIN} {other}")), "--noise 0.04"),
        ("zuniq", ZUNIQ, zuniq_others, ""),
    ] {
        let folder = folder("selfplay", &format!("options-{name}"));
        let path = folder.join("games.gam");
        let read = || fs::read(&path).expect("the file");
        let resumed = format!("{command} -o games.gam --games 2 --resume");
        for text in ["a letter", "a letter\nwith an end", "A9h\nA1h", "# a remark", "cupgamC\u{3}"]
        {
            fs::write(&path, text).expect("a writable file");
            fails(&folder, &resumed, "is not a file of self-play games");
            assert_eq!(read(), text.as_bytes());
        }
        // An empty or missing file is started, and one of an incomplete header, as after a kill.
        fs::write(&path, "").expect("a writable file");
        succeeds(&folder, &resumed);
        let begun = read();
        assert!(begun.starts_with(b"cupgam") && begun[16..].starts_with(b"{\"seed\":"), "{name}");
        fs::remove_file(&path).expect("the file");
        succeeds(&folder, &resumed);
        assert_eq!(read(), begun);
        fs::write(&path, &begun[..30]).expect("a writable file");
        succeeds(&folder, &resumed);
        assert_eq!(read(), begun);
        for other in others {
            let expected = "\"games.gam\" was created with other options";
            fails(&folder, &format!("{other} -o games.gam --games 4 --resume"), expected);
            assert_eq!(read(), begun);
        }
        // Without --resume nothing is overwritten.
        let expected = "\"games.gam\" already exists: use --resume to continue it";
        fails(&folder, &format!("{command} -o games.gam --games 4"), expected);
        assert_eq!(read(), begun);
        // The same options, explicit or by default.
        let more = format!("{command} {same} -o games.gam --games 4 --resume --jobs 2");
        let report = stderr(&succeeds(&folder, &more));
        assert!(report.contains("4/4 games 2 in this run: "), "{report}");
        assert!(read().len() > begun.len());
    }
}

#[test]
fn bad_options_leave_no_file_behind() {
    let folder = folder("selfplay", "bad");
    for (options, named) in [
        ("--net=no-such-network", "no-such-network"),
        ("--noise=1.1", "--noise"),
        ("--good-setups=-1", "--good-setups"),
        ("--good-setups=NaN", "--good-setups"),
        ("--random-plies=81", "--random-plies"),
        ("--nodes 0", "--nodes"),
        ("--games 0", "--games"),
    ] {
        fails(&folder, &format!("selfplay -o games.gam {options}"), named);
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
}

#[test]
fn data_verifies_files_and_reports_damage() {
    let folder = folder("selfplay", "data");
    play(&folder, "games.gam", "--games 70");
    let statistics = json(&succeeds(&folder, "data games.gam --json"));
    assert_eq!((&statistics["games"], &statistics["bad_games"]), (&70.into(), &0.into()));
    // `check` accepts every exported game.
    let games = printed(&folder, "data games.gam --text");
    fs::write(folder.join("games.txt"), games).expect("a writable folder");
    succeeds(&folder, "check games.txt");
    let mut bytes = fs::read(folder.join("games.gam")).expect("just written");
    let block = bytes.windows(4).position(|window| window == b"blok").expect("a block");
    bytes[block + 100] ^= 1;
    fs::write(folder.join("games.gam"), bytes).expect("a writable file");
    let damaged = run(&folder, "data games.gam");
    assert_eq!(damaged.status.code(), Some(1));
    assert!(stderr(&damaged).contains(&format!("offset {block}:")));
}

#[test]
fn training_writes_a_network_that_plays() {
    let folder = folder("selfplay", "train");
    let read = |name: &str| fs::read(folder.join(name)).expect("just written");
    play(&folder, "games.gam", "--games 60 --net handmade");
    let train = "train games.gam --batch 256 --epochs 2 -o";
    succeeds(&folder, &format!("{train} network"));
    let first = read("network");
    play(&folder, "next.gam", "--games 2 --net network");
    // Training is deterministic, wherever the positions are; checkpoints do not change the result. The checkpoint of a
    // finished training still yields its network, and is rejected by other trainings.
    let state = format!("{train} other --checkpoint state");
    for line in [&format!("{train} other"), &format!("{train} other --memory 0"), &state, &state] {
        succeeds(&folder, line);
        assert!(first == read("other"), "{line}");
        fs::remove_file(folder.join("other")).expect("just written");
    }
    fails(&folder, &format!("{state} --seed 2"), "\"seed\":1");
    // This rate is too low to change any weight.
    fails(&folder, &format!("{train} dead --rate 1e-30"), "the network has not learned");
    // A damaged network is refused.
    let mut damaged = first;
    damaged[5000] ^= 1;
    fs::write(folder.join("network"), damaged).expect("a writable file");
    fails(&folder, &format!("{MAIN} -o other.gam --net network"), "checksum");
}

#[test]
fn a_training_leaves_out_damaged_games() {
    let folder = folder("selfplay", "damaged");
    succeeds(&folder, &format!("{ZUNIQ} -o games.gam --games 6"));
    let train = "zuniq train games.gam -o net.bin --epochs 1";
    succeeds(&folder, train);
    succeeds(&folder, "zuniq selfplay -o next.gam --games 1 --simulations 3 --net net.bin");
    // A damaged game and an incomplete last game are reported and skipped.
    let valid = fs::read(folder.join("games.gam")).expect("just written");
    let mut damaged = valid.clone();
    damaged[valid.len() / 2] ^= 1;
    let incomplete = &valid[..valid.len() - 2];
    for (bytes, expected) in [(&damaged[..], "damaged up to"), (incomplete, "truncated")] {
        fs::write(folder.join("games.gam"), bytes).expect("a writable file");
        let log = stderr(&succeeds(&folder, train));
        assert!(log.contains(expected) && log.contains("\n5 games, "), "{log}");
    }
    // A file of games is not a network.
    fails(&folder, "zuniq selfplay -o other.gam --games 1 --net games.gam", "not a network file");
}

/// Overwriting a file changes it under all its hard links; replacing it changes one link.
#[test]
fn networks_and_setups_are_replaced_as_a_whole() {
    let folder = folder("selfplay", "replaced");
    play(&folder, "games.gam", "--games 60 --net handmade");
    succeeds(&folder, &format!("{ZUNIQ} -o zuniq.gam --games 8"));
    let (output, other_name) = (folder.join("output"), folder.join("other-name"));
    for command in [
        "train games.gam --batch 256 --epochs 1",
        "zuniq train zuniq.gam --epochs 1",
        "setups --rounds 0 --pool 1 --nodes 20",
    ] {
        let write = || {
            succeeds(&folder, &format!("{command} -o output"));
            fs::read(&output).expect("the new file")
        };
        let mut old = write();
        // The header identifies the kind of file.
        old.truncate(20);
        fs::write(&output, &old).expect("a writable folder");
        fs::hard_link(&output, &other_name).expect("another name");
        assert!(write().len() > 20, "{command}");
        assert_eq!(fs::read(&other_name).expect("the old file"), old, "{command}");
        for path in [&other_name, &output] {
            fs::remove_file(path).expect("a file");
        }
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2, "nothing is left beside");
}

#[test]
fn training_refuses_options_out_of_range() {
    let folder = folder("selfplay", "options-of-training");
    let all = "--rate=nan --rate=-1 --rate=0 --rate=inf --rate=1.1 --rate=3e38 --decay=nan \
               --decay=-0.1 --decay=1e30 --epochs=0 --memory=-1 --memory=nan";
    let scores = "--score-scale=0 --score-scale=nan --score-scale=1e-30 --lambda=2";
    let factors = "--score-factor=0 --score-factor=nan --score-factor=1e-30 --smoothing=1e9";
    for (train, options) in [
        ("train", [all, scores].join(" ")),
        ("chess960 train", [all, scores, factors].join(" ")),
        ("zuniq train", all.to_string()),
    ] {
        for option in options.split_whitespace() {
            let name = option.split('=').next().expect("a name");
            // The games, which do not exist, are read later.
            fails(&folder, &format!("{train} no-such-games -o unwritten {option}"), name);
        }
    }
    // Whether the network can be written is asked before the games are read, too.
    fs::write(folder.join("file"), "").expect("written");
    for train in ["train", "zuniq train"] {
        let line = format!("{train} no-such-games -o file/net.bin");
        fails(&folder, &line, "writing \"file/net.bin\"");
    }
    fails(&folder, "setups -o unwritten --pool 0", "--pool");
}
