//! The evaluation network: estimates the probability that the side to move wins, for positions that are too early to be
//! solved. It was trained on self-play games whose late positions were labelled by the solver; see docs/training.md.
//!
//! 1,754 binary features -> 64 neurons -> 16 neurons -> one output, with ReLU activations. The last two layers have 12
//! sets of weights (buckets), selected by the range and parity of the cycle rank.

pub mod features;

use super::position::Position;
use crate::engine::embedded::unpack;
use crate::engine::math::exp;
use crate::engine::network_file::{or_fallback, within, Format, NetworkError, ReadOnce};
use crate::engine::range_coder::{Decoder, Encoder, IntegerModel};
use crate::engine::sys::simd::{sums_of_products, Instructions};
use features::{each_feature, FeatureSource, Features, BUCKETS, INPUTS};
use std::sync::Arc;

/// Number of neurons in the first layer.
pub const FIRST: usize = 64;
/// Number of neurons in the second layer.
pub const SECOND: usize = 16;
/// Quantisation scale of the first layer: a stored weight is the real weight times this scale, rounded.
pub const FIRST_SCALE: f32 = 256.0;
/// Quantisation scale of all other weights.
pub const OTHER_SCALE: f32 = 256.0;
/// Exclusive limit of the magnitude of stored weights.
pub const MAX_WEIGHT: i32 = 8192;

/// Sums of the first layer before the activation, in units of 1 / [`FIRST_SCALE`].
pub type Sums = [i16; FIRST];

/// Weights of the layers after the first.
#[derive(Clone)]
pub struct Head {
    /// Weights of the second layer, by neuron of the first layer.
    pub second: [[f32; SECOND]; FIRST],
    /// Biases of the second layer.
    pub second_bias: [f32; SECOND],
    /// Weights of the output neuron.
    pub output: [f32; SECOND],
    /// Bias of the output neuron.
    pub output_bias: f32,
}

impl Head {
    /// A head whose output is 0 for every input.
    pub const ZERO: Head = Head {
        second: [[0.0; SECOND]; FIRST],
        second_bias: [0.0; SECOND],
        output: [0.0; SECOND],
        output_bias: 0.0,
    };

    /// Returns all weights and biases, in the order of the file.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let weights = self.second.iter_mut().flatten().chain(self.second_bias.iter_mut());
        weights.chain(self.output.iter_mut()).chain(std::iter::once(&mut self.output_bias))
    }
}

/// Quantised head for evaluation: integers up to the sums of the second layer.
#[derive(Clone)]
struct FastHead {
    /// Weights in the layout that [`sums_of_products`] expects.
    second: [[[i16; 8]; SECOND / 4]; FIRST / 2],
    output: [f32; SECOND],
    /// Biases of the second layer, in units of 1 / [`SECOND_SCALE`].
    second_bias: [[i32; 4]; SECOND / 4],
    output_bias: f32,
}

/// Quantisation scale of the sums of the second layer.
const SECOND_SCALE: f32 = FIRST_SCALE * OTHER_SCALE;

impl FastHead {
    fn of(head: &Head) -> FastHead {
        let mut second = [[[0; 8]; SECOND / 4]; FIRST / 2];
        for (input, weights) in head.second.iter().enumerate() {
            let pairs = second[input / 2].iter_mut().flat_map(|four| four.chunks_exact_mut(2));
            for (pair, weight) in pairs.zip(weights) {
                pair[input % 2] = (weight * OTHER_SCALE).round() as i16;
            }
        }
        let mut second_bias = [[0; 4]; SECOND / 4];
        for (to, bias) in second_bias.iter_mut().flatten().zip(&head.second_bias) {
            *to = (bias * SECOND_SCALE).round() as i32;
        }
        FastHead {
            second,
            output: head.output.map(|weight| weight / SECOND_SCALE),
            second_bias,
            output_bias: head.output_bias,
        }
    }

