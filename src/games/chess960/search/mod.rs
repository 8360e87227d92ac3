//! Principal variation search with iterative deepening.

mod correction;
mod history;
mod node;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod root;

use super::eval::Evaluator;
use super::game::{is_insufficient, Game, MAX_HALFMOVES};
use super::position::{Position, MAX_PLIES};
use super::types::Move;
use crate::engine::alpha_beta::{self, search_lines};
use crate::engine::budget::Stopped;
use crate::engine::rng::split_mix;
use crate::engine::score::{clamp_eval, Score};
use correction::{correction_weights, Corrections, Slots, ERRORS};
use history::{Context, History, PieceTo, Previous, CONTINUATIONS, PLIES_BACK};
use params::Params;
use picker::{Knowledge, Picker, Stage};

pub use crate::engine::budget::Limits;

/// Maximum length of a path, including extensions and quiescence.
const MAX_PATH: usize = 120;
/// Number of frames: a node at the end of a path clears the frames of the next two plies.
const FRAMES: usize = MAX_PATH + 3;
/// With at most this many plies left, the move limit is so close that stored results are valid only for their ply.
const HORIZON: usize = 30;

/// Result of a search.
pub type SearchResult = alpha_beta::SearchResult<Move>;

/// State of a node of the path that other games don't have.
#[derive(Clone, Default)]
pub struct Extra {
    /// Piece-to of the move being searched; `None` for a null move.
    piece_to: Option<PieceTo>,
    /// Whether that move is quiet.
    is_quiet: bool,
    /// Number of cutoffs at this ply among the children of the node above.
    cutoffs: u32,
}

/// State that all games have.
pub type Core = alpha_beta::Core<Move, Extra>;

/// Searches positions of one game after another. It holds all state of a search, so several searchers with different
/// parameters can be used side by side.
pub struct Searcher {
    core: Core,
    params: Params,
    history: History,
    corrections: Corrections,
    evaluator: Evaluator,
    /// Hashes of the positions of the game and then of the path.
    hashes: Vec<u64>,
    /// Number of hashes that belong to the game.
    game_hashes: usize,
    /// Indices of the hashes after the null moves of the path. Earlier positions can't be repeated.
    nulls: Vec<usize>,
    /// Score of a draw for the side to move at the root.
    draw_score: Score,
    /// Maximum number of hashes: the game and the longest path.
    max_hashes: usize,
}

impl Searcher {
    /// Creates a searcher with an evaluator and a transposition table of `hash_mb` MiB.
    pub fn new(params: Params, evaluator: Evaluator, hash_mb: usize) -> Searcher {
        Searcher {
            core: Core::new(hash_mb, pruning::reductions(&params), FRAMES),
            params,
            history: History::new(),
            corrections: Corrections::new(ERRORS),
            evaluator,
            hashes: Vec::with_capacity(MAX_PLIES + MAX_PATH),
            game_hashes: 0,
            nulls: Vec::new(),
            draw_score: 0,
            max_hashes: 0,
        }
    }

    /// Clears all state and touches all memory.
    pub fn clear(&mut self) {
        self.core.table.clear();
        self.begin_game();
    }

    /// Clears the histories of earlier games. The transposition table is kept: its entries of an opening that may recur
    /// are mostly replaced by then, and clearing it would take time that a move needs.
    pub fn begin_game(&mut self) {
        self.history.clear();
        self.corrections.clear();
        self.core.clear_frames();
    }

    /// Length of the longest path of the current search.
    pub fn longest_path(&self) -> usize {
        self.max_hashes.saturating_sub(self.game_hashes)
    }

    /// Permille of the table used by the current search.
    pub fn hashfull(&self) -> usize {
        self.core.table.hashfull()
    }

    /// Sets the score of a draw for the side to move in the next searches.
    pub fn set_draw_score(&mut self, worth: Score) {
        self.draw_score = worth;
    }

    /// Searches the last position of a game. Earlier positions count as repetitions. Only `moves` are searched at the
    /// root: at least one, unless the game is over.
    pub fn search(&mut self, game: &Game, moves: &[Move], limits: Limits) -> SearchResult {
        self.begin(game, limits);
        let moves = self.root_moves(game.position(), moves);
        let found = search_lines(self, game.position(), moves, 1, &mut |_, _| {});
        found.unwrap_or_else(|| SearchResult::unsearched(None))
    }

    /// Prepares a search of the last position of a game.
    pub fn begin(&mut self, game: &Game, limits: Limits) {
        self.core.begin(limits);
        self.hashes.clear();
        self.hashes.extend_from_slice(game.hashes());
        self.game_hashes = self.hashes.len();
        self.max_hashes = 0;
        self.nulls.clear();
        self.evaluator.reset();
    }

    /// Returns a picker's next move and its stage, and prefetches the table line of the position after it.
    #[inline(always)]
    fn next_move(
        &mut self,
        picker: &mut Picker,
        position: &Position,
        context: &Context,
    ) -> Option<(Move, Stage)> {
        let knowledge = Knowledge { history: &self.history, params: &self.params, context };
        let found = picker.next(position, &knowledge, &mut self.core.move_stack);
        if let Some((mv, _)) = found {
            self.core.table.prefetch(position.likely_hash_after(mv));
        }
        found
    }

