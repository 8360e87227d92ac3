//! An adaptive binary arithmetic coder (the range coder of LZMA, I. Pavlov) that compresses network weights.

/// Bits of a probability.
const PROBABILITY_BITS: u32 = 12;
/// Adaptation rate: a probability moves by 2^-`ADAPTATION` of its distance to the bit seen.
const ADAPTATION: u32 = 5;
/// The range is renormalised when it falls below this.
const MIN_RANGE: u32 = 1 << 24;

/// Adaptive probability that a bit is 0.
#[derive(Clone, Copy)]
struct Bit(u16);

impl Bit {
    const EVEN: Bit = Bit(1 << (PROBABILITY_BITS - 1));

    #[inline(always)]
    fn learn(&mut self, bit: bool) {
        *self = self.after(bit);
    }

    /// Returns the probability after seeing this bit.
    #[inline(always)]
    fn after(self, bit: bool) -> Bit {
        Bit(if bit {
            self.0 - (self.0 >> ADAPTATION)
        } else {
            self.0 + (((1 << PROBABILITY_BITS) - self.0) >> ADAPTATION)
        })
    }
}

/// Range encoder.
pub struct Encoder {
    low: u64,
    range: u32,
    cache: u8,
    pending: u64,
    bytes: Vec<u8>,
}

impl Encoder {
    /// Creates an encoder without output.
    pub fn new() -> Encoder {
        Encoder { low: 0, range: !0, cache: 0, pending: 1, bytes: Vec::new() }
    }

    fn encode(&mut self, model: &mut Bit, bit: bool) {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(model.0);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        model.learn(bit);
        // One byte is enough: see `Decoder::renormalise`.
        if self.range < MIN_RANGE {
            self.range <<= 8;
            self.shift_low();
        }
    }

    /// Writes the top byte of `low` once it can no longer change by a carry.
    fn shift_low(&mut self) {
        if self.low < 0xff00_0000 || self.low > 0xffff_ffff {
            let carry = (self.low >> 32) as u8;
            self.bytes.push(self.cache.wrapping_add(carry));
            for _ in 1..self.pending {
                self.bytes.push(0xffu8.wrapping_add(carry));
            }
            self.pending = 0;
            self.cache = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// Returns the encoded bytes.
    pub fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift_low();
        }
        self.bytes
    }
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder::new()
    }
}

/// Range decoder. After the end of its input it reads zeros.
pub struct Decoder<'a> {
    range: u32,
    code: u32,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of these bytes.
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { range: !0, code: 0, bytes };
        (0..5).for_each(|_| decoder.code = decoder.code << 8 | decoder.next_byte());
        decoder
    }

    #[inline(always)]
    fn next_byte(&mut self) -> u32 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                u32::from(first)
            }
            None => 0,
        }
    }

    /// Decodes a bit that is usually predictable: a branch is cheaper than arithmetic.
    #[inline(always)]
    fn decode(&mut self, model: &mut Bit) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(model.0);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        model.learn(bit);
        self.renormalise();
        bit
    }

    /// Decodes a bit that is equally often 0 and 1, without a branch that would be mispredicted.
    #[inline(always)]
    fn decode_even(&mut self, model: &mut Bit) -> u32 {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(model.0);
        let bit = u32::from(self.code >= bound);
        // All ones for a 1.
        let mask = bit.wrapping_neg();
        self.code -= bound & mask;
        self.range = bound ^ (bound ^ (self.range - bound)) & mask;
        let (fallen, risen) = (model.after(true).0, model.after(false).0);
        model.0 = risen ^ (risen ^ fallen) & mask as u16;
        self.renormalise();
        bit
    }

    /// Reads a byte if the range has become small. One byte is always enough, because no probability gets close enough
    /// to 0 or 1.
    #[inline(always)]
    fn renormalise(&mut self) {
        if self.range < MIN_RANGE {
            self.range <<= 8;
            self.code = self.code << 8 | self.next_byte();
        }
    }
}

/// Maximum number of bits of an integer's magnitude.
const MAX_BITS: usize = 24;

/// Adaptive model of integers that are mostly small. It codes the number of significant bits in unary, the bits below
/// the highest, and the sign bit, each with its own probability.
pub struct IntegerModel {
    length: [Bit; MAX_BITS + 1],
    bits: [[Bit; 32]; MAX_BITS + 1],
    sign: Bit,
}

