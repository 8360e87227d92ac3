//! `cupbot tournament`: a round robin.

mod page;
mod table;

use super::r#match::options::Options;
use super::r#match::options_help;
use super::r#match::session::{self, Scoreboard};
use crate::tools::arena::match_file::GameRecord;
use crate::tools::arena::runner::{Ended, Pairing};
use crate::tools::contracts::entry::Entry;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::replace_atomically;
use crate::tools::support::pages::ensure_page;
use crate::tools::support::units::integer;
use anyhow::{bail, Result};
use std::process::ExitCode;
use table::Table;

/// Play a round robin between several players and print the table
///
/// Players are specified as in `match`. In each round every two players meet twice with colours swapped. All games of a
/// round have the same opening (with `--openings none` as in the contest). The table ranks by the contest's points.
/// Ctrl-C ends the tournament and prints the table of the finished games.
#[derive(clap::Args)]
#[command(after_help = options_help())]
pub struct Args {
    /// Players, at least two
    #[arg(required = true, num_args = 2..)]
    players: Vec<String>,
    /// Number of rounds
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(1..=100_000))]
    rounds: u64,
    /// Only the first player meets the others
    #[arg(long)]
    gauntlet: bool,
    /// Also write a self-contained HTML page with the table and all games
    #[arg(long, value_name = "FILE")]
    html: Option<OutputFile>,
    #[command(flatten)]
    options: Options,
}

/// Plays the tournament.
pub fn run(args: Args) -> Result<ExitCode> {
    let arena = args.options.arena(&args.players)?;
    let mut names = arena.names.clone();
    names.sort();
    if let Some(same) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        bail!("two players are called {:?}: name one with name=NAME", same[0]);
    }
    let plan = plan(args.players.len(), args.rounds as usize, args.gauntlet);
    let mut table = Table::new(args.options.game, arena.names.clone());
    args.html.as_deref().map_or(Ok(()), ensure_page)?;
    let ended = session::play(&args.options, arena, &plan, &mut table)?;
    if let Some(path) = &args.html {
        replace_atomically(path, page::page(&table)?.as_bytes())?;
    }
    if table.is_void() && table.games.is_empty() {
        bail!("{}", table.unable_text());
    }
    table.print(args.options.json)?;
    if table.is_void() {
        bail!("tournament aborted, fewer than two players are left: {}", table.unable_text());
    }
    Ok(match ended {
        Ended::Interrupted => ExitCode::from(ctrl_c::exit_status()),
        Ended::Complete | Ended::BrokenOff => ExitCode::SUCCESS,
    })
}

/// Prints the table of a tournament from its games.
pub fn print_table(
    game: &'static Entry,
    names: Vec<String>,
    games: &[GameRecord],
    is_json: bool,
) -> Result<()> {
    let mut table = Table::new(game, names);
    games.iter().for_each(|game| table.add(game));
    table.print(is_json)
}

/// Creates the schedule: in each round every two players (in a gauntlet: the first and every other one) meet twice with
/// colours swapped, from the opening of the round.
fn plan(players: usize, rounds: usize, is_gauntlet: bool) -> Vec<Pairing> {
    let mut plan = Vec::new();
    for opening in 0..rounds {
        for first in 0..if is_gauntlet { 1 } else { players } {
            for second in first + 1..players {
                let pair = plan.len() / 2;
                plan.push(Pairing { pair, opening, players: [first, second] });
                plan.push(Pairing { pair, opening, players: [second, first] });
            }
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_players_meet_with_both_colours() {
        let plan = plan(4, 2, false);
        assert_eq!(plan.len(), 24);
        for red in 0..4 {
            for blue in (0..4).filter(|&blue| blue != red) {
                let games: Vec<&Pairing> =
                    plan.iter().filter(|pairing| pairing.players == [red, blue]).collect();
                assert_eq!(games.len(), 2);
                assert_ne!(games[0].pair, games[1].pair);
                assert_eq!([games[0].opening, games[1].opening], [0, 1], "one in each round");
            }
        }
        assert!(plan.chunks(2).all(|pair| pair[0].pair == pair[1].pair));
        let gauntlet = super::plan(4, 2, true);
        assert!(
            gauntlet.len() == 12 && gauntlet.iter().all(|pairing| pairing.players.contains(&0))
        );
    }
}
