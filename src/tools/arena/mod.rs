//! Games between players: built-in ones in this process, or programs that speak the protocol of the
//! contest. `match`, `tournament`, `check` and `submit --check` drive it.

pub mod builtin;
pub mod children;
pub mod openings;
pub mod options;
pub mod process;
pub mod proctree;
pub mod record;
pub mod referee;
pub mod runner;

pub mod spec;

use super::game::GameState;
use crate::engine::clock::Measure;
use crate::engine::score::Score;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a player answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move (or setup), as the dialogue writes it.
    pub text: String,
    /// The mover's opinion of the position, where it is known.
    pub score: Option<Score>,
}

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
    /// The program closed its stdout, and goes on.
    Closed,
    /// More CPU time than the whole game has.
    CpuTime,
    /// More wall time than a move has.
    WallTime,
    /// No answer by the wall clock.
    Silence,
    /// The built-in player panicked.
    Panic,
    /// The rules leave the player no move.
    NoMove,
}

impl FaultKind {
    /// The name, as records and reports write it.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal",
            FaultKind::Garbage => "garbage",
            FaultKind::Exit => "exit",
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
    /// CPU time, that of the player's children included. Wall time where built-in players have no
    /// time limit.
    pub cpu: Duration,
    /// Wall time that others waited for the player.
    pub wall: Duration,
    /// Nodes searched (built-in players).
    pub nodes: u64,
}

/// One player at the board of one game.
pub trait Seat {
    /// The game begins with this opening (possibly without any move).
    fn begin(&mut self, opening: &dyn GameState) -> Result<(), Fault>;

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
fn overrun(used: Duration, budget: Duration, measure: Measure) -> String {
    let kind = match measure {
        Measure::Processor => "CPU time",
        Measure::Wall => "wall time",
    };
    format!("used {:.2} s of {:.2} s {kind}", used.as_secs_f64(), budget.as_secs_f64())
}
