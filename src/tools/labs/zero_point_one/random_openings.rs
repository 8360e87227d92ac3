//! Random openings of matches of Zero Point One: random setups and a few random moves, not decided.

use super::handmade;
use super::openings::{opening_from, random_opening, OpeningStyle};
use crate::engine::rng::Rng;
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::types::Colour;
use crate::tools::contracts::openings::{parse_plies, Draw, Random, RandomOpenings, PLIES};
use crate::tools::contracts::opponent::{pairs, positive};
use crate::tools::support::files::read_text;
use anyhow::{anyhow, bail, ensure, Context, Result};
use std::ops::RangeInclusive;
use std::path::Path;

/// What a match needs to know.
pub const RANDOM: Random = Random {
    read,
    options: "plies (random ones after the setups; default: 4), good-setups (the share of good ones \
              among random setups; default: 0.5), setups=FILE (pairs of setups to draw from instead, \
              a line each: Red's, Blue's), balance (how far from equal in hundredths of a \
              piece, as a short search by the built-in network sees it: at most, or as 80-150 from \
              and to. Near equal fewer pairs are decided by the opening, far from it fewer games are \
              drawn)",
};

/// The options, for messages.
const OPTIONS: &str = "plies, good-setups, setups or balance";
const BALANCE: &str = "balance";
const SETUPS: &str = "setups";
/// Random plies after the setups: by default, and at most.
const DEFAULT_PLIES: usize = 4;
const MAX_PLIES: usize = 80;
/// An opening in which a search of so many nodes sees the end of the game is decided already.
const DECISIVE_NODES: u64 = 2000;
/// The table of the search that looks for decided openings, in MiB.
const DECISIVE_HASH_MB: usize = 1;
/// So many openings are drawn at most until one is wanted: a few given setups may have none.
const MAX_DRAWS: u64 = 1000;
/// The nodes of the search that decides whether an opening is balanced.
const BALANCE_NODES: u64 = 5000;
/// The share of good ones among random setups by default.
const GOOD_SETUPS: f64 = 0.5;

/// Which random openings are wanted.
#[derive(Clone, Debug)]
struct Style {
    opening: OpeningStyle,
    /// Pairs of setups to begin with instead of random ones.
    given: Option<GivenSetups>,
    /// How far from equal, in hundredths of a piece, whichever side is ahead.
    balance: Option<RangeInclusive<Score>>,
}

fn read(options: &str) -> Result<Box<dyn RandomOpenings>> {
    let mut plies = DEFAULT_PLIES;
    let mut style = OpeningStyle { good_setups: GOOD_SETUPS, random_plies: (0, 0) };
    let (mut given, mut balance) = (None, None);
    for pair in pairs(options) {
        match pair? {
            (PLIES, value) => plies = parse_plies(value, MAX_PLIES)?,
            ("good-setups", value) => style.good_setups = share(value)?,
            (SETUPS, path) => given = Some(GivenSetups::read(path)?),
            (BALANCE, value) => balance = Some(window(value)?),
            (key, _) => bail!("no option is named {key:?}, expected {OPTIONS}"),
        }
    }
    style.random_plies = (plies, plies);
    Ok(Box::new(Style { opening: style, given, balance }))
}

/// Pairs of setups from a file.
#[derive(Clone, Debug)]
struct GivenSetups {
    /// The file's path and checksum, which tell it from others.
    name: String,
    /// Red's and Blue's.
    pairs: Vec<(Setup, Setup)>,
}

impl GivenSetups {
    /// Reads a file: a line for each pair, Red's setup first; what follows in a line does not count, nor do
    /// empty lines and those that begin with `#`.
    fn read(path: &str) -> Result<GivenSetups> {
        let text = read_text(Path::new(path)).with_context(|| format!("reading {path}"))?;
        let lines = text.lines().enumerate();
        let pairs: Vec<(Setup, Setup)> = lines
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(index, line)| pair(line).with_context(|| format!("{path} line {}", index + 1)))
            .collect::<Result<_>>()?;
        ensure!(!pairs.is_empty(), "{path} has no setups");
        Ok(GivenSetups { name: format!("{path} {:08x}", crc32fast::hash(text.as_bytes())), pairs })
    }
}

/// The first two words of a line as Red's setup and Blue's.
fn pair(line: &str) -> Result<(Setup, Setup)> {
    let mut words = line.split_whitespace();
    let mut setup = |colour: Colour| -> Result<Setup> {
        let word = words.next().with_context(|| format!("no setup of {}", colour.name()))?;
        Setup::parse(word, colour).map_err(|error| anyhow!("{word:?}: {error}"))
    };
    Ok((setup(Colour::Red)?, setup(Colour::Blue)?))
}

/// A window of scores: the largest, or `MIN-MAX`.
fn window(value: &str) -> Result<RangeInclusive<Score>> {
    let (min, max) = match value.split_once('-') {
        Some((min, max)) => (positive(BALANCE, min)?, max),
        None => (0, value),
    };
    let max = positive(BALANCE, max)?;
    ensure!(min <= max, "{BALANCE}={value}: expected the smaller number first");
    Ok(Score::try_from(min)?..=Score::try_from(max)?)
}

fn share(value: &str) -> Result<f64> {
    let share: f64 = value.parse().with_context(|| format!("good-setups={value}: no number"))?;
    ensure!((0.0..=1.0).contains(&share), "good-setups={value}: expected 0 to 1");
    Ok(share)
}

