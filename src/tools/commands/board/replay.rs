//! The page of a recorded game: the board's page as one file, read-only, with the game's scenes instead of a server.

use super::pages::{self, replay_page};
use crate::tools::contracts::board::{BoardPage, Scene, View};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::record::{result_text, Annotations, Record};
use crate::tools::labs::registry::entry;
use crate::tools::support::text::shown;
use anyhow::Result;
use serde_json::{json, Value};

/// Stands for the data of a game in a [`frame`], as a JSON string.
pub const MARK: &str = "the recorded game";

/// Returns the page of a game.
pub fn page(record: &Record) -> Result<String> {
    replay_page(entry(record.game), &title(record), &record.moves.join(" "), data(record)?)
}

/// Returns a page of this game with [`MARK`] instead of the [`data`], for a page with many games.
pub fn frame(game: &Entry) -> Result<String> {
    replay_page(game, game.rules.title, "", json!(MARK))
}

/// Returns a game for the page's script. It fails if the game is illegal.
pub fn data(record: &Record) -> Result<Value> {
    let board = pages::board(entry(record.game))?;
    let mut views = (board.views)(record)?;
    views.retain(|view| view.height.is_some() || view.mark.is_some());
    let refused = record.refused.as_ref();
    let refused = refused.map(|(text, reason)| format!("{} was refused: {reason}", shown(text)));
    let result = result_text(record.game, record.outcome.as_ref()).into_iter().chain(refused);
    Ok(json!({
        "title": title(record),
        "record": {
            "game": record.game.name,
            "start": record.start,
            "moves": record.moves,
            "players": record.players,
            "outcome": record.outcome,
            "annotations": with_scenes(board, record, &[], &record.moves, &record.annotations),
        },
        "result": result.collect::<Vec<_>>().join("; "),
        "scenes": bare((board.scenes)(record, 0)?, &views, &record.moves),
        "views": views,
        "isReviewed": !record.notes.is_empty(),
    }))
}

/// Removes what only players need, which is most of the text. The best move keeps its squares, and a played setup its
/// name.
fn bare(scenes: Vec<Scene>, views: &[View], played: &[String]) -> Vec<Scene> {
    let bare = |mut scene: Scene| {
        let view = views.iter().find(|view| view.ply == scene.ply);
        let best = view.and_then(|view| view.line.as_ref()?.first());
        scene.moves.retain(|mv| best.is_some_and(|best| mv.is(best)));
        if let Some(setup) = &mut scene.setup {
            setup.spots.clear();
            setup.good.retain(|(_, letters)| played.contains(letters));
        }
        Scene { position: None, reach: Default::default(), attacked: Default::default(), ..scene }
    };
    scenes.into_iter().map(bare).collect()
}

/// Returns the annotations of a line that follows the moves `before`, each variation with its scenes. Illegal
/// variations are left out.
fn with_scenes(
    board: &BoardPage,
    record: &Record,
    before: &[String],
    line: &[String],
    annotations: &Annotations,
) -> Value {
    let variation = |found: &crate::tools::contracts::record::Variation| {
        let before = [before, line.get(..found.ply.checked_sub(1)?)?].concat();
        let moves = [&before[..], &found.moves].concat();
        let scenes = (board.scenes)(&Record { moves, ..record.clone() }, before.len() + 1).ok()?;
        let mut value = with_scenes(board, record, &before, &found.moves, &found.annotations);
        value["ply"] = json!(found.ply);
        value["moves"] = json!(found.moves);
        value["scenes"] = json!(bare(scenes, &[], &[]));
        Some(value)
    };
    let variations: Vec<Value> = annotations.variations.iter().filter_map(variation).collect();
    json!({
        "comments": annotations.comments,
        "glyphs": annotations.glyphs,
        "variations": variations,
    })
}

fn title(record: &Record) -> String {
    match (&record.players, &record.id) {
        ([Some(first), Some(second)], _) => format!("{first} – {second}"),
        (_, Some(id)) => format!("Game {id}"),
        _ => format!("A game of {}", record.game.title),
    }
}
