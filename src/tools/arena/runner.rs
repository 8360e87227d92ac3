//! Many games at a time: a queue of pairings and a few workers.

use super::contest::Contest;
use super::process::{ProcessLimits, Program};
use super::referee::{self, Played};
use super::spec::PlayerSpec;
use super::Seat;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::rules::Side;
use anyhow::{Context, Result};
use serde_json::{json, Value};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Where the games begin. Both games of a pair have the same opening.
#[derive(Clone, Debug)]
pub enum Openings<G: Contest> {
    /// Random ones that are not decided.
    Random(G::Style),
    /// These in turn, in an order that the seed decides.
    Given(Vec<G>),
    /// None, as in the contest.
    None,
}

impl<G: Contest> Openings<G> {
    /// All that decides them but the seed.
    pub fn description(&self) -> Value {
        match self {
            Openings::Given(games) => {
                json!(games.iter().map(|game| game.texts().join(" ")).collect::<Vec<_>>())
            }
            Openings::Random(style) => json!(format!("{style:?}")),
            Openings::None => json!("none"),
        }
    }
}

/// Who plays a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the opening.
    pub pair: usize,
    /// The players' numbers, that of the side that begins first.
    pub players: [usize; 2],
}

/// All that decides how the games go.
pub struct Arena<G: Contest> {
    /// Who can play.
    pub players: Vec<PlayerSpec<G>>,
    /// The limits of those that are programs.
    pub process_limits: ProcessLimits,
    /// Where the games begin.
    pub openings: Openings<G>,
    /// Decides the openings.
    pub seed: u64,
}

/// A finished game of a plan.
pub struct Finished<G> {
    /// Its index in the plan.
    pub index: usize,
    /// The game.
    pub played: Played<G>,
    /// What it took from drawing the opening to the last player's exit.
    pub elapsed: Duration,
}

impl<G: Contest> Arena<G> {
    /// Plays the games of a plan whose index is in `games`, `jobs` at a time, and hands over each as
    /// it ends, until `take` breaks off; what games that are being played then come to is not told.
    pub fn run(
        &self,
        plan: &[Pairing],
        games: &[usize],
        jobs: usize,
        mut take: impl FnMut(Finished<G>) -> Result<ControlFlow<()>>,
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

fn drain<G>(
    receiver: &mpsc::Receiver<Result<Finished<G>>>,
    take: &mut impl FnMut(Finished<G>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    for finished in receiver {
        if take(finished?)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// A player that has taken its seat.
enum Seated<G: Contest> {
    BuiltIn(usize, Box<dyn Seat<G>>),
    Program(Program),
}

impl<G: Contest> Seated<G> {
    fn as_seat(&mut self) -> &mut dyn Seat<G> {
        match self {
            Seated::BuiltIn(_, player) => player.as_mut(),
            Seated::Program(program) => program,
        }
    }
}

/// What one thread keeps from game to game.
struct Worker<'a, G: Contest> {
    arena: &'a Arena<G>,
    /// The built-in players that wait for their next game: number and player.
    idle: Vec<(usize, Box<dyn Seat<G>>)>,
    opener: G::Opener,
}

impl<'a, G: Contest> Worker<'a, G> {
    fn new(arena: &'a Arena<G>) -> Worker<'a, G> {
        Worker { arena, idle: Vec::new(), opener: G::opener() }
    }

    fn play(&mut self, pairing: Pairing, index: usize) -> Result<Finished<G>> {
        let started = Instant::now();
        let opening = self.opening(pairing.pair);
        let [first, second] = pairing.players;
        let mut first = self.seat(first, Side::First)?;
        let mut second = self.seat(second, Side::Second)?;
        let played = referee::play([first.as_seat(), second.as_seat()], &opening);
        for seated in [first, second] {
            if let Seated::BuiltIn(number, player) = seated {
                self.idle.push((number, player));
            }
        }
        Ok(Finished { index, played, elapsed: started.elapsed() })
    }

    fn seat(&mut self, number: usize, side: Side) -> Result<Seated<G>> {
        match &self.arena.players[number] {
            PlayerSpec::BuiltIn(spec) => {
                let idle = self.idle.iter().position(|(idle, _)| *idle == number);
                let player = match idle {
                    Some(place) => self.idle.swap_remove(place).1,
                    None => G::sit(spec),
                };
                Ok(Seated::BuiltIn(number, player))
            }
            PlayerSpec::Command(command) => {
                let program = Program::start(command, side, self.arena.process_limits);
                Ok(Seated::Program(program.with_context(|| format!("starting {command:?}"))?))
            }
        }
    }

    /// The opening of a pair.
    fn opening(&mut self, pair: usize) -> G {
        let mut rng = Rng::new(split_mix(self.arena.seed).wrapping_add(pair as u64));
        match &self.arena.openings {
            Openings::None => G::default(),
            Openings::Given(games) => {
                let mut order: Vec<usize> = (0..games.len()).collect();
                Rng::new(self.arena.seed).shuffle(&mut order);
                games[order[pair % games.len()]].clone()
            }
            Openings::Random(style) => G::random_opening(&mut self.opener, style, &mut rng),
        }
    }
}
