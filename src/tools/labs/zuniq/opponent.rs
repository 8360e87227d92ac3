//! The built-in players of Zuniq and their options.

use super::evaluation::network;
use super::monte_carlo::{MonteCarlo, Policy};
use crate::engine::dialogue;
use crate::games::zuniq::network::Network;
use crate::games::zuniq::player::{Player, DEFAULT_HASH_MB};
use crate::tools::contracts::opponent::{
    file_name, hash_megabytes, pairs, positive, Opponent, Opponents,
};
use crate::tools::contracts::Settings;
use crate::tools::support::units::parse_time;
use anyhow::{bail, ensure, Context, Result};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Adapter for matches.
pub const OPPONENTS: Opponents = Opponents {
    read: |options| Ok(Box::new(Spec::parse(options)?)),
    options: "limits nodes (simulations, and as many solver nodes, per move) and time (per game); \
              hash=MIB; net=FILE or net=none; search=uct for plain Monte Carlo tree search, \
              search=amaf for the same with all-moves-as-first statistics and claims by its \
              estimate (both without hash and net)",
    limits: &["nodes", "time"],
    sparring: "nodes=2000",
};

/// Default table size of a player with a node limit, in MiB.
const HASH_MB: usize = 16;

/// The available searches with their names: the contest player's, and baselines of Monte Carlo tree search with random
/// playouts.
const SEARCHES: [(&str, Option<Policy>); 3] =
    [("full", None), ("uct", Some(Policy::Uct)), ("amaf", Some(Policy::Amaf))];

/// The options of a built-in player.
struct Spec {
    /// An entry of [`SEARCHES`].
    search: (&'static str, Option<Policy>),
    /// Simulations per move; with the full search, also solver nodes.
    nodes: Option<u64>,
    /// Time per game, if nodes are not limited.
    time: Option<Duration>,
    hash_mb: usize,
    /// The network with its name, if not the built-in one.
    net: Option<(String, Arc<Network>)>,
}

impl Spec {
    fn parse(options: &str) -> Result<Spec> {
        let (mut nodes, mut time) = (None, None);
        let mut hash_mb = None;
        let mut search = SEARCHES[0];
        let mut net = None;
        for pair in pairs(options) {
            let (key, value) = pair?;
            match key {
                "time" => time = Some(parse_time(value).map_err(anyhow::Error::msg)?),
                "nodes" => nodes = Some(positive(key, value)?),
                "hash" => hash_mb = Some(hash_megabytes(key, value)?),
                "search" => {
                    let found = SEARCHES.into_iter().find(|(name, _)| *name == value);
                    let found = found.with_context(|| {
                        format!("option search={value}: expected full, uct or amaf")
                    });
                    search = found?;
                }
                "net" => {
                    let network = network(Some(Path::new(value)))?;
                    net = Some((file_name(value, &network.to_bytes()), network));
                }
                _ => bail!("no option is named {key:?}, expected nodes, time, hash, net or search"),
            }
        }
        let (name, policy) = search;
        let is_full = policy.is_none();
        ensure!(hash_mb.is_none() || is_full, "search={name} has no table: hash does not apply");
        ensure!(net.is_none() || is_full, "search={name} has no network: net does not apply");
        let default = if nodes.is_some() { HASH_MB } else { DEFAULT_HASH_MB };
        Ok(Spec { search, nodes, time, hash_mb: hash_mb.unwrap_or(default), net })
    }
}

impl Opponent for Spec {
    fn describe(&self) -> String {
        let limit = match (self.nodes, self.time) {
            (Some(nodes), _) => format!("nodes={nodes},"),
            (None, Some(time)) => format!("time={}ms,", time.as_millis()),
            (None, None) => String::new(),
        };
        match self.search {
            (name, Some(_)) => format!("{limit}search={name}"),
            (_, None) => {
                let net = self.net.as_ref().map_or("built-in", |(name, _)| name);
                format!("{limit}hash={},net={net}", self.hash_mb)
            }
        }
    }

    fn time(&self) -> Option<Duration> {
        self.time
    }

    fn is_limited_by_clock(&self) -> bool {
        self.nodes.is_none()
    }

    fn player(&self, _game: u64) -> Box<dyn dialogue::Player> {
        if let (_, Some(policy)) = self.search {
            return Box::new(MonteCarlo::new(policy, self.nodes));
        }
        let mut player = Player::new(self.hash_mb);
        if let Some((_, network)) = &self.net {
            player = player.with_network(network.clone());
        }
        match self.nodes {
            Some(nodes) => Box::new(player.with_nodes(nodes)),
            None => Box::new(player),
        }
    }
}

/// Creates the contest player with these settings.
pub fn player(settings: Settings) -> Player {
    settings.player(Player::new, Player::with_nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_options_are_parsed_and_others_rejected() {
        for (options, described) in [
            ("", format!("hash={DEFAULT_HASH_MB},net=built-in")),
            ("nodes=50", format!("nodes=50,hash={HASH_MB},net=built-in")),
            ("nodes=50,hash=3,search=full", "nodes=50,hash=3,net=built-in".to_string()),
            ("time=5s", format!("time=5000ms,hash={DEFAULT_HASH_MB},net=built-in")),
            ("search=uct,nodes=9", "nodes=9,search=uct".to_string()),
            ("search=amaf,time=9s", "time=9000ms,search=amaf".to_string()),
        ] {
            assert_eq!(Spec::parse(options).expect(options).describe(), described);
        }
        let with_net = Spec::parse("net=none").expect("no file").describe();
        assert!(with_net.contains(",net=none "), "{with_net}");
        let wrong = "nodes search=best nodes=0 hash=x hash=1025 search=uct,hash=3 search=uct,net=none \
                     search=amaf,hash=3 search=amaf,net=none net=/no/such/file depth=3 time=3h lmr_base=5";
        for wrong in wrong.split(' ') {
            assert!(Spec::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn players_are_identified_by_network_contents() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("net.bin");
        let described = |network: &Network| {
            std::fs::write(&path, network.to_bytes()).expect("written");
            let options = format!("net={}", path.display());
            Spec::parse(&options).expect("a player").describe()
        };
        let built_in = described(&Network::built_in());
        assert_ne!(described(&Network::zero()), built_in);
        assert_eq!(described(&Network::built_in()), built_in);
    }
}
