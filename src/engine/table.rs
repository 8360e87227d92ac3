//! The transposition table.

use super::alpha_beta::window::Window;
use super::cache_lines::{Lines, LINE_WORDS};
use super::score::{self, Score};

/// How a stored score relates to the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// No score is stored.
    None,
    /// The true score is at most the stored one.
    Upper,
    /// The true score is at least the stored one.
    Lower,
    /// The stored score is the true one.
    Exact,
}

impl Bound {
    /// Returns the bound type of a score that a search with this window returned.
    #[inline(always)]
    pub fn of(score: Score, window: Window) -> Bound {
        if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a score with this bound is closer to the true score than the estimate.
    #[inline(always)]
    pub fn is_nearer(self, score: Score, estimate: Score) -> bool {
        match self {
            Bound::None => false,
            Bound::Upper => score < estimate,
            Bound::Lower => score > estimate,
            Bound::Exact => true,
        }
    }

    const ALL: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];
}

/// A transposition table entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Encoded best move, or 0. The game checks it before use.
    pub move_bits: u16,
    /// Score for the side to move, with win distances counted from the node. Fits in 16 bits.
    pub score: Score,
    /// Static evaluation. Fits in 16 bits.
    pub eval: Score,
    /// Depth of the search that returned the score, 0 to 255.
    pub depth: i32,
    /// Type of the score.
    pub bound: Bound,
    /// Whether the node was ever on a principal variation.
    pub pv: bool,
}

impl Entry {
    /// Transposition table cutoff: returns the stored score if it decides a node with this window, `ply` plies below
    /// the root.
    #[inline(always)]
    pub fn cutoff(self, window: Window, ply: usize) -> Option<Score> {
        let found = score::from_root(self.score, ply);
        let cuts = match self.bound {
            Bound::None => false,
            Bound::Upper => found <= window.alpha,
            Bound::Lower => found >= window.beta,
            Bound::Exact => true,
        };
        if cuts {
            Some(found)
        } else {
            None
        }
    }

    /// Returns the stored score if it qualifies the hash move for the singular test of a node: it is a lower bound or
    /// exact, at most three plies shallower, and not decisive.
    #[inline(always)]
    pub fn singular(self, depth: i32, ply: usize) -> Option<Score> {
        let found = score::from_root(self.score, ply);
        let is_known = matches!(self.bound, Bound::Lower | Bound::Exact);
        if is_known && self.depth >= depth - 3 && !score::is_decisive(found) {
            Some(found)
        } else {
            None
        }
    }
}

/// Returns the evaluation of a node `ply` plies below the root, or the stored score if that is known to be closer to
/// the true score.
#[inline(always)]
pub fn refined(eval: Score, stored: Option<Entry>, ply: usize) -> Score {
    let entry = match stored {
        Some(entry) => entry,
        None => return eval,
    };
    let found = score::from_root(entry.score, ply);
    if entry.bound.is_nearer(found, eval) && !score::is_decisive(found) {
        found
    } else {
        eval
    }
}

/// Words per entry: the key, and the data packed by [`pack`]. A position may be in any entry of its cache line.
const ENTRY_WORDS: usize = 2;
/// Number of generations before the counter wraps around.
const GENERATIONS: u64 = 32;
/// Replacement: one generation of age counts as this many plies of depth.
const AGE_WEIGHT: i32 = 4;

// A cache line holds a whole number of entries.
const _: () = assert!(LINE_WORDS % ENTRY_WORDS == 0);

/// A transposition table of fixed size.
pub struct Table {
    lines: Lines,
    generation: u64,
}

impl Table {
    /// Creates a table of this size in MiB, at least one cache line.
    pub fn new(megabytes: usize) -> Table {
        Table { lines: Lines::new(megabytes << 20), generation: 0 }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.generation = 0;
    }

    /// Starts a new generation: entries of older searches are replaced first.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Returns the permille of entries that the current search has written, estimated from a sample.
    pub fn hashfull(&self) -> usize {
        const SAMPLE: u64 = 1000;
        let lines = (0..SAMPLE).map(|index| self.lines.line(index * (u64::MAX / SAMPLE)));
        let is_new =
            |words: &&[u64]| words[1] != 0 && words[1] >> GENERATION_SHIFT == self.generation;
        let filled = lines.map(|line| line.chunks_exact(ENTRY_WORDS).filter(is_new).count());
        filled.sum::<usize>() * 1000 / (SAMPLE as usize * LINE_WORDS / ENTRY_WORDS)
    }

