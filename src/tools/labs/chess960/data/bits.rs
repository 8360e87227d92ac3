//! Bit strings, written as base 64 digits (RFC 4648).

use anyhow::{Context, Result};

/// The digits.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Bits per digit.
const DIGIT_BITS: u32 = 6;
/// Maximum size of a number, in bits.
pub const MAX_BITS: u32 = 24;

/// Writes numbers one after another, highest bit first.
#[derive(Default)]
pub struct BitWriter {
    digits: String,
    pending: u32,
    count: u32,
}

impl BitWriter {
    /// Adds the lowest bits of a number, at most [`MAX_BITS`].
    pub fn push(&mut self, number: u32, bits: u32) {
        for bit in (0..bits).rev() {
            self.pending = self.pending << 1 | number >> bit & 1;
            self.count += 1;
            if self.count == DIGIT_BITS {
                self.digits.push(char::from(DIGITS[self.pending as usize]));
                (self.pending, self.count) = (0, 0);
            }
        }
    }

    /// Adds a number below `2^MAX_BITS - 2^order` as an exponential Golomb code: the smaller, the fewer bits.
    pub fn push_small(&mut self, number: u32, order: u32) {
        let number = number + (1 << order);
        let bits = u32::BITS - number.leading_zeros();
        self.push(0, bits - 1 - order);
        self.push(number, bits);
    }

    /// Returns the digits. The last one is padded with zeros.
    pub fn finish(mut self) -> String {
        if self.count > 0 {
            self.push(0, DIGIT_BITS - self.count);
        }
        self.digits
    }
}

/// Reads the output of a [`BitWriter`].
pub struct BitReader<'a> {
    digits: std::slice::Iter<'a, u8>,
    pending: u32,
    count: u32,
}

impl<'a> BitReader<'a> {
    /// Starts at the first of these digits.
    pub fn new(digits: &'a str) -> BitReader<'a> {
        BitReader { digits: digits.as_bytes().iter(), pending: 0, count: 0 }
    }

    /// Returns the next number of at most [`MAX_BITS`] bits. Fails at the end.
    pub fn next(&mut self, bits: u32) -> Result<u32> {
        let mut number = 0;
        for _ in 0..bits {
            if self.count == 0 {
                let digit = self.digits.next().context("cut short")?;
                let value = DIGITS.iter().position(|known| known == digit);
                self.pending = value.context("expected a digit")? as u32;
                self.count = DIGIT_BITS;
            }
            self.count -= 1;
            number = number << 1 | self.pending >> self.count & 1;
        }
        Ok(number)
    }

    /// Returns the next number written by [`BitWriter::push_small`] with the same order.
    pub fn next_small(&mut self, order: u32) -> Result<u32> {
        let mut bits = order + 1;
        while self.next(1)? == 0 {
            bits += 1;
            anyhow::ensure!(bits <= MAX_BITS, "the number is too large");
        }
        Ok((1 << (bits - 1) | self.next(bits - 1)?) - (1 << order))
    }

    /// Whether only zero padding is left.
    pub fn is_at_end(&self) -> bool {
        self.digits.len() == 0 && self.pending & ((1 << self.count) - 1) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_read_back(numbers in prop::collection::vec((0u32..1 << 23, 0u32..=MAX_BITS), 0..50)) {
            let mut writer = BitWriter::default();
            for &(number, bits) in &numbers {
                writer.push(number, bits);
                writer.push_small(number, 4);
            }
            let digits = writer.finish();
            let mut reader = BitReader::new(&digits);
            for &(number, bits) in &numbers {
                prop_assert_eq!(reader.next(bits).ok(), Some(number & ((1 << bits) - 1)));
                prop_assert_eq!(reader.next_small(4).ok(), Some(number));
            }
            prop_assert!(reader.is_at_end());
            prop_assert!(reader.next(6).is_err());
        }
    }

    #[test]
    fn other_characters_and_endless_zeros_are_errors() {
        assert!(BitReader::new("-").next(1).is_err());
        assert!(BitReader::new("AAAAAAAA").next_small(4).is_err());
    }
}
