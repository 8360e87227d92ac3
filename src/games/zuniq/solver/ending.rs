//! Endings: positions in which the open cells and the outside form a tree, or a graph with one cycle, and few zones can
//! still be closed. Searching them is faster than a table lookup.

use super::super::geometry::{exits, grow, Cells, Each, Segments};
use super::super::position::Sizes;
use arrayvec::ArrayVec;

/// Maximum number of zones that can still be closed in an ending, by cycle rank (0 or 1).
const MAX_ZONES: [u32; 2] = [4, 2];
// The searches below are nested for exactly these numbers.
const _: () = assert!(MAX_ZONES[0] == 4 && MAX_ZONES[1] == 2);
/// Capacity of lists of cells and of gaps in a cycle.
const MAX_CELLS: usize = 26;
/// Index of the outside; cells have the indices of their bits.
const OUTSIDE: usize = 63;

/// Returns whether the side to move wins, or `None` if the position is not an ending.
#[inline(always)]
pub fn wins(gaps: Segments, open: Cells, sizes: Sizes) -> Option<bool> {
    let cells = open.count_ones();
    let rank = gaps.count_ones() - cells;
    let max_zones = MAX_ZONES.get(rank as usize)?;
    let left = sizes.max_new_zones(cells);
    if left > *max_zones {
        return None;
    }
    // Filled in place, because returning the lists would copy them.
    let mut traversal = Traversal::new();
    traversal.run(gaps, open);
    let mut ending = Ending::new();
    ending.gather(&traversal);
    Some(ending.wins(open, sizes.bits(), left))
}

/// A breadth-first search of the open cells from the outside.
struct Traversal {
    order: ArrayVec<u8, MAX_CELLS>,
    /// The cell from which each cell was reached, by index.
    parent: [u8; OUTSIDE + 1],
    /// Each cell with all cells reached through it, by index.
    subtree: [Cells; OUTSIDE + 1],
    /// The ends of the gap that is not in the search tree, if there is a cycle.
    unused: Option<(usize, usize)>,
}

impl Traversal {
    #[inline(always)]
    fn new() -> Traversal {
        Traversal {
            order: ArrayVec::new(),
            parent: [OUTSIDE as u8; OUTSIDE + 1],
            subtree: [0; OUTSIDE + 1],
            unused: None,
        }
    }

    #[inline(always)]
    fn run(&mut self, gaps: Segments, open: Cells) {
        let (first, twice) = exits(gaps);
        self.unused = Each(twice).next().map(|cell| (cell.trailing_zeros() as usize, OUTSIDE));
        for cell in Each(first & open) {
            self.visit(cell, OUTSIDE);
        }
        let mut seen = first;
        let mut next = 0;
        while next < self.order.len() {
            let from = usize::from(self.order[next]);
            next += 1;
            for cell in Each(grow(1 << from, gaps) & !(1 << from)) {
                let to = cell.trailing_zeros() as usize;
                if seen & cell == 0 {
                    seen |= cell;
                    self.visit(cell, from);
                } else if self.parent_of(from) != to && self.parent_of(to) != from {
                    self.unused = Some((from, to));
                }
            }
        }
        for &cell in self.order.iter().rev() {
            let cell = usize::from(cell);
            self.subtree[self.parent_of(cell)] |= self.subtree[cell];
        }
    }

    #[inline(always)]
    fn visit(&mut self, cell: Cells, from: usize) {
        let number = cell.trailing_zeros() as usize;
        self.order.push(number as u8);
        self.parent[number] = from as u8;
        self.subtree[number] = cell;
    }

    #[inline(always)]
    fn parent_of(&self, cell: usize) -> usize {
        usize::from(self.parent[cell])
    }

    /// Returns a cell and all cells on the path from it to the outside.
    #[inline(always)]
    fn path_to_outside(&self, mut cell: usize) -> Cells {
        let mut path = 0;
        while cell != OUTSIDE {
            path |= 1 << cell;
            cell = self.parent_of(cell);
        }
        path
    }
}

/// The zones that can still be closed. The cells that a bridge would close change only when some of them are closed, so
/// the open cells and the taken sizes are the whole state.
struct Ending {
    /// The cells that each bridge would close.
    zones: ArrayVec<Cells, MAX_CELLS>,
    /// The cells of the cycle in order, except the one that connects it to the rest. Each entry also has the cells
    /// attached to its cell and all cells of the entries before it.
    cycle: ArrayVec<Cells, MAX_CELLS>,
    /// The cells of the cycle alone.
    on_cycle: Cells,
}

impl Ending {
    #[inline(always)]
    fn new() -> Ending {
        Ending { zones: ArrayVec::new(), cycle: ArrayVec::new(), on_cycle: 0 }
    }

