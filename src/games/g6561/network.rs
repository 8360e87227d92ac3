//! The learned value of a board, for partners who move at random: an n-tuple network over the eight
//! lines and the nine squares of 2x2 (n-tuple networks for games: S. Lucas, 2007; for 2048: M.
//! Szubert and W. Jaskowski, 2014), with tables of their own for each phase of the rhythm.
//!
//! It was trained on our own games (`cupbot 6561 train`), in which the main colour is
//! [`MAIN`](super::value::MAIN): a search recolours the board at its root. In points.

use super::board::{Board, Colour, Piece, CELL_BITS, CELL_MASK, EXPONENTS, LINES, SIDE, VALUES};
use super::game::RHYTHM;
use super::value::{MAIN, POINTS_PER_UNIT};
use crate::engine::embedded::unpack;
use crate::engine::network_file::{or_fallback, within, Format, NetworkError, ReadOnce};
use crate::engine::range_coder::{Decoder, Encoder, IntegerModel};
use std::sync::Arc;

/// Exponents of other colours that are told apart; larger ones count as the last.
const OTHER_EXPONENTS: usize = 4;
/// What a square can hold: nothing, a main piece, a piece of one of two other colours.
const SYMBOLS: usize = 1 + EXPONENTS + 2 * OTHER_EXPONENTS;
/// What four squares can hold.
const PATTERNS: usize = SYMBOLS * SYMBOLS * SYMBOLS * SYMBOLS;
/// Tuples that a symmetry of the board maps to each other share a table: lines at an edge, lines
/// inside, 2x2 squares in a corner, at an edge, in the middle.
const KINDS: usize = 5;
/// The tuples of a board.
pub const TUPLES: usize = 2 * SIDE + (SIDE - 1) * (SIDE - 1);
/// The last move's turn in the rhythm, and whether we move next.
const PHASES: usize = 2 * RHYTHM;
/// The number of weights.
pub const WEIGHTS: usize = PHASES * KINDS * PATTERNS;
/// What a point of the next ply is worth now: the network looks some 60 plies ahead.
pub const DISCOUNT: f32 = 0.985;
/// The part of the pieces' values, beside the units of the main colour, in what stands already.
const VALUE_PART: f32 = 0.1;
/// Weights of a file are in parts of a point.
const SCALE: f32 = 2.0;
/// No weight of a file is larger.
const MAX_WEIGHT: i32 = 1 << 20;

pub const FORMAT: Format = Format {
    magic: *b"cup6561\x01",
    shape: [("phases", PHASES), ("kinds", KINDS), ("symbols", SYMBOLS), ("tuples", TUPLES)],
};
const BUILT_IN: &[u8] = include_bytes!("network.bin");

/// The phase of a position after so many moves; `is_own` where the side that the value is for moves
/// next.
#[inline(always)]
pub fn phase(ply: usize, is_own: bool) -> usize {
    2 * (ply % RHYTHM) + usize::from(is_own)
}

/// What stands already: the units of the main colour, and a part of all values, in points.
#[inline(always)]
pub fn standing(board: Board) -> f32 {
    let mut points = 0.0;
    for piece in board.pieces() {
        points += VALUE_PART * VALUES[usize::from(piece.exponent)] as f32;
        if piece.colour == MAIN {
            points += (1.0 - VALUE_PART) * POINTS_PER_UNIT * (1u32 << piece.exponent) as f32;
        }
    }
    points
}

/// Does the network know all pieces of a board with this main colour apart? It takes larger ones of other
/// colours for smaller ones, and so does not see what they destroy.
pub fn tells_apart(board: Board, main: Colour) -> bool {
    let is_told =
        |piece: Piece| piece.colour == main || usize::from(piece.exponent) < OTHER_EXPONENTS;
    board.pieces().all(is_told)
}

/// The tables that find the weights of a board.
struct Patterns {
    /// For each kind, by the bits of four squares: the pattern, the least of those that symmetries
    /// make of it.
    of_kind: Vec<Vec<u32>>,
}

