//! The programs that this process has started: each one ends with all its descendants.
//!
//! A program has its own process group, which is killed with it. Descendants that have left the group become children
//! of this process when their parents end, because it is a subreaper (Linux, man 2 PR_SET_CHILD_SUBREAPER). They are
//! then called orphans and are killed after the games that were running when they came. On other systems, and after a
//! SIGKILL of this process, programs see only the end of their input.

use crate::tools::support::ctrl_c;
use rustix::process::{
    kill_process, kill_process_group, waitid, waitpid, Pid, Signal, WaitId, WaitIdOptions,
    WaitOptions,
};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};

/// Maximum number of searches for orphans, in case they start children faster than they can be killed.
const MAX_ROUNDS: usize = 40;

static PROGRAMS: LazyLock<Mutex<Programs>> = LazyLock::new(Mutex::default);

/// All programs of this process.
#[derive(Default)]
struct Programs {
    /// Number of programs started so far.
    started: u64,
    /// Running programs by process id, which is also the id of the process group, with their numbers in order of start.
    running: HashMap<Pid, u64>,
    /// Orphans, with the value of `started` when they were first seen.
    orphans: HashMap<Pid, u64>,
    /// Children that existed before the first program, e.g. those of a shell that has replaced itself by cupbot.
    strangers: HashSet<Pid>,
    /// Whether starting programs is refused because all have been killed.
    is_closed: bool,
}

fn programs() -> MutexGuard<'static, Programs> {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program in its own process group; fails after [`end_all`], which a signal calls, too.
pub fn spawn(command: &mut Command) -> io::Result<Running> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        become_subreaper();
        programs().strangers = own_children().collect();
        ctrl_c::on_first_signal(end_all);
    });
    // The lock is held until the program is listed, so that `end_all` misses none.
    let mut programs = programs();
    if programs.is_closed {
        return Err(io::Error::from(io::ErrorKind::Interrupted));
    }
    let process = command.process_group(0).spawn()?;
    let id = Pid::from_child(&process);
    let number = programs.started;
    programs.started += 1;
    programs.running.insert(id, number);
    Ok(Running { process })
}

/// Kills all programs and their descendants, and refuses to start more.
pub fn end_all() {
    let mut programs = programs();
    programs.is_closed = true;
    programs.running.keys().for_each(|&id| kill_group(id));
    for &id in programs.running.keys() {
        // Its children become orphans only when it has ended. Its exit status is left to its owner.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let _ = waitid(WaitId::Pid(id), options);
    }
    // Before the first program, all children are strangers, and they are not listed yet.
    if programs.started > 0 {
        programs.end_orphans();
    }
}

impl Programs {
    /// Kills the orphans that no running program can have started; after [`end_all`] all orphans.
    fn end_orphans(&mut self) {
        for _ in 0..MAX_ROUNDS {
            let found = own_children().filter(|id| !self.strangers.contains(id));
            for id in found.filter(|id| !self.running.contains_key(id)) {
                self.orphans.entry(id).or_insert(self.started);
            }
            let oldest = self.running.values().min().filter(|_| !self.is_closed);
            let is_due = |seen: u64| oldest.is_none_or(|&oldest| seen <= oldest);
            let due = self.orphans.iter().filter(|(_, &seen)| is_due(seen));
            let due: Vec<Pid> = due.map(|(&id, _)| id).collect();
            if due.is_empty() {
                return;
            }
            // The ids are not reused before the wait.
            for id in due {
                let _ = kill_process(id, Signal::KILL);
                let _ = waitpid(Some(id), WaitOptions::empty());
                self.orphans.remove(&id);
            }
        }
    }
}

/// A running program. It is killed with its descendants when it is dropped.
pub struct Running {
    /// Its first process.
    pub process: Child,
}

impl Running {
    /// Kills the process group.
    pub fn kill(&self) {
        kill_group(self.group());
    }

    /// Sends a signal to the process group.
    pub fn signal(&self, signal: Signal) {
        // Best effort: the group may already have ended.
        let _ = kill_process_group(self.group(), signal);
    }

    /// Returns the id of its process group.
    pub fn group(&self) -> Pid {
        Pid::from_child(&self.process)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
        let mut programs = programs();
        let _ = self.process.wait();
        programs.running.remove(&self.group());
        programs.end_orphans();
    }
}

/// Kills a process group, even if it is stopped.
pub fn kill_group(id: Pid) {
    // Errors are ignored: the group may already have ended.
    let _ = kill_process_group(id, Signal::KILL);
}

fn become_subreaper() {
    // Errors are ignored: then orphans go to the init process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Returns the children of this process from Linux's /proc (man 5 proc); none on other systems.
fn own_children() -> impl Iterator<Item = Pid> {
    // The unit tests run in parallel and start other programs.
    let tasks = (!cfg!(test)).then(|| fs::read_dir("/proc/self/task")).into_iter().flatten();
    let lists = tasks.flatten().flatten().map(|task| task.path().join("children"));
    let lists = lists.map(|list| fs::read_to_string(list).unwrap_or_default());
    let ids = |list: String| -> Vec<i32> {
        list.split_whitespace().filter_map(|id| id.parse().ok()).collect()
    };
    lists.flat_map(ids).filter_map(Pid::from_raw)
}
