//! Line input: at a terminal, lines can be edited and have a history, as in a shell.

use super::keys::{Key, Keys};
use crate::tools::support::ctrl_c;
use crate::tools::support::style::{self, folded, painted, width_of};
use console::Term;
use rustix::process::{kill_current_process_group, Signal};
use std::io::{self, BufRead, IsTerminal, Write};

/// Minimum width of the window for editing, in characters.
const MIN_WINDOW: usize = 8;
/// Key read for a Control-D that was typed before the first prompt.
const NOTHING: Key = Key::Control('@');

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
    keys: Keys,
    history: Vec<String>,
}

impl Terminal {
    /// Returns the terminal of this process, if it can move the cursor.
    pub fn of_process() -> Option<Terminal> {
        let can_move = std::env::var("TERM").is_ok_and(|name| !name.is_empty() && name != "dumb");
        let is_terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
        let keys = Keys::new().filter(|_| is_terminal && can_move)?;
        // A signal may end the process at the prompt.
        ctrl_c::on_first_signal(keys.restorer());
        Some(Terminal { term: Term::stderr(), keys, history: Vec::new() })
    }

    fn draw(&self, line: &Line, prompt: &str) -> io::Result<()> {
        let width = usize::from(self.term.size().1);
        let (shown, after) = line.window(width.saturating_sub(prompt.len()).max(MIN_WINDOW));
        self.term.clear_line()?;
        self.term.write_str(prompt)?;
        self.term.write_str(&shown)?;
        self.term.move_cursor_left(after)
    }

    /// Lets the user edit a line; `None` at the end of input.
    fn edit(&self, prompt: &str) -> io::Result<Option<String>> {
        let mut line = Line::new(&self.history);
        loop {
            self.draw(&line, prompt)?;
            match line.press(self.keys.read()?) {
                Pressed::Edit => {}
                Pressed::Enter => return Ok(Some(line.text())),
                Pressed::End => return Ok(None),
                Pressed::Interrupt => {
                    self.term.write_line("")?;
                    ctrl_c::interrupt();
                }
                Pressed::Suspend => {
                    self.keys.restorer()();
                    self.term.write_line("")?;
                    // The shell stops all processes of a job.
                    kill_current_process_group(Signal::TSTP)?;
                    self.keys.enter_raw_mode()?;
                }
                Pressed::Continued => self.keys.enter_raw_mode()?,
            }
        }
    }
}

