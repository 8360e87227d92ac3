//! `cupbot submit`: a player in one source file, as a contest takes it, and the proof that such a file
//! keeps the contest's limits.

#[cfg(test)]
mod arrayvec_stand_in;
mod bundle;
mod literals;
mod minify;
mod verify;

use crate::engine::contest::SourceLimit;
use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry::{self, GAMES};
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{self, ensure_replaceable, replace_atomically};
use anyhow::{ensure, Context, Result};
use bundle::Form;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write a player as one source file that compiles alone
#[derive(clap::Args)]
pub struct Args {
    /// The game to play (see --list); with --check, which game the file plays [default: what it says
    /// itself]
    #[arg(required_unless_present_any = ["list", "check"], value_parser = find)]
    game: Option<Submission>,
    /// Write to this file instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputFile>,
    /// List the games
    #[arg(long, conflicts_with_all = ["game", "output", "check"])]
    list: bool,
    /// Compile this file, play a whole game with it under the judge's limits and report what it used
    /// of each; exit status 1 where it breaks one
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,
    #[command(flatten)]
    conditions: verify::Conditions,
}

/// The sources of the playing core by their path below `src`.
const CORE: bundle::Sources = include!(concat!(env!("OUT_DIR"), "/core_sources.rs"));
/// Cupbot's version and the commit of its playing core.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("CUPBOT_COMMIT"), ")");

/// A player that can be submitted: that of any game.
#[derive(Clone)]
struct Submission {
    game: &'static Entry,
}

/// The module that stands for the crate `arrayvec`, the only one that the core uses.
const STAND_IN: bundle::Sources =
    &[("arrayvec_stand_in.rs", include_bytes!("arrayvec_stand_in.rs"))];

/// The code around the core, with `main`; every game has what it uses of [`MAIN_MODULE`].
const MAIN: &str = include_str!("main_template.rs");
/// What stands for the game's module in [`MAIN`].
const MAIN_MODULE: &str = "GAME";

