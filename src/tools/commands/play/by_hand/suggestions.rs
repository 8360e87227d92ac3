//! Suggestions for lines that are neither a command nor a move.

use super::help::HELP;
use strsim::osa_distance;

/// Aliases of commands that the help does not list.
const ALIASES: [&str; 4] = ["exit", "?", "rules", "games"];
/// Number of letters per typing error that is tolerated.
const LETTERS_A_SLIP: usize = 3;

/// Names of the commands, as in the help.
fn commands() -> impl Iterator<Item = &'static str> {
    let lines = HELP.lines().filter_map(|line| line.strip_prefix("  "));
    lines.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_whitespace().next())
}

/// Whether this is the name of a command, in lower case.
pub fn is_command(word: &str) -> bool {
    ALIASES.contains(&word) || commands().any(|name| name.eq_ignore_ascii_case(word))
}

/// Fewest letters of a word that can't be a mistyped move.
const MIN_WORD: usize = 3;
/// Most letters of such a word: fewer than those of a setup.
const MAX_WORD: usize = 12;

/// Whether a line is a word rather than a move: moves of more than two characters have a digit or a dash.
pub fn is_word(line: &str) -> bool {
    (MIN_WORD..=MAX_WORD).contains(&line.chars().count()) && line.chars().all(char::is_alphabetic)
}

/// A question after a refusal.
pub fn did_you_mean(text: &str) -> String {
    format!(" Did you mean {text}?")
}

/// Asks about the command most similar to the first word of a line; empty if there is none.
pub fn nearest_command(line: &str) -> String {
    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let slips = |name: &str| osa_distance(&word, &name.to_ascii_lowercase());
    let close = commands().filter(|name| slips(name) <= name.len() / LETTERS_A_SLIP);
    close.min_by_key(|name| slips(name)).map(did_you_mean).unwrap_or_default()
}

/// Returns a word in the cases in which it might be a move: upper, lower, and capitalised.
pub fn cases(word: &str) -> [String; 3] {
    let lower = word.to_lowercase();
    let mut rest = lower.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    [word.to_uppercase(), first + rest.as_str(), lower]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_not_taken_for_commands() {
        for (line, meant) in [
            ("Strat", "Start"),
            ("hitn", "hint"),
            ("movse now", "moves"),
            ("udo", "undo"),
            ("umdo", "undo"),
        ] {
            assert_eq!(nearest_command(line), did_you_mean(meant), "{line}");
        }
        for line in ["", "castle", "b1d3", "take2", "Df8", "A1h!"] {
            assert_eq!(nearest_command(line), "", "{line}");
        }
        assert!(is_command("start") && is_command("exit") && !is_command("for"));
    }

    #[test]
    fn cases_are_tried_once_each() {
        assert_eq!(cases("b3H"), ["B3H", "B3h", "b3h"]);
        assert_eq!(cases(""), ["", "", ""]);
    }
}
