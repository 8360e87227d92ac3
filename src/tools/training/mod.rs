//! What the training of every network needs: games in order, the optimiser, the learning rate and threads.

mod adam;
mod in_order;
mod schedule;
mod threads;
pub mod tune;

pub use adam::{Adam, Step};
pub use in_order::play_in_order;
pub use schedule::Schedule;
pub use threads::on_threads;

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
