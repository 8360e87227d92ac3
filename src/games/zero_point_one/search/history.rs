//! Butterfly, continuation and capture history (J. Schaeffer, "The history heuristic", 1983) with gravity: an update is
//! smaller the closer a value is to its limit. Killers are kept by the searcher.

use super::super::position::Position;
use super::super::types::{Colour, Kind, Move, Origin};
use crate::engine::alpha_beta::with_gravity;

/// A piece-to: the moving piece and the square it moves to: 5 kinds on the board and 4 from the hand, on 64 squares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PieceTo(u16);

/// Number of [`PieceTo`] values.
const PIECE_TOS: usize = 9 * 64;

impl PieceTo {
    /// Returns the piece-to of a pseudo-legal move.
    #[inline(always)]
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        let row = match mv.origin() {
            Origin::Board(_) => position.moved_kind(mv).index(),
            Origin::Hand(kind) => PieceTo::drop_row(kind),
        };
        PieceTo((row * 64 + mv.to().index()) as u16)
    }

    /// Returns the row of the drops of a kind, after those of the five kinds on the board.
    #[inline(always)]
    fn drop_row(kind: Kind) -> usize {
        5 + kind.index()
    }

    /// Its index, below [`PIECE_TOS`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Number of earlier moves used by continuation history: the opponent's last move and the side's last move.
pub const CONTINUATIONS: usize = 2;

/// Piece-tos of the moves that led to a node, the last one first; `None` at the start of the path and for a null move.
pub type Previous = [Option<PieceTo>; CONTINUATIONS];

/// History tables.
#[derive(Clone)]
pub struct History {
    /// By side, origin and target.
    quiet: Vec<[[i16; 64]; Move::ORIGINS]>,
    /// By previous piece-to and piece-to, for each distance.
    continuation: [Vec<[i16; PIECE_TOS]>; CONTINUATIONS],
    /// By side, kind, target and captured kind.
    capture: Vec<[[[i16; 5]; 64]; 5]>,
}

impl History {
    /// Creates an empty history.
    pub fn new() -> History {
        let continuation = vec![[0; PIECE_TOS]; PIECE_TOS];
        History {
            quiet: vec![[[0; 64]; Move::ORIGINS]; 2],
            continuation: [continuation.clone(), continuation],
            capture: vec![[[[0; 5]; 64]; 5]; 2],
        }
    }

    /// Clears the history.
    pub fn clear(&mut self) {
        *self = History::new();
    }

    /// Returns the score of a quiet move.
    #[inline(always)]
    pub fn quiet(&self, side: Colour, mv: Move, piece_to: PieceTo, previous: &Previous) -> i32 {
        let mut score = i32::from(self.quiet[side.index()][mv.origin_index()][mv.to().index()]);
        for (table, before) in self.continuation.iter().zip(previous) {
            if let Some(before) = before {
                score += i32::from(table[before.index()][piece_to.index()]);
            }
        }
        score
    }

    /// Returns the scores of the drops of a kind, by square.
    #[inline(always)]
    pub fn drops(&self, side: Colour, kind: Kind, previous: &Previous) -> [i16; 64] {
        let mut scores = self.quiet[side.index()][Move::drop_origin_index(kind)];
        let row = PieceTo::drop_row(kind) * 64;
        for (table, before) in self.continuation.iter().zip(previous) {
            if let Some(before) = before {
                let continued = &table[before.index()][row..row + 64];
                for (score, more) in scores.iter_mut().zip(continued) {
                    *score = score.saturating_add(*more);
                }
            }
        }
        scores
    }

    /// Updates the score of a quiet move by `bonus`, within `limit`.
    pub fn update_quiet(
        &mut self,
        side: Colour,
        mv: Move,
        piece_to: PieceTo,
        previous: &Previous,
        bonus: i32,
        limit: i32,
    ) {
        let value = &mut self.quiet[side.index()][mv.origin_index()][mv.to().index()];
        *value = with_gravity(*value, bonus, limit);
        for (table, before) in self.continuation.iter_mut().zip(previous) {
            if let Some(before) = before {
                let value = &mut table[before.index()][piece_to.index()];
                *value = with_gravity(*value, bonus, limit);
            }
        }
    }

    /// Returns the score of a capture of `victim`.
    #[inline(always)]
    pub fn capture(&self, position: &Position, mv: Move, victim: Kind) -> i32 {
        let kind = position.moved_kind(mv).index();
        let table = &self.capture[position.side().index()];
        i32::from(table[kind][mv.to().index()][victim.index()])
    }

    /// Updates the score of a capture by `bonus`, within `limit`.
    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32, limit: i32) {
        if let Some(victim) = position.board().kind_on(mv.to()) {
            let kind = position.moved_kind(mv).index();
            let table = &mut self.capture[position.side().index()];
            let value = &mut table[kind][mv.to().index()][victim.index()];
            *value = with_gravity(*value, bonus, limit);
        }
    }
}
