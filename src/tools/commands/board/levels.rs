//! Levels of play on the page.

use crate::engine::clock::{Clock, TimeControl};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::levels::{Style, LEVELS as LEVELS_BY_NAME};
use anyhow::{ensure, Result};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by", deny_unknown_fields)]
pub enum Level {
    /// A level by its index among those with names.
    Named {
        /// The index.
        index: usize,
        /// The seed of the game.
        #[serde(default)]
        seed: u64,
    },
    /// Nodes per move.
    Nodes {
        /// Number of nodes.
        nodes: u64,
    },
    /// Time per move.
    Move {
        /// Milliseconds.
        ms: u64,
    },
    /// Time per game.
    Game {
        /// Milliseconds.
        ms: u64,
        /// Time used by the moves so far, in milliseconds.
        #[serde(default)]
        spent: u64,
    },
}

/// Returns the level of play with this index among those with names.
const fn named(index: usize) -> (&'static str, Level) {
    (LEVELS_BY_NAME[index].name, Level::Named { index, seed: 0 })
}

const fn a_move(ms: u64) -> Level {
    Level::Move { ms }
}

const fn a_game(ms: u64) -> Level {
    Level::Game { ms, spent: 0 }
}

/// The levels that the page offers, with their names: those of the terminal, and full strength by the clock.
pub const LEVELS: [(&str, Level); 10] = [
    named(0),
    named(1),
    named(2),
    named(3),
    named(4),
    ("full: 1 second a move", a_move(1_000)),
    ("full: 5 seconds a move", a_move(5_000)),
    ("full: 30 seconds a game", a_game(30_000)),
    ("full: 3 minutes a game", a_game(180_000)),
    ("full: 10 minutes a game", a_game(600_000)),
];

/// Maximum duration of a search.
pub const MAX_SEARCH: Duration = Duration::from_secs(15 * 60);
/// Maximum limits that a page may request.
const MAX_NODES: u64 = 20_000_000;
const MAX_MS: u64 = 10 * 60 * 1000;
// The longest allowed move must not exceed the maximum duration.
const _: () = assert!(MAX_MS < MAX_SEARCH.as_millis() as u64);

impl Level {
    /// Whether the page may request this limit.
    pub fn check(self) -> Result<()> {
        let (number, max) = match self {
            Level::Named { index, .. } => (index as u64 + 1, LEVELS_BY_NAME.len() as u64 - 1),
            Level::Nodes { nodes } => (nodes, MAX_NODES),
            Level::Move { ms } | Level::Game { ms, .. } => (ms, MAX_MS),
        };
        ensure!((1..=max).contains(&number), "the level: expected 1 to {max}, not {number}");
        Ok(())
    }

    /// Returns the node limit in a game, if there is one.
    pub fn nodes(self, game: &Entry) -> Option<u64> {
        match self {
            Level::Named { .. } => self.style(game).map(|style| style.strength.nodes()),
            Level::Nodes { nodes } => Some(nodes),
            Level::Move { .. } | Level::Game { .. } => None,
        }
    }

    /// Returns how a level with a name plays in a game.
    pub fn style(self, game: &Entry) -> Option<Style> {
        let Level::Named { index, seed } = self else { return None };
        Some(Style { strength: *game.strengths.get(index)?, seed })
    }

    /// Returns the clock of the next move.
    pub fn clock(self, game: &Entry) -> Clock {
        let millis = Duration::from_millis;
        match self {
            Level::Named { .. } | Level::Nodes { .. } => {
                Clock::for_one_move(game.contest.time, Duration::ZERO)
            }
            Level::Move { ms } => {
                let time = millis(ms);
                let control =
                    TimeControl::Move { first: time, later: time, reserve: Duration::ZERO };
                Clock::for_one_move(control, Duration::ZERO)
            }
            Level::Game { ms, spent } => {
                Clock::for_one_move(TimeControl::Game(millis(ms)), millis(spent))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::fake::FakeTime;
    use crate::tools::labs::registry::main_game;

    #[test]
    fn every_level_has_the_clock_of_its_time() {
        let _time = FakeTime::start();
        for (name, level) in LEVELS {
            assert!(level.check().is_ok(), "{name}");
            let soft = level.clock(main_game()).allot(20.0).soft;
            match level {
                Level::Move { ms } => assert!(soft == Duration::from_millis(ms), "{name}"),
                Level::Game { ms, .. } => assert!(soft < Duration::from_millis(ms / 15), "{name}"),
                Level::Named { .. } | Level::Nodes { .. } => {}
            }
        }
        let nodes = |nodes| Level::Nodes { nodes };
        assert!(nodes(0).check().is_err() && a_move(u64::MAX).check().is_err());
    }
}