impl IntegerModel {
    /// Creates a model in which all bits are equally likely. Encoder and decoder need one each.
    pub fn new() -> IntegerModel {
        let bits = [[Bit::EVEN; 32]; MAX_BITS + 1];
        IntegerModel { length: [Bit::EVEN; MAX_BITS + 1], bits, sign: Bit::EVEN }
    }

    /// Encodes a value of at most 24 significant bits.
    pub fn encode(&mut self, encoder: &mut Encoder, value: i32) {
        let magnitude = value.unsigned_abs();
        let length = (32 - magnitude.leading_zeros()) as usize;
        for at in 0..=length.min(MAX_BITS - 1) {
            encoder.encode(&mut self.length[at], at < length);
        }
        for place in (0..length.saturating_sub(1)).rev() {
            let bit = magnitude >> place & 1 != 0;
            let model = self.bit_model(length, place, magnitude);
            encoder.encode(model, bit);
        }
        if magnitude != 0 {
            encoder.encode(&mut self.sign, value < 0);
        }
    }

    /// Decodes the next value.
    #[inline]
    pub fn decode(&mut self, decoder: &mut Decoder<'_>) -> i32 {
        let mut length = 0;
        while length < MAX_BITS && decoder.decode(&mut self.length[length]) {
            length += 1;
        }
        if length == 0 {
            return 0;
        }
        let mut magnitude = 1u32 << (length - 1);
        for place in (0..length - 1).rev() {
            let model = self.bit_model(length, place, magnitude);
            magnitude |= decoder.decode_even(model) << place;
        }
        // Negates the magnitude if the sign bit is 1.
        let sign = decoder.decode_even(&mut self.sign) as i32;
        (magnitude as i32 ^ -sign) + sign
    }

    /// Returns the model of the bit at `place`. The second bit below the leading one is conditioned on the first.
    #[inline(always)]
    fn bit_model(&mut self, length: usize, place: usize, magnitude: u32) -> &mut Bit {
        let above = magnitude >> (place + 1) & 1;
        let second = place + 3 == length;
        let index = if second { 24 + above as usize } else { place };
        &mut self.bits[length][index]
    }
}

impl Default for IntegerModel {
    fn default() -> IntegerModel {
        IntegerModel::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::fuzz::any_bytes;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_decode_to_integers(bytes in any_bytes(300), count in 0..1000usize) {
            let mut decoder = Decoder::new(&bytes);
            let mut model = IntegerModel::new();
            for _ in 0..count {
                let value = model.decode(&mut decoder);
                prop_assert!(value.unsigned_abs() < 1 << MAX_BITS, "{}", value);
            }
        }

        #[test]
        fn any_integers_round_trip(values in vec((-0xff_ffff..=0xff_ffff, 0..24), 0..300)) {
            // Shifts give values of all lengths.
            let values: Vec<i32> = values.iter().map(|(value, shift)| value >> shift).collect();
            let mut encoder = Encoder::new();
            let mut model = IntegerModel::new();
            values.iter().for_each(|&value| model.encode(&mut encoder, value));
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            let mut model = IntegerModel::new();
            prop_assert!(values.iter().all(|&value| model.decode(&mut decoder) == value));
        }
    }

    #[test]
    fn many_integers_round_trip() {
        let mut rng = Rng::new(3);
        let values: Vec<i32> = (0..20_000)
            .map(|_| {
                let bits = rng.below(MAX_BITS);
                let magnitude = rng.below(1 << bits) as i32;
                if rng.below(2) == 0 {
                    magnitude
                } else {
                    -magnitude
                }
            })
            .collect();
        let mut encoder = Encoder::new();
        let mut model = IntegerModel::new();
        values.iter().for_each(|&value| model.encode(&mut encoder, value));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut model = IntegerModel::new();
        assert!(values.iter().all(|&value| model.decode(&mut decoder) == value));
    }

    #[test]
    fn small_numbers_take_few_bits() {
        let mut rng = Rng::new(4);
        let mut encoder = Encoder::new();
        let mut model = IntegerModel::new();
        // Uniform on -3..=3: 2.8 bits of entropy per value.
        (0..8000).for_each(|_| model.encode(&mut encoder, rng.below(7) as i32 - 3));
        assert!(encoder.finish().len() < 3000);
    }
}
