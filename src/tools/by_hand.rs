//! Play by hand: the dialogue for a person at a terminal. The board goes to the screen (stderr) after
//! every move; the moves for a judge go to stdout as ever. Mistakes are explained, not fatal.

use crate::engine::clock::{Clock, TimeControl};
use crate::engine::dialogue::codecup::{self, Request};
use crate::tools::game::board::Board;
use anyhow::Result;
use std::io::{BufRead, Write};
use std::time::Duration;

/// Shown by `help`, below the rules of the game.
pub const HELP: &str = "\
  Start      cupbot moves for the side whose turn it is
  board      show the board again
  moves      list all moves
  hint       what cupbot would do, and what it thinks of it
  undo       take back your last move and cupbot's answer
  new        begin again
  Time MS    cupbot's time in milliseconds, as its contest counts it: for a whole game or a move
  Opening .. play these moves without an answer
  quit       end (also Ctrl-D)
";

const PROMPT: &str = "> ";
/// A game between a person and a player.
struct Session<'a> {
    player: &'a mut dyn Board,
    /// Carries the budget alone: by hand every answer may take as long as if it were the first.
    clock: Clock,
    output: &'a mut dyn Write,
    screen: &'a mut dyn Write,
}

/// Plays until `quit` or the end of the input, cupbot by the time control of its contest.
pub fn run(
    player: &mut dyn Board,
    control: TimeControl,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    screen: &mut dyn Write,
) -> Result<()> {
    write!(screen, "{}", player.welcome())?;
    let clock = Clock::start(control);
    let mut session = Session { player, clock, output, screen };
    let mut line = Vec::new();
    loop {
        write!(session.screen, "{PROMPT}")?;
        session.screen.flush()?;
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            writeln!(session.screen)?;
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        if !session.obey(text.trim())? {
            return Ok(());
        }
    }
}

impl Session<'_> {
    /// Does what a line says. False: it says to quit.
    fn obey(&mut self, line: &str) -> Result<bool> {
        match line.to_ascii_lowercase().as_str() {
            "quit" | "exit" => return Ok(false),
            "help" | "?" => write!(self.screen, "{}{HELP}", self.player.rules())?,
            "board" => self.show_board()?,
            "moves" => write!(self.screen, "{}", self.player.moves())?,
            "hint" => self.hint()?,
            "undo" => self.undo()?,
            "new" => {
                self.player.go_back_to(0);
                write!(self.screen, "{}", self.player.welcome())?;
            }
            "start" => self.answer()?,
            _ => return self.play(line),
        }
        Ok(true)
    }

    /// A move or another line of the dialogue. False: it says to quit.
    fn play(&mut self, line: &str) -> Result<bool> {
        let ply = self.player.ply();
        // By hand nothing comes too late.
        let mut begun = false;
        match codecup::obey(line, codecup::START, self.player, &mut self.clock, &mut begun) {
            Ok(Request::Nothing) if self.player.ply() > ply => self.show_board()?,
            Ok(Request::Nothing) => {}
            Ok(Request::Quit) => return Ok(false),
            Ok(Request::Answer) => {
                self.show_board()?;
                if !self.player.is_over() {
                    self.answer()?;
                }
            }
            Err(reason) => {
                self.player.go_back_to(ply);
                writeln!(self.screen, "{reason}. Try again, or type help.")?;
            }
        }
        Ok(true)
    }

    /// Cupbot moves for the side whose turn it is.
    fn answer(&mut self) -> Result<()> {
        if self.player.is_over() {
            return self.show_end();
        }
        match self.player.answer(&Clock::for_one_move(self.clock.control(), Duration::ZERO)) {
            Some(text) => {
                writeln!(self.output, "{text}")?;
                self.output.flush()?;
                writeln!(self.screen, "{}", self.player.report().text)?;
                self.show_board()
            }
            None => Ok(writeln!(self.screen, "cupbot has no move.")?),
        }
    }

    fn undo(&mut self) -> Result<()> {
        let ply = self.player.ply();
        if ply == 0 {
            return Ok(writeln!(self.screen, "Nothing has been played.")?);
        }
        self.player.go_back_to(ply.saturating_sub(2));
        self.show_board()
    }

    fn hint(&mut self) -> Result<()> {
        if self.player.is_over() {
            return self.show_end();
        }
        match self.player.hint(&Clock::for_one_move(self.clock.control(), Duration::ZERO)) {
            Some(hint) => Ok(writeln!(self.screen, "{hint}")?),
            None => Ok(()),
        }
    }

    fn show_board(&mut self) -> Result<()> {
        write!(self.screen, "{}", self.player.board())?;
        match self.player.end() {
            Some(_) => self.show_end(),
            None => Ok(()),
        }
    }

    fn show_end(&mut self) -> Result<()> {
        let how = self.player.end().unwrap_or_default();
        Ok(writeln!(self.screen, "The game is over: {how}. Type new, undo or quit.")?)
    }
}
