//! What only Zero Point One has: its evaluation's training and the games for it, tuning, setups, tactics.

pub mod data;
pub mod evaluation;
pub mod openings;
pub mod selfplay;
pub mod setups;
pub mod tactics;
pub mod train;
pub mod tune;