impl Patterns {
    fn new() -> Patterns {
        // A player waits for the tables at its start: plain loops, which are as fast in any unit of code.
        let mut of_kind: Vec<_> = (0..KINDS).map(|_| Vec::with_capacity(LINES)).collect();
        for bits in 0..LINES as u32 {
            let symbols = symbols(bits);
            for (kind, patterns) in of_kind.iter_mut().enumerate() {
                patterns.push(least_pattern(kind, symbols));
            }
        }
        Patterns { of_kind }
    }

    fn shared() -> Arc<Patterns> {
        static PATTERNS: ReadOnce<Patterns> = ReadOnce::new();
        PATTERNS.get(Patterns::new)
    }
}

/// The symbols of four squares.
#[inline]
fn symbols(bits: u32) -> [usize; 4] {
    let mut symbols = [0; 4];
    for (index, symbol) in symbols.iter_mut().enumerate() {
        let cell = (bits >> (CELL_BITS * index) & CELL_MASK) as usize;
        let (colour, exponent) = (cell / EXPONENTS, cell % EXPONENTS);
        let other = exponent.min(OTHER_EXPONENTS - 1);
        *symbol = match colour {
            0 => 0,
            1 => 1 + exponent,
            2 => 1 + EXPONENTS + other,
            _ => 1 + EXPONENTS + OTHER_EXPONENTS + other,
        };
    }
    symbols
}

/// The orders of four squares that the symmetries of a line, of a corner, of an edge and of the middle
/// make. The squares of a 2x2 square are in the order that [`squares_of`] gives them.
const LINE_ORDERS: [[usize; 4]; 2] = [[0, 1, 2, 3], [3, 2, 1, 0]];
const CORNER_ORDERS: [[usize; 4]; 2] = [[0, 1, 2, 3], [0, 2, 1, 3]];
const EDGE_ORDERS: [[usize; 4]; 2] = [[0, 1, 2, 3], [1, 0, 3, 2]];
const MIDDLE_ORDERS: [[usize; 4]; 8] = [
    [0, 1, 2, 3],
    [1, 3, 0, 2],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
    [0, 2, 1, 3],
    [1, 0, 3, 2],
    [3, 1, 2, 0],
    [2, 3, 0, 1],
];

/// The least pattern among those of the symmetries of a kind.
#[inline]
fn least_pattern(kind: usize, symbols: [usize; 4]) -> u32 {
    let orders: &[[usize; 4]] = match kind {
        0 | 1 => &LINE_ORDERS,
        2 => &CORNER_ORDERS,
        3 => &EDGE_ORDERS,
        _ => &MIDDLE_ORDERS,
    };
    let mut least = usize::MAX;
    for order in orders {
        let mut pattern = 0;
        for &index in order {
            // Without the mask the bounds would be checked again and again.
            pattern = pattern * SYMBOLS + symbols[index % SIDE];
        }
        least = least.min(pattern);
    }
    least as u32
}

/// The kind of a 2x2 square and its squares: in a corner the corner first and the inmost last, at an
/// edge the two at the edge first.
fn squares_of(row: usize, column: usize) -> (usize, [usize; 4]) {
    let square = |down: usize, right: usize| SIDE * (row + down) + column + right;
    let last = SIDE - 2;
    let (down, right) = (usize::from(row == last), usize::from(column == last));
    let is_middle = |index: usize| index != 0 && index != last;
    match (is_middle(row), is_middle(column)) {
        (true, true) => (4, [square(0, 0), square(0, 1), square(1, 0), square(1, 1)]),
        (true, false) => {
            let squares =
                [square(0, right), square(1, right), square(0, 1 - right), square(1, 1 - right)];
            (3, squares)
        }
        (is_row_middle, _) => {
            let squares = [
                square(down, right),
                square(down, 1 - right),
                square(1 - down, right),
                square(1 - down, 1 - right),
            ];
            let is_edge = is_row_middle || is_middle(column);
            (if is_edge { 3 } else { 2 }, squares)
        }
    }
}

/// The tables of weights.
pub struct Network {
    weights: Vec<f32>,
    patterns: Arc<Patterns>,
    /// The kinds and squares of the 2x2 squares.
    squares: Vec<(usize, [usize; 4])>,
}

