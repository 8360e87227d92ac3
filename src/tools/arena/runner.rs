//! Plays scheduled games in parallel: a queue and worker threads.

use super::adjudication::Adjudication;
use super::builtin::BuiltIn;
use super::children;
use super::opening_book::Openings;
use super::process::{Limits, Program};
use super::referee::{self, Played};
use super::spec::PlayerSpec;
use super::transcript::Log;
use super::Seat;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::contracts::engines::GameClocks;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::{Judge, JudgeOptions};
use crate::tools::contracts::openings::Draw;
use crate::tools::contracts::GameState;
use crate::tools::support::ctrl_c::{is_finishing, is_interrupted};
use crate::tools::support::files::Named;
use anyhow::{Context, Result};
use std::fs::File;
use std::io;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A scheduled game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Number of the pair of games that share an opening.
    pub pair: usize,
    /// Number of the opening. Pairs of different players may share it.
    pub opening: usize,
    /// Numbers of the players, the one that begins first.
    pub players: [usize; 2],
}

/// Settings for playing games.
pub struct Arena {
    /// The game.
    pub game: &'static Entry,
    /// Players by number.
    pub players: Vec<PlayerSpec>,
    /// Names of the players in records.
    pub names: Vec<String>,
    /// Limits of players without their own limits.
    pub limits: Limits,
    /// Options of the judge. With `is_match` the two games of a pair are one match.
    pub judge: JudgeOptions,
    /// Rules by which games end early.
    pub adjudication: Adjudication,
    /// Openings of the games.
    pub openings: Openings,
    /// Random seed.
    pub seed: u64,
    /// Folder for the lines exchanged with the programs, in one file a game.
    pub transcripts: Option<PathBuf>,
}

/// A finished game.
pub struct Finished {
    /// Index in the schedule.
    pub index: usize,
    /// Number of the game in a two-game match, from 1; `None` for a single game.
    pub of_match: Option<usize>,
    /// The game.
    pub played: Played,
    /// Duration from drawing the opening to the exit of both players.
    pub elapsed: Duration,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All games were played.
    Complete,
    /// The callback stopped the run.
    BrokenOff,
    /// Ctrl-C was pressed.
    Interrupted,
}

/// Interval between checks for Ctrl-C.
const CTRL_C_POLL: Duration = Duration::from_millis(50);

