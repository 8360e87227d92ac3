//! The board: sixteen squares of five bits each in one word. Also pieces, directions and slides.

use std::fmt;

/// Number of squares in a row or column.
pub const SIDE: usize = 4;
/// Number of squares.
pub const SQUARES: usize = SIDE * SIDE;
/// Number of bits per square: two for the colour (0 for empty), three for the exponent.
pub const CELL_BITS: usize = 5;
/// Mask of the lowest square of a word.
pub const CELL_MASK: u32 = (1 << CELL_BITS) - 1;
/// Number of bits of a row or column.
pub const LINE_BITS: usize = SIDE * CELL_BITS;
/// Number of different lines (rows or columns), including those that occur in no game.
pub const LINES: usize = 1 << LINE_BITS;
/// Largest exponent. A piece of 3^8 would need 256 pieces of one colour, which no game has.
pub const MAX_EXPONENT: u8 = 7;
/// Number of exponents, from 0 to [`MAX_EXPONENT`].
pub const EXPONENTS: usize = MAX_EXPONENT as usize + 1;
/// Values of pieces, by exponent.
pub const VALUES: [u32; EXPONENTS] = [1, 3, 9, 27, 81, 243, 729, 2187];

const EXPONENT_BITS: usize = 3;
const EXPONENT_MASK: u8 = (1 << EXPONENT_BITS) - 1;

/// The lowest bit of every square.
const UNITS: u128 = units();
/// The squares in odd columns of even rows; see [`Board::transposed`].
const OFF_PAIRS: u128 = cells(&[1, 3, 9, 11]);
/// The upper right quarter; see [`Board::transposed`].
const OFF_QUARTER: u128 = cells(&[2, 3, 6, 7]);

const fn units() -> u128 {
    let mut all = 0;
    let mut square = 0;
    while square < SQUARES {
        all |= 1 << (CELL_BITS * square);
        square += 1;
    }
    all
}

const fn cells(squares: &[usize]) -> u128 {
    let mut all = 0;
    let mut index = 0;
    while index < squares.len() {
        all |= (CELL_MASK as u128) << (CELL_BITS * squares[index]);
        index += 1;
    }
    all
}

/// The colours of pieces, in the order in which they are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Placed first in a rhythm.
    Blue,
    /// Placed second.
    Red,
    /// Placed third.
    Gray,
}

impl Colour {
    /// All colours.
    pub const ALL: [Colour; 3] = [Colour::Blue, Colour::Red, Colour::Gray];

    /// Returns the index, 0 to 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Colour::Blue => "blue",
            Colour::Red => "red",
            Colour::Gray => "gray",
        }
    }
}

/// A piece: a colour and the exponent `n` of its value 3^n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Colour.
    pub colour: Colour,
    /// Exponent, from 0 to [`MAX_EXPONENT`].
    pub exponent: u8,
}

impl Piece {
    /// Decodes the bits of a square. Returns `None` for an empty square.
    pub fn of_cell(cell: u8) -> Option<Piece> {
        let colour = match cell >> EXPONENT_BITS {
            1 => Colour::Blue,
            2 => Colour::Red,
            3 => Colour::Gray,
            _ => return None,
        };
        Some(Piece { colour, exponent: cell & EXPONENT_MASK })
    }

    /// Encodes the piece as the bits of a square.
    pub fn cell(self) -> u8 {
        (self.colour as u8 + 1) << EXPONENT_BITS | self.exponent
    }

    /// Returns the value, 3^n.
    pub fn value(self) -> u32 {
        VALUES[usize::from(self.exponent & EXPONENT_MASK)]
    }
}

/// Direction of a slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the first row.
    Up,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// Returns the letter in the referee's notation.
    pub fn letter(self) -> char {
        match self {
            Direction::Up => 'U',
            Direction::Down => 'D',
            Direction::Left => 'L',
            Direction::Right => 'R',
        }
    }
}

/// The pieces on the board. Square `4 * row + column` has the five bits from bit `5 * square`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(u128);

impl Board {
    /// The empty board.
    pub const EMPTY: Board = Board(0);

    /// Creates a board from its rows, with [`LINE_BITS`] bits each.
    #[inline(always)]
    pub fn of_rows(rows: [u32; SIDE]) -> Board {
        let at = |row: usize| u128::from(rows[row]) << (row * LINE_BITS);
        Board(at(0) | at(1) | at(2) | at(3))
    }

    /// Returns the rows, each with the first column in the low bits.
    #[inline(always)]
    pub fn rows(self) -> [u32; SIDE] {
        let row = |row: usize| (self.0 >> (row * LINE_BITS)) as u32 & (LINES as u32 - 1);
        [row(0), row(1), row(2), row(3)]
    }

    /// Returns the board with all rows changed. Like the methods above, it avoids `array::map`, which is not always
    /// inlined.
    #[inline(always)]
    pub fn with_rows(self, change: impl Fn(u32) -> u32) -> Board {
        let [a, b, c, d] = self.rows();
        Board::of_rows([change(a), change(b), change(c), change(d)])
    }

    /// Returns the bits of a square.
    #[inline(always)]
    pub fn cell(self, square: usize) -> u8 {
        (self.0 >> (CELL_BITS * square)) as u8 & CELL_MASK as u8
    }

    /// Returns the piece on a square.
    pub fn piece(self, square: usize) -> Option<Piece> {
        Piece::of_cell(self.cell(square))
    }

