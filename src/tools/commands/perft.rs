//! `cupbot perft`: counts the leaves of the move tree, to check and time move generators.

use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::units::integer;
use anyhow::Result;
use serde_json::json;
use std::process::ExitCode;
use std::time::Instant;

/// Minimum time for which the speed is shown, in seconds; shorter times measure nothing.
const MIN_TIME: f64 = 0.01;

/// Count the leaves of the move tree from a position (perft)
#[derive(clap::Args)]
#[command(after_help = options_help())]
pub struct Args {
    /// Depth in plies
    #[arg(value_parser = integer::<u32>(1..=20))]
    depth: u32,
    /// Moves that lead to the position, including setups (default: start position)
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Game
    #[arg(long, default_value = registry::main_game().rules.name, value_parser = registry::parser())]
    game: &'static Entry,
    /// Count the leaves below each move, at the full depth only
    #[arg(long)]
    divide: bool,
    /// Print a line of JSON per depth, or per move with --divide
    #[arg(long)]
    json: bool,
    /// Game-specific option (see below)
    #[arg(short, long = "option", value_name = "NAME")]
    options: Vec<String>,
}

/// Returns the help on the options of all games.
fn options_help() -> String {
    registry::help_of_games("Options of the games:", |game| {
        game.tools.perft.as_ref().map(|perft| perft.options).filter(|options| !options.is_empty())
    })
}

/// Prints the count at each depth up to the given one, or with `--divide` the count of each move.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::start_over();
    let perft = args.game.require(&args.game.tools.perft, "perft")?;
    let count = (perft.counter)(&args.moves, &args.options)?;
    let sum = |moves: &[(String, u64)]| moves.iter().map(|(_, leaves)| leaves).sum::<u64>();
    if args.divide {
        let mut moves = count(args.depth);
        moves.sort();
        for (text, leaves) in &moves {
            let count = json!({ "move": text, "leaves": leaves });
            say_as!(args.json, count, "{text} {leaves}")?;
        }
        if !args.json {
            say!("moves {} leaves {}", moves.len(), sum(&moves))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    for depth in 1..=args.depth {
        let started = Instant::now();
        let leaves = sum(&count(depth));
        let seconds = started.elapsed().as_secs_f64();
        let speed = match seconds < MIN_TIME {
            true => String::new(),
            false => format!(" speed {:.0} nodes/s", leaves as f64 / seconds),
        };
        let count = json!({ "depth": depth, "leaves": leaves, "seconds": seconds });
        say_as!(args.json, count, "depth {depth} leaves {leaves} time {seconds:.3} s{speed}")?;
    }
    Ok(ExitCode::SUCCESS)
}
