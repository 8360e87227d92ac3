//! The search: iterative deepening principal variation search.

mod history;
mod node;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod root;

use super::eval::Evaluator;
use super::game::{is_insufficient, Game, MAX_HALFMOVES, MAX_PLIES};
use super::position::Position;
use super::types::Move;
use crate::engine::rng::split_mix;
use crate::engine::score::{clamp_eval, Score};
use crate::engine::search::{self, Effort, Reductions, Stopped};
use crate::engine::table::Table;
use history::{
    correction_weights, piece_to, Context, Corrections, History, PieceTo, Previous, Slots,
    CONTINUATIONS, ERRORS, PLIES_BACK,
};
use params::Params;
use picker::{Knowledge, Picker, Ranked, Stage};
use std::time::Duration;

pub use crate::engine::search::Limits;

/// No path is longer than this, extensions and quiescence included.
const MAX_PATH: usize = 120;
/// A frame for each ply of a path. A node at its end clears those of the two plies below it.
const FRAMES: usize = MAX_PATH + 3;
/// The clock is read once in so many nodes.
const NODES_BETWEEN_CLOCK_READS: u64 = 256;
/// From this ply of the game on its end is near enough that a result holds for its ply alone.
const HORIZON_PLY: usize = MAX_PLIES - 30;

/// The result of a search.
pub type SearchResult = search::SearchResult<Move>;

/// What watches a search: told of every finished iteration, and asked whether to stop. It serves other
/// protocols than the contest's.
pub trait Watch {
    /// An iteration is finished, and has left the searcher so.
    fn report(&mut self, _found: &SearchResult, _elapsed: Duration, _searcher: &Searcher) {}
}

/// Observes nothing.
pub struct NoObserver;

impl Watch for NoObserver {}

/// What a node of the current path knows.
#[derive(Clone, Default)]
struct Frame {
    killers: [Option<Move>; 2],
    /// The piece-to of the move being searched; `None` for a null move.
    piece_to: Option<PieceTo>,
    /// Is that move quiet?
    is_quiet: bool,
    /// By how many plies its search is reduced.
    reduction: i32,
    /// How many nodes of this ply have been cut off below the present node two plies above.
    cutoffs: u32,
    /// The static evaluation, corrected by its errors; `None` in check.
    eval: Option<Score>,
    /// A move left out, to see whether the others are all worse (singular extension).
    excluded: Option<Move>,
    /// The principal variation from here.
    line: Vec<Move>,
}

/// Searches positions of one game after another. All that a search remembers is in here: several searchers
/// with different parameters can work side by side.
pub struct Searcher {
    params: Params,
    table: Table,
    history: History,
    corrections: Corrections,
    evaluator: Evaluator,
    reductions: Reductions,
    frames: Vec<Frame>,
    /// The pending moves of all pickers of the path.
    move_stack: Vec<Ranked>,
    /// The hashes of the game's positions and then of the path's.
    hashes: Vec<u64>,
    /// How many of them the game has.
    game_hashes: usize,
    /// The index of the first one after the path's last null move. What stood before can't be repeated by
    /// moves.
    first_behind_null: usize,
    /// The worth of a draw for the side to move at the root.
    contempt: Score,
    /// Maximum length of `hashes` in the current search.
    max_hashes: usize,
    effort: Effort,
    /// The best move so far of the running search, for a caller that must answer after a panic.
    provisional: Option<Move>,
}

impl Searcher {
    /// A searcher by some evaluation, with a transposition table of `hash_mb` MiB.
    pub fn new(params: Params, evaluator: Evaluator, hash_mb: usize) -> Searcher {
        let reductions = pruning::reductions(&params);
        Searcher {
            params,
            table: Table::new(hash_mb),
            history: History::new(),
            corrections: Corrections::new(ERRORS),
            evaluator,
            reductions,
            frames: vec![Frame::default(); FRAMES],
            move_stack: Vec::with_capacity(4096),
            hashes: Vec::with_capacity(MAX_PLIES + MAX_PATH),
            game_hashes: 0,
            first_behind_null: 0,
            contempt: 0,
            max_hashes: 0,
            effort: Effort::begin(Limits::default()),
            provisional: None,
        }
    }

    /// Forgets all earlier searches; touches all memory.
    pub fn clear(&mut self) {
        self.table.clear();
        self.begin_game();
    }

    /// Forgets what was learned of moves and evaluations in earlier games. The table stays: its entries are of
    /// other positions, lose their places by age, and clearing it would take time that a move needs.
    pub fn begin_game(&mut self) {
        self.history.clear();
        self.corrections.clear();
        self.frames.iter_mut().for_each(|frame| *frame = Frame::default());
    }

    /// The best move that the last search had found when it ended, by whatever way.
    pub fn provisional(&self) -> Option<Move> {
        self.provisional
    }

