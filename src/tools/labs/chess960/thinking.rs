//! The search as the tools use it.

use super::opponent;
use crate::games::chess960::eval::Evaluator;
use crate::games::chess960::game::Game;
use crate::games::chess960::search::params::Params;
pub use crate::games::chess960::search::{Limits, NoObserver, SearchResult, Searcher, Watch};
use crate::games::chess960::types::Move;
use crate::tools::contracts::alpha_beta::AlphaBeta;
use anyhow::Result;
use std::path::Path;

/// Searches positions and keeps its tables between searches. A search ends early if the thread's flag is
/// raised: see [`crate::engine::interrupt`].
pub struct Thinker(Searcher);

impl Thinker {
    /// Creates one with the built-in evaluation and a hash table of this many MiB.
    pub fn new(hash_mb: usize) -> Thinker {
        Thinker(Searcher::new(Params::default(), Evaluator::built_in(), hash_mb))
    }

    /// Creates one with the evaluation named by an option.
    pub fn with_net(net: Option<&Path>, hash_mb: usize) -> Result<Thinker> {
        let evaluator = opponent::Game::evaluator(net)?;
        Ok(Thinker(Searcher::new(Params::default(), evaluator, hash_mb)))
    }

    /// The searcher in the state after the last search.
    pub fn searcher(&self) -> &Searcher {
        &self.0
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Searches the current position of a game, restricted to `moves` at the root, and reports to `watch`.
    pub fn think(
        &mut self,
        game: &Game,
        moves: &[Move],
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> SearchResult {
        self.0.search_watched(game, moves, limits, watch)
    }
}

/// Maximum depth of a search for several lines.
pub const DEEPEST: i32 = 64;

/// Multi-PV: returns the best lines of one depth with further data. `search` finds the best of all moves,
/// then the best of the others, and so on; each search is fast because of the hash table. `None` if one of
/// them was stopped.
pub fn best_lines<T>(
    moves: &[Move],
    count: usize,
    mut search: impl FnMut(&[Move]) -> Option<(SearchResult, T)>,
) -> Option<Vec<(SearchResult, T)>> {
    let mut others = moves.to_vec();
    let mut found = Vec::new();
    for _ in 0..count {
        let (line, more) = search(&others)?;
        others.retain(|&mv| Some(mv) != line.best);
        found.push((line, more));
    }
    // A later line may turn out to be better than an earlier one.
    found.sort_by_key(|(line, _)| -line.score);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::interrupt;
    use crate::games::chess960::movegen;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::Arc;
    use std::time::Duration;

    /// Raises a flag at its first report.
    struct Raiser(Arc<AtomicBool>, usize);

    impl Watch for Raiser {
        fn report(&mut self, _: &SearchResult, _: Duration, _: &Searcher) {
            self.0.store(true, Ordering::Relaxed);
            self.1 += 1;
        }
    }

    #[test]
    fn a_raised_flag_ends_a_search_without_limits() {
        let flag = Arc::new(AtomicBool::new(false));
        interrupt::set_flag(Some(flag.clone()));
        let mut thinker = Thinker::new(1);
        let game = Game::default();
        let moves = movegen::moves(game.position());
        let mut raiser = Raiser(flag.clone(), 0);
        let found = thinker.think(&game, &moves, Limits::default(), &mut raiser);
        assert_eq!((raiser.1, found.depth), (1, 1));
        assert!(found.best.is_some());
        // A flag that is raised before the search ends it within the first nodes.
        flag.store(true, Ordering::Relaxed);
        let found = thinker.think(&game, &moves, Limits::default(), &mut NoObserver);
        interrupt::set_flag(None);
        assert!(found.best.is_some() && found.nodes < 1000, "{}", found.nodes);
    }
}
