//! The built-in players of Zuniq and their options.

use super::evaluation::network;
use super::monte_carlo::{MonteCarlo, Policy};
use crate::engine::dialogue;
use crate::games::zuniq::network::Network;
use crate::games::zuniq::player::{Player, DEFAULT_HASH_MB};
use crate::tools::contracts::opponent::{hash_megabytes, pairs, positive, Opponent, Opponents};
use crate::tools::contracts::settings::Settings;
use crate::tools::support::units::parse_time;
use anyhow::{bail, ensure, Result};
use std::fmt;
use std::path::PathBuf;
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

/// Search of a built-in player.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Search {
    /// The search of the contest player.
    Full,
    /// Monte Carlo tree search with random games, as a baseline.
    MonteCarlo(Policy),
}

/// The options of a built-in player.
#[derive(Clone, Debug, PartialEq)]
struct Spec {
    search: Search,
    /// Simulations per move; with the full search, also solver nodes.
    nodes: Option<u64>,
    /// CPU time per game, if nodes are not limited.
    time: Option<Duration>,
    hash_mb: usize,
    /// The network, if not the built-in one.
    net: Option<Net>,
}

/// A network, identified by its path and checksum.
#[derive(Clone)]
struct Net {
    path: PathBuf,
    checksum: u32,
    network: Arc<Network>,
}

impl Net {
    fn read(path: &str) -> Result<Net> {
        let path = PathBuf::from(path);
        let network = network(Some(&path))?;
        let checksum = crc32fast::hash(&network.to_bytes());
        Ok(Net { path, checksum, network })
    }
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:08x}", self.path.display(), self.checksum)
    }
}

impl PartialEq for Net {
    fn eq(&self, other: &Net) -> bool {
        (&self.path, self.checksum) == (&other.path, other.checksum)
    }
}

impl Spec {
    fn parse(options: &str) -> Result<Spec> {
        let (mut nodes, mut time) = (None, None);
        let mut hash_mb = None;
        let mut search = Search::Full;
        let mut net = None;
        for pair in pairs(options) {
            let (key, value) = pair?;
            match key {
                "time" => time = Some(parse_time(value).map_err(anyhow::Error::msg)?),
                "nodes" => nodes = Some(positive(key, value)?),
                "hash" => hash_mb = Some(hash_megabytes(key, value)?),
                "search" => search = Search::parse(value)?,
                "net" => net = Some(Net::read(value)?),
                _ => bail!("no option is named {key:?}, expected nodes, time, hash, net or search"),
            }
        }
        let is_full = search == Search::Full;
        let name = search.name();
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
        let search = match self.search {
            Search::Full => {
                let net =
                    self.net.as_ref().map_or("built-in".to_string(), |net| format!("{net:?}"));
                format!("hash={},net={net}", self.hash_mb)
            }
            Search::MonteCarlo(_) => format!("search={}", self.search.name()),
        };
        format!("{limit}{search}")
    }

    fn time(&self) -> Option<Duration> {
        self.time
    }

    fn is_limited_by_clock(&self) -> bool {
        self.nodes.is_none()
    }

    fn player(&self, _game: u64) -> Box<dyn dialogue::Player> {
        let contest_player = || {
            let player = Player::new(self.hash_mb);
            match &self.net {
                Some(net) => player.with_network(net.network.clone()),
                None => player,
            }
        };
        match (self.search, self.nodes) {
            (Search::MonteCarlo(policy), nodes) => Box::new(MonteCarlo::new(policy, nodes)),
            (Search::Full, Some(nodes)) => Box::new(contest_player().with_nodes(nodes)),
            (Search::Full, None) => Box::new(contest_player()),
        }
    }
}

impl Search {
    fn parse(text: &str) -> Result<Search> {
        match text {
            "full" => Ok(Search::Full),
            "uct" => Ok(Search::MonteCarlo(Policy::Uct)),
            "amaf" => Ok(Search::MonteCarlo(Policy::Amaf)),
            _ => bail!("option search={text}: expected full, uct or amaf"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Search::Full => "full",
            Search::MonteCarlo(Policy::Uct) => "uct",
            Search::MonteCarlo(Policy::Amaf) => "amaf",
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
        let parse = |options| Spec::parse(options).ok();
        let spec = |search, nodes, seconds: Option<u64>, hash_mb| {
            Some(Spec { search, nodes, time: seconds.map(Duration::from_secs), hash_mb, net: None })
        };
        let full = Search::Full;
        let [uct, amaf] = [Policy::Uct, Policy::Amaf].map(Search::MonteCarlo);
        assert_eq!(parse(""), spec(full, None, None, DEFAULT_HASH_MB));
        assert_eq!(parse("nodes=50"), spec(full, Some(50), None, HASH_MB));
        assert_eq!(parse("nodes=50,hash=3"), spec(full, Some(50), None, 3));
        assert_eq!(parse("time=5s"), spec(full, None, Some(5), DEFAULT_HASH_MB));
        assert_eq!(parse("search=uct,nodes=9"), spec(uct, Some(9), None, HASH_MB));
        assert_eq!(parse("search=amaf,time=9s"), spec(amaf, None, Some(9), DEFAULT_HASH_MB));
        let with_net = parse("net=none").and_then(|spec| spec.net);
        assert_eq!(with_net.map(|net| net.path), Some(PathBuf::from("none")));
        for wrong in [
            "nodes",
            "search=best",
            "nodes=0",
            "hash=x",
            "hash=1025",
            "search=uct,hash=3",
            "search=uct,net=none",
            "search=amaf,hash=3",
            "search=amaf,net=none",
            "net=/no/such/file",
            "depth=3",
            "time=3h",
            "lmr_base=5",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
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
