//! Players of a game that are programs of its own community: they speak another protocol than the contest's.

use super::judge::Judge;
use anyhow::Result;
use std::time::Duration;

/// What stands before them on the command line.
pub const PREFIX: &str = "uci:";

/// How a match reads such players.
pub struct Engines {
    /// Reads what stands after [`PREFIX`]. The second argument are options that hold where the player has no
    /// limit of its own, `key=value,...` as for built-in players.
    pub read: fn(&str, &str) -> Result<Box<dyn Engine>>,
    /// The form and the options in words, for the help.
    pub options: &'static str,
}

/// A program with its options.
pub trait Engine: Send + Sync {
    /// All that decides how it plays.
    fn describe(&self) -> String;

    /// The shell command that starts it.
    fn command(&self) -> &str;

    /// What speaks to it in one game.
    fn judge(&self) -> Box<dyn Judge>;

    /// The longest time that it may take for a move; `None` where no time limits it.
    fn longest_move(&self) -> Option<Duration>;
}
