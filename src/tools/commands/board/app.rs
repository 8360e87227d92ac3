//! State shared by all requests.

use super::sessions::Sessions;

/// State shared by all requests.
pub struct App {
    /// The port.
    pub port: u16,
    /// The sessions.
    pub sessions: Sessions,
}
