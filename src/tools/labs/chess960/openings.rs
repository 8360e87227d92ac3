//! Random openings: a start position and random moves.

use super::{fen, notation};
use crate::engine::rng::Rng;
use crate::games::chess960::game::{Game, ACCEPT, OFFER, RESIGN, START};
use crate::games::chess960::start;
use crate::tools::contracts::openings::{
    parse_plies, with_random_moves, Draw, Random, RandomOpenings, PLIES,
};
use crate::tools::contracts::opponent::pairs;
use crate::tools::contracts::record::Record;
use crate::tools::contracts::GameState;
use anyhow::{anyhow, bail, ensure, Context, Result};

/// Entry for matches.
pub const RANDOM: Random = Random {
    read: |options| Ok(Box::new(parse(options)?)),
    options:
        "plies (random ones after the start position, default: 0), start (its number, default: any)",
};

/// Maximum number of random plies: few games are over by then.
const MAX_PLIES: usize = 40;
/// Option for the number of the start position.
const START_OPTION: &str = "start";

/// Returns the opening of a record: a position, moves in any notation, or both. Moves after a text that ended the game
/// are included.
pub fn opening_of(record: &Record) -> Result<Box<dyn GameState>> {
    let mut game = Game::default();
    if let Some(text) = &record.start {
        let position = fen::read_to_play(text)?.position;
        let text = format!("{START}{}", fen::text(&position).replace(' ', "_"));
        game.play(&text).map_err(|error| anyhow!("{text:?}: {error}"))?;
    }
    for text in record.moves.iter().filter(|text| ![ACCEPT, RESIGN].contains(&text.as_str())) {
        let bare = text.trim_end_matches(OFFER);
        if text.starts_with(START) {
            game.play(text).map_err(|error| anyhow!("{text:?}: {error}"))?;
            continue;
        }
        ensure!(game.outcome().is_none(), "the game is over before {text:?}");
        let mv = notation::parse_any(game.position(), bare);
        game.push(mv.map_err(|reason| anyhow!("move {text:?}: {reason}"))?);
    }
    Ok(Box::new(game))
}

/// Random openings.
#[derive(Debug)]
struct Openings {
    /// Number of random plies after the start position.
    plies: usize,
    /// Number of the start position; `None` for a random one.
    start: Option<usize>,
}

fn parse(options: &str) -> Result<Openings> {
    let mut openings = Openings { plies: 0, start: None };
    for pair in pairs(options) {
        match pair? {
            (PLIES, value) => openings.plies = parse_plies(value, MAX_PLIES)?,
            (START_OPTION, value) => {
                let number = value.parse().ok().filter(|&number: &usize| number < start::COUNT);
                let number = number.with_context(|| format!("start={value}: expected 0 to 959"));
                openings.start = Some(number?);
            }
            (key, _) => bail!("no option is named {key:?}, expected {PLIES} or {START_OPTION}"),
        }
    }
    Ok(openings)
}

impl RandomOpenings for Openings {
    fn describe(&self) -> String {
        let start = self.start.map_or(String::new(), |number| format!(",{START_OPTION}={number}"));
        format!("{PLIES}={}{start}", self.plies)
    }

    fn drawer(&self) -> Draw<'_> {
        Box::new(|rng: &mut Rng| loop {
            let number = self.start.unwrap_or_else(|| rng.below(start::COUNT));
            let mut game = Game::default();
            let played = game.play(&format!("{START}{number}"));
            debug_assert_eq!(played, Ok(()), "every number has a start position");
            let game = with_random_moves(Box::new(game), self.plies, rng);
            if game.end().is_none() {
                return game;
            }
        })
    }
}
