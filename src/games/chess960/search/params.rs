//! Tunable search parameters.

use crate::engine::params::params;

// Scores are in hundredths of a pawn, reductions in 1024ths of a ply.
params! {
    /// Aspiration window: half of the initial width
    aspiration_width = 15, 5, 100, 5;
    /// Reverse futility: maximum depth
    reverse_futility_depth = 8, 2, 14, 1;
    /// Reverse futility: margin above beta per ply
    reverse_futility_margin = 99, 20, 200, 10;
    /// Razoring: maximum depth
    razoring_depth = 3, 0, 6, 1;
    /// Razoring: margin below alpha per ply
    razoring_margin = 219, 80, 500, 30;
    /// Null move: minimum depth
    null_min_depth = 2, 1, 6, 1;
    /// Null move: plies saved at least
    null_base = 4, 2, 6, 1;
    /// Null move: one more ply saved per this many plies of depth
    null_depth_divisor = 4, 2, 8, 1;
    /// Null move: one more ply saved per this margin of the eval above beta
    null_eval_divisor = 154, 50, 600, 30;
    /// ProbCut: minimum depth
    probcut_depth = 5, 3, 9, 1;
    /// ProbCut: margin of a capture above beta
    probcut_margin = 206, 60, 400, 20;
    /// Internal iterative reduction: minimum depth
    iterative_reduction_depth = 4, 2, 9, 1;
    /// Late move pruning: maximum depth
    late_move_depth = 8, 1, 14, 1;
    /// Late move pruning: quiet moves that are always tried
    late_move_base = 5, 1, 12, 1;
    /// Late move pruning: more quiet moves per squared depth, in hundredths
    late_move_factor = 55, 30, 250, 15;
    /// Futility: maximum depth after reduction
    futility_depth = 8, 1, 14, 1;
    /// Futility: margin of the eval below alpha
    futility_base = 127, 0, 300, 20;
    /// Futility: additional margin per ply
    futility_margin = 111, 20, 200, 12;
    /// History pruning: skip quiet moves with a history below minus this per ply
    history_pruning = 1993, 500, 9000, 500;
    /// SEE pruning: maximum depth
    exchange_depth = 8, 1, 14, 1;
    /// SEE pruning: maximum loss of a quiet move, per squared ply
    exchange_quiet = 26, 0, 100, 6;
    /// SEE pruning: maximum loss of a capture, per ply
    exchange_capture = 101, 20, 250, 15;
    /// Singular extension: minimum depth
    singular_depth = 6, 4, 10, 1;
    /// Singular extension: margin below the table's score per ply, in 16ths
    singular_margin = 33, 8, 80, 6;
    /// Double extension: additional margin below the singular bound
    double_margin = 18, 4, 60, 5;
    /// Late move reduction: minimum depth
    lmr_min_depth = 2, 1, 5, 1;
    /// Late move reduction: constant
    lmr_base = 621, 0, 1800, 100;
    /// Late move reduction: factor of the logarithms of depth and move number
    lmr_factor = 348, 200, 900, 40;
    /// Late move reduction: less at PV nodes
    lmr_pv = 993, 0, 2500, 120;
    /// Late move reduction: more at cut nodes
    lmr_cut = 1537, 0, 3000, 150;
    /// Late move reduction: more if the eval is not improving
    lmr_not_improving = 826, 0, 2000, 100;
    /// Late move reduction: less for a check
    lmr_check = 788, 0, 2500, 120;
    /// Late move reduction: less if the node was on a PV
    lmr_was_pv = 879, 0, 2500, 120;
    /// Late move reduction: more if the hash move is a capture
    lmr_table_capture = 638, 0, 2500, 120;
    /// Late move reduction: less for a killer
    lmr_killer = 824, 0, 2500, 120;
    /// Late move reduction: more if many children were cut off
    lmr_cutoffs = 857, 0, 2500, 120;
    /// Late move reduction: divisor of the history, which reduces less
    lmr_history = 6871, 2000, 20000, 700;
    /// Second search one ply deeper if the reduced search beats alpha by this margin
    lmr_deeper = 55, 10, 150, 10;
    /// Second search one ply shallower if the reduced search beats the best score by less than this
    lmr_shallower = 11, 0, 40, 4;
    /// History bonus of a cutoff per ply of depth
    history_bonus = 192, 40, 400, 20;
    /// Maximum history bonus of a cutoff
    history_bonus_limit = 1389, 400, 4000, 150;
    /// Bonus of the move before a node that fails low, in 16ths of a cutoff's bonus
    refutation_bonus = 11, 0, 32, 3;
    /// Quiescence: margin of delta pruning
    delta_margin = 211, 20, 400, 20;
    /// Quiescence: plies with quiet checks
    quiescence_checks = 1, 0, 3, 1;
    /// Quiescence: moves before only recaptures, promotions and checks are searched
    quiescence_moves = 3, 1, 64, 1;
    /// Move ordering: bonus of a quiet check
    rank_check = 3654, 0, 16000, 800;
    /// Move ordering: bonus per hundredth of a pawn that leaves the attack of lesser pieces, and malus for entering it
    rank_escape = 10, 0, 40, 2;
    /// Hindsight: one ply more after a reduction of at least this if the move was not bad
    hindsight_more = 3, 1, 64, 1;
    /// Hindsight: one ply less after a reduction of at least this if the move was clearly bad
    hindsight_less = 2, 1, 64, 1;
    /// Hindsight: loss of eval by which a move is clearly bad
    hindsight_margin = 83, 0, 1000, 15;
    /// Eval history: bonus of a quiet move per hundredth of eval gained, in 16ths
    eval_bonus = 61, 0, 200, 8;
    /// Eval history: maximum bonus
    eval_bonus_limit = 644, 0, 2000, 70;
    /// Bonus or malus of a reduced move after its second search, in 16ths of a cutoff's bonus
    research_bonus = 8, 0, 32, 3;
    /// Correction history: weight of the pawn table, in percent
    correction_pawns = 52, 0, 150, 10;
    /// Correction history: weight of the tables of each side's pieces, in percent
    correction_pieces = 72, 0, 150, 10;
    /// Correction history: weight of the table of the last two moves, in percent
    correction_moves = 38, 0, 150, 10;
}
