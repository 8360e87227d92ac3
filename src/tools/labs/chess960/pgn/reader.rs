//! PGN reader. An error affects only its own game, and of it only the part after the error.

use super::lexer::{Kind, Lexer};
use super::words::{BLACK_WINS, DRAWN, MAX_DEPTH, OPEN, VARIANT, WHITE_WINS};
use super::{glyphs, scores, signs};
use crate::engine::score::Score;
use crate::games::chess960::game::Game;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::types::Move;
use crate::tools::contracts::format::{FileGame, Take};
use crate::tools::contracts::record::{Annotations, Outcome, Record, Variation};
use crate::tools::labs::chess960::rules::RULES;
use crate::tools::labs::chess960::{fen, notation, replay};
use crate::tools::support::text::{shown, TextLines};
use anyhow::{anyhow, Result};
use std::collections::BTreeMap;
use std::io::BufRead;

/// Variants that follow the rules of chess, in lower-case letters and digits.
const CHESS: [&str; 11] = [
    "",
    "chess",
    "standard",
    "standardchess",
    "normal",
    "classical",
    "classicalchess",
    "classic",
    "orthodox",
    "regular",
    "fromposition",
];
/// Variants that begin with one of the 960 start positions.
const FISCHER: [&str; 16] = [
    "chess960",
    "chesschess960",
    "960",
    "frc",
    "dfrc",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "fischerrandomchess960",
    "chess960fischerrandom",
    "freestyle",
    "freestylechess",
    "chess9lx",
    "9lx",
    "wildfr",
];
/// How the loser failed, by words of the tag `Termination` in lower case.
const FAILURES: [(&str, &str); 4] = [
    ("time", "time_forfeit"),
    ("abandon", "abandoned"),
    ("resign", "resigned"),
    ("rules infraction", "rules_infraction"),
];
/// A result by which both sides lose, which may look like castling.
const BOTH_LOSE: &str = "0-0";
/// Maximum length of a game's text, in bytes.
const MAX_GAME: usize = 8 << 20;
/// Maximum number of plies: by FIDE's rules a game is drawn long before.
const MAX_MOVES: usize = 20_000;
/// Maximum number of tags per game, besides the result; others are dropped.
const MAX_TAGS: usize = 499;
/// Maximum number of remarks per game.
const MAX_REMARKS: usize = 20;

/// Passes on all games of a text.
pub fn read(input: &mut dyn BufRead, take: &mut Take) -> Result<()> {
    let mut lexer = Lexer::default();
    let mut reader = Reader { current: None, strays: Vec::new(), loose: Vec::new(), take };
    for line in TextLines::new(input) {
        let line = line?;
        let Some(text) = line.text else {
            match &mut reader.current {
                Some(game) => game.cut(line.number, "the line is too long".to_string()),
                None => reader.stray(line.number, "the line is too long"),
            }
            continue;
        };
        // Old texts end lines with a carriage return only.
        for text in text.split('\r') {
            reader.count(line.number, text.len());
            lexer.feed(line.number, text, &mut |line, kind| reader.token(line, kind))?;
        }
    }
    lexer.end(&mut |line, kind| reader.token(line, kind))?;
    reader.finish(None)?;
    reader.end()
}

/// Reads one game after another.
struct Reader<'a, 'b> {
    current: Option<PgnBuilder>,
    /// Remarks on text before the next game.
    strays: Vec<(usize, String)>,
    /// Comments before the next game, which belong to it if it has no tags.
    loose: Vec<(usize, String)>,
    take: &'a mut Take<'b>,
}

