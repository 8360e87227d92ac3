//! The search as the tools use it.

use crate::engine::alpha_beta::{self, Report};
use crate::games::chess960::eval::Evaluator;
use crate::games::chess960::game::Game;
use crate::games::chess960::search::params::Params;
use crate::games::chess960::search::{Limits, SearchResult, Searcher};
use crate::games::chess960::types::Move;

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

/// Searches for lines; see [`alpha_beta::search_lines`].
pub fn search_lines(
    searcher: &mut Searcher,
    task: &Task,
    report: &mut Report<Searcher>,
) -> Option<SearchResult> {
    let position = task.game.position();
    searcher.begin(task.game, task.limits);
    let moves = searcher.root_moves(position, task.moves);
    alpha_beta::search_lines(searcher, position, moves, task.lines, report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::interrupt;
    use crate::games::chess960::movegen;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::Arc;

    #[test]
    fn one_line_is_that_of_the_search_used_in_play() {
        let game = Game::default();
        let moves = &movegen::moves(game.position());
        let task = |limits| Task { game: &game, moves, lines: 1, limits };
        let limits = Limits { depth: Some(9), ..Limits::default() };
        let played = searcher(1).search(&game, moves, limits);
        let found = search_lines(&mut searcher(1), &task(limits), &mut |_, _| {}).expect("a line");
        assert_eq!(
            (found.nodes, found.score, found.line),
            (played.nodes, played.score, played.line)
        );
        // A search that is stopped at its first node returns a move.
        let limits = Limits { hard_nodes: Some(1), ..Limits::default() };
        let found = search_lines(&mut searcher(1), &task(limits), &mut |_, _| {}).expect("a line");
        assert!(found.best.is_some() && found.depth == 0, "{found:?}");
    }

    #[test]
    fn a_raised_flag_ends_a_search_without_limits() {
        let flag = Arc::new(AtomicBool::new(false));
        interrupt::set_flag(Some(flag.clone()));
        let mut searcher = searcher(1);
        let game = Game::default();
        let moves = movegen::moves(game.position());
        let task = Task { game: &game, moves: &moves, lines: 1, limits: Limits::default() };
        let mut reports = 0;
        let found = search_lines(&mut searcher, &task, &mut |_, _| {
            flag.store(true, Ordering::Relaxed);
            reports += 1;
        });
        assert_eq!((reports, found.expect("a line").depth), (1, 1));
        // A flag that is raised before the search ends it within the first nodes.
        let found = searcher.search(&game, &moves, Limits::default());
        interrupt::set_flag(None);
        assert!(found.best.is_some() && found.nodes < 1000, "{}", found.nodes);
    }
}
