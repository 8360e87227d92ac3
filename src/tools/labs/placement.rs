//! Placements of pieces on eight by eight squares as text: rows separated by slashes, runs of empty squares counted.

use anyhow::{bail, ensure, Context, Result};

/// The letters of the pieces by square, in the order of the text.
pub type Squares = [Option<char>; 64];

/// Parses a placement. Missing squares and rows are empty.
pub fn parse(text: &str, is_piece: impl Fn(char) -> bool) -> Result<Squares> {
    let mut squares = [None; 64];
    for (index, text) in text.split('/').enumerate() {
        let row = squares.chunks_mut(8).nth(index).context("a board has eight rows")?;
        let mut column = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                column += empty as usize;
                continue;
            }
            ensure!(is_piece(letter), "unknown piece {letter:?}");
            *row.get_mut(column).context("a row is longer than eight squares")? = Some(letter);
            column += 1;
        }
        ensure!(column <= row.len(), "a row is longer than eight squares");
    }
    Ok(squares)
}

/// Formats a placement.
pub fn text(squares: &Squares) -> String {
    let row = |row: &[Option<char>]| {
        let runs = row.chunk_by(|one, next| one.is_none() && next.is_none());
        let run = |run: &[Option<char>]| run[0].map_or(run.len().to_string(), String::from);
        runs.map(run).collect::<String>()
    };
    squares.chunks(8).map(row).collect::<Vec<_>>().join("/")
}

/// Whether a word consists of digits, slashes and these letters of pieces. Most paths don't.
pub fn is_placement(word: &str, letters: &str) -> bool {
    let is_piece = |c: char| letters.contains(c.to_ascii_lowercase());
    word.chars().all(|c| c == '/' || c.is_ascii_digit() || is_piece(c))
}

/// Parses the letter of a piece.
pub fn letter(text: &str, is_piece: impl Fn(char) -> bool) -> Result<char> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if is_piece(letter) => Ok(letter),
        _ => bail!("no such piece"),
    }
}

/// Whether the rows at the beginning of a position lack one of these letters.
pub fn lacks(position: &str, letters: &str) -> bool {
    let rows = position.split(' ').next().unwrap_or_default();
    !letters.chars().all(|letter| rows.contains(letter))
}
