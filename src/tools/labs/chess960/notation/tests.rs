use super::*;
use crate::engine::rng::Rng;
use crate::games::chess960::position::CastlingRule;
use crate::games::chess960::start;
use std::collections::BTreeSet;

fn position(fen: &str) -> Position {
    Position::from_fen(fen, CastlingRule::Fide).expect(fen)
}

/// Calls `check` for the positions of random games from random starts, by both rules of castling.
fn each_random_position(games: usize, mut check: impl FnMut(&Position)) {
    let mut rng = Rng::new(28);
    for game in 0..games {
        let rule = [CastlingRule::Fide, CastlingRule::Arena][game % 2];
        let mut position = start::numbered(rng.below(start::COUNT), rule);
        for _ in 0..120 {
            check(&position);
            let moves = movegen::moves(&position);
            if moves.is_empty() {
                break;
            }
            position = position.make(moves[rng.below(moves.len())]);
        }
    }
}

#[test]
fn legal_moves_round_trip_in_every_notation() {
    let (mut moves, mut castlings, mut long_origins) = (0, 0, 0);
    each_random_position(60, |position| {
        let mut texts = BTreeSet::new();
        for &mv in &movegen::moves(position) {
            let text = san(position, mv);
            assert_eq!(parse_san(position, &text), Ok(mv), "{text} in {position}");
            assert_eq!(parse_any(position, &text), Ok(mv), "{text} in {position}");
            for is_chess960 in [false, true] {
                let text = uci(mv, is_chess960);
                assert_eq!(parse_uci(position, &text), Ok(mv), "{text} in {position}");
                assert_eq!(parse_any(position, &text), Ok(mv), "{text} in {position}");
            }
            let bare = text.trim_end_matches(['+', '#']).to_string();
            let (king_to, _) = castled(mv.from(), mv.to());
            if mv.is_castling() {
                castlings += 1;
                // By the king's two squares, unless another move is written so.
                let text = format!("{}{king_to}", mv.from());
                let other = game::parse_move(position, &text);
                assert_eq!(parse_uci(position, &text), other.or(Ok(mv)), "{text} in {position}");
            }
            long_origins += usize::from(bare.starts_with(['Q', 'N']) && bare.len() > 5);
            assert!(texts.insert(bare), "{text} twice in {position}");
            moves += 1;
        }
    });
    assert!(moves > 120_000 && castlings > 150, "{moves} {castlings} {long_origins}");
}

