//! CodeCup: its limits and the dialogue of its judge, a line for a move, each flushed at once.
//! `Start` makes the player the side that begins, a move makes it the other one, `Quit` ends the
//! game. Two lines of our own may come first: `Time` and `Opening`. Some years tell both sides who
//! they are instead of `Start`: see [`run_with_sides`].

use super::{quote, read_line, DialogueError, Line, Player, MAX_LINE};
use crate::engine::clock::{Clock, TimeControl};
use crate::engine::contest::{Contest, SourceLimit};
use crate::engine::interrupt;
use crate::engine::pipes::{Input, QUIT};
use std::fmt;
use std::io::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

/// What the contests of all years have in common; each has a name of its own.
pub const CONTEST: Contest = Contest {
    name: "CodeCup",
    time: TimeControl::Game(Duration::from_secs(30)),
    protocol: run,
    source: SourceLimit::Bytes(1_474_560),
    log_characters: 10_000,
    memory_bytes: 2_000_000_000,
    threads: 1,
};

/// How the judge begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The line to the side that moves first: it answers at once.
    pub first: &'static str,
    /// The line to the other side, before it hears the first move; `None` where it hears nothing.
    pub second: Option<&'static str>,
}

/// The greeting of most years.
pub const START: Greeting = Greeting { first: "Start", second: None };
/// The greeting of the years that tell both sides who they are.
pub const SIDES: Greeting = Greeting { first: "A", second: Some("B") };

/// Why a line can't be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The line is longer than any sensible one.
    TooLong,
    /// `Time` or `Opening` after the first line of the judge.
    TooLate,
    /// `Time` without a number, or with a senseless one.
    TimeForm,
    /// A second greeting, or one after a move.
    StartAgain,
    /// More than one word where a move or `Start` was expected.
    ExtraWords,
    /// The player refuses a move of an `Opening`: which (from 1), its text and the player's reason.
    Opening(usize, String, String),
    /// The player refuses the move of the line: the player's reason.
    Move(String),
}

impl Refusal {
    /// Can the game go on as if the line had not been there? Of all others the position may be
    /// another one than the judge's.
    fn is_harmless(&self) -> bool {
        matches!(self, Refusal::TooLate | Refusal::StartAgain)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooLong => {
                write!(f, "longer than any line expected, of {} bytes at most", MAX_LINE)
            }
            Refusal::TooLate => f.write_str("too late, expected before the first move"),
            Refusal::TimeForm => {
                f.write_str("expected \"Time\" and one number of milliseconds above 0")
            }
            Refusal::StartAgain => {
                f.write_str("the game has begun already, expected a move or \"Quit\"")
            }
            Refusal::ExtraWords => {
                f.write_str("more than one word, expected a single move, \"Start\" or \"Quit\"")
            }
            Refusal::Opening(number, text, reason) => {
                write!(f, "move {} {:?}: {}", number, text, reason)
            }
            Refusal::Move(reason) => f.write_str(reason),
        }
    }
}

