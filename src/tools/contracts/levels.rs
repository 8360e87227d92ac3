//! Levels of play by name: the same at the terminal, on the page and in matches.

use super::GameState;
use crate::engine::clock::Clock;
use crate::engine::dialogue::{Player, Report, Turn};
use crate::engine::rng::Rng;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A level of play.
#[derive(Debug, PartialEq, Eq)]
pub struct Level {
    /// Name.
    pub name: &'static str,
    /// Nodes per move; `None`: limited by the clock.
    pub nodes: Option<u64>,
    /// Percentage of the moves that are random.
    pub slips: usize,
}

const fn level(name: &'static str, nodes: u64, slips: usize) -> Level {
    Level { name, nodes: Some(nodes), slips }
}

/// All levels, the weakest first.
pub static LEVELS: [Level; 5] = [
    level("beginner", 5, 50),
    level("easy", 20, 20),
    level("medium", 100, 5),
    level("strong", 2_000, 0),
    Level { name: "full", nodes: None, slips: 0 },
];

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

/// Decides whether the next move is random. `seed` describes the game so far, so that the same game always
/// has the same random moves.
pub fn slip(
    slips: usize,
    seed: &str,
    pick: impl FnOnce(&mut Rng) -> Option<String>,
) -> Option<String> {
    if slips == 0 {
        return None;
    }
    let mut rng = Rng::new(crc32fast::hash(seed.as_bytes()).into());
    if rng.below(100) < slips {
        pick(&mut rng)
    } else {
        None
    }
}

/// Returns a random move in `slips` of 100 cases, otherwise `None`.
pub fn slip_in(slips: usize, game: &dyn GameState) -> Option<String> {
    slip(slips, &game.texts().join(" "), |rng| game.random_move(rng))
}

/// A player that sometimes makes a random move instead of its own.
pub struct Careless {
    player: Box<dyn Player>,
    game: Box<dyn GameState>,
    slips: usize,
    has_slipped: bool,
}

impl Careless {
    /// Creates a player from another at the start of a game.
    pub fn new(player: Box<dyn Player>, game: Box<dyn GameState>, slips: usize) -> Careless {
        Careless { player, game, slips, has_slipped: false }
    }
}

impl Player for Careless {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.player.play(text)?;
        self.game.play(text).map_err(|refused| refused.reason)
    }

    fn answer(&mut self, clock: &Clock) -> Option<String> {
        let random = slip_in(self.slips, self.game.as_ref());
        self.has_slipped = random.is_some();
        if let Some(text) = random {
            self.play(&text).ok()?;
            return Some(text);
        }
        let text = self.player.answer(clock)?;
        self.game.play(&text).ok()?;
        Some(text)
    }

    fn is_over(&self) -> bool {
        self.player.is_over()
    }

    fn report(&self) -> Report {
        if self.has_slipped {
            return Report { text: "random move".to_string(), ..Report::default() };
        }
        self.player.report()
    }

    fn prepare(&mut self, clock: &Clock) {
        self.player.prepare(clock);
    }

    fn is_limited_by_clock(&self) -> bool {
        self.player.is_limited_by_clock()
    }

    fn turn(&mut self, turn: &Turn, clock: &Clock) -> Option<String> {
        let pick = |rng: &mut Rng| turn.moves.get(rng.below(turn.moves.len())).cloned();
        let random = slip(self.slips, &turn.position, pick);
        self.has_slipped = random.is_some();
        random.or_else(|| self.player.turn(turn, clock))
    }
}
