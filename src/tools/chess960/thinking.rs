//! The engine's search as the tools use it.

use super::evaluation;
use crate::games::chess960::eval::Evaluator;
use crate::games::chess960::game::Game;
use crate::games::chess960::search::{params::Params, Searcher};
pub use crate::games::chess960::search::{Limits, SearchResult, Watch};
use crate::games::chess960::types::Move;
use anyhow::Result;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// Thinks about positions, and keeps what it finds from one to the next.
pub struct Thinker(Searcher);

/// Does not watch.
pub struct Unwatched;

impl Watch for Unwatched {}

impl Thinker {
    /// One by the built-in evaluation, with a table of so many MiB.
    pub fn new(hash_mb: usize) -> Thinker {
        Thinker(Searcher::new(Params::default(), Evaluator::built_in(), hash_mb))
    }

    /// One by the evaluation that an option names.
    pub fn with_net(net: Option<&Path>, hash_mb: usize) -> Result<Thinker> {
        let evaluator = evaluation::named(net)?;
        Ok(Thinker(Searcher::new(Params::default(), evaluator, hash_mb)))
    }

    /// Forgets all that it has found.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Ends its searches soon after this sign is given.
    pub fn set_stop_sign(&mut self, sign: Arc<AtomicBool>) {
        self.0.set_stop_sign(Some(sign));
    }

    /// Thinks about the present position of a game, of whose moves only these are tried, and tells `watch`.
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
