//! Self-play: numbered games of the engine against itself, by several threads, in a file that an interrupted run
//! goes on with.

use super::in_order::play_in_order;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::shard::Sharding;
use anyhow::Result;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The options of self-play in every game: which games are played, and where they go.
#[derive(clap::Args)]
pub struct SelfPlayArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Go on with a file that an interrupted run has begun (same options but for --games and --jobs)
    #[arg(long)]
    resume: bool,
    /// How many games the file shall hold in the end, or the files of all shards together
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games played at a time
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: u64,
    #[command(flatten)]
    sharding: Sharding,
    /// Random seed; the games are the same for the same seed, whatever the jobs
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What a file's first line or header says: all that decides the games but their number.
#[derive(serde::Serialize)]
struct Settings<'a, S> {
    seed: u64,
    #[serde(flatten)]
    style: &'a S,
}

/// How the engine of a game plays training games.
pub trait SelfPlay: Sync {
    /// A finished game.
    type Game: Send;
    /// Where games go.
    type File: GameFile<Self::Game>;

    /// What the sides are called, in the order in which they move.
    const SIDES: [&'static str; 2];

    /// Makes a file of games with these settings, or opens one to go on with. Returns the number of games in it.
    fn open(&self, path: &Path, resume: bool, settings: &str) -> Result<(Self::File, u64)>;
    /// What plays games on one thread, each by random numbers of its own.
    fn player(&self) -> impl FnMut(&mut Rng) -> Self::Game;
    /// What a game adds to the report.
    fn summary(game: &Self::Game) -> Summary;
}

/// A file of games, open for writing.
pub trait GameFile<G> {
    /// Adds a game.
    fn push(&mut self, game: &G) -> Result<()>;
    /// Writes what is left, where games are gathered before they are written.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A game in short.
pub struct Summary {
    /// Positions to learn from.
    pub positions: usize,
    /// The winner's place among the sides; `None` in a draw.
    pub winner: Option<usize>,
}

impl SelfPlayArgs {
    /// Plays the games. `style` is all that decides them beside the seed, as their file keeps it.
    pub fn play<P: SelfPlay>(
        &self,
        selfplay: &P,
        style: &impl serde::Serialize,
    ) -> Result<ExitCode> {
        let settings = serde_json::to_value(Settings { seed: self.seed, style })?;
        let settings = serde_json::to_string(&self.sharding.settings(settings, self.games))?;
        let shard = self.sharding.shard();
        let planned = shard.share(self.games);
        let (mut file, done) = selfplay.open(&self.output, self.resume, &settings)?;
        let mut progress = Progress::new("games", done, planned);
        let mut tally = Tally::new(P::SIDES, done);
        let worker = || {
            let mut player = selfplay.player();
            move |place| {
                // The random numbers of a game depend on its number alone, so that a resumed run plays the same.
                let number = shard.number(place);
                player(&mut Rng::new(split_mix(self.seed).wrapping_add(number)))
            }
        };
        play_in_order(done..planned, self.jobs, worker, |game| {
            file.push(&game)?;
            tally.add(P::summary(&game));
            progress.advance(|| tally.line());
            Ok(())
        })?;
        file.finish()?;
        progress.finish_with(&tally.line());
        Ok(ExitCode::SUCCESS)
    }
}

/// What this run has played.
struct Tally {
    sides: [&'static str; 2],
    started: Instant,
    /// Does it go on with the file of an earlier run?
    is_resumed: bool,
    games: u64,
    positions: u64,
    wins: [u64; 2],
}

impl Tally {
    /// Nothing yet, after so many games of earlier runs.
    fn new(sides: [&'static str; 2], earlier: u64) -> Tally {
        let (started, is_resumed) = (Instant::now(), earlier > 0);
        Tally { sides, started, is_resumed, games: 0, positions: 0, wins: [0; 2] }
    }

    fn add(&mut self, Summary { positions, winner }: Summary) {
        self.games += 1;
        self.positions += positions as u64;
        if let Some(winner) = winner {
            self.wins[winner] += 1;
        }
    }

    fn line(&self) -> String {
        let ([side, other], [wins, losses]) = (self.sides, self.wins);
        let (draws, positions) = (self.games - wins - losses, self.positions);
        let speed = positions as f64 / self.started.elapsed().as_secs_f64();
        let scope = match self.is_resumed {
            true => format!("{} in this run: ", self.games),
            false => String::new(),
        };
        format!("{scope}{side} {wins} {other} {losses} draws {draws}, {positions} positions, {speed:.0}/s")
    }
}
