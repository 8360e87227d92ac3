//! The board as bits: segments, cells and dots share one layout in which every step is a shift.
//!
//! Row `r` takes 11 bits: the horizontal segments `(r, 0..5)`, then the vertical ones `(r, 0..6)`. The
//! 60 segments so fill the bits 0 to 59 without a gap. A cell has the bit of the segment above it
//! (`11 r + c`, r and c below 5), and a dot `(r, c)` the bit `11 r + c` too (r and c below 6).

use crate::engine::rng::Rng;

/// A set of segments.
pub type Segments = u64;
/// A set of cells.
pub type Cells = u64;
/// A set of dots.
pub type Dots = u64;

/// The number of segments.
pub const SEGMENT_COUNT: usize = 60;
/// Cells in a row or column; dots are one more.
pub const SIDE: usize = 5;
/// The number of cells.
pub const CELL_COUNT: usize = SIDE * SIDE;

/// Bits of a row.
const STRIDE: usize = 11;
/// From a cell to the segment to its left, right and below (above: the same bit).
const TO_LEFT: usize = 5;
const TO_RIGHT: usize = 6;
const TO_BELOW: usize = STRIDE;

const ROW_OF_CELLS: u64 = 0b1_1111;
const ROW_OF_DOTS: u64 = 0b11_1111;
/// The lowest bit of every one of the first five rows.
const FIVE_ROWS: u64 = 1 | 1 << STRIDE | 1 << (2 * STRIDE) | 1 << (3 * STRIDE) | 1 << (4 * STRIDE);

/// All segments.
pub const ALL_SEGMENTS: Segments = (1 << SEGMENT_COUNT) - 1;
/// All cells.
pub const ALL_CELLS: Cells = ROW_OF_CELLS * FIVE_ROWS;
/// The horizontal segments.
pub const HORIZONTAL: Segments = ALL_CELLS | ROW_OF_CELLS << (SIDE * STRIDE);
/// The vertical segments.
pub const VERTICAL: Segments = ALL_SEGMENTS & !HORIZONTAL;
const TOP: Segments = ROW_OF_CELLS;
const BOTTOM: Segments = ROW_OF_CELLS << (SIDE * STRIDE);
const LEFT: Segments = FIVE_ROWS << TO_LEFT;
const RIGHT: Segments = FIVE_ROWS << (TO_RIGHT + SIDE - 1);
/// The segments between a cell and the outside.
pub const BORDER: Segments = TOP | BOTTOM | LEFT | RIGHT;
/// All dots.
pub const ALL_DOTS: Dots = ROW_OF_DOTS * (FIVE_ROWS | 1 << (SIDE * STRIDE));
/// The dots on the border.
pub const RIM: Dots = ROW_OF_DOTS | ROW_OF_DOTS << (SIDE * STRIDE) | FIVE_ROWS | FIVE_ROWS << SIDE;

/// The bit of the horizontal segment right of dot `(row, column)`.
pub const fn horizontal(row: usize, column: usize) -> usize {
    row * STRIDE + column
}

/// The bit of the vertical segment below dot `(row, column)`.
pub const fn vertical(row: usize, column: usize) -> usize {
    row * STRIDE + TO_LEFT + column
}

/// Is the segment of this bit horizontal, and which dot (row, column) does it start from?
pub const fn start_of(bit: usize) -> (bool, usize, usize) {
    let (row, rest) = (bit / STRIDE, bit % STRIDE);
    if rest < SIDE {
        (true, row, rest)
    } else {
        (false, row, rest - SIDE)
    }
}

/// The bit of the cell `(row, column)`.
pub const fn cell(row: usize, column: usize) -> usize {
    row * STRIDE + column
}

/// The two dots that the segment of this bit joins.
#[inline(always)]
pub const fn ends(segment: Segments) -> (Dots, Dots) {
    if segment & HORIZONTAL != 0 {
        (segment, segment << 1)
    } else {
        (segment >> TO_LEFT, segment << (STRIDE - TO_LEFT))
    }
}

