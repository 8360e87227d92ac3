//! Attack sets. Sliders by hyperbola quintessence (G. Isenberg, R. Grimbergen, 2007) with a table for ranks: 3 KB of
//! tables in all, which stay in the L1 cache.

use super::types::{Bitboard, Colour, Kind, Square};

/// Steps of a king and of a knight: files, ranks.
const KING_STEPS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// Directions of lines: rank, file, both diagonals.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

static KING: [u64; 64] = leapers(KING_STEPS);
static KNIGHT: [u64; 64] = leapers(KNIGHT_STEPS);
/// Lines through a square, without the square.
static LINES: [[u64; 4]; 64] = lines();
/// Attacks along a rank, by file and occupancy of the six inner files.
static RANKS: [[u8; 64]; 8] = ranks();

const fn is_on_board(file: i32, rank: i32) -> bool {
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}

const fn leapers(steps: [(i32, i32); 8]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < 8 {
            let (file, rank) = (square % 8 + steps[step].0, square / 8 + steps[step].1);
            if is_on_board(file, rank) {
                table[square as usize] |= 1 << (rank * 8 + file);
            }
            step += 1;
        }
        square += 1;
    }
    table
}

const fn lines() -> [[u64; 4]; 64] {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let mut way = -7;
            while way <= 7 {
                let file = square % 8 + way * DIRECTIONS[line].0;
                let rank = square / 8 + way * DIRECTIONS[line].1;
                if way != 0 && is_on_board(file, rank) {
                    table[square as usize][line] |= 1 << (rank * 8 + file);
                }
                way += 1;
            }
            line += 1;
        }
        square += 1;
    }
    table
}

const fn ranks() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = inner << 1;
            let mut to = file + 1;
            while to < 8 {
                table[file][inner] |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
                to += 1;
            }
            let mut to = file;
            while to > 0 {
                to -= 1;
                table[file][inner] |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
            }
            inner += 1;
        }
        file += 1;
    }
    table
}

/// Attacks along a file or diagonal: upward by subtraction, downward by the same on the byte-reversed board.
#[inline(always)]
fn along(line: u64, square: Square, occupied: u64) -> u64 {
    let bit = square.bit().0;
    let blockers = line & occupied;
    let up = blockers.wrapping_sub(bit << 1);
    let down = blockers.swap_bytes().wrapping_sub(bit.swap_bytes() << 1).swap_bytes();
    (up ^ down) & line
}

/// Returns the squares that a rook attacks.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let shift = square.index() & 56;
    let inner = (occupied.0 >> (shift + 1) & 63) as usize;
    let rank = u64::from(RANKS[square.file()][inner]) << shift;
    Bitboard(rank | along(LINES[square.index()][1], square, occupied.0))
}

/// Returns the squares that a bishop attacks.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(along(lines[2], square, occupied.0) | along(lines[3], square, occupied.0))
}

/// Returns the squares that a king attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// Returns the squares that a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// Returns the squares that a side's pawns attack.
#[inline(always)]
pub fn pawns(side: Colour, pawns: Bitboard) -> Bitboard {
    let forward = pawns.up(forward(side));
    forward.left() | forward.right()
}

/// Direction of a side's pawns, in ranks.
#[inline(always)]
pub fn forward(side: Colour) -> i32 {
    match side {
        Colour::White => 1,
        Colour::Black => -1,
    }
}

/// Returns the squares that a piece other than a pawn attacks.
#[inline(always)]
pub fn of(kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Pawn => Bitboard::EMPTY,
        Kind::Knight => knight(square),
        Kind::Bishop => bishop(square, occupied),
        Kind::Rook => rook(square, occupied),
        Kind::Queen => rook(square, occupied) | bishop(square, occupied),
        Kind::King => king(square),
    }
}

/// Returns the rank and file of a square, without the square.
#[inline(always)]
pub fn rook_lines(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(lines[0] | lines[1])
}

/// Returns the diagonals of a square, without the square.
#[inline(always)]
pub fn bishop_lines(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(lines[2] | lines[3])
}

/// Returns the line through two squares, without the first one; empty if they are not on a line.
#[inline(always)]
pub fn line(one: Square, other: Square) -> Bitboard {
    let lines = LINES[one.index()].iter();
    lines.map(|&line| Bitboard(line)).find(|line| line.has(other)).unwrap_or(Bitboard::EMPTY)
}

/// Returns the squares between two squares on a line.
#[inline(always)]
pub fn between(one: Square, other: Square) -> Bitboard {
    // Indices rise or fall along a line.
    let (low, high) = (one.index().min(other.index()), one.index().max(other.index()));
    let inside = ((1u64 << high) - 1) & !(2u64 << low).wrapping_sub(1);
    line(one, other) & Bitboard(inside)
}
