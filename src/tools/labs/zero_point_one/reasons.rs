//! Reasons for suggested moves, from facts of the position after the move.

use crate::games::zero_point_one::attacks::attacks;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Kind, Move, Square};
use crate::tools::contracts::analysis::sentence;
use crate::tools::support::text::count_of;

/// Explains the first move of a line in a sentence. `wins_in` is the number of moves to a proved win.
pub fn reason(
    position: &Position,
    mv: Move,
    (line, wins_in): (&[String], Option<usize>),
) -> String {
    let kind = position.moved_kind(mv).name();
    let action = match mv.from() {
        None => format!("drop the {kind} on {}", mv.to()),
        Some(from) => format!("the {kind} leaps from {from} to {}", mv.to()),
    };
    sentence(&action, &facts(position, mv, wins_in), line)
}

fn facts(position: &Position, mv: Move, wins_in: Option<usize>) -> Vec<String> {
    let captured = position.captured_kind(mv);
    if captured == Some(Kind::Wazir) {
        return vec!["it captures the wazir".to_string()];
    }
    let next = position.make(mv);
    let guards = next.board().attackers(mv.to(), next.side());
    let mut facts = Vec::new();
    if let Some(kind) = captured {
        let free = if guards.is_empty() { ", which is not protected" } else { "" };
        facts.push(format!("it takes the {}{free}", kind.name()));
    }
    if position.gives_check(mv) {
        let squares = flights(&next);
        facts.push(format!(
            "it attacks the wazir, which has {} to go to",
            count_of(squares, "safe square")
        ));
    }
    if let Some(moves) = wins_in {
        facts.push(format!("it wins by force in {}", count_of(moves, "move")));
    } else if let Some(from) =
        mv.from().filter(|from| is_attacked(position, *from) && guards.is_empty())
    {
        facts.push(format!("it was attacked on {from} and is safe on {}", mv.to()));
    }
    if facts.is_empty() {
        facts.extend(target(&next, mv));
    }
    if facts.is_empty() {
        facts.extend(protected(&next, mv));
    }
    facts
}

/// Returns the number of squares to which the wazir of the side to move can go safely.
fn flights(position: &Position) -> usize {
    let mut count = 0;
    movegen::safe(position, |mv| {
        count += usize::from(position.moved_kind(mv) == Kind::Wazir);
    });
    count
}

/// Whether the opponent attacks a square.
fn is_attacked(position: &Position, square: Square) -> bool {
    !position.board().attackers(square, !position.side()).is_empty()
}

/// Describes an attacked piece that the moved piece protects.
fn protected(next: &Position, mv: Move) -> Option<String> {
    let (board, side) = (next.board(), next.side());
    let own = attacks(board.kind_on(mv.to())?, mv.to()) & board.colour(!side);
    let is_attacked = |square: &Square| !board.attackers(*square, side).is_empty();
    let square = own.into_iter().find(is_attacked)?;
    Some(format!("it protects the {} on {square}", board.kind_on(square)?.name()))
}

/// Describes a piece that the moved piece attacks, an unprotected one first.
fn target(next: &Position, mv: Move) -> Option<String> {
    let (board, side) = (next.board(), next.side());
    let kind = board.kind_on(mv.to())?;
    let targets: Vec<Square> = (attacks(kind, mv.to()) & board.colour(side)).into_iter().collect();
    let is_free = |square: &&Square| board.attackers(**square, side).is_empty();
    let (square, word) = match targets.iter().find(is_free) {
        Some(square) => (square, "unprotected "),
        None => (targets.first()?, ""),
    };
    Some(format!("it attacks the {word}{} on {square}", board.kind_on(*square)?.name()))
}
