//! The contest player: solves a position if it can, else searches it; claims wins that are proved or
//! nearly certain;
//! divides the time among the moves; and answers even after a panic.

use super::game::{bonus, Game, Side, CLAIM};
use super::network::Network;
use super::position::Position;
use super::segment::Segment;
use super::solver::{Limits, Solver, Verdict};
use super::tree::{self, Tree};
use crate::engine::cache_lines::megabytes_for;
use crate::engine::clock::{Clock, Deadline, Stopwatch};
use crate::engine::dialogue::{self, Report};
use crate::engine::sys::os::memory_left;
use std::ops::RangeInclusive;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// The default size of the solver's table, in MiB.
pub const DEFAULT_HASH_MB: usize = 128;

/// From this ply on, a move begins with the solver ...
const SOLVE_FROM_PLY: usize = 22;
/// ... which gets this part of the move's time.
const SOLVE_PART: f64 = 0.5;
/// The solver also tries to prove a move to which the search gives at least this value, since a claim
/// is worth a point more for every move that it comes earlier ...
const TRY_VALUE: f64 = 0.9;
/// ... in this part of the time that the search has ...
const TRY_PART: f64 = 0.85;
/// ... if this part of the move's time is at least so long, by the ply from which on that holds: less
/// would hardly ever suffice.
const MIN_TRY: [(usize, Duration); 2] =
    [(19, Duration::from_millis(3500)), (21, Duration::from_millis(1000))];

/// The weights of moves in the division of the time, each from a ply on.
type Weights = [(usize, f64)];
/// Up to this ply moves are weighed; later ones are solved in no time.
const LAST_WEIGHED_PLY: usize = 29;
/// In a game of at least this length Black, who is nearly always ahead, leaves most of the time for
/// proofs, and White, whose hope is an error of the other, searches until the solver takes over.
const LONG_GAME: Duration = Duration::from_secs(12);
const LONG_WHITE: &Weights =
    &[(0, 1.0), (6, 2.0), (12, 3.0), (20, 5.0), (24, 2.0), (26, 1.0), (28, 0.5)];
const LONG_BLACK: &Weights =
    &[(0, 0.6), (7, 1.0), (19, 9.0), (21, 8.0), (23, 3.0), (25, 1.0), (27, 0.5)];
const SHORT: &Weights = &[(0, 1.0), (6, 2.0), (14, 2.5), (23, 6.0), (27, 2.0)];
/// The moves that claim a win by its estimate, without a proof: the last ones that have the whole
/// bonus. A false claim costs 50 points, since the game is lost anyway, and waiting for the proof one
/// or two, so the win must be 96 to 98 % certain ...
const CLAIM_MOVES: RangeInclusive<usize> = 19..=20;
/// ... which it is from this value on: see the reliability table in docs/zuniq.md.
const CLAIM_VALUE: f64 = 0.9;

/// At most the reciprocal of this is spent of what is left.
const MIN_EXPECTED_MOVES: f64 = 2.0;
/// The part of a lost move's time for choosing the most difficult move.
const RESIST_PART: f64 = 0.5;
/// Where the address space is limited, the solver's table gets one part of so many of it ...
const TABLE_DIVISOR: u64 = 4;
/// ... and the tree one part of so many.
const TREE_DIVISOR: u64 = 2;
/// The maximum number of solver nodes for one reply to a lost move.
const RESIST_NODES: u64 = 20_000;

/// The move chosen, and what is known of it.
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
    /// The move.
    pub fn segment(self) -> Segment {
        match self {
            Choice::Won(segment) | Choice::Lost(segment) | Choice::Expected(segment, _) => segment,
        }
    }
}

/// The effort for a move.
#[derive(Clone, Copy, Debug)]
enum Effort {
    Time(Duration),
    Nodes(u64),
}

