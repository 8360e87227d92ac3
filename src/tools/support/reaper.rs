//! `cupbot reaper`: a process that outlives a command which starts programs, and ends those that the command
//! leaves behind. Signals that can be caught the command obeys itself; this is for those that can't, such as
//! SIGKILL. It hears by a pipe what runs; the pipe closes when the command ends, in whatever way.
//!
//! Programs are found by their process groups, and on Linux also by a mark in their environment, which
//! children inherit: also those that have left the group, and one whose group the command did not live to
//! report.

use super::ctrl_c;
use anyhow::Result;
use rustix::process::{kill_process_group, Pid, Signal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The name of the hidden command.
pub const NAME: &str = "reaper";
/// The variable with the marks of all commands that a process descends from.
const MARKS: &str = "CUPBOT_STARTED_BY";
/// After the death of the command programs are looked for so often ...
const ROUNDS: usize = 4;
/// ... with such a pause, in which a program that was just being started gets its environment.
const PAUSE: Duration = Duration::from_millis(50);
/// Programs that can't be ended are given up after so many rounds more.
const MAX_ROUNDS: usize = 40;

/// End what a command has left behind
#[derive(clap::Args)]
#[command(name = NAME, hide = true)]
pub struct Args {
    /// The mark of the command's programs
    mark: String,
}

/// A line of the pipe.
#[derive(Serialize, Deserialize)]
enum Message {
    /// A process group runs.
    Group(u32),
    /// It has been ended.
    Gone(u32),
    /// A folder that is to be removed.
    Folder(PathBuf),
    /// The command ends by itself.
    End,
}

/// The process, as the command sees it.
struct Reaper {
    process: Child,
    mark: String,
}

/// Unit tests start none: their program is not this one.
static IS_ENABLED: AtomicBool = AtomicBool::new(false);
static REAPER: Mutex<Option<Reaper>> = Mutex::new(None);

/// A reaper is to be started with the first program.
pub fn enable() {
    IS_ENABLED.store(true, Ordering::Relaxed);
}

/// The reaper, started where it is not yet. Nothing where there can't be one: then the command alone looks
/// after its programs.
fn reaper() -> MutexGuard<'static, Option<Reaper>> {
    let mut reaper = REAPER.lock().unwrap_or_else(PoisonError::into_inner);
    if reaper.is_none() && IS_ENABLED.load(Ordering::Relaxed) {
        *reaper = Reaper::start().ok();
    }
    reaper
}

impl Reaper {
    fn start() -> io::Result<Reaper> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mark = format!("{:x}-{:x}", now.as_nanos(), std::process::id());
        let process = Command::new(env::current_exe()?)
            .args([NAME, &mark])
            // The signals of a terminal are not for it, and it must hold nothing open.
            .process_group(0)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Reaper { process, mark })
    }

    /// A reaper that has gone can't be helped.
    fn tell(&mut self, message: &Message) {
        let text = serde_json::to_string(message).unwrap_or_default() + "\n";
        if let Some(pipe) = &mut self.process.stdin {
            let _ = pipe.write_all(text.as_bytes());
        }
    }
}

fn tell(message: &Message) {
    if let Some(reaper) = &mut *reaper() {
        reaper.tell(message);
    }
}

/// Marks a program that is to be started.
pub fn mark(command: &mut Command) {
    if let Some(reaper) = &*reaper() {
        let inherited = env::var(MARKS).unwrap_or_default();
        command.env(MARKS, format!("{inherited} {}", reaper.mark).trim());
    }
}

/// A process group runs, and is to be ended if this process does.
pub fn watch(group: u32) {
    tell(&Message::Group(group));
}

/// A process group has been ended.
pub fn forget(group: u32) {
    tell(&Message::Gone(group));
}

/// A folder is to be removed in the end.
pub fn remove_in_the_end(folder: &Path) {
    tell(&Message::Folder(folder.to_path_buf()));
}

/// The command has ended: what is left of its programs ends too.
pub fn finish() {
    let mut slot = REAPER.lock().unwrap_or_else(PoisonError::into_inner);
    // A thread that nobody has waited for must not start another one.
    IS_ENABLED.store(false, Ordering::Relaxed);
    if let Some(mut reaper) = slot.take() {
        reaper.tell(&Message::End);
        drop(reaper.process.stdin.take());
        let _ = reaper.process.wait();
    }
}

/// Waits for the end of the command, and cleans up behind it.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::ignore();
    let mut groups: BTreeSet<u32> = BTreeSet::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut has_ended = false;
    // A line that is cut short says nothing.
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match serde_json::from_str(&line) {
            Ok(Message::Group(group)) => drop(groups.insert(group)),
            Ok(Message::Gone(group)) => drop(groups.remove(&group)),
            Ok(Message::Folder(folder)) => folders.push(folder),
            Ok(Message::End) => has_ended = true,
            Err(_) => {}
        }
    }
    for group in groups {
        kill_group(group);
    }
    let rounds = if has_ended { 1 } else { ROUNDS };
    for round in 1..MAX_ROUNDS {
        let found = kill_marked(&args.mark);
        if found == 0 && round >= rounds {
            break;
        }
        thread::sleep(PAUSE);
    }
    for folder in folders {
        // It may be gone already.
        let _ = fs::remove_dir_all(folder);
    }
    Ok(ExitCode::SUCCESS)
}

/// Kills a process group. A stopped one too: SIGKILL does not wait.
pub fn kill_group(group: u32) {
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // It may be gone already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Kills all processes with this mark; returns their number.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) -> usize {
    let variable = format!("{MARKS}=");
    let is_marked = |id: i32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0).map(String::from_utf8_lossy);
        let marks = variables.find_map(|text| Some(text.strip_prefix(&variable)?.to_string()));
        marks.is_some_and(|marks| marks.split(' ').any(|found| found == mark))
    };
    let ids = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let marked = ids.filter(|&id| is_marked(id)).filter_map(Pid::from_raw);
    let mut count = 0;
    for id in marked {
        // One that has ended meanwhile needs no signal.
        let _ = rustix::process::kill_process(id, Signal::KILL);
        count += 1;
    }
    count
}

/// No other system shows its processes like this.
#[cfg(not(target_os = "linux"))]
fn kill_marked(_mark: &str) -> usize {
    0
}