impl Reader<'_, '_> {
    fn token(&mut self, line: usize, kind: Kind) -> Result<()> {
        if let Kind::Word(word, is_first) = &kind {
            if let Some((word, result)) = signs::split_result(word) {
                self.token(line, Kind::Word(word.to_string(), *is_first))?;
                return self.token(line, Kind::Word(result.to_string(), false));
            }
        }
        if let Some(game) = &mut self.current {
            // A result at the end of a paragraph ends its game even within an open variation.
            if let Some(result) = game.pending.take() {
                if matches!(kind, Kind::Blank | Kind::Tag(..)) {
                    self.finish(Some(result))?;
                    return self.token(line, kind);
                }
            }
            if game.ends_before(&kind) {
                self.finish(None)?;
            }
        }
        if let Kind::Blank = kind {
            self.current.iter_mut().for_each(|game| game.is_behind_blank = true);
            return Ok(());
        }
        if self.current.is_none() {
            // Annotations between games are ignored.
            match &kind {
                Kind::Comment(text) => {
                    self.loose.truncate(MAX_REMARKS);
                    self.loose.push((line, text.clone()));
                    return Ok(());
                }
                Kind::Close | Kind::Glyph(_) => return Ok(()),
                Kind::Word(word, _)
                    if signs::result(word).is_some() || glyphs::read(word).is_some() =>
                {
                    return Ok(());
                }
                Kind::OpenComment(begun) => {
                    self.stray(*begun, "the comment has no end");
                    return Ok(());
                }
                _ => {}
            }
        }
        let loose = std::mem::take(&mut self.loose);
        let game = self.current.get_or_insert_with(|| {
            let mut game = PgnBuilder { line, ..PgnBuilder::default() };
            if matches!(kind, Kind::Word(..)) {
                loose.iter().for_each(|(line, text)| game.comment(*line, text));
            }
            game
        });
        let result = game.token(line, kind);
        game.is_behind_blank = false;
        match result {
            Some(result) => self.finish(Some(result)),
            None => Ok(()),
        }
    }

    /// Adds the length of a line to the current game.
    fn count(&mut self, line: usize, length: usize) {
        self.current.iter_mut().for_each(|game| game.count(line, length));
    }

    fn stray(&mut self, line: usize, what: &str) {
        match &mut self.current {
            Some(game) => game.remark(line, what),
            None if self.strays.len() < MAX_REMARKS => self.strays.push((line, what.to_string())),
            None => {}
        }
    }

    /// Passes on the current game.
    fn finish(&mut self, result: Option<&'static str>) -> Result<()> {
        let Some(game) = self.current.take() else { return Ok(()) };
        if game.is_nothing() {
            let what = game.fault.or(game.remarks.into_iter().next());
            if let Some((line, what)) = what.filter(|_| self.strays.len() < MAX_REMARKS) {
                self.strays.push((line, format!("not a game: {what}")));
            }
            return Ok(());
        }
        let mut found = game.done(result);
        let strays = self.strays.drain(..).map(|(line, what)| format!("line {line}: {what}"));
        if let Ok(record) = &mut found.record {
            record.remarks.splice(0..0, strays);
        }
        (self.take)(found)
    }

    /// Reports text after the last game.
    fn end(&mut self) -> Result<()> {
        self.strays
            .drain(..)
            .try_for_each(|(line, what)| (self.take)(FileGame { line, record: Err(anyhow!(what)) }))
    }
}

/// A line of moves: the game or a variation.
struct Line {
    /// Number of the move that the first one replaces.
    ply: usize,
    start: Position,
    /// The positions before and after the last move.
    before: Position,
    now: Position,
    moves: Vec<Move>,
    annotations: Annotations,
    /// Whether it was ended by a move that can't be read.
    is_over: bool,
}

impl Line {
    fn new(ply: usize, start: Position) -> Line {
        let (before, now) = (start, start);
        let annotations = Annotations::default();
        Line { ply, start, before, now, moves: Vec::new(), annotations, is_over: false }
    }

    fn push(&mut self, mv: Move) {
        self.before = self.now;
        self.now = self.now.make(mv);
        self.moves.push(mv);
    }

