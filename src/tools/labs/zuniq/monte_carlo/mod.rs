//! Monte Carlo players, as baselines and sparring players: tree search with random games from the leaves, with one of
//! two policies.

mod tree;

#[cfg(test)]
mod tests;

use crate::engine::clock::{Clock, Stopwatch};
use crate::engine::dialogue::{self, Answer, Report};
use crate::engine::rng::split_mix;
use crate::games::zuniq::game::{Game, CLAIM};
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use crate::tools::support::text::count_of;
use tree::Tree;
pub use tree::{Limits, Policy};

/// UCT: expected maximum length of a game, in plies. The time is divided equally among the player's moves up to this
/// ply.
const EXPECTED_MAX_PLIES: usize = 41;
/// AMAF: weights of moves for the time allotment, by first ply.
const TIME_WEIGHTS: [(usize, f64); 3] = [(0, 3.0), (12, 2.0), (24, 1.0)];
/// AMAF: last ply in the time allotment.
const LAST_WEIGHED_PLY: usize = 33;

/// AMAF: maximum number of legal moves at which the rest of the game is searched exhaustively.
const MAX_EXACT_MOVES: u32 = 9;
/// AMAF: maximum number of positions of the exhaustive search.
const MAX_EXACT_POSITIONS: u32 = 500_000;

/// AMAF: first move of the game at which a win may be claimed.
const CLAIM_FROM_MOVE: usize = 19;
/// AMAF: minimum fraction of won simulations of the chosen move for a claim.
const CLAIM_VALUE: f32 = 0.67;

/// A chosen move and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub segment: Segment,
    /// Fraction of won simulations; 0 or 1 if it was solved.
    value: f32,
    simulations: u64,
}

/// A Monte Carlo player.
pub struct MonteCarlo {
    policy: Policy,
    game: Game,
    /// Simulations per move, or `None` to use the clock.
    simulations: Option<u64>,
    report: Report,
}

impl MonteCarlo {
    /// Creates a player at the start of a game.
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

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        let choice = choose(self.policy, self.game.position(), self.limits(clock))?;
        let claimed = self.should_claim(choice);
        self.game.push(choice.segment, claimed);
        let mut answer = choice.segment.to_string();
        if claimed {
            answer.push(CLAIM);
        }
        let Choice { value, simulations, .. } = choice;
        let effort = count_of(simulations, "simulation");
        let text = format!("{answer} {:.1} % after {effort}", value * 100.0);
        self.report = Report { text, ..Report::default() };
        Some(answer.into())
    }

    fn is_over(&self) -> bool {
        self.game.winner().is_some()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

impl Policy {
    /// Returns the expected number of remaining own moves, in units of a move at this ply.
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

/// Chooses a move by a search within the limits. With AMAF, small positions are solved exactly. With a simulation
/// limit, the result is reproducible. Returns `None` if there is no legal move.
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

/// Finds a winning move by exhaustive search. The outer `Option` is `None` if the search needs more than `left`
/// positions; the inner one is `None` if all moves lose.
fn winning_move(position: &Position, left: &mut u32) -> Option<Option<Segment>> {
    for segment in Segment::each(position.legal()) {
        *left = left.checked_sub(1)?;
        if winning_move(&position.make(segment), left)?.is_none() {
            return Some(Some(segment));
        }
    }
    Some(None)
}
