//! What a game brings along for the arena, beside its rules: built-in players and openings.

use super::Seat;
use crate::engine::rng::Rng;
use crate::engine::score::Score;
use crate::tools::arena::spec::Thinking;
use crate::tools::rules::Rules;
use anyhow::Result;
use std::fmt::Debug;

/// How random openings are asked for on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomOpenings {
    /// Random plies.
    pub plies: usize,
    /// The share of good ones among random setups, where told.
    pub good_setups: Option<f64>,
    /// How far from equal they may be, in hundredths of a piece; any as long as undecided if not told.
    pub balance: Option<Score>,
}

/// A game that the arena can play.
pub trait Contest: Rules {
    /// The options of a built-in player.
    type Spec: Clone + Send + Sync;
    /// How random openings are made.
    type Style: Clone + Debug + Send + Sync;
    /// Makes random openings; kept from game to game.
    type Opener;

    /// The player that submissions are checked against: strong enough for a game of some length.
    const SPARRING: &'static str;

    /// Reads the options of a built-in player. `common` holds where they set no limit at all.
    fn read_spec(options: &str, common: Thinking) -> Result<Self::Spec>;

    /// All that decides how a built-in player plays, contents of files included.
    fn describe(spec: &Self::Spec) -> String;

    /// A built-in player, for one game after another.
    fn sit(spec: &Self::Spec) -> Box<dyn Seat<Self>>;

    /// The style that is asked for, if the game has it.
    fn style(asked: RandomOpenings) -> Result<Self::Style>;

    /// What makes openings.
    fn opener() -> Self::Opener;

    /// A game that has begun at random and is not decided. The same for the same state of `rng`.
    fn random_opening(opener: &mut Self::Opener, style: &Self::Style, rng: &mut Rng) -> Self;
}
