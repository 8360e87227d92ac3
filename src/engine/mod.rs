//! What every contest player needs, whatever its game and contest: dialogues with judges, the
//! clock, the transposition table, networks' files, scores and random numbers. Nothing here knows a
//! game.

pub mod bench;
pub mod clock;
pub mod coder;
pub mod contest;
pub mod dialogue;
pub mod elementary;
pub mod embedded;
pub mod interrupt;
pub mod kernels;
pub mod lines;
pub mod network_file;
pub mod params;
pub mod pipes;
pub mod rng;
pub mod score;
pub mod system;
pub mod table;
