//! The grammar of the command line: subcommands to functions.

use crate::engine::clock::Clock;
use crate::tools;
use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The exit status of bad arguments and bad input.
pub const EXIT_USAGE: u8 = 2;

/// Competition bots in one binary. Without a command it plays Zero Point One, the game of CodeCup
/// 2026, by the judge's dialogue on stdin and stdout; at a terminal by hand, with the board on stderr.
#[derive(Parser)]
#[command(name = "cupbot", version, propagate_version = true)]
// The options here are for the main game alone: a command must not swallow them.
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    play: tools::play::Options,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(tools::play::Args),
    Perft(tools::perft::Args),
    Bench(tools::bench::Args),
    Depths(tools::depths::Args),
    Tactics(tools::zero_point_one::tactics::Args),
    Ledger(tools::ledger::Args),
    Check(tools::check::Args),
    #[command(hide = true)]
    RandomMover(tools::random_mover::Args),
    Analyse(tools::analyse::Args),
    Replay(tools::replay::Args),
    Match(tools::matches::Args),
    Tournament(tools::tournament::Args),
    Tune(tools::zero_point_one::tune::Args),
    Selfplay(tools::zero_point_one::selfplay::Args),
    Setups(tools::zero_point_one::setups::Args),
    Submit(tools::submit::Args),
    Data(tools::zero_point_one::data::command::Args),
    Train(tools::zero_point_one::train::Args),
    Zuniq(tools::zuniq::Args),
}

/// Does what the command line asks for. `clock` has run since the start of the process.
pub fn run(clock: Clock) -> Result<ExitCode> {
    let cli = Cli::parse();
    match cli.command {
        None => tools::play::run_main_game(cli.play, clock),
        Some(Command::Play(args)) => tools::play::run(args, clock),
        Some(Command::Perft(args)) => tools::perft::run(args),
        Some(Command::Bench(args)) => tools::bench::run(args),
        Some(Command::Depths(args)) => tools::depths::run(args),
        Some(Command::Tactics(args)) => tools::zero_point_one::tactics::run(args),
        Some(Command::Ledger(args)) => tools::ledger::run(args),
        Some(Command::Check(args)) => tools::check::run(args),
        Some(Command::RandomMover(args)) => tools::random_mover::run(args, clock),
        Some(Command::Analyse(args)) => tools::analyse::run(args),
        Some(Command::Replay(args)) => tools::replay::run(args),
        Some(Command::Match(args)) => tools::matches::run(args),
        Some(Command::Tournament(args)) => tools::tournament::run(args),
        Some(Command::Tune(args)) => tools::zero_point_one::tune::run(args),
        Some(Command::Selfplay(args)) => tools::zero_point_one::selfplay::run(args),
        Some(Command::Setups(args)) => tools::zero_point_one::setups::run(args),
        Some(Command::Submit(args)) => tools::submit::run(args),
        Some(Command::Data(args)) => tools::zero_point_one::data::command::run(args),
        Some(Command::Train(args)) => tools::zero_point_one::train::run(args),
        Some(Command::Zuniq(args)) => tools::zuniq::run(args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGES: [&str; 3] = [
        include_str!("../README.md"),
        include_str!("../docs/training.md"),
        include_str!("../docs/strength.md"),
    ];

    /// The lines of a page's blocks of code, fenced or indented.
    fn code(page: &str) -> Vec<&str> {
        let mut is_fenced = false;
        let is_code = |line: &&str| {
            is_fenced ^= line.starts_with("```");
            is_fenced || line.starts_with("    ")
        };
        page.lines().filter(is_code).collect()
    }

    /// The words of a shell's line up to a remark, quotes taken off.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut is_quoted = false;
        for character in line.chars() {
            match character {
                '"' => is_quoted = !is_quoted,
                '#' if !is_quoted => break,
                ' ' if !is_quoted => words.push(String::new()),
                _ => words.last_mut().expect("never empty").push(character),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_command_of_the_documentation_can_be_given() {
        let mut count = 0;
        for line in PAGES.iter().flat_map(|page| code(page)) {
            let line = line.trim_start().trim_start_matches("$ ");
            // What is written to a file or piped further ends before that.
            for command in words(line).split(|word| word == "|" || word == ">") {
                if command.first().is_some_and(|word| word == "cupbot") && command.len() > 1 {
                    count += 1;
                    let parsed = Cli::try_parse_from(command);
                    assert!(parsed.is_ok(), "{line}: {}", parsed.err().expect("an error"));
                }
            }
        }
        assert!(count > 30, "only {count} commands found");
    }
}
