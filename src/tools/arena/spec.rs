//! Player specifications: `self` with options, a shell command, or an engine with another protocol.

use crate::engine::clock::TimeControl;
use crate::engine::dialogue::Player;
use crate::engine::sys::simd::Path;
use crate::tools::contracts::engines::{Engine, PREFIX};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::levels::{self, Casual, Level, Strength, Style};
use crate::tools::contracts::opponent::{pairs, Opponent, Opponents};
use crate::tools::contracts::Rules;
use crate::tools::support::text::{blaming, shown_name};
use anyhow::{anyhow, ensure, Context, Result};
use std::path;
use std::sync::Arc;
use std::time::Duration;
use strsim::osa_distance;

/// Name of the built-in player on the command line.
const BUILT_IN: &str = "self";
/// Option of all built-in players: a level of play by its name.
const LEVEL: &str = "level";
/// Prefix of programs that are sent only the contest's lines.
const PLAIN: &str = "plain:";
/// Option of all players: the name in records and tables.
const NAME: &str = "name=";

/// A player of a match.
#[derive(Clone)]
pub enum PlayerSpec {
    /// Built-in player in this process.
    BuiltIn(Arc<dyn Opponent>),
    /// Built-in player in a separate process.
    Process {
        /// The player.
        opponent: Arc<dyn Opponent>,
        /// Shell command that starts it.
        command: String,
    },
    /// A shell command that speaks the protocol of the contest.
    Command(String),
    /// A shell command that is sent only the contest's lines.
    Plain(String),
    /// An engine that speaks another protocol.
    Engine(Arc<dyn Engine>),
}

/// Where a built-in player runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In this process.
    ThisProcess,
    /// In a separate process.
    OwnProcess,
}

impl PlayerSpec {
    /// Parses `self`, `self:key=value,...`, an engine after its prefix, or a shell command. A built-in player runs in
    /// this process and has the contest's time unless its options set a limit.
    pub fn parse(game: &Entry, text: &str) -> Result<PlayerSpec> {
        PlayerSpec::parse_with(game, text, "", Place::ThisProcess)
    }

    /// Parses a player as [`PlayerSpec::parse`] does. The options `common` apply if the player's own options set no
    /// limit. `place` is where a built-in player runs.
    pub fn parse_with(game: &Entry, text: &str, common: &str, place: Place) -> Result<PlayerSpec> {
        let (_, text) = split_name(text)?;
        let text = text.as_str();
        ensure!(!text.trim().is_empty(), "empty player: expected self or a shell command");
        if let Some(rest) = text.strip_prefix(PREFIX) {
            let engines = game.require(&game.tools.engines, "players with this prefix")?;
            let engine = (engines.read)(rest, common);
            return Ok(PlayerSpec::Engine(blaming(engine, &format!("player {text:?}"))?.into()));
        }
        let options = match text.strip_prefix(BUILT_IN) {
            Some("") => "",
            Some(rest) if rest.starts_with(':') => &rest[1..],
            _ => return PlayerSpec::parse_command(text),
        };
        let opponents = game.require(&game.tools.opponents, "built-in player")?;
        let keys = pairs(options).filter_map(|pair| Some(pair.ok()?.0));
        let is_limited =
            keys.into_iter().any(|key| key == LEVEL || opponents.limits.contains(&key));
        let all = if is_limited { options.to_string() } else { format!("{common},{options}") };
        let opponent =
            built_in(game, opponents.read, &all).map_err(|error| hinted(error, opponents, &all));
        let opponent = blaming(opponent, &format!("player {text:?}"))?;
        if place == Place::OwnProcess {
            let command = command_of(game, &all)?;
            return Ok(PlayerSpec::Process { opponent, command });
        }
        Ok(PlayerSpec::BuiltIn(opponent))
    }

    /// Parses a shell command with or without the prefix.
    fn parse_command(text: &str) -> Result<PlayerSpec> {
        let Some(plain) = text.strip_prefix(PLAIN) else {
            return Ok(PlayerSpec::Command(text.to_string()));
        };
        ensure!(!plain.trim().is_empty(), "expected plain:COMMAND, e.g. plain:./bot");
        Ok(PlayerSpec::Plain(plain.to_string()))
    }

