//! The network: its shape, its numbers and its file.
//!
//! 768 inputs a view -> 160 sums a view -> squared clipped ReLU -> one output out of 8 buckets. Weights of
//! the first layer are multiples of 4/127, of the output of 1/128.

use super::features::{BUCKETS, INPUTS};
use crate::engine::embedded::unpack;
use crate::engine::network_file::{
    or_fallback, rounded_mean, within, Format, NetworkError, ReadOnce,
};
use crate::engine::range_coder::{Decoder, Encoder, IntegerModel};
use crate::engine::sys::rows::{self, Aligned};
use crate::engine::sys::simd;
use std::sync::Arc;

/// Neurons of the first layer in each view.
pub const HIDDEN: usize = 160;
/// A neuron's output is limited to 0..=`ACTIVATION_MAX`, which stands for 1.
pub const ACTIVATION_MAX: i16 = 127;
/// What one unit of an output weight stands for: 1/128.
pub const OUTPUT_UNIT: i32 = 128;
/// Output weights are at most this many units, so that 127 times a weight fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i32 = 256;
/// A first-layer weight is a multiple of this many units: a coarse step takes two bits less in the file. The
/// trainer rounds likewise, so that little is lost.
pub const WEIGHT_STEP: i32 = 4;
/// A first-layer weight is at most this many units.
pub const MAX_WEIGHT: i32 = 124;
/// The hundredths of a pawn that an output of 1 stands for.
pub const SCALE: i32 = 400;

/// The sums of the first layer of one view.
pub type Sums = rows::Sums<HIDDEN>;
/// The weights of one input.
pub type Row = rows::Row<HIDDEN>;
/// The weights of one output: those of the view of the side to move come first.
pub type OutputRow = [Aligned<[i16; HIDDEN]>; 2];
type Kernels = simd::Kernels<HIDDEN, ACTIVATION_MAX>;

/// The built-in network's file.
static BUILT_IN: &[u8] = include_bytes!("network.bin");

/// The numbers of a network.
pub struct Network {
    /// Those of all inputs, and a last row of zeros.
    rows: Vec<Row>,
    bias: Sums,
    outputs: Vec<OutputRow>,
    output_bias: Vec<i32>,
    kernels: Kernels,
}

/// What a file of it begins with.
pub const FORMAT: Format = Format {
    magic: *b"cupc960\x03",
    shape: [
        ("inputs", INPUTS),
        ("neurons", HIDDEN),
        ("output buckets", BUCKETS),
        ("hundredths a unit", SCALE as usize),
    ],
};

impl Network {
    /// A network of these numbers: `rows` has [`INPUTS`] rows of [`HIDDEN`] weights, `bias` [`HIDDEN`]
    /// numbers, `outputs` [`BUCKETS`] rows, `output_bias` one number a bucket, in units of
    /// 1 / (127 * [`OUTPUT_UNIT`]).
    pub fn new(
        mut rows: Vec<Row>,
        bias: Sums,
        outputs: Vec<OutputRow>,
        output_bias: Vec<i32>,
    ) -> Network {
        debug_assert!(rows.len() == INPUTS && outputs.len() == BUCKETS);
        rows.push(Aligned([0; HIDDEN]));
        Network { rows, bias, outputs, output_bias, kernels: Kernels::best() }
    }

    /// The network that is part of the program, for the contest player. It is read once. Where it can't be
    /// read, which is said on stderr once, a network of zeros still plays legal moves.
    pub fn built_in() -> Arc<Network> {
        static READ: ReadOnce<Network> = ReadOnce::new();
        READ.get(|| or_fallback(Network::read_built_in(), Network::zero))
    }

    /// Reads the network that is part of the program. For all but the contest player, an error here is better
    /// than games by a network of zeros.
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

