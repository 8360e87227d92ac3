//! Checks the statistics against simulated players of known strength.

use super::*;
use crate::engine::rng::Rng;
use rand::RngExt;

/// Two players of known strength. Each opening favours one colour by a random amount, so that the two games of a pair
/// are anticorrelated, as in real matches.
struct Synthetic {
    /// Win probability of the first player without the opening's bias.
    win: f64,
    /// Draw probability.
    draw: f64,
    /// Maximum shift of the win probability by an opening.
    bias: f64,
}

impl Synthetic {
    /// Creates players with the elo difference `elo`.
    fn new(elo: f64, draw: f64, bias: f64) -> Synthetic {
        let win = expected_score(elo) - draw / 2.0;
        assert!(win - bias >= 0.0 && win + draw + bias <= 1.0);
        Synthetic { win, draw, bias }
    }

    /// Plays a pair and returns the first player's half points.
    fn pair(&self, rng: &mut Rng) -> usize {
        let shift = rng.random_range(-self.bias..=self.bias);
        let mut game = |shift: f64| {
            let luck: f64 = rng.random();
            if luck < self.win + shift {
                2
            } else if luck < self.win + shift + self.draw {
                1
            } else {
                0
            }
        };
        game(shift) + game(-shift)
    }
}

/// Returns the fraction of `runs` tests that accept.
fn accepted(players: &Synthetic, sprt: &Sprt, runs: usize, rng: &mut Rng) -> f64 {
    let mut accepted = 0;
    for _ in 0..runs {
        let mut pairs = Pairs::default();
        let verdict = loop {
            pairs.add(players.pair(rng));
            if let Some(verdict) = sprt.verdict(&pairs) {
                break verdict;
            }
        };
        accepted += usize::from(verdict == Verdict::Accepted);
    }
    accepted as f64 / runs as f64
}

/// Returns how often tests accept when the players have the lower and the upper elo, and fails if more of them err than
/// the test states, by more than three standard errors.
fn acceptances(sprt: &Sprt, players: [Synthetic; 2], runs: usize, seed: u64) -> [f64; 2] {
    let mut rng = Rng::new(seed);
    let found = players.map(|players| accepted(&players, sprt, runs, &mut rng));
    for (errors, stated) in [(found[0], sprt.alpha), (1.0 - found[1], sprt.beta)] {
        let tolerance = 3.0 * (stated * (1.0 - stated) / runs as f64).sqrt();
        assert!(errors <= stated + tolerance, "{errors} of {stated}");
    }
    found
}

#[test]
fn sprt_errs_no_more_often_than_stated() {
    let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, scale: EloScale::Logistic };
    for (draw, bias) in [(0.1, 0.3), (0.5, 0.1), (0.0, 0.0)] {
        let players = [0.0, 60.0].map(|elo| Synthetic::new(elo, draw, bias));
        let [false_accepts, right_accepts] = acceptances(&sprt, players, 600, 11);
        // Wald's bounds are nearly tight: a test with far fewer errors would play too many games.
        assert!(false_accepts > 0.01 && right_accepts < 0.99);
    }
}

#[test]
fn the_normalized_sprt_errs_no_more_often_than_stated() {
    let scale = EloScale::Normalized;
    let sprt = Sprt { elo0: 0.0, elo1: 80.0, alpha: 0.05, beta: 0.05, scale };
    for (draw, bias) in [(0.1, 0.3), (0.5, 0.1), (0.0, 0.0)] {
        // The elo difference at which the games have this normalised elo.
        let variance = pair_variance(draw, bias);
        let score = 0.5 + 80.0 / NORMALIZED_ELO * (2.0 * variance).sqrt();
        let players = [0.0, elo(score)].map(|elo| Synthetic::new(elo, draw, bias));
        acceptances(&sprt, players, 200, 11);
    }
}

/// Returns the variance of a pair's mean score between equal players, by many pairs.
fn pair_variance(draw: f64, bias: f64) -> f64 {
    let mut pairs = Pairs::default();
    let mut rng = Rng::new(1);
    (0..50_000).for_each(|_| pairs.add(Synthetic::new(0.0, draw, bias).pair(&mut rng)));
    pairs.weighted(0.0).1
}

