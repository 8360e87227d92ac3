//! Learning rate schedule.

use std::f32::consts::PI;

/// Final learning rate, as a fraction of the full rate.
const LAST_RATE: f32 = 0.01;
/// Minimum learning rate during the warm-up, as a fraction of the full rate.
const FIRST_RATE: f32 = 0.01;

/// Linear warm-up, then cosine decay to a hundredth of the full rate (I. Loshchilov, F. Hutter, 2016).
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Full learning rate, reached after the warm-up.
    pub rate: f32,
    /// Fraction of all steps that belong to the warm-up.
    pub warm_up: f32,
    /// Total number of steps.
    pub steps: u64,
}

impl Schedule {
    /// Returns the learning rate at `step`, counted from 0.
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
    fn the_rate_rises_during_warm_up_and_then_falls() {
        let rates: Vec<f32> = (0..=1000).map(|step| SCHEDULE.rate(step)).collect();
        assert!(rates[..100].windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(rates[100..].windows(2).all(|pair| pair[0] > pair[1]));
        for (step, expected) in [(0, 0.005), (50, 0.25), (500, 0.2525), (1000, 0.005)] {
            assert!((rates[step] - expected).abs() < 1e-5, "{step}: {}", rates[step]);
        }
        assert_eq!(SCHEDULE.rate(2000), rates[1000]);
    }

    #[test]
    fn starts_at_the_full_rate_without_warm_up() {
        assert_eq!(Schedule { warm_up: 0.0, ..SCHEDULE }.rate(0), 0.5);
        // Also with 0 steps.
        assert_eq!(Schedule { warm_up: 0.0, steps: 0, ..SCHEDULE }.rate(0), 0.5);
    }
}
