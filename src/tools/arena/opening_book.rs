//! Openings of matches: random, from a file, or none.

use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::game_files::FileGame;
use crate::tools::contracts::openings::RandomOpenings;
use crate::tools::contracts::record::{moves_of, Record};
use crate::tools::contracts::GameState;
use crate::tools::support::files::Named;
use crate::tools::support::text::{blaming, shown, shown_name, with_head, Complaints, TextLines};
use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Value};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Option value for random openings.
const RANDOM: &str = "random";
/// Option value for games without an opening.
const NONE: &str = "none";
/// Suffix of a file name for openings in the order of the file.
const SEQUENTIAL: &str = ":order=sequential";
/// Suffix of a file name for openings shuffled by the seed, which is the default.
const SHUFFLED: &str = ":order=random";

/// Openings of the games. Both games of a pair have the same opening.
pub enum Openings {
    /// Random openings.
    Random(Box<dyn RandomOpenings>),
    /// These openings, in an order that depends on the seed if `is_shuffled` is set.
    Given { games: Vec<Box<dyn GameState>>, is_shuffled: bool },
    /// No openings, as in the contest.
    None,
}

impl Openings {
    /// Parses `none`, `random`, `random:key=value,...` or the name of a file, which is read, with its order.
    pub fn parse(game: &'static Entry, text: &str) -> Result<Openings> {
        let random =
            |options| blaming((game.openings.read)(options), &format!("--openings {text}"));
        Ok(match text.strip_prefix(RANDOM) {
            _ if text == NONE => Openings::None,
            Some("") => Openings::Random(random("")?),
            Some(rest) if rest.starts_with(':') => Openings::Random(random(&rest[1..])?),
            _ => {
                let sequential = text.strip_suffix(SEQUENTIAL);
                let name = sequential.or(text.strip_suffix(SHUFFLED)).unwrap_or(text);
                let games = read_file(game, name.as_ref())?;
                Openings::Given { games, is_shuffled: sequential.is_none() }
            }
        })
    }

    /// Describes the openings (without the seed) for the settings of a record.
    pub fn description(&self) -> Value {
        match self {
            Openings::Given { games, is_shuffled } => {
                let games: Vec<String> = games.iter().map(|game| game.texts().join(" ")).collect();
                match is_shuffled {
                    true => json!(games),
                    false => json!({ "order": "sequential", "games": games }),
                }
            }
            Openings::Random(openings) => json!(openings.describe()),
            Openings::None => json!(NONE),
        }
    }
}

/// Reads openings from a text file or a file in the game's common format (PGN). A line of a text file is a list of
/// moves separated by spaces, or a position or game in a common notation; empty lines and lines that begin with `#` are
/// skipped. A bad line is an error, but bad games of a PGN file are skipped with a warning.
fn read_file(entry: &'static Entry, path: &Path) -> Result<Vec<Box<dyn GameState>>> {
    let name = shown_name(path);
    let file = File::open(path).named("opening", path)?;
    let (beginning, mut input) = with_head(BufReader::new(file)).named("reading", path)?;
    let mut openings = Vec::new();
    let mut complaints = Complaints::new(path);
    if let Some(format) =
        entry.tools.format.as_ref().filter(|format| (format.is_of_form)(&beginning))
    {
        let read = (format.read)(&mut input, &mut |FileGame { line, record }| {
            let opening = record.and_then(|record| {
                record.remarks.iter().for_each(|remark| complaints.say(remark));
                open((entry.opening)(&record)?)
            });
            match opening {
                Ok(opening) => openings.push(opening),
                Err(error) => complaints.say(&format!("line {line}: {error:#}")),
            }
            Ok(())
        });
        read.named("reading", path)?;
    } else {
        for line in TextLines::new(input) {
            let line = line.named("reading", path)?;
            let place = || format!("{name}, line {}", line.number);
            let text = line.text.as_deref().context("line too long").with_context(place)?;
            let text = text.trim_start_matches('\u{feff}').trim();
            if !text.is_empty() && !text.starts_with('#') {
                let (opening, remarks) = parse_line(entry, text).with_context(place)?;
                openings.push(opening);
                let say =
                    |remark: &String| complaints.say(&format!("line {}: {remark}", line.number));
                remarks.iter().for_each(say);
            }
        }
    }
    complaints.end();
    ensure!(!openings.is_empty(), "{name} contains no openings");
    Ok(openings)
}

