//! Bitboards of the board: segments, cells and dots share one layout in which every step is a
//! shift.
//!
//! Row `r` takes 11 bits: the horizontal segments `(r, 0..5)`, then the vertical ones `(r, 0..6)`.
//! The 60 segments fill the bits 0 to 59 without a gap. A cell has the bit of the segment above it
//! (`11 r + c`, r and c below 5), and a dot `(r, c)` also has the bit `11 r + c` (r and c below 6).

use crate::engine::rng::Rng;

/// A set of segments.
pub type Segments = u64;
/// A set of cells.
pub type Cells = u64;
/// A set of dots.
pub type Dots = u64;

/// The number of segments.
pub const SEGMENT_COUNT: usize = 60;
/// The number of cells in a row or column; there is one more dot.
pub const SIDE: usize = 5;
/// The number of cells.
pub const CELL_COUNT: usize = SIDE * SIDE;

/// Bits of a row.
const STRIDE: usize = 11;
/// Shifts from a cell to the segment to its left, to its right and below it. The segment above it
/// has the same bit.
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
pub const BORDER_DOTS: Dots =
    ROW_OF_DOTS | ROW_OF_DOTS << (SIDE * STRIDE) | FIVE_ROWS | FIVE_ROWS << SIDE;

/// The bit of the horizontal segment right of dot `(row, column)`.
pub const fn horizontal(row: usize, column: usize) -> usize {
    row * STRIDE + column
}

/// The bit of the vertical segment below dot `(row, column)`.
pub const fn vertical(row: usize, column: usize) -> usize {
    row * STRIDE + TO_LEFT + column
}

/// Returns whether the segment of this bit is horizontal, and the row and column of the dot that it
/// starts from.
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

/// The cells on both sides of one segment; 0 for a side that is outside the board.
#[inline(always)]
pub const fn sides(segment: Segments) -> (Cells, Cells) {
    if segment & HORIZONTAL != 0 {
        (segment & ALL_CELLS, (segment >> TO_BELOW) & ALL_CELLS)
    } else {
        ((segment >> TO_LEFT) & ALL_CELLS, (segment >> TO_RIGHT) & ALL_CELLS)
    }
}

/// The cells that have a segment of this set above, to the left, to the right and below them. The
/// result may have other bits set, which have no meaning.
#[inline(always)]
pub const fn sides_of_cells(set: Segments) -> [Cells; 4] {
    [set, set >> TO_LEFT, set >> TO_RIGHT, set >> TO_BELOW]
}

/// The dots that have a segment of this set to the right, to the left, below and above them. The
/// result may have other bits set, which have no meaning.
#[inline(always)]
pub const fn sides_of_dots(set: Segments) -> [Dots; 4] {
    let (horizontal, vertical) = (set & HORIZONTAL, set & VERTICAL);
    [horizontal, horizontal << 1, vertical >> TO_LEFT, vertical << (STRIDE - TO_LEFT)]
}

/// All segments around these cells.
#[inline(always)]
pub const fn around(cells: Cells) -> Segments {
    cells | cells << TO_LEFT | cells << TO_RIGHT | cells << TO_BELOW
}

/// The segments that have both ends among these dots.
#[inline(always)]
pub const fn within(dots: Dots) -> Segments {
    (dots & dots >> 1 & HORIZONTAL) | ((dots & dots >> STRIDE) << TO_LEFT & VERTICAL)
}

/// These cells and those one step through a gap away.
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

/// Like [`reach`], but `None` if the outside can be reached.
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

/// The cells with a gap to the outside, and those of them with two.
#[inline(always)]
pub const fn exits(gaps: Segments) -> (Cells, Cells) {
    let upright = gaps & TOP | (gaps & BOTTOM) >> TO_BELOW;
    let sideways = (gaps & LEFT) >> TO_LEFT | (gaps & RIGHT) >> TO_RIGHT;
    (upright | sideways, upright & sideways)
}

/// The region that a segment cuts off from the outside, where `gaps` does not contain the segment.
/// One of the segment's two sides must be enclosed.
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

/// The horizontal and the vertical border segment of each corner cell. Both lead from the cell to
/// the outside, so they are interchangeable.
const CORNERS: [(usize, usize); 4] = [
    (horizontal(0, 0), vertical(0, 0)),
    (horizontal(0, SIDE - 1), vertical(0, SIDE)),
    (horizontal(SIDE, 0), vertical(SIDE - 1, 0)),
    (horizontal(SIDE, SIDE - 1), vertical(SIDE - 1, SIDE)),
];

/// The set in a canonical form: a corner with one of its two border segments in the set has the
/// horizontal one.
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

/// The set without the vertical segment of each corner whose horizontal segment is in the set.
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

/// The image of the segment of this bit in the canonical form of [`canonical_corners`]; see
/// [`image_of_segment`].
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

/// The number of symmetries of the board.
pub const SYMMETRIES: usize = 8;

/// The image of the segment of this bit. A symmetry transposes the board if bit 2 is set, then
/// mirrors left and right if bit 0 is set, then mirrors top and bottom if bit 1 is set.
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

/// The image of the cell of this bit; see [`image_of_segment`].
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

/// A uniformly random bit of a set that is not empty.
#[inline(always)]
pub fn random_bit(set: u64, rng: &mut Rng) -> u64 {
    nth_bit(set, rng.below(set.count_ones() as usize))
}

/// The bit with index `n` (0: the lowest) among those of a set.
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
