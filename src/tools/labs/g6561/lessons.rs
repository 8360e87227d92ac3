//! Lessons of 6561.

use super::rules::game_of;
use crate::games::g6561::board::{Board, Colour, Direction};
use crate::tools::contracts::lessons::{before, Lesson};
use crate::tools::contracts::record::Record;
use anyhow::Result;

/// The directions of slides.
const DIRECTIONS: [Direction; 4] =
    [Direction::Up, Direction::Down, Direction::Left, Direction::Right];
/// Moves after which two tiles of each colour can merge.
const PAIRS: &str = "11 22 33 R L 12 23 34";

/// The lessons, in order.
pub const LESSONS: &[Lesson] = &[
    Lesson {
        start: None,
        moves: "",
        text: "Five turns repeat: place blue, place red, place gray, slide, slide. You and your partner take turns.",
        task: "Place the blue tile in a corner.",
        is_solved: |record| Ok(["11", "14", "41", "44"].iter().any(|text| is_last(record, text))),
    },
    Lesson {
        start: None,
        moves: "11 23 32",
        text: "In a slide all tiles go as far as they can.",
        task: "Slide the tiles to the right.",
        is_solved: |record| Ok(is_last(record, "R")),
    },
    Lesson {
        start: None,
        moves: PAIRS,
        text: "Two tiles of the same colour and value that meet become one tile of three times the value.",
        task: "Merge the two blue 1 into a 3.",
        is_solved: |record| Ok(has(board(record)?, Colour::Blue, 3)),
    },
    Lesson {
        start: None,
        moves: "11 22 33 R L",
        text: "Tiles meet if nothing lies between them.",
        task: "Place the blue tile where a slide can merge it with the other blue 1.",
        is_solved: |record| {
            let slid = DIRECTIONS.map(|direction| board(record).map(|board| board.slid(direction)));
            Ok(slid.into_iter().flatten().flatten().any(|board| has(board, Colour::Blue, 3)))
        },
    },
    Lesson {
        start: None,
        moves: PAIRS,
        text: "Tiles of the same value but of different colours vanish when they meet.",
        task: "Make a blue and a red tile vanish.",
        is_solved: |record| {
            let (before, after) = (board(&before(record))?, board(record)?);
            let is_lost = |colour| after.units(colour) < before.units(colour);
            Ok(is_lost(Colour::Blue) && is_lost(Colour::Red))
        },
    },
    Lesson {
        start: None,
        moves: "31 24 23 D U 43 24 22 D U 21 24 23 U R 22 34 32 U",
        text: "The score is the highest sum that the board ever had. Big tiles of one colour count most.",
        task: "Merge the two red 3 into a 9.",
        is_solved: |record| Ok(has(board(record)?, Colour::Red, 9)),
    },
];

fn is_last(record: &Record, text: &str) -> bool {
    record.moves.last().is_some_and(|last| last == text) && before(record).replay().is_ok()
}

/// Returns the board after a record.
fn board(record: &Record) -> Result<Board> {
    Ok(game_of(record)?.position().board)
}

/// Whether a board has a tile of this colour and value.
fn has(board: Board, colour: Colour, value: u32) -> bool {
    board.pieces().any(|piece| piece.colour == colour && piece.value() == value)
}
