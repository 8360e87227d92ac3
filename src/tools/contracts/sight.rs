//! The sight of weak players: the captures and threats that they do not overlook.

use crate::engine::rng::{split_mix, Rng};

/// The sight of a player who overlooks things. The result for a position depends only on the seed.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    clarity: f64,
    seed: u64,
    is_careful: bool,
}

impl Sight {
    /// Creates the sight of a player who sees something at distance 1 with the probability `clarity`.
    pub fn new(clarity: f64, seed: u64) -> Sight {
        Sight { clarity, seed, is_careful: false }
    }

    /// Creates the sight of a player who overlooks own chances, but no threat.
    pub fn careful(clarity: f64, seed: u64) -> Sight {
        Sight { clarity, seed, is_careful: true }
    }

    /// Whether the player sees something, e.g. a capture, at this distance.
    pub fn sees(&self, thing: u64, distance: f64) -> bool {
        self.unit(thing) < self.clarity.powf(distance)
    }

    /// Whether the player sees a threat of the other side at this distance.
    pub fn sees_threat(&self, thing: u64, distance: f64) -> bool {
        self.is_careful || self.sees(thing, distance)
    }

    /// Returns the error of the player's judgement of a move: from -1 to 1, mostly near 0, and smaller for a player who
    /// sees more.
    pub fn error(&self, thing: u64) -> f64 {
        let [one, other] = [1, 2].map(|part| self.unit(thing.wrapping_mul(3).wrapping_add(part)));
        (one - other) * (1.0 - self.clarity)
    }

    /// Returns a number from -1 to 1 that does not depend on what the player sees.
    pub fn taste(&self, thing: u64) -> f64 {
        2.0 * self.unit(!thing) - 1.0
    }

    /// Returns a generator of random numbers.
    pub fn rng(&self) -> Rng {
        Rng::new(self.seed)
    }

    fn unit(&self, thing: u64) -> f64 {
        let mixed = split_mix(self.seed ^ split_mix(thing));
        (mixed >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_things_are_seen_more_often_than_far_ones() {
        let seen = |distance: f64| {
            (0..1000).filter(|seed| Sight::new(0.8, *seed).sees(5, distance)).count()
        };
        assert!((750..850).contains(&seen(1.0)), "{}", seen(1.0));
        assert!(seen(2.0) < seen(1.0) && seen(4.0) < seen(2.0));
        let clear = Sight::new(1.0, 3);
        assert!((0..100).all(|thing| clear.sees(thing, 9.0) && clear.error(thing) == 0.0));
    }
}
