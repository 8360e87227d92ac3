//! Zuniq in the arena.

use super::builtin::charged;
use super::contest::{Contest, RandomOpenings};
use super::spec::{hash_megabytes, pairs, positive, Thinking};
use super::{Answer, Ending, Fault, Seat, Usage};
use crate::engine::clock::{Clock, OFFICIAL_BUDGET};
use crate::engine::dialogue;
use crate::engine::rng::Rng;
use crate::games::zuniq::game::Game;
use crate::games::zuniq::network::Network;
use crate::games::zuniq::player::{Player, DEFAULT_HASH_MB};
use crate::tools::rules::Rules as _;
use crate::tools::units::parse_time;
use crate::tools::zuniq::network;
use crate::tools::zuniq::uct::Uct;
use anyhow::{bail, ensure, Result};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The table of a player that no clock limits, unless told, in MiB.
const HASH_MB: usize = 16;
/// Hardly a game is over after so many random moves, and there is still something to play.
const MOST_RANDOM_PLIES: usize = 30;

/// How a built-in player finds its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Search {
    /// As in the contest.
    Full,
    /// By plain Monte Carlo tree search, to be measured against.
    Uct,
}

/// The options of a built-in player.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    search: Search,
    /// Simulations of a move, and in the contest's search as many solver nodes.
    nodes: Option<u64>,
    /// CPU time of the whole game, where nodes are no limit.
    time: Duration,
    hash_mb: usize,
    /// Another network than the built-in one.
    net: Option<Net>,
}

/// A network, known by where it was read and by what it is.
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
    fn parse(options: &str, common: Thinking) -> Result<Spec> {
        ensure!(common.depth.is_none(), "a depth is for Zero Point One");
        let mut own = Thinking::default();
        let mut hash_mb = None;
        let mut search = Search::Full;
        let mut net = None;
        for pair in pairs(options) {
            let (key, value) = pair?;
            match key {
                "time" => own.time = Some(parse_time(value).map_err(anyhow::Error::msg)?),
                "nodes" => own.nodes = Some(positive(key, value)?),
                "hash" => hash_mb = Some(hash_megabytes(key, value)?),
                "search" => search = Search::parse(value)?,
                "net" => net = Some(Net::read(value)?),
                _ => bail!("no option is named {key:?}, expected nodes, time, hash, net or search"),
            }
        }
        let is_full = search == Search::Full;
        ensure!(hash_mb.is_none() || is_full, "search=uct has no table: no hash");
        ensure!(net.is_none() || is_full, "search=uct has no network: no net");
        let thinking = if own.is_limited() { own } else { common };
        let time = thinking.time.unwrap_or(OFFICIAL_BUDGET);
        let default = if thinking.nodes.is_some() { HASH_MB } else { DEFAULT_HASH_MB };
        let hash_mb = hash_mb.unwrap_or(default);
        Ok(Spec { search, nodes: thinking.nodes, time, hash_mb, net })
    }

    fn player(&self) -> Box<dyn dialogue::Player> {
        let contest_player = || {
            let player = Player::new(self.hash_mb);
            match &self.net {
                Some(net) => player.with_network(net.network.clone()),
                None => player,
            }
        };
        match (self.search, self.nodes) {
            (Search::Uct, nodes) => Box::new(Uct::new(nodes)),
            (Search::Full, Some(nodes)) => Box::new(contest_player().with_nodes(nodes)),
            (Search::Full, None) => Box::new(contest_player()),
        }
    }
}

impl Search {
    fn parse(text: &str) -> Result<Search> {
        match text {
            "full" => Ok(Search::Full),
            "uct" => Ok(Search::Uct),
            _ => bail!("option search={text}: expected full or uct"),
        }
    }
}

/// The built-in player in this process, without pipes.
struct BuiltIn {
    spec: Spec,
    player: Box<dyn dialogue::Player>,
    /// The moves that the player knows.
    heard: usize,
    usage: Usage,
}

impl BuiltIn {
    fn new(spec: &Spec) -> BuiltIn {
        BuiltIn { spec: spec.clone(), player: spec.player(), heard: 0, usage: Usage::default() }
    }
}

