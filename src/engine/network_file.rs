//! The frame of a network's file, whatever the network: a magic number, the shape and a checksum stand
//! before the coded numbers. And the network that is part of a program, read once.

use std::fmt;
use std::sync::{Arc, Mutex};

/// Why a file is no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The file does not begin as a network file of this version does.
    Magic,
    /// The shape is another one: what, found, expected.
    Shape(&'static str, usize, usize),
    /// The contents do not match the checksum.
    Checksum,
    /// A number is outside its range.
    Range,
    /// The text form of the built-in file can't be read.
    Embedding,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Magic => f.write_str("no network file of this version"),
            NetworkError::Shape(what, found, expected) => {
                write!(f, "the network has {} {}, expected {}", found, what, expected)
            }
            NetworkError::Checksum => f.write_str("the network file is damaged: wrong checksum"),
            NetworkError::Range => f.write_str("a number of the network is out of range"),
            NetworkError::Embedding => f.write_str("the built-in network can't be read"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// What the files of one kind of network begin with.
pub struct Format {
    /// The first bytes; the last one is the version of the format.
    pub magic: [u8; 8],
    /// What the network has how many of, each at most 65,535.
    pub shape: [(&'static str, usize); 4],
}

impl Format {
    /// The length of the header: magic, shape (two bytes each), checksum.
    pub const HEADER: usize = 8 + 4 * 2 + 4;

    /// The file with these coded numbers.
    pub fn framed(&self, payload: &[u8]) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        for (_, size) in self.shape {
            bytes.extend_from_slice(&(size as u16).to_le_bytes());
        }
        bytes.extend_from_slice(&checksum(payload).to_le_bytes());
        bytes.extend_from_slice(payload);
        bytes
    }

    /// The coded numbers of a file.
    pub fn payload<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], NetworkError> {
        if bytes.len() < Format::HEADER || bytes[..8] != self.magic {
            return Err(NetworkError::Magic);
        }
        for (index, (what, expected)) in self.shape.iter().enumerate() {
            let at = 8 + 2 * index;
            let found = usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
            if found != *expected {
                return Err(NetworkError::Shape(what, found, *expected));
            }
        }
        let stored = [bytes[16], bytes[17], bytes[18], bytes[19]];
        let payload = &bytes[Format::HEADER..];
        if u32::from_le_bytes(stored) != checksum(payload) {
            return Err(NetworkError::Checksum);
        }
        Ok(payload)
    }
}

/// The number, if its magnitude is at most this.
pub fn within(value: i32, most: i32) -> Result<i32, NetworkError> {
    if (-most..=most).contains(&value) {
        Ok(value)
    } else {
        Err(NetworkError::Range)
    }
}

/// The 32-bit hash FNV-1a (G. Fowler, L. Noll, K.-P. Vo).
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A network that is read at the first use and shared from then on.
pub struct ReadOnce<N>(Mutex<Option<Arc<N>>>);

impl<N> ReadOnce<N> {
    /// Not read yet.
    pub const fn new() -> ReadOnce<N> {
        ReadOnce(Mutex::new(None))
    }

    /// The network, made by `read` if this is the first use.
    pub fn get(&self, read: impl FnOnce() -> N) -> Arc<N> {
        let mut known = match self.0.lock() {
            Ok(known) => known,
            Err(poisoned) => poisoned.into_inner(),
        };
        known.get_or_insert_with(|| Arc::new(read())).clone()
    }
}
