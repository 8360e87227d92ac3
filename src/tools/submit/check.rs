//! `cupbot submit --check`: compiles a submission as the contest does, plays a game with it, and sets
//! what it used against the judge's limits. What a running player uses is read from Linux's `/proc`.

mod watch;

use super::MOST_BYTES;
use crate::engine::clock::OFFICIAL_BUDGET;
use crate::games::{zero_point_one, zuniq, GameId};
use crate::tools::arena::contest::Contest;
use crate::tools::arena::process::{ProcessLimits, Program};
use crate::tools::arena::referee::{self, Played};
use crate::tools::arena::spec::Thinking;
use crate::tools::arena::Seat;
use crate::tools::rules::Side;
use anyhow::{ensure, Context, Result};
use serde::Serialize;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use watch::Watch;

/// How `--check` compiles and plays
#[derive(clap::Args)]
#[command(next_help_heading = "Options of --check")]
pub struct Conditions {
    /// The compiler
    #[arg(long, value_name = "PATH", default_value = "rustc", requires = "check")]
    rustc: OsString,
    /// The budget of the game in milliseconds
    #[arg(long, value_name = "MS", default_value_t = OFFICIAL_BUDGET.as_millis() as u64,
          value_parser = clap::value_parser!(u64).range(1..), requires = "check")]
    time: u64,
    /// Begin: play Red or White, not Blue or Black
    #[arg(long, visible_aliases = ["red", "white"], requires = "check")]
    first: bool,
    /// Print the report as JSON
    #[arg(long, requires = "check")]
    json: bool,
}

/// The longest time that compiling may take.
const COMPILE_TIME: Duration = Duration::from_secs(300);
/// The address space that the player gets: the judge's 2 GB. In units of `ulimit -v`, KiB.
const MEMORY_KIB: u64 = 2_000_000_000 / 1024;
/// The threads that may run.
const THREADS: u64 = 1;
/// The characters of the log that the judge keeps.
const LOG_CHARACTERS: u64 = 10_000;
/// Lines longer than this are trouble in editors and web forms.
const LINE_CHARACTERS: usize = 200;

/// What a submission used of one limit.
#[derive(Serialize)]
struct Finding {
    limit: &'static str,
    /// The figure reached and what is allowed, in words.
    reached: String,
    kept: bool,
}

impl Finding {
    fn new(limit: &'static str, kept: bool, reached: String) -> Finding {
        Finding { limit, reached, kept }
    }

    fn at_most(limit: &'static str, used: u64, most: u64, unit: &str) -> Finding {
        Finding::new(limit, used <= most, format!("{used} of {most} {unit}"))
    }
}

