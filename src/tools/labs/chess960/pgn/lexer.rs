//! The parts of PGN: tags, moves, comments, variations. Lines come one by one, and whatever is left open ends where
//! another game seems to begin.

use super::signs;
use crate::tools::support::text::shown;
use anyhow::Result;

/// A comment is kept up to this length, in bytes.
const MAX_COMMENT: usize = 1 << 20;
/// A tag is no longer than this, in bytes.
const MAX_TAG: usize = 4 << 10;
/// A line with so many brackets that are no tags has none.
const MAX_BAD_TAGS: usize = 20;
/// What a promotion in brackets may hold.
const PROMOTED: &str = "QRBNqrbn";

/// A part of a text.
#[derive(Debug, PartialEq)]
pub enum Kind {
    /// Name and value.
    Tag(String, String),
    /// What looks like a tag and is none.
    BadTag(String),
    Comment(String),
    /// A comment that began on this line had no end.
    OpenComment(usize),
    /// A numeric glyph.
    Glyph(u8),
    /// A variation begins.
    Open,
    /// It ends.
    Close,
    /// Moves, numbers, results; whether it is the first of its line.
    Word(String, bool),
    /// An empty line.
    Blank,
}

/// Where the lines have come to.
#[derive(Default)]
pub struct Lexer {
    /// An open comment: the line where it begins, and its text.
    comment: Option<(usize, String)>,
    was_blank: bool,
}

/// Receives the parts of a text one by one, with the number of the line: a line may have millions.
type Take<'a> = dyn FnMut(usize, Kind) -> Result<()> + 'a;

impl Lexer {
    /// Hands on the parts of the next line.
    pub fn feed(&mut self, line: usize, text: &str, take: &mut Take) -> Result<()> {
        let text = signs::visible(text);
        let was_blank = std::mem::replace(&mut self.was_blank, text.trim().is_empty());
        if self.comment.is_some() && begins_game(&text, was_blank) {
            self.end(take)?;
        }
        if self.comment.is_none() {
            if text.trim().is_empty() {
                take(line, Kind::Blank)?;
            }
            if text.starts_with('%') {
                return Ok(());
            }
        }
        self.scan(line, &text, take)
    }

    /// The text ends, or another game begins.
    pub fn end(&mut self, take: &mut Take) -> Result<()> {
        let Some((line, text)) = self.comment.take() else { return Ok(()) };
        take(line, Kind::Comment(text))?;
        take(line, Kind::OpenComment(line))
    }

    fn scan(&mut self, line: usize, text: &str, take: &mut Take) -> Result<()> {
        let mut rest = text.trim_start();
        let mut is_first = true;
        let mut bad_tags = 0;
        loop {
            if let Some((_, comment)) = &mut self.comment {
                let (inside, behind) = match rest.split_once('}') {
                    Some((inside, behind)) => (inside, Some(behind)),
                    None => (rest, None),
                };
                if comment.len() < MAX_COMMENT {
                    let gap = if comment.is_empty() || inside.is_empty() { "" } else { " " };
                    *comment += gap;
                    *comment += inside.trim();
                }
                let Some(behind) = behind else { return Ok(()) };
                rest = behind.trim_start();
                if let Some((line, text)) = self.comment.take() {
                    take(line, Kind::Comment(text))?;
                }
            }
            let Some(sign) = rest.chars().next() else { return Ok(()) };
            let mut end = sign.len_utf8();
            let kind = match sign {
                ';' => {
                    end = rest.len();
                    Some(Kind::Comment(rest[1..].trim().to_string()))
                }
                '{' => {
                    self.comment = Some((line, String::new()));
                    None
                }
                '[' => {
                    let (kind, length) = bracket(rest, is_first);
                    end = length;
                    kind
                }
                '(' => Some(Kind::Open),
                ')' => Some(Kind::Close),
                '.' | '…' | ']' | '}' => None,
                '$' => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    end += digits;
                    rest[1..end].parse().ok().map(Kind::Glyph)
                }
                _ => {
                    end = signs::spaced_result(rest).unwrap_or_else(|| word_length(rest));
                    let word: String = rest[..end].split_whitespace().collect();
                    Some(Kind::Word(signs::plain(&word), is_first))
                }
            };
            // Several tags may share a line.
            bad_tags += usize::from(matches!(kind, Some(Kind::BadTag(_))));
            is_first &= matches!(kind, Some(Kind::Tag(..) | Kind::BadTag(_)));
            is_first &= bad_tags < MAX_BAD_TAGS;
            if let Some(kind) = kind {
                take(line, kind)?;
            }
            rest = rest[end..].trim_start();
        }
    }
}

