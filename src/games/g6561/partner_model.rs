//! The partner model: a belief over a few policies, inferred from the partner's moves.
//!
//! Each policy values the moves of a position and chooses among them by a softmax with a temperature, so the partner
//! only has to resemble one of the policies. After each of the partner's moves ([`PartnerModel::observe`]) the
//! probability of each policy is multiplied by the probability that it gave the move, and a fraction of the belief
//! returns to the prior, so that a change of the partner's policy is detected within a rhythm or two (fixed-share
//! expert tracking, M. Herbster, M. Warmuth, 1998). The belief decides which colour we build
//! ([`PartnerModel::choose_main`]) and which replies our search expects ([`PartnerModel::replies`]). The assumptions
//! about each policy are in one table, [`Policy::traits`].

use super::board::{Board, Colour, Direction, Piece};
use super::game::{Game, Move, Position, Turn, MAX_PLIES, RHYTHM};
use super::search::{tidiness, Aim, Choice, ReplyModel, Search};
use super::slides::Slides;
use super::value::{MAIN, POINTS_PER_UNIT};
use crate::engine::rng::Rng;
use std::sync::Arc;
use Colour::{Blue, Gray, Red};

/// A policy by which a partner may value its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// All moves equally.
    Random,
    /// The sum after the move.
    Greedy,
    /// The fewest pieces after the move, then the sum.
    Tidy,
    /// The mean result of random games.
    MonteCarlo,
    /// Expectimax for one colour, one ply deep.
    Shallow(Colour),
    /// Expectimax for one colour, several plies deep, with a partner who moves at random.
    Deep(Colour),
    /// Like `Deep`, for the colour with the highest sum at the start of each rhythm.
    Leading,
    /// Expectimax for one colour, with a partner who builds it too, like the contest player.
    Cooperative(Colour),
}

/// Assumptions of the model about a policy.
struct Traits {
    /// Relative prior probability, above 0.
    prior: f32,
    /// Temperatures of the softmax by which it chooses its moves, in points, above 0.
    temperatures: [f32; TEMPERATURES],
    /// How well it replies for our main colour if it builds no other one: 1 like our best reply, 0 like a random one.
    skill: f32,
}

impl Policy {
    /// Returns the traits of the policy. The priors of random movers and Monte Carlo players are high, so that the
    /// learned value is used from the first move: with 4 and 1, one to two more units were lost with them in the first
    /// 140 plies.
    const fn traits(self) -> Traits {
        let (prior, temperatures, skill) = match self {
            Policy::Random => (10.0, HIGH_TEMPERATURES, 0.0),
            Policy::Greedy => (0.5, LOW_TEMPERATURES, 0.0),
            Policy::Tidy => (0.5, LOW_TEMPERATURES, 0.0),
            Policy::MonteCarlo => (5.0, LOW_TEMPERATURES, 0.45),
            Policy::Shallow(_) => (0.3, HIGH_TEMPERATURES, 0.7),
            Policy::Deep(_) => (1.0, HIGH_TEMPERATURES, 0.95),
            Policy::Leading => (1.0, HIGH_TEMPERATURES, 0.95),
            Policy::Cooperative(_) => (0.7, HIGH_TEMPERATURES, 0.95),
        };
        Traits { prior, temperatures, skill }
    }

