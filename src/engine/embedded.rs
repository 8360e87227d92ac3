//! Data files embedded in the program.
//!
//! A single-file submission contains only text, so its data files are encoded in base 85: five
//! characters for four bytes (like Ascii85, P. Rutter and J. Orost, 1986), with an alphabet that
//! survives editors, web forms and shells, in lines of moderate length. Code that reads a data file
//! passes its `include_bytes!` to [`unpack`], which accepts both the binary and the text form.
//!
//! If a contest counts characters instead of bytes, a dense encoding uses ideographs as digits: 11 bytes are
//! split into two 44-bit numbers of three digits each in base 27,484, i.e. 14.7 bits per character. The
//! digits are the unified ideographs of Unicode 3.0, which all Unicode normalisation forms leave unchanged.

use std::borrow::Cow;
use std::fmt;

/// Prefix of the base-85 form. No binary data file may begin with it.
pub const MARKER: &[u8] = b"base85:";
/// Base-85 digits by value: the printable ASCII characters except space, quotes and backslash
/// (special in string literals), `<`, `>` and `&` (HTML), backtick and `$` (shells and templates)
/// and `/` (comments).
pub const DIGITS: &[u8; 85] =
    b"!#%()*+,-.0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";

/// The base of the base-85 form.
const BASE: u64 = DIGITS.len() as u64;
/// Marks characters in [`VALUES`] that are not digits.
const NO_DIGIT: u8 = u8::MAX;
/// Digit value of each byte.
static VALUES: [u8; 256] = values();

/// Prefix of the dense form. It is followed by a hexadecimal digit, the number of padding bytes to drop from
/// the end, and by the digits.
pub const DENSE_MARKER: &[u8] = b"ideographs:";
/// Base of the dense form. Its digits are U+3400 to U+4DB5 and U+4E00 to U+9FA5.
pub const DENSE_BASE: u64 = 27_484;
/// Bytes per group of six digits.
pub const DENSE_BYTES: usize = 11;
/// Bits per half group of three digits.
pub const DENSE_HALF_BITS: u32 = 44;

/// A decoding error of an embedded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbeddedError {
    /// The character at this offset after the marker is not a digit.
    Digit(usize),
    /// The group of digits that ends at this offset does not encode a group of bytes.
    Group(usize),
}

impl fmt::Display for EmbeddedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmbeddedError::Digit(at) => write!(f, "embedded data: bad digit at {}", at),
            EmbeddedError::Group(at) => write!(f, "embedded data: bad group ending at {}", at),
        }
    }
}

impl std::error::Error for EmbeddedError {}

/// Returns the bytes of a data file, decoding it if it is in base-85 or dense form. White space
/// between digits is ignored.
pub fn unpack(data: &[u8]) -> Result<Cow<'_, [u8]>, EmbeddedError> {
    if let Some(text) = data.strip_prefix(DENSE_MARKER) {
        return decode_dense(text).map(Cow::Owned);
    }
    match data.strip_prefix(MARKER) {
        Some(text) => decode(text).map(Cow::Owned),
        None => Ok(Cow::Borrowed(data)),
    }
}

/// Decodes base-85 digits: four bytes per five digits. A last, incomplete group has one byte fewer than
/// digits.
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
        // Padding with the highest digit leaves the bytes that the given digits determine unchanged.
        let padded = (digits..5).fold(group, |group, _| group * BASE + (BASE - 1));
        bytes.extend_from_slice(&group_bytes(padded, text.len())?[..digits - 1]);
    }
    Ok(bytes)
}

