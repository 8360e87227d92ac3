//! Perft of Chess960.

use super::fen;
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::CastlingRule;
use crate::games::chess960::start;
use crate::tools::contracts::entry::{Counter, Perft};
use crate::tools::support::text::warn;
use anyhow::{bail, Context, Result};

/// Entry for the command.
pub const PERFT: Perft = Perft {
    counter,
    options: "fide: FIDE's rules of castling instead of the arena's; \
              fen=FEN: the position to begin with (moves: start0 to start959 may come first)",
};

fn counter(moves: &[String], options: &[String]) -> Result<Counter> {
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
    Ok(Box::new(move |depth| {
        let position = game.position();
        let count = |mv| movegen::perft(&position.make(mv), depth - 1);
        movegen::moves(position).iter().map(|&mv| (mv.to_string(), count(mv))).collect()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perft_counts_match_known_values() {
        let cases = include_str!("../../../../tests/data/chess960_perft.txt");
        let mut checked = 0;
        for case in cases.lines().filter(|line| !line.starts_with('#')) {
            let (fen, counts) = case.split_once(';').expect(case);
            let options = ["fide".to_string(), format!("fen={fen}")];
            let divided = counter(&[], &options).expect(case);
            for (depth, count) in (1..).zip(counts.split_whitespace()) {
                let count: u64 = count.parse().expect(case);
                let sum: u64 = divided(depth).iter().map(|(_, leaves)| leaves).sum();
                assert_eq!(sum, count, "depth {depth} of {case}");
                checked += 1;
            }
        }
        assert!(checked > 40, "{checked}");
    }
}
