//! `cupbot perft`: counts the move tree, to compare generators.

use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry;
use anyhow::Result;
use std::process::ExitCode;
use std::time::Instant;

/// Count the leaves of the move tree after any moves played
#[derive(clap::Args)]
#[command(after_help = options_help())]
pub struct Args {
    /// How deep to count
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// The moves played, setups included where the game has them
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Which game
    #[arg(long, default_value = registry::main_game().name, value_parser = registry::parser())]
    game: &'static Entry,
    /// Count the leaves behind each move, at the full depth alone
    #[arg(long)]
    divide: bool,
    /// An option of the game, see below
    #[arg(short, long = "option", value_name = "NAME")]
    options: Vec<String>,
}

/// The options of all games.
fn options_help() -> String {
    registry::help_of_games("Options of the games:", |game| {
        game.perft.as_ref().map(|perft| perft.options).filter(|options| !options.is_empty())
    })
}

/// Prints the counts of every depth up to the one asked for, or of each move.
pub fn run(args: Args) -> Result<ExitCode> {
    let perft = args.game.require(&args.game.perft, "perft")?;
    let tree = (perft.tree)(&args.moves, &args.options)?;
    if args.divide {
        let mut moves = tree.divide(args.depth);
        moves.sort();
        for (text, leaves) in &moves {
            say!("{text} {leaves}")?;
        }
        let total: u64 = moves.iter().map(|(_, leaves)| leaves).sum();
        say!("moves {} leaves {total}", moves.len())?;
        return Ok(ExitCode::SUCCESS);
    }
    for depth in 1..=args.depth {
        let started = Instant::now();
        let leaves = tree.leaves(depth);
        let seconds = started.elapsed().as_secs_f64();
        let speed = leaves as f64 / seconds.max(1e-9);
        say!("depth {depth} leaves {leaves} time {seconds:.3} s speed {speed:.0} nodes/s")?;
    }
    Ok(ExitCode::SUCCESS)
}
