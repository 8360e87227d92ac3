//! The rules of pruning and reduction as numbers; `None` means: not at this depth.

use super::params::Params;
use crate::engine::math::ln;
use crate::engine::score::Score;
use crate::engine::search::Reductions;

/// Late move reductions, in 1024ths of a ply.
pub fn reductions(params: &Params) -> Reductions {
    Reductions::new(|depth, count| {
        let product = ln(depth.max(1) as f64) * ln(count.max(1) as f64);
        params.lmr_base + (product * f64::from(params.lmr_factor)) as i32
    })
}

/// The depth that a null-move search saves, its own ply included, when the evaluation is `above` the window.
pub fn null_move_reduction(params: &Params, depth: i32, above: Score) -> Option<i32> {
    if depth < params.null_min_depth {
        return None;
    }
    let by_eval = (above / params.null_eval_divisor).min(3);
    Some(params.null_base + depth / params.null_depth_divisor + by_eval)
}

/// How far above the window an evaluation must be to be believed at once (reverse futility, also called
/// static null move).
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

/// The lowest result of an exchange for a move to be tried.
pub fn exchange_threshold(params: &Params, depth: i32, quiet: bool) -> Option<Score> {
    if depth > params.exchange_depth {
        return None;
    }
    Some(if quiet {
        -params.exchange_quiet * depth * depth
    } else {
        -params.exchange_capture * depth
    })
}

/// By how many plies to change the depth of a node after a move that was reduced by `reduction` plies and has
/// lowered its side's evaluation by `lost` (hindsight): a ply more where the move was not bad, a ply less where it
/// clearly was.
pub fn hindsight(params: &Params, reduction: i32, depth: i32, lost: Score) -> i32 {
    if reduction >= params.hindsight_more && lost <= 0 {
        1
    } else if reduction >= params.hindsight_less && depth >= 2 && lost > params.hindsight_margin {
        -1
    } else {
        0
    }
}

/// What a cut-off at this depth adds to a history value.
pub fn history_bonus(params: &Params, depth: i32) -> i32 {
    (params.history_bonus * depth).min(params.history_bonus_limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hindsight_goes_deeper_behind_good_moves() {
        let params = Params::default();
        let (much, little) = (params.hindsight_more, params.hindsight_less);
        let bad = params.hindsight_margin + 1;
        assert!(little >= 1 && much > little);
        assert_eq!(hindsight(&params, much, 5, -20), 1);
        assert_eq!(hindsight(&params, much, 5, 1), 0);
        assert_eq!(hindsight(&params, much, 5, bad), -1);
        assert_eq!(hindsight(&params, little, 5, -20), 0);
        assert_eq!(hindsight(&params, little, 5, bad), -1);
        // Nothing is left of a depth of one, and without a reduction nothing is to be made good.
        assert_eq!(hindsight(&params, little, 1, bad), 0);
        assert_eq!(hindsight(&params, 0, 5, -20), 0);
        assert_eq!(hindsight(&params, 0, 5, bad), 0);
    }
}
