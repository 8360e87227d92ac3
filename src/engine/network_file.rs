//! The common file format of networks: a header with magic number, shape and checksum, followed by the compressed
//! weights. Also compression of groups of similar weights, and lazy loading of the built-in network.

use super::range_coder::{Decoder, Encoder, IntegerModel};
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// The reason why a network file can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The file does not begin with the magic number of this version.
    Magic,
    /// The network has a different shape: dimension, found, expected.
    Shape(&'static str, usize, usize),
    /// The contents do not match the checksum.
    Checksum,
    /// A weight is out of range.
    Range,
    /// The text form of the built-in file can't be read.
    Embedding,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Magic => f.write_str("not a network file of this version"),
            NetworkError::Shape(what, found, expected) => {
                write!(f, "the network has {} {}, expected {}", found, what, expected)
            }
            NetworkError::Checksum => f.write_str("the network file is damaged: wrong checksum"),
            NetworkError::Range => f.write_str("a network weight is out of range"),
            NetworkError::Embedding => f.write_str("the text of the built-in network is damaged"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// Header of the files of one kind of network.
pub struct Format {
    /// Magic number. The last byte is the format version.
    pub magic: [u8; 8],
    /// Names and sizes of the network's dimensions. Each size is at most 65,535.
    pub shape: [(&'static str, usize); 4],
}

impl Format {
    /// Length of the header in bytes: magic number, shape (two bytes per dimension), checksum.
    pub const HEADER: usize = 8 + 4 * 2 + 4;

    /// Returns the part of the magic number that all versions share.
    pub fn prefix(&self) -> &[u8] {
        &self.magic[..7]
    }

    /// Returns the file with this payload (the compressed weights).
    pub fn framed(&self, payload: &[u8]) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        for (_, size) in self.shape {
            bytes.extend_from_slice(&(size as u16).to_le_bytes());
        }
        bytes.extend_from_slice(&checksum(payload).to_le_bytes());
        bytes.extend_from_slice(payload);
        bytes
    }

    /// Checks the header of a file and returns its payload.
    pub fn payload<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], NetworkError> {
        if bytes.len() < Format::HEADER || bytes[..8] != self.magic {
            return Err(NetworkError::Magic);
        }
        for (index, (what, expected)) in self.shape.iter().enumerate() {
            let at = 8 + 2 * index;
            let found = usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
            if found != *expected {
                return Err(NetworkError::Shape(what, found, *expected));
            }
        }
        let stored = [bytes[16], bytes[17], bytes[18], bytes[19]];
        let payload = &bytes[Format::HEADER..];
        if u32::from_le_bytes(stored) != checksum(payload) {
            return Err(NetworkError::Checksum);
        }
        Ok(payload)
    }
}

/// Returns the number if its magnitude is at most `max`; otherwise [`NetworkError::Range`].
pub fn within(value: i32, max: i32) -> Result<i32, NetworkError> {
    if (-max..=max).contains(&value) {
        Ok(value)
    } else {
        Err(NetworkError::Range)
    }
}

/// Writes or reads the numbers of a file, so that one function describes both directions.
pub trait Coder {
    /// Codes the difference of a number from its prediction, and returns the number. Reading fails if its magnitude is
    /// larger than `max`.
    fn number(
        &mut self,
        model: &mut IntegerModel,
        number: i32,
        predicted: i32,
        max: i32,
    ) -> Result<i32, NetworkError>;
}

impl Coder for Encoder {
    fn number(
        &mut self,
        model: &mut IntegerModel,
        number: i32,
        predicted: i32,
        _max: i32,
    ) -> Result<i32, NetworkError> {
        model.encode(self, number - predicted);
        Ok(number)
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn number(
        &mut self,
        model: &mut IntegerModel,
        _number: i32,
        predicted: i32,
        max: i32,
    ) -> Result<i32, NetworkError> {
        within(model.decode(self) + predicted, max)
    }
}

/// Compresses families of similar weights, e.g. the weights of one feature in several buckets. The first weight is
/// stored directly, each other one as the difference from the mean of the previous ones. Each position in the family
/// has its own probabilities.
pub struct FamilyModel {
    models: Vec<IntegerModel>,
    /// The next member of the current family.
    member: usize,
    /// The sum of the members before it.
    sum: i32,
}

impl FamilyModel {
    /// Creates a model for families of `members` weights. Encoder and decoder need one each.
    pub fn new(members: usize) -> FamilyModel {
        let models = (0..members).map(|_| IntegerModel::new()).collect();
        FamilyModel { models, member: 0, sum: 0 }
    }

    /// Codes the next member of the family; after the last one another family begins.
    #[inline]
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        weight: i32,
        max: i32,
    ) -> Result<i32, NetworkError> {
        let predicted = rounded_mean(self.sum, self.member);
        let weight = coder.number(&mut self.models[self.member], weight, predicted, max)?;
        self.sum += weight;
        self.member += 1;
        if self.member == self.models.len() {
            self.member = 0;
            self.sum = 0;
        }
        Ok(weight)
    }
}

/// Returns the rounded mean of `count` numbers with this sum; 0 if `count` is 0.
#[inline(always)]
pub fn rounded_mean(sum: i32, count: usize) -> i32 {
    let count = count.max(1) as i32;
    (2 * sum + count).div_euclid(2 * count)
}

/// Returns the 32-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo).
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the network of a contest player. A player must always be able to answer, so if its network can't be read
/// this reports the error on stderr and returns the `fallback`.
pub fn or_fallback<N>(read: Result<N, NetworkError>, fallback: impl FnOnce() -> N) -> N {
    read.unwrap_or_else(|error| {
        // Unlike `eprintln!`, this does not panic if stderr is closed.
        let _ =
            writeln!(io::stderr(), "cupbot: {}; continuing without the built-in network", error);
        fallback()
    })
}

/// A network that is read at its first use and then shared. `std::sync::OnceLock` needs Rust 1.70, but the playing core
/// must compile with 1.63.
pub struct ReadOnce<N>(Mutex<Option<Arc<N>>>);

impl<N> ReadOnce<N> {
    /// Creates a cell whose network is not read yet.
    pub const fn new() -> ReadOnce<N> {
        ReadOnce(Mutex::new(None))
    }

    /// Returns the network, reading it with `read` at the first use.
    pub fn get(&self, read: impl FnOnce() -> N) -> Arc<N> {
        let mut known = match self.0.lock() {
            Ok(known) => known,
            Err(poisoned) => poisoned.into_inner(),
        };
        known.get_or_insert_with(|| Arc::new(read())).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;

    #[test]
    fn families_round_trip_and_are_compressed() {
        const MEMBERS: usize = 10;
        let mut rng = Rng::new(7);
        let families: Vec<[i32; MEMBERS]> = (0..2000)
            .map(|_| {
                let shared = rng.below(201) as i32 - 100;
                [(); MEMBERS].map(|()| shared + rng.below(5) as i32 - 2)
            })
            .collect();
        let mut encoder = Encoder::new();
        let mut model = FamilyModel::new(MEMBERS);
        for &weight in families.iter().flatten() {
            assert_eq!(model.code(&mut encoder, weight, 0), Ok(weight));
        }
        let bytes = encoder.finish();
        // The shared part has an entropy of 7.7 bits, each member another 2.3.
        assert!(bytes.len() < 2000 * (8 + MEMBERS * 3) / 8, "{}", bytes.len());

        let decoder = &mut Decoder::new(&bytes);
        let mut model = FamilyModel::new(MEMBERS);
        for &weight in families.iter().flatten() {
            assert_eq!(model.code(decoder, 0, 102), Ok(weight));
        }
    }

    #[test]
    fn a_weight_out_of_range_is_an_error() {
        let mut encoder = Encoder::new();
        let mut model = FamilyModel::new(2);
        assert!([100, 101].iter().all(|&weight| model.code(&mut encoder, weight, 0).is_ok()));
        let bytes = encoder.finish();
        let (decoder, mut model) = (&mut Decoder::new(&bytes), FamilyModel::new(2));
        assert_eq!(model.code(decoder, 0, 100), Ok(100));
        assert_eq!(model.code(decoder, 0, 100), Err(NetworkError::Range));
    }
}
