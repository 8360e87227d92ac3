//! Correction history tables: the network tends to misjudge positions with the same wazir squares, the same pieces in
//! hand, or the same last moves in the same way.

use super::super::position::Position;
use super::super::types::{Colour, Square};
use super::history::{PieceTo, Previous};
use super::params::Params;
use crate::engine::correction::{self, hashed};

/// Table sizes as powers of two; the lowest or highest bit is the side to move.
const WAZIRS_BITS: u32 = 13;
const HANDS_BITS: u32 = 15;
const MOVES_BITS: u32 = 16;
/// Offsets of the second and the third table.
const HANDS: usize = 1 << WAZIRS_BITS;
const MOVES: usize = HANDS + (1 << HANDS_BITS);
/// Number of values in all tables.
pub const ERRORS: usize = MOVES + (1 << MOVES_BITS);
/// Maximum magnitude of an error, in hundredths.
const MAX_ERROR: i32 = 256;

/// Correction history: by the squares of both wazirs, by both hands and by the last two moves, each also by the side to
/// move.
pub type Corrections = correction::Corrections<3, 16, MAX_ERROR>;

/// Slots of a position in the tables.
pub type Slots = [usize; 3];

/// Returns the slots of a position after these moves.
#[inline(always)]
pub fn slots(position: &Position, previous: &Previous) -> Slots {
    let us = position.side();
    let square = |colour| position.board().wazir(colour).map_or(0, Square::index);
    let hand = |colour: Colour| u64::from(position.hand(colour).bits());
    let piece_to =
        |back: usize| previous[back].map_or(0, |piece_to: PieceTo| piece_to.index() as u64 + 1);
    let side = us.index();
    [
        side << 12 | square(us) << 6 | square(!us),
        HANDS + (hashed(hand(us) << 32 | hand(!us), HANDS_BITS - 1) << 1 | side),
        MOVES + (hashed(piece_to(0) << 32 | piece_to(1), MOVES_BITS - 1) << 1 | side),
    ]
}

/// Weights of the corrections, in percent of the mean error.
#[inline(always)]
pub fn correction_weights(params: &Params) -> [i32; 3] {
    [params.correction_wazirs, params.correction_hands, params.correction_moves]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots_of(text: &str) -> Slots {
        let position: Position = text.parse().expect("a position");
        slots(&position, &[None; 2])
    }

    #[test]
    fn an_error_met_often_is_corrected_by_its_parts() {
        let weights = correction_weights(&Params::default());
        let (mut corrections, here) =
            (Corrections::new(ERRORS), slots_of("WN6/8/8/8/8/8/8/3w4 Aad 20"));
        assert_eq!(corrections.correction(&here, weights), 0);
        (0..1000).for_each(|_| corrections.learn(&here, 50, 8));
        let all: i32 = weights.iter().sum();
        let found = corrections.correction(&here, weights);
        // Rounding stops a value slightly short of its target.
        assert!((all / 2 - 4..=all / 2).contains(&found), "{} of {}", found, all / 2);
        // The same wazir squares, but other hands.
        let other = corrections.correction(&slots_of("WN6/8/8/8/8/8/8/3w4 AAd 20"), weights);
        assert!(0 < other && other < found, "{}", other);
        // The other side to move.
        assert_eq!(corrections.correction(&slots_of("WN6/8/8/8/8/8/8/3w4 Aad 21"), weights), 0);
        corrections.clear();
        assert_eq!(corrections.correction(&here, weights), 0);
    }

    #[test]
    fn the_largest_errors_stay_in_range() {
        let weights = correction_weights(&Params::default());
        let (mut corrections, here) =
            (Corrections::new(ERRORS), slots_of("WN6/8/8/8/8/8/8/3w4 - 20"));
        for error in [30_000, -30_000] {
            (0..1000).for_each(|_| corrections.learn(&here, error, 60));
            let found = corrections.correction(&here, weights);
            assert_eq!(found.signum(), error.signum());
            let all: i32 = weights.iter().sum();
            let max = MAX_ERROR * all / 100;
            assert!((max - 8..=max).contains(&found.abs()), "{} of {}", found, max);
        }
    }
}