    fn texts(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    fn comment(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let comment = self.annotations.comments.entry(self.moves.len()).or_default();
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }

    fn glyph(&mut self, glyph: u16) {
        if !self.moves.is_empty() && !self.is_over {
            let glyphs = self.annotations.glyphs.entry(self.moves.len()).or_default();
            // A glyph may follow the sign that means the same.
            if !glyphs.contains(&glyph) {
                glyphs.push(glyph);
            }
        }
    }
}

/// Builds a game.
#[derive(Default)]
struct PgnBuilder {
    line: usize,
    tags: Vec<(String, String)>,
    /// The game and its open variations, from the first move or annotation on.
    lines: Vec<Line>,
    /// Number of open variations that are skipped.
    skipped: usize,
    /// Scores for the mover by the number of the move after them.
    scores: BTreeMap<usize, Score>,
    remarks: Vec<(usize, String)>,
    /// The error that prevents reading the game or further moves.
    fault: Option<(usize, String)>,
    /// A result within a variation, which may have been left open.
    pending: Option<&'static str>,
    is_behind_blank: bool,
    bytes: usize,
}

impl PgnBuilder {
    fn remark(&mut self, line: usize, what: impl Into<String>) {
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push((line, what.into()));
        }
    }

    fn count(&mut self, line: usize, length: usize) {
        let was_within = self.bytes <= MAX_GAME;
        self.bytes += length;
        if was_within && self.bytes > MAX_GAME {
            self.cut(line, format!("the game has more than {} MiB of text", MAX_GAME >> 20));
        }
    }

    /// Ends the game.
    fn cut(&mut self, line: usize, why: String) {
        self.fault.get_or_insert((line, why));
        self.lines.iter_mut().for_each(|line| line.is_over = true);
    }

    /// Whether there are neither tags nor moves.
    fn is_nothing(&self) -> bool {
        self.tags.is_empty() && self.lines.first().is_none_or(|main| main.moves.is_empty())
    }

    /// Whether this token begins another game.
    fn ends_before(&self, kind: &Kind) -> bool {
        let has_text = !self.lines.is_empty();
        match kind {
            Kind::Tag(name, _) => {
                has_text
                    || self.tags.iter().any(|(other, _)| other == name) && self.is_behind_blank
                    || name == "Event" && self.value(name).is_some()
            }
            Kind::BadTag(_) => has_text && self.is_behind_blank,
            // The first move, if the current game already has moves.
            Kind::Word(word, true) if has_text => {
                let is_first =
                    signs::number(word).is_some_and(|(n, _, points)| n == 1 && points <= 1);
                let is_within = self.lines.len() > 1 || self.skipped > 0;
                let is_over = self.fault.is_some();
                let has_moves = self.lines.iter().all(|line| !line.moves.is_empty());
                let is_behind = self.is_behind_blank || !is_within && !is_over;
                is_first && is_behind && (has_moves || is_over)
            }
            _ => false,
        }
    }

