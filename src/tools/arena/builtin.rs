//! The built-in player in this process, without pipes.

use super::proctree::thread_cpu_time;
use super::spec::{BuiltInSpec, Thinking};
use super::{Answer, Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::clock::{allot, OFFICIAL_BUDGET};
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::player::expected_own_moves;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::setup;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// The time for Blue's setup where nodes or depth, not time, limit a player: enough for every
/// candidate's search to reach its depth, so that the choice never depends on the machine.
const UNLIMITED: Duration = Duration::from_secs(3600);

/// A searcher that serves one game after another.
pub struct BuiltIn {
    spec: BuiltInSpec,
    searcher: Searcher,
    usage: Usage,
}

impl BuiltIn {
    /// A player with these options.
    pub fn new(spec: BuiltInSpec) -> BuiltIn {
        let searcher = new_searcher(&spec);
        BuiltIn { spec, searcher, usage: Usage::default() }
    }

    /// The time of the whole game, if that is what limits the player.
    fn budget(&self) -> Option<Duration> {
        let thinking = &self.spec.thinking;
        thinking.time.or((!thinking.is_limited()).then_some(OFFICIAL_BUDGET))
    }

    /// Chooses a setup or a move.
    fn choose(&mut self, game: &Game) -> Option<Answer> {
        let side = game.side();
        if game.position().is_none() {
            let time = self.budget().map_or(UNLIMITED, |budget| {
                allot(budget, self.usage.cpu, expected_own_moves(game.ply())).soft
            });
            let chosen = match game.setups() {
                [red] => setup::answer(red, &mut self.searcher, time),
                _ => setup::first(),
            };
            return Some(Answer { text: chosen.text(side), score: None });
        }
        let limits = self.limits(game.ply());
        let found = self.searcher.search(game, limits);
        self.usage.nodes += found.nodes;
        let text = found.best?.text(side).to_string();
        Some(Answer { text, score: Some(found.score) })
    }

    fn limits(&self, ply: usize) -> Limits {
        let Thinking { nodes, soft_nodes, depth, .. } = self.spec.thinking;
        let allotment =
            self.budget().map(|budget| allot(budget, self.usage.cpu, expected_own_moves(ply)));
        Limits {
            depth,
            soft_nodes,
            hard_nodes: nodes,
            soft_time: allotment.map(|allotment| allotment.soft),
            hard_time: allotment.map(|allotment| allotment.hard),
        }
    }
}

impl Seat for BuiltIn {
    fn begin(&mut self, _opening: &Game) -> Result<(), Fault> {
        self.searcher.clear();
        self.usage = Usage::default();
        Ok(())
    }

    fn answer(&mut self, game: &Game) -> Result<Answer, Fault> {
        let started = Instant::now();
        // Reading the CPU time costs as much as a hundred nodes: only who needs it pays.
        let cpu_before = self.budget().and_then(|_| thread_cpu_time());
        let chosen = catch_unwind(AssertUnwindSafe(|| self.choose(game)));
        let wall = started.elapsed();
        let cpu = cpu_before.and_then(|before| thread_cpu_time()?.checked_sub(before));
        self.usage.wall += wall;
        self.usage.cpu += cpu.unwrap_or(wall);
        if chosen.is_err() {
            // The searcher may be in pieces.
            self.searcher = new_searcher(&self.spec);
        }
        let answer = chosen.map_err(|_| Fault::new(FaultKind::Panic, "the search panicked"))?;
        let answer = answer.ok_or_else(|| Fault::new(FaultKind::NoMove, "found no move"))?;
        match self.budget() {
            Some(budget) if self.usage.cpu > budget => {
                Err(Fault::new(FaultKind::CpuTime, super::overrun(self.usage.cpu, budget)))
            }
            _ => Ok(answer),
        }
    }

    fn end(&mut self) -> Ending {
        Ending::default()
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

fn new_searcher(spec: &BuiltInSpec) -> Searcher {
    Searcher::with_evaluator(spec.params.clone(), spec.evaluator.clone(), spec.hash_mb)
}
