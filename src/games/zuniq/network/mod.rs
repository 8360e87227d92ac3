//! A small network that estimates who wins, for the part of the game that can't be solved yet. It was
//! trained on games of the player against itself, whose ends the solver judged; see
//! docs/training.md.
//!
//! 1,754 statements about the position -> 64 neurons -> 16 neurons -> one output, the last two layers
//! in 12 versions by the parity and the number of the moves that are left at least.

pub mod features;

use super::position::Position;
use crate::engine::coder::{Decoder, Encoder, IntegerModel};
use crate::engine::elementary::exp;
use crate::engine::embedded::unpack;
use crate::engine::kernels::{sums_of_products, Instructions, Path};
use crate::engine::network_file::{or_fallback, within, Format, NetworkError, ReadOnce};
use features::{each_feature, Features, View, BUCKETS, INPUTS};
use std::sync::Arc;

/// The neurons of the first layer.
pub const FIRST: usize = 64;
/// The neurons of the second layer.
pub const SECOND: usize = 16;
/// What a weight of the first layer counts in.
pub const FIRST_UNIT: f32 = 256.0;
/// What the other weights count in.
pub const OTHER_UNIT: f32 = 256.0;
/// Weights are less than this, in their units.
pub const MAX_WEIGHT: i32 = 8192;

/// The sums of the first layer's neurons.
pub type Sums = [i16; FIRST];

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

/// A head as it is computed: whole numbers up to the sums of the second layer.
#[derive(Clone)]
struct FastHead {
    /// See [`sums_of_products`].
    second: [[[i16; 8]; SECOND / 4]; FIRST / 2],
    output: [f32; SECOND],
    /// The biases of the second layer, in its units.
    second_bias: [[i32; 4]; SECOND / 4],
    output_bias: f32,
}

/// What a sum of the second layer counts in.
const SECOND_UNIT: f32 = FIRST_UNIT * OTHER_UNIT;

impl FastHead {
    fn of(head: &Head) -> FastHead {
        let mut second = [[[0; 8]; SECOND / 4]; FIRST / 2];
        for (input, weights) in head.second.iter().enumerate() {
            let pairs = second[input / 2].iter_mut().flat_map(|four| four.chunks_exact_mut(2));
            for (pair, weight) in pairs.zip(weights) {
                pair[input % 2] = (weight * OTHER_UNIT).round() as i16;
            }
        }
        let mut second_bias = [[0; 4]; SECOND / 4];
        for (to, bias) in second_bias.iter_mut().flatten().zip(&head.second_bias) {
            *to = (bias * SECOND_UNIT).round() as i32;
        }
        FastHead {
            second,
            output: head.output.map(|weight| weight / SECOND_UNIT),
            second_bias,
            output_bias: head.output_bias,
        }
    }

