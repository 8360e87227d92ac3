//! `cupbot replay` of Zero Point One.

use super::by_hand::score_text;
use super::rules::game_of;
use crate::engine::score::Score;
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Colour, Move, Piece};
use crate::tools::contracts::page::{capitalised, open_end, Frame, LastMove, Page, Story, View};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::score_note::{find, notes_of, ScoreNote};
use anyhow::{ensure, Result};
use serde_json::{json, Map, Value};

/// Adapter for `cupbot replay`.
pub const PAGE: Page = Page {
    story,
    script: concat!(include_str!("../../square_board.js"), include_str!("board.js")),
    style: concat!(include_str!("../../square_board.css"), include_str!("board.css")),
    shapes: include_str!("shapes.svg"),
};

/// Creates the data of the page. The game must have both setups.
fn story(record: &Record) -> Result<Story> {
    let game = game_of(record)?;
    let positions = game.positions();
    ensure!(!positions.is_empty(), "expected both setups: there is no board to show before them");
    let setups = match game.setups() {
        [red, blue] => Some([red.text(Colour::Red), blue.text(Colour::Blue)]),
        _ => None,
    };
    let notes = notes(record)?;
    let frames = positions.iter().enumerate().map(|(index, position)| {
        let before = index.checked_sub(1).map(|at| (&positions[at], game.moves()[at]));
        frame(&notes, position, before)
    });
    let beginning = if setups.is_some() { "After both setups" } else { "The first position" };
    let (frames, opening) = (frames.collect(), opening(&game, &notes));
    Ok(Story { outcome: outcome_text(record, &game), setups, beginning, frames, opening })
}

/// Returns the stages of the setups, if they were judged.
fn opening(game: &Game, notes: &[ScoreNote]) -> Vec<Frame> {
    if find(notes, 1).is_none() || game.setups().is_empty() {
        return Vec::new();
    }
    let stage = |ply: usize| {
        let note = find(notes, ply);
        let side = Colour::to_move_after(ply.saturating_sub(1));
        let made = game.setups().get(ply.wrapping_sub(1));
        let last = made.map(|setup| LastMove {
            text: setup.text(side),
            mover: side.index(),
            ..rating(note)
        });
        let view = find(notes, ply + 1).map(|note| note.view(score_text(note.score)));
        Frame { ply, last, view, ..Frame::default() }
    };
    (0..=game.setups().len()).map(stage).collect()
}

/// Returns the notes of an analysis, or else notes made from the scores of a match.
fn notes(record: &Record) -> Result<Vec<ScoreNote>> {
    notes_of(record, |ply| Some((ply, Colour::to_move_after(ply.checked_sub(1)?).into())))
}

/// Describes the outcome in a sentence.
fn outcome_text(record: &Record, game: &Game) -> String {
    let moves = game.ply();
    match game.outcome() {
        Some(Outcome::Won(winner)) => {
            format!("{} captures the wazir at move {moves}", capitalised(winner.name()))
        }
        Some(Outcome::Drawn) => format!("A draw: {moves} moves are made"),
        None => open_end(record, game),
    }
}

/// Creates the frame of a position. `before` is the previous position and the move made there.
pub(super) fn frame(
    notes: &[ScoreNote],
    position: &Position,
    before: Option<(&Position, Move)>,
) -> Frame {
    let ply = position.ply();
    let text = position.to_string();
    let mut fields = text.split(' ');
    let mut board = Map::new();
    board.insert("board".to_string(), json!(fields.next()));
    board.insert("hands".to_string(), json!(fields.next()));
    let wazir = position.board().wazir(position.side()).filter(|_| position.checkers().any());
    wazir.map(|square| board.insert("threat".to_string(), json!(square.to_string())));
    if let Some((before, mv)) = before {
        describe_move(&mut board, before, mv);
    }
    Frame {
        ply,
        turn: (!position.is_over()).then(|| position.side().index()),
        last: before.map(|(before, mv)| last_move(before, mv, find(notes, ply))),
        view: view(notes, position),
        board,
    }
}

/// Adds the fields of a move that the script draws: its squares, and the letters of the moved and the captured piece.
fn describe_move(board: &mut Map<String, Value>, before: &Position, mv: Move) {
    let piece = Piece { colour: before.side(), kind: before.moved_kind(mv) };
    let from = mv.from().map(|square| square.to_string());
    let takes = before.board().piece_on(mv.to()).map(Piece::letter);
    from.map(|from| board.insert("from".to_string(), json!(from)));
    board.insert("to".to_string(), json!(mv.to().to_string()));
    board.insert("piece".to_string(), json!(piece.letter()));
    takes.map(|takes| board.insert("takes".to_string(), json!(takes)));
}

fn last_move(before: &Position, mv: Move, note: Option<&ScoreNote>) -> LastMove {
    let side = before.side();
    LastMove { text: mv.text(side).to_string(), mover: side.index(), ..rating(note) }
}

/// Returns what a page shows of the rating of a move.
fn rating(note: Option<&ScoreNote>) -> LastMove {
    let words = |loss: Score| format!("{:.1} pieces", f64::from(loss) / 100.0);
    LastMove {
        mark: note.and_then(|note| note.mark),
        cost: note.and_then(ScoreNote::cost).map(words),
        certain: note.is_some_and(|note| note.is_certain),
        why: note.and_then(|note| note.why.clone()),
        ..LastMove::default()
    }
}

/// Returns the evaluation of a position in the record: that of the note on the next move, or the outcome.
fn view(notes: &[ScoreNote], position: &Position) -> Option<View> {
    let end =
        |height: f64, text: &str| Some(View { height, text: text.to_string(), ..View::default() });
    match position.winner() {
        _ if notes.is_empty() => None,
        Some(Colour::Red) => end(1.0, "Red has won"),
        Some(Colour::Blue) => end(-1.0, "Blue has won"),
        None if position.is_over() => end(0.0, "A draw"),
        None => find(notes, position.ply() + 1).map(|note| note.view(score_text(note.score))),
    }
}

#[cfg(test)]
mod tests;
