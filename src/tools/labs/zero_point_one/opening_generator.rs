//! Generates openings of games between programs: random setups and a few random plies.

use crate::engine::rng::Rng;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::{Colour, Move};
use rand::seq::IndexedRandom;
use rand::RngExt;

/// Parameters of random openings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningStyle {
    /// Probability that a side's setup follows heuristics; otherwise all setups are equally likely.
    pub good_setups: f64,
    /// Minimum and maximum number of random plies after the setups.
    pub random_plies: (usize, usize),
}

/// Returns a game that begins with two random setups and some random safe moves and is undecided, i.e. the side to move
/// is not in check and has a safe move. The game is determined by the state of `rng`.
pub fn random_opening(rng: &mut Rng, style: OpeningStyle) -> Game {
    loop {
        let red = random_setup(rng, style, Colour::Red);
        let blue = random_setup(rng, style, Colour::Blue);
        if let Some(game) = with_random_moves(rng, red, blue, style.random_plies) {
            return game;
        }
    }
}

/// Like [`random_opening`], but with the setups chosen from `pairs` of Red's and Blue's.
pub fn opening_from(rng: &mut Rng, pairs: &[(Setup, Setup)], random_plies: (usize, usize)) -> Game {
    loop {
        let (red, blue) = pairs[rng.random_range(..pairs.len())];
        if let Some(game) = with_random_moves(rng, red, blue, random_plies) {
            return game;
        }
    }
}

/// Plays random safe moves after these setups. Returns `None` if a side has no safe move or the game is decided.
fn with_random_moves(
    rng: &mut Rng,
    red: Setup,
    blue: Setup,
    (min, max): (usize, usize),
) -> Option<Game> {
    let mut game = Game::from_setups(red, blue);
    let plies = rng.random_range(min..=max);
    let is_open = play_random_moves(&mut game, rng, plies) && is_undecided(&game);
    is_open.then_some(game)
}

fn random_setup(rng: &mut Rng, style: OpeningStyle, colour: Colour) -> Setup {
    if rng.random_bool(style.good_setups) {
        setup::for_side(&setup::random_good(rng), colour)
    } else {
        setup::random(rng)
    }
}

/// Plays `plies` random safe moves. Returns false if a side has no safe move.
fn play_random_moves(game: &mut Game, rng: &mut Rng, plies: usize) -> bool {
    (0..plies).all(|_| match random_safe_move(game, rng) {
        Some(mv) => {
            game.push(mv);
            true
        }
        None => false,
    })
}

/// Returns a random safe move of the side to move, uniformly distributed.
pub fn random_safe_move(game: &Game, rng: &mut Rng) -> Option<Move> {
    let mut moves = Vec::new();
    movegen::safe(game.position()?, |mv| moves.push(mv));
    moves.choose(rng).copied()
}

fn is_undecided(game: &Game) -> bool {
    game.position().is_some_and(|position| {
        let mut safe_moves = 0;
        movegen::safe(position, |_| safe_moves += 1);
        position.checkers().is_empty() && safe_moves > 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_undecided_and_reproducible() {
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
