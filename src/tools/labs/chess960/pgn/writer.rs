//! PGN writer.

use super::spellings::{self, BLACK_WINS, DRAWN, OPEN, VARIANT, WHITE_WINS};
use super::{lexer, scores};
use crate::games::chess960::game::{Game, OFFER};
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::games::chess960::types::{Colour, Move};
use crate::tools::contracts::record::{
    for_first, Annotations, Outcome, Record, Variation, TERMINATION,
};
use crate::tools::contracts::score_note::{self, ScoreNote};
use crate::tools::labs::chess960::rules::RULES;
use crate::tools::labs::chess960::{fen, notation, note, replay};
use crate::tools::support::text::shown;
use anyhow::{anyhow, ensure, Result};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximum nesting depth of variations.
pub const MAX_DEPTH: usize = 60;
/// Maximum length of a line of moves.
const WIDTH: usize = 80;
/// An unknown value.
const UNKNOWN: &str = "?";
/// The mandatory tags with their values if unknown.
const ROSTER: [(&str, &str); 3] = [("Event", UNKNOWN), ("Site", UNKNOWN), ("Date", "????.??.??")];
/// The tag of a game's name.
const ROUND: &str = "Round";
/// The tag of the position that a game begins from.
const FEN: &str = "FEN";
/// Value of the tag `Termination` of a game that ended by its rules.
const NORMAL: &str = "normal";
/// The tag of the number of moves.
const PLY_COUNT: &str = "PlyCount";

/// Formats a game with tags, scores, marks, comments and variations, followed by an empty line.
pub fn write(record: &Record) -> Result<String> {
    let game = replay::exact_game_of(record)?;
    let result = result(record, &game);
    let mut text = tags(record, &game, result);
    text.push('\n');
    let mut notes = note::notes_of(record)?;
    if record.is_foreign && record.notes.is_empty() {
        // The scores of a file are in its comments.
        notes.clear();
    }
    let before = replay::texts_before_moves(record);
    let mut writer =
        Writer { words: Vec::new(), notes: &notes, has_analysis: !record.notes.is_empty() };
    writer.line(&steps(*game.start(), game.moves()), &record.annotations, before, 0)?;
    // A terminator by which both sides lose would be castling to others.
    let end = if [WHITE_WINS, BLACK_WINS, DRAWN].contains(&result) { result } else { OPEN };
    writer.words.push(end.to_string());
    wrap(&mut text, &writer.words);
    text.push('\n');
    Ok(text)
}

/// Returns the value of a tag of a record.
fn known<'a>(record: &'a Record, name: &str) -> Option<&'a str> {
    let (_, value) = record.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))?;
    Some(value.as_str())
}

/// Formats the tags, one per line: those that every game has, then the others as they were read.
fn tags(record: &Record, game: &Game, result: &str) -> String {
    let mut text = String::new();
    let mut written: Vec<String> = Vec::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value: String = value
            .chars()
            .map(|character| if character.is_control() { ' ' } else { character })
            .collect();
        let is_new = !written.iter().any(|other| other.eq_ignore_ascii_case(name));
        if lexer::is_tag_name(name) && is_new {
            // Writing to a string can't fail.
            let _ = writeln!(text, "[{name} \"{value}\"]");
            written.push(name.to_string());
        }
    };
    let known = |name| known(record, name);
    for (name, unknown) in ROSTER {
        tag(name, known(name).unwrap_or(unknown));
    }
    let id = record.id.as_deref().filter(|_| !record.is_foreign);
    tag(ROUND, known(ROUND).or(id).unwrap_or(UNKNOWN));
    for (name, player) in ["White", "Black"].into_iter().zip(&record.players) {
        tag(name, player.as_deref().or(known(name)).unwrap_or(UNKNOWN));
    }
    tag("Result", result);
    let start = game.start();
    let position = fen::text(start);
    if *start != start::classical(CastlingRule::Arena) && known(FEN).is_none() {
        if known("Variant").is_none() && !fen::is_classical(start) {
            tag("Variant", VARIANT);
        }
        tag("SetUp", "1");
        tag(FEN, &position);
    }
    let failure = match &record.outcome {
        Some(Outcome::Won { failure, .. }) => failure.as_deref(),
        _ => None,
    };
    let end = failure.map(spellings::termination);
    let end = end.or((record.outcome.is_some() && !record.is_foreign).then_some(NORMAL));
    if let Some(end) = end.filter(|_| known(TERMINATION).is_none()) {
        tag(TERMINATION, end);
    }
    if !record.is_foreign {
        tag(PLY_COUNT, &game.moves().len().to_string());
    }
    for (name, value) in &record.tags {
        let is_position = name.eq_ignore_ascii_case(FEN) && record.start.is_some();
        tag(name, if is_position { &position } else { value });
    }
    text
}

/// A move of a line: the position before it, its text in SAN, and the position after it.
type Step = (Position, String, Position);

/// Returns the moves of a game.
fn steps(start: Position, moves: &[Move]) -> Vec<Step> {
    let mut now = start;
    let step = |&mv: &Move| {
        let before = now;
        now = now.make(mv);
        (before, notation::san(&before, mv), now)
    };
    moves.iter().map(step).collect()
}

/// Returns the moves of a variation.
fn steps_of(start: Position, variation: &Variation) -> Result<Vec<Step>> {
    let mut now = start;
    let step = |text: &String| {
        let bare = text.strip_suffix(OFFER).unwrap_or(text);
        let found = notation::step(&now, bare);
        let (after, mv) =
            found.map_err(|why| anyhow!("a variation has {:?}: {why}", shown(text)))?;
        let before = std::mem::replace(&mut now, after);
        let san = mv.map_or(notation::PASS.to_string(), |mv| notation::san(&before, mv));
        Ok((before, san, after))
    };
    variation.moves.iter().map(step).collect()
}

