//! `cupbot perft`: counts the move tree, to compare generators.

use super::play::game_parser;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::{Position, MAX_PLIES};
use crate::games::zero_point_one::types::Move;
use crate::games::{zuniq, Entry, GameId, GAMES};
use anyhow::{bail, ensure, Context, Result};
use std::io;
use std::process::ExitCode;
use std::time::Instant;

/// Count the leaves of the move tree after any moves played
#[derive(clap::Args)]
pub struct Args {
    /// How deep to count
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// The moves played; in Zero Point One Red's and Blue's setups first
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Which game
    #[arg(long, default_value = GAMES[0].name, value_parser = game_parser())]
    game: &'static Entry,
    /// Count only moves that do not leave the own wazir en prise (Zero Point One)
    #[arg(long)]
    safe: bool,
}

/// The setups that are counted where none are given: those of the contest's example.
const DEFAULT_SETUPS: [&str; 2] = ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"];

/// Prints the counts of every depth up to the one asked for.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.game.id {
        GameId::ZeroPointOne => run_zero_point_one(&args)?,
        GameId::Zuniq => run_zuniq(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn run_zero_point_one(args: &Args) -> Result<()> {
    let mut game = Game::new();
    let mut texts: Vec<&str> = args.moves.iter().map(String::as_str).collect();
    if texts.is_empty() {
        texts.extend(DEFAULT_SETUPS);
    }
    for text in texts {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    let Some(position) = game.position() else {
        bail!("expected both setups before the first move");
    };
    Ok(print_counts(args.depth, |depth| perft(position, depth, args.safe))?)
}

fn run_zuniq(args: &Args) -> Result<()> {
    ensure!(!args.safe, "--safe is for Zero Point One");
    let mut game = zuniq::game::Game::new();
    for text in &args.moves {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    Ok(print_counts(args.depth, |depth| zuniq::perft::perft(game.position(), depth))?)
}

fn print_counts(deepest: u32, count: impl Fn(u32) -> u64) -> io::Result<()> {
    for depth in 1..=deepest {
        let started = Instant::now();
        let leaves = count(depth);
        let seconds = started.elapsed().as_secs_f64();
        let speed = leaves as f64 / seconds.max(1e-9);
        say!("depth {depth} leaves {leaves} time {seconds:.3} s speed {speed:.0} nodes/s")?;
    }
    Ok(())
}

/// The number of leaves `depth` moves below a position.
pub fn perft(position: &Position, depth: u32, safe: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.ply() >= MAX_PLIES {
        return 0;
    }
    let mut leaves = 0;
    let count = |mv: Move| {
        leaves += if depth == 1 { 1 } else { perft(&position.make(mv), depth - 1, safe) };
    };
    if safe {
        movegen::safe(position, count);
    } else {
        movegen::pseudo_legal(position, count);
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_rules() {
        let cases = include_str!("../../tests/data/perft.txt");
        let mut checked = 0;
        for case in cases.lines().filter(|line| !line.starts_with('#')) {
            let mut words = case.split_whitespace();
            let safe = words.next() == Some("safe");
            let counts = words.next().unwrap_or_default();
            let mut game = Game::new();
            words.for_each(|text| game.play(text).expect(case));
            let position = game.position().expect(case);
            for (depth, count) in (1..).zip(counts.split(',')) {
                let count: u64 = count.parse().expect(case);
                assert_eq!(perft(position, depth, safe), count, "depth {depth} of {case}");
                checked += 1;
            }
        }
        assert_eq!(checked, 25);
    }
}
