//! Moves: the 60 segments and their notation.

use super::geometry::{horizontal, start_of, vertical, Each, Segments, SIDE};
use std::fmt;
use std::str::FromStr;

/// A segment between two neighbouring dots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Segment(u8);

impl Segment {
    /// Iterates over the segments of a set.
    pub fn each(set: Segments) -> impl Iterator<Item = Segment> {
        Each(set).map(Segment::from_bit)
    }

    /// Returns the segment of a set with exactly one element.
    #[inline(always)]
    pub fn from_bit(bit: Segments) -> Segment {
        debug_assert!(bit.count_ones() == 1);
        Segment(bit.trailing_zeros() as u8)
    }

    /// Returns the index, 0 to 59.
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the set that contains only this segment.
    #[inline(always)]
    pub fn bit(self) -> Segments {
        1 << self.0
    }
}

/// Reason why a text is not a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentError {
    /// The text does not have the format of a segment.
    Format,
    /// The row letter or the column digit is outside the board.
    OffBoard,
}

impl fmt::Display for SegmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SegmentError::Format => "not a move, expected one like B3h or E5v",
            SegmentError::OffBoard => {
                "off the board, expected A1h to F5h (rows A to F) or A1v to E6v (rows A to E)"
            }
        })
    }
}

impl std::error::Error for SegmentError {}

/// Formats a segment as row letter and column digit of its left or upper dot, and `h` or `v` for the direction.
impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (is_horizontal, row, column) = start_of(self.index());
        let direction = if is_horizontal { 'h' } else { 'v' };
        write!(f, "{}{}{}", char::from(b'A' + row as u8), column + 1, direction)
    }
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Segment {
    type Err = SegmentError;

    fn from_str(text: &str) -> Result<Segment, SegmentError> {
        let (row, column, direction) = match *text.as_bytes() {
            [row @ b'A'..=b'Z', column @ b'0'..=b'9', direction] => (row, column, direction),
            _ => return Err(SegmentError::Format),
        };
        let row = usize::from(row - b'A');
        let column = usize::from(column).checked_sub(usize::from(b'1'));
        let column = column.ok_or(SegmentError::OffBoard)?;
        match direction {
            b'h' if row <= SIDE && column < SIDE => Ok(Segment(horizontal(row, column) as u8)),
            b'v' if row < SIDE && column <= SIDE => Ok(Segment(vertical(row, column) as u8)),
            b'h' | b'v' => Err(SegmentError::OffBoard),
            _ => Err(SegmentError::Format),
        }
    }
}
