//! PGN reader. An error affects only its own game, and of it only the part after the error.

use super::lexer::{Kind, Lexer};
use super::signs;
use super::words::{BLACK_WINS, DRAWN, MAX_DEPTH, OPEN, VARIANT, WHITE_WINS};
use crate::engine::score::{self, Score};
use crate::games::chess960::game::{Game, ACCEPT, OFFER, RESIGN};
use crate::games::chess960::position::Position;
use crate::games::chess960::types::{Colour, Move};
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
/// Termination of a game whose reason is unknown.
const UNKNOWN_TERMINATION: &str = "unknown";
/// Tags that are stored in other fields of the record.
const MEANT: [&str; 7] = ["White", "Black", "Result", "FEN", "SetUp", "Variant", "Termination"];
/// Maximum length of a game's text, in bytes.
const MAX_GAME: usize = 8 << 20;
/// Maximum number of plies: by FIDE's rules a game is drawn long before.
const MAX_MOVES: usize = 20_000;
/// Maximum number of tags per game; others are dropped.
const MAX_TAGS: usize = 500;
/// Maximum number of remarks per game.
const MAX_REMARKS: usize = 20;

/// Passes on all games of a text.
pub fn read(input: &mut dyn BufRead, take: &mut Take) -> Result<()> {
    let mut lexer = Lexer::default();
    let mut reader = Reader { current: None, strays: Vec::new(), take };
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
    take: &'a mut Take<'b>,
}

