//! The contest player: follows the stored game as long as its partner does. After that it models the partner, chooses
//! the main colour, searches and allots the time. It answers even after a panic.

use super::board::Board;
use super::game::{Game, Move, MAX_PLIES};
use super::network::{distinguishes_pieces, Network};
use super::partner_model::PartnerModel;
use super::plan::Plan;
use super::search::{Aim, Choice, Evaluation, Limits, Search};
use crate::engine::clock::{Clock, Stopwatch};
use crate::engine::dialogue::{self, Answer, Report};
use crate::engine::guarded;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

/// Number of own moves per line of the log, since judges keep only 10,000 characters.
const MOVES_PER_LINE: usize = 20;
/// Probability that the partner builds no colour above which the learned value is used, until the probability is below
/// [`NON_BUILDER_EXIT`]. The two values prefer different boards, so switching is costly.
const NON_BUILDER_ENTER: f32 = 0.6;
/// Probability that the partner builds no colour below which the hand-made value is used again; see
/// [`NON_BUILDER_ENTER`].
const NON_BUILDER_EXIT: f32 = 0.02;
/// First ply at which the values of pieces count beside their units, since pieces that are not merged by the end are
/// lost.
const LATE_VALUE_FROM_PLY: usize = 920;
/// First ply at which the moves of a partner who builds our colour are predicted.
const PREDICT_FROM_PLY: usize = 860;
/// Penalty per earlier occurrence of a board at the same turn, in points.
const REPETITION_PENALTY: f32 = 10.0;
/// Only own moves within this distance of the best one are searched deeper, in points. It is about one unit.
const ROOT_MARGIN: f32 = 15.0;
/// Number of plies of the stored game after which the partner must be a copy of this player.
const MIN_FOLLOWED: usize = 12;
/// Minimum time per move for observing the partner's moves with deep policies.
const MIN_OBSERVATION_TIME: Duration = Duration::from_millis(4);
/// Minimum nodes per move for observing the partner's moves with deep policies.
const MIN_OBSERVATION_NODES: u64 = 2000;
/// Minimum time per game for the learned value: unpacking the network and filling its tables take up to 0.6 s.
const MIN_BUDGET_FOR_TABLES: Duration = Duration::from_secs(3);
/// Fraction of the allotted time that a move uses; the rest is a reserve.
const TIME_FRACTION: f64 = 0.85;

/// A player of 6561.
pub struct Player {
    game: Game,
    nodes: Option<u64>,
    depth: Option<usize>,
    /// The game to follow, or `None` to search every move.
    plan: Option<Arc<Plan>>,
    /// The learned value, or `None` for the built-in one.
    network: Option<Arc<Network>>,
    /// Created on first use and after a panic.
    engine: Option<Engine>,
    is_verbose: bool,
    report: Report,
    /// After a disputed move, the game without it.
    expected: Option<Game>,
}

/// The search and its state between moves.
struct Engine {
    search: Search,
    partner: PartnerModel,
    /// The learned value, if the time budget allows to unpack it.
    network: Option<Arc<Network>>,
    /// The value for the end of a game.
    late: Evaluation,
    /// The number of moves of the game that were observed.
    observed_plies: usize,
    /// Whether the partner is believed to build no colour.
    is_partner_careless: bool,
    /// Whether the partner followed the stored game and then left it.
    was_copy: bool,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchResult {
    /// The move and its value.
    pub choice: Choice,
    /// The completed depth of the search, in plies.
    pub depth: usize,
    /// The trust in the partner: the weight of its best reply.
    pub trust: f32,
    /// Whether this is a move of the stored game, without a search.
    pub is_planned: bool,
}

/// The contest player at the start of a game.
impl Default for Player {
    fn default() -> Player {
        Player {
            game: Game::new(),
            nodes: None,
            depth: None,
            plan: Some(Plan::shared()),
            network: None,
            engine: None,
            is_verbose: false,
            report: Report::default(),
            expected: None,
        }
    }
}

impl Player {
    /// Limits each move to `nodes` nodes and ignores the clock, so that games are reproducible.
    pub fn with_nodes(self, nodes: u64) -> Player {
        Player { nodes: Some(nodes), ..self }
    }

    /// Limits the search depth, in plies.
    pub fn with_depth(self, depth: usize) -> Player {
        Player { depth: Some(depth), ..self }
    }

    /// Disables the stored game.
    pub fn without_plan(self) -> Player {
        Player { plan: None, ..self }
    }

    /// Replaces the built-in network for careless partners.
    pub fn with_network(self, network: Arc<Network>) -> Player {
        Player { network: Some(network), ..self }
    }

