//! Game-independent parts of a contest player: judge protocols, the clock, the transposition table, network files,
//! scores and random numbers.

pub mod accumulator;
pub mod alpha_beta;
pub mod bench;
pub mod budget;
pub mod cache_lines;
pub mod clock;
pub mod contest;
pub mod correction;
pub mod dialogue;
pub mod embedded;
pub mod evaluator;
pub mod interrupt;
pub mod math;
pub mod network;
pub mod network_file;
pub mod params;
pub mod pipes;
pub mod range_coder;
pub mod rng;
pub mod score;
pub mod square_set;
pub mod sys;
pub mod table;

use std::panic::{catch_unwind, AssertUnwindSafe};

/// Runs work whose panic must not end the process. Returns `None` if it panics; what it has changed may be inconsistent
/// then.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
