//! Where the games of a match begin: at random, in a file, or as in the contest.

use crate::tools::game::entry::Entry;
use crate::tools::game::openings::RandomOpenings;
use crate::tools::game::GameState;
use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;

/// How random openings are asked for.
const RANDOM: &str = "random";
/// How games without an opening are asked for.
const NONE: &str = "none";
/// Where the games begin. Both games of a pair have the same opening.
pub enum Openings {
    /// Random ones.
    Random(Box<dyn RandomOpenings>),
    /// These in turn, in an order that the seed decides.
    Given(Vec<Box<dyn GameState>>),
    /// None, as in the contest.
    None,
}

impl Openings {
    /// Reads `none`, `random`, `random:key=value,...` or the name of a file.
    pub fn parse(game: &Entry, text: &str) -> Result<Openings> {
        let random =
            |options| (game.openings.read)(options).with_context(|| format!("--openings {text}"));
        Ok(match text.strip_prefix(RANDOM) {
            _ if text == NONE => Openings::None,
            Some("") => Openings::Random(random("")?),
            Some(rest) if rest.starts_with(':') => Openings::Random(random(&rest[1..])?),
            _ => Openings::Given(read_file(game, text.as_ref())?),
        })
    }

    /// All that decides them but the seed.
    pub fn description(&self) -> Value {
        match self {
            Openings::Given(games) => {
                json!(games.iter().map(|game| game.texts().join(" ")).collect::<Vec<_>>())
            }
            Openings::Random(openings) => json!(openings.describe()),
            Openings::None => json!(NONE),
        }
    }
}

/// Reads openings from a file: one a line, all that was played, parted by blanks. Empty lines and
/// lines that begin with `#` are skipped.
fn read_file(entry: &Entry, path: &Path) -> Result<Vec<Box<dyn GameState>>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if !line.trim().is_empty() && !line.starts_with('#') {
            let opening = parse_line(entry, line);
            let place = || format!("{} line {}", path.display(), index + 1);
            openings.push(opening.with_context(place)?);
        }
    }
    ensure!(!openings.is_empty(), "{} has no openings", path.display());
    Ok(openings)
}

fn parse_line(entry: &Entry, line: &str) -> Result<Box<dyn GameState>> {
    let mut game = (entry.begin)(None)?;
    for text in line.split_whitespace() {
        if let Err(refused) = game.play(text) {
            bail!("move {text:?}: {}", refused.reason);
        }
    }
    ensure!(game.end().is_none(), "the game is over already");
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::tools::registry::{main_game, GAMES};

    #[test]
    fn reads_lines_and_names_what_is_wrong() {
        let game = parse_line(main_game(), "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3");
        assert_eq!(game.expect("legal").ply(), 3);
        let error = parse_line(main_game(), "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d4");
        assert!(format!("{:#}", error.err().expect("illegal")).contains("b5d4"));
        let over = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8 c3a1";
        assert!(parse_line(main_game(), over).is_err());
    }

    #[test]
    fn random_openings_of_all_games_are_open_and_decided_by_the_seed() {
        for game in GAMES {
            let openings = (game.openings.read)("plies=3").expect("an option of all games");
            let mut draw = openings.drawer();
            let mut texts = |seed| draw(&mut Rng::new(seed)).texts();
            for seed in 0..20 {
                assert_eq!(texts(seed), texts(seed), "{}", game.name);
            }
            assert!((1..20).any(|seed| texts(seed) != texts(0)), "{}", game.name);
            let mut draw = openings.drawer();
            assert!((0..20).all(|seed| draw(&mut Rng::new(seed)).end().is_none()));
            for wrong in ["plies=x", "plies=-1", "plies=1000", "plies", "colour=3"] {
                assert!((game.openings.read)(wrong).is_err(), "{}: {wrong}", game.name);
            }
        }
    }
}
