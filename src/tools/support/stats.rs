//! The statistics of a match: elo with its interval, likelihood of superiority, and the sequential
//! probability ratio test. Functions of numbers alone.
//!
//! Games come in pairs: one opening, played twice with colours swapped. The two results of a pair
//! depend on each other through the opening, so the pair is the unit of observation; its five possible
//! scores give the name "pentanomial". Method: M. Van den Bergh, "A practical introduction to the
//! GSPRT" and "Comments on normalized elo" (2019-2021).

/// The two-sided 95% quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;
/// Observations of zero frequency get this count in the likelihood ratio, so that its support is
/// always complete.
const LEAST_COUNT: f64 = 1e-3;
/// Halvings of the interval in which the tilt of a likelihood is sought.
const BISECTIONS: usize = 60;

/// How often pairs ended with each score of the first player: 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

/// A value and the ends of its 95% interval. Infinite where every game was won or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Pairs {
    /// Counts a pair by its score in half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a game, 0 to 1; one half without pairs.
    pub fn score(&self) -> f64 {
        self.weighted(0.0).0
    }

    /// The mean score of a game and the standard error of it, after adding one pair won twice and one
    /// lost twice (A. Agresti's and B. Coull's "plus four" rule): near the ends of the scale, and for
    /// few games, the plain estimate would claim certainty.
    fn adjusted(&self) -> (f64, f64) {
        let (mean, variance, count) = self.weighted(1.0);
        (mean, (variance / count).sqrt())
    }

    /// Mean and variance of a pair's score per game, and the number of pairs, with `extra` pairs added
    /// at both ends of the scale.
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

    /// The difference in strength that the score means, in elo, with its 95% interval.
    pub fn elo(&self) -> Interval {
        let (mean, error) = self.adjusted();
        Interval {
            value: elo(self.score()),
            low: elo(mean - Z95 * error),
            high: elo(mean + Z95 * error),
        }
    }

    /// The likelihood of superiority: how sure it is that the first player is the stronger one, 0 to
    /// 1.
    pub fn superiority(&self) -> f64 {
        let (mean, error) = self.adjusted();
        normal_cdf((mean - 0.5) / error)
    }

    /// The logarithm of the generalised likelihood ratio of "the elo difference is `elo1`" to "it is
    /// `elo0`": each hypothesis stands for the likeliest distribution of pair scores with its mean.
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        let counts = self.0.map(|count| (count as f64).max(LEAST_COUNT));
        let (score0, score1) = (expected_score(elo0), expected_score(elo1));
        let (tilt0, tilt1) = (tilt(&counts, score0), tilt(&counts, score1));
        let terms = counts.iter().zip(SCORES).map(|(count, score)| {
            let likelihood0 = 1.0 + tilt0 * (score - score0);
            let likelihood1 = 1.0 + tilt1 * (score - score1);
            count * (likelihood0 / likelihood1).ln()
        });
        terms.sum()
    }
}

/// The mean of independent observations with its 95% interval (normal approximation); `None` of fewer
/// than two.
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

/// The scores of a pair per game.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The Lagrange multiplier of the likeliest distribution with mean `mean`: the weights are the counts
/// divided by `1 + tilt * (score - mean)`.
fn tilt(counts: &[f64; 5], mean: f64) -> f64 {
    // All divisors must stay positive; between these poles the sum falls monotonically.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        let terms = counts.iter().zip(SCORES).map(|(n, s)| {
            let distance = s - mean;
            n * distance / (1.0 + middle * distance)
        });
        if terms.sum::<f64>() > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// A sequential probability ratio test (A. Wald, 1945) of elo `elo0` against `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the null hypothesis, in elo.
    pub elo0: f64,
    /// The difference of the alternative, in elo; above `elo0`.
    pub elo1: f64,
    /// The probability of accepting `elo1` where `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` where `elo1` is true.
    pub beta: f64,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The alternative: the change is good.
    Accepted,
    /// The null hypothesis.
    Rejected,
}

impl Sprt {
    /// The likelihood ratios (logarithms) at which the test rejects and accepts.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The verdict after these pairs, if there is one already.
    pub fn verdict(&self, pairs: &Pairs) -> Option<Verdict> {
        let ratio = pairs.log_likelihood_ratio(self.elo0, self.elo1);
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

/// The elo difference at which this score is expected (logistic); infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The score expected at an elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The cumulative standard normal distribution.
fn normal_cdf(x: f64) -> f64 {
    erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// The complementary error function, by the series of the error function near 0 and by the continued
/// fraction further out (M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 7.1.6 and
/// 7.1.14): both are exact to 13 digits there.
fn erfc(x: f64) -> f64 {
    /// Below this the series, from here on the fraction.
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
