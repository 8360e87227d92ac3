//! Built-in players: the contest's player in this process, without pipes.

use super::process::Limits;
use super::{Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::clock::Clock;
use crate::engine::dialogue::Player;
use crate::tools::contracts::judge::{Answer, Judge, MatchScore};
use crate::tools::contracts::opponent::Opponent;
use crate::tools::contracts::{GameState, Side};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// A built-in player in its seat.
pub struct BuiltIn<'a> {
    opponent: &'a dyn Opponent,
    /// The game's number in the run, from 0.
    game: u64,
    /// The limits of the match, with the player's own time if it has one.
    limits: Limits,
    judge: Box<dyn Judge>,
    player: Box<dyn Player>,
    /// The number of moves that the player knows.
    heard: usize,
    /// How many of them the opening gave.
    opening: usize,
    usage: Usage,
}

impl<'a> BuiltIn<'a> {
    /// A player for the game of this number, by the limits of a match unless it has a time of its own.
    pub fn new(
        opponent: &'a dyn Opponent,
        limits: Limits,
        judge: Box<dyn Judge>,
        game: u64,
    ) -> BuiltIn<'a> {
        let time = opponent.time().map_or(limits.time, |time| limits.time.with_budget(time));
        let limits = Limits { time, ..limits };
        let player = opponent.player(game);
        let usage = Usage::default();
        let (heard, opening) = (0, 0);
        BuiltIn { opponent, game, limits, judge, player, heard, opening, usage }
    }

    /// Tells the player what was played since its last answer, and lets it answer.
    fn choose(&mut self, game: &dyn GameState, clock: &Clock) -> Option<Answer> {
        let text = match self.judge.turn(game) {
            Some(turn) => self.player.turn(&turn, clock)?,
            None => {
                let (texts, protocol) = (game.texts(), self.judge.protocol());
                for (index, text) in texts.iter().enumerate().skip(self.heard) {
                    let is_given = index < self.opening;
                    let told = if is_given { text } else { protocol.forwarded(text) };
                    self.player.play(told).ok()?;
                }
                // With its own move.
                self.heard = texts.len() + 1;
                self.player.answer(clock)?
            }
        };
        let report = self.player.report();
        self.usage.nodes += report.nodes;
        Some(Answer { text, score: report.score })
    }

    /// An error where the player has used more than its time.
    fn check_time(&self, spent: Duration) -> Result<(), Fault> {
        if !self.opponent.is_limited_by_clock() {
            return Ok(());
        }
        let limit = self.limits.time.budget().saturating_add(self.limits.grace);
        self.limits.check(&self.usage, spent, limit)
    }

    /// A clock for the next answer.
    fn clock(&self) -> Clock {
        Clock::for_one_move(self.limits.time, self.usage.wall)
    }
}

impl Seat for BuiltIn<'_> {
    fn begin(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        score: MatchScore,
    ) -> Result<(), Fault> {
        // Its lines are for programs: a player in this process needs no more than the judge's memory.
        let _ = self.judge.start_game(side, opening, None, score);
        self.opening = opening.texts().len();
        self.usage.longest = Duration::ZERO;
        if score == MatchScore::START {
            // A player remembers what it has found: each match must begin from nothing.
            (self.player, self.heard) = (self.opponent.player(self.game), 0);
            self.usage = Usage::default();
            if self.judge.turn(opening).is_some() {
                self.player.prepare(&self.clock());
            }
        }
        Ok(())
    }

    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault> {
        let clock = self.clock();
        let started = Instant::now();
        let chosen = catch_unwind(AssertUnwindSafe(|| self.choose(game, &clock)));
        let wall = started.elapsed();
        self.usage.wall += wall;
        self.usage.longest = self.usage.longest.max(wall);
        let answer = chosen.map_err(|_| Fault::new(FaultKind::Panic, "the player panicked"))?;
        let answer = answer.ok_or_else(|| Fault::new(FaultKind::NoMove, "found no move"))?;
        self.check_time(wall)?;
        Ok(Answer { text: self.judge.parse_answer(&answer.text, game).text, ..answer })
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
    use crate::engine::clock::TimeControl;
    use crate::tools::contracts::judge::JudgeOptions;
    use crate::tools::labs::registry::{main_game, GAMES};

    #[test]
    fn a_seat_forgets_the_game_before() {
        for game in GAMES {
            let Some(opponents) = &game.opponents else { continue };
            let opponent = (opponents.read)(opponents.sparring).expect("good options");
            for is_match in [false, game.has_matches] {
                let judge = (game.judge)(JudgeOptions { is_match, ..JudgeOptions::default() });
                let limits = Limits::new(game.contest.time);
                let mut seat = BuiltIn::new(opponent.as_ref(), limits, judge, 0);
                let fresh = (game.begin)(None).expect("a game");
                let mut answers = Vec::new();
                for _ in 0..2 {
                    seat.begin(Side::First, fresh.as_ref(), MatchScore::START).expect("begun");
                    answers.push(seat.answer(fresh.as_ref()).expect("an answer").text);
                }
                assert_eq!(answers[0], answers[1], "{}", game.name);
            }
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
            let limits = Limits::new(control);
            let mut seat = BuiltIn::new(opponent, limits, (game.judge)(JudgeOptions::default()), 0);
            seat.usage.wall = late;
            seat.check_time(late).err().map(|fault| fault.kind)
        };
        let whole = TimeControl::Game(Duration::from_secs(1));
        let (first, reserve) = (Duration::from_secs(1), Duration::ZERO);
        let each = TimeControl::Move { first, later: first, reserve };
        assert_eq!(fault(by_clock.as_ref(), whole), Some(FaultKind::WallTime));
        assert_eq!(fault(by_clock.as_ref(), each), Some(FaultKind::WallTime));
        assert_eq!(fault(by_nodes.as_ref(), whole), None);
        assert_eq!(fault(by_clock.as_ref(), TimeControl::Game(3 * late)), None);
        // Where moves are timed, a little more costs nothing.
        let just = late - Duration::from_millis(10);
        let each = TimeControl::Move { first: just, later: just, reserve };
        assert_eq!(fault(by_clock.as_ref(), each), None);
    }
}
