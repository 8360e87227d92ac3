//! A network with one hidden layer per perspective: sparse inputs -> `N` neurons per perspective -> squared clipped
//! ReLU -> one of several outputs (NNUE, Y. Nasu, 2018).

use super::embedded::unpack;
use super::network_file::{or_fallback, Coder, Format, NetworkError, ReadOnce};
use super::range_coder::{Decoder, Encoder, IntegerModel};
use super::sys::rows::{Aligned, Row, Sums};
use super::sys::simd;
use std::marker::PhantomData;
use std::sync::Arc;

/// Maximum activation of a neuron; it stands for 1.
pub const ACTIVATION_MAX: i16 = 127;
/// Output weights are multiples of 1 / `OUTPUT_UNIT`.
pub const OUTPUT_UNIT: i32 = 128;
/// Maximum magnitude of an output weight, in units: 127 times a weight fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i32 = 256;
/// Maximum magnitude of a neuron's bias: accumulators stay within 16 bits.
pub const MAX_BIAS: i32 = 8191;
/// Maximum magnitude of an output's bias.
pub const MAX_OUTPUT_BIAS: i32 = 1 << 20;
/// Hundredths of a piece for an output of 1.
pub const SCALE: i32 = 400;

/// Weights of one output: first those of the side to move's perspective.
pub type OutputRow<const N: usize> = [Aligned<[i16; N]>; 2];

/// Shape of a game's network, its built-in file, and the coding of weights in a file.
pub trait Layout<const N: usize>: Clone + Sized + 'static {
    /// Magic number; its last byte is the version of the format.
    const MAGIC: [u8; 8];
    /// Number of inputs.
    const INPUTS: usize;
    /// Number of output buckets.
    const BUCKETS: usize;
    /// File of the built-in network.
    const BUILT_IN: &'static [u8];

    /// Cell of the built-in network.
    fn shared() -> &'static ReadOnce<Network<Self, N>>;

    /// Codes the input weights.
    fn code_rows(rows: &mut [Row<N>], coder: &mut impl Coder) -> Result<(), NetworkError>;

    /// Codes the output weights.
    fn code_outputs(
        outputs: &mut [OutputRow<N>],
        coder: &mut impl Coder,
    ) -> Result<(), NetworkError>;
}

/// The weights of a network.
#[derive(Clone)]
pub struct Network<L, const N: usize> {
    /// Input weights in units of 1 / [`ACTIVATION_MAX`], and a last row of zeros.
    pub rows: Vec<Row<N>>,
    /// Biases of the neurons.
    pub bias: Sums<N>,
    /// Output weights in units of 1 / [`OUTPUT_UNIT`].
    pub outputs: Vec<OutputRow<N>>,
    /// Output biases in units of 1 / (127 * [`OUTPUT_UNIT`]).
    pub output_bias: Vec<i32>,
    /// Kernels that compute with these weights.
    pub kernels: simd::Kernels<N, ACTIVATION_MAX>,
    layout: PhantomData<L>,
}

impl<L: Layout<N>, const N: usize> Network<L, N> {
    /// Returns the file format.
    pub const FORMAT: Format = Format {
        magic: L::MAGIC,
        shape: [
            ("inputs", L::INPUTS),
            ("neurons", N),
            ("output buckets", L::BUCKETS),
            ("hundredths a unit", SCALE as usize),
        ],
    };

    /// Returns the built-in network for the contest player. It is read once. An unreadable network is reported on
    /// stderr and replaced by zeros, which still plays legal moves.
    pub fn built_in() -> Arc<Network<L, N>> {
        L::shared().get(|| or_fallback(Network::read_built_in(), Network::zero))
    }

    /// Reads the built-in network. Everything except the contest player should fail rather than use a network of zeros.
    pub fn read_built_in() -> Result<Network<L, N>, NetworkError> {
        let bytes = unpack(L::BUILT_IN).ok_or(NetworkError::Embedding)?;
        Network::from_bytes(&bytes)
    }

    /// Creates a network of zeros.
    pub fn zero() -> Network<L, N> {
        Network {
            rows: vec![Aligned([0; N]); L::INPUTS + 1],
            bias: Aligned([0; N]),
            outputs: vec![[Aligned([0; N]); 2]; L::BUCKETS],
            output_bias: vec![0; L::BUCKETS],
            kernels: simd::Kernels::best(),
            layout: PhantomData,
        }
    }

    /// Returns the network with other CPU instructions; `None` if the CPU lacks them.
    #[cfg(test)]
    pub fn on_path(self, path: simd::Path) -> Option<Network<L, N>> {
        Some(Network { kernels: simd::Kernels::new(path)?, ..self })
    }

    /// Returns the score for the side to move, in hundredths, from both accumulators.
    #[inline]
    pub fn output(&self, own: &Sums<N>, other: &Sums<N>, bucket: usize) -> i32 {
        // Units: activations 1/127, squared; weights 1/128. With 160 neurons per perspective sums stay within 32 bits:
        // 2 * 160 * 127 * 127 * 256 < 2^31.
        let unit = i32::from(ACTIVATION_MAX);
        let sum = self.kernels.output(own, other, &self.outputs[bucket]) / unit;
        // Weights of a file could exceed 32 bits here.
        let scaled = i64::from(sum + self.output_bias[bucket]) * i64::from(SCALE);
        (scaled / i64::from(unit * OUTPUT_UNIT)) as i32
    }

    /// Returns the network as a file: a header, then all numbers by an adaptive arithmetic coder.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        // Encoding does not fail.
        let _ = self.clone().code(&mut encoder);
        Self::FORMAT.framed(&encoder.finish())
    }

    /// Reads a network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network<L, N>, NetworkError> {
        let mut network = Network::zero();
        network.code(&mut Decoder::new(Self::FORMAT.payload(bytes)?))?;
        Ok(network)
    }

    /// Codes all numbers in the order of the file.
    fn code(&mut self, coder: &mut impl Coder) -> Result<(), NetworkError> {
        L::code_rows(&mut self.rows[..L::INPUTS], coder)?;
        let model = &mut IntegerModel::new();
        for bias in self.bias.0.iter_mut() {
            *bias = coder.number(model, i32::from(*bias), 0, MAX_BIAS)? as i16;
        }
        L::code_outputs(&mut self.outputs, coder)?;
        let model = &mut IntegerModel::new();
        for bias in self.output_bias.iter_mut() {
            *bias = coder.number(model, *bias, 0, MAX_OUTPUT_BIAS)?;
        }
        Ok(())
    }
}
