//! The arena: plays games between built-in players and programs that speak the protocol of the contest. Used by
//! `match`, `tournament`, `referee`, `tune`, `check` and `submit --check`.

pub mod adjudication;
pub mod builtin;
pub mod children;
pub mod hints;
pub mod lines;
pub mod match_file;
pub mod opening_book;
pub mod options;
pub mod process;
pub mod referee;
pub mod runner;
pub mod spec;
pub mod transcript;

use super::contracts::judge::{Answer, MatchScore};
use super::contracts::{GameState, Side};
use super::support::text::count_of;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
use transcript::Log;

/// The kind of a fault. A fault loses the game, whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Illegal move.
    Illegal,
    /// A line that is not a move.
    Garbage,
    /// The program exited during the game.
    Exit,
    /// The program can't be started, or it lacks an option that the match needs.
    NotStarted,
    /// The program exited before its first answer.
    #[serde(alias = "own_lines")]
    ExitAtStart,
    /// The program closed its stdout but did not exit.
    Closed,
    /// CPU time limit exceeded; only in records of older versions.
    CpuTime,
    /// Time limit of the game or of a move exceeded (wall time).
    WallTime,
    /// No answer within the wall time limit for hung programs.
    Silence,
    /// The built-in player panicked.
    Panic,
    /// The player has no legal move, or found none.
    NoMove,
}

impl FaultKind {
    /// Whether the fault shows that the program can't play at all with this command line.
    pub fn is_unable(self) -> bool {
        matches!(self, FaultKind::NotStarted | FaultKind::ExitAtStart)
    }

    /// Returns the name, and the endings of "1 game lost ..." and "2 games lost ...".
    const fn words(self) -> [&'static str; 3] {
        match self {
            FaultKind::Illegal => ["illegal", "by an illegal move", "by illegal moves"],
            FaultKind::Garbage => ["garbage", "by an unreadable answer", "by unreadable answers"],
            FaultKind::Exit => ["exit", "by an early exit", "by early exits"],
            FaultKind::NotStarted => [
                "not_started",
                "because the program can't be started",
                "because the program can't be started",
            ],
            FaultKind::ExitAtStart => {
                ["exit_at_start", "by an exit at the start", "by exits at the start"]
            }
            FaultKind::Closed => ["closed", "by closing stdout", "by closing stdout"],
            FaultKind::CpuTime => ["cpu_time", "on CPU time", "on CPU time"],
            FaultKind::WallTime => ["wall_time", "on time", "on time"],
            FaultKind::Silence => ["silence", "without an answer", "without an answer"],
            FaultKind::Panic => ["panic", "by a panic", "by panics"],
            FaultKind::NoMove => ["no_move", "for lack of a move", "for lack of a move"],
        }
    }

    /// Returns the name used in records and JSON summaries.
    pub const fn name(self) -> &'static str {
        self.words()[0]
    }

    /// Returns the cause of one loss, e.g. `by an illegal move`.
    pub const fn cause(self) -> &'static str {
        self.words()[1]
    }
}

/// Describes the games that a player lost by faults, e.g. `2 games lost by unreadable answers`.
pub fn faults_text(faults: &BTreeMap<FaultKind, u64>) -> String {
    if faults.is_empty() {
        return "no faults".to_string();
    }
    let texts = faults.iter().map(|(kind, &count)| {
        let [_, one, many] = kind.words();
        format!("{} lost {}", count_of(count, "game"), if count == 1 { one } else { many })
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// A fault that lost a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Description for people.
    pub detail: String,
    /// The answer that was refused, if there is one.
    pub answer: Option<String>,
}

impl Fault {
    /// Creates a fault.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into(), answer: None }
    }
}

/// Resources that a player has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Total wall time of the player's answers.
    pub wall: Duration,
    /// Wall time of the slowest answer.
    pub longest: Duration,
    /// Nodes searched; 0 for programs.
    pub nodes: u64,
}

impl Usage {
    /// Returns the resources used since `before`; `longest` is not reduced.
    fn since(&self, before: &Usage) -> Usage {
        Usage {
            wall: self.wall.saturating_sub(before.wall),
            longest: self.longest,
            nodes: self.nodes.saturating_sub(before.nodes),
        }
    }
}

/// A player in the arena: a built-in player or a program.
pub trait Seat {
    /// Starts a game from an opening (possibly without moves). `score` is the state of its match.
    fn begin(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        score: MatchScore,
    ) -> Result<(), Fault>;

    /// Asks the player for a move in the current position.
    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault>;

    /// Takes the files for the lines of the next games, one a game.
    fn log_games(&mut self, logs: Vec<Log>);

    /// Ends the dialogue after the last game.
    fn end(&mut self) -> Ending;

    /// Returns what the player has used so far, including earlier games of its match.
    fn usage(&self) -> Usage;
}

/// How a player ended after its last game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// Last lines of the player's stderr.
    pub stderr: Vec<String>,
    /// An error after the end of the game, e.g. a non-zero exit status. It costs no points.
    pub complaint: Option<String>,
    /// The dialogue until then.
    pub dialogue: Dialogue,
}

/// Record of the dialogue with a program, as evidence of a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialogue {
    /// Last lines exchanged, with the time since the start of the program.
    pub last_lines: Vec<String>,
    /// Output after the last line that was read.
    pub unread: String,
    /// Number of answers.
    pub answers: usize,
    /// Total wall time of the answers.
    pub answer_time: Duration,
    /// Whether the last answer was written before it was asked for.
    pub is_early: bool,
    /// Whether the last request was not answered.
    pub is_unanswered: bool,
    /// Whether the program used the processor while it did not answer, if that is known.
    pub is_computing: Option<bool>,
    /// Whether the program was sent lines that only cupbot sends.
    pub has_own_lines: bool,
}

/// Describes an exceeded time limit.
fn overrun(used: Duration, budget: Duration) -> String {
    let (used, budget) = (used.as_secs_f64(), budget.as_secs_f64());
    if budget < 1.0 {
        return format!("used {:.1} ms of {:.1} ms wall time", used * 1e3, budget * 1e3);
    }
    format!("used {used:.2} s of {budget:.2} s wall time")
}
