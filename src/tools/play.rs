//! `cupbot play`: one game by the judge's dialogue, or by hand where stdin is a terminal.

use super::by_hand;
use crate::engine::clock::Clock;
use crate::engine::dialogue;
use crate::games::{Entry, Settings, GAMES};
use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// The most MiB that a player's table may have.
pub const MOST_HASH_MB: u64 = 1024;

/// The options of a player.
#[derive(clap::Args)]
pub struct Options {
    /// The size of the player's table at most, in MiB
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=MOST_HASH_MB))]
    pub hash: Option<u64>,
    /// Search every move to so many nodes instead of by the clock: such games can be repeated exactly
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
}

/// Play one game by the judge's dialogue on stdin and stdout
#[derive(clap::Args)]
pub struct Args {
    /// Which game
    #[arg(default_value = GAMES[0].name, value_parser = game_parser())]
    game: &'static Entry,
    #[command(flatten)]
    options: Options,
}

/// Reads the name of a game.
pub fn game_parser() -> impl TypedValueParser<Value = &'static Entry> {
    PossibleValuesParser::new(GAMES.iter().map(|game| game.name)).map(|name| {
        let game = GAMES.iter().find(|game| game.name == name);
        game.expect("the parser lets only these names through")
    })
}

/// Plays the game asked for.
pub fn run(args: Args, clock: Clock) -> Result<ExitCode> {
    play(args.game, args.options, clock)
}

/// Plays the main game.
pub fn run_main_game(options: Options, clock: Clock) -> Result<ExitCode> {
    play(&GAMES[0], options, clock)
}

fn play(game: &Entry, options: Options, mut clock: Clock) -> Result<ExitCode> {
    let hash_mb = options.hash.map_or(game.hash_mb, |mb| mb as usize);
    let settings = Settings { hash_mb, nodes: options.nodes };
    if io::stdin().is_terminal() {
        let mut player = by_hand::player(game, settings);
        by_hand::run(
            player.as_mut(),
            &mut io::stdin().lock(),
            &mut io::stdout(),
            &mut io::stderr(),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut player = (game.player)(settings);
    let (input, output, log) = (io::stdin(), io::stdout(), io::stderr());
    let (mut input, mut output, mut log) = (input.lock(), output.lock(), log.lock());
    dialogue::run(player.as_mut(), &mut clock, &mut input, &mut output, &mut log)?;
    Ok(ExitCode::SUCCESS)
}
