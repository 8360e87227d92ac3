//! Who plays: a shell command, or `self` with options.

use super::contest::Contest;
use crate::engine::clock::OFFICIAL_BUDGET;
use crate::tools::play::MOST_HASH_MB;
use anyhow::{ensure, Context, Result};
use std::time::Duration;

/// The built-in player's name on the command line.
const BUILT_IN: &str = "self";

/// How much a built-in player may think.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thinking {
    /// CPU time of the whole game.
    pub time: Option<Duration>,
    /// Nodes a move, exactly.
    pub nodes: Option<u64>,
    /// Nodes a move after which no new iteration begins.
    pub soft_nodes: Option<u64>,
    /// Iterations a move.
    pub depth: Option<i32>,
}

impl Thinking {
    /// Is there any limit?
    pub fn is_limited(&self) -> bool {
        *self != Thinking::default()
    }

    /// The time of the whole game, if that is what limits the player.
    pub fn budget(&self) -> Option<Duration> {
        self.time.or((!self.is_limited()).then_some(OFFICIAL_BUDGET))
    }
}

/// A player of a match.
#[derive(Clone)]
pub enum PlayerSpec<G: Contest> {
    /// In this process.
    BuiltIn(Box<G::Spec>),
    /// A shell command that speaks the judge's dialogue.
    Command(String),
}

impl<G: Contest> PlayerSpec<G> {
    /// Reads `self`, `self:key=value,...` or a shell command. `common` holds where the player's own
    /// options set no limit at all; without either, a built-in player has the official time.
    pub fn parse(text: &str, common: Thinking) -> Result<PlayerSpec<G>> {
        ensure!(!text.trim().is_empty(), "a player is empty, expected self or a shell command");
        let options = match text.strip_prefix(BUILT_IN) {
            Some("") => "",
            Some(rest) if rest.starts_with(':') => &rest[1..],
            _ => return Ok(PlayerSpec::Command(text.to_string())),
        };
        let spec = G::read_spec(options, common).with_context(|| format!("player {text:?}"))?;
        Ok(PlayerSpec::BuiltIn(Box::new(spec)))
    }

    /// All that decides how the player plays, contents of files included.
    pub fn description(&self) -> String {
        match self {
            PlayerSpec::Command(command) => command.clone(),
            PlayerSpec::BuiltIn(spec) => format!("{BUILT_IN} {}", G::describe(spec)),
        }
    }
}

/// The options of a built-in player: pairs of key and value.
pub fn pairs(options: &str) -> impl Iterator<Item = Result<(&str, &str)>> {
    let named = options.split(',').filter(|option| !option.is_empty());
    named.map(|option| {
        let pair = option.split_once('=');
        pair.with_context(|| format!("option {option:?}: expected key=value"))
    })
}

/// The value of an option that is the size of a table, in MiB.
pub fn hash_megabytes(key: &str, value: &str) -> Result<usize> {
    let megabytes = positive(key, value)?;
    ensure!(megabytes <= MOST_HASH_MB, "option {key}={value}: expected {MOST_HASH_MB} MiB at most");
    Ok(megabytes as usize)
}

/// The value of an option that is a whole number above 0.
pub fn positive(key: &str, value: &str) -> Result<u64> {
    let number = value.parse::<u64>().ok().filter(|number| *number > 0);
    number.with_context(|| format!("option {key}={value}: expected a whole number above 0"))
}
