//! Play by hand: the dialogue for a person at a terminal. The board goes to the screen (stderr) after
//! every move; what the judge would be told goes to stdout as ever. Mistakes are explained, not fatal.

use crate::engine::clock::Clock;
use crate::engine::dialogue::{self, Player as _, Request};
use crate::engine::rng::Rng;
use crate::engine::score;
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::player::Player;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::{Colour, Kind, Move, Piece, Square};
use anyhow::Result;
use std::fmt::Write as _;
use std::io::{BufRead, Write};

/// Shown at the beginning.
const WELCOME: &str = "\
Zero Point One by hand. Type your setup, 16 letters from WNFFDDDDAAAAAAAA in any order, to play Red,
or `Start` to let cupbot play Red. `hint` suggests something, `help` lists what else there is.
";

const HELP: &str = "\
  b5d3       a board move, from b5 to d3; a capture looks the same
  Df8        a drop: the letter of the piece (blue: in lower case) and an empty square
  Start      cupbot moves for the side whose turn it is
  board      show the board again
  moves      list all moves
  hint       what cupbot would do, with its score and the line it expects
  undo       take back your last move and cupbot's answer
  new        begin again
  Time MS    cupbot's time for a whole game in milliseconds, 30000 at first
  Opening .. play these setups and moves without an answer
  quit       end (also Ctrl-D)
A setup names the pieces on a1 to a8 and b1 to b8 (Red) or g1 to g8 and h1 to h8 (Blue):
W wazir (0,1), N knight (1,2), F ferz (1,1), D dabbaba (0,2), A alfil (2,2). All leap.
Who captures the wazir wins; there is no check. After 102 moves it is a draw.
";

const PROMPT: &str = "> ";
/// The width that lists of moves are broken at.
const LINE_WIDTH: usize = 78;

/// A game between a person and a player.
struct Session<'a> {
    player: Player,
    /// Carries the budget alone: by hand every answer may take as long as if it were the first.
    clock: Clock,
    output: &'a mut dyn Write,
    screen: &'a mut dyn Write,
}

/// Plays until `quit` or the end of the input.
pub fn run(
    player: Player,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    screen: &mut dyn Write,
) -> Result<()> {
    write!(screen, "{WELCOME}")?;
    let clock = Clock::start();
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
            "help" | "?" => write!(self.screen, "{HELP}")?,
            "board" => self.show_board()?,
            "moves" => self.show_moves()?,
            "hint" => self.hint()?,
            "undo" => self.undo()?,
            "new" => {
                self.player.go_back_to(0);
                write!(self.screen, "{WELCOME}")?;
            }
            "start" => self.answer()?,
            _ => return self.play(line),
        }
        Ok(true)
    }

    /// A move or another line of the dialogue. False: it says to quit.
    fn play(&mut self, line: &str) -> Result<bool> {
        let ply = self.player.game().ply();
        // By hand nothing comes too late.
        let mut begun = false;
        match dialogue::obey(line, &mut self.player, &mut self.clock, &mut begun) {
            Ok(Request::Nothing) if self.player.game().ply() > ply => self.show_board()?,
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
        match self.player.answer(&Clock::fresh(self.clock.budget())) {
            Some(text) => {
                writeln!(self.output, "{text}")?;
                self.output.flush()?;
                writeln!(self.screen, "{}", self.player.report())?;
                self.show_board()
            }
            None => Ok(writeln!(self.screen, "cupbot has no move.")?),
        }
    }

    fn undo(&mut self) -> Result<()> {
        let ply = self.player.game().ply();
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
        let side = self.player.game().side();
        let Some(position) = self.player.game().position().copied() else {
            let some = setup::good(&mut Rng::new(rand::random()));
            let text = setup::for_side(&some, side).text(side);
            return Ok(writeln!(self.screen, "{} could set up {text}", side.name())?);
        };
        let clock = Clock::fresh(self.clock.budget());
        let Some(found) = self.player.think(&clock) else { return Ok(()) };
        let (score, depth) = (score::text(found.score), found.depth);
        let line = line_text(&position, &found.line);
        Ok(writeln!(self.screen, "{line}  (score {score} for {}, depth {depth})", side.name())?)
    }

    /// All moves, those that leave the own wazir en prise apart.
    fn show_moves(&mut self) -> Result<()> {
        let Some(position) = self.player.game().position() else {
            return Ok(writeln!(self.screen, "Any setup of 16 letters.")?);
        };
        let (mut safe, mut risky) = (Vec::new(), Vec::new());
        if !self.player.is_over() {
            movegen::pseudo_legal(position, |mv| {
                let list = if position.is_safe(mv) { &mut safe } else { &mut risky };
                list.push(mv.text(position.side()).to_string());
            });
        }
        for (title, moves) in [("moves", safe), ("leaving the wazir en prise", risky)] {
            if !moves.is_empty() {
                write!(self.screen, "{}", list_text(title, &moves))?;
            }
        }
        Ok(())
    }

    fn show_board(&mut self) -> Result<()> {
        let game = self.player.game();
        match game.position() {
            Some(position) => write!(self.screen, "{}", board_text(game, position))?,
            None => {
                for (setup, side) in game.setups().iter().zip(Colour::ALL) {
                    writeln!(self.screen, "{} has set up {}", side.name(), setup.text(side))?;
                }
                writeln!(self.screen, "{} to set up", game.side().name())?;
            }
        }
        if game.outcome().is_some() {
            self.show_end()?;
        }
        Ok(())
    }

    fn show_end(&mut self) -> Result<()> {
        let how = match self.player.game().outcome() {
            Some(Outcome::Won(side)) => format!("{} has captured the wazir and won", side.name()),
            _ => "a draw by the number of moves".to_string(),
        };
        Ok(writeln!(self.screen, "The game is over: {how}. Type new, undo or quit.")?)
    }
}

