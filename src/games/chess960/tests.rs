//! Rules compared with another library and the arena, and invariants of positions.

use super::checks::Checks;
use super::game::*;
use super::movegen::{self, Wanted};
use super::position::{CastlingRule, Position, MAX_PLIES};
use super::start;
use super::threats::Threats;
use super::types::{Bitboard, Colour, Kind, Move, Square};
use crate::engine::rng::Rng;
use std::collections::HashSet;

fn position(fen: &str) -> Position {
    Position::from_fen(fen, CastlingRule::Arena).expect(fen)
}

fn sorted_texts(position: &Position) -> Vec<String> {
    let mut texts: Vec<String> = movegen::moves(position).iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

/// Calls `check` with the positions of random games from all kinds of start positions.
fn walk(games: usize, rule: CastlingRule, mut check: impl FnMut(&mut Rng, &Position)) {
    let mut rng = Rng::new(960);
    for _ in 0..games {
        let mut position = start::numbered(rng.below(start::COUNT), rule);
        for _ in 0..80 {
            check(&mut rng, &position);
            let moves = movegen::moves(&position);
            match moves.get(rng.below(moves.len())) {
                Some(&mv) => position = position.make(mv),
                None => break,
            }
        }
    }
}

/// The threats of a side agree with `attackers` for every square: all of them, and those of lesser kinds.
#[test]
fn threats_are_the_attacked_squares() {
    let lesser_kinds = |kind: Kind| match kind {
        Kind::Pawn | Kind::King => 0,
        Kind::Knight | Kind::Bishop => 1,
        Kind::Rook => 3,
        Kind::Queen => 4,
    };
    walk(20, CastlingRule::Arena, |_, position| {
        for side in Colour::ALL {
            let threats = Threats::of(position, side);
            for square in (0..64).map(Square::from_index) {
                let all = position.attackers(square, position.occupied());
                let attackers = all & position.colour(side);
                assert_eq!(threats.all.has(square), attackers.any(), "{} {}", position, square);
                for kind in Kind::ALL {
                    let lesser = Kind::ALL[..lesser_kinds(kind)].iter();
                    let by = lesser.fold(Bitboard::EMPTY, |all, &kind| all | position.kind(kind));
                    let is_unsafe = threats.lesser[kind.index()].has(square);
                    assert_eq!(is_unsafe, (attackers & by).any(), "{} {:?}", position, kind);
                }
            }
        }
    });
}

/// The hash that the search prefetches is wrong only after castling, en passant captures and changes of rights.
#[test]
fn the_likely_hash_is_usually_right() {
    let (mut right, mut all) = (0, 0);
    walk(20, CastlingRule::Arena, |_, position| {
        for mv in movegen::moves(position) {
            let next = position.make(mv);
            let is_right = position.likely_hash_after(mv) == next.hash();
            let keeps_rights = position.castling() == next.castling()
                && position.en_passant().is_none()
                && next.en_passant().is_none();
            let is_plain = !mv.is_castling() && !mv.is_en_passant();
            assert!(is_right || !(is_plain && keeps_rights), "{} {}", position, mv);
            right += usize::from(is_right);
            all += 1;
        }
    });
    assert!(all > 10_000 && right * 10 > all * 8, "{} of {}", right, all);
}

#[test]
fn fide_moves_equal_those_of_another_library() {
    let mut rng = Rng::new(7);
    let (mut castlings, mut en_passants) = (0, 0);
    for number in 0..300 {
        let number = number * 16 / 5;
        let mut theirs = cozy_chess::Board::chess960_startpos(number as u32);
        let mut ours = start::numbered(number, CastlingRule::Fide);
        for _ in 0..60 {
            let mut expected = Vec::new();
            theirs.generate_moves(|moves| {
                expected.extend(moves.into_iter().map(|mv| mv.to_string()));
                false
            });
            expected.sort();
            assert_eq!(sorted_texts(&ours), expected, "{}", ours);
            let moves = movegen::moves(&ours);
            castlings += moves.iter().filter(|mv| mv.is_castling()).count();
            en_passants += moves.iter().filter(|mv| mv.is_en_passant()).count();
            let mv = match moves.get(rng.below(moves.len())) {
                Some(&mv) => mv,
                None => break,
            };
            ours = ours.make(mv);
            theirs.play(mv.to_string().parse().expect("a move"));
            let board = theirs.to_string();
            assert_eq!(Some(ours.board_text().as_str()), board.split(' ').next());
        }
    }
    assert!(castlings > 300 && en_passants > 30, "{} {}", castlings, en_passants);
}

#[test]
fn start_positions_have_their_usual_numbers() {
    let mut seen = HashSet::new();
    for number in 0..start::COUNT {
        let ours = start::numbered(number, CastlingRule::Arena);
        let theirs = cozy_chess::Board::chess960_startpos(number as u32);
        // The other library lists kingside castling first.
        let others = |text: String| -> Vec<String> {
            let words = text.split(' ').map(str::to_string).enumerate();
            words.filter(|(index, _)| *index != 2).map(|(_, word)| word).collect()
        };
        assert_eq!(others(ours.to_string()), others(format!("{:#}", theirs)));
        assert!(seen.insert(ours.hash()));
        assert_eq!(start::number_of(&start::first_row(number)), Some(number));
    }
    let classical = start::classical(CastlingRule::Arena);
    assert_eq!(classical, start::numbered(518, CastlingRule::Arena));
    assert_eq!(classical, position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
}

#[test]
fn moves_equal_those_of_the_arena() {
    let cases = include_str!("../../../tests/data/chess960_arena.txt");
    let mut looser = 0;
    for case in cases.lines().filter(|line| !line.starts_with('#')) {
        let (fen, moves) = case.split_once(';').expect(case);
        let found = position(fen);
        assert_eq!(found.to_string(), fen);
        assert_eq!(sorted_texts(&found).join(" "), moves, "{}", fen);
        let strict = Position::from_fen(fen, CastlingRule::Fide).expect(fen);
        looser += usize::from(movegen::count(&strict) < movegen::count(&found));
    }
    assert_eq!(looser, 260);
}

#[test]
fn games_end_as_in_the_arena() {
    let cases = include_str!("../../../tests/data/chess960_games.txt");
    let mut reasons = HashSet::new();
    for case in cases.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = case.split(';').collect();
        let mut game = Game::new(position(parts[0]));
        for text in parts[2].split(' ') {
            assert_eq!(game.outcome(), None, "before {} of {}", text, case);
            game.play(text).expect(case);
        }
        let Outcome { winner, reason } = game.outcome().expect(case);
        let half_points = winner.map_or(1, |colour| 2 - 2 * colour.index());
        let word = match reason {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "repetition",
            Reason::Insufficient => "insufficient",
            Reason::Fifty => "fifty",
            Reason::MaxMoves => "maxmoves",
            Reason::Agreement | Reason::Resignation => "by will",
        };
        assert_eq!(format!("{} {}", half_points, word), parts[1]);
        reasons.insert(word);
    }
    assert_eq!(reasons.len(), 6);
}

#[test]
fn insufficient_material_is_judged_like_the_arena() {
    let cases = include_str!("../../../tests/data/chess960_insufficient.txt");
    for case in cases.lines().filter(|line| !line.starts_with('#')) {
        let (fen, expected) = case.split_once(';').expect(case);
        assert_eq!(is_insufficient(&position(fen)), expected == "1", "{}", fen);
    }
}

#[test]
fn positions_round_trip_and_generators_agree() {
    for rule in [CastlingRule::Arena, CastlingRule::Fide] {
        let mut checks = 0;
        walk(120, rule, |rng, position| {
            // Hash keys, checks and pins computed from scratch.
            let again = Position::from_fen(&position.to_string(), rule);
            assert_eq!(again.as_ref(), Ok(position));
            let all = movegen::moves(position);
            assert_eq!(all.len(), movegen::count(position));
            assert_eq!(movegen::has_moves(position), !all.is_empty());
            let mut parts = Vec::new();
            movegen::each(position, Wanted::Noisy, |mv| {
                assert!(position.is_capture(mv) || mv.promotion().is_some());
                parts.push(mv);
            });
            movegen::each(position, Wanted::Quiet, |mv| {
                assert!(!position.is_capture(mv) && mv.promotion().is_none());
                parts.push(mv);
            });
            let sort = |mut moves: Vec<Move>| {
                moves.sort();
                moves
            };
            assert_eq!(sort(parts), sort(all.to_vec()), "{}", position);
            let found = Checks::new(position);
            for &mv in all.iter() {
                let next = position.make(mv);
                assert_eq!(position.gives_check(mv), next.checkers().any(), "{} {}", position, mv);
                assert_eq!(found.gives(position, mv), next.checkers().any(), "{} {}", position, mv);
                checks += usize::from(next.checkers().any());
            }
            let (mut expected, mut quiet_checks) = (Vec::new(), Vec::new());
            movegen::each(position, Wanted::Quiet, |mv| expected.push(mv));
            expected.retain(|&mv| found.gives(position, mv));
            found.each_quiet(position, |mv| quiet_checks.push(mv));
            assert_eq!(quiet_checks, expected, "{}", position);
            for _ in 0..50 {
                if let Some(mv) = Move::from_bits(rng.next() as u16) {
                    assert_eq!(movegen::is_legal(position, mv), all.contains(&mv));
                }
            }
            if position.checkers().is_empty() {
                let null = position.make_null();
                assert_eq!((null.side(), null.ply()), (!position.side(), position.ply() + 1));
            }
        });
        assert!(checks > 100, "{}", checks);
    }
}

#[test]
fn en_passant_squares_count_only_with_a_capturer() {
    let start = position("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    let after = |start: &Position, text| start.make(parse_move(start, text).expect("legal"));
    let ready = after(&start, "d7d5");
    assert_eq!(ready.to_string(), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    assert_ne!(ready.hash(), position("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2").hash());
    let alone = after(&position("4k3/3p4/8/8/4P3/8/8/4K3 b - - 0 1"), "d7d5");
    assert_eq!(alone.to_string(), "4k3/8/8/3p4/4P3/8/8/4K3 w - d6 0 2");
    assert_eq!(alone.hash(), position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 2").hash());
}

#[test]
fn impossible_positions_are_refused() {
    let wrong = [
        "",
        "x",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w A - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w z - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - z9 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - x 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 -1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
    ];
    for fen in wrong {
        assert!(Position::from_fen(fen, CastlingRule::Arena).is_err(), "{}", fen);
    }
    // Positions with more pieces than a game can have are accepted; only impossible boards are rejected.
    for fen in [
        "4k3/8/8/8/8/PPPPPPPP/8/4KQQ1 w - - 0 1",
        "k7/8/Q6Q/8/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/K7 b - - 0 1",
    ] {
        assert_eq!(position(fen).to_string(), fen);
    }
    let many = position("6rk/6pp/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/KQ1Q1Q1Q w - - 0 1");
    assert!(movegen::moves(&many).len() <= movegen::MAX_MOVES);
    let large = position("4k3/8/8/8/8/8/8/4K3 w - - 4000000000 4000000000");
    assert!(large.ply() > MAX_PLIES);
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more").number(), 1);
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3").to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn x_fen_means_the_outermost_rooks() {
    let one = position("1r2k1rr/8/8/8/8/8/8/1RR1K2R w KQkq - 0 1");
    assert_eq!(one.to_string(), "1r2k1rr/8/8/8/8/8/8/1RR1K2R w BHbh - 0 1");
}

#[test]
fn offers_resignations_and_bad_texts_are_handled() {
    let mut game = Game::default();
    assert_eq!(game.play("draw"), Err(MoveError::NoOffer));
    assert_eq!(game.play("start960"), Err(MoveError::Start));
    game.play("start0").expect("a start position");
    assert_eq!(game.play("start1"), Err(MoveError::Start));
    assert_eq!(game.play("e2e5"), Err(MoveError::Illegal));
    for text in ["", "e2", "e2e4x", "e2e4==", "é2e4", "resigned"] {
        assert_eq!(game.play(text), Err(MoveError::Form), "{}", text);
    }
    game.play("E2E4=").expect("letters of either case");
    assert!(game.is_offered());
    let before = game.clone();
    game.play("e7e5").expect("legal");
    assert!(!game.is_offered());
    let mut agreed = before.clone();
    agreed.play("draw").expect("offered");
    let draw = Outcome { winner: None, reason: Reason::Agreement };
    assert_eq!(agreed.outcome(), Some(draw));
    assert_eq!(agreed.play("e7e5"), Err(MoveError::Over));
    assert_eq!(agreed.texts(), ["start0", "E2E4=", "draw"]);
    assert_eq!(agreed.back_at(2).texts(), before.texts());
    assert_eq!(agreed.back_at(2).position(), before.position());
    game.play("resign").expect("allowed");
    let outcome = Outcome { winner: Some(Colour::Black), reason: Reason::Resignation };
    assert_eq!(game.outcome(), Some(outcome));
}
