//! Position editor of Zero Point One. Its text has the format of a position, `rows hands moves`, but the position may
//! be incomplete or illegal.

use crate::games::zero_point_one::position::MAX_PLIES;
use crate::games::zero_point_one::types::{Piece, Square};
use crate::tools::contracts::board::{Editor, Scene};
use crate::tools::labs::placement::{self, Squares};
use anyhow::{bail, Context, Result};

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
    draw: |text| Ok(Draft::parse(text)?.scene()),
    put: |text, spot, piece| {
        let mut draft = Draft::parse(text)?;
        draft.put(spot, piece)?;
        Ok(draft.text())
    },
    missing: |text| placement::lacks(text, "Ww").then_some("each side needs a wazir"),
    turn: |text| {
        let mut draft = Draft::parse(text)?;
        draft.ply = if draft.ply < MAX_PLIES { draft.ply ^ 1 } else { MAX_PLIES - 1 };
        Ok(draft.text())
    },
    rights: |_| Ok(Vec::new()),
    toggle: |_, right| bail!("unknown right {right:?}"),
};

/// Maximum number of pieces in both hands: all pieces of the game.
const MAX_IN_HANDS: usize = 32;

/// An edited position, possibly illegal.
struct Draft {
    squares: Squares,
    hands: String,
    ply: usize,
}

fn is_piece(letter: char) -> bool {
    Piece::from_letter(letter).is_some()
}

impl Draft {
    fn parse(text: &str) -> Result<Draft> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [rows, hands, ply] = words[..] else { bail!("expected rows, hands and moves made") };
        let squares = placement::parse(rows, is_piece)?;
        let hands = hands.trim_matches('-').to_string();
        let ply = ply.parse().ok().filter(|ply| (2..=MAX_PLIES).contains(ply));
        Ok(Draft { squares, hands, ply: ply.context("expected 2 to 102 moves made")? })
    }

    fn put(&mut self, spot: &str, piece: Option<&str>) -> Result<()> {
        let piece = piece.map(|text| placement::letter(text, is_piece)).transpose()?;
        if let Ok(square) = spot.parse::<Square>() {
            self.squares[square.index()] = piece;
            return Ok(());
        }
        let is_held = |letter: char| is_piece(letter) && !"Ww".contains(letter);
        let held = placement::letter(spot, is_held);
        let held = held.with_context(|| format!("no such square: {spot:?}"))?;
        match piece {
            Some(_) if self.hands.len() < MAX_IN_HANDS => self.hands.push(held),
            Some(_) => bail!("the hands are full"),
            None => {
                self.hands.rfind(held).map(|at| self.hands.remove(at));
            }
        }
        Ok(())
    }

    fn text(&self) -> String {
        let hands = if self.hands.is_empty() { "-" } else { &self.hands };
        format!("{} {hands} {}", placement::text(&self.squares), self.ply)
    }

    fn scene(&self) -> Scene {
        let fields = [("board", placement::text(&self.squares)), ("hands", self.hands.clone())];
        let board =
            fields.map(|(name, text)| (name.to_string(), text.into())).into_iter().collect();
        Scene { ply: self.ply, turn: Some(self.ply % 2), board, ..Scene::default() }
    }
}
