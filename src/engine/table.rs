//! The transposition table: what earlier searches found out about a position.

use super::cache_lines::{Lines, LINE_WORDS};
use super::score::{self, Score};
use super::search::Window;

/// What a stored score says of the true one.
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
    /// What a search with this window says of the true score.
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

    /// Is a score with this bound nearer to the true one than some estimate?
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

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move's bits, or 0; the game checks them before use.
    pub move_bits: u16,
    /// The score from the node's own view, counted from the node; fits 16 bits.
    pub score: Score,
    /// The static evaluation; fits 16 bits.
    pub eval: Score,
    /// The depth that the score stands for, 0 to 255.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
    /// Was the node ever on a principal variation?
    pub pv: bool,
}

impl Entry {
    /// The stored score for a node `ply` plies below the root, where it ends the node with this window
    /// (transposition-table cutoff).
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
}

/// The evaluation of a node `ply` plies below the root, or the stored score where that is known to be nearer to
/// the truth.
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

/// Two words an entry: the key, and the data packed by [`pack`]. A position may be in any entry of
/// its line.
const ENTRY_WORDS: usize = 2;
/// Generations are counted modulo this.
const GENERATIONS: u64 = 32;
/// How many plies of depth one generation of age outweighs when an entry must make room.
const AGE_WEIGHT: i32 = 4;

// Whole entries fill a line.
const _: () = assert!(LINE_WORDS % ENTRY_WORDS == 0);

/// A table of fixed size.
pub struct Table {
    lines: Lines,
    generation: u64,
}

impl Table {
    /// A table of about this many MiB, at least one line.
    pub fn new(megabytes: usize) -> Table {
        Table { lines: Lines::new(megabytes << 20), generation: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.generation = 0;
    }

    /// A new search begins: what older ones stored may be replaced sooner.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// How many of a thousand entries the present search has written or kept; by a sample.
    pub fn hashfull(&self) -> usize {
        const SAMPLE: u64 = 1000;
        let lines = (0..SAMPLE).map(|index| self.lines.line(index * (u64::MAX / SAMPLE)));
        let is_new =
            |words: &&[u64]| words[1] != 0 && words[1] >> GENERATION_SHIFT == self.generation;
        let filled = lines.map(|line| line.chunks_exact(ENTRY_WORDS).filter(is_new).count());
        filled.sum::<usize>() * 1000 / (SAMPLE as usize * LINE_WORDS / ENTRY_WORDS)
    }

    /// This key will be asked for soon: a large table lies in memory that takes long to answer.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    /// What is stored under a key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.lines
            .line(key)
            .chunks_exact(ENTRY_WORDS)
            .find(|words| words[0] == key && words[1] != 0)
            .map(|words| unpack(words[1]))
    }

    /// Stores an entry under a key, in the place of the same position's or of the least valuable
    /// one.
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
                // A much deeper result of this search is worth more than a new shallow bound.
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

/// From the low bits: move 16, score 16, evaluation 16, depth 8, bound 2, pv 1, generation 5.
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
    fn returns_what_was_stored() {
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
    fn a_bound_that_contradicts_refines_the_estimate() {
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
    fn keeps_the_move_of_a_result_without_one() {
        let mut table = Table::new(0);
        table.store(1, entry(3));
        table.store(1, Entry { move_bits: 0, ..entry(4) });
        assert_eq!(table.probe(1).map(|found| found.move_bits), Some(0x8123));
    }
}
