//! Tests a player's command with the contest's protocol and reports its faults.

use crate::engine::rng::Rng;
use crate::tools::arena::adjudication::Adjudication;
use crate::tools::arena::match_file::{FaultRecord, GameRecord, IfExists, RecordFile};
use crate::tools::arena::process::{Limits, Program};
use crate::tools::arena::referee::{self, Played};
use crate::tools::arena::runner::{Finished, Pairing};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::arena::transcript::Log;
use crate::tools::arena::{Ending, Fault, FaultKind, Seat, Usage};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::{Answer, Judge, JudgeOptions, MatchScore};
use crate::tools::contracts::openings::with_random_moves;
use crate::tools::contracts::record::play_text;
use crate::tools::contracts::{GameState, Side};
use crate::tools::support::ctrl_c;
use crate::tools::support::files::{ensure_begins, Named};
use crate::tools::support::text::count_of;
use anyhow::{bail, Context, Result};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Seed of the opponent's moves and of the openings.
const SEED: u64 = 1;
/// Lengths of the openings, in percent of a long random game: early ends, full hands and the last moves are met.
const OPENINGS: [usize; 6] = [0, 5, 25, 50, 75, 95];
/// Number of random games of which the longest gives the openings.
const OPENING_GAMES: usize = 8;
/// Number of random moves from which the opponent chooses.
const CANDIDATES: usize = 16;
/// Default number of games: each opening on both sides.
pub const GAMES: usize = 2 * OPENINGS.len();

/// The games to play and the files to write.
pub struct Plan<'a> {
    /// Number of games.
    pub games: usize,
    /// Match record to which the games are appended.
    pub record: Option<&'a Path>,
    /// File for the dialogue of all parts.
    pub log: Option<&'a Path>,
}

/// First characters of a log: the first part is a game.
const LOG_START: &str = "# game ";

/// Result of one part of the test.
pub struct Finding {
    /// Name of the part.
    pub part: String,
    /// Result, in words.
    pub text: String,
    /// Whether the player passed.
    pub good: bool,
    /// Lines that help to find the cause of a fault.
    pub diagnosis: Vec<String>,
    /// Whether the program never answered, so that the other parts would fail in the same way.
    pub is_mute: bool,
}

/// The command under test.
struct Subject<'a> {
    game: &'static Entry,
    command: &'a str,
    limits: Limits,
    /// Whether it supports only the contest's protocol, without extensions.
    is_plain: bool,
    record: Option<RecordFile>,
    log: Option<File>,
    played: usize,
}

/// Runs the parts of the test and passes each finding to `report` at once. Stops after a part in which the program
/// never answers.
pub fn check(
    game: &'static Entry,
    command: &str,
    limits: Limits,
    plan: &Plan,
    report: &mut dyn FnMut(&Finding) -> Result<()>,
) -> Result<()> {
    let (command, is_plain) = match PlayerSpec::parse(game, command)? {
        PlayerSpec::Command(command) => (command, false),
        PlayerSpec::Plain(command) => (command, true),
        _ => bail!("--player: expected a shell command, optionally prefixed with plain:"),
    };
    let limits = Limits { announce: limits.announce && !is_plain, ..limits };
    let record = plan.record.map(|path| open_record(path, game, &command)).transpose()?;
    let create = |path: &Path| {
        ensure_begins(path, LOG_START.as_bytes(), "log of check")?;
        File::create(path).named("writing", path)
    };
    let log = plan.log.map(create).transpose()?;
    let mut subject = Subject { game, command: &command, limits, is_plain, record, log, played: 0 };
    for part in subject.parts(plan.games)? {
        let finding = subject.run(part);
        ctrl_c::wait_if_ending();
        let finding = finding?;
        report(&finding)?;
        if finding.is_mute {
            break;
        }
    }
    Ok(())
}

/// Opens a record and starts a new match in it.
fn open_record(path: &Path, game: &Entry, command: &str) -> Result<RecordFile> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Contains the time, so that every check is a separate match.
    let settings = json!({
        "rules": game.rules.name, "check": command, "started": now.as_nanos() as u64,
    });
    Ok(RecordFile::open(path, &settings, IfExists::Append)?.0)
}

/// A part of the test.
enum Part {
    /// A complete game against random moves on this side.
    Game { name: String, side: Side, opening: Box<dyn GameState>, opponent: RandomSeat },
    /// The game ends before the player's first move.
    Dismissal { name: String, dismiss: fn(&mut Program) -> Ending },
}

