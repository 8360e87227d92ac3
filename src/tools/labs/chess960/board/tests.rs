use super::*;
use crate::tools::contracts::board::tests::{self, findings};
use crate::tools::labs::game_reader::parse;
use std::collections::BTreeSet;

fn record(start: Option<&str>, moves: &str) -> Record {
    tests::record(&RULES, start, moves)
}

fn last_scene(start: Option<&str>, moves: &str) -> Scene {
    let record = record(start, moves);
    (BOARD.scenes)(&record, record.moves.len()).expect("legal").remove(0)
}

/// The texts of the moves that these spots begin.
fn texts(scene: &Scene, spots: &[&str]) -> Vec<String> {
    let begins = |choice: &&Choice| choice.spots.iter().zip(spots).all(|(one, two)| one == two);
    scene.moves.iter().filter(begins).map(|choice| choice.text.clone()).collect()
}

#[test]
fn a_scene_offers_the_moves_of_the_rules() {
    for start in [
        "r3k2r/1P6/8/8/8/8/p7/R3K2R w KQkq - 0 1",
        "r3k2r/1P6/8/8/8/8/p7/R3K2R b KQkq - 0 1",
        "1rk4r/8/8/8/8/8/8/1R1K2R1 w GBhb - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let scene = last_scene(Some(start), "");
        let spots: BTreeSet<&Vec<String>> =
            scene.moves.iter().map(|choice| &choice.spots).collect();
        assert_eq!(spots.len(), scene.moves.len(), "{start}");
        let begins =
            |one: &Vec<String>, other: &Vec<String>| one != other && other.starts_with(one);
        assert!(!spots.iter().any(|one| spots.iter().any(|other| begins(one, other))));
        let offered: BTreeSet<&String> = scene.moves.iter().map(|choice| &choice.text).collect();
        let game = begin(Some(start)).expect("a position");
        let legal: Vec<String> =
            movegen::moves(game.position()).iter().map(ToString::to_string).collect();
        assert_eq!(offered, legal.iter().collect::<BTreeSet<_>>(), "{start}");
    }
}

#[test]
fn castling_goes_to_the_rook_or_two_files() {
    let classical = last_scene(Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "");
    assert_eq!(texts(&classical, &["e1", "h1"]), ["e1h1"]);
    assert_eq!(texts(&classical, &["e1", "g1"]), ["e1h1"]);
    assert_eq!(texts(&classical, &["e1", "c1"]), ["e1a1"]);
    // From f1 to g1 the king only makes a step, so castling is entered by the rook.
    let other = last_scene(Some("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1"), "");
    assert_eq!(texts(&other, &["f1", "g1"]), ["f1g1"]);
    assert_eq!(texts(&other, &["f1", "h1"]), ["f1h1"]);
    assert_eq!(texts(&other, &["f1", "c1"]), ["f1b1"]);
    let castled = last_scene(Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "O-O");
    assert_eq!(castled.board["text"], json!("e1h1"));
    assert_eq!(castled.board["written"], json!("O-O"));
    assert_eq!((&castled.board["from"], &castled.board["to"]), (&json!("e1"), &json!("g1")));
    let taken = last_scene(None, "e2e4 d7d5 e4d5");
    assert_eq!((&taken.board["takes"], &taken.board["piece"]), (&json!("p"), &json!("P")));
    assert_eq!((&taken.board["number"], taken.turn), (&json!("2."), Some(1)));
}

#[test]
fn scores_of_a_match_become_views_and_mate_ends_it() {
    let line = r#"{"rules":"chess960","moves":["start518","f2f3","e7e5","g2g4","d8h4"],"opening":1,
        "scores":[-20,35,null,29999]}"#;
    let record = parse(&line.replace('\n', " ")).expect("readable").expect("a record");
    let views = views(&record).expect("legal");
    let texts: Vec<_> = views.iter().map(|view| view.text.as_deref()).collect();
    let expected = [
        Some("Score -0.20"),
        Some("Score -0.35"),
        None,
        Some("Black mates in 1"),
        Some("Black has won"),
    ];
    assert_eq!(texts, expected);
    assert_eq!(views[4].height, Some(-1.0));
}

#[test]
fn promotions_ask_for_the_piece() {
    let white = last_scene(Some("8/P6k/8/8/8/8/8/K7 w - - 0 1"), "");
    assert_eq!(texts(&white, &["a7", "a8"]).len(), 4);
    assert_eq!(texts(&white, &["a7", "a8", "=N"]), ["a7a8n"]);
    let black = last_scene(Some("k7/8/8/8/8/8/p6K/8 b - - 0 1"), "");
    assert_eq!(texts(&black, &["a2", "a1", "=q"]), ["a2a1q"]);
}