    #[inline(always)]
    fn output(&self, instructions: Instructions, neurons: &[i16; FIRST]) -> f32 {
        let second = sums_of_products(instructions, neurons, &self.second, &self.second_bias);
        // Several sums at a time, or each addition would wait for the one before.
        let mut sums = [0.0; 4];
        for (neurons, weights) in second.iter().zip(self.output.chunks_exact(4)) {
            for lane in 0..4 {
                sums[lane] += neurons[lane].max(0) as f32 * weights[lane];
            }
        }
        self.output_bias + (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
}

/// The numbers of a network.
#[derive(Clone)]
pub struct Network {
    rows: Vec<[i16; FIRST]>,
    bias: [i16; FIRST],
    heads: Vec<Head>,
    fast_heads: Vec<FastHead>,
    instructions: Instructions,
}

/// What a file of it begins with.
const FORMAT: Format = Format {
    magic: *b"zuniqnn\x01",
    shape: [
        ("inputs", INPUTS),
        ("neurons in the first layer", FIRST),
        ("neurons in the second layer", SECOND),
        ("buckets", BUCKETS),
    ],
};

/// The built-in network's file.
static BUILT_IN: &[u8] = include_bytes!("network.bin");

impl Network {
    /// A network that finds every position even.
    pub fn zero() -> Network {
        Network {
            rows: vec![[0; FIRST]; INPUTS],
            bias: [0; FIRST],
            heads: vec![Head::ZERO; BUCKETS],
            fast_heads: vec![FastHead::of(&Head::ZERO); BUCKETS],
            instructions: Instructions::best(),
        }
    }

    /// Has all weights now: makes of them what they are computed by.
    fn finished(mut self) -> Network {
        self.fast_heads = self.heads.iter().map(FastHead::of).collect();
        self
    }

    /// A network of these numbers, rounded to the units of a file: rows and bias of the first layer,
    /// and a head for each bucket.
    pub fn rounded(rows: &[[f32; FIRST]], bias: &[f32; FIRST], heads: &[Head]) -> Network {
        let mut network = Network::zero();
        let round = |weight: f32, unit: f32| {
            let most = (MAX_WEIGHT - 1) as f32;
            (weight * unit).round().clamp(-most, most)
        };
        let first = rows.iter().chain(std::iter::once(bias)).flatten();
        let stored = network.rows.iter_mut().chain(std::iter::once(&mut network.bias)).flatten();
        stored.zip(first).for_each(|(stored, weight)| *stored = round(*weight, FIRST_UNIT) as i16);
        network.heads = heads.to_vec();
        for number in network.heads.iter_mut().flat_map(Head::numbers) {
            *number = round(*number, OTHER_UNIT) / OTHER_UNIT;
        }
        network.finished()
    }

    /// Its weights as [`Network::rounded`] takes them: rows and bias of the first layer, and the heads.
    pub fn weights(&self) -> (Vec<[f32; FIRST]>, [f32; FIRST], Vec<Head>) {
        let scaled = |row: &[i16; FIRST]| row.map(|weight| f32::from(weight) / FIRST_UNIT);
        (self.rows.iter().map(scaled).collect(), scaled(&self.bias), self.heads.clone())
    }

    /// The network that is part of the program, to play by. It is read once. Where it can't be read,
    /// which is said on stderr once, a network that knows nothing still plays legal moves.
    pub fn built_in() -> Arc<Network> {
        static READ: ReadOnce<Network> = ReadOnce::new();
        READ.get(|| or_fallback(Network::read_built_in(), Network::zero))
    }

    /// Reads the network that is part of the program.
    pub fn read_built_in() -> Result<Network, NetworkError> {
        let bytes = unpack(BUILT_IN).map_err(|_| NetworkError::Embedding)?;
        Network::from_bytes(&bytes)
    }

    /// The same network on another path of instructions; `None` where the processor lacks it.
    pub fn on_path(mut self, path: Path) -> Option<Network> {
        self.instructions = Instructions::new(path)?;
        Some(self)
    }

    /// The instructions that it uses.
    #[inline(always)]
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// The probability that the side to move wins.
    pub fn win_probability(&self, position: &Position) -> f32 {
        probability(self.output(&Features::of(&View::of(position))))
    }

    /// The logarithm of the odds that the side to move wins.
    pub fn output(&self, features: &Features) -> f32 {
        self.output_of(&self.sums(features), features.bucket())
    }

    /// The sums of the first layer.
    #[inline(always)]
    pub fn sums(&self, features: &Features) -> Sums {
        let mut sums = self.bias;
        for &feature in features.list() {
            add(&mut sums, &self.rows[usize::from(feature)]);
        }
        sums
    }

    /// The output for a view that differs little from another one, of which the sums are known: only
    /// what differs is added and taken away (an idea of the networks of shogi engines: Nasu, 2018).
    #[inline(always)]
    pub fn output_beside(&self, other: &View, sums: &Sums, view: &View) -> f32 {
        let mut sums = *sums;
        each_feature(other, Some(view), |feature| subtract(&mut sums, &self.rows[feature]));
        each_feature(view, Some(other), |feature| add(&mut sums, &self.rows[feature]));
        self.output_of(&sums, view.bucket())
    }

    /// The layers behind the first.
    #[inline(always)]
    fn output_of(&self, sums: &Sums, bucket: usize) -> f32 {
        let mut neurons = *sums;
        neurons.iter_mut().for_each(|neuron| *neuron = (*neuron).max(0));
        self.fast_heads[bucket].output(self.instructions, &neurons)
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
        FORMAT.framed(&encoder.finish())
    }

    /// Reads a network file.
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
            *number = read(&mut model)? as f32 / OTHER_UNIT;
        }
        Ok(network.finished())
    }
}

/// `sums += row`.
#[inline(always)]
fn add(sums: &mut Sums, row: &[i16; FIRST]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
}

/// `sums -= row`.
#[inline(always)]
fn subtract(sums: &mut Sums, row: &[i16; FIRST]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
}

/// The probability of these logarithmic odds.
pub fn probability(odds: f32) -> f32 {
    1.0 / (1.0 + exp(-odds))
}

#[cfg(test)]
mod tests;
