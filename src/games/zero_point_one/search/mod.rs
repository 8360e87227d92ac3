//! Principal variation search with iterative deepening.

mod correction;
pub mod forced;
mod history;
mod knowledge;
mod node;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod quiets;
mod root;
mod time_management;

use super::eval::Evaluator;
use super::game::Game;
use super::position::{Position, MAX_PLIES};
use super::types::Move;
use super::zobrist;
use crate::engine::alpha_beta::{self, search_lines};
pub use crate::engine::budget::Limits;
use crate::engine::score::{clamp_eval, Score};
use crate::engine::sys::simd::Instructions;
use correction::{correction_weights, Corrections, Slots, ERRORS};
use history::{History, PieceTo, Previous, CONTINUATIONS};
use params::Params;

/// Maximum length of a path, including extensions and quiescence.
const MAX_PATH: usize = 128;
/// Number of frames: one for each ply of a path and one for its end.
const FRAMES: usize = MAX_PATH + 1;
/// Number of counters of position hashes; a path with the game before it has at most 255 positions.
const HASH_COUNTS: usize = 4096;
// All positions of a game and a path may share one counter.
const _: () = assert!(MAX_PLIES + MAX_PATH < u8::MAX as usize);
/// Memory of the solver of forced wins, in KiB.
const FORCED_TABLE_KB: usize = 512;
/// From this ply on, the end of the game is so close that stored results are valid only for their ply.
const HORIZON_PLY: usize = 84;

/// Result of a search.
pub type SearchResult = alpha_beta::SearchResult<Move>;

/// Searches positions of one game after another. It holds all state of a search, so several searchers with different
/// parameters can be used side by side.
pub struct Searcher {
    core: Core,
    params: Params,
    history: History,
    corrections: Corrections,
    evaluator: Evaluator,
    /// CPU instructions of the evaluator.
    instructions: Instructions,
    /// Hashes of the positions of the game and then of the path.
    hashes: Vec<u64>,
    /// Number of positions of game and path by the low bits of their hash: if it is 1, the last position is not a
    /// repetition.
    hash_counts: Vec<u8>,
    /// Finds wins by checks alone.
    forced: forced::Solver,
}

/// State that all games have. A frame has also the piece-to of the move being searched; `None` for a null move.
pub type Core = alpha_beta::Core<Move, Option<PieceTo>>;

impl Searcher {
    /// Creates a searcher with the built-in network and a transposition table of `hash_mb` MiB.
    pub fn new(params: Params, hash_mb: usize) -> Searcher {
        Searcher::with_evaluator(params, Evaluator::built_in(), hash_mb)
    }

    /// Creates a searcher with an evaluator and a transposition table of `hash_mb` MiB.
    pub fn with_evaluator(params: Params, evaluator: Evaluator, hash_mb: usize) -> Searcher {
        Searcher {
            core: Core::new(hash_mb, pruning::reductions(&params), FRAMES),
            params,
            history: History::new(),
            corrections: Corrections::new(ERRORS),
            instructions: instructions(&evaluator),
            evaluator,
            hashes: Vec::with_capacity(MAX_PLIES + MAX_PATH),
            hash_counts: vec![0; HASH_COUNTS],
            forced: forced::Solver::new(FORCED_TABLE_KB),
        }
    }

    /// Clears all state.
    pub fn clear(&mut self) {
        self.core.table.clear();
        self.history.clear();
        self.corrections.clear();
        self.forced.clear();
    }

    /// Searches the last position of a game. Earlier positions count as repetitions. The game must have a position and
    /// must not be over.
    pub fn search(&mut self, game: &Game, limits: Limits) -> SearchResult {
        self.begin(game, limits);
        let found = game.position().and_then(|position| {
            let moves = self.root_moves(position);
            search_lines(self, position, moves, 1, &mut |_, _| {})
        });
        found.unwrap_or_else(|| SearchResult::unsearched(None))
    }

    /// Prepares a search of the last position of a game.
    pub fn begin(&mut self, game: &Game, limits: Limits) {
        self.core.begin(limits);
        self.hashes.clear();
        self.hash_counts.fill(0);
        game.positions().iter().for_each(|position| self.push_hash(position.hash()));
        if game.position().is_some() {
            self.evaluator.reset();
        }
    }

    /// Prefetches the table entry of the position after a move. Called before pruning and, for quiet moves, while the
    /// previous move is searched, so that the cache line has time to arrive.
    #[inline(always)]
    fn prefetch(&self, position: &Position, mv: Move) {
        self.core.table.prefetch(key_at(position.ply() + 1, position.hash_after(mv)));
    }

    /// Returns the piece-tos of the moves that led to the node at `ply`.
    #[inline(always)]
    fn previous(&self, ply: usize) -> Previous {
        let mut previous = [None; CONTINUATIONS];
        for (back, slot) in previous.iter_mut().enumerate() {
            if ply > back {
                *slot = self.core.frames[ply - 1 - back].extra;
            }
        }
        previous
    }

    /// Returns the corrected static eval.
    #[inline(always)]
    fn corrected(&self, eval: Score, slots: &Slots) -> Score {
        clamp_eval(eval + self.corrections.correction(slots, correction_weights(&self.params)))
    }

    /// Adds a position with this hash to the path.
    #[inline(always)]
    fn push_hash(&mut self, hash: u64) {
        self.hashes.push(hash);
        self.hash_counts[hash as usize % HASH_COUNTS] += 1;
    }

    /// Removes the last position of the path.
    #[inline(always)]
    fn pop_hash(&mut self) {
        if let Some(hash) = self.hashes.pop() {
            self.hash_counts[hash as usize % HASH_COUNTS] -= 1;
        }
    }

