//! Samples in a random order, packed into bytes: in memory up to a limit, beyond it in a temporary file.
//!
//! The order does not depend on the limit. Every sample goes to one of some parts at random; in the end each part is
//! shuffled by itself, so that only one has to fit into memory at a time.

use crate::engine::rng::{split_mix, Rng};
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// The number of parts.
const PARTS: usize = 64;

/// A sample that can be kept as bytes.
pub trait Packed: Sized {
    /// The number of bytes of every sample.
    const BYTES: usize;
    /// Appends its bytes.
    fn pack(&self, bytes: &mut Vec<u8>);
    /// The sample of these bytes, which [`Packed::pack`] has written.
    fn unpack(bytes: &[u8]) -> Self;
}

/// Where samples are kept, and in which order.
pub struct StoreConfig {
    /// The most bytes in memory.
    pub memory: usize,
    /// The folder of temporary files.
    pub folder: PathBuf,
    /// Decides the order.
    pub seed: u64,
}

/// Takes in samples.
pub struct Shuffler {
    config: StoreConfig,
    parts: Vec<Part>,
    rng: Rng,
    in_memory: usize,
}

/// Some of the samples: the first ones in a file, if there is one, the others in memory.
#[derive(Default)]
struct Part {
    file: Option<File>,
    bytes: Vec<u8>,
}

impl Part {
    fn spill(&mut self, config: &StoreConfig) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(temporary(config)?),
        };
        file.write_all(&self.bytes).with_context(|| writing(config))?;
        self.bytes = Vec::new();
        Ok(())
    }

    fn into_bytes(self, config: &StoreConfig) -> Result<Vec<u8>> {
        let Some(mut file) = self.file else { return Ok(self.bytes) };
        let mut bytes = Vec::new();
        file.rewind()
            .and_then(|()| file.read_to_end(&mut bytes))
            .with_context(|| reading(config))?;
        bytes.extend_from_slice(&self.bytes);
        Ok(bytes)
    }
}

impl Shuffler {
    /// Without samples.
    pub fn new(config: StoreConfig) -> Shuffler {
        let parts = (0..PARTS).map(|_| Part::default()).collect();
        let rng = Rng::new(config.seed);
        Shuffler { config, parts, rng, in_memory: 0 }
    }

    /// Takes in a sample. An error where the temporary files can't be written.
    pub fn add(&mut self, sample: &impl Packed) -> Result<()> {
        let part = &mut self.parts[self.rng.below(PARTS)];
        let before = part.bytes.len();
        sample.pack(&mut part.bytes);
        self.in_memory += part.bytes.len() - before;
        if self.in_memory > self.config.memory {
            self.parts.iter_mut().try_for_each(|part| part.spill(&self.config))?;
            self.in_memory = 0;
        }
        Ok(())
    }

    /// All samples of this kind, which were taken in, in their random order.
    pub fn finish<S: Packed>(self) -> Result<Store> {
        let config = &self.config;
        let is_spilled = self.parts.iter().any(|part| part.file.is_some());
        let mut home = match is_spilled {
            true => Home::File(temporary(config)?),
            false => Home::Memory(Vec::with_capacity(self.in_memory)),
        };
        let mut count = 0;
        for (number, part) in self.parts.into_iter().enumerate() {
            let bytes = part.into_bytes(config)?;
            let mut samples: Vec<&[u8]> = bytes.chunks_exact(S::BYTES).collect();
            Rng::new(split_mix(config.seed) ^ number as u64).shuffle(&mut samples);
            count += samples.len();
            match &mut home {
                Home::Memory(all) => samples.iter().for_each(|sample| all.extend(*sample)),
                Home::File(file) => {
                    file.write_all(&samples.concat()).with_context(|| writing(config))?;
                }
            }
        }
        Ok(Store { home, count })
    }
}

/// Samples in a random order.
pub struct Store {
    home: Home,
    count: usize,
}

enum Home {
    Memory(Vec<u8>),
    File(File),
}

impl Store {
    /// The number of samples.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Are they in a file?
    pub fn is_on_disk(&self) -> bool {
        matches!(self.home, Home::File(_))
    }

