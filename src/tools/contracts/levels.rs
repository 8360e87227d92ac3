//! Levels of play by name: the same at the terminal, on the page and in matches.
//!
//! The weak levels do not search. They look one move ahead and overlook things, the more easily the further away they
//! are, as people do. The other levels search a number of nodes, and vary their openings by such moves.

use super::sight::Sight;
use super::GameState;
use crate::engine::clock::Clock;
use crate::engine::dialogue::{Answer, Player, Report, Turn};
use crate::engine::rng::{split_mix, Rng};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::hash::{BuildHasher, RandomState};

/// A level of play.
#[derive(Debug, PartialEq, Eq)]
pub struct Level {
    /// Name.
    pub name: &'static str,
    /// Index among the [`Strengths`] of a game; `None`: full strength, limited by the clock.
    pub index: Option<usize>,
}

/// How a level chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// Looks one move ahead, with this probability of seeing something at distance 1.
    Sight(f64),
    /// Like [`Strength::Sight`], but sees every threat: leaves no piece en prise.
    Careful(f64),
    /// Searches this number of nodes per move.
    Nodes(u64),
}

/// The strengths of the levels below `full` in a game, the weakest first.
pub type Strengths = [Strength; 5];

impl Strength {
    /// Returns the nodes per move of the player that a level is based on.
    pub fn nodes(self) -> u64 {
        match self {
            Strength::Sight(_) | Strength::Careful(_) => 1,
            Strength::Nodes(nodes) => nodes,
        }
    }
}

const fn level(name: &'static str, index: usize) -> Level {
    Level { name, index: Some(index) }
}

/// All levels, the weakest first.
pub static LEVELS: [Level; 6] = [
    level("beginner", 0),
    level("easy", 1),
    level("medium", 2),
    level("strong", 3),
    level("expert", 4),
    Level { name: "full", index: None },
];

/// Number of own moves, setups included, in which a level that searches varies.
const VARIED_MOVES: usize = 4;
/// Percentage of these moves that are made without a search.
const VARIED: usize = 50;
/// Number of seeds that are drawn for new games: short enough to type again.
const SEEDS: u64 = 1_000_000;

/// Returns the level whose name begins with `name`, in any case.
pub fn find(name: &str) -> Option<&'static Level> {
    let name = name.to_ascii_lowercase();
    LEVELS.iter().find(|level| !name.is_empty() && level.name.starts_with(&name))
}

/// Returns the names of all levels, separated by commas.
pub fn names() -> String {
    LEVELS.each_ref().map(|level| level.name).join(", ")
}

/// Returns a parser of level names on the command line.
pub fn parser() -> impl TypedValueParser<Value = &'static Level> {
    let names = LEVELS.each_ref().map(|level| level.name);
    PossibleValuesParser::new(names).map(|name| find(&name).expect("the parser accepts only names"))
}

/// Parses the name of a level among a player's options.
pub fn parse(name: &str) -> Result<&'static Level, String> {
    find(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// Returns a random seed for a new game.
pub fn new_seed() -> u64 {
    RandomState::new().hash_one(0) % SEEDS
}

/// The play of a level in a game.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The strength of the level.
    pub strength: Strength,
    /// The seed of the game.
    pub seed: u64,
}

impl Style {
    /// Returns the move that the level makes without a search; `None` if it searches. `position` describes the position
    /// for the random numbers, `own_moves` is the number of moves that the player has made.
    pub fn casual_move(
        self,
        game: &dyn GameState,
        position: &str,
        own_moves: usize,
    ) -> Option<String> {
        let seed = split_mix(self.seed) ^ u64::from(crc32fast::hash(position.as_bytes()));
        let is_varied = || own_moves < VARIED_MOVES && Rng::new(!seed).below(100) < VARIED;
        let sight = match self.strength {
            Strength::Sight(clarity) => Sight::new(clarity, seed),
            Strength::Careful(clarity) => Sight::careful(clarity, seed),
            Strength::Nodes(_) if is_varied() => Sight::new(1.0, seed),
            Strength::Nodes(_) => return None,
        };
        game.casual_move(&sight)
    }

    /// Returns [`Style::casual_move`] for a game that was played from its start.
    pub fn casual_move_in(self, game: &dyn GameState) -> Option<String> {
        let texts = game.texts();
        self.casual_move(game, &texts.join(" "), texts.len() / 2)
    }
}

/// Begins a game from a start position.
type Begin = fn(Option<&str>) -> anyhow::Result<Box<dyn GameState>>;

/// A player of a level: makes casual moves, or else those of another player.
pub struct Casual {
    player: Box<dyn Player>,
    begin: Begin,
    game: Box<dyn GameState>,
    style: Style,
    /// Number of the game of a match and of the player's turns in it, for judges that send positions.
    turns: (usize, usize),
    /// The casual move of the judge's turn, if the judge sends positions.
    casual: Option<Option<String>>,
    was_casual: bool,
}

impl Casual {
    /// Creates a player from another at the start of a game.
    pub fn new(player: Box<dyn Player>, begin: Begin, style: Style) -> anyhow::Result<Casual> {
        let game = begin(None)?;
        Ok(Casual { player, begin, game, style, turns: (0, 0), casual: None, was_casual: false })
    }

    /// Returns the casual move of a turn that has the whole position.
    fn casual_turn(&mut self, turn: &Turn) -> Option<String> {
        let turns = if self.turns.0 == turn.game { self.turns.1 } else { 0 };
        self.turns = (turn.game, turns + 1);
        let game = (self.begin)(Some(&turn.position)).ok()?;
        let text = self.style.casual_move(game.as_ref(), &turn.position, turns)?;
        turn.moves.contains(&text).then_some(text)
    }
}

impl Player for Casual {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.player.play(text)?;
        self.game.play(text).map_err(|refused| refused.reason)
    }

    fn follow(&mut self, turn: &Turn) -> Result<(), String> {
        self.casual = Some(self.casual_turn(turn));
        self.player.follow(turn)
    }

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        let in_game = || self.style.casual_move_in(self.game.as_ref());
        let casual = self.casual.take().unwrap_or_else(in_game);
        self.was_casual = casual.is_some();
        let answer = match casual {
            Some(text) => {
                self.player.play(&text).ok()?;
                Answer::from(text)
            }
            None => self.player.answer(clock)?,
        };
        // A judge that sends positions does not need this game, and its moves do not fit it.
        let _ = self.game.play(&answer.mv);
        Some(answer)
    }

    fn is_over(&self) -> bool {
        self.player.is_over()
    }

    fn report(&self) -> Report {
        if self.was_casual {
            let text = format!("without a search, seed {}", self.style.seed);
            return Report { text, ..Report::default() };
        }
        self.player.report()
    }

    fn prepare(&mut self, clock: &Clock) {
        self.player.prepare(clock);
    }

    fn is_limited_by_clock(&self) -> bool {
        self.player.is_limited_by_clock()
    }
}