/// Parses an opening in the contest's notation or any notation of records. Returns it with remarks about ignored parts.
fn parse_line(entry: &'static Entry, line: &str) -> Result<(Box<dyn GameState>, Vec<String>)> {
    let strict = || -> Result<Box<dyn GameState>> {
        let mut game = (entry.rules.begin)(None)?;
        for text in line.split_whitespace() {
            if let Err(refused) = game.play(text) {
                bail!("move {:?}: {}", shown(text), refused.reason);
            }
        }
        Ok(game)
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut remarks = Vec::new();
    let opening = strict().or_else(|error| {
        let Some(count) = (entry.recognise)(&words) else { return Err(error) };
        let (start, moves) = words.split_at(count.min(words.len()));
        let start = (!start.is_empty()).then(|| start.join(" "));
        remarks = start.as_deref().map_or(Vec::new(), entry.start_remarks);
        let record = Record::new(entry.rules, start, moves_of(moves));
        // If both notations fail, the error of the contest's notation is reported.
        (entry.opening)(&record).map_err(|other| if count > 0 { other } else { error })
    });
    Ok((open(opening?)?, remarks))
}

/// Returns the game, or an error if it is over.
fn open(game: Box<dyn GameState>) -> Result<Box<dyn GameState>> {
    ensure!(game.end().is_none(), "the game is over after this opening");
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::tools::labs::registry::{main_game, GAMES};

    #[test]
    fn parses_lines_and_reports_errors() {
        let game = parse_line(main_game(), "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3");
        assert_eq!(game.expect("legal").0.ply(), 3);
        let error = parse_line(main_game(), "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d4");
        assert!(format!("{:#}", error.err().expect("illegal")).contains("b5d4"));
        let over = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8 c3a1";
        assert!(parse_line(main_game(), over).is_err());
    }

    #[test]
    fn reads_common_notations_and_files() {
        let chess =
            GAMES.iter().find(|game| game.tools.format.is_some()).expect("a game with files");
        let file = tempfile::NamedTempFile::new().expect("a file");
        let read = |text: &str| {
            std::fs::write(file.path(), text).expect("written");
            let openings = read_file(chess, file.path()).expect(text);
            openings.iter().map(|opening| opening.texts().join(" ")).collect::<Vec<_>>()
        };
        let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        let epd = format!(
            "\u{feff}# book\n{board} w KQkq - bm Nf3; id \"1\";\n\n{board} w KQkq e6 0 2\n"
        );
        let start = format!("start{board}_w_KQkq");
        assert_eq!(read(&epd), [format!("{start}_-_0_1"), format!("{start}_e6_0_2")]);
        assert_eq!(read("start3 e2e3\ne4 e5 Nf3\n"), ["start3 e2e3", "e2e4 e7e5 g1f3"]);
        let pgn = "\u{feff}[Event \"a\"]\n\n1. e4 e5 1/2-1/2\n\n[Event \"b\"]\n\n1. Zz9 *\n\n\
                   [Event \"c\"]\n\n1. d4 (1. c4) d5 {a comment} 1-0\n";
        assert_eq!(read(pgn), ["e2e4 e7e5", "d2d4 d7d5"]);
        // The recorded moves of a match start from the same position.
        let mut again = (chess.rules.begin)(None).expect("a game");
        for text in read(&epd)[0].split(' ') {
            again.play(text).expect("legal");
        }
        let long = "WFNADAAADDFDAAAA aaaadddaaadaffnw Fb5-d3";
        let (game, _) = parse_line(main_game(), long).expect("the long form");
        assert_eq!(game.ply(), 3);
    }

    #[test]
    fn random_openings_depend_on_the_seed_only() {
        for game in GAMES {
            let openings = (game.openings.read)("plies=3").expect("an option of all games");
            let mut draw = openings.drawer();
            let mut texts = |seed| draw(&mut Rng::new(seed)).texts();
            for seed in 0..20 {
                assert_eq!(texts(seed), texts(seed), "{game:?}");
            }
            assert!((1..20).any(|seed| texts(seed) != texts(0)), "{game:?}");
            let mut draw = openings.drawer();
            assert!((0..20).all(|seed| draw(&mut Rng::new(seed)).end().is_none()));
            for wrong in ["plies=x", "plies=-1", "plies=1000", "plies", "colour=3"] {
                assert!((game.openings.read)(wrong).is_err(), "{game:?}: {wrong}");
            }
        }
    }
}
