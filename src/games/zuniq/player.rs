//! The contest player: solves positions if possible and searches them otherwise, claims wins that are proved or nearly
//! certain, allots the time, and answers even after a panic.

use super::game::{bonus, parse_move, Game, Side, CLAIM};
use super::network::Network;
use super::position::Position;
use super::segment::Segment;
use super::solver::{Solver, Verdict};
use super::tree::{self, Tree};
use crate::engine::budget::Budget;
use crate::engine::cache_lines::megabytes_for;
use crate::engine::clock::{Clock, Deadline, Stopwatch};
use crate::engine::dialogue::{self, Answer, Report};
use crate::engine::guarded;
use crate::engine::sys::os::memory_left;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

/// Default size of the solver's table, in MiB.
pub const DEFAULT_HASH_MB: usize = 128;

/// From this ply on, the solver is tried before the search.
const SOLVE_FROM_PLY: usize = 22;
/// Fraction of the move's time for the solver if it is tried before the search.
const SOLVE_FRACTION: f64 = 0.5;
/// Minimum value of a move for which the solver also tries to prove a win after the search, since a claim is worth one
/// point more for each move that it is made earlier.
const MIN_PROOF_VALUE: f64 = 0.9;
/// Fraction of the search's time that is reserved for this proof.
const PROOF_FRACTION: f64 = 0.85;
/// Minimum time for the proof, by first ply: less time would rarely suffice.
const MIN_PROOF_TIME: [(usize, Duration); 2] =
    [(19, Duration::from_millis(3500)), (21, Duration::from_millis(1000))];

/// Weights of moves for the time allotment, by first ply.
type Weights = [(usize, f64)];
/// Last ply with a weight. Later positions are solved almost instantly.
const LAST_WEIGHED_PLY: usize = 29;
/// Minimum time per game for separate weights by side. Black, who is nearly always ahead, keeps most of the time for
/// proofs. White, who depends on an error of the opponent, searches until the solver takes over.
const LONG_GAME: Duration = Duration::from_secs(12);
/// Weights of White's moves in games of at least [`LONG_GAME`].
const LONG_WHITE: &Weights =
    &[(0, 1.0), (6, 2.0), (12, 3.0), (20, 5.0), (24, 2.0), (26, 1.0), (28, 0.5)];
/// Weights of Black's moves in games of at least [`LONG_GAME`].
const LONG_BLACK: &Weights =
    &[(0, 0.6), (7, 1.0), (19, 9.0), (21, 8.0), (23, 3.0), (25, 1.0), (27, 0.5)];
/// Weights of both sides' moves in shorter games.
const SHORT: &Weights = &[(0, 1.0), (6, 2.0), (14, 2.5), (23, 6.0), (27, 2.0)];
/// Moves at which a win may be claimed without a proof: the last ones with the full bonus. A false claim costs 50
/// points (the points of the loser). It breaks even at 83 % against no claim at all, and at 96 to 98 % against waiting
/// for the proof, which costs one or two points.
const CLAIM_MOVES: RangeInclusive<usize> = 19..=20;
/// Minimum value of such a claim, at which wins are certain enough: see the reliability table in docs/zuniq.md.
const CLAIM_VALUE: f64 = 0.9;

/// Lower bound of the expected number of own moves, which limits the fraction of the remaining time spent on one move
/// to its reciprocal.
const MIN_EXPECTED_MOVES: f64 = 2.0;
/// Fraction of the move's time for choosing the most difficult move of a lost position.
const RESIST_FRACTION: f64 = 0.5;
/// Upper bound of the solver's table if the address space is limited, as a divisor of the free memory.
const TABLE_DIVISOR: u64 = 4;
/// Upper bound of the tree if the address space is limited, as a divisor of the free memory.
const TREE_DIVISOR: u64 = 2;
/// Maximum number of solver nodes per reply when the position is lost.
const RESIST_NODES: u64 = 20_000;

