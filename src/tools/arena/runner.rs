//! Many games at a time: a queue of pairings and a few workers.

use super::builtin::BuiltIn;
use super::openings::Openings;
use super::process::{Limits, Program};
use super::referee::{self, Played};
use super::spec::PlayerSpec;
use super::Seat;
use crate::engine::clock::TimeControl;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::game::entry::Entry;
use crate::tools::game::openings::Draw;
use crate::tools::game::{GameState, Side};
use anyhow::{Context, Result};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Who plays a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the opening.
    pub pair: usize,
    /// The players' numbers, that of the side that begins first.
    pub players: [usize; 2],
}

/// All that decides how the games go.
pub struct Arena {
    /// The game.
    pub game: &'static Entry,
    /// Who can play.
    pub players: Vec<PlayerSpec>,
    /// The time control of players without limits of their own.
    pub time: TimeControl,
    /// The limits of those that are programs.
    pub limits: Limits,
    /// Where the games begin.
    pub openings: Openings,
    /// Decides the openings.
    pub seed: u64,
}

/// A finished game of a plan.
pub struct Finished {
    /// Its index in the plan.
    pub index: usize,
    /// The game.
    pub played: Played,
    /// What it took from drawing the opening to the last player's exit.
    pub elapsed: Duration,
}

impl Arena {
    /// Plays the games of a plan whose index is in `games`, `jobs` at a time, and hands over each as
    /// it ends, until `take` breaks off; games that are being played then are not handed over.
    pub fn run(
        &self,
        plan: &[Pairing],
        games: &[usize],
        jobs: usize,
        mut take: impl FnMut(Finished) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..jobs.min(games.len()) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || {
                    let mut worker = Worker::new(self);
                    while let Some(&index) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let finished = worker.play(plan[index], index);
                        if stop.load(Ordering::Relaxed) || sender.send(finished).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let result = drain(&receiver, &mut take);
            stop.store(true, Ordering::Relaxed);
            result
        })
    }
}

fn drain(
    receiver: &mpsc::Receiver<Result<Finished>>,
    take: &mut impl FnMut(Finished) -> Result<ControlFlow<()>>,
) -> Result<()> {
    for finished in receiver {
        if take(finished?)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// What one thread keeps from game to game.
struct Worker<'a> {
    arena: &'a Arena,
    /// Draws random openings, where they are asked for.
    draw: Option<Draw<'a>>,
}

impl<'a> Worker<'a> {
    fn new(arena: &'a Arena) -> Worker<'a> {
        let draw = match &arena.openings {
            Openings::Random(openings) => Some(openings.drawer()),
            Openings::Given(_) | Openings::None => None,
        };
        Worker { arena, draw }
    }

    fn play(&mut self, pairing: Pairing, index: usize) -> Result<Finished> {
        let started = Instant::now();
        let opening = self.opening(pairing.pair)?;
        let [first, second] = pairing.players;
        let mut first = self.seat(first, Side::First)?;
        let mut second = self.seat(second, Side::Second)?;
        let played = referee::play([first.as_mut(), second.as_mut()], opening.as_ref());
        Ok(Finished { index, played, elapsed: started.elapsed() })
    }

    /// A player in its seat, for one game.
    fn seat(&self, number: usize, side: Side) -> Result<Box<dyn Seat + 'a>> {
        let arena = self.arena;
        Ok(match &arena.players[number] {
            PlayerSpec::BuiltIn(opponent) => Box::new(BuiltIn::new(opponent.as_ref(), arena.time)),
            PlayerSpec::Command(command) => {
                let program = Program::start(command, side, arena.limits, (arena.game.judge)());
                Box::new(program.with_context(|| format!("starting {command:?}"))?)
            }
        })
    }

    /// The opening of a pair.
    fn opening(&mut self, pair: usize) -> Result<Box<dyn GameState>> {
        if let Openings::Given(games) = &self.arena.openings {
            let mut order: Vec<usize> = (0..games.len()).collect();
            Rng::new(self.arena.seed).shuffle(&mut order);
            return Ok(games[order[pair % games.len()]].clone());
        }
        let mut rng = Rng::new(split_mix(self.arena.seed).wrapping_add(pair as u64));
        match &mut self.draw {
            Some(draw) => Ok(draw(&mut rng)),
            None => (self.arena.game.begin)(None),
        }
    }
}
