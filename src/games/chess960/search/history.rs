//! Butterfly, continuation and capture history (history heuristic: J. Schaeffer, 1983). An update is smaller the closer
//! a value is to its limit.

use super::super::position::Position;
use super::super::threats::Threats;
use super::super::types::{Bitboard, Kind, Move, Square};
use crate::engine::alpha_beta::with_gravity;

/// A piece-to: colour and kind of a piece, and the square it moves to.
pub type PieceTo = usize;
/// Number of piece-tos of one colour.
const PIECE_TOS: usize = 6 * 64;
/// Number of earlier moves used by continuation history.
pub const CONTINUATIONS: usize = 3;
/// Distances of these moves in plies: the opponent's last move, then the side's last two moves.
pub const PLIES_BACK: [usize; CONTINUATIONS] = [1, 2, 4];
/// Piece-tos of these moves; `None` before the root and for a null move.
pub type Previous = [Option<PieceTo>; CONTINUATIONS];

/// Context of the history scores of quiet moves.
#[derive(Clone, Copy)]
pub struct Context {
    /// The previous moves.
    pub previous: Previous,
    /// Squares attacked by the opponent; empty if unknown.
    pub threats: Threats,
}

/// Number of pawn history tables; the pawn structure selects one.
const PAWN_SLOTS: usize = 512;
/// Maximum magnitude of a value.
const LIMIT: i32 = 8192;

/// Returns the piece-to of a move.
#[inline(always)]
pub fn piece_to(position: &Position, mv: Move) -> PieceTo {
    position.side().index() * PIECE_TOS + within_colour(position, mv)
}

/// Returns the square of a piece-to.
#[inline(always)]
pub fn target(piece_to: PieceTo) -> Square {
    Square::from_index(piece_to % 64)
}

#[inline(always)]
fn within_colour(position: &Position, mv: Move) -> usize {
    position.moved(mv).index() * 64 + mv.to().index()
}

#[inline(always)]
fn pawn_slot(position: &Position) -> usize {
    position.keys().pawns as usize % PAWN_SLOTS
}

/// Returns the butterfly table index of a side's move.
#[inline(always)]
fn butterfly(threats: Bitboard, mv: Move) -> usize {
    let is_attacked = |square| usize::from(threats.has(square));
    is_attacked(mv.from()) * 2 + is_attacked(mv.to())
}

/// History tables for the quiet moves of one node.
pub struct QuietScores<'a> {
    threats: Bitboard,
    butterfly: &'a [[[i16; 64]; 64]; 4],
    pawns: &'a [i16; PIECE_TOS],
    continuation: [&'a [i16; PIECE_TOS]; CONTINUATIONS],
}

impl QuietScores<'_> {
    /// Returns the score of a move of a piece of this kind.
    #[inline(always)]
    pub fn of(&self, kind: Kind, mv: Move) -> i32 {
        let (from, to) = (mv.from().index(), mv.to().index());
        let index = kind.index() * 64 + to;
        let mut score = i32::from(self.butterfly[butterfly(self.threats, mv)][from][to]);
        score += i32::from(self.pawns[index]);
        for table in &self.continuation {
            score += i32::from(table[index]);
        }
        score
    }
}

/// Continuation history of a missing move.
static NOTHING: [i16; PIECE_TOS] = [0; PIECE_TOS];

/// History tables.
pub struct History {
    /// By side, whether origin and target are attacked, origin and target.
    quiet: Vec<[[[i16; 64]; 64]; 4]>,
    /// By pawn structure, side and piece-to.
    pawns: Vec<[[i16; PIECE_TOS]; 2]>,
    /// By earlier piece-to and current piece-to.
    continuation: [Vec<[i16; PIECE_TOS]>; CONTINUATIONS],
    /// By side, piece-to and captured kind.
    capture: Vec<[[i16; 6]; PIECE_TOS]>,
}

impl History {
    /// Creates an empty history.
    pub fn new() -> History {
        History {
            quiet: vec![[[[0; 64]; 64]; 4]; 2],
            pawns: vec![[[0; PIECE_TOS]; 2]; PAWN_SLOTS],
            continuation: PLIES_BACK.map(|_| vec![[0; PIECE_TOS]; 2 * PIECE_TOS]),
            capture: vec![[[0; 6]; PIECE_TOS]; 2],
        }
    }

    /// Clears the history without reallocation.
    pub fn clear(&mut self) {
        self.quiet.iter_mut().flatten().flatten().for_each(|row| row.fill(0));
        self.pawns.iter_mut().flatten().for_each(|row| row.fill(0));
        self.continuation.iter_mut().flatten().for_each(|row| row.fill(0));
        self.capture.iter_mut().flatten().for_each(|row| row.fill(0));
    }

    /// Returns the tables for a node's quiet moves.
    #[inline(always)]
    pub fn quiets(&self, position: &Position, context: &Context) -> QuietScores<'_> {
        let side = position.side().index();
        let mut continuation = [&NOTHING; CONTINUATIONS];
        for (index, before) in context.previous.iter().enumerate() {
            if let Some(before) = *before {
                continuation[index] = &self.continuation[index][before];
            }
        }
        QuietScores {
            threats: context.threats.all,
            butterfly: &self.quiet[side],
            pawns: &self.pawns[pawn_slot(position)][side],
            continuation,
        }
    }

    /// Returns the score of a single quiet move.
    #[inline(always)]
    pub fn quiet(&self, position: &Position, mv: Move, context: &Context) -> i32 {
        self.quiets(position, context).of(position.moved(mv), mv)
    }

    /// Updates the score of a quiet move by a bonus.
    pub fn update_quiet(&mut self, position: &Position, mv: Move, context: &Context, bonus: i32) {
        let side = position.side().index();
        let table = &mut self.quiet[side][butterfly(context.threats.all, mv)];
        add(&mut table[mv.from().index()][mv.to().index()], bonus);
        let index = within_colour(position, mv);
        add(&mut self.pawns[pawn_slot(position)][side][index], bonus);
        self.update_continuation(piece_to(position, mv), &context.previous, bonus);
    }

    /// Updates only the continuation history of a quiet move by a bonus.
    pub fn update_continuation(&mut self, moved: PieceTo, previous: &Previous, bonus: i32) {
        for (table, before) in self.continuation.iter_mut().zip(previous) {
            if let Some(before) = *before {
                add(&mut table[before][moved % PIECE_TOS], bonus);
            }
        }
    }

    /// Returns the score of a capture or promotion.
    #[inline(always)]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        let victim = position.captured(mv).unwrap_or(Kind::Pawn);
        let table = &self.capture[position.side().index()];
        i32::from(table[within_colour(position, mv)][victim.index()])
    }

    /// Updates the score of a capture or promotion by a bonus.
    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let victim = position.captured(mv).unwrap_or(Kind::Pawn);
        let table = &mut self.capture[position.side().index()];
        add(&mut table[within_colour(position, mv)][victim.index()], bonus);
    }
}

/// Adds a bonus.
#[inline(always)]
fn add(value: &mut i16, bonus: i32) {
    *value = with_gravity(*value, bonus, LIMIT);
}
