//! The pages of Chess960: the board in the browser and the replay.

mod editor;
#[cfg(test)]
mod tests;

use super::by_hand::{end_text, in_pawns, score_text, side_name, HandPlayer};
use super::lessons::LESSONS;
use super::lines::{search_lines, searcher, Task};
use super::note::notes_of;
use super::replay::{self, game_of, is_over, number_text};
use super::rules::{begin, RULES};
use super::{fen, notation};
use crate::games::chess960::game::{Game, ACCEPT, OFFER, START};
use crate::games::chess960::movegen;
use crate::games::chess960::position::{castled, Position};
use crate::games::chess960::search::{Limits, Searcher};
use crate::games::chess960::types::{Colour, Kind, Move, Square};
use crate::tools::contracts::board::{
    ending, show_end, Analyst, BoardPage, Choice, LastMove, Mark, Report, RulesPage, Scene, View,
};
use crate::tools::contracts::record::{Record, ReplayError};
use crate::tools::contracts::score_note::finding;
use crate::tools::contracts::score_note::{self, find};
use crate::tools::contracts::{capitalised, GameState};
use anyhow::{Error, Result};
use serde_json::{json, Map, Value};

/// Adapter for the pages.
pub const BOARD: BoardPage = BoardPage {
    script: concat!(include_str!("../../square_board.js"), include_str!("board.js")),
    style: concat!(include_str!("../../square_board.css"), include_str!("board.css")),
    shapes: include_str!("shapes.svg"),
    scenes,
    views,
    player: |settings, start| Ok(Box::new(HandPlayer::new(settings).in_game(begin(start)?))),
    analyst: |hash_mb| Box::new(Lines { searcher: None, hash_mb }),
    mark: Some(Mark {
        symbol: OFFER,
        label: "Offer a draw with this move",
        declined: Some("Cupbot declines the draw.\n"),
    }),
    editor: Some(editor::EDITOR),
    refusal,
    has_attacks: false,
    goal: "Mate the other king: attack it so that nothing saves it.",
    how: "Drag a piece, or click it and then where it goes.",
    lessons: LESSONS,
    rules: RulesPage {
        text: include_str!("../../../../../docs/rules/chess960.md"),
        drawings: &[
            ("chess960-moves.svg", include_str!("../../../../../docs/rules/chess960-moves.svg")),
            (
                "chess960-castling.svg",
                include_str!("../../../../../docs/rules/chess960-castling.svg"),
            ),
        ],
    },
};

/// Minimum number of files between the king's squares for castling to be entered by them: one step would be a king
/// move.
const CASTLING_STEPS: usize = 2;

/// Text of a null move on the page.
const PASS_TEXT: &str = "pass";

/// Returns the positions of a record. Its moves may be in SAN and may continue after the arena's end.
fn scenes(record: &Record, from: usize) -> Result<Vec<Scene>> {
    let mut game = begin(record.start.as_deref())?;
    let mut scenes = Vec::new();
    // Number of moves of the record, of which the game has those since the last pass.
    let mut ply = 0;
    if from == 0 {
        scenes.push(scene(&game, &Played::Nothing, ply));
    }
    for (index, text) in record.moves.iter().enumerate() {
        let before = *game.position();
        let count = game.moves().len();
        play(&mut game, text).map_err(|reason| {
            Error::new(ReplayError { ply: ply + 1, text: text.clone(), reason })
        })?;
        let played = match game.moves().last() {
            _ if text == notation::PASS => Played::Pass(&before),
            _ if text.starts_with(START) => Played::Start,
            Some(&mv) if game.moves().len() > count => Played::Move(&before, mv),
            _ => Played::Word(text),
        };
        ply += usize::from(matches!(played, Played::Pass(_) | Played::Move(..)));
        if index + 1 >= from {
            scenes.push(scene(&game, &played, ply));
        }
    }
    Ok(scenes)
}

/// Plays a text of a record, which in a variation may be a null move. A game begins after a null move, because no
/// position before it can be repeated.
fn play(game: &mut Game, text: &str) -> Result<(), String> {
    if text == notation::PASS {
        let (next, _) = notation::step(game.position(), text)?;
        *game = Game::new(next);
        return Ok(());
    }
    replay::play(game, text)
}

/// Returns the game of a record, whose moves may include null moves.
fn game_with_passes(record: &Record) -> Result<Game> {
    let mut game = begin(record.start.as_deref())?;
    for (index, text) in record.moves.iter().enumerate() {
        play(&mut game, text).map_err(|reason| {
            Error::new(ReplayError { ply: index + 1, text: text.clone(), reason })
        })?;
    }
    Ok(game)
}

