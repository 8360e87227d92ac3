//! The network: its shape, its numbers and its file.
//!
//! 9,176 inputs a perspective -> 128 sums a perspective -> squared clipped ReLU -> one output out
//! of 64 buckets. Weights of the first layer are multiples of 1/127, of the output of 1/128.

use super::features::{BUCKETS, FIRST_THREAT, INPUTS, INPUTS_PER_WAZIR, THREATS, WAZIR_SQUARES};
use crate::engine::embedded::unpack;
use crate::engine::network_file::{
    or_fallback, within, FamilyModel, Format, NetworkError, ReadOnce,
};
use crate::engine::range_coder::{Decoder, Encoder, IntegerModel};
use crate::engine::sys::rows::{self, Aligned};
use crate::engine::sys::simd;
use std::sync::Arc;

/// Neurons of the first layer in each perspective.
pub const HIDDEN: usize = 128;
/// A neuron's output is limited to 0..=`ACTIVATION_MAX`, which stands for 1.
pub const ACTIVATION_MAX: i16 = 127;
/// What one unit of an output weight stands for: 1/128.
pub const OUTPUT_UNIT: i32 = 128;
/// Output weights are at most this many units, so that 127 times a weight fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i32 = 256;
/// A first-layer weight is at most this many units.
const MAX_WEIGHT: i32 = 127;
/// The hundredths of a piece that an output of 1 stands for.
pub const SCALE: i32 = 400;

/// The sums of the first layer of one perspective.
pub type Sums = rows::Sums<HIDDEN>;
/// The weights of one input.
pub type Row = rows::Row<HIDDEN>;
/// The weights of one output: those of the side to move's perspective come first.
pub type OutputRow = [Aligned<[i16; HIDDEN]>; 2];
type Kernels = simd::Kernels<HIDDEN, ACTIVATION_MAX>;

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

/// What a file of it begins with.
pub const FORMAT: Format = Format {
    magic: *b"cupnet\x00\x02",
    shape: [
        ("inputs", INPUTS),
        ("neurons", HIDDEN),
        ("output buckets", BUCKETS),
        ("hundredths a unit", SCALE as usize),
    ],
};

impl Network {
    /// A network of these numbers: `rows` has [`INPUTS`] rows of [`HIDDEN`] weights, `bias`
    /// [`HIDDEN`] numbers, `outputs` [`BUCKETS`] rows, `output_bias` one number a bucket, in units
    /// of 1 / (127 * [`OUTPUT_UNIT`]).
    pub fn new(
        rows: Vec<Row>,
        bias: Sums,
        outputs: Vec<OutputRow>,
        output_bias: Vec<i32>,
    ) -> Network {
        debug_assert!(rows.len() == INPUTS && outputs.len() == BUCKETS);
        Network { rows, bias, outputs, output_bias, kernels: Kernels::best() }
    }

    /// The network that is part of the program, for the contest player. It is read once. Where it
    /// can't be read, which is said on stderr once, a network of zeros still plays legal moves.
    pub fn built_in() -> Arc<Network> {
        static READ: ReadOnce<Network> = ReadOnce::new();
        READ.get(|| or_fallback(Network::read_built_in(), Network::zero))
    }

    /// Reads the network that is part of the program. For all but the contest player, an error here
    /// is better than games by a network of zeros.
    pub fn read_built_in() -> Result<Network, NetworkError> {
        let bytes = unpack(BUILT_IN).map_err(|_| NetworkError::Embedding)?;
        Network::from_bytes(&bytes)
    }

    /// A network that finds every position equal.
    pub fn zero() -> Network {
        Network::new(
            vec![Aligned([0; HIDDEN]); INPUTS],
            Aligned([0; HIDDEN]),
            vec![[Aligned([0; HIDDEN]); 2]; BUCKETS],
            vec![0; BUCKETS],
        )
    }

