//! The playing cores of the games that cupbot plays, one module a game. No game knows another.

pub mod chess960;
pub mod g6561;
pub mod zero_point_one;
pub mod zuniq;
