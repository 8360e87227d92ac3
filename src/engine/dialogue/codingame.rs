//! CodinGame: the judge first sends its constants; the player answers with the list of inputs that it wants. The judge
//! then sends these inputs as a block in every turn. One process plays all games of a match.
//!
//! A malformed block is still answered with one of its moves, or with a move that the player knows if there is none,
//! and the log says what is wrong.

use super::{quote, read_line, DialogueError, Line, Player, Turn};
use crate::engine::clock::Clock;
use crate::engine::pipes::Input;
use std::io::{self, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Requested inputs, in the order in which they are sent.
pub const INPUTS: &str = "fen moves lastmove draw game score";
/// Stands for the opponent's last move if it has not moved yet.
const NO_MOVE: &str = "none";
/// Maximum number of moves per block, and of constants.
const MAX_COUNT: usize = 1000;
/// Maximum length of the comment after a move, in characters.
const MAX_COMMENT: usize = 30;
/// Answer that accepts a draw. Valid only after an offer.
const ACCEPT: &str = "draw";

/// Reads the judge's lines and counts them.
struct Lines<'a> {
    input: &'a mut dyn Input,
    number: usize,
    text: String,
}

impl Lines<'_> {
    /// Reads the next line. Returns false at the end of the input.
    fn advance(&mut self) -> io::Result<bool> {
        let line = read_line(self.input)?;
        self.number += 1;
        self.text = line.text().to_string();
        Ok(!matches!(line, Line::End))
    }

    /// Reads the first line of a block, skipping empty lines. Returns false at the end of the input.
    fn advance_block(&mut self, clock: &mut Clock) -> Result<bool, DialogueError> {
        loop {
            if !self.input.is_there() {
                clock.wait_for_line();
            }
            let is_there = self.advance().map_err(DialogueError::Io)?;
            if !is_there || !self.text.is_empty() {
                return Ok(is_there);
            }
        }
    }

    /// Returns an error for the current line.
    fn error(&self, reason: &str) -> DialogueError {
        let text = quote(&self.text);
        DialogueError::Line { number: self.number, text, reason: reason.to_string() }
    }
}

