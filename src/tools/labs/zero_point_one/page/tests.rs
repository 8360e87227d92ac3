use super::*;
use crate::tools::commands::replay::page;
use crate::tools::labs::game_reader::parse;

const GAME: &str =
    "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3 a3c5 e5d3 c5a3 ad7 a3c5 d7b5";

fn record(line: &str) -> Record {
    parse(line).expect("a record").expect("not empty")
}

/// Returns the data that the script of the page reads.
fn page_data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("the data element");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn frames_match_the_positions_of_the_game() {
    let record = record(GAME);
    let game = game_of(&record).expect("legal");
    let data = page_data(&page(&record).expect("a page"));
    let frames = data["frames"].as_array().expect("a list");
    assert_eq!(frames.len(), game.positions().len());
    for (frame, position) in frames.iter().zip(game.positions()) {
        let text = |key: &str| frame[key].as_str().unwrap_or_default().to_string();
        let again = format!("{} {} {}", text("board"), text("hands"), frame["ply"]);
        assert_eq!(again, position.to_string());
    }
}

#[test]
fn frames_have_moves_captures_drops_and_threats() {
    let data = page_data(&page(&record(GAME)).expect("a page"));
    let frame = |ply: usize| data["frames"][ply - 2].clone();
    let capture = frame(8);
    assert_eq!(
        (&capture["move"], &capture["from"], &capture["to"]),
        (&"e5d3".into(), &"e5".into(), &"d3".into())
    );
    assert_eq!((&capture["piece"], &capture["takes"]), (&"n".into(), &"A".into()));
    let drop = frame(10);
    assert_eq!(
        (&drop["move"], &drop["from"], &drop["piece"]),
        (&"ad7".into(), &Value::Null, &"a".into())
    );
    // The dropped alfil attacks the wazir on b5.
    assert_eq!((&drop["threat"], &drop["turn"]), (&"b5".into(), &0.into()));
    // The game is over, so no side is to move.
    assert_eq!((&frame(12)["takes"], &frame(12)["turn"]), (&"W".into(), &Value::Null));
}

#[test]
fn scores_belong_to_positions_and_marks_to_moves() {
    let moves: Vec<String> = GAME.split(' ').map(|word| format!("{word:?}")).collect();
    let note = r#"{"ply": 9, "score": -120, "depth": 7, "line": ["b6d4"], "loss": 350, "mark": "allowed-win"}"#;
    let line = format!(r#"{{"moves": [{}], "analysis": [{note}]}}"#, moves.join(","));
    let data = page_data(&page(&record(&line)).expect("a page"));
    let before = &data["frames"][6];
    assert_eq!((&before["view"], &before["detail"]), (&"Score -120".into(), &"depth 7".into()));
    assert!(before["height"].as_f64().is_some_and(|height| (-0.3..-0.2).contains(&height)));
    assert_eq!((&before["line"][0], &before["mark"]), (&"b6d4".into(), &Value::Null));
    let after = &data["frames"][7];
    assert_eq!(
        (&after["mark"], &after["cost"], &after["height"]),
        (&"allowed-win".into(), &"3.5 pieces".into(), &Value::Null)
    );
    assert_eq!(
        (&data["frames"][10]["view"], &data["frames"][10]["height"]),
        (&"Blue has won".into(), &(-1.0).into())
    );
}

#[test]
fn scores_of_a_match_become_notes_for_red() {
    let line = r#"{"type": "game", "match": "m", "game": 7, "names": ["X", "Y"], "winner": null,
        "rules": "zero-point-one", "end": "moves", "opening": 3, "moves": ["A", "b", "C", "d", "E"],
        "scores": [-30, 40]}"#;
    let notes = notes(&record(&line.replace('\n', ""))).expect("scores");
    assert_eq!((find(&notes, 3), notes.len()), (None, 2));
    // Blue's score is negative, so Red's is positive.
    let fourth = find(&notes, 4).expect("scored");
    assert_eq!((fourth.score, fourth.side.as_str()), (30, "blue"));
    assert_eq!(find(&notes, 5).map(|note| (note.score, note.side.as_str())), Some((40, "red")));
}

#[test]
fn text_of_a_record_is_escaped() {
    let evil = "</script><script>alert(1)</script><!--DATA-->";
    let line = format!(
        r#"{{"id": {evil:?}, "red": {evil:?}, "blue": "B&B", "moves": ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"]}}"#
    );
    let page = page(&record(&line)).expect("a page");
    assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert"));
    assert!(page.contains("B&amp;B</title>"));
    assert_eq!(page_data(&page)["players"][0], evil);
}

#[test]
fn outcomes_are_described() {
    let text = |line: &str| {
        let record = record(line);
        outcome_text(&record, &game_of(&record).expect("legal"))
    };
    let setups = "WFNADAAADDFDAAAA aaaadddaaadaffnw";
    assert_eq!(text(GAME), "Blue captures the wazir at move 12");
    assert_eq!(
        text(&format!("x red-timeout {setups} b5d3")),
        "Red has won: Blue has exceeded its time after move 3"
    );
    assert_eq!(text(setups), "2 moves, unfinished");
    assert_eq!(text("1W6/8/8/8/8/8/8/w7 - 102"), "A draw: 102 moves are made");
}
