//! Lexer of PGN: tags, moves, comments, glyphs, variations and results.

use super::spellings;
use crate::tools::labs::chess960::notation::PASS;
use crate::tools::support::text::{shown, TextLine, TextLines};
use anyhow::Result;
use std::io::BufRead;

/// Maximum length of a comment that is kept, in bytes.
const MAX_COMMENT: usize = 1 << 20;
/// Maximum length of a tag, in bytes.
const MAX_TAG: usize = 4 << 10;
/// Maximum length of a result with spaces, in bytes.
const MAX_RESULT: usize = 64;
/// Piece letters of a promotion in brackets.
const PROMOTED: &str = "QRBNqrbn";

/// A token.
#[derive(Debug, PartialEq)]
pub enum Token {
    /// Name and value.
    Tag(String, String),
    /// A malformed tag, or brackets among the moves.
    BadTag(String),
    Comment {
        text: String,
        is_closed: bool,
    },
    /// Numeric annotation glyphs.
    Glyphs(Vec<u16>),
    /// Start of a variation.
    Open,
    /// End of a variation.
    Close,
    Number {
        number: usize,
        /// Whether at most one point follows, as before a move of White.
        is_whites: bool,
        begins_line: bool,
    },
    /// A move without check symbols and glyphs; a null move is [`PASS`].
    Move(String),
    /// A result as PGN writes it.
    Result(&'static str),
    /// An empty line.
    Blank,
    /// A line that is too long.
    TooLong,
}

/// Lines with their numbers; `None` for a line that is too long.
type Lines<'a> = Box<dyn Iterator<Item = Result<(usize, Option<String>)>> + 'a>;

/// Iterates over the tokens of a text with the numbers of their lines.
pub struct Lexer<'a> {
    lines: Lines<'a>,
    /// Number, text and position of the current line.
    line: usize,
    text: String,
    at: usize,
    /// The current word, which may consist of several tokens, and the position in it.
    word: String,
    word_at: usize,
    /// Whether only tags precede on the line.
    begins_line: bool,
    /// An open comment: the line where it begins, and its text.
    comment: Option<(usize, String)>,
    was_blank: bool,
}

impl<'a> Lexer<'a> {
    pub fn new(input: impl BufRead + 'a) -> Lexer<'a> {
        // Old texts end lines with a carriage return only.
        let split = |line: Result<TextLine>| match line {
            Ok(TextLine { number, text: Some(text), .. }) => {
                text.split('\r').map(|text| Ok((number, Some(spellings::visible(text))))).collect()
            }
            Ok(TextLine { number, .. }) => vec![Ok((number, None))],
            Err(error) => vec![Err(error)],
        };
        Lexer {
            lines: Box::new(TextLines::new(input).flat_map(split)),
            line: 0,
            text: String::new(),
            at: 0,
            word: String::new(),
            word_at: 0,
            begins_line: true,
            comment: None,
            was_blank: false,
        }
    }

    /// Begins a line. An open comment ends before a tag that follows an empty line.
    fn begin_line(&mut self, number: usize, text: Option<String>) -> Option<(usize, Token)> {
        let Some(text) = text else { return Some((number, Token::TooLong)) };
        (self.line, self.text, self.at, self.begins_line) = (number, text, 0, true);
        let is_blank = self.text.trim().is_empty();
        let was_blank = std::mem::replace(&mut self.was_blank, is_blank);
        if self.comment.is_some() {
            return if was_blank && is_tag_line(&self.text) { self.end_comment() } else { None };
        }
        if is_blank || self.text.starts_with('%') {
            self.at = self.text.len();
        }
        is_blank.then_some((number, Token::Blank))
    }

    /// Ends an open comment that is not closed.
    fn end_comment(&mut self) -> Option<(usize, Token)> {
        let (line, text) = self.comment.take()?;
        Some((line, Token::Comment { text, is_closed: false }))
    }

    /// Reads the rest of the line as part of the open comment, up to its end.
    fn continue_comment(&mut self) -> Option<(usize, Token)> {
        let (line, mut text) = self.comment.take()?;
        let rest = &self.text[self.at..];
        let inside = &rest[..rest.find('}').unwrap_or(rest.len())];
        let is_closed = inside.len() < rest.len();
        if text.len() < MAX_COMMENT {
            text += if text.is_empty() || inside.is_empty() { "" } else { " " };
            text += inside.trim();
        }
        self.at += inside.len() + usize::from(is_closed);
        if is_closed {
            return Some((line, Token::Comment { text, is_closed }));
        }
        self.comment = Some((line, text));
        None
    }

    /// Reads the next token of the line, or a word, whose tokens follow.
    fn next_of_line(&mut self) -> Option<(usize, Token)> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        let character = rest.chars().next()?;
        let (token, length) = match character {
            '{' => {
                self.comment = Some((self.line, String::new()));
                (None, 1)
            }
            // The comment is written in braces, and `}` would end it.
            ';' => {
                let text = rest[1..].trim().replace('}', ")");
                (Some(Token::Comment { text, is_closed: true }), rest.len())
            }
            '[' => bracket(rest, self.begins_line),
            '(' => (Some(Token::Open), 1),
            ')' => (Some(Token::Close), 1),
            ']' | '}' => (None, 1),
            '$' => {
                let end = 1 + rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                (rest[1..end].parse().ok().map(|number| Token::Glyphs(vec![number])), end)
            }
            _ => {
                let length = spaced_result(rest).unwrap_or_else(|| word_length(rest));
                let word: String = rest[..length].split_whitespace().collect();
                (self.word, self.word_at) = (spellings::plain(&word), 0);
                (None, length)
            }
        };
        self.at += length;
        self.begins_line &= matches!(token, Some(Token::Tag(..))) || self.word_at < self.word.len();
        Some((self.line, token?))
    }

