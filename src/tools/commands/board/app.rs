//! State shared by all requests.

use super::sessions::Sessions;

/// State shared by all requests.
pub struct App {
    /// Further names under which this machine may be addressed.
    pub hosts: Vec<String>,
    /// The sessions.
    pub sessions: Sessions,
}
