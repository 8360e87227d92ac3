//! The search as the tools use it: with one line, or with several.

use crate::games::chess960::eval::Evaluator;
use crate::games::chess960::game::Game;
use crate::games::chess960::search::params::Params;
use crate::games::chess960::search::{Limits, SearchResult, Searcher};
use crate::games::chess960::types::Move;
use crate::tools::contracts::multi_pv::{self, Report};

/// Creates a searcher with the built-in evaluation and a hash table of this many MiB.
pub fn searcher(hash_mb: usize) -> Searcher {
    Searcher::new(Params::default(), Evaluator::built_in(), hash_mb)
}

/// What to search.
pub struct Task<'a> {
    /// The game with the position.
    pub game: &'a Game,
    /// The root moves.
    pub moves: &'a [Move],
    /// Number of lines.
    pub lines: usize,
    /// Limits of the whole search.
    pub limits: Limits,
}

/// State of the searcher after a line.
#[derive(Clone, Copy)]
pub struct State {
    /// Length of the longest path.
    pub seldepth: usize,
    /// Permille of the hash table that is used.
    pub hashfull: usize,
}

impl State {
    /// Returns the state of a searcher.
    pub fn of(searcher: &Searcher) -> State {
        State { seldepth: searcher.longest_path(), hashfull: searcher.hashfull() }
    }
}

/// Searches for several lines; see [`multi_pv::search_lines`].
pub fn search_lines(
    searcher: &mut Searcher,
    task: &Task,
    report: &mut Report<Move, State>,
) -> Option<SearchResult> {
    let mut search = |earlier: &[Move], limits| {
        let others = task.moves.iter().filter(|mv| !earlier.contains(mv));
        let others: Vec<Move> = others.copied().collect();
        let line = searcher.search_moves(task.game, &others, limits);
        line.best.map(|_| (line, State::of(searcher)))
    };
    multi_pv::search_lines(task.limits, task.lines, &mut search, report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::interrupt;
    use crate::games::chess960::movegen;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::Arc;

    #[test]
    fn a_raised_flag_ends_a_search_without_limits() {
        let flag = Arc::new(AtomicBool::new(false));
        interrupt::set_flag(Some(flag.clone()));
        let mut searcher = searcher(1);
        let game = Game::default();
        let moves = movegen::moves(game.position());
        let mut reports = 0;
        let found = searcher.search_watched(&game, &moves, Limits::default(), &mut |_, _, _| {
            flag.store(true, Ordering::Relaxed);
            reports += 1;
        });
        assert_eq!((reports, found.depth), (1, 1));
        assert!(found.best.is_some());
        // A flag that is raised before the search ends it within the first nodes.
        let found = searcher.search_moves(&game, &moves, Limits::default());
        interrupt::set_flag(None);
        assert!(found.best.is_some() && found.nodes < 1000, "{}", found.nodes);
    }
}