#[test]
fn scenes_have_offers_ends_and_start_positions() {
    let offered = last_scene(None, "e2e4=");
    assert!(offered.status.contains("White offers a draw"), "{}", offered.status);
    assert_eq!(offered.board["written"], json!("e4="));
    let agreed = last_scene(None, "e2e4= draw");
    assert!(agreed.end.is_some() && agreed.moves.is_empty());
    assert_eq!((agreed.ply, &*agreed.status), (1, "A draw by agreement"));
    let mate = last_scene(None, "f3 e5 g4 Qh4#");
    assert!(mate.end.is_some_and(|end| end.winner == Some(1)));
    let named = last_scene(None, "start0");
    assert_eq!(named.board["begins"], json!(true));
    assert!(named.position.is_some_and(|fen| fen.starts_with("bbqnnrkr/")));
    assert!((BOARD.scenes)(&record(None, "e2e5"), 0).is_err());
    assert!((BOARD.scenes)(&record(Some("8/8 w"), ""), 0).is_err());
}

#[test]
fn the_analyst_reports_lines_until_it_is_interrupted() {
    for lines in [1, 3] {
        let record = record(None, "e4 e5 Nf3");
        let mut found = findings(&BOARD, &record, lines, |_, found| found.depth == "depth 5");
        let last = found.pop().expect("a finding");
        assert_eq!((last.lines.len(), &*last.depth), (lines, "depth 5"), "{last:?}");
        assert!(last.lines.windows(2).all(|pair| pair[0].height <= pair[1].height), "{last:?}");
        let firsts: BTreeSet<&String> = last.lines.iter().map(|line| &line.moves[0]).collect();
        assert_eq!(firsts.len(), lines);
        let mut game = game_with_passes(&record).expect("legal");
        assert!(last.lines[0].moves.iter().all(|text| replay::play(&mut game, text).is_ok()));
    }
    // Once a mate is found, the search ends by itself.
    let mate = record(Some("7k/6pp/8/8/8/8/8/K3R3 w - - 0 40"), "");
    let mate = findings(&BOARD, &mate, 1, |_, _| false).pop().expect("a finding");
    assert_eq!((&*mate.lines[0].score, &*mate.lines[0].moves[0]), ("White mates in 1", "Re8#"));
}

#[test]
fn the_editor_builds_a_position_piece_by_piece() {
    let editor = BOARD.editor.expect("there is one");
    let mut text = editor.empty.to_string();
    for (spot, piece) in [("a1", Some("K")), ("h8", Some("k")), ("c3", Some("N"))] {
        text = (editor.put)(&text, spot, piece).expect("possible");
    }
    assert_eq!(text, "7k/8/8/8/8/2N5/8/K7 w - - 0 1");
    text = (editor.turn)(&text).expect("possible");
    text = (editor.put)(&text, "c3", None).expect("possible");
    assert_eq!(text, "7k/8/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!((editor.draw)(&text).expect("drawn").turn, Some(1));
    for (spot, piece) in [("i1", Some("K")), ("a1", Some("W")), ("K", Some("K")), ("a1", Some(""))]
    {
        assert!((editor.put)(&text, spot, piece).is_err(), "{spot} {piece:?}");
    }
    for bad in ["", "960", "9K/8 w", "7KK w", "8/8/8/8/8/8/8/8/8 w", "8 x", "8/X w"] {
        assert!((editor.draw)(bad).is_err(), "{bad}");
    }
    for (other, expected) in [
        ("\u{feff}4k3/8/8/8/8/8/8/4K3 W - - - -;", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3_b_-_-_143_201", "4k3/8/8/8/8/8/8/4K3 b - - 143 201"),
        ("4k3/8/8/8/8/8/8/4K3 b - - bm Kd7; id \"x\";", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
    ] {
        assert_eq!((editor.read)(other).expect("readable"), expected);
        assert!(begin(Some(expected)).is_ok());
    }
    // The number of a start position is accepted, and a rook's castling right is removed with the rook.
    let classical = (editor.read)("518").expect("a start position");
    assert!(classical.ends_with(" w KQkq - 0 1"), "{classical}");
    let without = (editor.put)(&classical, "h1", None).expect("possible");
    assert!(begin(Some(&without)).is_ok() && without.ends_with(" w Qkq - 0 1"), "{without}");
    let bare = (editor.put)(&classical, "e1", None).expect("possible");
    assert!(bare.contains(" w kq "), "{bare}");
    let inner = "4k3/8/8/8/8/8/8/R1R1K2R w";
    let read = (editor.read)(&format!("{inner} HC - 0 1")).expect("a position");
    assert_eq!(read, format!("{inner} KC - 0 1"));
}

#[test]
fn a_null_move_is_shown_as_a_pass() {
    let record = record(None, "e2e4 -- d2d4");
    let scenes = (BOARD.scenes)(&record, 0).expect("legal");
    let last = |index: usize| scenes[index].last.as_ref().map(|last| (&*last.text, last.mover));
    assert_eq!([last(2), last(3)], [Some(("pass", 1)), Some(("d4", 0))]);
    let plies: Vec<usize> = scenes.iter().map(|scene| scene.ply).collect();
    assert_eq!(plies, [0, 1, 2, 3]);
    assert_eq!(scenes[2].board["number"], "1...");
    assert_eq!((&scenes[3].board["number"], scenes[2].turn), (&"2.".into(), Some(0)));
    // A king in check can't pass.
    let checked = tests::record(&RULES, None, "e2e4 f7f5 d1h5 --");
    assert!((BOARD.scenes)(&checked, 0).is_err());
    let position = game_with_passes(&record).expect("legal");
    assert_eq!(position.position().side(), Colour::Black);
}
