//! CodinGame: the judge first sends its constants; the player answers with the list of inputs that it wants. The judge
//! then sends these inputs as a block in every turn. One process plays all games of a match.
//!
//! A malformed block is still answered: with one of its moves, or without any with a move that the player knows. The
//! log says what is wrong.

use super::{quote, Answer, DialogueError, Line, Session, Turn};
use crate::engine::guarded;

/// Requested inputs, in the order in which they are sent.
pub const INPUTS: &str = "fen moves lastmove draw game score";
/// Placeholder for the opponent's last move if it has not moved yet.
const NO_MOVE: &str = "none";
/// Maximum number of moves per block, and of constants.
const MAX_COUNT: usize = 1000;
/// Maximum length of the comment after a move, in characters.
const MAX_COMMENT: usize = 30;
/// Answer that accepts a draw. Valid only after an offer.
const ACCEPT: &str = "draw";

/// Plays a match until the end of the input, or until the judge closes the output.
pub fn run(session: Session) -> Result<(), DialogueError> {
    Match { session, number: 0, text: String::new(), fault: None }.run()
}

/// A match with the judge.
struct Match<'a> {
    session: Session<'a>,
    /// Number of the current line, from 1.
    number: usize,
    /// The current line.
    text: String,
    /// The first error of the current block.
    fault: Option<DialogueError>,
}

impl Match<'_> {
    fn run(mut self) -> Result<(), DialogueError> {
        self.session.clock.wait_for_line();
        if !self.advance_block()? {
            return Ok(());
        }
        self.read_constants()?;
        self.note_fault();
        let Session { player, clock, .. } = &mut self.session;
        if guarded(|| player.prepare(clock)).is_none() {
            self.session.note("the player panicked");
        }
        let mut is_output_open = self.session.send(INPUTS);
        while is_output_open && self.advance_block()? {
            let turn = self.read_turn()?;
            self.note_fault();
            let text = self.answer(&turn);
            is_output_open = self.session.send(&text);
        }
        Ok(())
    }

    /// Reads the next line. Returns false at the end of the input.
    fn advance(&mut self) -> Result<bool, DialogueError> {
        let line = self.session.read_line()?;
        self.number += 1;
        self.text = line.text().to_string();
        Ok(!matches!(line, Line::End))
    }

    /// Reads the first line of a block, skipping empty lines, and resumes the clock. Returns false at the end of the
    /// input.
    fn advance_block(&mut self) -> Result<bool, DialogueError> {
        loop {
            self.session.await_line();
            let has_line = self.advance()?;
            if !has_line || !self.text.is_empty() {
                self.session.clock.resume();
                return Ok(has_line);
            }
        }
    }

    /// Stores an error of the current line, if it is the first one of the block.
    fn blame(&mut self, reason: &str) {
        let (number, text) = (self.number, quote(&self.text));
        let error = DialogueError::Line { number, text, reason: reason.to_string() };
        self.fault.get_or_insert(error);
    }

    /// Writes the first error of the block to the log.
    fn note_fault(&mut self) {
        if let Some(fault) = self.fault.take() {
            self.session.note(&format!("continuing despite {}", fault));
        }
    }

    /// Passes the constants to the player. Their number is the current line.
    fn read_constants(&mut self) -> Result<(), DialogueError> {
        let count = self.text.parse().ok().filter(|&count| count <= MAX_COUNT);
        if count.is_none() {
            self.blame("expected a number");
        }
        for _ in 0..count.unwrap_or(0) {
            self.advance()?;
            if let Some((name, value)) = self.text.split_once(' ') {
                self.session.player.set_constant(name, value);
            }
        }
        Ok(())
    }

    /// Reads the block that begins with the current line. Missing fields have their defaults.
    fn read_turn(&mut self) -> Result<Turn, DialogueError> {
        let mut turn = Turn { game: 1, position: self.text.clone(), ..Turn::default() };
        self.advance()?;
        match self.text.parse().ok().filter(|&count: &usize| (1..=MAX_COUNT).contains(&count)) {
            Some(count) => {
                for _ in 0..count {
                    self.advance()?;
                    if is_move(&self.text) {
                        turn.moves.push(self.text.clone());
                    } else {
                        self.blame("expected a move");
                    }
                }
                self.advance()?;
                match self.text.as_str() {
                    NO_MOVE => {}
                    text if is_move(text) => turn.last_move = Some(text.to_string()),
                    _ => self.blame("expected a move or none"),
                }
                self.advance()?;
            }
            None => {
                self.blame("expected a number");
                self.read_uncounted_moves(&mut turn)?;
            }
        }
        match self.text.as_str() {
            "0" => {}
            "1" => turn.is_draw_offered = true,
            _ => self.blame("expected 0 or 1"),
        }
        self.advance()?;
        match self.text.parse() {
            Ok(game) if game > 0 => turn.game = game,
            _ => self.blame("expected a game number"),
        }
        self.advance()?;
        let score: Vec<i32> = self.text.split(' ').filter_map(|word| word.parse().ok()).collect();
        match score[..] {
            [own, other] => turn.score = [own, other],
            _ => self.blame("expected two scores"),
        }
        Ok(turn)
    }

    /// Reads the moves of a block whose number of moves is unreadable. The opponent's last move is the last line that
    /// looks like a move, or `none`. The line after it becomes the current one.
    fn read_uncounted_moves(&mut self, turn: &mut Turn) -> Result<(), DialogueError> {
        loop {
            self.advance()?;
            if is_move(&self.text) {
                turn.moves.push(self.text.clone());
            } else if self.text == NO_MOVE {
                self.advance()?;
                return Ok(());
            } else {
                turn.last_move = turn.moves.pop();
                return Ok(());
            }
        }
    }

    /// Returns the answer to a turn: one of its moves, even if the player's answer is invalid or it panics. If the turn
    /// has no moves, the player's answer counts.
    fn answer(&mut self, turn: &Turn) -> String {
        let Session { player, clock, .. } = &mut self.session;
        let answered = guarded(|| (player.follow(turn), player.answer(clock)));
        let answer = match answered {
            Some((Ok(()), answer)) => answer,
            Some((Err(reason), answer)) => {
                self.session.note(&format!("continuing despite {}", reason));
                answer
            }
            None => {
                self.session.note("the player panicked");
                None
            }
        };
        let Answer { mv, comment } = answer.unwrap_or_default();
        // The judge may write promotions in upper case, so the move is sent in the judge's spelling.
        let known = turn.moves.iter().find(|known| known.eq_ignore_ascii_case(&mv));
        let is_accepted = turn.moves.is_empty() || turn.is_draw_offered && mv == ACCEPT;
        match known.or(if is_accepted { Some(&mv) } else { None }) {
            Some(said) => format!("{} {:.*}", said, MAX_COMMENT, comment).trim_end().to_string(),
            None => {
                self.session.note(&format!("{:?} is not in the list of moves", quote(&mv)));
                turn.moves.first().cloned().unwrap_or_default()
            }
        }
    }
}

/// Whether the text looks like a move.
fn is_move(text: &str) -> bool {
    matches!(text.len(), 2..=6)
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests;
