//! Correction history: mean errors of the static eval in similar positions, learned anew in every game (known from
//! chess engines: Stockfish, 2024).

use super::score::{is_decisive, Score};
use super::table::Entry;

/// A new error replaces this fraction of the old value per ply of depth, as a divisor.
const PARTS: i32 = 256;
/// Maximum fraction replaced, in parts of [`PARTS`].
const MAX_PARTS: i32 = 16;

/// Mean errors of the static eval. A value is an error in hundredths, at most `MAX_ERROR`, times `GRAIN`. A position
/// has `TABLES` values.
pub struct Corrections<const TABLES: usize, const GRAIN: i32, const MAX_ERROR: i32>(Vec<i16>);

impl<const TABLES: usize, const GRAIN: i32, const MAX_ERROR: i32>
    Corrections<TABLES, GRAIN, MAX_ERROR>
{
    /// Creates tables with `values` values in all.
    pub fn new(values: usize) -> Self {
        Corrections(vec![0; values])
    }

    /// Forgets all errors.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Returns the correction of the static eval for a position with these slots. Weights are in percent.
    #[inline(always)]
    pub fn correction(&self, slots: &[usize; TABLES], weights: [i32; TABLES]) -> Score {
        let values = slots.iter().map(|&slot| i32::from(self.0[slot]));
        let sum: i32 = values.zip(weights).map(|(value, weight)| value * weight).sum();
        sum / (100 * GRAIN)
    }

    /// Learns from the result of a node with this corrected static eval, unless the score is decisive or a bound that
    /// agrees with the eval.
    #[inline(always)]
    pub fn learn_result(&mut self, slots: &[usize; TABLES], eval: Score, found: &Entry) {
        if !is_decisive(found.score) && found.bound.is_nearer(found.score, eval) {
            self.learn(slots, found.score - found.eval, found.depth);
        }
    }

    /// Learns that a search to `depth` returned `error` more than the uncorrected static eval.
    pub fn learn(&mut self, slots: &[usize; TABLES], error: Score, depth: i32) {
        let target = error.clamp(-MAX_ERROR, MAX_ERROR) * GRAIN;
        let parts = (depth + 1).min(MAX_PARTS);
        for &slot in slots {
            let old = i32::from(self.0[slot]);
            self.0[slot] = (old + (target - old) * parts / PARTS) as i16;
        }
    }
}

/// Hashes a key to `bits` bits (multiplicative hashing, Knuth).
#[inline(always)]
pub fn hashed(key: u64, bits: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
}
