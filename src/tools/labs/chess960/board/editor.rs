//! Position editor of Chess960. The text is a FEN, of which everything after the board may be missing, or
//! the number of a start position.

use crate::games::chess960::position::CastlingRule;
use crate::games::chess960::start;
use crate::games::chess960::types::{Kind, Square};
use crate::tools::contracts::board::{Editor, Right};
use crate::tools::contracts::page::Frame;
use crate::tools::labs::chess960::fen::{self, Fields};
use anyhow::{ensure, Context, Result};
use serde_json::{json, Map};
use std::cmp::Reverse;

pub(super) const EDITOR: Editor = Editor {
    palette: &[
        ("K", "white king"),
        ("Q", "white queen"),
        ("R", "white rook"),
        ("B", "white bishop"),
        ("N", "white knight"),
        ("P", "white pawn"),
        ("k", "black king"),
        ("q", "black queen"),
        ("r", "black rook"),
        ("b", "black bishop"),
        ("n", "black knight"),
        ("p", "black pawn"),
    ],
    empty: "8/8/8/8/8/8/8/8 w - - 0 1",
    form: "As a FEN, or the number of a start position (0 to 959)",
    numbered: start::COUNT,
    read: |text| Ok(Draft::parse(text)?.text()),
    draw: |text| Ok(Draft::parse(text)?.frame()),
    put: |text, spot, piece| {
        let mut draft = Draft::parse(text)?;
        draft.put(spot, piece)?;
        Ok(draft.text())
    },
    turn: |text| {
        let mut draft = Draft::parse(text)?;
        draft.is_black = !draft.is_black;
        draft.en_passant = NONE.to_string();
        Ok(draft.text())
    },
    rights: |text| Ok(Draft::parse(text)?.rights()),
    toggle: |text, right| {
        let mut draft = Draft::parse(text)?;
        draft.toggle(right)?;
        Ok(draft.text())
    },
};

/// Castling rights: FEN letters of classical chess, and names for the user.
const RIGHTS: [(&str, &str); 4] =
    [("K", "White O-O"), ("Q", "White O-O-O"), ("k", "Black O-O"), ("q", "Black O-O-O")];

/// An empty field of a FEN.
const NONE: &str = "-";

/// A position that is being edited.
struct Draft {
    /// The letters by square, rank 8 first.
    squares: [Option<char>; 64],
    is_black: bool,
    castling: String,
    en_passant: String,
    /// Half-move clock and move number.
    counts: [u32; 2],
}

impl Draft {
    fn parse(text: &str) -> Result<Draft> {
        if let Ok(number) = text.trim().parse::<usize>() {
            ensure!(
                number < start::COUNT,
                "start positions are numbered 0 to {}",
                start::COUNT - 1
            );
            return Draft::parse(&start::numbered(number, CastlingRule::Arena).to_string());
        }
        let Fields { board, side, castling, en_passant, halfmoves, number } = fen::fields(text)?;
        let squares = read_board(&board)?;
        let counts = [halfmoves, number];
        let mut draft = Draft { squares, is_black: side == "b", castling, en_passant, counts };
        draft.name_rooks();
        Ok(draft)
    }

    /// Replaces `KQkq` by the files of the rooks, so that a right can't pass to another rook. Invalid
    /// rights are kept as they are.
    fn name_rooks(&mut self) {
        let named = |right: char| match self.outer_rook(right) {
            Some(file) if matches!(right, 'K' | 'Q' | 'k' | 'q') => {
                right_of(file, right.is_ascii_uppercase())
            }
            _ => right,
        };
        let mut rights: Vec<char> = self.castling.chars().map(named).collect();
        rights.sort_unstable();
        rights.dedup();
        self.castling = rights.into_iter().collect();
    }

    /// Returns a side's first rank and the file of its king there.
    fn king_row(&self, is_white: bool) -> Option<(&[Option<char>], usize)> {
        let row = &self.squares[if is_white { 56..64 } else { 0..8 }];
        let king = row.iter().position(|&piece| piece == Some(cased('k', is_white)))?;
        Some((row, king))
    }

    /// Returns the file of the outermost rook that a letter of classical chess means.
    fn outer_rook(&self, right: char) -> Option<usize> {
        let is_white = right.is_ascii_uppercase();
        let (row, king) = self.king_row(is_white)?;
        let is_rook = |&file: &usize| row[file] == Some(cased('r', is_white));
        match right.to_ascii_lowercase() {
            'q' => (0..king).find(is_rook),
            'k' => (king + 1..row.len()).rev().find(is_rook),
            _ => None,
        }
    }

    /// Returns the letters that give a right, if it is given.
    fn given(&self, right: char) -> Vec<char> {
        let Some((_, king)) = self.king_row(right.is_ascii_uppercase()) else { return Vec::new() };
        let is_same = |letter: &char| {
            let file = (letter.to_ascii_lowercase() as usize).checked_sub('a' as usize);
            let is_side = file.is_some_and(|file| match right.to_ascii_lowercase() {
                'k' => file > king && file < 8,
                _ => file < king,
            });
            letter.is_ascii_uppercase() == right.is_ascii_uppercase() && is_side
        };
        self.castling.chars().filter(is_same).collect()
    }

