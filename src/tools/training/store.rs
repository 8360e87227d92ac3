//! Shuffled samples, packed into bytes: in memory up to a limit, beyond it in a temporary file.
//!
//! The order does not depend on the limit. Every sample is added to a random partition; at the end each partition is
//! shuffled separately, so that only one partition at a time has to fit into memory.

use crate::engine::rng::{split_mix, Rng};
use crate::tools::support::text::shown_name;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Number of partitions.
const PARTITIONS: usize = 64;

/// A sample that can be stored as bytes.
pub trait Packed: Sized {
    /// Size of every packed sample in bytes.
    const BYTES: usize;
    /// Appends the packed sample to `bytes`.
    fn pack(&self, bytes: &mut Vec<u8>);
    /// Unpacks a sample that [`Packed::pack`] has written.
    fn unpack(bytes: &[u8]) -> Self;
}

/// Memory limit, folder and seed of a store.
pub struct StoreConfig {
    /// Memory limit in bytes.
    pub memory: usize,
    /// Folder of the temporary files.
    pub folder: PathBuf,
    /// Seed of the order.
    pub seed: u64,
}

/// Collects samples and shuffles them.
pub struct Shuffler {
    config: StoreConfig,
    partitions: Vec<Partition>,
    rng: Rng,
    in_memory: usize,
}

/// A partition of the samples: the earlier ones in a file, if it was spilled, the later ones in memory.
#[derive(Default)]
struct Partition {
    file: Option<File>,
    bytes: Vec<u8>,
}

impl Partition {
    fn spill(&mut self, config: &StoreConfig) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(create_temporary(config)?),
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
    /// Creates a shuffler without samples.
    pub fn new(config: StoreConfig) -> Shuffler {
        let partitions = (0..PARTITIONS).map(|_| Partition::default()).collect();
        let rng = Rng::new(config.seed);
        Shuffler { config, partitions, rng, in_memory: 0 }
    }

    /// Adds a sample. Fails if a temporary file can't be written.
    pub fn add(&mut self, sample: &impl Packed) -> Result<()> {
        let partition = &mut self.partitions[self.rng.below(PARTITIONS)];
        let before = partition.bytes.len();
        sample.pack(&mut partition.bytes);
        self.in_memory += partition.bytes.len() - before;
        if self.in_memory > self.config.memory {
            self.partitions.iter_mut().try_for_each(|partition| partition.spill(&self.config))?;
            self.in_memory = 0;
        }
        Ok(())
    }

    /// Returns all samples in their random order. `S` must be the type of the samples that were added.
    pub fn finish<S: Packed>(self) -> Result<Store> {
        let config = &self.config;
        let is_spilled = self.partitions.iter().any(|partition| partition.file.is_some());
        let mut storage = match is_spilled {
            true => Storage::File(create_temporary(config)?),
            false => Storage::Memory(Vec::with_capacity(self.in_memory)),
        };
        let mut count = 0;
        for (number, partition) in self.partitions.into_iter().enumerate() {
            let bytes = partition.into_bytes(config)?;
            let mut samples: Vec<&[u8]> = bytes.chunks_exact(S::BYTES).collect();
            Rng::new(split_mix(config.seed) ^ number as u64).shuffle(&mut samples);
            count += samples.len();
            match &mut storage {
                Storage::Memory(all) => samples.iter().for_each(|sample| all.extend(*sample)),
                Storage::File(file) => {
                    file.write_all(&samples.concat()).with_context(|| writing(config))?;
                }
            }
        }
        Ok(Store { storage, count })
    }
}

/// Shuffled samples, in memory or in a file.
pub struct Store {
    storage: Storage,
    count: usize,
}

enum Storage {
    Memory(Vec<u8>),
    File(File),
}

impl Store {
    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the samples are in a file.
    pub fn is_on_disk(&self) -> bool {
        matches!(self.storage, Storage::File(_))
    }

    /// Reads batch `number`, counted from 0, of `size` samples. Only full batches can be read. Fails if the file can't
    /// be read.
    pub fn batch<S: Packed>(&self, number: usize, size: usize) -> Result<Vec<S>> {
        let length = size * S::BYTES;
        let start = number * length;
        let unpacked = |bytes: &[u8]| bytes.chunks_exact(S::BYTES).map(S::unpack).collect();
        match &self.storage {
            Storage::Memory(bytes) => Ok(unpacked(&bytes[start..start + length])),
            Storage::File(file) => {
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

/// Creates an unnamed temporary file, which is deleted when it is closed.
fn create_temporary(config: &StoreConfig) -> Result<File> {
    tempfile::tempfile_in(&config.folder).with_context(|| writing(config))
}

fn writing(config: &StoreConfig) -> String {
    format!("writing a temporary file of positions in {}", shown_name(&config.folder))
}

fn reading(config: &StoreConfig) -> String {
    format!("reading a temporary file of positions in {}", shown_name(&config.folder))
}

/// Sets the 4-bit code at `index`, which must be 0 before. Each byte holds two codes.
#[inline(always)]
pub fn set_code(codes: &mut [u8], index: usize, code: u8) {
    codes[index / 2] |= code << (4 * (index % 2));
}

/// Returns the 4-bit code at `index` (see [`set_code`]).
#[inline(always)]
pub fn code_at(codes: &[u8], index: usize) -> u8 {
    codes[index / 2] >> (4 * (index % 2)) & 15
}

/// Reads values from the start of a packed sample.
pub struct Unpacker<'a>(pub &'a [u8]);

impl Unpacker<'_> {
    /// Returns the next `N` bytes.
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("sample has all its bytes");
        self.0 = rest;
        *bytes
    }

    /// Returns the next 64-bit number.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

/// Panics if unpacking a packed sample does not return the same sample, or if its size is not [`Packed::BYTES`].
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
        (0..count)
            .for_each(|number| shuffler.add(&Number(number)).expect("writable temporary folder"));
        shuffler.finish::<Number>().expect("readable temporary files")
    }

    fn all(store: &Store) -> Vec<Number> {
        store.batch(0, store.len()).expect("readable store")
    }

    #[test]
    fn every_sample_occurs_once_in_random_order() {
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
    fn the_order_depends_only_on_the_seed() {
        let expected = all(&stored(1000, usize::MAX, 7));
        for memory in [0, 1, 100, 7999, 8000] {
            assert_eq!(all(&stored(1000, memory, 7)), expected, "{memory} bytes");
        }
        assert_ne!(all(&stored(1000, usize::MAX, 8)), expected);
    }

    #[test]
    fn batches_are_consecutive() {
        for memory in [0, usize::MAX] {
            let store = stored(100, memory, 3);
            let batches = (0..3).map(|number| store.batch(number, 30).expect("readable store"));
            let first: Vec<Number> = batches.flatten().collect();
            assert_eq!(first[..], all(&store)[..90]);
        }
    }

    #[test]
    fn an_empty_store_is_allowed() {
        assert_eq!(stored(0, 0, 1).len(), 0);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = PathBuf::from("no-such-folder");
        let mut shuffler = Shuffler::new(StoreConfig { memory: 0, folder, seed: 1 });
        let error = shuffler.add(&Number(1)).expect_err("no such folder");
        let expected = "writing a temporary file of positions in \"no-such-folder\"";
        assert_eq!(error.to_string(), expected);
    }
}
