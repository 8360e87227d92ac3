//! Files from other programs, with their typical faults.

use crate::common::{fails, folder, refused, run, stderr, stdout, succeeds};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Output;

const PGN: &str = "[Event \"one\"]\n[White \"Anna\"]\n\n1. e4 e5 2. d4 1-0\n\n\
                   [Event \"two\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n\n\
                   [Event \"three\"]\n\n1. d4 d5 2. Zz9 c4 0-1\n\n\
                   [Event \"four\"]\n[White \"Bert\"]\n\n1. c4 (1. Nf3 {quiet}) c5 *\n";

fn texts(output: &Output) -> [String; 2] {
    [stdout(output), stderr(output)]
}

fn cupbot(folder: &Path, line: &str) -> [String; 2] {
    texts(&succeeds(folder, line))
}

#[test]
fn a_bad_game_is_reported_and_the_others_are_read() {
    let folder = folder("reading", "bad-game");
    fs::write(folder.join("games.pgn"), PGN).expect("written");
    let [list, said] = cupbot(&folder, "analyse games.pgn --list");
    assert_eq!(list.lines().count(), 3, "{list}");
    assert!(said.contains("game 2, line 9: tag FEN"), "{said}");
    assert!(said.contains("line 13: move 2. \"Zz9\""), "{said}");
    let [written, _] = cupbot(&folder, "replay games.pgn --pgn --number 4");
    assert!(written.contains("1. c4 (1. Nf3 {quiet}) 1... c5 *"), "{written}");
    let [all, _] = cupbot(&folder, "replay games.pgn --pgn");
    assert_eq!(all.matches("[Event ").count(), 3, "{all}");
    let [_, said] = cupbot(&folder, "replay games.pgn --number 3");
    assert!(said.contains("Zz9"), "{said}");
    fails(&folder, "replay games.pgn --number 2", "tag FEN");
    let output = run(&folder, "check games.pgn");
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output)[0].contains("games 4 agree 2 disagree 2"), "{:?}", texts(&output));
}

#[test]
fn files_may_have_odd_names_and_games_numbers() {
    let folder = folder("reading", "names");
    let game = |round: &str, mv: &str| format!("[Round \"{round}\"]\n\n1. {mv} *\n\n");
    let text = [game("2", "e4"), game("2", "d4"), game("1", "c4"), game("1", "b4")].concat();
    for name in ["my games.pgn", "{odd.pgn", "e4 e5", "sub folder/a.pgn"] {
        fs::create_dir_all(folder.join(name).parent().expect("a folder")).expect("made");
        fs::write(folder.join(name), &text).expect("written");
        for (number, mv) in [("1", "e4"), ("2", "d4"), ("3", "c4"), ("4", "b4")] {
            let line = format!("replay `{name}` --pgn --number {number}");
            let [pgn, _] = cupbot(&folder, &line);
            assert!(pgn.contains(&format!("\n1. {mv} *")), "{name} {number}: {pgn}");
        }
        let [checked, _] = cupbot(&folder, &format!("check `{name}`"));
        assert!(checked.contains("games 4 agree 4"), "{name}");
    }
    let latin = std::ffi::OsStr::from_bytes(b"caf\xe9.pgn");
    fs::write(folder.join(latin), &text).expect("written");
    for command in ["analyse --list", "replay --list", "check"] {
        let output = crate::common::cupbot(command).arg(latin).current_dir(&folder).output();
        assert!(output.expect("starts").status.success(), "{command}");
    }
}

#[test]
fn numbered_moves_are_read_in_every_form() {
    let folder = folder("reading", "numbered");
    let epd =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves e2e4 e7e5 g1f3; id \"x\";";
    let numbered =
        ["1. e4 e5 2. Nf3", "1.e4 e5 2.Nf3", "1 e4 e5 2 Nf3", "1. e4 {good} e5 2. Nf3 *"];
    for words in numbered.into_iter().chain([epd, &epd.replace(" moves", " 0 1 moves")]) {
        for line in [format!("replay --pgn {words}"), format!("replay --pgn `{words}`")] {
            let [pgn, _] = cupbot(&folder, &line);
            let moves = pgn.replace("{good} 1... ", "");
            assert!(moves.contains("1. e4 e5 2. Nf3 *"), "{words}: {pgn}");
        }
    }
}