/// Plays a match until the end of the input, or until the judge closes the output.
pub fn run(
    player: &mut dyn Player,
    clock: &mut Clock,
    input: &mut dyn Input,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> Result<(), DialogueError> {
    let lines = &mut Lines { input, number: 0, text: String::new() };
    if !read_constants(lines, player, clock, log)? {
        return Ok(());
    }
    if catch_unwind(AssertUnwindSafe(|| player.prepare(clock))).is_err() {
        note(log, "the player panicked");
    }
    clock.answered();
    let mut is_output_open = send(output, INPUTS);
    while is_output_open {
        // Waiting for a block is not charged.
        let is_there = lines.advance_block(clock)?;
        clock.resume();
        if !is_there {
            break;
        }
        let mut fault = None;
        let turn = read_turn(lines, &mut fault).map_err(DialogueError::Io)?;
        if let Some(fault) = fault {
            note(log, &format!("continuing despite {}", fault));
        }
        let text = answer(player, &turn, clock, log);
        let report = player.report().text;
        // The judge keeps a limited log, so an empty report gets no line.
        if !report.is_empty() {
            let used = clock.spent().as_secs_f64() * 1e3;
            note(log, &format!("{} used {:.1} ms", report, used));
        }
        clock.answered();
        is_output_open = send(output, &text);
    }
    Ok(())
}

/// Passes the constants to the player. Returns false if the input is empty.
fn read_constants(
    lines: &mut Lines,
    player: &mut dyn Player,
    clock: &mut Clock,
    log: &mut dyn Write,
) -> Result<bool, DialogueError> {
    clock.wait_for_line();
    if !lines.advance_block(clock)? {
        return Ok(false);
    }
    clock.resume();
    let count = match lines.text.parse().ok().filter(|&count| count <= MAX_COUNT) {
        Some(count) => count,
        None => {
            note(log, &format!("continuing despite {}", lines.error("expected a number")));
            0
        }
    };
    for _ in 0..count {
        lines.advance().map_err(DialogueError::Io)?;
        if let Some((name, value)) = lines.text.split_once(' ') {
            player.set_constant(name, value);
        }
    }
    Ok(true)
}

/// Reads the block that begins with the current line. The first error is stored in `fault`; missing fields
/// have their defaults.
fn read_turn(lines: &mut Lines, fault: &mut Option<DialogueError>) -> io::Result<Turn> {
    let mut turn = Turn { game: 1, position: lines.text.clone(), ..Turn::default() };
    let mut blame = |lines: &Lines, reason: &str| {
        fault.get_or_insert_with(|| lines.error(reason));
    };
    lines.advance()?;
    match lines.text.parse().ok().filter(|&count: &usize| (1..=MAX_COUNT).contains(&count)) {
        Some(count) => {
            for _ in 0..count {
                lines.advance()?;
                if is_move(&lines.text) {
                    turn.moves.push(lines.text.clone());
                } else {
                    blame(lines, "expected a move");
                }
            }
            lines.advance()?;
            match lines.text.as_str() {
                NO_MOVE => {}
                text if is_move(text) => turn.last_move = Some(text.to_string()),
                _ => blame(lines, "expected a move or none"),
            }
            lines.advance()?;
        }
        None => {
            blame(lines, "expected a number");
            read_uncounted_moves(lines, &mut turn)?;
        }
    }
    match lines.text.as_str() {
        "0" => {}
        "1" => turn.is_draw_offered = true,
        _ => blame(lines, "expected 0 or 1"),
    }
    lines.advance()?;
    match lines.text.parse() {
        Ok(game) if game > 0 => turn.game = game,
        _ => blame(lines, "expected a game number"),
    }
    lines.advance()?;
    let score: Vec<i32> = lines.text.split(' ').filter_map(|word| word.parse().ok()).collect();
    match score[..] {
        [own, other] => turn.score = [own, other],
        _ => blame(lines, "expected two scores"),
    }
    Ok(turn)
}

/// Reads the moves of a block whose number of moves is unreadable. The opponent's last move is the last line that looks
/// like a move, or `none`. The line after it becomes the current one.
fn read_uncounted_moves(lines: &mut Lines, turn: &mut Turn) -> io::Result<()> {
    loop {
        lines.advance()?;
        if is_move(&lines.text) {
            turn.moves.push(lines.text.clone());
        } else if lines.text == NO_MOVE {
            lines.advance()?;
            return Ok(());
        } else {
            turn.last_move = turn.moves.pop();
            return Ok(());
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

/// Returns the answer to a turn: one of its moves, even if the player's answer is invalid or it panics. If the turn has
/// no moves, the player's answer counts.
fn answer(player: &mut dyn Player, turn: &Turn, clock: &Clock, log: &mut dyn Write) -> String {
    let turned = catch_unwind(AssertUnwindSafe(|| player.turn(turn, clock)));
    if turned.is_err() {
        note(log, "the player panicked");
    }
    let text = turned.ok().flatten().unwrap_or_default();
    let word = text.split(' ').next().unwrap_or_default();
    // The judge may write promotions in upper case, so the move is sent in the judge's spelling.
    let known = turn.moves.iter().find(|mv| mv.eq_ignore_ascii_case(word));
    let accepted = if turn.is_draw_offered && word == ACCEPT { Some(ACCEPT) } else { None };
    let unchecked = if turn.moves.is_empty() { Some(word) } else { None };
    if let Some(said) = known.map(String::as_str).or(accepted).or(unchecked) {
        let comment = text.chars().skip(word.chars().count());
        return said.chars().chain(comment.take(1 + MAX_COMMENT)).collect();
    }
    note(log, &format!("{:?} is not in the list of moves", quote(&text)));
    turn.moves.first().cloned().unwrap_or_default()
}

/// Sends a line. Returns false if the judge has closed the output.
fn send(output: &mut dyn Write, text: &str) -> bool {
    output.write_all(format!("{}\n", text).as_bytes()).and_then(|()| output.flush()).is_ok()
}

/// Writes a line to the log. Write errors are ignored: a game must not fail because nobody reads the log.
fn note(log: &mut dyn Write, text: &str) {
    let _ = log.write_all(format!("{}\n", text).as_bytes());
}

#[cfg(test)]
mod tests;
