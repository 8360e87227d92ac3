//! The judge's dialogue: lines in, moves out, each flushed at once.

use super::clock::Clock;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// A player of one game of some contest.
pub trait Player {
    /// Plays a move of the game, of whichever side it is on; setups count as moves. The error says
    /// what is wrong and what was expected.
    fn play(&mut self, text: &str) -> Result<(), String>;

    /// Chooses a move for the side to move, plays it and returns its text; `None` where there is no
    /// move.
    fn answer(&mut self, clock: &Clock) -> Option<String>;

    /// Is the game over?
    fn is_over(&self) -> bool;

    /// One short line about the last answer, for the log.
    fn report(&self) -> String;
}

/// What went wrong in a dialogue.
#[derive(Debug)]
pub enum DialogueError {
    /// A line can't be obeyed.
    Line {
        /// Counted from 1.
        number: usize,
        /// The line, cut where it is long.
        text: String,
        /// What is wrong with it.
        reason: Refusal,
    },
    /// Reading failed.
    Io(io::Error),
}

impl fmt::Display for DialogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DialogueError::Line { number, text, reason } => {
                write!(f, "line {} {:?}: {}", number, text, reason)
            }
            DialogueError::Io(error) => write!(f, "reading the dialogue: {}", error),
        }
    }
}

impl std::error::Error for DialogueError {}

/// Why a line can't be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The line is longer than any sensible one.
    TooLong,
    /// `Time` or `Opening` after the first line of the judge.
    TooLate,
    /// `Time` without a number, or with a senseless one.
    TimeForm,
    /// A second `Start`, or one after a move.
    StartAgain,
    /// More than one word where a move or `Start` was expected.
    ExtraWords,
    /// The player refuses a move of an `Opening`: which (from 1), its text and the player's reason.
    Opening(usize, String, String),
    /// The player refuses the move of the line: the player's reason.
    Move(String),
}

impl Refusal {
    /// Can the game go on as if the line had not been there? Of all others the position may be another
    /// one than the judge's.
    fn is_harmless(&self) -> bool {
        matches!(self, Refusal::TooLate | Refusal::StartAgain)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooLong => {
                write!(f, "longer than any line expected, of {} bytes at most", LONGEST_LINE)
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

/// The longest line that is read, in bytes; the longest sensible one, an opening of a whole game, has
/// about 600.
const LONGEST_LINE: u64 = 8192;
/// How much of a bad line an error message shows, in characters.
const LONGEST_QUOTE: usize = 60;

/// Plays one game by the dialogue, until `Quit` or the end of the input. A judge that no longer reads
/// our answers ends the game in the same way. A line that can't be obeyed is an error, unless the game
/// can go on without it: then the log tells.
pub fn run(
    player: &mut dyn Player,
    clock: &mut Clock,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> Result<(), DialogueError> {
    let mut begun = false;
    for number in 1.. {
        // The wait for a line costs nothing.
        clock.pause();
        let line = read_line(input).map_err(DialogueError::Io)?;
        clock.resume();
        let request = match &line {
            Line::End => break,
            Line::TooLong(_) => Err(Refusal::TooLong),
            Line::Text(text) => obey(text, player, clock, &mut begun),
        };
        match request {
            Ok(Request::Nothing) => {}
            Ok(Request::Answer) => {
                if !respond(player, clock, output, log) {
                    break;
                }
            }
            Ok(Request::Quit) => break,
            Err(reason) => {
                let is_harmless = reason.is_harmless();
                let error = DialogueError::Line { number, text: quote(line.text()), reason };
                if !is_harmless {
                    return Err(error);
                }
                let _ = writeln!(log, "ignored: {}", error);
            }
        }
    }
    Ok(())
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
/// that `Time` and `Opening` must precede. An `Opening` that is refused has been played up to there.
pub fn obey(
    line: &str,
    player: &mut dyn Player,
    clock: &mut Clock,
    begun: &mut bool,
) -> Result<Request, Refusal> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [] => return Ok(Request::Nothing),
        ["Quit", ..] => return Ok(Request::Quit),
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
        ["Start"] if *begun => return Err(Refusal::StartAgain),
        ["Start"] => {
            *begun = true;
            return Ok(Request::Answer);
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

/// Answers, if the game goes on. False when nobody reads the answer.
fn respond(
    player: &mut dyn Player,
    clock: &Clock,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> bool {
    // The log is for people: a game must not fail because nobody takes it.
    if player.is_over() {
        let _ = writeln!(log, "the game is over, waiting for Quit");
        return true;
    }
    match player.answer(clock) {
        Some(text) => {
            let heard = writeln!(output, "{}", text).and_then(|()| output.flush()).is_ok();
            let _ = writeln!(log, "{} used {:.2}", player.report(), clock.spent().as_secs_f64());
            heard
        }
        None => {
            let _ = writeln!(log, "no move exists, waiting for Quit");
            true
        }
    }
}

/// What the input holds next.
enum Line {
    /// A line without its end and surrounding blanks.
    Text(String),
    /// The beginning of a line of more than [`LONGEST_LINE`] bytes.
    TooLong(String),
    /// Nothing more.
    End,
}

impl Line {
    fn text(&self) -> &str {
        match self {
            Line::Text(text) | Line::TooLong(text) => text,
            Line::End => "",
        }
    }
}

fn read_line(input: &mut dyn BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let mut limited = io::Read::take(input, LONGEST_LINE + 1);
    limited.read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    let text = String::from_utf8_lossy(&bytes).trim().to_string();
    let complete = bytes.ends_with(b"\n") || bytes.len() as u64 <= LONGEST_LINE;
    Ok(if complete { Line::Text(text) } else { Line::TooLong(text) })
}

/// A text cut to what an error message can show.
fn quote(text: &str) -> String {
    if text.chars().count() <= LONGEST_QUOTE {
        return text.to_string();
    }
    let mut short: String = text.chars().take(LONGEST_QUOTE).collect();
    short.push_str("...");
    short
}

#[cfg(test)]
mod tests;