impl Effort {
    /// May the solver try to prove a won move at this ply? Not by nodes: a move has the same number
    /// for the search whatever the search finds.
    fn suffices_for_try(self, ply: usize) -> bool {
        match (self, at_ply(&MIN_TRY, ply)) {
            (Effort::Time(time), Some(min)) => time.mul_f64(TRY_PART) >= min,
            _ => false,
        }
    }

    /// The limits of a search that begins now and gets this part of the effort.
    fn limits(self, part: f64) -> Limits {
        match self {
            Effort::Time(time) => Limits {
                deadline: Some(Stopwatch::start().deadline(time.mul_f64(part))),
                nodes: None,
            },
            Effort::Nodes(nodes) => Limits { deadline: None, nodes: Some(nodes) },
        }
    }
}

/// A player of Zuniq.
pub struct Player {
    game: Game,
    hash_mb: usize,
    nodes: Option<u64>,
    network: Option<Arc<Network>>,
    /// Made at the first use, when the time of the game is known.
    engine: Option<Engine>,
    report: Report,
    last_choice: Option<Choice>,
}

/// The solver and the search tree, with what they keep between moves.
struct Engine {
    solver: Solver,
    tree: Tree,
}

impl Player {
    /// A player at the start of a game, with a solver's table of at most `hash_mb` MiB.
    pub fn new(hash_mb: usize) -> Player {
        Player {
            game: Game::new(),
            hash_mb,
            nodes: None,
            network: None,
            engine: None,
            report: Report::default(),
            last_choice: None,
        }
    }

    /// A player that searches every move for this many solver nodes and simulations, regardless of
    /// the clock: its games can be repeated exactly.
    pub fn with_nodes(self, nodes: u64) -> Player {
        Player { nodes: Some(nodes), ..self }
    }

    /// The player with this network instead of the built-in one.
    pub fn with_network(self, network: Arc<Network>) -> Player {
        Player { network: Some(network), ..self }
    }

    /// What it knew of its last answer.
    pub fn last_choice(&self) -> Option<Choice> {
        self.last_choice
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Takes back all moves after `ply`.
    pub fn go_back_to(&mut self, ply: usize) {
        while self.game.ply() > ply {
            self.game.pop();
        }
    }

    /// Chooses a move in the current position, without playing it. `None` if there is no legal
    /// move.
    pub fn think(&mut self, clock: &Clock) -> Option<Choice> {
        let position = self.game.position().clone();
        let any = Segment::each(position.legal()).next()?;
        let mut engine = self.take_engine(clock);
        let effort = match self.nodes {
            Some(nodes) => Effort::Nodes(nodes),
            None => {
                let expected = expected_own_moves(position.ply(), clock.budget());
                Effort::Time(clock.allot(expected).soft)
            }
        };
        match catch_unwind(AssertUnwindSafe(|| engine.think(&position, effort))) {
            Ok(choice) => {
                self.engine = Some(engine);
                choice
            }
            // The panic may have left the engine inconsistent: the next move makes a new one.
            Err(_) => Some(Choice::Expected(any, 0.0)),
        }
    }

    fn take_engine(&mut self, clock: &Clock) -> Engine {
        let hash_mb = megabytes_for(clock.budget(), self.hash_mb);
        self.engine.take().unwrap_or_else(|| {
            let network = self.network.clone().unwrap_or_else(Network::built_in);
            let mut tree = Tree::new(tree::Params::default(), network);
            let mut hash_mb = hash_mb;
            // An allocation that fails ends the process.
            if let Some(left) = memory_left() {
                hash_mb = hash_mb.min((left / TABLE_DIVISOR) as usize >> 20).max(1);
                tree = tree.with_memory(left / TREE_DIVISOR);
            }
            Engine { solver: Solver::new(hash_mb), tree }
        })
    }

    /// Should the next move claim a win? If it is proved, or so likely that waiting for the proof would
    /// cost more.
    fn should_claim(&self, choice: Choice) -> bool {
        let number = self.game.ply() + 1;
        if self.game.claim(self.game.side()).is_some() || bonus(number) <= 0.0 {
            return false;
        }
        match choice {
            Choice::Won(_) => true,
            Choice::Expected(_, value) => {
                // What few nodes say is not calibrated.
                self.nodes.is_none() && CLAIM_MOVES.contains(&number) && value >= CLAIM_VALUE
            }
            Choice::Lost(_) => false,
        }
    }
}

impl Engine {
    /// Chooses a move with about this effort. `None` if there is no legal move.
    fn think(&mut self, position: &Position, effort: Effort) -> Option<Choice> {
        let ply = position.ply();
        let mut search_part = 1.0;
        if ply >= SOLVE_FROM_PLY {
            if let Some(choice) = self.solve(position, effort, SOLVE_PART) {
                return Some(choice);
            }
            search_part -= SOLVE_PART;
        }
        if !effort.suffices_for_try(ply) {
            return self.search(position, effort, search_part);
        }
        let try_part = TRY_PART * search_part;
        match self.search(position, effort, search_part - try_part)? {
            found @ Choice::Expected(_, value) if value >= TRY_VALUE => {
                self.solve(position, effort, try_part).or(Some(found))
            }
            Choice::Expected(..) => self.search(position, effort, try_part),
            known => Some(known),
        }
    }

