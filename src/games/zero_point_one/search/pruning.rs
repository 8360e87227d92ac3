//! The rules of selective search, each a pure function of numbers.

use super::params::Params;

/// Late move reductions in plies by depth and move number, computed once a search.
pub struct Reductions {
    table: Vec<[i32; 64]>,
}

impl Reductions {
    /// The table of these parameters: `base + ln(depth) * ln(moves) / divisor`.
    pub fn new(params: &Params) -> Reductions {
        let plies = |depth: usize, moves: usize| {
            if depth == 0 || moves == 0 {
                return 0;
            }
            let logs = (depth as f64).ln() * (moves as f64).ln();
            let base = f64::from(params.lmr_base) / 100.0;
            ((base + logs * 100.0 / f64::from(params.lmr_divisor)) as i32).max(0)
        };
        let mut table = vec![[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate() {
            for (moves, reduction) in row.iter_mut().enumerate() {
                *reduction = plies(depth, moves);
            }
        }
        Reductions { table }
    }

    /// The reduction of the `moves`-th move (from 1) at this depth.
    #[inline(always)]
    pub fn plies(&self, depth: i32, moves: usize) -> i32 {
        self.table[depth.clamp(0, 63) as usize][moves.min(63)]
    }
}

/// The depth that a null-move search saves, its own ply included; `None`: not at this depth.
pub fn null_move_reduction(params: &Params, depth: i32) -> Option<i32> {
    if depth < params.null_min_depth {
        return None;
    }
    Some(params.null_base + depth / params.null_depth_divisor)
}

/// What a cut-off at this depth adds to a history value.
pub fn history_bonus(depth: i32) -> i32 {
    (16 * depth * depth + 32 * depth).min(2000)
}
