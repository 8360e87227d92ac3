//! The contest player: solves a position if it can, else searches it; claims only proved wins;
//! divides the time among the moves; and answers even after a panic.

use super::game::{bonus, Game, CLAIM};
use super::network::Network;
use super::position::Position;
use super::segment::Segment;
use super::solver::{Limits, Solver, Verdict};
use super::tree::{self, Tree};
use super::CONTEST;
use crate::engine::clock::{Clock, Deadline, Stopwatch};
use crate::engine::dialogue::{self, Report};
use crate::engine::lines::megabytes_for;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// The default size of the solver's table, in MiB.
pub const DEFAULT_HASH_MB: usize = 128;

/// From this ply on, a move begins with the solver ...
const SOLVE_FROM_PLY: usize = 22;
/// ... which gets this part of the move's time.
const SOLVE_PART: f64 = 0.5;
/// The weights of moves in the division of the time, each from a ply on ...
const WEIGHTS: [(usize, f64); 5] = [(0, 1.0), (6, 2.0), (14, 2.5), (23, 6.0), (27, 2.0)];
/// ... up to this ply; later moves are solved in no time.
const LAST_WEIGHED_PLY: usize = 29;
/// The part of a lost move's time for choosing the most difficult move.
const RESIST_PART: f64 = 0.5;
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
    /// The limits of a search that begins now and gets this part of the effort.
    fn limits(self, part: f64) -> Limits {
        match self {
            Effort::Time(time) => Limits {
                deadline: Some(
                    Stopwatch::start(CONTEST.time.measure()).deadline(time.mul_f64(part)),
                ),
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
            None => Effort::Time(clock.allot(expected_own_moves(position.ply())).soft),
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
            let tree = Tree::new(tree::Params::default(), network);
            Engine { solver: Solver::new(hash_mb), tree }
        })
    }

    /// Should the next move claim a win? Only if the win is proved: a false claim costs 50 points
    /// even in a game that is lost anyway, and waiting for a proof costs one point per move, so an
    /// estimate would have to be right in 98 % of the games for every move that the proof is away.
    fn should_claim(&self, choice: Choice) -> bool {
        let number = self.game.ply() + 1;
        let is_new = self.game.claim(self.game.side()).is_none();
        is_new && bonus(number) > 0.0 && matches!(choice, Choice::Won(_))
    }
}

impl Engine {
    /// Chooses a move with about this effort. `None` if there is no legal move.
    fn think(&mut self, position: &Position, effort: Effort) -> Option<Choice> {
        let mut search_part = 1.0;
        if position.ply() >= SOLVE_FROM_PLY {
            search_part -= SOLVE_PART;
            match self.solver.solve(position, effort.limits(SOLVE_PART)) {
                Some(Verdict::Won(segment)) => return Some(Choice::Won(segment)),
                Some(Verdict::Lost) => return self.resist(position, effort),
                None => {}
            }
        }
        let Limits { deadline, nodes } = effort.limits(search_part);
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
        let started = clock.stopwatch();
        let choice = self.think(clock)?;
        let claimed = self.should_claim(choice);
        let mut text = choice.segment().to_string();
        if claimed {
            text.push(CLAIM);
        }
        self.game.push(choice.segment(), claimed);
        let line = report_line(self.game.ply(), &text, choice, started.elapsed());
        self.report = Report { text: line, ..Report::default() };
        Some(text)
    }

    fn is_over(&self) -> bool {
        self.game.winner().is_some()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

/// The weight of a move at this ply.
fn weight(ply: usize) -> f64 {
    WEIGHTS.iter().rev().find(|(from, _)| ply >= *from).map_or(1.0, |(_, weight)| *weight)
}

/// The number of own moves that remain to be paid for, in moves of the weight at this ply.
fn expected_own_moves(ply: usize) -> f64 {
    let ahead: f64 = (ply..=LAST_WEIGHED_PLY).step_by(2).map(weight).sum();
    (ahead / weight(ply)).max(2.0)
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