    /// The weights of all inputs, and a row of zeros behind them.
    #[inline(always)]
    pub fn rows(&self) -> &[Row] {
        &self.rows
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
        // Units: activations 1/127, squared; weights 1/128. No sum leaves 32 bits.
        let unit = i32::from(ACTIVATION_MAX);
        let sum = self.kernels.output(own, other, &self.outputs[bucket]) / unit;
        let scaled = i64::from(sum + self.output_bias[bucket]) * i64::from(SCALE);
        (scaled / i64::from(unit * OUTPUT_UNIT)) as i32
    }

    /// The file of the network: header, then all numbers by an adaptive arithmetic coder, the weights of the
    /// first layer as their differences from [`foreseen`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        let mut models = difference_models();
        for input in 0..INPUTS {
            for (neuron, &weight) in self.rows[input].0.iter().enumerate() {
                let foreseen = foreseen(&self.rows, input, neuron);
                let steps = i32::from(weight) / WEIGHT_STEP;
                models[model_of(foreseen)].encode(&mut encoder, steps - foreseen);
            }
        }
        let mut model = IntegerModel::new();
        self.bias.0.iter().for_each(|&bias| model.encode(&mut encoder, i32::from(bias)));
        let mut model = IntegerModel::new();
        let weights = self.outputs.iter().flatten().flat_map(|view| view.0.iter());
        weights.for_each(|&weight| model.encode(&mut encoder, i32::from(weight)));
        let mut model = IntegerModel::new();
        self.output_bias.iter().for_each(|&bias| model.encode(&mut encoder, bias));
        FORMAT.framed(&encoder.finish())
    }

    /// Reads a network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let decoder = &mut Decoder::new(FORMAT.payload(bytes)?);
        let mut network = Network::zero();
        let mut models = difference_models();
        for input in 0..INPUTS {
            for neuron in 0..HIDDEN {
                let foreseen = foreseen(&network.rows, input, neuron);
                let steps = models[model_of(foreseen)].decode(decoder) + foreseen;
                let steps = within(steps, MAX_WEIGHT / WEIGHT_STEP)?;
                network.rows[input].0[neuron] = (steps * WEIGHT_STEP) as i8;
            }
        }
        let mut model = IntegerModel::new();
        for bias in network.bias.0.iter_mut() {
            *bias = within(model.decode(decoder), MAX_BIAS)? as i16;
        }
        let mut model = IntegerModel::new();
        for view in network.outputs.iter_mut().flatten() {
            for weight in view.0.iter_mut() {
                *weight = within(model.decode(decoder), MAX_OUTPUT_WEIGHT)? as i16;
            }
        }
        let mut model = IntegerModel::new();
        for bias in network.output_bias.iter_mut() {
            *bias = within(model.decode(decoder), MAX_OUTPUT_BIAS)?;
        }
        Ok(network)
    }
}

/// With 32 pieces no sum leaves 16 bits.
const MAX_BIAS: i32 = 8191;
const MAX_OUTPUT_BIAS: i32 = 1 << 20;

/// What a neuron's weight of an input is expected to be, in steps: the mean of those of the same piece on the
/// squares to the left and below, which come before it in the file. Weights of squares that touch resemble
/// each other: so the file is 14 % smaller.
#[inline(always)]
fn foreseen(rows: &[Row], input: usize, neuron: usize) -> i32 {
    let (file, rank) = (input % 8, input / 8 % 8);
    let is_left = file > 0;
    let is_below = rank > 0;
    let near = [(is_left, 1), (is_below, 8), (is_left && is_below, 9), (is_below && file < 7, 7)];
    let (mut sum, mut count) = (0, 0);
    for &(_, back) in near.iter().filter(|(is_there, _)| *is_there) {
        sum += i32::from(rows[input - back].0[neuron]) / WEIGHT_STEP;
        count += 1;
    }
    rounded_mean(sum, count)
}

/// Differences are larger where a larger weight is expected. The coder has so many models for them, ...
const MODELS: usize = 11;

fn difference_models() -> Vec<IntegerModel> {
    (0..MODELS).map(|_| IntegerModel::new()).collect()
}

/// ... and takes this one.
#[inline(always)]
fn model_of(foreseen: i32) -> usize {
    (foreseen.unsigned_abs() as usize).min(MODELS - 1)
}
