//! `learn` in a session: the lessons of the game. The game in progress waits.

use super::{refuse, CommandResult, Learning, Session};
use crate::tools::contracts::lessons::Lesson;
use crate::tools::support::style::{self, painted};
use std::mem;
use std::time::Duration;

/// The commands of a lesson.
const COMMANDS: &str = "Type a move, `hint`, `board`, `moves`, `learn N` or `leave`.";

impl Session<'_> {
    fn lessons(&self) -> &'static [Lesson] {
        self.game.tools.board.as_ref().map_or(&[], |board| board.lessons)
    }

    /// Opens the lesson with this number, counted from 1; without a number the current lesson, or else the first.
    pub(super) fn learn(&mut self, number: &str) -> CommandResult {
        let count = self.lessons().len();
        let present = self.learning.as_ref().map_or(0, |learning| learning.index);
        let chosen = if number.is_empty() { Ok(present + 1) } else { number.parse() };
        match chosen {
            _ if count == 0 => refuse(format!("{} has no lessons.", self.game.rules.title)),
            Ok(number) if (1..=count).contains(&number) => self.open_lesson(number - 1),
            _ => refuse(format!("Type `learn` and the number of a lesson, 1 to {count}.")),
        }
    }

    fn open_lesson(&mut self, index: usize) -> CommandResult {
        let lesson = &self.lessons()[index];
        let record = lesson.record(self.game.rules);
        self.player = self.player_after(self.settings(), lesson.start, &record.moves)?;
        match &mut self.learning {
            Some(learning) => learning.index = index,
            none => {
                let (start, texts) = (self.start.take(), mem::take(&mut self.texts));
                let spent = mem::replace(&mut self.spent, vec![Duration::ZERO]);
                *none = Some(Learning { index, start, texts, spent });
            }
        }
        self.start = record.start;
        self.texts = record.moves;
        self.show_board()?;
        let title = format!("Lesson {} of {}", index + 1, self.lessons().len());
        let title = painted(title, style::HEAD);
        self.say(&format!(
            "{title}. {}\n{} (`hint` shows a move, `leave` ends the lessons)\n",
            lesson.text, lesson.task
        ))
    }

    /// Executes a line of a lesson; `None` if it is not about the lesson.
    pub(super) fn learn_by(
        &mut self,
        command: &str,
        argument: &str,
        line: &str,
    ) -> Option<CommandResult> {
        let index = self.learning.as_ref()?.index;
        let lesson = &self.lessons()[index];
        Some(match (command, argument) {
            ("leave", "") => self.leave_lessons(),
            ("hint", "") => self.solution(lesson),
            ("learn" | "level", _) | ("board" | "moves" | "rules" | "games" | "help" | "?", "") => {
                return None;
            }
            ("", _) => self.say(&format!("{}\n", lesson.task)),
            (command, _) if super::suggestions::is_command(command) => refuse(COMMANDS),
            _ => self.try_lesson(index, line),
        })
    }

    fn solution(&mut self, lesson: &Lesson) -> CommandResult {
        let Some(board) = &self.game.tools.board else { return Ok(()) };
        let solution = board.solution(self.game.rules, lesson);
        self.say(&format!("{}\n", solution.map_err(|error| format!("{error:#}."))?))
    }

    /// Tries a move and opens the next lesson if it solves the task.
    fn try_lesson(&mut self, index: usize, line: &str) -> CommandResult {
        let lesson = &self.lessons()[index];
        let text = self.player.contest_text(line);
        match lesson.solves(self.game.rules, &text) {
            Err(error) => {
                let reason = format!("{error:#}");
                let reason = reason.split("illegal: ").last().unwrap_or_default();
                refuse(format!("Not possible: {reason}. {COMMANDS}"))
            }
            Ok(false) => refuse(format!("Not yet. {}", lesson.task)),
            Ok(true) => {
                self.say(&painted("Right.\n", style::GOOD))?;
                match index + 1 < self.lessons().len() {
                    true => self.open_lesson(index + 1),
                    false => {
                        self.say("That was the last lesson. Your game:\n")?;
                        self.leave_lessons()
                    }
                }
            }
        }
    }

    fn leave_lessons(&mut self) -> CommandResult {
        self.end_lessons()?;
        self.show_board()
    }

    /// Returns to the game that waits, if there is a lesson.
    pub(super) fn end_lessons(&mut self) -> CommandResult {
        let Some(Learning { start, texts, spent, .. }) = self.learning.take() else {
            return Ok(());
        };
        (self.start, self.texts, self.spent) = (start, texts, spent);
        self.go_back_to(self.texts.len())
    }
}