/// Plays one game by the dialogue, until `Quit` or the end of the input. A judge that no longer
/// reads our answers ends the game in the same way. A line that can't be obeyed is an error, unless
/// the game can go on without it: such a line is ignored with a warning in the log.
pub fn run(
    player: &mut dyn Player,
    clock: &mut Clock,
    input: &mut dyn Input,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> Result<(), DialogueError> {
    run_greeted(START, player, clock, input, output, log)
}

/// As [`run`], with the greeting [`SIDES`]: `A` to the side that moves first, `B` to the other one.
pub fn run_with_sides(
    player: &mut dyn Player,
    clock: &mut Clock,
    input: &mut dyn Input,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> Result<(), DialogueError> {
    run_greeted(SIDES, player, clock, input, output, log)
}

fn run_greeted(
    greeting: Greeting,
    player: &mut dyn Player,
    clock: &mut Clock,
    input: &mut dyn Input,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> Result<(), DialogueError> {
    let mut begun = false;
    prepare(player, clock, input);
    for number in 1.. {
        // The wait for a line costs nothing.
        if !input.is_there() {
            clock.wait_for_line();
        }
        let line = read_line(input).map_err(DialogueError::Io)?;
        clock.resume();
        let request = match &line {
            Line::End => break,
            Line::TooLong(_) => Err(Refusal::TooLong),
            Line::Text(text) => obey(text, greeting, player, clock, &mut begun),
        };
        match request {
            Ok(Request::Nothing) => {}
            Ok(Request::Answer) => {
                interrupt::set_watch(input.watch(player.is_limited_by_clock()));
                let is_heard = respond(player, clock, output, log);
                interrupt::set_watch(None);
                if !is_heard {
                    break;
                }
            }
            Ok(Request::Quit) => break,
            Err(reason) => {
                let (text, message) = (quote(line.text()), reason.to_string());
                let error = DialogueError::Line { number, text, reason: message };
                if !reason.is_harmless() {
                    return Err(error);
                }
                note(log, &format!("ignored: {}", error));
            }
        }
    }
    Ok(())
}

/// Lets the player get ready. If the judge's first line was there before, all the time since the start of
/// the process is charged, else none.
fn prepare(player: &mut dyn Player, clock: &mut Clock, input: &mut dyn Input) {
    let is_hurried = input.is_there();
    // The next use meets the same panic, and is guarded.
    let _ = catch_unwind(AssertUnwindSafe(|| player.prepare(clock)));
    if !is_hurried {
        clock.wait_for_first_line();
    }
}

/// What the judge wants of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// To read on.
    Nothing,
    /// To answer, if the game goes on.
    Answer,
    /// To end.
    Quit,
}

/// Does what a line says, except for the answer. `begun` is set by the judge's first line, the one
/// that `Time` and `Opening` must precede. An `Opening` that is refused has been played up to
/// there.
pub fn obey(
    line: &str,
    greeting: Greeting,
    player: &mut dyn Player,
    clock: &mut Clock,
    begun: &mut bool,
) -> Result<Request, Refusal> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [] => return Ok(Request::Nothing),
        [QUIT, ..] => return Ok(Request::Quit),
        ["Time", ..] | ["Opening", ..] if *begun => return Err(Refusal::TooLate),
        ["Time", ms] => match ms.parse::<u64>() {
            Ok(ms) if ms > 0 => clock.set_budget(Duration::from_millis(ms)),
            _ => return Err(Refusal::TimeForm),
        },
        ["Time", ..] => return Err(Refusal::TimeForm),
        ["Opening", ref moves @ ..] => {
            for (index, text) in moves.iter().enumerate() {
                player
                    .play(text)
                    .map_err(|reason| Refusal::Opening(index + 1, quote(text), reason))?;
            }
        }
        // The common greeting is understood in every year: it is no move of any game.
        [word]
            if [greeting.first, START.first].contains(&word) || Some(word) == greeting.second =>
        {
            if *begun {
                return Err(Refusal::StartAgain);
            }
            *begun = true;
            let is_second = Some(word) == greeting.second;
            return Ok(if is_second { Request::Nothing } else { Request::Answer });
        }
        [text] => {
            *begun = true;
            player.play(text).map_err(Refusal::Move)?;
            return Ok(Request::Answer);
        }
        _ => return Err(Refusal::ExtraWords),
    }
    Ok(Request::Nothing)
}

/// Answers, if the game goes on. False when nobody reads the answer. The log and the charge log come first:
/// the judge suspends the process as soon as it has read the answer.
fn respond(
    player: &mut dyn Player,
    clock: &mut Clock,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> bool {
    if player.is_over() {
        note(log, "the game is over, waiting for Quit");
        return true;
    }
    match player.answer(clock) {
        Some(text) => {
            let report = player.report().text;
            // Judges keep a limited log: who says nothing gets no line.
            if !report.is_empty() {
                note(log, &format!("{} used {:.2}", report, clock.spent().as_secs_f64()));
            }
            let line = format!("{}\n", text);
            clock.answered();
            let is_sent = output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_ok();
            clock.sent();
            is_sent
        }
        None => {
            note(log, "no move exists, waiting for Quit");
            true
        }
    }
}

/// Writes a line to the log, by a single write: several players may share a log. The log is for
/// people: a game must not fail because nobody takes it.
fn note(log: &mut dyn Write, text: &str) {
    let _ = log.write_all(format!("{}\n", text).as_bytes());
}

#[cfg(test)]
mod tests;
