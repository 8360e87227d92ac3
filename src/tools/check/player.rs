//! Drives a player's command through the dialogue of its game and reports what it does wrong.

use crate::engine::rng::Rng;
use crate::tools::arena::process::{ProcessLimits, Program};
use crate::tools::arena::referee::{self, Played};
use crate::tools::arena::{Answer, Ending, Fault, FaultKind, Seat, Usage};
use crate::tools::rules::{Rules, Side};
use anyhow::{Context, Result};

/// The random moves of the openings that are told.
const OPENING_PLIES: usize = 3;
/// Decides the opponent's moves and the openings.
const SEED: u64 = 1;

/// What came of one part of the check.
pub struct Finding {
    /// What was tried.
    pub part: String,
    /// What came of it.
    pub text: String,
    /// Is it as it should be?
    pub good: bool,
}

/// All parts of the check.
pub fn check<G: Rules>(command: &str, limits: ProcessLimits) -> Result<Vec<Finding>> {
    let mut findings = vec![
        dismissed::<G>(command, limits, "Quit at once", true)?,
        dismissed::<G>(command, limits, "end of input at once", false)?,
    ];
    let mut rng = Rng::new(SEED);
    for (side, name) in Side::ALL.into_iter().zip(G::SIDES) {
        for (plies, how) in [(0, ""), (OPENING_PLIES, ", after an opening")] {
            let opening = random_opening(&mut rng, plies);
            let opponent = RandomSeat { rng: Rng::new(SEED), mark: None };
            findings.push(game::<G>(
                command,
                limits,
                side,
                opening,
                opponent,
                name.to_string() + how,
            )?);
        }
        if let Some(mark) = G::CLAIM_MARK {
            let opponent = RandomSeat { rng: Rng::new(SEED + 1), mark: Some(mark) };
            let part = format!("{name}, the opponent's moves marked {mark}");
            findings.push(game::<G>(command, limits, side, G::default(), opponent, part)?);
        }
    }
    Ok(findings)
}

/// A game that has begun with some random moves.
fn random_opening<G: Rules>(rng: &mut Rng, plies: usize) -> G {
    let mut game = G::default();
    while let Some(text) = game.random_move(rng).filter(|_| game.ply() < plies) {
        // What the rules offer they allow.
        let _ = game.play(&text);
    }
    game
}

/// A program that is told to go before anything has been asked.
fn dismissed<G: Rules>(
    command: &str,
    limits: ProcessLimits,
    part: &str,
    quit: bool,
) -> Result<Finding> {
    let mut program = start(command, Side::First, limits)?;
    let _ = Seat::<G>::begin(&mut program, &G::default());
    let ending = program.dismiss(quit);
    let fault = match program.stray_line() {
        Some(line) => Some(format!("said {line:?} unasked")),
        None => ending.complaint,
    };
    let good = fault.is_none();
    let text = fault.unwrap_or_else(|| "exit status 0".to_string());
    Ok(Finding { part: part.to_string(), text, good })
}

/// A whole game against random moves.
fn game<G: Rules>(
    command: &str,
    limits: ProcessLimits,
    side: Side,
    opening: G,
    mut opponent: RandomSeat,
    part: String,
) -> Result<Finding> {
    let mut program = start(command, side, limits)?;
    let seats: [&mut dyn Seat<G>; 2] = match side {
        Side::First => [&mut program, &mut opponent],
        Side::Second => [&mut opponent, &mut program],
    };
    let played = referee::play(seats, &opening);
    Ok(judge(&played, side, part))
}

fn start(command: &str, side: Side, limits: ProcessLimits) -> Result<Program> {
    Program::start(command, side, limits).with_context(|| format!("starting {command:?}"))
}

/// What the player on a side did in a game.
fn judge<G: Rules>(played: &Played<G>, side: Side, part: String) -> Finding {
    let Ending { stderr, complaint } = &played.endings[side.index()];
    let (plies, seconds) = (played.game.ply(), played.usage[side.index()].cpu.as_secs_f64());
    let lost = played.winner == Some(!side);
    let mut text = match &played.fault {
        // A random opponent that the rules leave without a move has lost by that.
        Some(fault) if lost => {
            let last_words =
                stderr.last().map_or(String::new(), |line| format!("; stderr: {line}"));
            let kind = fault.kind.name();
            format!("move {}: {kind}: {}{last_words}", plies + 1, fault.detail)
        }
        _ => {
            let winner = played.winner.map_or("nobody", G::side_name);
            format!("{plies} moves, {winner} won, {seconds:.2} s of CPU time")
        }
    };
    let failed = played.fault.is_some() && lost;
    let false_claim = played.game.points(played.winner, failed)[side.index()]
        .claim
        .filter(|claim| claim.bonus.is_none() && !failed);
    if let Some(claim) = false_claim {
        text += &format!("; the claim of move {} was false", claim.number);
    }
    if let Some(complaint) = complaint {
        text += &format!("; {complaint}");
    }
    Finding { part, text, good: !failed && false_claim.is_none() && complaint.is_none() }
}

/// An opponent to whom all moves are the same.
struct RandomSeat {
    rng: Rng,
    /// Put behind every move.
    mark: Option<char>,
}

impl<G: Rules> Seat<G> for RandomSeat {
    fn begin(&mut self, _opening: &G) -> Result<(), Fault> {
        Ok(())
    }

    fn answer(&mut self, game: &G) -> Result<Answer, Fault> {
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