impl Lines for Terminal {
    fn next_line(&mut self, screen: &mut dyn Write, prompt: &str) -> io::Result<Option<String>> {
        // Of a long prompt only the last line is drawn again.
        let width = usize::from(self.term.size().1);
        let prompt = folded(prompt, width.saturating_sub(MIN_WINDOW));
        let (above, prompt) = prompt.rsplit_once('\n').unwrap_or(("", &prompt));
        if !above.is_empty() {
            writeln!(screen, "{above}")?;
        }
        screen.flush()?;
        self.keys.enter_raw_mode()?;
        let edited = self.edit(prompt);
        self.keys.restorer()();
        self.term.write_line("")?;
        let Some(text) = edited? else { return Ok(None) };
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
    /// Ctrl-Z.
    Suspend,
    /// The process continues after it was suspended.
    Continued,
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
            Key::Control('C') => return Pressed::Interrupt,
            Key::Control('Z') => return Pressed::Suspend,
            Key::Continued => return Pressed::Continued,
            Key::Closed => return Pressed::End,
            Key::Control('D') | NOTHING if self.letters.is_empty() => return Pressed::End,
            Key::Control('D') | Key::Delete if self.at < self.letters.len() => {
                self.letters.remove(self.at);
            }
            Key::Backspace if self.at > 0 => {
                self.at -= 1;
                self.letters.remove(self.at);
            }
            Key::Control('K') => self.letters.truncate(self.at),
            Key::Control('U') => self.cut_from(0),
            Key::Control('W') => self.cut_from(self.word_start()),
            Key::Left => self.at = self.at.saturating_sub(1),
            Key::Right => self.at = (self.at + 1).min(self.letters.len()),
            Key::WordLeft => self.at = self.word_start(),
            Key::WordRight => self.at = self.word_end(),
            Key::Home | Key::Control('A') => self.at = 0,
            Key::End | Key::Control('E') => self.at = self.letters.len(),
            Key::Up if self.place > 0 => self.recall(self.place - 1),
            Key::Down if self.place < self.history.len() => self.recall(self.place + 1),
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

    /// Returns the end of the word after the cursor.
    fn word_end(&self) -> usize {
        let after = self.letters[self.at..].iter();
        let gap = after.clone().take_while(|letter| **letter == ' ').count();
        self.at + gap + after.skip(gap).take_while(|letter| **letter != ' ').count()
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

    /// Returns the visible part of the line and the number of columns after the cursor, in a window of `width` columns.
    fn window(&self, width: usize) -> (String, usize) {
        let columns = |letter: &char| width_of(&letter.to_string());
        let (before, rest) = self.letters.split_at(self.at);
        // A column is left for the cursor.
        let mut left = width.saturating_sub(1);
        let mut fits = |letter: &&char| {
            let needed = columns(letter);
            let does_fit = needed <= left;
            left -= if does_fit { needed } else { 0 };
            does_fit
        };
        let start = self.at - before.iter().rev().take_while(&mut fits).count();
        let end = self.at + rest.iter().take_while(&mut fits).count();
        let after = self.letters[self.at..end].iter().map(columns).sum();
        (self.letters[start..end].iter().collect(), after)
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
            (vec![Key::Left, Key::Backspace, Key::Left, Key::Delete], "no de5", 5),
            (vec![Key::Control('W')], "no des ", 7),
            (vec![Key::Control('W'), Key::Control('W')], "no ", 3),
            (vec![Key::Left, Key::Control('U')], "5", 0),
            (vec![Key::Home, Key::Right, Key::Control('K')], "n", 1),
            (vec![Key::Right, Key::Delete, Key::Unknown, Key::Control('D')], "no des 5", 8),
            (vec![Key::WordLeft, Key::WordLeft, Key::Char('x')], "no xdes 5", 4),
            (vec![Key::Home, Key::WordRight, Key::WordRight, Key::Char('x')], "no desx 5", 7),
            (vec![Key::Home, Key::Backspace, Key::Control('W')], "no des 5", 0),
        ];
        for (keys, text, at) in cases {
            let all = typed("no des 5").into_iter().chain(keys.clone());
            assert_eq!(after(&[], all), (text.to_string(), at), "{keys:?}");
        }
        assert_eq!(after(&[], typed("é♙ b")).0, "é♙ b");
    }

    #[test]
    fn the_history_returns_to_the_typed_line() {
        let history = ["Start", "hint"].map(str::to_string);
        let shown = |ups: usize, downs: usize| {
            let mut keys = typed("un");
            keys.extend((0..ups).map(|_| Key::Up));
            keys.extend((0..downs).map(|_| Key::Down));
            after(&history, keys).0
        };
        assert_eq!([shown(1, 0), shown(2, 0), shown(5, 0)], ["hint", "Start", "Start"]);
        assert_eq!([shown(2, 1), shown(2, 2), shown(0, 3)], ["hint", "un", "un"]);
    }

    #[test]
    fn enter_ends_a_line_and_control_d_the_input() {
        let mut line = Line::new(&[]);
        assert_eq!(line.press(Key::Control('D')), Pressed::End);
        assert_eq!(line.press(Key::Char('a')), Pressed::Edit);
        assert_eq!(line.press(Key::Control('D')), Pressed::Edit);
        assert_eq!(line.press(Key::Enter), Pressed::Enter);
    }

    #[test]
    fn a_long_line_is_shown_around_the_cursor() {
        let mut line = Line::new(&[]);
        for key in typed("abcdefgh") {
            line.press(key);
        }
        assert_eq!(line.window(20), ("abcdefgh".to_string(), 0));
        assert_eq!(line.window(4), ("fgh".to_string(), 0));
        line.press(Key::Home);
        assert_eq!(line.window(4), ("abc".to_string(), 3));
    }

    #[test]
    fn wide_letters_have_two_columns() {
        let mut line = Line::new(&[]);
        for _ in 0..60 {
            line.press(Key::Char('漢'));
        }
        assert_eq!(line.window(20), ("漢".repeat(9), 0));
        line.press(Key::Left);
        assert_eq!(line.window(8), ("漢".repeat(3), 0));
        line.press(Key::Home);
        assert_eq!(line.window(8), ("漢".repeat(3), 6));
    }
}
