//! What is expected at every ply of a self-play game: blends of the scores of its searches and its result.

use crate::engine::score::{is_decisive, Score};

/// Scores beyond this, in hundredths, count as this.
const MAX_SCORE: f32 = 4000.0;
/// The scales that are tried.
const SCALES: [f32; 2] = [30.0, 10_000.0];

/// The expected result (0 a loss, 1 a win) of a score: a sigmoid, in which `scale` stands for
/// 1 / (1 + e^-1), or 73 %. A proved win is one.
pub fn expected_result(score: i16, scale: f32) -> f32 {
    if is_decisive(Score::from(score)) {
        return f32::from(u8::from(score > 0));
    }
    let score = f32::from(score).clamp(-MAX_SCORE, MAX_SCORE);
    1.0 / (1.0 + (-score / scale).exp())
}

/// The result of a game for a side; the winner is `None` in a draw.
pub fn result_for<C: PartialEq>(winner: Option<C>, side: C) -> f32 {
    match winner {
        None => 0.5,
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
    }
}

/// The scale that fits pairs of a score and a result best (least squares, golden-section search).
pub fn fitted_scale(points: &[(i16, f32)]) -> f32 {
    let error = |scale: f32| -> f64 {
        points.iter().map(|&(s, r)| f64::from((expected_result(s, scale) - r).powi(2))).sum()
    };
    let [mut low, mut high] = SCALES;
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

/// A game as far as the targets need it. The sides move by turns.
pub struct ScoredGame {
    /// For each ply the score of the search that chose it, for the mover, in hundredths; `None` for a random move.
    pub scores: Vec<Option<i16>>,
    /// The result for the side that moves first.
    pub result: f32,
}

/// A value for the side that moves first, seen by the mover of a ply, and the other way round.
fn for_mover(ply: usize, value: f32) -> f32 {
    if ply.is_multiple_of(2) {
        value
    } else {
        1.0 - value
    }
}

impl ScoredGame {
    /// For every ply the expected result for the mover: a blend of its score, the later scores and the result,
    /// which weigh less the further they are away (TD(lambda): R. Sutton, 1988). `scale` has the score scale of a
    /// ply. `None` where a random move was played, at which the blend begins anew: it says nothing about what
    /// was before.
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

    /// For every ply after the last random move the result for the mover.
    pub fn results(&self) -> Vec<Option<f32>> {
        let last_random = self.scores.iter().rposition(Option::is_none);
        let result = |ply| (last_random < Some(ply)).then(|| for_mover(ply, self.result));
        (0..self.scores.len()).map(result).collect()
    }

    /// For every ply after the last random move whose score proves nothing: its number, its score and the result
    /// for the mover.
    pub fn points(&self) -> impl Iterator<Item = (usize, i16, f32)> + '_ {
        let plies = self.scores.iter().zip(self.results()).enumerate();
        plies.filter_map(|(ply, (&score, result))| {
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

    /// 300 in hundredths stands for 0.73106.
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
    fn a_target_blends_what_comes_later_for_the_mover() {
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
    fn nothing_behind_a_random_move_counts_before_it() {
        let game = game(&[Some(-300), None, Some(0), Some(0)]);
        let expected = [Some(1.0 - 0.73106), None, Some(1.0), Some(0.0)];
        assert!(close(&targets(&game, 1.0), &expected));
        assert_eq!(game.results(), [None, None, Some(1.0), Some(0.0)]);
        assert_eq!(game.points().collect::<Vec<_>>(), [(2, 0, 1.0), (3, 0, 0.0)]);
    }

    #[test]
    fn every_ply_may_have_a_scale_of_its_own() {
        let mut scores = vec![Some(0); 100];
        (scores[0], scores[98]) = (Some(300), Some(300));
        let scale = |ply| if ply < 90 { 300.0 } else { 3000.0 };
        let found = game(&scores).targets(0.0, scale);
        assert!(close(&[found[0], found[98]], &[Some(0.73106), Some(0.52498)]));
    }

    #[test]
    fn a_proved_win_is_one_by_every_scale() {
        let win = win_in(5) as i16;
        for scale in SCALES {
            assert_eq!((expected_result(win, scale), expected_result(-win, scale)), (1.0, 0.0));
        }
        assert!(game(&[Some(win), Some(7)]).points().eq([(1, 7, 0.0)]));
    }

    #[test]
    fn scales_follow_the_results() {
        for scale in [250.0, 400.0] {
            let points: Vec<(i16, f32)> =
                (-1000..1000).map(|score| (score, expected_result(score, scale))).collect();
            assert!((fitted_scale(&points) - scale).abs() < 2.0);
        }
    }
}
