//! Self-play: numbered games of the engine against itself on several threads, written to one file. An interrupted run
//! can be resumed.

use super::game_file::{Record, Summary, Writer};
use super::in_order::play_in_order;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::shard::Sharding;
use crate::tools::support::text::shown_name;
use crate::tools::support::units::integer;
use anyhow::Result;
use std::process::ExitCode;
use std::time::Instant;

/// Self-play options that all games share: which games to play and the output file.
#[derive(clap::Args)]
pub struct SelfPlayArgs {
    /// Output file
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Resume the run in an existing file (same options except --jobs and, without --shard, --games)
    #[arg(long)]
    resume: bool,
    /// Total number of games in the file, including earlier runs, or in all shards together
    #[arg(long, default_value_t = 10_000, value_parser = integer::<u64>(1..))]
    games: u64,
    /// Number of games to play in parallel
    #[arg(short, long, default_value_t = 1, value_parser = integer::<u64>(1..=256))]
    jobs: u64,
    #[command(flatten)]
    sharding: Sharding,
    /// Random seed; the same seed gives the same games, regardless of --jobs
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(0..))]
    seed: u64,
}

/// The settings in a file's header: all options that determine the games, except their number.
#[derive(serde::Serialize)]
struct Settings<'a, S> {
    seed: u64,
    #[serde(flatten)]
    options: &'a S,
}

impl SelfPlayArgs {
    /// Plays the games and writes them to the file. `options` are the other options that determine them; they are
    /// stored in the file. `player` creates the player of one thread, which plays a whole game with the generator that
    /// it is given.
    pub fn play<R: Record, P: FnMut(&mut Rng) -> R>(
        &self,
        options: &impl serde::Serialize,
        player: impl Fn() -> P + Sync,
    ) -> Result<ExitCode> {
        let settings = serde_json::to_value(Settings { seed: self.seed, options })?;
        let settings = serde_json::to_string(&self.sharding.settings(settings, self.games))?;
        let shard = self.sharding.shard();
        let planned = shard.share(self.games);
        let (mut file, done) = Writer::open::<R>(&self.output, self.resume, &settings)?;
        let name = shown_name(&self.output);
        ctrl_c::end_with(format!(": finished games are in {name}; --resume continues the run"));
        let mut progress = Progress::new("games", done, planned);
        let mut tally = Tally::new(R::SIDES, done);
        let worker = || {
            let mut player = player();
            move |index| {
                // Each game is seeded by its number alone, so a resumed run plays the same games.
                let number = shard.number(index);
                player(&mut Rng::new(split_mix(self.seed).wrapping_add(number)))
            }
        };
        play_in_order(done..planned, self.jobs, worker, |game| {
            file.push(&game)?;
            tally.add(game.summary());
            progress.advance(|| tally.line());
            Ok(())
        })?;
        progress.finish_with(&tally.line());
        Ok(ExitCode::SUCCESS)
    }
}

/// Totals of this run.
struct Tally {
    sides: [&'static str; 2],
    started: Instant,
    /// Whether the file already had games of an earlier run.
    is_resumed: bool,
    games: u64,
    positions: u64,
    wins: [u64; 2],
}

impl Tally {
    /// Creates an empty tally; `earlier` is the number of games that the file already has.
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
