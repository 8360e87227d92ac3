//! The whole state of a training run on disk.

use super::model::Model;
use anyhow::{ensure, Context, Result};
use std::fs;
use std::path::Path;

/// The first bytes of a checkpoint: a name and the version of the format.
const MAGIC: [u8; 8] = *b"cuptrn\x00\x01";
/// Magic, epochs done, steps done, checksum of the rest.
const HEADER: usize = 8 + 4 + 8 + 4;

/// Writes the state after `epochs` epochs; the file is replaced at once or not at all.
pub fn save(path: &Path, model: &Model, epochs: u32) -> Result<()> {
    let mut payload = Vec::new();
    let mut state = model.clone();
    numbers(&mut state, |number| payload.extend_from_slice(&number.to_le_bytes()));
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&epochs.to_le_bytes());
    bytes.extend_from_slice(&model.steps.to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
    bytes.append(&mut payload);
    let temporary = path.with_extension("new");
    fs::write(&temporary, bytes).with_context(|| format!("writing {}", temporary.display()))?;
    fs::rename(&temporary, path).with_context(|| format!("writing {}", path.display()))
}

/// Reads a state into a model of the same shape; returns the epochs done.
pub fn load(path: &Path, model: &mut Model) -> Result<u32> {
    let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let name = path.display();
    ensure!(bytes.len() >= HEADER && bytes[..8] == MAGIC, "{name} is no training checkpoint");
    let word =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let payload = &bytes[HEADER..];
    ensure!(word(20) == crc32fast::hash(payload), "{name} is damaged: wrong checksum");
    let mut floats = payload.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let mut missing = false;
    numbers(model, |number| match floats.next() {
        Some(value) => *number = value,
        None => missing = true,
    });
    ensure!(!missing && floats.next().is_none(), "{name} is of a network of another shape");
    model.steps = u64::from(word(12)) | u64::from(word(16)) << 32;
    Ok(word(8))
}

/// Visits every number of the state.
fn numbers(model: &mut Model, mut visit: impl FnMut(&mut f32)) {
    model.merged.rows.iter_mut().flatten().for_each(&mut visit);
    model.merged.tail_mut().for_each(&mut visit);
    model.shared.iter_mut().flatten().for_each(&mut visit);
    for moments in &mut model.moments {
        moments.first.iter_mut().for_each(&mut visit);
        moments.second.iter_mut().for_each(&mut visit);
    }
}
