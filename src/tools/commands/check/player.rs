//! Tests a player's command with the contest's protocol and reports its faults.

use crate::engine::rng::Rng;
use crate::tools::arena::adjudication::Adjudication;
use crate::tools::arena::children::Children;
use crate::tools::arena::process::{Limits, Program};
use crate::tools::arena::referee::{self, Played};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::arena::{Ending, Fault, FaultKind, Seat, Usage};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::{Answer, Judge, JudgeOptions, MatchScore};
use crate::tools::contracts::openings::with_random_moves;
use crate::tools::contracts::{GameState, Side};
use anyhow::{bail, Context, Result};

/// Number of random moves in an opening.
const OPENING_PLIES: usize = 3;
/// Seed of the opponent's moves and of the openings.
const SEED: u64 = 1;

/// Result of one part of the test.
pub struct Finding {
    /// Name of the part.
    pub part: String,
    /// Result, in words.
    pub text: String,
    /// Whether the player passed.
    pub good: bool,
}

/// The command under test.
struct Subject<'a> {
    game: &'static Entry,
    command: &'a str,
    limits: Limits,
    /// Whether it supports only the contest's protocol, without extensions.
    is_plain: bool,
}

/// Runs all parts of the test.
pub fn check(game: &'static Entry, command: &str, limits: Limits) -> Result<Vec<Finding>> {
    let (command, is_plain) = match PlayerSpec::parse(game, command)? {
        PlayerSpec::Command(command) => (command, false),
        PlayerSpec::Plain(command) => (command, true),
        _ => bail!("--player: expected a shell command, optionally prefixed with plain:"),
    };
    let limits = Limits { announce: limits.announce && !is_plain, ..limits };
    let subject = Subject { game, command: &command, limits, is_plain };
    let fresh = || (game.rules.begin)(None);
    let mut findings = Vec::new();
    if let Some(farewell) = subject.judge().protocol().farewell {
        findings.push(subject.dismissed(&format!("{farewell} at once"), Program::dismiss)?);
    }
    findings.push(subject.dismissed("end of input at once", Program::dismiss_silently)?);
    let mut rng = Rng::new(SEED);
    for (side, name) in Side::ALL.into_iter().zip(game.rules.sides) {
        let openings = [(0, ""), (OPENING_PLIES, ", after an opening")];
        let openings = if subject.accepts_openings() { &openings[..] } else { &openings[..1] };
        for &(plies, how) in openings {
            let opening = with_random_moves(fresh()?, plies, &mut rng);
            let opponent = RandomSeat { rng: Rng::new(SEED), mark: None };
            findings.push(subject.game(side, opening, opponent, name.to_string() + how)?);
        }
        for &mark in game.rules.marks {
            let opponent = RandomSeat { rng: Rng::new(SEED + 1), mark: Some(mark) };
            let part = format!("{name}, the opponent's moves marked {mark}");
            findings.push(subject.game(side, fresh()?, opponent, part)?);
        }
    }
    Ok(findings)
}

impl Subject<'_> {
    /// Ends the game before the player's first move.
    fn dismissed(&self, part: &str, dismiss: fn(&mut Program) -> Ending) -> Result<Finding> {
        let mut program = self.start()?;
        let opening = (self.game.rules.begin)(None)?;
        let _ = program.begin(Side::First, opening.as_ref(), MatchScore::START);
        let ending = dismiss(&mut program);
        let fault = match program.stray_line() {
            Some(line) => Some(format!("unexpected output {line:?}")),
            None => ending.complaint,
        };
        let good = fault.is_none();
        let text = fault.unwrap_or_else(|| "exit status 0".to_string());
        Ok(Finding { part: part.to_string(), text, good })
    }

    /// Plays a complete game against random moves.
    fn game(
        &self,
        side: Side,
        opening: Box<dyn GameState>,
        mut opponent: RandomSeat,
        part: String,
    ) -> Result<Finding> {
        let mut program = self.start()?;
        let seats: [&mut dyn Seat; 2] = match side {
            Side::First => [&mut program, &mut opponent],
            Side::Second => [&mut opponent, &mut program],
        };
        let played = referee::play(seats, opening.as_ref(), &Adjudication::default());
        Ok(finding(self.game, &played, side, part))
    }

    /// Creates a judge that forwards all marks, so that moves with and without marks are tested.
    fn judge(&self) -> Box<dyn Judge> {
        (self.game.judge)(JudgeOptions { forwards_marks: true, ..JudgeOptions::default() })
    }

    /// Whether an opening can be sent to it.
    fn accepts_openings(&self) -> bool {
        !self.is_plain || !self.judge().protocol().has_own_lines
    }

    fn start(&self) -> Result<Program> {
        let program = Program::start(self.command, &Children::default(), self.limits, self.judge());
        program.with_context(|| format!("starting {:?}", self.command))
    }
}

/// Returns the finding about the player on a side of a game.
fn finding(game: &Entry, played: &Played, side: Side, part: String) -> Finding {
    let Ending { stderr, complaint } = &played.endings[side.index()];
    let plies = played.game.ply();
    let seconds = played.usage[side.index()].wall.as_secs_f64();
    // A random opponent without a legal move forfeits; that is not the player's fault.
    let own_fault = played.fault.as_ref().filter(|(failed, _)| *failed == side);
    let mut text = match own_fault {
        Some((_, fault)) => {
            let last_words =
                stderr.last().map_or(String::new(), |line| format!("; stderr: {line}"));
            let kind = fault.kind.name();
            format!("move {}: {kind}: {}{last_words}", plies + 1, fault.detail)
        }
        None => {
            let winner = played.end.winner.map_or("nobody", |winner| game.rules.side_name(winner));
            format!("{plies} moves, {winner} won, {seconds:.2} s of wall time")
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
    Finding { part, text, good }
}

/// An opponent that plays random moves.
struct RandomSeat {
    rng: Rng,
    /// Mark appended to every move.
    mark: Option<char>,
}

impl Seat for RandomSeat {
    fn begin(&mut self, _: Side, _: &dyn GameState, _: MatchScore) -> Result<(), Fault> {
        Ok(())
    }

    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault> {
        let text = game.random_move(&mut self.rng);
        let mut text = text.ok_or_else(|| Fault::new(FaultKind::NoMove, "no move"))?;
        text.extend(self.mark);
        Ok(Answer { text, score: None })
    }

    fn end(&mut self) -> Ending {
        Ending::default()
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}