    /// The samples of the batch with this number; a last batch that is not full is none. An error where the file
    /// can't be read.
    pub fn batch<S: Packed>(&self, number: usize, size: usize) -> Result<Vec<S>> {
        let length = size * S::BYTES;
        let start = number * length;
        let unpacked = |bytes: &[u8]| bytes.chunks_exact(S::BYTES).map(S::unpack).collect();
        match &self.home {
            Home::Memory(bytes) => Ok(unpacked(&bytes[start..start + length])),
            Home::File(file) => {
                let mut file = file;
                let mut bytes = vec![0; length];
                file.seek(SeekFrom::Start(start as u64))
                    .and_then(|_| file.read_exact(&mut bytes))
                    .context("reading the temporary file of positions")?;
                Ok(unpacked(&bytes))
            }
        }
    }
}

/// A file without a name, which is gone when it is closed.
fn temporary(config: &StoreConfig) -> Result<File> {
    tempfile::tempfile_in(&config.folder).with_context(|| writing(config))
}

fn writing(config: &StoreConfig) -> String {
    format!("writing a temporary file of positions in {}", config.folder.display())
}

fn reading(config: &StoreConfig) -> String {
    format!("reading a temporary file of positions in {}", config.folder.display())
}

/// Puts a code of four bits at this place of codes that were 0, two a byte.
#[inline(always)]
pub fn set_code(codes: &mut [u8], index: usize, code: u8) {
    codes[index / 2] |= code << (4 * (index % 2));
}

/// The code of four bits at this place, see [`set_code`].
#[inline(always)]
pub fn code_at(codes: &[u8], index: usize) -> u8 {
    codes[index / 2] >> (4 * (index % 2)) & 15
}

/// Reads numbers off the beginning of a sample's bytes.
pub struct Unpacker<'a>(pub &'a [u8]);

impl Unpacker<'_> {
    /// The next bytes.
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("a sample has all its bytes");
        self.0 = rest;
        *bytes
    }

    /// The next number of 64 bits.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

/// Panics where a sample does not come back as it was, or has another length than it says.
#[cfg(test)]
pub fn assert_packs<S: Packed + PartialEq + std::fmt::Debug>(sample: &S) {
    let mut bytes = Vec::new();
    sample.pack(&mut bytes);
    assert_eq!(bytes.len(), S::BYTES);
    assert_eq!(S::unpack(&bytes), *sample);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Number(u64);

    impl Packed for Number {
        const BYTES: usize = 8;

        fn pack(&self, bytes: &mut Vec<u8>) {
            bytes.extend(self.0.to_le_bytes());
        }

        fn unpack(bytes: &[u8]) -> Number {
            Number(Unpacker(bytes).u64())
        }
    }

    fn stored(count: u64, memory: usize, seed: u64) -> Store {
        let folder = std::env::temp_dir();
        let mut shuffler = Shuffler::new(StoreConfig { memory, folder, seed });
        (0..count).for_each(|number| shuffler.add(&Number(number)).expect("it can be written"));
        shuffler.finish::<Number>().expect("it can be written and read")
    }

    fn all(store: &Store) -> Vec<Number> {
        store.batch(0, store.len()).expect("it can be read")
    }

    #[test]
    fn every_sample_is_there_once_in_a_random_order() {
        for memory in [0, 1000, usize::MAX] {
            let store = stored(1000, memory, 7);
            assert_eq!(store.is_on_disk(), memory < 8000);
            let mut found = all(&store);
            let steps = found.windows(2).filter(|pair| pair[0] < pair[1]).count();
            assert!((400..600).contains(&steps), "{steps} ascents of 999");
            found.sort();
            assert_eq!(found, (0..1000).map(Number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let usual = all(&stored(1000, usize::MAX, 7));
        for memory in [0, 1, 100, 7999, 8000] {
            assert_eq!(all(&stored(1000, memory, 7)), usual, "{memory} bytes");
        }
        assert_ne!(all(&stored(1000, usize::MAX, 8)), usual);
    }

    #[test]
    fn batches_follow_each_other() {
        for memory in [0, usize::MAX] {
            let store = stored(100, memory, 3);
            let batches = (0..3).map(|number| store.batch(number, 30).expect("it can be read"));
            let first: Vec<Number> = batches.flatten().collect();
            assert_eq!(first[..], all(&store)[..90]);
        }
    }

    #[test]
    fn no_samples_are_no_error() {
        assert_eq!(stored(0, 0, 1).len(), 0);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = PathBuf::from("no-such-folder");
        let mut shuffler = Shuffler::new(StoreConfig { memory: 0, folder, seed: 1 });
        let error = shuffler.add(&Number(1)).expect_err("there is no such folder");
        let expected = "writing a temporary file of positions in no-such-folder";
        assert_eq!(error.to_string(), expected);
    }
}
