//! Counting the move tree of Zero Point One.

use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::{Position, MAX_PLIES};
use crate::games::zero_point_one::types::Move;
use crate::tools::game::perft::{Counter, Perft};
use anyhow::{bail, Context, Result};

/// What the command needs to know.
pub const PERFT: Perft =
    Perft { counter, options: "safe: only moves that do not leave the own wazir en prise" };

/// The name of the option.
const SAFE: &str = "safe";
/// The setups that are counted from where none are given.
const DEFAULT_SETUPS: [&str; 2] = ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"];

fn counter(moves: &[String], options: &[String]) -> Result<Counter> {
    if let Some(unknown) = options.iter().find(|option| *option != SAFE) {
        bail!("no option is named {unknown:?}, expected {SAFE}");
    }
    let is_safe = !options.is_empty();
    let mut game = Game::new();
    let mut texts: Vec<&str> = moves.iter().map(String::as_str).collect();
    if texts.is_empty() {
        texts.extend(DEFAULT_SETUPS);
    }
    for text in texts {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    let Some(&position) = game.position() else {
        bail!("expected both setups before the first move");
    };
    Ok(Box::new(move |depth| perft(&position, depth, is_safe)))
}

/// The number of leaves `depth` moves below a position.
fn perft(position: &Position, depth: u32, safe: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.ply() >= MAX_PLIES {
        return 0;
    }
    let mut leaves = 0;
    let count = |mv: Move| {
        leaves += if depth == 1 { 1 } else { perft(&position.make(mv), depth - 1, safe) };
    };
    if safe {
        movegen::safe(position, count);
    } else {
        movegen::pseudo_legal(position, count);
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_rules() {
        let cases = include_str!("../../../tests/data/perft.txt");
        let mut checked = 0;
        for case in cases.lines().filter(|line| !line.starts_with('#')) {
            let mut words = case.split_whitespace();
            let safe = words.next() == Some("safe");
            let counts = words.next().unwrap_or_default();
            let mut game = Game::new();
            words.for_each(|text| game.play(text).expect(case));
            let position = game.position().expect(case);
            for (depth, count) in (1..).zip(counts.split(',')) {
                let count: u64 = count.parse().expect(case);
                assert_eq!(perft(position, depth, safe), count, "depth {depth} of {case}");
                checked += 1;
            }
        }
        assert_eq!(checked, 25);
    }
}
