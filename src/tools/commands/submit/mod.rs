//! `cupbot submit`: writes a player as a single source file, as contests require, and checks that such a file keeps the
//! contest's limits.

#[cfg(test)]
mod arrayvec_stand_in;
mod bundle;
mod literals;
mod minify;
mod verify;

use crate::engine::contest::SourceLimit;
use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry::{self, GAMES};
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{self, ensure_replaceable, replace_atomically, Named};
use crate::tools::support::text::shown_name;
use anyhow::{ensure, Context, Result};
use bundle::Form;
use clap::builder::TypedValueParser;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write a player as a single self-contained source file
#[derive(clap::Args)]
pub struct Args {
    /// Game of the player (see --list); with --check [default: the game named in the file's header]
    #[arg(required_unless_present_any = ["list", "check"], value_parser = registry::parser().map(|game| Submission { game }))]
    game: Option<Submission>,
    /// Output file (default: stdout)
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputFile>,
    /// List the games and exit
    #[arg(long, conflicts_with_all = ["game", "output", "check"])]
    list: bool,
    /// Compile FILE, play a game under the contest's limits and report the usage of each; exit status 1 if it breaks a
    /// limit
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,
    #[command(flatten)]
    conditions: verify::Conditions,
}

/// Sources of the playing core, by path below `src`.
const CORE: bundle::Sources = include!(concat!(env!("OUT_DIR"), "/core_sources.rs"));
/// Version of cupbot and commit of its playing core.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("CUPBOT_COMMIT"), ")");

/// A submittable player.
#[derive(Clone)]
struct Submission {
    game: &'static Entry,
}

/// Module that replaces the crate `arrayvec`, the only dependency of the core.
const STAND_IN: bundle::Sources =
    &[("arrayvec_stand_in.rs", include_bytes!("arrayvec_stand_in.rs"))];

/// Template of the code around the core, with `main`. [`MAIN_MODULE`] is replaced by the game's module.
const MAIN: &str = include_str!("main_template.rs");
/// The beginning of the command in a submission's header.
const MADE_BY: &str = "Made by `cupbot submit ";
/// Placeholder for the game's module in [`MAIN`].
const MAIN_MODULE: &str = "GAME";

