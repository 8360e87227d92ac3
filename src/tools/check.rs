//! `cupbot check`: replays recorded games by the rules and compares how they ended.

use super::record::{self, Record};
use crate::games::zero_point_one::types::Colour;
use anyhow::{bail, Context, Result};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::process::ExitCode;

/// Replay recorded games by the rules and compare their outcomes
///
/// Each line is a game: an id, the outcome, both setups and all moves. The outcome is red or blue
/// (that side captured the wazir), draw, or red-WHY or blue-WHY where the other side failed, in which
/// case the record stops before its failing move. Prints a line for each disagreement and a summary.
/// Exit status 1 if any game disagrees.
#[derive(clap::Args)]
pub struct Args {
    /// The file of games, or - for stdin
    file: String,
}

/// Checks the games of a file.
pub fn run(args: Args) -> Result<ExitCode> {
    let (games, disagreements) = if args.file == "-" {
        check_all(io::stdin().lock()).context("stdin")?
    } else {
        let file = File::open(&args.file).with_context(|| format!("reading {:?}", args.file))?;
        check_all(BufReader::new(file)).with_context(|| format!("{:?}", args.file))?
    };
    for disagreement in &disagreements {
        println!("{disagreement}");
    }
    let wrong = disagreements.len();
    println!("games {games} agree {} disagree {wrong}", games - wrong);
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The number of games, and a line for each that disagrees.
fn check_all(input: impl BufRead) -> Result<(usize, Vec<String>)> {
    let mut games = 0;
    let mut disagreements = Vec::new();
    record::read_lines(input, |line, record| {
        games += 1;
        let id = record.as_ref().ok().and_then(|record| record.id.clone());
        let name = id.map_or(format!("line {line}"), |id| format!("line {line} game {id}"));
        if let Err(reason) = record.and_then(|record| check(&record)) {
            disagreements.push(format!("{name}: {reason:#}"));
        }
        Ok(())
    })?;
    if games == 0 {
        bail!("no game in it");
    }
    Ok((games, disagreements))
}

/// Replays a game and compares the outcome with the recorded one, if there is one.
fn check(record: &Record) -> Result<()> {
    let game = record.replay()?;
    let found = record::outcome_word(&game).unwrap_or("unfinished");
    let Some(recorded) = record.outcome.as_deref() else { return Ok(()) };
    let Some((winner, why)) = recorded.split_once('-') else {
        if found != recorded {
            bail!("the outcome is {found}, recorded is {recorded}");
        }
        return Ok(());
    };
    let Some(winner) = Colour::ALL.into_iter().find(|side| side.name() == winner) else {
        bail!("the recorded outcome {recorded:?} names neither red nor blue");
    };
    if game.outcome().is_some() {
        bail!("the outcome is {found}, recorded is {recorded}");
    }
    if game.side() == winner {
        let name = winner.name();
        bail!("{name} is to move and can't have won by the other side's failure ({why})");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = include_str!("../../tests/data/games.txt");

    fn disagreements(text: &str) -> Vec<String> {
        check_all(text.as_bytes()).expect("readable").1
    }

    #[test]
    fn real_games_agree() {
        let (games, disagreements) = check_all(GAMES.as_bytes()).expect("readable");
        assert_eq!(games, GAMES.lines().filter(|line| !line.starts_with('#')).count());
        assert_eq!(disagreements, [""; 0]);
        let outcomes: Vec<&str> =
            GAMES.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert!(["red", "blue", "draw"].iter().all(|outcome| outcomes.contains(outcome)));
        assert!(outcomes.iter().any(|outcome| outcome.contains("-timeout")));
    }

    #[test]
    fn another_outcome_disagrees() {
        for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let outcomes = ["red", "blue", "draw", "red-crash", "blue-crash", "green-crash", "x"];
            let loser_failed = |other: &&str| words[1].split('-').next() == other.split('-').next();
            for other in outcomes.iter().filter(|other| **other != words[1]) {
                let both_failed = words[1].contains('-') && other.contains('-');
                let line = format!("{} {} {}", words[0], other, words[2..].join(" "));
                let expected = usize::from(!(both_failed && loser_failed(other)));
                assert_eq!(disagreements(&line).len(), expected, "{line}");
            }
        }
    }

    #[test]
    fn an_illegal_move_and_an_unreadable_line_are_named() {
        let text = "\n# a comment\n7 red WFNADAAADDFDAAAA aaaadddaaadaffnw b1b2\nnonsense\n";
        let found = disagreements(text);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("line 3 game 7: ply 3 \"b1b2\": illegal"), "{}", found[0]);
        assert!(found[1].starts_with("line 4: "), "{}", found[1]);
    }

    #[test]
    fn a_file_without_games_is_an_error() {
        assert!(check_all("# nothing\n\n".as_bytes()).is_err());
    }
}
