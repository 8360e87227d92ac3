//! External programs with their own protocol (e.g. UCI) as players of a match.

use super::judge::Judge;
use anyhow::Result;
use std::time::Duration;

/// Prefix of such players on the command line.
pub const PREFIX: &str = "uci:";

/// How a match creates such players.
pub struct Engines {
    /// Parses the text after [`PREFIX`]. The second argument holds default limits, `key=value,...` as for
    /// built-in players, for players without their own.
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

    /// Creates the judge that talks to it during a game.
    fn judge(&self) -> Box<dyn Judge>;

    /// Maximum time per move; `None` without a time limit.
    fn longest_move(&self) -> Option<Duration>;
}
