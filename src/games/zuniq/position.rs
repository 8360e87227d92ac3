//! The state of a game: what is still open, which sizes are taken, and which moves that leaves.
//!
//! The open cells and the outside form a graph whose edges are the gaps (segments not drawn that are
//! not shut away in a zone). A move removes an edge. It closes a zone exactly when the edge is a
//! bridge of that graph, that is, when both its ends touch the same connected group of walls. Every
//! other move is legal; a bridge is legal if the zone's size is new.
//!
//! With E gaps and n open cells, the cycle rank E - n says how many moves are left if no zone is closed
//! any more: a move that closes nothing lowers it by one, and at the end it is 0. So the length of a
//! game is 35 + (zones closed) - (cycle ranks shut away inside them).

use super::geometry::{
    around, cut_off, ends, reach, sides, within, Cells, Dots, Each, Segments, ALL_CELLS,
    ALL_SEGMENTS, BORDER, RIM,
};
use super::segment::Segment;

/// More groups of at least two dots can't exist: there are 36 dots.
const MAX_GROUPS: usize = 18;

/// A set of zone sizes: bit `n` for the size `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Sizes(u32);

impl Sizes {
    /// Is a zone of so many cells in the set?
    #[inline(always)]
    pub fn has(self, size: usize) -> bool {
        self.0 >> size & 1 != 0
    }

    /// The set with this size too.
    #[inline(always)]
    pub fn with(self, size: usize) -> Sizes {
        Sizes(self.0 | 1 << size)
    }

    /// The least size that is not in the set.
    #[inline(always)]
    pub fn least_free(self) -> usize {
        (!(self.0 | 1)).trailing_zeros() as usize
    }

    /// The sizes of the set that are at most this.
    #[inline(always)]
    pub fn up_to(self, size: usize) -> Sizes {
        Sizes(self.0 & ((2 << size) - 1))
    }

    /// So many zones of new sizes fit into so many cells at most.
    #[inline(always)]
    pub fn most_new(self, cells: u32) -> u32 {
        let (mut count, mut used) = (0, 0);
        for size in (1..).filter(|&size| self.0 >> size & 1 == 0) {
            used += size;
            if used > cells {
                break;
            }
            count += 1;
        }
        count
    }

    /// The set as bits: bit `n` for the size `n`.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        self.0
    }
}

/// The connected groups of walls, as sets of dots; dots that no wall touches are in none.
#[derive(Clone, Copy, Debug)]
struct Groups {
    dots: [Dots; MAX_GROUPS],
    count: usize,
}

impl Groups {
    const NONE: Groups = Groups { dots: [0; MAX_GROUPS], count: 0 };

    /// Makes one group of what two dots are connected to, and returns it.
    #[inline(always)]
    fn join(&mut self, one: Dots, other: Dots) -> Dots {
        let mut joined = one | other;
        let mut kept = 0;
        for index in 0..self.count {
            let group = self.dots[index];
            if group & (one | other) != 0 {
                joined |= group;
            } else {
                self.dots[kept] = group;
                kept += 1;
            }
        }
        self.dots[kept] = joined;
        self.count = kept + 1;
        joined
    }
}

/// The bridges, each with the cells behind it. A bridge has an open cell of its own, the one right
/// behind it, so there are never more of them than cells.
#[derive(Clone, Copy, Debug)]
struct Bridges {
    /// The cells in the low bits, the bridge's number above [`NUMBER_SHIFT`].
    zones: [u64; CELL_COUNT],
    count: usize,
}

const CELL_COUNT: usize = 25;
const NUMBER_SHIFT: u32 = 56;

impl Bridges {
    const NONE: Bridges = Bridges { zones: [0; CELL_COUNT], count: 0 };

    #[inline(always)]
    fn push(&mut self, bridge: Segments, zone: Cells) {
        self.zones[self.count] = zone | u64::from(bridge.trailing_zeros()) << NUMBER_SHIFT;
        self.count += 1;
    }

    /// All of them: the bridge and the cells behind it.
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (Segments, Cells)> + '_ {
        let zones = self.zones[..self.count].iter();
        zones.map(|&zone| (1 << (zone >> NUMBER_SHIFT), zone & ALL_CELLS))
    }

    /// The cells behind one of them.
    #[inline(always)]
    fn zone_behind(&self, bridge: Segments) -> Cells {
        self.iter().find(|&(other, _)| other == bridge).map_or(0, |(_, zone)| zone)
    }

    /// Takes away these cells and the bridges that are no gaps any more.
    #[inline(always)]
    fn remove(&mut self, cells: Cells, gaps: Segments) {
        let mut kept = 0;
        for index in 0..self.count {
            let zone = self.zones[index];
            if gaps >> (zone >> NUMBER_SHIFT) & 1 != 0 {
                self.zones[kept] = zone & !cells;
                kept += 1;
            }
        }
        self.count = kept;
    }
}

/// A state of the game.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    gaps: Segments,
    open: Cells,
    sizes: Sizes,
    ply: u8,
    bridges: Segments,
    behind: Bridges,
    blocked: Segments,
    settled: Cells,
    groups: Groups,
}

/// What is the same in positions in which the same can happen.
pub type Identity = (Segments, Sizes);

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Position {}

impl Position {
    /// The empty board.
    pub const START: Position = Position {
        gaps: ALL_SEGMENTS,
        open: ALL_CELLS,
        sizes: Sizes(0),
        ply: 0,
        bridges: 0,
        behind: Bridges::NONE,
        blocked: 0,
        settled: 0,
        groups: Groups::NONE,
    };

