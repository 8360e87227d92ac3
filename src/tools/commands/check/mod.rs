//! `cupbot check`: replays recorded games by the rules and compares their outcomes, or tests a player's implementation
//! of the protocol.

mod player;

use crate::tools::arena::options::ProgramLimits;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::record::{Outcome, Record};
use crate::tools::labs::game_reader;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::files;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::text::{sanitize, shown_name};
use crate::tools::support::units::integer;
use anyhow::{anyhow, bail, ensure, Context, Result};
use player::{Finding, Plan};
use serde_json::json;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Number of faults of a player that are printed with all details.
const DIAGNOSED: usize = 3;

/// Replay recorded games by the rules and compare their outcomes, or test a player
///
/// Each line of the file is a game: an id, the outcome and all moves, including setups; or a line of a match record; or
/// the file is PGN, whose games are judged by the rules of FIDE. The outcome is the name of the winning side, `draw`,
/// or `SIDE-WHY` if the other side committed a fault; the moves then end before the faulty one. Prints a line for each
/// difference and a summary. Exit status 1 if any game differs.
///
/// With --player a shell command plays complete games against random moves, on both sides, with and without an opening,
/// and games that end before its first move. Each part is printed when it ends. The test stops after a part in which
/// the player never answers. Exit status 1 if it commits any fault.
#[derive(clap::Args)]
pub struct Args {
    /// File of games, or - for stdin; the game of each line is recognised by its moves
    #[arg(required_unless_present = "player")]
    file: Option<PathBuf>,
    /// Test this player: a shell command that speaks the contest's protocol
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    player: Option<String>,
    /// Game that the player plays (default: the main game), or of the file (default: any)
    #[arg(long, value_parser = registry::parser())]
    game: Option<&'static Entry>,
    #[command(flatten)]
    limits: ProgramLimits,
    /// Number of games of the player, on both sides in turn
    #[arg(long, value_name = "N", default_value_t = player::GAMES as u64, requires = "player",
          value_parser = integer::<u64>(1..=10_000))]
    games: u64,
    /// Append the games of the player to this match record
    #[arg(long, value_name = "FILE", requires = "player")]
    record: Option<OutputFile>,
    /// Write all lines exchanged with the player to this file, with their times
    #[arg(long, value_name = "FILE", requires = "player")]
    log: Option<OutputFile>,
    /// Print a line of JSON per difference or finding, and a last one with the numbers
    #[arg(long)]
    json: bool,
}

/// Checks the games of a file, or tests a player.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::start_over();
    match (&args.player, &args.file) {
        (Some(command), _) => check_player(command, &args),
        (None, Some(file)) => check_file(file, &args),
        (None, None) => bail!("expected a file of games, or --player"),
    }
}