    /// Returns the piece-tos of the moves that led to the node at `ply`.
    #[inline(always)]
    fn previous(&self, ply: usize) -> Previous {
        let mut previous = [None; CONTINUATIONS];
        for (back, slot) in PLIES_BACK.iter().zip(&mut previous) {
            if ply >= *back {
                *slot = self.core.frames[ply - back].extra.piece_to;
            }
        }
        previous
    }

    /// Returns the corrected static eval, scaled towards a draw as the half-move clock grows.
    #[inline(always)]
    fn corrected(&self, eval: Score, position: &Position, slots: &Slots) -> Score {
        let faded = eval * (FADING - position.halfmoves().min(MAX_HALFMOVES) as Score) / FADING;
        clamp_eval(faded + self.corrections.correction(slots, correction_weights(&self.params)))
    }

    /// Counts a node. Fails if the search must stop.
    #[inline(always)]
    fn count_node(&mut self) -> Result<(), Stopped> {
        self.max_hashes = self.max_hashes.max(self.hashes.len());
        self.core.budget.count_node()
    }

    /// Returns the score of a draw for the side to move at `ply`.
    #[inline(always)]
    fn draw(&self, ply: usize) -> Score {
        if ply % 2 == 0 {
            self.draw_score
        } else {
            -self.draw_score
        }
    }

    /// Whether the position is drawn by the rules, except by stalemate. A single repetition within the search counts,
    /// because it can be repeated again. Mate on the last half-move has priority: in check, the other draws are not
    /// tested.
    #[inline(always)]
    fn is_draw(&self, position: &Position) -> bool {
        let is_quiet = position.checkers().is_empty();
        is_quiet && (position.halfmoves() >= MAX_HALFMOVES || position.plies_left() == 0)
            || position.halfmoves() >= 4 && self.is_repetition(position)
            || is_insufficient(position)
    }

    /// Whether the last position has occurred before: once within the search, or twice in the game.
    #[inline]
    fn is_repetition(&self, position: &Position) -> bool {
        let last = self.hashes.len() - 1;
        let mut in_game = 0;
        // Compares every second position back to a capture, pawn move or null move.
        let furthest = position.halfmoves().min(last - self.nulls.last().copied().unwrap_or(0));
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

/// Divisor: the static eval loses this part with every half-move without a capture or pawn move.
const FADING: Score = 220;

/// Returns the table key of a position. Near the move limit the ply is part of it, because the same position is worth
/// something else there.
#[inline(always)]
fn table_key(position: &Position) -> u64 {
    if position.plies_left() <= HORIZON {
        position.hash() ^ split_mix(position.ply() as u64)
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

    /// Returns the fields of a position that the repetition rule compares: all except the move counters.
    fn words(position: &Position) -> String {
        let text = position.to_string();
        text.split(' ').take(4).collect::<Vec<_>>().join(" ")
    }

    /// Random walks with few pieces, steps back included: a repetition is a position that occurred once before in the
    /// search or twice in the game, according to a slow count.
    #[test]
    fn repetitions_are_those_of_a_slow_count() {
        let mut rng = Rng::new(5);
        let mut searcher = Searcher::new(Params::default(), Evaluator::built_in(), 1);
        let mut counts = [0; 2];
        for _ in 0..60 {
            let start = position("7k/8/8/8/8/8/8/K1N5 w - - 0 1");
            searcher.hashes = vec![start.hash()];
            searcher.nulls.clear();
            searcher.game_hashes = 1 + rng.below(30);
            let mut path = vec![start];
            for _ in 0..70 {
                let last = path[path.len() - 1];
                let moves = movegen::moves(&last);
                if path.len() > searcher.game_hashes && rng.below(5) == 0 {
                    path.pop();
                    searcher.hashes.pop();
                } else {
                    // Most moves take back the side's last one.
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

    /// Positions before a null move can't be repeated.
    #[test]
    fn nothing_is_repeated_across_a_null_move() {
        let mut searcher = Searcher::new(Params::default(), Evaluator::built_in(), 1);
        let last = position("7k/8/8/8/8/8/8/K1N5 w - - 8 5");
        searcher.hashes = vec![last.hash(), 1, 2, 3, last.hash()];
        searcher.game_hashes = 0;
        assert!(searcher.is_repetition(&last));
        searcher.nulls.push(1);
        assert!(!searcher.is_repetition(&last));
    }

    /// Far from the move limit a position has one key, near it one for each ply.
    #[test]
    fn keys_contain_the_ply_only_near_the_end() {
        let at = |number: usize| position(&format!("7k/8/8/8/8/8/8/K1N5 w - - 0 {}", number));
        let last = MAX_PLIES / 2;
        assert_eq!(table_key(&at(20)), table_key(&at(21)));
        assert_ne!(table_key(&at(last - 3)), table_key(&at(last - 2)));
        assert_ne!(table_key(&at(last - 2)), table_key(&at(20)));
    }
}
