//! The contest player: follows the game and answers every turn, even after errors.

use super::eval::Evaluator;
use super::game::{parse_move, Game, ACCEPT};
use super::movegen;
use super::position::{CastlingRule, Position, MAX_PLIES};
use super::search::params::Params;
use super::search::{Limits, SearchResult, Searcher};
use super::types::Move;
use crate::engine::alpha_beta::{self, Search};
use crate::engine::clock::Clock;
use crate::engine::dialogue::{self, Answer, Report, Turn};
use crate::engine::guarded;
use crate::engine::score::{self, Score};
use std::io::{self, Write};
use std::mem;

/// Default hash table size in MiB: about 10 moves of 80,000 nodes fill it.
pub const DEFAULT_HASH_MB: usize = 16;
/// Score of a draw in the second game by the result of the first, in hundredths of a pawn: a draw wins or loses the
/// match. After a drawn first game it is slightly negative, because most opponents are weaker.
const DRAW_WINS_MATCH: Score = 250;
const DRAW_LOSES_MATCH: Score = -300;
const DRAW_IS_NEUTRAL: Score = -10;
/// A draw offer that decides nothing is accepted if the score is at most minus this.
const CLEARLY_WORSE: Score = 120;
/// A draw offer in a level game is accepted if the score is at most this.
const LEVEL: Score = 20;
/// A game is level after this many plies without a capture or pawn move.
const UNEVENTFUL_PLIES: usize = 40;
/// Minimum ply to accept a draw offer: the opening says little about the result.
const ACCEPT_FROM_PLY: usize = 30;
/// Number of games per match.
const LAST_GAME: usize = 2;

/// Options of a player.
pub type Options = alpha_beta::Options<Params, Evaluator>;

/// A player of Chess960.
pub struct Player {
    game: Game,
    /// Number of the game in the match.
    number: usize,
    /// Maximum length of a game in plies.
    max_plies: u16,
    options: Options,
    /// Created at the first use.
    searcher: Option<Searcher>,
    report: Report,
    /// The legal moves among those of the judge's turn; `None` if the judge sends only moves.
    listed: Option<Vec<Move>>,
    /// Score of a draw.
    draw_score: Score,
    is_draw_offered: bool,
}

/// The contest player at the start of a match.
impl Default for Player {
    fn default() -> Player {
        Player::new(DEFAULT_HASH_MB)
    }
}

impl Player {
    /// Creates the contest player at the start of a match.
    pub fn new(hash_mb: usize) -> Player {
        Player::with_options(Options::contest(hash_mb))
    }

    /// Creates a player at the start of a match.
    pub fn with_options(options: Options) -> Player {
        Player {
            game: Game::default(),
            number: 0,
            max_plies: MAX_PLIES as u16,
            options,
            searcher: None,
            report: Report::default(),
            listed: None,
            draw_score: 0,
            is_draw_offered: false,
        }
    }

    /// Limits every search to this many nodes instead of the clock (reproducible).
    pub fn with_nodes(mut self, nodes: u64) -> Player {
        self.options.limits.hard_nodes = Some(nodes);
        self.options.by_clock = false;
        self
    }

    /// The game so far.
    #[cfg(test)]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Searches the current position without playing a move. Only `moves` are considered.
    pub fn think(&mut self, moves: &[Move], clock: &Clock) -> SearchResult {
        let mut limits = self.options.limits;
        if self.options.by_clock {
            limits.hard_time = Some(clock.allot(1.0).hard);
        }
        let mut searcher = self.take_searcher();
        searcher.set_draw_score(self.draw_score);
        let game = &self.game;
        let found = guarded(|| searcher.search(game, moves, limits));
        let longest_pause = searcher.core().budget.longest_pause();
        self.report = Report { longest_pause, ..Report::default() };
        match found {
            Some(found) => {
                self.searcher = Some(searcher);
                found
            }
            // The searcher may be in an inconsistent state, so the next move creates a new one.
            None => {
                let best = searcher.core().provisional.or_else(|| moves.first().copied());
                SearchResult::unsearched(best)
            }
        }
    }

    fn take_searcher(&mut self) -> Searcher {
        let Options { hash_mb, params, evaluator, .. } = &self.options;
        self.searcher.take().unwrap_or_else(|| {
            let evaluator = evaluator.clone().unwrap_or_else(Evaluator::built_in);
            Searcher::new(params.clone(), evaluator, *hash_mb)
        })
    }

