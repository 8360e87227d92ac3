//! `cupbot replay`: a game as one self-contained HTML page.
//!
//! The rules are applied here; the page's script only draws the frames it is given.

use super::record::{Mark, Note, Record, Source};
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Colour, Move, Piece};
use anyhow::{bail, ensure, Context, Result};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// The page; the places to fill are HTML comments.
const PAGE: &str = include_str!("page.html");
const TITLE_PLACE: &str = "<!--TITLE-->";
const OUTCOME_PLACE: &str = "<!--OUTCOME-->";
const MOVES_PLACE: &str = "<!--MOVES-->";
const DATA_PLACE: &str = "<!--DATA-->";
/// Scores are in hundredths of a piece.
const SCORES_A_PIECE: f64 = 100.0;

/// Write a game of Zero Point One as an HTML page to step through, on stdout
///
/// The page needs nothing else and no network. Where the record has scores, as `cupbot analyse --json`
/// writes them, it shows them as a curve, the best moves and the mistakes. `page.html#17` opens it
/// after move 17.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
}

/// Prints the page of a game.
pub fn run(args: Args) -> Result<ExitCode> {
    let record = args.source.read()?;
    ensure!(!record.is_zuniq(), "a game of Zuniq: only those of Zero Point One have a page");
    let page = page(&record)?;
    io::stdout().lock().write_all(page.as_bytes()).context("writing the page")?;
    Ok(ExitCode::SUCCESS)
}

/// All that the page's script is told.
#[derive(Serialize)]
struct Data {
    /// The names of Red and Blue.
    players: [String; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    setups: Option<[String; 2]>,
    frames: Vec<Frame>,
}

/// A position, the move that led to it, and what is known of both.
#[derive(Serialize)]
struct Frame {
    /// The moves made, the setups included.
    ply: usize,
    /// The placement and the hands in the notation of positions.
    board: String,
    hands: String,
    /// The side to move, unless the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'static str>,
    /// The square of its wazir, if attacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    threat: Option<String>,
    #[serde(flatten)]
    last: Option<LastMove>,
    #[serde(flatten)]
    view: Option<View>,
}

/// The move that led to a position.
#[derive(Serialize)]
struct LastMove {
    #[serde(rename = "move")]
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    to: String,
    /// The letters of the piece that moved and of the one it took.
    piece: char,
    #[serde(skip_serializing_if = "Option::is_none")]
    takes: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<Mark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<Score>,
}

/// What a search thought of a position.
#[derive(Serialize)]
struct View {
    /// From Red's view.
    score: Score,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
}

/// The page of a game that has both setups at least.
fn page(record: &Record) -> Result<String> {
    let game = record.replay()?;
    let data = data(record, &game)?;
    // As an escape, so that no text of the record can end the script element.
    let json = serde_json::to_string(&data)?.replace('<', "\\u003c");
    // The data come last: they may hold anything, also the other places' names.
    Ok(PAGE
        .replace(TITLE_PLACE, &escaped(&title(record)))
        .replace(OUTCOME_PLACE, &escaped(&outcome_text(record, &game)))
        .replace(MOVES_PLACE, &escaped(&record.moves.join(" ")))
        .replace(DATA_PLACE, &json))
}

/// A text as HTML content.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn title(record: &Record) -> String {
    match (&record.players, &record.id) {
        ([Some(red), Some(blue)], _) => format!("{red} – {blue}"),
        (_, Some(id)) => format!("Game {id}"),
        _ => "A game of Zero Point One".to_string(),
    }
}

/// A side's name at the head of a sentence.
fn capital(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "Red",
        Colour::Blue => "Blue",
    }
}

/// A score from Red's view, in words: `Red wins in 5`, `Score -1.20`.
fn view_text(score: Score) -> String {
    let winner = if score > 0 { Colour::Red } else { Colour::Blue };
    match score::plies_to_end(score) {
        Some(plies) => format!("{} wins in {plies}", capital(winner)),
        None => format!("Score {:+.2}", f64::from(score) / SCORES_A_PIECE),
    }
}

