//! The first questions of a session that is started without a game: which game, level and side.

use super::terminal::Lines;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::levels::{self, Level};
use crate::tools::contracts::Side;
use crate::tools::labs::registry::{main_game, GAMES};
use crate::tools::support::style::{self, folded, painted};
use anyhow::Result;
use std::fmt::Write as _;
use std::io::Write;

/// Minimum length of an abbreviated name of a game.
const MIN_NAME: usize = 3;

/// Answers to the first questions.
pub struct Chosen {
    /// The game.
    pub game: &'static Entry,
    /// The level, if one was named.
    pub level: Option<&'static Level>,
    /// The user's side.
    pub side: Side,
}

/// The games with a board, with their numbers from 1.
fn games() -> impl Iterator<Item = (usize, &'static Entry)> {
    (1..).zip(GAMES.iter().copied().filter(|game| game.tools.by_hand.is_some()))
}

/// Finds a game by its number, its name or title, or the beginning of either if no other game begins so.
pub fn find_game(word: &str) -> Option<&'static Entry> {
    let word = word.to_lowercase();
    let numbered = games().find(|(number, _)| number.to_string() == word).map(|(_, game)| game);
    numbered.or_else(|| {
        named(games().map(|(_, game)| game), &word, |game| [game.rules.name, game.rules.title])
    })
}

/// Returns the item with this name, or the only one with a name that begins so.
fn named<T>(items: impl Iterator<Item = T>, word: &str, names: fn(&T) -> [&str; 2]) -> Option<T> {
    let plain = |name: &str| name.to_lowercase().replace(' ', "-");
    let is_begun = |item: &T| names(item).iter().any(|name| plain(name).starts_with(word));
    let mut found: Vec<T> = items.filter(|item| word.len() >= MIN_NAME && is_begun(item)).collect();
    let whole = found.iter().position(|item| names(item).iter().any(|name| plain(name) == word));
    match (whole, found.len()) {
        (Some(index), _) => Some(found.swap_remove(index)),
        (None, 1) => found.pop(),
        (None, _) => None,
    }
}

/// Lists the games, one per line.
pub fn list_of_games() -> String {
    let mut text = String::new();
    for (number, game) in games() {
        let pitch = game.tools.by_hand.as_ref().map_or("", |hand| hand.pitch);
        let name = painted(format!("{:14}", game.rules.name), style::HEAD);
        let _ = writeln!(text, "  {number}  {name}  {pitch}");
    }
    text
}

/// Asks which game, level and side; `None` if the user leaves.
pub fn choose(input: &mut dyn Lines, screen: &mut dyn Write) -> Result<Option<Chosen>> {
    let greeting = format!("cupbot: board games; levels {}.\n", levels::names());
    let text = greeting + &list_of_games();
    write!(screen, "{}", folded(&text, style::screen_width()))?;
    let mut level = None;
    let game = loop {
        let prompt = format!("Which game? (Enter: {}) > ", main_game().rules.title);
        let Some(line) = input.next_line(screen, &prompt)? else { return Ok(None) };
        let mut words: Vec<&str> = line.split_whitespace().collect();
        words.retain(|word| !["play", "level"].contains(word));
        if let ["quit" | "exit"] = words[..] {
            return Ok(None);
        }
        let named = words.iter().find_map(|word| levels::find(word));
        level = named.or(level);
        words.retain(|word| levels::find(word).is_none());
        match words[..] {
            [] if named.is_none() => break main_game(),
            [] => writeln!(screen, "Level: {}.", level.map_or("", |level| level.name))?,
            [word] if find_game(word).is_some() => break find_game(word).unwrap_or(main_game()),
            _ => writeln!(screen, "Type the number or the name of a game, or a level, or quit.")?,
        }
    };
    let [first, second] = game.rules.sides;
    let prompt = format!("Which side? {first} (Enter, begins) or {second} > ");
    loop {
        let Some(line) = input.next_line(screen, &prompt)? else { return Ok(None) };
        let word = line.trim().to_lowercase();
        let side = match word.as_str() {
            "quit" | "exit" => return Ok(None),
            word if word == "1" || first.starts_with(word) => Side::First,
            word if word == "2" || second.starts_with(word) => Side::Second,
            _ => {
                writeln!(screen, "Type {first} or {second}.")?;
                continue;
            }
        };
        return Ok(Some(Chosen { game, level, side }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abbreviated_name_must_be_unique() {
        let games = [["halma", "Halma"], ["halma64", "Halma 64"], ["othello", "Othello"]];
        let found = |word| named(games.into_iter(), word, |names| *names).map(|[name, _]| name);
        for (word, name) in [
            ("oth", Some("othello")),
            ("ot", None),
            ("hal", None),
            ("halma", Some("halma")),
            ("halma6", Some("halma64")),
            ("halma-6", Some("halma64")),
        ] {
            assert_eq!(found(word), name, "{word}");
        }
    }
}
