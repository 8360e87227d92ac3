//! The one table of games. An entry says what a game is called, which contest it belongs to, how it is
//! played, and which of the instruments' capabilities it has. Nothing outside this table and the games'
//! own folders names a game.

use super::analyse::Analyse;
use super::arena::judge::Judge;
use super::arena::openings;
use super::arena::opponent::Opponents;
use super::bench::Bench;
use super::by_hand::Board;
use super::game::{GameState, Side};
use super::perft::Perft;
use super::replay::Page;
use super::{zero_point_one, zuniq};
use crate::engine::contest::Contest;
use crate::engine::dialogue::Player;
use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::ArgMatches;
use std::process::ExitCode;

/// All games, the main one first.
pub static GAMES: &[&Entry] = &[
    &zero_point_one::ENTRY,
    &zuniq::ENTRY,
    #[cfg(test)]
    &super::toy::NIM,
    #[cfg(test)]
    &super::toy::TEAM_NIM,
];

/// How a player is to play.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The size of its table at most, in MiB.
    pub hash_mb: usize,
    /// Think about every move for so many nodes instead of by the clock.
    pub nodes: Option<u64>,
}

/// A game, and what cupbot can do with it. What is `None` it can't.
pub struct Entry {
    /// The name of its module in `games` and `tools`.
    pub id: &'static str,
    /// The name on the command line and in records.
    pub name: &'static str,
    /// The game in words.
    pub title: &'static str,
    /// The contest that it belongs to.
    pub contest: &'static Contest,
    /// The judge's side of the contest's protocol.
    pub judge: fn() -> Box<dyn Judge>,
    /// What the sides are called in records and reports, the one that begins first.
    pub sides: [&'static str; 2],
    /// Marks that the rules allow behind any move, such as a claim to win.
    pub marks: &'static [char],
    /// The words that records have for its ends by the rules.
    pub end_reasons: &'static [&'static str],
    /// What a match of two players compares.
    pub comparison: Comparison,
    /// A game from the beginning, or from a position as records write it.
    pub begin: fn(Option<&str>) -> Result<Box<dyn GameState>>,
    /// Are these the words of a record of this game, without id and outcome? If so, how many of them
    /// are its start position (0: the game begins from the beginning). Nothing is said about legality.
    pub recognise: fn(&[&str]) -> Option<usize>,
    /// The random openings of its matches.
    pub openings: openings::Random,
    /// A player at the start of a game.
    pub player: fn(Settings) -> Box<dyn Player>,
    /// The default size of its table, in MiB.
    pub hash_mb: usize,
    /// The board for play by hand.
    pub board: Option<fn(Settings) -> Box<dyn Board>>,
    /// Counting the move tree.
    pub perft: Option<Perft>,
    /// The benchmark.
    pub bench: Option<Bench>,
    /// Searching every position of a game.
    pub analyse: Option<Analyse>,
    /// The page that shows a game.
    pub page: Option<Page>,
    /// Built-in players for matches.
    pub opponents: Option<Opponents>,
    /// Further subcommands.
    pub commands: Option<Commands>,
}

/// What a match of two players compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Who is stronger: the elo difference, from pairs of games with colours swapped.
    Elo,
    /// How well they play together: the mean of the points that both sides get alike.
    #[allow(dead_code)]
    // No game of the table is played together yet; the toy of the tests is.
    MeanScore,
}

impl Comparison {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Comparison::Elo => "elo difference",
            Comparison::MeanScore => "mean score of both together",
        }
    }
}

/// The further subcommands of a game.
pub struct Commands {
    /// Adds them to a command.
    pub augment: fn(clap::Command) -> clap::Command,
    /// Does what the matches of that command ask for.
    pub run: fn(&ArgMatches) -> Result<ExitCode>,
}

impl Entry {
    /// The name of a side.
    pub fn side_name(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// The side of a name.
    pub fn side(&self, name: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.side_name(side) == name)
    }

