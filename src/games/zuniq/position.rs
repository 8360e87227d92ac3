//! Positions: open cells, taken sizes and legal moves.
//!
//! The open cells and the outside form a graph whose edges are the gaps: the segments that are neither drawn nor
//! enclosed in a zone. A move removes an edge. It closes a zone if and only if the edge is a bridge of that graph, that
//! is, if both ends of the segment touch the same connected group of walls. Every other move is legal; a bridge is
//! legal if the size of its zone is new.
//!
//! Parity argument: with E gaps and n open cells, the cycle rank E - n is the number of moves left if no further zone
//! is closed. A move that closes nothing lowers it by one, and it is 0 at the end. So a game has 35 + (zones closed) -
//! (cycle ranks enclosed in them) moves.

use super::geometry::{
    around, cut_off, ends, reach, sides, within, Cells, Dots, Each, Segments, ALL_CELLS,
    ALL_SEGMENTS, BORDER, BORDER_DOTS, CELL_COUNT,
};
use super::segment::Segment;
use arrayvec::ArrayVec;

/// Maximum number of groups: there are 36 dots, and a group has at least two.
const MAX_GROUPS: usize = 18;

/// A set of zone sizes: bit `n` for size `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Sizes(u32);

impl Sizes {
    /// Whether this size is in the set.
    #[inline(always)]
    pub fn has(self, size: usize) -> bool {
        self.0 >> size & 1 != 0
    }

    /// Returns the set plus this size.
    #[inline(always)]
    pub fn with(self, size: usize) -> Sizes {
        Sizes(self.0 | 1 << size)
    }

    /// Returns the smallest size that is not in the set.
    #[inline(always)]
    pub fn min_free(self) -> usize {
        (!(self.0 | 1)).trailing_zeros() as usize
    }

    /// Returns the subset of sizes up to and including `size`.
    #[inline(always)]
    pub fn up_to(self, size: usize) -> Sizes {
        Sizes(self.0 & ((2 << size) - 1))
    }

    /// Returns the maximum number of zones with distinct new sizes that fit into `cells` cells.
    #[inline(always)]
    pub fn max_new_zones(self, cells: u32) -> u32 {
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

    /// Returns the set as bits: bit `n` for size `n`.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        self.0
    }
}

/// The connected groups of walls as sets of dots. Dots without a wall are in no group.
#[derive(Clone, Debug)]
struct Groups(ArrayVec<Dots, MAX_GROUPS>);

impl Groups {
    const NONE: Groups = Groups(ArrayVec::new_const());

    /// Returns `dots` and all dots connected to them.
    #[inline(always)]
    fn joined(&self, dots: Dots) -> Dots {
        let groups = self.0.iter().filter(|&&group| group & dots != 0);
        groups.fold(dots, |all, group| all | group)
    }

    /// Adds the groups of another position, with `joined` replacing the groups that it consists of.
    #[inline(always)]
    fn add_joined(&mut self, others: &Groups, joined: Dots) {
        self.0.extend(others.0.iter().copied().filter(|group| group & joined == 0));
        self.0.push(joined);
    }
}

/// The bridges, each with its cells: those that it would close. Each bridge has a different adjacent cell on its inner
/// side, so there are never more bridges than cells.
#[derive(Clone, Debug)]
struct Bridges(
    /// The cells in the low bits, the bridge's index from bit [`INDEX_SHIFT`] on.
    ArrayVec<u64, CELL_COUNT>,
);

const INDEX_SHIFT: u32 = 56;

impl Bridges {
    const NONE: Bridges = Bridges(ArrayVec::new_const());

    #[inline(always)]
    fn push(&mut self, bridge: Segments, zone: Cells) {
        self.0.push(zone | u64::from(bridge.trailing_zeros()) << INDEX_SHIFT);
    }

    /// Iterates over the bridges, each with its cells.
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (Segments, Cells)> + '_ {
        self.0.iter().map(|&zone| (1 << (zone >> INDEX_SHIFT), zone & ALL_CELLS))
    }

    /// Returns the cells of a bridge, or 0 if it is not in the list.
    #[inline(always)]
    fn zone_closed_by(&self, bridge: Segments) -> Cells {
        self.iter().find(|&(other, _)| other == bridge).map_or(0, |(_, zone)| zone)
    }

    /// Adds the bridges of another position that are still gaps, and removes `cells` from their cells.
    #[inline(always)]
    fn add_remaining(&mut self, others: &Bridges, cells: Cells, gaps: Segments) {
        let left = others.0.iter().filter(|&zone| gaps >> (zone >> INDEX_SHIFT) & 1 != 0);
        self.0.extend(left.map(|zone| zone & !cells));
    }
}

