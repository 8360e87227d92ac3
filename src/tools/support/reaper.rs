//! `cupbot reaper`: a process that outlives a command that starts programs, and kills those that the command leaves
//! running. A command ends its programs itself where it can; the reaper is for SIGKILL. Its input ends with the
//! command, in whatever way that ends.
//!
//! On Linux it finds the programs by a mark in their environment, which children inherit, also those that leave
//! the process group. The parent-death signal would not do: it follows the thread that started a program, and
//! children do not inherit it. Elsewhere the programs have only the end of their input to go by.

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

/// The name of the hidden command.
pub const NAME: &str = "reaper";
/// The variable with the marks of all commands that a process descends from.
const MARKS: &str = "CUPBOT_STARTED_BY";
/// Minimum number of searches for programs after the command was killed.
const MIN_ROUNDS: usize = 4;
/// Maximum number of searches: programs that can't be killed are given up.
const MAX_ROUNDS: usize = 40;
/// The pause between two searches, in which a program that was just being started gets its environment.
const PAUSE: Duration = Duration::from_millis(50);

/// End what a command has left behind
#[derive(clap::Args)]
#[command(name = NAME, hide = true)]
pub struct Args {
    /// The mark of the command's programs
    mark: String,
    /// A folder to remove
    folder: Option<PathBuf>,
}

/// The process, as the command sees it.
struct Reaper {
    process: Mutex<Child>,
    mark: String,
}

/// Started with the first program; `None` if it can't be started.
static REAPER: OnceLock<Option<Reaper>> = OnceLock::new();

fn start(folder: Option<&Path>) -> Option<Reaper> {
    if cfg!(test) {
        // The program of unit tests has no commands.
        return None;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mark = format!("{:x}-{:x}", now.as_nanos(), std::process::id());
    let process = Command::new(std::env::current_exe().ok()?)
        .args([NAME, &mark])
        .args(folder)
        // The signals of a terminal are not for it, and it must hold nothing open.
        .process_group(0)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Some(Reaper { process: Mutex::new(process.ok()?), mark })
}

/// Marks a program that is to be started.
pub fn mark(command: &mut Command) {
    if let Some(reaper) = REAPER.get_or_init(|| start(None)) {
        let inherited = std::env::var(MARKS).unwrap_or_default();
        command.env(MARKS, format!("{inherited} {}", reaper.mark).trim());
    }
}

/// Has a folder removed if the command is killed. To be called before the first program is started.
pub fn remove_in_the_end(folder: &Path) {
    REAPER.get_or_init(|| start(Some(folder)));
}

/// Kills what is left of the programs of a command that ends by itself.
pub fn finish() {
    if let Some(Some(reaper)) = REAPER.get() {
        kill_marked(&reaper.mark, 1);
        let mut process = reaper.process.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// Waits for the end of the command, and cleans up after it.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::ignore();
    // An error is the end of the input, too.
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    kill_marked(&args.mark, MIN_ROUNDS);
    if let Some(folder) = args.folder {
        // It may be gone already.
        let _ = fs::remove_dir_all(folder);
    }
    Ok(ExitCode::SUCCESS)
}

/// Kills a process group, also a stopped one.
pub fn kill_group(group: u32) {
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // It may be gone already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Kills all processes with this mark, until a search finds none.
fn kill_marked(mark: &str, min_rounds: usize) {
    for round in 1..MAX_ROUNDS {
        let found = marked(mark);
        if found.is_empty() && round >= min_rounds {
            break;
        }
        for id in found {
            // One that has ended meanwhile needs no signal.
            let _ = rustix::process::kill_process(id, Signal::KILL);
        }
        thread::sleep(PAUSE);
    }
}

/// The processes with this mark, from Linux's /proc (man 5 proc). Other systems have no such folder.
fn marked(mark: &str) -> Vec<Pid> {
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
