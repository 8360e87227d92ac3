//! CodeCup: its limits and the protocol of its judge. Each move is a line, flushed at once. If the
//! first line is `Start`, the player moves first; if it is a move, the player is second. `Quit` ends
//! the game. As an extension, the lines `Time` and `Opening` may come first. In some years the judge
//! announces the sides instead of `Start`: see [`run_with_sides`].

use super::{quote, read_line, DialogueError, Line, Player, MAX_LINE};
use crate::engine::clock::{Clock, TimeControl};
use crate::engine::contest::{Contest, SourceLimit};
use crate::engine::interrupt;
use crate::engine::pipes::{Input, QUIT};
use std::fmt;
use std::io::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

/// Rules that all years share. Each year sets its own name.
pub const CONTEST: Contest = Contest {
    name: "CodeCup",
    time: TimeControl::Game(Duration::from_secs(30)),
    protocol: run,
    source: SourceLimit::Bytes(1_474_560),
    log_characters: 10_000,
    memory_bytes: 2_000_000_000,
    threads: 1,
};

/// First lines of the judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Line to the side that moves first, which answers it with a move.
    pub first: &'static str,
    /// Line to the other side, before the first move; `None` if there is none.
    pub second: Option<&'static str>,
}

/// Greeting of most years.
pub const START: Greeting = Greeting { first: "Start", second: None };
/// Greeting of the years whose judge announces the sides.
pub const SIDES: Greeting = Greeting { first: "A", second: Some("B") };

/// The reason why a line is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The line is longer than [`MAX_LINE`].
    TooLong,
    /// `Time` or `Opening` after the judge's first line.
    TooLate,
    /// `Time` without a number, or with an invalid one.
    TimeForm,
    /// A greeting after another greeting or a move.
    StartAgain,
    /// More than one word where a move or `Start` was expected.
    ExtraWords,
    /// A move of an `Opening` is illegal: its number (from 1), its text and the player's reason.
    Opening(usize, String, String),
    /// The move is illegal: the player's reason.
    Move(String),
}

impl Rejection {
    /// Whether the line can be ignored. After any other rejected line the position may differ from the
    /// judge's.
    fn is_ignorable(&self) -> bool {
        matches!(self, Rejection::TooLate | Rejection::StartAgain)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::TooLong => {
                write!(f, "line too long, expected at most {} bytes", MAX_LINE)
            }
            Rejection::TooLate => f.write_str("too late, expected before the first move"),
            Rejection::TimeForm => {
                f.write_str("expected \"Time\" and a number of milliseconds above 0")
            }
            Rejection::StartAgain => {
                f.write_str("the game has begun already, expected a move or \"Quit\"")
            }
            Rejection::ExtraWords => {
                f.write_str("more than one word, expected a single move, \"Start\" or \"Quit\"")
            }
            Rejection::Opening(number, text, reason) => {
                write!(f, "move {} {:?}: {}", number, text, reason)
            }
            Rejection::Move(reason) => f.write_str(reason),
        }
    }
}

/// Plays one game with the judge, until `Quit`, the end of the input, or until the judge closes the
/// output. An invalid line is an error, unless the game can continue without it: such a line is ignored
/// with a warning in the log.
pub fn run(
    player: &mut dyn Player,
    clock: &mut Clock,
    input: &mut dyn Input,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> Result<(), DialogueError> {
    run_greeted(START, player, clock, input, output, log)
}

/// Like [`run`], with the greeting [`SIDES`]: `A` to the side that moves first, `B` to the other one.
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
        // Waiting for a line is not charged.
        if !input.is_there() {
            clock.wait_for_line();
        }
        let line = read_line(input).map_err(DialogueError::Io)?;
        clock.resume();
        let request = match &line {
            Line::End => break,
            Line::TooLong(_) => Err(Rejection::TooLong),
            Line::Text(text) => execute(text, greeting, player, clock, &mut begun),
        };
        match request {
            Ok(Request::Nothing) => {}
            Ok(Request::Answer) => {
                interrupt::set_watch(input.watch(player.is_limited_by_clock()));
                let is_output_open = respond(player, clock, output, log);
                interrupt::set_watch(None);
                if !is_output_open {
                    break;
                }
            }
            Ok(Request::Quit) => break,
            Err(reason) => {
                let (text, message) = (quote(line.text()), reason.to_string());
                let error = DialogueError::Line { number, text, reason: message };
                if !reason.is_ignorable() {
                    return Err(error);
                }
                note(log, &format!("ignored: {}", error));
            }
        }
    }
    Ok(())
}

/// Prepares the player (network, tables). If the judge's first line has already arrived, time since process
/// start is charged.
fn prepare(player: &mut dyn Player, clock: &mut Clock, input: &mut dyn Input) {
    let is_first_line_there = input.is_there();
    // A panic is ignored here: it will recur at the next use, where it is handled.
    let _ = catch_unwind(AssertUnwindSafe(|| player.prepare(clock)));
    if !is_first_line_there {
        clock.wait_for_first_line();
    }
}

/// The judge's request to the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Read the next line.
    Nothing,
    /// Answer with a move, unless the game is over.
    Answer,
    /// End the game.
    Quit,
}

/// Executes a line, except for the answer. `begun` is set by the judge's first line, which `Time` and
/// `Opening` must precede. If an `Opening` is rejected, the moves before the illegal one have been
/// played.
pub fn execute(
    line: &str,
    greeting: Greeting,
    player: &mut dyn Player,
    clock: &mut Clock,
    begun: &mut bool,
) -> Result<Request, Rejection> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [] => return Ok(Request::Nothing),
        [QUIT, ..] => return Ok(Request::Quit),
        ["Time", ..] | ["Opening", ..] if *begun => return Err(Rejection::TooLate),
        ["Time", ms] => match ms.parse::<u64>() {
            Ok(ms) if ms > 0 => clock.set_budget(Duration::from_millis(ms)),
            _ => return Err(Rejection::TimeForm),
        },
        ["Time", ..] => return Err(Rejection::TimeForm),
        ["Opening", ref moves @ ..] => {
            for (index, text) in moves.iter().enumerate() {
                player
                    .play(text)
                    .map_err(|reason| Rejection::Opening(index + 1, quote(text), reason))?;
            }
        }
        // `Start` is accepted in every year, since it is not a move of any game.
        [word]
            if [greeting.first, START.first].contains(&word) || Some(word) == greeting.second =>
        {
            if *begun {
                return Err(Rejection::StartAgain);
            }
            *begun = true;
            let is_second = Some(word) == greeting.second;
            return Ok(if is_second { Request::Nothing } else { Request::Answer });
        }
        [text] => {
            *begun = true;
            player.play(text).map_err(Rejection::Move)?;
            return Ok(Request::Answer);
        }
        _ => return Err(Rejection::ExtraWords),
    }
    Ok(Request::Nothing)
}

/// Answers with a move, unless the game is over. Returns false if the judge has closed the output. The log
/// and the charge are written before the answer, because the judge suspends the process once it has read
/// that.
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
            // The judge keeps a limited log, so an empty report gets no line.
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

/// Writes a line to the log in a single write, because several players may share a log. Write errors are
/// ignored: a game must not fail because nobody reads the log.
fn note(log: &mut dyn Write, text: &str) {
    let _ = log.write_all(format!("{}\n", text).as_bytes());
}

#[cfg(test)]
mod tests;
