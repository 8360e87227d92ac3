//! Play at a given strength (UCI_LimitStrength, UCI_Elo): by a node limit and, at the lowest levels, random moves.
//! Calibrated by matches: see docs/chess960.md.

use crate::tools::contracts::levels;

/// A calibrated strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    pub elo: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Percentage of the moves that are random.
    pub slips: usize,
}

const fn point(elo: u64, nodes: u64, slips: usize) -> Strength {
    Strength { elo, nodes, slips }
}

/// The calibrated strengths, the weakest first.
const POINTS: [Strength; 2] = [point(1320, 10, 0), point(2500, 20_000, 0)];
/// Range of the option UCI_Elo.
pub const MIN_ELO: u64 = POINTS[0].elo;
pub const MAX_ELO: u64 = POINTS[POINTS.len() - 1].elo;

impl Strength {
    /// Returns the strength for an elo within the range: between two points the logarithm of the nodes and the
    /// percentage of random moves are interpolated.
    pub fn of(elo: u64) -> Strength {
        let after = POINTS.iter().position(|point| point.elo >= elo).unwrap_or(POINTS.len() - 1);
        let [low, high] = [POINTS[after.saturating_sub(1)], POINTS[after]];
        let part = elo.saturating_sub(low.elo) as f64 / (high.elo - low.elo).max(1) as f64;
        let between = |low: f64, high: f64| low + (high - low) * part.min(1.0);
        let nodes = between((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp();
        let slips = between(low.slips as f64, high.slips as f64);
        Strength { elo, nodes: nodes.round() as u64, slips: slips.round() as usize }
    }

    /// Replaces the moves by a random one of them, if it is the turn of one. The same position has always the same.
    pub fn slip<M: Copy>(&self, position: &str, moves: &mut Vec<M>) {
        let random =
            levels::slip(self.slips, position, |rng| moves.get(rng.below(moves.len())).copied());
        if let Some(random) = random {
            *moves = vec![random];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_rises_between_the_calibrated_points() {
        for point in POINTS {
            assert_eq!(Strength::of(point.elo), point);
        }
        let all: Vec<Strength> = (MIN_ELO..=MAX_ELO).map(Strength::of).collect();
        assert!(all.is_sorted_by(|low, high| low.nodes <= high.nodes && low.slips >= high.slips));
    }

    #[test]
    fn random_moves_depend_on_the_position_alone() {
        let slipped = |slips, position: usize| {
            let mut moves: Vec<usize> = (0..20).collect();
            point(0, 1, slips).slip(&position.to_string(), &mut moves);
            moves
        };
        let count =
            |slips| (0..1000).filter(|&position| slipped(slips, position).len() == 1).count();
        assert_eq!((count(0), count(100)), (0, 1000));
        assert!((200..300).contains(&count(25)));
        assert_eq!(slipped(100, 7), slipped(100, 7));
    }
}
