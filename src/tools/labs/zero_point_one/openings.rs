//! Starting points of games between programs: seeded setups and a few random plies.

use crate::engine::rng::Rng;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::{Colour, Move};
use rand::seq::IndexedRandom;
use rand::RngExt;

/// How openings are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningStyle {
    /// The probability that a side's setup is a good one; otherwise all setups are equally likely.
    pub good_setups: f64,
    /// The smallest and the largest number of random plies after the setups.
    pub random_plies: (usize, usize),
}

/// A game that has begun with two setups and some random safe moves and is not decided: the side to
/// move is not in check and has a safe move. The same for the same state of `rng`.
pub fn random_opening(rng: &mut Rng, style: OpeningStyle) -> Game {
    loop {
        let red = random_setup(rng, style, Colour::Red);
        let blue = random_setup(rng, style, Colour::Blue);
        if let Some(game) = continued(rng, red, blue, style.random_plies) {
            return game;
        }
    }
}

/// As [`random_opening`], from one of these pairs of setups, Red's and Blue's.
pub fn opening_from(rng: &mut Rng, pairs: &[(Setup, Setup)], random_plies: (usize, usize)) -> Game {
    loop {
        let (red, blue) = pairs[rng.random_range(..pairs.len())];
        if let Some(game) = continued(rng, red, blue, random_plies) {
            return game;
        }
    }
}

/// The game from these setups after some random safe moves; `None` where there are none or it is decided.
fn continued(rng: &mut Rng, red: Setup, blue: Setup, (min, max): (usize, usize)) -> Option<Game> {
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
