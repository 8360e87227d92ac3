//! Many games at a time: a queue of pairings and a few workers.

use super::builtin::BuiltIn;
use super::children::{Child, Children};
use super::openings::Openings;
use super::process::{Limits, Program};
use super::referee::{self, Played};
use super::spec::PlayerSpec;
use super::Seat;
use crate::engine::clock::TimeControl;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::game::entry::Entry;
use crate::tools::game::judge::Judge;
use crate::tools::game::openings::Draw;
use crate::tools::game::{GameState, Side};
use crate::tools::interrupt::is_interrupted;
use anyhow::{Context, Result};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
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
    /// The programs that play at present.
    pub children: Children,
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

/// How the games of a plan came to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All are played.
    Complete,
    /// No more are wanted.
    BrokenOff,
    /// Ctrl-C.
    Interrupted,
}

/// A Ctrl-C is seen so soon.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Arena {
    /// Plays the games of a plan whose index is in `games`, `jobs` at a time, and hands over each as
    /// it ends, until `take` breaks off or Ctrl-C is caught. Games that are being played then are not
    /// handed over: their programs are ended, and their threads are not waited for.
    pub fn run(
        self: &Arc<Arena>,
        plan: &[Pairing],
        games: &[usize],
        jobs: usize,
        mut take: impl FnMut(Finished) -> Result<ControlFlow<()>>,
    ) -> Result<Ended> {
        let games: Vec<(usize, Pairing)> =
            games.iter().map(|&index| (index, plan[index])).collect();
        let jobs = jobs.min(games.len());
        let queue = Arc::new(Mutex::new(games.into_iter()));
        let (sender, receiver) = mpsc::channel();
        let workers: Vec<JoinHandle<()>> = (0..jobs)
            .map(|_| {
                let (arena, queue, sender) = (self.clone(), queue.clone(), sender.clone());
                thread::spawn(move || work(&arena, &queue, &sender))
            })
            .collect();
        drop(sender);
        let ended = drain(&receiver, &mut take);
        if let Ok(Ended::Complete) = ended {
            for worker in workers {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        } else {
            self.children.end_all();
        }
        ended
    }
}

/// The games that no thread has begun yet, with their index.
type Queue = Mutex<std::vec::IntoIter<(usize, Pairing)>>;

/// Plays games until there are no more, or nobody takes them.
fn work(arena: &Arena, queue: &Queue, sender: &mpsc::Sender<Result<Finished>>) {
    let mut worker = Worker::new(arena);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    while let Some((index, pairing)) = next() {
        if sender.send(worker.play(pairing, index)).is_err() {
            break;
        }
    }
}

fn drain(
    receiver: &mpsc::Receiver<Result<Finished>>,
    take: &mut impl FnMut(Finished) -> Result<ControlFlow<()>>,
) -> Result<Ended> {
    loop {
        let received = receiver.recv_timeout(LOOK_EVERY);
        // First: what ends now may have ended by it.
        if is_interrupted() {
            return Ok(Ended::Interrupted);
        }
        match received {
            Ok(finished) => {
                if take(finished?)?.is_break() {
                    return Ok(Ended::BrokenOff);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Complete),
        }
    }
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
        let mut first = self.seat(first, Side::First, index)?;
        let mut second = self.seat(second, Side::Second, index)?;
        let played = referee::play([first.as_mut(), second.as_mut()], opening.as_ref());
        Ok(Finished { index, played, elapsed: started.elapsed() })
    }

    /// A player in its seat, for the game of this index in the plan.
    fn seat(&self, number: usize, side: Side, index: usize) -> Result<Box<dyn Seat + 'a>> {
        let arena = self.arena;
        Ok(match &arena.players[number] {
            PlayerSpec::BuiltIn(opponent) => {
                Box::new(BuiltIn::new(opponent.as_ref(), arena.time, index as u64))
            }
            PlayerSpec::Command(command) => {
                Box::new(self.program(command, side, arena.limits, (arena.game.judge)())?)
            }
            PlayerSpec::Engine(engine) => {
                let limits = arena.limits.of_engine(engine.longest_move());
                Box::new(self.program(engine.command(), side, limits, engine.judge())?)
            }
        })
    }

    fn program(
        &self,
        command: &str,
        side: Side,
        limits: Limits,
        judge: Box<dyn Judge>,
    ) -> Result<Child> {
        let program = self.arena.children.start(|| Program::start(command, side, limits, judge));
        program.with_context(|| format!("starting {command:?}"))
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
