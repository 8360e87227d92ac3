//! Builds the tree of moves of one game from its tokens.

use super::lexer::Token;
use super::spellings::{self, BLACK_WINS, BOTH_LOSE, DRAWN, OPEN, VARIANT, WHITE_WINS};
use super::{scores, writer::MAX_DEPTH};
use crate::engine::score::Score;
use crate::games::chess960::game::Game;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::tools::contracts::game_files::FileGame;
use crate::tools::contracts::record::{Annotations, Outcome, Record, Variation};
use crate::tools::labs::chess960::rules::RULES;
use crate::tools::labs::chess960::{fen, notation, replay};
use crate::tools::support::text::shown;
use anyhow::anyhow;
use std::collections::BTreeMap;

/// Maximum size of a game's tokens, in bytes.
const MAX_GAME: usize = 8 << 20;
/// Size of a token without its text, in bytes.
const TOKEN_BYTES: usize = 2;
/// Maximum number of plies: by FIDE's rules a game is drawn long before.
const MAX_MOVES: usize = 20_000;
/// Maximum number of tags per game, not counting the result; others are dropped.
const MAX_TAGS: usize = 499;
/// Maximum number of remarks per game.
pub const MAX_REMARKS: usize = 20;
/// Letter and glyph of a novelty. The letter may follow the move without a blank.
const NOVELTY: (char, u16) = ('N', 146);

/// A line of moves: the game or a variation.
struct Line {
    /// Number of the move that the first one replaces.
    ply: usize,
    /// The positions before and after the last move.
    before: Position,
    now: Position,
    moves: Vec<String>,
    annotations: Annotations,
    /// Whether a move that can't be read has ended it.
    is_over: bool,
}

impl Line {
    fn new(ply: usize, start: Position) -> Line {
        let annotations = Annotations::default();
        Line { ply, before: start, now: start, moves: Vec::new(), annotations, is_over: false }
    }

    /// Plays a move; only a variation may have null moves.
    fn play(&mut self, text: &str, is_main: bool) -> Result<(), String> {
        let (next, mv) = notation::step(&self.now, text)?;
        let Some(text) = mv.map(|mv| mv.to_string()).or((!is_main).then(|| text.to_string()))
        else {
            return Err("a null move is allowed only in a variation".to_string());
        };
        (self.before, self.now) = (self.now, next);
        self.moves.push(text);
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        if !text.is_empty() {
            let comment = self.annotations.comments.entry(self.moves.len()).or_default();
            *comment += if comment.is_empty() { "" } else { " " };
            *comment += text;
        }
    }

    fn glyphs(&mut self, glyphs: &[u16]) {
        if !self.moves.is_empty() && !self.is_over {
            let known = self.annotations.glyphs.entry(self.moves.len()).or_default();
            // A glyph may repeat the symbol before it.
            glyphs.iter().for_each(|glyph| known.extend((!known.contains(glyph)).then_some(glyph)));
        }
    }
}

/// Builds a game.
#[derive(Default)]
pub struct GameBuilder {
    /// Number of its first line.
    line: usize,
    tags: Vec<(String, String)>,
    /// The position given by the tags.
    start: Option<Position>,
    /// The game and its open variations, from the first move or annotation on.
    lines: Vec<Line>,
    /// Number of open variations that are skipped.
    skipped: usize,
    /// Scores for the mover by the number of the move after them.
    scores: BTreeMap<usize, Score>,
    remarks: Vec<(usize, String)>,
    /// The error that prevents reading the game or further moves.
    fault: Option<(usize, String)>,
    /// The result after the moves, which ends the game.
    result: Option<&'static str>,
    /// Whether an empty line precedes.
    pub is_after_blank: bool,
    bytes: usize,
}

impl GameBuilder {
    /// Creates a game that begins on a line.
    pub fn new(line: usize) -> GameBuilder {
        GameBuilder { line, ..GameBuilder::default() }
    }

