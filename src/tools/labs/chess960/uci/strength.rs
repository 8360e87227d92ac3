//! Play at a given strength (UCI_LimitStrength, UCI_Elo) by a node limit, calibrated by matches: see docs/chess960.md.

/// Calibrated strengths: elo and nodes per move, the weakest first.
const POINTS: [(u64, u64); 5] =
    [(1200, 60), (1650, 300), (1800, 1_000), (1900, 3_000), (2050, 10_000)];
/// Range of the option UCI_Elo.
pub const MIN_ELO: u64 = POINTS[0].0;
pub const MAX_ELO: u64 = POINTS[POINTS.len() - 1].0;

/// Returns the nodes per move for an elo within the range: their logarithm is interpolated between two points.
pub fn nodes(elo: u64) -> u64 {
    let after = POINTS.iter().position(|&(other, _)| other >= elo).unwrap_or(POINTS.len() - 1);
    let [low, high] = [POINTS[after.saturating_sub(1)], POINTS[after]];
    let part = elo.saturating_sub(low.0) as f64 / (high.0 - low.0).max(1) as f64;
    let ratio = high.1 as f64 / low.1 as f64;
    (low.1 as f64 * ratio.powf(part.min(1.0))).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_rise_between_the_calibrated_points() {
        for (elo, expected) in POINTS {
            assert_eq!(nodes(elo), expected);
        }
        assert!((MIN_ELO..=MAX_ELO).map(nodes).is_sorted());
    }
}