    /// What it shares with the positions that are the same.
    #[inline(always)]
    pub fn identity(&self) -> Identity {
        (self.gaps, self.sizes)
    }

    /// The segments that are neither drawn nor shut away in a zone.
    #[inline(always)]
    pub fn gaps(&self) -> Segments {
        self.gaps
    }

    /// The cells that are in no zone.
    #[inline(always)]
    pub fn open(&self) -> Cells {
        self.open
    }

    /// The sizes of the zones.
    #[inline(always)]
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// The number of moves made.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    /// The gaps that would close a zone.
    #[inline(always)]
    pub fn bridges(&self) -> Segments {
        self.bridges
    }

    /// The open cells in which, and by the cutting off of which, no zone can ever be closed, and that
    /// leave no other choice than how many moves to make in them: they lie in a part that is smaller
    /// than the least size that is free, and hangs on the outside alone, or on a bridge and without a
    /// cycle. Not all such cells are found.
    #[inline(always)]
    pub fn settled(&self) -> Cells {
        self.settled
    }

    /// The legal moves.
    #[inline(always)]
    pub fn legal(&self) -> Segments {
        self.gaps & !self.blocked
    }

    /// May this segment be drawn?
    #[inline(always)]
    pub fn is_legal(&self, segment: Segment) -> bool {
        self.legal() & segment.bit() != 0
    }

    /// The cells that a bridge would close.
    #[inline(always)]
    pub fn zone_behind(&self, bridge: Segments) -> Cells {
        self.behind.zone_behind(bridge)
    }

    /// The bridges, each with the cells that it would close.
    #[inline(always)]
    pub fn zones_behind(&self) -> impl Iterator<Item = (Segments, Cells)> + '_ {
        self.behind.iter()
    }

    /// The number of connected groups of walls.
    #[inline(always)]
    pub fn group_count(&self) -> usize {
        self.groups.count
    }

    /// The position after a legal move.
    #[inline]
    pub fn make(&self, segment: Segment) -> Position {
        debug_assert!(self.is_legal(segment));
        self.make_bit(segment.bit())
    }

    /// The same for the bit of a segment.
    #[inline(always)]
    pub fn make_bit(&self, bit: Segments) -> Position {
        let mut next = *self;
        next.ply += 1;
        next.gaps &= !bit;
        if self.bridges & bit != 0 {
            next.close(self.behind.zone_behind(bit));
        } else {
            next.connect(bit);
        }
        next
    }

    /// Takes a zone out of play. Any bridge may become legal or illegal by that.
    #[inline(always)]
    fn close(&mut self, zone: Cells) {
        self.sizes = self.sizes.with(zone.count_ones() as usize);
        self.open &= !zone;
        self.gaps &= !around(zone);
        self.bridges &= self.gaps;
        self.behind.remove(zone, self.gaps);
        self.blocked = 0;
        self.settled = 0;
        for index in 0..self.behind.count {
            let zone = self.behind.zones[index];
            self.judge(1 << (zone >> NUMBER_SHIFT), zone & ALL_CELLS);
        }
        self.settle_pools(self.open & !self.settled);
    }

    /// Makes the walls at both ends of a new one a single group.
    #[inline(always)]
    fn connect(&mut self, bit: Segments) {
        let (one, other) = ends(bit);
        let ends = one | other;
        let splits_pool =
            self.sizes.least_free() > 1 && bit & BORDER == 0 && self.rim_group() & ends == ends;
        let group = self.groups.join(one, other);
        self.add_bridges(within(group) & self.gaps & !self.bridges);
        if splits_pool {
            let (one, other) = sides(bit);
            self.settle_pools(one | other);
        }
    }

    /// The dots that are connected to the border of the board, the border taken as drawn.
    #[inline(always)]
    fn rim_group(&self) -> Dots {
        let groups = self.groups.dots[..self.groups.count].iter();
        groups.filter(|&&group| group & RIM != 0).fold(RIM, |all, group| all | group)
    }

    /// Finds out what new bridges would close.
    #[inline(always)]
    fn add_bridges(&mut self, bridges: Segments) {
        self.bridges |= bridges;
        for bridge in Each(bridges) {
            let zone = cut_off(bridge, self.gaps & !bridge);
            self.behind.push(bridge, zone);
            self.judge(bridge, zone);
        }
    }

    /// Is a bridge blocked, and if so, settled for ever?
    #[inline(always)]
    fn judge(&mut self, bridge: Segments, zone: Cells) {
        let size = zone.count_ones() as usize;
        if self.sizes.has(size) {
            self.blocked |= bridge;
            // Moves inside it, if any, are lost when the part of the board that it hangs on is
            // closed, so there must be none: its gaps are a tree.
            let is_tree = (self.gaps & around(zone)).count_ones() as usize == size;
            if size < self.sizes.least_free() && is_tree {
                self.settled |= zone;
            }
        }
    }

    /// Settles the pools (open cells connected without the outside) of these cells that are smaller
    /// than every free size.
    #[inline(always)]
    fn settle_pools(&mut self, mut cells: Cells) {
        let least_free = self.sizes.least_free();
        if least_free == 1 {
            return;
        }
        while cells != 0 {
            let first = cells & cells.wrapping_neg();
            let pool = reach(first, self.gaps & !BORDER);
            if (pool.count_ones() as usize) < least_free {
                self.settled |= pool;
            }
            cells &= !pool;
        }
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}
