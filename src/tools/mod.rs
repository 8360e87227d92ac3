//! The lab: everything around the players. Never part of a submission.
//!
//! Arrows point one way: `commands` -> `labs` -> `training` -> `arena` -> `contracts` -> `support`.

// `eprintln!` panics where nobody takes its line: see `tell`.
#![deny(clippy::print_stderr)]

/// `println!` that gives an error to the caller instead of a panic: whoever reads may have gone.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write;
        writeln!(std::io::stdout(), $($part)*)
    }};
}

/// `eprintln!` that goes on where nobody takes the line: no long job must end because its terminal has gone.
macro_rules! tell {
    ($($part:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}

/// [`say`] without the end of the line.
macro_rules! say_part {
    ($($part:tt)*) => {{
        use std::io::Write;
        write!(std::io::stdout(), $($part)*)
    }};
}

/// [`say_part`] for a text with styles, see [`support::style`]: those are left out where `--color` says so.
macro_rules! show {
    ($($part:tt)*) => {{
        use std::io::Write;
        write!(anstream::stdout(), $($part)*)
    }};
}

pub mod arena;
pub mod commands;
pub mod contracts;
pub mod labs;
pub mod support;
pub mod training;
