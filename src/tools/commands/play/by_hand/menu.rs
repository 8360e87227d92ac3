//! The choice of a game and a side at the start.

use super::terminal::Lines;
use super::SCREEN_WIDTH;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::settings::LEVELS;
use crate::tools::labs::registry::{self, GAMES};
use crate::tools::support::style::folded;
use anyhow::Result;
use std::io::Write;

/// A game to play.
pub struct Start {
    /// The game.
    pub game: &'static Entry,
    /// Whether cupbot begins.
    pub is_second: bool,
}

/// Lists the games with their numbers.
pub fn games_text() -> String {
    let lines = GAMES.iter().enumerate().map(|(index, game)| {
        format!("  {} {:15} {}, {}\n", index + 1, game.name, game.title, game.contest.name)
    });
    lines.collect()
}

/// Asks for the game and the side. Returns `None` if the user leaves.
pub fn choose_game(input: &mut dyn Lines, screen: &mut dyn Write) -> Result<Option<Start>> {
    let main = registry::main_game();
    let levels = LEVELS.map(|(name, _)| name).join(", ");
    let text = format!(
        "cupbot plays four games of programming contests:\n{}Levels: {levels}. Type `level NAME` in a game.\n",
        games_text()
    );
    write!(screen, "{}", folded(&text, SCREEN_WIDTH))?;
    let question = format!("Which game? Its number or name; Enter: {}", main.name);
    let game = ask(&question, input, screen, |answer| match answer.parse::<usize>() {
        _ if answer.is_empty() => Some(main),
        Ok(number) if (1..=GAMES.len()).contains(&number) => Some(GAMES[number - 1]),
        _ => registry::find_short(answer),
    })?;
    let Some(game) = game else { return Ok(None) };
    let [first, second] = game.sides;
    let question = format!("Which side? {first} begins, or {second}; Enter: {first}");
    let is_second = ask(&question, input, screen, |answer| match answer.to_lowercase() {
        side if side.is_empty() || first.to_lowercase().starts_with(&side) => Some(false),
        side if second.to_lowercase().starts_with(&side) => Some(true),
        _ => None,
    })?;
    Ok(is_second.map(|is_second| Start { game, is_second }))
}

/// Asks until `read` accepts the answer. Returns `None` at the end of input, `quit` or `exit`.
fn ask<T>(
    question: &str,
    input: &mut dyn Lines,
    screen: &mut dyn Write,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>> {
    loop {
        writeln!(screen, "{question}")?;
        let Some(line) = input.next_line(screen)? else { return Ok(None) };
        let answer = line.trim();
        if ["quit", "exit"].contains(&answer) {
            return Ok(None);
        }
        if let Some(found) = read(answer) {
            return Ok(Some(found));
        }
        writeln!(screen, "I don't know {answer:?}.")?;
    }
}
