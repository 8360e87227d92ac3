//! Writes tokens with as little between them as there must be.

use super::tokens::{Kind, Token};

/// Lines are broken at the first blank after so many characters, where the line's end costs nothing.
const LINE: usize = 100;
/// No line is longer, unless a token is.
const MAX_LINE: usize = 195;
/// Pairs of characters that would become one token if they stood together.
const OPERATORS: [&str; 22] = [
    "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "^=", "%=", "&=", "|=", "<=", ">=", "==", "!=",
    "->", "=>", "<-", "..", "::", "//",
];

/// The text of the tokens, in lines.
pub fn text_of(tokens: &[Token]) -> String {
    let mut writer = Writer::default();
    let mut last: Option<&Token> = None;
    for token in tokens {
        writer.put(&token.text, last.map_or(Gap::None, |last| gap(last, token)));
        last = Some(token);
    }
    writer.out.push('\n');
    writer.out
}

/// What stands between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// A blank or the end of a line.
    Blank,
    /// Nothing or the end of a line.
    None,
    /// Nothing: they are one token.
    Glued,
}

fn gap(last: &Token, next: &Token) -> Gap {
    let is_blank = match (last.kind, next.kind) {
        (Kind::Joint | Kind::Quote, _) => return Gap::Glued,
        (Kind::Word | Kind::Literal | Kind::Short, Kind::Word | Kind::Literal | Kind::Quote) => {
            true
        }
        // A prefix of a literal.
        (Kind::Word | Kind::Literal | Kind::Short, _) => next.text == "#",
        (Kind::Alone, Kind::Alone | Kind::Joint) => {
            OPERATORS.contains(&format!("{}{}", last.text, next.text).as_str())
        }
        _ => false,
    };
    if is_blank {
        Gap::Blank
    } else {
        Gap::None
    }
}

/// The lines so far.
#[derive(Default)]
struct Writer {
    out: String,
    column: usize,
}

impl Writer {
    fn put(&mut self, text: &str, gap: Gap) {
        let width = text.split('\n').next().map_or(0, |line| line.chars().count());
        let is_full = self.column + width >= MAX_LINE && gap != Gap::Glued;
        if is_full || self.column >= LINE && gap == Gap::Blank {
            self.out.push('\n');
            self.column = 0;
        } else if gap == Gap::Blank {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, rest)) => rest.chars().count(),
            None => self.column + text.chars().count(),
        };
    }
}

#[cfg(test)]
mod tests;
