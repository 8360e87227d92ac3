//! Options of a player with an alpha-beta search.

use crate::engine::budget::Limits;

/// Options of a player.
#[derive(Clone)]
pub struct Options<P, E> {
    /// Maximum size of the transposition table, in MiB.
    pub hash_mb: usize,
    /// Search parameters.
    pub params: P,
    /// Evaluator; `None` for the built-in network.
    pub evaluator: Option<E>,
    /// Limits of every move's search, in addition to the clock or instead of it.
    pub limits: Limits,
    /// Whether searches are limited by the clock. If not, games are reproducible.
    pub by_clock: bool,
}

impl<P: Default, E> Options<P, E> {
    /// Returns the options of the contest player, with a transposition table of at most `hash_mb` MiB.
    pub fn contest(hash_mb: usize) -> Options<P, E> {
        Options {
            hash_mb,
            params: P::default(),
            evaluator: None,
            limits: Limits::default(),
            by_clock: true,
        }
    }
}
