//! The built-in players of 6561 and their options.

use super::evaluation;
use super::sparring::{RandomFrom, Sparring, Style, FREE};
use crate::engine::dialogue;
use crate::games::g6561::board::Colour;
use crate::games::g6561::network::Network;
use crate::games::g6561::player::Player;
use crate::tools::contracts::opponent::{file_name, pairs, positive, Opponent, Opponents};
use crate::tools::contracts::Settings;
use crate::tools::support::units::parse_time;
use anyhow::{bail, ensure, Context, Result};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Adapter for matches.
pub const OPPONENTS: Opponents = Opponents {
    read: |options| Ok(Box::new(Spec::parse(options)?)),
    options:
        "limits nodes, depth (per move) and time (per game); plan=off disables the stored game; \
              net=FILE for the learned value; sparring players: style=random, greedy, tidy, monte \
              (games=N per move), one (colour=NAME or free, depth=N) or, with an independent value and \
              search, keeper (colour=NAME or free, depth=N), corner (depth=N) and sum (depth=N); \
              turn=N: random moves from ply N; seed=N",
    limits: &["nodes", "depth", "time"],
    sparring: "nodes=300",
};

/// The options of a built-in player.
struct Spec {
    /// The style of a sparring player; `None` for the contest player.
    style: Option<Style>,
    nodes: Option<u64>,
    depth: Option<usize>,
    /// Time per game, if there is no other limit.
    time: Option<Duration>,
    /// The first ply with random moves.
    turn: Option<usize>,
    seed: u64,
    /// Whether the contest player follows the stored game.
    is_planned: bool,
    /// The learned value of the contest player with its name, if not the built-in one.
    net: Option<(String, Arc<Network>)>,
}

impl Spec {
    fn parse(options: &str) -> Result<Spec> {
        let (mut nodes, mut depth, mut time, mut turn) = (None, None, None, None);
        let (mut games, mut colour, mut style, mut seed) = (None, None, None, 1);
        let (mut is_planned, mut net) = (true, None);
        for pair in pairs(options) {
            let (key, value) = pair?;
            match key {
                "nodes" => nodes = Some(positive(key, value)?),
                "depth" => depth = Some(positive(key, value)? as usize),
                "time" => time = Some(parse_time(value).map_err(anyhow::Error::msg)?),
                "turn" => turn = Some(positive(key, value)? as usize),
                "games" => games = Some(positive(key, value)?),
                "seed" => seed = positive(key, value)?,
                "colour" if value == FREE => colour = Some(None),
                "colour" => colour = Some(Some(parse_colour(value)?)),
                "plan" => is_planned = parse_switch(key, value)?,
                "net" => {
                    let network = evaluation::network(Path::new(value))?;
                    net = Some((file_name(value, &network.to_bytes()), network));
                }
                "style" => style = Some(value),
                _ => bail!(
                    "no option is named {key:?}, expected nodes, depth, time, plan, net, style, \
                     games, colour, turn or seed"
                ),
            }
        }
        for (is_valid, reason) in [
            (games.is_none() || style == Some("monte"), "games: only valid with style=monte"),
            (
                colour.is_none() || matches!(style, Some("one" | "keeper")),
                "colour: only valid with style=one or style=keeper",
            ),
            (is_planned || style.is_none(), "plan: sparring players have no stored game"),
            (net.is_none() || style.is_none(), "net: sparring players have no network"),
        ] {
            ensure!(is_valid, "option {reason}");
        }
        let style = style.map(|name| Style::parse(name, games, colour, depth)).transpose()?;
        Ok(Spec { style, nodes, depth, time, turn, seed, is_planned, net })
    }
}

fn parse_switch(key: &str, value: &str) -> Result<bool> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => bail!("option {key}={value}: expected on or off"),
    }
}

fn parse_colour(value: &str) -> Result<Colour> {
    let colour = Colour::ALL.into_iter().find(|colour| colour.name() == value);
    colour.with_context(|| format!("option colour={value}: expected blue, red, gray or free"))
}