    fn rights(&self) -> Vec<Right> {
        let right = |(right, label): (&'static str, &'static str)| {
            let letter = right.chars().next().unwrap_or_default();
            let is_on = !self.given(letter).is_empty();
            Right { right, label, is_on, is_possible: is_on || self.outer_rook(letter).is_some() }
        };
        RIGHTS.map(right).into_iter().collect()
    }

    fn toggle(&mut self, right: &str) -> Result<()> {
        ensure!(RIGHTS.iter().any(|(name, _)| *name == right), "no right is called {right:?}");
        let letter = right.chars().next().unwrap_or_default();
        let given = self.given(letter);
        let mut rights: Vec<char> =
            self.castling.chars().filter(|other| !given.contains(other) && *other != '-').collect();
        if given.is_empty() {
            let file =
                self.outer_rook(letter).context("there is no king with a rook to castle with")?;
            rights.push(right_of(file, letter.is_ascii_uppercase()));
        }
        rights.sort_unstable();
        self.castling =
            if rights.is_empty() { NONE.to_string() } else { rights.into_iter().collect() };
        Ok(())
    }

    fn put(&mut self, spot: &str, piece: Option<&str>) -> Result<()> {
        let square = spot.parse::<Square>().ok();
        let square = square.with_context(|| format!("no such square: {spot:?}"))?;
        let piece = piece.map(|text| letter_of(text).context("no such piece")).transpose()?;
        self.squares[index_of(square)] = piece;
        self.en_passant = NONE.to_string();
        self.counts[0] = 0;
        let rights: String = self.castling.chars().filter(|&right| self.has_right(right)).collect();
        self.castling = if rights.is_empty() { NONE.to_string() } else { rights };
        Ok(())
    }

    /// Whether king and rook are on the squares that a castling right requires.
    fn has_right(&self, right: char) -> bool {
        let is_white = right.is_ascii_uppercase();
        let Some((row, _)) = self.king_row(is_white) else { return false };
        let file = (right.to_ascii_lowercase() as usize).checked_sub('a' as usize);
        file.and_then(|file| row.get(file)) == Some(&Some(cased('r', is_white)))
    }

    fn rows(&self) -> String {
        let row = |squares: &[Option<char>]| {
            let mut text = String::new();
            let mut empty = 0;
            for square in squares {
                match square {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(*letter);
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text
        };
        self.squares.chunks(8).map(row).collect::<Vec<_>>().join("/")
    }

    fn text(&self) -> String {
        let side = if self.is_black { 'b' } else { 'w' };
        let [halfmoves, number] = &self.counts;
        let Draft { en_passant, .. } = self;
        let castling = self.castling_text();
        format!("{} {side} {castling} {en_passant} {halfmoves} {number}", self.rows())
    }

    /// Formats the castling rights as X-FEN.
    fn castling_text(&self) -> String {
        let letter = |right: char| {
            let is_white = right.is_ascii_uppercase();
            let Some((row, king)) = self.king_row(is_white) else { return right };
            let is_rook = |file: &usize| row[*file] == Some(cased('r', is_white));
            let rooks: Vec<usize> = (0..row.len()).filter(is_rook).collect();
            let file = (right.to_ascii_lowercase() as usize).checked_sub('a' as usize);
            match file.filter(|file| rooks.contains(file)) {
                Some(file) => cased(fen::right_letter(file, king, &rooks), is_white),
                None => right,
            }
        };
        // White's rights first, and of each side those of the king's side.
        let mut rights: Vec<char> = self.castling.chars().collect();
        rights.sort_by_key(|right| (right.is_ascii_lowercase(), Reverse(*right)));
        rights.into_iter().map(letter).collect()
    }

    fn frame(&self) -> Frame {
        let mut board = Map::new();
        board.insert("board".to_string(), json!(self.rows()));
        let turn = Some(usize::from(self.is_black));
        Frame { ply: 0, turn, last: None, view: None, board }
    }
}

/// Returns the letter of a piece in the case of its side.
fn cased(letter: char, is_white: bool) -> char {
    if is_white {
        letter.to_ascii_uppercase()
    } else {
        letter
    }
}

/// Returns the castling right with the rook of a file.
fn right_of(file: usize, is_white: bool) -> char {
    cased(char::from(b'a' + file as u8), is_white)
}

fn index_of(square: Square) -> usize {
    8 * (7 - square.rank()) + square.file()
}

/// Returns the letter of a piece.
fn letter_of(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    Kind::from_letter(letter).map(|_| letter)
}

/// Returns the letters by square; missing rows are empty.
fn read_board(text: &str) -> Result<[Option<char>; 64]> {
    let mut squares = [None; 64];
    for (row, text) in text.split('/').enumerate() {
        ensure!(row < 8, "a board has eight rows");
        let mut column = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                column += empty as usize;
                continue;
            }
            ensure!(column < 8, "a row is longer than eight squares");
            Kind::from_letter(letter).with_context(|| format!("unknown piece {letter:?}"))?;
            squares[8 * row + column] = Some(letter);
            column += 1;
        }
        ensure!(column <= 8, "a row is longer than eight squares");
    }
    Ok(squares)
}
