//! What is known of the partner: a belief over a handful of policies, by the moves that it made.
//!
//! Each policy values the moves of a position; how it chooses among them is told by a temperature, so
//! that a partner need not be one of them to be known by the one it resembles. The belief is that of
//! tracking the best expert with a fixed share (M. Herbster, M. Warmuth, 1998): a part of it always
//! goes back to the prior, so that a partner who changes is found out within a rhythm or two.

use super::board::{Board, Colour, Direction, Piece};
use super::game::{Game, Move, Position, Turn, MAX_PLIES, RHYTHM};
use super::search::{tidiness, Choice, Replies, Roles, Search};
use super::slides::Slides;
use super::value::POINTS_PER_UNIT;
use crate::engine::rng::Rng;
use std::sync::Arc;
use Colour::{Blue, Gray, Red};

/// How a partner may value its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// All alike.
    Random,
    /// The sum right after the move.
    Greedy,
    /// The fewest pieces right after the move, then the sum.
    Tidy,
    /// The mean of random games.
    MonteCarlo,
    /// Expectimax for one colour, one ply deep.
    Shallow(Colour),
    /// The same some plies deeper, over a partner who moves at random.
    Deep(Colour),
    /// The same for the colour of the greatest sum, chosen afresh in every rhythm.
    Afresh,
    /// For one colour with a partner who plays for it, too, as we do.
    Ours(Colour),
}

impl Policy {
    fn temperatures(self) -> [f32; 3] {
        match self {
            Policy::Greedy | Policy::Tidy | Policy::MonteCarlo => COOL,
            _ => WARM,
        }
    }
}

/// All policies.
pub const POLICIES: [Policy; 14] = [
    Policy::Random,
    Policy::Greedy,
    Policy::Tidy,
    Policy::MonteCarlo,
    Policy::Shallow(Blue),
    Policy::Shallow(Red),
    Policy::Shallow(Gray),
    Policy::Deep(Blue),
    Policy::Deep(Red),
    Policy::Deep(Gray),
    Policy::Afresh,
    Policy::Ours(Blue),
    Policy::Ours(Red),
    Policy::Ours(Gray),
];

/// The temperatures of a policy, in points: of those that look at a few points of the sum, and of those
/// that value what is to come.
const COOL: [f32; 3] = [0.3, 1.0, 3.0];
const WARM: [f32; 3] = [0.5, 4.0, 20.0];
/// What a temperature leaves of a policy's skill.
const CERTAINTIES: [f32; WARM.len()] = [1.0, 0.85, 0.6];
/// The part of the belief that goes back to the prior after every move.
const SHARE: f32 = 0.005;
/// The part of any move that is a whim.
const WHIM: f32 = 0.02;
/// The depths of the deep policies and of ours, in plies.
const DEEP: usize = 3;
const OURS: usize = 2;
/// What we are taken to expect of our partner.
const OURS_TRUST: f32 = 0.6;
/// A smaller part of a policy is not worth the time of the search.
const MIN_PART: f32 = 0.02;
/// A partner who is less likely to build our colour is not foreseen.
const MIN_BUILDER: f32 = 0.5;
/// The part of a builder's moves that are foreseen.
const FORESEEN: f32 = 0.5;
/// Random games of a move, shared among its choices, and their length in plies.
const PLAYOUTS: usize = 400;
const PLAYOUT_PLIES: usize = 30;
/// Another main colour must promise so many points more.
const HYSTERESIS: f32 = 100.0;
/// With a partner who builds nothing it must have so many units more: what the board is arranged for is
/// worth more then.
const UNITS_AHEAD_ALONE: u32 = 30;
/// So many units more make another colour the main one where nothing is known of the players.
const UNITS_AHEAD: u32 = 8;

/// The belief in each policy at each temperature; all parts add up to 1.
type Belief = [[f32; WARM.len()]; POLICIES.len()];

/// What is known of the partner.
#[derive(Clone)]
pub struct Partner {
    belief: Belief,
    main: Colour,
    /// The colour of the policy that chooses it afresh, and the rhythm of its choice.
    afresh: (Colour, usize),
    rng: Rng,
    slides: Arc<Slides>,
}