    /// Solves the position with this part of the effort. `None` if that does not suffice.
    fn solve(&mut self, position: &Position, effort: Effort, part: f64) -> Option<Choice> {
        match self.solver.solve(position, effort.limits(part))? {
            Verdict::Won(segment) => Some(Choice::Won(segment)),
            Verdict::Lost => self.resist(position, effort),
        }
    }

    /// Searches the position with this part of the effort. `None` if there is no legal move.
    fn search(&mut self, position: &Position, effort: Effort, part: f64) -> Option<Choice> {
        let Limits { deadline, nodes } = effort.limits(part);
        let simulations = nodes.unwrap_or(u64::MAX);
        let result = self.tree.search(position, &mut self.solver, deadline, simulations)?;
        match result.proved {
            true if result.value > 0.5 => Some(Choice::Won(result.best)),
            true => self.resist(position, effort),
            false => Some(Choice::Expected(result.best, result.value)),
        }
    }

    /// Chooses the move of a lost position after which the smallest fraction of replies wins.
    fn resist(&mut self, position: &Position, effort: Effort) -> Option<Choice> {
        let Limits { deadline, nodes } = effort.limits(RESIST_PART);
        let last_node = nodes.map(|nodes| self.solver.nodes() + nodes);
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

    /// The fraction of moves that do not win. The network evaluates a move that is not proved
    /// before the deadline or the solver's last node.
    fn failing_fraction(
        &mut self,
        position: &Position,
        deadline: Option<Deadline>,
        last_node: Option<u64>,
    ) -> f64 {
        let mut failing = 0.0;
        for reply in Segment::each(position.legal()) {
            let left = last_node.map_or(u64::MAX, |last| last.saturating_sub(self.solver.nodes()));
            let limits = Limits { deadline, nodes: Some(RESIST_NODES.min(left)) };
            let next = position.make(reply);
            failing += match self.solver.wins(&next, limits) {
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

    fn answer(&mut self, clock: &Clock) -> Option<String> {
        let started = Stopwatch::start();
        let choice = self.think(clock)?;
        let claimed = self.should_claim(choice);
        let mut text = choice.segment().to_string();
        if claimed {
            text.push(CLAIM);
        }
        self.game.push(choice.segment(), claimed);
        let line = report_line(self.game.ply(), &text, choice, started.elapsed());
        self.report = Report { text: line, ..Report::default() };
        self.last_choice = Some(choice);
        Some(text)
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

/// The entry for a ply in a list of what holds from a ply on.
fn at_ply<T: Copy>(list: &[(usize, T)], ply: usize) -> Option<T> {
    list.iter().rev().find(|(from, _)| ply >= *from).map(|&(_, entry)| entry)
}

/// The number of own moves that remain to be paid for, in moves of the weight at this ply, in a game
/// with this budget.
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
