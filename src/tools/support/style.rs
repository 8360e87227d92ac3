//! Colours at the terminal. Texts for people carry styles as ANSI escapes; the stream that they are
//! written to (`anstream`) leaves these out where `--color`, `NO_COLOR` or a pipe says so.

use clap::builder::styling::{AnsiColor, Style};
use std::fmt::Display;

/// The head of a table, and what a reader looks for first.
pub const HEAD: Style = Style::new().bold();
/// What is good news: a proved gain, a best move.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// A mistake, a refusal.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// A blunder, a fault, a proved loss.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// The last move.
pub const LAST: Style = AnsiColor::Green.on_default().bold();
/// What is there for orientation, such as coordinates.
pub const FAINT: Style = Style::new().dimmed();

/// A text in a style. What is to be padded must be padded before: escapes count as characters.
pub fn painted(text: impl Display, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// A text in a style if `is_wanted`, else as it is.
pub fn painted_if(is_wanted: bool, text: impl Display, style: Style) -> String {
    if is_wanted {
        painted(text, style)
    } else {
        text.to_string()
    }
}

/// A text whose lines are broken between words where they are wider than this; styles take no room.
pub fn folded(text: &str, width: usize) -> String {
    let mut folded = String::new();
    for line in text.split_inclusive('\n') {
        let mut column = 0;
        for word in line.split_inclusive(' ') {
            let length = width_of(word.trim_end());
            if column > 0 && column + length > width {
                folded.truncate(folded.trim_end_matches(' ').len());
                folded.push('\n');
                column = 0;
            }
            folded.push_str(word);
            column += width_of(word);
        }
    }
    folded
}

/// The letters of a text that are seen.
fn width_of(text: &str) -> usize {
    plain(text).chars().filter(|letter| !letter.is_control()).count()
}

/// A text without styles.
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_lines_are_broken_between_words() {
        let cases = [
            ("one two three\nfour", "one two\nthree\nfour"),
            ("  a b\n\nc\n", "  a b\n\nc\n"),
            ("muchtoowide word\n", "muchtoowide\nword\n"),
            ("exactly8 8letters", "exactly8\n8letters"),
        ];
        for (text, expected) in cases {
            assert_eq!(folded(text, 8), expected);
        }
        let text = painted("one two three", WARNING);
        assert_eq!(plain(&folded(&text, 8)), "one two\nthree");
        assert_eq!(folded(&painted("one", WARNING), 3), painted("one", WARNING));
    }
}