/// The chosen move with its result or value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// Proved to win.
    Won(Segment),
    /// Every move is proved to lose.
    Lost(Segment),
    /// The move wins with this estimated probability.
    Expected(Segment, f64),
}

impl Choice {
    /// Returns the move.
    pub fn segment(self) -> Segment {
        match self {
            Choice::Won(segment) | Choice::Lost(segment) | Choice::Expected(segment, _) => segment,
        }
    }
}

/// The effort for a move: a time or a node limit.
#[derive(Clone, Copy, Debug)]
enum Effort {
    Time(Duration),
    Nodes(u64),
}

impl Effort {
    /// Whether there is enough time for the solver to prove a win at this ply. False with a node limit: the search
    /// always gets all nodes then, whatever it finds.
    fn suffices_for_proof(self, ply: usize) -> bool {
        match (self, at_ply(&MIN_PROOF_TIME, ply)) {
            (Effort::Time(time), Some(min)) => time.mul_f64(PROOF_FRACTION) >= min,
            _ => false,
        }
    }

    /// Returns the budget of a search that starts now and gets this fraction of the effort.
    fn budget(self, fraction: f64) -> Budget {
        match self {
            Effort::Time(time) => {
                Budget::new(None, Some(Stopwatch::start().deadline(time.mul_f64(fraction))))
            }
            Effort::Nodes(nodes) => Budget::new(Some(nodes), None),
        }
    }
}

/// A player of Zuniq.
pub struct Player {
    game: Game,
    hash_mb: usize,
    nodes: Option<u64>,
    network: Option<Arc<Network>>,
    tree: tree::Params,
    /// Created on first use, when the time control is known.
    engine: Option<Engine>,
    report: Report,
    last_choice: Option<Choice>,
    /// Before the last disputed move: walls that were legal then are preferred.
    expected: Option<Position>,
    /// Whether the judge has disagreed with our rules. Then a proof is worth little, so no win is claimed.
    is_disputed: bool,
}

/// The solver and the search tree, which keep their state between moves.
struct Engine {
    solver: Solver,
    tree: Tree,
}

/// The contest player at the start of a game.
impl Default for Player {
    fn default() -> Player {
        Player::new(DEFAULT_HASH_MB)
    }
}

impl Player {
    /// Creates a player at the start of a game. The solver's table has at most `hash_mb` MiB.
    pub fn new(hash_mb: usize) -> Player {
        Player {
            game: Game::new(),
            hash_mb,
            nodes: None,
            network: None,
            tree: tree::Params::default(),
            engine: None,
            report: Report::default(),
            last_choice: None,
            expected: None,
            is_disputed: false,
        }
    }

    /// Limits each move to `nodes` solver nodes and simulations and ignores the clock, so that games are reproducible.
    pub fn with_nodes(self, nodes: u64) -> Player {
        Player { nodes: Some(nodes), ..self }
    }

    /// Replaces the built-in network.
    pub fn with_network(self, network: Arc<Network>) -> Player {
        Player { network: Some(network), ..self }
    }

    /// Replaces the parameters of the search tree.
    pub fn with_tree(self, tree: tree::Params) -> Player {
        Player { tree, ..self }
    }

    /// Returns the last move played by [`answer`](dialogue::Player::answer).
    pub fn last_choice(&self) -> Option<Choice> {
        self.last_choice
    }

    /// Returns the game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Chooses a move in the current position without playing it. Returns `None` if there is no legal move.
    pub fn think(&mut self, clock: &Clock) -> Option<Choice> {
        self.think_about(self.game.position().clone(), clock)
    }

    /// Chooses a move in a position.
    fn think_about(&mut self, position: Position, clock: &Clock) -> Option<Choice> {
        let any = Segment::each(position.legal()).next()?;
        let mut engine = self.take_engine(clock);
        let effort = match self.nodes {
            Some(nodes) => Effort::Nodes(nodes),
            None => {
                let expected = expected_own_moves(position.ply(), clock.budget());
                Effort::Time(clock.allot(expected).soft)
            }
        };
        match guarded(|| engine.think(&position, effort)) {
            Some(choice) => {
                self.engine = Some(engine);
                choice
            }
            // The panic may have left the engine inconsistent, so the next move creates a new one.
            None => Some(Choice::Expected(any, 0.0)),
        }
    }

