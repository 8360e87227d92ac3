//! Starting points of games between programs: those of a file, and for Zero Point One seeded setups
//! and a few random plies.

use crate::engine::rng::Rng;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::{Colour, Move};
use crate::tools::rules::Rules;
use anyhow::{bail, ensure, Context, Result};
use std::fs;
use std::path::Path;

/// How openings are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningStyle {
    /// The probability that a side's setup is a good one; otherwise all setups are equally likely.
    pub good_setups: f64,
    /// The least and the greatest number of random plies after the setups.
    pub random_plies: (usize, usize),
}

/// A game that has begun with two setups and some random safe moves and is not decided: the side to
/// move is not in check and has a safe move. The same for the same state of `rng`.
pub fn random_opening(rng: &mut Rng, style: OpeningStyle) -> Game {
    loop {
        let red = random_setup(rng, style, Colour::Red);
        let blue = random_setup(rng, style, Colour::Blue);
        let mut game = Game::from_setups(red, blue);
        let (least, most) = style.random_plies;
        let plies = least + rng.below(most.saturating_sub(least) + 1);
        if play_random_moves(&mut game, rng, plies) && is_undecided(&game) {
            return game;
        }
    }
}

fn random_setup(rng: &mut Rng, style: OpeningStyle, colour: Colour) -> Setup {
    if rng.unit() < style.good_setups {
        setup::for_side(&setup::good(rng), colour)
    } else {
        setup::random(rng)
    }
}

/// Plays so many random safe moves. False: one side had none.
fn play_random_moves(game: &mut Game, rng: &mut Rng, plies: usize) -> bool {
    (0..plies).all(|_| match random_safe_move(game, rng) {
        Some(mv) => {
            game.push(mv);
            true
        }
        None => false,
    })
}

/// One of the safe moves of the side to move, all equally likely.
pub fn random_safe_move(game: &Game, rng: &mut Rng) -> Option<Move> {
    let mut moves = Vec::new();
    movegen::safe(game.position()?, |mv| moves.push(mv));
    if moves.is_empty() {
        return None;
    }
    Some(moves[rng.below(moves.len())])
}

fn is_undecided(game: &Game) -> bool {
    game.position().is_some_and(|position| {
        let mut safe_moves = 0;
        movegen::safe(position, |_| safe_moves += 1);
        position.checkers().is_empty() && safe_moves > 0
    })
}

/// Reads openings from a file: one a line, all that was played, parted by blanks. Empty lines and
/// lines that begin with `#` are skipped.
pub fn read_openings<G: Rules>(path: &Path) -> Result<Vec<G>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if !line.trim().is_empty() && !line.starts_with('#') {
            let opening = parse_opening(line);
            let place = || format!("{} line {}", path.display(), index + 1);
            openings.push(opening.with_context(place)?);
        }
    }
    ensure!(!openings.is_empty(), "{} has no openings", path.display());
    Ok(openings)
}

fn parse_opening<G: Rules>(line: &str) -> Result<G> {
    let mut game = G::default();
    for text in line.split_whitespace() {
        if let Err(refused) = game.play(text) {
            bail!("move {text:?}: {}", refused.reason);
        }
    }
    ensure!(game.end().is_none(), "the game is over already");
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines_and_names_what_is_wrong() {
        let game: Game = parse_opening("WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3").expect("legal");
        assert_eq!(game.ply(), 3);
        let error = parse_opening::<Game>("WFNADAAADDFDAAAA aaaadddaaadaffnw b5d4").unwrap_err();
        assert!(format!("{error:#}").contains("b5d4"));
        let over = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8 c3a1";
        assert!(parse_opening::<Game>(over).is_err());
    }

    #[test]
    fn random_openings_are_open_and_decided_by_the_seed() {
        let style = OpeningStyle { good_setups: 0.5, random_plies: (6, 6) };
        for seed in 0..40 {
            let game = random_opening(&mut Rng::new(seed), style);
            assert_eq!(game.ply(), 8);
            assert!(game.outcome().is_none() && is_undecided(&game));
            assert_eq!(game.texts(), random_opening(&mut Rng::new(seed), style).texts());
            assert_ne!(game.texts(), random_opening(&mut Rng::new(seed + 1), style).texts());
        }
    }
}
