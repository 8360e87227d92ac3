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
pub mod depths;
pub mod files;
pub mod game;
pub mod games;
pub mod interrupt;
pub mod ledger;
pub mod look;
pub mod matches;
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
pub mod replay;
pub mod shard;
pub mod shard_progress;
pub mod stats;
pub mod studio;
pub mod style;
pub mod submit;
pub mod tournament;
pub mod training;
pub mod tune;
pub mod units;

mod chess960;
mod g6561;
mod zero_point_one;
mod zuniq;

#[cfg(test)]
mod toy;
