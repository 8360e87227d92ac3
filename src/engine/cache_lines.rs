//! Memory of a hash table: an array of cache lines, indexed by hash key.

use super::sys::os::prefer_large_pages;
use super::sys::simd::prefetch;
use std::time::Duration;

/// Table size per second of time budget, in MiB. Short games get smaller tables because the first access to each page
/// costs time.
const MB_PER_SECOND: f64 = 10.0;

/// Returns the table size, in MiB, for a game with this time budget: at most `max`.
pub fn megabytes_for(budget: Duration, max: usize) -> usize {
    max.min((budget.as_secs_f64() * MB_PER_SECOND).ceil() as usize)
}

/// 64-bit words per cache line.
pub const LINE_WORDS: usize = LINE_BYTES / 8;
const LINE_BYTES: usize = 64;

/// An array of cache lines, initially zero. The operating system provides pages on first access, so a large array costs
/// a short search nothing.
pub struct Lines {
    words: Vec<u64>,
    /// Words to skip so that lines are aligned to cache lines.
    offset: usize,
    count: usize,
}

impl Lines {
    /// Creates as many lines as fit in `bytes`, at least one.
    pub fn new(bytes: usize) -> Lines {
        let count = (bytes / LINE_BYTES).max(1);
        let mut words = vec![0; (count + 1) * LINE_WORDS];
        prefer_large_pages(&mut words);
        let misaligned = words.as_ptr() as usize % LINE_BYTES;
        let offset = (LINE_BYTES - misaligned) % LINE_BYTES / 8;
        Lines { words, offset, count }
    }

    /// Sets all lines to zero.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Returns the index of the first word of a key's line: the key's high bits scaled to the number of lines.
    #[inline(always)]
    fn start(&self, key: u64) -> usize {
        let index = ((u128::from(key) * self.count as u128) >> 64) as usize;
        self.offset + index * LINE_WORDS
    }

    /// Returns the line of a key.
    #[inline(always)]
    pub fn line(&self, key: u64) -> &[u64] {
        let start = self.start(key);
        &self.words[start..start + LINE_WORDS]
    }

    /// Prefetches the line of a key.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.words[self.start(key)]);
    }

    /// Returns the line of a key for writing.
    #[inline(always)]
    pub fn line_mut(&mut self, key: u64) -> &mut [u64] {
        let start = self.start(key);
        &mut self.words[start..start + LINE_WORDS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_games_get_smaller_tables() {
        let of = |milliseconds| megabytes_for(Duration::from_millis(milliseconds), 32);
        assert_eq!([0, 1, 1_000, 2_050, 30_000].map(of), [0, 1, 10, 21, 32]);
    }

    #[test]
    fn lines_are_aligned_and_chosen_by_high_bits() {
        for bytes in [0, 64, 200, 4 << 20] {
            let mut lines = Lines::new(bytes);
            for key in [0, 1 << 40, u64::MAX / 2, u64::MAX] {
                assert_eq!(lines.line(key).as_ptr() as usize % LINE_BYTES, 0);
                lines.prefetch(key);
                lines.line_mut(key).fill(key);
                assert_eq!(lines.line(key), [key; LINE_WORDS]);
            }
            lines.clear();
            assert_eq!(lines.line(u64::MAX), [0; LINE_WORDS]);
        }
        let lines = Lines::new(1 << 20);
        assert_eq!(lines.line(0).as_ptr(), lines.line(1).as_ptr());
        assert_ne!(lines.line(0).as_ptr(), lines.line(u64::MAX).as_ptr());
    }
}
