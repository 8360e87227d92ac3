//! Checkpoint files of a training run: a header with a checksum, the settings, a memo, and all weights and moments.

use crate::tools::support::files::{self, Named};
use anyhow::{ensure, Context, Result};
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

/// Magic bytes: a name and the format version. The CRC-32 of the rest of the file follows.
const MAGIC: [u8; 8] = *b"cuptrn\x00\x04";

/// Progress of a training run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Number of completed epochs or games.
    pub done: u64,
    /// Number of completed optimiser steps.
    pub steps: u64,
    /// Further state of the training, as text.
    pub memo: String,
}

/// A checkpoint file, locked for this run.
pub struct Checkpoint {
    path: PathBuf,
    /// The current file, which holds the lock; `None` for a device.
    file: Option<File>,
}

impl Checkpoint {
    /// Opens the file, or creates an empty one. Fails if another run uses it.
    pub fn open(path: &Path) -> Result<Checkpoint> {
        files::ensure_regular(path)?;
        let path = path.to_path_buf();
        if path.exists() && !path.is_file() {
            return Ok(Checkpoint { path, file: None });
        }
        files::ensure_writable(&path)?;
        let opened = OpenOptions::new().append(true).create(true).open(&path);
        let file = opened.named("opening", &path)?;
        files::lock(&file, &path)?;
        Ok(Checkpoint { path, file: Some(file) })
    }

    fn is_empty(&self) -> bool {
        self.file.as_ref().and_then(|file| file.metadata().ok()).is_none_or(|data| data.len() == 0)
    }

    /// Writes the checkpoint atomically: the progress, the settings, and the numbers (weights and moments).
    pub fn save(&mut self, settings: &str, state: &State, numbers: &[&mut [f32]]) -> Result<()> {
        let file = files::replace_locked(&self.path, &to_bytes(settings, state, numbers))?;
        if let Some(locked) = &mut self.file {
            *locked = file;
        }
        Ok(())
    }

    /// Reads the checkpoint: returns the progress and copies the numbers into slices of the same lengths. Returns
    /// `None` if the training has not begun. Fails if the settings differ; then the slices may be partly overwritten.
    pub fn load(&self, settings: &str, numbers: Vec<&mut [f32]>) -> Result<Option<State>> {
        if self.is_empty() {
            return Ok(None);
        }
        files::read_as(&self.path, |bytes| from_bytes(bytes, settings, numbers)).map(Some)
    }
}