#[test]
fn encodings_are_decoded_or_reported() {
    let folder = folder("reading", "encodings");
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    };
    let text = "[White \"Müller\"]\n\n1. e4 e5 1-0\n";
    let marked = format!("\u{feff}{text}");
    for bytes in [wide(&marked, u16::to_le_bytes), wide(&marked, u16::to_be_bytes)] {
        fs::write(folder.join("wide.pgn"), bytes).expect("written");
        let [list, _] = cupbot(&folder, "replay wide.pgn --list");
        assert!(list.contains("white") && list.contains("Müller"), "{list}");
    }
    for (bytes, words) in [
        (wide(text, u16::to_le_bytes), ["UTF-16LE", "iconv"]),
        (wide(text, u16::to_be_bytes), ["UTF-16BE", "iconv"]),
        (b"\x1f\x8b\x08\0".to_vec(), ["gzip", "zcat"]),
        (b"\x28\xb5\x2f\xfd".to_vec(), ["Zstandard", "zstdcat"]),
        (b"BZh9".to_vec(), ["bzip2", "bzcat"]),
        (b"\xfd7zXZ\0".to_vec(), ["xz", "xzcat"]),
    ] {
        fs::write(folder.join("file"), bytes).expect("written");
        for line in ["check file", "replay file", "analyse file"] {
            words.iter().for_each(|word| fails(&folder, line, word));
        }
    }
}

#[test]
fn an_analysis_of_a_file_keeps_what_the_file_has() {
    let folder = folder("reading", "analysed");
    let text = "[Event \"A\"]\n[Round \"7\"]\n[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n\
                {first} 1. e4 $13 {[%clk 0:00:59] good} e5 (1... c5 {[%eval 0.3]}) 2. d4 1-0\n";
    fs::write(folder.join("a.pgn"), text).expect("written");
    let [json, _] = cupbot(&folder, "analyse a.pgn --nodes 50 --json");
    fs::write(folder.join("a.json"), json).expect("written");
    let [pgn, _] = cupbot(&folder, "replay a.json --pgn");
    let plain = pgn.replace('\n', " ");
    for part in ["[Round \"7\"]", "[Termination \"Time forfeit\"]", "[Result \"1-0\"]"] {
        assert!(pgn.contains(part), "{pgn}");
    }
    let scored = ["first} 1. e4 $13 {[%eval ", "[%clk 0:00:59] good}", "(1... c5 {[%eval 0.3]})"];
    assert!(scored.iter().all(|part| plain.contains(part)), "{pgn}");
    assert_eq!(pgn.matches("[%eval").count(), 5, "{pgn}");
}

#[test]
fn a_torn_record_is_read_up_to_its_last_line() {
    let folder = folder("reading", "torn");
    let line = |name: &str| {
        format!("{{\"rules\":\"chess960\",\"moves\":[\"e2e4\"],\"names\":[\"{name}\",\"b\"]}}\n")
    };
    let whole = line("Müller");
    let torn = [whole.as_bytes(), &line("Mü").as_bytes()[..46]].concat();
    for length in whole.len() + 1..=torn.len() {
        fs::write(folder.join("log"), &torn[..length]).expect("written");
        let [list, said] = cupbot(&folder, "replay log --list");
        assert!(list.contains("Müller") && list.lines().count() == 1, "{list}");
        assert!(
            said.contains("line 2: the line is incomplete") && !said.contains("UTF-8"),
            "{said}"
        );
        assert_eq!(run(&folder, "check log").status.code(), Some(1));
    }
}