    /// What the game can do, by name, in the order of the columns of `cupbot games`.
    pub fn capabilities(&self) -> [(&'static str, bool); 7] {
        [
            ("by hand", self.board.is_some()),
            ("perft", self.perft.is_some()),
            ("bench", self.bench.is_some()),
            ("analyse", self.analyse.is_some()),
            ("replay", self.page.is_some()),
            ("self in match", self.opponents.is_some()),
            ("more commands", self.commands.is_some()),
        ]
    }

    /// A capability of the game, or the one refusal for all that are missing. `what` completes the
    /// sentence "Zuniq has no ...".
    pub fn require<'a, T>(&'a self, capability: &'a Option<T>, what: &str) -> Result<&'a T> {
        capability.as_ref().ok_or_else(|| {
            anyhow::anyhow!(
                "{} has no {what}; `cupbot games` shows what works for each game",
                self.title
            )
        })
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// An entry is its name.
impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.name == other.name
    }
}

/// The main game.
pub fn main_game() -> &'static Entry {
    GAMES[0]
}

/// The game of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    GAMES.iter().copied().find(|game| game.name == name)
}

/// The side of this name in any of the games.
pub fn side_named(name: &str) -> Option<Side> {
    GAMES.iter().find_map(|game| game.side(name))
}

/// Reads the name of a game on the command line.
pub fn parser() -> impl TypedValueParser<Value = &'static Entry> {
    PossibleValuesParser::new(GAMES.iter().map(|game| game.name))
        .map(|name| find(&name).expect("the parser lets only these names through"))
}

/// A section of a help page: a line for each game for which there is something to say.
pub fn help_of_games(title: &str, say: impl Fn(&Entry) -> Option<&'static str>) -> String {
    let lines = GAMES.iter().filter_map(|game| Some((game, say(game)?)));
    let lines: Vec<String> = lines.map(|(game, text)| format!("  {}: {text}", game.name)).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("{title}\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// All texts below a folder, without those of the games' own folders and this one.
    fn texts_outside_the_games(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let own = GAMES.iter().any(|game| path.file_name().is_some_and(|name| name == game.id));
            if path.ends_with("tools/registry.rs") || own {
                continue;
            }
            if path.is_dir() {
                texts_outside_the_games(&path, found);
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push((path, text));
            }
        }
    }

    /// Words for a comparison: small letters, one blank between them.
    fn plain(text: &str) -> String {
        text.to_lowercase().replace(['-', '_', '/', '\n'], " ").replace("  ", " ")
    }

    #[test]
    fn no_game_is_named_outside_the_table_and_the_folders_of_the_games() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        ["src", ".ci"]
            .iter()
            .for_each(|part| texts_outside_the_games(&root.join(part), &mut found));
        let build = root.join("build.rs");
        found.push((build.clone(), fs::read_to_string(build).expect("the build script")));
        assert!(found.len() > 50, "only {} files found", found.len());
        // The toy is a game of the tests alone, which its own file holds.
        let real = || GAMES.iter().filter(|game| game.id != "toy");
        assert!(real().count() >= 2);
        for (path, text) in found.iter().filter(|(path, _)| !path.ends_with("tools/toy.rs")) {
            for game in real() {
                // Rust wants its modules declared.
                let declaration = format!("mod {};", game.id);
                let lines = text.lines().filter(|line| !line.ends_with(&declaration));
                let title = game.title.split(" (").next().unwrap_or_default();
                for line in lines {
                    for name in [game.name, game.id, title].map(plain) {
                        assert!(!plain(line).contains(&name), "{}: {line}", path.display());
                    }
                }
            }
        }
    }

    #[test]
    fn names_differ_and_sides_mean_the_same_in_all_games() {
        for (index, game) in GAMES.iter().enumerate() {
            assert!(GAMES[..index].iter().all(|other| other.name != game.name));
            for side in Side::ALL {
                assert_eq!(side_named(game.side_name(side)), Some(side), "{}", game.name);
            }
        }
    }
}
