//! The common file format of networks: a header with magic number, shape and checksum, followed by
//! the compressed weights. Also compression of groups of similar weights, and lazy loading of the
//! built-in network.

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
    pub fn kind(&self) -> &[u8] {
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

/// Compresses families of similar weights, e.g. the weights of one feature in several buckets. The
/// first weight is stored directly, each other one as the difference from the mean of the previous
/// ones. Each position in the family has its own probabilities.
pub struct FamilyModel(Vec<IntegerModel>);

impl FamilyModel {
    /// Creates a model for families of `members` weights. Encoder and decoder need one each.
    pub fn new(members: usize) -> FamilyModel {
        FamilyModel((0..members).map(|_| IntegerModel::new()).collect())
    }

    /// Encodes a family of weights, `weight(member)`.
    pub fn encode(&mut self, encoder: &mut Encoder, weight: impl Fn(usize) -> i32) {
        let mut sum = 0;
        for (member, model) in self.0.iter_mut().enumerate() {
            let weight = weight(member);
            model.encode(encoder, weight - rounded_mean(sum, member));
            sum += weight;
        }
    }

    /// Decodes a family and calls `set(member, weight)` for each weight. A weight whose magnitude exceeds
    /// `max_weight` is an error.
    #[inline]
    pub fn decode(
        &mut self,
        decoder: &mut Decoder<'_>,
        max_weight: i32,
        mut set: impl FnMut(usize, i32),
    ) -> Result<(), NetworkError> {
        let mut sum = 0;
        for (member, model) in self.0.iter_mut().enumerate() {
            let weight = within(model.decode(decoder) + rounded_mean(sum, member), max_weight)?;
            set(member, weight);
            sum += weight;
        }
        Ok(())
    }
}

/// Returns the rounded mean of `count` numbers with this sum, or 0 if there are none.
#[inline(always)]
pub fn rounded_mean(sum: i32, count: usize) -> i32 {
    let count = count.max(1) as i32;
    (2 * sum + count).div_euclid(2 * count)
}

/// Returns the 32-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo).
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the network of a contest player. A player must always be able to answer, so if its network
/// can't be read this reports the error on stderr and returns the `fallback`.
pub fn or_fallback<N>(read: Result<N, NetworkError>, fallback: impl FnOnce() -> N) -> N {
    read.unwrap_or_else(|error| {
        // Unlike `eprintln!`, this does not panic if stderr is closed.
        let _ =
            writeln!(io::stderr(), "cupbot: {}; playing on without the built-in network", error);
        fallback()
    })
}

/// A network that is read at its first use and then shared. `std::sync::OnceLock` needs Rust 1.70, but the
/// playing core must compile with 1.63.
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
        families.iter().for_each(|family| model.encode(&mut encoder, |member| family[member]));
        let bytes = encoder.finish();
        // The shared part has an entropy of 7.7 bits, each member another 2.3.
        assert!(bytes.len() < 2000 * (8 + MEMBERS * 3) / 8, "{}", bytes.len());

        let decoder = &mut Decoder::new(&bytes);
        let mut model = FamilyModel::new(MEMBERS);
        for family in &families {
            let mut read = [0; MEMBERS];
            let set = |member: usize, weight| read[member] = weight;
            assert_eq!(model.decode(decoder, 102, set), Ok(()));
            assert_eq!(read, *family);
        }
    }

    #[test]
    fn a_weight_out_of_range_is_an_error() {
        let mut encoder = Encoder::new();
        FamilyModel::new(2).encode(&mut encoder, |member| [100, 101][member]);
        let bytes = encoder.finish();
        let found = FamilyModel::new(2).decode(&mut Decoder::new(&bytes), 100, |_, _| ());
        assert_eq!(found, Err(NetworkError::Range));
    }
}