/// The cells on both sides of one segment; none where the outside is.
#[inline(always)]
pub const fn sides(segment: Segments) -> (Cells, Cells) {
    if segment & HORIZONTAL != 0 {
        (segment & ALL_CELLS, (segment >> TO_BELOW) & ALL_CELLS)
    } else {
        ((segment >> TO_LEFT) & ALL_CELLS, (segment >> TO_RIGHT) & ALL_CELLS)
    }
}

/// Which cells have a segment of this set above, to the left, to the right and below them. Other bits
/// mean nothing.
#[inline(always)]
pub const fn sides_of_cells(set: Segments) -> [Cells; 4] {
    [set, set >> TO_LEFT, set >> TO_RIGHT, set >> TO_BELOW]
}

/// Which dots have a segment of this set to the right, to the left, below and above them. Other bits
/// mean nothing.
#[inline(always)]
pub const fn sides_of_dots(set: Segments) -> [Dots; 4] {
    let (flat, steep) = (set & HORIZONTAL, set & VERTICAL);
    [flat, flat << 1, steep >> TO_LEFT, steep << (STRIDE - TO_LEFT)]
}

/// All segments around these cells.
#[inline(always)]
pub const fn around(cells: Cells) -> Segments {
    cells | cells << TO_LEFT | cells << TO_RIGHT | cells << TO_BELOW
}

/// The segments both of whose ends are among these dots.
#[inline(always)]
pub const fn within(dots: Dots) -> Segments {
    (dots & dots >> 1 & HORIZONTAL) | ((dots & dots >> STRIDE) << TO_LEFT & VERTICAL)
}

/// The cells together with those one step through a gap away.
#[inline(always)]
pub const fn grow(cells: Cells, gaps: Segments) -> Cells {
    let down = cells << TO_BELOW & gaps;
    let up = (cells & gaps) >> TO_BELOW;
    let right = (cells << TO_RIGHT & gaps) >> TO_LEFT;
    let left = (cells << TO_LEFT & gaps) >> TO_RIGHT;
    (cells | down | up | right | left) & ALL_CELLS
}

/// The cells that can be reached from these through gaps without leaving the board.
#[inline(always)]
pub fn reach(from: Cells, gaps: Segments) -> Cells {
    let mut cells = from;
    loop {
        let grown = grow(cells, gaps);
        if grown == cells {
            return cells;
        }
        cells = grown;
    }
}

/// The same, or `None` as soon as the outside can be reached.
#[inline(always)]
pub fn enclosed(from: Cells, gaps: Segments) -> Option<Cells> {
    let exits = gaps & BORDER;
    let mut cells = from;
    loop {
        if around(cells) & exits != 0 {
            return None;
        }
        let grown = grow(cells, gaps);
        if grown == cells {
            return Some(cells);
        }
        cells = grown;
    }
}

/// The cells from which a gap leads to the outside, and those of them from which two do.
#[inline(always)]
pub const fn exits(gaps: Segments) -> (Cells, Cells) {
    let upright = gaps & TOP | (gaps & BOTTOM) >> TO_BELOW;
    let sideways = (gaps & LEFT) >> TO_LEFT | (gaps & RIGHT) >> TO_RIGHT;
    (upright | sideways, upright & sideways)
}

/// The region that a segment cuts off from the outside, `gaps` being without it: one of its two
/// sides must be enclosed.
#[inline(always)]
pub fn cut_off(segment: Segments, gaps: Segments) -> Cells {
    let (one, other) = sides(segment);
    if one == 0 {
        return reach(other, gaps);
    }
    if other == 0 {
        return reach(one, gaps);
    }
    match enclosed(one, gaps) {
        Some(region) => region,
        None => reach(other, gaps),
    }
}

