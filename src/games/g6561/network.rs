//! The learned value of a board, for games with a careless partner: an n-tuple network over the eight lines and the
//! nine 2x2 squares (n-tuple networks for games: S. Lucas, 2007; for 2048: M. Szubert and W. Jaskowski, 2014) and over
//! numbers of pieces on the whole board, with separate tables for each phase of the rhythm.
//!
//! It was trained on its own games (`cupbot 6561 train`) for each main colour, since the colours are placed at
//! different times. All boards are recoloured so that the main colour is [`MAIN`](super::value::MAIN). Values are in
//! points.

use super::board::{Board, Colour, Piece, CELL_BITS, CELL_MASK, EXPONENTS, LINES, SIDE, VALUES};
use super::game::RHYTHM;
use super::value::{MAIN, POINTS_PER_UNIT};
use crate::engine::embedded::unpack;
use crate::engine::interrupt;
use crate::engine::network_file::{or_fallback, within, Format, NetworkError, ReadOnce};
use crate::engine::range_coder::{Decoder, Encoder, IntegerModel};
use std::sync::Arc;

/// Number of exponents that are distinguished for the other colours. Larger exponents count as the last one.
const OTHER_EXPONENTS: usize = 4;
/// Number of states of a square: empty, a main piece, or a piece of one of the two other colours.
const SYMBOLS: usize = 1 + EXPONENTS + 2 * OTHER_EXPONENTS;
/// Number of states of four squares.
const PATTERNS: usize = SYMBOLS * SYMBOLS * SYMBOLS * SYMBOLS;
/// Number of kinds of tuples: lines at an edge, inner lines, 2x2 squares in a corner, at an edge and in the middle.
/// Tuples that a symmetry of the board maps to each other share a table.
const KINDS: usize = 5;
/// Number of tuples of four squares.
const LOCAL_TUPLES: usize = 2 * SIDE + (SIDE - 1) * (SIDE - 1);
/// Number of whole-board features.
const WHOLE_BOARD: usize = 6;
/// Number of values of a whole-board feature.
const WHOLE_BOARD_VALUES: usize = 1 << 16;
/// Number of weights that are summed for a board: one per tuple and whole-board feature.
pub const TUPLES: usize = LOCAL_TUPLES + WHOLE_BOARD;
/// Number of phases: main colour of the game, turn of the rhythm and whether we move next.
const PHASES: usize = 2 * RHYTHM * Colour::ALL.len();
/// Number of weights of the tuples of four squares.
const LOCAL_WEIGHTS: usize = PHASES * KINDS * PATTERNS;
/// Number of weights.
pub const WEIGHTS: usize = LOCAL_WEIGHTS + PHASES * WHOLE_BOARD * WHOLE_BOARD_VALUES;
/// Discount factor per ply. The network looks about 60 plies ahead.
pub const DISCOUNT: f32 = 0.985;
/// Weight of the values of the pieces in the material; the rest is the weight of the units of the main colour.
const VALUE_WEIGHT: f32 = 0.1;
/// Quantisation scale of a file: weights are stored in units of 1 / `SCALE` points.
const SCALE: f32 = 2.0;
/// Limit of the magnitude of stored weights.
const MAX_WEIGHT: i32 = 1 << 20;

/// Header of a network file.
pub const FORMAT: Format = Format {
    magic: *b"cup6561\x01",
    shape: [("phases", PHASES), ("kinds", KINDS), ("symbols", SYMBOLS), ("tuples", TUPLES)],
};
/// File of the built-in network, compressed.
const BUILT_IN: &[u8] = include_bytes!("network.bin");

/// Returns the phase of a position after `ply` moves. `main` is the main colour before the board was recoloured, and
/// `is_own` is whether the side that the value is for moves next.
#[inline(always)]
pub fn phase(main: Colour, ply: usize, is_own: bool) -> usize {
    2 * (RHYTHM * main.index() + ply % RHYTHM) + usize::from(is_own)
}

