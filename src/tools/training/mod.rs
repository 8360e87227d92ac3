//! Network training, shared by all games: self-play, samples and their targets, the optimiser, epochs, checkpoints, and
//! SPSA tuning of search parameters.

mod adam;
pub mod checkpoint;
pub mod game_file;
mod in_order;
pub mod layers;
pub mod report;
pub mod run;
pub mod samples;
mod schedule;
pub mod selfplay;
pub mod store;
pub mod targets;
mod threads;
pub mod training_game;
pub mod tune;

pub use adam::{Adam, Step};
pub use schedule::Schedule;
pub use threads::{on_threads, sum_over_parts};

use anyhow::{ensure, Result};

/// Fails if a weight is infinite or NaN, so that no network is made of such weights.
pub fn ensure_finite<'a>(weights: impl IntoIterator<Item = &'a f32>) -> Result<()> {
    let finite = weights.into_iter().all(|weight| weight.is_finite());
    ensure!(
        finite,
        "some weights are infinite or NaN: lower the learning rate or the weight decay"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_are_not_finite_are_rejected() {
        assert!(ensure_finite(&[0.0, f32::MAX, -1.0]).is_ok());
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let error = ensure_finite(&[0.0, bad]).expect_err("not finite");
            assert!(error.to_string().contains("infinite or NaN"), "{error}");
        }
    }
}