/// The horizontal border segments of the corner cells, and the vertical ones. Both of a corner lead
/// from its cell to the outside, so to play they are one as good as the other.
const CORNERS: [(usize, usize); 4] = [
    (horizontal(0, 0), vertical(0, 0)),
    (horizontal(0, SIDE - 1), vertical(0, SIDE)),
    (horizontal(SIDE, 0), vertical(SIDE - 1, 0)),
    (horizontal(SIDE, SIDE - 1), vertical(SIDE - 1, SIDE)),
];

/// The set with the vertical segment of a corner only where the horizontal one is in it too: for a
/// single one of the two it always has the horizontal one.
#[inline(always)]
pub const fn corners_sorted(set: Segments) -> Segments {
    let mut sorted = set;
    let mut corner = 0;
    while corner < CORNERS.len() {
        let (flat, steep) = CORNERS[corner];
        let only_steep = (set >> steep & !(set >> flat)) & 1;
        sorted ^= only_steep << flat | only_steep << steep;
        corner += 1;
    }
    sorted
}

/// The set without the vertical segment of a corner where the horizontal one is in it too.
#[inline(always)]
pub const fn corners_once(set: Segments) -> Segments {
    let mut once = set;
    let mut corner = 0;
    while corner < CORNERS.len() {
        let (flat, steep) = CORNERS[corner];
        once &= !((set >> flat & 1) << steep);
        corner += 1;
    }
    once
}

/// Where a symmetry takes a set with sorted corners; see [`image_of_segment`] and [`corners_sorted`].
pub const fn image_with_corners_sorted(bit: usize, symmetry: usize) -> usize {
    let image = image_of_segment(bit, symmetry);
    let mut corner = 0;
    while corner < CORNERS.len() {
        let (flat, steep) = CORNERS[corner];
        if image == flat || image == steep {
            return if 1 << bit & HORIZONTAL != 0 { flat } else { steep };
        }
        corner += 1;
    }
    image
}

/// The number of symmetries of the board.
pub const SYMMETRIES: usize = 8;

/// Where a symmetry takes the segment of this bit: transposed for an index from 4 on, then left and
/// right exchanged for an odd one, then top and bottom exchanged for the bit of value 2.
pub const fn image_of_segment(bit: usize, symmetry: usize) -> usize {
    let (mut flat, mut row, mut column) = start_of(bit);
    if symmetry & 4 != 0 {
        flat = !flat;
        let swapped = row;
        row = column;
        column = swapped;
    }
    if symmetry & 1 != 0 {
        column = if flat { SIDE - 1 - column } else { SIDE - column };
    }
    if symmetry & 2 != 0 {
        row = if flat { SIDE - row } else { SIDE - 1 - row };
    }
    if flat {
        horizontal(row, column)
    } else {
        vertical(row, column)
    }
}

/// Where a symmetry takes the cell of this bit; see [`image_of_segment`].
pub const fn image_of_cell(bit: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (bit / STRIDE, bit % STRIDE);
    if symmetry & 4 != 0 {
        let swapped = row;
        row = column;
        column = swapped;
    }
    if symmetry & 1 != 0 {
        column = SIDE - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = SIDE - 1 - row;
    }
    cell(row, column)
}

/// The bits of a set, lowest first, each as a set of one.
#[derive(Clone, Copy, Debug)]
pub struct Each(pub u64);

impl Iterator for Each {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0 & self.0.wrapping_neg();
        self.0 ^= lowest;
        Some(lowest)
    }
}

/// One of the bits of a set that is not empty, all equally likely.
#[inline(always)]
pub fn random_bit(set: u64, rng: &mut Rng) -> u64 {
    nth_bit(set, rng.below(set.count_ones() as usize))
}

/// The bit number `n` (0: the lowest) among those of a set.
#[inline(always)]
fn nth_bit(set: u64, mut n: usize) -> u64 {
    let mut shift = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        let low = (set >> shift & ((1 << width) - 1)).count_ones() as usize;
        if n >= low {
            n -= low;
            shift += width;
        }
    }
    1 << shift
}