/// A board: the state that determines the legal moves and their results. [`Position`] adds lists that make updates
/// fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    gaps: Segments,
    open: Cells,
    sizes: Sizes,
    bridges: Segments,
    blocked: Segments,
    dead: Cells,
}

impl Board {
    const START: Board = Board {
        gaps: ALL_SEGMENTS,
        open: ALL_CELLS,
        sizes: Sizes(0),
        bridges: 0,
        blocked: 0,
        dead: 0,
    };

    /// Returns the segments that are neither drawn nor enclosed in a zone.
    #[inline(always)]
    pub fn gaps(&self) -> Segments {
        self.gaps
    }

    /// Returns the cells that are in no zone.
    #[inline(always)]
    pub fn open(&self) -> Cells {
        self.open
    }

    /// Returns the sizes of the zones.
    #[inline(always)]
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Returns the gaps that would close a zone.
    #[inline(always)]
    pub fn bridges(&self) -> Segments {
        self.bridges
    }

    /// Returns the dead cells: open cells in which no zone can ever be closed, not even by cutting them off, so that
    /// only the number of moves left in them matters. They form a region that is smaller than the smallest free size
    /// and connected only to the outside, or a tree that a bridge would close. Not all dead cells are found.
    #[inline(always)]
    pub fn dead(&self) -> Cells {
        self.dead
    }

    /// Returns the legal moves.
    #[inline(always)]
    pub fn legal(&self) -> Segments {
        self.gaps & !self.blocked
    }

    /// Returns the maximum number of zones with distinct new sizes that fit into the open cells.
    #[inline(always)]
    pub fn max_new_zones(&self) -> u32 {
        self.sizes.max_new_zones(self.open.count_ones())
    }

    /// Marks a bridge as blocked if the size of its zone is taken. Also marks its cells if they are dead.
    #[inline(always)]
    fn classify(&mut self, bridge: Segments, zone: Cells) {
        let size = zone.count_ones() as usize;
        if self.sizes.has(size) {
            self.blocked |= bridge;
            // Moves inside it would be lost if the surrounding region were closed, so there must be none: its gaps must
            // form a tree.
            let is_tree = (self.gaps & around(zone)).count_ones() as usize == size;
            if size < self.sizes.min_free() && is_tree {
                self.dead |= zone;
            }
        }
    }

    /// Marks the pools (open cells connected without the outside) that contain these cells as dead if they are smaller
    /// than every free size.
    #[inline(always)]
    fn mark_dead_pools(&mut self, mut cells: Cells) {
        let min_free = self.sizes.min_free();
        if min_free == 1 {
            return;
        }
        while cells != 0 {
            let first = cells & cells.wrapping_neg();
            let pool = reach(first, self.gaps & !BORDER);
            if (pool.count_ones() as usize) < min_free {
                self.dead |= pool;
            }
            cells &= !pool;
        }
    }
}

/// A position: the board and lists that make updates fast.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    ply: u8,
    bridges: Bridges,
    groups: Groups,
}

/// Gaps and taken sizes. Positions with the same identity have the same continuations.
pub type Identity = (Segments, Sizes);

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Position {}

impl Position {
    /// The empty board, the start position.
    pub const START: Position =
        Position { board: Board::START, ply: 0, bridges: Bridges::NONE, groups: Groups::NONE };

    /// Returns the board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the identity, by which positions are compared.
    #[inline(always)]
    pub fn identity(&self) -> Identity {
        (self.gaps(), self.sizes())
    }

    /// See [`Board::gaps`].
    #[inline(always)]
    pub fn gaps(&self) -> Segments {
        self.board.gaps
    }

    /// See [`Board::open`].
    #[inline(always)]
    pub fn open(&self) -> Cells {
        self.board.open
    }

    /// See [`Board::sizes`].
    #[inline(always)]
    pub fn sizes(&self) -> Sizes {
        self.board.sizes
    }

    /// See [`Board::bridges`].
    #[inline(always)]
    pub fn bridges(&self) -> Segments {
        self.board.bridges
    }

    /// See [`Board::legal`].
    #[inline(always)]
    pub fn legal(&self) -> Segments {
        self.board.legal()
    }

    /// Returns the number of moves made.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    /// Whether drawing this segment is legal.
    #[inline(always)]
    pub fn is_legal(&self, segment: Segment) -> bool {
        self.legal() & segment.bit() != 0
    }

