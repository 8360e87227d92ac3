use super::*;
use crate::engine::rng::Rng;
use crate::engine::score::{lost_in, win_in};
use crate::games::chess960::game::Game;
use crate::tools::contracts::analysis::to_note;
use crate::tools::contracts::record::{Outcome, Record};
use crate::tools::contracts::score_note::ScoreNote;
use crate::tools::contracts::GameState;
use crate::tools::labs::chess960::rules::RULES;
use std::collections::BTreeMap;

const TWO_GAMES: &str = r#"% a comment of no game
[Event "Casual \"rapid\" game"]
[White "Anna"]
[Black "?"]
[Result "1-0"]

1. e4! e5 { a comment
over two lines } 2. Bc4 (2. Nf3 Nc6 (2... d6 $1)) Nc6 $6 ; to the end of the line 3. a4
3.Qh5 Nf6?? 4.Qxf7# 1-0

[Variant "Fischerandom"]
[SetUp "1"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]
1. f3 {+0.35/12 0.1s} f6 {-M3/9} 2. O-O? {[%eval #-3]} *
"#;

/// Parses a text; returns all games and errors with their line numbers.
pub fn found(text: &str) -> Vec<(usize, anyhow::Result<Record>)> {
    let mut found = Vec::new();
    let read = reader::read(&mut text.as_bytes(), &mut |game| {
        found.push((game.line, game.record));
        Ok(())
    });
    read.expect(text);
    found
}

fn games(text: &str) -> Vec<(usize, Record)> {
    found(text).into_iter().map(|(line, record)| (line, record.expect(text))).collect()
}

#[test]
fn two_games_are_read_with_all_their_parts() {
    let text = TWO_GAMES.replace("2. O-O? {[%eval #-3]} *", "2. Nc3 {[%eval #-3]} *");
    let found = games(&text);
    let [(line, first), (second_line, second)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((*line, *second_line), (2, 11));
    assert_eq!(first.moves, ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]);
    assert_eq!(first.outcome, Some(Outcome::won("white")));
    assert_eq!(first.players, [Some("Anna".to_string()), None]);
    assert_eq!(first.start, None);
    assert_eq!(second.moves, ["f2f3", "f7f6", "d1c3"]);
    assert!(second.start.as_ref().is_some_and(|start| start.starts_with("bbqnnrkr/")));
    assert_eq!((second.outcome.as_ref(), second.scores.len()), (None, 3));
    assert_eq!((second.scores[&1], second.scores[&2]), (35, lost_in(6)));
    // After White's move, from White's point of view: Black is to move and mates in 3.
    assert_eq!(second.scores[&4], win_in(5));
    assert!(first.replay().is_ok());
}

#[test]
fn remarks_and_errors_name_their_lines() {
    // Text, expected message, and number of moves read of each game.
    let cases: [(String, &str, &[usize]); 15] = [
        (TWO_GAMES.to_string(), "line 14: move 2. \"O-O\": illegal", &[7, 2]),
        (TWO_GAMES.replace("3.Qh5", "3.Qg5"), "line 9: move 3. \"Qg5\": illegal", &[4, 2]),
        ("1. e4\n{ never\n e5 *".to_string(), "line 2: the comment is not closed", &[1]),
        (TWO_GAMES.replace("$1))", "$1)"), "line 2: a variation is not closed", &[3, 2]),
        (TWO_GAMES.replace("Nc6 $6", "Nc6) $6"), "line 8: \")\" ends no variation", &[7, 2]),
        (TWO_GAMES.replace("[White \"Anna\"]", "[White Anna]"), "line 3: malformed tag ", &[7, 2]),
        (
            TWO_GAMES.replace("Fischerandom", "Crazyhouse"),
            "line 14: variant \"Crazyhouse\"",
            &[7, 0],
        ),
        (TWO_GAMES.replace("RKR w", "RKR x"), "line 14: tag FEN: not a FEN: side \"x\"", &[7, 0]),
        (
            "1. e4 e5 2. Z0 *".to_string(),
            "line 1: move 2. \"--\": a null move is allowed only in a variation",
            &[2],
        ),
        ("1. e4 e5 [x 2. d4 *".to_string(), "line 1: malformed tag \"[x 2. d4 *\", ignored", &[2]),
        (
            "1. e4 e5 2. 0-0 d5 *".to_string(),
            "line 1: move 2. \"0-0\": illegal: the piece on",
            &[2],
        ),
        ("1. e4 *\n\n\n[X \"\"]\n{x".to_string(), "line 5: the comment is not closed", &[1, 0]),
        ("{alone}\n; so is this".to_string(), "line 1: a comment without a game", &[0, 0]),
        ("hello\n\n1. e4 *".to_string(), "line 1: not a game: move 1. \"hello\": not a", &[1]),
        ("1. e4 *\n\nhello".to_string(), "line 3: not a game: move 1. \"hello\": not a", &[1, 0]),
    ];
    for (text, expected, counts) in cases {
        let found = found(&text);
        let said = found.iter().flat_map(|(line, record)| match record {
            Ok(record) => record.remarks.clone(),
            Err(error) => vec![format!("line {line}: {error:#}")],
        });
        let said: Vec<String> = said.collect();
        assert!(
            said.iter().any(|text| text.starts_with(expected)),
            "{said:?} instead of {expected}"
        );
        let count = |record: &Record| {
            record.moves.iter().filter(|text| !["draw", "resign"].contains(&text.as_str())).count()
        };
        let left: Vec<usize> = found.iter().map(|(_, r)| r.as_ref().map_or(0, count)).collect();
        assert_eq!(left, counts, "{text}");
    }
}

#[test]
fn results_of_games_round_trip() {
    let cycle = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    let timed = |words: &str| format!("[Termination \"{words}\"]\n\n1. e4 0-1");
    // Text, outcome, and parts of the written game.
    for (text, outcome, parts) in [
        ("1. e4 e5 1/2-1/2", Some("draw"), &["e5 1/2-1/2\n"][..]),
        ("1. e4 e5 2. d4 1-0", Some("white"), &["[Result \"1-0\"]", "2. d4 1-0\n"]),
        ("1. e4 e5 1-0", Some("white"), &["[Result \"1-0\"]"]),
        (&timed("Time forfeit"), Some("black-time_forfeit"), &["[Termination \"Time forfeit\"]"]),
        (&timed("X won by resignation"), Some("black-resigned"), &["\"X won by resignation\"]"]),
        (&timed("normal"), Some("black"), &["[Termination \"normal\"]"]),
        // The arena would call it a draw long before, or after it.
        (&format!("1. {cycle} e4 *"), None, &["[Result \"*\"]", "9. e4 *\n"]),
        (&format!("1. {cycle} *"), None, &["[Result \"*\"]"]),
        (&format!("1. {cycle} 0-1"), Some("black"), &["[Result \"0-1\"]"]),
        ("1. f3 e5 2. g4 Qh4# *", None, &["Qh4# *\n"]),
        ("1. f3 e5 2. g4 Qh4#0-1", Some("black"), &["Qh4# 0-1\n"]),
        ("1. e4 e5 2. Nf3 Nc61/2-1/2", Some("draw"), &["Nc6 1/2-1/2\n"]),
        ("[Result \"0-0\"]\n\n1. e4 e5 0-0", None, &["[Result \"0-0\"]", "e5 *\n"]),
        ("1. e4 e5 0-0\n\n[Event \"next\"]", None, &["[Event \"?\"]", "e5 *\n"]),
    ] {
        let (_, record) = games(text).swap_remove(0);
        assert_eq!(record.outcome.clone().map(String::from).as_deref(), outcome, "{text}");
        assert!(record.remarks.is_empty(), "{text}: {:?}", record.remarks);
        let written = writer::write(&record).expect("written");
        assert!(parts.iter().all(|part| written.contains(part)), "{text}: {written}");
        assert_eq!(games(&written)[0].1.outcome, record.outcome);
    }
}

#[test]
fn tags_of_positions_and_variants_are_written() {
    let classical = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let late = "4k3/8/8/8/8/8/4P3/4K2R w K - 120 131";
    let inner = "4k3/8/8/8/8/8/8/R1R1K2R w KC - 0 1";
    for (tags, variant, position) in [
        (format!("[FEN \"{classical}\"]"), None, Some(classical)),
        ("[Variant \"Chess960\"]".to_string(), Some("Chess960"), None),
        (format!("[Variant \"frc\"]\n[FEN \"{classical}\"]"), Some("frc"), Some(classical)),
        (format!("[FEN \"{}\"]", late.replace('K', "Kq")), None, Some(late)),
        (format!("[FEN \"{}\"]", inner.replace("KC", "HC")), None, Some(inner)),
    ] {
        let tags = tags.replace("4Kq2R", "4K2R");
        let (_, record) = games(&format!("{tags}\n\n*\n")).swap_remove(0);
        let written = writer::write(&record).expect("written");
        for (name, value) in [("Variant", variant), ("FEN", position)] {
            let tag = written.lines().find_map(|line| line.strip_prefix(&format!("[{name} \"")));
            assert_eq!(tag, value.map(|value| format!("{value}\"]")).as_deref(), "{written}");
        }
        assert_eq!(games(&written)[0].1.start, record.start);
    }
    // A start position gets the tag of Chess960 if its castling differs from classical chess.
    for (number, is_named) in [("518", false), ("0", true)] {
        let record = Record::new(&RULES, None, vec![format!("start{number}")]);
        assert_eq!(writer::write(&record).expect("written").contains("Chess960\"]"), is_named);
    }
}

#[test]
fn written_games_round_trip() {
    let mut rng = Rng::new(5);
    let mut ended = 0;
    for number in 0..60 {
        let mut game = Game::default();
        game.play(&format!("start{}", rng.below(960))).expect("a start");
        while game.outcome().is_none() {
            let text = game.random_move(&mut rng).expect("a move");
            game.play(&text).expect("legal");
        }
        ended += usize::from(game.outcome().is_some_and(|outcome| outcome.winner.is_some()));
        let mut record = Record::new(&RULES, None, game.texts().to_vec());
        record.id = Some(number.to_string());
        record.players = [Some("A \"quoted\" \\ name".to_string()), Some("B".to_string())];
        record.scores = (2..=game.texts().len()).map(|ply| (ply, 35 - 7 * ply as i32)).collect();
        let text = writer::write(&record).expect("written");
        assert!(
            is_of_form(&text) && text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
        let (_, found) = games(&text).swap_remove(0);
        assert_eq!(found.moves, game.texts()[1..], "{text}");
        assert!(text.contains(&format!("[Round \"{number}\"]")) && found.id.is_none());
        assert_eq!(found.players, record.players);
        assert_eq!(found.scores.len(), record.scores.len());
        assert_eq!(found.scores[&5], record.scores[&6]);
        let both = format!("{text}{text}");
        assert_eq!(games(&both).len(), 2);
    }
    assert!(ended > 0);
}

#[test]
fn records_and_other_texts_are_no_pgn() {
    for text in
        ["1 white e2e4", "{\"moves\":[]}", "start518 e2e4", "# [x]", "11 12 14 L", "", "e4 e5"]
    {
        assert!(!is_of_form(text), "{text}");
    }
    for text in ["\u{feff}[Event \"x\"]", "1. e4", "\n\n 1.e4", "; a comment\n1. e4"] {
        assert!(is_of_form(text), "{text}");
    }
}

#[test]
fn moves_and_results_are_read_in_many_spellings() {
    let written = |text: &str| {
        let record = games(text).swap_remove(0).1;
        assert_eq!(record.remarks, [""; 0], "{text}");
        record
    };
    for (text, moves) in [
        ("1\u{2026} e5", None),
        ("1. e4\u{b1} e5+\u{2212} 2. Nf3\u{2192} Nc6 *", Some("e2e4 e7e5 g1f3 b8c6")),
        ("1.e4 1\u{2026}e5 2.\u{2658}f3 \u{265e}c6 *", Some("e2e4 e7e5 g1f3 b8c6")),
        (
            "1. e2-e4 e7\u{2013}e5 2. Bf1c4 Nc6 3. Qh5 Nf6 4. Bxf7\u{2020} *",
            Some("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 c4f7"),
        ),
        ("1. e4 d6 2. e5 d5 3. exd6ep exd6 *", None),
        ("1. e4 a6 2. e5 d5 3. exd6ep exd6 *", Some("e2e4 a7a6 e4e5 d7d5 e5d6 e7d6")),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. exd6 *", Some("e2e4 a7a6 e4e5 d7d5 e5d6 e7d6")),
        (
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O\u{2011}O O\u{2013}O *",
            Some("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1 e8h8"),
        ),
        (
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0\u{2212}0 o-o *",
            Some("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1 e8h8"),
        ),
        ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8(Q) *", Some("a7a8q")),
        ("[Fen \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=R+! *\u{1a}", Some("a7a8r")),
        ("\u{feff}[FEN \"?\"]\n[Variant \"Classical\"]\n\n1. e4 \u{feff}e5N *", Some("e2e4 e7e5")),
    ] {
        if let Some(moves) = moves {
            assert_eq!(written(text).moves.join(" "), moves, "{text}");
        }
    }
    for (text, outcome) in [
        ("1. e4 e5 \u{bd}-\u{bd}", "draw"),
        ("1. e4 e5 \u{bd}\u{2013}\u{bd}", "draw"),
        ("1. e4 e5 1/2", "draw"),
        ("1. e4 e5 1/2 - 1/2", "draw"),
        ("1. e4 1\u{2013}0", "white"),
        ("1. e4 1 \u{2212} 0", "white"),
        ("1. e4 e5 0\u{2010}1", "black"),
    ] {
        assert_eq!(written(text).outcome.map(String::from).as_deref(), Some(outcome), "{text}");
    }
}

#[test]
fn variant_names_are_read_and_bad_tags_reported() {
    let fen = "[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]";
    for name in ["FRC", "Freestyle", "Chess - Chess960", "chess 960", "Fischer Random", "?", ""] {
        let (_, record) = games(&format!("[Variant {name:?}]\n{fen}\n\n1. f3 *")).swap_remove(0);
        assert_eq!((record.moves.len(), record.remarks.len()), (1, 0), "{name}");
        assert!(record.start.is_some_and(|start| start.starts_with("bbqnnrkr/")), "{name}");
    }
    let (_, record) = games("[Variant \"Chess960\"]\n\n1. e4 *").swap_remove(0);
    assert!(record.remarks[0].contains("no tag FEN"), "{:?}", record.remarks);
    for tag in ["[Time Control \"5+3\"]", "[]", "[White \"A\"", "[White A\"]", "[ \"x\"]"] {
        let (_, record) = games(&format!("[Black \"B\"]\n{tag}\n\n1. e4 e5 *")).swap_remove(0);
        assert_eq!(
            (record.moves.len(), record.remarks.len()),
            (2, 1),
            "{tag}: {:?}",
            record.remarks
        );
        assert_eq!(record.players[1].as_deref(), Some("B"));
    }
}

#[test]
fn a_comment_that_begins_like_a_score_keeps_its_text() {
    for (comment, score) in [
        ("+0.35/12 0.1s", Some(35)),
        ("+0.35/12", Some(35)),
        ("0.00/20 1.234s, White mates", Some(0)),
        ("-0.35/12 0.1s, n=12, sd=4", Some(-35)),
        ("+0.35", Some(35)),
        ("-M3/9 12s", Some(lost_in(6))),
        ("+0.35 is what he said", None),
        ("0.5 points ahead", None),
        ("+0.35 +0.40 or so", None),
        ("-.", None),
        ("+M", None),
        ("12.5s", None),
        ("[%eval 0.35,12] good", None),
    ] {
        let (_, record) = games(&format!("1. e4 {{{comment}}} e5 *")).swap_remove(0);
        assert_eq!(record.scores.get(&1).copied(), score, "{comment}");
        assert_eq!(record.annotations.comments[&1], comment);
        let written = writer::write(&record).expect("written");
        assert!(written.contains(&format!("1. e4 {{{comment}}}")), "{written}");
        let (_, again) = games(&written).swap_remove(0);
        assert_eq!((&again.scores, &again.annotations), (&record.scores, &record.annotations));
    }
}

#[test]
fn an_analysis_is_scored_for_white_after_the_moves() {
    let text = "{[%eval 9.99] first} 1. f3 {[%clk 0:01:00] [%eval 9.99] text} e5 2. g4 *";
    let (_, mut record) = games(text).swap_remove(0);
    let depth = Some(7);
    let notes = [(1, 20), (2, -45), (3, -60), (4, lost_in(1))];
    let note = |(ply, score)| to_note(&ScoreNote { ply, score, depth, ..ScoreNote::default() });
    record.notes = notes.into_iter().map(note).collect();
    let written = writer::write(&record).expect("written");
    let expected = "{[%eval 0.20,7] first} 1. f3 {[%eval -0.45,7] [%clk 0:01:00] text} \
                    1... e5 {[%eval -0.60,7]} 2. g4 {[%eval #-1,7]} *";
    assert_eq!(movetext(&written), expected);
    let again = games(&written).swap_remove(0).1;
    assert_eq!(again.scores, BTreeMap::from([(1, 20), (2, 45), (3, -60), (4, win_in(1))]));
}

/// Returns the moves of a written game in one line.
fn movetext(written: &str) -> String {
    written.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ")
}

#[test]
fn annotations_are_kept_or_reported() {
    let long = "1. e4 e5 2. Bc4 Nf6 3. Nf3 Bc5 4. O-O O-O *";
    let foreign = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Bc5 4. Qe2 Qg5 *";
    let tag = "{see [Event \"x\"] there}";
    // Text, moves as written, and remark.
    for (text, expected, remark) in [
        ("1. Nf3! $1 Nf6 $13 $18 $139", "1. Nf3 $1 Nf6 $13 $18 $139 *", ""),
        ("1. e4?? $4 e5+- N", "1. e4 $4 e5 $18 $146 *", ""),
        ("1. e4!?± e5 2. Nf3 D Nc6", "1. e4 $5 $16 e5 2. Nf3 $220 Nc6 *", ""),
        ("1. e4 <res> e5", "1. e4 e5 *", "\"res\": not a move, ignored"),
        ("1. e4 e5 2. f4 ch", "1. e4 e5 2. f4 *", "\"ch\": not a move, ignored"),
        ("1. e4 e5 (1... -- 2. d4) 2. f4", "1. e4 e5 (1... -- 2. d4) 2. f4 *", ""),
        ("1. e4 e5 ({A threat} 1... Z0!)", "1. e4 e5 ({A threat} 1... -- $1) *", ""),
        ("1. e4 e5 (1... @@@@ 2. null d5)", "1. e4 e5 (1... -- 2. -- d5) *", ""),
        ("1. e4 f5 2. Qh5+ g6 (2... -- 3. d4)", "1. e4 f5 2. Qh5+ g6 *", "a king in check can't"),
        ("1.e4!e5 2.Nf3?!Nc6 3.Bb5\u{b1}a6", "1. e4 $1 e5 2. Nf3 $6 Nc6 3. Bb5 $16 a6 *", ""),
        ("1.e4!1...e5!?2.Nf3+-Nc6", "1. e4 $1 e5 $5 2. Nf3 $18 Nc6 *", ""),
        ("1.e4 d6 2.Bb5+Nc6 3.Bxc6+!?bxc6", "1. e4 d6 2. Bb5+ Nc6 3. Bxc6+ $5 bxc6 *", ""),
        ("1. e4!{x}e5", "1. e4 $1 {x} 1... e5 *", ""),
        ("1. ee4 ee5 2. Bf1c4 Ng8f6 3. Ng1f3 Bf8c5 4. OO OO", long, ""),
        ("1. e4 e5 2. Sf3 Cc6 3. Lb5 Fc5 4. De2 Dg5", foreign, ""),
        ("1. e4 e5 2. Cf3 Cc6 3. Ab5", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *", ""),
        (&format!("1. e4 {} e5", tag.replace(' ', "\n")), &format!("1. e4 {tag} 1... e5 *"), ""),
        ("1. e4 {a { b} e5", "1. e4 {a { b} 1... e5 *", ""),
    ] {
        let text = text.replace("[Event\n", "[Event ");
        let (_, record) = games(&format!("{text} *")).swap_remove(0);
        let said = record.remarks.concat();
        assert!(said.contains(remark) && said.is_empty() == remark.is_empty(), "{text}: {said}");
        let written = writer::write(&record).expect("written");
        assert_eq!(movetext(&written), expected, "{text}");
    }
}

/// With an algorithm of quadratic time each of these texts would take hours.
#[test]
fn very_long_lines_are_read_in_linear_time() {
    // An underscore stands for a blank within a part.
    let parts = r#"( ) [ ] [] [a_" [a_"" ["" { {} ; $ a( a) a(Q) e4 1. 1/2 ½ !_ e4_ (e4)_ 1._e4_( 1_- " \ } % - +- ..."#;
    let parts = parts.split(' ').map(|part| part.replace('_', " "));
    let ends = ["\0", "[A \"b\"]", "[A \"b\"]\r", "\r"].map(String::from);
    for part in parts.chain(ends) {
        for begin in ["", "1. e4 ", "[Event \"x\"]\r\r1. e4 "] {
            let text = begin.to_string() + &part.repeat((1 << 20) / part.len());
            let found = found(&text);
            for (_, record) in found {
                let Ok(record) = record else { continue };
                assert!(record.tags.len() <= 500 && record.remarks.len() <= 25, "{part}");
                writer::write(&record).expect("written");
            }
        }
    }
    let tags: String = (0..300_000).map(|number| format!("[Tag{number} \"\"]\n")).collect();
    assert_eq!(games(&(tags + "\n1. e4 *")).len(), 1);
}

#[test]
fn a_game_of_too_many_moves_is_cut() {
    let text = "1. ".to_string() + &"Nf3 Nf6 Ng1 Ng8 ".repeat(6_000);
    let (_, record) = games(&text).swap_remove(0);
    assert_eq!((record.moves.len(), record.is_cut), (20_000, true));
    assert!(record.remarks[0].contains("20000 half-moves"), "{:?}", record.remarks);
}

#[test]
fn castling_with_zeros_is_read_if_legal() {
    let king = "[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n";
    for (tags, text, moves, outcome) in [
        (king, "1. 0-0 Kd7 2. Rad1+ *", "e1h1 e8d7 a1d1", None),
        (king, "1. 0-0-0 *", "e1a1", None),
        (king, "1.0-0!1-0", "e1h1", Some("white")),
        (king, "0-0", "e1h1", None),
        ("[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n[Result \"0-0\"]\n", "0-0", "", None),
        ("[Result \"0-0\"]\n", "0-0", "", None),
        (
            "",
            "1. e4 e5 2. Nf3 Nc6 3. Be2 Nf6 4. 0-0 1-0",
            "e2e4 e7e5 g1f3 b8c6 f1e2 g8f6 e1h1",
            Some("white"),
        ),
    ] {
        let (_, record) = games(&format!("{tags}\n{text}\n")).swap_remove(0);
        assert_eq!((record.moves.join(" ").as_str(), record.remarks.len()), (moves, 0), "{text}");
        assert_eq!(record.outcome.map(String::from).as_deref(), outcome, "{text}");
    }
}

#[test]
fn comments_between_games_stay_with_a_game() {
    let comments = |text: &str| -> Vec<Vec<(usize, String)>> {
        let records = games(text).into_iter().map(|(_, record)| {
            assert_eq!(record.remarks, [""; 0], "{text}");
            record.annotations.comments.into_iter().collect()
        });
        records.collect()
    };
    let said = |place, text: &str| vec![(place, text.to_string())];
    for (text, expected) in [
        ("1. e4 1-0 {time}\n\n[White \"A\"]\n\n1. d4 *", vec![said(1, "time"), vec![]]),
        ("1. e4 {a} 1-0\n{b} {c}\n\n1. d4 *", vec![said(1, "a b c"), vec![]]),
        ("1. e4 1-0 ; time\n1. d4 *", vec![said(1, "time"), vec![]]),
        ("1. e4 1-0\n\n{next}\n\n1. d4 *", vec![vec![], said(0, "next")]),
        ("1. e4 1-0\n\n{next}\n[White \"A\"]\n\n1. d4 *", vec![vec![], said(0, "next")]),
        ("1. e4 1-0\n\n{the end}\n", vec![said(1, "the end")]),
        (
            "{first}\n; second\n[White \"A\"]\n\n{third} 1. d4 *",
            vec![said(0, "first second third")],
        ),
        ("{first}\n[White \"A\"]\n\n[White \"B\"]\n\n1. e4", vec![said(0, "first"), vec![]]),
    ] {
        assert_eq!(comments(text), expected, "{text}");
    }
}

#[test]
fn contradicting_results_are_reported() {
    for (tag, end, outcome) in [("1/2-1/2", "0-1", "black"), ("1-0", "1/2-1/2", "draw")] {
        let (_, record) = games(&format!("[Result \"{tag}\"]\n\n1. e4 e5 {end}")).swap_remove(0);
        let expected = format!(
            "line 1: tag Result {tag:?}: the result after the moves is {end:?}, which is used"
        );
        assert_eq!(record.remarks, [expected]);
        assert_eq!(record.outcome.clone().map(String::from).as_deref(), Some(outcome));
        assert!((FORMAT.judge)(&record).is_err());
        let written = writer::write(&record).expect("written");
        assert!(written.contains(&format!("[Result \"{end}\"]")), "{written}");
    }
    for (tag, end) in [("1-0", "*"), ("*", "1-0"), ("?", "1-0"), ("1:0", "1-0")] {
        let (_, record) = games(&format!("[Result \"{tag}\"]\n\n1. e4 e5 {end}")).swap_remove(0);
        assert_eq!(
            (record.remarks.len(), record.outcome),
            (0, Some(Outcome::won("white"))),
            "{tag}"
        );
    }
}

#[test]
fn failures_become_terminations_of_pgn() {
    for (failure, expected) in [
        (Some("illegal"), "rules infraction"),
        (Some("garbage"), "rules infraction"),
        (Some("wall_time"), "time forfeit"),
        (Some("silence"), "time forfeit"),
        (Some("exit"), "abandoned"),
        (Some("panic"), "abandoned"),
        (None, "normal"),
    ] {
        let outcome = match failure {
            Some(why) => Outcome::failed("white", why),
            None => Outcome::won("white"),
        };
        let mut record = Record::new(&RULES, None, vec!["e2e4".to_string()]);
        record.outcome = Some(outcome);
        let written = writer::write(&record).expect("written");
        assert!(written.contains(&format!("[Termination \"{expected}\"]")), "{written}");
        assert!(written.contains("[PlyCount \"1\"]"), "{written}");
    }
}
