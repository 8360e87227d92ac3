//! `cupbot submit --check`: compiles a submission as the contest does, plays a game with it, and compares its resource
//! usage with the contest's limits. The usage of the running player is read from Linux's `/proc`.

mod bounded;
mod watch;

use crate::engine::clock::TimeControl;
use crate::engine::contest::Contest;
use crate::tools::arena::adjudication::Adjudication;
use crate::tools::arena::builtin::BuiltIn;
use crate::tools::arena::process::{Limits, Program};
use crate::tools::arena::referee::{self, Played};
use crate::tools::arena::spec::quoted;
use crate::tools::arena::{FaultKind, Seat};
use crate::tools::contracts::entry::BenchOptions;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::{Judge, JudgeOptions};
use crate::tools::contracts::Side;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::{self, Named};
use crate::tools::support::progress_bar::stage;
use crate::tools::support::text::{count_of, shown_name};
use crate::tools::support::units::{integer, GivenTime};
use anyhow::{Context, Result};
use bounded::Stream;
use serde::Serialize;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use watch::{Peak, Watch};

/// Options of `--check`
#[derive(clap::Args)]
#[command(next_help_heading = "Options of --check")]
pub struct Conditions {
    /// Rust compiler
    #[arg(long, value_name = "PATH", default_value = "rustc", requires = "check")]
    rustc: OsString,
    /// Time per game or move, e.g. 30s or 50ms [default: the contest's]
    #[arg(long, value_name = "TIME", requires = "check")]
    time: Option<GivenTime>,
    /// Nodes per move instead of the clock (reproducible)
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..),
          requires = "check", conflicts_with = "time")]
    nodes: Option<u64>,
    /// Side of the submission, by its name in the game [default: the second side]
    #[arg(long, value_name = "SIDE", requires = "check")]
    side: Option<String>,
    /// Print the report as JSON
    #[arg(long, requires = "check")]
    json: bool,
}

impl Conditions {
    /// Returns the limits of the game.
    fn limits(&self, contest: TimeControl) -> Result<Limits> {
        let given = self.time.map(|given| given.near(contest.budget())).transpose()?;
        let time = given.or(self.nodes.map(|_| UNTIMED));
        let time = time.map_or(contest, |time| contest.with_budget(time));
        Ok(Limits { announce: time != contest, ..Limits::new(time) })
    }
}

/// File name of the compiled player.
const PLAYER: &str = "player";
/// Name of the finding about the end of the game, if the judge just closes the input.
const END_OF_INPUT: &str = "the end";
/// Name of the finding about the game.
const GAME: &str = "game";
/// Time limit of a player with a node limit: more than any machine needs.
const UNTIMED: Duration = Duration::from_secs(24 * 60 * 60);
/// Time limit of the compilation.
const COMPILE_TIME: Duration = Duration::from_secs(300);
/// Time limit of the benchmark.
const BENCH_TIME: Duration = Duration::from_secs(300);
/// Time limit of `rustc --version`.
const VERSION_TIME: Duration = Duration::from_secs(60);
/// Number of last lines shown of a failed player's log.
const LAST_LINES: usize = 3;
/// Maximum line length in characters: longer lines cause trouble in editors and web forms.
const LINE_CHARACTERS: usize = 200;

/// Usage of a limited resource.
#[derive(Serialize)]
struct Finding {
    limit: &'static str,
    /// Usage and limit, as text.
    reached: String,
    kept: bool,
}

impl Finding {
    fn new(limit: &'static str, kept: bool, reached: String) -> Finding {
        Finding { limit, reached, kept }
    }

    fn at_most(name: &'static str, used: u64, max: u64, unit: &str) -> Finding {
        Finding::new(name, used <= max, format!("{used} of {max} {unit}"))
    }
}

