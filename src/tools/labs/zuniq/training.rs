//! `cupbot zuniq train`: trains the network on files of games.

use super::evaluation::{network, NONE};
use super::model::{loss, Example, Model, Weights};
use super::samples::{self, Sample};
use crate::engine::rng::Rng;
use crate::games::zuniq::geometry::SYMMETRIES;
use crate::games::zuniq::network::features::Features;
use crate::tools::contracts::game_files::Duplicates;
use crate::tools::support::files::{self, outputs::OutputFile};
use crate::tools::support::progress_bar::epoch_bar;
use crate::tools::support::units::{parse_not_negative, parse_positive};
use crate::tools::training::{Schedule, Step};
use anyhow::{ensure, Context, Result};
use rand::seq::SliceRandom;
use rand::RngExt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Train the network of Zuniq on files of games
#[derive(clap::Args)]
pub struct Args {
    /// Files of games to train on
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// More files, of which only the late positions are used: their values are exact or nearly so
    #[arg(long, value_name = "FILE", num_args = 1..)]
    late: Vec<PathBuf>,
    /// The network file to write
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Start from this network instead of random weights
    #[arg(long, value_name = "FILE")]
    start_from: Option<PathBuf>,
    /// Passes over all positions, each time with a random symmetry
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Initial learning rate; it falls to a hundredth by half a cosine
    #[arg(long, default_value_t = 0.002, value_parser = parse_positive::<f32>)]
    rate: f32,
    /// Weight decay
    #[arg(long, default_value_t = 0.01, value_parser = parse_not_negative::<f32>)]
    decay: f32,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The first ply of late positions.
const LATE_PLY: usize = 24;
/// The number of positions in a batch.
const BATCH: usize = 256;
/// One in this many games is held out for validation.
const HELD_OUT: usize = 25;
/// The number of plies in a row of the report on held-out positions.
const PLIES_PER_GROUP: usize = 4;

/// Trains a network and writes it.
pub fn run(args: Args) -> Result<ExitCode> {
    let weights = first_weights(&args)?;
    files::ensure_replaceable(&args.output)?;
    let (mut samples, held_out) = read(&args)?;
    let count = samples.len();
    eprintln!("{count} positions to learn from, {} held out", held_out.len());
    ensure!(count >= BATCH, "{count} positions are fewer than a batch of {BATCH}");
    let mut model = Model::new(weights);
    let mut rng = Rng::new(args.seed);
    let steps = (count / BATCH) as u64 * u64::from(args.epochs);
    let schedule = Schedule { rate: args.rate, warm_up: 0.0, steps };
    let mut step = 0;
    for epoch in 1..=args.epochs {
        samples.shuffle(&mut rng);
        let bar = epoch_bar(epoch, (count / BATCH) as u64);
        let mut total = 0.0;
        for batch in samples.chunks_exact(BATCH) {
            let rate = schedule.rate(step);
            total += model.learn(&examples(batch, &mut rng), Step { rate, decay: args.decay });
            step += 1;
            bar.inc(1);
        }
        bar.finish_and_clear();
        model.weights.ensure_finite()?;
        let seen = (count / BATCH * BATCH) as f64;
        let held_out = mean_loss(&model, &held_out);
        eprintln!("epoch {epoch:>3} training loss {:.4} held out {held_out:.4}", total / seen);
    }
    files::replace_atomically(&args.output, &model.weights.network()?.to_bytes())?;
    // Last: if the reader of the report has gone, the network must be kept all the same.
    print_by_ply(&model, &held_out)?;
    Ok(ExitCode::SUCCESS)
}

/// The initial weights.
fn first_weights(args: &Args) -> Result<Weights> {
    let Some(path) = &args.start_from else { return Ok(Weights::random(args.seed)) };
    ensure!(path != Path::new(NONE), "--start-from: expected a network file, not {NONE}");
    Ok(Weights::of(&*network(Some(path))?))
}

/// Reads the training positions and those held out.
fn read(args: &Args) -> Result<(Vec<Sample>, Vec<Sample>)> {
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    let mut games = 0;
    let mut duplicates = Duplicates::default();
    let all = args.files.iter().map(|path| (path, 0));
    for (path, min_ply) in all.chain(args.late.iter().map(|path| (path, LATE_PLY))) {
        let name = path.display();
        let text = File::open(path).map_err(Into::into).and_then(files::read_lines);
        let text = text.with_context(|| format!("reading {name}"))?;
        for (number, line) in samples::games(&text) {
            let of_line = samples::of_line(line);
            let mut samples = of_line.with_context(|| format!("{name}, line {number}"))?;
            samples.retain(|sample| sample.ply >= min_ply);
            games += 1;
            duplicates.add((line, min_ply));
            if games % HELD_OUT == 0 { &mut held_out } else { &mut training }.extend(samples);
        }
    }
    duplicates.warn();
    Ok((training, held_out))
}

/// The samples as examples, each under a random symmetry.
fn examples(samples: &[Sample], rng: &mut Rng) -> Vec<Example> {
    let example = |sample: &Sample| Example {
        features: Features::of(&sample.source.image(rng.random_range(..SYMMETRIES))),
        target: sample.target,
    };
    samples.iter().map(example).collect()
}

fn mean_loss(model: &Model, samples: &[Sample]) -> f64 {
    let of = |sample: &Sample| loss(model.output(&Features::of(&sample.source)), sample.target);
    let total: f64 = samples.iter().map(|sample| f64::from(of(sample))).sum();
    total / samples.len().max(1) as f64
}

/// Prints the accuracy of the network by time of the game.
fn print_by_ply(model: &Model, held_out: &[Sample]) -> io::Result<()> {
    let last = held_out.iter().map(|sample| sample.ply).max().unwrap_or(0);
    for first in (0..=last).step_by(PLIES_PER_GROUP) {
        let plies = first..first + PLIES_PER_GROUP;
        let group: Vec<Sample> =
            held_out.iter().filter(|sample| plies.contains(&sample.ply)).cloned().collect();
        let is_right = |sample: &&Sample| {
            (model.output(&Features::of(&sample.source)) > 0.0) == (sample.target > 0.5)
        };
        let right = group.iter().filter(is_right).count();
        say!(
            "plies {first:>2} to {:>2}: {:>6} positions, loss {:.4}, \
             winner predicted correctly: {:.1} %",
            plies.end - 1,
            group.len(),
            mean_loss(model, &group),
            100.0 * right as f64 / group.len().max(1) as f64
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, FromArgMatches};

    fn parsed(words: &str) -> Args {
        let command = Args::augment_args(clap::Command::new("train"));
        let matches = command.try_get_matches_from(words.split(' ')).expect("good arguments");
        Args::from_arg_matches(&matches).expect("all of them")
    }

    #[test]
    fn late_takes_all_files_up_to_the_next_option() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let args = parsed("train games-4 games-5 --late games-1 games-2 games-3 -o net --epochs 7");
        assert_eq!(args.files, files(&["games-4", "games-5"]));
        assert_eq!(args.late, files(&["games-1", "games-2", "games-3"]));
        assert_eq!((args.output, args.epochs), (PathBuf::from("net").into(), 7));
        let args = parsed("train games-4 -o net --late games-1 --late games-2");
        assert_eq!(args.files, files(&["games-4"]));
        assert_eq!(args.late, files(&["games-1", "games-2"]));
        assert!(parsed("train games-4 -o net").late.is_empty());
    }
}