impl RandomOpenings for Style {
    fn describe(&self) -> String {
        let OpeningStyle { good_setups, random_plies: (_, plies) } = self.opening;
        let window = |balance: &RangeInclusive<Score>| match (balance.start(), balance.end()) {
            (0, max) => format!(",{BALANCE}={max}"),
            (min, max) => format!(",{BALANCE}={min}-{max}"),
        };
        let balance = self.balance.as_ref().map_or(String::new(), window);
        let setups = match &self.given {
            Some(given) => format!("{SETUPS}={}", given.name),
            None => format!("good-setups={good_setups}"),
        };
        format!("{PLIES}={plies},{setups}{balance}")
    }

    fn drawer(&self) -> Draw<'_> {
        let mut filter = Filter::new();
        Box::new(move |rng| Box::new(self.draw(&mut filter, rng)))
    }
}

impl Style {
    /// An opening within the window; where a thousand were not, one outside it.
    fn draw(&self, filter: &mut Filter, rng: &mut Rng) -> Game {
        let mut drawn = 0;
        loop {
            drawn += 1;
            let game = match &self.given {
                Some(given) => opening_from(rng, &given.pairs, self.opening.random_plies),
                None => random_opening(rng, self.opening),
            };
            if filter.is_wanted(&game, self) || drawn == MAX_DRAWS {
                return game;
            }
        }
    }
}

/// Finds out which openings are wanted.
struct Filter {
    /// Looks for decided ones, by an evaluation that stays, so that openings don't change with the
    /// built-in network.
    decisive: Searcher,
    /// Looks for balanced ones, by the built-in network; made when asked for.
    balance: Option<Searcher>,
}

impl Filter {
    fn new() -> Filter {
        let decisive = Searcher::with_evaluator(
            Params::default(),
            Evaluator::Formula(handmade::evaluate),
            DECISIVE_HASH_MB,
        );
        Filter { decisive, balance: None }
    }

    fn is_wanted(&mut self, game: &Game, style: &Style) -> bool {
        if score::is_decisive(score_of(&mut self.decisive, game, DECISIVE_NODES)) {
            return false;
        }
        style.balance.as_ref().is_none_or(|window| {
            let searcher = self
                .balance
                .get_or_insert_with(|| Searcher::new(Params::default(), DECISIVE_HASH_MB));
            window.contains(&score_of(searcher, game, BALANCE_NODES).abs())
        })
    }
}

/// The score of a short search without memory of earlier ones.
fn score_of(searcher: &mut Searcher, game: &Game, nodes: u64) -> Score {
    searcher.clear();
    searcher.search(game, Limits { hard_nodes: Some(nodes), ..Limits::default() }).score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_options_and_says_what_is_wrong() {
        for good in ["", "plies=0", "good-setups=1,balance=80", "plies=80,balance=80-150"] {
            let described = read(good).expect(good).describe();
            assert!(good.split(',').all(|option| described.contains(option)), "{described}");
        }
        for wrong in ["balance=150-80", "balance=-80", "balance=80-", "balance=1-2-3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let wrong = ["plies=81", "good-setups=2", "good-setups=NaN", "balance=0", "balance=x"];
        for wrong in wrong.iter().chain(&["balance", "colour=3", "balance=99999999999"]) {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn openings_begin_with_a_pair_of_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("setups");
        let pairs = ["WFNADAAADDFDAAAA aaaadddaaadaffnw", "ANAAAAWADADADFFD dadadffdanaaaaaw"];
        let text = format!("# pairs\n\n{} 7\n{}\n", pairs[0], pairs[1]);
        std::fs::write(&path, text).expect("written");
        let openings = read(&format!("setups={},plies=3", path.display())).expect("a file");
        let mut draw = openings.drawer();
        let mut met = [0; 2];
        for seed in 0..20 {
            let texts = draw(&mut Rng::new(seed)).texts();
            assert_eq!(texts.len(), 5);
            let begun = texts[..2].join(" ");
            met[pairs.iter().position(|pair| *pair == begun).expect("one of the file")] += 1;
        }
        assert!(met[0] > 0 && met[1] > 0, "{met:?}");
        for wrong in ["", "WFNADAAADDFDAAAA\n", "aaaadddaaadaffnw WFNADAAADDFDAAAA\n", "A b\n"] {
            std::fs::write(&path, wrong).expect("written");
            let error = read(&format!("setups={}", path.display())).err().expect(wrong);
            assert!(format!("{error:#}").contains("setups"), "{error:#}");
        }
    }

    #[test]
    fn balanced_openings_are_so() {
        let mut searcher = Searcher::new(Params::default(), DECISIVE_HASH_MB);
        for (options, window) in
            [("balance=100,plies=2", 0..=100), ("balance=80-150,plies=2", 80..=150)]
        {
            let openings = read(options).expect("good options");
            let mut draw = openings.drawer();
            for seed in 0..4 {
                let mut game = Game::new();
                for text in draw(&mut Rng::new(seed)).texts() {
                    game.play(&text).expect("legal");
                }
                assert_eq!(game.ply(), 4);
                let score = score_of(&mut searcher, &game, BALANCE_NODES).abs();
                assert!(window.contains(&score), "{options}: {score}");
            }
        }
    }
}