impl Subject<'_> {
    /// Returns all parts of the test.
    fn parts(&self, games: usize) -> Result<Vec<Part>> {
        let fresh = || (self.game.rules.begin)(None);
        let name = |side: Side| self.game.rules.side_name(side);
        let long_game = long_game(fresh()?.as_ref());
        let opening = |length: usize| -> Result<Box<dyn GameState>> {
            let mut game = fresh()?;
            long_game.iter().take(length).try_for_each(|text| play_text(game.as_mut(), text))?;
            Ok(game)
        };
        let mut parts = Vec::new();
        for number in 0..games {
            let percent = OPENINGS[number / 2 % OPENINGS.len()];
            let length = if self.accepts_openings() { long_game.len() * percent / 100 } else { 0 };
            let side = Side::to_move_after(number);
            let how = if length == 0 {
                "".to_string()
            } else {
                format!(" after {}", count_of(length, "move"))
            };
            parts.push(Part::Game {
                name: format!("game {} as {}{how}", number + 1, name(side)),
                side,
                opening: opening(length)?,
                opponent: RandomSeat::new(SEED + number as u64, None),
            });
        }
        for side in Side::ALL {
            for &mark in self.game.rules.marks {
                let name = format!("game as {}, the opponent's moves marked {mark}", name(side));
                let opponent = RandomSeat::new(SEED, Some(mark));
                parts.push(Part::Game { name, side, opening: fresh()?, opponent });
            }
        }
        if let Some(farewell) = self.judge().protocol().farewell {
            let name = format!("immediate {farewell}");
            parts.push(Part::Dismissal { name, dismiss: Program::dismiss });
        }
        let name = "immediate end of input".to_string();
        parts.push(Part::Dismissal { name, dismiss: Program::dismiss_silently });
        Ok(parts)
    }

    fn run(&mut self, part: Part) -> Result<Finding> {
        match part {
            Part::Game { name, side, opening, mut opponent } => {
                self.game(name, side, opening.as_ref(), &mut opponent)
            }
            Part::Dismissal { name, dismiss } => self.dismissed(name, dismiss),
        }
    }

    /// Ends the game before the player's first move.
    fn dismissed(&self, part: String, dismiss: fn(&mut Program) -> Ending) -> Result<Finding> {
        let mut program = self.start(&part)?;
        let opening = (self.game.rules.begin)(None)?;
        let _ = program.begin(Side::First, opening.as_ref(), MatchScore::START);
        let ending = dismiss(&mut program);
        let fault = match program.stray_line() {
            Some(line) => Some(format!("unexpected output {line:?}")),
            None => ending.complaint,
        };
        let good = fault.is_none();
        let text = fault.unwrap_or_else(|| "exit status 0".to_string());
        let stderr = ending.stderr.iter().filter(|_| !good);
        let diagnosis = stderr.map(|line| format!("    stderr: {line}")).collect();
        Ok(Finding { part, text, good, diagnosis, is_mute: false })
    }

    /// Plays a complete game against random moves.
    fn game(
        &mut self,
        part: String,
        side: Side,
        opening: &dyn GameState,
        opponent: &mut RandomSeat,
    ) -> Result<Finding> {
        let started = Instant::now();
        let mut program = self.start(&part)?;
        let seats: [&mut dyn Seat; 2] = match side {
            Side::First => [&mut program, opponent],
            Side::Second => [opponent, &mut program],
        };
        let played = referee::play(seats, opening, &Adjudication::default());
        ctrl_c::wait_if_ending();
        let finding = finding(self.game, &played, side, part);
        if let Some(record) = &mut self.record {
            let index = self.played;
            let players = [side.index(), 1 - side.index()];
            let pairing = Pairing { pair: index, opening: index, players };
            let names = [self.command, "random moves"].map(str::to_string);
            let finished = Finished { index, of_match: None, played, elapsed: started.elapsed() };
            let id = record.id().to_string();
            record.push(&mut GameRecord::new(&id, self.game, pairing, &names, finished))?;
        }
        self.played += 1;
        Ok(finding)
    }

    /// Creates a judge that forwards all marks, so that moves with and without marks are tested.
    fn judge(&self) -> Box<dyn Judge> {
        (self.game.judge)(JudgeOptions { forwards_marks: true, ..JudgeOptions::default() })
    }

    /// Whether an opening can be sent to it.
    fn accepts_openings(&self) -> bool {
        !self.is_plain || !self.judge().protocol().has_own_lines
    }

    fn start(&self, part: &str) -> Result<Program> {
        let program = Program::start(self.command, self.limits, self.judge());
        let mut program = program.with_context(|| format!("starting {:?}", self.command))?;
        if let Some(log) = &self.log {
            let mut log = log.try_clone().context("opening the log")?;
            writeln!(log, "# {part}").context("writing the log")?;
            let name = String::new();
            program.log_games(vec![Log { file: log, started: Instant::now(), name }]);
        }
        Ok(program)
    }
}