    /// Returns the colour that the policy builds if `leading` has the highest sum, or `None` if it builds no colour.
    const fn built_colour(self, leading: Colour) -> Option<Colour> {
        match self {
            Policy::Random | Policy::Greedy | Policy::Tidy | Policy::MonteCarlo => None,
            Policy::Shallow(kept) | Policy::Deep(kept) | Policy::Cooperative(kept) => Some(kept),
            Policy::Leading => Some(leading),
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
    Policy::Leading,
    Policy::Cooperative(Blue),
    Policy::Cooperative(Red),
    Policy::Cooperative(Gray),
];

/// Number of temperatures of a policy.
const TEMPERATURES: usize = 2;
/// Temperatures of the policies that compare sums, in points.
const LOW_TEMPERATURES: [f32; TEMPERATURES] = [0.3, 2.0];
/// Temperatures of the policies that value the rest of the game, in points. A lost piece is worth 15 points: with a
/// higher temperature a policy would hardly differ from a random mover.
const HIGH_TEMPERATURES: [f32; TEMPERATURES] = [0.5, 7.0];
/// How well a partner who builds another colour replies for ours, 0 to 1; see [`Traits::skill`].
const SKILL_FOR_OTHERS: f32 = 0.2;
/// Fraction of the future units of a colour that survives with a partner who builds another one, 0 to 1.
const SURVIVAL_BESIDE_BUILDER: f32 = 0.4;
/// Probability that a policy makes its best move, by temperature.
const CERTAINTIES: [f32; TEMPERATURES] = [1.0, 0.8];
/// Fraction of the belief that returns to the prior after every move.
const FIXED_SHARE: f32 = 0.005;
/// Probability that a move is random, whatever the policy.
const NOISE: f32 = 0.02;
/// Depth of the deep policies, in plies.
const DEEP_DEPTH: usize = 3;
/// Depth of the cooperative policies, in plies.
const COOPERATIVE_DEPTH: usize = 2;
/// Trust of a cooperative policy in its partner: the weight of the best reply.
const COOPERATIVE_TRUST: f32 = 0.6;
/// Minimum weight of a policy in the replies; smaller ones are not worth the search time.
const MIN_WEIGHT: f32 = 0.02;
/// Minimum probability that the partner builds our colour for its moves to be predicted.
const MIN_BUILDER_PROBABILITY: f32 = 0.5;
/// Fraction of a builder's moves that are predicted.
const PREDICTED_WEIGHT: f32 = 0.5;
/// Probability that the partner builds no colour above which the favourite is built. Changing the main colour costs
/// units, so another colour needs evidence.
const MAX_NON_BUILDER: f32 = 0.45;
/// Number of random games per turn, shared among its moves.
const PLAYOUTS: usize = 400;
/// Length of a random game, in plies.
const PLAYOUT_PLIES: usize = 30;
/// Advantage that another colour needs to become the main colour, in points.
const HYSTERESIS: f32 = 100.0;
/// Fraction of the future units of [`MAIN`] that survives with a partner who builds nothing.
const MAIN_SURVIVAL: f32 = 0.8;
/// Fraction of the future units of another colour that survives with a partner who builds nothing.
const OTHER_SURVIVAL: f32 = 0.74;
/// Advantage that another colour needs to become the main colour if the players are unknown, in units.
const UNITS_AHEAD: u32 = 8;

/// Probability of each policy at each temperature; the sum is 1.
type Belief = [[f32; TEMPERATURES]; POLICIES.len()];

/// The model of the partner.
#[derive(Clone)]
pub struct PartnerModel {
    belief: Belief,
    main: Colour,
    /// The colour to build with a partner who builds nothing.
    favourite: Colour,
    /// The colour of the leading-colour policy, and the rhythm in which it was chosen.
    leading: (Colour, usize),
    rng: Rng,
    slides: Arc<Slides>,
}

/// Returns the prior belief.
fn prior() -> Belief {
    let total: f32 = POLICIES.iter().map(|policy| policy.traits().prior).sum();
    POLICIES.map(|policy| [policy.traits().prior / total / TEMPERATURES as f32; TEMPERATURES])
}

impl PartnerModel {
    /// Creates a model with the prior belief.
    pub fn new() -> PartnerModel {
        PartnerModel {
            belief: prior(),
            main: MAIN,
            favourite: MAIN,
            leading: (Blue, 0),
            rng: Rng::new(0),
            slides: Slides::shared(),
        }
    }

    /// Creates a model of a partner who followed the stored game, then left it and almost certainly moves at random.
    /// The largest red and gray pieces of the stored game are equal and destroy each other, so blue is built.
    pub fn untrusted() -> PartnerModel {
        let mut partner = PartnerModel { main: Blue, favourite: Blue, ..PartnerModel::new() };
        for (weights, &policy) in partner.belief.iter_mut().zip(&POLICIES) {
            let factor = if policy == Policy::Random { 1.0 - FIXED_SHARE } else { FIXED_SHARE };
            weights.iter_mut().for_each(|weight| *weight *= factor);
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

    /// Returns the main colour, which the player builds.
    pub fn main(&self) -> Colour {
        self.main
    }

    /// Returns the probability of a policy at each temperature.
    fn weights(&self, policy: Policy) -> [f32; TEMPERATURES] {
        let mut all = self.belief.iter().zip(&POLICIES);
        all.find(|(_, &one)| one == policy).map_or([0.0; TEMPERATURES], |(&weights, _)| weights)
    }

    /// Returns the probability of a policy.
    pub fn belief(&self, policy: Policy) -> f32 {
        self.weights(policy).iter().sum()
    }

    /// Updates the belief with the partner's move, the last one of the game. Returns the probability that the model
    /// gave the move, or `None` if there was no choice. If `is_hurried`, policies search one ply deep and without
    /// random games.
    pub fn observe(&mut self, game: &Game, search: &mut Search, is_hurried: bool) -> Option<f32> {
        let (before, mv) = game.last_move()?;
        let moves = before.moves();
        let made = match moves.iter().position(|&one| one == mv) {
            Some(made) if moves.len() > 1 => made,
            _ => return None,
        };
        let uniform = 1.0 / moves.len() as f32;
        let mut likelihood = 0.0;
        let values = self.values(before, &moves, search, is_hurried);
        for ((weights, values), policy) in self.belief.iter_mut().zip(&values).zip(&POLICIES) {
            for (weight, &temperature) in weights.iter_mut().zip(&policy.traits().temperatures) {
                *weight *= NOISE * uniform + (1.0 - NOISE) * softmax(values, made, temperature);
                likelihood += *weight;
            }
        }
        self.normalise();
        for (weight, prior) in self.belief.iter_mut().flatten().zip(prior().iter().flatten()) {
            *weight = (1.0 - FIXED_SHARE) * *weight + FIXED_SHARE * prior;
        }
        Some(likelihood)
    }

    /// Returns the value of each move by each policy.
    fn values(
        &mut self,
        before: Position,
        moves: &[Move],
        search: &mut Search,
        is_hurried: bool,
    ) -> Vec<Vec<f32>> {
        let (deep, ours) = if is_hurried { (1, 1) } else { (DEEP_DEPTH, COOPERATIVE_DEPTH) };
        self.update_leading(before);
        let after: Vec<Position> = moves.iter().filter_map(|&mv| before.after(mv).ok()).collect();
        let of_choices = |choices: Vec<Choice>| -> Vec<f32> {
            choices.iter().map(|choice| choice.value).collect()
        };
        let mut values: Vec<Vec<f32>> = Vec::with_capacity(POLICIES.len());
        for policy in POLICIES.iter().copied() {
            let mut all = |colour: Colour, trust: f32, depth: usize| {
                let aim = Aim::new(colour, ReplyModel::trusting(trust));
                of_choices(search.rank_at(depth, before, &aim).unwrap_or_default())
            };
            let of_policy = match policy {
                Policy::Random => vec![0.0; after.len()],
                Policy::MonteCarlo if is_hurried => vec![0.0; after.len()],
                Policy::Greedy => after.iter().map(|one| one.board.sum() as f32).collect(),
                Policy::Tidy => after.iter().map(|one| tidiness(one.board) as f32).collect(),
                Policy::MonteCarlo => self.monte_carlo(&after),
                Policy::Shallow(colour) => all(colour, 0.0, 1),
                Policy::Deep(colour) => all(colour, 0.0, deep),
                Policy::Leading => {
                    let is_it = |&one: &Policy| one == Policy::Deep(self.leading.0);
                    // The deep policies are valued before this one.
                    POLICIES.iter().position(is_it).map_or(Vec::new(), |deep| values[deep].clone())
                }
                Policy::Cooperative(colour) => all(colour, COOPERATIVE_TRUST, ours),
            };
            values.push(of_policy);
        }
        values
    }

    /// Chooses the colour with the highest sum at the start of a rhythm, or keeps the old colour in a tie.
    fn update_leading(&mut self, position: Position) {
        let rhythm = position.ply / RHYTHM;
        if rhythm != self.leading.1 {
            self.leading = (leading_colour(position.board, self.leading.0), rhythm);
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

    /// Plays a random game of limited length and returns its highest plus its last sum.
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

    /// Returns the fraction of a colour's future units that survives with a partner of this policy. `leading` is the
    /// colour with the highest sum.
    fn survival(policy: Policy, colour: Colour, leading: Colour) -> f32 {
        match policy.built_colour(leading) {
            Some(built) if built == colour => 1.0,
            Some(_) => SURVIVAL_BESIDE_BUILDER,
            None if colour == MAIN => MAIN_SURVIVAL,
            None => OTHER_SURVIVAL,
        }
    }

    /// Returns how well a partner of this policy replies for our main colour; see [`Traits::skill`].
    fn skill(&self, policy: Policy) -> f32 {
        match policy.built_colour(self.leading.0) {
            Some(built) if built != self.main => SKILL_FOR_OTHERS,
            _ => policy.traits().skill,
        }
    }

    /// Returns the probability that the partner builds no colour.
    pub fn non_builder_probability(&self) -> f32 {
        let is_builder = |policy: Policy| policy.built_colour(self.main).is_some();
        let non_builders = POLICIES.iter().filter(|&&policy| !is_builder(policy));
        non_builders.map(|&policy| self.belief(policy)).sum()
    }

    /// Returns the probability that the partner follows this policy and makes its best move.
    fn best_move_probability(&self, policy: Policy) -> f32 {
        let weights = self.weights(policy);
        weights.iter().zip(&CERTAINTIES).map(|(weight, certainty)| weight * certainty).sum()
    }

    /// Returns the model of the partner's replies for a search.
    pub fn replies(&self) -> ReplyModel {
        let best = POLICIES
            .iter()
            .map(|&policy| self.best_move_probability(policy) * self.skill(policy))
            .sum();
        let [greedy, tidy] = [Policy::Greedy, Policy::Tidy].map(|policy| {
            let weight = self.best_move_probability(policy);
            if weight < MIN_WEIGHT {
                0.0
            } else {
                weight
            }
        });
        ReplyModel { best, greedy, tidy, predicted: 0.0 }
    }

    /// Returns the model of the partner's replies near the end of a game: predicts the moves of a partner who builds
    /// our colour.
    pub fn late_replies(&self) -> ReplyModel {
        let builders = POLICIES
            .iter()
            .filter(|&&policy| policy.built_colour(self.leading.0) == Some(self.main));
        let builder: f32 = builders.map(|&policy| self.best_move_probability(policy)).sum();
        if builder < MIN_BUILDER_PROBABILITY {
            return self.replies();
        }
        self.replies().with_predicted(PREDICTED_WEIGHT * builder)
    }

    /// Chooses the main colour in the current position.
    pub fn choose_main(&mut self, position: Position, search: &mut Search) {
        self.main = if self.non_builder_probability() > MAX_NON_BUILDER {
            self.main_alone(position)
        } else {
            self.main_together(position, search)
        };
    }

    /// Returns the main colour with a partner who builds nothing: the favourite, unless another colour will have more
    /// units at the end.
    fn main_alone(&self, position: Position) -> Colour {
        let expected_loss = (MAIN_SURVIVAL - OTHER_SURVIVAL) * rhythms_to_come(position);
        main_ahead(position.board, self.favourite, expected_loss as u32)
    }

    /// Returns the main colour with a partner who may build a colour: the one with the highest expected score, from a
    /// search for each colour and from the expected survival of its future units.
    fn main_together(&self, position: Position, search: &mut Search) -> Colour {
        let greatest = leading_colour(position.board, self.main);
        let mut promise = |colour: Colour| {
            let survives = |&policy: &Policy| {
                self.belief(policy) * PartnerModel::survival(policy, colour, greatest)
            };
            let survival: f32 = POLICIES.iter().map(survives).sum();
            let aim = Aim::new(colour, ReplyModel::RANDOM);
            let now = search.rank_at(1, position, &aim).unwrap_or_default();
            let now = now.iter().map(|choice| choice.value).fold(f32::NEG_INFINITY, f32::max);
            now + survival * rhythms_to_come(position) * POINTS_PER_UNIT
        };
        let mut best = (self.main, promise(self.main) + HYSTERESIS);
        for colour in Colour::ALL.iter().copied() {
            let promised = promise(colour);
            if promised > best.1 {
                best = (colour, promised);
            }
        }
        best.0
    }
}

/// Returns the number of rhythms to come, in each of which one piece of each colour is placed.
fn rhythms_to_come(position: Position) -> f32 {
    ((MAX_PLIES - position.ply) / RHYTHM) as f32
}

/// Returns the colour with clearly the most units, or else `main`.
pub fn main_by_units(board: Board, main: Colour) -> Colour {
    main_ahead(board, main, UNITS_AHEAD)
}

/// Returns the colour with the most units if it has over `ahead` more than `main`, or else `main`.
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

/// Returns the colour with the highest sum. In a tie, `preferred` wins, or else the first colour.
pub fn leading_colour(board: Board, preferred: Colour) -> Colour {
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

/// Returns the softmax probability of the value with index `made` (Boltzmann distribution).
fn softmax(values: &[f32], made: usize, temperature: f32) -> f32 {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |value: f32| ((value - most) / temperature).exp();
    let total: f32 = values.iter().map(|&value| weight(value)).sum();
    values.get(made).map_or(0.0, |&value| weight(value) / total)
}

impl Default for PartnerModel {
    fn default() -> PartnerModel {
        PartnerModel::new()
    }
}

#[cfg(test)]
mod tests;
