//! cupbot: competition bots in one binary. See `cupbot --help`.

// `unsafe` is allowed only in engine/sys.
#![deny(unsafe_code)]

mod cli;
// The playing core must compile with the judge's old compiler.
#[clippy::msrv = "1.63"]
mod engine;
#[cfg(test)]
mod fuzz;
#[clippy::msrv = "1.63"]
mod games;
mod tools;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use tools::support::text::{error_text, sanitize};

/// Exit status after a broken pipe: 128 plus the number of SIGPIPE, as shells report it.
const EXIT_BROKEN_PIPE: u8 = 141;

fn main() -> ExitCode {
    // Start-up time is charged too.
    let clock = engine::clock::Clock::start(tools::labs::registry::main_game().contest.time);
    // A write beyond the limit of file sizes (`ulimit -f`) is then an error, as on a full disk.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let ended = cli::run(clock).and_then(|code| {
        io::stdout().flush()?;
        Ok(code)
    });
    tools::arena::children::end_all();
    match ended {
        Ok(code) => code,
        // The reader, e.g. `head`, has closed the pipe: not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::from(EXIT_BROKEN_PIPE),
        Err(error) => {
            // Unlike `eprintln!`, this does not panic if stderr is closed.
            let _ = writeln!(io::stderr(), "cupbot: {}", sanitize(&error_text(&error)));
            ExitCode::from(cli::EXIT_USAGE)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
