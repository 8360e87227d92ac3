//! Data as Rust literals that survive editors and web forms: printable ASCII only, lines of moderate
//! length, no significant white space at the end of a line.

use crate::engine::embedded::{
    unpack, DENSE_BASE, DENSE_BYTES, DENSE_HALF_BITS, DENSE_MARKER, DIGITS, MARKER,
};
use anyhow::{ensure, Result};

/// Maximum line length of a literal, in characters.
const LINE: usize = 100;

/// Maximum line length of a dense literal, in characters; longer, since line ends count towards the size.
const DENSE_LINE: usize = 190;

/// Returns a string literal of a text, with one line or more per line of the text.
pub fn text_literal(text: &str) -> String {
    let mut literal = String::from("\"\\\n");
    for line in text.split_inclusive('\n') {
        let mut column = 0;
        for character in line.chars() {
            if column >= LINE {
                literal.push_str("\\\n");
                column = 0;
            }
            // The compiler would skip a space at the start of a line of the literal.
            let escaped = match character {
                ' ' if column > 0 => " ".to_string(),
                ' ' => "\\x20".to_string(),
                other => other.escape_default().to_string(),
            };
            column += escaped.len();
            literal.push_str(&escaped);
        }
        literal.push_str("\\\n");
    }
    literal.push('"');
    literal
}

/// Returns a byte string literal of the base-85 form of a data file, as [`unpack`] reads it. White space in
/// it is ignored, so lines may be broken anywhere.
pub fn data_literal(bytes: &[u8]) -> Result<String> {
    ensure!(!bytes.starts_with(MARKER), "a data file starts with the marker of encoded data");
    let mut text = MARKER.to_vec();
    for (index, digit) in encode(bytes).into_iter().enumerate() {
        if index % LINE == 0 {
            text.push(b'\n');
        }
        text.push(digit);
    }
    text.push(b'\n');
    ensure!(unpack(&text)? == bytes, "an encoded data file decodes to other bytes");
    Ok(format!("b\"{}\"", String::from_utf8(text)?))
}

/// Returns an expression for the bytes of the dense form of a data file, as [`unpack`] reads it, for contests
/// that count characters.
pub fn dense_literal(bytes: &[u8]) -> Result<String> {
    ensure!(!bytes.starts_with(DENSE_MARKER), "a data file starts with the marker of encoded data");
    let missing = bytes.len().next_multiple_of(DENSE_BYTES) - bytes.len();
    let mut text = format!("{}{missing:x}", String::from_utf8_lossy(DENSE_MARKER));
    let digits = bytes.chunks(DENSE_BYTES).flat_map(dense_digits);
    for (index, digit) in digits.enumerate() {
        if index % DENSE_LINE == 0 {
            text.push('\n');
        }
        text.push(digit);
    }
    let back = unpack(text.as_bytes())?;
    ensure!(back == bytes, "an encoded data file decodes to other bytes");
    Ok(format!("\"{text}\".as_bytes()"))
}

/// Encodes a chunk of bytes as six digits, three for each half.
fn dense_digits(chunk: &[u8]) -> Vec<char> {
    let mut group = [0; 16];
    group[16 - DENSE_BYTES..][..chunk.len()].copy_from_slice(chunk);
    let group = u128::from_be_bytes(group);
    let halves = [group >> DENSE_HALF_BITS, group & ((1 << DENSE_HALF_BITS) - 1)];
    let digit =
        |half: u128, place: u32| (half / u128::from(DENSE_BASE).pow(place)) as u64 % DENSE_BASE;
    let digits = halves.into_iter().flat_map(|half| [2, 1, 0].map(|place| digit(half, place)));
    digits.map(|digit| dense_character(digit as u32)).collect()
}

/// Returns the character of a digit (see [`crate::engine::embedded`]).
fn dense_character(digit: u32) -> char {
    let code = match digit.checked_sub(0x4db6 - 0x3400) {
        None => 0x3400 + digit,
        Some(digit) => 0x4e00 + digit,
    };
    char::from_u32(code).unwrap_or(' ')
}

