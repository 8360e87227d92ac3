//! Time management: the fraction of the soft time that a search may use, by the stability of its best move. How much a
//! longer search still gained was measured in 1,800 searches of games, by the iterations that changed their best move:
//! 0.55 % of a point if the last iteration had brought a new best move, 0.35 after one unchanged iteration, 0.14 after
//! four to seven, 0.04 after more; 0.43 if the best move had less than 0.4 of the nodes, and nothing if it had more
//! than 0.95; 0.38 if the score had fallen by more than 40, otherwise about 0.12.

use crate::engine::score::Score;

/// Factor of the soft time for a new best move of average effort with a steady score.
const NEW_MOVE_PART: f64 = 1.32;
/// Decrease of the factor for every iteration without a new best move.
const LESS_PER_ITERATION: f64 = 0.12;
/// Minimum factor.
const MIN_PART: f64 = 0.24;
/// Factor by effort, the share of the nodes spent on the best move: its value for a share of 0, and the decrease for a
/// share of 1. Only large shares matter, so the fourth power is used.
const FACTOR_WITHOUT_EFFORT: f64 = 1.35;
const LESS_WITH_ALL_EFFORT: f64 = 0.85;
/// A fall of the score counts from this many hundredths on.
const MIN_FALL: Score = 5;
/// Fall of the score beyond that doubles the time, which is the maximum.
const FALL_DOUBLES: Score = 50;
/// A fall is measured from the score this many iterations ago.
pub const FALL_SINCE: usize = 3;

/// Stability of the best move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// Iterations since the best move changed.
    pub unchanged: i32,
    /// Share of the nodes spent on the best move, 0 to 1.
    pub effort: f64,
    /// Fall of the score in hundredths; negative if it has risen.
    pub fall: Score,
}

impl Stability {
    /// Returns the fraction of the soft time after which no new iteration starts.
    pub fn part_of_soft_time(&self) -> f64 {
        let steadiness = NEW_MOVE_PART - LESS_PER_ITERATION * f64::from(self.unchanged);
        let effort = FACTOR_WITHOUT_EFFORT - LESS_WITH_ALL_EFFORT * self.effort.powi(4);
        let fall = (self.fall - MIN_FALL).clamp(0, FALL_DOUBLES);
        let falling = 1.0 + f64::from(fall) / f64::from(FALL_DOUBLES);
        steadiness.max(MIN_PART) * effort * falling
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEADY: Stability = Stability { unchanged: 4, effort: 0.7, fall: 0 };

    #[test]
    fn a_stable_choice_takes_less_time() {
        let part = |stability: Stability| stability.part_of_soft_time();
        assert!(part(Stability { unchanged: 0, ..STEADY }) > part(STEADY));
        assert!(part(Stability { effort: 0.95, ..STEADY }) < part(STEADY));
        assert!(part(Stability { fall: 40, ..STEADY }) > part(STEADY));
        assert_eq!(part(Stability { fall: -40, ..STEADY }), part(STEADY));
    }

    #[test]
    fn parts_of_time_are_bounded() {
        for unchanged in [0, 1, 8, 63] {
            for effort in [0.0, 0.5, 1.0] {
                for fall in [-60_000, 0, 60_000] {
                    let part = Stability { unchanged, effort, fall }.part_of_soft_time();
                    assert!((0.1..4.0).contains(&part), "{}", part);
                }
            }
        }
    }
}
