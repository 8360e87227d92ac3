//! The hand-made value of a board for building one colour: keeps the main colour together and lets the other two
//! destroy each other. It estimates the final sum in points, minus a constant.
//!
//! The main colour is always [`MAIN`]: a search recolours the board at its root. The value is the sum of the values of
//! the eight lines, from a lookup table, and of a term for the number of empty squares. Line tables for expectimax were
//! used in R. Xiao's player of 2048 (2014).

use super::board::{Board, Colour, Piece, CELL_BITS, SIDE, SQUARES, VALUES};
use super::lazy::LazyLines;
use crate::engine::network_file::ReadOnce;
use std::sync::Arc;

/// The main colour in a recoloured board, and the one to build with a careless partner. It is placed last in a rhythm:
/// with a random partner some ten units more of it survive than of the first colour.
pub const MAIN: Colour = Colour::Gray;

/// Returns the colour to which each colour is recoloured, so that `main` becomes [`MAIN`].
pub fn roles(main: Colour) -> [Colour; 3] {
    let mut images = Colour::ALL;
    images.swap(main.index(), MAIN.index());
    images
}

/// Points per unit of the main colour: 2943 points for 200 units.
pub const POINTS_PER_UNIT: f32 = 2943.0 / 200.0;
/// Number of weights.
pub const WEIGHTS: usize = 14;

/// The weights of the hand-made value, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Fraction of a main piece's worth that comes from its units; the rest comes from its value.
    pub units: f32,
    /// Cost of a piece of another colour.
    pub other: f32,
    /// Additional cost of a piece of another colour per exponent.
    pub other_exponent: f32,
    /// Bonus for two equal main pieces that a slide brings together.
    pub merge: f32,
    /// Fraction of a main piece's worth that counts as lost if a slide brings it together with an equal piece of
    /// another colour.
    pub danger: f32,
    /// Bonus for two equal pieces of the two other colours that a slide brings together.
    pub destroy: f32,
    /// Penalty for two equal pieces of the same other colour that a slide brings together.
    pub other_merge: f32,
    /// Penalty for two neighbouring main pieces, per step between their exponents.
    pub step: f32,
    /// Penalty for a main piece next to a piece of another colour.
    pub mixed: f32,
    /// Penalty for a line whose main pieces are not sorted, per squared exponent out of order.
    pub order: f32,
    /// Bonus for a main piece at the end of a line, per squared exponent.
    pub edge: f32,
    /// Bonus per empty square.
    pub empty: f32,
    /// Penalty per squared number of empty squares that are missing to [`ENOUGH_EMPTY`].
    pub crowded: f32,
    /// Penalty for a main piece between pieces of other colours.
    pub enclosed: f32,
}

/// Value of [`Weights::units`] near the end of a game.
const LATE_UNITS: f32 = 0.7;
/// Number of empty squares from which a board is not crowded.
const ENOUGH_EMPTY: u32 = 7;

impl Default for Weights {
    fn default() -> Weights {
        Weights::of([
            0.998, 7.659, 16.717, 9.487, 0.568, 22.624, 16.662, 0.130, 3.757, 0.338, 0.142, 6.758,
            6.917, 12.575,
        ])
    }
}

impl Weights {
    /// Creates weights from values in the order of the fields.
    pub fn of(values: [f32; WEIGHTS]) -> Weights {
        let [units, other, other_exponent, merge, danger, destroy, other_merge, step, mixed, order, edge, empty, crowded, enclosed] =
            values;
        Weights {
            units,
            other,
            other_exponent,
            merge,
            danger,
            destroy,
            other_merge,
            step,
            mixed,
            order,
            edge,
            empty,
            crowded,
            enclosed,
        }
    }

    /// Returns the worth of a main piece, in points.
    #[inline]
    fn worth(&self, exponent: u8) -> f32 {
        let units = (1u32 << exponent) as f32 * POINTS_PER_UNIT;
        let value = VALUES[usize::from(exponent)] as f32;
        self.units * units + (1.0 - self.units) * value
    }

