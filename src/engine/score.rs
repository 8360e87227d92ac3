//! Scores of a search: hundredths of a piece, or an exact distance to the end of the game.

/// A score from the view of the side to move: positive is good for it.
pub type Score = i32;

/// No score of a game is as high.
pub const INFINITE: Score = 32_000;
/// A win on the spot; a win `n` plies away scores `n` less.
const WIN: Score = 30_000;
/// Decisive scores lie beyond this; evaluations stay within.
pub const MAX_EVAL: Score = WIN - 1_000;
/// The score of a draw.
pub const DRAW: Score = 0;

/// A win by the move that is made `plies` plies from now (1: by the next one).
#[inline(always)]
pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

/// A loss by the opponent's move that is made `plies` plies from now.
#[inline(always)]
pub const fn lost_in(plies: usize) -> Score {
    plies as Score - WIN
}

/// Is the score a proved win or loss?
#[inline(always)]
pub const fn is_decisive(score: Score) -> bool {
    score > MAX_EVAL || score < -MAX_EVAL
}

/// The plies to the end of the game that a decisive score states.
pub fn plies_to_end(score: Score) -> Option<usize> {
    if is_decisive(score) {
        Some((WIN - score.abs()) as usize)
    } else {
        None
    }
}

/// Keeps an evaluation within the range that is not decisive.
#[inline(always)]
pub fn clamp_eval(score: Score) -> Score {
    score.clamp(-MAX_EVAL, MAX_EVAL)
}

/// A score counted from the root, counted from the node `ply` plies below instead, as a table that
/// serves all nodes must store it.
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

/// The reverse of [`from_node`].
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

/// `+123`, `win in 5`, `lost in 4`.
pub fn text(score: Score) -> String {
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("win in {}", plies),
        Some(plies) => format!("lost in {}", plies),
        None => format!("{:+}", score),
    }
}
