//! The replay page of Zuniq.

use super::analysis::ChanceNote;
use super::by_hand::chance_text;
use super::rules::{game_of, RULES};
use crate::games::zuniq::game::{Game, Side};
use crate::games::zuniq::geometry::SIDE as CELLS;
use crate::tools::contracts::analysis::parse_notes;
use crate::tools::contracts::page::{capitalised, open_end, Frame, LastMove, Page, Story, View};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::GameState;
use anyhow::Result;
use serde_json::{json, Map};

/// Adapter for `cupbot replay`.
pub const PAGE: Page =
    Page { story, script: include_str!("board.js"), style: include_str!("board.css"), shapes: "" };

fn story(record: &Record) -> Result<Story> {
    let game = game_of(record)?;
    let notes: Vec<ChanceNote> = parse_notes(&record.notes)?;
    let texts = game.texts();
    let mut now = Game::new();
    let mut frames = vec![frame(&notes, &now, None)];
    for text in &texts {
        // Can't fail: the move was replayed before.
        let _ = now.play(text);
        frames.push(frame(&notes, &now, Some(text)));
    }
    let beginning = "The empty board";
    Ok(Story {
        outcome: outcome_text(record, &game),
        setups: None,
        beginning,
        frames,
        opening: Vec::new(),
    })
}

/// Describes the outcome in a sentence.
fn outcome_text(record: &Record, game: &Game) -> String {
    let Some(end) = game.end() else { return open_end(record, game) };
    let [white, black] = end.points;
    let winner = end.winner.map_or_else(String::new, |side| capitalised(RULES.side_name(side)));
    format!("{winner} makes the last move, {}; points: White {white}, Black {black}", game.ply())
}

/// Creates the frame of the current position; `last` is the move that led to it.
pub(super) fn frame(notes: &[ChanceNote], game: &Game, last: Option<&String>) -> Frame {
    let ply = game.ply();
    let sizes = (0..CELLS * CELLS)
        .map(|cell| game.zone_size(cell / CELLS, cell % CELLS).unwrap_or(0))
        .collect::<Vec<_>>();
    let walls: Vec<String> = game.moves().iter().map(|segment| segment.to_string()).collect();
    let mut board = Map::new();
    board.insert("walls".to_string(), json!(walls));
    board.insert("zones".to_string(), json!(sizes));
    Frame {
        ply,
        turn: game.winner().is_none().then(|| GameState::side(game).index()),
        last: last.map(|text| last_move(game, text, find(notes, ply))),
        view: view(notes, game),
        board,
    }
}

/// Returns the note on the move with this number.
fn find(notes: &[ChanceNote], ply: usize) -> Option<&ChanceNote> {
    notes.iter().find(|note| note.ply == ply)
}

fn last_move(game: &Game, text: &str, note: Option<&ChanceNote>) -> LastMove {
    let percent = |loss: f64| format!("{loss:.0} % of the probability of winning");
    LastMove {
        text: text.to_string(),
        mover: (!GameState::side(game)).index(),
        mark: note.and_then(|note| note.mark),
        cost: note.and_then(|note| note.loss).filter(|loss| *loss >= 0.5).map(percent),
        certain: note.is_some_and(|note| note.is_certain),
        why: None,
    }
}

/// Returns the evaluation of the current position: the note on the next move, or the result in the final position.
/// `None` if the record has no notes.
fn view(notes: &[ChanceNote], game: &Game) -> Option<View> {
    if notes.is_empty() {
        return None;
    }
    if let Some(winner) = game.winner() {
        let height = if winner == Side::White { 1.0 } else { -1.0 };
        let text = format!("{} has won", winner.name());
        return Some(View { height, text, ..View::default() });
    }
    find(notes, game.ply() + 1).map(|note| View {
        height: 2.0 * note.white - 1.0,
        text: match &note.proved {
            Some(side) => format!("{} is proved to win", capitalised(side)),
            None => chance_text(note.white),
        },
        detail: None,
        line: note.best.clone().map(|best| vec![best]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::commands::replay::page;
    use crate::tools::labs::game_reader::parse;

    #[test]
    fn frames_show_walls_and_zones() {
        let record = parse("A1h A1v B1h! A2v").expect("readable").expect("a record");
        let story = story(&record).expect("legal");
        assert_eq!(story.frames.len(), 5);
        assert_eq!(story.outcome, "4 moves, unfinished");
        let last = &story.frames[4];
        assert_eq!(last.board["walls"], json!(["A1h", "A1v", "B1h", "A2v"]));
        assert_eq!((&last.board["zones"][0], &last.board["zones"][1]), (&json!(1), &json!(0)));
        assert_eq!(story.frames[3].last.as_ref().map(|last| last.text.as_str()), Some("B1h!"));
        assert!(page(&record).expect("a page").contains("<h1 id=\"title\">A game of Zuniq</h1>"));
    }

    #[test]
    fn notes_become_views_and_costs() {
        let note = r#"{"ply": 2, "white": 0.25, "best": "A2h", "loss": 12.3, "mark": "mistake"}"#;
        let line = format!(r#"{{"moves": ["A1h", "A1v"], "analysis": [{note}]}}"#);
        let record = parse(&line).expect("readable").expect("a record");
        let story = story(&record).expect("legal");
        let view = story.frames[1].view.as_ref().expect("noted");
        assert_eq!((view.height, view.text.as_str()), (-0.5, "White's chances: 25 %"));
        let last = story.frames[2].last.as_ref().expect("a move");
        assert_eq!(last.cost.as_deref(), Some("12 % of the probability of winning"));
    }
}