    /// Returns the value of a line. Each square belongs to two lines.
    #[inline]
    fn line(&self, line: u32) -> f32 {
        let cells = [0, 1, 2, 3].map(|index| (line >> (CELL_BITS * index)) as u8 & 31);
        let mut value = 0.0;
        for (index, piece) in cells.iter().map(|&cell| Piece::of_cell(cell)).enumerate() {
            let Piece { colour, exponent } = match piece {
                Some(piece) => piece,
                None => continue,
            };
            let exponent_squared = f32::from(exponent) * f32::from(exponent);
            if colour == MAIN {
                value += self.worth(exponent) / 2.0;
                if index == 0 || index == SIDE - 1 {
                    value += self.edge * exponent_squared;
                }
            } else {
                value -= (self.other + self.other_exponent * f32::from(exponent)) / 2.0;
            }
        }
        let mut pieces = [Piece { colour: MAIN, exponent: 0 }; SIDE];
        let mut count = 0;
        for piece in cells.iter().filter_map(|&cell| Piece::of_cell(cell)) {
            pieces[count] = piece;
            count += 1;
        }
        let pieces = &pieces[..count];
        value += pieces.windows(2).map(|pair| self.pair(pair[0], pair[1])).sum::<f32>();
        for three in pieces.windows(3) {
            if three[1].colour == MAIN && three[0].colour != MAIN && three[2].colour != MAIN {
                value -= self.enclosed;
            }
        }
        value - self.order * disorder(pieces)
    }

    /// Returns the value of two consecutive pieces of a line.
    #[inline]
    fn pair(&self, one: Piece, other: Piece) -> f32 {
        let exponent = f32::from(one.exponent);
        let equal = one.exponent == other.exponent;
        match (one.colour == MAIN, other.colour == MAIN) {
            (true, true) if equal => self.merge,
            (true, true) => -self.step * (exponent - f32::from(other.exponent)).abs(),
            (false, false) if equal && one.colour != other.colour => {
                self.destroy * (1.0 + exponent)
            }
            (false, false) if equal => -self.other_merge,
            (false, false) => 0.0,
            _ if equal => -self.danger * self.worth(one.exponent),
            _ => -self.mixed,
        }
    }
}

/// Returns how far the main pieces of a line are out of order, in squared exponents.
#[inline]
fn disorder(pieces: &[Piece]) -> f32 {
    let (mut rises, mut falls) = (0.0f32, 0.0f32);
    let squares = pieces.iter().filter(|piece| piece.colour == MAIN);
    let mut last: Option<f32> = None;
    for square in squares.map(|piece| f32::from(piece.exponent) * f32::from(piece.exponent)) {
        let before = last.replace(square).unwrap_or(square);
        rises += (square - before).max(0.0);
        falls += (before - square).max(0.0);
    }
    rises.min(falls)
}

/// Lookup tables of the value.
pub struct Value {
    weights: Weights,
    /// Bit representation of the value of each line.
    lines: LazyLines,
    empty: [f32; SQUARES + 1],
}

impl Value {
    /// Creates the tables for these weights.
    pub fn new(weights: &Weights) -> Value {
        let mut empty = [0.0; SQUARES + 1];
        for (count, value) in empty.iter_mut().enumerate() {
            let missing = ENOUGH_EMPTY.saturating_sub(count as u32) as f32;
            *value = weights.empty * count as f32 - weights.crowded * missing * missing;
        }
        Value { weights: *weights, lines: LazyLines::new(), empty }
    }

    /// Returns the shared tables for the default weights.
    pub fn shared() -> Arc<Value> {
        static VALUE: ReadOnce<Value> = ReadOnce::new();
        VALUE.get(|| Value::new(&Weights::default()))
    }

    /// Returns the shared tables for the end of a game, when the values of pieces count beside their units.
    pub fn late() -> Arc<Value> {
        static VALUE: ReadOnce<Value> = ReadOnce::new();
        VALUE.get(|| Value::new(&Weights { units: LATE_UNITS, ..Weights::default() }))
    }

    /// Returns the value of a board whose main colour is [`MAIN`].
    #[inline(always)]
    pub fn of(&self, board: Board) -> f32 {
        let lines = |board: Board| {
            let line = |row| self.weights.line(row).to_bits();
            let value = |row| f32::from_bits(self.lines.get(row, line));
            // `array::map` is not always inlined.
            let [a, b, c, d] = board.rows();
            (value(a) + value(b)) + (value(c) + value(d))
        };
        lines(board) + lines(board.transposed()) + self.empty[board.count_empty() as usize]
    }
}
