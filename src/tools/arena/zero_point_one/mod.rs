//! Zero Point One in the arena.

pub mod builtin;
pub mod spec;

use super::contest::{Contest, RandomOpenings};
use super::spec::Thinking;
use super::Seat;
use crate::engine::rng::Rng;
use crate::engine::score;
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::tools::openings::{random_opening, OpeningStyle};
use anyhow::{ensure, Result};
use builtin::BuiltIn;
use spec::BuiltInSpec;

/// An opening in which a search of so many nodes sees the end of the game is decided already.
const DECISIVE_NODES: u64 = 2000;
/// The table of the search that looks for decided openings, in MiB.
const DECISIVE_HASH_MB: usize = 1;
/// The share of good ones among random setups unless told.
const GOOD_SETUPS: f64 = 0.5;

impl Contest for Game {
    type Spec = BuiltInSpec;
    type Style = OpeningStyle;
    /// Looks for decided openings.
    type Opener = Searcher;

    const SPARRING: &'static str = "nodes=100000";

    fn read_spec(options: &str, common: Thinking) -> Result<BuiltInSpec> {
        spec::parse(options, common)
    }

    fn describe(spec: &BuiltInSpec) -> String {
        spec.description()
    }

    fn sit(spec: &BuiltInSpec) -> Box<dyn Seat<Game>> {
        Box::new(BuiltIn::new(spec.clone()))
    }

    fn style(asked: RandomOpenings) -> Result<OpeningStyle> {
        let good_setups = asked.good_setups.unwrap_or(GOOD_SETUPS);
        ensure!((0.0..=1.0).contains(&good_setups), "--good-setups: expected 0 to 1");
        Ok(OpeningStyle { good_setups, random_plies: (asked.plies, asked.plies) })
    }

    fn opener() -> Searcher {
        // By an evaluation that stays, so that openings don't change with the built-in network.
        Searcher::with_evaluator(Params::default(), Evaluator::Handmade, DECISIVE_HASH_MB)
    }

    fn random_opening(judge: &mut Searcher, style: &OpeningStyle, rng: &mut Rng) -> Game {
        loop {
            let game = random_opening(rng, *style);
            judge.clear();
            let limits = Limits { hard_nodes: Some(DECISIVE_NODES), ..Limits::default() };
            if !score::is_decisive(judge.search(&game, limits).score) {
                return game;
            }
        }
    }
}