/// Returns the material in points: mostly the units of the main colour, and a fraction of the values of all pieces.
#[inline(always)]
pub fn material(board: Board) -> f32 {
    let mut points = 0.0;
    for piece in board.pieces() {
        points += VALUE_WEIGHT * VALUES[usize::from(piece.exponent)] as f32;
        if piece.colour == MAIN {
            points += (1.0 - VALUE_WEIGHT) * POINTS_PER_UNIT * (1u32 << piece.exponent) as f32;
        }
    }
    points
}

/// Whether the network distinguishes all pieces of a board with this main colour. It treats large pieces of other
/// colours like smaller ones and so ignores what they may destroy.
pub fn distinguishes_pieces(board: Board, main: Colour) -> bool {
    let is_distinguished =
        |piece: Piece| piece.colour == main || usize::from(piece.exponent) < OTHER_EXPONENTS;
    board.pieces().all(is_distinguished)
}

/// Number of lines between two polls for the end of the game while the tables are filled.
const LINES_BETWEEN_POLLS: u32 = 1 << 12;
/// One in this many slots is followed by such a poll while a network is read.
const SLOTS_BETWEEN_POLLS: usize = 64;

/// Lookup tables by the bits of four squares.
struct Patterns {
    /// For each kind, by the bits of four squares: the canonical pattern, the least one under the symmetries.
    of_kind: Vec<Vec<u32>>,
    /// The census of any four squares, indexed by their bits.
    census: Vec<Census>,
}

/// Numbers of pieces, four bits each: of the main colour by exponent, then of the two other colours by distinguished
/// exponent.
#[derive(Clone, Copy)]
struct Census(u64);

impl Census {
    /// The lowest bit of each number.
    const ONES: u64 = 0x1111_1111_1111_1111;
    /// The two lower bits of each number.
    const THREES: u64 = 3 * Census::ONES;

    /// Counts the pieces on four squares.
    fn of_squares(symbols: [usize; 4]) -> Census {
        Census(
            symbols
                .iter()
                .filter(|&&symbol| symbol > 0)
                .map(|symbol| 1 << (4 * (symbol - 1)))
                .sum(),
        )
    }

    /// Returns the number of pieces of the two other colours.
    #[inline(always)]
    fn others(self) -> u32 {
        let others = self.0 >> (4 * EXPONENTS);
        let pairs = (others & 0x0f0f_0f0f) + (others >> 4 & 0x0f0f_0f0f);
        (pairs.wrapping_mul(0x0101_0101) >> 24) as u32 & 0xff
    }

    /// Returns the whole-board features of a board with this census and number of empty squares:
    ///
    /// - which pieces exist;
    /// - the numbers of empty squares and of pieces of other colours;
    /// - by small exponent: whether there are one and two main pieces, one and two other pieces;
    /// - for three pairs of small exponents: the numbers of pieces by colour, up to three, and of empty squares.
    #[inline(always)]
    fn features(self, empty: u32) -> [u32; WHOLE_BOARD] {
        let Census(all) = self;
        let fours = all >> 2 & Census::THREES;
        let two = ((fours | all >> 1) & Census::ONES) | (fours >> 1 & Census::ONES);
        let (one, two) = (gathered(two | (all & Census::ONES)), gathered(two));
        let is_full = (fours | fours >> 1) & Census::ONES;
        let capped = (all & Census::THREES) | (3 * is_full);
        let colours = |exponent: usize| {
            let number = |first: usize| (capped >> (4 * (first + exponent))) as u32 & 3;
            let [blue, red] = [EXPONENTS, EXPONENTS + OTHER_EXPONENTS].map(number);
            number(0) | blue << 2 | red << 4
        };
        let pair = |low: usize| colours(low) | colours(low + 1) << 6 | empty.min(15) << 12;
        // Bits 0 to 3 are of small main pieces, 8 to 11 and 12 to 15 of the other colours.
        let any_other = (one >> 8 | one >> 12) & 0xf;
        let two_others = (one >> 8 & one >> 12 | two >> 8 | two >> 12) & 0xf;
        let small = (two & 0xf) | (one & 0xf) << 4 | any_other << 8 | two_others << 12;
        [one, 17 * empty + self.others(), small, pair(0), pair(1), pair(2)]
    }
}

