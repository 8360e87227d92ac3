//! A small network that estimates who wins, for the part of the game that can't be solved yet. It was
//! trained on games of the player against itself, whose ends the solver judged; see the README.
//!
//! 1,754 statements about the position -> 64 neurons -> 16 neurons -> one output, the last two layers
//! in 12 versions by the parity and the number of the moves that are left at least.

pub mod features;

use super::position::Position;
use crate::engine::coder::{Decoder, Encoder, IntegerModel};
use crate::engine::embedded::unpack;
use features::{Features, View, BUCKETS, INPUTS};
use std::fmt;
use std::sync::{Arc, Mutex};

/// The neurons of the first layer.
pub const FIRST: usize = 64;
/// The neurons of the second layer.
pub const SECOND: usize = 16;
/// What a weight of the first layer counts in.
pub const FIRST_UNIT: f32 = 256.0;
/// What the other weights count in.
pub const OTHER_UNIT: f32 = 256.0;
/// Weights are less than this, in their units.
pub const MOST_WEIGHT: i32 = 8192;

/// The layers behind the first.
#[derive(Clone)]
pub struct Head {
    /// The weights of each neuron of the first layer.
    pub second: [[f32; SECOND]; FIRST],
    /// The biases of the second layer.
    pub second_bias: [f32; SECOND],
    /// The weights of the output.
    pub output: [f32; SECOND],
    /// The bias of the output.
    pub output_bias: f32,
}

impl Head {
    /// A head that finds everything even.
    pub const ZERO: Head = Head {
        second: [[0.0; SECOND]; FIRST],
        second_bias: [0.0; SECOND],
        output: [0.0; SECOND],
        output_bias: 0.0,
    };

    /// All its numbers.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let weights = self.second.iter_mut().flatten().chain(self.second_bias.iter_mut());
        weights.chain(self.output.iter_mut()).chain(std::iter::once(&mut self.output_bias))
    }
}

/// The numbers of a network.
#[derive(Clone)]
pub struct Network {
    rows: Vec<[i16; FIRST]>,
    bias: [i16; FIRST],
    heads: Vec<Head>,
}

/// The first bytes of a network file; the last one is the version of the format.
const MAGIC: [u8; 8] = *b"zuniqnn\x01";
/// Magic, shape (inputs, neurons, neurons, buckets: two bytes each), checksum.
const HEADER: usize = 8 + 4 * 2 + 4;
/// The shape that a file must have, in the order of the header.
const SHAPE: [(&str, usize); 4] = [
    ("inputs", INPUTS),
    ("neurons in the first layer", FIRST),
    ("neurons in the second layer", SECOND),
    ("buckets", BUCKETS),
];

/// The built-in network's file.
static BUILT_IN: &[u8] = include_bytes!("network.bin");