/// Writes, lists or checks submissions.
pub fn run(args: Args) -> Result<ExitCode> {
    let named = args.game;
    if let Some(file) = &args.check {
        let submission = named.map_or_else(|| named_in(file), Ok)?;
        return verify::run(file, submission.game, &args.conditions);
    }
    let Some(submission) = named else {
        for game in GAMES {
            say!("{:16} {}, {}", game.name, game.title, game.contest.name)?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    args.output.as_deref().map_or(Ok(()), ensure_replaceable)?;
    let text = submission.source()?;
    match &args.output {
        Some(path) => replace_atomically(path, text.as_bytes())?,
        None => io::stdout().write_all(text.as_bytes()).context("writing the submission")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The submission of this name.
fn find(name: &str) -> Result<Submission> {
    let found = registry::find(name).map(|game| Submission { game });
    found.with_context(|| format!("no game {name:?} to submit; `cupbot submit --list` shows them"))
}

/// The submission that a file says it is, by the command in its header; the first one where it says
/// nothing.
fn named_in(file: &Path) -> Result<Submission> {
    let bytes = files::read(file).with_context(|| format!("reading {}", file.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut submissions = GAMES.iter().map(|game| Submission { game });
    let named = submissions.find(|submission| text.contains(&submission.command()));
    Ok(named.unwrap_or(Submission { game: registry::main_game() }))
}

/// An error for a file larger than the contest allows.
fn ensure_size(source: &str, limit: SourceLimit) -> Result<()> {
    let ((size, limit), unit) = (limit.measure(source), limit.unit());
    ensure!(
        size <= limit,
        "the file has {size} {unit}, {} more than the {limit} allowed: make the data smaller",
        size.saturating_sub(limit)
    );
    Ok(())
}

impl Submission {
    /// The whole file. An error if it would be larger than the contest allows.
    fn source(&self) -> Result<String> {
        let code = self.code()?;
        if self.form() == Form::Dense {
            let code = minify::minified(&code)?;
            let size = |count| (self.short_header(count) + &code).chars().count();
            let text = self.short_header(size(size(0))) + &code;
            ensure_size(&text, self.game.contest.source)?;
            return Ok(text);
        }
        // The size is part of the header: its digits are counted first.
        let guess = self.header(code.len()).len() + code.len();
        let text = self.header(self.header(guess).len() + code.len()) + &code;
        ensure_size(&text, self.game.contest.source)?;
        Ok(text)
    }

    /// The command that makes the file, as its header states it.
    fn command(&self) -> String {
        format!("Made by `cupbot submit {}`", self.game.name)
    }

    /// A contest that counts characters gets a file of few of them.
    fn form(&self) -> Form {
        match self.game.contest.source {
            SourceLimit::Bytes(_) => Form::Ascii,
            SourceLimit::Characters(_) => Form::Dense,
        }
    }

    fn short_header(&self, size: usize) -> String {
        let (title, contest, command) = (self.game.title, self.game.contest.name, self.command());
        let licence = env!("CARGO_PKG_LICENSE");
        format!(
            "\
//! {title}, {contest}: a player in one file.
//! cupbot {VERSION}, {size} characters. Licence: {licence}; no code of others is included.
//! {command}: the sources of the playing core without comments, tests
//! and what is not needed, by short names. `$x` is a word after the program, in the macro's call.
//! Compile: rustc -O --edition 2021 FILE.
#![allow(warnings)]
"
        )
    }

    fn header(&self, size: usize) -> String {
        let (title, contest, command) = (self.game.title, self.game.contest.name, self.command());
        let licence = env!("CARGO_PKG_LICENSE");
        format!(
            "\
//! {title}, {contest}: a player in one file.
//! cupbot {VERSION}, {size} bytes.
//!
//! Compile: rustc -O --edition 2021 FILE (1.63 or newer). Run without arguments it speaks the judge's
//! protocol on stdin and stdout; `bench` measures it; `nodes N` plays by nodes instead of the clock.
//!
//! {command}. Each source file of the playing core is a module
//! here, of the same name and content but without its tests. Data files are literals; binary ones
//! stand in base 85 (see engine::embedded). Nothing but the standard library is used.
//!
//! Licence: {licence}, as all of cupbot; no code of others is included.

// The core also serves tools that are not in this file: what only they use is dead here.
#![allow(dead_code, unused_imports, unused_macros)]

"
        )
    }

    /// Everything below the header.
    fn code(&self) -> Result<String> {
        let engine = bundle::indented(&bundle::bundle(CORE, "engine/mod.rs", self.form())?)?;
        let module = self.game.id;
        let root = format!("games/{module}/mod.rs");
        let game = bundle::indented(&bundle::bundle(CORE, &root, self.form())?)?;
        let game = bundle::indented(&format!("pub mod {module} {{\n{game}}}\n"))?;
        let main = MAIN.replace(MAIN_MODULE, module);
        let stand_in = bundle::indented(&bundle::bundle(STAND_IN, STAND_IN[0].0, self.form())?)?;
        Ok(format!(
            "const VERSION: &str = {VERSION:?};\n\n{main}\nmod engine {{\n{engine}}}\n\n\
             mod games {{\n{game}}}\n\n\
             // Where the core names the crate `arrayvec`, it means this file.\n\
             extern crate self as arrayvec;\n#[allow(unused_imports)]\nuse arrayvec_stand_in::ArrayVec;\n\n\
             mod arrayvec_stand_in {{\n{stand_in}}}\n"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_said_with_the_numbers() {
        for (limit, unit) in
            [(SourceLimit::Bytes(100), "bytes"), (SourceLimit::Characters(100), "characters")]
        {
            assert!(ensure_size(&"x".repeat(100), limit).is_ok());
            let error = ensure_size(&"x".repeat(107), limit).unwrap_err().to_string();
            assert!(error.contains(&format!("107 {unit}, 7 more")), "{error}");
        }
        let umlauts = "ä".repeat(100);
        assert!(ensure_size(&umlauts, SourceLimit::Characters(100)).is_ok());
        assert!(ensure_size(&umlauts, SourceLimit::Bytes(100)).is_err());
    }
}
