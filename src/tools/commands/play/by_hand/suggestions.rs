//! Suggestions for lines that are neither a command nor a move.

use super::help::HELP;
use strsim::osa_distance;

/// Commands that are not at the start of a line of the help.
const OTHERS: [&str; 12] = [
    "help", "exit", "leave", "?", "moves", "undo", "nodes", "load", "play", "games", "rules",
    "position",
];
/// Number of letters per typing error that is tolerated.
const LETTERS_A_SLIP: usize = 3;

/// Names of the commands, as in the help.
fn commands() -> impl Iterator<Item = &'static str> {
    let lines = HELP.lines().filter_map(|line| line.strip_prefix("  "));
    let lines = lines.filter(|line| !line.starts_with(' '));
    lines.filter_map(|line| line.split_whitespace().next()).chain(OTHERS)
}

/// Whether this is the name of a command, in lower case.
pub fn is_command(word: &str) -> bool {
    commands().any(|name| name.eq_ignore_ascii_case(word))
}

/// Returns the question after a refusal.
pub fn did_you_mean(text: &str) -> String {
    format!(" Did you mean {text}?")
}

/// Suggests the command most similar to the first word of a line; empty if none is similar.
pub fn nearest_command(line: &str) -> String {
    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let slips = |name: &str| osa_distance(&word, &name.to_ascii_lowercase());
    let close = commands().filter(|name| slips(name) <= name.len() / LETTERS_A_SLIP);
    close.min_by_key(|name| slips(name)).map(did_you_mean).unwrap_or_default()
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
            ("Hlep", "help"),
        ] {
            assert_eq!(nearest_command(line), did_you_mean(meant), "{line}");
        }
        for line in ["", "castle", "b1d3", "take2", "Df8", "A1h!"] {
            assert_eq!(nearest_command(line), "", "{line}");
        }
        assert!(is_command("start") && is_command("exit") && !is_command("for"));
    }
}