/// Encodes bytes in base 85: five digits for four bytes; a shorter last group of n bytes gets n + 1 digits.
fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len() / 4 * 5 + 5);
    for chunk in bytes.chunks(4) {
        let mut group = [0; 4];
        group[..chunk.len()].copy_from_slice(chunk);
        let mut value = u32::from_be_bytes(group) as usize;
        let mut digits = [0; 5];
        for digit in digits.iter_mut().rev() {
            *digit = DIGITS[value % DIGITS.len()];
            value /= DIGITS.len();
        }
        text.extend_from_slice(&digits[..chunk.len() + 1]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenStream;

    /// Asserts that the lines of a literal are short, printable ASCII without white space at either end.
    fn assert_safe(literal: &str) {
        for line in literal.lines() {
            assert!(line.len() <= LINE + 12, "{line}");
            assert!(line.chars().all(|c| c == ' ' || c.is_ascii_graphic()), "{line}");
            assert!(!line.starts_with(' ') && !line.ends_with(' '), "{line}");
        }
    }

    #[test]
    fn data_of_every_length_round_trips() {
        for length in (0..10).chain([1000, 1001]) {
            for bytes in
                [vec![0; length], vec![255; length], (0..length).map(|i| i as u8).collect()]
            {
                let literal = data_literal(&bytes).unwrap();
                assert_safe(&literal);
                let text = literal.strip_prefix("b\"").unwrap().strip_suffix('"').unwrap();
                assert_eq!(unpack(text.as_bytes()).unwrap(), bytes);
                // Web forms may change the white space.
                let respaced = text.replace('\n', " \r\n\t ");
                assert_eq!(unpack(respaced.as_bytes()).unwrap(), bytes);
            }
        }
    }

    #[test]
    fn dense_data_of_every_length_round_trips() {
        for length in (0..30).chain([5000]) {
            for fill in [0u8, 255, 77] {
                let bytes: Vec<u8> = (0..length).map(|i| fill.wrapping_mul(i as u8 | 1)).collect();
                let literal = dense_literal(&bytes).unwrap();
                let text =
                    literal.strip_prefix('"').unwrap().strip_suffix("\".as_bytes()").unwrap();
                assert_eq!(unpack(text.as_bytes()).unwrap(), bytes);
                assert_eq!(unpack(text.replace('\n', "\r\n ").as_bytes()).unwrap(), bytes);
                assert!(text.lines().all(|line| line.chars().count() <= DENSE_LINE));
            }
        }
        let size = dense_literal(&vec![200; 110_000]).unwrap().chars().count();
        assert!(size < 61_000, "{size}");
    }

    #[test]
    fn data_that_starts_with_the_marker_is_rejected() {
        assert!(data_literal(b"base85:").is_err());
    }

    #[test]
    fn five_characters_encode_four_bytes() {
        let length = data_literal(&vec![7; 650_000]).unwrap().len();
        assert!(length < 900_000, "{length}");
    }

    #[test]
    fn texts_become_literals_of_safe_lines() {
        let long = "word ".repeat(100);
        for text in ["", "a\nb\n", "no end", "  blanks \n\n\t\"\\ é\r\n", &long] {
            let literal = text_literal(text);
            assert_safe(&literal);
            let tokens: TokenStream = literal.parse().unwrap();
            assert_eq!(tokens.into_iter().count(), 1);
            assert_eq!(evaluate(&literal), text);
        }
    }

    /// Evaluates a string literal with the escapes that occur in this test.
    fn evaluate(literal: &str) -> String {
        let joined: String = literal.split("\\\n").map(|line| line.trim_start()).collect();
        joined
            .trim_matches('"')
            .replace("\\x20", " ")
            .replace("\\n", "\n")
            .replace("\\r", "\r")
            .replace("\\t", "\t")
            .replace("\\u{e9}", "é")
            .replace("\\\"", "\"")
            .replace("\\\\", "\\")
    }
}
