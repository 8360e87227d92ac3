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
use crate::engine::score::{clamp_eval, Score};
pub use crate::engine::search::Limits;
use crate::engine::search::{self, Effort, Reductions, Stopped};
use crate::engine::sys::simd::Instructions;
use crate::engine::table::Table;
use correction::{correction_weights, Corrections, Slots, ERRORS};
use history::{History, PieceTo, Previous, CONTINUATIONS};
use params::Params;
use picker::Ranked;

/// Maximum length of a path, including extensions and quiescence.
const MAX_PATH: usize = 128;
/// Number of frames: a node at the end of a path clears the frames of the next two plies.
const FRAMES: usize = MAX_PATH + 3;
/// Interval at which the clock is read, in nodes.
const NODES_BETWEEN_CLOCK_READS: u64 = 1024;
/// Number of counters of position hashes; a path with the game before it has at most 255 positions.
const HASH_COUNTS: usize = 4096;
// All positions of a game and a path may share one counter.
const _: () = assert!(MAX_PLIES + MAX_PATH < u8::MAX as usize);
/// Memory of the solver of forced wins, in KiB.
const FORCED_TABLE_KB: usize = 512;
/// From this ply on, the end of the game is so close that stored results are valid only for their ply.
const HORIZON_PLY: usize = 84;

/// Result of a search.
pub type SearchResult = search::SearchResult<Move>;

/// State of a node of the current path.
#[derive(Clone, Default)]
struct Frame {
    killers: [Option<Move>; 2],
    /// Piece-to of the move being searched; `None` for a null move.
    piece_to: Option<PieceTo>,
    /// Static eval after correction; `None` in check.
    eval: Option<Score>,
    /// Move excluded by the singular test.
    excluded: Option<Move>,
    /// Principal variation from here.
    line: Vec<Move>,
}

/// Searches positions of one game after another. It holds all state of a search, so several searchers with
/// different parameters can be used side by side.
pub struct Searcher {
    params: Params,
    table: Table,
    history: History,
    corrections: Corrections,
    evaluator: Evaluator,
    /// CPU instructions of the evaluator.
    instructions: Instructions,
    reductions: Reductions,
    frames: Vec<Frame>,
    /// Stack of pending moves, shared by the pickers of the path.
    move_stack: Vec<Ranked>,
    /// Hashes of the positions of the game and then of the path.
    hashes: Vec<u64>,
    /// Number of positions of game and path by the low bits of their hash: if it is 1, the last position is
    /// not a repetition.
    hash_counts: Vec<u8>,
    /// Finds wins by checks alone.
    forced: forced::Solver,
    effort: Effort,
    /// Best move of the running search so far, for a caller that must answer after a panic.
    provisional: Option<Move>,
}

impl Searcher {
    /// Creates a searcher with the built-in network and a transposition table of `hash_mb` MiB.
    pub fn new(params: Params, hash_mb: usize) -> Searcher {
        Searcher::with_evaluator(params, Evaluator::built_in(), hash_mb)
    }

    /// Creates a searcher with an evaluator and a transposition table of `hash_mb` MiB.
    pub fn with_evaluator(params: Params, evaluator: Evaluator, hash_mb: usize) -> Searcher {
        let reductions = pruning::reductions(&params);
        Searcher {
            params,
            table: Table::new(hash_mb),
            history: History::new(),
            corrections: Corrections::new(ERRORS),
            instructions: instructions(&evaluator),
            evaluator,
            reductions,
            frames: vec![Frame::default(); FRAMES],
            move_stack: Vec::with_capacity(4096),
            hashes: Vec::with_capacity(MAX_PLIES + MAX_PATH),
            hash_counts: vec![0; HASH_COUNTS],
            forced: forced::Solver::new(FORCED_TABLE_KB),
            effort: Effort::begin(Limits::default()),
            provisional: None,
        }
    }