    fn take_engine(&mut self, clock: &Clock) -> Engine {
        let hash_mb = megabytes_for(clock.budget(), self.hash_mb);
        self.engine.take().unwrap_or_else(|| {
            let network = self.network.clone().unwrap_or_else(Network::built_in);
            let mut tree = Tree::new(self.tree, network);
            let mut hash_mb = hash_mb;
            // A failed allocation would end the process.
            if let Some(left) = memory_left() {
                hash_mb = hash_mb.min((left / TABLE_DIVISOR) as usize >> 20).max(1);
                tree = tree.with_memory(left / TREE_DIVISOR);
            }
            Engine { solver: Solver::new(hash_mb), tree }
        })
    }

    /// Whether the next move should claim a win: it is proved, or so likely that waiting for the proof would cost more
    /// than the risk.
    fn should_claim(&self, choice: Choice) -> bool {
        let number = self.game.ply() + 1;
        let has_claimed = self.game.claim(self.game.side()).is_some();
        if self.is_disputed || has_claimed || bonus(number) <= 0.0 {
            return false;
        }
        match choice {
            Choice::Won(_) => true,
            Choice::Expected(_, value) => {
                // With a node limit, values are not calibrated.
                self.nodes.is_none() && CLAIM_MOVES.contains(&number) && value >= CLAIM_VALUE
            }
            Choice::Lost(_) => false,
        }
    }
}

impl Engine {
    /// Chooses a move with about this effort. Returns `None` if there is no legal move.
    fn think(&mut self, position: &Position, effort: Effort) -> Option<Choice> {
        let ply = position.ply();
        let mut search_fraction = 1.0;
        if ply >= SOLVE_FROM_PLY {
            if let Some(choice) = self.solve(position, effort, SOLVE_FRACTION) {
                return Some(choice);
            }
            search_fraction -= SOLVE_FRACTION;
        }
        if !effort.suffices_for_proof(ply) {
            return self.search(position, effort, search_fraction);
        }
        let proof_fraction = PROOF_FRACTION * search_fraction;
        match self.search(position, effort, search_fraction - proof_fraction)? {
            found @ Choice::Expected(_, value) if value >= MIN_PROOF_VALUE => {
                self.solve(position, effort, proof_fraction).or(Some(found))
            }
            Choice::Expected(..) => self.search(position, effort, proof_fraction),
            known => Some(known),
        }
    }

    /// Solves the position with this fraction of the effort. Returns `None` if that does not suffice.
    fn solve(&mut self, position: &Position, effort: Effort, fraction: f64) -> Option<Choice> {
        match self.solver.solve(position, effort.budget(fraction))? {
            Verdict::Won(segment) => Some(Choice::Won(segment)),
            Verdict::Lost => self.resist(position, effort),
        }
    }

    /// Searches the position with this fraction of the effort. Returns `None` if there is no legal move.
    fn search(&mut self, position: &Position, effort: Effort, fraction: f64) -> Option<Choice> {
        let budget = effort.budget(fraction);
        let (deadline, simulations) = (budget.deadline(), budget.nodes_left());
        let result = self.tree.search(position, &mut self.solver, deadline, simulations)?;
        match result.proved {
            true if result.value > 0.5 => Some(Choice::Won(result.best)),
            true => self.resist(position, effort),
            false => Some(Choice::Expected(result.best, result.value)),
        }
    }

    /// Chooses a move in a lost position: the one after which the smallest fraction of replies wins.
    fn resist(&mut self, position: &Position, effort: Effort) -> Option<Choice> {
        let budget = effort.budget(RESIST_FRACTION);
        let deadline = budget.deadline();
        let last_node = self.solver.nodes().saturating_add(budget.nodes_left());
        let mut best = None;
        let mut max_failing = -1.0;
        for segment in Segment::each(position.legal()) {
            let failing = self.failing_fraction(&position.make(segment), deadline, last_node);
            if failing > max_failing {
                max_failing = failing;
                best = Some(segment);
            }
        }
        best.map(Choice::Lost)
    }

