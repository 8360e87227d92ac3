//! Samples to learn from and samples to validate by.

use super::store::{Packed, Shuffler, Store, StoreConfig};
use crate::tools::contracts::game_files::Duplicates;
use anyhow::Result;
use std::hash::Hash;

/// Every so many games one is kept for validation.
const VALIDATION_EVERY: usize = 50;

/// So many games of a file decide its score scales.
const GAMES_TO_FIT: usize = 20_000;

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
    pub training: Store,
    /// Samples of other games.
    pub validation: Vec<S>,
    /// Those with the result alone as their target.
    pub results: Vec<S>,
}

impl<S: Packed> Samples<S> {
    /// The samples of all these files, the games of each of which `add` takes in.
    pub fn of<F>(
        files: impl IntoIterator<Item = F>,
        store: StoreConfig,
        mut add: impl FnMut(&mut Collector<S>, F) -> Result<()>,
    ) -> Result<Samples<S>> {
        let mut collector = Collector::new(store);
        files.into_iter().try_for_each(|file| add(&mut collector, file))?;
        collector.finish()
    }
}

/// Takes in games, and makes samples of them.
pub struct Collector<S> {
    training: Shuffler,
    validation: Vec<S>,
    results: Vec<S>,
    games: usize,
    duplicates: Duplicates,
}

impl<S: Packed> Collector<S> {
    /// Without games.
    fn new(store: StoreConfig) -> Collector<S> {
        Collector {
            training: Shuffler::new(store),
            validation: Vec::new(),
            results: Vec::new(),
            games: 0,
            duplicates: Duplicates::default(),
        }
    }

    /// Takes in the games of a file. `fit` finds in its first games what `add`, which takes in one game, needs to
    /// know of them all, such as their score scale. Returns what it found and the number of games.
    pub fn add_games<G, T>(
        &mut self,
        mut games: impl Iterator<Item = Result<G>>,
        fit: impl FnOnce(&[G]) -> T,
        add: impl Fn(&mut Self, &G, &T) -> Result<()>,
    ) -> Result<(T, usize)> {
        let first = games.by_ref().take(GAMES_TO_FIT).collect::<Result<Vec<G>>>()?;
        let fitted = fit(&first);
        let before = self.games;
        for game in first.into_iter().map(Ok).chain(games) {
            add(self, &game?, &fitted)?;
        }
        Ok((fitted, self.games - before))
    }

    /// Takes in a game: what distinguishes it from others, and what makes its samples. An error where a temporary
    /// file can't be written.
    pub fn add_game(&mut self, identity: impl Hash, make: impl Fn(Target) -> Vec<S>) -> Result<()> {
        self.duplicates.add(identity);
        self.games += 1;
        if self.games.is_multiple_of(VALIDATION_EVERY) {
            self.validation.extend(make(Target::Blend));
            self.results.extend(make(Target::Result));
            return Ok(());
        }
        make(Target::Blend).iter().try_for_each(|sample| self.training.add(sample))
    }

    /// All games are in: warns of those that are there twice, shuffles what is learned from, and says how much
    /// that is.
    fn finish(self) -> Result<Samples<S>> {
        self.duplicates.warn();
        let training = self.training.finish::<S>()?;
        tell!(
            "{} games, {} positions to learn from{}, {} to validate",
            self.games,
            training.len(),
            if training.is_on_disk() { " (on disk)" } else { "" },
            self.validation.len()
        );
        Ok(Samples { training, validation: self.validation, results: self.results })
    }
}
