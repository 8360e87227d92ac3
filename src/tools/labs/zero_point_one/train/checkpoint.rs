//! The whole state of a training run on disk.

use super::model::Model;
use crate::tools::support::files::{self, replace_atomically};
use anyhow::{ensure, Context, Result};
use std::path::Path;

/// The first bytes of a checkpoint: a name and the version of the format.
const MAGIC: [u8; 8] = *b"cuptrn\x00\x03";
/// The checksum of all that follows it comes next.
const CHECKSUM_END: usize = MAGIC.len() + 4;
/// Then epochs done, steps done and the length of the settings; the settings and the numbers follow.
const HEADER: usize = CHECKSUM_END + 4 + 8 + 4;

/// Writes the state after `epochs` epochs of a training with these settings; the file is replaced
/// at once or not at all.
pub fn save(path: &Path, model: &Model, epochs: u32, settings: &str) -> Result<()> {
    replace_atomically(path, &to_bytes(model, epochs, settings))
}

/// The bytes of a checkpoint.
pub fn to_bytes(model: &Model, epochs: u32, settings: &str) -> Vec<u8> {
    let mut bytes = vec![0; CHECKSUM_END];
    bytes.extend_from_slice(&epochs.to_le_bytes());
    bytes.extend_from_slice(&model.steps.to_le_bytes());
    bytes.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    bytes.extend_from_slice(settings.as_bytes());
    let mut state = model.clone();
    numbers(&mut state, |number| bytes.extend_from_slice(&number.to_le_bytes()));
    let checksum = crc32fast::hash(&bytes[CHECKSUM_END..]);
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    bytes[MAGIC.len()..CHECKSUM_END].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Reads the state of a training with these settings into a model of the same shape; returns the
/// epochs done. After an error the model is of no use.
pub fn load(path: &Path, model: &mut Model, settings: &str) -> Result<u32> {
    let name = path.display();
    let bytes = files::read(path).with_context(|| format!("reading {name}"))?;
    from_bytes(&bytes, model, settings).with_context(|| format!("reading {name}"))
}

/// As [`load`], from the bytes of a checkpoint.
pub fn from_bytes(bytes: &[u8], model: &mut Model, settings: &str) -> Result<u32> {
    let fits = bytes.len() >= HEADER && bytes[..MAGIC.len()] == MAGIC;
    ensure!(fits, "no training checkpoint of this version");
    let word =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let checksum = crc32fast::hash(&bytes[CHECKSUM_END..]);
    ensure!(word(MAGIC.len()) == checksum, "the checkpoint is damaged: wrong checksum");
    let settings_length = word(CHECKSUM_END + 12) as usize;
    let parts = bytes[HEADER..].split_at_checked(settings_length);
    let (found, floats) = parts.context("the checkpoint is damaged: wrong length")?;
    let found = String::from_utf8_lossy(found);
    ensure!(found == settings, "the checkpoint is of a training with other options: {found}");
    let mut floats = floats.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let mut missing = false;
    numbers(model, |number| match floats.next() {
        Some(value) => *number = value,
        None => missing = true,
    });
    ensure!(!missing && floats.next().is_none(), "the checkpoint is of a network of another shape");
    let steps = [CHECKSUM_END + 4, CHECKSUM_END + 8].map(|at| u64::from(word(at)));
    model.steps = steps[0] | steps[1] << 32;
    Ok(word(CHECKSUM_END))
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
