//! Commands that need a feature of the build. A build without it lists them all the same, and they say how
//! to get them.

use crate::tools::labs::registry::GAMES;
use clap::{Arg, Command};

/// How to get all of them.
const INSTALL: &str = "cargo install --path . --features full";

/// A command that this build lacks.
pub struct Missing {
    pub name: &'static str,
    /// What it does, in short.
    about: String,
    /// What brings it.
    feature: &'static str,
}

/// A feature, whether this build has it, and its commands with what they do.
type Feature = (&'static str, bool, &'static [(&'static str, &'static str)]);

const FEATURES: [Feature; 4] = [
    (
        "board",
        cfg!(feature = "board"),
        &[
            ("board", "Play and analyse on a board in the browser"),
            ("replay", "Write a game as an HTML page to step through, or as PGN"),
        ],
    ),
    (
        "completions",
        cfg!(feature = "completions"),
        &[("completions", "Print a shell's completion script for all commands")],
    ),
    (
        LAB,
        cfg!(feature = "lab"),
        &[
            ("tournament", "Play a round robin between several players"),
            ("merge", "Join the shards of a self-play or of a match into one file"),
            ("progress", "Show how far the shards of a run are"),
            ("selfplay", "Play training games in process and write them to a file"),
            ("data", "Verify files of self-play games and print statistics"),
            ("train", "Train the evaluation network on files of self-play games"),
            ("tune", "Tune the parameters of the search"),
            ("setups", "Search for strong setups"),
            ("tactics", "Count the nodes that a suite of positions needs"),
            ("params", "List the parameters of the search"),
        ],
    ),
    (
        "submit",
        cfg!(feature = "submit"),
        &[("submit", "Write a player as one source file, or check such a file")],
    ),
];

/// What the list of commands leaves out in every build.
const UNLISTED: [&str; 10] = [
    "merge",
    "progress",
    "completions",
    "selfplay",
    "data",
    "train",
    "tune",
    "setups",
    "tactics",
    "params",
];

/// The feature of the commands of single games.
const LAB: &str = "lab";

/// What a command does that has the commands of a single game.
pub fn about_commands_of(title: &str) -> String {
    format!("Commands specific to {title} (training, tuning)")
}

/// All commands that this build lacks.
pub fn missing() -> impl Iterator<Item = Missing> {
    let absent = FEATURES.into_iter().filter(|&(_, is_there, _)| !is_there);
    let general = absent.flat_map(|(feature, _, commands)| {
        let missing =
            move |&(name, about): &(_, &str)| Missing { name, about: about.to_string(), feature };
        commands.iter().map(missing)
    });
    let games = GAMES.iter().filter(|_| !cfg!(feature = "lab")).map(|game| Missing {
        name: game.name,
        about: about_commands_of(game.title),
        feature: LAB,
    });
    general.chain(games)
}

impl Missing {
    /// Its place in the grammar: it takes whatever it is given.
    pub fn command(&self) -> Command {
        let rest = Arg::new("rest").num_args(0..).trailing_var_arg(true).allow_hyphen_values(true);
        Command::new(self.name)
            .about(format!("(not in this build) {}", self.about))
            .hide(UNLISTED.contains(&self.name))
            .disable_help_flag(true)
            .disable_version_flag(true)
            .arg(rest.hide(true))
    }

    /// How to get it.
    pub fn advice(&self) -> String {
        let Missing { name, feature, .. } = self;
        format!("{name} is not in this build, it needs the feature {feature}: {INSTALL}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commands that every build has.
    const ALWAYS: [&str; 10] = [
        "play",
        "games",
        "analyse",
        "match",
        "check",
        "perft",
        "bench",
        "random-mover",
        "reaper",
        "referee",
    ];

    #[test]
    fn every_build_has_or_lists_all_commands() {
        let grammar = super::super::grammar();
        let mut found: Vec<&str> = grammar.get_subcommands().map(Command::get_name).collect();
        let optional = FEATURES.iter().flat_map(|(_, _, commands)| commands.iter());
        let mut expected: Vec<&str> = optional.map(|(name, _)| *name).chain(ALWAYS).collect();
        // A game without commands of its own is missing only where it might have had some.
        expected.extend(GAMES.iter().map(|game| game.name).filter(|name| found.contains(name)));
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_missing_command_says_how_to_get_it() {
        assert_eq!(
            missing().count() == 0,
            cfg!(all(
                feature = "board",
                feature = "completions",
                feature = "lab",
                feature = "submit"
            ))
        );
        for command in missing() {
            let words = ["cupbot", command.name, "--help", "x", "-o", "y"];
            let matches = super::super::grammar().try_get_matches_from(words).expect("any words");
            assert_eq!(matches.subcommand_name(), Some(command.name));
            assert!(command.advice().contains(INSTALL));
        }
    }
}
