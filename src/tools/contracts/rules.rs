//! The rules of a game, as far as records need them.

use super::{GameState, Side};
use anyhow::Result;
use std::fmt;

/// Names, words and start of a game.
pub struct Rules {
    /// Name of its module in `games` and `labs`.
    pub id: &'static str,
    /// Name on the command line and in records.
    pub name: &'static str,
    /// Title of the game.
    pub title: &'static str,
    /// Names of the sides in records and reports, the side that begins first.
    pub sides: [&'static str; 2],
    /// Marks that the rules allow after any move, e.g. a claim to win.
    pub marks: &'static [char],
    /// Reasons for an end by the rules, as written in records.
    pub end_reasons: &'static [&'static str],
    /// Creates a game from the beginning or from a position as written in records.
    pub begin: fn(Option<&str>) -> Result<Box<dyn GameState>>,
}

impl Rules {
    /// Returns the name of a side.
    pub fn side_name(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// Returns the side with this name.
    pub fn side(&self, name: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.side_name(side) == name)
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Rules are equal if their names are.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.name == other.name
    }
}
