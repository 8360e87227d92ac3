//! Built-in players: the contest's player in this process, without pipes.

use super::{overrun, Answer, Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::clock::{Clock, TimeControl};
use crate::engine::dialogue::Player;
use crate::engine::system::{cpu_time, Whose};
use crate::tools::game::opponent::Opponent;
use crate::tools::game::GameState;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// A built-in player in its seat.
pub struct BuiltIn<'a> {
    opponent: &'a dyn Opponent,
    /// The game's number in the run, from 0.
    game: u64,
    /// The contest's time control, or that of the match.
    control: TimeControl,
    player: Box<dyn Player>,
    /// The number of moves that the player knows.
    heard: usize,
    usage: Usage,
}

impl<'a> BuiltIn<'a> {
    /// A player for the game of this number, by the time control of a match unless it has limits of its
    /// own.
    pub fn new(opponent: &'a dyn Opponent, control: TimeControl, game: u64) -> BuiltIn<'a> {
        let control = opponent.time().map_or(control, |time| control.with_budget(time));
        let player = opponent.player(game);
        BuiltIn { opponent, game, control, player, heard: 0, usage: Usage::default() }
    }

    /// Tells the player what was played since its last answer, and lets it answer.
    fn choose(&mut self, game: &dyn GameState, clock: &Clock) -> Option<Answer> {
        let texts = game.texts();
        for text in &texts[self.heard..] {
            self.player.play(text).ok()?;
        }
        // With its own move.
        self.heard = texts.len() + 1;
        let text = self.player.answer(clock)?;
        let report = self.player.report();
        self.usage.nodes += report.nodes;
        Some(Answer { text, score: report.score })
    }

    /// An error where the player has used more than its time.
    fn check_time(&self, spent: Duration) -> Result<(), Fault> {
        let budget = self.control.budget();
        let (charged, kind) = match self.control {
            TimeControl::Game { .. } => (self.usage.cpu, FaultKind::CpuTime),
            TimeControl::Move { .. } => (spent, FaultKind::WallTime),
        };
        if self.opponent.is_limited_by_clock() && charged > budget {
            return Err(Fault::new(kind, overrun(charged, budget, self.control.measure())));
        }
        Ok(())
    }
}

impl Seat for BuiltIn<'_> {
    fn begin(&mut self, _opening: &dyn GameState) -> Result<(), Fault> {
        // A player remembers what it has found: each game must begin from nothing.
        *self = BuiltIn::new(self.opponent, self.control, self.game);
        Ok(())
    }

    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault> {
        let clock = Clock::for_one_move(self.control, self.usage.cpu);
        let started = Instant::now();
        let cpu_before = cpu_time(Whose::Thread);
        let chosen = catch_unwind(AssertUnwindSafe(|| self.choose(game, &clock)));
        let wall = started.elapsed();
        let cpu = cpu_before.and_then(|before| cpu_time(Whose::Thread)?.checked_sub(before));
        self.usage.wall += wall;
        self.usage.cpu += cpu.unwrap_or(wall);
        let answer = chosen.map_err(|_| Fault::new(FaultKind::Panic, "the player panicked"))?;
        let answer = answer.ok_or_else(|| Fault::new(FaultKind::NoMove, "found no move"))?;
        self.check_time(wall)?;
        Ok(answer)
    }

    fn end(&mut self) -> Ending {
        Ending::default()
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::Measure;
    use crate::tools::registry::{main_game, GAMES};

    #[test]
    fn a_seat_forgets_the_game_before() {
        for game in GAMES {
            let Some(opponents) = &game.opponents else { continue };
            let opponent = (opponents.read)(opponents.sparring).expect("good options");
            let mut seat = BuiltIn::new(opponent.as_ref(), game.contest.time, 0);
            let fresh = (game.begin)(None).expect("a game");
            let mut answers = Vec::new();
            for _ in 0..2 {
                seat.begin(fresh.as_ref()).expect("begun");
                answers.push(seat.answer(fresh.as_ref()).expect("an answer").text);
            }
            assert_eq!(answers[0], answers[1], "{}", game.name);
        }
    }

    #[test]
    fn more_than_the_time_is_a_fault() {
        let game = main_game();
        let opponents = game.opponents.as_ref().expect("built-in players");
        let by_clock = (opponents.read)("").expect("no options");
        let by_nodes = (opponents.read)("nodes=10").expect("good options");
        let late = Duration::from_secs(2);
        let fault = |opponent: &dyn Opponent, control: TimeControl| {
            let mut seat = BuiltIn::new(opponent, control, 0);
            seat.usage.cpu = late;
            seat.check_time(late).err().map(|fault| fault.kind)
        };
        let whole = TimeControl::game(Duration::from_secs(1));
        let (first, reserve) = (Duration::from_secs(1), Duration::ZERO);
        let each = TimeControl::Move { first, later: first, reserve };
        assert_eq!(each.measure(), Measure::Wall);
        assert_eq!(fault(by_clock.as_ref(), whole), Some(FaultKind::CpuTime));
        assert_eq!(fault(by_clock.as_ref(), each), Some(FaultKind::WallTime));
        assert_eq!(fault(by_nodes.as_ref(), whole), None);
        assert_eq!(fault(by_clock.as_ref(), TimeControl::game(3 * late)), None);
    }
}