    /// Returns a hash whose low 32 bits are well mixed.
    #[inline(always)]
    pub fn hash(self) -> u64 {
        // Multiplicative hashing (D. Knuth) by the golden ratio and another odd number.
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let mixed =
            (low ^ high.wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    }

    /// Iterates over all pieces.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        (0..SQUARES).filter_map(move |square| self.piece(square))
    }

    /// Returns the board with `piece` added on an empty square.
    #[inline(always)]
    pub fn with(self, square: usize, piece: Piece) -> Board {
        Board(self.0 | u128::from(piece.cell()) << (CELL_BITS * square))
    }

    /// Returns the board without the piece on a square.
    pub fn without(self, square: usize) -> Board {
        Board(self.0 & !(u128::from(CELL_MASK) << (CELL_BITS * square)))
    }

    /// Returns the board with rows and columns exchanged.
    #[inline(always)]
    pub fn transposed(self) -> Board {
        const NEAR: usize = (SIDE - 1) * CELL_BITS;
        const FAR: usize = 2 * NEAR;
        let mut bits = self.0;
        let swapped = (bits ^ bits >> NEAR) & OFF_PAIRS;
        bits ^= swapped | swapped << NEAR;
        let swapped = (bits ^ bits >> FAR) & OFF_QUARTER;
        Board(bits ^ swapped ^ swapped << FAR)
    }

    /// Returns the lowest bit of every occupied square.
    #[inline(always)]
    fn occupied(self) -> u128 {
        (self.0 >> EXPONENT_BITS | self.0 >> (EXPONENT_BITS + 1)) & UNITS
    }

    /// Returns the empty squares, lowest first.
    #[inline(always)]
    pub fn empty_squares(self) -> EmptySquares {
        EmptySquares(UNITS & !self.occupied())
    }

    /// Returns the number of empty squares.
    #[inline(always)]
    pub fn count_empty(self) -> u32 {
        SQUARES as u32 - self.occupied().count_ones()
    }

    /// Returns the sum of the values of all pieces.
    pub fn sum(self) -> u32 {
        self.pieces().map(Piece::value).sum()
    }

    /// Returns the units of a colour: the number of placed pieces that its current pieces consist of, 2^n each.
    pub fn units(self, colour: Colour) -> u32 {
        let own = self.pieces().filter(|piece| piece.colour == colour);
        own.map(|piece| 1 << piece.exponent).sum()
    }

    /// Returns the board with each colour replaced by `images[colour]`.
    pub fn recoloured(self, images: [Colour; 3]) -> Board {
        let mut board = Board::EMPTY;
        for square in 0..SQUARES {
            if let Some(Piece { colour, exponent }) = self.piece(square) {
                let colour = images[colour.index()];
                board = board.with(square, Piece { colour, exponent });
            }
        }
        board
    }

    /// Returns the board after a slide, or `None` if it changes nothing. The search uses the faster table
    /// [`super::slides::Slides`].
    pub fn slid(self, direction: Direction) -> Option<Board> {
        let by_rows = |board: Board| board.with_rows(slid_line);
        let after = in_direction(self, direction, by_rows, |board| {
            board.with_rows(|row| reversed_line(slid_line(reversed_line(row))))
        });
        if after == self {
            None
        } else {
            Some(after)
        }
    }
}

/// Slides a board in any direction, given functions that slide it to the first and to the last column.
#[inline(always)]
pub fn in_direction(
    board: Board,
    direction: Direction,
    to_first: impl Fn(Board) -> Board,
    to_last: impl Fn(Board) -> Board,
) -> Board {
    match direction {
        Direction::Left => to_first(board),
        Direction::Right => to_last(board),
        Direction::Up => to_first(board.transposed()).transposed(),
        Direction::Down => to_last(board.transposed()).transposed(),
    }
}

/// Slides a line to its low end. Two consecutive pieces of equal value merge into one piece of the next value if they
/// have the same colour, and vanish otherwise.
pub fn slid_line(line: u32) -> u32 {
    let mut after = 0;
    let mut length = 0;
    let mut push = |cell: u32| {
        after |= cell << (CELL_BITS * length);
        length += 1;
    };
    let mut held = 0;
    for index in 0..SIDE {
        let cell = line >> (CELL_BITS * index) & CELL_MASK;
        if Piece::of_cell(cell as u8).is_none() {
            continue;
        }
        if held == 0 {
            held = cell;
        } else if held == cell {
            push(merged(cell));
            held = 0;
        } else if (held ^ cell) as u8 & EXPONENT_MASK == 0 {
            held = 0;
        } else {
            push(held);
            held = cell;
        }
    }
    if held != 0 {
        push(held);
    }
    after
}

/// Merges two equal pieces. Two of the largest value, which occur in no game, become one of the same value.
fn merged(cell: u32) -> u32 {
    if cell as u8 & EXPONENT_MASK == MAX_EXPONENT {
        cell
    } else {
        cell + 1
    }
}

/// Reverses a line.
pub fn reversed_line(line: u32) -> u32 {
    (0..SIDE).fold(0, |after, index| after << CELL_BITS | line >> (CELL_BITS * index) & CELL_MASK)
}

/// Iterator over the empty squares of a board, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct EmptySquares(u128);

impl Iterator for EmptySquares {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as usize / CELL_BITS;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// Formats the board as four lines of four squares with the value and the colour's first letter.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..SIDE {
            let squares = (0..SIDE).map(|column| match self.piece(SIDE * row + column) {
                Some(piece) => format!("{}{}", piece.value(), &piece.colour.name()[..1]),
                None => ".".to_string(),
            });
            let line: Vec<String> = squares.map(|text| format!("{:>6}", text)).collect();
            writeln!(f, "{}", line.join(" "))?;
        }
        Ok(())
    }
}
