//! Lexer of PGN: tags, moves, comments, variations. It reads line by line, and unclosed comments end where
//! another game seems to begin.

use super::signs;
use crate::tools::support::text::shown;
use anyhow::Result;

/// Maximum length of a comment that is kept, in bytes.
const MAX_COMMENT: usize = 1 << 20;
/// Maximum length of a tag, in bytes.
const MAX_TAG: usize = 4 << 10;
/// After this many malformed tags the rest of a line is read as movetext.
const MAX_BAD_TAGS: usize = 20;
/// Piece letters of a promotion in brackets.
const PROMOTED: &str = "QRBNqrbn";

/// A token.
#[derive(Debug, PartialEq)]
pub enum Kind {
    /// Name and value.
    Tag(String, String),
    /// A malformed tag.
    BadTag(String),
    Comment(String),
    /// A comment that began on this line was not closed.
    OpenComment(usize),
    /// Numeric annotation glyph.
    Glyph(u16),
    /// Start of a variation.
    Open,
    /// End of a variation.
    Close,
    /// A move, number or result; whether it is the first word of its line.
    Word(String, bool),
    /// An empty line.
    Blank,
}

/// State between lines.
#[derive(Default)]
pub struct Lexer {
    /// An open comment: the line where it begins, and its text.
    comment: Option<(usize, String)>,
    /// Lines from one on that seems to begin another game within the comment, until it is known whether the
    /// comment continues.
    held: Vec<(usize, String)>,
    held_bytes: usize,
    was_blank: bool,
}

/// Receives tokens one by one with their line numbers, because a line may have millions.
type Take<'a> = dyn FnMut(usize, Kind) -> Result<()> + 'a;

impl Lexer {
    /// Passes on the tokens of the next line.
    pub fn feed(&mut self, line: usize, text: &str, take: &mut Take) -> Result<()> {
        let text = signs::visible(text);
        let was_blank = std::mem::replace(&mut self.was_blank, text.trim().is_empty());
        if self.comment.is_none() {
            return self.scan(line, &text, take);
        }
        if was_blank && begins_moves(&text, !self.held.is_empty()) {
            self.end(take)?;
            return self.scan(line, &text, take);
        }
        if self.held.is_empty() && !is_tag_line(&text, was_blank) {
            return self.scan(line, &text, take);
        }
        // A line like a tag: it is part of the comment if the comment's end follows before another game.
        let mark = text.find(['{', '}']).map(|at| text.as_bytes()[at]);
        self.held_bytes += text.len() + 1;
        self.held.push((line, text));
        match mark {
            Some(b'}') => self.release(take),
            None if self.held_bytes < MAX_COMMENT => Ok(()),
            _ => self.end(take),
        }
    }

    /// Ends the text, or the game if another one begins.
    pub fn end(&mut self, take: &mut Take) -> Result<()> {
        if let Some((line, text)) = self.comment.take() {
            take(line, Kind::Comment(text))?;
            take(line, Kind::OpenComment(line))?;
        }
        self.release(take)
    }

    /// Scans the lines held back.
    fn release(&mut self, take: &mut Take) -> Result<()> {
        self.held_bytes = 0;
        let held = std::mem::take(&mut self.held);
        held.into_iter().try_for_each(|(line, text)| self.scan(line, &text, take))
    }

    fn scan(&mut self, line: usize, text: &str, take: &mut Take) -> Result<()> {
        if self.comment.is_none() {
            if text.trim().is_empty() {
                take(line, Kind::Blank)?;
            }
            if text.starts_with('%') {
                return Ok(());
            }
        }
        let mut rest = text.trim_start();
        let mut is_first = true;
        let mut bad_tags = 0;
        loop {
            if self.comment.is_some() {
                let Some(behind) = self.scan_comment(rest, take)? else { return Ok(()) };
                rest = behind;
            }
            let Some(sign) = rest.chars().next() else { return Ok(()) };
            if sign == '{' {
                self.comment = Some((line, String::new()));
                is_first = false;
                rest = rest[1..].trim_start();
                continue;
            }
            let (kind, length) = token(rest, sign, is_first);
            // Several tags may share a line.
            bad_tags += usize::from(matches!(kind, Some(Kind::BadTag(_))));
            is_first &= matches!(kind, Some(Kind::Tag(..) | Kind::BadTag(_)));
            is_first &= bad_tags < MAX_BAD_TAGS;
            if let Some(kind) = kind {
                take(line, kind)?;
            }
            rest = rest[length..].trim_start();
        }
    }

