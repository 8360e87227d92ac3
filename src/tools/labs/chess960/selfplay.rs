//! `cupbot chess960 selfplay`: self-play games for training.

use super::opponent;
use super::stored_game::{Ply, TrainingGame};
use crate::engine::rng::Rng;
use crate::engine::score;
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::CastlingRule;
use crate::games::chess960::search::params::Params;
use crate::games::chess960::search::{Limits, Searcher};
use crate::games::chess960::start;
use crate::games::chess960::types::Colour;
use crate::tools::contracts::alpha_beta::evaluator_fingerprint;
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::support::units::{integer, parse_share};
use crate::tools::training::selfplay::SelfPlayArgs;
use anyhow::Result;
use rand::RngExt;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play training games of Chess960 in process and write them to a file
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    games: SelfPlayArgs,
    /// Network file, or `handmade` (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    #[command(flatten)]
    style: Style,
}

/// Options that determine the games, except the evaluation.
#[derive(clap::Args, Clone, Debug, serde::Serialize)]
struct Style {
    /// Soft node limit per move: no new iteration starts beyond it; the hard limit is four times as large
    #[arg(long, default_value_t = 1000, value_parser = integer::<u64>(1..))]
    nodes: u64,
    /// Minimum and maximum number of random plies at the start
    #[arg(long, value_name = "MIN-MAX", default_value = "6-7", value_parser = parse_plies)]
    random_plies: Plies,
    /// Probability of a random move at each ply after the opening, up to --noise-plies
    #[arg(long, default_value_t = 0.0, value_parser = parse_share::<f64>)]
    noise: f64,
    /// Last ply at which --noise plays random moves
    #[arg(long, default_value_t = 100, value_parser = integer::<usize>(0..))]
    noise_plies: usize,
    /// Maximum score of an opening, in hundredths of a pawn; others are drawn anew
    #[arg(long, default_value_t = 300, value_parser = integer::<i32>(1..))]
    max_opening: i32,
    /// Adjudicate a win at this score, in hundredths of a pawn (0: never)
    #[arg(long, default_value_t = 1500, value_parser = integer::<i32>(0..))]
    win: i32,
    /// Adjudicate a draw at scores of at most this, in hundredths of a pawn (0: never)
    #[arg(long, default_value_t = 8, value_parser = integer::<i32>(0..))]
    draw: i32,
}

/// A range of plies, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
struct Plies(usize, usize);

/// Maximum number of random plies: longer openings are unlike real games.
const MAX_RANDOM_PLIES: usize = 40;

/// Parses `MIN-MAX` or a single number.
fn parse_plies(text: &str) -> Result<Plies, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if from <= to && to <= MAX_RANDOM_PLIES => Ok(Plies(from, to)),
        _ => Err(format!("expected MIN-MAX with both from 0 to {MAX_RANDOM_PLIES}, as 2-10")),
    }
}

/// Settings stored in the file of games: all options that determine the games, except the seed and number.
#[derive(serde::Serialize)]
struct Settings<'a> {
    evaluation: String,
    #[serde(flatten)]
    style: &'a Style,
}

/// Size of each job's transposition table, in MiB. It is small because it is cleared before every game.
const HASH_MB: usize = 2;
/// Hard node limit as a multiple of the soft one.
const HARD_FACTOR: u64 = 4;
/// Plies for which both sides must agree on a win.
const WIN_PLIES: usize = 6;
/// Plies for which both sides must agree on a draw.
const DRAW_PLIES: usize = 12;
/// Minimum ply of an adjudicated draw.
const FIRST_DRAW_PLY: usize = 80;

/// Plays the games.
pub fn run(args: Args) -> Result<ExitCode> {
    // Comes first, so that an unreadable network does not leave an empty output file.
    let evaluator = opponent::Game::evaluator(args.net.as_deref())?;
    let settings = Settings { evaluation: evaluator_fingerprint(&evaluator), style: &args.style };
    args.games.play(&settings, || {
        let mut searcher = Searcher::new(Params::default(), evaluator.clone(), HASH_MB);
        let style = &args.style;
        move |rng| play_game(&mut searcher, rng, style)
    })
}

