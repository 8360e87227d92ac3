//! Training targets: the expected result at every ply of a self-play game, blended from search scores and the result.

use crate::engine::score::{is_decisive, Score};

/// Scores are clamped to plus or minus this value, in hundredths.
const MAX_SCORE: f32 = 4000.0;
/// Range in which the score scale is fitted.
const SCALE_RANGE: [f32; 2] = [30.0, 10_000.0];

/// Returns the expected result of a score, from 0 (loss) to 1 (win): a sigmoid in which a score of `scale` gives 1 / (1
/// + e^-1), or 73 %. Proven scores give 0 or 1.
pub fn expected_result(score: i16, scale: f32) -> f32 {
    if is_decisive(Score::from(score)) {
        return f32::from(u8::from(score > 0));
    }
    let score = f32::from(score).clamp(-MAX_SCORE, MAX_SCORE);
    1.0 / (1.0 + (-score / scale).exp())
}

/// Returns the score scale that fits pairs of score and result best (least squares, golden-section search).
pub fn fitted_scale(points: &[(i16, f32)]) -> f32 {
    let error = |scale: f32| -> f64 {
        points.iter().map(|&(s, r)| f64::from((expected_result(s, scale) - r).powi(2))).sum()
    };
    let [mut low, mut high] = SCALE_RANGE;
    while high - low > 1.0 {
        let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if error(a) < error(b) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

/// A move of a self-play game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply<M> {
    /// The move.
    pub mv: M,
    /// Score of the search that chose the move, for the mover; `None` for a random move.
    pub score: Option<i16>,
}

/// The scores and the result of a game. The sides alternate.
pub struct ScoredGame {
    /// Search score of each move, from the mover's view, in hundredths; `None` for a random move.
    pub scores: Vec<Option<i16>>,
    /// Result for the side that moves first: 1, 0.5 or 0.
    pub result: f32,
}

/// Converts an expected result from the first mover's view to the view of the mover at `ply`, or back.
fn for_mover(ply: usize, value: f32) -> f32 {
    if ply.is_multiple_of(2) {
        value
    } else {
        1.0 - value
    }
}

impl ScoredGame {
    /// Creates a game from its moves and the result for the side that moves first.
    pub fn new<M>(plies: &[Ply<M>], result: f32) -> ScoredGame {
        ScoredGame { scores: plies.iter().map(|ply| ply.score).collect(), result }
    }

    /// TD(lambda) targets (R. Sutton, 1988): returns for every ply the expected result for the mover, blended from its
    /// score, the later scores and the result, whose weights fall with their distance. `scale` returns the score scale
    /// of a ply. The target of a random move is `None`, and the blend restarts there: the moves after a random move say
    /// nothing about the position before it.
    pub fn targets(&self, lambda: f32, scale: impl Fn(usize) -> f32) -> Vec<Option<f32>> {
        let mut later = Some(self.result);
        let mut targets = vec![None; self.scores.len()];
        for (ply, score) in self.scores.iter().enumerate().rev() {
            later = score.map(|score| {
                let now = for_mover(ply, expected_result(score, scale(ply)));
                later.map_or(now, |later| lambda * later + (1.0 - lambda) * now)
            });
            targets[ply] = later.map(|later| for_mover(ply, later));
        }
        targets
    }

    /// Returns the game's result for the mover of every ply after the last random move, `None` for earlier plies.
    pub fn results(&self) -> Vec<Option<f32>> {
        let last_random = self.scores.iter().rposition(Option::is_none);
        let result = |ply| (last_random < Some(ply)).then(|| for_mover(ply, self.result));
        (0..self.scores.len()).map(result).collect()
    }

    /// Returns the ply, the score and the result for the mover at every ply after the last random move, except plies
    /// with a proven score.
    pub fn points(self) -> impl Iterator<Item = (usize, i16, f32)> {
        let results = self.results();
        let plies = self.scores.into_iter().zip(results).enumerate();
        plies.filter_map(|(ply, (score, result))| {
            let score = score.filter(|&score| !is_decisive(Score::from(score)));
            Some((ply, score?, result?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::score::win_in;

    /// A game with these scores, won by the side that moves first.
    fn game(scores: &[Option<i16>]) -> ScoredGame {
        ScoredGame { scores: scores.to_vec(), result: 1.0 }
    }

    /// Targets with a score scale of 300: a score of 300 gives 0.73106.
    fn targets(game: &ScoredGame, lambda: f32) -> Vec<Option<f32>> {
        game.targets(lambda, |_| 300.0)
    }

    fn close(found: &[Option<f32>], expected: &[Option<f32>]) -> bool {
        let pairs = found.iter().zip(expected);
        found.len() == expected.len()
            && pairs.into_iter().all(|pair| match pair {
                (Some(found), Some(expected)) => (found - expected).abs() < 1e-4,
                (found, expected) => found == expected,
            })
    }

    #[test]
    fn a_target_blends_later_scores_and_the_result() {
        let game = game(&[Some(300), Some(300), Some(0)]);
        let last = 0.5 * 1.0 + 0.5 * 0.5;
        let second = 0.5 * (1.0 - last) + 0.5 * 0.73106;
        let first = 0.5 * (1.0 - second) + 0.5 * 0.73106;
        let expected = [Some(first), Some(second), Some(last)];
        assert!(close(&targets(&game, 0.5), &expected));
        assert!(close(&targets(&game, 1.0), &[Some(1.0), Some(0.0), Some(1.0)]));
        assert!(close(&targets(&game, 0.0)[..1], &[Some(0.73106)]));
    }

    #[test]
    fn targets_before_a_random_move_ignore_later_moves() {
        let game = game(&[Some(-300), None, Some(0), Some(0)]);
        let expected = [Some(1.0 - 0.73106), None, Some(1.0), Some(0.0)];
        assert!(close(&targets(&game, 1.0), &expected));
        assert_eq!(game.results(), [None, None, Some(1.0), Some(0.0)]);
        assert_eq!(game.points().collect::<Vec<_>>(), [(2, 0, 1.0), (3, 0, 0.0)]);
    }

    #[test]
    fn each_ply_may_have_a_different_scale() {
        let mut scores = vec![Some(0); 100];
        (scores[0], scores[98]) = (Some(300), Some(300));
        let scale = |ply| if ply < 90 { 300.0 } else { 3000.0 };
        let found = game(&scores).targets(0.0, scale);
        assert!(close(&[found[0], found[98]], &[Some(0.73106), Some(0.52498)]));
    }

    #[test]
    fn proven_scores_give_0_or_1_at_every_scale() {
        let win = win_in(5) as i16;
        for scale in SCALE_RANGE {
            assert_eq!((expected_result(win, scale), expected_result(-win, scale)), (1.0, 0.0));
        }
        assert!(game(&[Some(win), Some(7)]).points().eq([(1, 7, 0.0)]));
    }

    #[test]
    fn the_fitted_scale_recovers_the_true_one() {
        for scale in [250.0, 400.0] {
            let points: Vec<(i16, f32)> =
                (-1000..1000).map(|score| (score, expected_result(score, scale))).collect();
            assert!((fitted_scale(&points) - scale).abs() < 2.0);
        }
    }
}
