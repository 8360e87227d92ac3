//! Options of built-in players that use an alpha-beta search with a network.

use super::opponent::{file_name, hash_megabytes, pairs, positive, Opponent};
use super::params::{self, Parameters};
use crate::engine::alpha_beta;
use crate::engine::budget::Limits;
use crate::engine::dialogue;
use crate::engine::evaluator::{Accumulators, Evaluator};
use crate::engine::network::{Layout, Network};
use crate::engine::score::Score;
use crate::tools::support::files;
use crate::tools::support::units::parse_time;
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Options that limit the search.
pub const LIMITS: &[&str] = &["nodes", "soft-nodes", "depth", "time"];
/// Name of the hand-made evaluation, in place of a network file.
pub const HANDMADE: &str = "handmade";
/// Maximum hash table size of a player without a clock, in MiB.
const HASH_MB: usize = 16;
/// Size of a table entry in bytes.
const ENTRY_BYTES: u64 = 16;

/// Game-specific parts of an alpha-beta player.
pub trait AlphaBeta: Copy + Send + Sync + 'static {
    /// Search parameters.
    type Params: Parameters;
    /// Evaluator.
    type Evaluator: Clone + Send + Sync;
    /// Number of moves of a long game, to estimate how large a table a node limit can fill.
    const MOVES_A_GAME: u64;

    /// Returns the evaluation named by an option: a network file, [`HANDMADE`], or the built-in network if `None`.
    fn evaluator(net: Option<&Path>) -> Result<Self::Evaluator>;

    /// Returns the default hash table size of a player with a clock, in MiB. `time` is the player's own time limit, if
    /// it has one.
    fn hash_on_the_clock(time: Option<Duration>) -> usize;

    /// Creates a player at the start of a game.
    fn player(options: &BuiltIn<Self>) -> Box<dyn dialogue::Player>;
}

/// Options of a built-in player.
#[derive(Clone)]
pub struct BuiltIn<G: AlphaBeta> {
    /// The player's own time limit, per game or per move as in the contest; `None`: the time limit of the match.
    pub time: Option<Duration>,
    /// Limits per move.
    pub limits: Limits,
    /// Search parameters.
    pub params: G::Params,
    /// Evaluator.
    pub evaluator: G::Evaluator,
    /// Name of the evaluation: `built-in`, or a file with its checksum.
    pub evaluation: String,
    /// Hash table size in MiB.
    pub hash_mb: usize,
}

impl<G: AlphaBeta> BuiltIn<G> {
    /// Parses options.
    pub fn parse(options: &str) -> Result<BuiltIn<G>> {
        let mut time = None;
        let mut limits = Limits::default();
        let mut params = G::Params::default();
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
        let evaluator = G::evaluator(net)?;
        let evaluation = evaluation_name(net)?;
        let mut player = BuiltIn { time, limits, params, evaluator, evaluation, hash_mb: 0 };
        player.hash_mb = hash_mb.unwrap_or_else(|| player.default_hash_mb());
        Ok(player)
    }

    /// Returns the options of the search.
    pub fn options(&self) -> alpha_beta::Options<G::Params, G::Evaluator> {
        alpha_beta::Options {
            hash_mb: self.hash_mb,
            params: self.params.clone(),
            evaluator: Some(self.evaluator.clone()),
            limits: self.limits,
            by_clock: self.is_limited_by_clock(),
        }
    }

    /// Returns the default hash table size in MiB: the contest player's if there is a clock; otherwise no larger than a
    /// game can fill, because allocating memory takes time.
    fn default_hash_mb(&self) -> usize {
        if self.is_limited_by_clock() {
            return G::hash_on_the_clock(self.time);
        }
        let nodes = self.limits.hard_nodes.or(self.limits.soft_nodes);
        let bytes = |nodes: u64| nodes.saturating_mul(G::MOVES_A_GAME * ENTRY_BYTES);
        HASH_MB.min((nodes.map_or(u64::MAX, bytes) >> 20) as usize + 1)
    }
}

