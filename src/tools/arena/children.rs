//! The running programs of an arena, which can all be killed at once.

use super::process::Program;
use super::{Ending, Fault, Seat, Usage};
use crate::tools::contracts::judge::{Answer, MatchScore};
use crate::tools::contracts::{GameState, Side};
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

    /// Starts a player; fails after [`Children::end_all`].
    pub fn start(&self, start: impl FnOnce() -> io::Result<Program>) -> io::Result<Child> {
        // The lock is held until the program is listed, so that `end_all` misses none.
        let mut state = self.state();
        if state.is_closed {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        let program = start()?;
        state.groups.insert(program.id());
        Ok(Child { program, children: self.clone() })
    }

    /// Kills all programs with their children and refuses to start more.
    pub fn end_all(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.groups.iter().for_each(|&group| reaper::kill_group(group));
    }

    /// Starts a program that is not a player, in its own process group; fails after [`Children::end_all`].
    pub fn spawn(&self, command: &mut Command) -> io::Result<Running> {
        let mut state = self.state();
        if state.is_closed {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        reaper::mark(command);
        let process = command.process_group(0).spawn()?;
        state.groups.insert(process.id());
        Ok(Running { process, children: self.clone() })
    }
}

/// A player that is listed among the running programs until it is dropped.
pub struct Child {
    program: Program,
    children: Children,
}

impl Child {
    /// Returns the process id of the program's shell.
    pub fn id(&self) -> u32 {
        self.program.id()
    }

    /// Returns the number of characters written to stderr so far.
    pub fn log_characters(&self) -> u64 {
        self.program.log_characters()
    }
}

/// A program that is not a player. It is killed with its children when it is dropped.
pub struct Running {
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

impl Drop for Child {
    fn drop(&mut self) {
        self.children.state().groups.remove(&self.program.id());
    }
}

impl Seat for Child {
    fn begin(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        score: MatchScore,
    ) -> Result<(), Fault> {
        self.program.begin(side, opening, score)
    }

    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault> {
        self.program.answer(game)
    }

    fn end(&mut self) -> Ending {
        self.program.end()
    }

    fn usage(&self) -> Usage {
        self.program.usage()
    }
}
