use super::*;
use crate::fuzz::{any_bytes, mutated};
use crate::tools::contracts::record::ReplayError;
use crate::tools::contracts::GameState;
use proptest::prelude::*;

const SETUPS: &str = "WFNADAAADDFDAAAA aaaadddaaadaffnw";

fn record(line: &str) -> Record {
    match parse(line) {
        Ok(Some(record)) => record,
        other => panic!("{line:?}: {other:?}"),
    }
}

/// Replays a record that is legal.
fn replayed(record: &Record) -> Box<dyn GameState> {
    record.replay().expect("legal")
}

fn parse_error(line: &str) -> String {
    format!("{:#}", parse(line).expect_err(line))
}

fn replay_error(line: &str) -> ReplayError {
    let error = record(line).replay().err().expect("an illegal game");
    error.downcast().expect("an error of a move")
}

#[test]
fn all_formats_of_a_game_are_equivalent() {
    let moves = format!("{SETUPS} b5d3 h3f3");
    let list: Vec<String> = moves.split(' ').map(|word| format!("{word:?}")).collect();
    let json = format!(r#"{{"moves": [{}]}}"#, list.join(", "));
    let bare = record(&moves);
    assert_eq!(replayed(&bare).ply(), 4);
    assert_eq!(record(&json), bare);
    let listed = record(&format!("320661 blue-timeout {moves}"));
    assert_eq!(listed.id.as_deref(), Some("320661"));
    assert_eq!(listed.outcome, Some(Outcome::failed("blue", "timeout")));
    assert_eq!(listed.moves, bare.moves);
}

#[test]
fn a_position_may_precede_the_moves() {
    let position = "WFNADAAA/DDFD1AAA/8/2A5/8/8/aaaaddda/aadaffnw - 3";
    let from_there = record(&format!("{position} h3f3"));
    assert_eq!(from_there.start.as_deref(), Some(position));
    assert_eq!(replayed(&from_there).ply(), 4);
    let listed = record(&format!("g7 red {position} h3f3"));
    assert_eq!((listed.id.as_deref(), listed.start), (Some("g7"), from_there.start));
}

#[test]
fn comments_blank_lines_and_headers_are_ignored() {
    let head = r#"{"type":"match","id":"m","settings":{"seed":1}}"#;
    for line in ["", "   ", "# a b c", head] {
        assert_eq!(parse(line).expect("no error"), None, "{line:?}");
    }
}

#[test]
fn bad_lines_are_explained() {
    for (line, expected) in [
        ("hello world", "no game found"),
        // A long word alone is not a setup.
        ("programming is fun", "no game found"),
        ("{\"moves\": 3}", "\"moves\""),
        ("{}", "no \"moves\""),
        ("{", "JSON"),
        ("8/8/8 - 3", "eight rows"),
    ] {
        assert!(parse_error(line).contains(expected), "{line}");
    }
    for (line, ply, text) in [
        // A misspelled setup is reported as a bad setup.
        ("SFNADAAADDFDAAAA aaaadddaaadaffnw", 1, "SFNADAAADDFDAAAA"),
        ("DDAFFANAAADAWAXX addndffdaaaaaawa", 1, "DDAFFANAAADAWAXX"),
        (&format!("{SETUPS} b5d3 h3h4"), 4, "h3h4"),
    ] {
        let error = replay_error(line);
        assert_eq!((error.ply, error.text.as_str()), (ply, text));
        assert!(ply == 1 || error.to_string().contains("illegal"), "{error}");
    }
}

#[test]
fn the_outcome_is_read_from_match_logs() {
    for (fields, expected) in [
        (r#""winner": 1, "reason": "wazir""#, "blue"),
        (r#""winner": 0, "reason": "time cpu 3.1""#, "red-time"),
        (r#""winner": null, "reason": "moves""#, "draw"),
        (r#""winner": "red", "end": "crash""#, "red-crash"),
        (r#""winner": "blue", "end": "wazir""#, "blue"),
        (r#""outcome": "red""#, "red"),
    ] {
        let record = record(&format!(r#"{{"moves": [], {fields}}}"#));
        assert_eq!(record.outcome.map(String::from).as_deref(), Some(expected), "{fields}");
    }
}

#[test]
fn winners_are_sides_of_the_game() {
    let outcome = |rules: &str, winner: &str| {
        let line = format!(r#"{{"rules": "{rules}", "moves": [], "winner": {winner}}}"#);
        parse(&line).map(|record| record.expect("a record").outcome.map(String::from))
    };
    for game in GAMES {
        for (index, side) in game.rules.sides.iter().enumerate() {
            for winner in [index.to_string(), format!("{side:?}")] {
                assert_eq!(
                    outcome(game.rules.name, &winner).expect("known").as_deref(),
                    Some(*side)
                );
            }
        }
        assert_eq!(outcome(game.rules.name, "null").expect("known").as_deref(), Some("draw"));
        for wrong in ["2", "-1", "\"green\"", "[]", "0.5"] {
            assert!(outcome(game.rules.name, wrong).is_err(), "{game:?} {wrong}");
        }
    }
    assert!(outcome("no-such-game", "0").is_err());
}

#[test]
fn scores_follow_the_opening() {
    let fields = r#""type": "game", "match": "m", "game": 7, "names": ["X", "Y"], "winner": null,
        "opening": 3, "moves": ["A", "b", "C", "d", "E"], "scores": [null, 40]"#;
    let rules = registry::main_game().rules.name;
    let record = record(&format!("{{\"rules\": {rules:?}, {fields}}}").replace('\n', ""));
    assert_eq!(record.id.as_deref(), Some("7"));
    assert_eq!(record.players, [Some("X".to_string()), Some("Y".to_string())]);
    assert_eq!(record.scores, BTreeMap::from([(5, 40)]));
}

#[test]
fn several_games_need_a_choice() {
    let picked = |game: Option<&str>, text: &str| {
        let source =
            Source { words: vec![], game: None, number: game.map(String::from), list: false };
        source.pick(&mut |each| read_lines(text.as_bytes(), each))
    };
    let text = format!("# two\n\na1 red {SETUPS} b5d3\na2 blue {SETUPS}\n");
    let pick = |game| picked(game, &text).map(|record| record.id);
    assert_eq!(pick(Some("a2")).expect("by id"), Some("a2".to_string()));
    assert_eq!(pick(Some("1")).expect("by number"), Some("a1".to_string()));
    assert!(pick(None).expect_err("two games").to_string().contains("--number"));
    assert!(pick(Some("3")).is_err() && pick(Some("0")).is_err());
    assert!(picked(None, "# none").is_err());
    let bad = picked(None, "# x\nnonsense").expect_err("no record");
    assert!(bad.to_string().contains("line 2"), "{bad}");
}

#[test]
fn a_list_has_one_line_per_game() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let text = format!("# two\n\na1 red {SETUPS} b5d3\n{{\"id\": 7, \"moves\": []}}\n");
    std::fs::write(file.path(), text).expect("written");
    let words = vec![file.path().into()];
    let list = Source { words, game: None, number: None, list: true }
        .list(false)
        .expect("readable")
        .expect("a list");
    let lines: Vec<&str> = list.lines().map(str::trim_start).collect();
    assert_eq!(lines.len(), 2, "{list}");
    assert!(lines[0].starts_with("1 a1 ") && lines[0].contains("red"), "{list}");
    assert!(lines[1].starts_with("2 7 ") && lines[1].contains("open"), "{list}");
    let words = vec!["take1".into()];
    assert!(Source { words, game: None, number: None, list: true }.list(false).is_err());
}

/// Lines of every format.
fn lines() -> Vec<String> {
    let moves = format!("{SETUPS} b5d3 h3f3");
    let list: Vec<String> = moves.split(' ').map(|word| format!("{word:?}")).collect();
    let json = format!(
        "{{\"type\": \"game\", \"rules\": {:?}, \"moves\": [{}], \"opening\": 2, \"winner\": 0, \
         \"names\": [\"a\", \"b\"], \"scores\": [null, 12], \"analysis\": [{{\"ply\": 3}}], \
         \"reason\": \"time\"}}",
        registry::main_game().rules.name,
        list.join(", ")
    );
    let position = "WFNADAAA/DDFD1AAA/8/2A5/8/8/aaaaddda/aadaffnw - 3";
    vec![
        moves,
        format!("320661 blue-timeout {SETUPS} b5d3"),
        format!("g7 red {position} h3f3"),
        json,
    ]
}

proptest! {
    #[test]
    fn any_line_is_parsed_or_rejected(bytes in prop_oneof![
        1 => any_bytes(200),
        1 => any_bytes(200).prop_map(|bytes| [b"{\"moves\":", &bytes[..]].concat()),
        4 => proptest::sample::select(lines()).prop_flat_map(|line| mutated(line.into_bytes())),
    ]) {
        match parse(&String::from_utf8_lossy(&bytes)) {
            Ok(Some(record)) => {
                prop_assert!(record.scores.keys().all(|&number| number <= record.moves.len()));
                // Whether the moves are legal is checked by the replay.
                if let Ok(game) = record.replay() {
                    prop_assert!(game.texts().len() >= record.moves.len());
                    Outcome::of(record.game, game.as_ref());
                }
            }
            Ok(None) => {}
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn the_mutated_lines_are_valid_records() {
    lines().iter().for_each(|line| assert!(replayed(&record(line)).ply() >= 3, "{line}"));
}
