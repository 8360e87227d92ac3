//! The network: its shape, its numbers and its file.
//!
//! 9,176 inputs a view -> 128 sums a view -> squared clipped ReLU -> one output out of 64 buckets.
//! Weights of the first layer are multiples of 1/127, of the output of 1/128.

use super::features::{BUCKETS, INPUTS};
use crate::engine::coder::{Decoder, Encoder, IntegerModel};
use crate::engine::embedded::unpack;
use crate::engine::kernels::{Kernels, OutputRow, Path, Row, Sums, ACTIVATION_MAX, HIDDEN};
use std::fmt;
use std::sync::{Arc, Mutex};

/// What one unit of an output weight stands for: 1/128.
pub const OUTPUT_UNIT: i32 = 128;
/// Output weights are at most this many units, so that 127 times a weight fits 16 bits.
pub const MOST_OUTPUT_WEIGHT: i32 = 256;
/// The hundredths of a piece that an output of 1 stands for.
pub const SCALE: i32 = 400;
/// The first bytes of a network file; the last one is the version of the format.
const MAGIC: [u8; 8] = *b"cupnet\x00\x01";
/// Magic, shape (inputs, hidden, buckets, scale: two bytes each), checksum.
const HEADER: usize = 8 + 4 * 2 + 4;

/// The built-in network's file.
static BUILT_IN: &[u8] = include_bytes!("network.bin");

/// The numbers of a network.
pub struct Network {
    rows: Vec<Row>,
    bias: Sums,
    outputs: Vec<OutputRow>,
    output_bias: Vec<i32>,
    kernels: Kernels,
}

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
            NetworkError::Embedding => f.write_str("the built-in network can't be read"),
            NetworkError::Range => f.write_str("a number of the network is out of range"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// The shape that a file must have, in the order of the header.
const SHAPE: [(&str, usize); 4] = [
    ("inputs", INPUTS),
    ("neurons", HIDDEN),
    ("output buckets", BUCKETS),
    ("hundredths a unit", SCALE as usize),
];

impl Network {
    /// A network of these numbers: `rows` has [`INPUTS`] rows of [`HIDDEN`] weights, `bias`
    /// [`HIDDEN`] numbers, `outputs` [`BUCKETS`] rows of twice [`HIDDEN`] weights (the side to move's
    /// first), `output_bias` one number a bucket, in units of 1 / (127 * [`OUTPUT_UNIT`]).
    pub fn new(
        rows: Vec<Row>,
        bias: Sums,
        outputs: Vec<OutputRow>,
        output_bias: Vec<i32>,
    ) -> Network {
        debug_assert!(rows.len() == INPUTS && outputs.len() == BUCKETS);
        Network { rows, bias, outputs, output_bias, kernels: Kernels::best() }
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
        // A test reads the built-in file; should it be damaged all the same, an empty network still
        // plays legal moves.
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

    /// A network that finds every position equal.
    pub fn zero() -> Network {
        Network::new(
            vec![Row([0; HIDDEN]); INPUTS],
            Sums([0; HIDDEN]),
            vec![OutputRow([0; 2 * HIDDEN]); BUCKETS],
            vec![0; BUCKETS],
        )
    }

    /// The same network on another path of instructions; `None` where the processor lacks it.
    pub fn on_path(mut self, path: Path) -> Option<Network> {
        self.kernels = Kernels::new(path)?;
        Some(self)
    }

    /// The weights of all inputs.
    #[inline(always)]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The weights of an input.
    #[inline(always)]
    pub fn row(&self, input: usize) -> &Row {
        &self.rows[input]
    }

    /// The sums of a view without inputs.
    #[inline(always)]
    pub fn bias(&self) -> &Sums {
        &self.bias
    }

    /// The output weights and the constant of a bucket, in the units of [`Network::new`].
    pub fn output_layer(&self, bucket: usize) -> (&OutputRow, i32) {
        (&self.outputs[bucket], self.output_bias[bucket])
    }

    /// The kernels to use with these numbers.
    #[inline(always)]
    pub fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// The worth for the side to move, in hundredths, of a position with these sums in both views.
    #[inline]
    pub fn output(&self, own: &Sums, other: &Sums, bucket: usize) -> i32 {
        // Units: activations 1/127, squared; weights 1/128.
        let unit = i32::from(ACTIVATION_MAX);
        let sum = self.kernels.output(own, other, &self.outputs[bucket]) / unit;
        // What a file may hold could pass 32 bits here.
        let scaled = i64::from(sum + self.output_bias[bucket]) * i64::from(SCALE);
        (scaled / i64::from(unit * OUTPUT_UNIT)) as i32
    }

    /// The file of the network: header, then all numbers by an adaptive arithmetic coder.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        let mut model = IntegerModel::new();
        for row in &self.rows {
            row.0.iter().for_each(|&weight| model.encode(&mut encoder, i32::from(weight)));
        }
        let mut model = IntegerModel::new();
        self.bias.0.iter().for_each(|&bias| model.encode(&mut encoder, i32::from(bias)));
        let mut model = IntegerModel::new();
        for row in &self.outputs {
            row.0.iter().for_each(|&weight| model.encode(&mut encoder, i32::from(weight)));
        }
        self.output_bias.iter().for_each(|&bias| model.encode(&mut encoder, bias));
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
        let within = |value: i32, most: i32| {
            if (-most..=most).contains(&value) {
                Ok(value)
            } else {
                Err(NetworkError::Range)
            }
        };
        let mut network = Network::zero();
        let mut model = IntegerModel::new();
        for weight in network.rows.iter_mut().flat_map(|row| row.0.iter_mut()) {
            *weight = within(model.decode(decoder), 127)? as i8;
        }
        let mut model = IntegerModel::new();
        for bias in network.bias.0.iter_mut() {
            *bias = within(model.decode(decoder), 8191)? as i16;
        }
        let mut model = IntegerModel::new();
        for weight in network.outputs.iter_mut().flat_map(|row| row.0.iter_mut()) {
            *weight = within(model.decode(decoder), MOST_OUTPUT_WEIGHT)? as i16;
        }
        for bias in network.output_bias.iter_mut() {
            *bias = within(model.decode(decoder), 1 << 20)?;
        }
        Ok(network)
    }
}

/// The 32-bit hash FNV-1a (G. Fowler, L. Noll, K.-P. Vo).
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
