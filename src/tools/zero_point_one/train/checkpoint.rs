//! The whole state of a training run on disk.

use super::model::Model;
use crate::tools::files::replace_atomically;
use anyhow::{ensure, Context, Result};
use std::fs;
use std::path::Path;

/// The first bytes of a checkpoint: a name and the version of the format.
const MAGIC: [u8; 8] = *b"cuptrn\x00\x02";
/// Magic, epochs done, steps done, length of the settings, checksum of the rest: settings and
/// numbers.
const HEADER: usize = 8 + 4 + 8 + 4 + 4;

/// Writes the state after `epochs` epochs of a training with these settings; the file is replaced
/// at once or not at all.
pub fn save(path: &Path, model: &Model, epochs: u32, settings: &str) -> Result<()> {
    let mut rest = settings.as_bytes().to_vec();
    let mut state = model.clone();
    numbers(&mut state, |number| rest.extend_from_slice(&number.to_le_bytes()));
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&epochs.to_le_bytes());
    bytes.extend_from_slice(&model.steps.to_le_bytes());
    bytes.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&rest).to_le_bytes());
    bytes.append(&mut rest);
    replace_atomically(path, &bytes)
}

/// Reads the state of a training with these settings into a model of the same shape; returns the
/// epochs done.
pub fn load(path: &Path, model: &mut Model, settings: &str) -> Result<u32> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("reading {name}"))?;
    let fits = bytes.len() >= HEADER && bytes[..8] == MAGIC;
    ensure!(fits, "{name} is no training checkpoint of this version");
    let word =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let rest = &bytes[HEADER..];
    ensure!(word(24) == crc32fast::hash(rest), "{name} is damaged: wrong checksum");
    let parts = rest.split_at_checked(word(20) as usize);
    let (found, floats) = parts.with_context(|| format!("{name} is damaged: wrong length"))?;
    let found = String::from_utf8_lossy(found);
    ensure!(found == settings, "{name} is of a training with other options: {found}");
    let mut floats = floats.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
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
