//! The contest player: keeps the game, divides the clock, answers whatever happens.

use super::eval::Evaluator;
use super::game::Game;
use super::movegen;
use super::notation::Setup;
use super::position::{Position, MAX_PLIES};
use super::search::params::Params;
use super::search::{Limits, SearchResult, Searcher};
use super::setup;
use super::types::{Colour, Move};
use crate::engine::cache_lines::megabytes_for;
use crate::engine::clock::{Allotment, Clock};
use crate::engine::dialogue::{self, Report};
use crate::engine::score;
use crate::engine::search;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

/// The default size of the transposition table, in MiB. A larger one was seen to spare no nodes at
/// a million a move, and with 256 MiB the search was about a tenth slower, probably since the
/// caches hold less of it.
pub const DEFAULT_HASH_MB: usize = 32;
/// The part of the first move's time that Blue spends on its setup.
const SETUP_PART: f64 = 1.8;
/// A game is expected to take this part of the own moves that are possible. Between equals most
/// games are long, and a longer search gained as much at ply 80 as at ply 20: so the time lasts to
/// the end. The part below 1 spends a little more early, since a game can still end soon.
const EXPECTED_PART: f64 = 0.85;

/// The time for the setup of a player that the clock does not limit: more than any game could take.
const UNLIMITED: Duration = Duration::from_secs(1_000_000);

/// How a player plays.
pub type Options = search::Options<Params, Evaluator>;

/// A player of Zero Point One.
pub struct Player {
    game: Game,
    options: Options,
    /// Made at the first use, when the budget is known.
    searcher: Option<Searcher>,
    report: Report,
}

impl Player {
    /// The contest player at the start of a game, with a transposition table of at most `hash_mb`
    /// MiB.
    pub fn new(hash_mb: usize) -> Player {
        Player::with_options(Options::contest(hash_mb))
    }

    /// A player at the start of a game.
    pub fn with_options(options: Options) -> Player {
        Player { game: Game::new(), options, searcher: None, report: Report::default() }
    }

    /// The player that searches every move to so many nodes, whatever the clock says: its games can
    /// be repeated exactly.
    pub fn with_nodes(mut self, nodes: u64) -> Player {
        self.options.limits.hard_nodes = Some(nodes);
        self.options.by_clock = false;
        self
    }

    /// The player in a game that has begun elsewhere, such as from a position.
    pub fn in_game(self, game: Game) -> Player {
        Player { game, ..self }
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Goes back to the game after so many moves (setups count), or stays where there are no more.
    pub fn go_back_to(&mut self, ply: usize) {
        let texts = self.game.texts();
        self.game = Game::new();
        for text in texts.iter().take(ply) {
            // They have been played before.
            let _ = self.game.play(text);
        }
    }

    /// Thinks about the present position, without playing.
    pub fn think(&mut self, clock: &Clock) -> Option<SearchResult> {
        let position = *self.game.position()?;
        // The first use reads the network, which takes time: before the rest is divided.
        self.searcher = Some(self.take_searcher(clock));
        let mut limits = self.options.limits;
        if self.options.by_clock {
            let Allotment { soft, hard } = clock.allot(expected_own_moves(position.ply()));
            limits.soft_time = Some(soft);
            limits.hard_time = Some(hard);
            limits.measure = clock.control().measure();
        }
        Some(self.search_guarded(&position, clock, limits))
    }

    /// Searches, and answers even if the search should panic: with the best move found so far, else
    /// with any.
    fn search_guarded(
        &mut self,
        position: &Position,
        clock: &Clock,
        limits: Limits,
    ) -> SearchResult {
        let mut searcher = self.take_searcher(clock);
        let game = &self.game;
        let result = catch_unwind(AssertUnwindSafe(|| searcher.search(game, limits)));
        let provisional = searcher.provisional();
        let mut found = match result {
            Ok(found) => {
                self.searcher = Some(searcher);
                found
            }
            // The searcher may be in pieces: the next move makes a new one.
            Err(_) => SearchResult::unsearched(provisional),
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

    /// Chooses the setup of the side whose turn it is, without playing it.
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
                let measure = clock.control().measure();
                let answer = AssertUnwindSafe(|| setup::answer(&red, &mut searcher, time, measure));
                let chosen = catch_unwind(answer);
                if chosen.is_ok() {
                    self.searcher = Some(searcher);
                }
                chosen.unwrap_or_else(|_| setup::for_side(&setup::first(), Colour::Blue))
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

    fn answer_move(&mut self, clock: &Clock) -> Option<String> {
        let started = clock.stopwatch();
        let found = self.think(clock)?;
        let mv = found.best?;
        let text = mv.text(self.game.side()).to_string();
        self.game.push(mv);
        let line = report_line(self.game.ply(), &text, &found, started.elapsed());
        self.report = Report { text: line, score: Some(found.score), nodes: found.nodes };
        Some(text)
    }
}

impl dialogue::Player for Player {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn answer(&mut self, clock: &Clock) -> Option<String> {
        if self.game.position().is_none() {
            Some(self.answer_setup(clock))
        } else {
            self.answer_move(clock)
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

/// The time for Blue's setup out of what the clock allots to the first move.
fn setup_time(first_move: Allotment) -> Duration {
    first_move.soft.mul_f64(SETUP_PART)
}

/// The own moves that a game is expected to take from this ply on, the next one included.
fn expected_own_moves(ply: usize) -> f64 {
    let possible = (MAX_PLIES.saturating_sub(ply) as f64 / 2.0).ceil();
    (possible * EXPECTED_PART).max(1.0)
}

/// The capture of the enemy wazir, else the first safe move, else the first move at all.
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
