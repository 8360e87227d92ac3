//! The tables of correction history: what the network misjudges where the wazirs stand so, with these
//! pieces in hand or after these moves, it will misjudge again.

use super::super::position::Position;
use super::super::types::{Colour, Square};
use super::history::{PieceTo, Previous};
use super::params::Params;
use crate::engine::correction::{self, hashed};

/// The slots of each table, as powers of two: the lowest or highest bit is the side to move.
const WAZIRS_BITS: u32 = 13;
const HANDS_BITS: u32 = 15;
const MOVES_BITS: u32 = 16;
/// The first slot of the second and of the third table.
const HANDS: usize = 1 << WAZIRS_BITS;
const MOVES: usize = HANDS + (1 << HANDS_BITS);
/// The number of errors in all tables.
pub const ERRORS: usize = MOVES + (1 << MOVES_BITS);
/// Errors are clamped to this many hundredths.
const MAX_ERROR: i32 = 256;

/// The errors met: by the squares of both wazirs, by both hands and by the last two moves, and in each by the side to
/// move.
pub type Corrections = correction::Corrections<3, 16, MAX_ERROR>;

/// Where a position's errors are kept.
pub type Slots = [usize; 3];

/// The slots of a position after these moves.
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

/// The percentages of the mean errors that correct an evaluation.
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
        // Rounding stops a value a little short of its target.
        assert!((all / 2 - 4..=all / 2).contains(&found), "{} of {}", found, all / 2);
        // The same wazirs, but other hands.
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
