//! Programs of the user as opponents on the page. Only programs named on the command line can be started.

use super::http::{Failure, StatusCode};
use crate::engine::clock::TimeControl;
use crate::engine::interrupt;
use crate::tools::arena::children::kill_group;
use crate::tools::arena::hints::Evidence;
use crate::tools::arena::match_file::FaultRecord;
use crate::tools::arena::process::{Limits, Program};
use crate::tools::arena::referee::play_answer;
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::arena::{Fault, Seat};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::{JudgeOptions, MatchScore};
use crate::tools::contracts::record::{Outcome, Record};
use crate::tools::contracts::{GameState, Side};
use crate::tools::labs::registry::entry;
use crate::tools::support::ctrl_c;
use crate::tools::support::text::sanitize;
use anyhow::{bail, ensure, Context, Result};
use serde::Serialize;
use std::thread;
use std::time::Duration;

/// Maximum length of a name.
const MAX_NAME: usize = 40;
/// Names of the other players on the page.
const TAKEN: [&str; 2] = ["you", "cupbot"];
/// Interval at which a search for an answer checks whether it was stopped.
const STOP_POLL: Duration = Duration::from_millis(2);

/// A program and its name on the page.
#[derive(Clone)]
pub struct Bot {
    name: String,
    command: String,
    /// Whether it is sent only the contest's lines.
    is_plain: bool,
}

impl Bot {
    /// Parses `NAME=COMMAND`, or a player with a name as `cupbot match` takes it (`name=NAME COMMAND`).
    fn parse(game: &Entry, text: &str) -> Result<Bot> {
        let (first, command) = text.split_once('=').context("expected NAME=COMMAND")?;
        let text = match first {
            "name" => text.to_string(),
            name => format!("name={:?} {command}", checked(name)?),
        };
        let spec = PlayerSpec::parse(game, &text)?;
        let name = checked(&spec.name(&text))?.to_string();
        match spec {
            PlayerSpec::Command(command) => Ok(Bot { name, command, is_plain: false }),
            PlayerSpec::Plain(command) => Ok(Bot { name, command, is_plain: true }),
            _ => bail!("expected a program that speaks the contest's protocol"),
        }
    }
}

/// Returns a name if the page can show it.
fn checked(name: &str) -> Result<&str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " -_.".contains(letter);
    ensure!(
        (1..=MAX_NAME).contains(&name.len()) && name.chars().all(is_plain),
        "a name has 1 to {MAX_NAME} letters, digits, blanks and -_."
    );
    ensure!(!TAKEN.contains(&name), "the name {name} is taken by the page");
    Ok(name)
}

/// The programs of a server.
pub struct Bots {
    game: &'static Entry,
    bots: Vec<Bot>,
}

impl Bots {
    /// Creates a list of programs that play this game. Fails if a name occurs twice or a player is not a program.
    pub fn new(game: &'static Entry, players: &[String]) -> Result<Bots> {
        let mut bots: Vec<Bot> = Vec::new();
        for text in players {
            let bot = Bot::parse(game, text).with_context(|| format!("--player {text:?}"))?;
            let twice = bots.iter().any(|other| other.name == bot.name);
            ensure!(!twice, "--player: two players have the name {}", bot.name);
            bots.push(bot);
        }
        Ok(Bots { game, bots })
    }

    /// Returns the names of the programs that play a game.
    pub fn names(&self, game: &Entry) -> Vec<&str> {
        let bots = self.bots.iter().filter(|_| *game == *self.game);
        bots.map(|bot| &*bot.name).collect()
    }

    /// Returns a program by its name.
    pub fn find(&self, game: &Entry, name: &str) -> Result<Bot, Failure> {
        let found = self.bots.iter().find(|bot| *game == *self.game && bot.name == name);
        let unknown = || {
            let message = format!("{name:?} was not given by --player for this game");
            Failure::new(StatusCode::NOT_FOUND, message)
        };
        Ok(found.ok_or_else(unknown)?.clone())
    }
}

/// A running program in its game.
pub struct RunningBot {
    name: String,
    start: Option<String>,
    /// The moves that the program knows.
    texts: Vec<String>,
    program: Program,
}

/// The answer of a program.
#[derive(Serialize)]
pub struct BotAnswer {
    /// The move; missing after a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<BotFault>,
    /// Its time, in words.
    time: String,
    /// The last lines of its stderr.
    log: Vec<String>,
}

/// A fault of a program, which loses the game.
#[derive(Serialize)]
struct BotFault {
    /// The result in a sentence, and as records write it.
    text: String,
    outcome: String,
    /// The fault and its cause, in the words of `cupbot check`.
    details: Vec<String>,
}

