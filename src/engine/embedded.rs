//! Data files embedded in the program.
//!
//! A single-file submission contains only text, so its data files are encoded as digits of a large base, in lines of
//! moderate length. Code that reads a data file passes its `include_bytes!` to [`unpack`], which accepts both the
//! binary and the text forms.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

/// A text form of binary data: a marker, the number of padding bytes at the end as a hexadecimal digit, and groups of
/// digits. Each group is a number with the highest digit first; the bits of all numbers are those of the bytes.
pub struct Form {
    /// Prefix of the text. No binary data file may begin with it.
    pub marker: &'static str,
    /// Number of digits per group.
    pub digits: usize,
    /// Number of bits per group.
    pub bits: u32,
    /// The digits in ascending order.
    ranges: &'static [RangeInclusive<char>],
}

/// Base 85: five characters for four bytes (like Ascii85, P. Rutter and J. Orost, 1986). The digits survive editors, web
/// forms and shells: they are the printable ASCII characters except space, quotes and backslash (special in string
/// literals), `<`, `>` and `&` (HTML), backtick and `$` (shells and templates) and `/` (comments).
pub const BASE_85: Form = Form {
    marker: "base85:",
    digits: 5,
    bits: 32,
    ranges: &[
        '!'..='!',
        '#'..='#',
        '%'..='%',
        '('..='.',
        '0'..=';',
        '='..='=',
        '?'..='[',
        ']'..='_',
        'a'..='~',
    ],
};

/// Dense form for contests that count characters instead of bytes: 15.25 bits per character. The digits are 39,821
/// unified ideographs, Yi and Hangul syllables of Unicode 3.0, each one UTF-16 unit. The composed normalisation forms
/// (NFC, NFKC) leave them unchanged.
pub const DENSE: Form = Form {
    marker: "dense:",
    digits: 4,
    bits: 61,
    ranges: &[
        '\u{3400}'..='\u{4db5}',
        '\u{4e00}'..='\u{9fa5}',
        '\u{a000}'..='\u{a48c}',
        '\u{ac00}'..='\u{d7a3}',
    ],
};

impl Form {
    /// Returns the digits in ascending order.
    pub fn alphabet(&self) -> impl Iterator<Item = char> {
        self.ranges.iter().cloned().flatten()
    }

    /// Decodes the text after the marker. White space between digits is ignored.
    fn decode(&self, text: &[u8]) -> Result<Vec<u8>, EmbeddedError> {
        let text = std::str::from_utf8(text).map_err(|e| EmbeddedError::Digit(e.valid_up_to()))?;
        let padding = text.chars().next().and_then(|first| first.to_digit(16));
        let padding = padding.ok_or(EmbeddedError::Digit(0))? as usize;
        let mut values = vec![None; 1 << 16];
        let mut base = 0u64;
        for digit in self.alphabet() {
            values[digit as usize] = Some(base);
            base += 1;
        }
        let (mut bytes, mut digits, mut group) = (Vec::new(), 0, 0u64);
        // The bits that are not written yet are the lowest `pending` ones.
        let (mut bits, mut pending) = (0u128, 0);
        for (offset, character) in text.char_indices().skip(1) {
            if character.is_whitespace() {
                continue;
            }
            let value = values.get(character as usize).copied().flatten();
            group = group * base + value.ok_or(EmbeddedError::Digit(offset))?;
            digits += 1;
            if digits % self.digits == 0 {
                if group >> self.bits != 0 {
                    return Err(EmbeddedError::Group(offset));
                }
                bits = bits << self.bits | u128::from(group);
                pending += self.bits;
                group = 0;
                while pending >= 8 {
                    pending -= 8;
                    bytes.push((bits >> pending) as u8);
                }
            }
        }
        if digits % self.digits != 0 || padding > bytes.len() {
            return Err(EmbeddedError::Group(text.len()));
        }
        bytes.truncate(bytes.len() - padding);
        Ok(bytes)
    }
}

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

