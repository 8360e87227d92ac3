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
    ALL_SEGMENTS, BORDER, CELL_COUNT, RIM,
};
use super::segment::Segment;
use arrayvec::ArrayVec;

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
#[derive(Clone, Debug)]
struct Groups(ArrayVec<Dots, MAX_GROUPS>);

impl Groups {
    const NONE: Groups = Groups(ArrayVec::new_const());

    /// These dots and all that they are connected to.
    #[inline(always)]
    fn joined(&self, dots: Dots) -> Dots {
        let groups = self.0.iter().filter(|&&group| group & dots != 0);
        groups.fold(dots, |all, group| all | group)
    }

    /// Adds the groups of another position, with one in the place of those that it consists of.
    #[inline(always)]
    fn add_joined(&mut self, others: &Groups, joined: Dots) {
        self.0.extend(others.0.iter().copied().filter(|group| group & joined == 0));
        self.0.push(joined);
    }
}

/// The bridges, each with the cells behind it. A bridge has an open cell of its own, the one right
/// behind it, so there are never more of them than cells.
#[derive(Clone, Debug)]
struct Bridges(
    /// The cells in the low bits, the bridge's number above [`NUMBER_SHIFT`].
    ArrayVec<u64, CELL_COUNT>,
);

const NUMBER_SHIFT: u32 = 56;

impl Bridges {
    const NONE: Bridges = Bridges(ArrayVec::new_const());

    #[inline(always)]
    fn push(&mut self, bridge: Segments, zone: Cells) {
        self.0.push(zone | u64::from(bridge.trailing_zeros()) << NUMBER_SHIFT);
    }

    /// All of them: the bridge and the cells behind it.
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (Segments, Cells)> + '_ {
        self.0.iter().map(|&zone| (1 << (zone >> NUMBER_SHIFT), zone & ALL_CELLS))
    }

    /// The cells behind one of them.
    #[inline(always)]
    fn zone_behind(&self, bridge: Segments) -> Cells {
        self.iter().find(|&(other, _)| other == bridge).map_or(0, |(_, zone)| zone)
    }

    /// Adds the bridges of another position that are still gaps, without these cells behind them.
    #[inline(always)]
    fn add_left(&mut self, others: &Bridges, cells: Cells, gaps: Segments) {
        let left = others.0.iter().filter(|&zone| gaps >> (zone >> NUMBER_SHIFT) & 1 != 0);
        self.0.extend(left.map(|zone| zone & !cells));
    }
}

/// The board: all that tells the moves and what comes of them, but for how it was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    gaps: Segments,
    open: Cells,
    sizes: Sizes,
    bridges: Segments,
    blocked: Segments,
    settled: Cells,
}

impl Board {
    const START: Board = Board {
        gaps: ALL_SEGMENTS,
        open: ALL_CELLS,
        sizes: Sizes(0),
        bridges: 0,
        blocked: 0,
        settled: 0,
    };

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

/// A state of the game: the board, and what makes the next one quick to find.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    ply: u8,
    behind: Bridges,
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
    pub const START: Position =
        Position { board: Board::START, ply: 0, behind: Bridges::NONE, groups: Groups::NONE };

    /// The board alone.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What it shares with the positions that are the same.
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

    /// The number of moves made.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
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
        self.groups.0.len()
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
        // The lists are filled in their place: to copy and then change them costs 1 % of the time.
        let mut next = Position { ply: self.ply + 1, ..Position::START };
        if self.bridges() & bit != 0 {
            let zone = self.zone_behind(bit);
            next.board = self.closed(bit, zone);
            next.groups.0.extend(self.groups.0.iter().copied());
            next.behind.add_left(&self.behind, zone, next.board.gaps);
        } else {
            let group = self.group_of(bit);
            next.groups.add_joined(&self.groups, group);
            next.behind.0.extend(self.behind.0.iter().copied());
            next.board = self.connected(bit, group, |bridge, zone| next.behind.push(bridge, zone));
        }
        next
    }

    /// The board after a legal move that closes this zone, or none: quicker than the position.
    #[inline(always)]
    pub fn board_after(&self, bit: Segments, zone: Cells) -> Board {
        debug_assert_eq!(zone, self.zone_behind(bit));
        if zone == 0 {
            self.connected(bit, self.group_of(bit), |_, _| {})
        } else {
            self.closed(bit, zone)
        }
    }

    /// The board without the zone behind a bridge. Any other bridge may become legal or illegal by that.
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
            settled: self.board.settled & open,
        };
        for (other, behind) in self.zones_behind().filter(|(other, _)| gaps & other != 0) {
            board.judge(other, behind & !zone);
        }
        // Only the pool on the other side of the bridge has become smaller.
        let is_larger = board.sizes.least_free() > self.sizes().least_free();
        let (one, other) = sides(bridge);
        let changed = if is_larger { open & !board.settled } else { (one | other) & open };
        board.settle_pools(changed);
        board
    }

    /// The group of walls that a new one makes of those at both its ends.
    #[inline(always)]
    fn group_of(&self, bit: Segments) -> Dots {
        let (one, other) = ends(bit);
        self.groups.joined(one | other)
    }

    /// The board after a new wall that makes a group and closes nothing. New bridges go to `record`,
    /// with the cells behind them.
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
            board.judge(bridge, zone);
        }
        if board.sizes.least_free() > 1 && bit & BORDER == 0 && self.joins_rim(bit) {
            let (one, other) = sides(bit);
            board.settle_pools(one | other);
        }
        board
    }

    /// Are both ends of a segment connected to the border of the board, the border taken as drawn?
    #[inline(always)]
    fn joins_rim(&self, bit: Segments) -> bool {
        let (one, other) = ends(bit);
        self.groups.joined(RIM) & (one | other) == one | other
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}
