//! Built-in players of Zero Point One and their options.

use super::handmade;
use crate::engine::cache_lines::megabytes_for;
use crate::engine::dialogue;
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::player::{Player, DEFAULT_HASH_MB};
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::CONTEST;
use crate::tools::contracts::alpha_beta::named_evaluator;
use crate::tools::contracts::alpha_beta::{AlphaBeta, BuiltIn, LIMITS};
use crate::tools::contracts::opponent::Opponents;
use crate::tools::contracts::params::impl_parameters;
use crate::tools::contracts::Settings;
use crate::tools::training::tune::Tunable;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;

/// Adapter for matches.
pub const OPPONENTS: Opponents = Opponents {
    read: |options| Ok(Box::new(BuiltIn::<Game>::parse(options)?)),
    options: "limits nodes, soft-nodes, depth (per move) and time (per game); net=FILE or \
              net=handmade; params=FILE (lines `name = value`, or JSON); any search parameter by \
              name (see `cupbot params`); hash=MIB",
    limits: LIMITS,
    sparring: "nodes=100000",
};

/// Adapter for the tuner.
pub const TUNABLE: Tunable<BuiltIn<Game>, Params> =
    Tunable { parse: BuiltIn::parse, params: |player| &mut player.params };

/// Marker type of the game.
#[derive(Clone, Copy)]
pub struct Game;

impl AlphaBeta for Game {
    type Params = Params;
    type Evaluator = Evaluator;
    const MOVES_A_GAME: u64 = 40;

    fn evaluator(net: Option<&Path>) -> Result<Evaluator> {
        named_evaluator(net, handmade::evaluate)
    }

    fn hash_on_the_clock(time: Option<Duration>) -> usize {
        megabytes_for(time.unwrap_or(CONTEST.time.budget()), DEFAULT_HASH_MB)
    }

    fn player(options: &BuiltIn<Game>) -> Box<dyn dialogue::Player> {
        Box::new(Player::with_options(options.options()))
    }
}

impl_parameters!(Params, "cupbot params");

/// Creates the contest player with these settings.
pub fn player(settings: Settings) -> Player {
    settings.player(Player::new, Player::with_nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::contracts::alpha_beta::tests::options_are_read;

    #[test]
    fn options_of_built_in_players_are_parsed() {
        options_are_read::<Game>(&OPPONENTS);
        // With a clock the table has the contest player's size.
        let hash_mb = |text| BuiltIn::<Game>::parse(text).expect("good options").hash_mb;
        assert_eq!(["", "time=1s"].map(hash_mb), [32, 10]);
    }
}
