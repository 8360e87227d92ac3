//! When to be content with a choice: the part of the soft time that a search may take, by how settled
//! its best move is. How much a longer search still gained was measured in 1,800 searches of games, by
//! the iterations that changed their mind: 0.55 % of a point where the last iteration had brought a new
//! best move, 0.35 after one unchanged iteration, 0.14 after four to seven, 0.04 after more; 0.43 where
//! the best move had less than 0.4 of the nodes and nothing where it had more than 0.95; 0.38 where the
//! score had fallen by more than 40, else about 0.12.

use crate::engine::score::Score;

/// The part for a choice of middling effort with a steady score: at first, ...
const UNSETTLED: f64 = 1.32;
/// ... less for every iteration without a new best move, ...
const LESS_PER_ITERATION: f64 = 0.12;
/// ... and at last.
const SETTLED: f64 = 0.24;
/// The factor by the effort, the share of the nodes spent on the best move: without any, ...
const NO_EFFORT: f64 = 1.35;
/// ... and how much less if it took all of them. Only great shares tell much: their fourth power counts.
const ALL_EFFORT_LESS: f64 = 0.85;
/// A fall of the score counts from so many hundredths on, ...
const FALL_FROM: Score = 5;
/// ... and so many more double the time. No fall does more.
const FALL_DOUBLES: Score = 50;
/// A fall is counted from the score of so many iterations before.
pub const FALL_SINCE: usize = 3;

/// How settled a choice is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Iterations since the best move was new.
    pub unchanged: i32,
    /// The share of the nodes spent on the best move, 0 to 1.
    pub effort: f64,
    /// How much the score has fallen, in hundredths; negative where it has risen.
    pub fall: Score,
}

impl Choice {
    /// The part of the soft time after which no new iteration begins.
    pub fn part_of_soft_time(&self) -> f64 {
        let steadiness = UNSETTLED - LESS_PER_ITERATION * f64::from(self.unchanged);
        let effort = NO_EFFORT - ALL_EFFORT_LESS * self.effort.powi(4);
        let fall = (self.fall - FALL_FROM).clamp(0, FALL_DOUBLES);
        let alarm = 1.0 + f64::from(fall) / f64::from(FALL_DOUBLES);
        steadiness.max(SETTLED) * effort * alarm
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEADY: Choice = Choice { unchanged: 4, effort: 0.7, fall: 0 };

    #[test]
    fn what_is_settled_takes_less_time() {
        let part = |choice: Choice| choice.part_of_soft_time();
        assert!(part(Choice { unchanged: 0, ..STEADY }) > part(STEADY));
        assert!(part(Choice { effort: 0.95, ..STEADY }) < part(STEADY));
        assert!(part(Choice { fall: 40, ..STEADY }) > part(STEADY));
        assert_eq!(part(Choice { fall: -40, ..STEADY }), part(STEADY));
    }

    #[test]
    fn every_part_is_some_time_and_at_most_four_times_the_soft_one() {
        for unchanged in [0, 1, 8, 63] {
            for effort in [0.0, 0.5, 1.0] {
                for fall in [-60_000, 0, 60_000] {
                    let part = Choice { unchanged, effort, fall }.part_of_soft_time();
                    assert!((0.1..4.0).contains(&part), "{}", part);
                }
            }
        }
    }
}
