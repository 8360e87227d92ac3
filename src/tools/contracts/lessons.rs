//! Lessons of a game: small positions, each with a sentence and a task that one move solves. The rules check the move,
//! so every move that does what the task says counts. The page and the terminal use the same lessons.

use super::record::Record;
use super::Rules;
use anyhow::Result;

/// A position with a task.
pub struct Lesson {
    /// Start position as records write it; `None`: the usual start.
    pub start: Option<&'static str>,
    /// The moves that lead to the position, separated by blanks.
    pub moves: &'static str,
    /// The rule or idea that the lesson teaches, in a sentence or two.
    pub text: &'static str,
    /// The task, in a sentence.
    pub task: &'static str,
    /// Whether the last move of a legal game from the position solves the task.
    pub is_solved: fn(&Record) -> Result<bool>,
}

impl Lesson {
    /// Returns the game up to the lesson's position.
    pub fn record(&self, rules: &'static Rules) -> Record {
        let moves = self.moves.split_whitespace().map(str::to_string).collect();
        Record::new(rules, self.start.map(str::to_string), moves)
    }

    /// Whether a move solves the task. Fails if it is illegal.
    pub fn solves(&self, rules: &'static Rules, text: &str) -> Result<bool> {
        let mut record = self.record(rules);
        record.moves.push(text.to_string());
        record.replay()?;
        (self.is_solved)(&record)
    }
}

/// Returns the record without its last move.
pub fn before(record: &Record) -> Record {
    let mut before = record.clone();
    before.moves.pop();
    before
}

#[cfg(test)]
mod tests {
    use crate::tools::labs::registry::GAMES;

    #[test]
    fn lessons_are_solved_by_some_moves_only() {
        for game in GAMES {
            let Some(board) = &game.tools.board else { continue };
            assert!((5..=8).contains(&board.lessons.len()), "{game:?}");
            for lesson in board.lessons {
                let record = lesson.record(game.rules);
                let scene = (board.scenes)(&record, record.moves.len()).expect("legal").remove(0);
                let solves = |text: &str| lesson.solves(game.rules, text).expect("legal");
                let moves = scene.moves.iter().map(|choice| &*choice.text);
                let solved = moves.clone().filter(|text| solves(text)).count();
                let count = scene.moves.len();
                assert!(0 < solved && solved < count, "{}: {solved} of {count}", lesson.task);
                assert!(solves(&board.solution(game.rules, lesson).expect("one")));
                assert!(lesson.solves(game.rules, "nonsense").is_err());
            }
        }
    }
}
