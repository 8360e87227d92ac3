//! Random openings of matches.

use super::opponent::{pairs, positive};
use super::record::Record;
use super::GameState;
use crate::engine::rng::Rng;
use anyhow::{bail, ensure, Result};

/// Default number of random plies.
const DEFAULT_PLIES: usize = 4;
/// Option for the number of random plies.
pub const PLIES: &str = "plies";

/// A game's support for random openings.
pub struct Random {
    /// Parses the options, `key=value,...`; may be empty.
    pub read: fn(&str) -> Result<Box<dyn RandomOpenings>>,
    /// Description of the options, for the help.
    pub options: &'static str,
}

/// Returns the opening given by a record, for games that have only the contest's notation.
pub fn opening_of(record: &Record) -> Result<Box<dyn GameState>> {
    ensure!(
        record.start.is_none(),
        "openings must begin at the start of the game, not from a position"
    );
    record.replay()
}

/// Draws openings on one thread. The opening depends only on the state of the generator.
pub type Draw<'a> = Box<dyn FnMut(&mut Rng) -> Box<dyn GameState> + 'a>;

/// A generator of random openings, none of which is over already.
pub trait RandomOpenings: Send + Sync {
    /// Describes everything that decides the openings except the seed.
    fn describe(&self) -> String;

    /// Creates the function that draws openings on one thread. It may cache data between openings.
    fn drawer(&self) -> Draw<'_>;
}

/// Openings of a fixed number of random moves.
#[derive(Debug)]
pub struct RandomPlies {
    begin: fn() -> Box<dyn GameState>,
    plies: usize,
}

impl Random {
    /// Returns the support for openings of at most `MAX` random moves.
    pub const fn plies<G: GameState + Default + 'static, const MAX: usize>() -> Random {
        Random {
            read: |options| {
                Ok(Box::new(RandomPlies::parse(options, MAX, || Box::new(G::default()))?))
            },
            options: "plies (random moves; default: 4)",
        }
    }
}

impl RandomPlies {
    /// Parses the options: `plies=K`, at most `max`. `begin` creates a game.
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

/// Parses a number of random plies, 0 to `max`.
pub fn parse_plies(value: &str, max: usize) -> Result<usize> {
    let plies = if value == "0" { 0 } else { positive(PLIES, value)? as usize };
    ensure!(plies <= max, "option {PLIES}={value}: expected at most {max}");
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

/// Returns a game after `plies` random moves, or fewer if it ends earlier.
pub fn with_random_moves(
    mut game: Box<dyn GameState>,
    plies: usize,
    rng: &mut Rng,
) -> Box<dyn GameState> {
    for _ in 0..plies {
        let Some(text) = game.random_move(rng).filter(|_| game.end().is_none()) else { break };
        let played = game.play(&text);
        debug_assert_eq!(played, Ok(()), "random moves are legal");
    }
    game
}
