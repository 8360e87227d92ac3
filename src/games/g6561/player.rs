//! The contest player: follows the stored game as long as its partner does, then learns what the
//! partner does, chooses the colour to keep, searches, divides the clock, and answers whatever
//! happens.

use super::board::Board;
use super::game::{Game, Move, MAX_PLIES};
use super::network::{tells_apart, Network};
use super::partner::Partner;
use super::plan::Plan;
use super::search::{Choice, Evaluation, Limits, Replies, Roles, Search};
use super::value::MAIN;
use crate::engine::clock::{Clock, Stopwatch};
use crate::engine::dialogue::{self, Report};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// The player has no table whose size could be chosen.
pub const DEFAULT_HASH_MB: usize = 1;
/// The log gets a line for every so many own moves: judges keep 10,000 characters.
const MOVES_A_LINE: usize = 20;
/// A partner who is careless with a greater probability is met with the learned value, until the
/// probability is less than [`CARELESS_TO_RETURN`]: the two values want different boards, so that changes
/// between them cost.
const CARELESS_TO_LEAVE: f32 = 0.6;
/// See [`CARELESS_TO_LEAVE`].
const CARELESS_TO_RETURN: f32 = 0.02;
/// Before this ply the main colour is chosen by the whole belief: a partner who seems careless may still be one who
/// builds, and few units stand.
const EARLY: usize = 100;
/// From this ply on the values of the pieces count beside their units: what is not joined by the end is lost.
const LATE: usize = 920;
/// From this ply on the moves of a partner who builds our colour are foreseen.
const FORESIGHT: usize = 860;
/// What a board that stood before in the same turn of the game is worth less, in points.
const REPETITION: f32 = 10.0;
/// After so many moves of the stored game, ours included, the partner is taken for a copy of this player.
const MIN_FOLLOWED: usize = 12;
/// With less time for a move, or fewer nodes, the partner's is looked at one ply deep.
const MIN_TIME_TO_LOOK: Duration = Duration::from_millis(4);
/// See [`MIN_TIME_TO_LOOK`].
const MIN_NODES_TO_LOOK: u64 = 2000;
/// In shorter games the learned value and the one for the end are not used: unpacking the network and
/// filling the table take up to 0.6 s.
const MIN_BUDGET_FOR_TABLES: Duration = Duration::from_secs(3);
/// The part of what is left of the clock that is never planned with.
const MARGIN: f64 = 0.85;

/// A player of 6561.
pub struct Player {
    game: Game,
    nodes: Option<u64>,
    depth: Option<usize>,
    /// The game to follow; `None` where every move is searched.
    plan: Option<Arc<Plan>>,
    /// The learned value; `None` for the built-in one.
    network: Option<Arc<Network>>,
    /// Made at the first use; lost by a panic.
    mind: Option<Mind>,
    is_talkative: bool,
    report: Report,
}

/// What thinks, with all it knows.
struct Mind {
    search: Search,
    partner: Partner,
    /// The learned value and the one for the end of a game, where the budget allows to make them.
    network: Option<Arc<Network>>,
    late: Option<Evaluation>,
    /// The moves of the game that it has seen.
    seen: usize,
    /// Is the partner taken for a random mover?
    is_partner_random: bool,
    /// Has the partner followed the stored game, and left it?
    was_copy: bool,
}

/// What was found about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The move and its value.
    pub choice: Choice,
    /// How deep the search was completed.
    pub depth: usize,
    /// How much the partner is trusted.
    pub trust: f32,
    /// Is it the move of the stored game, which no search has looked at?
    pub is_planned: bool,
}

impl Player {
    /// A player at the start of a game. It has no table: the size means nothing.
    pub fn new(_hash_mb: usize) -> Player {
        Player {
            game: Game::new(),
            nodes: None,
            depth: None,
            plan: Some(Plan::shared()),
            network: None,
            mind: None,
            is_talkative: false,
            report: Report::default(),
        }
    }

    /// The player that thinks about every move for so many nodes, whatever the clock says: its
    /// games can be repeated exactly.
    pub fn with_nodes(self, nodes: u64) -> Player {
        Player { nodes: Some(nodes), ..self }
    }

    /// The player that searches every move to this depth, in plies, within its other limits.
    pub fn with_depth(self, depth: usize) -> Player {
        Player { depth: Some(depth), ..self }
    }

