//! Data files embedded in the program.
//!
//! A single-file submission contains only text, so its data files are encoded as digits of a large base. Code that
//! reads a data file passes its `include_bytes!` to [`unpack`], which accepts both the binary and the text form.
//!
//! The text form describes itself. After [`MARKER`] it has five fields, separated by white space: the number of digits
//! of a group; the number of bits of a group; the alphabet, as pairs of the first and the last character of each range
//! of digits in ascending order; the number of padding bytes at the end; and the groups. Each group is a number with
//! the highest digit first; the bits of all numbers are those of the bytes. White space between digits is ignored.

use std::borrow::Cow;

/// Start of the text form. No binary data file may begin with it.
pub const MARKER: &str = "packed:";

/// Returns the bytes of a data file, decoding it if it is in text form; `None` if that is malformed.
pub fn unpack(data: &[u8]) -> Option<Cow<'_, [u8]>> {
    match data.strip_prefix(MARKER.as_bytes()) {
        Some(text) => decode(text).map(Cow::Owned),
        None => Some(Cow::Borrowed(data)),
    }
}

/// Decodes the fields after the marker.
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    let fields: Vec<&str> = text.splitn(5, char::is_whitespace).collect();
    let number = |index: usize| fields.get(index).and_then(|field| field.parse().ok());
    let (group_digits, group_bits, padding) = match (number(0), number(1), number(3)) {
        (Some(digits @ 1..=7), Some(bits @ 1..=64), Some(padding)) => (digits, bits, padding),
        _ => return None,
    };
    let mut values = vec![None; 1 << 16];
    let mut base = 0;
    let ends: Vec<char> = fields[2].chars().collect();
    for digit in ends.chunks_exact(2).flat_map(|ends| ends[0]..=ends[1]) {
        *values.get_mut(digit as usize)? = Some(base);
        base += 1;
    }
    let (mut bytes, mut digits, mut group) = (Vec::new(), 0, 0u128);
    // The bits that are not written yet are the lowest `pending` ones.
    let (mut bits, mut pending) = (0u128, 0);
    let groups = fields.get(4).copied().unwrap_or_default();
    for character in groups.chars().filter(|c| !c.is_whitespace()) {
        group = group * base + values.get(character as usize).copied().flatten()?;
        digits += 1;
        if digits % group_digits == 0 {
            if group >> group_bits != 0 {
                return None;
            }
            bits = bits << group_bits | group;
            pending += group_bits;
            group = 0;
            while pending >= 8 {
                pending -= 8;
                bytes.push((bits >> pending) as u8);
            }
        }
    }
    if digits % group_digits != 0 || padding > bytes.len() {
        return None;
    }
    bytes.truncate(bytes.len() - padding);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{any_bytes, mutated};
    use proptest::prelude::*;

    /// 44 bytes in base 85, in two lines.
    const TEXT: &str = "packed:5 32 !!##%%(.0;==?[]_a~ 0 !!!!!#####%%%%%((((()))))*****\n+++++,,,,,-----.....00000";

    proptest! {
        #[test]
        fn any_text_is_decoded_or_rejected(text in prop_oneof![
            any_bytes(200).prop_map(|bytes| [MARKER.as_bytes(), &bytes[..]].concat()),
            mutated(TEXT.into()),
            mutated("packed:4 61 \u{3400}\u{4db5}\u{4e00}\u{9fa5} 3 \u{4e00}\u{9fa5}\u{3400} \u{4db5}".into()),
        ]) {
            if let (true, Some(bytes)) = (text.starts_with(MARKER.as_bytes()), unpack(&text)) {
                prop_assert!(bytes.len() <= 8 * text.len());
            }
        }
    }

    #[test]
    fn a_binary_file_is_returned_unchanged() {
        assert_eq!(unpack(b"NET1\x00\xff").unwrap(), &b"NET1\x00\xff"[..]);
        assert!(matches!(unpack(b""), Some(Cow::Borrowed([]))));
    }

    /// Decodes groups of two decimal digits for six bits.
    fn decimal(padding: usize, digits: &str) -> Option<Vec<u8>> {
        unpack(format!("packed:2 6 09 {} {}", padding, digits).as_bytes()).map(Cow::into_owned)
    }

    #[test]
    fn groups_are_decoded() {
        assert_eq!(decimal(0, ""), Some(vec![]));
        assert_eq!(decimal(0, "63630000"), Some(vec![0xff, 0xf0, 0]));
        assert_eq!(decimal(1, "00 0\n2\r\n0063"), Some(vec![0, 0x20]));
        assert_eq!(unpack(TEXT.as_bytes()).unwrap().len(), 44);
    }

    #[test]
    fn damaged_text_is_rejected() {
        assert_eq!(decimal(0, "6x"), None);
        assert_eq!(decimal(0, "64"), None);
        assert_eq!(decimal(0, "000"), None);
        assert_eq!(decimal(1, ""), None);
        for text in
            ["packed:", "packed:0 6 09 0 ", "packed:2 65 09 0 ", "packed:2 6 0\u{10ffff} 0 "]
        {
            assert_eq!(unpack(text.as_bytes()), None, "{}", text);
        }
    }
}