/// How likely a policy is before any move, against the others.
fn prior_weight(policy: Policy) -> f32 {
    match policy {
        Policy::Random => 4.0,
        Policy::Greedy | Policy::Tidy => 0.5,
        Policy::MonteCarlo => 1.0,
        Policy::Shallow(_) => 0.3,
        Policy::Deep(_) => 1.0,
        Policy::Afresh => 1.0,
        Policy::Ours(_) => 0.7,
    }
}

/// The belief before any move.
fn prior() -> Belief {
    let total: f32 = POLICIES.iter().map(|&policy| prior_weight(policy)).sum();
    POLICIES.map(|policy| [prior_weight(policy) / total / WARM.len() as f32; WARM.len()])
}

impl Partner {
    /// A partner of whom nothing is known.
    pub fn new() -> Partner {
        Partner {
            belief: prior(),
            main: Blue,
            afresh: (Blue, 0),
            rng: Rng::new(0),
            slides: Slides::shared(),
        }
    }

    /// A partner who is taken for a random mover.
    pub fn untrusted() -> Partner {
        let mut partner = Partner::new();
        for (weights, &policy) in partner.belief.iter_mut().zip(&POLICIES) {
            let part = if policy == Policy::Random { 1.0 - SHARE } else { SHARE };
            weights.iter_mut().for_each(|weight| *weight *= part);
        }
        partner.normalise();
        partner
    }

    fn normalise(&mut self) {
        let total: f32 = self.belief.iter().flatten().sum();
        if total > 0.0 {
            self.belief.iter_mut().flatten().for_each(|weight| *weight /= total);
        }
    }

    /// The colour to keep.
    pub fn main(&self) -> Colour {
        self.main
    }

    /// The belief in a policy at each temperature.
    fn weights(&self, policy: Policy) -> [f32; WARM.len()] {
        let mut all = self.belief.iter().zip(&POLICIES);
        all.find(|(_, &one)| one == policy).map_or([0.0; WARM.len()], |(&weights, _)| weights)
    }

    /// How likely a policy is.
    pub fn belief(&self, policy: Policy) -> f32 {
        self.weights(policy).iter().sum()
    }

    /// Learns from the partner's move, the last one of the game. Returns how likely it was held before;
    /// `None` where there was no choice. In a hurry it is looked at one ply deep, without random games.
    pub fn observe(&mut self, game: &Game, search: &mut Search, is_hurried: bool) -> Option<f32> {
        let mv = *game.moves().last()?;
        let before = game.position_after(game.ply() - 1);
        let moves = before.moves();
        let made = match moves.iter().position(|&one| one == mv) {
            Some(made) if moves.len() > 1 => made,
            _ => return None,
        };
        let uniform = 1.0 / moves.len() as f32;
        let mut likelihood = 0.0;
        let values = self.values(before, &moves, search, is_hurried);
        for ((weights, values), policy) in self.belief.iter_mut().zip(&values).zip(&POLICIES) {
            for (weight, &temperature) in weights.iter_mut().zip(&policy.temperatures()) {
                *weight *= WHIM * uniform + (1.0 - WHIM) * chance(values, made, temperature);
                likelihood += *weight;
            }
        }
        self.normalise();
        for (weight, prior) in self.belief.iter_mut().flatten().zip(prior().iter().flatten()) {
            *weight = (1.0 - SHARE) * *weight + SHARE * prior;
        }
        Some(likelihood)
    }

    /// What each policy holds of each move.
    fn values(
        &mut self,
        before: Position,
        moves: &[Move],
        search: &mut Search,
        is_hurried: bool,
    ) -> Vec<Vec<f32>> {
        let (deep, ours) = if is_hurried { (1, 1) } else { (DEEP, OURS) };
        self.choose_afresh(before);
        let after: Vec<Position> = moves.iter().filter_map(|&mv| before.after(mv).ok()).collect();
        let of_choices = |choices: Vec<Choice>| -> Vec<f32> {
            choices.iter().map(|choice| choice.value).collect()
        };
        let mut values: Vec<Vec<f32>> = Vec::with_capacity(POLICIES.len());
        for policy in POLICIES.iter().copied() {
            let mut all = |colour: Colour, trust: f32, depth: usize| {
                let replies = Replies::trusting(trust);
                of_choices(
                    search
                        .rank_at(depth, before, Roles::of_main(colour), replies)
                        .unwrap_or_default(),
                )
            };
            let of_policy = match policy {
                Policy::Random => vec![0.0; after.len()],
                Policy::MonteCarlo if is_hurried => vec![0.0; after.len()],
                Policy::Greedy => after.iter().map(|one| one.board.sum() as f32).collect(),
                Policy::Tidy => after.iter().map(|one| tidiness(one.board) as f32).collect(),
                Policy::MonteCarlo => self.monte_carlo(&after),
                Policy::Shallow(colour) => all(colour, 0.0, 1),
                Policy::Deep(colour) => all(colour, 0.0, deep),
                Policy::Afresh => {
                    let is_it = |&one: &Policy| one == Policy::Deep(self.afresh.0);
                    // The deep policies come first.
                    POLICIES.iter().position(is_it).map_or(Vec::new(), |deep| values[deep].clone())
                }
                Policy::Ours(colour) => all(colour, OURS_TRUST, ours),
            };
            values.push(of_policy);
        }
        values
    }

