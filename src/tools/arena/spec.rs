//! Who plays: a shell command, `self` with options, or a program of the game's community.

use crate::tools::game::engine::{Engine, Engines};
use crate::tools::game::entry::Entry;
use crate::tools::game::opponent::{pairs, Opponent};
use crate::tools::registry::GAMES;
use anyhow::{ensure, Context, Result};
use std::sync::Arc;

/// The built-in player's name on the command line.
const BUILT_IN: &str = "self";

/// A player of a match.
#[derive(Clone)]
pub enum PlayerSpec {
    /// In this process.
    BuiltIn(Arc<dyn Opponent>),
    /// A shell command that speaks the protocol of the contest.
    Command(String),
    /// A program that speaks another protocol.
    Engine(Arc<dyn Engine>),
}

impl PlayerSpec {
    /// Reads `self`, `self:key=value,...`, an engine behind its prefix, or a shell command of a player of this
    /// game. `common` are
    /// options that hold where the player's own ones set no limit to its thinking; without either, a
    /// built-in player has the contest's time.
    pub fn parse(game: &Entry, text: &str, common: &str) -> Result<PlayerSpec> {
        ensure!(!text.trim().is_empty(), "a player is empty, expected self or a shell command");
        if GAMES.iter().any(|game| behind_prefix(game.engines.as_ref(), text).is_some()) {
            let engines = game.require(&game.engines, "players with such a prefix")?;
            let rest = behind_prefix(Some(engines), text).unwrap_or_default();
            let engine =
                (engines.read)(rest, common).with_context(|| format!("player {text:?}"))?;
            return Ok(PlayerSpec::Engine(engine.into()));
        }
        let options = match text.strip_prefix(BUILT_IN) {
            Some("") => "",
            Some(rest) if rest.starts_with(':') => &rest[1..],
            _ => return Ok(PlayerSpec::Command(text.to_string())),
        };
        let opponents = game.require(&game.opponents, "built-in player")?;
        let keys = pairs(options).filter_map(|pair| Some(pair.ok()?.0));
        let is_limited = keys.into_iter().any(|key| opponents.limits.contains(&key));
        let all = if is_limited { options.to_string() } else { format!("{common},{options}") };
        let opponent = (opponents.read)(&all).with_context(|| format!("player {text:?}"))?;
        Ok(PlayerSpec::BuiltIn(opponent.into()))
    }

    /// All that decides how the player plays, contents of files included.
    pub fn description(&self) -> String {
        match self {
            PlayerSpec::Command(command) => command.clone(),
            PlayerSpec::Engine(engine) => engine.describe(),
            PlayerSpec::BuiltIn(opponent) => format!("{BUILT_IN}:{}", opponent.describe()),
        }
    }
}

/// What stands behind the prefix of engines and its colon.
fn behind_prefix<'a>(engines: Option<&Engines>, text: &'a str) -> Option<&'a str> {
    text.strip_prefix(engines?.prefix)?.strip_prefix(':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::registry::{main_game, GAMES};
    use std::time::Duration;

    fn opponent(text: &str, common: &str) -> Arc<dyn Opponent> {
        match PlayerSpec::parse(main_game(), text, common).expect("a good player") {
            PlayerSpec::BuiltIn(opponent) => opponent,
            PlayerSpec::Command(_) | PlayerSpec::Engine(_) => {
                panic!("{text} is no built-in player")
            }
        }
    }

    #[test]
    fn common_limits_hold_without_own_ones() {
        let described = |text, common| opponent(text, common).describe();
        assert_eq!(described("self", "depth=3"), described("self:depth=3", ""));
        assert_eq!(described("self:hash=3", "depth=3"), described("self:depth=3,hash=3", ""));
        assert_eq!(described("self:nodes=5", "depth=3"), described("self:nodes=5", ""));
        assert_eq!(opponent("self", "time=2s").time(), Some(Duration::from_secs(2)));
    }

    #[test]
    fn everything_else_is_a_command() {
        for game in GAMES {
            for text in ["./bot --x", "selfish", "bot self:nodes=3"] {
                let spec = PlayerSpec::parse(game, text, "");
                assert!(matches!(spec, Ok(PlayerSpec::Command(command)) if command == text));
            }
            assert!(PlayerSpec::parse(game, " ", "").is_err());
        }
    }
}
