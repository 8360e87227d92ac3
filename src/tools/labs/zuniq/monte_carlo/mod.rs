//! Monte Carlo players, sparring partners and baselines for the contest player: tree search with random
//! games from the leaves, by one of two policies.

mod tree;

#[cfg(test)]
mod tests;

use crate::engine::clock::{Clock, Stopwatch};
use crate::engine::dialogue::{self, Report};
use crate::engine::rng::split_mix;
use crate::games::zuniq::game::{Game, CLAIM};
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use tree::Tree;
pub use tree::{Limits, Policy};

/// UCT: expected maximum length of a game, in plies. The time is divided evenly among the own moves up to this ply.
const EXPECTED_MAX_PLIES: usize = 41;
/// AMAF: the weights of moves in the division of the time, each from a ply on: most for the opening.
const TIME_WEIGHTS: [(usize, f64); 3] = [(0, 3.0), (12, 2.0), (24, 1.0)];
/// AMAF: the last ply in the division of the time.
const LAST_WEIGHED_PLY: usize = 33;

/// AMAF: maximum number of legal moves at which the rest of the game is searched exhaustively.
const MAX_EXACT_MOVES: u32 = 9;
/// AMAF: maximum number of positions of the exhaustive search.
const MAX_EXACT_POSITIONS: u32 = 500_000;

/// AMAF: first move of the game at which a win may be claimed.
const CLAIM_FROM_MOVE: usize = 19;
/// AMAF: minimum share of won simulations of the chosen move for a claim.
const CLAIM_VALUE: f32 = 0.67;

/// A move and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub segment: Segment,
    /// The share of its simulations that it won; 0 or 1 if it was searched to the end.
    value: f32,
    simulations: u64,
}

/// The player.
pub struct MonteCarlo {
    policy: Policy,
    game: Game,
    /// Simulations per move; `None` if the clock is the limit.
    simulations: Option<u64>,
    report: Report,
}

impl MonteCarlo {
    /// A player at the start of a game.
    pub fn new(policy: Policy, simulations: Option<u64>) -> MonteCarlo {
        MonteCarlo { policy, game: Game::new(), simulations, report: Report::default() }
    }

    fn limits(&self, clock: &Clock) -> Limits {
        let deadline = match self.simulations {
            Some(_) => None,
            None => {
                let allotment = clock.allot(self.policy.expected_own_moves(self.game.ply()));
                Some(Stopwatch::start().deadline(allotment.soft))
            }
        };
        Limits { deadline, simulations: self.simulations }
    }

    fn should_claim(&self, choice: Choice) -> bool {
        let is_new = self.game.claim(self.game.side()).is_none();
        let is_late = self.game.ply() + 1 >= CLAIM_FROM_MOVE;
        self.policy == Policy::Amaf && is_new && is_late && choice.value >= CLAIM_VALUE
    }
}

impl dialogue::Player for MonteCarlo {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn answer(&mut self, clock: &Clock) -> Option<String> {
        let choice = choose(self.policy, self.game.position(), self.limits(clock))?;
        let claimed = self.should_claim(choice);
        self.game.push(choice.segment, claimed);
        let mut answer = choice.segment.to_string();
        if claimed {
            answer.push(CLAIM);
        }
        let Choice { value, simulations, .. } = choice;
        let text = format!("{answer} {:.1} % after {simulations} simulations", value * 100.0);
        self.report = Report { text, ..Report::default() };
        Some(answer)
    }

    fn is_over(&self) -> bool {
        self.game.winner().is_some()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

impl Policy {
    /// The number of own moves that remain to be paid for, in moves of the weight at this ply.
    fn expected_own_moves(self, ply: usize) -> f64 {
        let weight = |ply: usize| {
            let last = TIME_WEIGHTS.iter().rev().find(|(from, _)| ply >= *from);
            last.map_or(1.0, |(_, weight)| *weight)
        };
        let expected = match self {
            Policy::Uct => (EXPECTED_MAX_PLIES.saturating_sub(ply) + 1) as f64 / 2.0,
            Policy::Amaf => {
                let ahead: f64 = (ply..=LAST_WEIGHED_PLY).step_by(2).map(weight).sum();
                ahead / weight(ply)
            }
        };
        expected.max(2.0)
    }
}

/// The move that a search chooses within the limits; by AMAF the one that wins by an exact search of the
/// rest, if that is small. The same position and number give the same move. `None` if there is no legal
/// move.
pub fn choose(policy: Policy, position: &Position, limits: Limits) -> Option<Choice> {
    let any = Segment::each(position.legal()).next()?;
    if policy == Policy::Amaf && position.legal().count_ones() <= MAX_EXACT_MOVES {
        let mut left = MAX_EXACT_POSITIONS;
        match winning_move(position, &mut left) {
            Some(Some(segment)) => return Some(Choice { segment, value: 1.0, simulations: 0 }),
            Some(None) => return Some(Choice { segment: any, value: 0.0, simulations: 0 }),
            None => {}
        }
    }
    let mut tree = Tree::new(policy, split_mix(position.gaps()));
    let simulations = tree.search(position, limits);
    tree.choice().map(|(segment, value)| Choice { segment, value, simulations })
}

/// A winning move by trying everything. The outer `Option` is `None` if more than `left` positions
/// would have to be searched, the inner one if all moves lose.
fn winning_move(position: &Position, left: &mut u32) -> Option<Option<Segment>> {
    for segment in Segment::each(position.legal()) {
        *left = left.checked_sub(1)?;
        if winning_move(&position.make(segment), left)?.is_none() {
            return Some(Some(segment));
        }
    }
    Some(None)
}
