//! The rules of selective search, each a pure function of numbers. `None`: the rule does not apply
//! at this depth.

use super::params::Params;
use crate::engine::math::ln;
use crate::engine::score::Score;
use crate::engine::search::Reductions;

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

/// The depth that a null-move search saves, its own ply included, when the evaluation is `above`
/// the window.
pub fn null_move_reduction(params: &Params, depth: i32, above: Score) -> Option<i32> {
    if depth < params.null_min_depth {
        return None;
    }
    let by_eval = (above / params.null_eval_divisor).min(3);
    Some(params.null_base + depth / params.null_depth_divisor + by_eval)
}

/// How far above the window an evaluation must be to be believed at once (reverse futility, also
/// called static null move).
pub fn reverse_futility_margin(params: &Params, depth: i32, improving: bool) -> Option<Score> {
    if depth > params.reverse_futility_depth {
        return None;
    }
    Some(params.reverse_futility_margin * (depth - i32::from(improving)).max(0))
}

/// How far below the window an evaluation must be for quiescence to decide alone (razoring).
pub fn razoring_margin(params: &Params, depth: i32) -> Option<Score> {
    if depth > params.razoring_depth {
        return None;
    }
    Some(params.razoring_margin * depth)
}

/// How many moves are tried before the other quiet ones are left out (late move pruning).
pub fn late_move_limit(params: &Params, depth: i32, improving: bool) -> Option<usize> {
    if depth > params.late_move_depth {
        return None;
    }
    let limit = params.late_move_base + params.late_move_factor * depth * depth / 100;
    Some(if improving { limit } else { (limit + 1) / 2 + 1 } as usize)
}

/// How far below the window the evaluation may lie for a quiet move to be tried (futility).
pub fn futility_margin(params: &Params, depth: i32) -> Option<Score> {
    if depth > params.futility_depth {
        return None;
    }
    Some(params.futility_base + params.futility_margin * depth)
}

/// The lowest result of an exchange for a move to be tried, in hundredths.
pub fn exchange_threshold(params: &Params, depth: i32, capture: bool) -> Option<Score> {
    if depth > params.exchange_depth {
        return None;
    }
    Some(-depth * if capture { params.exchange_capture } else { params.exchange_quiet })
}

/// What a cut-off at this depth adds to a history value.
pub fn history_bonus(params: &Params, depth: i32) -> i32 {
    (params.history_bonus * depth).min(params.history_bonus_limit)
}
