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

/// A text without styles.
#[cfg(test)]
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}
