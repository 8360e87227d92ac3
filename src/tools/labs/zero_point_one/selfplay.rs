//! `cupbot selfplay`: games of the engine against itself, for training.

use super::data::file::GameWriter;
use super::data::stored_game::{Ply, TrainingGame};
use super::evaluation;
use super::openings::{random_opening, random_safe_move, OpeningStyle};
use crate::engine::rng::{split_mix, Rng};
use crate::engine::score::is_decisive;
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::types::Colour;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::shard::Sharding;
use crate::tools::support::units::parse_share;
use crate::tools::training::play_in_order;
use anyhow::Result;
use rand::RngExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Play training games of Zero Point One in process and write them to a file
#[derive(clap::Args)]
pub struct Args {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Go on with a file that an interrupted run has begun (same options but for --games and
    /// --jobs)
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
    /// The games are the same for the same seed, whatever the jobs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The network to play by, or `handmade` (default: the built-in evaluation)
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    #[command(flatten)]
    style: Style,
}

/// How the games are played.
#[derive(clap::Args, Clone, Debug, serde::Serialize)]
struct Style {
    /// Nodes a move after which no new iteration begins
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes a move at most (0: ten times --nodes)
    #[arg(long, default_value_t = 0)]
    hard_nodes: u64,
    /// The share of good setups; the others are random
    #[arg(long, default_value_t = 0.5, value_parser = parse_share::<f64>)]
    good_setups: f64,
    /// Random plies after the setups: up to this many
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=80))]
    random_plies: u32,
    /// The probability of a random move at each of the plies --noise-plies, after the opening
    #[arg(long, default_value_t = 0.04, value_parser = parse_share::<f64>)]
    noise: f64,
    /// Random moves are played up to this ply
    #[arg(long, default_value_t = 40)]
    noise_plies: usize,
    /// End a game as a draw when a position occurs so many times (0: never)
    #[arg(long, default_value_t = 0)]
    draw_repetitions: usize,
    /// Resign when the own score is below minus this (0: never)
    #[arg(long, default_value_t = 0)]
    resign: i32,
}

/// All that decides the games but their number, as their file keeps it.
#[derive(serde::Serialize)]
struct Settings<'a> {
    seed: u64,
    evaluation: String,
    #[serde(flatten)]
    style: &'a Style,
}

/// The transposition table of each job, in MiB: small, since it is cleared before every game.
const HASH_MB: usize = 4;

/// Plays the games.
pub fn run(args: Args) -> Result<ExitCode> {
    // Before the file, which a network that can't be read must not leave behind empty.
    let evaluator = evaluation::named(args.net.as_deref())?;
    let evaluation = evaluation::fingerprint(&evaluator);
    let settings = Settings { seed: args.seed, evaluation, style: &args.style };
    let settings = args.sharding.settings(serde_json::to_value(&settings)?, args.games);
    let settings = serde_json::to_string(&settings)?;
    let shard = args.sharding.shard();
    let planned = shard.share(args.games);
    let (mut writer, first) = if args.resume && args.output.exists() {
        GameWriter::resume(&args.output, &settings)?
    } else {
        (GameWriter::create(&args.output, &settings)?, 0)
    };
    let mut progress = Progress::new("games", first, planned);
    let mut tally = Tally::new(first);
    let (seed, style) = (args.seed, &args.style);
    let worker = || {
        let mut searcher = Searcher::with_evaluator(Params::default(), evaluator.clone(), HASH_MB);
        move |place| {
            let number = shard.number(place);
            let mut rng = Rng::new(split_mix(seed).wrapping_add(number));
            play_game(&mut searcher, &mut rng, style)
        }
    };
    play_in_order(first..planned, args.jobs, worker, |record| {
        writer.push(&record)?;
        tally.add(&record);
        progress.advance(|| tally.line());
        Ok(())
    })?;
    writer.flush()?;
    progress.finish_with(&tally.line());
    Ok(ExitCode::SUCCESS)
}

/// Plays one game from a random opening.
fn play_game(searcher: &mut Searcher, rng: &mut Rng, style: &Style) -> TrainingGame {
    let random_plies = (0, style.random_plies as usize);
    let opening = OpeningStyle { good_setups: style.good_setups, random_plies };
    let mut game = random_opening(rng, opening);
    let mut scores: Vec<Option<i16>> = vec![None; game.moves().len()];
    let hard = if style.hard_nodes > 0 { style.hard_nodes } else { 10 * style.nodes };
    let limits =
        Limits { soft_nodes: Some(style.nodes), hard_nodes: Some(hard), ..Limits::default() };
    searcher.clear();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        if style.draw_repetitions > 0 && repetitions(&game) >= style.draw_repetitions {
            break Outcome::Drawn;
        }
        if game.ply() < style.noise_plies && rng.random_bool(style.noise) {
            if let Some(mv) = random_safe_move(&game, rng) {
                game.push(mv);
                scores.push(None);
                continue;
            }
        }
        let found = searcher.search(&game, limits);
        let Some(best) = found.best else {
            // No move at all: the rules leave this open and no real game met it.
            break Outcome::Drawn;
        };
        if style.resign > 0 && found.score <= -style.resign && !is_decisive(found.score) {
            break Outcome::Won(!game.side());
        }
        game.push(best);
        scores.push(Some(found.score as i16));
    };
    record(&game, &scores, outcome)
}

fn record(game: &Game, scores: &[Option<i16>], outcome: Outcome) -> TrainingGame {
    let setup = |index: usize| -> Setup { game.setups()[index] };
    let plies = game.moves().iter().zip(scores).map(|(&mv, &score)| Ply { mv, score }).collect();
    TrainingGame { setups: [setup(0), setup(1)], plies, outcome }
}

/// How often the present position has stood on the board.
fn repetitions(game: &Game) -> usize {
    let present = game.position().map(|position| position.hash());
    game.positions().iter().filter(|position| Some(position.hash()) == present).count()
}

/// What this run has played.
struct Tally {
    started: Instant,
    /// Does it go on with the file of an earlier run?
    is_resumed: bool,
    games: u64,
    positions: u64,
    wins: [u64; 2],
}

impl Tally {
    /// Nothing yet, after so many games of earlier runs.
    fn new(earlier: u64) -> Tally {
        Tally {
            started: Instant::now(),
            is_resumed: earlier > 0,
            games: 0,
            positions: 0,
            wins: [0; 2],
        }
    }

    fn add(&mut self, record: &TrainingGame) {
        self.games += 1;
        self.positions += record.plies.len() as u64;
        if let Outcome::Won(colour) = record.outcome {
            self.wins[(colour == Colour::Blue) as usize] += 1;
        }
    }

    fn line(&self) -> String {
        let [red, blue] = self.wins;
        let draws = self.games - red - blue;
        let speed = self.positions as f64 / self.started.elapsed().as_secs_f64();
        let scope =
            if self.is_resumed { format!("{} in this run: ", self.games) } else { String::new() };
        let positions = self.positions;
        format!("{scope}red {red} blue {blue} draws {draws}, {positions} positions, {speed:.0}/s")
    }
}