    /// The length of the longest path of the present search.
    pub fn longest_path(&self) -> usize {
        self.max_hashes.saturating_sub(self.game_hashes)
    }

    /// How many of a thousand entries of the table the present search has written or kept.
    pub fn hashfull(&self) -> usize {
        self.table.hashfull()
    }

    /// The longest time between two looks at the clock in the last search, where the clock limited it: long
    /// where another process had the processor.
    pub fn longest_pause(&self) -> Duration {
        self.effort.longest_pause
    }

    /// A draw is worth this to the side that the next searches are for.
    pub fn set_draw_worth(&mut self, worth: Score) {
        self.contempt = worth;
    }

    /// Searches the present position of a game, whose earlier positions count as repeated when met again.
    /// Of its moves only `moves` are tried, at least one where the game goes on.
    pub fn search_moves(&mut self, game: &Game, moves: &[Move], limits: Limits) -> SearchResult {
        self.search_watched(game, moves, limits, &mut NoObserver)
    }

    /// As [`Searcher::search_moves`], told to `watch`.
    pub fn search_watched(
        &mut self,
        game: &Game,
        moves: &[Move],
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> SearchResult {
        self.effort = Effort::begin(limits);
        self.provisional = moves.first().copied();
        self.move_stack.clear();
        self.hashes.clear();
        self.hashes.extend_from_slice(game.hashes());
        self.game_hashes = self.hashes.len();
        self.max_hashes = 0;
        self.first_behind_null = 0;
        self.frames.iter_mut().for_each(|frame| {
            frame.killers = [None; 2];
            frame.excluded = None;
            // A search that was stopped leaves it.
            frame.reduction = 0;
        });
        self.table.age();
        self.evaluator.reset();
        let found = self.search_root(game.position(), moves, watch);
        self.provisional = found.best;
        found
    }

    /// Steps from the node `ply` plies below the root into the position after `mv` (`None`: a null move),
    /// searches it by `inner` and steps back.
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
        self.table.prefetch(table_key(&next));
        self.frames[ply].piece_to = mv.map(|mv| piece_to(position, mv));
        self.frames[ply].is_quiet = mv.map_or(false, |mv| !position.is_noisy(mv));
        self.evaluator.push(position, mv);
        let first = self.first_behind_null;
        if mv.is_none() {
            self.first_behind_null = self.hashes.len();
        }
        self.hashes.push(next.hash());
        let result = inner(self, &next);
        self.hashes.pop();
        self.first_behind_null = first;
        self.evaluator.pop();
        result
    }

    /// A picker's next move and its stage.
    #[inline(always)]
    fn next_move(
        &mut self,
        picker: &mut Picker,
        position: &Position,
        context: &Context,
    ) -> Option<(Move, Stage)> {
        let knowledge = Knowledge { history: &self.history, params: &self.params, context };
        picker.next(position, &knowledge, &mut self.move_stack)
    }

    /// The piece-tos of the moves that led to the node `ply` plies below the root.
    #[inline(always)]
    fn previous(&self, ply: usize) -> Previous {
        let mut previous = [None; CONTINUATIONS];
        for (back, slot) in PLIES_BACK.iter().zip(&mut previous) {
            if ply >= *back {
                *slot = self.frames[ply - back].piece_to;
            }
        }
        previous
    }

    /// An evaluation, corrected by the errors met in such positions, and nearer to a draw the longer nothing
    /// has happened.
    #[inline(always)]
    fn corrected(&self, eval: Score, position: &Position, slots: &Slots) -> Score {
        let faded = eval * (FADING - position.halfmoves().min(MAX_HALFMOVES) as Score) / FADING;
        clamp_eval(faded + self.corrections.correction(slots, correction_weights(&self.params)))
    }

    /// Counts a node. Fails if the search must end.
    #[inline(always)]
    fn count_node(&mut self) -> Result<(), Stopped> {
        self.max_hashes = self.max_hashes.max(self.hashes.len());
        self.effort.count_node(NODES_BETWEEN_CLOCK_READS)
    }

    /// The worth of a draw for the side to move so many plies below the root.
    #[inline(always)]
    fn draw(&self, ply: usize) -> Score {
        if ply % 2 == 0 {
            self.contempt
        } else {
            -self.contempt
        }
    }

    /// Is the position drawn by the rules, but for stalemate? One repetition within the search counts, since
    /// what could be done once can be done again. A mate on the last half-move is left to the evaluation of
    /// checks: in check the other draws are not looked at.
    #[inline(always)]
    fn is_draw(&self, position: &Position) -> bool {
        let is_quiet = position.checkers().is_empty();
        is_quiet && (position.halfmoves() >= MAX_HALFMOVES || position.ply() >= MAX_PLIES)
            || position.halfmoves() >= 4 && self.is_repetition(position)
            || is_insufficient(position)
    }