#[test]
fn long_lines_and_endless_files_are_refused() {
    let folder = folder("reading", "endless");
    let long = format!("{}\u{1b}[31m", "x".repeat(100_000));
    fs::write(folder.join("long"), &long).expect("written");
    for line in ["check long", "replay long", "analyse long"] {
        let output = run(&folder, line);
        let [said, error] = texts(&output);
        assert!(!output.status.success());
        let said = said + &error;
        assert!(said.len() < 1500 && !said.contains('\u{1b}'), "{}", said.len());
    }
    for command in ["check", "replay", "analyse"] {
        let error = refused(&format!("{command} /dev/zero"), b"");
        assert!(error.contains("binary file") && error.contains("/dev/zero"), "{error}");
        let error = texts(&run(&folder, &format!("{command} .")))[1].clone();
        assert!(error.contains("\".\"") && error.contains("it is a folder"), "{error}");
    }
}

#[test]
fn no_command_reads_an_endless_device_to_its_end() {
    let folder = folder("reading", "devices");
    for line in [
        "match self:params=/dev/zero self -n 2",
        "match self:net=/dev/zero self -n 2",
        "match self self -n 2 --openings /dev/zero",
        "match self self -n 2 --openings random:setups=/dev/zero",
        "match self self -n 2 --game chess960 --openings /dev/zero",
        "match self self -n 2 --record /dev/zero --resume",
        "tactics /dev/zero",
        "setups -o setups --answer /dev/zero",
        "merge /dev/zero -o all",
        "train /dev/zero -o net",
        "chess960 train /dev/zero -o net",
        "zuniq train /dev/zero -o net",
        "chess960 selfplay -o /dev/zero --resume",
        "zuniq selfplay -o /dev/zero --resume",
        "submit --check /dev/zero",
    ] {
        let mut shell = std::process::Command::new("sh");
        // Far less memory than the size of the file.
        let script = format!("ulimit -v 4000000; exec $CUPBOT {line}");
        shell.env("CUPBOT", env!("CARGO_BIN_EXE_cupbot")).current_dir(&folder);
        let output = shell.args(["-c", &script]).output().expect("a shell");
        let [_, said] = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains("/dev/zero") && !said.contains("panicked"), "{line}: {said}");
    }
}

#[test]
fn ignored_parts_of_a_position_are_reported() {
    let folder = folder("reading", "positions");
    let fen = "4k3/8/8/8/8/8/4P3/4K2R w KQkq - 0 1";
    let [_, said] = cupbot(&folder, &format!("analyse --nodes 20 `{fen}`"));
    assert!(said.contains("castling \"KQkq\""), "{said}");
    let kept = fen.replace("KQkq", "K");
    let [_, said] = cupbot(&folder, &format!("analyse --nodes 20 `{kept}`"));
    assert!(!said.contains("castling"), "{said}");
    let line = format!("perft 1 --game chess960 -o `fen={fen}`");
    let [counted, said] = cupbot(&folder, &line);
    assert!(said.contains("castling") && counted.contains("leaves 16"), "{counted}{said}");
    fs::write(folder.join("fens"), format!("# some\n{fen}\n\n{fen} e4 Ke7\n")).expect("written");
    let [list, said] = cupbot(&folder, "replay fens --list");
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(said.contains("line 2: castling") && said.contains("line 4: castling"), "{said}");
    let line = "match self:nodes=9 self:nodes=9 -n 2 --game chess960 --openings fens";
    let [_, said] = cupbot(&folder, &format!("{line} --pgn pgn --record r"));
    assert!(said.contains("line 2: castling"), "{said}");
    let pgn = fs::read_to_string(folder.join("pgn")).expect("games");
    assert!(pgn.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]"), "{pgn}");
    let checked = ["check pgn", "check r"].map(|line| cupbot(&folder, line)).concat().concat();
    assert_eq!(checked.matches("games 2 agree 2").count(), 2, "{checked}");
}