/// Returns the bytes of a data file, decoding it if it is in a text form.
pub fn unpack(data: &[u8]) -> Result<Cow<'_, [u8]>, EmbeddedError> {
    for form in [BASE_85, DENSE] {
        if let Some(text) = data.strip_prefix(form.marker.as_bytes()) {
            return form.decode(text).map(Cow::Owned);
        }
    }
    Ok(Cow::Borrowed(data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{any_bytes, mutated};
    use proptest::prelude::*;

    /// 48 bytes encoded in two lines.
    const TEXT: &[u8] = b"base85:0!!!!!#####%%%%%((((()))))*****\n+++++,,,,,-----.....00000";

    proptest! {
        #[test]
        fn any_text_is_decoded_or_rejected(text in prop_oneof![
            any_bytes(200).prop_map(|bytes| [b"base85:", &bytes[..]].concat()),
            proptest::collection::vec(proptest::sample::select(BASE_85.alphabet().collect::<Vec<_>>()), 0..200)
                .prop_map(|digits| format!("base85:0{}", digits.iter().collect::<String>()).into()),
            mutated(TEXT.to_vec()),
            mutated("dense:3\u{4e00}\u{9fa5}\u{3400} \u{a000}\u{4db5}\u{5000}\u{6000}\u{ac00}".into()),
        ]) {
            if let (true, Ok(bytes)) = (text.starts_with(b"base85:"), unpack(&text)) {
                prop_assert!(bytes.len() <= (text.len() - 8) / 5 * 4);
            }
        }
    }

    #[test]
    fn a_binary_file_is_returned_unchanged() {
        assert_eq!(unpack(b"NET1\x00\xff").unwrap(), &b"NET1\x00\xff"[..]);
        assert!(matches!(unpack(b""), Ok(Cow::Borrowed([]))));
    }

    #[test]
    fn the_alphabets_are_sorted_and_safe_in_text() {
        for form in [BASE_85, DENSE] {
            let digits: Vec<char> = form.alphabet().collect();
            assert!(digits.windows(2).all(|pair| pair[0] < pair[1]));
            let safe =
                |c: &char| !c.is_ascii() || c.is_ascii_graphic() && !"\"'\\`<>&$/".contains(*c);
            assert!(digits.iter().all(|c| safe(c) && c.len_utf16() == 1 && !c.is_whitespace()));
            // All numbers of a group fit.
            assert!((digits.len() as u128).pow(form.digits as u32) >= 1 << form.bits);
        }
    }

    #[test]
    fn groups_are_decoded() {
        let decode = |text: &[u8]| BASE_85.decode(text);
        assert_eq!(decode(b"0!!!!!").unwrap(), [0, 0, 0, 0]);
        assert_eq!(decode(b"0!! !!\n#").unwrap(), [0, 0, 0, 1]);
        assert_eq!(decode(b"0#!!!!").unwrap(), 52_200_625_u32.to_be_bytes());
        assert_eq!(decode(b"0#!!!!!").unwrap_err(), EmbeddedError::Group(7));
        assert_eq!(decode(b"3!####").unwrap(), [0]);
        assert_eq!(decode(b"5!####").unwrap_err(), EmbeddedError::Group(6));
    }

    #[test]
    fn damaged_text_is_rejected() {
        assert_eq!(unpack(b"base85:").unwrap_err(), EmbeddedError::Digit(0));
        assert_eq!(unpack(b"base85:0").unwrap(), &b""[..]);
        assert_eq!(unpack(b"base85:0!!!!!\"").unwrap_err(), EmbeddedError::Digit(6));
        assert_eq!(unpack(b"base85:0~~~~~").unwrap_err(), EmbeddedError::Group(5));
        assert_eq!(unpack("dense:0\u{e000}".as_bytes()).unwrap_err(), EmbeddedError::Digit(1));
        assert_eq!(unpack("dense:0\u{1f600}".as_bytes()).unwrap_err(), EmbeddedError::Digit(1));
    }
}
