//! CodinGame: a judge that tells its constants first, asks for the order of the inputs, and then sends
//! all of them in a block for every turn. One process plays the games of a whole match.
//!
//! Whatever is wrong with a block, the answer is one of its moves: a line on the log says what was wrong.
//! Only a block without any move is an error.

use super::{quote, read_line, DialogueError, Line, Player, Turn};
use crate::engine::clock::Clock;
use crate::engine::pipes::Input;
use std::io::{self, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// The inputs asked for, in this order.
pub const INPUTS: &str = "fen moves lastmove draw game score";
/// What stands for the opponent's last move where there is none.
const NO_MOVE: &str = "none";
/// No block has more moves, nor the judge more constants.
const MAX_COUNT: usize = 1000;
/// The characters of a comment after a move that are shown.
const MAX_COMMENT: usize = 30;
/// Accepts a draw, after an offer alone.
const ACCEPT: &str = "draw";

/// The judge's lines with their numbers.
struct Lines<'a> {
    input: &'a mut dyn Input,
    number: usize,
    text: String,
}

impl Lines<'_> {
    /// Reads the next line; false at the end of the input.
    fn advance(&mut self) -> io::Result<bool> {
        let line = read_line(self.input)?;
        self.number += 1;
        self.text = line.text().to_string();
        Ok(!matches!(line, Line::End))
    }

    /// Reads the first line of a block; empty ones may stand before it. False at the end of the input.
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

    /// What is wrong with the present line.
    fn error(&self, reason: &str) -> DialogueError {
        let text = quote(&self.text);
        DialogueError::Line { number: self.number, text, reason: reason.to_string() }
    }
}

/// Plays a match until the end of the input, or until nobody reads the answers.
pub fn run(
    player: &mut dyn Player,
    clock: &mut Clock,
    input: &mut dyn Input,
    output: &mut dyn Write,
    log: &mut dyn Write,
) -> Result<(), DialogueError> {
    let lines = &mut Lines { input, number: 0, text: String::new() };
    if !read_constants(lines, clock, log)? {
        return Ok(());
    }
    if catch_unwind(AssertUnwindSafe(|| player.prepare(clock))).is_err() {
        note(log, "the player has panicked while it got ready");
    }
    clock.answered();
    let mut is_heard = say(output, INPUTS);
    while is_heard {
        // The wait for a block costs nothing.
        let is_there = lines.advance_block(clock)?;
        clock.resume();
        if !is_there {
            break;
        }
        let mut fault = None;
        let turn = read_turn(lines, &mut fault).map_err(DialogueError::Io)?;
        if turn.moves.is_empty() {
            return Err(fault.unwrap_or_else(|| lines.error("expected moves, found none")));
        }
        if let Some(fault) = fault {
            note(log, &format!("played on in spite of {}", fault));
        }
        let text = answer(player, &turn, clock, log);
        let report = player.report().text;
        // Judges keep a limited log: who says nothing gets no line.
        if !report.is_empty() {
            let used = clock.spent().as_secs_f64() * 1e3;
            note(log, &format!("{} used {:.1} ms", report, used));
        }
        clock.answered();
        is_heard = say(output, &text);
    }
    Ok(())
}

/// Reads the constants; false where there is nothing at all.
fn read_constants(
    lines: &mut Lines,
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
            note(
                log,
                &format!("played on in spite of {}", lines.error("expected a number of lines")),
            );
            0
        }
    };
    for _ in 0..count {
        lines.advance().map_err(DialogueError::Io)?;
    }
    Ok(true)
}

/// Reads the block that begins with the present line. What is wrong is told by `fault`, the first thing
/// of several; what is missing stays as it is by default.
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
                _ => blame(lines, "expected the last move or \"none\""),
            }
            lines.advance()?;
        }
        None => {
            blame(lines, "expected a number of moves");
            read_uncounted_moves(lines, &mut turn)?;
        }
    }
    match lines.text.as_str() {
        "0" => {}
        "1" => turn.is_draw_offered = true,
        _ => blame(lines, "expected 0 or 1 for a draw offered"),
    }
    lines.advance()?;
    match lines.text.parse() {
        Ok(game) if game > 0 => turn.game = game,
        _ => blame(lines, "expected the number of the game"),
    }
    lines.advance()?;
    let score: Vec<i32> = lines.text.split(' ').filter_map(|word| word.parse().ok()).collect();
    match score[..] {
        [own, other] => turn.score = [own, other],
        _ => blame(lines, "expected two scores"),
    }
    Ok(turn)
}

/// Reads moves of which nobody knows the number; the last line that looks like one, or `none`, is the
/// opponent's last move. The line after it becomes the present one.
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

/// Has the text the form of a move?
fn is_move(text: &str) -> bool {
    matches!(text.len(), 2..=6)
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// The line that answers a turn: a move of the turn whatever the player says, even if it panics.
fn answer(player: &mut dyn Player, turn: &Turn, clock: &Clock, log: &mut dyn Write) -> String {
    let turned = catch_unwind(AssertUnwindSafe(|| player.turn(turn, clock)));
    if turned.is_err() {
        note(log, "the player has panicked");
    }
    let text = turned.ok().flatten().unwrap_or_default();
    let word = text.split(' ').next().unwrap_or_default();
    // The judge may write promotions in upper case: it gets its own spelling back.
    let known = turn.moves.iter().find(|mv| mv.eq_ignore_ascii_case(word));
    let accepted = if turn.is_draw_offered && word == ACCEPT { Some(ACCEPT) } else { None };
    if let Some(said) = known.map(String::as_str).or(accepted) {
        let comment = text.chars().skip(word.chars().count());
        return said.chars().chain(comment.take(1 + MAX_COMMENT)).collect();
    }
    note(log, &format!("{:?} is none of the moves, playing the first one", quote(&text)));
    turn.moves.first().cloned().unwrap_or_default()
}

/// Says a line; false where nobody listens.
fn say(output: &mut dyn Write, text: &str) -> bool {
    output.write_all(format!("{}\n", text).as_bytes()).and_then(|()| output.flush()).is_ok()
}

/// Writes a line to the log. The log is for people: a game must not fail because nobody takes it.
fn note(log: &mut dyn Write, text: &str) {
    let _ = log.write_all(format!("{}\n", text).as_bytes());
}

#[cfg(test)]
mod tests;