    /// Scans the open comment. Returns the text behind its end; `None` if it does not end on this line.
    fn scan_comment<'a>(&mut self, text: &'a str, take: &mut Take) -> Result<Option<&'a str>> {
        let (inside, behind) = match text.split_once('}') {
            Some((inside, behind)) => (inside, Some(behind.trim_start())),
            None => (text, None),
        };
        let Some((line, mut comment)) = self.comment.take() else { return Ok(behind) };
        if comment.len() < MAX_COMMENT {
            let gap = if comment.is_empty() || inside.is_empty() { "" } else { " " };
            comment += gap;
            comment += inside.trim();
        }
        match behind {
            Some(_) => take(line, Kind::Comment(comment))?,
            None => self.comment = Some((line, comment)),
        }
        Ok(behind)
    }
}

/// Parses the beginning of a text outside comments, whose first character is `sign`, and returns the token, if it is
/// one, with its length. `is_first`: only tags precede it on its line.
fn token(text: &str, sign: char, is_first: bool) -> (Option<Kind>, usize) {
    let kind = match sign {
        // Written in braces, which this sign would end.
        ';' => return (Some(Kind::Comment(text[1..].trim().replace('}', ")"))), text.len()),
        '[' => return bracket(text, is_first),
        '(' => Some(Kind::Open),
        ')' => Some(Kind::Close),
        '.' | '…' | ']' | '}' => None,
        '$' => {
            let end = 1 + text[1..].bytes().take_while(u8::is_ascii_digit).count();
            return (text[1..end].parse().ok().map(Kind::Glyph), end);
        }
        _ => {
            let end = signs::spaced_result(text).unwrap_or_else(|| word_length(text));
            let word: String = text[..end].split_whitespace().collect();
            return (Some(Kind::Word(signs::plain(&word), is_first)), end);
        }
    };
    (kind, sign.len_utf8())
}

/// Whether a line within a comment is like a tag of another game.
fn is_tag_line(text: &str, is_behind_blank: bool) -> bool {
    let text = text.trim();
    tag(text).is_some_and(|(name, _, length)| {
        length == text.len() && (is_behind_blank || name == "Event")
    })
}

/// Whether a line within a comment, after an empty line, seems to begin the moves of another game: any move
/// after tags, otherwise a first move, unless the comment's end follows.
fn begins_moves(text: &str, is_behind_tags: bool) -> bool {
    let text = text.trim();
    let number = signs::number(text.split_whitespace().next().unwrap_or_default());
    if is_behind_tags && number.is_some_and(|(_, _, points)| points > 0) {
        return true;
    }
    let is_first_move = text.starts_with("1.") || text.starts_with("1 ");
    let opens_first =
        text.find('{').is_some_and(|open| text.find('}').is_none_or(|end| open < end));
    let ends_game = text
        .split_whitespace()
        .last()
        .is_some_and(|word| signs::result(&signs::plain(word)).is_some());
    is_first_move && (opens_first || ends_game && !text.contains('}'))
}

/// Parses text that begins with a bracket and returns the token with its length: a good or bad tag at the
/// beginning of a line, otherwise nothing.
fn bracket(text: &str, is_first: bool) -> (Option<Kind>, usize) {
    let closed = text.find(']').map(|at| at + 1);
    if !is_first {
        return (None, closed.unwrap_or(text.len()));
    }
    if let Some((name, value, length)) = tag(text) {
        return (Some(Kind::Tag(name.to_string(), value)), length);
    }
    // The value is closed, but not the bracket: moves may follow.
    let quoted = text.match_indices('"').nth(1).map(|(at, _)| at + 1);
    let length = closed.or(quoted).unwrap_or(text.len());
    (Some(Kind::BadTag(shown(&text[..length]))), length)
}

/// Whether a text is the name of a tag.
pub fn is_tag_name(name: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "_+#=:-".contains(sign);
    name.starts_with(|sign: char| sign.is_ascii_alphabetic()) && name.chars().all(is_sign)
}

/// Parses a tag at the beginning of a text: name, value, length.
pub fn tag(text: &str) -> Option<(&str, String, usize)> {
    let text = signs::beginning(text, MAX_TAG);
    let inside = text.strip_prefix('[')?;
    let (name, behind) = inside.split_once('"')?;
    let start = text.len() - behind.len();
    let name = name.trim();
    if !is_tag_name(name) {
        return None;
    }
    let mut value = String::new();
    let mut is_escaped = false;
    for (at, sign) in behind.char_indices() {
        match sign {
            '\\' if !is_escaped && behind[at + 1..].starts_with(['\\', '"']) => {
                is_escaped = true;
            }
            // An unescaped quote within the value does not close the tag.
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

/// Returns the length of a word, up to a space or special character, including a promotion in brackets.
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
