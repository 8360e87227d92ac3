//! Tests of the rules, most of them against a slow reference implementation.

pub mod forced;
mod horizon;
mod mate;
mod reference;

use super::movegen;
use super::position::{Position, MAX_PLIES};
use super::see::{see_at_least, EXCHANGE_VALUE};
use super::setup;
use super::types::{Colour, Hand, Kind, Move, Square};
use crate::engine::rng::Rng;
use reference::Reference;

/// Maximum number of moves in a position, as stated by the rules.
const MAX_MOVES: usize = 256;

/// Returns the moves that a generator emits as sorted texts, and checks that there are no duplicates.
fn listed(position: &Position, generate: impl FnOnce(&mut Vec<Move>)) -> Vec<String> {
    let mut moves = Vec::new();
    generate(&mut moves);
    let mut texts: Vec<String> =
        moves.iter().map(|mv| mv.text(position.side()).to_string()).collect();
    texts.sort();
    for pair in texts.windows(2) {
        assert_ne!(pair[0], pair[1], "duplicate in {}", position);
    }
    texts
}

/// Returns all moves that have an encoding.
fn encodings() -> impl Iterator<Item = Move> {
    (0..=u16::MAX).filter_map(Move::from_bits)
}

/// Checks the generators and all predicates of moves in a position.
fn check_moves(reference: &Reference, position: &Position) {
    let all = reference.moves();
    let found = listed(position, |list| movegen::pseudo_legal(position, |mv| list.push(mv)));
    assert_eq!(found, all, "moves of {}", position);
    assert!(found.len() <= MAX_MOVES);
    let safe: Vec<String> = all.iter().filter(|mv| reference.is_safe(mv)).cloned().collect();
    let found = listed(position, |list| movegen::safe(position, |mv| list.push(mv)));
    assert_eq!(found, safe, "safe moves of {}", position);
    for text in &all {
        let mv = Move::parse(text, position.side()).expect(text);
        assert_eq!(mv.text(position.side()).to_string(), *text);
        assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        assert!(position.is_pseudo_legal(mv), "{} in {}", text, position);
        assert_eq!(position.is_safe(mv), reference.is_safe(text), "{} in {}", text, position);
        assert_eq!(position.is_capture(mv), reference.is_capture(text), "{} in {}", text, position);
        let check = reference.gives_check(text);
        assert_eq!(position.gives_check(mv), check, "{} in {}", text, position);
        let (letter, _) = reference.landing(text);
        assert_eq!(position.moved_kind(mv).letter(), letter.to_ascii_uppercase());
        let next = position.make(mv);
        assert_eq!(next.hash(), next.recomputed_hash(), "hash of {}", next);
    }
}

/// Checks that each stage generates exactly its part of the safe moves.
fn check_stages(reference: &Reference, position: &Position) {
    let all = reference.moves();
    let expect = |keep: &dyn Fn(&str) -> bool| -> Vec<String> {
        all.iter().filter(|mv| reference.is_safe(mv) && keep(mv)).cloned().collect()
    };
    let checkers = position.checkers();
    if checkers.any() {
        let found = listed(position, |l| movegen::evasions(position, checkers, |mv| l.push(mv)));
        assert_eq!(found, expect(&|_| true), "evasions in {}", position);
        return;
    }
    let found = listed(position, |l| movegen::captures(position, |mv| l.push(mv)));
    assert_eq!(found, expect(&|mv| reference.is_capture(mv)), "captures in {}", position);
    let quiet = |mv: &str| !reference.is_capture(mv);
    let found = listed(position, |l| movegen::checks(position, |mv| l.push(mv)));
    let checks = expect(&|mv| quiet(mv) && reference.gives_check(mv));
    assert_eq!(found, checks, "checks in {}", position);
    let calm = |mv: &str| quiet(mv) && !reference.gives_check(mv);
    let found = listed(position, |l| movegen::quiet_board_moves(position, |mv| l.push(mv)));
    assert_eq!(found, expect(&|mv| calm(mv) && mv.len() == 4), "quiet moves in {}", position);
    let found = listed(position, |l| movegen::quiet_drops(position, |mv| l.push(mv)));
    assert_eq!(found, expect(&|mv| calm(mv) && mv.len() == 3), "quiet drops in {}", position);
}

/// Checks the placement, attacks and hash of a position.
fn check_position(reference: &Reference, position: &Position) {
    assert_eq!(position.to_string(), reference.text());
    assert_eq!(reference.text().parse().as_ref(), Ok(position));
    assert_eq!(position.hash(), position.recomputed_hash(), "hash of {}", position);
    for (colour, red) in [(Colour::Red, true), (Colour::Blue, false)] {
        let attacked = movegen::attacked_by(position, colour);
        for place in reference::places() {
            let square = Square::new(place.0 as usize, place.1 as usize);
            assert_eq!(square.to_string(), reference::place_text(place));
            assert_eq!(attacked.has(square), reference.attacks(red, place), "in {}", position);
            assert_eq!(position.board().attackers(square, colour).any(), attacked.has(square));
        }
    }
    let red = reference.is_red_to_move();
    let in_check = reference.wazir(red).map_or(false, |wazir| reference.attacks(!red, wazir));
    assert_eq!(position.checkers().any(), in_check, "check in {}", position);
}

#[test]
fn generators_agree_with_the_reference() {
    let mut rng = Rng::new(1);
    let mut checked_stages = 0;
    for _ in 0..1000 {
        let reference = Reference::random(&mut rng);
        let position: Position = reference.text().parse().expect("a random position");
        check_position(&reference, &position);
        check_moves(&reference, &position);
        check_stages(&reference, &position);
        checked_stages += usize::from(position.checkers().is_empty());
    }
    // In most random positions the wazir is attacked; both cases must be frequent.
    assert!((100..900).contains(&checked_stages), "{}", checked_stages);
}