/// Returns the moves of the longest of some random games.
fn long_game(fresh: &dyn GameState) -> Vec<String> {
    let mut rng = Rng::new(SEED);
    let games = (0..OPENING_GAMES).map(|_| with_random_moves(fresh.copy(), usize::MAX, &mut rng));
    games.map(|game| game.texts()).max_by_key(Vec::len).unwrap_or_default()
}

/// Returns the finding about the player on a side of a game.
fn finding(game: &Entry, played: &Played, side: Side, part: String) -> Finding {
    let Ending { complaint, dialogue, .. } = &played.endings[side.index()];
    let plies = played.game.ply();
    let seconds = played.usage[side.index()].wall.as_secs_f64();
    // A random opponent without a legal move forfeits; that is not the player's fault.
    let is_own = played.fault.as_ref().is_some_and(|(failed, _)| *failed == side);
    let own_fault = FaultRecord::of(game.rules, played).filter(|_| is_own);
    let mut text = match &own_fault {
        Some(fault) => format!("{}: {}", fault.kind.name(), fault.text()),
        None => {
            let winner = played.end.winner.map_or("nobody", |winner| game.rules.side_name(winner));
            let moves = count_of(plies, "move");
            format!("{moves}, {winner} won, {seconds:.2} s of wall time")
        }
    };
    // Faults within the rules, e.g. a false claim to win.
    let facts = &played.end.facts[side.index()];
    let faulty = facts.iter().filter(|fact| fact.is_fault && own_fault.is_none());
    let faulty: Vec<String> = faulty.map(|fact| format!("{} {}", fact.name, fact.value)).collect();
    for more in faulty.iter().chain(complaint) {
        text += &format!("; {more}");
    }
    let good = own_fault.is_none() && faulty.is_empty() && complaint.is_none();
    let is_mute = is_own && dialogue.answers == 0;
    let diagnosis = own_fault.as_ref().map_or_else(Vec::new, FaultRecord::diagnosis);
    Finding { part, text, good, diagnosis, is_mute }
}

/// An opponent that plays random moves. It ends the game if it can, and plays as many moves of each length of text, so
/// that e.g. drops are not rare.
struct RandomSeat {
    rng: Rng,
    /// Mark appended to every move.
    mark: Option<char>,
    /// Number of moves played by the length of their text.
    lengths: BTreeMap<usize, usize>,
}

impl RandomSeat {
    fn new(seed: u64, mark: Option<char>) -> RandomSeat {
        RandomSeat { rng: Rng::new(seed), mark, lengths: BTreeMap::new() }
    }
}

impl Seat for RandomSeat {
    fn begin(&mut self, _: Side, _: &dyn GameState, _: MatchScore) -> Result<(), Fault> {
        Ok(())
    }

    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault> {
        let drawn: Vec<String> =
            (0..CANDIDATES).filter_map(|_| game.random_move(&mut self.rng)).collect();
        let is_end = |text: &str| {
            let mut next = game.copy();
            next.play(text).is_ok() && next.end().is_some()
        };
        let count = |text: &str| self.lengths.get(&text.len()).copied().unwrap_or(0);
        let text = drawn.into_iter().min_by_key(|text| (!is_end(text), count(text)));
        let mut text = text.ok_or_else(|| Fault::new(FaultKind::NoMove, "no move"))?;
        *self.lengths.entry(text.len()).or_default() += 1;
        text.extend(self.mark);
        Ok(Answer { text, score: None })
    }

    fn log_games(&mut self, _: Vec<Log>) {}

    fn end(&mut self) -> Ending {
        Ending::default()
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}