    /// Clears all state.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
        self.corrections.clear();
        self.forced.clear();
    }

    /// Best move found by the last search, even if it was stopped or panicked.
    pub fn provisional(&self) -> Option<Move> {
        self.provisional
    }

    /// Searches the last position of a game. Earlier positions count as repetitions. The game must have a
    /// position and must not be over.
    pub fn search(&mut self, game: &Game, limits: Limits) -> SearchResult {
        self.begin(game, limits);
        let found = match game.position() {
            Some(position) => self.search_root(position),
            None => SearchResult::unsearched(None),
        };
        self.provisional = found.best;
        found
    }

    /// Prepares a search of the last position of a game.
    pub fn begin(&mut self, game: &Game, limits: Limits) {
        self.effort = Effort::begin(limits);
        self.provisional = None;
        self.move_stack.clear();
        self.hashes.clear();
        self.hash_counts.fill(0);
        game.positions().iter().for_each(|position| self.enter(position.hash()));
        self.frames.iter_mut().for_each(|frame| {
            frame.killers = [None; 2];
            frame.excluded = None;
        });
        self.table.age();
        if game.position().is_some() {
            self.evaluator.reset();
        }
    }

    /// Prefetches the table entry of the position after a move. Called before pruning and, for quiet moves,
    /// while the previous move is searched, so that the cache line has time to arrive.
    #[inline(always)]
    fn prefetch(&self, position: &Position, mv: Move) {
        self.table.prefetch(key_at(position.ply() + 1, position.hash_after(mv)));
    }

    /// Makes a move (`None`: a null move) at the node `ply` plies below the root, searches the new position
    /// by `inner`, and takes the move back.
    #[inline(always)]
    fn with_move<T>(
        &mut self,
        position: &Position,
        mv: Option<Move>,
        ply: usize,
        inner: impl FnOnce(&mut Searcher, &Position) -> T,
    ) -> T {
        let next = match mv {
            Some(mv) => position.make(mv),
            None => position.make_null(),
        };
        self.frames[ply].piece_to = mv.map(|mv| PieceTo::of(position, mv));
        self.evaluator.push(position, mv);
        self.enter(next.hash());
        let result = inner(self, &next);
        self.leave();
        self.evaluator.pop();
        result
    }

    /// Returns the piece-tos of the moves that led to the node at `ply`.
    #[inline(always)]
    fn previous(&self, ply: usize) -> Previous {
        let mut previous = [None; CONTINUATIONS];
        for (back, slot) in previous.iter_mut().enumerate() {
            if ply > back {
                *slot = self.frames[ply - 1 - back].piece_to;
            }
        }
        previous
    }

    /// Returns the corrected static eval.
    #[inline(always)]
    fn corrected(&self, eval: Score, slots: &Slots) -> Score {
        clamp_eval(eval + self.corrections.correction(slots, correction_weights(&self.params)))
    }

    /// Counts a node. Fails if the search must stop.
    #[inline(always)]
    fn count_node(&mut self) -> Result<(), Stopped> {
        self.effort.count_node(NODES_BETWEEN_CLOCK_READS)
    }

    /// Adds a position with this hash to the path.
    #[inline(always)]
    fn enter(&mut self, hash: u64) {
        self.hashes.push(hash);
        self.hash_counts[hash as usize % HASH_COUNTS] += 1;
    }

    /// Removes the last position of the path.
    #[inline(always)]
    fn leave(&mut self) {
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

/// Returns the table key of a position with this hash at this ply. Near the end of the game the ply is part
/// of it, because the same position is worth something else there. Before, the phases share entries: the
/// value differs little (separate entries measured -7 [-22, +8] elo).
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
        self.frames.truncate(ply);
    }
}

#[cfg(test)]
mod tests {
    use super::super::movegen;
    use super::super::types::Colour;
    use super::*;
    use crate::engine::rng::Rng;
    use crate::engine::score;
    use crate::engine::search::Window;
    use crate::engine::table::{Bound, Entry};

    /// Two full classes of alfils wall the wazir in, so Red has no legal move. The rules do not define this
    /// case; the search must report that there is no move.
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
    fn the_key_behind_a_move_is_that_of_the_next_position() {
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

    /// Random walks with few pieces, passes and steps back included: the quick repetition test agrees with
    /// a comparison of all positions.
    #[test]
    fn repetitions_are_those_of_a_slow_count() {
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
            searcher.enter(start.hash());
            for _ in 0..STEPS {
                let position = path[path.len() - 1];
                if path.len() > 1 && rng.below(5) == 0 {
                    path.pop();
                    searcher.leave();
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
                    searcher.enter(next.hash());
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
