//! Endings: positions in which the open cells and the outside form a tree, or a tree with one
//! cycle, and few zones can still be closed. They are faster to search than to look up in a table.

use super::super::geometry::{exits, grow, Cells, Each, Segments};
use super::super::position::Sizes;
use arrayvec::ArrayVec;

/// The maximum number of zones that can still be closed in an ending, by cycle rank (0 and 1).
const MAX_ZONES: [u32; 2] = [4, 2];
// The loops below are nested for these numbers.
const _: () = assert!(MAX_ZONES[0] == 4 && MAX_ZONES[1] == 2);
/// More than the number of cells, and than the number of gaps in a cycle.
const MAX_CELLS: usize = 26;
/// The index of the outside; cells have the indices of their bits.
const OUTSIDE: usize = 63;

/// Does the side to move win? `None` if the position is not an ending.
#[inline(always)]
pub fn wins(gaps: Segments, open: Cells, sizes: Sizes) -> Option<bool> {
    let cells = open.count_ones();
    let rank = gaps.count_ones() - cells;
    let max_zones = MAX_ZONES.get(rank as usize)?;
    let left = sizes.max_new_zones(cells);
    if left > *max_zones {
        return None;
    }
    // Filled in place: returning the lists would copy them.
    let mut traversal = Traversal::new();
    traversal.run(gaps, open);
    let mut ending = Ending::new();
    ending.gather(&traversal);
    Some(ending.wins(open, sizes.bits(), left))
}

/// A breadth-first search of the open cells from the outside.
struct Traversal {
    order: ArrayVec<u8, MAX_CELLS>,
    /// The cell from which each cell was reached.
    parent: [u8; OUTSIDE + 1],
    /// Each cell with all cells that were reached through it.
    behind: [Cells; OUTSIDE + 1],
    /// The ends of a gap that is not in the search tree: there is one if there is a cycle.
    unused: Option<(usize, usize)>,
}

impl Traversal {
    #[inline(always)]
    fn new() -> Traversal {
        Traversal {
            order: ArrayVec::new(),
            parent: [OUTSIDE as u8; OUTSIDE + 1],
            behind: [0; OUTSIDE + 1],
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
            self.behind[self.parent_of(cell)] |= self.behind[cell];
        }
    }

    #[inline(always)]
    fn visit(&mut self, cell: Cells, from: usize) {
        let number = cell.trailing_zeros() as usize;
        self.order.push(number as u8);
        self.parent[number] = from as u8;
        self.behind[number] = cell;
    }

    #[inline(always)]
    fn parent_of(&self, cell: usize) -> usize {
        usize::from(self.parent[cell])
    }

    /// A cell and all cells between it and the outside.
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

/// The zones that can still be closed. The cells behind a bridge change only by the removal of
/// closed ones, so the open cells and the sizes taken are the whole state.
struct Ending {
    /// The cells behind each bridge.
    zones: ArrayVec<Cells, MAX_CELLS>,
    /// The cells of the cycle in order, without the one that connects it to the rest: each with the
    /// cells attached to it, and with all those before it.
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
                self.zones.push(traversal.behind[usize::from(cell)]);
            }
        }
    }

    /// The cycle leads down to one end of the unused gap and up again from the other end.
    #[inline(always)]
    fn add_cycle(&mut self, traversal: &Traversal, one: usize, other: usize) {
        let on_cycle = traversal.path_to_outside(one) ^ traversal.path_to_outside(other);
        self.on_cycle = on_cycle;
        let is_on = |cell: usize| cell != OUTSIDE && on_cycle >> cell & 1 != 0;
        let mut cell = one;
        let mut below = 0;
        while is_on(cell) {
            self.cycle.push(traversal.behind[cell] & !below);
            below = traversal.behind[cell];
            cell = traversal.parent_of(cell);
        }
        self.cycle.reverse();
        for index in 1..self.cycle.len() {
            self.cycle[index] |= self.cycle[index - 1];
        }
        let mut cell = other;
        while is_on(cell) {
            let before = self.cycle.last().map_or(0, |&before| before);
            self.cycle.push(before | traversal.behind[cell]);
            cell = traversal.parent_of(cell);
        }
    }

    /// Does the side to move win? `left` is the maximum number of zones that can still be closed.
    /// Closing one lowers it by at least one: any set of zones closed later would have fitted
    /// before, together with that one.
    #[inline(always)]
    fn wins(&self, open: Cells, sizes: u32, left: u32) -> bool {
        if self.cycle.is_empty() {
            return tree_wins(&self.zones, open, sizes, left);
        }
        match left {
            // Only a gap of the cycle is left to be drawn.
            0 => true,
            1 => self.cycle_wins(open, sizes, 1, |_, _| true),
            _ => self.cycle_wins(open, sizes, 2, |open, sizes| {
                self.cycle_wins(open, sizes, 1, |_, _| true)
            }),
        }
    }

    /// The same while there is a cycle; `reply` returns whether the reply wins after a zone outside
    /// the cycle is closed.
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
        // The cells of the cycle are closed all together or not at all.
        close_wins(zones, open, sizes, |open, sizes| match open & self.on_cycle {
            0 => tree_wins(zones, open, sizes, left - 1),
            _ => reply(open, sizes),
        })
    }

    /// Does the side to move win after gap number `drawn` of the cycle is drawn (the one before the
    /// cell with the same index)? All other gaps of the cycle are bridges then.
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

/// Does the side to move win if all gaps are bridges? `left` is the maximum number of zones that
/// can still be closed, at most four.
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

/// Can a zone be closed so that the reply does not win? Nested at compile time instead of
/// recursive: closing the last zone needs no reply, and no level is a function call.
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
