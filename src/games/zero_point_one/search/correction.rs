//! Correction history: by how much the evaluation has missed what the search found, learned anew in
//! every game. What the network misjudges where the wazirs stand so, with these pieces in hand or
//! after these moves, it will misjudge again (known from chess engines: Stockfish, 2024).

use super::super::position::Position;
use super::super::types::{Colour, Square};
use super::history::{PieceTo, Previous};
use super::params::Params;
use crate::engine::score::Score;

/// A value of a table is an error in hundredths times this.
const GRAIN: i32 = 16;
/// Errors are clamped to so many hundredths.
const MAX_ERROR: Score = 256;
/// A new error replaces so many parts of the old value a ply of depth, up to the most ...
const MAX_PARTS: i32 = 16;
/// ... of so many.
const PARTS: i32 = 256;

/// The slots of each table, as powers of two: the lowest or highest bit is the side to move.
const WAZIRS_BITS: u32 = 13;
const HANDS_BITS: u32 = 15;
const MOVES_BITS: u32 = 16;

/// The errors met.
pub struct Corrections {
    /// By the side to move and the squares of both wazirs.
    wazirs: Vec<i16>,
    /// By the side to move and both hands.
    hands: Vec<i16>,
    /// By the side to move and the last two moves.
    moves: Vec<i16>,
}

/// Where a position's errors are kept.
#[derive(Clone, Copy)]
pub struct Slots {
    wazirs: usize,
    hands: usize,
    moves: usize,
}

impl Slots {
    /// The slots of a position after these moves.
    #[inline(always)]
    pub fn of(position: &Position, previous: &Previous) -> Slots {
        let us = position.side();
        let square = |colour| position.board().wazir(colour).map_or(0, Square::index);
        let hand = |colour: Colour| u64::from(position.hand(colour).bits());
        let piece_to =
            |back: usize| previous[back].map_or(0, |piece_to: PieceTo| piece_to.index() as u64 + 1);
        let side = us.index();
        Slots {
            wazirs: side << 12 | square(us) << 6 | square(!us),
            hands: hashed(hand(us) << 32 | hand(!us), HANDS_BITS - 1) << 1 | side,
            moves: hashed(piece_to(0) << 32 | piece_to(1), MOVES_BITS - 1) << 1 | side,
        }
    }
}

/// A number of so many bits by which most keys differ (multiplicative hashing, Knuth).
#[inline(always)]
fn hashed(key: u64, bits: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
}

impl Corrections {
    /// No errors met yet.
    pub fn new() -> Corrections {
        Corrections {
            wazirs: vec![0; 1 << WAZIRS_BITS],
            hands: vec![0; 1 << HANDS_BITS],
            moves: vec![0; 1 << MOVES_BITS],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Corrections::new();
    }

    /// What to add to the evaluation of a position with these slots.
    #[inline(always)]
    pub fn correction(&self, slots: Slots, params: &Params) -> Score {
        let sum = i32::from(self.wazirs[slots.wazirs]) * params.correction_wazirs
            + i32::from(self.hands[slots.hands]) * params.correction_hands
            + i32::from(self.moves[slots.moves]) * params.correction_moves;
        sum / (100 * GRAIN)
    }

    /// The search to this depth has found so much more than the evaluation said.
    pub fn learn(&mut self, slots: Slots, error: Score, depth: i32) {
        let target = error.clamp(-MAX_ERROR, MAX_ERROR) * GRAIN;
        let parts = (depth + 1).min(MAX_PARTS);
        for value in [
            &mut self.wazirs[slots.wazirs],
            &mut self.hands[slots.hands],
            &mut self.moves[slots.moves],
        ] {
            let old = i32::from(*value);
            *value = (old + (target - old) * parts / PARTS) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(text: &str) -> Slots {
        let position: Position = text.parse().expect("a position");
        Slots::of(&position, &[None; 2])
    }

    #[test]
    fn an_error_met_often_is_corrected_by_its_parts() {
        let params = Params::default();
        let (mut corrections, here) = (Corrections::new(), slots("WN6/8/8/8/8/8/8/3w4 Aad 20"));
        assert_eq!(corrections.correction(here, &params), 0);
        (0..1000).for_each(|_| corrections.learn(here, 50, 8));
        let all = params.correction_wazirs + params.correction_hands + params.correction_moves;
        let found = corrections.correction(here, &params);
        // Rounding stops a value a little short of its target.
        assert!((all / 2 - 4..=all / 2).contains(&found), "{} of {}", found, all / 2);
        // The same wazirs, but other hands.
        let other = corrections.correction(slots("WN6/8/8/8/8/8/8/3w4 AAd 20"), &params);
        assert!(0 < other && other < found, "{}", other);
        // The other side to move.
        assert_eq!(corrections.correction(slots("WN6/8/8/8/8/8/8/3w4 Aad 21"), &params), 0);
        corrections.clear();
        assert_eq!(corrections.correction(here, &params), 0);
    }

    #[test]
    fn the_largest_errors_stay_in_range() {
        let params = Params::default();
        let (mut corrections, here) = (Corrections::new(), slots("WN6/8/8/8/8/8/8/3w4 - 20"));
        for error in [30_000, -30_000] {
            (0..1000).for_each(|_| corrections.learn(here, error, 60));
            let found = corrections.correction(here, &params);
            assert_eq!(found.signum(), error.signum());
            let all = params.correction_wazirs + params.correction_hands + params.correction_moves;
            let max = MAX_ERROR * all / 100;
            assert!((max - 8..=max).contains(&found.abs()), "{} of {}", found, max);
        }
    }
}
