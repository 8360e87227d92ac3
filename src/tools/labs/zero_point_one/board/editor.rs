//! Position editor of Zero Point One. Its text has the format of a position, `rows hands moves`, but the
//! position may be incomplete or illegal.

use crate::games::zero_point_one::position::MAX_PLIES;
use crate::games::zero_point_one::types::{Kind, Piece, Square};
use crate::tools::contracts::board::Editor;
use crate::tools::contracts::page::Frame;
use anyhow::{bail, Context, Result};
use serde_json::{json, Map};

/// Adapter for the board in the browser.
pub(super) const EDITOR: Editor = Editor {
    palette: &[
        ("W", "red wazir"),
        ("N", "red knight"),
        ("F", "red ferz"),
        ("D", "red dabbaba"),
        ("A", "red alfil"),
        ("w", "blue wazir"),
        ("n", "blue knight"),
        ("f", "blue ferz"),
        ("d", "blue dabbaba"),
        ("a", "blue alfil"),
    ],
    empty: "8/8/8/8/8/8/8/8 - 2",
    form: "As a text",
    numbered: 0,
    read: |text| Ok(Draft::parse(text)?.text()),
    draw: |text| Ok(Draft::parse(text)?.frame()),
    put: |text, spot, piece| {
        let mut draft = Draft::parse(text)?;
        draft.put(spot, piece)?;
        Ok(draft.text())
    },
    turn: |text| {
        let mut draft = Draft::parse(text)?;
        draft.ply = if draft.ply < MAX_PLIES { draft.ply ^ 1 } else { MAX_PLIES - 1 };
        Ok(draft.text())
    },
    rights: |_| Ok(Vec::new()),
    toggle: |_, right| bail!("no right is called {right:?}"),
};

/// Maximum number of pieces in both hands: all pieces of the game.
const MAX_IN_HANDS: usize = 32;

/// An edited position, possibly illegal.
struct Draft {
    squares: [Option<char>; 64],
    hands: String,
    ply: usize,
}

impl Draft {
    fn parse(text: &str) -> Result<Draft> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [rows, hands, ply] = words[..] else { bail!("expected rows, hands and moves made") };
        let mut squares = [None; 64];
        for (row, text) in rows.split('/').enumerate() {
            let mut column = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(empty) => column += empty as usize,
                    None => {
                        let slot = squares.get_mut(8 * row + column).filter(|_| column < 8);
                        let slot = slot.context("a row is longer than eight squares")?;
                        *slot =
                            Some(Piece::from_letter(letter).context("an unknown letter")?.letter());
                        column += 1;
                    }
                }
            }
        }
        let hands = hands.trim_matches('-').to_string();
        let ply = ply.parse().ok().filter(|ply| (2..=MAX_PLIES).contains(ply));
        Ok(Draft { squares, hands, ply: ply.context("expected 2 to 102 moves made")? })
    }

    fn put(&mut self, spot: &str, piece: Option<&str>) -> Result<()> {
        let letter = |text: &str| {
            let mut letters = text.chars();
            letters.next().filter(|_| letters.next().is_none()).and_then(Piece::from_letter)
        };
        let piece = piece.map(|text| letter(text).context("no such piece")).transpose()?;
        if let Ok(square) = spot.parse::<Square>() {
            self.squares[square.index()] = piece.map(Piece::letter);
            return Ok(());
        }
        let held = letter(spot).filter(|held| held.kind != Kind::Wazir);
        let held = held.with_context(|| format!("no such square: {spot:?}"))?.letter();
        match piece {
            Some(_) if self.hands.len() < MAX_IN_HANDS => self.hands.push(held),
            Some(_) => bail!("the hands are full"),
            None => {
                self.hands.rfind(held).map(|at| self.hands.remove(at));
            }
        }
        Ok(())
    }

    fn rows(&self) -> String {
        let row = |squares: &[Option<char>]| {
            let mut text = String::new();
            let mut empty = 0;
            for square in squares.iter().chain([&Some('/')]) {
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
            text
        };
        let rows: String = self.squares.chunks(8).map(row).collect();
        rows.trim_end_matches('/').to_string()
    }

    fn text(&self) -> String {
        let hands = if self.hands.is_empty() { "-" } else { &self.hands };
        format!("{} {hands} {}", self.rows(), self.ply)
    }

    fn frame(&self) -> Frame {
        let mut board = Map::new();
        board.insert("board".to_string(), json!(self.rows()));
        board.insert("hands".to_string(), json!(self.hands));
        Frame { ply: self.ply, turn: Some(self.ply % 2), last: None, view: None, board }
    }
}
