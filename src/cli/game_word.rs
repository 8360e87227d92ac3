//! The game of a command: `--game NAME`, or the name directly before or after the command.

use crate::tools::labs::registry;
use std::ffi::OsString;

/// Id and long name of the argument.
const GAME: &str = "game";

/// Brings the name of the game to the place where the grammar expects it. `is_general` returns whether a command is for
/// all games, not for a single one.
pub fn placed(
    mut arguments: Vec<OsString>,
    grammar: &clap::Command,
    is_general: fn(&str) -> bool,
) -> Vec<OsString> {
    let is_game =
        |word: &OsString| word.to_str().is_some_and(|text| registry::find(text).is_some());
    let is_general = |word: &OsString| word.to_str().is_some_and(is_general);
    if arguments.is_empty() {
        return arguments;
    }
    if let [_, first, second, ..] = &arguments[..] {
        let is_own = |word: &OsString| grammar.find_subcommand(word).is_some() && !is_game(word);
        let is_before = is_game(first) && is_general(second);
        if is_before || is_own(first) && !is_general(first) && is_game(second) {
            arguments.swap(1, 2);
        }
    }
    let is_command = |word: &OsString| grammar.find_subcommand(word).is_some();
    let place = arguments.iter().skip(1).position(is_command).map_or(0, |index| index + 1);
    let command =
        grammar.find_subcommand(&arguments[place]).filter(|_| is_general(&arguments[place]));
    let argument = command
        .and_then(|command| command.get_arguments().find(|argument| argument.get_id() == GAME));
    let Some(argument) = argument else { return arguments };
    let option = OsString::from(format!("--{GAME}"));
    let after = place + 1;
    if argument.is_positional() {
        let given = arguments[after..].iter().position(|word| *word == option);
        let given = given.map(|index| after + index);
        if let Some(given) = given.filter(|given| given + 1 < arguments.len()) {
            arguments.remove(given);
            let name = arguments.remove(given);
            arguments.insert(after, name);
        }
    } else if arguments.get(after).is_some_and(is_game) {
        arguments.insert(after, option);
    }
    arguments
}
