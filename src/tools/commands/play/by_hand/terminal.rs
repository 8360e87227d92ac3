//! Line input: at a terminal, lines can be edited and have a history, as in a shell.

use crate::tools::support::ctrl_c;
use crate::tools::support::style::{self, painted};
use console::{Key, Term};
use std::io::{self, BufRead, IsTerminal, Write};

/// Minimum width of the window for editing, in characters.
const MIN_WINDOW: usize = 8;
/// Characters of control keys that `console` does not name.
const CONTROL_D: char = '\u{4}';
const CONTROL_K: char = '\u{b}';
const CONTROL_U: char = '\u{15}';
const CONTROL_W: char = '\u{17}';
/// What remains of a Control-D typed before the first prompt.
const NOTHING: char = '\0';

/// Source of lines.
pub trait Lines {
    /// Shows a prompt and reads a line; `None` at the end of input.
    fn next_line(&mut self, screen: &mut dyn Write, prompt: &str) -> io::Result<Option<String>>;
}

impl<R: BufRead> Lines for R {
    fn next_line(&mut self, screen: &mut dyn Write, prompt: &str) -> io::Result<Option<String>> {
        write!(screen, "{}", painted(prompt, style::FAINT))?;
        screen.flush()?;
        let mut line = Vec::new();
        if self.read_until(b'\n', &mut line)? == 0 {
            writeln!(screen)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}

/// A terminal with line editing.
pub struct Terminal {
    term: Term,
    history: Vec<String>,
}

impl Terminal {
    /// Returns the terminal of this process, if it can move the cursor.
    pub fn of_process() -> Option<Terminal> {
        let can_move = std::env::var("TERM").is_ok_and(|name| !name.is_empty() && name != "dumb");
        let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
        (is_there && can_move).then(|| Terminal { term: Term::stderr(), history: Vec::new() })
    }

    fn draw(&self, line: &Line, prompt: &str) -> io::Result<()> {
        let width = usize::from(self.term.size().1);
        let (shown, at) = line.window(width.saturating_sub(prompt.len() + 1).max(MIN_WINDOW));
        self.term.clear_line()?;
        self.term.write_str(prompt)?;
        self.term.write_str(&shown)?;
        self.term.move_cursor_left(shown.chars().count() - at)
    }
}

impl Lines for Terminal {
    fn next_line(&mut self, screen: &mut dyn Write, prompt: &str) -> io::Result<Option<String>> {
        screen.flush()?;
        let mut line = Line::new(&self.history);
        loop {
            self.draw(&line, prompt)?;
            match line.press(self.term.read_key_raw()?) {
                Pressed::Edit => {}
                Pressed::Enter => break,
                Pressed::Interrupt => {
                    self.term.write_line("")?;
                    ctrl_c::interrupt();
                }
                Pressed::End => {
                    self.term.write_line("")?;
                    return Ok(None);
                }
            }
        }
        self.term.write_line("")?;
        let text = line.text();
        if !text.trim().is_empty() && self.history.last() != Some(&text) {
            self.history.push(text.clone());
        }
        Ok(Some(text))
    }
}

/// Effect of a key.
#[derive(Debug, PartialEq, Eq)]
enum Pressed {
    /// Continue editing.
    Edit,
    /// The line is complete.
    Enter,
    /// End of input.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// A line being edited.
struct Line<'a> {
    letters: Vec<char>,
    /// Position of the cursor, in characters.
    at: usize,
    history: &'a [String],
    /// Index of the history line shown; the length of the history for the new line.
    place: usize,
    /// The new line while a history line is shown.
    draft: Vec<char>,
}

impl Line<'_> {
    fn new(history: &[String]) -> Line<'_> {
        let place = history.len();
        Line { letters: Vec::new(), at: 0, history, place, draft: Vec::new() }
    }

    fn text(&self) -> String {
        self.letters.iter().collect()
    }

    fn press(&mut self, key: Key) -> Pressed {
        match key {
            Key::Enter => return Pressed::Enter,
            Key::CtrlC => return Pressed::Interrupt,
            Key::Char(CONTROL_D | NOTHING) if self.letters.is_empty() => return Pressed::End,
            Key::Char(CONTROL_D) | Key::Del if self.at < self.letters.len() => {
                self.letters.remove(self.at);
            }
            Key::Backspace if self.at > 0 => {
                self.at -= 1;
                self.letters.remove(self.at);
            }
            Key::Char(CONTROL_K) => self.letters.truncate(self.at),
            Key::Char(CONTROL_U) => self.cut_from(0),
            Key::Char(CONTROL_W) => self.cut_from(self.word_start()),
            Key::ArrowLeft => self.at = self.at.saturating_sub(1),
            Key::ArrowRight => self.at = (self.at + 1).min(self.letters.len()),
            Key::Home => self.at = 0,
            Key::End => self.at = self.letters.len(),
            Key::ArrowUp if self.place > 0 => self.recall(self.place - 1),
            Key::ArrowDown if self.place < self.history.len() => self.recall(self.place + 1),
            Key::Char(letter) if !letter.is_control() => {
                self.letters.insert(self.at, letter);
                self.at += 1;
            }
            _ => {}
        }
        Pressed::Edit
    }