    /// Reads the next token of the word.
    fn next_of_word(&mut self) -> Option<(usize, Token)> {
        let (token, length) = word_token(&self.word[self.word_at..], self.begins_line);
        self.word_at += length;
        self.begins_line = false;
        Some((self.line, token?))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Result<(usize, Token)>;

    fn next(&mut self) -> Option<Result<(usize, Token)>> {
        loop {
            let token = if self.word_at < self.word.len() {
                self.next_of_word()
            } else if self.at < self.text.len() && self.comment.is_some() {
                self.continue_comment()
            } else if self.at < self.text.len() {
                self.next_of_line()
            } else {
                match self.lines.next() {
                    None => return self.end_comment().map(Ok),
                    Some(Err(error)) => return Some(Err(error)),
                    Some(Ok((number, text))) => self.begin_line(number, text),
                }
            };
            if token.is_some() {
                return token.map(Ok);
            }
        }
    }
}

/// Returns the first token of a word, if it is one, with its length.
fn word_token(word: &str, begins_line: bool) -> (Option<Token>, usize) {
    if let Some(result) = spellings::result(word) {
        return (Some(Token::Result(result)), word.len());
    }
    if let Some(length) = spellings::null_move(word) {
        return (Some(Token::Move(PASS.to_string())), length);
    }
    if let Some(glyph) = spellings::glyph_of(word) {
        return (Some(Token::Glyphs(vec![glyph])), word.len());
    }
    if let Some((number, points, length)) = number(word) {
        let is_whites = points <= 1;
        return (Some(Token::Number { number, is_whites, begins_line }), length);
    }
    let is_symbol = |character: char| !character.is_alphanumeric();
    let symbols = word.find(|character| !is_symbol(character)).unwrap_or(word.len());
    if symbols > 0 {
        let glyphs = spellings::glyphs_of(&word[..symbols]);
        return ((!glyphs.is_empty()).then_some(Token::Glyphs(glyphs)), symbols);
    }
    // Another move may follow check symbols and glyphs without a blank.
    let ends_move = |character: char| {
        "!?+#".contains(character) || is_symbol(character) && !character.is_ascii()
    };
    let bare = &word[..word.find(ends_move).unwrap_or(word.len())];
    let bare = if bare.len() == word.len() { spellings::without_result(bare) } else { bare };
    let bare = bare.trim_end_matches(|character: char| is_symbol(character) && character != ')');
    let text = spellings::without_en_passant(bare);
    ((!text.is_empty()).then(|| Token::Move(text.to_string())), bare.len().max(1))
}

/// Parses a move number at the beginning of a word: the number, the number of points after it, and the length.
pub fn number(word: &str) -> Option<(usize, usize, usize)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = word.split_at(digits);
    let text = rest.trim_start_matches(['.', '…']);
    let points = rest.len() - text.len();
    let is_number = digits > 0 && (points > 0 || rest.is_empty());
    is_number.then(|| (number.parse().unwrap_or(usize::MAX), points, digits + points))
}

