//! Fuzzing: damaged and arbitrary bytes for tests of readers, and dialogues with a judge that breaks the rules.

pub mod dialogue;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// A change to some bytes.
#[derive(Clone, Debug)]
enum Mutation {
    Set(Index, u8),
    Flip(Index, u8),
    Insert(Index, u8),
    Remove(Index),
    /// Truncates the bytes.
    Cut(Index),
    /// Repeats a range.
    Repeat(Index, Index),
}

impl Mutation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Mutation::Set(at, byte) => *at.get_mut(bytes) = *byte,
            Mutation::Flip(at, bit) => *at.get_mut(bytes) ^= 1 << bit,
            Mutation::Insert(at, byte) => bytes.insert(at.index(bytes.len()), *byte),
            Mutation::Remove(at) => {
                bytes.remove(at.index(bytes.len()));
            }
            Mutation::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Mutation::Repeat(one, other) => {
                let ends = [one.index(bytes.len()), other.index(bytes.len())];
                let piece = bytes[ends[0].min(ends[1])..ends[0].max(ends[1])].to_vec();
                bytes.splice(ends[0]..ends[0], piece);
            }
        }
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        4 => any::<(Index, u8)>().prop_map(|(at, byte)| Mutation::Set(at, byte)),
        4 => (any::<Index>(), 0..8u8).prop_map(|(at, bit)| Mutation::Flip(at, bit)),
        1 => any::<(Index, u8)>().prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        1 => any::<Index>().prop_map(Mutation::Remove),
        1 => any::<Index>().prop_map(Mutation::Cut),
        1 => any::<(Index, Index)>().prop_map(|(one, other)| Mutation::Repeat(one, other)),
    ]
}

/// Returns a strategy for these bytes with one to five random changes.
pub fn mutated(bytes: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    vec(mutation(), 1..6).prop_map(move |mutations| {
        let mut bytes = bytes.clone();
        mutations.iter().for_each(|mutation| mutation.apply(&mut bytes));
        bytes
    })
}

/// Returns a strategy for fewer than `limit` arbitrary bytes.
pub fn any_bytes(limit: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..limit)
}
