//! Data files inside the program.
//!
//! A one-file submission holds nothing but text. There the bytes of a data file stand in base 85:
//! five characters for four bytes (as Ascii85, P. Rutter and J. Orost, 1986), of an alphabet that
//! no editor, web form or shell changes, in lines of moderate length. Code that reads a data file
//! hands its `include_bytes!` to [`unpack`], and so does not notice in which form it was embedded.

use std::borrow::Cow;
use std::fmt;

/// What the text form begins with. No data file may begin so.
pub const MARKER: &[u8] = b"base85:";
/// The digits in the order of their value: the printable characters of ASCII without the blank,
/// quotes and backslash (the literal's own), `<`, `>` and `&` (HTML), the backtick and `$` (shells
/// and templates) and `/` (comments).
pub const DIGITS: &[u8; 85] =
    b"!#%()*+,-.0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";

/// The base as a number.
const BASE: u64 = DIGITS.len() as u64;
/// Marks characters that are no digit.
const NO_DIGIT: u8 = u8::MAX;
/// The values of all characters.
static VALUES: [u8; 256] = values();

/// What is wrong with an embedded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbeddedError {
    /// The character at this offset behind the marker is no digit.
    Digit(usize),
    /// The group of digits that ends at this offset stands for no four bytes.
    Group(usize),
}

impl fmt::Display for EmbeddedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmbeddedError::Digit(at) => write!(f, "embedded data: no base-85 digit at {}", at),
            EmbeddedError::Group(at) => write!(f, "embedded data: a bad group before {}", at),
        }
    }
}

impl std::error::Error for EmbeddedError {}

/// The bytes of a data file, from the file itself or from its text form, which is [`MARKER`] and
/// then base-85 digits; white space between digits means nothing.
pub fn unpack(data: &[u8]) -> Result<Cow<'_, [u8]>, EmbeddedError> {
    match data.strip_prefix(MARKER) {
        Some(text) => decode(text).map(Cow::Owned),
        None => Ok(Cow::Borrowed(data)),
    }
}

/// The bytes of base-85 digits: four for five digits, one fewer than digits for the last group.
fn decode(text: &[u8]) -> Result<Vec<u8>, EmbeddedError> {
    let mut bytes = Vec::with_capacity(text.len() / 5 * 4);
    let mut group = 0;
    let mut digits = 0;
    for (offset, &character) in text.iter().enumerate() {
        let value = VALUES[usize::from(character)];
        if value == NO_DIGIT {
            if character.is_ascii_whitespace() {
                continue;
            }
            return Err(EmbeddedError::Digit(offset));
        }
        group = group * BASE + u64::from(value);
        digits += 1;
        if digits == 5 {
            bytes.extend_from_slice(&group_bytes(group, offset)?);
            group = 0;
            digits = 0;
        }
    }
    if digits == 1 {
        return Err(EmbeddedError::Group(text.len()));
    }
    if digits > 1 {
        // Padded by the highest digit, a group keeps the bytes that its digits determine.
        let padded = (digits..5).fold(group, |group, _| group * BASE + (BASE - 1));
        bytes.extend_from_slice(&group_bytes(padded, text.len())?[..digits - 1]);
    }
    Ok(bytes)
}

fn group_bytes(group: u64, offset: usize) -> Result<[u8; 4], EmbeddedError> {
    match u32::try_from(group) {
        Ok(group) => Ok(group.to_be_bytes()),
        Err(_) => Err(EmbeddedError::Group(offset)),
    }
}

const fn values() -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutated::{any_bytes, mutated};
    use proptest::prelude::*;

    /// Digits of 48 bytes in two lines.
    const TEXT: &[u8] = b"base85:!!!!!#####%%%%%((((()))))*****\n+++++,,,,,-----.....00000";

    proptest! {
        #[test]
        fn any_text_is_bytes_or_refused(text in prop_oneof![
            any_bytes(200).prop_map(|bytes| [MARKER, &bytes].concat()),
            proptest::collection::vec(proptest::sample::select(&DIGITS[..]), 0..200)
                .prop_map(|digits| [MARKER, &digits].concat()),
            mutated(TEXT.to_vec()),
        ]) {
            if let (true, Ok(bytes)) = (text.starts_with(MARKER), unpack(&text)) {
                prop_assert!(bytes.len() <= (text.len() - MARKER.len()) / 5 * 4 + 3);
            }
        }
    }

    #[test]
    fn a_file_passes_unchanged() {
        assert_eq!(unpack(b"NET1\x00\xff").unwrap(), &b"NET1\x00\xff"[..]);
        assert!(matches!(unpack(b""), Ok(Cow::Borrowed([]))));
    }

    #[test]
    fn the_alphabet_has_85_harmless_characters() {
        assert!(DIGITS.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(DIGITS.iter().all(|c| c.is_ascii_graphic() && !b"\"'\\`<>&$/".contains(c)));
    }

    #[test]
    fn decodes_the_values_of_the_groups() {
        assert_eq!(decode(b"!!!!!").unwrap(), [0, 0, 0, 0]);
        assert_eq!(decode(b"!! !!\n#").unwrap(), [0, 0, 0, 1]);
        assert_eq!(decode(b"#!!!!").unwrap(), 52_200_625_u32.to_be_bytes());
        assert_eq!(decode(b"#!!!!!").unwrap_err(), EmbeddedError::Group(6));
        assert_eq!(decode(b"!#").unwrap(), [0]);
        assert_eq!(decode(b"~~").unwrap_err(), EmbeddedError::Group(2));
    }

    #[test]
    fn spoiled_text_is_noticed() {
        assert_eq!(unpack(b"base85:").unwrap(), &b""[..]);
        assert_eq!(unpack(b"base85:!!!!!!\"").unwrap_err(), EmbeddedError::Digit(6));
        assert_eq!(unpack(b"base85:~~~~~").unwrap_err(), EmbeddedError::Group(4));
    }
}