/// Decodes the dense form, which begins with the number of padding bytes to drop.
fn decode_dense(text: &[u8]) -> Result<Vec<u8>, EmbeddedError> {
    let text =
        std::str::from_utf8(text).map_err(|error| EmbeddedError::Digit(error.valid_up_to()))?;
    let dropped = text.chars().next().and_then(|first| first.to_digit(16));
    let dropped = dropped.ok_or(EmbeddedError::Digit(0))? as usize;
    let (mut bytes, mut group, mut half, mut digits) = (Vec::new(), 0u128, 0u64, 0);
    for (offset, character) in text.char_indices().skip(1) {
        let digit = match u32::from(character) {
            code @ 0x3400..=0x4db5 => code - 0x3400,
            code @ 0x4e00..=0x9fa5 => code - 0x4e00 + (0x4db6 - 0x3400),
            _ if character.is_whitespace() => continue,
            _ => return Err(EmbeddedError::Digit(offset)),
        };
        half = half * DENSE_BASE + u64::from(digit);
        digits += 1;
        if digits % 3 == 0 {
            if half >> DENSE_HALF_BITS != 0 {
                return Err(EmbeddedError::Group(offset));
            }
            group = group << DENSE_HALF_BITS | u128::from(half);
            half = 0;
        }
        if digits % 6 == 0 {
            bytes.extend_from_slice(&group.to_be_bytes()[16 - DENSE_BYTES..]);
            group = 0;
        }
    }
    if digits % 6 != 0 || dropped > bytes.len() {
        return Err(EmbeddedError::Group(text.len()));
    }
    bytes.truncate(bytes.len() - dropped);
    Ok(bytes)
}

fn group_bytes(group: u64, offset: usize) -> Result<[u8; 4], EmbeddedError> {
    match <u32 as std::convert::TryFrom<u64>>::try_from(group) {
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
    use crate::fuzz::{any_bytes, mutated};
    use proptest::prelude::*;

    /// 48 bytes encoded in two lines.
    const TEXT: &[u8] = b"base85:!!!!!#####%%%%%((((()))))*****\n+++++,,,,,-----.....00000";

    proptest! {
        #[test]
        fn any_text_is_decoded_or_rejected(text in prop_oneof![
            any_bytes(200).prop_map(|bytes| [MARKER, &bytes].concat()),
            proptest::collection::vec(proptest::sample::select(&DIGITS[..]), 0..200)
                .prop_map(|digits| [MARKER, &digits].concat()),
            mutated(TEXT.to_vec()),
            mutated("ideographs:3\u{4e00}\u{9fa5}\u{3400} \u{4db5}\u{5000}\u{6000}".into()),
        ]) {
            if let (true, Ok(bytes)) = (text.starts_with(MARKER), unpack(&text)) {
                prop_assert!(bytes.len() <= (text.len() - MARKER.len()) / 5 * 4 + 3);
            }
        }
    }

    #[test]
    fn a_binary_file_is_returned_unchanged() {
        assert_eq!(unpack(b"NET1\x00\xff").unwrap(), &b"NET1\x00\xff"[..]);
        assert!(matches!(unpack(b""), Ok(Cow::Borrowed([]))));
    }

    #[test]
    fn the_alphabet_is_sorted_and_safe_in_text() {
        assert!(DIGITS.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(DIGITS.iter().all(|c| c.is_ascii_graphic() && !b"\"'\\`<>&$/".contains(c)));
    }

    #[test]
    fn groups_are_decoded() {
        assert_eq!(decode(b"!!!!!").unwrap(), [0, 0, 0, 0]);
        assert_eq!(decode(b"!! !!\n#").unwrap(), [0, 0, 0, 1]);
        assert_eq!(decode(b"#!!!!").unwrap(), 52_200_625_u32.to_be_bytes());
        assert_eq!(decode(b"#!!!!!").unwrap_err(), EmbeddedError::Group(6));
        assert_eq!(decode(b"!#").unwrap(), [0]);
        assert_eq!(decode(b"~~").unwrap_err(), EmbeddedError::Group(2));
    }

    #[test]
    fn damaged_text_is_rejected() {
        assert_eq!(unpack(b"base85:").unwrap(), &b""[..]);
        assert_eq!(unpack(b"base85:!!!!!!\"").unwrap_err(), EmbeddedError::Digit(6));
        assert_eq!(unpack(b"base85:~~~~~").unwrap_err(), EmbeddedError::Group(4));
    }
}
