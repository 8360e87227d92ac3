//! Positions reduced to the state that affects the result, with a key that equivalent positions share.

use super::super::geometry::{
    around, canonical_corners, canonical_image, image_of_cell, reach, sides,
    without_duplicate_corners, Cells, Each, Segments, ALL_CELLS, SEGMENT_COUNT, SYMMETRIES,
};
use super::super::position::{Board, Position};
use crate::engine::rng::split_mix;

/// One number for each symmetry of the board.
type Lanes = [u64; SYMMETRIES];

/// Random numbers of the gaps (Zobrist, 1970): `[segment][symmetry]` is the number of the segment's image.
static GAP_KEYS: [Lanes; 64] = lanes_by_image(0, false);
/// Random numbers of live cells with dead cells attached: `[cell][symmetry]` is multiplied by the number of dead cells.
static WEIGHT_KEYS: [Lanes; 64] = lanes_by_image(64, true);
/// Seed of the numbers for sizes and tempo, which no gap or cell uses.
const SIZES_SEED: u64 = 1 << 32;

const fn lanes_by_image(seed: u64, of_cells: bool) -> [Lanes; 64] {
    let mut table = [[0; SYMMETRIES]; 64];
    let mut bit = 0;
    while bit < SEGMENT_COUNT {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            // Bits without a cell have no image; their entries are never used.
            let image = if !of_cells {
                canonical_image(bit, symmetry)
            } else if 1 << bit & ALL_CELLS != 0 {
                image_of_cell(bit, symmetry)
            } else {
                bit
            };
            table[bit][symmetry] = split_mix(seed + image as u64);
            symmetry += 1;
        }
        bit += 1;
    }
    table
}

/// A board reduced to the state that affects the result.
///
/// In dead cells (see [`Board::dead`]) no zone can be closed any more. Their gaps are only waiting moves, whose number
/// is the cycle rank. Two such moves cancel out, so only the parity of the rank matters: the *tempo* (as in a sum of
/// games in combinatorial game theory). For the live cell that they are attached to, only the number of dead cells
/// matters: its weight.
#[derive(Clone, Copy, Debug)]
pub struct Reduced {
    board: Board,
    live: Segments,
    lanes: Lanes,
}

impl Reduced {
    fn new(board: Board) -> Reduced {
        let empty = Reduced { board, live: 0, lanes: [0; SYMMETRIES] };
        empty.reduce(board)
    }

    /// Returns the board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Reduces another board incrementally, which is fast if both have most live gaps in common.
    #[inline(always)]
    fn reduce(&self, board: Board) -> Reduced {
        let live = board.gaps() & !around(board.dead());
        let mut lanes = self.lanes;
        for bit in Each(canonical_corners(self.live) ^ canonical_corners(live)) {
            let keys = &GAP_KEYS[bit.trailing_zeros() as usize];
            for (lane, key) in lanes.iter_mut().zip(keys) {
                *lane ^= key;
            }
        }
        Reduced { board, live, lanes }
    }

    #[inline(always)]
    fn dead_gaps(&self) -> Segments {
        self.board.gaps() & !self.live
    }

    /// Whether one move in dead cells is left after pairs of them have cancelled out.
    #[inline(always)]
    pub fn has_tempo(&self) -> bool {
        (self.dead_gaps().count_ones() + self.board.dead().count_ones()) % 2 != 0
    }

    /// Returns the moves to search: the live ones and, with a tempo, one in dead cells.
    #[inline(always)]
    pub fn moves(&self) -> Segments {
        let live = without_duplicate_corners(self.live & self.board.legal());
        if self.has_tempo() {
            let tempo = self.dead_gaps() & self.board.legal();
            live | (tempo & tempo.wrapping_neg())
        } else {
            live
        }
    }

    /// Returns whether the side to move wins if no live gap is left, otherwise `None`.
    #[inline(always)]
    pub fn known_result(&self) -> Option<bool> {
        if self.live == 0 {
            Some(self.has_tempo())
        } else {
            None
        }
    }

    /// Returns a hash key. Equivalent boards have the same key; other boards almost certainly have different keys.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        let board = &self.board;
        let dead = board.dead();
        let mut lanes = self.lanes;
        let live_cells = board.open() & !dead;
        let mut cells = live_cells.count_ones();
        // The bridges between dead and live cells.
        let links = board.bridges() & around(dead) & around(live_cells);
        for link in Each(links) {
            let (one, other) = sides(link);
            let live = (one | other) & live_cells;
            if live == 0 || (one | other) & dead == 0 {
                continue;
            }
            let weight = reach((one | other) & dead, board.gaps() & !link).count_ones();
            cells += weight;
            let keys = &WEIGHT_KEYS[live.trailing_zeros() as usize];
            for (lane, key) in lanes.iter_mut().zip(keys) {
                *lane = lane.wrapping_add(key.wrapping_mul(u64::from(weight)));
            }
        }
        // The sum of the products of the halves does not depend on the order of the images.
        let halves = |lane: u64| (lane >> 32).wrapping_mul(lane & 0xffff_ffff);
        let image = lanes.iter().fold(0u64, |sum, &lane| sum.wrapping_add(halves(lane)));
        let sizes = u64::from(board.sizes().up_to(cells as usize).bits());
        split_mix(image ^ split_mix(SIZES_SEED | sizes << 1 | u64::from(self.has_tempo())))
    }
}

/// A position with its reduction.
#[derive(Clone, Debug)]
pub struct Node {
    position: Position,
    reduced: Reduced,
}

impl Node {
    /// Creates the node of a position.
    pub fn new(position: Position) -> Node {
        let reduced = Reduced::new(*position.board());
        Node { position, reduced }
    }

    /// Returns the position.
    #[inline(always)]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the reduction of the position.
    #[inline(always)]
    pub fn reduced(&self) -> &Reduced {
        &self.reduced
    }

    /// Returns the node after a legal move.
    #[inline(always)]
    pub fn after(&self, bit: Segments) -> Node {
        let position = self.position.make_bit(bit);
        let reduced = self.reduced.reduce(*position.board());
        Node { position, reduced }
    }

    /// Returns the reduction of the position after a legal move that closes `zone` (0 for none).
    #[inline(always)]
    pub fn reduced_after(&self, bit: Segments, zone: Cells) -> Reduced {
        self.reduced.reduce(self.position.board_after(bit, zone))
    }
}
