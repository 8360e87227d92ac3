//! Scores in comments: those of match runners, for the mover in the position before the move (`+0.35/12 0.1s`, `-M3`),
//! and `[%eval]` of servers, for White in the position after the move (`[%eval 0.35,12]`, `[%eval #-3]`).

use crate::engine::score::{self, Score};
use crate::games::chess960::types::Colour;
use crate::tools::contracts::score_note::ScoreNote;
use crate::tools::labs::chess960::by_hand::in_pawns;

/// Maximum distance of a mate, in moves.
const MAX_MATE: usize = 400;
/// Beginning of a server's score.
const EVAL: &str = "[%eval ";

/// Returns the scores in a comment after a move: of the position before the move for its mover, and of the position
/// after it for `side`, the side to move there.
pub fn of_comment(text: &str, side: Colour) -> [Option<Score>; 2] {
    let eval = text.split_once(EVAL).and_then(|(_, rest)| {
        let value = Value::parse(rest.split([']', ',', '/']).next()?.trim())?;
        Some(if side == Colour::White { value } else { value.reversed() }.score())
    });
    [runner_score(without_commands(text)), eval]
}

/// Returns a comment with the score of an analysis instead of any other `[%eval]`.
pub fn with_eval(comment: &str, note: &ScoreNote) -> String {
    let value = match score::plies_to_end(note.score) {
        Some(plies) => format!("#{}{}", sign(note.score, ""), plies.div_ceil(2)),
        None => format!("{:.2}", in_pawns(note.score)),
    };
    let depth = note.depth.map_or(String::new(), |depth| format!(",{depth}"));
    let (before, rest) = comment.split_once(EVAL).unwrap_or((comment, ""));
    let after = rest.split_once(']').map_or(rest, |(_, after)| after);
    let parts = [&format!("{EVAL}{value}{depth}]"), before.trim(), after.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns a comment with a score of a match before its text, as match runners write it.
pub fn with_runner_score(comment: &str, score: Score) -> String {
    let score = match score::plies_to_end(score) {
        Some(plies) => format!("{}M{}", sign(score, "+"), plies.div_ceil(2).max(1)),
        None => format!("{:+.2}", in_pawns(score)),
    };
    let text = without_commands(comment);
    let commands = comment[..comment.len() - text.len()].trim();
    let parts = [commands, score.as_str()].into_iter().filter(|part| !part.is_empty());
    let head = parts.collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        head
    } else {
        format!("{head}, {text}")
    }
}

/// Returns a comment without the commands at its beginning.
fn without_commands(comment: &str) -> &str {
    let mut rest = comment.trim_start();
    while let Some((_, after)) = rest.strip_prefix("[%").and_then(|rest| rest.split_once(']')) {
        rest = after.trim_start();
    }
    rest
}

fn sign(score: Score, plus: &'static str) -> &'static str {
    if score < 0 {
        "-"
    } else {
        plus
    }
}

/// Parses the score of a match runner: a score alone or with text after a comma, or with the depth after a slash and
/// optionally the time. Other texts that begin with a number are plain comments.
fn runner_score(text: &str) -> Option<Score> {
    let is_end = |character: char| character.is_whitespace() || ",/".contains(character);
    let (value, rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
    let score = Value::parse(value)?.score();
    if !value.starts_with(['+', '-', '0']) || !value.contains(['.', 'M', '#']) {
        return None;
    }
    let word = rest.split_whitespace().next().unwrap_or_default().trim_end_matches(',');
    let is_time = word.strip_suffix('s').is_some_and(|number| number.parse::<f64>().is_ok());
    (rest.is_empty() || rest.starts_with(['/', ',']) || is_time).then_some(score)
}

/// A score in a comment.
enum Value {
    /// In pawns.
    Pawns(f64),
    /// Mates in this many moves.
    Win(usize),
    /// Is mated in this many moves.
    Loss(usize),
}

impl Value {
    /// Parses a score in pawns, or moves to a mate: `+0.35`, `-M3`, `#-3`.
    fn parse(text: &str) -> Option<Value> {
        let text = text.replace('#', "M");
        if let Some((before, after)) = text.split_once('M') {
            let is_lost = before == "-" || before.is_empty() && after.starts_with('-');
            let moves = after.trim_start_matches(['-', '+']).parse().ok();
            let moves = moves.filter(|moves| (1..MAX_MATE).contains(moves))?;
            let is_sound = ["", "+", "-"].contains(&before);
            return is_sound.then_some(if is_lost {
                Value::Loss(moves)
            } else {
                Value::Win(moves)
            });
        }
        text.parse().ok().filter(|pawns: &f64| pawns.abs() < 1e6).map(Value::Pawns)
    }

    /// Returns the score from the other side's point of view.
    fn reversed(self) -> Value {
        match self {
            Value::Pawns(pawns) => Value::Pawns(-pawns),
            Value::Win(moves) => Value::Loss(moves),
            Value::Loss(moves) => Value::Win(moves),
        }
    }

    fn score(self) -> Score {
        match self {
            Value::Pawns(pawns) => score::clamp_eval((pawns * 100.0).round() as Score),
            Value::Win(moves) => score::win_in(2 * moves - 1),
            Value::Loss(moves) => score::lost_in(2 * moves),
        }
    }
}
