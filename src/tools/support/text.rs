//! Texts of others: lines of limited length, and how they are quoted in messages.

use anyhow::{bail, Result};
use std::io::{self, BufRead, Read, Write};

/// The word that names standard input instead of a file.
pub const STDIN: &str = "-";
/// A longer line is none of a text of games, in bytes.
pub const MAX_LINE: usize = 4 << 20;
/// A line of so many bytes has no end: the file is given up.
pub const MAX_ENDLESS: u64 = 64 << 20;
/// A message quotes so many characters at most.
const MAX_SHOWN: usize = 120;
/// How much of the beginning of a text decides what it is.
const HEAD: u64 = 64 << 10;

/// The beginning of a text as a message quotes it, on one line and without signs that move a cursor. Its caller
/// quotes it by `{:?}`, which escapes them; this is for the length.
pub fn shown(text: &str) -> String {
    let mut signs = text.chars();
    let mut shown: String = signs.by_ref().take(MAX_SHOWN).collect();
    if signs.next().is_some() {
        shown.push('…');
    }
    shown
}

/// A message with nothing in it that moves a cursor, and no longer than a screen: texts of others may be in it.
pub fn tame(message: &str) -> String {
    const MAX_MESSAGE: usize = 1_000;
    let mut tamed = String::new();
    for (count, sign) in message.chars().enumerate() {
        if count == MAX_MESSAGE {
            tamed.push('…');
            break;
        }
        if sign.is_control() && sign != '\n' || is_invisible(sign) {
            tamed.extend(sign.escape_default());
        } else {
            tamed.push(sign);
        }
    }
    tamed
}

/// Signs that show nothing: byte order marks, and marks that turn or join what stands beside them.
pub fn is_invisible(sign: char) -> bool {
    matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A line of a text.
#[derive(Debug)]
pub struct TextLine {
    /// Its number, 1 for the first.
    pub number: usize,
    /// Its text without its end; `None` where it is too long.
    pub text: Option<String>,
    /// Does it end as a line does? The last one may be torn.
    pub is_whole: bool,
}

/// Reads lines of limited length, whatever bytes they have.
pub struct TextLines<R> {
    input: R,
    number: usize,
}

impl<R: BufRead> TextLines<R> {
    /// The lines of this text.
    pub fn new(input: R) -> TextLines<R> {
        TextLines { input, number: 0 }
    }
}

impl<R: BufRead> Iterator for TextLines<R> {
    type Item = Result<TextLine>;

    fn next(&mut self) -> Option<Result<TextLine>> {
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        match read {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(error.into())),
        }
        self.number += 1;
        let number = self.number;
        let is_whole = bytes.ends_with(b"\n");
        if !is_whole && bytes.len() > MAX_LINE {
            return Some(skip_line(&mut self.input, number).map(|()| TextLine {
                number,
                text: None,
                is_whole: true,
            }));
        }
        while bytes.last().is_some_and(|byte| b"\r\n".contains(byte)) {
            bytes.pop();
        }
        Some(Ok(TextLine { number, text: Some(decoded(bytes)), is_whole }))
    }
}

/// Passes over the rest of a line that is too long.
fn skip_line(input: &mut impl BufRead, number: usize) -> Result<()> {
    let mut skipped = 0;
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(bytes.len(), |end| end + 1);
        let is_over = end.is_some() || length == 0;
        input.consume(length);
        skipped += length as u64;
        if is_over {
            return Ok(());
        }
        if skipped > MAX_ENDLESS {
            bail!("line {number} has no end within {} MiB: this is no text", MAX_ENDLESS >> 20);
        }
    }
}

/// The text of bytes: UTF-8, else what Western programs wrote before (Windows-1252), but for the last character of
/// a torn line, which is dropped.
pub fn decoded(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let (valid, is_torn) =
                (error.utf8_error().valid_up_to(), error.utf8_error().error_len().is_none());
            let bytes = error.into_bytes();
            if is_torn {
                return String::from_utf8_lossy(&bytes[..valid]).into_owned();
            }
            bytes.iter().map(|&byte| western(byte)).collect()
        }
    }
}

/// A character of Windows-1252; of those that ISO 8859-1 does not have, the ones of texts about games.
fn western(byte: u8) -> char {
    match byte {
        0x82 | 0x91 | 0x92 => '\'',
        0x84 | 0x93 | 0x94 => '"',
        0x85 => '…',
        0x86 => '†',
        0x87 => '‡',
        0x96 | 0x97 => '–',
        0x80..=0x9f => ' ',
        byte => char::from(byte),
    }
}

/// The beginning of a text, and the whole of it once more.
pub fn with_head(mut input: impl BufRead) -> io::Result<(String, impl BufRead)> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head)?;
    let text = decoded(head.clone());
    Ok((text, io::Cursor::new(head).chain(input)))
}

/// The name of a file in messages.
pub fn shown_name(name: &str) -> String {
    if name == STDIN {
        "stdin".to_string()
    } else {
        format!("{:?}", shown(name))
    }
}

/// Says what is wrong with a file that is used all the same.
pub fn warn(text: &str) {
    // Nothing fails where nobody listens.
    let _ = writeln!(io::stderr(), "cupbot: {}", tame(text));
}

/// Says what is wrong with a file, but no more than anybody reads.
pub struct Complaints {
    name: String,
    count: usize,
}

impl Complaints {
    const SHOWN: usize = 20;

    /// Of the file of this name.
    pub fn new(name: &str) -> Complaints {
        Complaints { name: shown_name(name), count: 0 }
    }

    /// Says one thing more.
    pub fn say(&mut self, text: &str) {
        self.count += 1;
        if self.count <= Complaints::SHOWN {
            warn(&format!("{}: {text}", self.name));
        }
    }

    /// Says how much has not been said.
    pub fn end(&self) {
        let more = self.count.saturating_sub(Complaints::SHOWN);
        if more > 0 {
            warn(&format!("{}: {more} more remarks of this kind", self.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<Option<String>> {
        TextLines::new(bytes).map(|line| line.expect("readable").text).collect()
    }

    #[test]
    fn lines_of_any_bytes_are_read() {
        let text = |text: &str| Some(text.to_string());
        assert_eq!(texts(b"a\r\nb\n\nc"), [text("a"), text("b"), text(""), text("c")]);
        assert_eq!(texts(b"M\xfcller 1\x960\nx"), [text("Müller 1–0"), text("x")]);
        // Torn inside of a character.
        assert_eq!(texts(b"M\xc3"), [text("M")]);
        let lines: Vec<bool> =
            TextLines::new(&b"a\nb"[..]).map(|l| l.expect("it").is_whole).collect();
        assert_eq!(lines, [true, false]);
    }

    #[test]
    fn too_long_lines_are_passed_over() {
        let mut bytes = vec![b'x'; MAX_LINE + 5];
        bytes.extend(b"\nnext\n");
        assert_eq!(texts(&bytes), [None, Some("next".to_string())]);
        let zeros = io::BufReader::new(io::repeat(0));
        let error = TextLines::new(zeros).next().expect("a line").expect_err("no end");
        assert!(error.to_string().contains("line 1 has no end within 64 MiB"), "{error}");
    }

    #[test]
    fn messages_are_short_and_move_no_cursor() {
        assert_eq!(shown(&"x".repeat(500)).chars().count(), MAX_SHOWN + 1);
        assert_eq!(tame("a\u{1b}[31mb\u{202e}c\n"), "a\\u{1b}[31mb\\u{202e}c\n");
        assert!(tame(&"ü".repeat(5000)).chars().count() < 1_100);
    }
}
