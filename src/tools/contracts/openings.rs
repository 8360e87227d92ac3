//! The random openings that a game brings along for matches.

use super::opponent::{pairs, positive};
use super::record::Record;
use super::GameState;
use crate::engine::rng::Rng;
use anyhow::{bail, ensure, Result};

/// Random plies by default.
const DEFAULT_PLIES: usize = 4;
/// The option of the number of random plies.
pub const PLIES: &str = "plies";

/// The random openings of a game.
pub struct Random {
    /// Reads how they are asked for: `key=value,...`, perhaps empty.
    pub read: fn(&str) -> Result<Box<dyn RandomOpenings>>,
    /// The options in words, for the help.
    pub options: &'static str,
}

/// The opening that a record of a game is which has no other notation than its contest's.
pub fn opening_of(record: &Record) -> Result<Box<dyn GameState>> {
    ensure!(record.start.is_none(), "matches begin at the beginning, not from a position");
    record.replay()
}

/// Draws openings on one thread: the same one for the same state of the generator.
pub type Draw<'a> = Box<dyn FnMut(&mut Rng) -> Box<dyn GameState> + 'a>;

/// A game's random openings. None is over already.
pub trait RandomOpenings: Send + Sync {
    /// All that decides them but the seed.
    fn describe(&self) -> String;

    /// What draws them on one thread; it may keep what it needs from opening to opening.
    fn drawer(&self) -> Draw<'_>;
}

/// Openings of so many random moves, for games that need nothing else.
#[derive(Debug)]
pub struct RandomPlies {
    begin: fn() -> Box<dyn GameState>,
    plies: usize,
}

impl RandomPlies {
    /// Reads the options: `plies=K`, at most `max`. `begin` makes a game.
    pub fn parse(
        options: &str,
        max: usize,
        begin: fn() -> Box<dyn GameState>,
    ) -> Result<RandomPlies> {
        let mut plies = DEFAULT_PLIES;
        for pair in pairs(options) {
            match pair? {
                (PLIES, value) => plies = parse_plies(value, max)?,
                (key, _) => bail!("no option is named {key:?}, expected {PLIES}"),
            }
        }
        Ok(RandomPlies { begin, plies })
    }
}

/// A number of random plies, 0 to `max`.
pub fn parse_plies(value: &str, max: usize) -> Result<usize> {
    let plies = if value == "0" { 0 } else { positive(PLIES, value)? as usize };
    ensure!(plies <= max, "option {PLIES}={value}: expected {max} at most");
    Ok(plies)
}

impl RandomOpenings for RandomPlies {
    fn describe(&self) -> String {
        format!("{PLIES}={}", self.plies)
    }

    fn drawer(&self) -> Draw<'_> {
        Box::new(|rng| loop {
            let game = with_random_moves((self.begin)(), self.plies, rng);
            if game.end().is_none() {
                return game;
            }
        })
    }
}

/// A game after so many random moves, or fewer where it ends.
pub fn with_random_moves(
    mut game: Box<dyn GameState>,
    plies: usize,
    rng: &mut Rng,
) -> Box<dyn GameState> {
    for _ in 0..plies {
        let Some(text) = game.random_move(rng).filter(|_| game.end().is_none()) else { break };
        let played = game.play(&text);
        debug_assert_eq!(played, Ok(()), "the rules allow what they offer");
    }
    game
}