    /// The player that searches every move, the stored game aside.
    pub fn without_plan(self) -> Player {
        Player { plan: None, ..self }
    }

    /// The player with another network for partners who move at random.
    pub fn with_network(self, network: Arc<Network>) -> Player {
        Player { network: Some(network), ..self }
    }

    /// The player that reports every move, not one in many.
    pub fn talkative(self) -> Player {
        Player { is_talkative: true, ..self }
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
        // What was learned from moves that were taken back is forgotten with all else.
        self.mind = None;
    }

    /// Thinks about the present position, without playing. `None` where there is no move.
    pub fn think(&mut self, clock: &Clock) -> Option<Found> {
        let any = *self.game.position().moves().first()?;
        if let Some(mv) = self.plan.as_ref().and_then(|plan| plan.next(&self.game)) {
            return Some(Found::unsearched(mv, true));
        }
        // A new mind reads the network: before the deadline of the move is set.
        let mut mind = self.mind.take().unwrap_or_else(|| self.new_mind(clock));
        let (limits, is_hurried) = (self.limits(clock), self.is_hurried(clock));
        let game = &self.game;
        match catch_unwind(AssertUnwindSafe(|| mind.think(game, limits, is_hurried))) {
            Ok(found) => {
                self.mind = Some(mind);
                found
            }
            // The mind may be in pieces: the next move makes a new one.
            Err(_) => Some(Found::unsearched(any, false)),
        }
    }

    /// A copy of this player never leaves the stored game, so whoever does so late is no longer one:
    /// the judge plays on for a player that failed, with random moves.
    fn new_mind(&self, clock: &Clock) -> Mind {
        let followed = self.plan.as_ref().map_or(0, |plan| plan.followed(&self.game));
        let network = self.learned_value(clock);
        let late = self.late_value(clock);
        let was_copy = followed >= MIN_FOLLOWED;
        let partner = if was_copy { Partner::untrusted() } else { Partner::new() };
        Mind::new(partner, was_copy, network, late)
    }

    /// The learned value, where the budget allows to unpack it.
    fn learned_value(&self, clock: &Clock) -> Option<Arc<Network>> {
        let is_affordable = self.is_affordable(clock);
        self.network.clone().or_else(|| is_affordable.then(Network::built_in))
    }

    /// The value for the end of a game, where the budget allows to make its table.
    fn late_value(&self, clock: &Clock) -> Option<Evaluation> {
        self.is_affordable(clock).then(Evaluation::late)
    }

    fn is_affordable(&self, clock: &Clock) -> bool {
        self.nodes.is_some() || clock.budget() >= MIN_BUDGET_FOR_TABLES
    }

    /// Is there too little time to look closely at the partner's move?
    fn is_hurried(&self, clock: &Clock) -> bool {
        match self.nodes {
            Some(nodes) => nodes < MIN_NODES_TO_LOOK,
            None => self.time_of_move(clock) < MIN_TIME_TO_LOOK,
        }
    }

    fn time_of_move(&self, clock: &Clock) -> Duration {
        let own_moves = (MAX_PLIES - self.game.ply() + 1) / 2;
        clock.allot(own_moves as f64).soft.mul_f64(MARGIN)
    }

    fn limits(&self, clock: &Clock) -> Limits {
        let deadline = match self.nodes {
            Some(_) => None,
            None => Some(Stopwatch::start().deadline(self.time_of_move(clock))),
        };
        Limits { depth: self.depth, nodes: self.nodes, deadline }
    }