impl Network {
    /// A network that adds nothing to what stands.
    pub fn zero() -> Network {
        Network::of_weights(vec![0.0; WEIGHTS])
    }

    fn of_weights(weights: Vec<f32>) -> Network {
        let places = (0..SIDE - 1).flat_map(|row| (0..SIDE - 1).map(move |column| (row, column)));
        let squares = places.map(|(row, column)| squares_of(row, column)).collect();
        Network { weights, patterns: Patterns::shared(), squares }
    }

    /// The weights, for training.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// The weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The network of the player, read once. One that can't be read is replaced by zeros, with a
    /// warning.
    pub fn built_in() -> Arc<Network> {
        static NETWORK: ReadOnce<Network> = ReadOnce::new();
        NETWORK.get(|| or_fallback(Network::read_built_in(), Network::zero))
    }

    /// Reads the built-in network.
    pub fn read_built_in() -> Result<Network, NetworkError> {
        let bytes = unpack(BUILT_IN).map_err(|_| NetworkError::Embedding)?;
        Network::from_bytes(&bytes)
    }

    /// The places of a board's weights in a phase.
    #[inline(always)]
    pub fn places(&self, board: Board, phase: usize) -> [u32; TUPLES] {
        let rows = board.rows();
        let columns = board.transposed().rows();
        let table = |kind: usize, bits: u32| {
            let base = (phase * KINDS + kind) * PATTERNS;
            base as u32 + self.patterns.of_kind[kind][bits as usize]
        };
        let mut places = [0; TUPLES];
        for index in 0..SIDE {
            let kind = usize::from(index != 0 && index != SIDE - 1);
            places[2 * index] = table(kind, rows[index]);
            places[2 * index + 1] = table(kind, columns[index]);
        }
        for (place, (kind, squares)) in places[2 * SIDE..].iter_mut().zip(&self.squares) {
            let cell = |index: usize| u32::from(board.cell(squares[index])) << (CELL_BITS * index);
            *place = table(*kind, cell(0) | cell(1) | cell(2) | cell(3));
        }
        places
    }

    /// What is expected to be gained from a board on, discounted.
    #[inline(always)]
    pub fn gain(&self, board: Board, phase: usize) -> f32 {
        self.places(board, phase).iter().map(|&place| self.weights[place as usize]).sum()
    }

    /// The value of a board: what stands and what is to be gained.
    #[inline(always)]
    pub fn value(&self, board: Board, phase: usize) -> f32 {
        standing(board) + DISCOUNT * self.gain(board, phase)
    }

    /// The network as a file, its weights rounded.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        // Runs of zeros are long: most patterns never occur.
        let mut runs = IntegerModel::new();
        let mut values = IntegerModel::new();
        let mut run = 0;
        for weight in &self.weights {
            let max = (MAX_WEIGHT - 1) as f32;
            let rounded = (weight * SCALE).round().clamp(-max, max) as i32;
            if rounded == 0 && run < MAX_WEIGHT {
                run += 1;
                continue;
            }
            runs.encode(&mut encoder, run);
            values.encode(&mut encoder, rounded);
            run = 0;
        }
        // The zeros after the last weight.
        runs.encode(&mut encoder, run);
        values.encode(&mut encoder, 0);
        FORMAT.framed(&encoder.finish())
    }

    /// Reads a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let payload = FORMAT.payload(bytes)?;
        let mut decoder = Decoder::new(payload);
        let mut runs = IntegerModel::new();
        let mut values = IntegerModel::new();
        let mut weights = vec![0.0; WEIGHTS];
        let mut place = 0;
        while place < WEIGHTS {
            let run = runs.decode(&mut decoder);
            place += run as usize;
            if run < 0 || place > WEIGHTS {
                return Err(NetworkError::Range);
            }
            let value = within(values.decode(&mut decoder), MAX_WEIGHT)?;
            if let Some(weight) = weights.get_mut(place) {
                *weight = value as f32 / SCALE;
            }
            place += 1;
        }
        Ok(Network::of_weights(weights))
    }
}

/// The colour that stands first in a trained board.
const _: () = assert!(matches!(MAIN, Colour::Blue));

#[cfg(test)]
mod tests;
