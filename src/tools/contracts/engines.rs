//! External programs with their own protocol (e.g. UCI) as players of a match.

use super::judge::Judge;
use anyhow::Result;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Prefix of such players on the command line.
pub const PREFIX: &str = "uci:";

/// How a match creates such players.
pub struct Engines {
    /// Parses the text after [`PREFIX`]. The second argument holds default limits, `key=value,...` as for built-in
    /// players, for players without their own.
    pub read: fn(&str, &str) -> Result<Box<dyn Engine>>,
    /// Description of the form and the options, for the help.
    pub options: &'static str,
}

/// An external engine with its options.
pub trait Engine: Send + Sync {
    /// Describes everything that decides how it plays.
    fn describe(&self) -> String;

    /// Returns the shell command that starts it.
    fn command(&self) -> &str;

    /// Returns the name that it has in records, if its options give one.
    fn name(&self) -> Option<&str>;

    /// Returns its time control as PGN writes it: `SECONDS+INCREMENT`, `MOVES/SECONDS`, or `-` for none.
    fn time_control(&self) -> String;

    /// Creates the judge that talks to it during a match.
    fn judge(&self, clocks: GameClocks) -> Box<dyn Judge>;

    /// Maximum time per move; `None` without a time limit.
    fn longest_move(&self) -> Option<Duration>;
}

/// A player's clock for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Remaining time.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// The game clocks of both players of a match, as one of them sees them.
#[derive(Debug)]
pub struct GameClocks {
    both: Arc<Mutex<[Option<GameClock>; 2]>>,
    own: usize,
}

impl GameClocks {
    /// Creates the clocks for both players.
    pub fn pair() -> [GameClocks; 2] {
        let both: Arc<Mutex<_>> = Arc::default();
        [0, 1].map(|own| GameClocks { both: both.clone(), own })
    }

    /// Sets the player's own clock; `None` if it has none.
    pub fn set(&self, clock: Option<GameClock>) {
        self.both.lock().unwrap_or_else(PoisonError::into_inner)[self.own] = clock;
    }

    /// Returns the opponent's clock, if it has one.
    pub fn opponents(&self) -> Option<GameClock> {
        self.both.lock().unwrap_or_else(PoisonError::into_inner)[1 - self.own]
    }
}