/// Returns a program's answer to a game. `running` is the program of the session: it continues if the game has advanced
/// by one move, otherwise another one is started.
pub fn answer(running: &mut Option<RunningBot>, bot: &Bot, record: &Record) -> Result<BotAnswer> {
    let entry = entry(record.game);
    let game = (entry.opening)(record)?;
    let game = game.as_ref();
    ensure!(game.end().is_none(), "the game is over");
    let texts = game.texts();
    let fits = |known: &RunningBot| {
        (&known.name, &known.start) == (&bot.name, &record.start)
            && texts.len() == known.texts.len() + 1
            && texts.starts_with(&known.texts)
    };
    let known = running.take().filter(fits);
    let opening = opening_for(known.is_some(), record, game)?;
    let mut found = match known {
        Some(found) => found,
        None => {
            let program = start(entry, bot, opening.as_deref())?;
            RunningBot { name: bot.name.clone(), start: record.start.clone(), texts, program }
        }
    };
    let before = found.program.usage().wall;
    let answered = ask(&mut found.program, game, opening.as_deref());
    let mut next = game.copy();
    let played = answered.and_then(|answer| {
        let text = answer.text.clone();
        play_answer(next.as_mut(), answer).map(|_| text)
    });
    ctrl_c::wait_if_ending();
    if interrupt::is_raised() {
        bail!("stopped");
    }
    let usage = found.program.usage();
    let (limit, span) = match entry.contest.time {
        TimeControl::Game(budget) => (budget, "game"),
        TimeControl::Move { later, .. } => (later, "move"),
    };
    let [last, all, longest] =
        [usage.wall - before, usage.wall, usage.longest].map(|time| time.as_secs_f64());
    let limit = limit.as_secs_f64();
    let time = format!(
        "{last:.2} s for this move, at most {longest:.2} s, {all:.2} s in all; limit {limit} s a {span}"
    );
    let (text, fault, log) = match played {
        Ok(text) => {
            found.texts = next.texts();
            let log = found.program.log();
            *running = Some(found);
            (Some(text), None, log)
        }
        Err(fault) => {
            let ending = found.program.end();
            let evidence = Evidence {
                fault: &fault,
                side: game.side(),
                game,
                rules: entry.rules,
                ending: &ending,
            };
            (None, Some(explained(&bot.name, &evidence)), ending.stderr)
        }
    };
    Ok(BotAnswer { text, fault, time, log: log.iter().map(|line| sanitize(line)).collect() })
}

/// Returns the opening of a program that starts now: nothing if it can follow the game from the beginning.
fn opening_for(
    is_known: bool,
    record: &Record,
    game: &dyn GameState,
) -> Result<Option<Box<dyn GameState>>> {
    Ok(match game.texts().len() {
        _ if is_known => None,
        0 | 1 if record.start.is_none() => Some((record.game.begin)(None)?),
        _ => Some(game.copy()),
    })
}

fn start(entry: &Entry, bot: &Bot, opening: Option<&dyn GameState>) -> Result<Program> {
    let judge = (entry.judge)(JudgeOptions::default());
    let has_opening = opening.is_some_and(|opening| !opening.texts().is_empty());
    ensure!(
        !(bot.is_plain && has_opening && judge.protocol().has_own_lines),
        "{} is not told earlier moves (plain:), so it can't continue this game: begin a new one",
        bot.name
    );
    let limits = Limits::new(entry.contest.time);
    Program::start(&bot.command, limits, judge)
        .with_context(|| format!("starting {:?}", bot.command))
}

/// Asks a program for its move, after the opening if it has just started. Kills it if the search is stopped.
fn ask(
    program: &mut Program,
    game: &dyn GameState,
    opening: Option<&dyn GameState>,
) -> Result<crate::tools::contracts::judge::Answer, Fault> {
    let group = program.group();
    thread::scope(|scope| {
        let asked = scope.spawn(|| {
            if let Some(opening) = opening {
                program.begin(game.side(), opening, MatchScore::START)?;
            }
            program.answer(game)
        });
        while !asked.is_finished() {
            if interrupt::is_raised() {
                kill_group(group);
            }
            thread::sleep(STOP_POLL);
        }
        asked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn explained(name: &str, evidence: &Evidence) -> BotFault {
    let record = FaultRecord::new(evidence);
    let winner: Side = !evidence.side;
    let failure = Some(record.kind.name().to_string());
    let winner = evidence.rules.side_name(winner).to_string();
    let mut details = vec![record.text()];
    details.extend(record.diagnosis());
    BotFault {
        text: format!("{name} has lost {}", record.kind.cause()),
        outcome: Outcome::Won { winner, failure }.to_string(),
        details: details.iter().map(|line| sanitize(line)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::registry::main_game;

    #[test]
    fn names_of_bots_are_checked() {
        let names = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
            let bots = Bots::new(main_game(), &texts).map_err(|error| format!("{error:#}"))?;
            Ok::<_, String>(bots.names(main_game()).join(","))
        };
        for (texts, words) in [
            (&["bot"][..], "NAME=COMMAND"),
            (&["=./bot"], "1 to 40"),
            (&["a,b=./bot"], "1 to 40"),
            (&["a'b=./bot"], "1 to 40"),
            (&["name='a,b' ./bot"], "1 to 40"),
            (&["cupbot=./bot"], "taken"),
            (&["name=you ./bot"], "taken"),
            (&["a="], "empty player"),
            (&["a=./x", "name=a ./y"], "two players"),
            (&["a=self:nodes=9"], "protocol"),
        ] {
            let error = names(texts).unwrap_err();
            assert!(error.contains(words), "{texts:?}: {error}");
        }
        let found = names(&["a=./x --y=z", "b c=plain:./x", "name='d e' ./z"]);
        assert_eq!(found, Ok("a,b c,d e".to_string()));
    }
}