    /// Returns the cells that a bridge would close, or 0 if the segment is not a bridge.
    #[inline(always)]
    pub fn zone_closed_by(&self, bridge: Segments) -> Cells {
        self.bridges.zone_closed_by(bridge)
    }

    /// Returns the bridges, each with the cells that it would close.
    #[inline(always)]
    pub fn bridges_with_zones(&self) -> impl Iterator<Item = (Segments, Cells)> + '_ {
        self.bridges.iter()
    }

    /// Returns the number of connected groups of walls.
    #[inline(always)]
    pub fn group_count(&self) -> usize {
        self.groups.0.len()
    }

    /// Returns the position after a legal move.
    #[inline]
    pub fn make(&self, segment: Segment) -> Position {
        debug_assert!(self.is_legal(segment));
        self.make_bit(segment.bit())
    }

    /// Returns the position after the legal move with this bit.
    #[inline(always)]
    pub fn make_bit(&self, bit: Segments) -> Position {
        // The lists are filled in place: copying and then modifying them takes 1 % more time.
        let mut next = Position { ply: self.ply + 1, ..Position::START };
        if self.bridges() & bit != 0 {
            let zone = self.zone_closed_by(bit);
            next.board = self.closed(bit, zone);
            next.groups.0.extend(self.groups.0.iter().copied());
            next.bridges.add_remaining(&self.bridges, zone, next.board.gaps);
        } else {
            let group = self.group_of(bit);
            next.groups.add_joined(&self.groups, group);
            next.bridges.0.extend(self.bridges.0.iter().copied());
            next.board = self.connected(bit, group, |bridge, zone| next.bridges.push(bridge, zone));
        }
        next
    }

    /// Returns the board after a legal move that closes `zone` (0 for none). Faster than [`Position::make_bit`].
    #[inline(always)]
    pub fn board_after(&self, bit: Segments, zone: Cells) -> Board {
        debug_assert_eq!(zone, self.zone_closed_by(bit));
        if zone == 0 {
            self.connected(bit, self.group_of(bit), |_, _| {})
        } else {
            self.closed(bit, zone)
        }
    }

    /// Returns the board after a bridge closes `zone`, which may make any other bridge legal or illegal.
    #[inline(always)]
    fn closed(&self, bridge: Segments, zone: Cells) -> Board {
        let gaps = self.gaps() & !around(zone);
        let open = self.open() & !zone;
        let mut board = Board {
            gaps,
            open,
            sizes: self.sizes().with(zone.count_ones() as usize),
            bridges: self.bridges() & gaps,
            blocked: 0,
            dead: self.board.dead & open,
        };
        for (other, cells) in self.bridges_with_zones().filter(|(other, _)| gaps & other != 0) {
            board.classify(other, cells & !zone);
        }
        // If the smallest free size is unchanged, only the pool on the other side of the bridge has become smaller.
        let is_larger = board.sizes.min_free() > self.sizes().min_free();
        let (one, other) = sides(bridge);
        let changed = if is_larger { open & !board.dead } else { (one | other) & open };
        board.mark_dead_pools(changed);
        board
    }

    /// Returns the group formed by a new wall and the groups at its ends.
    #[inline(always)]
    fn group_of(&self, bit: Segments) -> Dots {
        let (one, other) = ends(bit);
        self.groups.joined(one | other)
    }

    /// Returns the board after a new wall that closes nothing and becomes part of `group`. New bridges are passed to
    /// `record` with their cells.
    #[inline(always)]
    fn connected(
        &self,
        bit: Segments,
        group: Dots,
        mut record: impl FnMut(Segments, Cells),
    ) -> Board {
        let mut board = self.board;
        board.gaps &= !bit;
        let new = within(group) & board.gaps & !board.bridges;
        board.bridges |= new;
        for bridge in Each(new) {
            let zone = cut_off(bridge, board.gaps & !bridge);
            record(bridge, zone);
            board.classify(bridge, zone);
        }
        if board.sizes.min_free() > 1 && bit & BORDER == 0 && self.joins_border(bit) {
            let (one, other) = sides(bit);
            board.mark_dead_pools(one | other);
        }
        board
    }

    /// Whether both ends of a segment are connected to the border, if the border counts as drawn.
    #[inline(always)]
    fn joins_border(&self, bit: Segments) -> bool {
        let (one, other) = ends(bit);
        self.groups.joined(BORDER_DOTS) & (one | other) == one | other
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}
