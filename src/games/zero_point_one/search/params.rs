//! Tunable search parameters.

use crate::engine::params::params;

params! {
    /// Aspiration window: half of the initial width
    aspiration_width = 30, 5, 200, 10;
    /// Null move: minimum depth
    null_min_depth = 2, 1, 6, 1;
    /// Null move: plies saved at least
    null_base = 3, 1, 5, 1;
    /// Null move: one more ply saved per this many plies of depth
    null_depth_divisor = 4, 2, 8, 1;
    /// Null move: one more ply saved per this margin of the eval above beta, in hundredths
    null_eval_divisor = 250, 50, 800, 50;
    /// Late move reduction: minimum depth
    lmr_min_depth = 2, 1, 6, 1;
    /// Late move reduction at the root: minimum depth
    lmr_root_min_depth = 3, 2, 6, 1;
    /// Late move reduction: minimum move number
    lmr_min_moves = 3, 1, 12, 1;
    /// Late move reduction: constant, in hundredths of a ply
    lmr_base = 60, -50, 200, 20;
    /// Late move reduction: divisor of `ln(depth) * ln(moves)`, in hundredths
    lmr_divisor = 190, 100, 500, 30;
    /// Late move reduction: history score that changes it by one ply
    lmr_history = 7000, 1000, 20000, 1500;
    /// History: maximum magnitude of a value; the sum of three must fit 16 bits
    history_limit = 8192, 1024, 10922, 1024;
    /// History bonus of a cutoff per ply of depth
    history_bonus = 140, 20, 400, 30;
    /// Maximum history bonus of a cutoff
    history_bonus_limit = 1600, 300, 4000, 200;
    /// Reverse futility: maximum depth
    reverse_futility_depth = 7, 1, 12, 1;
    /// Reverse futility: margin above beta per ply, in hundredths
    reverse_futility_margin = 75, 20, 250, 15;
    /// Razoring: maximum depth
    razoring_depth = 3, 0, 6, 1;
    /// Razoring: margin below alpha per ply, in hundredths
    razoring_margin = 220, 50, 600, 40;
    /// Late move pruning: maximum depth
    late_move_depth = 8, 1, 14, 1;
    /// Late move pruning: quiet moves that are always tried
    late_move_base = 4, 1, 16, 1;
    /// Late move pruning: more quiet moves per squared depth, in hundredths
    late_move_factor = 100, 30, 300, 20;
    /// Futility: maximum depth
    futility_depth = 7, 1, 12, 1;
    /// Futility: margin of the eval below alpha, in hundredths
    futility_base = 90, 0, 400, 20;
    /// Futility: additional margin per ply, in hundredths
    futility_margin = 80, 20, 250, 15;
    /// SEE pruning of quiet moves: maximum depth
    exchange_depth = 7, 1, 12, 1;
    /// SEE pruning: maximum loss of a quiet move per ply, in hundredths
    exchange_quiet = 30, 0, 150, 10;
    /// SEE pruning: maximum loss of a capture per ply, in hundredths
    exchange_capture = 60, 0, 200, 15;
    /// Internal iterative reduction: minimum depth
    iterative_reduction_depth = 4, 2, 9, 1;
    /// Singular extension: minimum depth
    singular_depth = 6, 4, 10, 1;
    /// Singular extension: margin below the table's score per ply, in hundredths
    singular_margin = 2, 1, 8, 1;
    /// Quiescence: margin of delta pruning, in hundredths
    delta_margin = 150, 20, 500, 30;
    /// Quiescence: plies with quiet checks
    quiescence_checks = 1, 0, 3, 1;
    /// Forced wins: maximum number of positions searched before the search
    forced_nodes = 10000, 0, 100000, 2000;
    /// Forced wins: maximum length in own moves
    forced_moves = 16, 1, 50, 2;
    /// Correction history: weight of the table of wazir squares, in percent
    correction_wazirs = 40, 0, 150, 10;
    /// Correction history: weight of the table of hands, in percent
    correction_hands = 40, 0, 150, 10;
    /// Correction history: weight of the table of the last two moves, in percent
    correction_moves = 40, 0, 150, 10;
    /// Move ordering: bonus of a quiet check
    rank_check = 6000, 0, 16000, 1000;
    /// Move ordering: bonus of an attack on a flight square of the enemy wazir
    rank_flight = 2000, 0, 8000, 500;
    /// Move ordering: bonus of leaving an attacked square
    rank_escape = 3000, 0, 12000, 800;
    /// Move ordering: malus of entering an attacked and undefended square
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

    /// Scores of drops are summed in 16 bits, and the limit of promising drops must fit as well.
    #[test]
    fn ranks_fit_the_numbers_that_they_are_kept_in() {
        let tables = 1 + CONTINUATIONS as i32;
        assert!(spec("history_limit").max * tables <= i32::from(i16::MAX));
        let flight = spec("rank_flight");
        assert!(flight.min >= 0 && flight.max <= i32::from(i16::MAX));
        // No other static feature may increase the rank of a drop.
        assert!(spec("rank_hanging").min >= 0);
    }
}
