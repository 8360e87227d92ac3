//! The table of proofs: won and lost positions, 8 bytes each. A position may be in any entry of its
//! line.

use crate::engine::cache_lines::Lines;

/// An entry, from the low bits: the result, the effort (the bit length of the number of nodes that
/// the proof took; 0 only in an empty entry) and the low bits of the key. The high bits of the key
/// select the line.
const EFFORT_SHIFT: u32 = 1;
const EFFORT_MASK: u64 = 0x3f;
const KEY_SHIFT: u32 = 7;

/// A table of fixed size.
pub struct Table {
    lines: Lines,
}

impl Table {
    /// A table of about this many MiB, at least one line.
    pub fn new(megabytes: usize) -> Table {
        Table { lines: Lines::new(megabytes << 20) }
    }

    /// Prefetches the line of a key.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    /// Does the side to move win? `None` if the key is not in the table.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<bool> {
        let line = self.lines.line(key);
        let entry = line.iter().find(|&&entry| (entry ^ key << KEY_SHIFT) >> KEY_SHIFT == 0);
        entry
            .filter(|&&entry| entry & (EFFORT_MASK << EFFORT_SHIFT) != 0)
            .map(|entry| entry & 1 != 0)
    }

    /// Stores a result with the number of nodes that its proof took. Replaces the entry of the line
    /// with the smallest effort.
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
    fn returns_what_was_stored() {
        let mut table = Table::new(0);
        assert_eq!(table.probe(0), None);
        for (key, wins) in [(0, true), (5, false), (1 << 40, true)] {
            assert_eq!(table.probe(key), None);
            table.store(key, wins, 3);
            assert_eq!(table.probe(key), Some(wins));
        }
    }

    #[test]
    fn a_full_line_loses_what_was_cheapest() {
        let mut table = Table::new(0);
        for key in 0..8 {
            table.store(key, true, if key == 5 { 10 } else { 1000 });
        }
        table.store(8, false, 1);
        assert_eq!(table.probe(5), None);
        assert!((0..9).filter(|&key| key != 5).all(|key| table.probe(key).is_some()));
    }
}