/// Checks a submission of a game and prints the report. Exit status 1: a limit is broken.
pub fn run(file: &Path, game: GameId, conditions: &Conditions) -> Result<ExitCode> {
    let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let folder = tempfile::tempdir().context("making a folder to compile in")?;
    let mut findings = text_findings(&bytes);
    findings.push(compile(&bytes, folder.path(), conditions)?);
    if folder.path().join("player").exists() {
        eprintln!("compiled; playing a game of {} s", conditions.time as f64 / 1000.0);
        findings.extend(match game {
            GameId::ZeroPointOne => play::<zero_point_one::game::Game>(folder.path(), conditions)?,
            GameId::Zuniq => play::<zuniq::game::Game>(folder.path(), conditions)?,
        });
    }
    if conditions.json {
        say!("{}", serde_json::to_string_pretty(&findings)?)?;
    } else {
        for Finding { limit, reached, kept } in &findings {
            say!("{} {limit:9} {reached}", if *kept { "ok    " } else { "BROKEN" })?;
        }
    }
    let kept = findings.iter().all(|finding| finding.kept);
    Ok(if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The file as a text.
fn text_findings(bytes: &[u8]) -> Vec<Finding> {
    let text = String::from_utf8_lossy(bytes);
    let valid = std::str::from_utf8(bytes).is_ok();
    let odd = text.chars().filter(|c| c.is_control() && *c != '\n').count();
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    vec![
        Finding::at_most("size", bytes.len() as u64, MOST_BYTES as u64, "bytes"),
        Finding::new(
            "text",
            valid && odd == 0 && longest <= LINE_CHARACTERS,
            format!(
                "{} UTF-8, {odd} control characters but line ends, longest line {longest} of \
                 {LINE_CHARACTERS} characters",
                if valid { "valid" } else { "broken" }
            ),
        ),
    ]
}

/// Compiles as the contest does, to `player` in `folder`. An error where there is no compiler.
fn compile(bytes: &[u8], folder: &Path, conditions: &Conditions) -> Result<Finding> {
    let rustc = || {
        let mut command = Command::new(&conditions.rustc);
        command.current_dir(folder);
        command
    };
    let compiler = || format!("running {}", conditions.rustc.to_string_lossy());
    let version = rustc().arg("--version").output().with_context(compiler)?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_string();
    fs::write(folder.join("player.rs"), bytes).context("copying the submission")?;
    let started = Instant::now();
    let arguments = ["-O", "--edition", "2021", "player.rs"];
    let output = rustc().args(arguments).output().with_context(compiler)?;
    let seconds = started.elapsed();
    let messages = String::from_utf8_lossy(&output.stderr);
    let warnings = messages.lines().filter(|line| line.starts_with("warning")).count();
    let failure = messages.lines().find(|line| line.starts_with("error"));
    Ok(Finding::new(
        "compiling",
        output.status.success() && warnings == 0 && seconds <= COMPILE_TIME,
        format!(
            "{:.1} of {} s, {warnings} warnings, {version}{}",
            seconds.as_secs_f64(),
            COMPILE_TIME.as_secs(),
            failure.map_or(String::new(), |line| format!(", {line}"))
        ),
    ))
}

/// Plays a game with the program `player` in `folder` and measures it.
fn play<G: Contest>(folder: &Path, conditions: &Conditions) -> Result<Vec<Finding>> {
    let budget = Duration::from_millis(conditions.time);
    let side = if conditions.first { Side::First } else { Side::Second };
    let limits = ProcessLimits::of(budget, budget != OFFICIAL_BUDGET);
    let (program, log) = (folder.join("player"), folder.join("log"));
    // The shell sets the limit and becomes the player.
    let command =
        format!("ulimit -v {MEMORY_KIB} && exec {} 2>{}", quoted(&program)?, quoted(&log)?);
    let mut player = Program::start(&command, side, limits).context("starting the player")?;
    let watch = Watch::start(player.id());
    let mut opponent = G::sit(&G::read_spec(G::SPARRING, Thinking::default())?);
    let seats: [&mut dyn Seat<G>; 2] = match side {
        Side::First => [&mut player, opponent.as_mut()],
        Side::Second => [opponent.as_mut(), &mut player],
    };
    let played = referee::play(seats, &G::default());
    let peak = watch.stop();
    ensure!(peak.samples > 0, "can't read /proc, which shows what a process uses: Linux is needed");
    let log = String::from_utf8_lossy(&fs::read(log).context("reading the log")?).into_owned();
    let seconds = played.usage[side.index()].cpu.as_secs_f64();
    let quit = &played.endings[side.index()].complaint;
    Ok(vec![
        game_finding(&played, side, &log),
        Finding::new(
            "CPU time",
            seconds <= budget.as_secs_f64(),
            format!("{seconds:.2} of {} s", budget.as_secs_f64()),
        ),
        Finding::new(
            "memory",
            peak.address_space_kib <= MEMORY_KIB,
            format!(
                "{} of {} MiB of address space (limited by ulimit), {} MiB resident",
                peak.address_space_kib / 1024,
                MEMORY_KIB / 1024,
                peak.resident_kib / 1024
            ),
        ),
        Finding::at_most("threads", peak.threads, THREADS, "at any of the moments looked at"),
        Finding::at_most("log", log.chars().count() as u64, LOG_CHARACTERS, "characters on stderr"),
        Finding::new(
            "Quit",
            quit.is_none(),
            quit.clone().unwrap_or_else(|| "exit status 0".to_string()),
        ),
    ])
}

/// How the game went. A win by a fault of the opponent, which is ours, would be no proof either.
fn game_finding<G: Contest>(played: &Played<G>, side: Side, log: &str) -> Finding {
    let mut text = format!("{} moves as {}, ", played.game.ply(), G::side_name(side));
    match &played.fault {
        None => {
            let won = |winner| format!("{} won", G::side_name(winner));
            text += &played.winner.map_or("a draw".to_string(), won);
        }
        Some(fault) => {
            let last_words = log.lines().last().unwrap_or_default();
            text += &format!("{}: {}; last on stderr: ", fault.kind.name(), fault.detail);
            text += last_words;
        }
    }
    Finding::new("game", played.fault.is_none(), text)
}

/// A path as a word of the shell.
fn quoted(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(format!("'{}'", text.replace('\'', "'\\''")))
}
