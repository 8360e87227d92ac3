//! Positions as the solver sees them: reduced to what can still matter, with a key that all equivalent
//! ones share.

use super::super::geometry::{
    around, corners_once, corners_sorted, image_of_cell, image_with_corners_sorted, sides, Each,
    Segments, ALL_CELLS, SEGMENT_COUNT, SYMMETRIES,
};
use super::super::position::Position;
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

/// A position, without what is decided in it.
///
/// Settled cells (see [`Position::settled`]) close no zone any more. Their gaps only serve as moves
/// that change nothing else, and as many of these as the cycle rank says; in the sum of games two such
/// moves cancel out, so only the rank's parity counts: the *tempo*. To the cell they hang on they
/// matter by their number, as its weight.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    position: Position,
    live: Segments,
    lanes: Lanes,
}

impl Node {
    /// The node of a position.
    pub fn new(position: Position) -> Node {
        let live = position.gaps() & !around(position.settled());
        let mut node = Node { position, live, lanes: [0; SYMMETRIES] };
        node.toggle(corners_sorted(live));
        node
    }

    /// The position.
    #[inline(always)]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The node after a legal move.
    #[inline(always)]
    pub fn after(&self, bit: Segments) -> Node {
        let position = self.position.make_bit(bit);
        let live = position.gaps() & !around(position.settled());
        let mut next = Node { position, live, lanes: self.lanes };
        next.toggle(corners_sorted(self.live) ^ corners_sorted(live));
        next
    }

    #[inline(always)]
    fn toggle(&mut self, changed: Segments) {
        for bit in Each(changed) {
            let keys = &GAP_KEYS[bit.trailing_zeros() as usize];
            for (lane, key) in self.lanes.iter_mut().zip(keys) {
                *lane ^= key;
            }
        }
    }

    #[inline(always)]
    fn settled_gaps(&self) -> Segments {
        self.position.gaps() & !self.live
    }

    /// Is one more move left in settled cells, after all those that cancel out?
    #[inline(always)]
    pub fn has_tempo(&self) -> bool {
        (self.settled_gaps().count_ones() + self.position.settled().count_ones()) % 2 != 0
    }

    /// The moves that matter: the live ones, and one that stands for the tempo.
    #[inline(always)]
    pub fn moves(&self) -> Segments {
        let live = corners_once(self.live & self.position.legal());
        if self.has_tempo() {
            let tempo = self.settled_gaps() & self.position.legal();
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

    /// A number that equivalent positions share and, for all practical purposes, no others.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        let settled = self.position.settled();
        let mut lanes = self.lanes;
        let live_cells = self.position.open() & !settled;
        let mut cells = live_cells.count_ones();
        // The bridges between settled and live cells.
        let hooks = self.position.bridges() & around(settled) & around(live_cells);
        for hook in Each(hooks) {
            let (one, other) = sides(hook);
            let live = (one | other) & live_cells;
            if live == 0 || (one | other) & settled == 0 {
                continue;
            }
            let weight = self.position.zone_behind(hook).count_ones();
            cells += weight;
            let keys = &WEIGHT_KEYS[live.trailing_zeros() as usize];
            for (lane, key) in lanes.iter_mut().zip(keys) {
                *lane = lane.wrapping_add(key.wrapping_mul(u64::from(weight)));
            }
        }
        let image = lanes.iter().fold(u64::MAX, |least, &lane| least.min(lane));
        let sizes = u64::from(self.position.sizes().up_to(cells as usize).bits());
        split_mix(image ^ split_mix(SIZES_SEED | sizes << 1 | u64::from(self.has_tempo())))
    }
}