/// The board with row h on top, coordinates on all sides, both hands and the side to move. The last
/// move's squares are marked: `( )` where it came from, `[D]` where it went.
fn board_text(game: &Game, position: &Position) -> String {
    let last = game.moves().last();
    let from = last.and_then(|mv| mv.from());
    let to = last.map(|mv| mv.to());
    let columns = "     1  2  3  4  5  6  7  8\n";
    let mut text = String::from(columns);
    for row in (0..8).rev() {
        let name = char::from(b'a' + row as u8);
        let _ = write!(text, "  {name} ");
        for column in 0..8 {
            let square = Square::new(row, column);
            let letter = position.board().piece_on(square).map_or('.', Piece::letter);
            let _ = match square {
                _ if Some(square) == to => write!(text, "[{letter}]"),
                _ if Some(square) == from => write!(text, "( )"),
                _ => write!(text, " {letter} "),
            };
        }
        let _ = write!(text, " {name}");
        let hand = match row {
            7 => Some(Colour::Blue),
            0 => Some(Colour::Red),
            _ => None,
        };
        if let Some(side) = hand {
            let _ = write!(text, "    {} holds {}", side.name(), hand_text(position, side));
        }
        text.push('\n');
    }
    text.push_str(columns);
    let (ply, side) = (position.ply(), position.side().name());
    let last = game.texts().last().map_or(String::new(), |last| format!(", the last one {last}"));
    let turn = if game.outcome().is_none() { format!("; {side} to move") } else { String::new() };
    let _ = writeln!(text, "{ply} moves made{last}{turn}");
    text
}

/// `3 D, 1 A`, or `nothing`.
fn hand_text(position: &Position, colour: Colour) -> String {
    let hand = position.hand(colour);
    let held = Kind::DROPPABLE.iter().filter(|&&kind| hand.count(kind) > 0);
    let parts: Vec<String> = held
        .map(|&kind| format!("{} {}", hand.count(kind), Piece { colour, kind }.letter()))
        .collect();
    if parts.is_empty() {
        "nothing".to_string()
    } else {
        parts.join(", ")
    }
}

/// The moves of a line from a position on, as the sides write them.
fn line_text(position: &Position, line: &[Move]) -> String {
    let sides = [position.side(), !position.side()].into_iter().cycle();
    let texts: Vec<String> =
        line.iter().zip(sides).map(|(mv, side)| mv.text(side).to_string()).collect();
    texts.join(" ")
}

/// A title and moves in lines of limited width.
fn list_text(title: &str, moves: &[String]) -> String {
    let mut text = format!("{title} ({}):", moves.len());
    let mut width = text.len();
    for mv in moves {
        if width + 1 + mv.len() > LINE_WIDTH {
            text.push_str("\n ");
            width = 1;
        }
        text.push(' ');
        text.push_str(mv);
        width += 1 + mv.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
