//! Keys of incremental position hashing (A. Zobrist, 1970), computed at compile time.

use super::types::{Colour, Hand, Kind, Piece, Square};
use crate::engine::rng::split_mix;

struct Keys {
    pieces: [[[u64; 64]; 5]; 2],
    hands: [[[u64; 17]; 4]; 2],
    plies: [u64; 128],
    blue_to_move: u64,
}

static KEYS: Keys = make_keys();

const fn make_keys() -> Keys {
    let mut keys = Keys {
        pieces: [[[0; 64]; 5]; 2],
        hands: [[[0; 17]; 4]; 2],
        plies: [0; 128],
        blue_to_move: split_mix(0),
    };
    let mut seed = 0;
    let mut colour = 0;
    while colour < 2 {
        let mut kind = 0;
        while kind < 5 {
            let mut square = 0;
            while square < 64 {
                seed += 1;
                keys.pieces[colour][kind][square] = split_mix(seed);
                square += 1;
            }
            kind += 1;
        }
        let mut kind = 0;
        while kind < 4 {
            // The key of an empty hand is 0.
            let mut count = 1;
            while count < 17 {
                seed += 1;
                keys.hands[colour][kind][count] = split_mix(seed);
                count += 1;
            }
            kind += 1;
        }
        colour += 1;
    }
    let mut ply = 0;
    while ply < 128 {
        seed += 1;
        keys.plies[ply] = split_mix(seed);
        ply += 1;
    }
    keys
}

/// Returns the key of a piece on a square.
#[inline(always)]
pub fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.colour.index()][piece.kind.index()][square.index()]
}

/// Returns the key of the pieces of one droppable kind in a side's hand.
#[inline(always)]
pub fn hand(colour: Colour, hand: Hand, kind: Kind) -> u64 {
    KEYS.hands[colour.index()][kind.index() & 3][hand.count(kind)]
}

/// Returns the key of a ply, for tables that distinguish positions near the end of the game by ply.
#[inline(always)]
pub fn ply(ply: usize) -> u64 {
    KEYS.plies[ply & 127]
}

/// Returns the key for Blue to move.
#[inline(always)]
pub fn blue_to_move() -> u64 {
    KEYS.blue_to_move
}