/// Gathers the lowest bit of each of sixteen groups of four bits.
#[inline(always)]
fn gathered(bits: u64) -> u32 {
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) as u32 & 0xffff
}

impl Patterns {
    fn new() -> Patterns {
        // Plain loops, because this delays the start of a player.
        let mut of_kind: Vec<_> = (0..KINDS).map(|_| Vec::with_capacity(LINES)).collect();
        let mut census = Vec::with_capacity(LINES);
        for bits in 0..LINES as u32 {
            if bits % LINES_BETWEEN_POLLS == 0 {
                interrupt::poll();
            }
            let symbols = symbols(bits);
            census.push(Census::of_squares(symbols));
            for (kind, patterns) in of_kind.iter_mut().enumerate() {
                patterns.push(least_pattern(kind, symbols));
            }
        }
        Patterns { of_kind, census }
    }

    fn shared() -> Arc<Patterns> {
        static PATTERNS: ReadOnce<Patterns> = ReadOnce::new();
        PATTERNS.get(Patterns::new)
    }
}

/// Returns the states of four squares.
#[inline]
fn symbols(bits: u32) -> [usize; 4] {
    let mut symbols = [0; 4];
    for (index, symbol) in symbols.iter_mut().enumerate() {
        let cell = (bits >> (CELL_BITS * index) & CELL_MASK) as usize;
        let (colour, exponent) = (cell / EXPONENTS, cell % EXPONENTS);
        let other = exponent.min(OTHER_EXPONENTS - 1);
        *symbol = match colour {
            0 => 0,
            3 => 1 + exponent,
            1 => 1 + EXPONENTS + other,
            _ => 1 + EXPONENTS + OTHER_EXPONENTS + other,
        };
    }
    symbols
}

/// Permutations of a line under its symmetries.
const LINE_ORDERS: [[usize; 4]; 2] = [[0, 1, 2, 3], [3, 2, 1, 0]];
/// Permutations of a 2x2 square in a corner, in the order of [`squares_of`].
const CORNER_ORDERS: [[usize; 4]; 2] = [[0, 1, 2, 3], [0, 2, 1, 3]];
/// Permutations of a 2x2 square at an edge, in the order of [`squares_of`].
const EDGE_ORDERS: [[usize; 4]; 2] = [[0, 1, 2, 3], [1, 0, 3, 2]];
/// Permutations of the 2x2 square in the middle, in the order of [`squares_of`].
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

/// Returns the canonical pattern: the least one under the symmetries of a kind.
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
            // The modulus avoids bounds checks.
            pattern = pattern * SYMBOLS + symbols[index % SIDE];
        }
        least = least.min(pattern);
    }
    least as u32
}

/// Returns the kind of a 2x2 square and its squares. In a corner, the corner comes first and the innermost square last;
/// at an edge, the two squares at the edge come first.
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

/// An n-tuple network.
pub struct Network {
    weights: Vec<f32>,
    patterns: Arc<Patterns>,
    /// Kind and squares of each 2x2 square.
    squares: Vec<(usize, [usize; 4])>,
}

impl Network {
    /// Creates a network of zeros, whose value is the material.
    pub fn zero() -> Network {
        Network::of_weights(vec![0.0; WEIGHTS])
    }

    fn of_weights(weights: Vec<f32>) -> Network {
        let corners = (0..SIDE - 1).flat_map(|row| (0..SIDE - 1).map(move |column| (row, column)));
        let squares = corners.map(|(row, column)| squares_of(row, column)).collect();
        Network { weights, patterns: Patterns::shared(), squares }
    }

