//! `cupbot random-mover`: the weakest of opponents, for tests. It speaks the same dialogue.

use super::play::game_parser;
use super::rules::Rules;
use crate::engine::clock::Clock;
use crate::engine::dialogue::{self, Player};
use crate::engine::rng::Rng;
use crate::games::{zero_point_one, zuniq, Entry, GameId, GAMES};
use anyhow::Result;
use std::io;
use std::process::ExitCode;

/// Play random moves by the judge's dialogue, all equally likely
#[derive(clap::Args)]
pub struct Args {
    /// Which game
    #[arg(default_value = GAMES[0].name, value_parser = game_parser())]
    game: &'static Entry,
    /// The seed of the random numbers; another one every time without it
    #[arg(long)]
    seed: Option<u64>,
}

/// Plays a game on stdin and stdout.
pub fn run(args: Args, mut clock: Clock) -> Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(rand::random);
    let mut player: Box<dyn Player> = match args.game.id {
        GameId::ZeroPointOne => Box::new(RandomMover::<zero_point_one::game::Game>::new(seed)),
        GameId::Zuniq => Box::new(RandomMover::<zuniq::game::Game>::new(seed)),
    };
    let (input, output, log) = (io::stdin(), io::stdout(), io::stderr());
    let (mut input, mut output, mut log) = (input.lock(), output.lock(), log.lock());
    dialogue::run(player.as_mut(), &mut clock, &mut input, &mut output, &mut log)?;
    Ok(ExitCode::SUCCESS)
}

/// A player to whom all moves are the same.
struct RandomMover<G> {
    game: G,
    rng: Rng,
}

impl<G: Rules> RandomMover<G> {
    fn new(seed: u64) -> RandomMover<G> {
        RandomMover { game: G::default(), rng: Rng::new(seed) }
    }
}

impl<G: Rules> Player for RandomMover<G> {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|refused| refused.reason)
    }

    fn answer(&mut self, _: &Clock) -> Option<String> {
        let text = self.game.random_move(&mut self.rng)?;
        // What the rules offer they allow.
        self.game.play(&text).ok()?;
        Some(text)
    }

    fn is_over(&self) -> bool {
        self.game.end().is_some()
    }

    fn report(&self) -> String {
        format!("ply {} at random", self.game.ply())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lengths of some games.
    fn lengths<G: Rules>() -> Vec<usize> {
        let clock = Clock::start();
        let length = |seed| {
            let mut players = [RandomMover::<G>::new(seed), RandomMover::new(seed + 1000)];
            let mut side = 0;
            while !players[side].is_over() {
                let text = players[side].answer(&clock).expect("a move");
                side = 1 - side;
                players[side].play(&text).expect("a legal move");
            }
            assert!(players[1 - side].is_over());
            players[0].game.ply()
        };
        (0..50).map(length).collect()
    }

    #[test]
    fn plays_whole_games_against_itself() {
        assert!(lengths::<zero_point_one::game::Game>().iter().all(|&length| length > 2));
        let lengths = lengths::<zuniq::game::Game>();
        assert!(lengths.iter().all(|length| (35..=41).contains(length)), "{lengths:?}");
    }

    #[test]
    fn the_same_seed_plays_the_same() {
        fn answer<G: Rules>(seed: u64) -> Option<String> {
            RandomMover::<G>::new(seed).answer(&Clock::start())
        }
        let first = [answer::<zero_point_one::game::Game>, answer::<zuniq::game::Game>];
        for answer in first {
            assert_eq!(answer(1), answer(1));
            assert_ne!(answer(1), answer(2));
        }
    }
}
