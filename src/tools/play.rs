//! `cupbot play`: one game by the protocol of its contest, or by hand where stdin is a terminal.

use super::by_hand;
use super::game::entry::{Entry, Settings};
use super::game::opponent::MAX_HASH_MB;
use super::registry;
use crate::engine::clock::Clock;
use crate::engine::dialogue::Player;
use anyhow::Result;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// The options of a player.
#[derive(clap::Args)]
pub struct Options {
    /// The size of the player's table at most, in MiB
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=MAX_HASH_MB))]
    pub hash: Option<u64>,
    /// Search every move to so many nodes instead of by the clock: such games can be repeated exactly
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
}

/// Play one game by the judge's protocol on stdin and stdout, at a terminal by hand
#[derive(clap::Args)]
pub struct Args {
    /// Which game
    #[arg(default_value = registry::main_game().name, value_parser = registry::parser())]
    game: &'static Entry,
    #[command(flatten)]
    options: Options,
    /// Speak UCI, as programs with a board do, instead of the protocol of the contest
    #[arg(long)]
    uci: bool,
}

/// Plays the game asked for.
pub fn run(args: Args, clock: Clock) -> Result<ExitCode> {
    if args.uci {
        let serve = args.game.require(&args.game.uci, "UCI")?;
        return serve(settings(args.game, &args.options));
    }
    play(args.game, args.options, clock)
}

fn settings(game: &Entry, options: &Options) -> Settings {
    let hash_mb = options.hash.map_or(game.hash_mb, |mb| mb as usize);
    Settings { hash_mb, nodes: options.nodes }
}

/// Plays the main game.
pub fn run_main_game(options: Options, clock: Clock) -> Result<ExitCode> {
    play(registry::main_game(), options, clock)
}

fn play(game: &'static Entry, options: Options, clock: Clock) -> Result<ExitCode> {
    let settings = settings(game, &options);
    if io::stdin().is_terminal() {
        by_hand::run(
            game,
            settings,
            &mut io::stdin().lock(),
            &mut io::stdout(),
            &mut anstream::stderr(),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    by_protocol(game, (game.player)(settings).as_mut(), clock)
}

/// Lets a player play a game by the protocol of its contest on stdin and stdout. `clock` has run since
/// the start of the process.
pub fn by_protocol(game: &Entry, player: &mut dyn Player, mut clock: Clock) -> Result<ExitCode> {
    clock.set_control(game.contest.time);
    let (input, output, log) = (io::stdin(), io::stdout(), io::stderr());
    let (mut input, mut output, mut log) = (input.lock(), output.lock(), log.lock());
    (game.contest.protocol)(player, &mut clock, &mut input, &mut output, &mut log)?;
    Ok(ExitCode::SUCCESS)
}
