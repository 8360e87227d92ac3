//! Bitboards: segments, cells and dots share one layout in which every step is a shift.
//!
//! Row `r` has 11 bits: the horizontal segments `(r, 0..5)`, then the vertical ones `(r, 0..6)`. The 60 segments occupy
//! bits 0 to 59. Cell `(r, c)` has the bit of the segment above it, `11 r + c` (r and c below 5), and dot `(r, c)` has
//! the same bit (r and c below 6).

use crate::engine::rng::Rng;

/// A set of segments.
pub type Segments = u64;
/// A set of cells.
pub type Cells = u64;
/// A set of dots.
pub type Dots = u64;

/// Number of segments.
pub const SEGMENT_COUNT: usize = 60;
/// Number of cells in a row or column. The number of dots is one higher.
pub const SIDE: usize = 5;
/// Number of cells.
pub const CELL_COUNT: usize = SIDE * SIDE;

/// Number of bits per row.
const STRIDE: usize = 11;
/// Shift from a cell to the segment to its left. The segment above a cell has the same bit.
const TO_LEFT: usize = 5;
/// Shift from a cell to the segment to its right.
const TO_RIGHT: usize = 6;
/// Shift from a cell to the segment below it.
const TO_BELOW: usize = STRIDE;

/// The cells of the first row.
const ROW_OF_CELLS: u64 = 0b1_1111;
/// The dots of the first row.
const ROW_OF_DOTS: u64 = 0b11_1111;
/// The lowest bit of each of the first five rows.
const FIVE_ROWS: u64 = 1 | 1 << STRIDE | 1 << (2 * STRIDE) | 1 << (3 * STRIDE) | 1 << (4 * STRIDE);

/// All segments.
pub const ALL_SEGMENTS: Segments = (1 << SEGMENT_COUNT) - 1;
/// All cells.
pub const ALL_CELLS: Cells = ROW_OF_CELLS * FIVE_ROWS;
/// All horizontal segments.
pub const HORIZONTAL: Segments = ALL_CELLS | ROW_OF_CELLS << (SIDE * STRIDE);
/// All vertical segments.
pub const VERTICAL: Segments = ALL_SEGMENTS & !HORIZONTAL;
const TOP: Segments = ROW_OF_CELLS;
const BOTTOM: Segments = ROW_OF_CELLS << (SIDE * STRIDE);
const LEFT: Segments = FIVE_ROWS << TO_LEFT;
const RIGHT: Segments = FIVE_ROWS << (TO_RIGHT + SIDE - 1);
/// All segments between a cell and the outside.
pub const BORDER: Segments = TOP | BOTTOM | LEFT | RIGHT;
/// All dots.
pub const ALL_DOTS: Dots = ROW_OF_DOTS * (FIVE_ROWS | 1 << (SIDE * STRIDE));
/// All dots on the border.
pub const BORDER_DOTS: Dots =
    ROW_OF_DOTS | ROW_OF_DOTS << (SIDE * STRIDE) | FIVE_ROWS | FIVE_ROWS << SIDE;

/// Returns the bit of the horizontal segment right of dot `(row, column)`.
pub const fn horizontal(row: usize, column: usize) -> usize {
    row * STRIDE + column
}

/// Returns the bit of the vertical segment below dot `(row, column)`.
pub const fn vertical(row: usize, column: usize) -> usize {
    row * STRIDE + TO_LEFT + column
}

/// Returns whether the segment of this bit is horizontal, and the row and column of the dot that it starts from.
pub const fn start_of(bit: usize) -> (bool, usize, usize) {
    let (row, rest) = (bit / STRIDE, bit % STRIDE);
    if rest < SIDE {
        (true, row, rest)
    } else {
        (false, row, rest - SIDE)
    }
}

/// Returns the bit of the cell `(row, column)`.
pub const fn cell(row: usize, column: usize) -> usize {
    row * STRIDE + column
}

/// Returns the two dots that a segment connects. `segment` has exactly one bit.
#[inline(always)]
pub const fn ends(segment: Segments) -> (Dots, Dots) {
    if segment & HORIZONTAL != 0 {
        (segment, segment << 1)
    } else {
        (segment >> TO_LEFT, segment << (STRIDE - TO_LEFT))
    }
}

/// Returns the cells on both sides of a segment, with 0 for a side outside the board. `segment` has exactly one bit.
#[inline(always)]
pub const fn sides(segment: Segments) -> (Cells, Cells) {
    if segment & HORIZONTAL != 0 {
        (segment & ALL_CELLS, (segment >> TO_BELOW) & ALL_CELLS)
    } else {
        ((segment >> TO_LEFT) & ALL_CELLS, (segment >> TO_RIGHT) & ALL_CELLS)
    }
}

/// Returns the cells with a segment of `set` above, to the left, to the right and below. The result may have other bits
/// set, which have no meaning.
#[inline(always)]
pub const fn sides_of_cells(set: Segments) -> [Cells; 4] {
    [set, set >> TO_LEFT, set >> TO_RIGHT, set >> TO_BELOW]
}

/// Returns the dots with a segment of `set` to the right, to the left, below and above. The result may have other bits
/// set, which have no meaning.
#[inline(always)]
pub const fn sides_of_dots(set: Segments) -> [Dots; 4] {
    let (horizontal, vertical) = (set & HORIZONTAL, set & VERTICAL);
    [horizontal, horizontal << 1, vertical >> TO_LEFT, vertical << (STRIDE - TO_LEFT)]
}