/// Whether a line consists of a tag.
pub fn is_tag_line(text: &str) -> bool {
    let text = text.trim();
    tag(text).is_some_and(|(.., length)| length == text.len())
}

/// Parses text that begins with a bracket and returns the token with its length. Only at the beginning of a line it can
/// be a tag.
fn bracket(text: &str, begins_line: bool) -> (Option<Token>, usize) {
    if let Some((name, value, length)) = begins_line.then(|| tag(text)).flatten() {
        return (Some(Token::Tag(name.to_string(), value)), length);
    }
    let length = text.find(']').map_or(text.len(), |at| at + 1);
    (Some(Token::BadTag(shown(&text[..length]))), length)
}

/// Whether a text is the name of a tag.
pub fn is_tag_name(name: &str) -> bool {
    let is_allowed =
        |character: char| character.is_ascii_alphanumeric() || "_+#=:-".contains(character);
    name.starts_with(|character: char| character.is_ascii_alphabetic())
        && name.chars().all(is_allowed)
}

/// Parses a tag at the beginning of a text: name, value, length.
fn tag(text: &str) -> Option<(&str, String, usize)> {
    let text = beginning(text, MAX_TAG);
    let (name, rest) = text.strip_prefix('[')?.split_once('"')?;
    let start = text.len() - rest.len();
    let name = name.trim();
    if !is_tag_name(name) {
        return None;
    }
    let mut value = String::new();
    let mut is_escaped = false;
    for (at, character) in rest.char_indices() {
        let after = &rest[at + character.len_utf8()..];
        match character {
            '\\' if !is_escaped && after.starts_with(['\\', '"']) => is_escaped = true,
            // An unescaped quote within the value does not close the tag.
            '"' if !is_escaped && after.trim_start().starts_with(']') => {
                return Some((name, value, start + at + rest[at..].find(']')? + 1));
            }
            _ => {
                is_escaped = false;
                value.push(character);
            }
        }
    }
    None
}

/// Returns the length of a result with spaces, as `1 - 0`, at the beginning of a text.
fn spaced_result(text: &str) -> Option<usize> {
    let mut words = beginning(text, MAX_RESULT).split_whitespace();
    let (first, dash, last) = (words.next()?, words.next()?, words.next()?);
    let is_result =
        spellings::plain(dash) == "-" && spellings::result(&format!("{first}-{last}")).is_some();
    is_result.then(|| last.as_ptr() as usize - text.as_ptr() as usize + last.len())
}

/// Returns the length of a word, up to a space or special character, including a promotion in brackets.
fn word_length(text: &str) -> usize {
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == '(' && at > 0 {
            let mut inside = text[at + 1..].chars();
            let is_promoted = inside.next().is_some_and(|letter| PROMOTED.contains(letter));
            if is_promoted && inside.next() == Some(')') {
                characters.nth(1);
                continue;
            }
        }
        if character.is_whitespace() || "{}();$[]".contains(character) {
            return if at == 0 { character.len_utf8() } else { at };
        }
    }
    text.len()
}

/// Returns the beginning of a text, at most `length` bytes.
fn beginning(text: &str, length: usize) -> &str {
    let end = (0..=length.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}
