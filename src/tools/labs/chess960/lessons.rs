//! Lessons of Chess960.

use super::rules::begin;
use crate::games::chess960::position::Position;
use crate::games::chess960::types::{Kind, Move};
use crate::tools::contracts::lessons::{before, Lesson};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::GameState as _;
use anyhow::{Context, Result};

/// The lessons, in order.
pub const LESSONS: &[Lesson] = &[
    Lesson {
        start: Some("4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1"),
        moves: "",
        text: "The pieces move as in chess. A knight leaps two squares straight and one aside, also over other pieces.",
        task: "Capture the rook.",
        is_solved: |record| captures(record, Kind::Rook),
    },
    Lesson {
        start: Some("4r2k/8/5N2/8/8/8/8/4K3 w - - 0 1"),
        moves: "",
        text: "The rook attacks your king: it is in check. You must move the king, capture the attacker, or put a piece in between.",
        task: "End the check by capturing the rook.",
        is_solved: |record| captures(record, Kind::Rook),
    },
    Lesson {
        start: Some("8/P5k1/8/8/8/8/8/4K3 w - - 0 1"),
        moves: "",
        text: "A pawn that reaches the last rank becomes a queen, rook, bishop or knight.",
        task: "Promote the pawn to a queen.",
        is_solved: |record| {
            let after = record.replay_as(begin)?;
            Ok(after.position().pieces(!after.position().side(), Kind::Queen).any())
        },
    },
    Lesson {
        start: Some("4k3/pppp4/8/8/8/8/PPPP4/1R1K2R1 w KQ - 0 1"),
        moves: "",
        text: "Wherever king and rook start, castling to the h side ends with the king on g1 and the rook on f1. On the board move the king onto the rook.",
        task: "Castle to the h side.",
        is_solved: |record| {
            let (position, mv) = last_move(record)?;
            Ok(position.colour_on(mv.to()) == Some(position.side()) && mv.to().file() > mv.from().file())
        },
    },
    Lesson {
        start: Some("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"),
        moves: "",
        text: "Black's pawn has just moved two squares. With the very next move your pawn may capture it as if it had moved one (en passant).",
        task: "Capture the pawn.",
        is_solved: |record| captures(record, Kind::Pawn),
    },
    Lesson {
        start: Some("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"),
        moves: "",
        text: "A check that can't be ended is mate, and wins the game.",
        task: "Mate in one move.",
        is_solved: |record| Ok(record.replay_as(begin)?.end().is_some_and(|end| end.winner.is_some())),
    },
];

/// Returns the position before the last move of a record, and the move.
fn last_move(record: &Record) -> Result<(Position, Move)> {
    let position = *before(record).replay_as(begin)?.position();
    let mv = record.replay_as(begin)?.moves().last().copied().context("a move")?;
    Ok((position, mv))
}

fn captures(record: &Record, kind: Kind) -> Result<bool> {
    let (position, mv) = last_move(record)?;
    Ok(position.captured(mv) == Some(kind))
}