#[test]
fn random_games_agree_with_the_reference() {
    let mut rng = Rng::new(2);
    let (mut captured, mut full_length) = (0, 0);
    for game in 0..30 {
        let red = setup::random(&mut rng).text(Colour::Red);
        let blue = setup::random(&mut rng).text(Colour::Blue);
        let mut reference = Reference::from_setups(&red, &blue);
        let mut position: Position = reference.text().parse().expect("a position after setups");
        while !position.is_over() {
            check_position(&reference, &position);
            check_moves(&reference, &position);
            check_stages(&reference, &position);
            // Half of the games avoid losing the wazir early.
            let mut moves = reference.moves();
            if game % 2 == 0 && moves.iter().any(|mv| reference.is_safe(mv)) {
                moves.retain(|mv| reference.is_safe(mv));
            }
            let text = &moves[rng.below(moves.len())];
            let mv = Move::parse(text, position.side()).expect(text);
            reference = reference.make(text);
            position = position.make(mv);
        }
        check_position(&reference, &position);
        match position.winner() {
            Some(winner) => {
                captured += 1;
                assert!(reference.wazir(winner != Colour::Red).is_none());
                assert!(reference.moves().is_empty());
                movegen::pseudo_legal(&position, |mv| panic!("{} after the end", mv));
                movegen::safe(&position, |mv| panic!("{} after the end", mv));
            }
            None => {
                full_length += 1;
                assert_eq!(position.ply(), MAX_PLIES);
            }
        }
    }
    assert!(captured > 5 && full_length > 5, "{} {}", captured, full_length);
}

#[test]
fn exactly_the_listed_moves_are_pseudo_legal() {
    let mut rng = Rng::new(3);
    assert_eq!(encodings().count(), 68 * 64);
    for _ in 0..300 {
        let reference = Reference::random(&mut rng);
        let position: Position = reference.text().parse().expect("a random position");
        let mut found: Vec<String> = encodings()
            .filter(|&mv| position.is_pseudo_legal(mv))
            .map(|mv| mv.text(position.side()).to_string())
            .collect();
        found.sort();
        assert_eq!(found, reference.moves(), "in {}", position);
    }
}

#[test]
fn a_null_move_changes_only_the_side() {
    let mut rng = Rng::new(4);
    for _ in 0..200 {
        let mut reference = Reference::random(&mut rng);
        reference.ply = reference.ply.min(MAX_PLIES - 1);
        let position: Position = reference.text().parse().expect("a random position");
        let passed = position.make_null();
        reference.ply += 1;
        assert_eq!(passed.to_string(), reference.text());
        assert_eq!(passed.hash(), passed.recomputed_hash());
        assert_ne!(passed.hash(), position.hash());
    }
}

/// Returns the maximum gain of the side to move by captures on one square, where both sides may stop at any time. The
/// capture of a wazir ends the exchange.
fn best_exchange(position: &Position, square: Square) -> i32 {
    let captured = match position.board().kind_on(square) {
        Some(kind) => EXCHANGE_VALUE[kind.index()],
        None => 0,
    };
    let attackers = position.board().attackers(square, position.side());
    let values = attackers.into_iter().map(|from| {
        let next = position.make(Move::board(from, square));
        captured - if next.winner().is_some() { 0 } else { best_exchange(&next, square) }
    });
    values.max().unwrap_or(0).max(0)
}

#[test]
fn see_agrees_with_a_search_of_all_exchanges() {
    let mut rng = Rng::new(5);
    let mut wins = [0; 2];
    for _ in 0..800 {
        let position: Position = Reference::random(&mut rng).text().parse().expect("random");
        let mut moves = Vec::new();
        movegen::pseudo_legal(&position, |mv| moves.push(mv));
        for mv in moves {
            let attackers = Colour::ALL.map(|side| position.board().attackers(mv.to(), side));
            if attackers.iter().any(|pieces| pieces.count() > 4) {
                continue;
            }
            let next = position.make(mv);
            let gain = position.board().kind_on(mv.to()).map_or(0, |k| EXCHANGE_VALUE[k.index()]);
            if next.winner().is_some() {
                continue;
            }
            let value = gain - best_exchange(&next, mv.to());
            let random = rng.below(601) as i32 - 300;
            // Thresholds near the wazir's value are meaningless.
            let thresholds = [value, value + 1, 0, random];
            for threshold in thresholds.into_iter().filter(|t| t.abs() < 3000) {
                let expected = value >= threshold;
                let found = see_at_least(&position, mv, threshold);
                assert_eq!(found, expected, "{} {} in {}", mv, threshold, position);
            }
            wins[usize::from(value >= 0)] += 1;
        }
    }
    assert!(wins[0] > 1000 && wins[1] > 1000, "{:?}", wins);
}

#[test]
fn random_positions_fill_the_hands() {
    let mut rng = Rng::new(6);
    let mut fullest = Hand::MAX.map(|_| 0);
    for _ in 0..2000 {
        let position: Position = Reference::random(&mut rng).text().parse().expect("random");
        for kind in Kind::DROPPABLE {
            for colour in Colour::ALL {
                let held = position.hand(colour).count(kind);
                fullest[kind.index()] = fullest[kind.index()].max(held);
            }
        }
    }
    assert_eq!(fullest[..2], Hand::MAX[..2], "random positions must fill the hands");
    assert!(fullest[2] >= 7 && fullest[3] >= 14, "{:?}", fullest);
}
