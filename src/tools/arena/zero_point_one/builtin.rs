//! The built-in player in this process, without pipes.

use super::spec::BuiltInSpec;
use crate::engine::clock::{allot, Allotment};
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::player::{expected_own_moves, setup_time, UNHURRIED};
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::setup;
use crate::tools::arena::builtin::charged;
use crate::tools::arena::spec::Thinking;
use crate::tools::arena::{Answer, Ending, Fault, FaultKind, Seat, Usage};

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

    /// The time for the move at this ply, divided as in the contest, if time is what limits the player.
    fn allotment(&self, ply: usize) -> Option<Allotment> {
        let budget = self.spec.thinking.budget()?;
        Some(allot(budget, self.usage.cpu, expected_own_moves(ply)))
    }

    /// Chooses a setup or a move.
    fn choose(&mut self, game: &Game) -> Option<Answer> {
        let side = game.side();
        if game.position().is_none() {
            // Without a clock the choice never depends on the machine.
            let time = self.allotment(0).map_or(UNHURRIED, setup_time);
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
        let allotment = self.allotment(ply);
        Limits {
            depth,
            soft_nodes,
            hard_nodes: nodes,
            soft_time: allotment.map(|allotment| allotment.soft),
            hard_time: allotment.map(|allotment| allotment.hard),
        }
    }
}

impl Seat<Game> for BuiltIn {
    fn begin(&mut self, _opening: &Game) -> Result<(), Fault> {
        self.searcher.clear();
        self.usage = Usage::default();
        Ok(())
    }

    fn answer(&mut self, game: &Game) -> Result<Answer, Fault> {
        let (budget, mut usage) = (self.spec.thinking.budget(), self.usage);
        let answered = charged(&mut usage, budget, || self.choose(game));
        self.usage = Usage { nodes: self.usage.nodes, ..usage };
        if answered.as_ref().is_err_and(|fault| fault.kind == FaultKind::Panic) {
            // The searcher may be in pieces.
            self.searcher = new_searcher(&self.spec);
        }
        answered
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
