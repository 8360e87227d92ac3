//! What the training of every network needs: the optimiser, the learning rate and threads.

mod adam;
mod schedule;
mod threads;

pub use adam::{Adam, Step};
pub use schedule::Schedule;
pub use threads::on_threads;
