//! The programs that play at present, so that all of them can be ended at once.

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

/// The programs of an arena. Clones share them.
#[derive(Clone, Default)]
pub struct Children(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The process groups that run, by the ids of their first processes.
    groups: BTreeSet<u32>,
    /// No more programs are to be started.
    is_closed: bool,
}

impl Children {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a program among the others; an error once they have been ended.
    pub fn start(&self, start: impl FnOnce() -> io::Result<Program>) -> io::Result<Child> {
        // Locked until it is listed, so that none is started unseen while all are ended.
        let mut state = self.state();
        if state.is_closed {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        let program = start()?;
        state.groups.insert(program.id());
        Ok(Child { program, children: self.clone() })
    }

    /// Kills all of them with their own children, and starts none any more.
    pub fn end_all(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.groups.iter().for_each(|&group| reaper::kill_group(group));
    }

    /// Starts any other program among them, in a process group of its own; an error once they have been
    /// ended.
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

/// A program in its seat, which is among the children as long as it is there.
pub struct Child {
    program: Program,
    children: Children,
}

impl Child {
    /// The process id of the program's shell.
    pub fn id(&self) -> u32 {
        self.program.id()
    }

    /// The characters that it has said on stderr so far.
    pub fn log_characters(&self) -> u64 {
        self.program.log_characters()
    }
}

/// Any other program. It ends with its children when it is dropped.
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