/// Tests a player and prints the findings.
fn check_player(command: &str, args: &Args) -> Result<ExitCode> {
    ensure!(!command.trim().is_empty(), "--player: expected a shell command");
    let game = args.game.unwrap_or(registry::main_game());
    let limits = args.limits.limits(game.contest)?;
    let plan = Plan {
        games: args.games as usize,
        record: args.record.as_deref(),
        log: args.log.as_deref(),
    };
    let (mut parts, mut faults) = (0, 0);
    let mut is_stopped = false;
    player::check(game, command, limits, &plan, &mut |finding| {
        let Finding { part, text, good, diagnosis, is_mute } = finding;
        parts += 1;
        faults += usize::from(!good);
        is_stopped = *is_mute;
        let mark = if *good { "ok   " } else { "FAULT" };
        // Further diagnoses would hide the rest.
        let shown = diagnosis.iter().filter(|_| faults <= DIAGNOSED);
        let lines: String = shown.map(|line| format!("\n  {}", sanitize(line))).collect();
        let json = json!({ "part": part, "text": text, "good": good, "diagnosis": diagnosis });
        Ok(say_as!(args.json, json, "{mark} {part}: {}{lines}", sanitize(text))?)
    })?;
    if is_stopped {
        tell!("stopped: the player never answered, so the other parts would fail, too");
    }
    let numbers = json!({ "parts": parts, "faults": faults });
    say_as!(args.json, numbers, "parts {parts} faults {faults}")?;
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks the games of a file.
fn check_file(name: &Path, args: &Args) -> Result<ExitCode> {
    let (is_json, game) = (args.json, args.game);
    let mut wrong = 0;
    // Printed immediately: a file may have millions of games.
    let mut disagree = |text: &str| {
        wrong += 1;
        Ok(say_as!(is_json, json!({ "difference": text }), "{}", sanitize(text))?)
    };
    let input = files::open_input(name)?;
    let games = check_all(input, game, &mut disagree).context(shown_name(name))?;
    let agree = games - wrong;
    let numbers = json!({ "games": games, "agree": agree, "disagree": wrong });
    say_as!(is_json, numbers, "games {games} agree {agree} disagree {wrong}")?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks all games, which must be of `game` if one is given, and returns their number. Calls `disagree` for each game
/// that differs.
fn check_all(
    input: impl BufRead,
    game: Option<&Entry>,
    disagree: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<usize> {
    let mut games = 0;
    game_reader::read_lines(input, |line, record| {
        games += 1;
        let id = record.as_ref().ok().and_then(|record| record.id.clone());
        let name = id.map_or(format!("line {line}"), |id| format!("line {line}, game {id}"));
        let checked = record.and_then(|record| match record.remarks.last() {
            Some(why) if record.is_cut => bail!("{why}"),
            _ if game.is_some_and(|game| *game.rules != *record.game) => {
                bail!("a game of {}", record.game.title)
            }
            _ => check(&record),
        });
        if let Err(reason) = checked {
            disagree(&format!("{name}: {reason:#}"))?;
        }
        Ok(())
    })?;
    if games == 0 {
        bail!("the file has no games");
    }
    Ok(games)
}

/// Replays a game and compares the outcome with the recorded one, if there is one.
fn check(record: &Record) -> Result<()> {
    if record.is_foreign {
        return check_foreign(record);
    }
    let game = record.replay()?;
    let found = Outcome::of(record.game, game.as_ref());
    let Some(recorded) = &record.outcome else { return Ok(()) };
    let differs = || differs(found.as_ref(), recorded);
    let Outcome::Won { winner, failure: Some(why) } = recorded else {
        let is_right = found.as_ref() == Some(recorded);
        let is_right = is_right || found.is_none() && record.is_adjudicated();
        return if is_right { Ok(()) } else { Err(differs()) };
    };
    let Some(winner) = record.game.side(winner) else {
        let ([first, second], recorded) = (record.game.sides, recorded.to_string());
        bail!("the recorded outcome {recorded:?} names neither {first} nor {second}");
    };
    if found.is_some() {
        return Err(differs());
    }
    // Before a side's first move, a fault is possible out of turn: while it starts up, or in the match's first game.
    if game.side() == winner && record.moves.len() > record.opening {
        let name = record.game.side_name(winner);
        bail!("{name} is to move and can't have won by a fault of the other side ({why})");
    }
    Ok(())
}

/// Checks a game of a file of other programs. If it does not end on the board, any result may be right.
fn check_foreign(record: &Record) -> Result<()> {
    let game = registry::entry(record.game);
    let format = game.require(&game.tools.format, "format for files of other programs")?;
    let found = (format.judge)(record)?;
    let winner = |outcome: &Outcome| match outcome {
        Outcome::Draw => None,
        Outcome::Won { winner, .. } => Some(winner.clone()),
    };
    match (&found, &record.outcome) {
        (Some(on_board), Some(recorded)) if winner(on_board) != winner(recorded) => {
            Err(differs(Some(on_board), recorded))
        }
        _ => Ok(()),
    }
}

fn differs(found: Option<&Outcome>, recorded: &Outcome) -> anyhow::Error {
    let found = found.map_or("unfinished".to_string(), Outcome::to_string);
    anyhow!("the outcome is {found}, but {recorded} was recorded")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = include_str!("../../../../tests/data/games.txt");

    fn checked(text: &str) -> (usize, Vec<String>) {
        let mut disagreements = Vec::new();
        let games = check_all(text.as_bytes(), None, &mut |text| {
            disagreements.push(text.to_string());
            Ok(())
        });
        (games.expect("readable"), disagreements)
    }

    fn disagreements(text: &str) -> Vec<String> {
        checked(text).1
    }

    #[test]
    fn a_wrong_outcome_is_reported() {
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
    fn illegal_moves_and_invalid_lines_are_reported() {
        let text = "\n# a comment\n7 red WFNADAAADDFDAAAA aaaadddaaadaffnw b1b2\nnonsense\n";
        let found = disagreements(text);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("line 3, game 7: ply 3 \"b1b2\": illegal"), "{}", found[0]);
        assert!(found[1].starts_with("line 4: "), "{}", found[1]);
    }

    #[test]
    fn games_are_recognised_by_their_moves() {
        // The complete border of the board, which encloses a zone of all 25 cells.
        let border =
            "A1h F5h A2h F4h A3h F3h A4h F2h A5h F1h A1v E6v B1v D6v C1v C6v D1v B6v E1v A6v";
        assert_eq!(disagreements(&format!("7 black {border}")), [""; 0]);
        assert_eq!(disagreements(&format!("7 white {border}")).len(), 1);
        assert_eq!(disagreements("8 white-crash A1h! "), [""; 0]);
        assert_eq!(disagreements("8 black-crash A1h\n8 red-crash A1h").len(), 2);
        let found = disagreements("9 white A1h G7h");
        assert!(found[0].starts_with("line 1, game 9: ply 2 \"G7h\": off"), "{}", found[0]);
    }

    #[test]
    fn a_file_without_games_is_an_error() {
        assert!(check_all("# nothing\n\n".as_bytes(), None, &mut |_| Ok(())).is_err());
    }
}
