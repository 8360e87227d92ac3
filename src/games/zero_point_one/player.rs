//! The contest player: tracks the game, manages time, and always answers with a legal move.

use super::disputed::{forced, nearest_setup, passed, restored};
use super::eval::Evaluator;
use super::game::Game;
use super::movegen;
use super::notation::Setup;
use super::position::{Position, MAX_PLIES};
use super::search::params::Params;
use super::search::{Limits, SearchResult, Searcher};
use super::setup;
use super::types::{Colour, Move};
use crate::engine::alpha_beta::{self, Search};
use crate::engine::cache_lines::megabytes_for;
use crate::engine::clock::{Allotment, Clock, Stopwatch};
use crate::engine::dialogue::{self, Answer, Report};
use crate::engine::guarded;
use crate::engine::score;
use std::mem;
use std::time::Duration;

/// Default size of the transposition table, in MiB. At a million nodes per move a larger table saved no nodes, and with
/// 256 MiB the search was about 10 % slower, probably because of more cache misses.
pub const DEFAULT_HASH_MB: usize = 32;
/// Time for Blue's setup, as a multiple of the soft time of the first move.
const SETUP_TIME_FACTOR: f64 = 1.8;
/// Expected number of the player's remaining moves, as a fraction of the maximum. Games between equal players are
/// mostly long, and a longer search gained as much at ply 80 as at ply 20, so time must last to the end. A value below
/// 1 spends a little more time early, because a game may end early.
const EXPECTED_MOVES_FRACTION: f64 = 0.85;

/// Time for the setup of a player that is not limited by the clock: longer than any game.
const UNLIMITED: Duration = Duration::from_secs(1_000_000);

/// Options of a player.
pub type Options = alpha_beta::Options<Params, Evaluator>;

/// A player of Zero Point One.
pub struct Player {
    game: Game,
    options: Options,
    /// Created at its first use, when the time budget is known.
    searcher: Option<Searcher>,
    report: Report,
    /// After a disputed move, the position without it.
    expected: Option<Position>,
    /// Whether a move was disputed, so that the judge's position may be another one.
    is_disputed: bool,
}

/// The contest player at the start of a game.
impl Default for Player {
    fn default() -> Player {
        Player::new(DEFAULT_HASH_MB)
    }
}

impl Player {
    /// Creates the contest player at the start of a game, with a transposition table of at most `hash_mb` MiB.
    pub fn new(hash_mb: usize) -> Player {
        Player::with_options(Options::contest(hash_mb))
    }

    /// Creates a player at the start of a game.
    pub fn with_options(options: Options) -> Player {
        Player {
            game: Game::new(),
            options,
            searcher: None,
            report: Report::default(),
            expected: None,
            is_disputed: false,
        }
    }

    /// Makes the player search `nodes` nodes per move instead of using the clock, so that games are reproducible.
    pub fn with_nodes(mut self, nodes: u64) -> Player {
        self.options.limits.hard_nodes = Some(nodes);
        self.options.by_clock = false;
        self
    }

    /// Makes the player continue this game.
    pub fn in_game(self, game: Game) -> Player {
        Player { game, ..self }
    }

    /// Returns the game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Searches the current position without playing a move.
    pub fn think(&mut self, clock: &Clock) -> Option<SearchResult> {
        let position = *self.game.position()?;
        // Creating the searcher reads the network, which takes time, so this comes before the allotment.
        self.searcher = Some(self.take_searcher(clock));
        let mut limits = self.options.limits;
        if self.options.by_clock {
            let Allotment { soft, hard } = clock.allot(expected_own_moves(position.ply()));
            limits.soft_time = Some(soft);
            limits.hard_time = Some(hard);
        }
        Some(self.search_guarded(&position, clock, limits))
    }

    /// Searches a position. If the search panics, the result is the best move found so far or else any legal move.
    fn search_guarded(
        &mut self,
        position: &Position,
        clock: &Clock,
        limits: Limits,
    ) -> SearchResult {
        let mut searcher = self.take_searcher(clock);
        let game = &self.game;
        let mut found = match guarded(|| searcher.search(game, limits)) {
            Some(found) => {
                self.searcher = Some(searcher);
                found
            }
            // The searcher may be in an inconsistent state, so the next move creates a new one.
            None => SearchResult::unsearched(searcher.core().provisional),
        };
        if !found.best.map_or(false, |mv| position.is_pseudo_legal(mv)) {
            found.best = any_move(position);
        }
        found
    }

    fn take_searcher(&mut self, clock: &Clock) -> Searcher {
        let Options { hash_mb, params, evaluator, .. } = &self.options;
        self.searcher.take().unwrap_or_else(|| {
            let hash_mb = megabytes_for(clock.budget(), *hash_mb);
            let evaluator = evaluator.clone().unwrap_or_else(Evaluator::built_in);
            Searcher::with_evaluator(params.clone(), evaluator, hash_mb)
        })
    }

