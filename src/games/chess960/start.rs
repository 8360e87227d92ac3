//! The 960 start positions by their usual numbers (R. Scharnagl).

use super::position::{CastlingRule, Position};
use super::types::Kind;

/// Number of start positions.
pub const COUNT: usize = 960;

/// Places of the two knights among the five squares left by bishops and queen.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// Returns the first rank of the start position with a number below [`COUNT`].
pub fn first_row(number: usize) -> [Kind; 8] {
    let mut rank = [None; 8];
    let mut put = |nth: usize, kind| {
        let free = (0..8).filter(|&file| rank[file].is_none()).nth(nth);
        free.into_iter().for_each(|file| rank[file] = Some(kind));
    };
    let (number, light) = (number / 4, number % 4);
    let (number, dark) = (number / 4, number % 4);
    let (knights, queen) = (number / 6, number % 6);
    let (one, other) = KNIGHTS[knights % KNIGHTS.len()];
    // The bishops' files are 1, 3, 5, 7 and 0, 2, 4, 6; the index of the second counts only free files.
    let (light, dark) = (2 * light + 1, 2 * dark);
    put(light, Kind::Bishop);
    put(dark - usize::from(light < dark), Kind::Bishop);
    put(queen, Kind::Queen);
    put(one, Kind::Knight);
    put(other - 1, Kind::Knight);
    put(0, Kind::Rook);
    put(0, Kind::King);
    put(0, Kind::Rook);
    rank.map(|kind| kind.unwrap_or(Kind::Rook))
}

/// Returns the start position with a number below [`COUNT`].
pub fn numbered(number: usize, rule: CastlingRule) -> Position {
    let row: String = first_row(number).iter().map(|kind| kind.letter()).collect();
    let rooks: Vec<usize> = row.match_indices('r').map(|(file, _)| file).collect();
    let castling: String = rooks.iter().map(|&file| (b'a' + file as u8) as char).collect();
    let text = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
        row,
        row.to_uppercase(),
        castling.to_uppercase(),
        castling
    );
    read(&text, rule)
}

/// The start position of classical chess, number 518.
pub fn classical(rule: CastlingRule) -> Position {
    read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1", rule)
}

/// Parses a start position; a test checks that all are valid.
fn read(text: &str, rule: CastlingRule) -> Position {
    Position::from_fen(text, rule).unwrap_or_else(|_| Position::empty(rule))
}

/// Returns the number of the start position with this first rank.
#[cfg(test)]
pub fn number_of(row: &[Kind; 8]) -> Option<usize> {
    (0..COUNT).find(|&number| first_row(number) == *row)
}
