//! Compares mate-in-one detection with a test of all moves and all answers.

use super::super::mate::mate_in_one;
use super::super::movegen;
use super::super::position::Position;
use super::super::setup;
use super::super::types::{Colour, Move, Origin};
use crate::engine::rng::Rng;

/// Whether a move gives check and every answer leaves the wazir en prise.
fn mates(position: &Position, mv: Move) -> bool {
    let mut has_answer = false;
    movegen::safe(&position.make(mv), |_| has_answer = true);
    position.gives_check(mv) && !has_answer
}

/// Checks a position in which the side to move is not in check. Returns whether it has a mate in one.
fn check(position: &Position) -> bool {
    let found = mate_in_one(position);
    if let Some(mv) = found {
        assert!(position.is_pseudo_legal(mv) && position.is_safe(mv), "{} {}", mv, position);
        assert!(mates(position, mv), "{} {}", mv, position);
    }
    let mut has_mate = false;
    movegen::safe(position, |mv| has_mate |= mates(position, mv));
    assert_eq!(found.is_some(), has_mate, "{}", position);
    has_mate
}

/// Plays random games in which checks and captures are three times as likely as other moves.
#[test]
fn mates_in_one_are_found() {
    let mut rng = Rng::new(34);
    let (mut positions, mut drops, mut moves) = (0, 0, 0);
    for _ in 0..400 {
        let setups = [(); 2].map(|()| setup::random(&mut rng));
        let mut position = Position::from_setups(&setups[0], &setups[1]);
        while !position.is_over() {
            let mut choices = Vec::new();
            movegen::safe(&position, |mv| {
                let lively = position.gives_check(mv) || position.is_capture(mv);
                choices.extend(vec![mv; if lively { 3 } else { 1 }]);
            });
            if choices.is_empty() {
                break;
            }
            if position.checkers().is_empty() {
                positions += 1;
                if check(&position) {
                    let mv = mate_in_one(&position).expect("a mate");
                    let dropped = matches!(mv.origin(), Origin::Hand(_));
                    *(if dropped { &mut drops } else { &mut moves }) += 1;
                }
            }
            position = position.make(choices[rng.below(choices.len())]);
        }
    }
    assert!(positions > 5000 && drops > 100 && moves > 100, "{} {} {}", positions, drops, moves);
}

/// The knight a6 guards the flight b8, the dabbaba the other one. If the knight checks from c7, b8 becomes free, unless
/// another dabbaba guards it too.
#[test]
fn a_knight_that_gives_up_a_flight_does_not_mate() {
    let position = |text: &str| -> Position { text.parse().expect("a position") };
    assert_eq!(mate_in_one(&position("4DN1w/8/8/8/8/8/8/W7 - 40")), None);
    let mate = mate_in_one(&position("4DN1w/8/8/7D/8/8/8/W7 - 40"));
    assert_eq!(mate.map(|mv| mv.text(Colour::Red).to_string()), Some("a6c7".to_string()));
}