    #[inline(always)]
    fn output(&self, instructions: Instructions, neurons: &[i16; FIRST]) -> f32 {
        let second = sums_of_products(instructions, neurons, &self.second, &self.second_bias);
        // Four partial sums break the dependency between successive additions.
        let mut sums = [0.0; 4];
        for (neurons, weights) in second.iter().zip(self.output.chunks_exact(4)) {
            for lane in 0..4 {
                sums[lane] += neurons[lane].max(0) as f32 * weights[lane];
            }
        }
        self.output_bias + (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
}

/// A network with integer weights.
#[derive(Clone)]
pub struct Network {
    rows: Vec<[i16; FIRST]>,
    bias: [i16; FIRST],
    heads: Vec<Head>,
    fast_heads: Vec<FastHead>,
    instructions: Instructions,
}

/// Header of a network file.
pub const FORMAT: Format = Format {
    magic: *b"zuniqnn\x01",
    shape: [
        ("inputs", INPUTS),
        ("neurons in the first layer", FIRST),
        ("neurons in the second layer", SECOND),
        ("buckets", BUCKETS),
    ],
};

/// File of the built-in network, compressed.
static BUILT_IN: &[u8] = include_bytes!("network.bin");

impl Network {
    /// Creates a network whose output is 0 for every position.
    pub fn zero() -> Network {
        Network {
            rows: vec![[0; FIRST]; INPUTS],
            bias: [0; FIRST],
            heads: vec![Head::ZERO; BUCKETS],
            fast_heads: vec![FastHead::of(&Head::ZERO); BUCKETS],
            instructions: Instructions::best(),
        }
    }

    /// Derives the quantised heads from the weights.
    fn finished(mut self) -> Network {
        self.fast_heads = self.heads.iter().map(FastHead::of).collect();
        self
    }

    /// Creates a network from real weights, rounded to the precision of a file. `rows` and `bias` belong to the first
    /// layer; `rows` has [`INPUTS`] rows, and `heads` has [`BUCKETS`] heads.
    pub fn rounded(rows: &[[f32; FIRST]], bias: &[f32; FIRST], heads: &[Head]) -> Network {
        let mut network = Network::zero();
        let round = |weight: f32, scale: f32| {
            let max = (MAX_WEIGHT - 1) as f32;
            (weight * scale).round().clamp(-max, max)
        };
        let first = rows.iter().chain(std::iter::once(bias)).flatten();
        let stored = network.rows.iter_mut().chain(std::iter::once(&mut network.bias)).flatten();
        stored.zip(first).for_each(|(stored, weight)| *stored = round(*weight, FIRST_SCALE) as i16);
        network.heads = heads.to_vec();
        for number in network.heads.iter_mut().flat_map(Head::numbers) {
            *number = round(*number, OTHER_SCALE) / OTHER_SCALE;
        }
        network.finished()
    }

    /// Returns the weights in the form of the arguments of [`Network::rounded`].
    pub fn weights(&self) -> (Vec<[f32; FIRST]>, [f32; FIRST], Vec<Head>) {
        let scaled = |row: &[i16; FIRST]| row.map(|weight| f32::from(weight) / FIRST_SCALE);
        (self.rows.iter().map(scaled).collect(), scaled(&self.bias), self.heads.clone())
    }

    /// Returns the built-in network for play, which is read only once. If it can't be read, writes a warning to stderr
    /// once and returns a network of zeros, so that the player still plays legal moves.
    pub fn built_in() -> Arc<Network> {
        static READ: ReadOnce<Network> = ReadOnce::new();
        READ.get(|| or_fallback(Network::read_built_in(), Network::zero))
    }

    /// Reads the built-in network.
    pub fn read_built_in() -> Result<Network, NetworkError> {
        let bytes = unpack(BUILT_IN).ok_or(NetworkError::Embedding)?;
        Network::from_bytes(&bytes)
    }

    /// Returns the network with another SIMD path, or `None` if the CPU does not support it.
    #[cfg(test)]
    pub fn on_path(mut self, path: crate::engine::sys::simd::Path) -> Option<Network> {
        self.instructions = Instructions::new(path)?;
        Some(self)
    }

    /// Returns the instruction set used for evaluation.
    #[inline(always)]
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Returns the probability that the side to move wins.
    pub fn win_probability(&self, position: &Position) -> f32 {
        probability(self.output(&Features::of(&FeatureSource::of(position))))
    }

    /// Returns the log odds that the side to move wins.
    pub fn output(&self, features: &Features) -> f32 {
        self.output_of(&self.sums(features), features.bucket())
    }

    /// Computes the sums of the first layer.
    #[inline(always)]
    pub fn sums(&self, features: &Features) -> Sums {
        let mut sums = self.bias;
        for &feature in features.list() {
            add(&mut sums, &self.rows[usize::from(feature)]);
        }
        sums
    }

    /// Incremental update (as in NNUE: Nasu, 2018): returns the output for `source`, given the sums of `other`. Only
    /// rows of features that differ are added or subtracted, which is fast if the positions are similar.
    #[inline(always)]
    pub fn updated_output(
        &self,
        other: &FeatureSource,
        sums: &Sums,
        source: &FeatureSource,
    ) -> f32 {
        let mut sums = *sums;
        each_feature(other, Some(source), |feature| subtract(&mut sums, &self.rows[feature]));
        each_feature(source, Some(other), |feature| add(&mut sums, &self.rows[feature]));
        self.output_of(&sums, source.bucket())
    }

    /// Evaluates the layers after the first.
    #[inline(always)]
    fn output_of(&self, sums: &Sums, bucket: usize) -> f32 {
        let mut neurons = *sums;
        neurons.iter_mut().for_each(|neuron| *neuron = (*neuron).max(0));
        self.fast_heads[bucket].output(self.instructions, &neurons)
    }

    /// Serialises the network: a header, then all numbers, compressed by an adaptive arithmetic coder.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        for numbers in [&self.rows[..], std::slice::from_ref(&self.bias)] {
            let mut model = IntegerModel::new();
            let numbers = numbers.iter().flatten();
            numbers.for_each(|&weight| model.encode(&mut encoder, i32::from(weight)));
        }
        let mut model = IntegerModel::new();
        for number in self.heads.clone().iter_mut().flat_map(Head::numbers) {
            model.encode(&mut encoder, (*number * OTHER_SCALE).round() as i32);
        }
        FORMAT.framed(&encoder.finish())
    }

