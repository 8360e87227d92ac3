//! PGN writer.

use super::words::{BLACK_WINS, DRAWN, MAX_DEPTH, OPEN, VARIANT, WHITE_WINS};
use crate::engine::score::{self, Score};
use crate::games::chess960::game::{Game, OFFER};
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::games::chess960::types::Move;
use crate::tools::contracts::analysis::Mark;
use crate::tools::contracts::record::{Annotations, Outcome, Record, Variation};
use crate::tools::contracts::score_note::ScoreNote;
use crate::tools::labs::chess960::by_hand::in_pawns;
use crate::tools::labs::chess960::note;
use crate::tools::labs::chess960::rules::RULES;
use crate::tools::labs::chess960::{notation, replay};
use crate::tools::support::text::shown;
use anyhow::{anyhow, ensure, Result};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximum length of a line of moves.
const WIDTH: usize = 80;
/// An unknown value.
const UNKNOWN: &str = "?";

/// The mandatory tags with their values if unknown.
const ROSTER: [(&str, &str); 3] = [("Event", ""), ("Site", UNKNOWN), ("Date", "????.??.??")];
/// The tag of a game's name.
const ROUND: &str = "Round";

/// Formats a game with tags, scores, marks, comments and variations, followed by an empty line.
pub fn write(record: &Record) -> Result<String> {
    let game = replay::game_of(record)?;
    let result =
        result(record, game.outcome().map(|outcome| outcome.winner.map(|side| side.index())));
    let mut text = tags(record, &game, result);
    text.push('\n');
    let notes = note::notes_of(record)?;
    let before = replay::texts_before_moves(record);
    let mut writer = Writer { words: Vec::new(), notes: &notes };
    writer.line(*game.start(), game.moves(), &record.annotations, before, 0)?;
    writer.words.push(result.to_string());
    wrap(&mut text, &writer.words);
    text.push('\n');
    Ok(text)
}

/// Formats the tags, one per line.
fn tags(record: &Record, game: &Game, result: &str) -> String {
    let mut text = String::new();
    let mut written: Vec<String> = Vec::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value: String =
            value.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
        let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
        let is_sound = name.starts_with(|sign: char| sign.is_ascii_alphabetic());
        if is_sound && name.chars().all(is_name) && !written.iter().any(|other| other == name) {
            // Writing to a string can't fail.
            let _ = writeln!(text, "[{name} \"{value}\"]");
            written.push(name.to_string());
        }
    };
    let known = |name: &str| {
        let (_, value) = record.tags.iter().find(|(other, _)| other == name)?;
        Some(value.as_str())
    };
    let event = format!("{} game", RULES.title);
    for (name, unknown) in ROSTER {
        let unknown = if unknown.is_empty() { &event } else { unknown };
        tag(name, known(name).unwrap_or(unknown));
    }
    tag(ROUND, known(ROUND).or(record.id.as_deref()).unwrap_or(UNKNOWN));
    for (name, player) in ["White", "Black"].iter().zip(&record.players) {
        tag(name, player.as_deref().unwrap_or(UNKNOWN));
    }
    tag("Result", result);
    if *game.start() != start::classical(CastlingRule::Arena) {
        tag("Variant", VARIANT);
        tag("SetUp", "1");
        tag("FEN", &game.start().to_string());
    }
    if let Some(Outcome::Won { failure: Some(why), .. }) = &record.outcome {
        tag("Termination", &why.replace('_', " "));
    }
    record.tags.iter().for_each(|(name, value)| tag(name, value));
    text
}

/// Formats moves with their annotations as words.
struct Writer<'a> {
    words: Vec<String>,
    /// Notes on the moves of the game.
    notes: &'a [ScoreNote],
}

