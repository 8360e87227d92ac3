//! The search as the tools use it: with one line, or with several.

use crate::engine::interrupt;
use crate::engine::score;
use crate::games::chess960::eval::Evaluator;
use crate::games::chess960::game::Game;
use crate::games::chess960::search::params::Params;
use crate::games::chess960::search::{Limits, SearchResult, Searcher};
use crate::games::chess960::types::Move;
use std::time::{Duration, Instant};

/// Maximum depth of a search for several lines.
const DEEPEST: i32 = 64;

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

/// A line with the state of the searcher after it.
pub type Found = (SearchResult, State);

/// Multi-PV: at each depth finds the best of all moves, then the best of the others, and so on, until a limit is reached
/// or the thread's flag is raised; each search is fast because of the hash table. Reports the lines of each depth, best
/// first, with the nodes and the time so far. Returns the best line of the last finished depth, or the first line of
/// depth 1; `None` without moves.
pub fn search_lines(
    searcher: &mut Searcher,
    task: &Task,
    report: &mut dyn FnMut(&[Found], Duration),
) -> Option<SearchResult> {
    let Task { game, moves, lines, limits } = task;
    let begun = Instant::now();
    let mut nodes = 0;
    let mut best: Option<SearchResult> = None;
    for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
        let mut others = moves.to_vec();
        let mut found: Vec<Found> = Vec::new();
        while found.len() < *lines && !others.is_empty() {
            let limits = Limits {
                depth: Some(depth),
                hard_nodes: limits.hard_nodes.map(|hard| hard.saturating_sub(nodes).max(1)),
                hard_time: limits.hard_time.map(|hard| hard.saturating_sub(begun.elapsed())),
                ..Limits::default()
            };
            let line = searcher.search_moves(game, &others, limits);
            nodes += line.nodes;
            best.get_or_insert_with(|| line.clone());
            let is_known = score::plies_to_end(line.score).is_some();
            if interrupt::is_raised() || line.depth < depth && !is_known {
                return best;
            }
            others.retain(|&mv| Some(mv) != line.best);
            found.push((line, State::of(searcher)));
        }
        // A later line may turn out to be better than an earlier one.
        found.sort_by_key(|(line, _)| -line.score);
        found.iter_mut().for_each(|(line, _)| line.nodes = nodes);
        best = found.first().map(|(line, _)| line.clone());
        let elapsed = begun.elapsed();
        report(&found, elapsed);
        // Deeper searches do not change lines that are proved wins or losses.
        let is_final = |(line, _): &Found| {
            score::plies_to_end(line.score).is_some_and(|plies| depth as usize > plies + 1)
        };
        let is_spent = |limit: Option<Duration>| limit.is_some_and(|limit| elapsed >= limit);
        if limits.hard_nodes.is_some_and(|hard| nodes >= hard)
            || is_spent(limits.soft_time)
            || is_spent(limits.hard_time)
            || found.iter().all(is_final)
        {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
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
