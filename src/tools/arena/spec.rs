//! Who plays: a shell command, `self` with options, or a program of the game's community.

use crate::engine::sys::simd::Path;
use crate::tools::contracts::engines::{Engine, PREFIX};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::opponent::{pairs, Opponent};
use anyhow::{ensure, Context, Result};
use std::path;
use std::sync::Arc;

/// The built-in player's name on the command line.
const BUILT_IN: &str = "self";
/// What stands before programs that know nothing but the lines of their contest.
const PLAIN: &str = "plain:";

/// A player of a match.
#[derive(Clone)]
pub enum PlayerSpec {
    /// In this process.
    BuiltIn(Arc<dyn Opponent>),
    /// The same in a process of its own, by this shell command.
    Process {
        /// The player.
        opponent: Arc<dyn Opponent>,
        /// What starts it.
        command: String,
    },
    /// A shell command that speaks the protocol of the contest.
    Command(String),
    /// A shell command that knows nothing but the lines of the contest.
    Plain(String),
    /// A program that speaks another protocol.
    Engine(Arc<dyn Engine>),
}

/// Where a built-in player plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In this process.
    ThisProcess,
    /// In a process of its own.
    OwnProcess,
}

impl PlayerSpec {
    /// Reads `self`, `self:key=value,...`, an engine after its prefix, or a shell command of a player of this
    /// game. Without options that limit its thinking, a built-in player has the contest's time. It plays in
    /// this process.
    pub fn parse(game: &Entry, text: &str) -> Result<PlayerSpec> {
        PlayerSpec::parse_with(game, text, "", Place::ThisProcess)
    }

    /// Reads a player as [`PlayerSpec::parse`] does. The options `common` hold if the player's own ones set no
    /// limit to its thinking. `place` is where a built-in player plays.
    pub fn parse_with(game: &Entry, text: &str, common: &str, place: Place) -> Result<PlayerSpec> {
        ensure!(!text.trim().is_empty(), "a player is empty, expected self or a shell command");
        if let Some(rest) = text.strip_prefix(PREFIX) {
            let engines = game.require(&game.engines, "players with such a prefix")?;
            let engine =
                (engines.read)(rest, common).with_context(|| format!("player {text:?}"))?;
            return Ok(PlayerSpec::Engine(engine.into()));
        }
        let options = match text.strip_prefix(BUILT_IN) {
            Some("") => "",
            Some(rest) if rest.starts_with(':') => &rest[1..],
            _ => return PlayerSpec::parse_command(text),
        };
        let opponents = game.require(&game.opponents, "built-in player")?;
        let keys = pairs(options).filter_map(|pair| Some(pair.ok()?.0));
        let is_limited = keys.into_iter().any(|key| opponents.limits.contains(&key));
        let all = if is_limited { options.to_string() } else { format!("{common},{options}") };
        let opponent = (opponents.read)(&all).with_context(|| format!("player {text:?}"))?;
        let opponent = opponent.into();
        if place == Place::OwnProcess {
            let command = command_of(game, &all)?;
            return Ok(PlayerSpec::Process { opponent, command });
        }
        Ok(PlayerSpec::BuiltIn(opponent))
    }

    /// A shell command, plain or not.
    fn parse_command(text: &str) -> Result<PlayerSpec> {
        let Some(plain) = text.strip_prefix(PLAIN) else {
            return Ok(PlayerSpec::Command(text.to_string()));
        };
        ensure!(!plain.trim().is_empty(), "expected plain:COMMAND, such as plain:./bot");
        Ok(PlayerSpec::Plain(plain.to_string()))
    }

    /// May the clock limit how much the player thinks?
    pub fn is_timed(&self) -> bool {
        match self {
            PlayerSpec::BuiltIn(opponent) | PlayerSpec::Process { opponent, .. } => {
                opponent.is_limited_by_clock()
            }
            PlayerSpec::Engine(engine) => engine.longest_move().is_some(),
            PlayerSpec::Command(_) | PlayerSpec::Plain(_) => true,
        }
    }

    /// All that decides how the player plays, contents of files included.
    pub fn description(&self) -> String {
        match self {
            PlayerSpec::Command(command) => command.clone(),
            PlayerSpec::Plain(command) => format!("{PLAIN}{command}"),
            PlayerSpec::Engine(engine) => engine.describe(),
            PlayerSpec::BuiltIn(opponent) | PlayerSpec::Process { opponent, .. } => {
                format!("{BUILT_IN}:{}", opponent.describe())
            }
        }
    }
}

/// The shell command by which a built-in player with these options plays in a process of its own.
fn command_of(game: &Entry, options: &str) -> Result<String> {
    let program = std::env::current_exe().context("finding this program")?;
    let program = quoted(&program)?;
    let path = Path::restriction().map(|path| format!(" --simd {path:?}").to_lowercase());
    let options = quoted(path::Path::new(&format!("{BUILT_IN}:{options}")))?;
    let path = path.unwrap_or_default();
    Ok(format!("exec {program}{path} play {} --as {options}", game.name))
}

/// A path as a word of the shell.
pub fn quoted(path: &path::Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(format!("'{}'", text.replace('\'', "'\\''")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::registry::{main_game, GAMES};
    use std::time::Duration;

    fn opponent(text: &str, common: &str) -> Arc<dyn Opponent> {
        match PlayerSpec::parse_with(main_game(), text, common, Place::ThisProcess)
            .expect("a good player")
        {
            PlayerSpec::BuiltIn(opponent) => opponent,
            _ => panic!("{text} is no built-in player"),
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
                let spec = PlayerSpec::parse(game, text);
                assert!(matches!(spec, Ok(PlayerSpec::Command(command)) if command == text));
                let plain = PlayerSpec::parse(game, &format!("plain:{text}"));
                assert!(matches!(plain, Ok(PlayerSpec::Plain(command)) if command == text));
            }
            assert!(PlayerSpec::parse(game, " ").is_err());
            assert!(PlayerSpec::parse(game, "plain: ").is_err());
        }
    }
}
