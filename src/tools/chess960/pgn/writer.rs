//! Writing PGN.

use super::{BLACK_WINS, DRAWN, OPEN, VARIANT, WHITE_WINS};
use crate::engine::score::{self, Score};
use crate::games::chess960::position::CastlingRule;
use crate::games::chess960::start;
use crate::tools::chess960::note::{self, ScoreNote};
use crate::tools::chess960::{notation, replay, ENTRY};
use crate::tools::game::analysis::Mark;
use crate::tools::game::record::{Record, DRAW};
use anyhow::Result;
use std::fmt::Write;

/// Lines of moves are no longer than this.
const WIDTH: usize = 80;
/// What stands for a value that nobody knows.
const UNKNOWN: &str = "?";

/// A game with its tags, scores and marks, and an empty line behind it.
pub fn write(record: &Record) -> Result<String> {
    let game = replay::game_of(record)?;
    let result =
        result(record, game.outcome().map(|outcome| outcome.winner.map(|side| side.index())));
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        // Writing to a string can't fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", &format!("{} game", ENTRY.title));
    tag("Site", UNKNOWN);
    tag("Date", "????.??.??");
    tag("Round", record.id.as_deref().unwrap_or(UNKNOWN));
    for (name, player) in ["White", "Black"].iter().zip(&record.players) {
        tag(name, player.as_deref().unwrap_or(UNKNOWN));
    }
    tag("Result", result);
    if *game.start() != start::position(start::CLASSICAL, CastlingRule::Arena) {
        tag("Variant", VARIANT);
        tag("SetUp", "1");
        tag("FEN", &game.start().to_string());
    }
    if let Some((_, why)) = record.outcome.as_deref().and_then(|outcome| outcome.split_once('-')) {
        tag("Termination", &why.replace('_', " "));
    }
    text.push('\n');
    let notes = note::notes_of(record)?;
    let mut words = Vec::new();
    let mut is_numbered = false;
    let mut now = *game.start();
    for (index, &mv) in game.moves().iter().enumerate() {
        if now.side().index() == 0 || !is_numbered {
            words.push(replay::number_text(&now));
        }
        words.push(notation::san(&now, mv));
        is_numbered = true;
        let note = notes.iter().find(|note| note.ply == index + 1);
        if let Some(mark) = note.and_then(|note| note.mark) {
            words.push(glyph(mark).to_string());
        }
        if let Some(note) = note {
            words.push(comment(note, now.side().index()));
            is_numbered = false;
        }
        now = now.make(mv);
    }
    words.push(result.to_string());
    wrap(&mut text, &words);
    text.push('\n');
    Ok(text)
}

/// The numeric glyph of a mark.
fn glyph(mark: Mark) -> &'static str {
    match mark {
        Mark::Mistake => "$2",
        Mark::Blunder | Mark::MissedWin | Mark::AllowedWin => "$4",
    }
}

/// The mover's score before the move, as match runners write it.
fn comment(note: &ScoreNote, side: usize) -> String {
    let score: Score = if side == 0 { note.score } else { -note.score };
    let text = match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("+M{}", plies.div_ceil(2)),
        Some(plies) => format!("-M{}", plies.div_ceil(2).max(1)),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    };
    let depth = note.depth.map_or(String::new(), |depth| format!("/{depth}"));
    format!("{{{text}{depth}}}")
}

/// The result of a game: by its rules, else as it is recorded.
fn result(record: &Record, found: Option<Option<usize>>) -> &'static str {
    let recorded =
        record.outcome.as_deref().map(|outcome| outcome.split('-').next().unwrap_or(outcome));
    let winner = match recorded {
        Some(DRAW) => Some(None),
        Some(name) => ENTRY.side(name).map(|side| Some(side.index())),
        None => found,
    };
    match winner {
        Some(Some(0)) => WHITE_WINS,
        Some(Some(_)) => BLACK_WINS,
        Some(None) => DRAWN,
        None => OPEN,
    }
}

/// Adds words in lines of limited width.
fn wrap(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
}
