//! The built-in players of Chess960 and their options.

use super::handmade;
use crate::engine::dialogue;
use crate::games::chess960::eval::Evaluator;
use crate::games::chess960::player::{Player, DEFAULT_HASH_MB};
use crate::games::chess960::search::params::Params;
use crate::tools::contracts::alpha_beta::named_evaluator;
use crate::tools::contracts::alpha_beta::{AlphaBeta, BuiltIn, LIMITS};
use crate::tools::contracts::opponent::Opponents;
use crate::tools::contracts::params::impl_parameters;
use crate::tools::contracts::Settings;
use crate::tools::training::tune::Tunable;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;

/// Entry for matches.
pub const OPPONENTS: Opponents = Opponents {
    read: |options| Ok(Box::new(BuiltIn::<Game>::parse(options)?)),
    options:
        "the limits nodes, soft-nodes, depth and time (all of a move); net=FILE or net=handmade; \
              params=FILE (lines `name = value`, or JSON); any parameter of the search by its name \
              (see `cupbot chess960 params`); hash in MiB",
    limits: LIMITS,
    sparring: "nodes=2000",
};

/// Entry for the tuner.
pub const TUNABLE: Tunable<BuiltIn<Game>, Params> =
    Tunable { parse: BuiltIn::parse, params: |player| &mut player.params };

/// The game.
#[derive(Clone, Copy)]
pub struct Game;

impl AlphaBeta for Game {
    type Params = Params;
    type Evaluator = Evaluator;
    const MOVES_A_GAME: u64 = 60;

    fn evaluator(net: Option<&Path>) -> Result<Evaluator> {
        named_evaluator(net, handmade::evaluate)
    }

    fn hash_on_the_clock(_time: Option<Duration>) -> usize {
        DEFAULT_HASH_MB
    }

    fn player(options: &BuiltIn<Game>) -> Box<dyn dialogue::Player> {
        Box::new(Player::with_options(options.options()))
    }
}

impl_parameters!(Params, "cupbot chess960 params");

/// Creates the contest player with these settings.
pub fn player(settings: Settings) -> Player {
    settings.player(Player::new, Player::with_nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::contracts::alpha_beta::tests::options_are_read;

    #[test]
    fn reads_built_in_players() {
        options_are_read::<Game>(&OPPONENTS);
        // The contest player's table size on a clock.
        let hash_mb = |text| BuiltIn::<Game>::parse(text).expect("good options").hash_mb;
        assert_eq!(["", "time=1s"].map(hash_mb), [16; 2]);
    }
}
