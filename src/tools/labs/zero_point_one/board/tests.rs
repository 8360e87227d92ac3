use super::*;
use crate::tools::contracts::analysis::Mark;
use crate::tools::contracts::board::tests::{self, findings};
use crate::tools::contracts::board::Ending;
use crate::tools::contracts::record::for_first;
use crate::tools::labs::game_reader::parse;
use crate::tools::labs::zero_point_one::rules::RULES;
use std::collections::BTreeSet;

const GAME: &str =
    "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3 a3c5 e5d3 c5a3 ad7 a3c5 d7b5";

fn record(moves: &str) -> Record {
    tests::record(&RULES, None, moves)
}

#[test]
fn a_scene_offers_the_moves_of_the_rules() {
    let scenes = (BOARD.scenes)(&record(GAME), 0).expect("legal");
    assert_eq!(scenes.len(), 13);
    let mut drops = 0;
    for (index, scene) in scenes.iter().enumerate().skip(2).take(10) {
        let texts: BTreeSet<&String> = scene.moves.iter().map(|choice| &choice.text).collect();
        let spots: BTreeSet<&Vec<String>> =
            scene.moves.iter().map(|choice| &choice.spots).collect();
        assert_eq!((texts.len(), spots.len()), (scene.moves.len(), scene.moves.len()));
        // Every offered move can be played, and the next move of the game is among them.
        let words: Vec<&str> = GAME.split(' ').collect();
        let so_far = record(&words[..index].join(" ")).replay().expect("legal");
        for choice in &scene.moves {
            assert!(so_far.copy().play(&choice.text).is_ok(), "{choice:?}");
            drops += usize::from(choice.spots[0].len() == 1);
        }
        assert!(index == 12 || texts.contains(&words[index].to_string()), "{index}");
    }
    assert!(drops > 20);
    let last = scenes.last().expect("the end");
    assert!(last.moves.is_empty() && last.end == Some(Ending { winner: Some(1) }));
    assert!(last.status.contains("Blue has captured"), "{}", last.status);
    // The alfil on d7 attacks the wazir on b5, so leaving the wazir there is risky. In the start position no move is.
    let risky = |index: usize| scenes[index].moves.iter().filter(|choice| choice.is_risky).count();
    assert!(risky(10) > 0 && risky(2) == 0, "{} {}", risky(10), risky(2));
    assert_eq!(scenes[10].reach["d7"], ["b5", "f5"]);
}

#[test]
fn setups_are_arranged_on_the_rows_of_their_side() {
    let words: Vec<&str> = GAME.split(' ').collect();
    for ply in 0..2 {
        let record = record(&words[..ply].join(" "));
        let scene = (BOARD.scenes)(&record, ply).expect("legal").remove(0);
        let setup = scene.setup.expect("a setup is due");
        assert_eq!((setup.spots.len(), &*setup.spots[0]), (16, ["a1", "g1"][ply]));
        assert!(setup.good.len() >= 3, "{:?}", setup.good);
        for (_, text) in &setup.good {
            assert!(record.replay().expect("legal").play(text).is_ok(), "{text}");
        }
    }
}

#[test]
fn the_analyst_reports_lines_until_it_is_interrupted() {
    let words: Vec<&str> = GAME.split(' ').take(5).collect();
    let record = record(&words.join(" "));
    let mut found = findings(&BOARD, &record, 3, |_, found| found.depth == "depth 5");
    let last = found.pop().expect("a finding");
    assert_eq!(last.lines.len(), 3, "{last:?}");
    let mut game = record.replay().expect("legal");
    assert!(last.lines[0].moves.iter().all(|text| game.play(text).is_ok()), "{last:?}");
    assert!(last.lines.iter().all(|line| line.height.abs() <= 1.0 && !line.score.is_empty()));
    // Three different moves, the best first for the side to move.
    let firsts: BTreeSet<&String> = last.lines.iter().map(|line| &line.moves[0]).collect();
    assert_eq!((firsts.len(), record.moves.len() % 2), (3, 1));
    assert!(last.lines.windows(2).all(|pair| pair[0].height <= pair[1].height), "{last:?}");
    // With one line, the analyst searches the same nodes as the player.
    let one = findings(&BOARD, &record, 1, |_, found| found.depth == "depth 8");
    let one = one.last().expect("a finding");
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let game = game_of(&record).expect("legal");
    let plain = Searcher::new(Params::default(), 4).search(&game, limits);
    let text = score_text(for_first(plain.score, game.side().into()));
    assert_eq!((&one.lines[0].score, one.nodes), (&text, plain.nodes));
    assert_eq!(one.lines[0].moves, line_texts(&plain.line, game.side()));
}

