//! Simultaneous perturbation stochastic approximation (SPSA; J. Spall, 1992): all parameters are perturbed at once,
//! each by a step up or down at random; the games between the two perturbed settings decide in which direction the
//! parameters move.

use crate::engine::params::ParamSpec;
use crate::engine::rng::Rng;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Decay exponent of the step size (Spall's gamma).
const GAMMA: f64 = 0.101;
/// Decay exponent of the learning rate (Spall's alpha).
const ALPHA: f64 = 0.602;
/// Stability constant (Spall's A), as a fraction of all iterations: delays the decay of the learning rate.
const STABILITY: f64 = 0.1;

/// Schedule of the step size and the learning rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Total number of iterations.
    pub iterations: u64,
    /// Initial learning rate: the fraction of a step that a parameter moves if one side wins every game.
    pub rate: f64,
}

impl Schedule {
    /// Returns the step size at an iteration (from 0), relative to the first one.
    fn step(&self, iteration: u64) -> f64 {
        (iteration as f64 + 1.0).powf(-GAMMA)
    }

    /// Returns the learning rate at an iteration (from 0).
    pub fn rate(&self, iteration: u64) -> f64 {
        let stability = STABILITY * self.iterations as f64;
        self.rate * ((stability + 1.0) / (stability + iteration as f64 + 1.0)).powf(ALPHA)
    }
}

/// A tuned parameter and its current value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// Name of the parameter.
    pub name: String,
    /// Current value, not rounded.
    pub value: f64,
    min: f64,
    max: f64,
    /// Initial step size.
    step: f64,
}

impl Tuned {
    /// Creates a parameter with this initial value.
    pub fn new(spec: &ParamSpec, value: i32) -> Tuned {
        Tuned {
            name: spec.name.to_string(),
            value: f64::from(value),
            min: f64::from(spec.min),
            max: f64::from(spec.max),
            step: f64::from(spec.step),
        }
    }

    /// Whether this is the parameter `earlier`, with any value in its range.
    pub fn is_successor_of(&self, earlier: &Tuned) -> bool {
        let same = Tuned { value: earlier.value, ..self.clone() };
        same == *earlier && (self.min..=self.max).contains(&self.value)
    }

    /// Returns the distance from `value`, in initial steps.
    pub fn steps_from(&self, value: f64) -> f64 {
        (self.value - value).abs() / self.step
    }

    /// Returns the value rounded to an integer, as the search uses it.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32
    }

    /// Stochastic rounding: rounds up or down at random, with the mean `value`, and clamps to the range.
    fn round_stochastically(&self, value: f64, rng: &mut Rng) -> i32 {
        (value + rng.random::<f64>()).floor().clamp(self.min, self.max) as i32
    }
}

/// The two perturbed settings of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// For each parameter, 1 if `plus` has the higher value, else -1.
    signs: Vec<f64>,
    /// The values, each changed by its step times its sign.
    pub plus: Vec<i32>,
    /// The values, each changed by the same step in the opposite direction.
    pub minus: Vec<i32>,
}

/// Draws the two perturbed settings of an iteration (from 0).
pub fn perturb(
    tuned: &[Tuned],
    schedule: &Schedule,
    iteration: u64,
    rng: &mut Rng,
) -> Perturbation {
    let mut perturbation = Perturbation { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
    for parameter in tuned {
        let sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let distance = sign * parameter.step * schedule.step(iteration);
        perturbation.signs.push(sign);
        perturbation.plus.push(parameter.round_stochastically(parameter.value + distance, rng));
        perturbation.minus.push(parameter.round_stochastically(parameter.value - distance, rng));
    }
    perturbation
}

/// Updates the parameters after an iteration. `result` is the mean result of `plus` against `minus`, from -1 to 1.
pub fn update(
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

    /// Tunes with a simulated game in which the distance from the best values costs elo, with eight games per
    /// iteration.
    fn tune(tuned: &mut [Tuned], best: &[f64], seed: u64) {
        let strength = |values: &[i32], tuned: &[Tuned]| -> f64 {
            let elo = |((value, best), parameter): ((&i32, &f64), &Tuned)| {
                -4.0 * ((f64::from(*value) - best) / parameter.step).powi(2)
            };
            values.iter().zip(best).zip(tuned).map(elo).sum()
        };
        let mut rng = Rng::new(seed);
        for iteration in 0..SCHEDULE.iterations {
            let perturbation = perturb(tuned, &SCHEDULE, iteration, &mut rng);
            let difference =
                strength(&perturbation.plus, tuned) - strength(&perturbation.minus, tuned);
            let wins = (0..8).filter(|_| rng.random_bool(expected_score(difference))).count();
            update(tuned, &SCHEDULE, iteration, &perturbation, wins as f64 / 4.0 - 1.0);
        }
    }

    #[test]
    fn converges_to_the_best_values() {
        for seed in 0..3 {
            let mut tuned =
                [parameter(40, 0, 200, 10), parameter(3, 0, 9, 1), parameter(900, 100, 1000, 40)];
            let best = [85.0, 5.0, 700.0];
            tune(&mut tuned, &best, seed);
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
            let perturbation = perturb(&tuned, &SCHEDULE, iteration, &mut rng);
            assert!(
                (0..=10).contains(&perturbation.plus[0])
                    && (0..=10).contains(&perturbation.minus[0])
            );
            let result = perturbation.signs[0];
            update(&mut tuned, &SCHEDULE, iteration, &perturbation, result);
            assert!(tuned[0].value >= 5.0 && tuned[0].value <= 10.0);
        }
        assert_eq!(tuned[0].rounded(), 10);
    }

    #[test]
    fn step_size_and_learning_rate_decay() {
        assert_eq!((SCHEDULE.step(0), SCHEDULE.rate(0)), (1.0, 0.5));
        assert!(SCHEDULE.step(1999) < 0.5 && SCHEDULE.rate(1999) < 0.15);
    }

    #[test]
    fn stochastic_rounding_is_unbiased() {
        let parameter = parameter(5, -100, 100, 1);
        let mut rng = Rng::new(2);
        let rounded = (0..4000).map(|_| parameter.round_stochastically(-2.3, &mut rng));
        let sum: i32 = rounded.sum();
        assert!((f64::from(sum) / 4000.0 + 2.3).abs() < 0.03);
    }
}