/// Checks a submission and prints the report. Returns exit status 1 if a limit is broken.
pub fn run(file: &Path, game: &'static Entry, conditions: &Conditions) -> Result<ExitCode> {
    let bytes = files::read(file).named("reading", file)?;
    let side = match &conditions.side {
        None => Side::Second,
        Some(name) => game.rules.side(name).with_context(|| {
            let [first, second] = game.rules.sides;
            format!("--side {name}: expected {first} or {second}")
        })?,
    };
    let findings = findings(&bytes, game, side, conditions);
    ctrl_c::wait_if_ending();
    let findings = findings?;
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

/// Checks everything that the contest limits.
fn findings(
    bytes: &[u8],
    game: &'static Entry,
    side: Side,
    conditions: &Conditions,
) -> Result<Vec<Finding>> {
    let limits = conditions.limits(game.contest.time)?;
    let folder = tempfile::tempdir().context("creating a temporary folder")?;
    ensure_executable(folder.path())?;
    remove_on_interrupt(folder.path().to_path_buf());
    let mut findings = text_findings(bytes, game.contest);
    let compiling = stage("1 of 3: compiling");
    findings.push(compile(bytes, folder.path(), conditions)?);
    drop(compiling);
    if folder.path().join(PLAYER).exists() {
        let nodes = conditions.nodes;
        let trial = Trial { game, folder: folder.path(), side, nodes, limits };
        let playing = stage("2 of 3: playing a game");
        let played = trial.play()?;
        drop(playing);
        let is_sound = played.iter().all(|finding| finding.limit != GAME || finding.kept);
        findings.extend(played);
        if is_sound {
            let _running = stage("3 of 3: running its benchmark");
            findings.extend(trial.bench()?);
        }
    }
    Ok(findings)
}

/// Fails if the file system of the temporary folder does not permit execution.
fn ensure_executable(folder: &Path) -> Result<()> {
    let script = folder.join("script");
    let probe = || -> io::Result<()> {
        fs::write(&script, "#!/bin/sh\n")?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700))?;
        Command::new(&script).status().map(drop)
    };
    let hint =
        || format!("no program can be run in {}: set TMPDIR to another folder", shown_name(folder));
    probe().with_context(hint)
}

/// On Ctrl-C, removes the folder and exits.
fn remove_on_interrupt(folder: PathBuf) {
    ctrl_c::start_over();
    ctrl_c::on_first_signal(move || {
        // Best effort: the folder may already be partly removed.
        let _ = fs::remove_dir_all(&folder);
    });
}

/// Checks the size and the text of the file.
fn text_findings(bytes: &[u8], contest: &Contest) -> Vec<Finding> {
    let text = String::from_utf8_lossy(bytes);
    let valid = std::str::from_utf8(bytes).is_ok();
    let odd = text.chars().filter(|c| c.is_control() && *c != '\n').count();
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let (size, limit) = contest.source.measure(&text);
    vec![
        Finding::at_most("size", size as u64, limit as u64, contest.source.unit()),
        Finding::new(
            "text",
            valid && odd == 0 && longest <= LINE_CHARACTERS,
            format!(
                "{} UTF-8, {} (line ends excepted), longest line {longest} of \
                 {LINE_CHARACTERS} characters",
                if valid { "valid" } else { "invalid" },
                count_of(odd, "control character")
            ),
        ),
    ]
}

/// Compiles the submission as the contest does, to `player` in `folder`. Fails if the compiler can't be run.
fn compile(bytes: &[u8], folder: &Path, conditions: &Conditions) -> Result<Finding> {
    let rustc = || {
        let mut command = Command::new(&conditions.rustc);
        command.current_dir(folder);
        command
    };
    let compiler = || format!("running {}", conditions.rustc.to_string_lossy());
    let keep_first = |first: &mut String, line: &str| {
        if first.is_empty() {
            first.push_str(line);
        }
    };
    let mut asked = rustc();
    let version = bounded::run(asked.arg("--version"), VERSION_TIME, Stream::Output, keep_first);
    let version = version.with_context(compiler)?.collected;
    fs::write(folder.join("player.rs"), bytes).context("copying the submission")?;
    let mut command = rustc();
    command.args(["-O", "--edition", "2021", "player.rs"]);
    let compiled = bounded::run(
        &mut command,
        COMPILE_TIME,
        Stream::Errors,
        |(warnings, failure): &mut (u64, Option<String>), line: &str| {
            *warnings += u64::from(is_warning(line));
            if line.starts_with("error") && failure.is_none() {
                *failure = Some(line.to_string());
            }
        },
    )
    .with_context(compiler)?;
    let (warnings, mut failure) = compiled.collected;
    if compiled.status.is_none() {
        failure = Some("stopped at the time limit".to_string());
    }
    Ok(Finding::new(
        "compiling",
        compiled.status.is_some_and(|status| status.success()) && warnings == 0,
        format!(
            "{:.1} of {} s, {}, {version}{}",
            compiled.elapsed.as_secs_f64(),
            COMPILE_TIME.as_secs(),
            count_of(warnings, "warning"),
            failure.map_or(String::new(), |line| format!(", {line}"))
        ),
    ))
}

