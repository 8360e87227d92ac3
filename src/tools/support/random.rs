//! Implements the traits of the crate `rand` (ranges, choices, shuffles) for the random number generator of the playing
//! core.
//!
//! The core has its own generator because a submission is one file without dependencies. The tools use the same one:
//! core functions that create setups and moves take it as a parameter, and its stream is the same on every machine and
//! with every version of `rand`, which `StdRng` does not guarantee.

use crate::engine::rng::Rng;
use rand::rand_core::utils::fill_bytes_via_next_word;
use rand::TryRng;
use std::convert::Infallible;

impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::seq::SliceRandom;
    use rand::{Rng as _, RngExt};

    #[test]
    fn the_stream_equals_that_of_the_core() {
        let (mut core, mut rng) = (Rng::new(3), Rng::new(3));
        assert_eq!(rng.next_u64(), core.next());
        assert_eq!(rng.next_u32(), (core.next() >> 32) as u32);
        assert_eq!(rng.random_range(..100usize), core.below(100));
        let mut bytes = [0; 12];
        rng.fill_bytes(&mut bytes);
        assert_eq!(bytes[..8], core.next().to_le_bytes());
        assert_eq!(bytes[8..], core.next().to_le_bytes()[..4]);
    }

    /// Detects a new version of `rand` that draws differently: the same seed would then give different openings,
    /// self-play games and training runs.
    #[test]
    fn draws_for_a_seed_stay_the_same() {
        let mut rng = Rng::new(1);
        let ranges: Vec<usize> = (0..8).map(|_| rng.random_range(0..100)).collect();
        let mut shuffled = [0, 1, 2, 3, 4, 5, 6, 7];
        shuffled.shuffle(&mut rng);
        assert_eq!(ranges, [51, 75, 4, 23, 27, 86, 50, 53]);
        assert_eq!(shuffled, [6, 3, 5, 1, 7, 0, 4, 2]);
    }
}