impl<G: AlphaBeta> Opponent for BuiltIn<G> {
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
        G::player(self)
    }

    fn time(&self) -> Option<Duration> {
        self.time
    }

    fn is_limited_by_clock(&self) -> bool {
        self.time.is_some() || self.limits == Limits::default()
    }
}

/// Returns the unique name of an evaluation.
fn evaluation_name(net: Option<&Path>) -> Result<String> {
    Ok(match net {
        None => "built-in".to_string(),
        Some(path) if path == Path::new(HANDMADE) => HANDMADE.to_string(),
        Some(path) => file_name(&path.display().to_string(), &files::read(path)?),
    })
}

/// Returns the evaluation named by an option: a network file, [`HANDMADE`], or the built-in network if `None`. Fails if
/// the network can't be read.
pub fn named_evaluator<A: Accumulators<N>, const N: usize>(
    net: Option<&Path>,
    formula: fn(&A::Position) -> Score,
) -> Result<Evaluator<A, N>> {
    Ok(match net {
        None => Evaluator::by_network(Arc::new(Network::read_built_in()?)),
        Some(path) if path == Path::new(HANDMADE) => Evaluator::Formula(formula),
        Some(path) => Evaluator::by_network(read_network(path)?),
    })
}

/// Returns a fingerprint that does not depend on the file name: [`HANDMADE`], or the checksum of the network.
pub fn evaluator_fingerprint<A: Accumulators<N>, const N: usize>(
    evaluator: &Evaluator<A, N>,
) -> String {
    match evaluator {
        Evaluator::Formula(_) => HANDMADE.to_string(),
        Evaluator::Network(network, _) => format!("{:08x}", crc32fast::hash(&network.to_bytes())),
    }
}

/// Reads a network file.
pub fn read_network<L: Layout<N>, const N: usize>(path: &Path) -> Result<Arc<Network<L, N>>> {
    Ok(Arc::new(files::read_as(path, Network::from_bytes)?))
}

/// Tests of player options, for every game with an alpha-beta search.
#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::tools::contracts::opponent::Opponents;

    /// Checks that good options are accepted, bad ones rejected, and limits recognised.
    pub fn options_are_read<G: AlphaBeta>(opponents: &Opponents) {
        let built_in = |options: &str| BuiltIn::<G>::parse(options).expect("valid options");
        let player = built_in("nodes=8000,lmr_base=60,hash=3");
        assert_eq!(player.limits.hard_nodes, Some(8000));
        assert_eq!((player.params.value_of("lmr_base"), player.hash_mb), (Some(60), 3));
        assert!(!player.is_limited_by_clock());
        assert_eq!(built_in("time=1.5s").time(), Some(Duration::from_millis(1500)));
        let specs = G::Params::SPECS.iter();
        let default = |spec: &crate::engine::params::ParamSpec| (spec.name, Some(spec.default));
        let found = built_in("");
        for (name, value) in specs.map(default) {
            assert_eq!(found.params.value_of(name), value, "{name}");
        }
        assert!(["", "hash=1", "time=1s", "time=1s,nodes=5"]
            .iter()
            .all(|options| built_in(options).is_limited_by_clock()));
        // Without a clock, the table is no larger than a game can fill.
        assert_eq!(built_in("depth=3").hash_mb, 16);
        assert_eq!(built_in("nodes=1").hash_mb, 1);
        let wrong = ["nodes", "nodes=0", "hash=1025", "nodes=x", "colour=3", "time=3h"];
        let files = ["lmr_base=100000", "params=/no/file", "net=/no"];
        for text in wrong.iter().chain(&files) {
            assert!(BuiltIn::<G>::parse(text).is_err(), "{text}");
        }
        for limit in opponents.limits {
            let value = if *limit == "time" { "1s" } else { "5" };
            assert!(BuiltIn::<G>::parse(&format!("{limit}={value}")).is_ok(), "{limit}");
            assert!(opponents.options.contains(limit), "{limit}");
        }
    }
}
