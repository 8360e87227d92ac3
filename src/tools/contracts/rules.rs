//! The rules of a game, as far as its records need them.

use super::{GameState, Side};
use anyhow::Result;
use std::fmt;

/// A game by its names, its words and how it begins.
pub struct Rules {
    /// The name of its module in `games` and `labs`.
    pub id: &'static str,
    /// The name on the command line and in records.
    pub name: &'static str,
    /// The game in words.
    pub title: &'static str,
    /// What the sides are called in records and reports, the one that begins first.
    pub sides: [&'static str; 2],
    /// Marks that the rules allow after any move, such as a claim to win.
    pub marks: &'static [char],
    /// The words that records have for its ends by the rules.
    pub end_reasons: &'static [&'static str],
    /// A game from the beginning, or from a position as records write it.
    pub begin: fn(Option<&str>) -> Result<Box<dyn GameState>>,
}

impl Rules {
    /// The name of a side.
    pub fn side_name(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// The side of a name.
    pub fn side(&self, name: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.side_name(side) == name)
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Rules are their name.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.name == other.name
    }
}
