//! Many games at a time: a queue of pairings and a few workers.

use super::builtin::BuiltIn;
use super::process::{ProcessLimits, Program};
use super::referee::{self, Played};
use super::spec::PlayerSpec;
use super::Seat;
use crate::engine::rng::{split_mix, Rng};
use crate::engine::score;
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::types::Colour;
use crate::tools::openings::{random_opening, OpeningStyle};
use anyhow::{Context, Result};
use serde_json::{json, Value};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// An opening in which a search of so many nodes sees the end of the game is decided already.
const DECISIVE_NODES: u64 = 2000;
/// The table of the search that looks for decided openings, in MiB.
const DECISIVE_HASH_MB: usize = 1;

/// Where the games begin. Both games of a pair have the same opening.
#[derive(Clone, Debug)]
pub enum Openings {
    /// Random ones that a short search does not see decided.
    Random(OpeningStyle),
    /// These in turn, in an order that the seed decides.
    Given(Vec<Game>),
    /// The players choose their setups, as in the contest.
    None,
}

impl Openings {
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
    /// The players' numbers, Red's first.
    pub players: [usize; 2],
}

/// All that decides how the games go.
pub struct Arena {
    /// Who can play.
    pub players: Vec<PlayerSpec>,
    /// The limits of those that are programs.
    pub process_limits: ProcessLimits,
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
    /// it ends, until `take` breaks off; games that are being played then are given up.
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

/// A player that has taken its seat.
enum Seated {
    BuiltIn(usize, Box<BuiltIn>),
    Program(Program),
}

impl Seated {
    fn as_seat(&mut self) -> &mut dyn Seat {
        match self {
            Seated::BuiltIn(_, player) => player.as_mut(),
            Seated::Program(program) => program,
        }
    }
}

/// What one thread keeps from game to game.
struct Worker<'a> {
    arena: &'a Arena,
    /// The built-in players that wait for their next game: number and player.
    idle: Vec<(usize, Box<BuiltIn>)>,
    judge: Searcher,
}

impl<'a> Worker<'a> {
    fn new(arena: &'a Arena) -> Worker<'a> {
        // By an evaluation that stays, so that openings don't change with the built-in network.
        let judge =
            Searcher::with_evaluator(Params::default(), Evaluator::Handmade, DECISIVE_HASH_MB);
        Worker { arena, idle: Vec::new(), judge }
    }

    fn play(&mut self, pairing: Pairing, index: usize) -> Result<Finished> {
        let started = Instant::now();
        let opening = self.opening(pairing.pair);
        let [red, blue] = pairing.players;
        let mut red = self.seat(red, Colour::Red)?;
        let mut blue = self.seat(blue, Colour::Blue)?;
        let played = referee::play([red.as_seat(), blue.as_seat()], &opening);
        for seated in [red, blue] {
            if let Seated::BuiltIn(number, player) = seated {
                self.idle.push((number, player));
            }
        }
        Ok(Finished { index, played, elapsed: started.elapsed() })
    }

    fn seat(&mut self, number: usize, side: Colour) -> Result<Seated> {
        match &self.arena.players[number] {
            PlayerSpec::BuiltIn(spec) => {
                let idle = self.idle.iter().position(|(idle, _)| *idle == number);
                let player = match idle {
                    Some(place) => self.idle.swap_remove(place).1,
                    None => Box::new(BuiltIn::new((**spec).clone())),
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
    fn opening(&mut self, pair: usize) -> Game {
        let mut rng = Rng::new(split_mix(self.arena.seed).wrapping_add(pair as u64));
        match &self.arena.openings {
            Openings::None => Game::new(),
            Openings::Given(games) => {
                let mut order: Vec<usize> = (0..games.len()).collect();
                Rng::new(self.arena.seed).shuffle(&mut order);
                games[order[pair % games.len()]].clone()
            }
            Openings::Random(style) => loop {
                let game = random_opening(&mut rng, *style);
                if !self.is_decided(&game) {
                    return game;
                }
            },
        }
    }

    /// Does a short search see the end of the game?
    fn is_decided(&mut self, game: &Game) -> bool {
        self.judge.clear();
        let limits = Limits { hard_nodes: Some(DECISIVE_NODES), ..Limits::default() };
        score::is_decisive(self.judge.search(game, limits).score)
    }
}