/// Does a line within a comment look like the beginning of another game? Its tags do, and its first move after an
/// empty line, if no end of the comment belongs to it.
fn begins_game(text: &str, is_behind_blank: bool) -> bool {
    let text = text.trim();
    if let Some((name, _, length)) = tag(text) {
        return length == text.len() && (is_behind_blank || name == "Event");
    }
    let is_first_move = text.starts_with("1.") || text.starts_with("1 ");
    let opens_first =
        text.find('{').is_some_and(|open| text.find('}').is_none_or(|end| open < end));
    let ends_game = text
        .split_whitespace()
        .last()
        .is_some_and(|word| signs::result(&signs::plain(word)).is_some());
    is_behind_blank && is_first_move && (opens_first || ends_game && !text.contains('}'))
}

/// What begins with a bracket, and its length: at the beginning of a line a tag or a bad one, elsewhere nothing.
fn bracket(text: &str, is_first: bool) -> (Option<Kind>, usize) {
    let closed = text.find(']').map(|at| at + 1);
    if !is_first {
        return (None, closed.unwrap_or(text.len()));
    }
    if let Some((name, value, length)) = tag(text) {
        return (Some(Kind::Tag(name.to_string(), value)), length);
    }
    // A value that is closed where the bracket is not: moves may follow.
    let quoted = text.match_indices('"').nth(1).map(|(at, _)| at + 1);
    let length = closed.or(quoted).unwrap_or(text.len());
    (Some(Kind::BadTag(shown(&text[..length]))), length)
}

/// A tag at the beginning of a text: name, value, length.
pub fn tag(text: &str) -> Option<(&str, String, usize)> {
    let text = signs::beginning(text, MAX_TAG);
    let inside = text.strip_prefix('[')?;
    let (name, behind) = inside.split_once('"')?;
    let start = text.len() - behind.len();
    let name = name.trim();
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "_-".contains(sign);
    if name.is_empty()
        || !name.chars().all(is_name)
        || name.starts_with(|s: char| !s.is_alphabetic())
    {
        return None;
    }
    let mut value = String::new();
    let mut is_escaped = false;
    for (at, sign) in behind.char_indices() {
        match sign {
            '\\' if !is_escaped => is_escaped = true,
            // A quote within the value, which ought to have been escaped, does not close the tag.
            '"' if !is_escaped && behind[at + 1..].trim_start().starts_with(']') => {
                let close = behind[at..].find(']')?;
                return Some((name, value, start + at + close + 1));
            }
            _ => {
                is_escaped = false;
                value.push(sign);
            }
        }
    }
    None
}

/// The length of a word: to a blank or a sign with a meaning of its own, but for a promotion in brackets.
fn word_length(text: &str) -> usize {
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        if sign == '(' && at > 0 {
            let mut inside = text[at + 1..].chars();
            let is_promoted = inside.next().is_some_and(|letter| PROMOTED.contains(letter));
            if is_promoted && inside.next() == Some(')') {
                signs.nth(1);
                continue;
            }
        }
        if sign.is_whitespace() || "{}();$[]".contains(sign) {
            return if at == 0 { sign.len_utf8() } else { at };
        }
    }
    text.len()
}
