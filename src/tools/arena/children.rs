//! The running programs of an arena, which can all be killed at once.

use crate::tools::support::reaper;
use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{self, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The running programs of an arena. Clones share the list.
#[derive(Clone, Default)]
pub struct Children(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// Ids of the running process groups.
    groups: BTreeSet<u32>,
    /// Whether starting programs is refused because all have been killed.
    is_closed: bool,
}

impl Children {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a program in its own process group; fails after [`Children::end_all`].
    pub fn spawn(&self, command: &mut Command) -> io::Result<Running> {
        // The lock is held until the program is listed, so that `end_all` misses none.
        let mut state = self.state();
        if state.is_closed {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        reaper::mark(command);
        let process = command.process_group(0).spawn()?;
        state.groups.insert(process.id());
        Ok(Running { process, children: self.clone() })
    }

    /// Kills all programs with their children and refuses to start more.
    pub fn end_all(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.groups.iter().for_each(|&group| reaper::kill_group(group));
    }
}

/// A running program. It is killed with its children when it is dropped.
pub struct Running {
    /// Its first process.
    pub process: process::Child,
    children: Children,
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = self.process.id();
        reaper::kill_group(group);
        let _ = self.process.wait();
        self.children.state().groups.remove(&group);
    }
}
