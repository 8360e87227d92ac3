//! CodeCup: its limits and the protocol of its judge. Each move is a line, flushed at once. If the first line is
//! `Start`, the player moves first; if it is a move, the player is second. `Quit` ends the game. As an extension, the
//! lines `Time` and `Opening` may come first. In some years the judge announces the sides instead of `Start`: see
//! [`run_with_sides`]. These words may have any case.
//!
//! The judge is right: a player that stops because it disagrees with a line has lost. A move that breaks our rules is
//! made as well as possible and answered. A line that is not a move is skipped if it came before the answer to the last
//! move; otherwise it stands for an unknown move and is answered.

use super::{quote, DialogueError, Line, Session, MAX_LINE};
use crate::engine::clock::TimeControl;
use crate::engine::contest::{Contest, SourceLimit};
use crate::engine::guarded;
use crate::engine::interrupt;
use crate::engine::pipes::QUIT;
use std::fmt;
use std::io;
use std::time::Duration;

/// Rules that all years share; each year sets the name.
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
    /// Line to the other side, before the first move; `None` if the judge sends none.
    pub second: Option<&'static str>,
}

/// Greeting of most years.
pub const START: Greeting = Greeting { first: "Start", second: None };
/// Greeting of the years whose judge announces the sides.
pub const SIDES: Greeting = Greeting { first: "A", second: Some("B") };

/// Byte order mark, which some programs write before their first line.
const BYTE_ORDER_MARK: char = '\u{feff}';

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
    AlreadyStarted,
    /// A move of an `Opening` is illegal: its number (from 1), its text and the player's reason.
    Opening(usize, String, String),
    /// The move is illegal: the player's reason.
    Move(String),
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
            Rejection::AlreadyStarted => {
                f.write_str("the game has begun already, expected a move or \"Quit\"")
            }
            Rejection::Opening(number, text, reason) => {
                write!(f, "move {} {:?}: {}", number, text, reason)
            }
            Rejection::Move(reason) => f.write_str(reason),
        }
    }
}

/// Plays one game with the judge, until `Quit`, the end of the input, or until the judge closes the output. An invalid
/// `Time` or `Opening` is an error. After any other invalid line the game continues, with a warning in the log, unless
/// the player does not support that.
pub fn run(session: Session) -> Result<(), DialogueError> {
    Dialogue::new(session, START).run()
}

/// Like [`run`], with the greeting [`SIDES`]: `A` to the side that moves first, `B` to the other one.
pub fn run_with_sides(session: Session) -> Result<(), DialogueError> {
    Dialogue::new(session, SIDES).run()
}

/// The request that a line makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    /// Read the next line.
    Nothing,
    /// Answer with a move, unless the game is over.
    Answer,
    /// End the game.
    Quit,
}

/// A game with the judge.
struct Dialogue<'a> {
    session: Session<'a>,
    greeting: Greeting,
    /// Whether the judge's first line has been read, which `Time` and `Opening` must precede.
    begun: bool,
    /// Whether the next line was sent before the last move was answered, or the last move has no answer.
    is_unanswered: bool,
}

