//! The network: shape and file layout.
//!
//! 9,176 inputs per perspective -> 128 neurons per perspective -> squared clipped ReLU -> 1 of 64 outputs. First-layer
//! weights are multiples of 1/127, output weights of 1/128.

use super::features::{BUCKETS, FIRST_THREAT, INPUTS, INPUTS_PER_WAZIR, THREATS, WAZIR_SQUARES};
use crate::engine::interrupt;
use crate::engine::network::{self, OutputRow, MAX_OUTPUT_WEIGHT};
use crate::engine::network_file::{Coder, FamilyModel, NetworkError, ReadOnce};
use crate::engine::sys::rows;

/// Number of neurons of the first layer per perspective.
pub const HIDDEN: usize = 128;
/// Maximum magnitude of a first-layer weight, in units.
pub const MAX_WEIGHT: i32 = 127;

/// Accumulator of one perspective.
pub type Sums = rows::Sums<HIDDEN>;
/// Weights of one input.
type Row = rows::Row<HIDDEN>;
/// The network.
pub type Network = network::Network<Layout, HIDDEN>;

/// The file layout. The weights of an input are followed by those of the same input for the other wazir squares, which
/// are similar. Output weights are ordered by bucket for the same reason.
#[derive(Clone)]
pub struct Layout;

impl network::Layout<HIDDEN> for Layout {
    const MAGIC: [u8; 8] = *b"cupnet\x00\x02";
    const INPUTS: usize = INPUTS;
    const BUCKETS: usize = BUCKETS;
    const BUILT_IN: &'static [u8] = include_bytes!("network.bin");

    fn shared() -> &'static ReadOnce<Network> {
        static SHARED: ReadOnce<Network> = ReadOnce::new();
        &SHARED
    }

    fn code_rows(rows: &mut [Row], coder: &mut impl Coder) -> Result<(), NetworkError> {
        for (first, inputs, versions) in BLOCKS {
            let mut model = FamilyModel::new(versions);
            for input in first..first + inputs {
                interrupt::poll();
                for neuron in 0..HIDDEN {
                    for version in 0..versions {
                        let weight = &mut rows[version * inputs + input].0[neuron];
                        *weight = model.code(coder, i32::from(*weight), MAX_WEIGHT)? as i8;
                    }
                }
            }
        }
        Ok(())
    }

    fn code_outputs(
        outputs: &mut [OutputRow<HIDDEN>],
        coder: &mut impl Coder,
    ) -> Result<(), NetworkError> {
        let mut model = FamilyModel::new(BUCKETS);
        for perspective in 0..2 {
            for neuron in 0..HIDDEN {
                for output in outputs.iter_mut() {
                    let weight = &mut output[perspective].0[neuron];
                    *weight = model.code(coder, i32::from(*weight), MAX_OUTPUT_WEIGHT)? as i16;
                }
            }
        }
        Ok(())
    }
}

/// Blocks of first-layer weights in the file: index of the first input, number of inputs, and number of versions of
/// each input. Piece inputs have one version per wazir square.
const BLOCKS: [(usize, usize, usize); 2] =
    [(0, INPUTS_PER_WAZIR, WAZIR_SQUARES), (FIRST_THREAT, THREATS, 1)];
