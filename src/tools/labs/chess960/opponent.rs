//! The built-in players of Chess960, by their options.

use super::evaluation::{self, HANDMADE};
use crate::engine::dialogue;
use crate::games::chess960::eval::Evaluator;
use crate::games::chess960::player::{Options, Player, DEFAULT_HASH_MB};
use crate::games::chess960::search::params::Params;
use crate::games::chess960::search::Limits;
use crate::tools::contracts::opponent::{hash_megabytes, pairs, positive, Opponent, Opponents};
use crate::tools::contracts::params::{self, impl_parameters};
use crate::tools::contracts::settings::Settings;
use crate::tools::support::units::parse_time;
#[cfg(feature = "lab")]
use crate::tools::training::tune::Tunable;
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What a match needs to know.
pub const OPPONENTS: Opponents = Opponents {
    read: |options| Ok(Box::new(parse(options)?)),
    options:
        "the limits nodes, soft-nodes, depth and time (all of a move); net=FILE or net=handmade; \
              params=FILE (lines `name = value`, or JSON); any parameter of the search by its name \
              (see `cupbot chess960 params`); hash in MiB",
    limits: &["nodes", "soft-nodes", "depth", "time"],
    sparring: "nodes=2000",
};

/// What the tuner needs to know.
#[cfg(feature = "lab")]
pub const TUNABLE: Tunable<BuiltIn, Params> =
    Tunable { parse, params: |player| &mut player.params };

/// The transposition table of a player that no clock limits, in MiB, by default and at most.
const HASH_MB: usize = 16;
/// Moves of a long game, to estimate how large a table a node limit can fill at all.
const MOVES_A_GAME: u64 = 60;
/// Bytes of an entry of the table.
const ENTRY_BYTES: u64 = 16;

/// A built-in player.
#[derive(Clone)]
pub struct BuiltIn {
    /// Wall time of a move.
    pub time: Option<Duration>,
    /// Limits of a move.
    pub limits: Limits,
    /// The parameters of its search.
    pub params: Params,
    /// How it evaluates positions.
    pub evaluator: Evaluator,
    /// The evaluation's name: `built-in`, or a file and its checksum.
    pub evaluation: String,
    /// Its transposition table, in MiB.
    pub hash_mb: usize,
}

impl Opponent for BuiltIn {
    fn describe(&self) -> String {
        let BuiltIn { time, limits, params, evaluation, hash_mb, .. } = self;
        let limits = [
            time.map(|time| format!("time={}ms", time.as_millis())),
            limits.hard_nodes.map(|nodes| format!("nodes={nodes}")),
            limits.soft_nodes.map(|nodes| format!("soft-nodes={nodes}")),
            limits.depth.map(|depth| format!("depth={depth}")),
        ];
        let mut options: Vec<String> = limits.into_iter().flatten().collect();
        options.push(format!("net={evaluation},hash={hash_mb}"));
        options.extend(params::options(params));
        options.join(",")
    }

    fn player(&self, _game: u64) -> Box<dyn dialogue::Player> {
        Box::new(Player::with_options(Options {
            hash_mb: self.hash_mb,
            params: self.params.clone(),
            evaluator: Some(self.evaluator.clone()),
            limits: self.limits,
            by_clock: self.is_limited_by_clock(),
        }))
    }

    fn time(&self) -> Option<Duration> {
        self.time
    }

    fn is_limited_by_clock(&self) -> bool {
        self.time.is_some() || self.limits == Limits::default()
    }
}

/// Reads options.
pub fn parse(options: &str) -> Result<BuiltIn> {
    let mut time = None;
    let mut limits = Limits::default();
    let mut params = Params::default();
    let mut hash_mb = None;
    let mut net = None;
    let mut overrides = Vec::new();
    for pair in pairs(options) {
        let (key, value) = pair?;
        let number = || positive(key, value);
        match key {
            "time" => time = Some(parse_time(value).map_err(anyhow::Error::msg)?),
            "nodes" => limits.hard_nodes = Some(number()?),
            "soft-nodes" => limits.soft_nodes = Some(number()?),
            "depth" => limits.depth = Some(i32::try_from(number()?)?),
            "hash" => hash_mb = Some(hash_megabytes(key, value)?),
            "params" => params = params::read(Path::new(value))?,
            "net" => net = Some(Path::new(value)),
            name => overrides.push((name, value)),
        }
    }
    for (name, value) in overrides {
        params::set(&mut params, name, value)?;
    }
    let evaluator = evaluation::named(net)?;
    let evaluation = evaluation_name(net)?;
    let mut player = BuiltIn { time, limits, params, evaluator, evaluation, hash_mb: 0 };
    player.hash_mb = hash_mb.unwrap_or_else(|| default_hash_mb(&player));
    Ok(player)
}

/// The name that distinguishes an evaluation from all others.
fn evaluation_name(net: Option<&Path>) -> Result<String> {
    Ok(match net {
        None => "built-in".to_string(),
        Some(path) if path == Path::new(HANDMADE) => HANDMADE.to_string(),
        Some(path) => format!("{} {:08x}", path.display(), crc32fast::hash(&fs::read(path)?)),
    })
}

/// The default table: the contest player's where there is a clock, else no larger than a game can
/// fill, since touching its memory takes time.
fn default_hash_mb(player: &BuiltIn) -> usize {
    if player.is_limited_by_clock() {
        return DEFAULT_HASH_MB;
    }
    let nodes = player.limits.hard_nodes.or(player.limits.soft_nodes);
    let filled = nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(MOVES_A_GAME * ENTRY_BYTES));
    HASH_MB.min((filled >> 20) as usize + 1)
}

impl_parameters!(Params, "cupbot chess960 params");

/// The contest player with these settings.
pub fn player(settings: Settings) -> Player {
    let player = Player::new(settings.hash_mb);
    match settings.nodes {
        Some(nodes) => player.with_nodes(nodes),
        None => player,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_in(options: &str) -> BuiltIn {
        parse(options).expect("good options")
    }

    #[test]
    fn reads_built_in_players() {
        let player = built_in("nodes=8000,lmr_base=60,hash=3");
        assert_eq!(player.limits.hard_nodes, Some(8000));
        assert_eq!((player.params.lmr_base, player.hash_mb), (60, 3));
        assert!(!player.is_limited_by_clock());
        assert_eq!(built_in("time=1.5s").time(), Some(Duration::from_millis(1500)));
        assert_eq!(built_in("").params, Params::default());
        assert!(["", "hash=1", "time=1s", "time=1s,nodes=5"]
            .iter()
            .all(|options| built_in(options).is_limited_by_clock()));
        assert_eq!(["", "time=1s", "depth=3"].map(|text| built_in(text).hash_mb), [16; 3]);
    }

    #[test]
    fn says_what_is_wrong() {
        let wrong = ["nodes", "nodes=0", "hash=1025", "nodes=x", "colour=3", "time=3h"];
        let files = ["lmr_base=100000", "params=/no/file", "net=/no"];
        for text in wrong.iter().chain(&files) {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_limit_is_named_as_such() {
        for limit in OPPONENTS.limits {
            let value = if *limit == "time" { "1s" } else { "5" };
            assert!(parse(&format!("{limit}={value}")).is_ok(), "{limit}");
            assert!(OPPONENTS.options.contains(limit), "{limit}");
        }
    }
}