impl Opponent for Spec {
    fn describe(&self) -> String {
        let mut options = match self.style {
            Some(style) => format!(",{style}"),
            None if self.is_planned => String::new(),
            None => ",plan=off".to_string(),
        };
        let numbers = [
            ("nodes", self.nodes),
            ("depth", self.depth.map(|depth| depth as u64)),
            ("turn", self.turn.map(|turn| turn as u64)),
            ("seed", Some(self.seed)),
        ];
        for (key, value) in numbers {
            if let Some(value) = value {
                options += &format!(",{key}={value}");
            }
        }
        if let Some((name, _)) = &self.net {
            options += &format!(",net={name}");
        }
        if let Some(time) = self.time {
            options += &format!(",time={}ms", time.as_millis());
        }
        options[1..].to_string()
    }

    fn time(&self) -> Option<Duration> {
        self.time
    }

    fn is_limited_by_clock(&self) -> bool {
        self.style.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    fn player(&self, game: u64) -> Box<dyn dialogue::Player> {
        // Each game has a different random sequence.
        let seed = self.seed.wrapping_mul(0x1_0000).wrapping_add(game);
        let player: Box<dyn dialogue::Player> = match self.style {
            Some(style) => Box::new(Sparring::new(style, seed)),
            None => {
                let mut player = Player::default();
                if !self.is_planned {
                    player = player.without_plan();
                }
                if let Some((_, network)) = &self.net {
                    player = player.with_network(network.clone());
                }
                if let Some(depth) = self.depth {
                    player = player.with_depth(depth);
                }
                // With only a depth, the clock is not a limit.
                let nodes = self.nodes.or(self.depth.map(|_| u64::MAX));
                match nodes {
                    Some(nodes) => Box::new(player.with_nodes(nodes)),
                    None => Box::new(player),
                }
            }
        };
        match self.turn {
            Some(turn) => Box::new(RandomFrom::new(player, turn, seed)),
            None => player,
        }
    }
}

/// Creates the contest player with these settings.
pub fn player(settings: Settings) -> Player {
    settings.player(|_| Player::default(), Player::with_nodes)
}

#[cfg(test)]
mod tests {
    use super::super::sparring::Aim;
    use super::*;

    #[test]
    fn valid_options_are_parsed_and_others_rejected() {
        let style = |options| Spec::parse(options).ok().map(|spec| spec.style);
        assert_eq!(style("nodes=5"), Some(None));
        assert_eq!(style("style=greedy"), Some(Some(Style::Greedy)));
        assert_eq!(style("style=tidy"), Some(Some(Style::Tidy)));
        assert_eq!(style("style=monte,games=7"), Some(Some(Style::MonteCarlo(7))));
        let one = Style::OneColour(Some(Colour::Red), 2);
        assert_eq!(style("style=one,colour=red,depth=2"), Some(Some(one)));
        let free = Style::OneColour(None, 3);
        assert_eq!(style("style=one,colour=free"), Some(Some(free)));
        let keeper = Style::OwnSearch(Aim::Keeper(Some(Colour::Gray)), 3);
        assert_eq!(style("style=keeper,colour=gray"), Some(Some(keeper)));
        assert_eq!(style("style=corner,depth=2"), Some(Some(Style::OwnSearch(Aim::Corner, 2))));
        let wrong =
            "x=1 plan=x plan=off,style=greedy nodes=0 style=best net=/no/such/file games=3 \
                     colour=red style=corner,colour=red style=keeper,colour=green turn";
        for wrong in wrong.split(' ') {
            assert!(Spec::parse(wrong).is_err(), "{wrong}");
        }
        let right = "plan=off,nodes=5,seed=1 style=one,colour=red,depth=2,turn=5,seed=3 \
                     style=one,colour=free,seed=1 style=keeper,colour=free,depth=2,seed=1 \
                     style=keeper,colour=blue,seed=1 style=corner,seed=1 style=sum,depth=2,seed=1";
        for options in right.split(' ') {
            let described = Spec::parse(options).expect("valid options").describe();
            let again = Spec::parse(&described).expect("a description is valid");
            assert_eq!(again.describe(), described);
        }
        let spec = Spec::parse("time=5s,turn=300").expect("valid options");
        assert!(spec.is_limited_by_clock());
        assert_eq!((spec.time(), spec.turn), (Some(Duration::from_secs(5)), Some(300)));
    }
}
