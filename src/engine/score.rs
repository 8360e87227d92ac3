//! Search scores: evaluations in hundredths of a piece, or decisive scores that state the exact distance to a win or
//! loss.

/// A score from the perspective of the side to move: positive is good for it.
pub type Score = i32;

/// Greater than every score.
pub const INFINITE: Score = 32_000;
/// Score of an immediate win. A win in `n` plies scores `n` less.
const WIN: Score = 30_000;
/// Maximum magnitude of an evaluation. Decisive scores have a greater magnitude.
pub const MAX_EVAL: Score = WIN - 1_000;
/// The score of a draw.
pub const DRAW: Score = 0;

/// Returns the score of a win in `plies` plies (1: by the next move).
#[inline(always)]
pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

/// Returns the score of a loss in `plies` plies.
#[inline(always)]
pub const fn lost_in(plies: usize) -> Score {
    plies as Score - WIN
}

/// Whether the score is a proven win or loss.
#[inline(always)]
pub const fn is_decisive(score: Score) -> bool {
    score > MAX_EVAL || score < -MAX_EVAL
}

/// Returns the distance to the end of the game, in plies, of a decisive score.
pub fn plies_to_end(score: Score) -> Option<usize> {
    if is_decisive(score) {
        Some((WIN - score.abs()) as usize)
    } else {
        None
    }
}

/// Clamps an evaluation to the non-decisive range.
#[inline(always)]
pub fn clamp_eval(score: Score) -> Score {
    score.clamp(-MAX_EVAL, MAX_EVAL)
}

/// Converts a score whose distance to a win is counted from the root to one counted from the node `ply` plies below,
/// for the transposition table.
#[inline(always)]
pub const fn from_node(score: Score, ply: usize) -> Score {
    if score > MAX_EVAL {
        score + ply as Score
    } else if score < -MAX_EVAL {
        score - ply as Score
    } else {
        score
    }
}

/// Converts a score whose distance to a win is counted from the node to one counted from the root, the inverse of
/// [`from_node`].
#[inline(always)]
pub const fn from_root(score: Score, ply: usize) -> Score {
    if score > MAX_EVAL {
        score - ply as Score
    } else if score < -MAX_EVAL {
        score + ply as Score
    } else {
        score
    }
}

/// Formats a score, e.g. `+123`, `win in 5`, `lost in 4`.
pub fn text(score: Score) -> String {
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("win in {}", plies),
        Some(plies) => format!("lost in {}", plies),
        None => format!("{:+}", score),
    }
}