/// Whether a line of the compiler begins a warning. The line that counts them, e.g. `warning: 1 warning emitted`, does
/// not.
fn is_warning(line: &str) -> bool {
    line.starts_with("warning") && !line.ends_with(" emitted")
}

/// A compiled player and the conditions of its check.
struct Trial<'a> {
    game: &'static Entry,
    folder: &'a Path,
    side: Side,
    nodes: Option<u64>,
    limits: Limits,
}

impl Trial<'_> {
    /// Plays a game and measures the player's resource usage.
    fn play(&self) -> Result<Vec<Finding>> {
        let memory_kib = self.game.contest.memory_bytes / 1024;
        // The shell sets the memory limit and then executes the player.
        let command = format!("ulimit -v {memory_kib} && exec {}", self.command()?);
        let mut player = self.start(&command).context("starting the player")?;
        let watch = Watch::start(player.id()).context("starting a thread")?;
        let played = self.referee(&mut player)?;
        let peak = watch.stop();
        let mut findings = vec![self.game_finding(&played), self.time_finding(&played)];
        findings.extend(self.usage_findings(&peak, player.log_characters()));
        findings.extend(self.farewell_finding(&played));
        Ok(findings)
    }

    /// Returns the player's shell command.
    fn command(&self) -> Result<String> {
        let program = quoted(&self.folder.join(PLAYER))?;
        Ok(self.nodes.map_or(program.clone(), |nodes| format!("{program} nodes {nodes}")))
    }

    fn start(&self, command: &str) -> io::Result<Program> {
        Program::start(command, self.limits, self.judge())
    }

    fn judge(&self) -> Box<dyn Judge> {
        (self.game.judge)(JudgeOptions::default())
    }

    /// Plays a game against a built-in player, or against a copy of itself if the game has none.
    fn referee(&self, player: &mut Program) -> Result<Played> {
        let opening = (self.game.rules.begin)(None)?;
        let mut copy;
        let opponent;
        let mut built_in;
        let other: &mut dyn Seat = match &self.game.tools.opponents {
            Some(opponents) => {
                opponent = (opponents.read)(opponents.sparring)?;
                built_in = BuiltIn::new(opponent.as_ref(), self.limits, self.judge(), 0);
                &mut built_in
            }
            None => {
                copy = self.start(&self.command()?).context("starting a copy of the player")?;
                &mut copy
            }
        };
        let seats: [&mut dyn Seat; 2] = match self.side {
            Side::First => [player, other],
            Side::Second => [other, player],
        };
        Ok(referee::play(seats, opening.as_ref(), &Adjudication::default()))
    }

    /// Reports the game. A fault of either side fails the check: the opponent is ours and must not fail either.
    fn game_finding(&self, played: &Played) -> Finding {
        let name = self.game.rules.side_name(self.side);
        let mut text = format!("as {name}, {} in total, ", count_of(played.game.ply(), "move"));
        match &played.fault {
            None => {
                let won = |winner| format!("{} won", self.game.rules.side_name(winner));
                text += &played.end.winner.map_or("no winner".to_string(), won);
            }
            Some((side, fault)) => {
                let side = self.game.rules.side_name(*side);
                text += &format!("{side} failed, {}: {}", fault.kind.name(), fault.detail);
                let lines = &played.endings[self.side.index()].stderr;
                for line in &lines[lines.len().saturating_sub(LAST_LINES)..] {
                    text += &format!("\n                 stderr: {line}");
                }
            }
        }
        Finding::new(GAME, played.fault.is_none(), text)
    }

    fn time_finding(&self, played: &Played) -> Finding {
        let usage = played.usage[self.side.index()];
        let used = usage.wall.as_secs_f64();
        let budget = self.limits.time.budget().as_secs_f64();
        if let TimeControl::Game(_) = self.limits.time {
            return Finding::new("wall time", used <= budget, format!("{used:.2} of {budget} s"));
        }
        let late = played.fault.as_ref();
        let late = late.is_some_and(|(_, fault)| fault.kind == FaultKind::WallTime);
        let (longest, grace) = (1e3 * usage.longest.as_secs_f64(), self.limits.grace.as_secs_f64());
        let text = format!(
            "{used:.2} s in total, longest move {longest:.1} ms; limit {budget} s per move plus {grace} s of grace"
        );
        Finding::new("wall time", !late, text)
    }

    /// Reports memory, threads and log.
    fn usage_findings(&self, peak: &Peak, log_characters: u64) -> Vec<Finding> {
        let contest = self.game.contest;
        let limit_kib = contest.memory_bytes / 1024;
        let memory = match peak.samples {
            0 => "not measured: the player ended immediately".to_string(),
            _ => format!(
                "{} of {} MiB of address space (limited by ulimit), {} MiB resident",
                peak.address_space_kib / 1024,
                limit_kib / 1024,
                peak.resident_kib / 1024
            ),
        };
        let is_kept = peak.samples > 0 && peak.address_space_kib <= limit_kib;
        let threads = "at the same time";
        let limit = contest.log_characters as u64;
        vec![
            Finding::new("memory", is_kept, memory),
            Finding::at_most("threads", peak.threads, contest.threads, threads),
            Finding::at_most("log", log_characters, limit, "characters on stderr"),
        ]
    }

    /// Reports the player's reaction to the end of the game; `None` if it failed before.
    fn farewell_finding(&self, played: &Played) -> Option<Finding> {
        let failed = played.fault.as_ref().is_some_and(|(side, _)| *side == self.side);
        let complaint = &played.endings[self.side.index()].complaint;
        let text = match complaint {
            Some(complaint) => complaint.clone(),
            None if failed => return None,
            None => "exit status 0".to_string(),
        };
        let farewell = self.judge().protocol().farewell.unwrap_or(END_OF_INPUT);
        Some(Finding::new(farewell, complaint.is_none(), text))
    }

    /// Compares the node count of the player's benchmark with that of this program.
    fn bench(&self) -> Result<Option<Finding>> {
        let Some(bench) = &self.game.tools.bench else { return Ok(None) };
        let expected = bench(&BenchOptions::default())?;
        let report = self.bench_report()?;
        let expected = expected.lines().last().unwrap_or_default().to_string();
        let text = match &report {
            Some(found) if *found == expected => found.clone(),
            Some(found) => format!("{found:?}, expected {expected:?}"),
            None => format!("failed, or took longer than {} s", BENCH_TIME.as_secs()),
        };
        Ok(Some(Finding::new("bench", report == Some(expected), text)))
    }

    /// Returns the last line of the player's benchmark; `None` if it fails or exceeds the time limit.
    fn bench_report(&self) -> Result<Option<String>> {
        let mut command = Command::new(self.folder.join(PLAYER));
        let keep_last = |last: &mut String, line: &str| *last = line.to_string();
        let ended = bounded::run(command.arg("bench"), BENCH_TIME, Stream::Output, keep_last);
        let ended = ended.context("starting the benchmark")?;
        Ok(ended.status.filter(|status| status.success()).map(|_| ended.collected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_warnings_is_no_warning() {
        let lines =
            ["warning: unused variable: `x`", " --> player.rs:1:17", "warning: 1 warning emitted"];
        assert_eq!(lines.map(is_warning), [true, false, false]);
    }
}