/// Returns a start position with some random moves that is not over.
fn random_opening(rng: &mut Rng, plies: Plies) -> (usize, Game) {
    loop {
        let number = rng.below(start::COUNT);
        let mut game = Game::new(start::numbered(number, CastlingRule::Arena));
        for _ in 0..plies.0 + rng.below(plies.1 - plies.0 + 1) {
            push_random(&mut game, rng);
        }
        if game.outcome().is_none() {
            return (number, game);
        }
    }
}

/// Plays a random move, if there is one.
fn push_random(game: &mut Game, rng: &mut Rng) {
    let moves = movegen::moves(game.position());
    if let Some(&mv) = moves.get(rng.below(moves.len().max(1))) {
        game.push(mv);
    }
}

/// Plays one game from a random, balanced opening.
fn play_game(searcher: &mut Searcher, rng: &mut Rng, style: &Style) -> TrainingGame {
    loop {
        searcher.clear();
        let (start, game) = random_opening(rng, style.random_plies);
        if let Some(record) = play_from(searcher, rng, start, game, style) {
            return record;
        }
    }
}

/// Plays a game to its end; returns `None` if its opening is unbalanced.
fn play_from(
    searcher: &mut Searcher,
    rng: &mut Rng,
    start: usize,
    mut game: Game,
    style: &Style,
) -> Option<TrainingGame> {
    let limits = Limits {
        soft_nodes: Some(style.nodes),
        hard_nodes: Some(HARD_FACTOR.saturating_mul(style.nodes)),
        ..Limits::default()
    };
    let mut scores: Vec<Option<i16>> = vec![None; game.moves().len()];
    let opening = scores.len();
    let winner = loop {
        if let Some(outcome) = game.outcome() {
            break outcome.winner;
        }
        if let Some(winner) = adjudicated(&game, &scores[opening..], style) {
            break winner;
        }
        if game.moves().len() < style.noise_plies && rng.random_bool(style.noise) {
            push_random(&mut game, rng);
            scores.push(None);
            continue;
        }
        let moves = movegen::moves(game.position());
        let found = searcher.search(&game, &moves, limits);
        if scores.len() == opening && found.score.abs() > style.max_opening {
            return None;
        }
        // A running game has a legal move.
        game.push(found.best?);
        scores.push(Some(found.score as i16));
    };
    let plies = game.moves().iter().zip(scores).map(|(&mv, score)| Ply { mv, score }).collect();
    Some(TrainingGame { start, plies, winner: winner.map(Colour::index) })
}

/// Adjudication: returns the result if the last scores leave no doubt.
fn adjudicated(game: &Game, scores: &[Option<i16>], style: &Style) -> Option<Option<Colour>> {
    let last = |count: usize| scores.len().checked_sub(count).map(|first| &scores[first..]);
    if let Some(last) = last(WIN_PLIES).filter(|_| style.win > 0) {
        let least = style.win.min(score::MAX_EVAL + 1);
        let side = game.position().side();
        // The last score is from the other side's point of view.
        let is_won = |winner: Colour| {
            let movers = [!side, side].into_iter().cycle();
            let mut scores = last.iter().rev().zip(movers).map(|(score, mover)| {
                score.map(|score| i32::from(if mover == winner { score } else { -score }))
            });
            scores.all(|score| score >= Some(least))
        };
        if let Some(winner) = Colour::ALL.into_iter().find(|&side| is_won(side)) {
            return Some(Some(winner));
        }
    }
    if let Some(last) = last(DRAW_PLIES).filter(|_| style.draw > 0) {
        let is_even = |score: &Option<i16>| score.is_some_and(|s| i32::from(s).abs() <= style.draw);
        if game.moves().len() >= FIRST_DRAW_PLY && last.iter().all(is_even) {
            return Some(None);
        }
    }
    None
}
