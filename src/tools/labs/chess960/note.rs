//! Notes from the scores of a match.

use super::{replay, rules};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::score_note::{self, ScoreNote};
use anyhow::Result;

/// Returns the notes of a record's analysis or, without one, notes from the scores of its match.
pub fn notes_of(record: &Record) -> Result<Vec<ScoreNote>> {
    let first = rules::begin(record.start.as_deref())?.position().side();
    let before = replay::texts_before_moves(record);
    score_note::notes_of(record, |number| {
        let ply = number.checked_sub(before).filter(|&ply| ply > 0)?;
        let side = if ply % 2 == 1 { first } else { !first };
        Some((ply, side.into()))
    })
}