    /// The colour of the greatest sum at the beginning of the rhythm; of equal ones the old one.
    fn choose_afresh(&mut self, position: Position) {
        let rhythm = position.ply / RHYTHM;
        if rhythm != self.afresh.1 {
            self.afresh = (greatest_colour(position.board, self.afresh.0), rhythm);
        }
    }

    fn monte_carlo(&mut self, after: &[Position]) -> Vec<f32> {
        let each = (PLAYOUTS / after.len().max(1)).max(1);
        let mut means = Vec::with_capacity(after.len());
        for &position in after {
            let sum: f32 = (0..each).map(|_| self.playout(position)).sum();
            means.push(sum / each as f32);
        }
        means
    }

    /// The greatest and the last sum of a random game that goes on for some plies.
    fn playout(&mut self, position: Position) -> f32 {
        let Position { mut board, ply } = position;
        let mut best = board.sum();
        let end = MAX_PLIES.min(ply + PLAYOUT_PLIES);
        for ply in ply..end {
            match Turn::after(ply) {
                Turn::Place(colour) => {
                    let empty = board.count_empty() as usize;
                    let square = board.empty_squares().nth(self.rng.below(empty));
                    board = match square {
                        Some(square) => board.with(square, Piece { colour, exponent: 0 }),
                        None => break,
                    };
                }
                Turn::Slide => {
                    let before = board;
                    let first = self.rng.below(4);
                    for turn in 0..4 {
                        let direction = Direction::ALL[(first + turn) % 4];
                        board = self.slides.slid(before, direction);
                        if board != before {
                            break;
                        }
                    }
                    if board == before {
                        break;
                    }
                    best = best.max(board.sum());
                }
            }
        }
        (best + board.sum()) as f32
    }

    /// The part of a colour's units still to come that a partner of this policy lets survive.
    fn survival(policy: Policy, colour: Colour, greatest: Colour) -> f32 {
        match policy {
            Policy::Random => 0.75,
            Policy::Greedy | Policy::Tidy => 0.8,
            Policy::MonteCarlo => 0.85,
            Policy::Shallow(kept) | Policy::Deep(kept) | Policy::Ours(kept) => {
                if kept == colour {
                    1.0
                } else {
                    0.4
                }
            }
            Policy::Afresh if colour == greatest => 1.0,
            Policy::Afresh => 0.4,
        }
    }

    /// How well a partner of this policy replies, by our measure, with the main colour that we have.
    fn skill(&self, policy: Policy) -> f32 {
        match policy {
            Policy::Random | Policy::Greedy | Policy::Tidy => 0.0,
            Policy::MonteCarlo => 0.45,
            Policy::Shallow(kept) if kept == self.main => 0.7,
            Policy::Deep(kept) | Policy::Ours(kept) if kept == self.main => 0.95,
            Policy::Afresh if self.afresh.0 == self.main => 0.95,
            _ => 0.2,
        }
    }

    /// The colour that a partner of this policy builds now; `None` where it builds none.
    fn kept(&self, policy: Policy) -> Option<Colour> {
        match policy {
            Policy::Shallow(kept) | Policy::Deep(kept) | Policy::Ours(kept) => Some(kept),
            Policy::Afresh => Some(self.afresh.0),
            _ => None,
        }
    }

    /// How likely it is that the partner builds nothing.
    pub fn carelessness(&self) -> f32 {
        let careless = [Policy::Random, Policy::Greedy, Policy::Tidy];
        careless.iter().map(|&policy| self.belief(policy)).sum()
    }

