//! The lab: everything around the players. Never part of a submission. Each command is a module with
//! its `Args` and a `run`.

/// `println!` that gives an error to the caller instead of a panic: whoever reads may have gone.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write;
        writeln!(std::io::stdout(), $($part)*)
    }};
}

/// [`say`] without the end of the line.
macro_rules! say_part {
    ($($part:tt)*) => {{
        use std::io::Write;
        write!(std::io::stdout(), $($part)*)
    }};
}

/// [`say_part`] for a text with styles, see [`style`]: those are left out where `--color` says so.
macro_rules! show {
    ($($part:tt)*) => {{
        use std::io::Write;
        write!(anstream::stdout(), $($part)*)
    }};
}

pub mod analyse;
pub mod arena;
pub mod bench;
pub mod by_hand;
pub mod check;
pub mod clock;
#[cfg(feature = "lab")]
pub mod depths;
pub mod files;
pub mod game;
pub mod games;
pub mod interrupt;
#[cfg(feature = "lab")]
pub mod ledger;
#[cfg(feature = "board")]
pub mod look;
pub mod matches;
#[cfg(feature = "lab")]
pub mod merge;
pub mod path;
pub mod perft;
pub mod play;
pub mod progress;
mod random;
pub mod random_mover;
pub mod reaper;
pub mod record;
pub mod referee;
pub mod registry;
#[cfg(feature = "board")]
pub mod replay;
pub mod shard;
#[cfg(feature = "lab")]
pub mod shard_progress;
pub mod stats;
#[cfg(feature = "board")]
pub mod studio;
pub mod style;
#[cfg(feature = "submit")]
pub mod submit;
pub mod text;
#[cfg(feature = "lab")]
pub mod tournament;
#[cfg(feature = "lab")]
pub mod training;
#[cfg(feature = "lab")]
pub mod tune;
pub mod units;

mod chess960;
mod g6561;
mod zero_point_one;
mod zuniq;

// It goes over all commands.
#[cfg(all(test, feature = "full"))]
mod toy;