    /// Whether the last position has occurred before, in the path or in the game.
    #[inline]
    fn is_repetition(&self) -> bool {
        match self.hashes.split_last() {
            Some((last, _)) if self.hash_counts[*last as usize % HASH_COUNTS] == 1 => false,
            // Compares every second position before.
            Some((last, before)) => before.iter().rev().skip(1).step_by(2).any(|hash| hash == last),
            None => false,
        }
    }
}

/// Returns the CPU instructions of an evaluator, for other computations of the search.
fn instructions(evaluator: &Evaluator) -> Instructions {
    match evaluator {
        Evaluator::Formula(_) => Instructions::best(),
        Evaluator::Network(network, _) => network.kernels.instructions(),
    }
}

/// Returns the table key of a position.
#[inline(always)]
fn table_key(position: &Position) -> u64 {
    key_at(position.ply(), position.hash())
}

/// Returns the table key of a position with this hash at this ply. Near the end of the game the ply is part of it,
/// because the same position is worth something else there. Before, the phases share entries: the value differs little,
/// and separate entries gained nothing.
#[inline(always)]
fn key_at(ply: usize, hash: u64) -> u64 {
    if ply >= HORIZON_PLY {
        hash ^ zobrist::ply(ply)
    } else {
        hash
    }
}

#[cfg(test)]
impl Searcher {
    /// Makes a search panic at this ply.
    pub fn panic_at(&mut self, ply: usize) {
        self.core.frames.truncate(ply);
    }
}

#[cfg(test)]
mod tests {
    use super::super::movegen;
    use super::super::types::Colour;
    use super::*;
    use crate::engine::alpha_beta::Window;
    use crate::engine::rng::Rng;
    use crate::engine::score;
    use crate::engine::table::{Bound, Entry};

    /// Two full classes of alfils wall the wazir in, so Red has no legal move. The rules do not define this case; the
    /// search must report that there is no move.
    #[test]
    fn a_side_without_a_move_gets_none() {
        let text = "WA3A2/A3A3/3A3A/2A3A1/1A3A2/A3A3/3A3A/w1A3A1 - 40";
        let stuck: Position = text.parse().expect("a position");
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let mut searcher = Searcher::new(Params::default(), 1);
        let found = searcher.search(&Game::from_position(stuck), limits);
        assert_eq!((found.best, found.line.len()), (None, 0));
    }

    /// The prefetched key is the one that the next node uses, also near the end of the game.
    #[test]
    fn the_key_after_a_move_is_that_of_the_next_position() {
        for ply in [20, 21, 82, 83, 84] {
            let text = format!("WN2F3/8/2a5/3D4/4n3/8/8/3w4 Aad {}", ply);
            let position: Position = text.parse().expect("a position");
            let mut count = 0;
            movegen::pseudo_legal(&position, |mv| {
                let expected = table_key(&position.make(mv));
                assert_eq!(key_at(ply + 1, position.hash_after(mv)), expected, "{} {}", mv, text);
                count += 1;
            });
            assert!(count > 20);
        }
    }

    /// Random walks with few pieces, passes and steps back included: the quick repetition test agrees with a comparison
    /// of all positions.
    #[test]
    fn repetitions_agree_with_a_slow_comparison() {
        const STEPS: usize = 90;
        let same = |a: &Position, b: &Position| {
            let hands = |position: &Position| Colour::ALL.map(|side| position.hand(side));
            a.board() == b.board() && hands(a) == hands(b) && a.side() == b.side()
        };
        let mut rng = Rng::new(5);
        let mut searcher = Searcher::new(Params::default(), 1);
        let mut counts = [0; 2];
        for _ in 0..40 {
            searcher.hashes.clear();
            searcher.hash_counts.fill(0);
            let start: Position = "W7/8/8/8/4D3/8/8/7w - 2".parse().expect("a position");
            let mut path = vec![start];
            searcher.push_hash(start.hash());
            for _ in 0..STEPS {
                let position = path[path.len() - 1];
                if path.len() > 1 && rng.below(5) == 0 {
                    path.pop();
                    searcher.pop_hash();
                } else {
                    let mut moves = vec![None];
                    movegen::pseudo_legal(&position, |mv| {
                        if position.board().wazir(!position.side()) != Some(mv.to()) {
                            moves.push(Some(mv));
                        }
                    });
                    let next = match moves[rng.below(moves.len())] {
                        Some(mv) => position.make(mv),
                        None => position.make_null(),
                    };
                    path.push(next);
                    searcher.push_hash(next.hash());
                }
                let (last, before) = path.split_last().expect("a position");
                let expected = before.iter().any(|earlier| same(earlier, last));
                assert_eq!(searcher.is_repetition(), expected, "{}", last);
                counts[usize::from(expected)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 200), "{:?}", counts);
    }

    /// A stored win in ten plies is valid at ply 80 but not at ply 95, when seven plies are left.
    #[test]
    fn a_stored_win_beyond_the_last_move_is_none() {
        let entry = Entry {
            move_bits: 0,
            score: score::win_in(10),
            eval: 0,
            depth: 9,
            bound: Bound::Lower,
            pv: false,
        };
        let cutoff_at = |ply: usize| {
            let text = format!("W7/8/8/8/8/8/8/7w - {}", ply);
            let position: Position = text.parse().expect("a position");
            node::tt_cutoff(&position, entry, Window::null(0), 0)
        };
        assert_eq!(cutoff_at(80), Some(score::win_in(10)));
        assert_eq!(cutoff_at(95), None);
    }
}
