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
    /// A line can't be obeyed: the line and the reason.
    Line(String, String),
    /// Reading failed.
    Io(io::Error),
}

impl fmt::Display for DialogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DialogueError::Line(line, reason) => write!(f, "line {:?}: {}", line, reason),
            DialogueError::Io(error) => write!(f, "reading the dialogue: {}", error),
        }
    }
}

impl std::error::Error for DialogueError {}

/// The longest line that is read, in bytes; the longest sensible one, an opening of a whole game, has
/// about 600.
const LONGEST_LINE: u64 = 8192;
/// How much of a bad line an error message shows, in characters.
const LONGEST_QUOTE: usize = 60;

/// Plays one game by the dialogue, until `Quit` or the end of the input. A judge that no longer reads
/// our answers ends the game in the same way.
pub fn run(
    player: &mut dyn Player,
    clock: &mut Clock,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> Result<(), DialogueError> {
    let mut begun = false;
    while let Some(line) = read_line(input)? {
        clock.resume();
        let words: Vec<&str> = line.split_whitespace().collect();
        let refuse = |reason: String| Err(DialogueError::Line(quote(&line), reason));
        let (first, rest) = match words.split_first() {
            Some(split) => split,
            None => continue,
        };
        match *first {
            "Quit" => return Ok(()),
            "Time" | "Opening" if begun => {
                return refuse("only allowed before the first move".to_string());
            }
            "Time" => match rest {
                [ms] => match ms.parse::<u64>() {
                    Ok(ms) if ms > 0 => clock.set_budget(Duration::from_millis(ms)),
                    _ => return refuse("expected a number of milliseconds above 0".to_string()),
                },
                _ => return refuse("expected one number of milliseconds".to_string()),
            },
            "Opening" => {
                for (index, text) in rest.iter().enumerate() {
                    if let Err(reason) = player.play(text) {
                        return refuse(format!("move {} ({}): {}", index + 1, quote(text), reason));
                    }
                }
            }
            "Start" if begun => return refuse("the game has begun already".to_string()),
            _ if !rest.is_empty() => return refuse("expected a single word".to_string()),
            text => {
                begun = true;
                if text != "Start" {
                    if let Err(reason) = player.play(text) {
                        return refuse(reason);
                    }
                }
                if !respond(player, clock, output, log) {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Answers, if the game goes on. False when nobody reads the answer.
fn respond(
    player: &mut dyn Player,
    clock: &mut Clock,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> bool {
    // The log is for people: a game must not fail because nobody takes it.
    if player.is_over() {
        let _ = writeln!(log, "the game is over, waiting for Quit");
        clock.pause();
        return true;
    }
    let heard = match player.answer(clock) {
        Some(text) => {
            let heard = writeln!(output, "{}", text).and_then(|()| output.flush()).is_ok();
            clock.pause();
            let _ = writeln!(log, "{} used {:.2}", player.report(), clock.spent().as_secs_f64());
            heard
        }
        None => {
            let _ = writeln!(log, "no move exists, waiting for Quit");
            clock.pause();
            true
        }
    };
    heard
}

/// The next line without its end and surrounding blanks; `None` at the end of the input.
fn read_line(input: &mut dyn BufRead) -> Result<Option<String>, DialogueError> {
    let mut bytes = Vec::new();
    let mut limited = io::Read::take(input, LONGEST_LINE);
    limited.read_until(b'\n', &mut bytes).map_err(DialogueError::Io)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes).trim().to_string();
    if bytes.len() as u64 == LONGEST_LINE {
        let reason = format!("longer than {} bytes", LONGEST_LINE - 1);
        return Err(DialogueError::Line(quote(&line), reason));
    }
    Ok(Some(line))
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
