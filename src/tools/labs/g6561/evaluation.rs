//! The network that a command-line option names.

use crate::games::g6561::network::Network;
use crate::tools::support::files;
use anyhow::{Context, Result};
use std::path::Path;
use std::sync::Arc;

/// The network of a file.
pub fn network(path: &Path) -> Result<Arc<Network>> {
    let name = path.display();
    let bytes = files::read(path).with_context(|| format!("opening {name}"))?;
    Ok(Arc::new(Network::from_bytes(&bytes).with_context(|| format!("{name}"))?))
}