/// Formats moves with their annotations as words.
struct Writer<'a> {
    words: Vec<String>,
    /// Notes on the moves of the game.
    notes: &'a [ScoreNote],
    /// Whether the notes are those of an analysis, and not the scores of a match.
    has_analysis: bool,
}

impl Writer<'_> {
    /// Formats a line of moves. `before_moves` is the number of its annotations before the first move; `depth` is 0 for
    /// the game and higher for variations.
    fn line(
        &mut self,
        steps: &[Step],
        annotations: &Annotations,
        before_moves: usize,
        depth: usize,
    ) -> Result<()> {
        let first = steps.first().map_or(Colour::White, |(before, ..)| before.side());
        for place in 0..=before_moves {
            let ply = if place == before_moves && depth == 0 { Some(0) } else { None };
            self.comment(annotations, place, first, ply);
        }
        let mut variations: BTreeMap<usize, Vec<&Variation>> = BTreeMap::new();
        annotations.variations.iter().for_each(|v| variations.entry(v.ply).or_default().push(v));
        let mut is_numbered = false;
        for (index, (before, san, after)) in steps.iter().enumerate() {
            if before.side() == Colour::White || !is_numbered {
                self.words.push(replay::number_text(before));
            }
            self.words.push(san.clone());
            let place = before_moves + index + 1;
            let ply = Some(index + 1).filter(|_| depth == 0);
            let note = ply.and_then(|ply| score_note::find(self.notes, ply));
            let mark = note.and_then(|note| spellings::glyph_of(note.mark?.symbol()));
            let mut glyphs = annotations.glyphs.get(&place).cloned().unwrap_or_default();
            glyphs.extend(mark.filter(|mark| !glyphs.contains(mark)));
            self.words.extend(glyphs.iter().map(|glyph| format!("${glyph}")));
            let unmarked = self.words.len();
            self.comment(annotations, place, after.side(), ply);
            for variation in variations.remove(&place).unwrap_or_default() {
                self.variation(*before, variation, depth + 1)?;
            }
            is_numbered = self.words.len() == unmarked;
        }
        Ok(())
    }

    fn variation(&mut self, start: Position, variation: &Variation, depth: usize) -> Result<()> {
        ensure!(depth <= MAX_DEPTH, "more than {MAX_DEPTH} variations within one another");
        let first = self.words.len();
        self.line(&steps_of(start, variation)?, &variation.annotations, 0, depth)?;
        if let [word, ..] = &mut self.words[first..] {
            word.insert(0, '(');
        }
        if let [.., word] = &mut self.words[first..] {
            word.push(')');
        }
        Ok(())
    }

    /// Formats the comment at a place of a line, with the score that belongs there if `ply` is given: the number of the
    /// move of the game before it. `side` is the side to move.
    fn comment(&mut self, said: &Annotations, place: usize, side: Colour, ply: Option<usize>) {
        let text = |place| said.comments.get(&place).map_or("", |text| text.trim());
        let score = |place, index: usize| scores::of_comment(text(place), side)[index];
        let note = |ply| score_note::find(self.notes, ply);
        let text = match ply {
            Some(ply) if self.has_analysis => {
                note(ply + 1).map(|note| scores::with_eval(text(place), note))
            }
            Some(ply)
                if score(place, 0).is_none() && (ply == 0 || score(place - 1, 1).is_none()) =>
            {
                note(ply).map(|note| {
                    scores::with_runner_score(text(place), for_first(note.score, (!side).into()))
                })
            }
            _ => None,
        }
        .unwrap_or_else(|| text(place).to_string());
        self.words.extend(comment_words(&text));
    }
}

/// Splits a comment into words, without the character that would close it. A command is one word.
fn comment_words(text: &str) -> Vec<String> {
    let text = text.replace('}', ")").replace(char::is_whitespace, " ");
    let mut words: Vec<String> = Vec::new();
    // Several spaces have empty words between them.
    for word in text.trim().split(' ').filter(|_| !text.trim().is_empty()) {
        match words.last_mut().filter(|last| last.starts_with("[%") && !last.contains(']')) {
            Some(command) => *command += &format!(" {word}"),
            None => words.push(word.to_string()),
        }
    }
    if let [.., last] = &mut words[..] {
        last.push('}');
        words[0].insert(0, '{');
    }
    words
}

/// Returns the result of a game: as recorded, otherwise as on the board.
fn result<'a>(record: &'a Record, game: &Game) -> &'a str {
    let winner = match &record.outcome {
        Some(Outcome::Draw) => None,
        Some(Outcome::Won { winner, .. }) => Some(RULES.side(winner).map(|side| side.index())),
        None => match (known(record, "Result"), game.outcome()) {
            (Some(tagged), _) => return tagged,
            (None, Some(outcome)) => outcome.winner.map(|side| Some(side.index())),
            (None, None) => return OPEN,
        },
    };
    match winner {
        None => DRAWN,
        Some(Some(0)) => WHITE_WINS,
        Some(Some(_)) => BLACK_WINS,
        // The name of no side.
        Some(None) => OPEN,
    }
}

/// Adds words to lines of limited width.
fn wrap(text: &mut String, words: &[String]) {
    let (mut width, mut is_gap) = (0, false);
    for word in words {
        let length = word.chars().count();
        // At the beginning of a line these would have another meaning.
        let is_free = !word.starts_with(['%', '[', ';']) && !word.is_empty() && !is_gap;
        is_gap = word.is_empty();
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
