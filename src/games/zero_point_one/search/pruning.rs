//! Margins and conditions of pruning and reduction. `None` means that a technique is not used at this depth.

use super::params::Params;
use crate::engine::alpha_beta::{up_to, Reductions};
use crate::engine::math::ln;
use crate::engine::score::Score;

/// Late move reductions in plies: `base + ln(depth) * ln(moves) / divisor`.
pub fn reductions(params: &Params) -> Reductions {
    Reductions::new(|depth, moves| {
        if depth == 0 || moves == 0 {
            return 0;
        }
        let logs = ln(depth as f64) * ln(moves as f64);
        let base = f64::from(params.lmr_base) / 100.0;
        ((base + logs * 100.0 / f64::from(params.lmr_divisor)) as i32).max(0)
    })
}

/// Null move: returns the plies saved, its own included, if the static eval is `above` beta by this much.
pub fn null_move_reduction(params: &Params, depth: i32, above: Score) -> Option<i32> {
    if depth < params.null_min_depth {
        return None;
    }
    let by_eval = (above / params.null_eval_divisor).min(3);
    Some(params.null_base + depth / params.null_depth_divisor + by_eval)
}

/// Reverse futility (static null move): returns the margin above beta at which a node fails high.
pub fn reverse_futility_margin(params: &Params, depth: i32, improving: bool) -> Option<Score> {
    up_to(
        params.reverse_futility_depth,
        depth,
        params.reverse_futility_margin * (depth - i32::from(improving)).max(0),
    )
}

/// Razoring: returns the margin below alpha at which quiescence decides alone.
pub fn razoring_margin(params: &Params, depth: i32) -> Option<Score> {
    up_to(params.razoring_depth, depth, params.razoring_margin * depth)
}

/// Late move pruning: returns the number of moves after which other quiet moves are skipped.
pub fn late_move_limit(params: &Params, depth: i32, improving: bool) -> Option<usize> {
    let all = params.late_move_base + params.late_move_factor * depth * depth / 100;
    let limit = if improving { all } else { (all + 1) / 2 + 1 };
    up_to(params.late_move_depth, depth, limit).map(|limit| limit as usize)
}

/// Futility: returns the maximum distance of the static eval below alpha for a quiet move to be searched.
pub fn futility_margin(params: &Params, depth: i32) -> Option<Score> {
    up_to(params.futility_depth, depth, params.futility_base + params.futility_margin * depth)
}

/// SEE pruning: returns the minimum exchange result for a move to be searched, in hundredths.
pub fn exchange_threshold(params: &Params, depth: i32, is_quiet: bool) -> Option<Score> {
    let loss = if is_quiet { params.exchange_quiet } else { params.exchange_capture };
    up_to(params.exchange_depth, depth, -depth * loss)
}

/// Returns the history bonus of a cutoff at this depth.
pub fn history_bonus(params: &Params, depth: i32) -> i32 {
    (params.history_bonus * depth).min(params.history_bonus_limit)
}
