//! The numbers of the search that a tuner may turn.

use crate::engine::params::params;

// Scores are hundredths of a pawn, reductions 1024ths of a ply.
params! {
    /// Half the width of the first aspiration window.
    aspiration_width = 15, 5, 100, 5;
    /// Reverse futility up to this depth.
    reverse_futility_depth = 8, 2, 14, 1;
    /// Reverse futility: how far a ply the evaluation must be above the window.
    reverse_futility_margin = 99, 20, 200, 10;
    /// Razoring up to this depth.
    razoring_depth = 3, 0, 6, 1;
    /// Razoring: how far a ply the evaluation must be below the window.
    razoring_margin = 219, 80, 500, 30;
    /// Null move from this depth on.
    null_min_depth = 2, 1, 6, 1;
    /// Plies that a null move saves at least.
    null_base = 4, 2, 6, 1;
    /// One more ply saved for so many plies of depth.
    null_depth_divisor = 4, 2, 8, 1;
    /// One more ply saved for so much that the evaluation is above the window.
    null_eval_divisor = 154, 50, 600, 30;
    /// Probcut from this depth on.
    probcut_depth = 5, 3, 9, 1;
    /// Probcut: how far above the window a capture must come out.
    probcut_margin = 206, 60, 400, 20;
    /// Internal iterative reduction from this depth on.
    iterative_reduction_depth = 4, 2, 9, 1;
    /// Late moves are left out up to this depth.
    late_move_depth = 8, 1, 14, 1;
    /// Quiet moves that are always tried.
    late_move_base = 5, 1, 12, 1;
    /// Quiet moves more for the square of the depth, in hundredths.
    late_move_factor = 55, 30, 250, 15;
    /// Futility pruning up to this reduced depth.
    futility_depth = 8, 1, 14, 1;
    /// Futility: how far the evaluation may lie below the window.
    futility_base = 127, 0, 300, 20;
    /// Futility: more for every ply.
    futility_margin = 111, 20, 200, 12;
    /// Quiet moves with a history below minus this a ply are left out.
    history_pruning = 1993, 500, 9000, 500;
    /// Moves that lose material are left out up to this depth.
    exchange_depth = 8, 1, 14, 1;
    /// What a quiet move may lose in an exchange, a ply of depth and its square.
    exchange_quiet = 26, 0, 100, 6;
    /// What a capture may lose in an exchange, a ply.
    exchange_capture = 101, 20, 250, 15;
    /// Singular extension from this depth on.
    singular_depth = 6, 4, 10, 1;
    /// Singular: how far a ply below the table's score all other moves must stay, in 16ths.
    singular_margin = 33, 8, 80, 6;
    /// Singular: so much lower still is worth another ply.
    double_margin = 18, 4, 60, 5;
    /// Late move reductions from this depth on.
    lmr_min_depth = 2, 1, 5, 1;
    /// The constant of the reduction.
    lmr_base = 621, 0, 1800, 100;
    /// What the product of the logarithms of depth and move number adds.
    lmr_factor = 348, 200, 900, 40;
    /// Less on the principal variation.
    lmr_pv = 993, 0, 2500, 120;
    /// More where a cut-off is expected.
    lmr_cut = 1537, 0, 3000, 150;
    /// More where the evaluation does not rise.
    lmr_not_improving = 826, 0, 2000, 100;
    /// Less for a check.
    lmr_check = 788, 0, 2500, 120;
    /// Less where the node has been on a principal variation.
    lmr_was_pv = 879, 0, 2500, 120;
    /// More where the table's move is a capture.
    lmr_table_capture = 638, 0, 2500, 120;
    /// Less for a killer.
    lmr_killer = 824, 0, 2500, 120;
    /// More where many of the node's children have been cut off.
    lmr_cutoffs = 857, 0, 2500, 120;
    /// Less by the history, which is divided by this in 1024ths.
    lmr_history = 6871, 2000, 20000, 700;
    /// A reduced search that beats the window by this is searched a ply deeper again.
    lmr_deeper = 55, 10, 150, 10;
    /// One that beats the best move so far by less than this is searched again a ply less deep.
    lmr_shallower = 11, 0, 40, 4;
    /// The bonus of a cut-off, times the depth.
    history_bonus = 192, 40, 400, 20;
    /// The largest bonus of a cut-off.
    history_bonus_limit = 1389, 400, 4000, 150;
    /// The bonus of a move after which the opponent's node fails low, in 16ths of a cut-off's bonus.
    refutation_bonus = 11, 0, 32, 3;
    /// In quiescence a capture must lift the evaluation to the window within this.
    delta_margin = 211, 20, 400, 20;
    /// Quiescence tries quiet checks in its first so many plies.
    quiescence_checks = 1, 0, 3, 1;
    /// Quiescence tries so many moves, and later ones only where they recapture, promote or give check.
    quiescence_moves = 3, 1, 64, 1;
    /// Quiet checks come so much earlier in the order.
    rank_check = 3654, 0, 16000, 800;
    /// A quiet move comes so much earlier for every hundredth of a pawn that it brings out of the reach of lesser
    /// pieces, and later for what it brings into it.
    rank_escape = 10, 0, 40, 2;
    /// Below a move reduced by this that was not bad by the evaluation a ply more is searched.
    hindsight_more = 3, 1, 64, 1;
    /// Below a move reduced by this that was clearly bad a ply less is searched.
    hindsight_less = 2, 1, 64, 1;
    /// A move is clearly bad if it has lowered its side's evaluation by this.
    hindsight_margin = 83, 0, 1000, 15;
    /// The bonus of a quiet move for every hundredth by which it has raised the evaluation, in 16ths.
    eval_bonus = 61, 0, 200, 8;
    /// The largest such bonus.
    eval_bonus_limit = 644, 0, 2000, 70;
    /// The bonus of a reduced move that the second search finds good or bad, in 16ths of a cut-off's bonus.
    research_bonus = 8, 0, 32, 3;
    /// The percentage of the mean error of the evaluation, by the pawns, that corrects it.
    correction_pawns = 52, 0, 150, 10;
    /// The same by each side's other pieces.
    correction_pieces = 72, 0, 150, 10;
    /// The same by the last two moves.
    correction_moves = 38, 0, 150, 10;
}