    /// Reports every move instead of one in [`MOVES_PER_LINE`].
    pub fn verbose(self) -> Player {
        Player { is_verbose: true, ..self }
    }

    /// Returns the game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Chooses a move in the current position without playing it. Returns `None` if there is no legal move.
    pub fn think(&mut self, clock: &Clock) -> Option<SearchResult> {
        let any = *self.game.position().moves().first()?;
        if let Some(mv) = self.plan.as_ref().and_then(|plan| plan.next(&self.game)) {
            return Some(SearchResult { is_planned: true, ..SearchResult::unsearched(mv) });
        }
        // Creating the engine reads the network, so do it before the deadline of the move is set.
        let mut engine = self.engine.take().unwrap_or_else(|| self.new_engine(clock));
        let (limits, is_hurried) = (self.limits(clock), self.is_hurried(clock));
        let game = &self.game;
        match guarded(|| engine.think(game, limits, is_hurried)) {
            Some(found) => {
                self.engine = Some(engine);
                found
            }
            // The panic may have left the engine inconsistent, so the next move creates a new one.
            None => Some(SearchResult::unsearched(any)),
        }
    }

    /// Creates the engine. A copy of this player never leaves the stored game. If the partner left it late, the copy
    /// has failed, and the judge makes random moves in its place.
    fn new_engine(&self, clock: &Clock) -> Engine {
        let followed = self.plan.as_ref().map_or(0, |plan| plan.followed(&self.game));
        let network = self.learned_value(clock);
        let was_copy = followed >= MIN_FOLLOWED;
        let partner = if was_copy { PartnerModel::untrusted() } else { PartnerModel::new() };
        Engine::new(partner, was_copy, network)
    }

    /// Returns the learned value, if the time budget allows to unpack it.
    fn learned_value(&self, clock: &Clock) -> Option<Arc<Network>> {
        let is_affordable = self.nodes.is_some() || clock.budget() >= MIN_BUDGET_FOR_TABLES;
        self.network.clone().or_else(|| is_affordable.then(Network::built_in))
    }

    /// Whether there is too little time to observe the partner's moves with deep policies.
    fn is_hurried(&self, clock: &Clock) -> bool {
        match self.nodes {
            Some(nodes) => nodes < MIN_OBSERVATION_NODES,
            None => self.time_of_move(clock) < MIN_OBSERVATION_TIME,
        }
    }

    fn time_of_move(&self, clock: &Clock) -> Duration {
        let own_moves = (MAX_PLIES - self.game.ply() + 1) / 2;
        clock.allot(own_moves as f64).soft.mul_f64(TIME_FRACTION)
    }

    fn limits(&self, clock: &Clock) -> Limits {
        let deadline = match self.nodes {
            Some(_) => None,
            None => Some(Stopwatch::start().deadline(self.time_of_move(clock))),
        };
        Limits { depth: self.depth, nodes: self.nodes, deadline, margin: Some(ROOT_MARGIN) }
    }

    /// After a disputed move, returns a move that is also legal in the `expected` game, if the best one there is legal
    /// in the current position. Otherwise returns `found`.
    fn think_in_both(
        &mut self,
        expected: Game,
        found: SearchResult,
        clock: &Clock,
    ) -> SearchResult {
        if expected.position().after(found.choice.mv).is_ok() {
            return found;
        }
        let game = mem::replace(&mut self.game, expected);
        let other = self.think(clock);
        self.game = game;
        let is_legal = |other: &SearchResult| self.game.position().after(other.choice.mv).is_ok();
        other.filter(is_legal).unwrap_or(found)
    }

    fn report_line(&self, mv: Move, found: SearchResult, time: Duration) -> String {
        let ply = self.game.ply();
        if !self.is_verbose && (ply + 1) / 2 % MOVES_PER_LINE != 0 {
            return String::new();
        }
        if found.is_planned {
            return format!("{} {} from the stored game, score {}", ply, mv, self.game.score());
        }
        format!(
            "{} {} {:.0} of {} depth {} trust {:.2} {:.2} s",
            ply,
            mv,
            found.choice.value,
            self.game.score(),
            found.depth,
            found.trust,
            time.as_secs_f64()
        )
    }
}

impl SearchResult {
    /// Creates the result of a move without a search.
    fn unsearched(mv: Move) -> SearchResult {
        SearchResult { choice: Choice { mv, value: 0.0 }, depth: 0, trust: 0.0, is_planned: false }
    }
}

impl Engine {
    fn new(partner: PartnerModel, was_copy: bool, network: Option<Arc<Network>>) -> Engine {
        let search = Search::new();
        Engine {
            search,
            partner,
            network,
            late: Evaluation::late(),
            observed_plies: 0,
            is_partner_careless: was_copy,
            was_copy,
        }
    }

