//! Random openings of matches: `--openings random:...` of Zero Point One.

use super::handmade;
use super::opening_generator::{opening_from, random_opening, OpeningStyle};
use crate::engine::rng::Rng;
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::types::Colour;
use crate::tools::contracts::openings::{parse_plies, Draw, Random, RandomOpenings, PLIES};
use crate::tools::contracts::opponent::{file_name, pairs, positive};
use crate::tools::support::files::read_text;
use crate::tools::support::units::parse_share;
use anyhow::{anyhow, bail, ensure, Context, Result};
use std::ops::RangeInclusive;
use std::path::Path;

/// Adapter for matches.
pub const RANDOM: Random = Random {
    read,
    options: "plies (number of random plies after the setups; default: 4), good-setups (fraction of \
              setups that follow heuristics; default: 0.5), setups=FILE (draw from these pairs of \
              setups instead, one per line: Red's, Blue's), balance=MAX or balance=MIN-MAX (score of \
              either side by a short search with the built-in network, in hundredths of a piece; a \
              small score makes fewer openings decisive, a large one makes fewer games drawn)",
};

/// Names of the options, for error messages.
const OPTIONS: &str = "plies, good-setups, setups or balance";
const BALANCE: &str = "balance";
const SETUPS: &str = "setups";
/// Default number of random plies after the setups.
const DEFAULT_PLIES: usize = 4;
/// Maximum number of random plies after the setups.
const MAX_PLIES: usize = 80;
/// Node limit of the search that rejects decided openings.
const DECISIVE_NODES: u64 = 2000;
/// Hash table size of the searches, in MiB.
const HASH_MB: usize = 1;
/// Maximum number of openings drawn until one is accepted: the given setups may have none.
const MAX_DRAWS: u64 = 1000;
/// Node limit of the search that determines the balance.
const BALANCE_NODES: u64 = 5000;
/// Default fraction of setups that follow heuristics.
const GOOD_SETUPS: f64 = 0.5;

/// Options of random openings.
#[derive(Clone, Debug)]
struct Style {
    opening: OpeningStyle,
    /// Pairs of setups to draw from, instead of random setups.
    given: Option<GivenSetups>,
    /// Accepted magnitudes of the score, in hundredths of a piece.
    balance: Option<RangeInclusive<Score>>,
}

fn read(options: &str) -> Result<Box<dyn RandomOpenings>> {
    let mut plies = DEFAULT_PLIES;
    let mut style = OpeningStyle { good_setups: GOOD_SETUPS, random_plies: (0, 0) };
    let (mut given, mut balance) = (None, None);
    for pair in pairs(options) {
        match pair? {
            (PLIES, value) => plies = parse_plies(value, MAX_PLIES)?,
            ("good-setups", value) => {
                style.good_setups =
                    parse_share(value).map_err(|error| anyhow!("good-setups={value}: {error}"))?;
            }
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
    /// The file's path and checksum, for the description.
    name: String,
    /// Red's and Blue's setups.
    pairs: Vec<(Setup, Setup)>,
}

impl GivenSetups {
    /// Reads a file with one pair per line, Red's setup first. Further words of a line, empty lines and lines that
    /// begin with `#` are ignored.
    fn read(path: &str) -> Result<GivenSetups> {
        let text = read_text(Path::new(path)).with_context(|| format!("reading {path}"))?;
        let lines = text.lines().enumerate();
        let pairs: Vec<(Setup, Setup)> = lines
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(index, line)| pair(line).with_context(|| format!("{path} line {}", index + 1)))
            .collect::<Result<_>>()?;
        ensure!(!pairs.is_empty(), "{path} contains no setups");
        Ok(GivenSetups { name: file_name(path, text.as_bytes()), pairs })
    }
}

/// Parses the first two words of a line as Red's and Blue's setups.
fn pair(line: &str) -> Result<(Setup, Setup)> {
    let mut words = line.split_whitespace();
    let mut setup = |colour: Colour| -> Result<Setup> {
        let word =
            words.next().with_context(|| format!("expected a setup of {}", colour.name()))?;
        Setup::parse(word, colour).map_err(|error| anyhow!("{word:?}: {error}"))
    };
    Ok((setup(Colour::Red)?, setup(Colour::Blue)?))
}

/// Parses a range of scores, `MAX` or `MIN-MAX`.
fn window(value: &str) -> Result<RangeInclusive<Score>> {
    let (min, max) = match value.split_once('-') {
        Some((min, max)) => (positive(BALANCE, min)?, max),
        None => (0, value),
    };
    let max = positive(BALANCE, max)?;
    ensure!(min <= max, "{BALANCE}={value}: expected the smaller number first");
    Ok(Score::try_from(min)?..=Score::try_from(max)?)
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
    /// Draws an opening that the filter accepts, or any one after [`MAX_DRAWS`] rejections.
    fn draw(&self, filter: &mut Filter, rng: &mut Rng) -> Game {
        let mut drawn = 0;
        loop {
            drawn += 1;
            let game = match &self.given {
                Some(given) => opening_from(rng, &given.pairs, self.opening.random_plies),
                None => random_opening(rng, self.opening),
            };
            if filter.accepts(&game, self) || drawn == MAX_DRAWS {
                return game;
            }
        }
    }
}

/// Filter of acceptable openings.
struct Filter {
    /// Search for decided openings. It uses the handcrafted evaluation, so that openings do not change with the
    /// built-in network.
    decisive: Searcher,
    /// Search for the balance, with the built-in network. Created at its first use.
    balance: Option<Searcher>,
}

impl Filter {
    fn new() -> Filter {
        let decisive = Searcher::with_evaluator(
            Params::default(),
            Evaluator::Formula(handmade::evaluate),
            HASH_MB,
        );
        Filter { decisive, balance: None }
    }

    fn accepts(&mut self, game: &Game, style: &Style) -> bool {
        if score::is_decisive(score_of(&mut self.decisive, game, DECISIVE_NODES)) {
            return false;
        }
        style.balance.as_ref().is_none_or(|window| {
            let searcher =
                self.balance.get_or_insert_with(|| Searcher::new(Params::default(), HASH_MB));
            window.contains(&score_of(searcher, game, BALANCE_NODES).abs())
        })
    }
}

/// Returns the score of a short search with an empty hash table.
fn score_of(searcher: &mut Searcher, game: &Game, nodes: u64) -> Score {
    searcher.clear();
    searcher.search(game, Limits { hard_nodes: Some(nodes), ..Limits::default() }).score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_parsed_and_bad_ones_rejected() {
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
    fn setups_are_drawn_from_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("setups");
        let pairs = ["WFNADAAADDFDAAAA aaaadddaaadaffnw", "ANAAAAWADADADFFD dadadffdanaaaaaw"];
        let text = format!("# pairs\n\n{} 7\n{}\n", pairs[0], pairs[1]);
        std::fs::write(&path, text).expect("written");
        let opening_generator =
            read(&format!("setups={},plies=3", path.display())).expect("a file");
        let mut draw = opening_generator.drawer();
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
    fn balanced_openings_are_within_the_range() {
        let mut searcher = Searcher::new(Params::default(), HASH_MB);
        for (options, window) in
            [("balance=100,plies=2", 0..=100), ("balance=80-150,plies=2", 80..=150)]
        {
            let opening_generator = read(options).expect("good options");
            let mut draw = opening_generator.drawer();
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
