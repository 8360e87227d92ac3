//! The proof table: won and lost positions in entries of 8 bytes. A position may be in any entry of its cache line.

use crate::engine::cache_lines::Lines;

/// Shift of the effort in an entry. From the low bits, an entry has the result, the effort (the bit length of the
/// number of nodes of the proof; 0 only in an empty entry) and the low bits of the key. The high bits of the key select
/// the line.
const EFFORT_SHIFT: u32 = 1;
/// Mask of the effort after the shift.
const EFFORT_MASK: u64 = 0x3f;
/// Shift of the low bits of the key in an entry.
const KEY_SHIFT: u32 = 7;

/// A proof table of fixed size.
pub struct Table {
    lines: Lines,
}

impl Table {
    /// Creates a table of about `megabytes` MiB, but at least one line.
    pub fn new(megabytes: usize) -> Table {
        Table { lines: Lines::new(megabytes << 20) }
    }

    /// Prefetches the line of a key.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    /// Returns whether the side to move wins, or `None` if the key is not in the table.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<bool> {
        let line = self.lines.line(key);
        let entry = line.iter().find(|&&entry| (entry ^ key << KEY_SHIFT) >> KEY_SHIFT == 0);
        entry
            .filter(|&&entry| entry & (EFFORT_MASK << EFFORT_SHIFT) != 0)
            .map(|entry| entry & 1 != 0)
    }

    /// Stores a result with the number of nodes of its proof. Replaces the entry of the line with the smallest effort.
    #[inline(always)]
    pub fn store(&mut self, key: u64, wins: bool, nodes: u64) {
        let effort = u64::from(64 - nodes.max(1).leading_zeros()).min(EFFORT_MASK);
        let line = self.lines.line_mut(key);
        let effort_of = |entry: u64| entry >> EFFORT_SHIFT & EFFORT_MASK;
        let mut victim = 0;
        for index in 1..line.len() {
            if effort_of(line[index]) < effort_of(line[victim]) {
                victim = index;
            }
        }
        line[victim] = key << KEY_SHIFT | effort << EFFORT_SHIFT | u64::from(wins);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_results_are_found() {
        let mut table = Table::new(0);
        assert_eq!(table.probe(0), None);
        for (key, wins) in [(0, true), (5, false), (1 << 40, true)] {
            assert_eq!(table.probe(key), None);
            table.store(key, wins, 3);
            assert_eq!(table.probe(key), Some(wins));
        }
    }

    #[test]
    fn a_full_line_replaces_the_cheapest_entry() {
        let mut table = Table::new(0);
        for key in 0..8 {
            table.store(key, true, if key == 5 { 10 } else { 1000 });
        }
        table.store(8, false, 1);
        assert_eq!(table.probe(5), None);
        assert!((0..9).filter(|&key| key != 5).all(|key| table.probe(key).is_some()));
    }
}
