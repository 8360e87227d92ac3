//! Sparring policies with independent values and searches. They share only the rules with the contest player, neither
//! its value nor its search, so that games against them do not test the player against itself.

use super::super::successors::successors;
use crate::games::g6561::board::{Board, Colour, Piece, SIDE, SQUARES};
use crate::games::g6561::game::{Turn, MAX_PLIES};
use crate::games::g6561::slides::Slides;
use std::sync::Arc;

/// Aim of a policy and its model of the partner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// Builds one colour and keeps it together: this one, or the one with the best value at each leaf. Assumes a random
    /// partner.
    Keeper(Option<Colour>),
    /// Builds the colour of the largest piece, with values decreasing from a corner. Assumes a mostly random and partly
    /// hostile partner.
    Corner,
    /// Maximises the sum and the number of empty squares. Assumes a random partner.
    Sum,
}

/// The search of a policy with an [`Aim`].
pub struct OwnSearch {
    aim: Aim,
    own_parity: usize,
    slides: Arc<Slides>,
}

impl OwnSearch {
    /// Creates the search of the side that moves at plies of this parity.
    pub fn new(aim: Aim, own_parity: usize) -> OwnSearch {
        OwnSearch { aim, own_parity, slides: Slides::shared() }
    }

    /// Searches a board after `ply` plies to this depth and returns its value.
    pub fn value(&self, board: Board, ply: usize, depth: usize) -> f32 {
        if ply >= MAX_PLIES {
            return board.sum() as f32;
        }
        if depth == 0 {
            return self.leaf(board);
        }
        let (mut most, mut least, mut sum, mut count) = (f32::MIN, f32::MAX, 0.0, 0);
        for (_, after) in successors(&self.slides, board, Turn::after(ply)) {
            let value = self.value(after, ply + 1, depth - 1);
            (most, least) = (value.max(most), value.min(least));
            sum += value;
            count += 1;
        }
        let mean = sum / count.max(1) as f32;
        match self.aim {
            _ if count == 0 => board.sum() as f32 - STUCK,
            _ if ply % 2 == self.own_parity => most,
            Aim::Keeper(_) | Aim::Sum => mean,
            Aim::Corner => 0.8 * mean + 0.2 * least,
        }
    }

    fn leaf(&self, board: Board) -> f32 {
        let pieces: [Option<Piece>; SQUARES] = std::array::from_fn(|square| board.piece(square));
        match self.aim {
            Aim::Keeper(Some(colour)) => kept(&pieces, colour),
            Aim::Keeper(None) => {
                Colour::ALL.into_iter().map(|colour| kept(&pieces, colour)).fold(f32::MIN, f32::max)
            }
            Aim::Corner => cornered(&pieces),
            Aim::Sum => board.sum() as f32 - 20.0 / (1 + board.count_empty()) as f32,
        }
    }
}

/// Penalty of a board without a move.
const STUCK: f32 = 5000.0;

fn units(exponent: u8) -> f32 {
    (1u32 << exponent) as f32
}

/// Returns all pairs of pieces on neighbouring squares.
fn pairs(pieces: &[Option<Piece>; SQUARES]) -> impl Iterator<Item = (Piece, Piece)> + '_ {
    (0..SQUARES).flat_map(move |square| {
        let right = (square % SIDE + 1 < SIDE).then_some(square + 1);
        let below = (square + SIDE < SQUARES).then_some(square + SIDE);
        let near = [right, below].into_iter().flatten();
        near.filter_map(move |near| Some((pieces[square]?, pieces[near]?)))
    })
}

/// Returns the keeper's value: units of its colour, with similar pieces adjacent and other colours few and cancelling.
fn kept(pieces: &[Option<Piece>; SQUARES], main: Colour) -> f32 {
    let mut value = 0.0;
    let mut empty = 0;
    for piece in pieces {
        let Some(Piece { colour, exponent }) = *piece else {
            empty += 1;
            continue;
        };
        let is_main = colour == main;
        value += if is_main { 16.0 * units(exponent) } else { -7.0 - 12.0 * f32::from(exponent) };
    }
    for (one, near) in pairs(pieces) {
        let exponent = f32::from(one.exponent);
        let step = (exponent - f32::from(near.exponent)).abs();
        value += match (one.colour == main, near.colour == main) {
            (true, true) if step == 0.0 => 8.0,
            (true, true) => 4.0 - 2.0 * step,
            (false, false) if step == 0.0 && one.colour != near.colour => 10.0 * (1.0 + exponent),
            (false, false) => -3.0,
            _ if step == 0.0 => -9.0 * units(one.exponent),
            _ => -2.0,
        };
    }
    value - 40.0 / (1 + empty) as f32
}

/// Returns the corner player's value: the weighted units of its colour for the best of the four corners.
fn cornered(pieces: &[Option<Piece>; SQUARES]) -> f32 {
    let greatest = pieces.iter().flatten().max_by_key(|piece| piece.exponent);
    let main = greatest.map_or(Colour::Red, |piece| piece.colour);
    let corner = |down: bool, right: bool| -> f32 {
        let weight = |square: usize| {
            let (row, column) = (square / SIDE, square % SIDE);
            let row = if down { SIDE - 1 - row } else { row };
            let column = if right { SIDE - 1 - column } else { column };
            1.0 - 0.05 * (row + column) as f32
        };
        let of_square = |(square, piece): (usize, &Option<Piece>)| match piece {
            Some(piece) if piece.colour == main => weight(square) * units(piece.exponent) * 16.0,
            Some(piece) => -12.0 * f32::from(piece.exponent),
            None => 12.0,
        };
        pieces.iter().enumerate().map(of_square).sum()
    };
    [(false, false), (false, true), (true, false), (true, true)]
        .into_iter()
        .map(|(down, right)| corner(down, right))
        .fold(f32::MIN, f32::max)
}