    /// Deletes from a position to the cursor.
    fn cut_from(&mut self, start: usize) {
        self.letters.drain(start..self.at);
        self.at = start;
    }

    /// Returns the start of the word before the cursor.
    fn word_start(&self) -> usize {
        let before = &self.letters[..self.at];
        let end = before.iter().rposition(|letter| *letter != ' ').unwrap_or(0);
        before[..end].iter().rposition(|letter| *letter == ' ').map_or(0, |space| space + 1)
    }

    /// Shows a line of the history.
    fn recall(&mut self, place: usize) {
        if self.place == self.history.len() {
            self.draft = self.letters.clone();
        }
        self.place = place;
        let recalled = self.history.get(place).map(|line| line.chars().collect());
        self.letters = recalled.unwrap_or_else(|| self.draft.clone());
        self.at = self.letters.len();
    }

    /// Returns the visible part of the line and the cursor's position in it.
    fn window(&self, width: usize) -> (String, usize) {
        let start = (self.at + 1).saturating_sub(width);
        (self.letters.iter().skip(start).take(width).collect(), self.at - start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(history: &[String], keys: impl IntoIterator<Item = Key>) -> (String, usize) {
        let mut line = Line::new(history);
        for key in keys {
            assert_eq!(line.press(key), Pressed::Edit);
        }
        (line.text(), line.at)
    }

    fn typed(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    #[test]
    fn letters_are_edited_at_the_cursor() {
        let cases = [
            (vec![Key::Home, Key::Char('x'), Key::End, Key::Char('y')], "xno des 5y", 10),
            (vec![Key::ArrowLeft, Key::Backspace, Key::ArrowLeft, Key::Del], "no de5", 5),
            (vec![Key::Char(CONTROL_W)], "no des ", 7),
            (vec![Key::Char(CONTROL_W), Key::Char(CONTROL_W)], "no ", 3),
            (vec![Key::ArrowLeft, Key::Char(CONTROL_U)], "5", 0),
            (vec![Key::Home, Key::ArrowRight, Key::Char(CONTROL_K)], "n", 1),
            (vec![Key::ArrowRight, Key::Del, Key::Tab, Key::Char(CONTROL_D)], "no des 5", 8),
            (vec![Key::Home, Key::Backspace, Key::Char(CONTROL_W)], "no des 5", 0),
        ];
        for (keys, text, at) in cases {
            let all = typed("no des 5").into_iter().chain(keys.clone());
            assert_eq!(after(&[], all), (text.to_string(), at), "{keys:?}");
        }
        assert_eq!(after(&[], typed("é♙ b")).0, "é♙ b");
    }

    #[test]
    fn the_history_leads_back_to_what_was_typed() {
        let history = ["Start", "hint"].map(str::to_string);
        let shown = |ups: usize, downs: usize| {
            let mut keys = typed("un");
            keys.extend((0..ups).map(|_| Key::ArrowUp));
            keys.extend((0..downs).map(|_| Key::ArrowDown));
            after(&history, keys).0
        };
        assert_eq!([shown(1, 0), shown(2, 0), shown(5, 0)], ["hint", "Start", "Start"]);
        assert_eq!([shown(2, 1), shown(2, 2), shown(0, 3)], ["hint", "un", "un"]);
    }

    #[test]
    fn lines_end_and_so_does_the_input() {
        let mut line = Line::new(&[]);
        assert_eq!(line.press(Key::Char(CONTROL_D)), Pressed::End);
        assert_eq!(line.press(Key::Char('a')), Pressed::Edit);
        assert_eq!(line.press(Key::Char(CONTROL_D)), Pressed::Edit);
        assert_eq!(line.press(Key::Enter), Pressed::Enter);
    }

    #[test]
    fn of_a_long_line_the_part_around_the_cursor_is_seen() {
        let mut line = Line::new(&[]);
        for key in typed("abcdefgh") {
            line.press(key);
        }
        assert_eq!(line.window(20), ("abcdefgh".to_string(), 8));
        assert_eq!(line.window(4), ("fgh".to_string(), 3));
        line.press(Key::Home);
        assert_eq!(line.window(4), ("abcd".to_string(), 0));
    }
}