/// How the game ended, in a sentence.
fn outcome_text(record: &Record, game: &Game) -> String {
    let moves = game.ply();
    match game.outcome() {
        Some(Outcome::Won(winner)) => {
            return format!("{} captures the wazir at move {moves}", capital(winner));
        }
        Some(Outcome::Drawn) => return format!("A draw: {moves} moves are made"),
        None => (),
    }
    let recorded = record.outcome.as_deref().unwrap_or_default();
    let failed = Colour::ALL.iter().find_map(|&winner| {
        let reason = recorded.strip_prefix(winner.name())?.strip_prefix('-')?;
        let (winner, loser) = (capital(winner), capital(!winner));
        Some(format!("{winner} wins: {loser} fails after move {moves} ({reason})"))
    });
    failed.unwrap_or_else(|| format!("{moves} moves, not played to the end"))
}

fn data(record: &Record, game: &Game) -> Result<Data> {
    if game.positions().is_empty() {
        bail!("expected both setups, there is no board to show before");
    }
    let [red, blue] = record.players.clone();
    let setups = match game.setups() {
        [red, blue] => Some([red.text(Colour::Red), blue.text(Colour::Blue)]),
        _ => None,
    };
    let frames = game
        .positions()
        .iter()
        .enumerate()
        .map(|(index, position)| {
            let before = index.checked_sub(1).map(|at| (&game.positions()[at], game.moves()[at]));
            frame(record, position, before)
        })
        .collect();
    let players = [red.unwrap_or("Red".to_string()), blue.unwrap_or("Blue".to_string())];
    Ok(Data { players, setups, frames })
}

/// The frame of a position; `before` is the one before and the move that was made there.
fn frame(record: &Record, position: &Position, before: Option<(&Position, Move)>) -> Frame {
    let text = position.to_string();
    let mut fields = text.split(' ').map(str::to_string);
    let ply = position.ply();
    let threat = position.board().wazir(position.side()).filter(|_| position.checkers().any());
    Frame {
        ply,
        board: fields.next().unwrap_or_default(),
        hands: fields.next().unwrap_or_default(),
        moves: (!position.is_over()).then(|| position.side().name()),
        threat: threat.map(|square| square.to_string()),
        last: before.map(|(before, mv)| last_move(before, mv, record.note(ply))),
        view: view(record, position),
    }
}

fn last_move(before: &Position, mv: Move, note: Option<&Note>) -> LastMove {
    let side = before.side();
    LastMove {
        text: mv.text(side).to_string(),
        from: mv.from().map(|square| square.to_string()),
        to: mv.to().to_string(),
        piece: Piece { colour: side, kind: before.moved_kind(mv) }.letter(),
        takes: before.board().piece_on(mv.to()).map(Piece::letter),
        mark: note.and_then(|note| note.mark),
        loss: note.and_then(|note| note.loss),
    }
}

/// What the record says of a position: the note on the move that follows. The end needs no search.
fn view(record: &Record, position: &Position) -> Option<View> {
    let found = |note: &Note| View {
        score: note.score,
        text: view_text(note.score),
        depth: note.depth,
        line: Some(note.line.clone()).filter(|line| !line.is_empty()),
    };
    let end =
        |score: Score, text: &str| View { score, text: text.to_string(), depth: None, line: None };
    match position.winner() {
        _ if record.notes.is_empty() => None,
        Some(Colour::Red) => Some(end(score::win_in(0), "Red has won")),
        Some(Colour::Blue) => Some(end(score::lost_in(0), "Blue has won")),
        None if position.is_over() => Some(end(score::DRAW, "A draw")),
        None => record.note(position.ply() + 1).map(found),
    }
}

#[cfg(test)]
mod tests;