    /// Returns the weights mutably, for training.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// Returns the weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns the built-in network, which is read only once. If it can't be read, writes a warning and returns a
    /// network of zeros.
    pub fn built_in() -> Arc<Network> {
        static NETWORK: ReadOnce<Network> = ReadOnce::new();
        NETWORK.get(|| or_fallback(Network::read_built_in(), Network::zero))
    }

    /// Reads the built-in network.
    pub fn read_built_in() -> Result<Network, NetworkError> {
        let bytes = unpack(BUILT_IN).ok_or(NetworkError::Embedding)?;
        Network::from_bytes(&bytes)
    }

    /// Returns the indices of a board's weights in a phase.
    #[inline(always)]
    pub fn slots(&self, board: Board, phase: usize) -> [u32; TUPLES] {
        let rows = board.rows();
        let columns = board.transposed().rows();
        let table = |kind: usize, bits: u32| {
            let base = (phase * KINDS + kind) * PATTERNS;
            base as u32 + self.patterns.of_kind[kind][bits as usize]
        };
        let mut slots = [0; TUPLES];
        // The sum may overflow if all pieces are the same; no game has such a board.
        let numbers = rows.iter().map(|&row| self.patterns.census[row as usize].0);
        let census = Census(numbers.fold(0, u64::wrapping_add));
        let features = census.features(board.count_empty());
        for (index, (slot, feature)) in slots[LOCAL_TUPLES..].iter_mut().zip(features).enumerate() {
            let table = LOCAL_WEIGHTS + (phase * WHOLE_BOARD + index) * WHOLE_BOARD_VALUES;
            *slot = table as u32 + feature;
        }
        for index in 0..SIDE {
            let kind = usize::from(index != 0 && index != SIDE - 1);
            slots[2 * index] = table(kind, rows[index]);
            slots[2 * index + 1] = table(kind, columns[index]);
        }
        for (slot, (kind, squares)) in slots[2 * SIDE..LOCAL_TUPLES].iter_mut().zip(&self.squares) {
            let cell = |index: usize| u32::from(board.cell(squares[index])) << (CELL_BITS * index);
            *slot = table(*kind, cell(0) | cell(1) | cell(2) | cell(3));
        }
        slots
    }

    /// Returns the expected discounted gain from a board onwards, in points.
    #[inline(always)]
    pub fn gain(&self, board: Board, phase: usize) -> f32 {
        self.slots(board, phase).iter().map(|&slot| self.weights[slot as usize]).sum()
    }

    /// Returns the value of a board: material plus discounted expected gain.
    #[inline(always)]
    pub fn value(&self, board: Board, phase: usize) -> f32 {
        material(board) + DISCOUNT * self.gain(board, phase)
    }

    /// Serialises the network with rounded weights.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        // Run-length coding of zeros: most patterns never occur.
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
        // The zeros after the last non-zero weight.
        runs.encode(&mut encoder, run);
        values.encode(&mut encoder, 0);
        FORMAT.framed(&encoder.finish())
    }

    /// Parses a network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let payload = FORMAT.payload(bytes)?;
        let mut decoder = Decoder::new(payload);
        let mut runs = IntegerModel::new();
        let mut values = IntegerModel::new();
        let mut weights = vec![0.0; WEIGHTS];
        let mut slot = 0;
        while slot < WEIGHTS {
            let run = runs.decode(&mut decoder);
            slot += run as usize;
            if run < 0 || slot > WEIGHTS {
                return Err(NetworkError::Range);
            }
            let value = within(values.decode(&mut decoder), MAX_WEIGHT)?;
            if slot % SLOTS_BETWEEN_POLLS == 0 {
                interrupt::poll();
            }
            if let Some(weight) = weights.get_mut(slot) {
                *weight = value as f32 / SCALE;
            }
            slot += 1;
        }
        Ok(Network::of_weights(weights))
    }
}

/// `symbols` requires that the main colour has the highest code.
const _: () = assert!(matches!(MAIN, Colour::Gray));

#[cfg(test)]
mod tests;
