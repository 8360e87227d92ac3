//! Terminal colours. Output for people contains ANSI escapes; the output stream (`anstream`) strips them depending on
//! `--color`, `NO_COLOR` and whether it is a terminal.

use clap::builder::styling::{AnsiColor, Style};
use std::env;
use std::fmt::Display;

/// Table headers and the most important values.
pub const HEAD: Style = Style::new().bold();
/// Good news: a proven gain, a best move.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// A mistake or a rejection.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// A blunder, a fault or a proven loss.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// The last move.
pub const LAST: Style = AnsiColor::Green.on_default().bold();
/// Secondary text, e.g. coordinates.
pub const FAINT: Style = Style::new().dimmed();

/// Maximum width of lines on the screen.
const SCREEN_WIDTH: usize = 80;

/// Returns the text in a style. Pad the text before styling it: escapes count as characters.
pub fn painted(text: impl Display, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns the text in a style if `is_wanted`, otherwise unstyled.
pub fn painted_if(is_wanted: bool, text: impl Display, style: Style) -> String {
    if is_wanted {
        painted(text, style)
    } else {
        text.to_string()
    }
}

/// Wraps lines between words so that they are at most `width` columns wide. Styles have no width.
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

/// Returns the width of stdout's terminal in columns, or `usize::MAX` if stdout is not a terminal.
pub fn stdout_width() -> usize {
    console::Term::stdout().size_checked().map_or(usize::MAX, |(_, columns)| columns.into())
}

/// Returns the width of the terminal of stderr in columns, at most [`SCREEN_WIDTH`], which it is without a terminal.
pub fn screen_width() -> usize {
    let size = console::Term::stderr().size_checked();
    size.map_or(SCREEN_WIDTH, |(_, columns)| SCREEN_WIDTH.min(columns.into()))
}

/// Whether the terminal can show more than ASCII, according to the locale.
pub fn has_unicode() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| env::var(name).ok());
    let locale = set.into_iter().find(|value| !value.is_empty()).unwrap_or_default();
    locale.to_ascii_uppercase().replace('-', "").contains("UTF8")
}

/// Returns the number of columns of a text; styles have none.
pub fn width_of(text: &str) -> usize {
    console::measure_text_width(text)
}

/// Returns the text without styles.
#[cfg(test)]
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_lines_are_wrapped_between_words() {
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