impl<'a> Dialogue<'a> {
    fn new(session: Session<'a>, greeting: Greeting) -> Dialogue<'a> {
        Dialogue { session, greeting, begun: false, is_unanswered: false }
    }

    fn run(mut self) -> Result<(), DialogueError> {
        self.prepare();
        for number in 1.. {
            self.session.await_line();
            let line = self.session.read_line()?;
            self.session.clock.resume();
            let request = match &line {
                Line::End => break,
                Line::TooLong(_) => self.skip_line().map(|()| Err(Rejection::TooLong)),
                Line::Text(text) => Ok(self.execute(text.trim_start_matches(BYTE_ORDER_MARK))),
            };
            let request = match request.map_err(DialogueError::Io)? {
                Ok(request) => request,
                Err(reason) => self.resolve(number, line.text(), reason)?,
            };
            if request == Request::Quit || request == Request::Answer && !self.respond() {
                break;
            }
        }
        Ok(())
    }

    /// Prepares the player (network, tables). If the judge's first line has already arrived, time since process start
    /// is charged.
    fn prepare(&mut self) {
        let is_first_line_ready = self.session.input.has_input();
        // A panic is ignored here: it will recur at the next use, where it is handled.
        let _ = self.watched(|session| guarded(|| session.player.prepare(session.clock)));
        if !is_first_line_ready {
            self.session.clock.wait_for_first_line();
        }
    }

    /// Runs long work of the player under a watch for the end of the game.
    fn watched<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> T {
        let Session { player, input, .. } = &mut self.session;
        interrupt::set_watch(input.watch(player.is_limited_by_clock()));
        let result = work(&mut self.session);
        interrupt::set_watch(None);
        result
    }

    /// Executes a line, except for the answer. If an `Opening` is rejected, the moves before the illegal one have been
    /// played.
    fn execute(&mut self, line: &str) -> Result<Request, Rejection> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (word, rest) = match words.split_first() {
            Some((word, rest)) => (word, rest),
            None => return Ok(Request::Nothing),
        };
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
        if is(QUIT) {
            return Ok(Request::Quit);
        }
        if is("Time") || is("Opening") {
            if self.begun {
                return Err(Rejection::TooLate);
            }
            let set = if is("Time") { Self::set_time } else { Self::play_opening };
            return set(self, rest).map(|()| Request::Nothing);
        }
        let is_second = self.greeting.second.map_or(false, is);
        // `Start` is accepted in every year, since it is not a move of any game.
        if rest.is_empty() && (is_second || is(self.greeting.first) || is(START.first)) {
            if self.begun {
                return Err(Rejection::AlreadyStarted);
            }
            self.begun = true;
            return Ok(if is_second { Request::Nothing } else { Request::Answer });
        }
        self.begun = true;
        self.session.player.play(line).map_err(Rejection::Move)?;
        Ok(Request::Answer)
    }

    fn set_time(&mut self, words: &[&str]) -> Result<(), Rejection> {
        let ms = match words {
            [ms] => ms.parse().ok().filter(|&ms| ms > 0),
            _ => None,
        };
        self.session.clock.set_budget(Duration::from_millis(ms.ok_or(Rejection::TimeForm)?));
        Ok(())
    }

    fn play_opening(&mut self, moves: &[&str]) -> Result<(), Rejection> {
        for (index, text) in moves.iter().enumerate() {
            let reject = |reason| Rejection::Opening(index + 1, quote(text), reason);
            self.session.player.play(text).map_err(reject)?;
        }
        Ok(())
    }

    /// Skips the rest of a line.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.session.input.fill_buf()?;
            let line_end = bytes.iter().position(|&byte| byte == b'\n');
            let used = line_end.map_or(bytes.len(), |end| end + 1);
            self.session.input.consume(used);
            if line_end.is_some() || used == 0 {
                return Ok(());
            }
        }
    }

    /// Continues after a rejected line if that is possible, with a warning in the log.
    fn resolve(
        &mut self,
        number: usize,
        text: &str,
        reason: Rejection,
    ) -> Result<Request, DialogueError> {
        let error = DialogueError::Line { number, text: quote(text), reason: reason.to_string() };
        let request = match reason {
            Rejection::TimeForm | Rejection::Opening(..) => return Err(error),
            Rejection::TooLate | Rejection::AlreadyStarted => Request::Nothing,
            Rejection::Move(_) if self.session.player.force(Some(text)) => Request::Answer,
            _ if self.is_unanswered => Request::Nothing,
            _ if self.session.player.force(None) => Request::Answer,
            _ => return Err(error),
        };
        let how = if request == Request::Answer { "continuing despite" } else { "ignored:" };
        self.session.note(&format!("{} {}", how, error));
        Ok(request)
    }

    /// Answers with a move, unless the game is over. Returns false if the judge has closed the output.
    fn respond(&mut self) -> bool {
        self.is_unanswered = true;
        if self.session.player.is_over() {
            self.session.note("the game is over, waiting for Quit");
            return true;
        }
        let answer = match self.watched(|session| session.player.answer(session.clock)) {
            Some(answer) => answer,
            None => {
                self.session.note("no move exists, waiting for Quit");
                return true;
            }
        };
        self.session.input.exit_on_quit();
        self.is_unanswered = self.session.input.has_input();
        let is_sent = self.session.send(&answer.mv);
        self.session.clock.sent();
        is_sent
    }
}

#[cfg(test)]
mod tests;
