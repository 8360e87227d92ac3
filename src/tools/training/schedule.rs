//! The learning rate over the steps of a training.

use std::f32::consts::PI;

/// The part of the learning rate that is left at the end.
const LAST_RATE: f32 = 0.01;
/// The least part of it in the warm-up.
const FIRST_RATE: f32 = 0.01;

/// A linear warm-up, then half a cosine down to a hundredth (I. Loshchilov, F. Hutter, 2016).
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// The learning rate after the warm-up.
    pub rate: f32,
    /// The part of all steps in which it rises.
    pub warm_up: f32,
    /// All steps.
    pub steps: u64,
}

impl Schedule {
    /// The learning rate at a step, from 0.
    pub fn rate(&self, step: u64) -> f32 {
        let done = step as f32 / self.steps.max(1) as f32;
        if done < self.warm_up {
            return self.rate * (done / self.warm_up).max(FIRST_RATE);
        }
        let fall = (1.0 + (PI * done.min(1.0)).cos()) / 2.0;
        self.rate * (LAST_RATE + (1.0 - LAST_RATE) * fall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEDULE: Schedule = Schedule { rate: 0.5, warm_up: 0.1, steps: 1000 };

    #[test]
    fn rises_and_falls() {
        let rates: Vec<f32> = (0..=1000).map(|step| SCHEDULE.rate(step)).collect();
        assert!(rates[..100].windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(rates[100..].windows(2).all(|pair| pair[0] > pair[1]));
        for (step, expected) in [(0, 0.005), (50, 0.25), (500, 0.2525), (1000, 0.005)] {
            assert!((rates[step] - expected).abs() < 1e-5, "{step}: {}", rates[step]);
        }
        assert_eq!(SCHEDULE.rate(2000), rates[1000]);
    }

    #[test]
    fn begins_in_full_without_a_warm_up() {
        assert_eq!(Schedule { warm_up: 0.0, ..SCHEDULE }.rate(0), 0.5);
        // Of no steps at all, too.
        assert_eq!(Schedule { warm_up: 0.0, steps: 0, ..SCHEDULE }.rate(0), 0.5);
    }
}
