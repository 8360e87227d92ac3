//! Writes tokens with minimal white space.

use super::tokens::{Kind, Token};

/// Lines are broken at the first space after this many characters; there the line break costs nothing.
const LINE: usize = 100;
/// Maximum line length in characters, unless a single token is longer.
const MAX_LINE: usize = 195;
/// Pairs of characters that would form one token without a space between them.
const OPERATORS: [&str; 22] = [
    "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "^=", "%=", "&=", "|=", "<=", ">=", "==", "!=",
    "->", "=>", "<-", "..", "::", "//",
];

/// Returns the text of the tokens, in lines.
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

/// White space between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// A space or a line break.
    Space,
    /// Nothing, or a line break.
    None,
    /// Nothing: the two form one token.
    Glued,
}

fn gap(last: &Token, next: &Token) -> Gap {
    let needs_space = match (last.kind, next.kind) {
        (Kind::Joint | Kind::Quote, _) => return Gap::Glued,
        (
            Kind::Word | Kind::Literal | Kind::Parameter,
            Kind::Word | Kind::Literal | Kind::Quote,
        ) => true,
        // Without a space, the word would be read as a prefix of a literal.
        (Kind::Word | Kind::Literal | Kind::Parameter, _) => next.text == "#",
        (Kind::Alone, Kind::Alone | Kind::Joint) => {
            OPERATORS.contains(&format!("{}{}", last.text, next.text).as_str())
        }
        _ => false,
    };
    if needs_space {
        Gap::Space
    } else {
        Gap::None
    }
}

/// Output text and current column.
#[derive(Default)]
struct Writer {
    out: String,
    column: usize,
}

impl Writer {
    fn put(&mut self, text: &str, gap: Gap) {
        let width = text.split('\n').next().map_or(0, |line| line.chars().count());
        let is_full = self.column + width >= MAX_LINE && gap != Gap::Glued;
        if is_full || self.column >= LINE && gap == Gap::Space {
            self.out.push('\n');
            self.column = 0;
        } else if gap == Gap::Space {
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
