//! Simultaneous perturbation stochastic approximation (J. Spall, 1992): all parameters move at
//! once, by a step up or down that chance decides; who wins, plus or minus, says in which direction
//! to go.

use crate::engine::params::ParamSpec;
use crate::engine::rng::Rng;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// How fast the steps shrink with the iterations, and how fast the rate does (Spall's exponents).
const GAMMA: f64 = 0.101;
const ALPHA: f64 = 0.602;
/// The rate begins to shrink after about this part of all iterations.
const STABILITY: f64 = 0.1;

/// How a tuning goes, but for the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Iterations in all.
    pub iterations: u64,
    /// The part of a step that a parameter moves at first when one side wins every game.
    pub rate: f64,
}

impl Schedule {
    /// The size of a step at an iteration (from 0), as a multiple of the first one.
    fn step(&self, iteration: u64) -> f64 {
        (iteration as f64 + 1.0).powf(-GAMMA)
    }

    /// The part of the step that is moved at an iteration for a clean sweep.
    fn rate(&self, iteration: u64) -> f64 {
        let stability = STABILITY * self.iterations as f64;
        self.rate * ((stability + 1.0) / (stability + iteration as f64 + 1.0)).powf(ALPHA)
    }
}

/// A parameter and its value so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// The parameter's name.
    pub name: String,
    /// The value, not rounded.
    pub value: f64,
    min: f64,
    max: f64,
    /// The first step.
    step: f64,
}

impl Tuned {
    /// A parameter that begins at this value.
    pub fn new(spec: &ParamSpec, value: i32) -> Tuned {
        Tuned {
            name: spec.name.to_string(),
            value: f64::from(value),
            min: f64::from(spec.min),
            max: f64::from(spec.max),
            step: f64::from(spec.step),
        }
    }

    /// Is this `earlier` with a value that tuning may have given it?
    pub fn is_later(&self, earlier: &Tuned) -> bool {
        let same = Tuned { value: earlier.value, ..self.clone() };
        same == *earlier && (self.min..=self.max).contains(&self.value)
    }

    /// How many first steps the value is away from another one.
    pub fn steps_from(&self, value: f64) -> f64 {
        (self.value - value).abs() / self.step
    }

    /// The value as the search takes it.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32
    }

    /// A whole number within the range that is `value` in the mean: up or down by chance.
    fn round_by_chance(&self, value: f64, rng: &mut Rng) -> i32 {
        (value + rng.random::<f64>()).floor().clamp(self.min, self.max) as i32
    }
}

/// The two settings that meet in one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// For each parameter, 1 where `plus` is the higher one, else -1.
    signs: Vec<f64>,
    /// Each parameter moved along its sign.
    pub plus: Vec<i32>,
    /// Each parameter moved against its sign.
    pub minus: Vec<i32>,
}

/// Draws the two settings of an iteration (from 0).
pub fn perturb(
    tuned: &[Tuned],
    schedule: &Schedule,
    iteration: u64,
    rng: &mut Rng,
) -> Perturbation {
    let mut drawn = Perturbation { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
    for parameter in tuned {
        let sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let distance = sign * parameter.step * schedule.step(iteration);
        drawn.signs.push(sign);
        drawn.plus.push(parameter.round_by_chance(parameter.value + distance, rng));
        drawn.minus.push(parameter.round_by_chance(parameter.value - distance, rng));
    }
    drawn
}

/// Moves the parameters by the result of an iteration: the points of `plus` less those of `minus`
/// per game, -1 to 1.
pub fn learn(
    tuned: &mut [Tuned],
    schedule: &Schedule,
    iteration: u64,
    perturbation: &Perturbation,
    result: f64,
) {
    let factor = schedule.rate(iteration) * schedule.step(iteration) * result;
    for (parameter, sign) in tuned.iter_mut().zip(&perturbation.signs) {
        let moved = parameter.value + factor * sign * parameter.step;
        parameter.value = moved.clamp(parameter.min, parameter.max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::support::stats::expected_score;

    const SCHEDULE: Schedule = Schedule { iterations: 2000, rate: 0.5 };

    fn parameter(default: i32, min: i32, max: i32, step: i32) -> Tuned {
        Tuned::new(&ParamSpec { name: "x", default, min, max, step, meaning: "" }, default)
    }

    /// Tunes against an imaginary game in which distance from the best values costs elo, eight
    /// games an iteration.
    fn climb(tuned: &mut [Tuned], best: &[f64], seed: u64) {
        let strength = |values: &[i32], tuned: &[Tuned]| -> f64 {
            let elo = |((value, best), parameter): ((&i32, &f64), &Tuned)| {
                -4.0 * ((f64::from(*value) - best) / parameter.step).powi(2)
            };
            values.iter().zip(best).zip(tuned).map(elo).sum()
        };
        let mut rng = Rng::new(seed);
        for iteration in 0..SCHEDULE.iterations {
            let drawn = perturb(tuned, &SCHEDULE, iteration, &mut rng);
            let difference = strength(&drawn.plus, tuned) - strength(&drawn.minus, tuned);
            let wins = (0..8).filter(|_| rng.random_bool(expected_score(difference))).count();
            learn(tuned, &SCHEDULE, iteration, &drawn, wins as f64 / 4.0 - 1.0);
        }
    }

    #[test]
    fn climbs_to_the_best_values() {
        for seed in 0..3 {
            let mut tuned =
                [parameter(40, 0, 200, 10), parameter(3, 0, 9, 1), parameter(900, 100, 1000, 40)];
            let best = [85.0, 5.0, 700.0];
            climb(&mut tuned, &best, seed);
            for (parameter, best) in tuned.iter().zip(best) {
                let steps = (parameter.value - best).abs() / parameter.step;
                assert!(steps < 1.5, "seed {seed}: {parameter:?} is {steps} steps off {best}");
            }
        }
    }

    #[test]
    fn stays_within_the_range() {
        let mut tuned = [parameter(5, 0, 10, 4)];
        let mut rng = Rng::new(1);
        for iteration in 0..200 {
            let drawn = perturb(&tuned, &SCHEDULE, iteration, &mut rng);
            assert!((0..=10).contains(&drawn.plus[0]) && (0..=10).contains(&drawn.minus[0]));
            let result = drawn.signs[0];
            learn(&mut tuned, &SCHEDULE, iteration, &drawn, result);
            assert!(tuned[0].value >= 5.0 && tuned[0].value <= 10.0);
        }
        assert_eq!(tuned[0].rounded(), 10);
    }

    #[test]
    fn steps_and_rate_shrink() {
        assert_eq!((SCHEDULE.step(0), SCHEDULE.rate(0)), (1.0, 0.5));
        assert!(SCHEDULE.step(1999) < 0.5 && SCHEDULE.rate(1999) < 0.15);
    }

    #[test]
    fn rounding_by_chance_is_right_in_the_mean() {
        let parameter = parameter(5, -100, 100, 1);
        let mut rng = Rng::new(2);
        let rounded = (0..4000).map(|_| parameter.round_by_chance(-2.3, &mut rng));
        let sum: i32 = rounded.sum();
        assert!((f64::from(sum) / 4000.0 + 2.3).abs() < 0.03);
    }
}
