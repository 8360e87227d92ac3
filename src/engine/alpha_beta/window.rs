//! Search windows.

use crate::engine::budget::Stopped;
use crate::engine::score::{Score, INFINITE};
use std::ops::Neg;

/// The score of a node.
pub type Searched = Result<Score, Stopped>;

/// A search window: scores from `alpha` on up to `beta` are exact, others are bounds.
#[derive(Clone, Copy)]
pub struct Window {
    /// The lower bound.
    pub alpha: Score,
    /// The upper bound.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// Returns the null window that decides whether a score is above `alpha`.
    #[inline(always)]
    pub const fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// Mate distance pruning: narrows the window to the scores that are possible, from a loss to a win at the earliest
    /// ply. Returns whether no score is left between the bounds.
    #[inline(always)]
    pub fn narrow(&mut self, lost: Score, won: Score) -> bool {
        self.alpha = self.alpha.max(lost);
        self.beta = self.beta.min(won);
        self.alpha >= self.beta
    }
}

/// The window of the other side.
impl Neg for Window {
    type Output = Window;

    #[inline(always)]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
