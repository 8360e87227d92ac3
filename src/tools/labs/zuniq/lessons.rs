//! Lessons of Zuniq.

use super::rules::game_of;
use crate::games::zuniq::game::Game;
use crate::tools::contracts::lessons::{before, Lesson};
use crate::tools::contracts::record::Record;
use anyhow::Result;

/// Number of cells in a row and a column.
const SIDE: usize = 5;

/// The lessons, in order.
pub const LESSONS: &[Lesson] = &[
    Lesson {
        start: None,
        moves: "",
        text: "A move is a wall between two neighbouring dots. The border has to be drawn, too.",
        task: "Draw a wall of the border.",
        is_solved: |record| {
            let wall = record.moves.last().map_or("", |text| text);
            let ends = [["A", "F"], ["1", "6"]][usize::from(wall.ends_with('v'))];
            let place = if wall.ends_with('v') { &wall[1..2] } else { &wall[..1] };
            Ok(ends.contains(&place))
        },
    },
    Lesson {
        start: None,
        moves: "A1h A1v A2v",
        text: "Walls that enclose cells close a zone. Its size is the number of its cells.",
        task: "Close the zone of size 1 in the corner.",
        is_solved: |record| closes(record, |size| size == 1),
    },
    Lesson {
        start: None,
        moves: "A1h A2h A1v B1h B2h",
        text: "Walls have no owner: both sides may use all of them.",
        task: "Close a zone of size 2.",
        is_solved: |record| closes(record, |size| size == 2),
    },
    Lesson {
        start: None,
        moves: "A1h A1v A2v B1h A5h A6v B5h F1h F2h E1v E1h E2h",
        text: "No two closed zones may have the same size. A red cross marks a wall that would close a second one.",
        task: "There is a zone of size 1. Close a zone of another size.",
        is_solved: |record| closes(record, |size| size > 1),
    },
    Lesson {
        start: None,
        moves: "A1h A2h A1v B1v C1h C2h A3v",
        text: "In a closed zone no more walls can be drawn. So a zone takes moves away, and changes who makes the last one.",
        task: "Close the zone of size 4: its four inner walls are gone then.",
        is_solved: |record| closes(record, |size| size == 4),
    },
    Lesson {
        start: None,
        moves: "E5h C1v E4v C2v A3v C1h B6v D1h B5h D4h E3h D2h B1h D1v A4h F3h B3h E1v D6v E2h F5h A1h A5v B4h E1h \
                A1v B2v A2h A5h E4h C4h D4v C6v E6v F2h",
        text: "Whoever can't draw a wall loses.",
        task: "Draw the wall after which White can't draw another one.",
        is_solved: |record| Ok(game_of(record)?.winner().is_some()),
    },
];

/// Returns the sizes of the zones of all cells.
fn cells(game: &Game) -> Vec<Option<usize>> {
    (0..SIDE * SIDE).map(|cell| game.zone_size(cell / SIDE, cell % SIDE)).collect()
}

/// Whether the last move of a record closes a zone of such a size.
fn closes(record: &Record, is_wanted: fn(usize) -> bool) -> Result<bool> {
    let (before, after) = (cells(&game_of(&before(record))?), cells(&game_of(record)?));
    let is_closed = |(before, after): (&Option<usize>, &Option<usize>)| {
        before.is_none() && after.is_some_and(is_wanted)
    };
    Ok(before.iter().zip(&after).any(is_closed))
}