    /// Whether the clock may limit the search, so that the load of the machine matters.
    pub fn is_timed(&self) -> bool {
        match self {
            PlayerSpec::BuiltIn(opponent) | PlayerSpec::Process { opponent, .. } => {
                opponent.is_limited_by_clock()
            }
            PlayerSpec::Engine(engine) => engine.longest_move().is_some(),
            PlayerSpec::Command(_) | PlayerSpec::Plain(_) => true,
        }
    }

    /// Returns the name of a player in records: the given one, or what the command line says.
    pub fn name(&self, text: &str) -> String {
        match (split_name(text), self) {
            (Ok((Some(name), _)), _) => name,
            (_, PlayerSpec::Engine(engine)) => engine.name().unwrap_or(text).to_string(),
            _ => text.to_string(),
        }
    }

    /// Returns the time control as PGN writes it: the engine's, or else the match's.
    pub fn time_control(&self, time: TimeControl) -> String {
        let time = match self {
            PlayerSpec::Engine(engine) => return engine.time_control(),
            PlayerSpec::BuiltIn(opponent) | PlayerSpec::Process { opponent, .. } => {
                if !opponent.is_limited_by_clock() {
                    return "-".to_string();
                }
                opponent.time().map_or(time, |own| time.with_budget(own))
            }
            PlayerSpec::Command(_) | PlayerSpec::Plain(_) => time,
        };
        match time {
            TimeControl::Game(budget) => budget.as_secs_f64().to_string(),
            TimeControl::Move { later, .. } => format!("1/{}", later.as_secs_f64()),
        }
    }

    /// Describes everything that determines the play, including the contents of files.
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

/// Splits the name from a player: `name=NAME` in front, quoted if it has blanks, or among the options of `self`.
fn split_name(text: &str) -> Result<(Option<String>, String)> {
    let (name, rest) = if let Some(named) = text.trim_start().strip_prefix(NAME) {
        let quote = named.chars().next().filter(|first| "'\"".contains(*first));
        let split = match quote {
            Some(quote) => named[1..].split_once(quote).context("name=: a quote is not closed")?,
            None => named.split_once(char::is_whitespace).unwrap_or((named, "")),
        };
        (split.0, split.1.trim_start().to_string())
    } else {
        let options = text.strip_prefix(BUILT_IN).and_then(|rest| rest.strip_prefix(':'));
        let (names, others): (Vec<&str>, Vec<&str>) =
            options.unwrap_or("").split(',').partition(|option| option.starts_with(NAME));
        let Some(name) = names.last() else { return Ok((None, text.to_string())) };
        (&name[NAME.len()..], format!("{BUILT_IN}:{}", others.join(",")))
    };
    ensure!(!name.trim().is_empty(), "option name=: expected a name");
    Ok((Some(name.to_string()), rest))
}

/// Creates a built-in player from its options, of which `level` is common to all games.
fn built_in(
    game: &Entry,
    read: fn(&str) -> Result<Box<dyn Opponent>>,
    options: &str,
) -> Result<Arc<dyn Opponent>> {
    let is_level = |option: &&str| option.split_once('=').is_some_and(|(key, _)| key == LEVEL);
    let (level, mut others): (Vec<&str>, Vec<&str>) = options.split(',').partition(is_level);
    let Some(name) = level.last().and_then(|option| option.split('=').nth(1)) else {
        return Ok(read(options)?.into());
    };
    let level = levels::parse(name).map_err(|error| anyhow!("option {LEVEL}={name}: {error}"))?;
    let Some(strength) = game.strength(level) else { return Ok(read(&others.join(","))?.into()) };
    let nodes = format!("nodes={}", strength.nodes());
    others.push(&nodes);
    let inner = read(&others.join(","))?;
    Ok(Arc::new(Leveled { inner, level, strength, rules: game.rules }))
}

/// Adds the name of the limit that an unknown option almost names to an error.
fn hinted(error: anyhow::Error, opponents: &Opponents, options: &str) -> anyhow::Error {
    let keys = pairs(options).filter_map(|pair| Some(pair.ok()?.0));
    let limits = || opponents.limits.iter().chain(&[LEVEL]);
    let mut meant =
        keys.flat_map(|key| limits().filter(move |limit| osa_distance(limit, key) == 1));
    match meant.next() {
        Some(limit) => anyhow!("{error:#}; did you mean {limit}?"),
        None => error,
    }
}

/// A built-in player at a level.
struct Leveled {
    inner: Box<dyn Opponent>,
    level: &'static Level,
    strength: Strength,
    rules: &'static Rules,
}

impl Opponent for Leveled {
    fn describe(&self) -> String {
        format!("{LEVEL}={},{:?},{}", self.level.name, self.strength, self.inner.describe())
    }

