//! The whole state of a training on disk: a header with a checksum, the settings, a text of the training's own,
//! and all numbers.

use crate::tools::support::files::{self, replace_atomically};
use anyhow::{ensure, Context, Result};
use std::path::Path;

/// The first bytes of a checkpoint: a name and the version of the format. The checksum of all that follows it
/// comes next.
const MAGIC: [u8; 8] = *b"cuptrn\x00\x04";

/// How far a training has got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Epochs or games done.
    pub done: u64,
    /// Steps of the optimiser done.
    pub steps: u64,
    /// What else a training keeps.
    pub memo: String,
}

/// Writes the state of a training with these settings and all numbers that it goes on from. The file is replaced
/// at once or not at all.
pub fn save(path: &Path, settings: &str, state: &State, numbers: &[&mut [f32]]) -> Result<()> {
    replace_atomically(path, &to_bytes(settings, state, numbers))
}

/// Reads the state of a training with these settings, and its numbers into slices of the same lengths. After an
/// error these are of no use.
pub fn load(path: &Path, settings: &str, numbers: Vec<&mut [f32]>) -> Result<State> {
    files::read_as(path, |bytes| from_bytes(bytes, settings, numbers))
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
    let (checksum, mut rest) = rest.context("no training checkpoint of this version")?;
    let is_whole = crc32fast::hash(rest).to_le_bytes() == *checksum;
    ensure!(is_whole, "the checkpoint is damaged: wrong checksum");
    let (done, steps) = (taken_number(&mut rest)?, taken_number(&mut rest)?);
    let found = taken_text(&mut rest)?;
    ensure!(found == settings, "the checkpoint is of a training with other options: {found}");
    let memo = taken_text(&mut rest)?;
    let count: usize = numbers.iter().map(|part| part.len()).sum();
    let (found, left_over) = rest.as_chunks::<4>();
    let fits = found.len() == count && left_over.is_empty();
    ensure!(fits, "the checkpoint is of a network of another shape");
    let to = numbers.into_iter().flatten();
    to.zip(found).for_each(|(to, bytes)| *to = f32::from_le_bytes(*bytes));
    Ok(State { done, steps, memo })
}

fn taken_number(bytes: &mut &[u8]) -> Result<u64> {
    let (taken, rest) = bytes.split_first_chunk::<8>().context("the checkpoint is too short")?;
    *bytes = rest;
    Ok(u64::from_le_bytes(*taken))
}

fn taken_text(bytes: &mut &[u8]) -> Result<String> {
    let length = usize::try_from(taken_number(bytes)?)?;
    let (taken, rest) = bytes.split_at_checked(length).context("the checkpoint is too short")?;
    *bytes = rest;
    Ok(String::from_utf8_lossy(taken).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutated::{any_bytes, mutated};
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    const SETTINGS: &str = "settings";
    /// Where the length of the settings stands.
    const LENGTH: std::ops::Range<usize> = 28..36;

    fn whole() -> Vec<u8> {
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
    fn everything_comes_back_and_nothing_else_is_taken() {
        let (state, numbers) = read(&whole()).expect("whole");
        assert_eq!((state.done, state.steps, &state.memo[..]), (3, 1 << 40, "a note"));
        assert_eq!(numbers, [1.5, -2.0, f32::MIN_POSITIVE]);
        let error = from_bytes(&whole(), "others", Vec::new()).expect_err("other settings");
        assert!(error.to_string().ends_with("other options: settings"), "{error}");
        let error = from_bytes(&whole(), SETTINGS, vec![&mut [0.0; 4]]).expect_err("too few");
        assert!(error.to_string().contains("shape"), "{error}");
    }

    proptest! {
        #[test]
        fn a_damaged_checkpoint_is_refused(bytes in mutated(whole())) {
            prop_assert_eq!(read(&bytes).is_ok(), bytes == whole());
        }

        /// Any header before the settings, with a right checksum.
        #[test]
        fn a_forged_checkpoint_is_read_or_refused(
            header in vec(any::<u8>(), 24),
            length in 0..=90usize,
            knows_length in any::<bool>(),
        ) {
            let mut bytes = whole();
            bytes[12..36].copy_from_slice(&header);
            if knows_length {
                bytes[LENGTH].copy_from_slice(&whole()[LENGTH]);
            }
            let is_whole = length >= bytes.len();
            bytes.truncate(length.max(12));
            let checksum = crc32fast::hash(&bytes[12..]);
            bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
            let knows_length = bytes.len() >= 36 && bytes[LENGTH] == whole()[LENGTH];
            prop_assert_eq!(read(&bytes).is_ok(), is_whole && knows_length);
        }

        #[test]
        fn no_other_bytes_are_a_checkpoint(bytes in any_bytes(200), is_begun in any::<bool>()) {
            let begun: &[u8] = if is_begun { &MAGIC } else { &[] };
            prop_assert!(read(&[begun, &bytes].concat()).is_err());
        }
    }
}
