//! Reads networks named by options.

use crate::games::zuniq::network::Network;
use crate::tools::support::files;
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;

/// Value of `--net` and `--start-from` for a network of zeros.
pub const NONE: &str = "none";

/// Returns the network of a file, a network of zeros for [`NONE`], or the built-in network for `None`.
pub fn network(path: Option<&Path>) -> Result<Arc<Network>> {
    match path {
        None => Ok(Network::built_in()),
        Some(path) if path == Path::new(NONE) => Ok(Arc::new(Network::zero())),
        Some(path) => Ok(Arc::new(files::read_as(path, Network::from_bytes)?)),
    }
}
