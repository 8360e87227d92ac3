//! What every contest player needs, whatever its game and contest: dialogues with judges, the
//! clock, the transposition table, networks' files, scores and random numbers. Nothing here knows a
//! game.

pub mod accumulator;
pub mod bench;
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
pub mod search;
pub mod sys;
pub mod table;