    fn report_line(&self, mv: Move, found: Found, time: Duration) -> String {
        let ply = self.game.ply();
        if !self.is_talkative && (ply + 1) / 2 % MOVES_A_LINE != 0 {
            return String::new();
        }
        if found.is_planned {
            return format!("{} {} as planned, score {}", ply, mv, self.game.score());
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

impl Found {
    /// A move that no search has valued.
    fn unsearched(mv: Move, is_planned: bool) -> Found {
        Found { choice: Choice { mv, value: 0.0 }, depth: 0, trust: 0.0, is_planned }
    }
}

impl Mind {
    fn new(
        partner: Partner,
        was_copy: bool,
        network: Option<Arc<Network>>,
        late: Option<Evaluation>,
    ) -> Mind {
        let search = Search::new(Evaluation::hand_made());
        Mind { search, partner, network, late, seen: 0, is_partner_random: was_copy, was_copy }
    }

    /// Finds a move. `None` where there is none.
    fn think(&mut self, game: &Game, limits: Limits, is_hurried: bool) -> Option<Found> {
        let ply = game.ply();
        // The last move is the partner's, unless it was our own turn before, as in an analysis.
        if ply > self.seen {
            self.partner.observe(game, &mut self.search, is_hurried);
            self.seen = ply + 1;
        }
        let was_random = self.is_partner_random;
        self.judge_partner();
        let (evaluation, replies) = if self.is_partner_random {
            self.choose_main_with_random(game, was_random);
            let learned = self.learned_for(game.position().board);
            (learned, Replies { best: 0.0, ..self.partner.replies() })
        } else {
            self.partner.choose_main(game, &mut self.search);
            let replies =
                if ply >= FORESIGHT { self.partner.late_replies() } else { self.partner.replies() };
            (self.late.clone().filter(|_| ply >= LATE), replies)
        };
        if let Some(evaluation) = evaluation {
            self.search.set_evaluation(evaluation);
        }
        let roles = Roles::of_main(self.partner.main());
        let found = self.search(game, roles, replies, limits);
        // The partner is judged by the hand-made value, whatever the own moves are searched with.
        self.search.set_evaluation(Evaluation::hand_made());
        let (choice, depth) = found?;
        Some(Found { choice, depth, trust: replies.best, is_planned: false })
    }

    /// Chooses the main colour with a partner who is taken for a random mover, now or already before.
    fn choose_main_with_random(&mut self, game: &Game, was_random: bool) {
        if game.ply() < EARLY && !self.was_copy {
            self.partner.choose_main(game, &mut self.search);
            return;
        }
        // The network has learned from games with its main colour.
        let preferred = if was_random { self.partner.main() } else { MAIN };
        self.partner.choose_main_alone(game.position().board, preferred);
    }

    /// The best move. What leads back to a board of this game is worth less every time: two players who
    /// each expect the other one to help can go round in circles till the end.
    fn search(
        &mut self,
        game: &Game,
        roles: Roles,
        replies: Replies,
        limits: Limits,
    ) -> Option<(Choice, usize)> {
        let position = game.position();
        let mut ranking = self.search.rank(position, roles, replies, limits);
        for choice in &mut ranking.choices {
            if let Ok(after) = position.after(choice.mv) {
                choice.value -= REPETITION * game.visits(after) as f32;
            }
        }
        ranking.best().map(|best| (best, ranking.depth))
    }

    /// The learned value, unless a copy that failed has left pieces on this board that it takes for
    /// smaller ones: two of the stored game's three colours are to be destroyed first.
    fn learned_for(&self, board: Board) -> Option<Evaluation> {
        let is_known = !self.was_copy || tells_apart(board, self.partner.main());
        self.network.clone().filter(|_| is_known).map(Evaluation::Learned)
    }

    fn judge_partner(&mut self) {
        let careless = self.partner.carelessness();
        if careless > CARELESS_TO_LEAVE {
            self.is_partner_random = true;
        } else if careless < CARELESS_TO_RETURN {
            self.is_partner_random = false;
        }
    }

    /// Makes the next thought panic.
    #[cfg(test)]
    fn break_apart(&mut self) {
        self.search.break_apart();
    }
}

impl dialogue::Player for Player {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn answer(&mut self, clock: &Clock) -> Option<String> {
        let started = Stopwatch::start();
        let nodes_before = self.nodes_searched();
        let found = self.think(clock)?;
        let mv = found.choice.mv;
        // A move that the rules offer is one that they allow.
        self.game.push(mv).ok()?;
        let text = self.report_line(mv, found, started.elapsed());
        let nodes = self.nodes_searched().saturating_sub(nodes_before);
        self.report = Report { text, score: Some(found.choice.value as i32), nodes };
        Some(mv.to_string())
    }

    fn is_over(&self) -> bool {
        self.game.ending().is_some()
    }

    fn prepare(&mut self, clock: &Clock) {
        // All are kept for the process; the mind itself begins with the partner's first moves.
        let _ = (self.learned_value(clock), self.late_value(clock), Evaluation::hand_made());
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
        self.mind.as_ref().map_or(0, |mind| mind.search.nodes())
    }
}

#[cfg(test)]
mod tests;
