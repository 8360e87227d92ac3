//! Data as Rust literals that survive editors and web forms: printable ASCII only, lines of moderate
//! length, no significant white space at the end of a line.

use crate::engine::embedded::{unpack, Form, BASE_85, DENSE};
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

/// Returns a byte string literal of the base-85 form of a data file, as [`unpack`] reads it.
pub fn data_literal(bytes: &[u8]) -> Result<String> {
    Ok(format!("b\"{}\n\"", encode(bytes, &BASE_85, LINE)?))
}

/// Returns an expression for the bytes of the dense form of a data file, as [`unpack`] reads it, for contests
/// that count characters.
pub fn dense_literal(bytes: &[u8]) -> Result<String> {
    Ok(format!("\"{}\".as_bytes()", encode(bytes, &DENSE, DENSE_LINE)?))
}

/// Encodes a data file. White space in the text is ignored, so lines may be broken anywhere.
fn encode(bytes: &[u8], form: &Form, line: usize) -> Result<String> {
    ensure!(
        !bytes.starts_with(form.marker.as_bytes()),
        "a data file starts with the marker of encoded data"
    );
    let alphabet: Vec<char> = form.alphabet().collect();
    let base = alphabet.len() as u64;
    let bits = form.bits as usize;
    let bit = |index: usize| {
        bytes.get(index / 8).map_or(0, |byte| u64::from(byte >> (7 - index % 8) & 1))
    };
    let groups = (8 * bytes.len()).div_ceil(bits);
    let padding = groups * bits / 8 - bytes.len();
    let mut text = format!("{}{padding:x}", form.marker);
    for group in 0..groups {
        let first = group * bits;
        let number = (first..first + bits).fold(0, |number, index| number << 1 | bit(index));
        for place in 0..form.digits {
            if (group * form.digits + place) % line == 0 {
                text.push('\n');
            }
            let weight = base.pow((form.digits - 1 - place) as u32);
            text.push(alphabet[(number / weight % base) as usize]);
        }
    }
    ensure!(unpack(text.as_bytes())? == bytes, "an encoded data file decodes to other bytes");
    Ok(text)
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
        assert!(size < 58_100, "{size}");
    }

    #[test]
    fn data_that_starts_with_the_marker_is_rejected() {
        assert!(data_literal(b"base85:").is_err());
        assert!(dense_literal(b"dense:").is_err());
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
