//! What all requests share.

use super::sessions::Sessions;

/// What all requests share.
pub struct App {
    /// Where it listens.
    pub port: u16,
    /// The open pages.
    pub sessions: Sessions,
}
