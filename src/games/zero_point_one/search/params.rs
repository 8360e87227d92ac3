//! The numbers of the search that a tuner may turn.

use crate::engine::params::params;

params! {
    /// Half the width of the first aspiration window.
    aspiration_width = 30, 5, 200, 10;
    /// Null move from this depth on.
    null_min_depth = 2, 1, 6, 1;
    /// Plies that a null move saves at least.
    null_base = 3, 1, 5, 1;
    /// One more ply saved for so many plies of depth.
    null_depth_divisor = 4, 2, 8, 1;
    /// One more ply saved for so many hundredths that the evaluation is above the window.
    null_eval_divisor = 250, 50, 800, 50;
    /// Late move reductions from this depth on.
    lmr_min_depth = 2, 1, 6, 1;
    /// Late move reductions at the root from this depth on.
    lmr_root_min_depth = 3, 2, 6, 1;
    /// Late move reductions from this move on.
    lmr_min_moves = 3, 1, 12, 1;
    /// The constant of the reduction, in hundredths of a ply.
    lmr_base = 60, -50, 200, 20;
    /// The divisor of `ln(depth) * ln(moves)`, in hundredths.
    lmr_divisor = 190, 100, 500, 30;
    /// A history score of so much changes the reduction by a ply.
    lmr_history = 7000, 1000, 20000, 1500;
    /// The largest magnitude of a history value; the sum of three must fit 16 bits.
    history_limit = 8192, 1024, 10922, 1024;
    /// The bonus of a cut-off, times the depth.
    history_bonus = 140, 20, 400, 30;
    /// The largest bonus of a cut-off.
    history_bonus_limit = 1600, 300, 4000, 200;
    /// Reverse futility up to this depth.
    reverse_futility_depth = 7, 1, 12, 1;
    /// Reverse futility: hundredths a ply that the evaluation must be above the window.
    reverse_futility_margin = 75, 20, 250, 15;
    /// Razoring up to this depth.
    razoring_depth = 3, 0, 6, 1;
    /// Razoring: hundredths a ply that the evaluation must be below the window.
    razoring_margin = 220, 50, 600, 40;
    /// Late moves are left out up to this depth.
    late_move_depth = 8, 1, 14, 1;
    /// Quiet moves that are always tried.
    late_move_base = 4, 1, 16, 1;
    /// Quiet moves more for the square of the depth, in hundredths.
    late_move_factor = 100, 30, 300, 20;
    /// Futility pruning up to this depth.
    futility_depth = 7, 1, 12, 1;
    /// Futility: hundredths that the evaluation may lie below the window.
    futility_base = 90, 0, 400, 20;
    /// Futility: hundredths more for every ply.
    futility_margin = 80, 20, 250, 15;
    /// Quiet moves that lose material are left out up to this depth.
    exchange_depth = 7, 1, 12, 1;
    /// Hundredths a ply that a quiet move may lose in an exchange.
    exchange_quiet = 30, 0, 150, 10;
    /// Hundredths a ply that a capture may lose in an exchange.
    exchange_capture = 60, 0, 200, 15;
    /// Internal iterative reduction from this depth on.
    iterative_reduction_depth = 4, 2, 9, 1;
    /// Singular extension from this depth on.
    singular_depth = 6, 4, 10, 1;
    /// Singular: hundredths a ply below the table's score that all other moves must stay.
    singular_margin = 2, 1, 8, 1;
    /// In quiescence a capture must lift the evaluation to the window within this many hundredths.
    delta_margin = 150, 20, 500, 30;
    /// Quiescence tries quiet checks in its first so many plies.
    quiescence_checks = 1, 0, 3, 1;
    /// Before the search, wins by checks alone are looked for in at most so many positions.
    forced_nodes = 10000, 0, 100000, 2000;
    /// Wins by checks alone are looked for up to so many own moves.
    forced_moves = 16, 1, 50, 2;
    /// The percentage of the mean error of the evaluation, by the wazirs' squares, that corrects it.
    correction_wazirs = 40, 0, 150, 10;
    /// The same for the pieces in the hands.
    correction_hands = 40, 0, 150, 10;
    /// The same for the last two moves.
    correction_moves = 40, 0, 150, 10;
    /// The rank of a quiet check.
    rank_check = 6000, 0, 16000, 1000;
    /// The rank of an attack on a square beside the enemy wazir.
    rank_flight = 2000, 0, 8000, 500;
    /// The rank of leaving an attacked square.
    rank_escape = 3000, 0, 12000, 800;
    /// The rank lost by going to an attacked square that no own piece defends.
    rank_hanging = 6000, 0, 16000, 1000;
}

#[cfg(test)]
mod tests {
    use super::super::history::CONTINUATIONS;
    use super::*;
    use crate::engine::params::ParamSpec;

    fn spec(name: &str) -> &'static ParamSpec {
        Params::SPECS.iter().find(|spec| spec.name == name).expect("a parameter")
    }

    /// The scores of drops are added up in 16 bits, and the limit of the promising ones is one of
    /// these.
    #[test]
    fn ranks_fit_the_numbers_that_they_are_kept_in() {
        let tables = 1 + CONTINUATIONS as i32;
        assert!(spec("history_limit").max * tables <= i32::from(i16::MAX));
        let flight = spec("rank_flight");
        assert!(flight.min >= 0 && flight.max <= i32::from(i16::MAX));
        // No other static feature may speak for a drop.
        assert!(spec("rank_hanging").min >= 0);
    }
}
