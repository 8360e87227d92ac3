//! The board: sixteen squares of five bits in one word, pieces, directions, slides.

use std::fmt;

/// Squares of a row, and of a column.
pub const SIDE: usize = 4;
/// Squares of the board.
pub const SQUARES: usize = SIDE * SIDE;
/// Bits of a square: two for the colour (0: empty), three for the exponent.
pub const CELL_BITS: usize = 5;
/// The bits of a square at the low end of a word.
pub const CELL_MASK: u32 = (1 << CELL_BITS) - 1;
/// Bits of a row or a column.
pub const LINE_BITS: usize = SIDE * CELL_BITS;
/// The number of lines, those that no game has included.
pub const LINES: usize = 1 << LINE_BITS;
/// The largest exponent: no game has 256 pieces of a colour, which 3^8 needs.
pub const MAX_EXPONENT: u8 = 7;
/// The exponents from 0 to [`MAX_EXPONENT`].
pub const EXPONENTS: usize = MAX_EXPONENT as usize + 1;
/// The values of the pieces by their exponents.
pub const VALUES: [u32; EXPONENTS] = [1, 3, 9, 27, 81, 243, 729, 2187];

const EXPONENT_BITS: usize = 3;
const EXPONENT_MASK: u8 = (1 << EXPONENT_BITS) - 1;

/// The lowest bit of every square.
const UNITS: u128 = units();
/// The squares `(row, column)` of odd columns in even rows: see [`Board::transposed`].
const OFF_PAIRS: u128 = cells(&[1, 3, 9, 11]);
/// The squares of the right half in the upper half.
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
    /// The first colour of a rhythm.
    Blue,
    /// The second one.
    Red,
    /// The third one.
    Gray,
}

impl Colour {
    /// All colours.
    pub const ALL: [Colour; 3] = [Colour::Blue, Colour::Red, Colour::Gray];

    /// 0 to 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// In words.
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
    /// Its colour.
    pub colour: Colour,
    /// From 0 to [`MAX_EXPONENT`].
    pub exponent: u8,
}

impl Piece {
    /// The piece of a square's bits; `None` for an empty square.
    pub fn of_cell(cell: u8) -> Option<Piece> {
        let colour = match cell >> EXPONENT_BITS {
            1 => Colour::Blue,
            2 => Colour::Red,
            3 => Colour::Gray,
            _ => return None,
        };
        Some(Piece { colour, exponent: cell & EXPONENT_MASK })
    }

    /// The bits of a square with this piece.
    pub fn cell(self) -> u8 {
        (self.colour as u8 + 1) << EXPONENT_BITS | self.exponent
    }

    /// 3^n.
    pub fn value(self) -> u32 {
        VALUES[usize::from(self.exponent & EXPONENT_MASK)]
    }
}

/// Where a slide goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the first row.
    Up,
    /// To the last row.
    Down,
    /// To the first column.
    Left,
    /// To the last column.
    Right,
}

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The letter of the dialogue.
    pub fn letter(self) -> char {
        match self {
            Direction::Up => 'U',
            Direction::Down => 'D',
            Direction::Left => 'L',
            Direction::Right => 'R',
        }
    }
}

/// The pieces on the board. Square `4 * row + column` has the bits from `5 * square` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(u128);

impl Board {
    /// No piece.
    pub const EMPTY: Board = Board(0);

    /// The board of these rows, of [`LINE_BITS`] each.
    #[inline(always)]
    pub fn of_rows(rows: [u32; SIDE]) -> Board {
        let [a, b, c, d] = rows.map(u128::from);
        Board(a | b << LINE_BITS | c << (2 * LINE_BITS) | d << (3 * LINE_BITS))
    }

    /// The rows, each with its first column in the low bits.
    #[inline(always)]
    pub fn rows(self) -> [u32; SIDE] {
        let mask = LINES as u32 - 1;
        [0, 1, 2, 3].map(|row| (self.0 >> (row * LINE_BITS)) as u32 & mask)
    }

    /// The bits of a square.
    #[inline(always)]
    pub fn cell(self, square: usize) -> u8 {
        (self.0 >> (CELL_BITS * square)) as u8 & CELL_MASK as u8
    }

    /// The piece on a square.
    pub fn piece(self, square: usize) -> Option<Piece> {
        Piece::of_cell(self.cell(square))
    }

    /// A hash of the board, of which the low 32 bits are well mixed.
    #[inline(always)]
    pub fn hash(self) -> u64 {
        // Multiplicative hashing (D. Knuth), by the golden ratio and another odd number.
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let mixed =
            (low ^ high.wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    }

    /// All pieces.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        (0..SQUARES).filter_map(move |square| self.piece(square))
    }

    /// The board with a piece on an empty square.
    #[inline(always)]
    pub fn with(self, square: usize, piece: Piece) -> Board {
        Board(self.0 | u128::from(piece.cell()) << (CELL_BITS * square))
    }

    /// Exchanges rows and columns.
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

    /// The lowest bit of every occupied square.
    #[inline(always)]
    fn occupied(self) -> u128 {
        (self.0 >> EXPONENT_BITS | self.0 >> (EXPONENT_BITS + 1)) & UNITS
    }

    /// The empty squares, lowest first.
    #[inline(always)]
    pub fn empty_squares(self) -> EmptySquares {
        EmptySquares(UNITS & !self.occupied())
    }

    /// The number of empty squares.
    #[inline(always)]
    pub fn count_empty(self) -> u32 {
        SQUARES as u32 - self.occupied().count_ones()
    }

    /// The sum of all values.
    pub fn sum(self) -> u32 {
        self.pieces().map(Piece::value).sum()
    }

    /// The units of a colour: the pieces placed that its present pieces are made of, 2^n each.
    pub fn units(self, colour: Colour) -> u32 {
        let own = self.pieces().filter(|piece| piece.colour == colour);
        own.map(|piece| 1 << piece.exponent).sum()
    }

    /// The board with other colours: `images[colour]` stands for each colour.
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

    /// The board after a slide, line by line; `None` where it changes nothing. The search uses
    /// [`super::slides::Slides`], which has all lines in a table.
    pub fn slid(self, direction: Direction) -> Option<Board> {
        let by_rows = |board: Board| Board::of_rows(board.rows().map(slid_line));
        let after = in_direction(self, direction, by_rows, |board| {
            Board::of_rows(board.rows().map(|row| reversed_line(slid_line(reversed_line(row)))))
        });
        if after == self {
            None
        } else {
            Some(after)
        }
    }
}

/// Slides by functions for slides to the first and to the last column.
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

/// A line after a slide to its low end. Of each two consecutive pieces of equal value, those of one
/// colour become one piece of the next value, those of two colours vanish.
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

/// What two such pieces become. No game has two of the largest ones: these stay one.
fn merged(cell: u32) -> u32 {
    if cell as u8 & EXPONENT_MASK == MAX_EXPONENT {
        cell
    } else {
        cell + 1
    }
}

/// The line from its other end.
pub fn reversed_line(line: u32) -> u32 {
    (0..SIDE).fold(0, |after, index| after << CELL_BITS | line >> (CELL_BITS * index) & CELL_MASK)
}

/// Squares of a board.
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

/// Four lines of four squares, each with its value and the colour's first letter.
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
