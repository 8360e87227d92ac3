//! The commands, each a module named as it is typed, with its `Args` and a `run`.

pub mod analyse;
pub mod bench;
#[cfg(feature = "board")]
pub mod board;
pub mod check;
pub mod games;
pub mod r#match;
#[cfg(feature = "lab")]
pub mod merge;
pub mod perft;
pub mod play;
#[cfg(feature = "lab")]
pub mod progress;
pub mod random_mover;
pub mod referee;
#[cfg(feature = "board")]
pub mod replay;
#[cfg(feature = "submit")]
pub mod submit;
#[cfg(feature = "lab")]
pub mod tournament;