impl Seat<Game> for BuiltIn {
    fn begin(&mut self, _opening: &Game) -> Result<(), Fault> {
        // A player remembers what it has proved: each game must begin from nothing.
        *self = BuiltIn::new(&self.spec);
        Ok(())
    }

    fn answer(&mut self, game: &Game) -> Result<Answer, Fault> {
        let clock = Clock::for_one_move(self.spec.time, self.usage.cpu);
        let budget = self.spec.nodes.is_none().then_some(self.spec.time);
        let (player, heard) = (&mut self.player, &mut self.heard);
        charged(&mut self.usage, budget, || {
            for text in &game.texts()[*heard..] {
                player.play(text).ok()?;
            }
            // With the own move.
            *heard = game.ply() + 1;
            Some(Answer { text: player.answer(&clock)?, score: None })
        })
    }

    fn end(&mut self) -> Ending {
        Ending::default()
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

impl Contest for Game {
    type Spec = Spec;
    /// The number of random plies.
    type Style = usize;
    type Opener = ();

    const SPARRING: &'static str = "nodes=2000";

    fn read_spec(options: &str, common: Thinking) -> Result<Spec> {
        Spec::parse(options, common)
    }

    fn describe(spec: &Spec) -> String {
        format!("{spec:?}")
    }

    fn sit(spec: &Spec) -> Box<dyn Seat<Game>> {
        Box::new(BuiltIn::new(spec))
    }

    fn style(asked: RandomOpenings) -> Result<usize> {
        ensure!(asked.good_setups.is_none(), "--good-setups is for Zero Point One");
        ensure!(asked.balance.is_none(), "--balance is for Zero Point One");
        let plies = asked.plies;
        ensure!(plies <= MOST_RANDOM_PLIES, "--random-plies: expected {MOST_RANDOM_PLIES} at most");
        Ok(plies)
    }

    fn opener() {}

    fn random_opening(_: &mut (), plies: &usize, rng: &mut Rng) -> Game {
        loop {
            let mut game = Game::new();
            while let Some(text) = game.random_move(rng).filter(|_| game.ply() < *plies) {
                let legal = game.play(&text);
                debug_assert_eq!(legal, Ok(()));
            }
            if game.can_move() {
                return game;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_options_and_says_what_is_wrong() {
        let common = Thinking { time: Some(Duration::from_secs(2)), ..Thinking::default() };
        let parse = |options| Spec::parse(options, common).ok();
        let spec = |search, nodes, seconds, hash_mb| {
            let time = Duration::from_secs(seconds);
            Some(Spec { search, nodes, time, hash_mb, net: None })
        };
        let (full, uct) = (Search::Full, Search::Uct);
        assert_eq!(parse(""), spec(full, None, 2, DEFAULT_HASH_MB));
        assert_eq!(parse("nodes=50"), spec(full, Some(50), 30, HASH_MB));
        assert_eq!(parse("nodes=50,hash=3"), spec(full, Some(50), 30, 3));
        assert_eq!(parse("time=5s"), spec(full, None, 5, DEFAULT_HASH_MB));
        assert_eq!(parse("search=uct,nodes=9"), spec(uct, Some(9), 30, HASH_MB));
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
            "net=/no/such/file",
            "depth=3",
            "time=3h",
            "lmr_base=5",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn another_network_in_the_same_file_is_another_player() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("net.bin");
        let described = |network: &Network| {
            std::fs::write(&path, network.to_bytes()).expect("written");
            let options = format!("net={}", path.display());
            Game::describe(&Spec::parse(&options, Thinking::default()).expect("a player"))
        };
        let built_in = described(&Network::built_in());
        assert_ne!(described(&Network::zero()), built_in);
        assert_eq!(described(&Network::built_in()), built_in);
    }

    #[test]
    fn openings_are_open_and_decided_by_the_seed() {
        let opening = |seed, plies| Game::random_opening(&mut (), &plies, &mut Rng::new(seed));
        for seed in 0..200 {
            let game = opening(seed, MOST_RANDOM_PLIES);
            assert_eq!((game.ply(), game.winner()), (MOST_RANDOM_PLIES, None));
            assert_eq!(game.moves(), opening(seed, MOST_RANDOM_PLIES).moves());
            assert_ne!(game.moves(), opening(seed + 1, MOST_RANDOM_PLIES).moves());
        }
    }
}
