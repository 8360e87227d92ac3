//! The registry of games. Only this file and the games' own folders name a game.

use super::{chess960, g6561, zero_point_one, zuniq};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::Rules;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// All games, the main one first.
pub static GAMES: &[&Entry] = &[
    &zero_point_one::ENTRY,
    &zuniq::ENTRY,
    &g6561::ENTRY,
    &chess960::ENTRY,
    #[cfg(test)]
    &super::toy::NIM,
    #[cfg(test)]
    &super::toy::TEAM_NIM,
];

/// Returns the main game.
pub fn main_game() -> &'static Entry {
    GAMES[0]
}

/// Returns the game with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    GAMES.iter().copied().find(|game| game.rules.name == name)
}

/// Returns the game with these rules.
pub fn entry(rules: &Rules) -> &'static Entry {
    find(rules.name).expect("all games are registered")
}

/// Returns a parser of game names on the command line.
pub fn parser() -> impl TypedValueParser<Value = &'static Entry> {
    PossibleValuesParser::new(GAMES.iter().map(|game| game.rules.name))
        .map(|name| find(&name).expect("the parser accepts only registered names"))
}

/// Creates a section of a help page with one line per game for which `text_of` returns a text.
pub fn help_of_games(title: &str, text_of: impl Fn(&Entry) -> Option<&'static str>) -> String {
    let lines = GAMES.iter().filter_map(|game| Some((game, text_of(game)?)));
    let lines: Vec<String> =
        lines.map(|(game, text)| format!("  {}: {text}", game.rules.name)).collect();
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

    /// Collects all text files below a folder, except those of the games' own folders and this file.
    fn texts_outside_the_games(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let own =
                GAMES.iter().any(|game| path.file_name().is_some_and(|name| name == game.rules.id));
            if path.ends_with("labs/registry.rs") || own {
                continue;
            }
            if path.is_dir() {
                texts_outside_the_games(&path, found);
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push((path, text));
            }
        }
    }

    /// Normalises a text for comparison: lower case, words separated by one space.
    fn normalised(text: &str) -> String {
        text.to_lowercase().replace(['-', '_', '/', '\n'], " ").replace("  ", " ")
    }

    #[test]
    fn no_game_is_named_outside_its_folders() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        ["src", ".ci"]
            .iter()
            .for_each(|part| texts_outside_the_games(&root.join(part), &mut found));
        let build = root.join("build.rs");
        found.push((build.clone(), fs::read_to_string(build).expect("the build script")));
        assert!(found.len() > 50, "only {} files found", found.len());
        // The toy game exists only in tests and has its own file.
        let real = || GAMES.iter().filter(|game| game.rules.id != "toy");
        assert!(real().count() >= 2);
        for (path, text) in found.iter().filter(|(path, _)| !path.ends_with("labs/toy.rs")) {
            for game in real() {
                // Module declarations are allowed.
                let declaration = format!("mod {};", game.rules.id);
                let lines = text.lines().filter(|line| !line.ends_with(&declaration));
                let title = game.rules.title.split(" (").next().unwrap_or_default();
                for line in lines {
                    for name in [game.rules.name, game.rules.id, title].map(normalised) {
                        assert!(!normalised(line).contains(&name), "{}: {line}", path.display());
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_unique() {
        for (index, game) in GAMES.iter().enumerate() {
            assert!(GAMES[..index].iter().all(|other| other.rules.name != game.rules.name));
            assert_ne!(game.rules.sides[0], game.rules.sides[1]);
            assert_eq!(find(game.rules.name), Some(*game));
        }
    }
}
