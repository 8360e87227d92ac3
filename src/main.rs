//! cupbot: competition bots in one binary. See `cupbot --help`.

mod cli;
mod engine;
mod games;
mod tools;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The clock charges the start-up too.
    let clock = engine::clock::Clock::start();
    match cli::run(clock) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("cupbot: {error:#}");
            ExitCode::from(cli::EXIT_USAGE)
        }
    }
}
