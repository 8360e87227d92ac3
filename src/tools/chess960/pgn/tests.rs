use super::*;
use crate::engine::rng::Rng;
use crate::engine::score::{lost_in, win_in};
use crate::games::chess960::game::Game;
use crate::tools::chess960::{replay, ENTRY};
use crate::tools::game::record::Record;
use crate::tools::game::GameState;

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

fn games(text: &str) -> Vec<(usize, Record)> {
    reader::read(text).expect(text)
}

#[test]
fn several_games_are_read_with_all_that_stands_between_their_moves() {
    let text = TWO_GAMES.replace("2. O-O? {[%eval #-3]} *", "2. Nc3 {[%eval #-3]} *");
    let found = games(&text);
    let [(line, first), (second_line, second)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((*line, *second_line), (2, 11));
    assert_eq!(first.moves, ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]);
    assert_eq!(first.outcome.as_deref(), Some("white"));
    assert_eq!(first.players, [Some("Anna".to_string()), None]);
    assert_eq!(first.start, None);
    assert_eq!(second.moves, ["f2f3", "f7f6", "d1c3"]);
    assert!(second.start.as_ref().is_some_and(|start| start.starts_with("bbqnnrkr/")));
    assert_eq!((second.outcome.as_ref(), second.scores.len()), (None, 3));
    assert_eq!((second.scores[&1], second.scores[&2]), (35, lost_in(6)));
    // Behind White's move, in White's view: Black is to move and mates in 3.
    assert_eq!(second.scores[&4], win_in(5));
    assert!(first.replay().is_ok());
}

#[test]
fn errors_name_their_lines() {
    let cases = [
        (TWO_GAMES.to_string(), "line 14: move 2. \"O-O?\": illegal"),
        (TWO_GAMES.replace("3.Qh5", "3.Qg5"), "line 9: move 3. \"Qg5\": illegal"),
        ("1. e4\n{ never\n e5 *".to_string(), "line 2: the comment has no end"),
        (TWO_GAMES.replace("$1))", "$1)"), "line 8: the variation has no end"),
        (TWO_GAMES.replace("Nc6 $6", "Nc6) $6"), "line 8: \")\" ends no variation"),
        (TWO_GAMES.replace("[White \"Anna\"]", "[White Anna]"), "line 3: expected a tag"),
        (TWO_GAMES.replace("Fischerandom", "Crazyhouse"), "line 11: variant \"Crazyhouse\""),
        (TWO_GAMES.replace("RKR w", "RKR x"), "line 13: tag FEN: no position: side \"x\""),
        ("1. e4 e5 2. -- *".to_string(), "line 1: move 2. \"--\": no move"),
    ];
    for (text, expected) in cases {
        let error = format!("{:#}", reader::read(&text).expect_err(expected));
        assert!(error.contains(expected), "{error} instead of {expected}");
    }
}

#[test]
fn ends_that_the_board_does_not_show_are_those_of_the_arena() {
    let moves = |text: &str| {
        let (_, record) = games(text).swap_remove(0);
        let game = record.replay().expect("legal");
        (record.moves.clone(), record.outcome.clone(), game.end().map(|end| end.reason))
    };
    let (texts, outcome, reason) = moves("1. e4 e5 1/2-1/2");
    assert_eq!((texts[1].as_str(), texts[2].as_str()), ("e7e5=", "draw"));
    assert_eq!((outcome.as_deref(), reason), (Some("draw"), Some("agreement")));
    let (texts, outcome, reason) = moves("1. e4 e5 2. d4 1-0");
    assert_eq!(
        (texts[3].as_str(), outcome.as_deref(), reason),
        ("resign", Some("white"), Some("resign"))
    );
    // Who has the move can't win by the other's resignation in the arena.
    assert_eq!(moves("1. e4 e5 1-0").1.as_deref(), Some("white-unknown"));
    let timed = "[Termination \"time forfeit\"]\n\n1. e4 0-1";
    assert_eq!(moves(timed).1.as_deref(), Some("black-time_forfeit"));
}

#[test]
fn a_game_may_go_on_where_the_arena_ends_it() {
    let cycle = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    let (_, record) = games(&format!("1. {cycle} e4 *")).swap_remove(0);
    let game = replay::game_of(&record).expect("legal chess");
    assert_eq!(game.moves().len(), 17);
}

#[test]
fn what_is_written_reads_back() {
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
        let mut record = Record::new(&ENTRY, None, game.texts().to_vec());
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
        assert_eq!((found.id, found.players), (record.id.clone(), record.players.clone()));
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
