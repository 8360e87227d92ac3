//! Endings: positions whose open cells and the outside form a tree, or a tree and one cycle, and in
//! which few zones can still be closed. All that can happen in them is quicker tried than looked up.

use super::super::geometry::{exits, grow, Cells, Each, Segments};
use super::super::position::Sizes;
use arrayvec::ArrayVec;

/// Endings are searched if at most so many zones can still be closed, by cycle rank.
const MOST_ZONES: [u32; 2] = [4, 2];
// The loops are nested for so many.
const _: () = assert!(MOST_ZONES[0] == 4 && MOST_ZONES[1] == 2);
/// More cells, and more gaps in a cycle, than the board has.
const MAX_CELLS: usize = 26;
/// The number of the outside beside the bits of cells.
const OUTSIDE: usize = 63;

/// Does the side to move win? `None` where that can take long to find out.
#[inline(always)]
pub fn wins(gaps: Segments, open: Cells, sizes: Sizes) -> Option<bool> {
    let cells = open.count_ones();
    let rank = gaps.count_ones() - cells;
    let most_zones = MOST_ZONES.get(rank as usize)?;
    let left = sizes.most_new(cells);
    if left > *most_zones {
        return None;
    }
    // Filled in their place: to return them would copy the lists.
    let mut walk = Walk::new();
    walk.run(gaps, open);
    let mut ending = Ending::new();
    ending.gather(&walk);
    Some(ending.wins(open, sizes.bits(), left))
}

/// The open cells in the order of a breadth-first walk from the outside.
struct Walk {
    order: ArrayVec<u8, MAX_CELLS>,
    /// Whence each cell was reached.
    parent: [u8; OUTSIDE + 1],
    /// Each cell with all that was reached through it.
    behind: [Cells; OUTSIDE + 1],
    /// The ends of a gap that the walk did not use: there is one if there is a cycle.
    unused: Option<(usize, usize)>,
}

impl Walk {
    #[inline(always)]
    fn new() -> Walk {
        Walk {
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

    /// A cell and all those between it and the outside.
    #[inline(always)]
    fn way_out(&self, mut cell: usize) -> Cells {
        let mut way = 0;
        while cell != OUTSIDE {
            way |= 1 << cell;
            cell = self.parent_of(cell);
        }
        way
    }
}

/// The zones that can still be closed. What is behind a bridge never changes but by losing what is
/// closed, so the open cells and the sizes taken are the whole state.
struct Ending {
    /// What is behind the bridges.
    zones: ArrayVec<Cells, MAX_CELLS>,
    /// The cells of the cycle in order without the one through which it hangs on the rest: each with
    /// what hangs on it and all that for those before it.
    cycle: ArrayVec<Cells, MAX_CELLS>,
    /// These cells without what hangs on them.
    on_cycle: Cells,
}

impl Ending {
    #[inline(always)]
    fn new() -> Ending {
        Ending { zones: ArrayVec::new(), cycle: ArrayVec::new(), on_cycle: 0 }
    }

    #[inline(always)]
    fn gather(&mut self, walk: &Walk) {
        if let Some((one, other)) = walk.unused {
            self.add_cycle(walk, one, other);
        }
        for &cell in walk.order.iter() {
            if self.on_cycle >> cell & 1 == 0 {
                self.zones.push(walk.behind[usize::from(cell)]);
            }
        }
    }

    /// The cycle goes down to one end of the unused gap and from the other end up again.
    #[inline(always)]
    fn add_cycle(&mut self, walk: &Walk, one: usize, other: usize) {
        let on_cycle = walk.way_out(one) ^ walk.way_out(other);
        self.on_cycle = on_cycle;
        let is_on = |cell: usize| cell != OUTSIDE && on_cycle >> cell & 1 != 0;
        let mut cell = one;
        let mut below = 0;
        while is_on(cell) {
            self.cycle.push(walk.behind[cell] & !below);
            below = walk.behind[cell];
            cell = walk.parent_of(cell);
        }
        self.cycle.reverse();
        for index in 1..self.cycle.len() {
            self.cycle[index] |= self.cycle[index - 1];
        }
        let mut cell = other;
        while is_on(cell) {
            let before = self.cycle.last().map_or(0, |&before| before);
            self.cycle.push(before | walk.behind[cell]);
            cell = walk.parent_of(cell);
        }
    }

    /// Does the side to move win? `left`: so many zones can still be closed at most. Closing one lowers
    /// that by at least one: with it, any set closed later would have fitted before.
    #[inline(always)]
    fn wins(&self, open: Cells, sizes: u32, left: u32) -> bool {
        if self.cycle.is_empty() {
            return tree_wins(&self.zones, open, sizes, left);
        }
        match left {
            // Only the cycle is left to be cut.
            0 => true,
            1 => self.cycle_wins(open, sizes, 1, |_, _| true),
            _ => self.cycle_wins(open, sizes, 2, |open, sizes| {
                self.cycle_wins(open, sizes, 1, |_, _| true)
            }),
        }
    }

    /// The same while there is a cycle; `reply` tells whether the reply wins when a zone beside it is
    /// closed.
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
        // The cycle's cells are closed all at once or not at all.
        close_wins(zones, open, sizes, |open, sizes| match open & self.on_cycle {
            0 => tree_wins(zones, open, sizes, left - 1),
            _ => reply(open, sizes),
        })
    }

    /// Does the side to move win after this gap of the cycle is drawn (the one before the cell of the
    /// same number)? All others of the cycle are bridges then.
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

/// Does the side to move win where all gaps are bridges? `left`: so many zones can still be closed at
/// most, and that is at most four.
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

/// Can a zone be closed after which the reply does not win? Nested at compile time instead of
/// recursive: the last zone that can be closed needs no reply, and no level is a call.
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