impl Reader<'_, '_> {
    fn token(&mut self, line: usize, kind: Kind) -> Result<()> {
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
                Kind::Close | Kind::Comment(_) | Kind::Glyph(_) => return Ok(()),
                Kind::Word(word, _) if signs::result(word).is_some() || signs::is_sign(word) => {
                    return Ok(());
                }
                Kind::OpenComment(begun) => {
                    self.stray(*begun, "the comment has no end");
                    return Ok(());
                }
                _ => {}
            }
        }
        let game = self.current.get_or_insert_with(|| PgnBuilder { line, ..PgnBuilder::default() });
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

    fn glyph(&mut self, glyph: u8) {
        if !self.moves.is_empty() && !self.is_over {
            self.annotations.glyphs.entry(self.moves.len()).or_default().push(glyph);
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
    /// Scores for the mover by move number.
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
                self.remark(line, format!("tag {name:?}: one of too many, left out"))
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
        let found = self.start_text().map(fen::read_to_play);
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

    /// Reads a move number (skipped), a sign, or a move.
    fn word(&mut self, line: usize, word: &str) {
        let text = signs::number(word).map_or(word, |(_, behind, _)| behind);
        let text = text.trim_start_matches(['.', '…']);
        if text.is_empty() || signs::is_sign(text) && !signs::is_null_move(text) {
            if let (Some(now), Some(glyph)) = (self.lines.last_mut(), signs::glyph(text)) {
                now.glyph(glyph);
            }
            return;
        }
        self.begin(line);
        let is_main = self.lines.len() == 1;
        let Some(now) = self.lines.last_mut().filter(|_| self.skipped == 0) else { return };
        if now.is_over {
            return;
        }
        let (bare, signs) = signs::split_move(text);
        if !signs::is_null_move(text) {
            // A novelty may be marked by `N`.
            let bares = [Some(bare), bare.strip_suffix('N')];
            let read = |bare| notation::parse_any(&now.now, bare).ok();
            if let Some(mv) = bares.into_iter().flatten().find_map(read) {
                if now.moves.len() >= MAX_MOVES {
                    return self.cut(line, format!("a game of more than {MAX_MOVES} half-moves"));
                }
                now.push(mv);
                signs::glyph(signs).into_iter().for_each(|glyph| now.glyph(glyph));
                return;
            }
        }
        now.is_over = true;
        let reason = notation::parse_any(&now.now, bare).err().unwrap_or_default();
        let reason = if signs::is_null_move(text) { "no move is made" } else { &reason };
        let number = replay::number_text(&now.now);
        let what = format!("move {number} {:?}: {reason}", shown(text));
        if is_main {
            self.fault = Some((line, what));
        } else if !signs::is_null_move(text) {
            self.remark(line, format!("in a variation, {what}"));
        }
    }

    /// Adds a comment, and the score of a comment after a move of the game. Match runners write the mover's
    /// score in pawns: `+0.35/12 0.1s`, `-M3`. Servers write White's score after the move: `[%eval 0.35]`,
    /// `[%eval #-3]`.
    fn comment(&mut self, line: usize, text: &str) {
        self.begin(line);
        let is_main = self.lines.len() == 1;
        let Some(now) = self.lines.last_mut().filter(|now| !now.is_over && self.skipped == 0)
        else {
            return;
        };
        let ply = now.moves.len();
        if !is_main || ply == 0 {
            return now.comment(text);
        }
        if let Some((before, rest)) = text.split_once("[%eval ") {
            let (value, behind) = rest.split_once(']').unwrap_or((rest, ""));
            let value = value.split(',').next().unwrap_or_default();
            let value = Value::parse(value.trim());
            let value = value.map(|value| match now.now.side() {
                Colour::White => value,
                Colour::Black => value.reversed(),
            });
            self.scores.extend(value.map(|value| (ply + 1, value.score())));
            let parts = [before.trim(), behind.trim()];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            return now.comment(&parts.join(" "));
        }
        match runner_score(text) {
            Some((score, behind)) => {
                self.scores.insert(ply, score);
                now.comment(behind);
            }
            None => now.comment(text),
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
            let what = format!("{what}; what stands before it is read");
            self.remarks.push((line, what));
        }
        let main = self.lines.swap_remove(0);
        let mut game = Game::new(main.start);
        main.moves.iter().for_each(|&mv| game.push(mv));
        let mut moves = main.texts();
        let result = result.filter(|result| *result != OPEN);
        let result = result.or_else(|| signs::result(&signs::plain(self.value("Result")?)));
        let outcome = match result {
            Some(WHITE_WINS) => Some(self.won(Colour::White, &game, &mut moves, is_cut)),
            Some(BLACK_WINS) => Some(self.won(Colour::Black, &game, &mut moves, is_cut)),
            Some(DRAWN) => {
                // A draw by agreement in the arena's form.
                if let Some(last) = moves.last_mut().filter(|_| game.outcome().is_none() && !is_cut)
                {
                    last.push(OFFER);
                    moves.push(ACCEPT.to_string());
                }
                Some(Outcome::Draw)
            }
            _ => None,
        };
        let players = ["White", "Black"].map(|name| self.value(name).map(str::to_string));
        let id = self.value("GameId").or(self.value("Round")).map(str::to_string);
        let start = self.start_text().map(|_| main.start.to_string());
        let is_meant = |name: &str| MEANT.iter().any(|meant| meant.eq_ignore_ascii_case(name));
        let PgnBuilder { tags, scores, remarks, .. } = self;
        Record {
            id,
            outcome,
            players,
            scores,
            tags: tags.into_iter().filter(|(name, _)| !is_meant(name)).collect(),
            annotations: main.annotations,
            remarks: remarks
                .into_iter()
                .map(|(line, what)| format!("line {line}: {what}"))
                .collect(),
            is_cut,
            ..Record::new(&RULES, start, moves)
        }
    }

    /// Returns the outcome of a won game: on the board, by a failure of the other side, or by its
    /// resignation, which is added to the moves.
    fn won(&self, winner: Colour, game: &Game, moves: &mut Vec<String>, is_cut: bool) -> Outcome {
        let name = RULES.sides[winner.index()];
        if game.outcome().is_some_and(|outcome| outcome.winner == Some(winner)) {
            return Outcome::won(name);
        }
        let why = self.value("Termination").unwrap_or("normal").to_ascii_lowercase();
        if ["normal", "adjudication", "unterminated"].contains(&why.as_str()) {
            if game.position().side() != winner && game.outcome().is_none() && !is_cut {
                moves.push(RESIGN.to_string());
                return Outcome::won(name);
            }
            return Outcome::failed(name, UNKNOWN_TERMINATION);
        }
        Outcome::failed(name, &why.replace(char::is_whitespace, "_"))
    }
}

/// Parses the score of a match runner's comment and returns the text after it: a score alone, or with the
/// depth after a slash, and optionally the time. Other texts that begin with a number are plain comments.
fn runner_score(text: &str) -> Option<(Score, &str)> {
    let is_end = |sign: char| sign.is_whitespace() || ",/".contains(sign);
    let (value, rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
    let score = Value::parse(value)?.score();
    if !value.starts_with(['+', '-', '0']) || !value.contains(['.', 'M', '#']) {
        return None;
    }
    let depth =
        rest.strip_prefix('/').map(|rest| rest.trim_start_matches(|sign| !",; ".contains(sign)));
    let rest = depth.unwrap_or(rest).trim_start();
    let (word, behind) = rest.split_at(rest.find([' ', ',']).unwrap_or(rest.len()));
    let seconds = word.strip_suffix('s').and_then(|number| number.parse::<f64>().ok());
    let behind = seconds.map_or(rest, |_| behind);
    let is_of_runner = depth.is_some() || seconds.is_some() || rest.is_empty();
    is_of_runner.then(|| (score, behind.trim_start_matches([' ', ',', ';'])))
}

/// A score in a comment.
enum Value {
    /// In pawns.
    Pawns(f64),
    /// Mates in this many moves.
    Win(usize),
    /// Is mated in this many moves.
    Loss(usize),
}

impl Value {
    /// Parses a score in pawns, or moves to a mate: `+0.35`, `-M3`, `#-3`.
    fn parse(text: &str) -> Option<Value> {
        let text = text.replace('#', "M");
        let mate = text
            .strip_prefix('M')
            .map(|rest| (rest.starts_with('-'), rest.trim_start_matches(['-', '+'])));
        let mate = mate.or_else(|| {
            let (sign, rest) = text.split_at_checked(1)?;
            rest.strip_prefix('M').map(|moves| (sign == "-", moves))
        });
        if let Some((is_lost, moves)) = mate {
            let moves = moves.parse().ok().filter(|moves| (1..MAX_MATE).contains(moves))?;
            return Some(if is_lost { Value::Loss(moves) } else { Value::Win(moves) });
        }
        text.parse().ok().filter(|pawns: &f64| pawns.abs() < 1e6).map(Value::Pawns)
    }

    /// Returns the score from the other side's point of view.
    fn reversed(self) -> Value {
        match self {
            Value::Pawns(pawns) => Value::Pawns(-pawns),
            Value::Win(moves) => Value::Loss(moves),
            Value::Loss(moves) => Value::Win(moves),
        }
    }

    fn score(self) -> Score {
        match self {
            Value::Pawns(pawns) => score::clamp_eval((pawns * 100.0).round() as Score),
            Value::Win(moves) => score::win_in(2 * moves - 1),
            Value::Loss(moves) => score::lost_in(2 * moves),
        }
    }
}

/// Maximum distance of a mate, in moves.
const MAX_MATE: usize = 400;