    /// Returns the fraction of moves that do not win. A move that is not proved before the deadline or the node limit
    /// is evaluated by the network.
    fn failing_fraction(
        &mut self,
        position: &Position,
        deadline: Option<Deadline>,
        last_node: u64,
    ) -> f64 {
        let mut failing = 0.0;
        for reply in Segment::each(position.legal()) {
            let left = last_node.saturating_sub(self.solver.nodes());
            let budget = Budget::new(Some(RESIST_NODES.min(left)), deadline);
            let next = position.make(reply);
            failing += match self.solver.wins(&next, budget) {
                Some(true) => 1.0,
                Some(false) => 0.0,
                None => f64::from(self.tree.network().win_probability(&next)),
            };
        }
        failing / f64::from(position.legal().count_ones().max(1))
    }
}

impl dialogue::Player for Player {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    /// An unknown move leaves the position unchanged: it does not depend on the side to move.
    fn force(&mut self, text: Option<&str>) -> bool {
        let segment = match text.map(parse_move) {
            Some(Ok((segment, _))) => Some(segment),
            Some(Err(_)) => return false,
            None => None,
        };
        self.expected = Some(self.game.position().clone());
        self.is_disputed = true;
        segment.into_iter().for_each(|segment| self.game.force(segment));
        true
    }

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        let started = Stopwatch::start();
        let mut choice = self.think(clock)?;
        if let Some(expected) = self.expected.take() {
            if !expected.is_legal(choice.segment()) {
                let other = self.think_about(expected, clock);
                let is_legal = |other: &Choice| self.game.position().is_legal(other.segment());
                choice = other.filter(is_legal).unwrap_or(choice);
            }
        }
        let claimed = self.should_claim(choice);
        let mut text = choice.segment().to_string();
        if claimed {
            text.push(CLAIM);
        }
        self.game.push(choice.segment(), claimed);
        let line = report_line(self.game.ply(), &text, choice, started.elapsed());
        self.report = Report { text: line, ..Report::default() };
        self.last_choice = Some(choice);
        Some(text.into())
    }

    fn is_over(&self) -> bool {
        self.game.winner().is_some()
    }

    fn prepare(&mut self, clock: &Clock) {
        self.engine = Some(self.take_engine(clock));
    }

    fn is_limited_by_clock(&self) -> bool {
        self.nodes.is_none()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

/// Returns the entry for a ply in a list by first ply.
fn at_ply<T: Copy>(list: &[(usize, T)], ply: usize) -> Option<T> {
    list.iter().rev().find(|(from, _)| ply >= *from).map(|&(_, entry)| entry)
}

/// Returns the expected number of remaining own moves, in units of a move at this ply, for a game with this time
/// budget.
fn expected_own_moves(ply: usize, budget: Duration) -> f64 {
    let weights = match Side::to_move_after(ply) {
        _ if budget < LONG_GAME => SHORT,
        Side::White => LONG_WHITE,
        Side::Black => LONG_BLACK,
    };
    let weight = |ply| at_ply(weights, ply).unwrap_or(1.0);
    let ahead: f64 = (ply..=LAST_WEIGHED_PLY).step_by(2).map(weight).sum();
    (ahead / weight(ply)).max(MIN_EXPECTED_MOVES)
}

fn report_line(number: usize, text: &str, choice: Choice, time: Duration) -> String {
    let state = match choice {
        Choice::Won(_) => "won".to_string(),
        Choice::Lost(_) => "lost".to_string(),
        Choice::Expected(_, value) => format!("{:.1} %", value * 100.0),
    };
    format!("move {} {} {} time {:.2}", number, text, state, time.as_secs_f64())
}

#[cfg(test)]
mod tests;
