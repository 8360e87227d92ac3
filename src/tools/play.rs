//! `cupbot` alone: one game by the judge's dialogue, or by hand where stdin is a terminal.

use super::by_hand;
use crate::engine::clock::Clock;
use crate::engine::dialogue;
use crate::games::zero_point_one::player::{Player, DEFAULT_HASH_MB};
use anyhow::Result;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// The options of the player.
#[derive(clap::Args)]
pub struct Args {
    /// The size of the transposition table at most, in MiB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH_MB as u64,
          value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub hash: u64,
    /// Search every move to so many nodes instead of by the clock: such games can be repeated exactly
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
}

/// Plays a game on stdin and stdout.
pub fn run(args: Args, mut clock: Clock) -> Result<ExitCode> {
    let mut player = Player::new(args.hash as usize);
    if let Some(nodes) = args.nodes {
        player = player.with_nodes(nodes);
    }
    if io::stdin().is_terminal() {
        by_hand::run(player, &mut io::stdin().lock(), &mut io::stdout(), &mut io::stderr())?;
        return Ok(ExitCode::SUCCESS);
    }
    let (input, output, log) = (io::stdin(), io::stdout(), io::stderr());
    dialogue::run(&mut player, &mut clock, &mut input.lock(), &mut output.lock(), &mut log.lock())?;
    Ok(ExitCode::SUCCESS)
}
