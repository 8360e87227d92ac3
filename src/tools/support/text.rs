//! Untrusted text: reading lines of limited length, decoding, and quoting in messages.

use anyhow::{bail, ensure, Result};
use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

/// File name that stands for standard input.
pub const STDIN: &str = "-";
/// Maximum line length in bytes; longer lines are skipped.
pub const MAX_LINE: usize = 4 << 20;
/// Line length in bytes at which reading fails: the file is not text, or endless.
pub const MAX_ENDLESS: u64 = 64 << 20;
/// Maximum number of quoted characters in a message.
const MAX_SHOWN: usize = 120;
/// Maximum size of a text in UTF-16, in bytes.
const MAX_WIDE: u64 = 256 << 20;
/// Number of bytes at the start of a text from which its format is detected.
const HEAD: u64 = 64 << 10;
/// Number of bytes at the start of a file that are searched for NUL, which text does not contain.
const TEXT_HEAD: usize = 1 << 10;

/// Truncates a text that a message quotes. The caller formats the result with `{:?}`, which escapes control characters
/// and line breaks.
pub fn shown(text: &str) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(MAX_SHOWN).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Sanitises a message that may quote untrusted text: escapes it as [`escaped`] does and truncates it to 1,000
/// characters.
pub fn sanitize(message: &str) -> String {
    const MAX_MESSAGE: usize = 1_000;
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => escaped(&message[..end]) + "…",
        None => escaped(message),
    }
}

/// Escapes control and invisible characters, except line breaks.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if character.is_control() && character != '\n' || is_invisible(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Whether a character is invisible: byte order marks, directional marks and joiners.
pub fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A line of a text.
#[derive(Debug)]
pub struct TextLine {
    /// Line number, from 1.
    pub number: usize,
    /// Content without the line ending; `None` if the line is too long.
    pub text: Option<String>,
    /// Whether the line has a line ending. The last line of a file may have none.
    pub is_whole: bool,
}

/// An iterator over lines of limited length, with any bytes.
pub struct TextLines<R> {
    input: R,
    number: usize,
}

impl<R: BufRead> TextLines<R> {
    /// Creates an iterator over the lines of `input`.
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

/// Skips the rest of a line that is too long.
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
            bail!(
                "line {number} is longer than {} MiB: this is not a text file",
                MAX_ENDLESS >> 20
            );
        }
    }
}

/// Decodes bytes as UTF-16 if they begin with its byte order mark, as UTF-8, or as Windows-1252 if they are not valid
/// UTF-8. An incomplete character at the end of UTF-8 is dropped, unless all bytes before it are ASCII.
pub fn decoded(bytes: Vec<u8>) -> String {
    if let Some(number) = byte_order(&bytes) {
        let numbers: Vec<u16> =
            bytes[2..].chunks_exact(2).map(|pair| number([pair[0], pair[1]])).collect();
        return String::from_utf16_lossy(&numbers);
    }
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let (valid, is_torn) =
                (error.utf8_error().valid_up_to(), error.utf8_error().error_len().is_none());
            let bytes = error.into_bytes();
            if is_torn && !bytes[..valid].is_ascii() {
                return String::from_utf8_lossy(&bytes[..valid]).into_owned();
            }
            bytes.iter().map(|&byte| windows_1252(byte)).collect()
        }
    }
}

/// The characters of Windows-1252 from 0x80 to 0x9f, which differ from ISO 8859-1; five of them are undefined.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes a byte of Windows-1252.
fn windows_1252(byte: u8) -> char {
    let index = usize::from(byte).checked_sub(0x80);
    index.and_then(|index| WINDOWS_1252.get(index)).copied().unwrap_or(char::from(byte))
}

/// Returns the start of a text and a reader of the whole text. Decodes UTF-16. Fails if it is binary, compressed or has
/// another encoding with several bytes a character.
pub fn with_head<'a>(mut input: impl BufRead + 'a) -> Result<(String, Box<dyn BufRead + 'a>)> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head)?;
    ensure_plain(&head)?;
    if byte_order(&head).is_some() {
        input.take(MAX_WIDE).read_to_end(&mut head)?;
        let text = decoded(head);
        return Ok((text.clone(), Box::new(io::Cursor::new(text.into_bytes()))));
    }
    let text = decoded(head.clone());
    Ok((text, Box::new(io::Cursor::new(head).chain(input))))
}

/// Beginnings of compressed files, with their formats and the commands that decompress them.
const COMPRESSED: [(&[u8], &str, &str); 6] = [
    (b"\x1f\x8b", "gzip", "zcat"),
    (b"\x28\xb5\x2f\xfd", "Zstandard", "zstdcat"),
    (b"BZh", "bzip2", "bzcat"),
    (b"\xfd7zXZ", "xz", "xzcat"),
    (b"PK\x03\x04", "zip", "unzip -p"),
    (b"7z\xbc\xaf", "7-Zip", "7z x -so"),
];

