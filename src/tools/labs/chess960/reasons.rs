//! Reasons for suggested moves, from facts of the position after the move.

use super::notation::{self, kind_name};
use crate::games::chess960::movegen;
use crate::games::chess960::position::Position;
use crate::games::chess960::types::{Kind, Move};
use crate::tools::contracts::analysis::sentence;
use crate::tools::support::text::count_of;

/// Explains the first move of a line in a sentence. `mates_in` is the number of moves to a proved mate.
pub fn reason(
    position: &Position,
    mv: Move,
    (line, mates_in): (&[String], Option<usize>),
) -> String {
    sentence(&notation::san(position, mv), &facts(position, mv, mates_in), line)
}

fn facts(position: &Position, mv: Move, mates_in: Option<usize>) -> Vec<String> {
    let next = position.make(mv);
    let mut facts = Vec::new();
    if is_mate(&next) {
        return vec!["mate".to_string()];
    }
    let is_protected = next.is_attacked(mv.to(), next.side(), next.occupied());
    if let Some(kind) = position.captured(mv) {
        let free = if is_protected { "" } else { ", which is not protected" };
        facts.push(format!("takes the {}{free}", kind_name(kind)));
    }
    if next.checkers().any() {
        facts.push(format!(
            "check, with {} left to the opponent",
            count_of(movegen::count(&next), "move")
        ));
    }
    if let Some(kind) = mv.promotion() {
        facts.push(format!("the pawn becomes a {}", kind_name(kind)));
    }
    if mv.is_castling() {
        facts.push("castles".to_string());
    }
    if let Some(moves) = mates_in {
        facts.push(format!("forces mate in {}", count_of(moves, "move")));
        return facts;
    }
    if !next.checkers().any() {
        facts.extend(threat_of_mate(&next));
    }
    let was_attacked = position.is_attacked(mv.from(), !position.side(), position.occupied());
    if was_attacked && !is_protected && position.captured(mv).is_none() && !mv.is_castling() {
        facts.push(format!("the {} was attacked and is safe there", kind_name(position.moved(mv))));
    }
    if facts.is_empty() {
        facts.extend(target(position, &next, mv));
    }
    if facts.is_empty() {
        facts.extend(scope(position, &next, mv));
    }
    facts
}

fn is_mate(position: &Position) -> bool {
    position.checkers().any() && movegen::count(position) == 0
}

/// Describes a mate that the side that has just moved threatens.
fn threat_of_mate(next: &Position) -> Option<String> {
    let again = next.make_null();
    let mates = |mv: &&Move| is_mate(&again.make(**mv));
    let moves = movegen::moves(&again);
    let mate = moves.iter().find(mates)?;
    Some(format!("threatens {}", notation::san(&again, *mate)))
}

/// Describes how many more squares the moved piece can go to, unless it is a pawn or the king.
fn scope(position: &Position, next: &Position, mv: Move) -> Option<String> {
    let kind = position.moved(mv);
    if next.checkers().any() || [Kind::Pawn, Kind::King].contains(&kind) {
        return None;
    }
    let count = |position: &Position, from| {
        movegen::moves(position).into_iter().filter(|mv| mv.from() == from).count()
    };
    let (before, after) = (count(position, mv.from()), count(&next.make_null(), mv.to()));
    let name = kind_name(kind);
    (after > before)
        .then(|| format!("the {name} has {} there instead of {before}", count_of(after, "move")))
}

/// Describes a piece that the move attacks, also by opening a line: a piece more valuable than its attacker or an
/// unprotected one.
fn target(position: &Position, next: &Position, mv: Move) -> Option<String> {
    let again = next.make_null();
    let before = movegen::moves(position);
    let is_new = |reply: &Move| {
        let is_same = |old: &Move| (old.from(), old.to()) == (reply.from(), reply.to());
        // In check, other captures may have been illegal.
        reply.from() == mv.to() || position.checkers().is_empty() && !before.iter().any(is_same)
    };
    let found = movegen::moves(&again).into_iter().filter(is_new).find_map(|reply| {
        let (kind, taken) = (again.moved(reply), again.captured(reply)?);
        let is_free = !next.is_attacked(reply.to(), next.side(), next.occupied());
        (is_free && taken != Kind::Pawn || taken as usize > kind as usize).then_some((taken, reply))
    });
    found.map(|(taken, reply)| {
        let verb = if reply.from() == mv.to() { "attacks" } else { "opens an attack on" };
        format!("{verb} the {} on {}", kind_name(taken), reply.to())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess960::position::CastlingRule;

    fn explained(fen: &str, text: &str) -> String {
        let position = Position::from_fen(fen, CastlingRule::Arena).expect("a position");
        reason(&position, notation::parse_any(&position, text).expect("legal"), (&[], None))
    }

    #[test]
    fn moves_are_explained_by_what_they_do() {
        for (fen, text, expected) in [
            ("7k/6pp/8/8/8/8/8/K3R3 w - - 0 1", "Re8", "Re8#: mate"),
            (
                "7k/8/8/3q4/8/4N3/8/K7 w - - 0 1",
                "Nxd5",
                "Nxd5: takes the queen, which is not protected",
            ),
            ("6k1/5ppp/8/8/8/8/8/K6R w - - 0 1", "Rd1", "Rd1: threatens Rd8#"),
            ("7k/8/8/8/4r3/8/8/KN6 w - - 0 1", "Nd2", "Nd2: attacks the rook on e4"),
            ("3qk3/4p3/8/6N1/8/8/8/4K3 b - - 0 1", "e5", "e5: opens an attack on the knight on g5"),
        ] {
            assert_eq!(explained(fen, text), expected);
        }
    }
}