impl Writer<'_> {
    /// Formats a line of moves. `before` is the number of its annotations before the first move; `depth` is
    /// 0 for the game and higher for variations.
    fn line(
        &mut self,
        start: Position,
        moves: &[Move],
        annotations: &Annotations,
        before: usize,
        depth: usize,
    ) -> Result<()> {
        let comments =
            |place| annotations.comments.get(&place).filter(|text| !text.trim().is_empty());
        (0..=before).filter_map(comments).for_each(|text| self.comment(text));
        let mut variations: BTreeMap<usize, Vec<&Variation>> = BTreeMap::new();
        annotations.variations.iter().for_each(|v| variations.entry(v.ply).or_default().push(v));
        let mut is_numbered = false;
        let mut now = start;
        for (index, &mv) in moves.iter().enumerate() {
            if now.side().index() == 0 || !is_numbered {
                self.words.push(replay::number_text(&now));
            }
            self.words.push(notation::san(&now, mv));
            let place = before + index + 1;
            let note = self.notes.iter().find(|note| depth == 0 && note.ply == index + 1);
            let mark = note.and_then(|note| note.mark).map(|mark| glyph(mark).to_string());
            let glyphs = annotations.glyphs.get(&place).into_iter().flatten();
            let mut glyphs: Vec<String> = glyphs.map(|glyph| format!("${glyph}")).collect();
            glyphs.extend(mark.filter(|mark| !glyphs.contains(mark)));
            self.words.extend(glyphs);
            let unmarked = self.words.len();
            self.words.extend(note.map(|note| comment(note, now.side().index())));
            comments(place).into_iter().for_each(|text| self.comment(text));
            for variation in variations.remove(&place).unwrap_or_default() {
                self.variation(now, variation, depth + 1)?;
            }
            is_numbered = self.words.len() == unmarked;
            now = now.make(mv);
        }
        Ok(())
    }

    fn variation(&mut self, start: Position, variation: &Variation, depth: usize) -> Result<()> {
        ensure!(depth <= MAX_DEPTH, "more than {MAX_DEPTH} variations within one another");
        let mut now = start;
        let mut moves = Vec::new();
        for text in &variation.moves {
            let bare = text.strip_suffix(OFFER).unwrap_or(text);
            let mv = notation::parse_any(&now, bare);
            let mv = mv.map_err(|reason| anyhow!("a variation has {:?}: {reason}", shown(text)))?;
            moves.push(mv);
            now = now.make(mv);
        }
        let first = self.words.len();
        self.line(start, &moves, &variation.annotations, 0, depth)?;
        if let [word, ..] = &mut self.words[first..] {
            word.insert(0, '(');
        }
        if let [.., word] = &mut self.words[first..] {
            word.push(')');
        }
        Ok(())
    }

    /// Formats a comment word by word, without the character that would close it.
    fn comment(&mut self, text: &str) {
        let text = text.replace('{', "(").replace('}', ")");
        let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        if let [.., last] = &mut words[..] {
            last.push('}');
            words[0].insert(0, '{');
            self.words.append(&mut words);
        }
    }
}

/// Returns the numeric glyph of a mark.
fn glyph(mark: Mark) -> &'static str {
    match mark {
        Mark::Mistake => "$2",
        Mark::Blunder | Mark::MissedWin | Mark::AllowedWin => "$4",
    }
}

/// Formats the mover's score before the move, as match runners do.
fn comment(note: &ScoreNote, side: usize) -> String {
    let score: Score = if side == 0 { note.score } else { -note.score };
    let text = match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("+M{}", plies.div_ceil(2)),
        Some(plies) => format!("-M{}", plies.div_ceil(2).max(1)),
        None => format!("{:+.2}", in_pawns(score)),
    };
    let depth = note.depth.map_or(String::new(), |depth| format!("/{depth}"));
    format!("{{{text}{depth}}}")
}

/// Returns the result of a game: by its rules, otherwise as recorded.
fn result(record: &Record, found: Option<Option<usize>>) -> &'static str {
    let winner = match &record.outcome {
        Some(Outcome::Draw) => Some(None),
        Some(Outcome::Won { winner, .. }) => RULES.side(winner).map(|side| Some(side.index())),
        None => found,
    };
    match winner {
        Some(Some(0)) => WHITE_WINS,
        Some(Some(_)) => BLACK_WINS,
        Some(None) => DRAWN,
        None => OPEN,
    }
}

/// Adds words to lines of limited width.
fn wrap(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        // At the beginning of a line these would have another meaning.
        let is_free = !word.starts_with(['%', '[', ';']);
        if width > 0 && width + 1 + length > WIDTH && is_free {
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
