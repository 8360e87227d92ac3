//! The solver's table: proof and disproof numbers by position.

use super::proof_numbers::{ProofNumbers, INFINITE, NUMBER_BITS};
use crate::engine::cache_lines::Lines;

/// Words per entry: the key, and the numbers packed by [`pack`]. A position may be in any entry of its cache line.
const ENTRY_WORDS: usize = 2;

const MOVES_SHIFT: u32 = 2 * NUMBER_BITS;
const EFFORT_SHIFT: u32 = MOVES_SHIFT + 6;
const GENERATION_SHIFT: u32 = EFFORT_SHIFT + 6;
/// Modulus of generations.
const GENERATIONS: u64 = 1 << (64 - GENERATION_SHIFT);

/// A table of fixed size.
pub struct Table {
    lines: Lines,
    generation: u64,
}

impl Table {
    /// Creates a table of this many KiB, at least one cache line.
    pub fn new(kibibytes: usize) -> Table {
        Table { lines: Lines::new(kibibytes << 10), generation: 0 }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.generation = 0;
    }

    /// Starts a new generation: older entries are replaced first.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Returns the numbers stored under a key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<ProofNumbers> {
        self.lines
            .line(key)
            .chunks_exact(ENTRY_WORDS)
            .find(|words| words[0] == key && words[1] != 0)
            .map(|words| unpack(words[1]))
    }

    /// Stores numbers and the nodes they took. Replaces the entry of the same position, an old entry, or the one that
    /// took the fewest nodes.
    #[inline]
    pub fn store(&mut self, key: u64, numbers: ProofNumbers, nodes: u64) {
        let generation = self.generation;
        let line = self.lines.line_mut(key);
        let mut victim = 0;
        let mut min_worth = u64::MAX;
        for (index, words) in line.chunks_exact(ENTRY_WORDS).enumerate() {
            if words[0] == key {
                victim = index;
                break;
            }
            let fresh = words[1] != 0 && words[1] >> GENERATION_SHIFT == generation;
            let worth = if fresh { 1 + (words[1] >> EFFORT_SHIFT & 63) } else { 0 };
            if worth < min_worth {
                min_worth = worth;
                victim = index;
            }
        }
        let effort = u64::from(64 - nodes.leading_zeros()).min(63);
        line[victim * ENTRY_WORDS] = key;
        line[victim * ENTRY_WORDS + 1] =
            pack(numbers) | effort << EFFORT_SHIFT | generation << GENERATION_SHIFT;
    }
}

/// From the lowest bits: both numbers, 20 bits each, and the moves, 6 bits. Never 0, because one of the numbers is not
/// 0.
#[inline(always)]
fn pack(numbers: ProofNumbers) -> u64 {
    u64::from(numbers.phi.min(INFINITE))
        | u64::from(numbers.delta.min(INFINITE)) << NUMBER_BITS
        | u64::from(numbers.moves & 63) << MOVES_SHIFT
}

#[inline(always)]
fn unpack(data: u64) -> ProofNumbers {
    ProofNumbers {
        phi: data as u32 & INFINITE,
        delta: (data >> NUMBER_BITS) as u32 & INFINITE,
        moves: (data >> MOVES_SHIFT) as u32 & 63,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_what_was_stored() {
        let mut table = Table::new(1);
        let numbers = ProofNumbers { phi: 0, delta: INFINITE, moves: 13 };
        assert_eq!(table.probe(42), None);
        table.store(42, numbers, 1_000_000);
        assert_eq!(table.probe(42), Some(numbers));
        table.store(42, ProofNumbers { phi: 7, delta: 5, moves: 0 }, 1);
        assert_eq!(table.probe(42), Some(ProofNumbers { phi: 7, delta: 5, moves: 0 }));
        table.clear();
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn old_and_cheap_entries_are_replaced_first() {
        let mut table = Table::new(0);
        let numbers = ProofNumbers { phi: 1, delta: 2, moves: 0 };
        for (key, nodes) in [(1, 50), (2, 10), (3, 70), (4, 60)] {
            table.store(key, numbers, nodes);
        }
        table.store(5, numbers, 1);
        assert_eq!(table.probe(2), None);
        table.age();
        table.store(6, numbers, 1);
        table.store(7, numbers, 1);
        table.store(8, numbers, 1);
        table.store(9, numbers, 1);
        assert!((6..=9).all(|key| table.probe(key) == Some(numbers)));
    }
}
