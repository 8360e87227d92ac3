//! Lessons of Zero Point One.

use super::rules::{begin, game_of};
use crate::games::zero_point_one::game::Outcome;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Colour, Kind, Move, Origin};
use crate::tools::contracts::lessons::{before, Lesson};
use crate::tools::contracts::record::Record;
use anyhow::{Context, Result};

/// The lessons, in order.
pub const LESSONS: &[Lesson] = &[
    Lesson {
        start: Some("W7/8/2F5/3d4/8/8/8/7w - 40"),
        moves: "",
        text: "A ferz moves one square diagonally. A piece captures what stands on its target square.",
        task: "Capture the dabbaba with your ferz.",
        is_solved: |record| captures(record, Kind::Dabbaba),
    },
    Lesson {
        start: Some("W7/8/2DAf3/8/8/8/8/7w - 40"),
        moves: "",
        text: "A dabbaba leaps two squares straight. Pieces in between don't block it.",
        task: "Leap over your alfil and capture the ferz.",
        is_solved: |record| captures(record, Kind::Ferz),
    },
    Lesson {
        start: Some("W7/8/2N1A3/4d3/8/8/8/7w - 40"),
        moves: "",
        text: "An alfil leaps two squares diagonally. A knight leaps as in chess: two squares straight and one aside.",
        task: "Capture the dabbaba with your knight.",
        is_solved: |record| captures(record, Kind::Dabbaba),
    },
    Lesson {
        start: Some("W7/8/2D1w3/8/2A1f3/8/8/8 - 40"),
        moves: "",
        text: "Whoever captures the other wazir wins at once. The wazir itself moves one square straight.",
        task: "Capture the wazir.",
        is_solved: |record| Ok(game_of(record)?.outcome() == Some(Outcome::Won(Colour::Red))),
    },
    Lesson {
        start: Some("W7/8/8/8/8/8/8/3w4 DF 40"),
        moves: "",
        text: "What you capture comes into your hand. Instead of a move you may drop it on any empty square.",
        task: "Drop a piece so that it attacks the wazir.",
        is_solved: |record| {
            let (position, mv) = last_move(record)?;
            let is_drop = matches!(mv.origin(), Origin::Hand(_));
            Ok(is_drop && position.make(mv).checkers().any())
        },
    },
    Lesson {
        start: Some("W1d5/8/8/3N4/8/8/8/7w - 40"),
        moves: "",
        text: "Nothing forbids a move that leaves your wazir attacked, but the wazir is captured then.",
        task: "The dabbaba attacks your wazir. Save it.",
        is_solved: |record| {
            let (position, mv) = last_move(record)?;
            Ok(position.is_safe(mv))
        },
    },
    Lesson {
        start: Some("W7/3N4/8/8/8/3d1w2/8/8 - 40"),
        moves: "",
        text: "The best moves attack two pieces at once.",
        task: "Attack the wazir and the dabbaba with your knight.",
        is_solved: |record| {
            let (position, mv) = last_move(record)?;
            let next = position.make(mv);
            let dabbaba = next.board().pieces(Colour::Blue, Kind::Dabbaba).into_iter().next();
            let attacked = |square| next.board().attackers(square, Colour::Red).any();
            Ok(next.checkers().any() && dabbaba.is_some_and(attacked))
        },
    },
];

/// Returns the position before the last move of a record, and the move.
fn last_move(record: &Record) -> Result<(Position, Move)> {
    let position = before(record).replay_as(begin)?.position().copied();
    let mv = game_of(record)?.moves().last().copied();
    position.zip(mv).context("a lesson has a position and a move")
}

fn captures(record: &Record, kind: Kind) -> Result<bool> {
    let (position, mv) = last_move(record)?;
    Ok(position.captured_kind(mv) == Some(kind))
}
