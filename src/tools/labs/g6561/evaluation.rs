//! Reads networks named by options.

use crate::games::g6561::network::Network;
use crate::tools::support::files;
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;

/// Reads a network file.
pub fn network(path: &Path) -> Result<Arc<Network>> {
    Ok(Arc::new(files::read_as(path, Network::from_bytes)?))
}