/// Returns the segments around `cells`.
#[inline(always)]
pub const fn around(cells: Cells) -> Segments {
    cells | cells << TO_LEFT | cells << TO_RIGHT | cells << TO_BELOW
}

/// Returns the segments with both ends in `dots`.
#[inline(always)]
pub const fn within(dots: Dots) -> Segments {
    (dots & dots >> 1 & HORIZONTAL) | ((dots & dots >> STRIDE) << TO_LEFT & VERTICAL)
}

/// Returns `cells` plus the cells one step away through a gap.
#[inline(always)]
pub const fn grow(cells: Cells, gaps: Segments) -> Cells {
    let down = cells << TO_BELOW & gaps;
    let up = (cells & gaps) >> TO_BELOW;
    let right = (cells << TO_RIGHT & gaps) >> TO_LEFT;
    let left = (cells << TO_LEFT & gaps) >> TO_RIGHT;
    (cells | down | up | right | left) & ALL_CELLS
}

/// Returns the cells that are reachable from `from` through gaps without leaving the board.
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

/// Returns the cells that are reachable from `from` through gaps, or `None` if the outside is reachable.
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

/// Returns the cells with a gap to the outside, and among these the cells with two such gaps.
#[inline(always)]
pub const fn exits(gaps: Segments) -> (Cells, Cells) {
    let upright = gaps & TOP | (gaps & BOTTOM) >> TO_BELOW;
    let sideways = (gaps & LEFT) >> TO_LEFT | (gaps & RIGHT) >> TO_RIGHT;
    (upright | sideways, upright & sideways)
}

/// Returns the region that a segment cuts off from the outside. `gaps` must not contain the segment, and one of its two
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

/// Horizontal and vertical border segment of each corner cell. Both lead from the cell to the outside, so they are
/// interchangeable.
const CORNERS: [(usize, usize); 4] = [
    (horizontal(0, 0), vertical(0, 0)),
    (horizontal(0, SIDE - 1), vertical(0, SIDE)),
    (horizontal(SIDE, 0), vertical(SIDE - 1, 0)),
    (horizontal(SIDE, SIDE - 1), vertical(SIDE - 1, SIDE)),
];

/// Returns the canonical form of a set: in a corner with only one border segment in the set, it is the horizontal one.
#[inline(always)]
pub const fn canonical_corners(set: Segments) -> Segments {
    let mut canonical = set;
    let mut corner = 0;
    while corner < CORNERS.len() {
        let (horizontal_bit, vertical_bit) = CORNERS[corner];
        let only_vertical = (set >> vertical_bit & !(set >> horizontal_bit)) & 1;
        canonical ^= only_vertical << horizontal_bit | only_vertical << vertical_bit;
        corner += 1;
    }
    canonical
}

/// Returns `set` without the vertical border segment of each corner whose horizontal one is in the set.
#[inline(always)]
pub const fn without_duplicate_corners(set: Segments) -> Segments {
    let mut reduced = set;
    let mut corner = 0;
    while corner < CORNERS.len() {
        let (horizontal_bit, vertical_bit) = CORNERS[corner];
        reduced &= !((set >> horizontal_bit & 1) << vertical_bit);
        corner += 1;
    }
    reduced
}

/// Returns the image of a segment (see [`image_of_segment`]) in the canonical form of [`canonical_corners`].
pub const fn canonical_image(bit: usize, symmetry: usize) -> usize {
    let image = image_of_segment(bit, symmetry);
    let mut corner = 0;
    while corner < CORNERS.len() {
        let (horizontal_bit, vertical_bit) = CORNERS[corner];
        if image == horizontal_bit || image == vertical_bit {
            return if 1 << bit & HORIZONTAL != 0 { horizontal_bit } else { vertical_bit };
        }
        corner += 1;
    }
    image
}

/// Number of symmetries of the board.
pub const SYMMETRIES: usize = 8;

/// Returns the bit of a segment's image. A symmetry transposes the board if bit 2 is set, then mirrors left and right
/// if bit 0 is set, then mirrors top and bottom if bit 1 is set.
pub const fn image_of_segment(bit: usize, symmetry: usize) -> usize {
    let (mut is_horizontal, mut row, mut column) = start_of(bit);
    if symmetry & 4 != 0 {
        is_horizontal = !is_horizontal;
        let swapped = row;
        row = column;
        column = swapped;
    }
    if symmetry & 1 != 0 {
        column = if is_horizontal { SIDE - 1 - column } else { SIDE - column };
    }
    if symmetry & 2 != 0 {
        row = if is_horizontal { SIDE - row } else { SIDE - 1 - row };
    }
    if is_horizontal {
        horizontal(row, column)
    } else {
        vertical(row, column)
    }
}

/// Returns the bit of a cell's image; see [`image_of_segment`] for the symmetries.
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

/// Iterates over the bits of a set, lowest first; each item is a set with one element.
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

/// Returns a uniformly random bit of a non-empty set.
#[inline(always)]
pub fn random_bit(set: u64, rng: &mut Rng) -> u64 {
    nth_bit(set, rng.below(set.count_ones() as usize))
}

/// Returns the `n`-th lowest bit of a set, counting from 0.
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
