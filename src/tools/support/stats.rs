//! Match statistics: elo with its confidence interval, likelihood of superiority (LOS), and the sequential probability
//! ratio test (SPRT).
//!
//! Games are played in pairs: one opening, played twice with colours swapped. The two results of a pair are correlated
//! through the opening, so the pair is the unit of observation; its five possible scores give the model the name
//! "pentanomial". Method: M. Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo" (2019-2021).

/// The two-sided 95% quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;
/// Pair scores that never occurred get this count in the likelihood ratio, so that no probability is 0.
const MIN_COUNT: f64 = 1e-3;
/// Number of bisection steps that determine the tilt of a likelihood.
const BISECTIONS: usize = 60;

/// Pentanomial counts: number of pairs by the first player's score, 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

/// An estimate with its 95% confidence interval. An elo estimate is infinite if every game was won or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Pairs {
    /// Adds a pair by its score in half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the mean score per game, 0 to 1; 0.5 without pairs.
    pub fn score(&self) -> f64 {
        self.weighted(0.0).0
    }

    /// Returns the mean score per game and its standard error, after adding one pair won twice and one lost twice (A.
    /// Agresti's and B. Coull's "plus four" rule): near the ends of the scale, and for few games, the plain estimate
    /// would claim certainty.
    fn adjusted(&self) -> (f64, f64) {
        let (mean, variance, count) = self.weighted(1.0);
        (mean, (variance / count).sqrt())
    }

    /// Returns the mean and variance of a pair's score per game, and the number of pairs, with `extra` pairs added at
    /// both ends of the scale.
    fn weighted(&self, extra: f64) -> (f64, f64, f64) {
        let mut counts = self.0.map(|count| count as f64);
        counts[0] += extra;
        counts[4] += extra;
        let total: f64 = counts.iter().sum();
        if total == 0.0 {
            return (0.5, 0.0, 0.0);
        }
        let mean = counts.iter().zip(SCORES).map(|(n, s)| n * s).sum::<f64>() / total;
        let square = counts.iter().zip(SCORES).map(|(n, s)| n * (s - mean).powi(2)).sum::<f64>();
        (mean, square / total, total)
    }

    /// Returns the elo difference that corresponds to the score, with its 95% interval.
    pub fn elo(&self) -> Interval {
        let (mean, error) = self.adjusted();
        Interval {
            value: elo(self.score()),
            low: elo(mean - Z95 * error),
            high: elo(mean + Z95 * error),
        }
    }

    /// Returns the likelihood of superiority: the probability that the first player is stronger, 0 to 1.
    pub fn superiority(&self) -> f64 {
        let (mean, error) = self.adjusted();
        normal_cdf((mean - 0.5) / error)
    }

    /// Returns the logarithm of the generalised likelihood ratio between the hypotheses that the difference is `elo1`
    /// and `elo0`. Each is represented by the most likely distribution of pair scores that has it.
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64, scale: EloScale) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        let counts = self.0.map(|count| (count as f64).max(MIN_COUNT));
        let [p0, p1] = [elo0, elo1].map(|elo| match scale {
            EloScale::Logistic => most_likely(&counts, &SCORES.map(|s| s - expected_score(elo))),
            EloScale::Normalized => most_likely_normalized(&counts, elo),
        });
        counts.iter().zip(p0.iter().zip(p1)).map(|(n, (p0, p1))| n * (p1 / p0).ln()).sum()
    }
}

/// Returns the mean of independent observations with its 95% interval (normal approximation); `None` for fewer than
/// two.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = Z95 * (variance / count).sqrt();
    Some(Interval { value: mean, low: mean - error, high: mean + error })
}

/// Score per game of each kind of pair.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The scale of elo differences in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// Computed from the score.
    Logistic,
    /// Computed from the score's distance from 0.5 in standard deviations of a game, so that the number of games that a
    /// test needs does not depend on the share of draws or the openings.
    Normalized,
}

impl EloScale {
    /// Returns the greatest elo difference that a test can have as a bound. Above 231 normalised elo
    /// [`most_likely_normalized`] has no solution in its first step.
    pub fn max_elo(self) -> f64 {
        match self {
            EloScale::Logistic => 1000.0,
            EloScale::Normalized => 200.0,
        }
    }
}

