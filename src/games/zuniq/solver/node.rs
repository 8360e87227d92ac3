//! Positions as the solver sees them: reduced to what can still matter, with a key that all equivalent
//! ones share.

use super::super::geometry::{
    around, corners_once, corners_sorted, image_of_cell, image_with_corners_sorted, reach, sides,
    Cells, Each, Segments, ALL_CELLS, SEGMENT_COUNT, SYMMETRIES,
};
use super::super::position::{Board, Position};
use crate::engine::rng::split_mix;

/// One number for each image of the board.
type Lanes = [u64; SYMMETRIES];

/// Random numbers of the gaps (Zobrist, 1970): `[segment][symmetry]` is the number of the image.
static GAP_KEYS: [Lanes; 64] = lanes_by_image(0, false);
/// The same for cells to which settled cells are attached; multiplied by how many these are.
static WEIGHT_KEYS: [Lanes; 64] = lanes_by_image(64, true);
/// Sizes and tempo get numbers that no gap and no cell has.
const SIZES_SEED: u64 = 1 << 32;

const fn lanes_by_image(seed: u64, of_cells: bool) -> [Lanes; 64] {
    let mut table = [[0; SYMMETRIES]; 64];
    let mut bit = 0;
    while bit < SEGMENT_COUNT {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            // Bits that are no cell have no image; their entries are never used.
            let image = if !of_cells {
                image_with_corners_sorted(bit, symmetry)
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

/// What of a board can still matter.
///
/// Settled cells (see [`Board::settled`]) close no zone any more. Their gaps only serve as moves that
/// change nothing else, and as many of these as the cycle rank says; in the sum of games two such moves
/// cancel out, so only the rank's parity counts: the *tempo*. To the cell they hang on they matter by
/// their number, as its weight.
#[derive(Clone, Copy, Debug)]
pub struct Reduced {
    board: Board,
    live: Segments,
    lanes: Lanes,
}

impl Reduced {
    fn new(board: Board) -> Reduced {
        let empty = Reduced { board, live: 0, lanes: [0; SYMMETRIES] };
        empty.on(board)
    }

    /// The board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The same for another board; quick if they have most live gaps in common.
    #[inline(always)]
    fn on(&self, board: Board) -> Reduced {
        let live = board.gaps() & !around(board.settled());
        let mut lanes = self.lanes;
        for bit in Each(corners_sorted(self.live) ^ corners_sorted(live)) {
            let keys = &GAP_KEYS[bit.trailing_zeros() as usize];
            for (lane, key) in lanes.iter_mut().zip(keys) {
                *lane ^= key;
            }
        }
        Reduced { board, live, lanes }
    }

    #[inline(always)]
    fn settled_gaps(&self) -> Segments {
        self.board.gaps() & !self.live
    }

    /// Is one more move left in settled cells, after all those that cancel out?
    #[inline(always)]
    pub fn has_tempo(&self) -> bool {
        (self.settled_gaps().count_ones() + self.board.settled().count_ones()) % 2 != 0
    }

    /// The moves that matter: the live ones, and one that stands for the tempo.
    #[inline(always)]
    pub fn moves(&self) -> Segments {
        let live = corners_once(self.live & self.board.legal());
        if self.has_tempo() {
            let tempo = self.settled_gaps() & self.board.legal();
            live | (tempo & tempo.wrapping_neg())
        } else {
            live
        }
    }

    /// Does the side to move win? Known without search where nothing but the tempo is left.
    #[inline(always)]
    pub fn decided(&self) -> Option<bool> {
        if self.live == 0 {
            Some(self.has_tempo())
        } else {
            None
        }
    }

    /// A number that equivalent boards share and, for all practical purposes, no others.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        let board = &self.board;
        let settled = board.settled();
        let mut lanes = self.lanes;
        let live_cells = board.open() & !settled;
        let mut cells = live_cells.count_ones();
        // The bridges between settled and live cells.
        let hooks = board.bridges() & around(settled) & around(live_cells);
        for hook in Each(hooks) {
            let (one, other) = sides(hook);
            let live = (one | other) & live_cells;
            if live == 0 || (one | other) & settled == 0 {
                continue;
            }
            let weight = reach((one | other) & settled, board.gaps() & !hook).count_ones();
            cells += weight;
            let keys = &WEIGHT_KEYS[live.trailing_zeros() as usize];
            for (lane, key) in lanes.iter_mut().zip(keys) {
                *lane = lane.wrapping_add(key.wrapping_mul(u64::from(weight)));
            }
        }
        // Whatever the order of the images, the same: the sum of products of their halves.
        let halves = |lane: u64| (lane >> 32).wrapping_mul(lane & 0xffff_ffff);
        let image = lanes.iter().fold(0u64, |sum, &lane| sum.wrapping_add(halves(lane)));
        let sizes = u64::from(board.sizes().up_to(cells as usize).bits());
        split_mix(image ^ split_mix(SIZES_SEED | sizes << 1 | u64::from(self.has_tempo())))
    }
}

/// A position as the solver sees it.
#[derive(Clone, Debug)]
pub struct Node {
    position: Position,
    reduced: Reduced,
}

impl Node {
    /// The node of a position.
    pub fn new(position: Position) -> Node {
        let reduced = Reduced::new(*position.board());
        Node { position, reduced }
    }

    /// The position.
    #[inline(always)]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What can still matter in it.
    #[inline(always)]
    pub fn reduced(&self) -> &Reduced {
        &self.reduced
    }

    /// The node after a legal move.
    #[inline(always)]
    pub fn after(&self, bit: Segments) -> Node {
        let position = self.position.make_bit(bit);
        let reduced = self.reduced.on(*position.board());
        Node { position, reduced }
    }

    /// What can still matter after a legal move that closes this zone, or none.
    #[inline(always)]
    pub fn reduced_after(&self, bit: Segments, zone: Cells) -> Reduced {
        self.reduced.on(self.position.board_after(bit, zone))
    }
}