/// A most likely distribution has the normalised elo that it is required to have.
#[test]
fn most_likely_distributions_meet_their_condition() {
    for counts in [[1.0, 20.0, 50.0, 20.0, 9.0], [0.001, 3.0, 90.0, 7.0, 0.001]] {
        for elo in [-60.0, 0.0, 5.0, 100.0] {
            let shares = most_likely_normalized(&counts, elo);
            let mean: f64 = shares.iter().zip(SCORES).map(|(p, s)| p * s).sum();
            let variance: f64 =
                shares.iter().zip(SCORES).map(|(p, s)| p * (s - mean).powi(2)).sum();
            let found = (mean - 0.5) / (2.0 * variance).sqrt() * NORMALIZED_ELO;
            assert!((found - elo).abs() < 1e-6, "{counts:?} {elo}: {found}");
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}

/// ln(0.1 / 0.95) and ln(0.9 / 0.05), by A. Wald, "Sequential tests of statistical hypotheses", 1945.
#[test]
fn sprt_bounds_are_those_of_wald() {
    let (lower, upper) =
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.1, scale: EloScale::Logistic }.bounds();
    assert!((lower + 2.251292).abs() < 1e-6 && (upper - 2.890372).abs() < 1e-6, "{lower} {upper}");
}

#[test]
fn sprt_honours_unequal_error_rates() {
    let sprt = Sprt { elo0: -30.0, elo1: 30.0, alpha: 0.01, beta: 0.2, scale: EloScale::Logistic };
    let players = [-30.0, 30.0].map(|elo| Synthetic::new(elo, 0.2, 0.2));
    let [_, right_accepts] = acceptances(&sprt, players, 600, 5);
    assert!((0.7..0.95).contains(&right_accepts), "{right_accepts}");
}

/// Returns the fraction of `matches` whose interval contains the true elo.
fn coverage(elo: f64, draw: f64, bias: f64, matches: usize, length: usize) -> f64 {
    let players = Synthetic::new(elo, draw, bias);
    let mut rng = Rng::new(3);
    let mut covered = 0;
    for _ in 0..matches {
        let mut pairs = Pairs::default();
        (0..length).for_each(|_| pairs.add(players.pair(&mut rng)));
        let interval = pairs.elo();
        covered += usize::from(interval.low <= elo && elo <= interval.high);
    }
    covered as f64 / matches as f64
}

#[test]
fn elo_intervals_cover_the_true_elo() {
    let cases = [
        (0.0, 0.1, 0.3, 100),
        (35.0, 0.3, 0.2, 300),
        (-200.0, 0.1, 0.1, 60),
        (400.0, 0.05, 0.05, 80),
    ];
    for (elo, draw, bias, length) in cases {
        let share = coverage(elo, draw, bias, 3000, length);
        assert!((0.935..0.975).contains(&share), "elo {elo}: {share}");
    }
}

#[test]
fn pairs_narrow_the_interval_if_openings_decide() {
    // 50 openings, each won by the same colour in both games: the players are certainly equal.
    let decided = Pairs([0, 0, 50, 0, 0]).elo();
    let scattered = Pairs([12, 0, 26, 0, 12]).elo();
    assert_eq!(decided.value, 0.0);
    assert!(decided.high - decided.low < (scattered.high - scattered.low) / 2.0);
}

#[test]
fn elo_and_score_are_inverse() {
    for difference in [-700.0, -5.0, 0.0, 0.5, 120.0] {
        assert!((elo(expected_score(difference)) - difference).abs() < 1e-6);
    }
    assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
    let clean = Pairs([0, 0, 0, 0, 10]).elo();
    assert_eq!(clean.value, f64::INFINITY);
    assert!(clean.low > 100.0 && clean.low < clean.value);
}

#[test]
fn superiority_is_near_1_only_for_a_clear_lead() {
    assert!((Pairs::default().superiority() - 0.5).abs() < 1e-6);
    assert!((Pairs([10, 20, 40, 20, 10]).superiority() - 0.5).abs() < 1e-6);
    assert!(Pairs([1, 5, 40, 30, 24]).superiority() > 0.999);
    assert!(Pairs([24, 30, 40, 5, 1]).superiority() < 0.001);
}

#[test]
fn the_normal_distribution_is_accurate_in_the_tails() {
    // The last two are on either side of the point where the formula changes.
    for (x, expected) in [
        (0.0, 0.5),
        (Z95, 0.975),
        (-Z95, 0.025),
        (-6.0, 9.865_876_450_377e-10),
        (-2.8, 2.555_130_330_427_932_4e-3),
        (-2.9, 1.865_813_300_384_037_5e-3),
    ] {
        let found = normal_cdf(x);
        assert!((found / expected - 1.0).abs() < 1e-12, "{x}: {found}");
    }
    assert_eq!((normal_cdf(f64::INFINITY), normal_cdf(f64::NEG_INFINITY)), (1.0, 0.0));
}

#[test]
fn the_ratio_of_long_matches_is_nearly_normal() {
    let pairs = Pairs([120, 400, 1000, 480, 160]);
    let (mean, variance, count) = pairs.weighted(0.0);
    let (s0, s1) = (expected_score(0.0), expected_score(5.0));
    let approximate = count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
    let exact = pairs.log_likelihood_ratio(0.0, 5.0, EloScale::Logistic);
    assert!((exact - approximate).abs() < 0.05 * approximate.abs(), "{exact} {approximate}");
}

#[test]
fn mean_intervals_cover_the_mean_in_19_of_20_cases() {
    assert_eq!(mean_interval(&[3.0]), None);
    let mut rng = Rng::new(11);
    let mut covered = 0;
    for _ in 0..2000 {
        let values: Vec<f64> = (0..40).map(|_| 10.0 * rng.unit()).collect();
        let Interval { value, low, high } = mean_interval(&values).expect("enough values");
        assert!(low < value && value < high);
        covered += usize::from((low..high).contains(&5.0));
    }
    assert!((1860..1940).contains(&covered), "{covered} of 2000");
}
