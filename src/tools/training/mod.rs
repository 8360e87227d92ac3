//! What the training of every network needs: games of self-play, samples of them with their targets, the optimiser,
//! epochs and checkpoints.

mod adam;
pub mod checkpoint;
mod in_order;
pub mod run;
pub mod samples;
mod schedule;
pub mod selfplay;
pub mod store;
pub mod targets;
mod threads;
pub mod tune;

pub use adam::{Adam, Step};
pub use schedule::Schedule;
pub use threads::{on_threads, sum_over_parts};

use anyhow::{ensure, Result};

/// Fails where a weight is infinite or no number at all: such weights must not become a network.
pub fn ensure_finite<'a>(weights: impl IntoIterator<Item = &'a f32>) -> Result<()> {
    let finite = weights.into_iter().all(|weight| weight.is_finite());
    ensure!(
        finite,
        "the weights are no longer numbers: the learning rate or the decay is too high"
    );
    Ok(())
}
