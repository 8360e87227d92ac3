//! The network that a command-line option names.

use crate::games::g6561::network::Network;
use crate::tools::support::files;
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;

/// The network of a file.
pub fn network(path: &Path) -> Result<Arc<Network>> {
    Ok(Arc::new(files::read_as(path, Network::from_bytes)?))
}
