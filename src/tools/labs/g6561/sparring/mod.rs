//! Sparring players: policies that build differently from the contest player, worse, or not at all.

mod own_search;

use crate::engine::clock::Clock;
use crate::engine::dialogue::{Answer, Player, Report};
use crate::engine::rng::Rng;
use crate::games::g6561::board::Colour;
use crate::games::g6561::game::{Game, Move, Position, RHYTHM};
use crate::games::g6561::partner_model::leading_colour;
use crate::games::g6561::search::{tidiness, Aim as SearchAim, Limits, ReplyModel, Search};
use anyhow::{bail, Result};
pub use own_search::Aim;
use own_search::OwnSearch;
use std::fmt;

/// How a sparring player chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// Uniformly random.
    Random,
    /// The move with the highest sum after it; ties are broken randomly.
    Greedy,
    /// The move with the fewest pieces after it, then the highest sum. It lets pieces vanish wherever it can.
    Tidy,
    /// The move with the best mean result of random games; the number of games is per turn.
    MonteCarlo(u64),
    /// Builds one colour: expectimax to this depth, averaging over the partner's moves. Without a fixed colour, it is
    /// the one with the highest sum at the start of each rhythm.
    OneColour(Option<Colour>, usize),
    /// An independent value and search, to this depth.
    OwnSearch(Aim, usize),
}

impl Style {
    /// Parses a style by its name. `games`, `colour` (`Some(None)`: any colour) and `depth` are used by the styles that
    /// have them.
    pub fn parse(
        name: &str,
        games: Option<u64>,
        colour: Option<Option<Colour>>,
        depth: Option<usize>,
    ) -> Result<Style> {
        let depth = depth.unwrap_or(DEPTH);
        Ok(match name {
            "random" => Style::Random,
            "greedy" => Style::Greedy,
            "tidy" => Style::Tidy,
            "monte" => Style::MonteCarlo(games.unwrap_or(MONTE_CARLO_GAMES)),
            "one" => Style::OneColour(colour.unwrap_or(Some(Colour::Blue)), depth),
            "keeper" => Style::OwnSearch(Aim::Keeper(colour.flatten()), depth),
            "corner" => Style::OwnSearch(Aim::Corner, depth),
            "sum" => Style::OwnSearch(Aim::Sum, depth),
            _ => bail!(
                "option style={name}: expected random, greedy, tidy, monte, one, keeper, corner or sum"
            ),
        })
    }
}

/// Formats the options of a style, except the depth.
impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, colour) = match self {
            Style::Random => ("random", None),
            Style::Greedy => ("greedy", None),
            Style::Tidy => ("tidy", None),
            Style::MonteCarlo(games) => return write!(f, "style=monte,games={games}"),
            Style::OneColour(colour, _) => ("one", Some(colour)),
            Style::OwnSearch(Aim::Keeper(colour), _) => ("keeper", Some(colour)),
            Style::OwnSearch(Aim::Corner, _) => ("corner", None),
            Style::OwnSearch(Aim::Sum, _) => ("sum", None),
        };
        write!(f, "style={name}")?;
        match colour {
            Some(colour) => write!(f, ",colour={}", colour.map_or(FREE, Colour::name)),
            None => Ok(()),
        }
    }
}

/// Option value for no fixed colour.
pub const FREE: &str = "free";
/// Default number of random games per turn of the Monte Carlo style.
const MONTE_CARLO_GAMES: u64 = 400;
/// Default depth of the styles that search, in plies.
const DEPTH: usize = 3;

/// Length of the random games of the Monte Carlo style, in plies.
const PLAYOUT_PLIES: usize = 30;

/// A sparring player.
pub struct Sparring {
    style: Style,
    game: Game,
    rng: Rng,
    search: Option<Search>,
    /// The colour of a one-colour player without a fixed colour, and the rhythm in which it was chosen.
    chosen: (Colour, usize),
}

impl Sparring {
    /// Creates a player at the start of a game.
    pub fn new(style: Style, seed: u64) -> Sparring {
        Sparring {
            style,
            game: Game::new(),
            rng: Rng::new(seed),
            search: None,
            chosen: (Colour::Blue, 0),
        }
    }

