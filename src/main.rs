//! cupbot: competition bots in one binary. See `cupbot --help`.

mod cli;
// The playing core must compile with the judge's old compiler.
#[clippy::msrv = "1.63"]
mod engine;
#[clippy::msrv = "1.63"]
mod games;
mod tools;

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // The clock charges the start-up too.
    let clock = engine::clock::Clock::start();
    match cli::run(clock) {
        Ok(code) => code,
        Err(error) => {
            // Unlike `eprintln!`, this does not panic where nobody takes the message.
            let _ = writeln!(io::stderr(), "cupbot: {error:#}");
            ExitCode::from(cli::EXIT_USAGE)
        }
    }
}