    /// Parses a network file. Returns an error if the header, the checksum or a number is invalid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::read_numbers(&mut Decoder::new(FORMAT.payload(bytes)?))
    }

    fn read_numbers(decoder: &mut Decoder<'_>) -> Result<Network, NetworkError> {
        let mut read = |model: &mut IntegerModel| within(model.decode(decoder), MAX_WEIGHT - 1);
        let mut network = Network::zero();
        for numbers in [&mut network.rows[..], std::slice::from_mut(&mut network.bias)] {
            let mut model = IntegerModel::new();
            for weight in numbers.iter_mut().flatten() {
                *weight = read(&mut model)? as i16;
            }
        }
        let mut model = IntegerModel::new();
        for number in network.heads.iter_mut().flat_map(Head::numbers) {
            *number = read(&mut model)? as f32 / OTHER_SCALE;
        }
        Ok(network.finished())
    }
}

/// Adds `row` to `sums`.
#[inline(always)]
fn add(sums: &mut Sums, row: &[i16; FIRST]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
}

/// Subtracts `row` from `sums`.
#[inline(always)]
fn subtract(sums: &mut Sums, row: &[i16; FIRST]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
}

/// Converts log odds to a probability (logistic function).
pub fn probability(odds: f32) -> f32 {
    1.0 / (1.0 + exp(-odds))
}

#[cfg(test)]
mod tests;
