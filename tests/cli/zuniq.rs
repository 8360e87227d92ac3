//! Zuniq over real pipes: the referee protocol, and the tools as users run them.

use crate::common::{fails, games, json, printed, run, stdout, succeeds, Bot, NODES};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Moves that draw the border of the board except one wall, which would close a zone of all 25 cells. Black is to move.
const BORDER: &str = "A1h F5h A2h F4h A3h F3h A4h F2h A5h F1h A1v E6v B1v D6v C1v C6v D1v B6v E1v";

fn given(lines: &[&str]) -> Bot {
    Bot::given("play zuniq", lines)
}

fn error_of(bytes: &[u8]) -> String {
    crate::common::refused(&format!("play zuniq {NODES}"), bytes)
}

fn folder(name: &str) -> PathBuf {
    crate::common::folder("zuniq", name)
}

fn texts(game: &Value) -> Vec<&str> {
    game["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect()
}

#[test]
fn claims_are_accepted_and_the_last_move_ends_it() {
    let mut bot = given(&["A1h!"]);
    assert!(bot.hear().is_some_and(|text| text.len() == 3));
    bot.quit();
    // One wall of the border is missing, but there are other moves.
    let mut black = given(&[&format!("Opening {BORDER}")]);
    let text = black.ask("Start");
    assert!(text.len() >= 3, "{text}");
    black.quit();
    let mut white = given(&[&format!("Opening {BORDER}")]);
    white.send("A6v!");
    let log = white.quit();
    assert!(log.contains("over"), "{log}");
}

#[test]
fn bad_openings_exit_with_status_2_and_a_reason() {
    let cases: [(&[u8], &str); 7] = [
        (b"Opening A6h\n", "off the board"),
        (b"Opening G1h\n", "off the board"),
        (b"Opening a1h\n", "expected one like B3h"),
        (b"Opening A1h!!\n", "expected one like B3h"),
        (b"Opening A1h A1h\n", "move 2 \"A1h\": illegal: A1h is drawn already"),
        (
            b"Opening A1h A1v B1h A2v A2h F1h A3v F2h B2h\n",
            "illegal: B2h would close a second zone",
        ),
        (b"Time soon\n", "expected \"Time\""),
    ];
    for (bytes, expected) in cases {
        let message = error_of(bytes);
        assert!(message.contains(expected), "{message}");
    }
    let inside = format!("Opening {BORDER} A6v C3h\n");
    assert!(error_of(inside.as_bytes()).contains("C3h lies in a closed zone"));
}

#[test]
fn a_match_counts_points_claims_and_lengths() {
    let folder = folder("match");
    let program = format!("{} play zuniq --nodes 300", env!("CARGO_BIN_EXE_cupbot"));
    let random = format!("{} random-mover zuniq --seed 4", env!("CARGO_BIN_EXE_cupbot"));
    for (a, b) in [(program.as_str(), random.as_str()), ("self:nodes=300", program.as_str())] {
        let line = format!("match --game zuniq `{a}` `{b}` -n 4 --json --seed 5");
        let summary = json(&run(&folder, &line));
        assert_eq!(summary["games"], 4, "{summary}");
        for player in ["a", "b"] {
            assert_eq!(summary[player]["faults"].as_object().map(|faults| faults.len()), Some(0));
            assert!(summary[player]["facts"]["claims false"].is_null(), "{summary}");
        }
        let sum = |value: fn(&Value) -> f64| value(&summary["a"]) + value(&summary["b"]);
        let points = sum(|player| player["contest_points"].as_f64().expect("points"));
        let bonus = sum(|player| player["facts"]["bonus"].as_f64().unwrap_or(0.0));
        let right = sum(|player| player["facts"]["claims right"].as_f64().unwrap_or(0.0));
        assert!(right > 0.0 && bonus > 0.0, "{summary}");
        assert_eq!(points, 600.0 + bonus, "{summary}");
        assert!(summary["as_white"]["wins"].is_u64() && summary["as_black"]["wins"].is_u64());
        assert!(summary["mean_plies"].as_f64().is_some_and(|mean| mean > 30.0));
    }
    let games = games(&folder.join("matches.jsonl"));
    assert_eq!(games.len(), 8);
    for game in &games {
        let moves = texts(game);
        assert_eq!(game["winner"], ["black", "white"][moves.len() % 2]);
        assert_eq!(game["reason"], "stuck");
    }
    // Both games of a pair have the same opening; other pairs have another. The first four games are the first pairs of
    // both matches.
    let opening = |index: usize| texts(&games[index])[..4].to_vec();
    assert!((1..4).all(|index| opening(index) == opening(0)));
    assert_ne!(opening(0), opening(4));
    let checked = printed(&folder, "check matches.jsonl");
    assert_eq!(checked, "games 8 agree 8 disagree 0\n");
}

#[test]
fn false_claims_are_counted_and_lose_all_points() {
    let folder = folder("claims");
    // This player claims with every move but loses.
    let random = format!("{} random-mover zuniq --seed 1", env!("CARGO_BIN_EXE_cupbot"));
    let boaster = format!("{random} | sed -u 's/$/!/'");
    let line = format!("match --game zuniq `{boaster}` self:nodes=500 -n 2 --json");
    let summary = json(&run(&folder, &line));
    assert_eq!(summary["a"]["facts"]["claims false"], 2.0, "{summary}");
    assert_eq!(summary["a"]["contest_points"], 0.0);
    assert!(summary["b"]["facts"]["claims false"].is_null());
    for game in games(&folder.join("matches.jsonl")) {
        let boasting = usize::from(game["names"][1] == boaster);
        let first = texts(&game).iter().position(|text| text.ends_with('!')).expect("a claim");
        assert!(first < 6 && first % 2 == boasting, "{game}");
        let facts = game["facts"][boasting].as_array().expect("a list of facts");
        assert_eq!(facts.len(), 1, "{game}");
        assert_eq!(
            (&facts[0]["name"], &facts[0]["is_fault"]),
            (&"claims false".into(), &true.into())
        );
    }
}

#[test]
fn check_drives_a_player_and_reports_its_faults() {
    let folder = folder("check");
    let good = format!("{} random-mover zuniq --seed 1", env!("CARGO_BIN_EXE_cupbot"));
    let report = printed(&folder, &format!("check --game zuniq --player `{good}`"));
    assert!(report.ends_with("parts 16 faults 0\n"), "{report}");
    assert!(report.contains("moves marked !: "), "{report}");
    // This filter stops reading after a claim.
    let filter = "while read -r line; do case $line in *!) exit;; *) echo $line;; esac; done";
    let deaf_to_claims = format!("{filter} | {good}");
    let cases = [
        ("exit 3".to_string(), "exited with status 3", "parts 1 faults 1\n"),
        (
            "echo A1h; exec >&-; cat > /dev/null".to_string(),
            "unexpected output \"A1h\"",
            "parts 6 faults 6\n",
        ),
        // As the second side it never answers, which ends the check.
        (deaf_to_claims, "exited with status 0", "parts 4 faults 2\n"),
    ];
    for (player, expected, end) in cases {
        let line = format!("check --game zuniq --player `{player}` --games 2");
        let output = run(&folder, &line);
        let report = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{report}");
        assert!(report.contains(expected), "{expected} in {report}");
        assert!(report.ends_with(end), "{report}");
    }
}

#[test]
fn analysis_proves_the_winner_from_the_last_mistake() {
    let folder = folder("analyse");
    succeeds(&folder, "match --game zuniq self:nodes=30 self:nodes=500 -n 2 --json");
    let first = "analyse matches.jsonl --number 1";
    let value = json(&succeeds(&folder, &format!("{first} --nodes 1000 --json")));
    let notes = value["analysis"].as_array().expect("a list");
    let moves = texts(&value);
    assert_eq!(notes.len(), moves.len());
    for (note, text) in notes.iter().zip(&moves) {
        assert_eq!(note["move"], *text);
    }
    // After the last mistake the winner is proved.
    assert_eq!(notes[notes.len() - 1]["proved"], value["outcome"]);
    let decided = notes.iter().position(|note| note["proved"] == value["outcome"]);
    let decided = decided.expect("a proof");
    assert!(decided < 35, "{decided}");
    let table = printed(&folder, &format!("{first} --nodes 100 --from 30"));
    assert!(table.contains(" wins") && table.contains("points 1"), "{table}");
    assert!(table.ends_with(&format!("outcome {}\n", value["outcome"].as_str().unwrap_or("?"))));
    // Completing the border closes the whole board and wins.
    let table = printed(&folder, &format!("analyse {BORDER} --nodes 1000 --from 20"));
    let row = table.lines().find(|line| line.starts_with(" 20 black")).expect("a row");
    assert!(row.contains("black wins"), "{row}");
}

#[test]
fn perft_counts_walls() {
    let folder = folder("perft");
    let leaves = |arguments: &str| -> Vec<String> {
        let report = printed(&folder, &format!("perft --game zuniq {arguments}"));
        report.lines().filter_map(|line| line.split_whitespace().nth(3).map(String::from)).collect()
    };
    assert_eq!(leaves("3"), ["60", "3540", "205320"]);
    // Each of the 41 remaining walls may be drawn, but none after the last wall of the border.
    assert_eq!(leaves(&format!("1 {BORDER}")), ["41"]);
    assert_eq!(leaves(&format!("2 {BORDER} A6v")), ["0", "0"]);
}

#[test]
fn bad_input_is_rejected_with_a_message() {
    let folder = folder("bad");
    fs::write(folder.join("over"), format!("{BORDER} A6v\n")).expect("a file");
    fs::write(folder.join("wrong"), "A1h\nA1h A1h\n").expect("a file");
    for (line, expected) in [
        ("match --game zuniq self:nodes=5 self:depth=3", "depth"),
        ("match --game zuniq self:nodes=5 self:lmr_base=3", "lmr_base"),
        ("match --game zuniq self:nodes=5 self --depth 3", "depth"),
        ("match --game zuniq self:nodes=5 self:nodes=0", "above 0"),
        ("match --game zuniq self self --openings random:good-setups=1", "good-setups"),
        ("match --game zuniq self self --openings random:plies=31", "at most 30"),
        ("match --game zuniq self self --openings over", "\"over\", line 1: the game is over"),
        ("match --game zuniq self self --openings wrong", "\"wrong\", line 2: move \"A1h\""),
        ("match --game chess self self", "chess"),
        ("random-mover chess", "chess"),
        ("check --game zuniq --player ` `", "shell command"),
        ("analyse A1h A1h", "ply 2 \"A1h\": illegal: A1h is drawn already"),
        ("analyse A1h --net no-net", "no-net"),
        ("analyse A1h --from 9", "--from 9 is after the last move; the game has moves 1 to 2"),
        ("perft --game zuniq 1 Z9h", "off the board"),
        ("replay A1h A1h", "ply 2 \"A1h\": illegal: A1h is drawn already"),
    ] {
        fails(&folder, line, expected);
    }
}