/// A run that has failed before its first checkpoint leaves no empty file.
impl Drop for Checkpoint {
    fn drop(&mut self) {
        if self.file.is_some() && self.is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn to_bytes(settings: &str, state: &State, numbers: &[&mut [f32]]) -> Vec<u8> {
    let mut rest = Vec::new();
    rest.extend_from_slice(&state.done.to_le_bytes());
    rest.extend_from_slice(&state.steps.to_le_bytes());
    for text in [settings, &state.memo] {
        rest.extend_from_slice(&(text.len() as u64).to_le_bytes());
        rest.extend_from_slice(text.as_bytes());
    }
    rest.extend(
        numbers.iter().flat_map(|part| part.iter()).flat_map(|number| number.to_le_bytes()),
    );
    let checksum = crc32fast::hash(&rest).to_le_bytes();
    [&MAGIC[..], &checksum, &rest].concat()
}

fn from_bytes(bytes: &[u8], settings: &str, numbers: Vec<&mut [f32]>) -> Result<State> {
    let rest = bytes.strip_prefix(&MAGIC).and_then(|bytes| bytes.split_first_chunk::<4>());
    let (checksum, mut rest) = rest.context("not a training checkpoint of this version")?;
    let is_whole = crc32fast::hash(rest).to_le_bytes() == *checksum;
    ensure!(is_whole, "the checkpoint is damaged: wrong checksum");
    let (done, steps) = (take_u64(&mut rest)?, take_u64(&mut rest)?);
    let found = take_text(&mut rest)?;
    ensure!(found == settings, "the checkpoint was made with other options: {found}");
    let memo = take_text(&mut rest)?;
    let count: usize = numbers.iter().map(|part| part.len()).sum();
    let (found, left_over) = rest.as_chunks::<4>();
    let fits = found.len() == count && left_over.is_empty();
    ensure!(fits, "the checkpoint belongs to a network of another shape");
    let to = numbers.into_iter().flatten();
    to.zip(found).for_each(|(to, bytes)| *to = f32::from_le_bytes(*bytes));
    Ok(State { done, steps, memo })
}

fn take_u64(bytes: &mut &[u8]) -> Result<u64> {
    let (taken, rest) = bytes.split_first_chunk::<8>().context("the checkpoint is too short")?;
    *bytes = rest;
    Ok(u64::from_le_bytes(*taken))
}

fn take_text(bytes: &mut &[u8]) -> Result<String> {
    let length = usize::try_from(take_u64(bytes)?)?;
    let (taken, rest) = bytes.split_at_checked(length).context("the checkpoint is too short")?;
    *bytes = rest;
    Ok(String::from_utf8_lossy(taken).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{any_bytes, mutated};
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    const SETTINGS: &str = "settings";
    /// Byte range of the settings' length.
    const LENGTH: std::ops::Range<usize> = 28..36;

    fn valid() -> Vec<u8> {
        let state = State { done: 3, steps: 1 << 40, memo: "a note".to_string() };
        to_bytes(SETTINGS, &state, &[&mut [1.5, -2.0], &mut [], &mut [f32::MIN_POSITIVE]])
    }

    fn read(bytes: &[u8]) -> Result<(State, [f32; 3])> {
        let mut numbers = [0.0; 3];
        let (one, other) = numbers.split_at_mut(1);
        let state = from_bytes(bytes, SETTINGS, vec![one, other])?;
        Ok((state, numbers))
    }

    #[test]
    fn checkpoints_round_trip_and_reject_mismatches() {
        let (state, numbers) = read(&valid()).expect("valid checkpoint");
        assert_eq!((state.done, state.steps, &state.memo[..]), (3, 1 << 40, "a note"));
        assert_eq!(numbers, [1.5, -2.0, f32::MIN_POSITIVE]);
        let error = from_bytes(&valid(), "others", Vec::new()).expect_err("other settings");
        assert!(error.to_string().ends_with("other options: settings"), "{error}");
        let error = from_bytes(&valid(), SETTINGS, vec![&mut [0.0; 4]]).expect_err("wrong shape");
        assert!(error.to_string().contains("shape"), "{error}");
    }

    #[test]
    fn a_checkpoint_belongs_to_one_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        let is_refused = || {
            let error = Checkpoint::open(&path).err().map(|error| error.to_string());
            error.is_some_and(|error| error.contains("another process"))
        };
        let first = Checkpoint::open(&path).expect("a new file");
        assert!(is_refused() && matches!(first.load(SETTINGS, Vec::new()), Ok(None)));
        // A run that fails early leaves nothing.
        drop(first);
        assert!(!path.exists());
        let mut second = Checkpoint::open(&path).expect("a new file");
        for done in 1..3 {
            second.save(SETTINGS, &State { done, ..State::default() }, &[]).expect("written");
            assert!(is_refused());
        }
        drop(second);
        let third = Checkpoint::open(&path).expect("the file");
        let state = third.load(SETTINGS, Vec::new()).expect("a checkpoint");
        assert_eq!(state.map(|state| state.done), Some(2));
    }

    proptest! {
        #[test]
        fn a_damaged_checkpoint_is_rejected(bytes in mutated(valid())) {
            prop_assert_eq!(read(&bytes).is_ok(), bytes == valid());
        }

        /// An arbitrary header before the settings, with a correct checksum.
        #[test]
        fn a_forged_checkpoint_is_read_or_rejected(
            header in vec(any::<u8>(), 24),
            length in 0..=90usize,
            has_right_length in any::<bool>(),
        ) {
            let mut bytes = valid();
            bytes[12..36].copy_from_slice(&header);
            if has_right_length {
                bytes[LENGTH].copy_from_slice(&valid()[LENGTH]);
            }
            let is_whole = length >= bytes.len();
            bytes.truncate(length.max(12));
            let checksum = crc32fast::hash(&bytes[12..]);
            bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
            let has_right_length = bytes.len() >= 36 && bytes[LENGTH] == valid()[LENGTH];
            prop_assert_eq!(read(&bytes).is_ok(), is_whole && has_right_length);
        }

        #[test]
        fn arbitrary_bytes_are_not_a_checkpoint(bytes in any_bytes(200), has_magic in any::<bool>()) {
            let magic: &[u8] = if has_magic { &MAGIC } else { &[] };
            prop_assert!(read(&[magic, &bytes].concat()).is_err());
        }
    }
}