    fn choose(&mut self) -> Option<Move> {
        let position = self.game.position();
        let moves = position.moves();
        match self.style {
            Style::Random => moves.get(self.rng.below(moves.len())).copied(),
            Style::Greedy => self.best_by(position, |after, _| f64::from(after.board.sum())),
            Style::Tidy => self.best_by(position, |after, _| f64::from(tidiness(after.board))),
            Style::MonteCarlo(games) => {
                let each = (games / moves.len().max(1) as u64).max(1);
                self.best_by(position, |after, rng| {
                    (0..each).map(|_| f64::from(playout(after, rng))).sum()
                })
            }
            Style::OwnSearch(aim, depth) => {
                let search = OwnSearch::new(aim, position.ply % 2);
                self.best_by(position, |after, _| {
                    f64::from(search.value(after.board, after.ply, depth - 1))
                })
            }
            Style::OneColour(main, depth) => {
                let main = main.unwrap_or_else(|| self.choose_colour(position));
                let search = self.search.get_or_insert_with(Search::new);
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let ranking =
                    search.rank(position, &SearchAim::new(main, ReplyModel::RANDOM), limits);
                ranking.best().map(|choice| choice.mv)
            }
        }
    }

    /// Chooses the colour with the highest sum at the start of a rhythm; a tie keeps the old colour.
    fn choose_colour(&mut self, position: Position) -> Colour {
        let rhythm = position.ply / RHYTHM;
        if rhythm != self.chosen.1 {
            self.chosen = (leading_colour(position.board, self.chosen.0), rhythm);
        }
        self.chosen.0
    }

    /// Returns a random one of the best moves by a measure of the positions after them.
    fn best_by(
        &mut self,
        position: Position,
        mut measure: impl FnMut(Position, &mut Rng) -> f64,
    ) -> Option<Move> {
        let mut moves = position.moves();
        self.rng.shuffle(&mut moves);
        let mut best: Option<(Move, f64)> = None;
        for mv in moves {
            let Ok(after) = position.after(mv) else { continue };
            let value = measure(after, &mut self.rng);
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((mv, value));
            }
        }
        best.map(|(mv, _)| mv)
    }
}

/// Plays a random game of limited length and returns its highest plus its last sum.
fn playout(mut position: Position, rng: &mut Rng) -> u32 {
    let mut best = position.board.sum();
    for _ in 0..PLAYOUT_PLIES {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let Ok(after) = position.after(moves[rng.below(moves.len())]) else { break };
        position = after;
        best = best.max(position.board.sum());
    }
    // The last sum counts in addition to the highest one.
    best + position.board.sum()
}

impl Player for Sparring {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn answer(&mut self, _: &Clock) -> Option<Answer> {
        let mv = self.choose()?;
        self.game.push(mv).ok()?;
        Some(mv.to_string().into())
    }

    fn is_over(&self) -> bool {
        self.game.ending().is_some()
    }

    fn report(&self) -> Report {
        Report::default()
    }
}

/// A player that moves randomly from a given ply.
pub struct RandomFrom {
    inner: Box<dyn Player>,
    game: Game,
    rng: Rng,
    /// The first ply with random moves.
    from: usize,
}

impl RandomFrom {
    /// Creates a player that delegates to `inner` before ply `from` and moves randomly afterwards.
    pub fn new(inner: Box<dyn Player>, from: usize, seed: u64) -> RandomFrom {
        RandomFrom { inner, game: Game::new(), rng: Rng::new(seed), from }
    }
}

impl Player for RandomFrom {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())?;
        self.inner.play(text)
    }

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        if self.game.ply() < self.from {
            let answer = self.inner.answer(clock)?;
            self.game.play(&answer.mv).ok()?;
            return Some(answer);
        }
        let moves = self.game.position().moves();
        let text = moves.get(self.rng.below(moves.len()))?.to_string();
        self.play(&text).ok()?;
        Some(text.into())
    }

    fn is_over(&self) -> bool {
        self.game.ending().is_some()
    }

    fn report(&self) -> Report {
        self.inner.report()
    }
}
