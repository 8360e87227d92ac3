//! Samples to learn from and samples to validate by.

use crate::engine::rng::Rng;
use crate::tools::contracts::game_files::Duplicates;
use rand::seq::SliceRandom;
use std::hash::Hash;

/// Every so many games one is kept for validation.
const VALIDATION_EVERY: usize = 50;

/// So many games of a file decide its score scales.
pub const GAMES_TO_FIT: usize = 20_000;

/// What a sample's target is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Scores and the result, as the recipe says.
    Blend,
    /// The result alone, where it is known: comparable whatever the recipe.
    Result,
}

/// Samples of games.
pub struct Samples<S> {
    /// Samples to learn from.
    pub training: Vec<S>,
    /// Samples of other games.
    pub validation: Vec<S>,
    /// Those with the result alone as their target.
    pub results: Vec<S>,
    /// Games read.
    pub games: usize,
    duplicates: Duplicates,
}

impl<S> Default for Samples<S> {
    fn default() -> Samples<S> {
        let (training, validation, results) = (Vec::new(), Vec::new(), Vec::new());
        Samples { training, validation, results, games: 0, duplicates: Duplicates::default() }
    }
}

impl<S> Samples<S> {
    /// Takes in a game: what distinguishes it from others, and what makes its samples.
    pub fn add_game(&mut self, identity: impl Hash, make: impl Fn(Target) -> Vec<S>) {
        self.duplicates.add(identity);
        self.games += 1;
        if self.games.is_multiple_of(VALIDATION_EVERY) {
            self.validation.extend(make(Target::Blend));
            self.results.extend(make(Target::Result));
        } else {
            self.training.extend(make(Target::Blend));
        }
    }

    /// All games are in: warns of those that are there twice, shuffles what is learned from, and says how much
    /// that is.
    pub fn finish(&mut self, seed: u64) {
        self.duplicates.warn();
        self.training.shuffle(&mut Rng::new(seed));
        let [training, validation] = [&self.training, &self.validation].map(Vec::len);
        eprintln!(
            "{} games, {training} positions to learn from, {validation} to validate",
            self.games
        );
    }
}
