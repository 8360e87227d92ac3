//! The best of the moves tried at a node.

use super::window::Window;
use crate::engine::score::{self, Score, INFINITE};
use crate::engine::table::{Bound, Entry};

/// The best of the moves tried at a node.
pub struct Best<M> {
    /// The best score; `-INFINITE` before the first move.
    pub score: Score,
    /// The move with this score, if it is above the first alpha.
    pub mv: Option<M>,
    /// The window of the next move.
    pub window: Window,
}

impl<M> Best<M> {
    /// Begins a node with this window.
    #[inline(always)]
    pub fn new(window: Window) -> Best<M> {
        Best { score: -INFINITE, mv: None, window }
    }

    /// Adds the score of a move. Returns whether it is above alpha.
    #[inline(always)]
    pub fn add(&mut self, mv: M, score: Score) -> bool {
        self.score = self.score.max(score);
        let is_raised = score > self.window.alpha;
        if is_raised {
            self.window.alpha = score;
            self.mv = Some(mv);
        }
        is_raised
    }

    /// Whether the node fails high.
    #[inline(always)]
    pub fn is_cutoff(&self) -> bool {
        self.score >= self.window.beta
    }

    /// Stand pat: begins a quiescence node at which no capture need be made, with its static eval.
    #[inline(always)]
    pub fn standing_pat(window: Window, eval: Score) -> Best<M> {
        Best { score: eval, mv: None, window: Window { alpha: eval.max(window.alpha), ..window } }
    }

    /// Returns the table entry of a node with this window, `ply` plies below the root, without static eval and depth.
    /// `bits` encodes the move.
    #[inline(always)]
    pub fn entry(&self, bits: fn(M) -> u16, window: Window, ply: usize) -> Entry
    where
        M: Copy,
    {
        Entry {
            move_bits: self.mv.map_or(0, bits),
            score: score::from_node(self.score, ply),
            eval: 0,
            depth: 0,
            bound: Bound::of(self.score, window),
            pv: false,
        }
    }
}