/// Writes, lists or checks submissions.
pub fn run(args: Args) -> Result<ExitCode> {
    let named = args.game;
    if let Some(file) = &args.check {
        let submission = named.map_or_else(|| submission_of(file), Ok)?;
        return verify::run(file, submission.game, &args.conditions);
    }
    ctrl_c::start_over();
    let Some(submission) = named else {
        for game in GAMES {
            say!("{:16} {}, {}", game.rules.name, game.rules.title, game.contest.name)?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(path) = args.output.as_deref() {
        let folder = files::folder_of(path);
        ensure!(folder.is_dir(), "writing {}: no such folder", shown_name(path));
        ensure_submission(path)?;
        ensure_replaceable(path)?;
    }
    let text = submission.source()?;
    match &args.output {
        Some(path) => replace_atomically(path, text.as_bytes())?,
        None => io::stdout().write_all(text.as_bytes()).context("writing the submission")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails if the file exists and is not a submission, e.g. a source file of a bot.
fn ensure_submission(path: &Path) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let bytes = files::read(path).named("reading", path)?;
    ensure!(
        bytes.is_empty() || String::from_utf8_lossy(&bytes).contains(MADE_BY),
        "{} exists but is not a submission: choose another name",
        shown_name(path)
    );
    Ok(())
}

/// Returns the submission named by the command in a file's header, or the main game's if the header names none.
fn submission_of(file: &Path) -> Result<Submission> {
    let bytes = files::read(file).named("reading", file)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut submissions = GAMES.iter().map(|game| Submission { game });
    let named = submissions.find(|submission| text.contains(&submission.command()));
    Ok(named.unwrap_or(Submission { game: registry::main_game() }))
}

/// Fails if the file is larger than the contest allows.
fn ensure_size(source: &str, limit: SourceLimit) -> Result<()> {
    let ((size, limit), unit) = (limit.measure(source), limit.unit());
    ensure!(
        size <= limit,
        "the file has {size} {unit}, {} more than the {limit} allowed: reduce its data, e.g. the network",
        size.saturating_sub(limit)
    );
    Ok(())
}

impl Submission {
    /// Returns the source file. Fails if it is larger than the contest allows.
    fn source(&self) -> Result<String> {
        let code = self.code()?;
        if self.form() == Form::Dense {
            let code = minify::minify(&code)?;
            let size = |count| (self.short_header(count) + &code).chars().count();
            let text = self.short_header(size(size(0))) + &code;
            ensure_size(&text, self.game.contest.source)?;
            return Ok(text);
        }
        // The header contains the size of the file, including its own digits.
        let guess = self.header(code.len()).len() + code.len();
        let text = self.header(self.header(guess).len() + code.len()) + &code;
        ensure_size(&text, self.game.contest.source)?;
        Ok(text)
    }

    /// Returns the command that creates the file, as stated in its header.
    fn command(&self) -> String {
        format!("{MADE_BY}{}`", self.game.rules.name)
    }

    /// Returns the form of the data: dense if the contest counts characters instead of bytes.
    fn form(&self) -> Form {
        match self.game.contest.source {
            SourceLimit::Bytes(_) => Form::Ascii,
            SourceLimit::Characters(_) => Form::Dense,
        }
    }

    fn short_header(&self, size: usize) -> String {
        let (title, contest, command) =
            (self.game.rules.title, self.game.contest.name, self.command());
        let licence = env!("CARGO_PKG_LICENSE");
        format!(
            "\
//! {title}, {contest}: a player in one file. cupbot {VERSION}, {size} characters. Licence: {licence}; no third-party
//! code. {command}: the playing core without comments, tests and unused code, with short names. `$x` stands for a token
//! in the macro call at the end. Compile: rustc -O --edition 2021 FILE.
#![allow(warnings)]
"
        )
    }

    fn header(&self, size: usize) -> String {
        let (title, contest, command) =
            (self.game.rules.title, self.game.contest.name, self.command());
        let licence = env!("CARGO_PKG_LICENSE");
        format!(
            "\
//! {title}, {contest}: a player in one file. cupbot {VERSION}, {size} bytes.
//!
//! Compile: rustc -O --edition 2021 FILE (1.63 or newer). Without arguments it speaks the judge's protocol on stdin and
//! stdout; `bench` runs a benchmark; `nodes N` plays N nodes per move.
//!
//! {command}. Each source file of the playing core is a module with the same name and content, without tests. Data
//! files are literals, binary ones in base 85 (see engine::embedded). Only the standard library is used.
//!
//! Licence: {licence}, as all of cupbot; no third-party code.

// Some of the core's code is used only by tools that are not in this file.
#![allow(dead_code, unused_imports, unused_macros)]

"
        )
    }

    /// Returns the code below the header.
    fn code(&self) -> Result<String> {
        let engine = bundle::indented(&bundle::bundle(CORE, "engine/mod.rs", self.form())?)?;
        let module = self.game.rules.id;
        let root = format!("games/{module}/mod.rs");
        let game = bundle::indented(&bundle::bundle(CORE, &root, self.form())?)?;
        let game = bundle::indented(&format!("pub mod {module} {{\n{game}}}\n"))?;
        let main = MAIN.replace(MAIN_MODULE, module);
        let stand_in = bundle::indented(&bundle::bundle(STAND_IN, STAND_IN[0].0, self.form())?)?;
        Ok(format!(
            "const VERSION: &str = {VERSION:?};\n\n{main}\nmod engine {{\n{engine}}}\n\n\
             mod games {{\n{game}}}\n\n\
             // This file replaces the crate `arrayvec`.\n\
             extern crate self as arrayvec;\n#[allow(unused_imports)]\nuse arrayvec_stand_in::ArrayVec;\n\n\
             mod arrayvec_stand_in {{\n{stand_in}}}\n"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oversized_file_is_rejected_with_its_size() {
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