/// Normalised elo per standard deviation of a game. By this factor normalised and logistic elo are equal if no game is
/// drawn and the players are nearly equal.
const NORMALIZED_ELO: f64 = 800.0 / std::f64::consts::LN_10;
/// Maximum number of steps that determine a most likely distribution with a given normalised elo.
const STEPS: usize = 20;

/// Returns the most likely distribution of pair scores with a normalised elo difference: M. Van den Bergh, "Normalized
/// Elo", section 4.1. Each step replaces the condition on mean and standard deviation by its linear approximation at
/// the last distribution.
fn most_likely_normalized(counts: &[f64; 5], elo: f64) -> [f64; 5] {
    // The mean score of a pair has half the variance of a game's score.
    let distance = elo / NORMALIZED_ELO * std::f64::consts::SQRT_2;
    let mut shares = [0.2; 5];
    for _ in 0..STEPS {
        let mean: f64 = shares.iter().zip(SCORES).map(|(p, s)| p * s).sum();
        let variance: f64 = shares.iter().zip(SCORES).map(|(p, s)| p * (s - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let value = |s: f64| {
            let slope = (1.0 + ((mean - s) / deviation).powi(2)) / 2.0;
            s - 0.5 - distance * deviation * slope
        };
        let next = most_likely(counts, &SCORES.map(value));
        let change = next.iter().zip(shares).map(|(new, old)| (new - old).abs()).sum::<f64>();
        shares = next;
        if change < 1e-9 {
            break;
        }
    }
    shares
}

/// Returns the most likely distribution under which the mean of `values` is 0: the counts divided by `1 + tilt *
/// value`, where `tilt` is a Lagrange multiplier. There are values of both signs.
fn most_likely(counts: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let largest = values.iter().copied().fold(f64::MIN, f64::max);
    let smallest = values.iter().copied().fold(f64::MAX, f64::min);
    // All divisors must be positive; between these poles the sum decreases monotonically.
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        let terms = counts.iter().zip(values).map(|(n, value)| n * value / (1.0 + middle * value));
        if terms.sum::<f64>() > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let tilt = (low + high) / 2.0;
    let mut shares = *counts;
    shares.iter_mut().zip(values).for_each(|(n, value)| *n /= total * (1.0 + tilt * value));
    shares
}

/// A sequential probability ratio test (A. Wald, 1945) of elo `elo0` against `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Null hypothesis, in elo.
    pub elo0: f64,
    /// Alternative hypothesis, in elo; greater than `elo0`.
    pub elo1: f64,
    /// Probability of accepting `elo1` if `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` if `elo1` is true.
    pub beta: f64,
    /// Scale of both differences.
    pub scale: EloScale,
}

/// Result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The alternative hypothesis is accepted: the change is good.
    Accepted,
    /// The null hypothesis is accepted.
    Rejected,
}

impl Sprt {
    /// Returns the log-likelihood ratios at which the test rejects and accepts.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// Returns the log-likelihood ratio after these pairs.
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        pairs.log_likelihood_ratio(self.elo0, self.elo1, self.scale)
    }

    /// Returns the verdict after these pairs; `None` if the test is undecided.
    pub fn verdict(&self, pairs: &Pairs) -> Option<Verdict> {
        let ratio = self.ratio(pairs);
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Some(Verdict::Accepted)
        } else if ratio <= lower {
            Some(Verdict::Rejected)
        } else {
            None
        }
    }
}

/// Returns the elo difference of an expected score (logistic); infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// Returns the expected score of an elo difference (logistic).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Cumulative distribution function of the standard normal distribution.
fn normal_cdf(x: f64) -> f64 {
    erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// Complementary error function: by the series of the error function near 0, by the continued fraction elsewhere (M.
/// Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 7.1.6 and 7.1.14). Both are accurate to 13 digits in
/// their range.
fn erfc(x: f64) -> f64 {
    /// The series is used below this value, the continued fraction from it on.
    const BORDER: f64 = 2.0;
    const TERMS: u32 = 60;
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    let scale = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x >= BORDER {
        let tail = |below: f64, term: u32| x + f64::from(term) / 2.0 / below;
        return scale / (1..=TERMS).rev().fold(x, tail);
    }
    let mut term = x;
    let mut sum = x;
    for index in 1..=TERMS {
        term *= 2.0 * x * x / f64::from(2 * index + 1);
        sum += term;
    }
    1.0 - 2.0 * scale * sum
}

#[cfg(test)]
mod tests;
