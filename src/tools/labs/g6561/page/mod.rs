//! The replay page of 6561.

use super::analysis::ValueNote;
use super::by_hand::end_text;
use super::rules::game_of;
use crate::games::g6561::board::SQUARES;
use crate::games::g6561::game::Game;
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
    let notes: Vec<ValueNote> = parse_notes(&record.notes)?;
    let score = game.score();
    let mut now = Game::new();
    let mut frames = vec![frame(&notes, &now, score)];
    for &mv in game.moves() {
        // Can't fail: the move was replayed before.
        let _ = now.push(mv);
        frames.push(frame(&notes, &now, score));
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
    match end_text(game) {
        Some(how) => capitalised(&how),
        None => format!("{}; {} points so far", open_end(record, game), game.score()),
    }
}

/// Creates the frame of the current position. `score` is the final score of the game.
pub(super) fn frame(notes: &[ValueNote], game: &Game, score: u32) -> Frame {
    let position = game.position();
    let tile = |square| {
        position.board.piece(square).map(|piece| json!([piece.colour.index(), piece.value()]))
    };
    let mut board = Map::new();
    board.insert("tiles".to_string(), json!((0..SQUARES).map(tile).collect::<Vec<_>>()));
    let note = |ply| notes.iter().find(|note| note.ply == ply);
    let next = note(game.ply() + 1);
    let sum = position.board.sum();
    Frame {
        ply: game.ply(),
        turn: game.ending().is_none().then(|| GameState::side(game).index()),
        last: game.moves().last().map(|mv| last_move(game, mv.to_string(), note(game.ply()))),
        view: Some(View {
            // The bottom of the curve is 0, the top is the score of the game.
            height: 2.0 * f64::from(sum) / f64::from(score.max(1)) - 1.0,
            text: format!("Sum {sum}, highest {}", game.score()),
            detail: next.map(|note| format!("value {:.0}", note.value)),
            line: next.and_then(|note| note.best.clone()).map(|best| vec![best]),
        }),
        board,
    }
}

fn last_move(game: &Game, text: String, note: Option<&ValueNote>) -> LastMove {
    let points = |loss: f64| format!("{loss:.0} points");
    LastMove {
        text,
        mover: (!GameState::side(game)).index(),
        mark: note.and_then(|note| note.mark),
        cost: note.and_then(|note| note.loss).filter(|loss| *loss >= 0.5).map(points),
        ..LastMove::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::commands::replay::page;
    use crate::tools::labs::game_reader::parse;
    use serde_json::Value;

    #[test]
    fn frames_show_tiles_and_sums() {
        let record = parse("11 12 14 L").expect("readable").expect("a record");
        let story = story(&record).expect("legal");
        assert_eq!(story.frames.len(), 5);
        assert_eq!(story.outcome, "4 moves, unfinished; 3 points so far");
        let tiles = |frame: usize| story.frames[frame].board["tiles"].clone();
        assert_eq!(tiles(3)[3], json!([2, 1]));
        assert_eq!((tiles(4)[0].clone(), tiles(4)[3].clone()), (json!([2, 1]), Value::Null));
        let heights = story.frames.iter().map(|frame| frame.view.as_ref().expect("a sum").height);
        assert_eq!(
            heights.map(|height| (3.0 * height).round() as i32).collect::<Vec<_>>(),
            [-3, -1, 1, 3, -1]
        );
        let page = page(&record).expect("a page");
        assert!(page.contains("A game of 6561") && page.contains("more points"));
    }

    #[test]
    fn notes_become_details_and_costs() {
        let note = r#"{"ply": 2, "side": "b", "move": "12", "value": 99.4, "sum": 1, "best": "44",
            "loss": 12.3, "mark": "mistake"}"#;
        let line = format!(r#"{{"moves": ["11", "12"], "analysis": [{note}]}}"#).replace('\n', " ");
        let record = parse(&line).expect("readable").expect("a record");
        let story = story(&record).expect("legal");
        let view = story.frames[1].view.as_ref().expect("noted");
        assert_eq!(view.detail.as_deref(), Some("value 99"));
        let last = story.frames[2].last.as_ref().expect("a move");
        assert_eq!(last.cost.as_deref(), Some("12 points"));
    }
}