    /// Prefetches the cache line of a key that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    /// Returns the entry of a key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.lines
            .line(key)
            .chunks_exact(ENTRY_WORDS)
            .find(|words| words[0] == key && words[1] != 0)
            .map(|words| unpack(words[1]))
    }

    /// Stores an entry. It replaces the entry of the same position or else the least valuable one of the cache line.
    #[inline]
    pub fn store(&mut self, key: u64, mut entry: Entry) {
        let generation = self.generation;
        let line = self.lines.line_mut(key);
        let mut victim = 0;
        let mut min_worth = i32::MAX;
        for (index, words) in line.chunks_exact(ENTRY_WORDS).enumerate() {
            if words[0] == key && words[1] != 0 {
                let old = unpack(words[1]);
                if entry.move_bits == 0 {
                    entry.move_bits = old.move_bits;
                }
                // A much deeper result of the current search is worth more than a new shallow bound.
                let fresh = words[1] >> GENERATION_SHIFT == generation;
                if fresh && entry.bound != Bound::Exact && entry.depth + 4 <= old.depth {
                    return;
                }
                victim = index;
                break;
            }
            let worth = if words[1] == 0 {
                i32::MIN
            } else {
                let age = (GENERATIONS + generation - (words[1] >> GENERATION_SHIFT)) % GENERATIONS;
                unpack(words[1]).depth - AGE_WEIGHT * age as i32
            };
            if worth < min_worth {
                min_worth = worth;
                victim = index;
            }
        }
        line[victim * ENTRY_WORDS] = key;
        line[victim * ENTRY_WORDS + 1] = pack(&entry, generation);
    }
}

const GENERATION_SHIFT: u32 = 59;

/// Packs an entry. Fields from the low bits: move 16, score 16, evaluation 16, depth 8, bound 2, pv 1, generation 5.
#[inline(always)]
fn pack(entry: &Entry, generation: u64) -> u64 {
    let word = |value: Score| u64::from(value as i16 as u16);
    u64::from(entry.move_bits)
        | word(entry.score) << 16
        | word(entry.eval) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | u64::from(entry.pv) << 58
        | generation << GENERATION_SHIFT
}

#[inline(always)]
fn unpack(data: u64) -> Entry {
    Entry {
        move_bits: data as u16,
        score: Score::from((data >> 16) as i16),
        eval: Score::from((data >> 32) as i16),
        depth: i32::from((data >> 48) as u8),
        bound: Bound::ALL[(data >> 56 & 3) as usize],
        pv: data >> 58 & 1 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry { move_bits: 0x8123, score: -29_990, eval: 77, depth, bound: Bound::Lower, pv: true }
    }

    #[test]
    fn a_stored_entry_is_found() {
        let mut table = Table::new(1);
        assert_eq!(table.probe(42), None);
        table.store(42, entry(9));
        assert_eq!(table.probe(42), Some(entry(9)));
        assert_eq!(table.probe(43), None);
    }

    #[test]
    fn a_full_line_loses_its_shallowest_entry() {
        let mut table = Table::new(0);
        for (key, depth) in [(1, 5), (2, 3), (3, 7), (4, 6)] {
            table.store(key, entry(depth));
        }
        table.store(5, entry(1));
        assert_eq!(table.probe(2), None);
        assert!([1, 3, 4, 5].iter().all(|&key| table.probe(key).is_some()));
    }

    #[test]
    fn a_bound_that_contradicts_the_estimate_is_nearer() {
        let nearer = |bound: Bound| [10, 20, 30].map(|score| bound.is_nearer(score, 20));
        assert_eq!(nearer(Bound::None), [false; 3]);
        assert_eq!(nearer(Bound::Upper), [true, false, false]);
        assert_eq!(nearer(Bound::Lower), [false, false, true]);
        assert_eq!(nearer(Bound::Exact), [true; 3]);
    }

    #[test]
    fn age_outweighs_depth() {
        let mut table = Table::new(0);
        table.store(1, entry(10));
        for _ in 0..3 {
            table.age();
        }
        for key in 2..=4 {
            table.store(key, entry(2));
        }
        table.store(5, entry(1));
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_stored_one() {
        let mut table = Table::new(0);
        table.store(1, entry(3));
        table.store(1, Entry { move_bits: 0, ..entry(4) });
        assert_eq!(table.probe(1).map(|found| found.move_bits), Some(0x8123));
    }
}