#[test]
fn san_follows_the_pgn_standard() {
    let cases = [
        ("7k/8/8/8/8/8/8/R3R2K w - - 0 1", "a1c1", "Rac1"),
        ("7k/R7/8/8/R7/8/8/7K w - - 0 1", "a7a5", "R7a5"),
        ("8/7k/8/Q3Q3/8/8/8/K3Q3 w - - 0 1", "e5c3", "Qe5c3"),
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8#"),
        ("3r3k/4P3/8/8/8/8/8/7K w - - 0 1", "e7d8n", "exd8=N"),
        ("7k/8/8/3pP3/8/8/8/7K w - d6 0 2", "e5d6", "exd6"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", "O-O-O"),
        ("3k4/8/8/8/8/8/8/K2N3R w - - 0 1", "h1h8", "Rh8+"),
        // The pinned knight is not a rival.
        ("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
    ];
    for (fen, uci_text, expected) in cases {
        let position = position(fen);
        let mv = parse_uci(&position, uci_text).expect(fen);
        assert_eq!(san(&position, mv), expected, "{uci_text} in {fen}");
    }
}

#[test]
fn lenient_move_forms_are_parsed() {
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for text in ["O-O", "0-0", "o-o+", "O-O!?"] {
        assert_eq!(
            parse_san(&castling, text).map(|mv| mv.to_string()),
            Ok("e1h1".into()),
            "{text}"
        );
    }
    for text in ["e1g1", "e1h1"] {
        assert_eq!(
            parse_any(&castling, text).map(|mv| mv.to_string()),
            Ok("e1h1".into()),
            "{text}"
        );
    }
    assert_eq!(uci(parse_uci(&castling, "e1a1").expect("legal"), false), "e1c1");
    let promotion = position("3r3k/4P3/8/8/8/8/8/7K w - - 0 1");
    for text in ["exd8=Q", "exd8Q", "ed8=Q", "e7xd8(Q)", "e7d8q", "exd8=Q+", "e7-d8=Q", "Pexd8=Q"] {
        let found = parse_any(&promotion, text).map(|mv| mv.to_string());
        assert_eq!(found, Ok("e7d8q".into()), "{text}");
    }
    let capture = position("7k/8/8/3pP3/8/8/8/7K w - d6 0 2");
    assert!(parse_san(&capture, "exd6e.p.").is_ok());
    let knights = position("7k/8/8/8/8/8/8/1N3N1K w - - 0 1");
    for text in ["Nbd2", "Nb1d2", "N1d2"] {
        let is_clear = text != "N1d2";
        assert_eq!(parse_san(&knights, text).is_ok(), is_clear, "{text}");
    }
}

#[test]
fn invalid_texts_are_rejected_with_a_reason() {
    let position = position("7k/8/8/8/8/8/8/1N3N1K w - - 0 1");
    let refused = |text| parse_any(&position, text).expect_err(text);
    assert!(refused("Nd2").starts_with("ambiguous: Nbd2 or Nfd2"), "{}", refused("Nd2"));
    assert!(refused("Qd2").starts_with("illegal"));
    assert!(refused("O-O").starts_with("illegal"));
    assert!(refused("h1g1q").starts_with("illegal"));
    for text in ["", "N", "d9", "Xd4", "e", "ä", "Nää", "e4e4e4", "==", "Q=Q", "1. e4", "Nf33"] {
        assert!(refused(text).starts_with("not a move"), "{text:?}: {}", refused(text));
    }
}

#[test]
fn a_king_that_moves_one_square_is_not_castling() {
    // From f1 the king castles to g1, where it can also step: the text of two squares means the step.
    let position = position("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1");
    let step = parse_uci(&position, "f1g1").expect("legal");
    assert!(!step.is_castling());
    let castling = parse_uci(&position, "f1h1").expect("legal");
    assert!(castling.is_castling());
    assert_eq!([false, true].map(|is_chess960| uci(castling, is_chess960)), ["f1h1", "f1h1"]);
    assert_eq!([san(&position, step), san(&position, castling)], ["Kg1", "O-O"]);
}

#[test]
fn illegal_moves_name_the_reason() {
    let start = start::classical(CastlingRule::Fide);
    let check = position("4r2k/8/8/8/8/8/8/N3K3 w - - 0 1");
    let castling = position("5rk1/8/8/8/8/8/8/R3K2R w K - 0 1");
    let checked = position("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for (position, text, expected) in [
        (&start, "g1g4", "illegal: a knight can't go from g1 to g4"),
        (&start, "e4e5", "illegal: there is no piece on e4"),
        (&start, "e7e5", "illegal: White is to move"),
        (&start, "Nd5", "illegal: no knight can go to d5"),
        (&start, "Nbf3", "illegal: no knight on the b-file can go to f3"),
        (&start, "e2e4q", "illegal: no pawn on e2 can promote on e4"),
        (&start, "O-O", "illegal: the piece on f1 is in the way of castling"),
        (&start, "e1g1", "illegal: the piece on f1 is in the way of castling"),
        (&castling, "O-O", "illegal: f1, on the king's way, is attacked"),
        (&castling, "O-O-O", "illegal: no right to castle there: the king or that rook has moved"),
        (&checked, "O-O", "illegal: the king can't castle out of check"),
        (&check, "a1b3", "illegal: White is in check, and that does not help"),
    ] {
        assert_eq!(parse_any(position, text), Err(expected.to_string()), "{text}");
    }
}
