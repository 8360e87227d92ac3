//! `cupbot 6561 plan`: searches for a game that two copies of the player can follow.

use super::beam::{Beam, Width};
use crate::games::g6561::game::{Game, Move, MAX_PLIES};
use crate::games::g6561::plan::Plan;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{ensure_replaceable, read_text, replace_atomically, Named};
use crate::tools::support::progress_bar::moves_bar;
use crate::tools::support::text::shown_name;
use crate::tools::support::units::integer;
use anyhow::{ensure, Context, Result};
use std::path::Path;
use std::process::ExitCode;

/// Number of moves per line of the file: five rhythms.
const MOVES_PER_LINE: usize = 25;

/// Search for a game that two copies of the player can follow
///
/// Restarts a beam search over both sides with random weights and writes the game with the highest score. A game in an
/// existing file is replaced only by a better one. The player follows the game in `src/games/g6561/plan.txt`.
#[derive(clap::Args)]
pub struct Args {
    /// Output file of the game
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Number of restarts; each takes about a minute at the default width
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = integer::<u64>(1..))]
    restarts: u64,
    /// Maximum positions per ply (memory: 250 MB at the default)
    #[arg(long, value_name = "N", default_value_t = 30_000,
          value_parser = integer::<u32>(1..=1_000_000))]
    width: u32,
    /// Maximum positions per ply with the same pieces
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = integer::<u32>(1..))]
    same_pieces: u32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer::<u64>(0..))]
    seed: u64,
}

/// Runs the search and writes the best game.
pub fn run(args: Args) -> Result<ExitCode> {
    ensure_replaceable(&args.output)?;
    let mut best = score_of_file(&args.output)?;
    if let Some(score) = best {
        say!("{}: contains a game of {score} points", shown_name(&args.output))?;
    }
    let name = shown_name(&args.output);
    ctrl_c::end_with(format!(
        ": {name} has the best game; the command with another --seed searches further"
    ));
    let width = Width { positions: args.width as usize, same_pieces: args.same_pieces };
    let mut beam = Beam::new(args.seed);
    for restart in 1..=args.restarts {
        let bar = moves_bar(MAX_PLIES, None);
        let found = beam.restart(width, || bar.inc(1));
        bar.finish_and_clear();
        let is_better = best.is_none_or(|best| found.score > best);
        if is_better {
            best = Some(found.score);
            replace_atomically(&args.output, text_of(&found.moves).as_bytes())?;
        }
        let written = if is_better { ", written" } else { "" };
        let best = best.unwrap_or_default();
        say!("restart {restart}/{} score {} best {best}{written}", args.restarts, found.score)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the score of the game in a file, or `None` if the file does not exist or is empty.
fn score_of_file(path: &Path) -> Result<Option<u32>> {
    if !path.is_file() {
        return Ok(None);
    }
    let name = shown_name(path);
    let text = read_text(path).named("reading", path)?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let plan =
        Plan::parse(&text).with_context(|| format!("{name} does not contain a game of 6561"))?;
    let mut game = Game::new();
    while let Some(mv) = plan.next(&game) {
        game.push(mv).with_context(|| format!("{name}: move {mv}"))?;
    }
    ensure!(game.moves() == plan.moves(), "{name}: move {} is illegal", game.ply() + 1);
    Ok(Some(game.score()))
}

/// Formats the moves in lines.
fn text_of(moves: &[Move]) -> String {
    let mut text = String::new();
    for line in moves.chunks(MOVES_PER_LINE) {
        text += &line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_games_are_scored_and_others_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("plan.txt");
        assert_eq!(score_of_file(&path).expect("no file"), None);
        std::fs::write(&path, text_of(Plan::shared().moves())).expect("written");
        assert_eq!(score_of_file(&path).expect("a game"), Some(4676));
        for wrong in ["11 11", "11 12 13 14", "hello"] {
            std::fs::write(&path, wrong).expect("written");
            assert!(score_of_file(&path).is_err(), "{wrong}");
        }
    }
}