    /// Adds a remark on a part that is not used.
    pub fn remark(&mut self, line: usize, what: impl Into<String>) {
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push((line, what.into()));
        }
    }

    /// Whether its result has been read. Only comments may follow.
    pub fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// Whether there are neither tags nor moves.
    fn is_nothing(&self) -> bool {
        self.tags.is_empty() && self.lines.first().is_none_or(|main| main.moves.is_empty())
    }

    /// Whether this token begins another game.
    pub fn ends_before(&self, token: &Token) -> bool {
        let has_text = !self.lines.is_empty();
        match token {
            Token::Tag(name, _) => {
                has_text
                    || self.tags.iter().any(|(other, _)| other == name) && self.is_after_blank
                    || name == "Event" && self.value(name).is_some()
            }
            Token::BadTag(_) => has_text && self.is_after_blank,
            Token::Number { number: 1, is_whites: true, begins_line: true } if has_text => {
                let (is_within, is_cut) = (self.is_within(), self.fault.is_some());
                let has_moves = self.lines.iter().all(|line| !line.moves.is_empty());
                (self.is_after_blank || !is_within && !is_cut) && (has_moves || is_cut)
            }
            _ => false,
        }
    }

    /// Whether a variation is open.
    fn is_within(&self) -> bool {
        self.lines.len() + self.skipped > 1
    }

    /// Adds a token. `is_last`: an empty line, a tag or the end of the text follows.
    pub fn token(&mut self, line: usize, token: Token, is_last: bool) {
        self.count(line, &token);
        match token {
            Token::Tag(name, value) if self.tags.len() < MAX_TAGS => self.tags.push((name, value)),
            Token::Tag(name, _) => {
                self.remark(line, format!("tag {name:?}: too many tags, ignored"))
            }
            Token::BadTag(text) => self.remark(line, format!("malformed tag {text:?}, ignored")),
            Token::Comment { text, is_closed } => {
                if !is_closed {
                    self.remark(line, "the comment is not closed");
                }
                self.comment(line, &text);
            }
            Token::Glyphs(glyphs) if self.skipped == 0 => {
                self.lines.iter_mut().last().into_iter().for_each(|now| now.glyphs(&glyphs));
            }
            Token::Open => self.open(line),
            Token::Close => self.close(line),
            Token::Move(text) if text == BOTH_LOSE && self.is_both_lose(line, is_last) => {
                self.end(line, OPEN);
            }
            Token::Move(text) => self.make_move(line, &text),
            // In a variation a result is a remark, unless it was left open.
            Token::Result(result) if is_last || !self.is_within() => self.end(line, result),
            Token::TooLong => self.cut(line, "the line is too long".to_string()),
            Token::Glyphs(_) | Token::Result(_) | Token::Number { .. } | Token::Blank => {}
        }
    }

    fn count(&mut self, line: usize, token: &Token) {
        let was_within = self.bytes <= MAX_GAME;
        self.bytes += match token {
            Token::Comment { text, .. } | Token::Move(text) => text.len() + TOKEN_BYTES,
            _ => TOKEN_BYTES,
        };
        if was_within && self.bytes > MAX_GAME {
            self.cut(line, format!("the game has more than {} MiB of text", MAX_GAME >> 20));
        }
    }

    /// Ends reading of moves.
    fn cut(&mut self, line: usize, why: String) {
        self.fault.get_or_insert((line, why));
        self.lines.iter_mut().for_each(|line| line.is_over = true);
    }

    /// Starts the moves from the position given by the tags.
    fn begin(&mut self, line: usize) {
        if !self.lines.is_empty() {
            return;
        }
        let variant = self.value("Variant").unwrap_or_default();
        let is_fischer = spellings::is_fischer(variant);
        if is_fischer.is_none() {
            let what = format!("variant {:?} is another game", shown(variant));
            self.fault.get_or_insert((line, what));
        }
        let found = self.start_text().map(|text| fen::read(text, CastlingRule::Arena));
        match found {
            Some(Ok(found)) => {
                found.remarks.into_iter().for_each(|r| self.remark(line, format!("tag FEN: {r}")));
                self.start = Some(found.position);
            }
            Some(Err(error)) => self.fault = Some((line, format!("tag FEN: {error:#}"))),
            None if is_fischer == Some(true) => {
                let what =
                    "no tag FEN says where it begins: read from the position of classical chess";
                self.remark(line, format!("tag Variant says {VARIANT}, and {what}"));
            }
            None => {}
        }
        let is_over = self.fault.is_some();
        let start = self.start.unwrap_or(*Game::default().start());
        self.lines.push(Line { is_over, ..Line::new(1, start) });
    }

    /// Returns the value of a tag, whatever the case of its name, unless it means unknown.
    fn value(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))?;
        Some(value.trim()).filter(|value| !value.is_empty() && *value != "?")
    }

    fn start_text(&self) -> Option<&str> {
        self.value("FEN").filter(|text| !["-", "startpos"].contains(text))
    }

    /// Whether `0-0` is the result of a game that both sides lose, rather than castling.
    fn is_both_lose(&mut self, line: usize, is_last: bool) -> bool {
        self.begin(line);
        let [main] = &self.lines[..] else { return false };
        let has_tag = self.value("Result").is_some_and(|text| spellings::plain(text) == BOTH_LOSE);
        let can_castle = !main.is_over && notation::parse_san(&main.now, BOTH_LOSE).is_ok();
        if can_castle {
            is_last && has_tag
        } else {
            is_last || has_tag
        }
    }

    /// Plays a move in the current line.
    fn make_move(&mut self, line: usize, text: &str) {
        self.begin(line);
        let is_main = self.lines.len() == 1;
        let is_full = self.lines.last().is_some_and(|now| now.moves.len() >= MAX_MOVES);
        if is_full {
            return self.cut(line, format!("a game of more than {MAX_MOVES} half-moves"));
        }
        let skipped = self.skipped;
        let now = self.lines.last_mut().filter(|now| skipped == 0 && !now.is_over);
        let Some(now) = now else { return };
        let Err(reason) = now.play(text, is_main) else { return };
        let bare = text.strip_suffix(NOVELTY.0);
        if bare.is_some_and(|bare| now.play(bare, is_main).is_ok()) {
            return now.glyphs(&[NOVELTY.1]);
        }
        let is_like_move = text == notation::PASS
            || text.contains(|character: char| character.is_ascii_digit())
            || text.to_ascii_uppercase().starts_with("O-O");
        if !is_like_move && !now.moves.is_empty() {
            return self.remark(line, format!("{:?}: not a move, ignored", shown(text)));
        }
        now.is_over = true;
        let number = replay::number_text(&now.now);
        let what = format!("move {number} {:?}: {reason}", shown(text));
        if is_main {
            self.fault = Some((line, what));
        } else {
            self.remark(line, format!("in a variation, {what}; the rest of it is ignored"));
        }
    }

    /// Adds a comment, and the scores in a comment on a move of the game.
    pub fn comment(&mut self, line: usize, text: &str) {
        self.begin(line);
        let is_main = self.lines.len() == 1;
        let skipped = self.skipped;
        let now = self.lines.last_mut().filter(|now| skipped == 0 && !now.is_over);
        let Some(now) = now else { return };
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
        let skipped = self.skipped;
        let found = self.lines.last().filter(|now| skipped == 0 && !now.is_over);
        match found {
            Some(now) if !now.moves.is_empty() && depth < MAX_DEPTH => {
                let variation = Line::new(now.moves.len(), now.before);
                return self.lines.push(variation);
            }
            Some(_) if depth < MAX_DEPTH => {
                self.remark(line, "a variation before the first move, ignored");
            }
            Some(_) => self.remark(line, "variations nested too deeply, ignored"),
            None => {}
        }
        self.skipped += 1;
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
        let Some(Line { ply, moves, annotations, .. }) = self.lines.pop() else { return };
        let Some(parent) = self.lines.last_mut() else { return };
        if moves.is_empty() {
            // Only a comment.
            annotations.comments.values().for_each(|text| parent.comment(text));
            return;
        }
        parent.annotations.variations.push(Variation { ply, moves, annotations });
    }

    /// Ends the game and its open variations.
    fn end(&mut self, line: usize, result: &'static str) {
        self.begin(line);
        if self.is_within() && self.fault.is_none() {
            self.remark(self.line, "a variation is not closed");
        }
        self.skipped = 0;
        while self.lines.len() > 1 {
            self.join();
        }
        self.result = Some(result);
    }

    /// Returns the game; its first remark as an error if there is no game.
    pub fn done(mut self) -> Result<FileGame, Option<(usize, String)>> {
        if self.is_nothing() {
            return Err(self.fault.or(self.remarks.into_iter().next()));
        }
        let line = self.line;
        if self.result.is_none() {
            self.end(line, OPEN);
        }
        let is_empty = self.lines.iter().all(|main| main.moves.is_empty());
        if let Some((line, what)) = self.fault.take_if(|_| is_empty) {
            return Ok(FileGame { line, record: Err(anyhow!(what)) });
        }
        Ok(FileGame { line, record: Ok(self.record()) })
    }

    /// Returns the results after the moves and in the tag, if they are known.
    fn results(&self) -> [Option<&'static str>; 2] {
        let tagged =
            self.value("Result").and_then(|text| spellings::result(&spellings::plain(text)));
        [self.result, tagged].map(|result| result.filter(|result| *result != OPEN))
    }

    fn record(mut self) -> Record {
        let fault = self.fault.take();
        let is_cut = fault.is_some();
        if let Some((line, what)) = fault {
            self.remarks.push((line, format!("{what}; the moves before it are kept")));
        }
        let [after, tagged] = self.results();
        let is_contradicted = after.is_some() && tagged.is_some() && after != tagged;
        if let (Some(after), Some(tagged), true) = (after, tagged, is_contradicted) {
            let what = format!(
                "tag Result {tagged:?}: the result after the moves is {after:?}, which is used"
            );
            self.remark(self.line, what);
        }
        let outcome = match after.or(tagged) {
            Some(WHITE_WINS) => Some(self.won(RULES.sides[0])),
            Some(BLACK_WINS) => Some(self.won(RULES.sides[1])),
            Some(DRAWN) => Some(Outcome::Draw),
            _ => None,
        };
        let players = ["White", "Black"].map(|name| self.value(name).map(str::to_string));
        let id = self.value("GameId").map(str::to_string);
        let is_stored = |name: &str| match name.to_ascii_lowercase().as_str() {
            "white" => players[0].is_some(),
            "black" => players[1].is_some(),
            "result" => outcome.is_some() && !is_contradicted,
            _ => false,
        };
        let mut tags: Vec<_> = self.tags.into_iter().filter(|(name, _)| !is_stored(name)).collect();
        if outcome.is_none() && !tags.iter().any(|(name, _)| name == "Result") {
            tags.push(("Result".to_string(), OPEN.to_string()));
        }
        let main = self.lines.swap_remove(0);
        let remark = |(line, what)| format!("line {line}: {what}");
        let start = self.start.map(|start| fen::text(&start));
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
            ..Record::new(&RULES, start, main.moves)
        }
    }

    /// Returns the outcome of a won game, with the loser's failure as stated by the tags.
    fn won(&self, name: &str) -> Outcome {
        let failure = self.value("Termination").and_then(spellings::failure);
        failure.map_or(Outcome::won(name), |failure| Outcome::failed(name, failure))
    }
}
