//! Zobrist hash keys (A. Zobrist, 1970).

use super::types::{Colour, Kind, Square};
use crate::engine::rng::split_mix;

/// Seed of all keys.
const SEED: u64 = 0x960_0000;
const PIECES: usize = 2 * 6 * 64;

static KEYS: [u64; PIECES + 64 + 8] = keys();
/// Key of the side to move.
pub const SIDE: u64 = split_mix(SEED - 1);

const fn keys() -> [u64; PIECES + 64 + 8] {
    let mut keys = [0; PIECES + 64 + 8];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = split_mix(SEED + index as u64);
        index += 1;
    }
    keys
}

/// Returns the key of a piece on a square.
#[inline(always)]
pub fn piece(colour: Colour, kind: Kind, square: Square) -> u64 {
    KEYS[(colour.index() * 6 + kind.index()) * 64 + square.index()]
}

/// Returns the key of the castling right with the rook on a square.
#[inline(always)]
pub fn castling(rook: Square) -> u64 {
    KEYS[PIECES + rook.index()]
}

/// Returns the key of an en passant capture on a file.
#[inline(always)]
pub fn en_passant(file: usize) -> u64 {
    KEYS[PIECES + 64 + (file & 7)]
}