#[test]
fn letters_of_windows_1252_are_kept() {
    let folder = folder("reading", "windows");
    let text = b"[White \"\x8eeljko\"]\n\n1. e4 {la partie jou\xe9\n\x80 \x9c \x99 \x93so\x94} *\n";
    fs::write(folder.join("a.pgn"), text).expect("written");
    let [pgn, said] = cupbot(&folder, "replay a.pgn --pgn");
    assert!(pgn.contains("[White \"Željko\"]"), "{pgn}");
    assert!(pgn.contains("{la partie joué € œ ™ “so”}") && said.is_empty(), "{pgn}{said}");
}

#[test]
fn results_that_differ_are_reported() {
    let folder = folder("reading", "results");
    fs::write(folder.join("a.pgn"), "[Result \"1/2-1/2\"]\n\n1. e4 e5 0-1\n").expect("written");
    let [pgn, said] = cupbot(&folder, "replay a.pgn --pgn");
    assert!(said.contains("tag Result \"1/2-1/2\""), "{said}");
    assert!(pgn.contains("[Result \"0-1\"]") && pgn.contains("[Event \"?\"]"), "{pgn}");
    let output = run(&folder, "check a.pgn");
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output)[0].contains("the tag Result is \"1/2-1/2\""), "{:?}", texts(&output));
}

#[test]
fn pasted_positions_are_read_in_every_form() {
    let folder = folder("reading", "pasted");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let link =
        format!("https://lichess.org/analysis/standard/{}?color=black", fen.replace(' ', "_"));
    let quoted = format!("\"{fen}\"");
    for text in [&quoted, &link, &format!("position fen {fen}")] {
        let [pgn, _] = cupbot(&folder, &format!("replay --pgn `{text}`"));
        assert!(pgn.contains(&format!("[FEN \"{fen}\"]")), "{text}: {pgn}");
        let [pgn, _] = cupbot(&folder, &format!("replay --pgn `{text} moves e7e5`"));
        assert!(pgn.contains("1... e5 *"), "{text}: {pgn}");
        fs::write(folder.join("file"), format!("{text}\n")).expect("written");
        let [list, _] = cupbot(&folder, "replay file --list");
        assert!(list.contains("chess960") && list.lines().count() == 1, "{list}");
    }
    let [pgn, _] = cupbot(&folder, "replay --pgn `position startpos moves e2e4 e7e5`");
    assert!(pgn.contains("1. e4 e5 *") && !pgn.contains("[FEN "), "{pgn}");
    let empty = "8/8/8/8/8/8/8/8 w - - 0 1";
    fails(&folder, &format!("analyse `{empty}`"), "king");
    let other = "a game of Chess960, expected a game of Zuniq";
    fails(&folder, &format!("analyse --game zuniq `{fen}`"), other);
    let [table, same] = ["chess960", "--game chess960"]
        .map(|game| cupbot(&folder, &format!("analyse {game} `{fen}` --nodes 20")));
    assert_eq!(table, same);
}

#[test]
fn a_path_that_does_not_exist_is_not_a_position() {
    let folder = folder("reading", "path");
    for path in ["no/file", "/home/me/a/b/c/d/x.pgn", "no/a/b/c/d/e/f/x.pgn"] {
        for command in ["analyse", "replay --list", "analyse --game chess960"] {
            fails(&folder, &format!("{command} {path}"), "no such file");
        }
    }
}

#[test]
fn an_epd_file_may_lack_its_last_semicolons() {
    let folder = folder("reading", "epd");
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq";
    let lines = format!(
        "{board} - bm e4\n{board} - bm e4; id \"a b\"\n\"{board} - 0 1\"\n{board} - 0 1 e4\n"
    );
    fs::write(folder.join("book.epd"), lines).expect("written");
    let line = "match self:nodes=5 self:nodes=5 -n 8 --game chess960 --max-moves 1 --record r";
    cupbot(&folder, &format!("{line} --openings book.epd:order=sequential"));
    let games = crate::common::games(&folder.join("r"));
    let openings: Vec<u64> = games.iter().filter_map(|game| game["opening"].as_u64()).collect();
    assert_eq!(openings, [1, 1, 1, 1, 1, 1, 2, 2], "in the order of the file");
}