    /// How likely the partner's next move is one that this policy holds for the best.
    fn part(&self, policy: Policy) -> f32 {
        let weights = self.weights(policy);
        weights.iter().zip(&CERTAINTIES).map(|(weight, certainty)| weight * certainty).sum()
    }

    /// What is to be expected of the partner's turns.
    pub fn replies(&self) -> Replies {
        let best = POLICIES.iter().map(|&policy| self.part(policy) * self.skill(policy)).sum();
        let [greedy, tidy] = [Policy::Greedy, Policy::Tidy].map(|policy| {
            let part = self.part(policy);
            if part < MIN_PART {
                0.0
            } else {
                part
            }
        });
        Replies { best, greedy, tidy, foreseen: 0.0 }
    }

    /// The same near the end of a game: the moves of a partner who builds our colour are foreseen.
    pub fn late_replies(&self) -> Replies {
        let builders = POLICIES.iter().filter(|&&policy| self.kept(policy) == Some(self.main));
        let builder: f32 = builders.map(|&policy| self.part(policy)).sum();
        if builder < MIN_BUILDER {
            return self.replies();
        }
        self.replies().foreseeing(FORESEEN * builder)
    }

    /// Chooses the colour to keep with a partner who builds nothing: this one, unless another one has
    /// clearly more units.
    pub fn choose_main_alone(&mut self, board: Board, preferred: Colour) {
        self.main = main_ahead(board, preferred, UNITS_AHEAD_ALONE);
    }

    /// Chooses the colour to keep in the present position: the one of which most is expected, by a
    /// search for each and by what the partner is believed to let survive.
    pub fn choose_main(&mut self, game: &Game, search: &mut Search) {
        let position = game.position();
        let greatest = greatest_colour(position.board, self.main);
        let to_come = ((MAX_PLIES - game.ply()) / RHYTHM) as f32;
        let mut promise = |colour: Colour| {
            let survives = |&policy: &Policy| {
                self.belief(policy) * Partner::survival(policy, colour, greatest)
            };
            let survival: f32 = POLICIES.iter().map(survives).sum();
            let now = search
                .rank_at(1, position, Roles::of_main(colour), Replies::RANDOM)
                .unwrap_or_default();
            let now = now.iter().map(|choice| choice.value).fold(f32::NEG_INFINITY, f32::max);
            now + survival * to_come * POINTS_PER_UNIT
        };
        let mut best = (self.main, promise(self.main) + HYSTERESIS);
        for colour in Colour::ALL.iter().copied() {
            let promised = promise(colour);
            if promised > best.1 {
                best = (colour, promised);
            }
        }
        self.main = best.0;
    }
}

/// The colour with clearly the most units, or else this one.
pub fn main_by_units(board: Board, main: Colour) -> Colour {
    main_ahead(board, main, UNITS_AHEAD)
}

/// The colour with the most units, if it has so many more than this one, or else this one.
fn main_ahead(board: Board, main: Colour, ahead: u32) -> Colour {
    let mut best = (main, board.units(main) + ahead);
    for colour in Colour::ALL.iter().copied() {
        let units = board.units(colour);
        if units > best.1 {
            best = (colour, units);
        }
    }
    best.0
}

/// The colour of the greatest sum; of equal ones this one, else the first.
pub fn greatest_colour(board: Board, preferred: Colour) -> Colour {
    let sum = |colour: Colour| -> u32 {
        let own = board.pieces().filter(|piece| piece.colour == colour);
        own.map(Piece::value).sum()
    };
    let mut greatest = (preferred, sum(preferred));
    for colour in Colour::ALL.iter().copied() {
        if sum(colour) > greatest.1 {
            greatest = (colour, sum(colour));
        }
    }
    greatest.0
}

/// The probability of a choice among these values (Boltzmann's distribution).
fn chance(values: &[f32], made: usize, temperature: f32) -> f32 {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |value: f32| ((value - most) / temperature).exp();
    let total: f32 = values.iter().map(|&value| weight(value)).sum();
    values.get(made).map_or(0.0, |&value| weight(value) / total)
}

impl Default for Partner {
    fn default() -> Partner {
        Partner::new()
    }
}

#[cfg(test)]
mod tests;
