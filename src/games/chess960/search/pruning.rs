//! Margins and conditions of pruning and reduction. `None` means that a technique is not used at this depth.

use super::params::Params;
use crate::engine::alpha_beta::{up_to, Reductions};
use crate::engine::math::ln;
use crate::engine::score::Score;

/// Table of late move reductions, in 1024ths of a ply.
pub fn reductions(params: &Params) -> Reductions {
    Reductions::new(|depth, count| {
        let product = ln(depth.max(1) as f64) * ln(count.max(1) as f64);
        params.lmr_base + (product * f64::from(params.lmr_factor)) as i32
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

/// SEE pruning: returns the minimum exchange result for a move to be searched.
pub fn exchange_threshold(params: &Params, depth: i32, is_quiet: bool) -> Option<Score> {
    let loss = if is_quiet { params.exchange_quiet * depth } else { params.exchange_capture };
    up_to(params.exchange_depth, depth, -depth * loss)
}

/// Hindsight: returns the change of a node's depth after a move that was reduced by `reduction` plies and lowered its
/// side's eval by `lost`: one ply more if the move was not bad, one ply less if it clearly was.
pub fn hindsight(params: &Params, reduction: i32, depth: i32, lost: Score) -> i32 {
    if reduction >= params.hindsight_more && lost <= 0 {
        1
    } else if reduction >= params.hindsight_less && depth >= 2 && lost > params.hindsight_margin {
        -1
    } else {
        0
    }
}

/// Returns the history bonus of a cutoff at this depth.
pub fn history_bonus(params: &Params, depth: i32) -> i32 {
    (params.history_bonus * depth).min(params.history_bonus_limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hindsight_goes_deeper_after_good_moves() {
        let params = Params::default();
        let (much, little) = (params.hindsight_more, params.hindsight_less);
        let bad = params.hindsight_margin + 1;
        assert!(little >= 1 && much > little);
        assert_eq!(hindsight(&params, much, 5, -20), 1);
        assert_eq!(hindsight(&params, much, 5, 1), 0);
        assert_eq!(hindsight(&params, much, 5, bad), -1);
        assert_eq!(hindsight(&params, little, 5, -20), 0);
        assert_eq!(hindsight(&params, little, 5, bad), -1);
        // A node of depth 1 is not made shallower, and without a reduction it is not made deeper.
        assert_eq!(hindsight(&params, little, 1, bad), 0);
        assert_eq!(hindsight(&params, 0, 5, -20), 0);
        assert_eq!(hindsight(&params, 0, 5, bad), 0);
    }
}
