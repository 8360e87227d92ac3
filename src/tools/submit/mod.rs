//! `cupbot submit`: a player in one source file, as a contest takes it, and the proof that such a file
//! keeps the contest's limits.

mod bundle;
mod check;
mod literals;

use anyhow::{bail, ensure, Context, Result};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a player as one source file that compiles alone
#[derive(clap::Args)]
pub struct Args {
    /// The game to play (see --list)
    #[arg(required_unless_present_any = ["list", "check"])]
    game: Option<String>,
    /// Write to this file instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// List the games
    #[arg(long, conflicts_with_all = ["game", "output", "check"])]
    list: bool,
    /// Compile this file, play a whole Zero Point One game with it under the judge's limits and report
    /// what it used of each; exit status 1 where it breaks one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "output"])]
    check: Option<PathBuf>,
    #[command(flatten)]
    conditions: check::Conditions,
}

/// The largest file that the contest takes, in bytes.
const MOST_BYTES: usize = 1_474_560;
/// The sources of the playing core by their path below `src`.
const CORE: bundle::Sources = include!(concat!(env!("OUT_DIR"), "/core_sources.rs"));
/// Cupbot's version and the commit of its playing core.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("CUPBOT_COMMIT"), ")");

/// A player that can be submitted.
struct Submission {
    /// The name on the command line.
    name: &'static str,
    /// What it plays, in words.
    title: &'static str,
    /// The name of its module in `games`.
    module: &'static str,
}

/// The code around the core, with `main`; every game has what it uses of [`MAIN_MODULE`].
const MAIN: &str = include_str!("main_template.rs");
/// The game that [`MAIN`] is written for.
const MAIN_MODULE: &str = "zero_point_one";

const SUBMISSIONS: &[Submission] = &[
    Submission {
        name: "zero-point-one",
        title: "Zero Point One (0.1), CodeCup 2026",
        module: "zero_point_one",
    },
    Submission { name: "zuniq", title: "Zuniq, CodeCup 2021", module: "zuniq" },
];

/// Writes, lists or checks submissions.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(file) = &args.check {
        return check::run(file, &args.conditions);
    }
    let Some(name) = args.game else {
        for submission in SUBMISSIONS {
            println!("{:16} {}", submission.name, submission.title);
        }
        return Ok(ExitCode::SUCCESS);
    };
    let Some(submission) = SUBMISSIONS.iter().find(|submission| submission.name == name) else {
        bail!("no game {name:?} to submit; `cupbot submit --list` shows them");
    };
    let text = submission.source()?;
    match &args.output {
        Some(path) => {
            fs::write(path, &text).with_context(|| format!("writing {}", path.display()))?
        }
        None => io::stdout().write_all(text.as_bytes()).context("writing the submission")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// An error for a file larger than the contest allows.
fn ensure_size(size: usize) -> Result<()> {
    ensure!(
        size <= MOST_BYTES,
        "the file has {size} bytes, {} more than the {MOST_BYTES} allowed: make the data smaller",
        size.saturating_sub(MOST_BYTES)
    );
    Ok(())
}

impl Submission {
    /// The whole file. An error if it would be larger than the contest allows.
    fn source(&self) -> Result<String> {
        let code = self.code()?;
        // The size is part of the header: its digits are counted first.
        let guess = self.header(code.len()).len() + code.len();
        let text = self.header(self.header(guess).len() + code.len()) + &code;
        ensure_size(text.len())?;
        Ok(text)
    }

    fn header(&self, size: usize) -> String {
        let Submission { name, title, .. } = self;
        let licence = env!("CARGO_PKG_LICENSE");
        format!(
            "\
//! {title}: a player in one file.
//! cupbot {VERSION}, {size} bytes.
//!
//! Compile: rustc -O --edition 2021 FILE (1.63 or newer). Run without arguments it speaks the judge's
//! dialogue on stdin and stdout; `bench` measures it; `nodes N` plays by nodes instead of the clock.
//!
//! Made by `cupbot submit {name}`. Each source file of the playing core is a module
//! here, of the same name and content but without its tests. Data files are literals; binary ones
//! stand in base 85 (see engine::embedded). Nothing but the standard library is used.
//!
//! Licence: {licence}, as all of cupbot; no code of others is included.

// The core also serves tools that are not in this file: what only they use is dead here.
#![allow(dead_code)]

"
        )
    }

    /// Everything below the header.
    fn code(&self) -> Result<String> {
        let engine = bundle::indented(&bundle::bundle(CORE, "engine/mod.rs")?)?;
        let root = format!("games/{}/mod.rs", self.module);
        let game = bundle::indented(&bundle::bundle(CORE, &root)?)?;
        let game = bundle::indented(&format!("pub mod {} {{\n{game}}}\n", self.module))?;
        let main = MAIN.replace(MAIN_MODULE, self.module);
        Ok(format!(
            "const VERSION: &str = {VERSION:?};\n\n{main}\nmod engine {{\n{engine}}}\n\n\
             mod games {{\n{game}}}\n"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_said_with_the_numbers() {
        assert!(ensure_size(MOST_BYTES).is_ok());
        let error = ensure_size(MOST_BYTES + 7).unwrap_err().to_string();
        assert!(error.contains("1474567 bytes, 7 more"), "{error}");
    }
}
