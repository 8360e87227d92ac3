//! External engines that use a protocol other than the contest's, such as UCI.

use super::judge::Judge;
use anyhow::Result;
use std::time::Duration;

/// Prefix of an engine on the command line.
pub const PREFIX: &str = "uci:";

/// A game's support for external engines.
pub struct Engines {
    /// Parses the text after [`PREFIX`]. The second argument holds default limits, `key=value,...` as for
    /// built-in players; they apply if the text sets no limit.
    pub read: fn(&str, &str) -> Result<Box<dyn Engine>>,
    /// Help text: syntax and options.
    pub options: &'static str,
}

/// An external engine with its options.
pub trait Engine: Send + Sync {
    /// Returns everything that determines how it plays.
    fn describe(&self) -> String;

    /// Returns the shell command that starts it.
    fn command(&self) -> &str;

    /// Creates the judge that speaks the engine's protocol in one game.
    fn judge(&self) -> Box<dyn Judge>;

    /// Returns the maximum time per move; `None` if it is not limited by time.
    fn longest_move(&self) -> Option<Duration>;
}
