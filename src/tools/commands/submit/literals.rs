//! Data as Rust literals that survive editors and web forms: printable ASCII only, lines of moderate length, no
//! significant white space at the end of a line.

use crate::engine::embedded::{unpack, MARKER};
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

/// A text form of binary data; see [`crate::engine::embedded`].
struct Form {
    /// Number of digits per group.
    digits: usize,
    /// Number of bits per group.
    bits: usize,
    /// First and last character of each range of digits.
    ranges: &'static str,
    /// Maximum line length, in characters.
    line: usize,
}

/// Base 85: five characters for four bytes (like Ascii85, P. Rutter and J. Orost, 1986). The digits survive editors,
/// web forms and shells: they are the printable ASCII characters except space, quotes and backslash (special in string
/// literals), `<`, `>` and `&` (HTML), backtick and `$` (shells and templates) and `/` (comments).
const BASE_85: Form = Form { digits: 5, bits: 32, ranges: "!!##%%(.0;==?[]_a~", line: LINE };

/// Dense form for contests that count characters instead of bytes: 15.25 bits per character. The digits are 39,821
/// unified ideographs, Yi and Hangul syllables of Unicode 3.0, each one UTF-16 unit. The composed normalisation forms
/// (NFC, NFKC) leave them unchanged.
const DENSE: Form = Form {
    digits: 4,
    bits: 61,
    ranges: "\u{3400}\u{4db5}\u{4e00}\u{9fa5}\u{a000}\u{a48c}\u{ac00}\u{d7a3}",
    line: DENSE_LINE,
};

impl Form {
    /// Returns the digits in ascending order.
    fn alphabet(&self) -> Vec<char> {
        let ends: Vec<char> = self.ranges.chars().collect();
        ends.chunks_exact(2).flat_map(|ends| ends[0]..=ends[1]).collect()
    }
}

/// Returns a byte string literal of the base-85 form of a data file, as [`unpack`] reads it.
pub fn data_literal(bytes: &[u8]) -> Result<String> {
    Ok(format!("b\"{}\n\"", encode(bytes, &BASE_85)?))
}

/// Returns an expression for the bytes of the dense form of a data file, as [`unpack`] reads it, for contests that
/// count characters.
pub fn dense_literal(bytes: &[u8]) -> Result<String> {
    Ok(format!("\"{}\".as_bytes()", encode(bytes, &DENSE)?))
}

/// Encodes a data file. White space in the text is ignored, so lines may be broken anywhere.
fn encode(bytes: &[u8], form: &Form) -> Result<String> {
    ensure!(
        !bytes.starts_with(MARKER.as_bytes()),
        "a data file starts with the marker of encoded data"
    );
    let alphabet = form.alphabet();
    let base = alphabet.len() as u64;
    let Form { bits, digits, ranges, line } = *form;
    let bit = |index: usize| {
        bytes.get(index / 8).map_or(0, |byte| u64::from(byte >> (7 - index % 8) & 1))
    };
    let groups = (8 * bytes.len()).div_ceil(bits);
    let padding = groups * bits / 8 - bytes.len();
    let mut text = format!("{MARKER}{digits} {bits} {ranges} {padding}");
    for group in 0..groups {
        let first = group * bits;
        let number = (first..first + bits).fold(0, |number, index| number << 1 | bit(index));
        for place in 0..digits {
            if (group * digits + place) % line == 0 {
                text.push('\n');
            }
            let weight = base.pow((digits - 1 - place) as u32);
            text.push(alphabet[(number / weight % base) as usize]);
        }
    }
    ensure!(
        unpack(text.as_bytes()).as_deref() == Some(bytes),
        "an encoded data file decodes to other bytes"
    );
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
    fn the_alphabets_are_sorted_and_safe_in_text() {
        for form in [BASE_85, DENSE] {
            let digits = form.alphabet();
            assert!(digits.windows(2).all(|pair| pair[0] < pair[1]));
            let safe =
                |c: &char| !c.is_ascii() || c.is_ascii_graphic() && !"\"'\\`<>&$/".contains(*c);
            assert!(digits.iter().all(|c| safe(c) && c.len_utf16() == 1 && !c.is_whitespace()));
            // All numbers of a group fit.
            assert!((digits.len() as u128).pow(form.digits as u32) >= 1 << form.bits);
        }
    }

    #[test]
    fn data_that_starts_with_the_marker_is_rejected() {
        assert!(data_literal(MARKER.as_bytes()).is_err());
        assert!(dense_literal(MARKER.as_bytes()).is_err());
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
