//! Attacks of leapers: from one square by table lookup, from a set of squares by shifts.

use super::types::{Bitboard, Kind, Square};

/// Leaps of each kind as (rows, columns), by kind index.
pub const LEAPS: [&[(i32, i32)]; 5] = [
    &[(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
    &[(1, 1), (1, -1), (-1, 1), (-1, -1)],
    &[(0, 2), (2, 0), (0, -2), (-2, 0)],
    &[(2, 2), (2, -2), (-2, 2), (-2, -2)],
    &[(0, 1), (1, 0), (0, -1), (-1, 0)],
];

static ATTACKS: [[Bitboard; 64]; 5] = attack_table();

const fn attack_table() -> [[Bitboard; 64]; 5] {
    let mut table = [[Bitboard::EMPTY; 64]; 5];
    let mut kind = 0;
    while kind < 5 {
        let mut square = 0;
        while square < 64 {
            let mut leap = 0;
            while leap < LEAPS[kind].len() {
                let (rows, columns) = LEAPS[kind][leap];
                table[kind][square].0 |= Bitboard(1 << square).shift(rows, columns).0;
                leap += 1;
            }
            square += 1;
        }
        kind += 1;
    }
    table
}

/// Returns the squares that a piece of this kind attacks from `square`. Leaps are symmetric, so these are also the
/// squares from which such a piece attacks `square`.
#[inline(always)]
pub fn attacks(kind: Kind, square: Square) -> Bitboard {
    ATTACKS[kind.index()][square.index()]
}

/// Returns the union of the squares that pieces of this kind attack from each of `squares`.
#[inline(always)]
pub fn spread(kind: Kind, squares: Bitboard) -> Bitboard {
    match kind {
        Kind::Wazir => {
            squares.shift(0, 1) | squares.shift(0, -1) | squares.shift(1, 0) | squares.shift(-1, 0)
        }
        Kind::Ferz => {
            let row = squares.shift(0, 1) | squares.shift(0, -1);
            row.shift(1, 0) | row.shift(-1, 0)
        }
        Kind::Dabbaba => {
            squares.shift(0, 2) | squares.shift(0, -2) | squares.shift(2, 0) | squares.shift(-2, 0)
        }
        Kind::Alfil => {
            let row = squares.shift(0, 2) | squares.shift(0, -2);
            row.shift(2, 0) | row.shift(-2, 0)
        }
        Kind::Knight => {
            let near = squares.shift(0, 1) | squares.shift(0, -1);
            let far = squares.shift(0, 2) | squares.shift(0, -2);
            near.shift(2, 0) | near.shift(-2, 0) | far.shift(1, 0) | far.shift(-1, 0)
        }
    }
}

/// Returns the squares that the pieces of each kind attack, by kind index. The calls are written out so that the
/// compiler knows each kind and reduces [`spread`] to a few shifts.
#[inline(always)]
pub fn spreads(pieces: impl Fn(Kind) -> Bitboard) -> [Bitboard; 5] {
    [
        spread(Kind::Knight, pieces(Kind::Knight)),
        spread(Kind::Ferz, pieces(Kind::Ferz)),
        spread(Kind::Dabbaba, pieces(Kind::Dabbaba)),
        spread(Kind::Alfil, pieces(Kind::Alfil)),
        spread(Kind::Wazir, pieces(Kind::Wazir)),
    ]
}

/// Returns the union of the sets of all kinds.
#[inline(always)]
pub fn united([knights, ferzes, dabbabas, alfils, wazir]: [Bitboard; 5]) -> Bitboard {
    knights | ferzes | dabbabas | alfils | wazir
}