/// Why a file is no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The file does not begin as a network file of this version does.
    Magic,
    /// The shape is another one: what, found, expected.
    Shape(&'static str, usize, usize),
    /// The contents do not match the checksum.
    Checksum,
    /// A number is outside its range.
    Range,
    /// The text form of the built-in file can't be read.
    Embedding,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Magic => f.write_str("no network file of this version"),
            NetworkError::Shape(what, found, expected) => {
                write!(f, "the network has {} {}, expected {}", found, what, expected)
            }
            NetworkError::Checksum => f.write_str("the network file is damaged: wrong checksum"),
            NetworkError::Range => f.write_str("a number of the network is out of range"),
            NetworkError::Embedding => f.write_str("the built-in network can't be read"),
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// A network that finds every position even.
    pub fn zero() -> Network {
        Network {
            rows: vec![[0; FIRST]; INPUTS],
            bias: [0; FIRST],
            heads: vec![Head::ZERO; BUCKETS],
        }
    }

    /// A network of these numbers, rounded to the units of a file: rows and bias of the first layer,
    /// and a head for each bucket.
    pub fn rounded(rows: &[[f32; FIRST]], bias: &[f32; FIRST], heads: &[Head]) -> Network {
        let mut network = Network::zero();
        let round = |weight: f32, unit: f32| {
            let most = (MOST_WEIGHT - 1) as f32;
            (weight * unit).round().clamp(-most, most)
        };
        let first = rows.iter().chain(std::iter::once(bias)).flatten();
        let stored = network.rows.iter_mut().chain(std::iter::once(&mut network.bias)).flatten();
        stored.zip(first).for_each(|(stored, weight)| *stored = round(*weight, FIRST_UNIT) as i16);
        network.heads = heads.to_vec();
        for number in network.heads.iter_mut().flat_map(Head::numbers) {
            *number = round(*number, OTHER_UNIT) / OTHER_UNIT;
        }
        network
    }

    /// The network that is part of the program. It is read once.
    pub fn built_in() -> Arc<Network> {
        static READ: Mutex<Option<Arc<Network>>> = Mutex::new(None);
        let mut read = match READ.lock() {
            Ok(read) => read,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(network) = read.as_ref() {
            return network.clone();
        }
        // A test reads the built-in file; should it be damaged all the same, a network that knows
        // nothing still plays legal moves.
        let network = Network::read_built_in().unwrap_or_else(|_| Network::zero());
        let network = Arc::new(network);
        *read = Some(network.clone());
        network
    }

    /// Reads the network that is part of the program.
    pub fn read_built_in() -> Result<Network, NetworkError> {
        let bytes = unpack(BUILT_IN).map_err(|_| NetworkError::Embedding)?;
        Network::from_bytes(&bytes)
    }

    /// The probability that the side to move wins.
    pub fn win_probability(&self, position: &Position) -> f32 {
        probability(self.output(&Features::of(&View::of(position))))
    }

    /// The logarithm of the odds that the side to move wins.
    pub fn output(&self, features: &Features) -> f32 {
        let mut sums = self.bias;
        for &feature in features.list() {
            let row = &self.rows[usize::from(feature)];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        let head = &self.heads[features.bucket()];
        let mut second = head.second_bias;
        for (sum, weights) in sums.iter().zip(&head.second) {
            if *sum > 0 {
                let activation = f32::from(*sum) / FIRST_UNIT;
                for (sum, weight) in second.iter_mut().zip(weights) {
                    *sum += activation * weight;
                }
            }
        }
        let terms = second.iter().zip(&head.output);
        terms.fold(head.output_bias, |sum, (neuron, weight)| sum + neuron.max(0.0) * weight)
    }

    /// The file of the network: header, then all numbers by an adaptive arithmetic coder.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        for numbers in [&self.rows[..], std::slice::from_ref(&self.bias)] {
            let mut model = IntegerModel::new();
            let numbers = numbers.iter().flatten();
            numbers.for_each(|&weight| model.encode(&mut encoder, i32::from(weight)));
        }
        let mut model = IntegerModel::new();
        for number in self.heads.clone().iter_mut().flat_map(Head::numbers) {
            model.encode(&mut encoder, (*number * OTHER_UNIT).round() as i32);
        }
        let payload = encoder.finish();
        let mut bytes = MAGIC.to_vec();
        for (_, size) in SHAPE {
            bytes.extend_from_slice(&(size as u16).to_le_bytes());
        }
        bytes.extend_from_slice(&checksum(&payload).to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes
    }

    /// Reads a network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if bytes.len() < HEADER || bytes[..8] != MAGIC {
            return Err(NetworkError::Magic);
        }
        for (index, (what, expected)) in SHAPE.iter().enumerate() {
            let at = 8 + 2 * index;
            let found = usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
            if found != *expected {
                return Err(NetworkError::Shape(what, found, *expected));
            }
        }
        let stored = [bytes[16], bytes[17], bytes[18], bytes[19]];
        let payload = &bytes[HEADER..];
        if u32::from_le_bytes(stored) != checksum(payload) {
            return Err(NetworkError::Checksum);
        }
        Network::read_numbers(&mut Decoder::new(payload))
    }

    fn read_numbers(decoder: &mut Decoder<'_>) -> Result<Network, NetworkError> {
        let mut read = |model: &mut IntegerModel| {
            let value = model.decode(decoder);
            if value.abs() < MOST_WEIGHT {
                Ok(value)
            } else {
                Err(NetworkError::Range)
            }
        };
        let mut network = Network::zero();
        for numbers in [&mut network.rows[..], std::slice::from_mut(&mut network.bias)] {
            let mut model = IntegerModel::new();
            for weight in numbers.iter_mut().flatten() {
                *weight = read(&mut model)? as i16;
            }
        }
        let mut model = IntegerModel::new();
        for number in network.heads.iter_mut().flat_map(Head::numbers) {
            *number = read(&mut model)? as f32 / OTHER_UNIT;
        }
        Ok(network)
    }
}

/// The probability of these logarithmic odds.
pub fn probability(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// The 32-bit hash FNV-1a (G. Fowler, L. Noll, K.-P. Vo).
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests;