    /// Has the last position of the path stood before: once in the search, or twice in the game?
    #[inline]
    fn is_repetition(&self, position: &Position) -> bool {
        let last = self.hashes.len() - 1;
        let mut in_game = 0;
        // With the same side to move: every second position before, back to a capture, a pawn's move or a
        // null move.
        let furthest = position.halfmoves().min(last - self.first_behind_null);
        let mut back = 4;
        while back <= furthest {
            let index = last - back;
            if self.hashes[index] == self.hashes[last] {
                in_game += 1;
                if index >= self.game_hashes || in_game == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }
}

/// An evaluation loses one part of so many with every half-move without a capture or a pawn's move.
const FADING: Score = 220;

/// The key of a position in the table. Near the end of the game the same position is worth something else at
/// another ply.
#[inline(always)]
fn table_key(position: &Position) -> u64 {
    let ply = position.ply();
    if ply >= HORIZON_PLY {
        position.hash() ^ split_mix(ply as u64)
    } else {
        position.hash()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::games::chess960::movegen;
    use crate::games::chess960::position::CastlingRule;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen, CastlingRule::Arena).expect(fen)
    }

    /// The words of a position by which the rules compare: all but the numbers of moves.
    fn words(position: &Position) -> String {
        let text = position.to_string();
        text.split(' ').take(4).collect::<Vec<_>>().join(" ")
    }

    /// Walks of few pieces, back and forth, steps back included: a repetition is a position that stood once
    /// before in the search or twice in the game, as a slow count of all of them says.
    #[test]
    fn repetitions_are_those_of_a_slow_count() {
        let mut rng = Rng::new(5);
        let mut searcher = Searcher::new(Params::default(), Evaluator::built_in(), 1);
        let mut counts = [0; 2];
        for _ in 0..60 {
            let start = position("7k/8/8/8/8/8/8/K1N5 w - - 0 1");
            searcher.hashes = vec![start.hash()];
            searcher.first_behind_null = 0;
            searcher.game_hashes = 1 + rng.below(30);
            let mut path = vec![start];
            for _ in 0..70 {
                let last = path[path.len() - 1];
                let moves = movegen::moves(&last);
                if path.len() > searcher.game_hashes && rng.below(5) == 0 {
                    path.pop();
                    searcher.hashes.pop();
                } else {
                    // Most moves take the side's own last one back.
                    let before = path.len().checked_sub(3).map(|index| path[index]);
                    let own = |position: &Position| position.colour(last.side());
                    let returns = |mv: &&Move| {
                        before.map_or(false, |before| own(&last.make(**mv)) == own(&before))
                    };
                    let mv = moves.iter().find(returns).filter(|_| rng.below(3) > 0);
                    let next = last.make(*mv.unwrap_or(&moves[rng.below(moves.len())]));
                    path.push(next);
                    searcher.hashes.push(next.hash());
                }
                let (last, before) = path.split_last().expect("a position");
                let stood = |(index, earlier): (usize, &Position)| {
                    let is_same = words(earlier) == words(last);
                    [is_same && index >= searcher.game_hashes, is_same]
                };
                let stood: Vec<[bool; 2]> = before.iter().enumerate().map(stood).collect();
                let in_search = stood.iter().any(|[in_search, _]| *in_search);
                let in_all = stood.iter().filter(|[_, is_same]| *is_same).count();
                let expected = in_search || in_all >= 2;
                assert_eq!(searcher.is_repetition(last), expected, "{}", last);
                counts[usize::from(expected)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 200), "{:?}", counts);
    }

    /// What stood before a null move can't be repeated by moves.
    #[test]
    fn nothing_is_repeated_across_a_null_move() {
        let mut searcher = Searcher::new(Params::default(), Evaluator::built_in(), 1);
        let last = position("7k/8/8/8/8/8/8/K1N5 w - - 8 5");
        searcher.hashes = vec![last.hash(), 1, 2, 3, last.hash()];
        searcher.game_hashes = 0;
        assert!(searcher.is_repetition(&last));
        searcher.first_behind_null = 1;
        assert!(!searcher.is_repetition(&last));
    }

    /// Far from the last move a position has one key, near to it one for each ply.
    #[test]
    fn keys_differ_by_the_ply_near_the_end_alone() {
        let at = |number: usize| position(&format!("7k/8/8/8/8/8/8/K1N5 w - - 0 {}", number));
        let last = MAX_PLIES / 2;
        assert_eq!(table_key(&at(20)), table_key(&at(21)));
        assert_ne!(table_key(&at(last - 3)), table_key(&at(last - 2)));
        assert_ne!(table_key(&at(last - 2)), table_key(&at(20)));
    }
}