    /// Chooses the setup of the side to move, without playing it.
    pub fn choose_setup(&mut self, clock: &Clock) -> Setup {
        match self.game.setups() {
            [red] => {
                let red = *red;
                let mut searcher = self.take_searcher(clock);
                let time = if self.options.by_clock {
                    setup_time(clock.allot(expected_own_moves(0)))
                } else {
                    UNLIMITED
                };
                let chosen = guarded(|| setup::answer(&red, &mut searcher, time));
                if chosen.is_some() {
                    self.searcher = Some(searcher);
                }
                chosen.unwrap_or_else(|| setup::for_side(&setup::first(), Colour::Blue))
            }
            _ => setup::first(),
        }
    }

    fn answer_setup(&mut self, clock: &Clock) -> String {
        let side = self.game.side();
        let chosen = self.choose_setup(clock);
        self.game.set_up(chosen);
        let text = chosen.text(side);
        let line = format!("ply {} {}", self.game.ply(), text);
        self.report = Report { text: line, ..Report::default() };
        text
    }

    /// After a disputed move, returns a move that is also legal in the `expected` position, if one that is good there
    /// is safe in the current position. Otherwise returns `found`.
    fn think_in_both(
        &mut self,
        expected: Position,
        found: SearchResult,
        clock: &Clock,
    ) -> SearchResult {
        let is_legal_in_both = found.best.map_or(false, |mv| expected.is_pseudo_legal(mv));
        if is_legal_in_both || score::is_decisive(found.score) {
            return found;
        }
        let game = mem::replace(&mut self.game, Game::from_position(expected));
        let other = self.think(clock);
        self.game = game;
        let position = self.game.position();
        let is_good = |mv| position.map_or(false, |one| one.is_pseudo_legal(mv) && one.is_safe(mv));
        other.filter(|other| other.best.map_or(false, is_good)).unwrap_or(found)
    }

    fn answer_move(&mut self, clock: &Clock) -> Option<String> {
        let started = Stopwatch::start();
        let mut found = self.think(clock)?;
        if let Some(expected) = self.expected.take() {
            found = self.think_in_both(expected, found, clock);
        }
        let mv = found.best?;
        let text = mv.text(self.game.side()).to_string();
        self.game.push(mv);
        let line = report_line(self.game.ply(), &text, &found, started.elapsed());
        let SearchResult { score, nodes, .. } = found;
        self.report = Report { text: line, score: Some(score), nodes, ..Report::default() };
        Some(text)
    }
}

impl dialogue::Player for Player {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())?;
        let is_won = self.game.position().map_or(false, |position| position.winner().is_some());
        if self.is_disputed && is_won {
            self.game.pop();
            return Err(
                "captures the wazir, which may stand elsewhere after a disputed move".into()
            );
        }
        Ok(())
    }

    fn force(&mut self, text: Option<&str>) -> bool {
        let side = self.game.side();
        if let Some(position) = self.game.position().map(restored) {
            let next = match text.map(|text| Move::parse(text, side).or(Move::parse(text, !side))) {
                Some(Ok(mv)) => forced(&position, mv),
                Some(Err(_)) => return false,
                None => passed(&position),
            };
            self.expected = Some(passed(&position));
            self.is_disputed = true;
            self.game = Game::from_position(next);
            return true;
        }
        let is_setup =
            |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_accepted = text.map_or(true, is_setup);
        if is_accepted {
            self.game.set_up(nearest_setup(text.unwrap_or_default()));
        }
        is_accepted
    }

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        if self.game.position().is_none() {
            Some(self.answer_setup(clock).into())
        } else {
            self.answer_move(clock).map(Answer::from)
        }
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn prepare(&mut self, clock: &Clock) {
        self.searcher = Some(self.take_searcher(clock));
    }

    fn is_limited_by_clock(&self) -> bool {
        self.options.by_clock
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

/// Returns the time for Blue's setup, given the allotment of the first move.
fn setup_time(first_move: Allotment) -> Duration {
    first_move.soft.mul_f64(SETUP_TIME_FACTOR)
}

/// Returns the expected number of the player's moves from this ply to the end of the game, including the next.
fn expected_own_moves(ply: usize) -> f64 {
    let possible = (MAX_PLIES.saturating_sub(ply) as f64 / 2.0).ceil();
    (possible * EXPECTED_MOVES_FRACTION).max(1.0)
}

/// Returns a move without searching: the capture of the enemy wazir, else the first safe move, else the first
/// pseudo-legal move.
fn any_move(position: &Position) -> Option<Move> {
    let mut first = None;
    let enemy_wazir = position.board().wazir(!position.side());
    movegen::pseudo_legal(position, |mv| {
        if Some(mv.to()) == enemy_wazir {
            first.get_or_insert(mv);
        }
    });
    movegen::safe(position, |mv| {
        first.get_or_insert(mv);
    });
    movegen::pseudo_legal(position, |mv| {
        first.get_or_insert(mv);
    });
    first
}

fn report_line(ply: usize, text: &str, found: &SearchResult, time: Duration) -> String {
    format!(
        "ply {} {} depth {} score {} nodes {} time {:.2}",
        ply,
        text,
        found.depth,
        score::text(found.score),
        found.nodes,
        time.as_secs_f64()
    )
}

#[cfg(test)]
mod tests;
