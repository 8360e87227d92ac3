//! Games between players: built-in ones in this process, or programs that speak the protocol of the
//! contest. `match`, `tournament`, `check` and `submit --check` drive it.

pub mod builtin;
pub mod children;
mod lines;
pub mod match_file;
pub mod opening_book;
pub mod options;
pub mod process;
pub mod referee;
pub mod runner;

pub mod spec;

use super::contracts::judge::{Answer, MatchScore};
use super::contracts::{GameState, Side};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The ways in which a player loses a game by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A move that the rules forbid.
    Illegal,
    /// A line that is no move at all.
    Garbage,
    /// The program ended before the game did.
    Exit,
    /// The program can't be started.
    NotStarted,
    /// The program ended before its first answer, after lines that no contest sends.
    OwnLines,
    /// The program closed its stdout, and goes on.
    Closed,
    /// More CPU time than the whole game has: in records of older versions.
    CpuTime,
    /// More wall time than the whole game or the move has.
    WallTime,
    /// No answer by the wall clock.
    Silence,
    /// The built-in player panicked.
    Panic,
    /// The rules leave the player no move.
    NoMove,
}

impl FaultKind {
    /// Does it show that a program can't play at all as it is called?
    pub fn is_unable(self) -> bool {
        matches!(self, FaultKind::NotStarted | FaultKind::OwnLines)
    }

    /// The name, as records and reports write it.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal",
            FaultKind::Garbage => "garbage",
            FaultKind::Exit => "exit",
            FaultKind::NotStarted => "not_started",
            FaultKind::OwnLines => "own_lines",
            FaultKind::Closed => "closed",
            FaultKind::CpuTime => "cpu_time",
            FaultKind::WallTime => "wall_time",
            FaultKind::Silence => "silence",
            FaultKind::Panic => "panic",
            FaultKind::NoMove => "no_move",
        }
    }
}

/// Why a player lost a game by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// What exactly happened.
    pub detail: String,
}

impl Fault {
    /// A fault with its description.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

/// What a game has cost a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Wall time that others waited for the player.
    pub wall: Duration,
    /// The longest wait for an answer.
    pub longest: Duration,
    /// Nodes searched (built-in players).
    pub nodes: u64,
}

impl Usage {
    /// What was used since then.
    fn since(&self, before: &Usage) -> Usage {
        Usage {
            wall: self.wall.saturating_sub(before.wall),
            longest: self.longest,
            nodes: self.nodes.saturating_sub(before.nodes),
        }
    }
}

/// One player at the board of one game.
pub trait Seat {
    /// A game begins with this opening (possibly without any move), at this point of a match.
    fn begin(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        score: MatchScore,
    ) -> Result<(), Fault>;

    /// The player's move in the present position.
    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault>;

    /// The game is over. Returns the last lines of the player's stderr, and a complaint where it did
    /// not end as it should.
    fn end(&mut self) -> Ending;

    /// What the game has cost so far.
    fn usage(&self) -> Usage;
}

/// How a player went when its game was over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The last lines of its stderr.
    pub stderr: Vec<String>,
    /// What it did wrong after the end of the game, if anything. It costs no points.
    pub complaint: Option<String>,
}

/// The description of an overrun clock.
fn overrun(used: Duration, budget: Duration) -> String {
    let (used, budget) = (used.as_secs_f64(), budget.as_secs_f64());
    if budget < 1.0 {
        return format!("used {:.1} ms of {:.1} ms wall time", used * 1e3, budget * 1e3);
    }
    format!("used {used:.2} s of {budget:.2} s wall time")
}