    /// Adds a token; returns the result that ends the game.
    fn token(&mut self, line: usize, kind: Kind) -> Option<&'static str> {
        match kind {
            Kind::Tag(name, value) if self.tags.len() < MAX_TAGS => self.tags.push((name, value)),
            Kind::Tag(name, _) => {
                self.remark(line, format!("tag {name:?}: too many tags, left out"))
            }
            Kind::BadTag(text) => self.remark(line, format!("no tag: {text:?}, left out")),
            Kind::OpenComment(begun) => self.remark(begun, "the comment has no end"),
            Kind::Comment(text) => self.comment(line, &text),
            Kind::Glyph(glyph) => self.lines.last_mut()?.glyph(glyph),
            Kind::Open => self.open(line),
            Kind::Close => self.close(line),
            Kind::Blank => {}
            Kind::Word(word, _) => {
                let result = signs::result(&word);
                let result = result.or_else(|| self.both_lose(&word).then_some(OPEN));
                if self.lines.len() + self.skipped > 1 {
                    self.pending = result;
                } else if result.is_some() {
                    return result;
                }
                if result.is_none() {
                    self.word(line, &word);
                }
            }
        }
        None
    }

    /// Starts the moves from the position given by the tags.
    fn begin(&mut self, line: usize) {
        if !self.lines.is_empty() {
            return;
        }
        let classical = || *Game::default().start();
        let variant = self.value("Variant").unwrap_or_default();
        let plain: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain = plain.to_ascii_lowercase();
        let is_fischer = FISCHER.contains(&plain.as_str());
        if !is_fischer && !CHESS.contains(&plain.as_str()) {
            let what = format!("variant {:?} is another game", shown(variant));
            self.fault = Some((line, what));
        }
        let found = self.start_text().map(|text| fen::read(text, CastlingRule::Arena));
        let start = match found {
            Some(Ok(found)) => {
                found.remarks.into_iter().for_each(|r| self.remark(line, format!("tag FEN: {r}")));
                found.position
            }
            Some(Err(error)) => {
                self.fault = Some((line, format!("tag FEN: {error:#}")));
                classical()
            }
            None => {
                if is_fischer {
                    let what = "no tag FEN says where it begins: read from the position of classical chess";
                    self.remark(line, format!("tag Variant says {VARIANT}, and {what}"));
                }
                classical()
            }
        };
        let mut main = Line::new(1, start);
        main.is_over = self.fault.is_some();
        self.lines.push(main);
    }

    /// Returns the value of a tag, whatever the case of its name, unless it means unknown.
    fn value(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))?;
        Some(value.trim()).filter(|value| !value.is_empty() && *value != "?")
    }

    fn start_text(&self) -> Option<&str> {
        self.value("FEN").filter(|text| !["-", "startpos"].contains(text))
    }

    /// Whether a word is the result of a game that both sides lose, rather than castling.
    fn both_lose(&self, word: &str) -> bool {
        let can_castle = |line: &Line| notation::parse_san(&line.now, word).is_ok();
        word == BOTH_LOSE && !self.lines.last().is_some_and(can_castle)
    }

    /// Reads a move number (skipped), a sign, or a move.
    fn word(&mut self, line: usize, word: &str) {
        let text = signs::number(word).map_or(word, |(_, behind, _)| behind);
        let text = text.trim_start_matches(['.', '…']);
        let is_null_move = signs::is_null_move(text);
        if let Some(found) = glyphs::read(text).filter(|_| !is_null_move) {
            if let Some(now) = self.lines.last_mut().filter(|_| self.skipped == 0) {
                found.into_iter().for_each(|glyph| now.glyph(glyph));
            }
            return;
        }
        if signs::is_repeated(text) {
            return;
        }
        self.begin(line);
        let is_main = self.lines.len() == 1;
        let Some(now) = self.lines.last_mut().filter(|_| self.skipped == 0) else { return };
        if now.is_over {
            return;
        }
        let (bare, signs) = signs::split_move(text);
        // A novelty may be marked by `N`.
        let forms = [Some((bare, "")), bare.strip_suffix('N').map(|bare| (bare, "N"))];
        for (bare, word) in forms.into_iter().flatten().filter(|_| !is_null_move) {
            let Ok(mv) = notation::parse_any(&now.now, bare) else { continue };
            if now.moves.len() >= MAX_MOVES {
                return self.cut(line, format!("a game of more than {MAX_MOVES} half-moves"));
            }
            now.push(mv);
            let found = [word, signs].into_iter().filter_map(glyphs::read).flatten();
            found.for_each(|glyph| now.glyph(glyph));
            return;
        }
        if !is_null_move && !now.moves.is_empty() && !signs::is_like_move(text) {
            return self.remark(line, format!("{:?}: not a move, left out", shown(text)));
        }
        now.is_over = true;
        let reason = notation::parse_any(&now.now, bare).err().unwrap_or_default();
        let reason = if is_null_move { "no move is made" } else { &reason };
        let number = replay::number_text(&now.now);
        let what = format!("move {number} {:?}: {reason}", shown(text));
        if is_main {
            self.fault = Some((line, what));
        } else {
            self.remark(line, format!("in a variation, {what}; what follows is left out"));
        }
    }

    /// Adds a comment, and the scores in a comment on a move of the game.
    fn comment(&mut self, line: usize, text: &str) {
        self.begin(line);
        let is_main = self.lines.len() == 1;
        let Some(now) = self.lines.last_mut().filter(|now| !now.is_over && self.skipped == 0)
        else {
            return;
        };
        now.comment(text);
        if is_main {
            let ply = now.moves.len();
            let found = scores::of_comment(text, now.now.side());
            let scores = (ply..).zip(found).filter(|(ply, _)| *ply > 0);
            self.scores.extend(scores.filter_map(|(ply, score)| Some((ply, score?))));
        }
    }

    fn open(&mut self, line: usize) {
        self.begin(line);
        let depth = self.lines.len();
        match self.lines.last().filter(|now| self.skipped == 0 && !now.is_over && depth < MAX_DEPTH)
        {
            Some(now) if !now.moves.is_empty() => {
                let variation = Line::new(now.moves.len(), now.before);
                self.lines.push(variation);
            }
            found => {
                let is_early = found.is_some();
                self.skipped += 1;
                if is_early {
                    self.remark(line, "a variation before the first move, left out");
                } else if depth == MAX_DEPTH && self.skipped == 1 {
                    self.remark(line, "variations within too many others, left out");
                }
            }
        }
    }

    fn close(&mut self, line: usize) {
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if self.lines.len() > 1 {
            self.join();
        } else if self.fault.is_none() {
            self.remark(line, "\")\" ends no variation");
        }
    }

    /// Attaches the last line as a variation to the one before it.
    fn join(&mut self) {
        let Some(done) = self.lines.pop() else { return };
        let Some(parent) = self.lines.last_mut() else { return };
        if done.moves.is_empty() {
            // Only a comment.
            done.annotations.comments.values().for_each(|text| parent.comment(text));
            return;
        }
        let (ply, moves) = (done.ply, done.texts());
        let variation = Variation { ply, moves, annotations: done.annotations };
        parent.annotations.variations.push(variation);
    }

    /// Returns the game with the result after its moves.
    fn done(mut self, result: Option<&'static str>) -> FileGame {
        let line = self.line;
        self.begin(line);
        if self.lines.len() > 1 || self.skipped > 0 {
            if self.fault.is_none() {
                self.remark(line, "a variation has no end");
            }
            while self.lines.len() > 1 {
                self.join();
            }
        }
        let is_empty = self.lines.iter().all(|main| main.moves.is_empty());
        if let Some((line, what)) = self.fault.take_if(|_| is_empty) {
            return FileGame { line, record: Err(anyhow!(what)) };
        }
        FileGame { line, record: Ok(self.record(result)) }
    }

    fn record(mut self, result: Option<&'static str>) -> Record {
        let fault = self.fault.take();
        let is_cut = fault.is_some();
        if let Some((line, what)) = fault {
            let what = format!("{what}; the moves before it are kept");
            self.remarks.push((line, what));
        }
        let main = self.lines.swap_remove(0);
        let moves = main.texts();
        let result = result.filter(|result| *result != OPEN);
        let result = result.or_else(|| signs::result(&signs::plain(self.value("Result")?)));
        let outcome = match result {
            Some(WHITE_WINS) => Some(self.won(RULES.sides[0])),
            Some(BLACK_WINS) => Some(self.won(RULES.sides[1])),
            Some(DRAWN) => Some(Outcome::Draw),
            _ => None,
        };
        let players = ["White", "Black"].map(|name| self.value(name).map(str::to_string));
        let id = self.value("GameId").map(str::to_string);
        let start = self.start_text().map(|_| fen::text(&main.start));
        let is_stored = |name: &str| match name.to_ascii_lowercase().as_str() {
            "white" => players[0].is_some(),
            "black" => players[1].is_some(),
            "result" => outcome.is_some(),
            _ => false,
        };
        let mut tags: Vec<_> = self.tags.into_iter().filter(|(name, _)| !is_stored(name)).collect();
        if outcome.is_none() && !tags.iter().any(|(name, _)| name == "Result") {
            tags.push(("Result".to_string(), OPEN.to_string()));
        }
        let remark = |(line, what)| format!("line {line}: {what}");
        Record {
            id,
            outcome,
            players,
            scores: self.scores,
            tags,
            annotations: main.annotations,
            remarks: self.remarks.into_iter().map(remark).collect(),
            is_cut,
            is_foreign: true,
            ..Record::new(&RULES, start, moves)
        }
    }

    /// Returns the outcome of a won game, with the failure of the loser that the tags tell.
    fn won(&self, name: &str) -> Outcome {
        let why = self.value("Termination").unwrap_or_default().to_ascii_lowercase();
        let failure = FAILURES.iter().find(|(word, _)| why.contains(word));
        failure.map_or(Outcome::won(name), |(_, failure)| Outcome::failed(name, failure))
    }
}
