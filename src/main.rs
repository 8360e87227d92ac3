//! cupbot: competition bots in one binary. See `cupbot --help`.

// But for engine/sys.
#![deny(unsafe_code)]
// What only the commands of a feature use is dead in a build without it. A full build shows what is dead.
#![cfg_attr(not(feature = "full"), allow(dead_code))]

mod cli;
// The playing core must compile with the judge's old compiler.
#[clippy::msrv = "1.63"]
mod engine;
#[clippy::msrv = "1.63"]
mod games;
#[cfg(test)]
mod mutated;
mod tools;

use std::io::{self, Write};
use std::process::ExitCode;

/// What a shell shows of a program that a broken pipe ended: 128 and the number of SIGPIPE.
const EXIT_BROKEN_PIPE: u8 = 141;

fn main() -> ExitCode {
    // The clock charges the start-up too.
    let clock = engine::clock::Clock::start(tools::labs::registry::main_game().contest.time);
    let ended = cli::run(clock);
    tools::support::reaper::finish();
    match ended {
        Ok(code) => code,
        // Whoever reads has enough, as `head` has: nothing to complain of.
        Err(error) if is_broken_pipe(&error) => ExitCode::from(EXIT_BROKEN_PIPE),
        Err(error) => {
            // Unlike `eprintln!`, this does not panic where nobody takes the message.
            let _ = writeln!(
                io::stderr(),
                "cupbot: {}",
                tools::support::text::tame(&format!("{error:#}"))
            );
            ExitCode::from(cli::EXIT_USAGE)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
