//! The optimiser: Adam (D. Kingma, J. Ba, 2014) with decoupled weight decay (I. Loshchilov, F. Hutter, 2017).

/// Decay rate of the first moment (beta 1).
const FIRST_DECAY: f32 = 0.9;
/// Decay rate of the second moment (beta 2).
const SECOND_DECAY: f32 = 0.999;
/// Avoids division by zero.
const EPSILON: f32 = 1e-8;
/// Step from which on the bias correction is 1 in single precision.
const LAST_CORRECTED_STEP: u64 = 1 << 20;

/// Step size of the optimiser.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// Weight decay (AdamW); it is multiplied by the learning rate.
    pub decay: f32,
}

/// Adam with the constants of one step.
#[derive(Clone, Copy, Debug)]
pub struct Adam {
    rate: f32,
    /// Factor by which weight decay scales each weight.
    kept: f32,
    first_correction: f32,
    second_correction: f32,
}

impl Adam {
    /// Computes the constants of step `number`, counted from 1.
    pub fn new(number: u64, step: Step) -> Adam {
        let number = number.min(LAST_CORRECTED_STEP) as i32;
        Adam {
            rate: step.rate,
            kept: 1.0 - step.rate * step.decay,
            first_correction: 1.0 / (1.0 - FIRST_DECAY.powi(number)),
            second_correction: 1.0 / (1.0 - SECOND_DECAY.powi(number)),
        }
    }

    /// Returns the learning rate.
    pub fn rate(&self) -> f32 {
        self.rate
    }

    /// Returns the same step without weight decay.
    pub fn without_decay(self) -> Adam {
        Adam { kept: 1.0, ..self }
    }

    /// Updates weights by one step. `first` and `second` are the first and second moments of the gradients, 0 before
    /// the first step; all four slices have the same length. Inlined, so that a caller compiled for wider vectors gets
    /// them in this loop.
    #[inline(always)]
    pub fn update(
        &self,
        weights: &mut [f32],
        gradients: &[f32],
        first: &mut [f32],
        second: &mut [f32],
    ) {
        let means = first.iter_mut().zip(second);
        for ((weight, &gradient), (first, second)) in weights.iter_mut().zip(gradients).zip(means) {
            *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * gradient;
            *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * gradient * gradient;
            let root = (*second * self.second_correction).sqrt() + EPSILON;
            *weight = *weight * self.kept - self.rate * (*first * self.first_correction) / root;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation of the published algorithm, in double precision.
    fn reference(gradients: &[f64], rate: f64, decay: f64, mut weight: f64) -> f64 {
        let (mut mean, mut square) = (0.0, 0.0);
        for (index, gradient) in gradients.iter().enumerate() {
            let number = index as i32 + 1;
            mean = 0.9 * mean + 0.1 * gradient;
            square = 0.999 * square + 0.001 * gradient * gradient;
            let corrected_mean = mean / (1.0 - 0.9f64.powi(number));
            let corrected_square = square / (1.0 - 0.999f64.powi(number));
            weight -= rate * (corrected_mean / (corrected_square.sqrt() + 1e-8) + decay * weight);
        }
        weight
    }

    #[test]
    fn matches_the_published_algorithm() {
        let gradients =
            |phase: f64| (0..200).map(move |i| (f64::from(i) * 0.7 + phase).sin() + 0.2);
        for decay in [0.0, 2.0] {
            let mut weights = [1.0, -0.5, 0.0];
            let (mut first, mut second) = ([0.0; 3], [0.0; 3]);
            for (index, gradient) in gradients(0.0).enumerate() {
                let gradient = gradient as f32;
                let step = Step { rate: 0.01, decay: decay as f32 };
                let adam = Adam::new(index as u64 + 1, step);
                // Adam is invariant to the scale of the gradients.
                let scaled = [gradient, 3.0 * gradient, -gradient];
                adam.update(&mut weights, &scaled, &mut first, &mut second);
            }
            let gradients: Vec<f64> = gradients(0.0).collect();
            let opposite: Vec<f64> = gradients.iter().map(|gradient| -gradient).collect();
            let expected = [
                reference(&gradients, 0.01, decay, 1.0),
                reference(&gradients, 0.01, decay, -0.5),
                reference(&opposite, 0.01, decay, 0.0),
            ];
            for (weight, expected) in weights.into_iter().zip(expected) {
                assert!((f64::from(weight) - expected).abs() < 1e-4, "{weight} {expected}");
            }
        }
    }

    #[test]
    fn the_first_step_has_the_size_of_the_learning_rate() {
        let mut weights = [0.0, 0.0, 1.0];
        let adam = Adam::new(1, Step { rate: 0.25, decay: 2.0 });
        adam.update(&mut weights, &[5.0, -0.01, 0.0], &mut [0.0; 3], &mut [0.0; 3]);
        for (weight, expected) in weights.into_iter().zip([-0.25, 0.25, 0.5]) {
            assert!((weight - expected).abs() < 1e-4, "{weight} {expected}");
        }
        let mut kept = [1.0];
        adam.without_decay().update(&mut kept, &[0.0], &mut [0.0], &mut [0.0]);
        assert_eq!(kept, [1.0]);
    }

    #[test]
    fn very_late_steps_do_not_overflow() {
        let mut weights = [0.0];
        let adam = Adam::new(u64::MAX, Step { rate: 0.5, decay: 0.0 });
        adam.update(&mut weights, &[2.0], &mut [2.0], &mut [4.0]);
        assert!((weights[0] + 0.5).abs() < 1e-4, "{weights:?}");
    }
}
