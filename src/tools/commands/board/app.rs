//! State shared by all requests.

use super::bots::Bots;
use super::sessions::Sessions;
use crate::tools::contracts::entry::Entry;

/// State shared by all requests.
pub struct App {
    /// The game at the bare address.
    pub game: &'static Entry,
    /// Further names under which this machine may be addressed.
    pub hosts: Vec<String>,
    /// Programs that the page offers as opponents.
    pub bots: Bots,
    /// The sessions.
    pub sessions: Sessions,
}
