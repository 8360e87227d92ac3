//! Search for a mate in N moves (`go mate N`). It tries all moves of both sides, because the selective search of play
//! may overlook a mate.

use crate::games::chess960::movegen;
use crate::games::chess960::position::Position;
use crate::games::chess960::types::Move;
use std::collections::HashMap;

/// Maximum number of remembered positions.
const MAX_KNOWN: usize = 1 << 22;

/// Result of the search.
#[derive(Debug, PartialEq)]
pub enum Proof {
    /// The moves of a mate that is as short as possible.
    Mate(Vec<Move>),
    /// There is no mate in so few moves.
    Refuted,
    /// The search was stopped.
    Stopped,
}

/// Searches for a mate in at most `most` moves that begins with one of `roots`. `may_continue` is asked at each node.
pub fn prove(
    position: &Position,
    roots: &[Move],
    most: usize,
    may_continue: &mut dyn FnMut() -> bool,
) -> Proof {
    let mut prover = Prover { refuted: HashMap::new(), may_continue, is_stopped: false };
    for moves in 1..=most {
        if let Some(line) = prover.attack(position, roots, moves) {
            return Proof::Mate(line);
        }
        if prover.is_stopped {
            return Proof::Stopped;
        }
    }
    Proof::Refuted
}

struct Prover<'a> {
    /// Positions by their hashes, with the number of moves in which there is no mate.
    refuted: HashMap<u64, usize>,
    may_continue: &'a mut dyn FnMut() -> bool,
    is_stopped: bool,
}

impl Prover<'_> {
    /// Returns the moves of a mate in `moves` moves (at least 1) of the side to move, which plays one of `choices`.
    fn attack(&mut self, position: &Position, choices: &[Move], moves: usize) -> Option<Vec<Move>> {
        // The last move gives check, and earlier checks have the fewest replies.
        let checks = choices.iter().filter(|mv| position.gives_check(**mv));
        let others = choices.iter().filter(|mv| moves > 1 && !position.gives_check(**mv));
        checks.chain(others).find_map(|&mv| {
            let mut line = self.defend(&position.make(mv), moves - 1)?;
            line.insert(0, mv);
            Some(line)
        })
    }

    /// Returns the longest line if each move of the side to move allows a mate in `moves` moves.
    fn defend(&mut self, position: &Position, moves: usize) -> Option<Vec<Move>> {
        self.is_stopped = self.is_stopped || !(self.may_continue)();
        let known = self.refuted.get(&position.hash()).is_some_and(|&count| count >= moves);
        if self.is_stopped || known {
            return None;
        }
        let replies = movegen::moves(position);
        if replies.is_empty() {
            return position.checkers().any().then(Vec::new);
        }
        let line = if moves == 0 { None } else { self.refute(position, &replies, moves) };
        if line.is_none() && !self.is_stopped && self.refuted.len() < MAX_KNOWN {
            self.refuted.insert(position.hash(), moves);
        }
        line
    }

    /// Like [`Prover::defend`], for the legal moves.
    fn refute(&mut self, position: &Position, replies: &[Move], moves: usize) -> Option<Vec<Move>> {
        let mut longest: Vec<Move> = Vec::new();
        for &reply in replies {
            let next = position.make(reply);
            let mut line = self.attack(&next, &movegen::moves(&next), moves)?;
            line.insert(0, reply);
            if line.len() > longest.len() {
                longest = line;
            }
        }
        Some(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess960::position::CastlingRule;

    /// Returns the number of plies of the mate.
    fn plies(fen: &str, most: usize) -> Option<usize> {
        let position = Position::from_fen(fen, CastlingRule::Fide).expect(fen);
        match prove(&position, &movegen::moves(&position), most, &mut || true) {
            Proof::Mate(line) => Some(line.len()),
            Proof::Refuted => None,
            Proof::Stopped => panic!("never stopped"),
        }
    }

    #[test]
    fn mates_are_proved_and_refuted_with_all_moves() {
        for (fen, most, expected) in [
            ("7k/6pp/8/8/8/8/8/K3R3 w - - 0 1", 1, Some(1)),
            ("7k/6pp/8/8/8/8/8/K3R3 w - - 0 1", 3, Some(1)),
            ("7k/8/8/8/8/8/1R6/K1R5 w - - 0 1", 1, None),
            ("7k/8/8/8/8/8/1R6/K1R5 w - - 0 1", 2, Some(3)),
            // Both first moves are quiet: a king's step, and a sacrifice in zugzwang (P. Morphy).
            ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2, Some(3)),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1, None),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, Some(3)),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, None),
            ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", 2, None),
        ] {
            assert_eq!(plies(fen, most), expected, "{fen} in {most}");
        }
    }

    #[test]
    fn a_mate_search_can_be_stopped() {
        let position = Position::from_fen("7k/8/8/8/8/8/1R6/K1R5 w - - 0 1", CastlingRule::Fide);
        let position = position.expect("a position");
        let mut nodes = 0;
        let mut may_continue = || {
            nodes += 1;
            nodes < 5
        };
        let proof = prove(&position, &movegen::moves(&position), 2, &mut may_continue);
        assert_eq!((proof, nodes), (Proof::Stopped, 5));
    }
}