    /// Chooses a move. Returns `None` if there is no legal move.
    fn think(&mut self, game: &Game, limits: Limits, is_hurried: bool) -> Option<SearchResult> {
        let ply = game.ply();
        // The last move is the partner's, except in an analysis that continues after our own turn.
        if ply > self.observed_plies {
            self.partner.observe(game, &mut self.search, is_hurried);
            self.observed_plies = ply + 1;
        }
        self.judge_partner();
        self.partner.choose_main(game.position(), &mut self.search);
        let (evaluation, replies) = if self.is_partner_careless {
            (self.learned_for(game.position().board), self.partner.replies())
        } else {
            let replies = if ply >= PREDICT_FROM_PLY {
                self.partner.late_replies()
            } else {
                self.partner.replies()
            };
            ((ply >= LATE_VALUE_FROM_PLY).then(|| self.late.clone()), replies)
        };
        let evaluation = evaluation.unwrap_or_else(Evaluation::hand_made);
        let aim = Aim { main: self.partner.main(), replies, evaluation };
        let (choice, depth) = self.search(game, &aim, limits)?;
        Some(SearchResult { choice, depth, trust: replies.best, is_planned: false })
    }

    /// Searches for the best move and returns it with the depth. Repeated boards are penalised, because two players who
    /// each wait for the other's help could repeat boards until the end.
    fn search(&mut self, game: &Game, aim: &Aim, limits: Limits) -> Option<(Choice, usize)> {
        let position = game.position();
        let mut ranking = self.search.rank(position, aim, limits);
        for choice in &mut ranking.choices {
            if let Ok(after) = position.after(choice.mv) {
                choice.value -= REPETITION_PENALTY * game.visits(after) as f32;
            }
        }
        ranking.best().map(|best| (best, ranking.depth))
    }

    /// Returns the learned value, unless a failed copy has left pieces on the board that the network does not
    /// distinguish. In this case two of the three colours of the stored game must be destroyed first.
    fn learned_for(&self, board: Board) -> Option<Evaluation> {
        let is_known = !self.was_copy || distinguishes_pieces(board, self.partner.main());
        self.network.clone().filter(|_| is_known).map(Evaluation::Learned)
    }

    fn judge_partner(&mut self) {
        let probability = self.partner.non_builder_probability();
        if probability > NON_BUILDER_ENTER {
            self.is_partner_careless = true;
        } else if probability < NON_BUILDER_EXIT {
            self.is_partner_careless = false;
        }
    }

    /// Corrupts the engine so that the next search panics.
    #[cfg(test)]
    fn corrupt(&mut self) {
        self.search.corrupt();
    }
}

impl dialogue::Player for Player {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn force(&mut self, text: Option<&str>) -> bool {
        let mv = match text.map(str::parse::<Move>) {
            Some(Ok(mv)) => Some(mv),
            Some(Err(_)) => return false,
            None => None,
        };
        let mut expected = self.game.clone();
        expected.force(None);
        self.expected = Some(expected);
        self.game.force(mv);
        true
    }

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        let started = Stopwatch::start();
        let nodes_before = self.nodes_searched();
        let mut found = self.think(clock)?;
        if let Some(expected) = self.expected.take() {
            found = self.think_in_both(expected, found, clock);
        }
        let mv = found.choice.mv;
        // Can't fail: the search returns only legal moves.
        self.game.push(mv).ok()?;
        let text = self.report_line(mv, found, started.elapsed());
        let nodes = self.nodes_searched().saturating_sub(nodes_before);
        self.report =
            Report { text, score: Some(found.choice.value as i32), nodes, ..Report::default() };
        Some(mv.to_string().into())
    }

    fn is_over(&self) -> bool {
        self.game.ending().is_some()
    }

    fn prepare(&mut self, clock: &Clock) {
        // Fills the shared tables. The engine itself is created after the partner's first moves.
        let _ = (self.learned_value(clock), Evaluation::late(), Evaluation::hand_made());
    }

    fn is_limited_by_clock(&self) -> bool {
        self.nodes.is_none()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

impl Player {
    fn nodes_searched(&self) -> u64 {
        self.engine.as_ref().map_or(0, |engine| engine.search.nodes())
    }
}

#[cfg(test)]
mod tests;
