//! `cupbot random-mover`: plays random moves, as an opponent for tests. It speaks the contest's protocol.

use super::play::by_protocol;
use crate::engine::clock::Clock;
use crate::engine::dialogue::{Answer, Player, Report, Turn};
use crate::engine::rng::Rng;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::GameState;
use crate::tools::labs::registry;
use crate::tools::support::units::integer;
use anyhow::Result;
use std::process::ExitCode;

/// Play uniformly random moves in the judge's protocol
#[derive(clap::Args)]
pub struct Args {
    /// Game
    #[arg(default_value = registry::main_game().rules.name, value_parser = registry::parser())]
    game: &'static Entry,
    /// Random seed (default: a different one in every run)
    #[arg(long, value_parser = integer::<u64>(0..))]
    seed: Option<u64>,
}

/// Plays a game on stdin and stdout.
pub fn run(args: Args, clock: Clock) -> Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(rand::random);
    by_protocol(args.game, &mut RandomMover::new(args.game, seed)?, clock)
}

/// A player that plays random moves.
struct RandomMover {
    game: Box<dyn GameState>,
    rng: Rng,
    /// The moves of the judge's turn; empty if the judge sends only moves.
    listed: Vec<String>,
}

impl RandomMover {
    fn new(game: &Entry, seed: u64) -> Result<RandomMover> {
        Ok(RandomMover { game: (game.rules.begin)(None)?, rng: Rng::new(seed), listed: Vec::new() })
    }
}

impl Player for RandomMover {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|refused| refused.reason)
    }

    fn follow(&mut self, turn: &Turn) -> Result<(), String> {
        self.listed.clone_from(&turn.moves);
        Ok(())
    }

    fn answer(&mut self, _: &Clock) -> Option<Answer> {
        if !self.listed.is_empty() {
            return Some(self.listed.swap_remove(self.rng.below(self.listed.len())).into());
        }
        let text = self.game.random_move(&mut self.rng)?;
        // Cannot fail: the move is legal.
        self.game.play(&text).ok()?;
        Some(text.into())
    }

    fn is_over(&self) -> bool {
        self.game.end().is_some()
    }

    fn report(&self) -> Report {
        Report { text: format!("ply {} at random", self.game.ply()), ..Report::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::registry::GAMES;

    fn mover(game: &Entry, seed: u64) -> RandomMover {
        RandomMover::new(game, seed).expect("a game")
    }

    #[test]
    fn plays_complete_games_against_itself() {
        for game in GAMES {
            let clock = Clock::start(game.contest.time);
            for seed in 0..50 {
                let mut players = [mover(game, seed), mover(game, seed + 1000)];
                let mut side = 0;
                while !players[side].is_over() {
                    let text = players[side].answer(&clock).expect("a move").mv;
                    side = 1 - side;
                    players[side].play(&text).expect("a legal move");
                }
                assert!(players[1 - side].is_over());
                assert_eq!(players[0].game.texts(), players[1].game.texts());
            }
        }
    }
}
