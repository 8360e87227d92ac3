//! Perft of Chess960.

use super::fen;
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::tools::contracts::perft::{BoxedTree, Perft, Tree};
use crate::tools::support::text::warn;
use anyhow::{bail, Context, Result};

/// Entry for the command.
pub const PERFT: Perft = Perft {
    tree,
    options: "fide: FIDE's rules of castling instead of the arena's; \
              fen=FEN: the position to begin with (moves: start0 to start959 may come first)",
};

fn tree(moves: &[String], options: &[String]) -> Result<BoxedTree> {
    let mut rule = CastlingRule::Arena;
    let mut start = None;
    for option in options {
        match option.split_once('=') {
            None if option == "fide" => rule = CastlingRule::Fide,
            Some(("fen", text)) => start = Some(text),
            _ => bail!("no option is named {option:?}, expected fide or fen=FEN"),
        }
    }
    let position = match start {
        Some(text) => {
            let found = fen::read(text, rule).context("option fen")?;
            found.remarks.iter().for_each(|remark| warn(&format!("option fen: {remark}")));
            found.position
        }
        None => start::classical(rule),
    };
    let mut game = Game::new(position);
    for text in moves {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    Ok(Box::new(*game.position()))
}

impl Tree for Position {
    fn leaves(&self, depth: u32) -> u64 {
        movegen::perft(self, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let moves = movegen::moves(self);
        let count = |mv| movegen::perft(&self.make(mv), depth - 1);
        moves.iter().map(|&mv| (mv.to_string(), count(mv))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_rules() {
        let cases = include_str!("../../../../tests/data/chess960_perft.txt");
        let mut checked = 0;
        for case in cases.lines().filter(|line| !line.starts_with('#')) {
            let (fen, counts) = case.split_once(';').expect(case);
            let options = ["fide".to_string(), format!("fen={fen}")];
            let tree = tree(&[], &options).expect(case);
            for (depth, count) in (1..).zip(counts.split_whitespace()) {
                let count: u64 = count.parse().expect(case);
                assert_eq!(tree.leaves(depth), count, "depth {depth} of {case}");
                let sum: u64 = tree.divide(depth).iter().map(|(_, leaves)| leaves).sum();
                assert_eq!(sum, count, "depth {depth} of {case}, divided");
                checked += 1;
            }
        }
        assert!(checked > 40, "{checked}");
    }
}