/// What led to a position.
enum Played<'a> {
    Nothing,
    /// A named start position.
    Start,
    /// A move and the position before it.
    Move(&'a Position, Move),
    /// A null move and the position before it.
    Pass(&'a Position),
    /// A text that ended the game.
    Word(&'a str),
}

fn scene(game: &Game, played: &Played, ply: usize) -> Scene {
    let position = game.position();
    let mut board = Map::new();
    let mut insert = |name: &str, value: Value| drop(board.insert(name.to_string(), value));
    insert("board", json!(position.board_text()));
    if position.checkers().any() {
        insert("threat", json!(position.king(position.side()).to_string()));
    }
    let last = match played {
        Played::Nothing => None,
        Played::Start => {
            insert("begins", json!(true));
            None
        }
        Played::Move(before, mv) => {
            let suffix = if game.is_offered() { OFFER.to_string() } else { String::new() };
            let (text, side) = (notation::san(before, *mv), before.side());
            insert("text", json!(game.texts().last()));
            insert("written", json!(format!("{text}{suffix}")));
            // Castling targets the king's square.
            let to = if mv.is_castling() { castled(mv.from(), mv.to()).0 } else { mv.to() };
            insert("number", json!(number_text(before)));
            insert("from", json!(mv.from().to_string()));
            insert("to", json!(to.to_string()));
            insert("piece", json!(letter(before.moved(*mv), side)));
            if let Some(taken) = before.captured(*mv) {
                insert("takes", json!(letter(taken, !side)));
            }
            Some(LastMove { text, mover: side.index() })
        }
        Played::Pass(before) => {
            insert("number", json!(number_text(before)));
            insert("text", json!(notation::PASS));
            Some(LastMove { text: PASS_TEXT.to_string(), mover: before.side().index() })
        }
        Played::Word(word) => {
            insert("number", json!(number_text(position)));
            // Not a move: the page keeps it as the result.
            insert("word", json!(true));
            Some(LastMove { text: word.to_string(), mover: position.side().index() })
        }
    };
    let is_over = game.outcome().is_some();
    Scene {
        ply,
        turn: (!is_over).then(|| position.side().index()),
        last,
        board,
        status: status(game),
        moves: if is_over { Vec::new() } else { choices(position) },
        position: Some(fen::text(position)),
        end: ending(game),
        ..Scene::default()
    }
}

/// Returns the letter of a piece in a placement.
fn letter(kind: Kind, colour: Colour) -> char {
    match colour {
        Colour::White => kind.letter().to_ascii_uppercase(),
        Colour::Black => kind.letter(),
    }
}

fn views(record: &Record) -> Result<Vec<View>> {
    let game = game_of(record)?;
    let notes = notes_of(record)?;
    let ply = game.moves().len();
    let words = |loss| format!("{:.2} pawns", in_pawns(loss));
    let mut views = score_note::views(&notes, 0..=ply, score_text, words);
    // Games of other programs may continue after an end by the contest's rules, and then have more notes.
    let is_end = is_over(game.position()) || find(&notes, ply + 1).is_none();
    show_end(&mut views, &RULES, game.end().filter(|_| is_end && !notes.is_empty()));
    Ok(views)
}

fn status(game: &Game) -> String {
    if let Some(outcome) = game.outcome() {
        return capitalised(&end_text(&outcome));
    }
    let position = game.position();
    let side = side_name(position.side());
    let check = if position.checkers().any() { ", who is in check" } else { "" };
    let offer = match game.is_offered() {
        true => format!("; {} offers a draw, type {ACCEPT} to accept", side_name(!position.side())),
        false => String::new(),
    };
    format!("{side} to move{check}{offer}")
}

/// Returns all legal moves. Castling is entered by king and rook, or by the king's target unless that is another move;
/// a promotion ends with the new piece, e.g. `=Q`.
fn choices(position: &Position) -> Vec<Choice> {
    let moves = movegen::moves(position);
    let mut choices: Vec<Choice> = moves.iter().map(|&mv| choice(position, mv, mv.to())).collect();
    for &mv in moves.iter().filter(|mv| mv.is_castling()) {
        let (king_to, _) = castled(mv.from(), mv.to());
        let steps = king_to.file().abs_diff(mv.from().file());
        let goes_there = |other: &Move| other.from() == mv.from() && other.to() == king_to;
        if steps >= CASTLING_STEPS && !moves.iter().any(goes_there) {
            choices.push(choice(position, mv, king_to));
        }
    }
    choices
}

fn choice(position: &Position, mv: Move, to: Square) -> Choice {
    let mut spots = vec![mv.from().to_string(), to.to_string()];
    spots.extend(mv.promotion().map(|kind| {
        let letter = kind.letter();
        match position.side() {
            Colour::White => format!("={}", letter.to_ascii_uppercase()),
            Colour::Black => format!("={letter}"),
        }
    }));
    let written = Some(notation::san(position, mv));
    Choice { text: mv.to_string(), written, spots, is_risky: false }
}

/// Explains why a piece can't go to a square.
fn refusal(record: &Record, spots: &[String]) -> Result<Option<String>> {
    let game = game_with_passes(record)?;
    let position = game.position();
    let squares: Vec<Square> = spots.iter().filter_map(|spot| spot.parse().ok()).collect();
    let side = position.side();
    let name = capitalised(&side_name(side));
    let Some(&from) = squares.first() else { return Ok(None) };
    let Some(kind) = position.kind_on(from) else { return Ok(None) };
    let piece = format!("the {} on {from}", notation::kind_name(kind));
    if position.colour_on(from) != Some(side) {
        return Ok(Some(format!("{name} is to move")));
    }
    let in_check = position.checkers().any();
    let Some(&to) = squares.get(1) else {
        return Ok(Some(match in_check {
            true => format!("{name} is in check, and {piece} does not help"),
            false => format!("{} has no move", capitalised(&piece)),
        }));
    };
    Ok(Some(capitalised(&notation::why_illegal(position, from, to))))
}

/// The analyst.
struct Lines {
    /// Created at the first use, because it reads the network.
    searcher: Option<Searcher>,
    hash_mb: usize,
}

impl Analyst for Lines {
    fn analyse(&mut self, record: &Record, lines: usize, report: &mut Report) -> Result<()> {
        let game = &game_with_passes(record)?;
        let moves = &movegen::moves(game.position());
        let searcher = self.searcher.get_or_insert_with(|| searcher(self.hash_mb));
        let (limits, position) = (Limits::default(), game.position());
        search_lines(searcher, &Task { game, moves, lines, limits }, &mut |found, _| {
            let texts = |line: &[Move]| notation::san_line(position, line);
            report(finding(found, position.side().into(), texts, score_text));
        });
        Ok(())
    }
}
