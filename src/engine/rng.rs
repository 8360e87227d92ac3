//! A small deterministic random number generator (SplitMix64, G. Steele, D. Lea, C. Flood, 2014).

/// Returns the SplitMix64 output for a counter value.
pub const fn split_mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A random number generator. The same seed gives the same numbers on every platform.
#[derive(Clone, Debug)]
pub struct Rng {
    counter: u64,
}

impl Rng {
    /// Creates a generator with this seed.
    pub const fn new(seed: u64) -> Rng {
        Rng { counter: split_mix(seed ^ 0x5851_f42d_4c95_7f2d) }
    }

    /// Returns the next 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        split_mix(self.counter)
    }

    /// Returns a number from 0 to `bound - 1` (0 for a bound of 0).
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Shuffles a slice (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
impl Rng {
    /// Returns a number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