    fn player(&self, game: u64) -> Box<dyn Player> {
        let style = Style { strength: self.strength, seed: game };
        // Every game can begin at its usual start.
        match Casual::new(self.inner.player(game), self.rules.begin, style) {
            Ok(player) => Box::new(player),
            Err(_) => self.inner.player(game),
        }
    }

    fn time(&self) -> Option<Duration> {
        self.inner.time()
    }

    fn is_limited_by_clock(&self) -> bool {
        self.inner.is_limited_by_clock()
    }
}

/// Returns the shell command that runs a built-in player with these options in a separate process.
fn command_of(game: &Entry, options: &str) -> Result<String> {
    let program = std::env::current_exe().context("finding this program")?;
    let program = quoted(&program)?;
    let path = Path::restriction().map(|path| format!(" --simd {path:?}").to_lowercase());
    let options = quoted(path::Path::new(&format!("{BUILT_IN}:{options}")))?;
    let path = path.unwrap_or_default();
    Ok(format!("exec {program}{path} play {} --as {options}", game.rules.name))
}

/// Quotes a path for the shell.
pub fn quoted(path: &path::Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8", shown_name(path)))?;
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
            _ => panic!("{text} is not a built-in player"),
        }
    }

    #[test]
    fn common_limits_apply_to_players_without_limits() {
        let described = |text, common| opponent(text, common).describe();
        assert_eq!(described("self", "depth=3"), described("self:depth=3", ""));
        assert_eq!(described("self:hash=3", "depth=3"), described("self:depth=3,hash=3", ""));
        assert_eq!(described("self:nodes=5", "depth=3"), described("self:nodes=5", ""));
        assert_eq!(opponent("self", "time=2s").time(), Some(Duration::from_secs(2)));
    }

    #[test]
    fn levels_are_options_of_all_games() {
        for game in GAMES {
            let described = |text: &str| match PlayerSpec::parse(game, text) {
                Ok(PlayerSpec::BuiltIn(opponent)) => opponent.describe(),
                Ok(_) => panic!("{text} is not a built-in player"),
                Err(error) => format!("{error:#}"),
            };
            assert!(described("self:level=easy").starts_with("level=easy,"), "{game:?}");
            assert!(described("self:node=5").ends_with("did you mean nodes?"), "{game:?}");
            assert!(described("self:level=silly").contains("expected one of beginner"));
        }
    }

    #[test]
    fn a_name_stands_in_front_or_among_the_options() {
        let split = |text| split_name(text).map_err(|error| error.to_string());
        let named = |name: &str, rest: &str| Ok((Some(name.to_string()), rest.to_string()));
        assert_eq!(split("name=Old ./bot name=x"), named("Old", "./bot name=x"));
        assert_eq!(split("name='Old bot' self:nodes=5"), named("Old bot", "self:nodes=5"));
        assert_eq!(split("self:nodes=5,name=Old,hash=3"), named("Old", "self:nodes=5,hash=3"));
        assert_eq!(split("self:name=Old"), named("Old", "self:"));
        assert_eq!(split("./bot name=x"), Ok((None, "./bot name=x".to_string())));
        for wrong in ["name= ./bot", "name='' ./bot", "self:name=", "name='Old ./bot"] {
            assert!(split(wrong).is_err(), "{wrong}");
        }
        for text in ["name=Old self:nodes=5", "self:nodes=5,name=Old"] {
            let spec = PlayerSpec::parse(main_game(), text).expect("a good player");
            assert_eq!(spec.name(text), "Old");
        }
    }

    #[test]
    fn other_texts_are_commands() {
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