    #[inline(always)]
    fn gather(&mut self, traversal: &Traversal) {
        if let Some((one, other)) = traversal.unused {
            self.add_cycle(traversal, one, other);
        }
        for &cell in traversal.order.iter() {
            if self.on_cycle >> cell & 1 == 0 {
                self.zones.push(traversal.subtree[usize::from(cell)]);
            }
        }
    }

    /// Collects the cycle, which leads down to one end of the unused gap and up again from the other end.
    #[inline(always)]
    fn add_cycle(&mut self, traversal: &Traversal, one: usize, other: usize) {
        let on_cycle = traversal.path_to_outside(one) ^ traversal.path_to_outside(other);
        self.on_cycle = on_cycle;
        let is_on = |cell: usize| cell != OUTSIDE && on_cycle >> cell & 1 != 0;
        let mut cell = one;
        let mut below = 0;
        while is_on(cell) {
            self.cycle.push(traversal.subtree[cell] & !below);
            below = traversal.subtree[cell];
            cell = traversal.parent_of(cell);
        }
        self.cycle.reverse();
        for index in 1..self.cycle.len() {
            self.cycle[index] |= self.cycle[index - 1];
        }
        let mut cell = other;
        while is_on(cell) {
            let before = self.cycle.last().map_or(0, |&before| before);
            self.cycle.push(before | traversal.subtree[cell]);
            cell = traversal.parent_of(cell);
        }
    }

    /// Returns whether the side to move wins. `left` is the maximum number of zones that can still be closed. Closing a
    /// zone lowers it by at least one: any set of zones closed later would have fitted before, together with that zone.
    #[inline(always)]
    fn wins(&self, open: Cells, sizes: u32, left: u32) -> bool {
        if self.cycle.is_empty() {
            return tree_wins(&self.zones, open, sizes, left);
        }
        match left {
            // The only move left is to draw a gap of the cycle.
            0 => true,
            1 => self.cycle_wins(open, sizes, 1, |_, _| true),
            _ => self.cycle_wins(open, sizes, 2, |open, sizes| {
                self.cycle_wins(open, sizes, 1, |_, _| true)
            }),
        }
    }

    /// Returns whether the side to move wins while there is a cycle. `reply` returns whether the opponent wins after a
    /// zone outside the cycle is closed.
    #[inline(always)]
    fn cycle_wins(
        &self,
        open: Cells,
        sizes: u32,
        left: u32,
        reply: impl Fn(Cells, u32) -> bool,
    ) -> bool {
        for gap in 0..=self.cycle.len() {
            if !self.cut_wins(gap, open, sizes, left) {
                return true;
            }
        }
        let zones = &self.zones;
        // The cells of the cycle are closed together or not at all.
        close_wins(zones, open, sizes, |open, sizes| match open & self.on_cycle {
            0 => tree_wins(zones, open, sizes, left - 1),
            _ => reply(open, sizes),
        })
    }

    /// Returns whether the side to move wins after gap `drawn` of the cycle is drawn, which precedes the cell with the
    /// same index. All other gaps of the cycle are bridges then.
    #[inline(always)]
    fn cut_wins(&self, drawn: usize, open: Cells, sizes: u32, left: u32) -> bool {
        let before = |gap: usize| if gap == 0 { 0 } else { self.cycle[gap - 1] };
        let mut zones = self.zones.clone();
        for gap in (0..=self.cycle.len()).filter(|&gap| gap != drawn) {
            zones.push(before(gap) ^ before(drawn));
        }
        tree_wins(&zones, open, sizes, left)
    }
}

/// Returns whether the side to move wins if all gaps are bridges. `left` is the maximum number of zones that can still
/// be closed, at most four.
#[inline(always)]
fn tree_wins(zones: &[Cells], open: Cells, sizes: u32, left: u32) -> bool {
    let one = |open, sizes| close_wins(zones, open, sizes, |_, _| false);
    let two = |open, sizes| close_wins(zones, open, sizes, one);
    let three = |open, sizes| close_wins(zones, open, sizes, two);
    match left {
        0 => false,
        1 => one(open, sizes),
        2 => two(open, sizes),
        3 => three(open, sizes),
        _ => close_wins(zones, open, sizes, three),
    }
}

/// Returns whether a zone can be closed so that no reply wins. Nested at compile time instead of recursive: closing the
/// last zone needs no reply, and all levels are inlined.
#[inline(always)]
fn close_wins(
    zones: &[Cells],
    open: Cells,
    sizes: u32,
    reply_wins: impl Fn(Cells, u32) -> bool,
) -> bool {
    for zone in zones {
        let zone = zone & open;
        let size = zone.count_ones();
        if zone != 0 && sizes >> size & 1 == 0 && !reply_wins(open & !zone, sizes | 1 << size) {
            return true;
        }
    }
    false
}
