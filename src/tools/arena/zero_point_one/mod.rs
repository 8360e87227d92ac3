//! Zero Point One in the arena.

pub mod builtin;
pub mod spec;

use super::contest::{Contest, RandomOpenings};
use super::spec::Thinking;
use super::Seat;
use crate::engine::rng::Rng;
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::tools::zero_point_one::openings::{random_opening, OpeningStyle};
use anyhow::{ensure, Result};
use builtin::BuiltIn;
use spec::BuiltInSpec;

/// An opening in which a search of so many nodes sees the end of the game is decided already.
const DECISIVE_NODES: u64 = 2000;
/// The table of the search that looks for decided openings, in MiB.
const DECISIVE_HASH_MB: usize = 1;
/// How long the search looks that tells whether an opening is balanced.
const BALANCE_NODES: u64 = 5000;
/// The share of good ones among random setups unless told.
const GOOD_SETUPS: f64 = 0.5;

/// Which random openings are wanted.
#[derive(Clone, Debug)]
pub struct Style {
    opening: OpeningStyle,
    /// How far from equal, in hundredths of a piece.
    balance: Option<Score>,
}

/// Judges openings.
pub struct Opener {
    /// Looks for decided ones, by an evaluation that stays, so that openings don't change with the
    /// built-in network.
    decisive: Searcher,
    /// Looks for balanced ones, by the built-in network; made when asked for.
    balance: Option<Searcher>,
}

impl Opener {
    fn is_wanted(&mut self, game: &Game, style: &Style) -> bool {
        if score::is_decisive(judged(&mut self.decisive, game, DECISIVE_NODES)) {
            return false;
        }
        style.balance.is_none_or(|most| {
            let searcher = self
                .balance
                .get_or_insert_with(|| Searcher::new(Params::default(), DECISIVE_HASH_MB));
            judged(searcher, game, BALANCE_NODES).abs() <= most
        })
    }
}

/// The score of a short search that knows nothing of earlier ones.
fn judged(searcher: &mut Searcher, game: &Game, nodes: u64) -> Score {
    searcher.clear();
    searcher.search(game, Limits { hard_nodes: Some(nodes), ..Limits::default() }).score
}

impl Contest for Game {
    type Spec = BuiltInSpec;
    type Style = Style;
    type Opener = Opener;

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

    fn style(asked: RandomOpenings) -> Result<Style> {
        let good_setups = asked.good_setups.unwrap_or(GOOD_SETUPS);
        ensure!((0.0..=1.0).contains(&good_setups), "--good-setups: expected 0 to 1");
        let opening = OpeningStyle { good_setups, random_plies: (asked.plies, asked.plies) };
        Ok(Style { opening, balance: asked.balance })
    }

    fn opener() -> Opener {
        let decisive =
            Searcher::with_evaluator(Params::default(), Evaluator::Handmade, DECISIVE_HASH_MB);
        Opener { decisive, balance: None }
    }

    fn random_opening(opener: &mut Opener, style: &Style, rng: &mut Rng) -> Game {
        loop {
            let game = random_opening(rng, style.opening);
            if opener.is_wanted(&game, style) {
                return game;
            }
        }
    }
}
