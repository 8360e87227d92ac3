//! Built-in players, which run in this process.

use super::process::Limits;
use super::transcript::Log;
use super::{Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::clock::Clock;
use crate::engine::dialogue::Player;
use crate::engine::guarded;
use crate::tools::contracts::judge::{Answer, Judge, MatchScore};
use crate::tools::contracts::opponent::Opponent;
use crate::tools::contracts::{GameState, Side};
use std::time::{Duration, Instant};

/// A built-in player in the arena.
pub struct BuiltIn<'a> {
    opponent: &'a dyn Opponent,
    /// Number of the game in the run, from 0; random players derive their seed from it.
    game: u64,
    /// Limits of the match, with the player's own time if its options set one.
    limits: Limits,
    judge: Box<dyn Judge>,
    player: Box<dyn Player>,
    /// Number of moves that the player knows.
    heard: usize,
    /// Number of moves of the opening.
    opening: usize,
    usage: Usage,
}

impl<'a> BuiltIn<'a> {
    /// Creates a player for game number `game`. A time in its own options replaces that of `limits`.
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

    /// Sends the player the moves since its last answer and asks for its move; `None` if it has none.
    fn choose(&mut self, game: &dyn GameState, clock: &Clock) -> Option<Answer> {
        match self.judge.turn(game) {
            // A player that is new to the match may object to the position.
            Some(turn) => drop(self.player.follow(&turn)),
            None => {
                let (texts, protocol) = (game.texts(), self.judge.protocol());
                for (index, text) in texts.iter().enumerate().skip(self.heard) {
                    let is_given = index < self.opening;
                    let text = if is_given { text } else { protocol.forwarded(text) };
                    self.player.play(text).ok()?;
                }
                // Including the move that it is about to play.
                self.heard = texts.len() + 1;
            }
        }
        let text = self.player.answer(clock)?.mv;
        let report = self.player.report();
        self.usage.nodes += report.nodes;
        Some(Answer { text, score: report.score })
    }

    /// Fails if the player has exceeded its time limit.
    fn check_time(&self, spent: Duration) -> Result<(), Fault> {
        if !self.opponent.is_limited_by_clock() {
            return Ok(());
        }
        let limit = self.limits.time.budget().saturating_add(self.limits.grace);
        self.limits.check(&self.usage, spent, limit)
    }

    /// Creates the clock for the next answer.
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
        // The lines are for programs; only the judge's state is needed here.
        let _ = self.judge.start_game(side, opening, None, score);
        self.opening = opening.texts().len();
        self.usage.longest = Duration::ZERO;
        if score == MatchScore::START {
            // Hash tables and histories must not carry over from an earlier match.
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
        let chosen = guarded(|| self.choose(game, &clock));
        let wall = started.elapsed();
        self.usage.wall += wall;
        self.usage.longest = self.usage.longest.max(wall);
        let answer = chosen.ok_or_else(|| Fault::new(FaultKind::Panic, "the player panicked"))?;
        let answer = answer.ok_or_else(|| Fault::new(FaultKind::NoMove, "found no move"))?;
        self.check_time(wall)?;
        Ok(Answer { text: self.judge.parse_answer(&answer.text, game).text, ..answer })
    }

    fn log_games(&mut self, logs: Vec<Log>) {
        for mut log in logs {
            let name = log.name.clone();
            log.remark(&format!("{name}is the built-in player, which is sent no lines"));
        }
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
    fn a_player_starts_each_match_with_no_memory() {
        for game in GAMES {
            let Some(opponents) = &game.tools.opponents else { continue };
            let opponent = (opponents.read)(opponents.sparring).expect("good options");
            for is_match in [false, game.has_matches] {
                let judge = (game.judge)(JudgeOptions { is_match, ..JudgeOptions::default() });
                let limits = Limits::new(game.contest.time);
                let mut seat = BuiltIn::new(opponent.as_ref(), limits, judge, 0);
                let fresh = (game.rules.begin)(None).expect("a game");
                let mut answers = Vec::new();
                for _ in 0..2 {
                    seat.begin(Side::First, fresh.as_ref(), MatchScore::START).expect("begun");
                    answers.push(seat.answer(fresh.as_ref()).expect("an answer").text);
                }
                assert_eq!(answers[0], answers[1], "{game:?}");
            }
        }
    }

    #[test]
    fn exceeding_the_time_limit_is_a_fault() {
        let game = main_game();
        let opponents = game.tools.opponents.as_ref().expect("built-in players");
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
        // With a time limit per move, an overrun below the grace is tolerated.
        let just = late - Duration::from_millis(10);
        let each = TimeControl::Move { first: just, later: just, reserve };
        assert_eq!(fault(by_clock.as_ref(), each), None);
    }
}
