//! `cupbot reaper`: a helper process that outlives a command that has started programs, and kills those that the
//! command leaves running. A command normally stops its programs itself; the reaper covers SIGKILL. It notices the end
//! of the command because its stdin is then closed, however the command ends.
//!
//! On Linux it finds the programs by a mark in their environment, which children inherit even if they leave the process
//! group. The parent-death signal is not sufficient: it is tied to the thread that started the program, and children do
//! not inherit it. On other systems the programs can only notice that their input is closed.

use super::ctrl_c;
use anyhow::Result;
use rustix::process::{kill_process_group, Pid, Signal};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Name of the hidden command.
pub const NAME: &str = "reaper";
/// Environment variable with the marks of all commands from which a process descends.
const MARKS: &str = "CUPBOT_STARTED_BY";
/// Minimum number of searches for programs after the command was killed.
const MIN_ROUNDS: usize = 4;
/// Maximum number of searches; programs that are still alive after them are left alone.
const MAX_ROUNDS: usize = 40;
/// Pause between two searches; a program that is just being started gets its environment in the meantime.
const PAUSE: Duration = Duration::from_millis(50);

/// Kill the programs that a command has left running
#[derive(clap::Args)]
#[command(name = NAME, hide = true)]
pub struct Args {
    /// Mark of the command's programs
    mark: String,
    /// Folder to remove
    folder: Option<PathBuf>,
}

/// The reaper process of this command.
struct Reaper {
    process: Mutex<Child>,
    mark: String,
}

/// Started with the first program; `None` if it could not be started.
static REAPER: OnceLock<Option<Reaper>> = OnceLock::new();

fn start(folder: Option<&Path>) -> Option<Reaper> {
    if cfg!(test) {
        // The unit test binary has no subcommands.
        return None;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mark = format!("{:x}-{:x}", now.as_nanos(), std::process::id());
    let process = Command::new(std::env::current_exe().ok()?)
        .args([NAME, &mark])
        .args(folder)
        // The reaper must not receive terminal signals, nor keep files or folders open.
        .process_group(0)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Some(Reaper { process: Mutex::new(process.ok()?), mark })
}

/// Marks a program before it is started.
pub fn mark(command: &mut Command) {
    if let Some(reaper) = REAPER.get_or_init(|| start(None)) {
        let inherited = std::env::var(MARKS).unwrap_or_default();
        command.env(MARKS, format!("{inherited} {}", reaper.mark).trim());
    }
}

/// Registers a folder to remove if the command is killed. Must be called before the first program is started.
pub fn remove_if_killed(folder: &Path) {
    REAPER.get_or_init(|| start(Some(folder)));
}

/// Kills the remaining programs when the command exits normally.
pub fn finish() {
    if let Some(Some(reaper)) = REAPER.get() {
        kill_marked(&reaper.mark, 1);
        let mut process = reaper.process.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// Waits for the end of the command and cleans up after it.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::ignore();
    // A read error counts as end of input.
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    kill_marked(&args.mark, MIN_ROUNDS);
    if let Some(folder) = args.folder {
        // Errors are ignored: the folder may already be removed.
        let _ = fs::remove_dir_all(folder);
    }
    Ok(ExitCode::SUCCESS)
}

/// Kills a process group, even if it is stopped.
pub fn kill_group(group: u32) {
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // Errors are ignored: the group may already have ended.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Kills all processes with this mark, in repeated searches until none is found.
fn kill_marked(mark: &str, min_rounds: usize) {
    for round in 1..MAX_ROUNDS {
        let found = marked_processes(mark);
        if found.is_empty() && round >= min_rounds {
            break;
        }
        for id in found {
            // Errors are ignored: the process may already have ended.
            let _ = rustix::process::kill_process(id, Signal::KILL);
        }
        thread::sleep(PAUSE);
    }
}

/// Returns the processes with this mark, from Linux's /proc (man 5 proc); none on other systems.
fn marked_processes(mark: &str) -> Vec<Pid> {
    let variable = format!("{MARKS}=");
    let is_marked = |id: &i32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0).map(String::from_utf8_lossy);
        let marks = variables.find_map(|text| Some(text.strip_prefix(&variable)?.to_string()));
        marks.is_some_and(|marks| marks.split(' ').any(|found| found == mark))
    };
    let ids = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(is_marked).filter_map(Pid::from_raw).collect()
}