#[test]
fn an_immediate_win_is_the_only_line() {
    let found = |start| findings(&BOARD, &tests::record(&RULES, Some(start), ""), 3, |_, _| false);
    let won = found("W7/1F6/2w5/8/8/8/8/8 - 40");
    let lines: Vec<_> =
        won.iter().map(|found| (found.lines.len(), &*found.lines[0].score)).collect();
    assert_eq!(lines, [(1, "Red wins in 1")]);
    assert!(found("WA3A2/A3A3/3A3A/2A3A1/1A3A2/A3A3/3A3A/w1A3A1 - 40").is_empty());
    // The last move of the game.
    let last = found("W7/8/8/8/8/8/8/7w - 101");
    assert_eq!((last.len(), &*last[0].lines[0].score), (1, "Score +0"));
}

#[test]
fn the_editor_builds_a_position_piece_by_piece() {
    let editor = BOARD.editor.expect("there is one");
    let mut text = editor.empty.to_string();
    for (spot, piece) in [("a1", Some("W")), ("h8", Some("w")), ("c3", Some("N")), ("D", Some("D"))]
    {
        text = (editor.put)(&text, spot, piece).expect("possible");
    }
    assert_eq!(text, "W7/8/2N5/8/8/8/8/7w D 2");
    text = (editor.turn)(&text).expect("possible");
    text = (editor.put)(&text, "c3", None).expect("possible");
    text = (editor.put)(&text, "D", None).expect("possible");
    assert_eq!(text, "W7/8/8/8/8/8/8/7w - 3");
    assert_eq!((editor.draw)(&text).expect("drawn").turn, Some(1));
    for (spot, piece) in
        [("i1", Some("W")), ("a1", Some("Q")), ("W", Some("W")), ("a1", Some("WW"))]
    {
        assert!((editor.put)(&text, spot, piece).is_err(), "{spot} {piece:?}");
    }
    for bad in ["", "8 - x", "9W/8 - 2", "8/8/8/8/8/8/8/8/8W - 2", "W7 - 103"] {
        assert!((editor.draw)(bad).is_err(), "{bad}");
    }
}

/// Returns a text of a scene for the page's script.
fn drawn<'a>(scene: &'a Scene, name: &str) -> Option<&'a str> {
    scene.board.get(name).and_then(|text| text.as_str())
}

#[test]
fn scenes_have_moves_captures_drops_and_threats() {
    let scenes = (BOARD.scenes)(&record(GAME), 0).expect("legal");
    let texts = |ply: usize, names: [&str; 4]| names.map(|name| drawn(&scenes[ply], name));
    let capture = texts(8, ["from", "to", "piece", "takes"]);
    assert_eq!(capture, [Some("e5"), Some("d3"), Some("n"), Some("A")]);
    // The dropped alfil attacks the wazir on b5.
    let drop = texts(10, ["from", "piece", "takes", "threat"]);
    assert_eq!(drop, [None, Some("a"), None, Some("b5")]);
    assert_eq!(scenes[10].last.as_ref().map(|last| (&*last.text, last.mover)), Some(("ad7", 1)));
    // The game is over, so no side is to move.
    assert_eq!((drawn(&scenes[12], "takes"), scenes[12].turn), (Some("W"), None));
    let position = scenes[9].position.clone().unwrap_or_default();
    let again = [drawn(&scenes[9], "board"), drawn(&scenes[9], "hands"), Some("9")];
    assert_eq!(again.map(Option::unwrap_or_default).join(" "), position);
}

#[test]
fn scores_belong_to_positions_and_marks_to_moves() {
    let moves: Vec<String> = GAME.split(' ').map(|word| format!("{word:?}")).collect();
    let note = r#"{"ply": 9, "score": -120, "depth": 7, "line": ["b6d4"], "loss": 350, "mark": "allowed-win"}"#;
    let line = format!(r#"{{"moves": [{}], "analysis": [{note}]}}"#, moves.join(","));
    let views = views(&parse(&line).expect("readable").expect("a record")).expect("legal");
    let before = &views[8];
    assert_eq!(
        (before.text.as_deref(), before.detail.as_deref()),
        (Some("Score -120"), Some("depth 7"))
    );
    assert!(before.height.is_some_and(|height| (-0.3..-0.2).contains(&height)));
    assert_eq!((before.line.as_deref(), before.mark), (Some(&["b6d4".to_string()][..]), None));
    let after = &views[9];
    assert_eq!((after.mark, after.cost.as_deref()), (Some(Mark::AllowedWin), Some("3.5 pieces")));
    assert_eq!(after.height, None);
    assert_eq!((views[12].text.as_deref(), views[12].height), (Some("Blue has won"), Some(-1.0)));
}

#[test]
fn scores_of_a_match_become_views_of_red() {
    let moves: Vec<String> = GAME.split(' ').map(|word| format!("{word:?}")).collect();
    let line =
        format!(r#"{{"moves": [{}], "opening": 3, "scores": [-30, 40]}}"#, moves[..5].join(","));
    let views = views(&parse(&line).expect("readable").expect("a record")).expect("legal");
    // Blue's score is negative, so Red's is positive.
    let texts: Vec<_> =
        views.iter().filter_map(|view| Some((view.ply, view.text.as_deref()?))).collect();
    assert_eq!(texts, [(3, "Score +30"), (4, "Score +40")]);
}
