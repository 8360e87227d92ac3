//! The network: shape and file layout.
//!
//! 768 inputs per perspective -> 160 neurons per perspective -> squared clipped ReLU -> 1 of 8 outputs. First-layer
//! weights are multiples of 4/127, output weights of 1/128.

use super::features::{BUCKETS, INPUTS};
use crate::engine::network::{self, OutputRow, MAX_OUTPUT_WEIGHT};
use crate::engine::network_file::{rounded_mean, Coder, NetworkError, ReadOnce};
use crate::engine::range_coder::IntegerModel;
use crate::engine::sys::rows;

/// Number of neurons of the first layer per perspective.
pub const HIDDEN: usize = 160;
/// Quantisation step of first-layer weights, in units. A coarse step saves two bits per weight in the file. The trainer
/// rounds likewise, so little accuracy is lost.
pub const WEIGHT_STEP: i32 = 4;
/// Maximum magnitude of a first-layer weight, in units.
pub const MAX_WEIGHT: i32 = 124;

/// Accumulator of one perspective.
pub type Sums = rows::Sums<HIDDEN>;
/// Weights of one input.
type Row = rows::Row<HIDDEN>;
/// The network.
pub type Network = network::Network<Layout, HIDDEN>;

/// The file layout. First-layer weights are stored as differences from [`predicted_weight`].
#[derive(Clone)]
pub struct Layout;

impl network::Layout<HIDDEN> for Layout {
    const MAGIC: [u8; 8] = *b"cupc960\x03";
    const INPUTS: usize = INPUTS;
    const BUCKETS: usize = BUCKETS;
    const BUILT_IN: &'static [u8] = include_bytes!("network.bin");

    fn shared() -> &'static ReadOnce<Network> {
        static SHARED: ReadOnce<Network> = ReadOnce::new();
        &SHARED
    }

    fn code_rows(rows: &mut [Row], coder: &mut impl Coder) -> Result<(), NetworkError> {
        let mut models: Vec<_> = (0..MODELS).map(|_| IntegerModel::new()).collect();
        for input in 0..INPUTS {
            for neuron in 0..HIDDEN {
                let predicted = predicted_weight(rows, input, neuron);
                // Larger weights have larger differences.
                let model = &mut models[(predicted.unsigned_abs() as usize).min(MODELS - 1)];
                let weight = &mut rows[input].0[neuron];
                let steps = i32::from(*weight) / WEIGHT_STEP;
                let steps = coder.number(model, steps, predicted, MAX_WEIGHT / WEIGHT_STEP)?;
                *weight = (steps * WEIGHT_STEP) as i8;
            }
        }
        Ok(())
    }

    fn code_outputs(
        outputs: &mut [OutputRow<HIDDEN>],
        coder: &mut impl Coder,
    ) -> Result<(), NetworkError> {
        let model = &mut IntegerModel::new();
        for weight in outputs.iter_mut().flatten().flat_map(|view| view.0.iter_mut()) {
            *weight = coder.number(model, i32::from(*weight), 0, MAX_OUTPUT_WEIGHT)? as i16;
        }
        Ok(())
    }
}

/// Number of probability models of first-layer weights.
const MODELS: usize = 11;

/// Predicts a weight, in steps: the mean of the same neuron's weights for the same piece on the squares to the left and
/// below, which precede it in the file. Weights of adjacent squares are similar: this makes the file 14 % smaller.
#[inline(always)]
fn predicted_weight(rows: &[Row], input: usize, neuron: usize) -> i32 {
    let (file, rank) = (input % 8, input / 8 % 8);
    let is_left = file > 0;
    let is_below = rank > 0;
    let near = [(is_left, 1), (is_below, 8), (is_left && is_below, 9), (is_below && file < 7, 7)];
    let (mut sum, mut count) = (0, 0);
    for &(_, back) in near.iter().filter(|(exists, _)| *exists) {
        sum += i32::from(rows[input - back].0[neuron]) / WEIGHT_STEP;
        count += 1;
    }
    rounded_mean(sum, count)
}
