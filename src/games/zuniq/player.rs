//! The contest player: solves what can be solved, searches what can't, claims what is sure, divides
//! the clock, and answers whatever happens.

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

/// From this ply on a move begins with the solver ...
const SOLVE_FROM_PLY: usize = 22;
/// ... which gets this part of the move's time.
const SOLVE_PART: f64 = 0.5;
/// What the moves up to the solver's reach weigh when the clock is divided: from this ply on ...
const WEIGHTS: [(usize, f64); 5] = [(0, 1.0), (6, 2.0), (14, 2.5), (23, 6.0), (27, 2.0)];
/// ... and up to this one; later ones are solved in no time.
const LAST_WEIGHED_PLY: usize = 29;
/// The part of the move's time that goes into choosing the most difficult of lost moves.
const RESIST_PART: f64 = 0.5;
/// How many solver nodes one reply to a lost move is worth finding out.
const RESIST_NODES: u64 = 20_000;

/// How a move was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// Proved to win.
    Won(Segment),
    /// Every move is proved to lose.
    Lost(Segment),
    /// The search expects it to win with this probability.
    Expected(Segment, f64),
}

impl Found {
    /// The move.
    pub fn segment(self) -> Segment {
        match self {
            Found::Won(segment) | Found::Lost(segment) | Found::Expected(segment, _) => segment,
        }
    }
}

/// How much to think about a move.
#[derive(Clone, Copy, Debug)]
enum Effort {
    Time(Duration),
    Nodes(u64),
}

impl Effort {
    /// The limits of something that begins now and gets this part of the effort.
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
    /// Made at the first use, when the budget is known.
    mind: Option<Mind>,
    report: Report,
}

/// What thinks: the solver and the search, with all they know.
struct Mind {
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
            mind: None,
            report: Report::default(),
        }
    }

    /// The player that thinks about every move for so many solver nodes and as many simulations,
    /// whatever the clock says: its games can be repeated exactly.
    pub fn with_nodes(self, nodes: u64) -> Player {
        Player { nodes: Some(nodes), ..self }
    }

    /// The player that judges by this network instead of the built-in one.
    pub fn with_network(self, network: Arc<Network>) -> Player {
        Player { network: Some(network), ..self }
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Goes back to the game after so many moves, or stays where there are no more.
    pub fn go_back_to(&mut self, ply: usize) {
        while self.game.ply() > ply {
            self.game.pop();
        }
    }

    /// Thinks about the present position, without playing. `None` where there is no move.
    pub fn think(&mut self, clock: &Clock) -> Option<Found> {
        let position = self.game.position().clone();
        let any = Segment::each(position.legal()).next()?;
        let mut mind = self.take_mind(clock);
        let effort = match self.nodes {
            Some(nodes) => Effort::Nodes(nodes),
            None => Effort::Time(clock.allot(expected_own_moves(position.ply())).soft),
        };
        match catch_unwind(AssertUnwindSafe(|| mind.think(&position, effort))) {
            Ok(found) => {
                self.mind = Some(mind);
                found
            }
            // The mind may be in pieces: the next move makes a new one.
            Err(_) => Some(Found::Expected(any, 0.0)),
        }
    }

    fn take_mind(&mut self, clock: &Clock) -> Mind {
        let hash_mb = megabytes_for(clock.budget(), self.hash_mb);
        self.mind.take().unwrap_or_else(|| {
            let network = self.network.clone().unwrap_or_else(Network::built_in);
            let tree = Tree::new(tree::Params::default(), network);
            Mind { solver: Solver::new(hash_mb), tree }
        })
    }

    /// Is it worth claiming to win with the next move? Only when that is proved: a false claim costs
    /// 50 points even in a game that is lost anyway, and waiting for the proof one point a move, so an
    /// estimate would have to be right in 98 % of the games for every move that the proof is away.
    fn claims(&self, found: Found) -> bool {
        let number = self.game.ply() + 1;
        let is_new = self.game.claim(self.game.side()).is_none();
        is_new && bonus(number) > 0.0 && matches!(found, Found::Won(_))
    }
}

impl Mind {
    /// Finds a move with about this effort. `None` where there is none.
    fn think(&mut self, position: &Position, effort: Effort) -> Option<Found> {
        let mut search_part = 1.0;
        if position.ply() >= SOLVE_FROM_PLY {
            search_part -= SOLVE_PART;
            match self.solver.solve(position, effort.limits(SOLVE_PART)) {
                Some(Verdict::Won(segment)) => return Some(Found::Won(segment)),
                Some(Verdict::Lost) => return self.resist(position, effort),
                None => {}
            }
        }
        let Limits { deadline, nodes } = effort.limits(search_part);
        let simulations = nodes.unwrap_or(u64::MAX);
        let estimate = self.tree.search(position, &mut self.solver, deadline, simulations)?;
        match estimate.proved {
            true if estimate.value > 0.5 => Some(Found::Won(estimate.best)),
            true => self.resist(position, effort),
            false => Some(Found::Expected(estimate.best, estimate.value)),
        }
    }

    /// The move of a lost position after which the fewest replies win.
    fn resist(&mut self, position: &Position, effort: Effort) -> Option<Found> {
        let Limits { deadline, nodes } = effort.limits(RESIST_PART);
        let last_node = nodes.map(|nodes| self.solver.nodes() + nodes);
        let mut best = None;
        let mut most = -1.0;
        for segment in Segment::each(position.legal()) {
            let failing = self.failing_part(&position.make(segment), deadline, last_node);
            if failing > most {
                most = failing;
                best = Some(segment);
            }
        }
        best.map(Found::Lost)
    }

    /// The part of the moves that do not win; the network judges one that is not settled by the deadline
    /// or the solver's last node.
    fn failing_part(
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
        let found = self.think(clock)?;
        let claimed = self.claims(found);
        let mut text = found.segment().to_string();
        if claimed {
            text.push(CLAIM);
        }
        self.game.push(found.segment(), claimed);
        let line = report_line(self.game.ply(), &text, found, started.elapsed());
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

/// What moves at a ply weigh.
fn weight(ply: usize) -> f64 {
    WEIGHTS.iter().rev().find(|(from, _)| ply >= *from).map_or(1.0, |(_, weight)| *weight)
}

/// The own moves that are still to be paid for, in moves as expensive as the one at this ply.
fn expected_own_moves(ply: usize) -> f64 {
    let ahead: f64 = (ply..=LAST_WEIGHED_PLY).step_by(2).map(weight).sum();
    (ahead / weight(ply)).max(2.0)
}

fn report_line(number: usize, text: &str, found: Found, time: Duration) -> String {
    let view = match found {
        Found::Won(_) => "won".to_string(),
        Found::Lost(_) => "lost".to_string(),
        Found::Expected(_, value) => format!("{:.1} %", value * 100.0),
    };
    format!("move {} {} {} time {:.2}", number, text, view, time.as_secs_f64())
}

#[cfg(test)]
mod tests;
