//! Position editor of Chess960. The text is a FEN, of which everything after the board may be missing, or the number of
//! a start position.

use crate::games::chess960::position::CastlingRule;
use crate::games::chess960::start;
use crate::games::chess960::types::{Kind, Square};
use crate::tools::contracts::board::{Editor, Right, Scene};
use crate::tools::labs::chess960::fen::{self, Fields};
use crate::tools::labs::placement::{self, Squares};
use anyhow::{ensure, Context, Result};

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
    draw: |text| Ok(Draft::parse(text)?.scene()),
    put: |text, spot, piece| {
        let mut draft = Draft::parse(text)?;
        draft.put(spot, piece)?;
        Ok(draft.text())
    },
    missing: |text| placement::lacks(text, "Kk").then_some("each side needs a king"),
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
    squares: Squares,
    is_black: bool,
    /// Whether the rook of a file may castle, by side. Rights without a king and a rook on the first rank are ignored.
    rights: [[bool; 8]; 2],
    en_passant: String,
    /// Half-move clock and move number.
    counts: [u32; 2],
}

fn is_piece(letter: char) -> bool {
    Kind::from_letter(letter).is_some()
}

/// Returns the index of the side that a castling right belongs to by its case.
fn side_of(right: char) -> usize {
    usize::from(right.is_ascii_lowercase())
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
        let mut draft = Draft {
            squares: placement::parse(&board, is_piece)?,
            is_black: side == "b",
            rights: [[false; 8]; 2],
            en_passant,
            counts: [halfmoves, number],
        };
        for right in castling.chars() {
            let file = match right.to_ascii_lowercase() {
                file @ 'a'..='h' => Some(file as usize - 'a' as usize),
                _ => draft.rooks_for(right).first().copied(),
            };
            if let Some(file) = file {
                draft.rights[side_of(right)][file] = true;
            }
        }
        Ok(draft)
    }

    /// Returns the file of a side's king and those of its rooks on its first rank; `None` without a king there.
    fn castlers(&self, side: usize) -> Option<(usize, Vec<usize>)> {
        let (row, king, rook) = match side {
            0 => (&self.squares[56..], 'K', 'R'),
            _ => (&self.squares[..8], 'k', 'r'),
        };
        let files_of = |letter| (0..8).filter(move |&file| row[file] == Some(letter));
        Some((files_of(king).next()?, files_of(rook).collect()))
    }

    /// Returns the files of the rooks that a letter of classical chess can mean, the outermost one first.
    fn rooks_for(&self, right: char) -> Vec<usize> {
        let Some((king, rooks)) = self.castlers(side_of(right)) else { return Vec::new() };
        match right.to_ascii_lowercase() {
            'k' => rooks.into_iter().filter(|&rook| rook > king).rev().collect(),
            'q' => rooks.into_iter().filter(|&rook| rook < king).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the rooks for a letter of classical chess, and whether one of them may castle.
    fn right(&self, letter: char) -> (Vec<usize>, bool) {
        let rooks = self.rooks_for(letter);
        let is_on = rooks.iter().any(|&rook| self.rights[side_of(letter)][rook]);
        (rooks, is_on)
    }

    fn rights(&self) -> Vec<Right> {
        let right = |(right, label): (&'static str, &'static str)| {
            let (rooks, is_on) =
                right.chars().map(|letter| self.right(letter)).next().unwrap_or_default();
            Right { right, label, is_on, is_possible: !rooks.is_empty() }
        };
        RIGHTS.map(right).into_iter().collect()
    }

    fn toggle(&mut self, right: &str) -> Result<()> {
        let known = RIGHTS.iter().find(|(name, _)| *name == right);
        let letter = known.and_then(|(name, _)| name.chars().next());
        let letter = letter.with_context(|| format!("unknown castling right {right:?}"))?;
        let (rooks, is_on) = self.right(letter);
        let outer = rooks.first().context("there is no king with a rook to castle with")?;
        let rights = &mut self.rights[side_of(letter)];
        rooks.iter().for_each(|&rook| rights[rook] = false);
        rights[*outer] = !is_on;
        Ok(())
    }

    fn put(&mut self, spot: &str, piece: Option<&str>) -> Result<()> {
        let square = spot.parse::<Square>().ok();
        let square = square.with_context(|| format!("no such square: {spot:?}"))?;
        let piece = piece.map(|text| placement::letter(text, is_piece)).transpose()?;
        self.squares[8 * (7 - square.rank()) + square.file()] = piece;
        self.en_passant = NONE.to_string();
        self.counts[0] = 0;
        Ok(())
    }

    fn text(&self) -> String {
        let side = if self.is_black { 'b' } else { 'w' };
        let [halfmoves, number] = &self.counts;
        let Draft { en_passant, .. } = self;
        let (rows, castling) = (placement::text(&self.squares), self.castling_text());
        format!("{rows} {side} {castling} {en_passant} {halfmoves} {number}")
    }

    /// Formats the castling rights as X-FEN: White's first, and of each side those of the king's side.
    fn castling_text(&self) -> String {
        let mut text = String::new();
        for (side, rights) in self.rights.iter().enumerate() {
            let Some((king, rooks)) = self.castlers(side) else { continue };
            for &file in rooks.iter().rev().filter(|&&rook| rights[rook]) {
                let letter = fen::right_letter(file, king, &rooks);
                text.push(if side == 0 { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() {
            return NONE.to_string();
        }
        text
    }

    fn scene(&self) -> Scene {
        let board = [("board".to_string(), placement::text(&self.squares).into())];
        let (turn, board) = (Some(usize::from(self.is_black)), board.into_iter().collect());
        Scene { turn, board, ..Scene::default() }
    }
}