    /// Updates the game to a turn. If the turn contradicts the game, an error says how; the game is then the one known
    /// before, with the opponent's move if it can be played.
    fn update(&mut self, turn: &Turn) -> Result<(), String> {
        let mut read = Position::from_fen(&turn.position, CastlingRule::Arena);
        read.iter_mut().for_each(|position| position.max_plies = self.max_plies);
        let is_start = read.as_ref().map_or(false, |position| position.ply() <= 1);
        let is_new = turn.game != self.number || is_start;
        if is_new && self.number != 0 {
            self.searcher.iter_mut().for_each(Searcher::begin_game);
        }
        self.number = turn.game;
        let mut next = self.game.clone();
        let played = turn.last_move.as_ref().map(|text| next.play_move(text));
        let is_next = matches!(played, Some(Ok(_))) && !is_new;
        match read {
            Ok(position) if is_next && *next.position() == position => self.game = next,
            Ok(position) => {
                self.game = Game::new(position);
                if !is_new {
                    return Err("the position does not follow from the last one".to_string());
                }
            }
            Err(_) => {
                if is_next {
                    self.game = next;
                }
                return Err("the position is not legal".to_string());
            }
        }
        Ok(())
    }

    /// Returns the moves of a turn that are legal in the game, or all legal ones if the turn has none. Also returns an
    /// error if some are illegal or missing.
    fn common_moves(&self, turn: &Turn) -> (Vec<Move>, Result<(), String>) {
        let position = self.game.position();
        let known = movegen::moves(position);
        if turn.moves.is_empty() {
            return (known.iter().copied().collect(), Ok(()));
        }
        let legal = turn.moves.iter().filter_map(|text| parse_move(position, text).ok());
        let moves: Vec<Move> = legal.collect();
        let counts = [moves.len(), turn.moves.len(), known.len()];
        let is_complete = counts[0] == counts[1] && counts[0] == counts[2];
        let error = || {
            let [common, listed, legal] = counts;
            format!("{} of {} listed moves are legal, of {}", common, listed, legal)
        };
        (moves, if is_complete { Ok(()) } else { Err(error()) })
    }

    /// Whether a draw is better than playing on with this score.
    fn accepts_draw(&self, score: Score) -> bool {
        match self.draw_score {
            DRAW_IS_NEUTRAL => accepts_draw(self.game.position(), score),
            // It decides the match.
            worth => score < worth,
        }
    }

    fn set_report(&mut self, mv: Move, found: &SearchResult) {
        let SearchResult { depth, score, nodes, .. } = *found;
        let text = format!(
            "ply {} {} depth {} score {} nodes {}",
            self.game.position().ply(),
            mv,
            depth,
            score::text(score),
            nodes
        );
        self.report = Report { text, score: Some(score), nodes, ..self.report };
    }
}

/// Returns the score of a draw in a game of a match with this score so far.
fn draw_score(turn: &Turn) -> Score {
    let [own, other] = turn.score;
    match own - other {
        0 => DRAW_IS_NEUTRAL,
        _ if turn.game < LAST_GAME => DRAW_IS_NEUTRAL,
        lead if lead > 0 => DRAW_WINS_MATCH,
        _ => DRAW_LOSES_MATCH,
    }
}

/// Whether to accept the offer of a draw that decides no match, with this score for the side to move.
pub fn accepts_draw(position: &Position, score: Score) -> bool {
    let is_uneventful = position.halfmoves() >= UNEVENTFUL_PLIES;
    position.ply() >= ACCEPT_FROM_PLY
        && (score <= -CLEARLY_WORSE || is_uneventful && score.abs() <= LEVEL)
}

impl dialogue::Player for Player {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.reason().to_string())
    }

    fn follow(&mut self, turn: &Turn) -> Result<(), String> {
        let followed = self.update(turn);
        let (moves, compared) = self.common_moves(turn);
        self.listed = Some(moves);
        self.draw_score = draw_score(turn);
        self.is_draw_offered = turn.is_draw_offered;
        followed.and(compared)
    }

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        let all = || movegen::moves(self.game.position()).iter().copied().collect();
        let moves = self.listed.take().unwrap_or_else(all);
        let found = self.think(&moves, clock);
        let mv = found.best?;
        if mem::take(&mut self.is_draw_offered) && self.accepts_draw(found.score) {
            return Some(ACCEPT.to_string().into());
        }
        self.set_report(mv, &found);
        self.game.push(mv);
        let comment = format!("{} {}", found.depth, score::text(found.score));
        Some(Answer { mv: mv.to_string(), comment })
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }

    /// Touches all memory, so that the first move need not wait for it.
    fn prepare(&mut self, _clock: &Clock) {
        let mut searcher = self.take_searcher();
        searcher.clear();
        let moves = movegen::moves(self.game.position());
        let limits = Limits { hard_nodes: Some(WARM_UP_NODES), ..Limits::default() };
        searcher.search(&self.game, &moves, limits);
        searcher.clear();
        self.searcher = Some(searcher);
    }

    fn set_constant(&mut self, name: &str, value: &str) {
        let value: u16 = value.parse().unwrap_or(0);
        if name == "maxMoves" && value > 0 {
            self.max_plies = value.saturating_mul(2);
        } else if name == "crazyHouse" && value > 0 {
            let _ = writeln!(io::stderr(), "cupbot: no support for crazyHouse");
        }
    }
}

/// Nodes of a warm-up search for CPU and memory.
const WARM_UP_NODES: u64 = 20_000;

#[cfg(test)]
mod tests;