/// Fails if bytes are the beginning of a binary or compressed file or of a text in an unsupported encoding.
fn ensure_plain(head: &[u8]) -> Result<()> {
    let found = COMPRESSED.iter().find(|(magic, ..)| head.starts_with(magic));
    if let Some((_, format, command)) = found {
        bail!("compressed ({format}): decompress it, e.g. {command} FILE | cupbot ... -");
    }
    let is_text = |byte: u8| byte == b'\t' || (b' '..0x7f).contains(&byte);
    let encoding = match head {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => "UTF-32",
        [first, 0, second, 0, ..] if is_text(*first) && is_text(*second) => "UTF-16LE",
        [0, first, 0, second, ..] if is_text(*first) && is_text(*second) => "UTF-16BE",
        _ => {
            let is_binary =
                byte_order(head).is_none() && head.iter().take(TEXT_HEAD).any(|&byte| byte == 0);
            ensure!(!is_binary, "a binary file: expected text");
            return Ok(());
        }
    };
    let names = "expected UTF-8, Windows-1252, or UTF-16 with a byte order mark";
    bail!("{encoding} text: {names}; convert it, e.g. iconv -f {encoding} -t UTF-8 FILE | cupbot ... -")
}

/// Returns the function that decodes a code unit of UTF-16, by the byte order mark; `None` without one.
fn byte_order(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match bytes {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// Formats the name of a file for messages.
pub fn shown_name(name: &Path) -> String {
    if name.as_os_str() == STDIN {
        "stdin".to_string()
    } else {
        format!("{:?}", shown(&name.to_string_lossy()))
    }
}

/// Formats an error with its causes. Errors of the operating system have no number, and begin in lower case like ours.
pub fn error_text(error: &anyhow::Error) -> String {
    let texts = error.chain().map(|cause| match cause.downcast_ref::<io::Error>() {
        Some(error) => io_error_text(error),
        None => cause.to_string(),
    });
    texts.collect::<Vec<_>>().join(": ")
}

/// Adds the argument that has caused an error, unless the error is about a file, whose name it has already.
pub fn blaming<T>(result: Result<T>, argument: &str) -> Result<T> {
    result.map_err(|error| match error.chain().any(|cause| cause.is::<io::Error>()) {
        true => error,
        false => error.context(argument.to_string()),
    })
}

/// Formats a number of things, e.g. `1 wall`, `2 walls`.
pub fn count_of(count: impl Display + PartialEq + From<u8>, name: &str) -> String {
    let plural = if count == 1.into() { "" } else { "s" };
    format!("{count} {name}{plural}")
}

/// Returns the text of an error of the system, in lower case and without its number.
pub fn io_error_text(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_string(),
        io::ErrorKind::IsADirectory => "it is a folder".to_string(),
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".to_string(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            let mut letters = text.chars();
            letters
                .next()
                .map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
        }
    }
}

/// Prints a warning on stderr.
pub fn warn(text: &str) {
    // Write errors are ignored: there may be no reader.
    let _ = writeln!(io::stderr(), "cupbot: {}", sanitize(text));
}

/// Warnings about a file, limited in number.
pub struct Complaints {
    name: String,
    count: usize,
}

impl Complaints {
    /// Maximum number of warnings that are printed.
    const SHOWN: usize = 20;

    /// Creates the warnings about the file with this name.
    pub fn new(name: &Path) -> Complaints {
        Complaints { name: shown_name(name), count: 0 }
    }

    /// Prints a warning, unless the limit is reached.
    pub fn say(&mut self, text: &str) {
        self.count += 1;
        if self.count <= Complaints::SHOWN {
            warn(&format!("{}: {text}", self.name));
        }
    }

    /// Prints the number of warnings that were not printed.
    pub fn end(&self) {
        let more = self.count.saturating_sub(Complaints::SHOWN);
        if more > 0 {
            warn(&format!("{}: {}", self.name, count_of(more, "more warning")));
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
    fn lines_with_any_bytes_are_read() {
        let text = |text: &str| Some(text.to_string());
        assert_eq!(texts(b"a\r\nb\n\nc"), [text("a"), text("b"), text(""), text("c")]);
        assert_eq!(texts(b"M\xfcller 1\x960\nx"), [text("Müller 1–0"), text("x")]);
        // Truncated within a character of UTF-8, and a last letter of Windows-1252.
        assert_eq!(texts(b"\xc3\xbc M\xc3"), [text("ü M")]);
        assert_eq!(texts(b"jou\xe9\n\x8eeljko"), [text("joué"), text("Željko")]);
        let all: String = decoded((0x80..=0xff).collect());
        assert!(all.starts_with("€") && all.contains("œ\u{9d}žŸ\u{a0}¡") && all.ends_with("ÿ"));
        let lines: Vec<bool> =
            TextLines::new(&b"a\nb"[..]).map(|l| l.expect("readable").is_whole).collect();
        assert_eq!(lines, [true, false]);
    }

    #[test]
    fn too_long_lines_are_skipped() {
        let mut bytes = vec![b'x'; MAX_LINE + 5];
        bytes.extend(b"\nnext\n");
        assert_eq!(texts(&bytes), [None, Some("next".to_string())]);
        let zeros = io::BufReader::new(io::repeat(0));
        let error = TextLines::new(zeros).next().expect("a line").expect_err("no end");
        assert!(error.to_string().contains("line 1 is longer than 64 MiB"), "{error}");
    }

    #[test]
    fn messages_are_truncated_and_escaped() {
        assert_eq!(shown(&"x".repeat(500)).chars().count(), MAX_SHOWN + 1);
        assert_eq!(sanitize("a\u{1b}[31mb\u{202e}c\n"), "a\\u{1b}[31mb\\u{202e}c\n");
        assert!(sanitize(&"ü".repeat(5000)).chars().count() < 1_100);
    }
}
