//! Correction history tables: the network tends to misjudge positions with the same pawns, the same pieces of a side,
//! or the same last moves in the same way.

use super::super::position::Position;
use super::super::types::Colour;
use super::history::Previous;
use super::params::Params;
use crate::engine::correction;

/// Number of slots per correction table.
const SLOTS: usize = 1 << 14;
/// Number of correction tables: by pawns, White's pieces, Black's pieces, and the last two moves.
const TABLES: usize = 4;
/// Number of previous moves that select the slot of the last table.
const CORRECTED_MOVES: usize = 2;
/// Number of values in all correction tables.
pub const ERRORS: usize = TABLES * 2 * SLOTS;

/// Correction history of the static eval.
pub type Corrections = correction::Corrections<TABLES, 64, 300>;

/// Slots of a position in the correction tables.
pub type Slots = [usize; TABLES];

/// Weights of the corrections, in percent of the mean error.
#[inline(always)]
pub fn correction_weights(params: &Params) -> [i32; TABLES] {
    let pieces = params.correction_pieces;
    [params.correction_pawns, pieces, pieces, params.correction_moves]
}

/// Returns the slots of a position after these moves.
#[inline(always)]
pub fn slots(position: &Position, previous: &Previous) -> Slots {
    let keys = position.keys();
    let last = &previous[..CORRECTED_MOVES];
    let moves =
        last.iter().fold(0u64, |key, before| key << 10 | before.map_or(0, |p| p as u64 + 1));
    let moves = correction::hashed(moves, 24) as u64;
    let slot = |table: usize, key: u64| {
        let side = position.side().index();
        (table * 2 + side) * SLOTS + key as usize % SLOTS
    };
    let [white, black] = Colour::ALL.map(|colour| keys.pieces[colour.index()]);
    [slot(0, keys.pawns), slot(1, white), slot(2, black), slot(3, moves)]
}
