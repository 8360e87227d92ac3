//! What earlier nodes taught about quiet moves: killers and history (J. Schaeffer, 1983), with
//! gravity: an update shrinks as the value nears its limit.

use super::super::types::{Colour, Move};

/// Scores of quiet moves by side, origin and target.
#[derive(Clone)]
pub struct History {
    quiet: Vec<[[i16; 64]; Move::ORIGINS]>,
}

impl History {
    /// An empty history.
    pub fn new() -> History {
        History { quiet: vec![[[0; 64]; Move::ORIGINS]; 2] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.iter_mut().for_each(|side| *side = [[0; 64]; Move::ORIGINS]);
    }

    /// The score of a quiet move of `side`.
    #[inline(always)]
    pub fn quiet(&self, side: Colour, mv: Move) -> i32 {
        i32::from(self.quiet[side.index()][mv.origin_index()][mv.to().index()])
    }

    /// Moves the score of a quiet move by `bonus`, within `limit`.
    #[inline]
    pub fn update_quiet(&mut self, side: Colour, mv: Move, bonus: i32, limit: i32) {
        let value = &mut self.quiet[side.index()][mv.origin_index()][mv.to().index()];
        *value = pulled(*value, bonus, limit);
    }
}

/// The value after a bonus: the nearer to the limit, the less it moves.
#[inline(always)]
fn pulled(value: i16, bonus: i32, limit: i32) -> i16 {
    let bonus = bonus.clamp(-limit, limit);
    let value = i32::from(value);
    (value + bonus - value * bonus.abs() / limit) as i16
}
