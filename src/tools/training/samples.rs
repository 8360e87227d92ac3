//! Training and validation samples, collected from files of games.

use super::store::{Packed, Shuffler, Store, StoreConfig};
use crate::tools::contracts::game_files::Duplicates;
use crate::tools::support::text::count_of;
use crate::tools::support::units::{parse_scale, parse_share};
use anyhow::Result;
use std::hash::Hash;

/// One game in this many is held out for validation.
const VALIDATION_EVERY: usize = 50;

/// The kind of a sample's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Blend of search scores and the result, weighted by the training options.
    Blend,
    /// The result only, where it is known. Losses against it can be compared across training options.
    Result,
}

/// Options that determine the targets of samples.
#[derive(clap::Args, Clone, Copy, Debug, serde::Serialize)]
pub struct Labels {
    /// Weight of later scores and the result in a position's target; the rest is the position's own score
    #[arg(long, default_value_t = 0.9, value_parser = parse_share::<f32>)]
    pub lambda: f32,
    /// Score, in hundredths, of an expected result of 73 % (default: fitted per file)
    #[arg(long, value_parser = parse_scale)]
    pub score_scale: Option<f32>,
}

/// Training and validation samples of one or more files.
pub struct Samples<S> {
    /// Training samples.
    pub training: Store,
    /// Validation samples, from games that are not in the training samples.
    pub validation: Vec<S>,
    /// Samples of the validation games with the result as their target.
    pub results: Vec<S>,
}

impl<S: Packed> Samples<S> {
    /// Collects the samples of all files; `add` adds the games of one file to the collector.
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

/// Collects games and turns them into samples.
pub struct Collector<S> {
    training: Shuffler,
    validation: Vec<S>,
    results: Vec<S>,
    games: usize,
    duplicates: Duplicates,
}

impl<S: Packed> Collector<S> {
    /// Creates a collector without games.
    fn new(store: StoreConfig) -> Collector<S> {
        Collector {
            training: Shuffler::new(store),
            validation: Vec::new(),
            results: Vec::new(),
            games: 0,
            duplicates: Duplicates::default(),
        }
    }

    /// Adds a game. Games with the same `identity` are reported as duplicates; `make` returns the samples for a kind of
    /// target. Fails if a temporary file can't be written.
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

    /// Warns of duplicate games, shuffles the training samples and prints the number of games and samples.
    fn finish(self) -> Result<Samples<S>> {
        self.duplicates.warn();
        let training = self.training.finish::<S>()?;
        tell!(
            "{}, {}{}, {}",
            count_of(self.games, "game"),
            count_of(training.len(), "training position"),
            if training.is_on_disk() { " (on disk)" } else { "" },
            count_of(self.validation.len(), "validation position")
        );
        Ok(Samples { training, validation: self.validation, results: self.results })
    }
}
