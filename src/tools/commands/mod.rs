//! Subcommands: each is a module of the same name with `Args` and `run`.

pub mod analyse;
pub mod bench;
pub mod board;
pub mod check;
pub mod games;
pub mod r#match;
pub mod merge;
pub mod perft;
pub mod play;
pub mod random_mover;
pub mod referee;
pub mod replay;
pub mod submit;
pub mod tournament;
