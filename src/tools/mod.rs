//! The tools around the players. Never part of a submission.
//!
//! Imports point one way: `commands` -> `labs` -> `training` -> `arena` -> `contracts` -> `support`.

// `eprintln!` panics if stderr is closed: use `tell`.
#![deny(clippy::print_stderr)]

/// Like `println!`, but returns an error instead of a panic: the reader may have gone.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write;
        writeln!(std::io::stdout(), $($part)*)
    }};
}

/// Prints a line: JSON if requested, otherwise a text as [`say`] does.
macro_rules! say_as {
    ($is_json:expr, $json:expr, $($part:tt)*) => {
        if $is_json { say!("{}", $json) } else { say!($($part)*) }
    };
}

/// Like `eprintln!`, but ignores errors: a long job must not end because its terminal was closed.
macro_rules! tell {
    ($($part:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}

/// Like [`say`], without a newline.
macro_rules! say_part {
    ($($part:tt)*) => {{
        use std::io::Write;
        write!(std::io::stdout(), $($part)*)
    }};
}

/// Like [`say_part`], for styled text (see [`support::style`]): `--color` decides whether styles are kept.
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
