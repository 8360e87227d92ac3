//! `cupbot random-mover`: the weakest of opponents, for tests. It speaks the same dialogue.

use crate::engine::clock::Clock;
use crate::engine::dialogue::{self, Player};
use crate::engine::rng::Rng;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::{movegen, setup};
use anyhow::Result;
use std::io;
use std::process::ExitCode;

/// Play a random setup and random moves by the judge's dialogue, all equally likely
#[derive(clap::Args)]
pub struct Args {
    /// The seed of the random numbers; another one every time without it
    #[arg(long)]
    seed: Option<u64>,
}

/// Plays a game on stdin and stdout.
pub fn run(args: Args, mut clock: Clock) -> Result<ExitCode> {
    let mut player = RandomMover::new(args.seed.unwrap_or_else(rand::random));
    let (input, output, log) = (io::stdin(), io::stdout(), io::stderr());
    dialogue::run(&mut player, &mut clock, &mut input.lock(), &mut output.lock(), &mut log.lock())?;
    Ok(ExitCode::SUCCESS)
}

/// A player to whom all moves are the same.
struct RandomMover {
    game: Game,
    rng: Rng,
}

impl RandomMover {
    fn new(seed: u64) -> RandomMover {
        RandomMover { game: Game::new(), rng: Rng::new(seed) }
    }
}

impl Player for RandomMover {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn answer(&mut self, _: &Clock) -> Option<String> {
        let side = self.game.side();
        let Some(position) = self.game.position() else {
            let setup = setup::random(&mut self.rng);
            self.game.set_up(setup);
            return Some(setup.text(side));
        };
        let mut moves = Vec::new();
        movegen::pseudo_legal(position, |mv| moves.push(mv));
        let mv = *moves.get(self.rng.below(moves.len()))?;
        self.game.push(mv);
        Some(mv.text(side).to_string())
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn report(&self) -> String {
        format!("ply {} at random", self.game.ply())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_whole_games_against_itself() {
        let clock = Clock::start();
        for seed in 0..50 {
            let mut players = [RandomMover::new(seed), RandomMover::new(seed + 1000)];
            let mut side = 0;
            while !players[side].is_over() {
                let text = players[side].answer(&clock).expect("a move");
                side = 1 - side;
                players[side].play(&text).expect("a legal move");
            }
            assert!(players[1 - side].is_over());
        }
    }

    #[test]
    fn the_same_seed_plays_the_same() {
        let answer = |seed| RandomMover::new(seed).answer(&Clock::start());
        assert_eq!(answer(1), answer(1));
        assert_ne!(answer(1), answer(2));
    }
}