    /// The same network on another path of instructions; `None` where the processor lacks it.
    #[cfg(test)]
    pub fn on_path(mut self, path: simd::Path) -> Option<Network> {
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

    /// The sums of a perspective without inputs.
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

    /// The worth for the side to move, in hundredths, of a position with these sums in both
    /// perspectives.
    #[inline]
    pub fn output(&self, own: &Sums, other: &Sums, bucket: usize) -> i32 {
        // Units: activations 1/127, squared; weights 1/128.
        let unit = i32::from(ACTIVATION_MAX);
        // No sum leaves 32 bits: 2 * 128 neurons * 127 * 127 * 256 < 2^31.
        let sum = self.kernels.output(own, other, &self.outputs[bucket]) / unit;
        // What a file may hold could pass 32 bits here.
        let scaled = i64::from(sum + self.output_bias[bucket]) * i64::from(SCALE);
        (scaled / i64::from(unit * OUTPUT_UNIT)) as i32
    }

    /// The file of the network: header, then all numbers by an adaptive arithmetic coder. An
    /// input's weights resemble each other for all squares of the wazir, and so do the outputs'.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        for (first, inputs, versions) in BLOCKS {
            let mut model = FamilyModel::new(versions);
            for (input, column) in all_weights(first, inputs) {
                let row = |version| &self.rows[version * inputs + input];
                model.encode(&mut encoder, |version| i32::from(row(version).0[column]));
            }
        }
        let mut model = IntegerModel::new();
        self.bias.0.iter().for_each(|&bias| model.encode(&mut encoder, i32::from(bias)));
        let mut model = FamilyModel::new(BUCKETS);
        for (perspective, column) in all_output_weights() {
            model.encode(&mut encoder, |bucket| {
                i32::from(self.outputs[bucket][perspective].0[column])
            });
        }
        let mut model = IntegerModel::new();
        self.output_bias.iter().for_each(|&bias| model.encode(&mut encoder, bias));
        FORMAT.framed(&encoder.finish())
    }

    /// Reads a network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::read_numbers(&mut Decoder::new(FORMAT.payload(bytes)?))
    }

    fn read_numbers(decoder: &mut Decoder<'_>) -> Result<Network, NetworkError> {
        let mut network = Network::zero();
        let rows = &mut network.rows;
        for (first, inputs, versions) in BLOCKS {
            let mut model = FamilyModel::new(versions);
            for (input, column) in all_weights(first, inputs) {
                model.decode(decoder, MAX_WEIGHT, |version, weight| {
                    rows[version * inputs + input].0[column] = weight as i8;
                })?;
            }
        }
        let mut model = IntegerModel::new();
        for bias in network.bias.0.iter_mut() {
            *bias = within(model.decode(decoder), 8191)? as i16;
        }
        let outputs = &mut network.outputs;
        let mut model = FamilyModel::new(BUCKETS);
        for (perspective, column) in all_output_weights() {
            let set =
                |bucket: usize, weight| outputs[bucket][perspective].0[column] = weight as i16;
            model.decode(decoder, MAX_OUTPUT_WEIGHT, set)?;
        }
        let mut model = IntegerModel::new();
        for bias in network.output_bias.iter_mut() {
            *bias = within(model.decode(decoder), 1 << 20)?;
        }
        Ok(network)
    }
}

/// The blocks of the file's first layer: the first input, how many there are, and in how many
/// versions they follow each other. The pieces' inputs have one for each square of the wazir.
const BLOCKS: [(usize, usize, usize); 2] =
    [(0, INPUTS_PER_WAZIR, WAZIR_SQUARES), (FIRST_THREAT, THREATS, 1)];

/// Every input from `first` on and every neuron, in the order of the file.
fn all_weights(first: usize, inputs: usize) -> impl Iterator<Item = (usize, usize)> {
    (first..first + inputs).flat_map(|input| (0..HIDDEN).map(move |column| (input, column)))
}

/// Both perspectives and every neuron, in the order of the file.
fn all_output_weights() -> impl Iterator<Item = (usize, usize)> {
    (0..2).flat_map(|perspective| (0..HIDDEN).map(move |column| (perspective, column)))
}