impl Arena {
    /// Plays the scheduled games whose indices are in `games`, `jobs` at a time, and passes each finished game to
    /// `take`, until `take` breaks or Ctrl-C is pressed. Then the programs of unfinished games are killed, and the
    /// worker threads are not joined. After SIGUSR1 only the pairs that have begun are finished.
    pub fn run(
        self: &Arc<Arena>,
        plan: &[Pairing],
        games: &[usize],
        jobs: usize,
        mut take: impl FnMut(Finished) -> Result<ControlFlow<()>>,
    ) -> Result<Ended> {
        let rounds = self.rounds(plan, games);
        let jobs = jobs.min(rounds.len());
        let queue = Queue { rounds: rounds.into_iter().peekable(), pair: None };
        let queue = Arc::new(Mutex::new(queue));
        let (sender, receiver) = mpsc::channel();
        let start = |_| {
            let (arena, queue, sender) = (self.clone(), queue.clone(), sender.clone());
            thread::Builder::new().spawn(move || work(&arena, &queue, &sender))
        };
        let workers: io::Result<Vec<JoinHandle<()>>> = (0..jobs).map(start).collect();
        let workers = workers.context("starting a thread; use fewer --jobs").inspect_err(|_| {
            children::end_all();
        })?;
        drop(sender);
        let ended = drain(&receiver, &mut take);
        if let Ok(Ended::Complete) = ended {
            for worker in workers {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        } else {
            children::end_all();
        }
        ended
    }

    /// Groups games into rounds: single games, or matches of two. A match is played as a whole even if only one of its
    /// games is in `games`.
    fn rounds(&self, plan: &[Pairing], games: &[usize]) -> Vec<Round> {
        let mut rounds: Vec<Round> = Vec::new();
        for &index in games {
            let pair = plan[index].pair;
            match rounds.last_mut() {
                Some(round) if self.judge.is_match && round.pairing.pair == pair => {
                    round.wanted.push(index);
                }
                _ => {
                    let is_of_round =
                        |other: &usize| self.judge.is_match && plan[*other].pair == pair;
                    let first = (0..index).rev().take_while(is_of_round).last().unwrap_or(index);
                    rounds.push(Round { first, pairing: plan[first], wanted: vec![index] });
                }
            }
        }
        rounds
    }
}

/// A single game or a match of two.
struct Round {
    /// Index of the first game, which seeds the players.
    first: usize,
    /// Pairing of the first game.
    pairing: Pairing,
    /// Indices of the games to report.
    wanted: Vec<usize>,
}

/// Rounds that no worker has started.
struct Queue {
    rounds: Peekable<std::vec::IntoIter<Round>>,
    /// The pair of the last round that was started.
    pair: Option<usize>,
}

impl Queue {
    /// Returns the next round; after SIGUSR1 only if its pair has begun.
    fn next(&mut self) -> Option<Round> {
        let is_wanted = |round: &Round| !is_finishing() || self.pair == Some(round.pairing.pair);
        let next = self.rounds.next_if(is_wanted)?;
        self.pair = Some(next.pairing.pair);
        Some(next)
    }
}

/// Plays rounds until the queue is empty or the receiver is gone.
fn work(arena: &Arena, queue: &Mutex<Queue>, sender: &mpsc::Sender<Result<Vec<Finished>>>) {
    let mut worker = Worker::new(arena);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    while let Some(round) = next() {
        if sender.send(worker.play(&round)).is_err() {
            break;
        }
    }
}

/// Passes finished games to `take` until the run ends.
fn drain(
    receiver: &mpsc::Receiver<Result<Vec<Finished>>>,
    take: &mut impl FnMut(Finished) -> Result<ControlFlow<()>>,
) -> Result<Ended> {
    loop {
        let received = receiver.recv_timeout(CTRL_C_POLL);
        // Checked first: Ctrl-C may have caused the faults received now.
        if is_interrupted() {
            return Ok(Ended::Interrupted);
        }
        match received {
            Ok(finished) => {
                let mut is_enough = false;
                for game in finished? {
                    is_enough |= take(game)?.is_break();
                }
                if is_enough {
                    return Ok(Ended::BrokenOff);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Complete),
        }
    }
}

/// State of a worker thread.
struct Worker<'a> {
    arena: &'a Arena,
    /// Source of random openings, if they are used.
    draw: Option<Draw<'a>>,
}

impl<'a> Worker<'a> {
    fn new(arena: &'a Arena) -> Worker<'a> {
        let draw = match &arena.openings {
            Openings::Random(openings) => Some(openings.drawer()),
            Openings::Given { .. } | Openings::None => None,
        };
        Worker { arena, draw }
    }

    fn play(&mut self, round: &Round) -> Result<Vec<Finished>> {
        let started = Instant::now();
        let Pairing { opening, players, .. } = round.pairing;
        let opening = self.opening(opening)?;
        let index = round.first;
        let [first, second] = players;
        let [clocks, others] = GameClocks::pair();
        let mut first = self.seat(first, 0, index, clocks)?;
        let mut second = self.seat(second, 1, index, others)?;
        let [logs, others] = self.logs(round, started)?;
        first.log_games(logs);
        second.log_games(others);
        let seats: [&mut dyn Seat; 2] = [first.as_mut(), second.as_mut()];
        if !self.arena.judge.is_match {
            let played = referee::play(seats, opening.as_ref(), &self.arena.adjudication);
            return Ok(vec![Finished {
                index,
                of_match: None,
                played,
                elapsed: started.elapsed(),
            }]);
        }
        let games = referee::play_match(seats, opening.as_ref(), &self.arena.adjudication);
        // Half of the duration of the match is assigned to each game.
        let elapsed = started.elapsed() / 2;
        let finished = (0..).zip(games).filter_map(|(game, played)| {
            let index = *round.wanted.iter().find(|&&index| index % 2 == game)?;
            Some(Finished { index, of_match: Some(game + 1), played, elapsed })
        });
        Ok(finished.collect())
    }

    /// Creates the files for the lines of a round's games and returns those of the first and of the second player.
    fn logs(&self, round: &Round, started: Instant) -> Result<[Vec<Log>; 2]> {
        let mut logs = [Vec::new(), Vec::new()];
        let Some(folder) = &self.arena.transcripts else { return Ok(logs) };
        let rules = self.arena.game.rules;
        let width = rules.sides.map(str::len).into_iter().max().unwrap_or(0);
        for game in 0..if self.arena.judge.is_match { 2 } else { 1 } {
            let path = folder.join(format!("game-{:04}.txt", round.first + game + 1));
            let file = File::create(&path).named("writing", &path)?;
            for (place, logs) in logs.iter_mut().enumerate() {
                let side = rules.sides[place ^ game];
                let (file, name) =
                    (file.try_clone().named("writing", &path)?, format!("{side:width$} "));
                let mut log = Log { file, started, name };
                let player = &self.arena.names[round.pairing.players[place]];
                log.remark(&format!("{side}: {player}"));
                logs.push(log);
            }
        }
        Ok(logs)
    }

    /// Creates player `number` for the round that starts at game `index`. `place` is 0 for the first and 1 for the
    /// second player of the round.
    fn seat(
        &self,
        number: usize,
        place: u64,
        index: usize,
        clocks: GameClocks,
    ) -> Result<Box<dyn Seat + 'a>> {
        let arena = self.arena;
        let seed = split_mix(arena.seed).wrapping_add(2 * index as u64 + place);
        let judge = || (arena.game.judge)(JudgeOptions { seed, ..arena.judge });
        let limits = arena.limits;
        Ok(match &arena.players[number] {
            PlayerSpec::BuiltIn(opponent) => {
                Box::new(BuiltIn::new(opponent.as_ref(), limits, judge(), index as u64))
            }
            PlayerSpec::Command(command) => Box::new(self.program(command, limits, judge())?),
            PlayerSpec::Plain(command) => {
                let limits = Limits { announce: false, ..limits };
                Box::new(self.program(command, limits, judge())?)
            }
            PlayerSpec::Process { opponent, command } => {
                let time =
                    opponent.time().map_or(limits.time, |time| limits.time.with_budget(time));
                let command = format!("{command} --number {index}");
                Box::new(self.program(&command, Limits { time, ..limits }, judge())?)
            }
            PlayerSpec::Engine(engine) => {
                let limits = limits.of_engine(engine.longest_move());
                Box::new(self.program(engine.command(), limits, engine.judge(clocks))?)
            }
        })
    }

    fn program(&self, command: &str, limits: Limits, judge: Box<dyn Judge>) -> Result<Program> {
        let program = Program::start(command, limits, judge);
        program.with_context(|| format!("starting {command:?}"))
    }

    /// Returns the opening with this number.
    fn opening(&mut self, number: usize) -> Result<Box<dyn GameState>> {
        if let Openings::Given { games, is_shuffled } = &self.arena.openings {
            let mut order: Vec<usize> = (0..games.len()).collect();
            if *is_shuffled {
                Rng::new(self.arena.seed).shuffle(&mut order);
            }
            return Ok(games[order[number % games.len()]].clone());
        }
        let mut rng = Rng::new(split_mix(self.arena.seed).wrapping_add(number as u64));
        match &mut self.draw {
            Some(draw) => Ok(draw(&mut rng)),
            None => (self.arena.game.rules.begin)(None),
        }
    }
}
