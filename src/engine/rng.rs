//! A small deterministic random number generator (SplitMix64, G. Steele, D. Lea, C. Flood, 2014).

/// The SplitMix64 output function: one well mixed word from a counter.
pub const fn split_mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of random numbers, the same for the same seed everywhere.
#[derive(Clone, Debug)]
pub struct Rng {
    counter: u64,
}

impl Rng {
    /// The stream of this seed.
    pub const fn new(seed: u64) -> Rng {
        Rng { counter: split_mix(seed ^ 0x5851_f42d_4c95_7f2d) }
    }

    /// The next 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        split_mix(self.counter)
    }

    /// A number from 0 to `bound - 1` (0 for a bound of 0).
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
    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
