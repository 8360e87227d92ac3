//! Reading PGN. Comments are skipped but for scores in them, variations and glyphs wholly.

use super::{BLACK_WINS, DRAWN, OPEN, WHITE_WINS};
use crate::engine::score::{self, Score};
use crate::games::chess960::game::{Game, ACCEPT, OFFER, RESIGN};
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::types::Colour;
use crate::tools::chess960::{notation, replay, ENTRY};
use crate::tools::game::format::Numbered;
use crate::tools::game::record::{Record, DRAW};
use anyhow::{bail, ensure, Context, Result};
use std::collections::BTreeMap;

/// Variants that are played by the rules of chess, in small letters without blanks and signs.
const VARIANTS: [&str; 8] = [
    "chess960",
    "fischerandom",
    "fischerrandom",
    "chess",
    "standard",
    "normal",
    "fromposition",
    "fischerrandomchess",
];
/// How a game ended that its rules did not end, where nobody says.
const UNTOLD: &str = "unknown";

/// A part of the text, with the number of its line.
struct Token {
    line: usize,
    kind: Kind,
}

#[derive(Debug, PartialEq)]
enum Kind {
    Tag(String, String),
    Comment(String),
    /// Moves, numbers, results.
    Word(String),
}

/// All games of a text, with the lines where they begin.
pub fn read(text: &str) -> Result<Numbered> {
    let mut games = Vec::new();
    let mut reader: Option<Reader> = None;
    for token in tokens(text)? {
        let line = token.line;
        // Tags behind moves begin another game, whose end nobody has told.
        let begins = matches!(token.kind, Kind::Tag(..));
        if let Some(done) = reader.take_if(|reader| begins && reader.game.is_some()) {
            games.push(done.record(None)?);
        }
        let current = reader.get_or_insert_with(|| Reader::new(line));
        let taken = match token.kind {
            Kind::Tag(name, value) => current.tag(name, value),
            Kind::Comment(text) => {
                current.comment(&text);
                Ok(())
            }
            Kind::Word(word) if [WHITE_WINS, BLACK_WINS, DRAWN, OPEN].contains(&word.as_str()) => {
                games.extend(reader.take().map(|done| done.record(Some(&word))).transpose()?);
                Ok(())
            }
            Kind::Word(word) => current.word(&word),
        };
        taken.with_context(|| format!("line {line}"))?;
    }
    // Nothing but a comment is no game.
    let last = reader.filter(|reader| reader.game.is_some() || !reader.tags.is_empty());
    games.extend(last.map(|last| last.record(None)).transpose()?);
    Ok(games)
}

/// The tokens of a text. Variations and glyphs are left out.
fn tokens(text: &str) -> Result<Vec<Token>> {
    let mut tokens = Vec::new();
    // Where the variations begin that are open.
    let mut open: Vec<usize> = Vec::new();
    let mut lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
    while let Some((text, mut line)) = lines.next() {
        if text.starts_with('%') {
            continue;
        }
        let mut rest = text.trim_start();
        while let Some(sign) = rest.chars().next() {
            let mut end = sign.len_utf8();
            match sign {
                ';' => {
                    push(&mut tokens, &open, line, Kind::Comment(rest[1..].to_string()));
                    end = rest.len();
                }
                '{' => {
                    let mut comment = String::new();
                    let begun = line;
                    rest = &rest[1..];
                    // The comment may go on in later lines.
                    while !rest.contains('}') {
                        comment.push_str(rest);
                        comment.push(' ');
                        let next = lines.next();
                        let has_no_end = || format!("line {begun}: the comment has no end");
                        (rest, line) = next.with_context(has_no_end)?;
                    }
                    let (last, behind) = rest.split_once('}').unwrap_or_default();
                    comment.push_str(last);
                    push(&mut tokens, &open, begun, Kind::Comment(comment));
                    rest = behind.trim_start();
                    continue;
                }
                '[' if open.is_empty() => {
                    let (tag, length) = tag(rest).with_context(|| format!("line {line}"))?;
                    push(&mut tokens, &open, line, tag);
                    end = length;
                }
                '(' => open.push(line),
                ')' => ensure!(open.pop().is_some(), "line {line}: \")\" ends no variation"),
                '.' | ']' | '}' => {}
                '$' => end += rest[1..].bytes().take_while(u8::is_ascii_digit).count(),
                _ => {
                    let is_end = |sign: char| sign.is_whitespace() || "{}();$[]".contains(sign);
                    end = rest.find(is_end).unwrap_or(rest.len()).max(end);
                    push(&mut tokens, &open, line, Kind::Word(rest[..end].to_string()));
                }
            }
            rest = rest[end..].trim_start();
        }
    }
    match open.first() {
        Some(line) => bail!("line {line}: the variation has no end"),
        None => Ok(tokens),
    }
}

/// Adds a token, unless it is in a variation.
fn push(tokens: &mut Vec<Token>, open: &[usize], line: usize, kind: Kind) {
    if open.is_empty() {
        tokens.push(Token { line, kind });
    }
}

/// A tag at the beginning of a text, and its length.
fn tag(text: &str) -> Result<(Kind, usize)> {
    let form = || "expected a tag like [White \"name\"]";
    let (name, _) = text[1..].split_once('"').with_context(form)?;
    let start = 1 + name.len() + 1;
    let mut value = String::new();
    let mut is_escaped = false;
    for (at, sign) in text[start..].char_indices() {
        match sign {
            '\\' if !is_escaped => is_escaped = true,
            '"' if !is_escaped => {
                let behind = start + at + 1;
                let close = text[behind..].find(']').with_context(form)?;
                let name = name.trim();
                ensure!(!name.is_empty() && !name.contains(char::is_whitespace), form());
                return Ok((Kind::Tag(name.to_string(), value), behind + close + 1));
            }
            _ => {
                is_escaped = false;
                value.push(sign);
            }
        }
    }
    bail!(form())
}

/// Reads one game.
struct Reader {
    line: usize,
    tags: BTreeMap<String, String>,
    /// Begun by the first move.
    game: Option<Game>,
    /// The movers' scores by the number of the move.
    scores: BTreeMap<usize, Score>,
}

impl Reader {
    fn new(line: usize) -> Reader {
        Reader { line, tags: BTreeMap::new(), game: None, scores: BTreeMap::new() }
    }

    fn tag(&mut self, name: String, value: String) -> Result<()> {
        let plain = |text: &str| text.to_ascii_lowercase().replace([' ', '-', '_'], "");
        match name.as_str() {
            "Variant" if !VARIANTS.contains(&plain(&value).as_str()) => {
                bail!("variant {value:?} is another game")
            }
            "FEN" => {
                Position::from_fen(&value, CastlingRule::Arena).context("tag FEN")?;
            }
            _ => {}
        }
        self.tags.insert(name, value);
        Ok(())
    }

    /// What a tag says, unless it says that nobody knows.
    fn known(&self, name: &str) -> Option<&str> {
        let value = self.tags.get(name)?.trim();
        Some(value).filter(|value| !value.is_empty() && *value != "?")
    }

    /// The game, begun where it is not yet.
    fn game(&mut self) -> Result<&mut Game> {
        let start = self.tags.get("FEN").map(String::as_str);
        if self.game.is_none() {
            self.game = Some(crate::tools::chess960::begin(start)?);
        }
        self.game.as_mut().context("begun above")
    }

    /// Takes a number, which is skipped, or a move.
    fn word(&mut self, word: &str) -> Result<()> {
        let behind_number = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let is_number = behind_number.len() < word.len() && !behind_number.starts_with('-');
        let is_number = is_number && (behind_number.is_empty() || behind_number.starts_with('.'));
        let text = if is_number { behind_number.trim_start_matches(['.', '…']) } else { word };
        let is_sign = text.chars().all(|sign| "!?+-=/~□∞±∓⩲⩱N".contains(sign));
        if text.is_empty() || text == "e.p." || is_sign && text != "--" {
            return Ok(());
        }
        let game = self.game()?;
        let mv = notation::parse_any(game.position(), text).map_err(|reason| {
            let number = replay::number_text(game.position());
            anyhow::anyhow!("move {number} {text:?}: {reason}")
        })?;
        game.push(mv);
        Ok(())
    }

    /// Takes the score of a comment behind a move. Match runners write the mover's before the move, in pawns:
    /// `+0.35/12 0.1s`, `-M3`. Servers write White's after it: `[%eval 0.35]`, `[%eval #-3]`.
    fn comment(&mut self, text: &str) {
        let Some(game) = &self.game else { return };
        let ply = game.moves().len();
        if ply == 0 {
            return;
        }
        if let Some((_, rest)) = text.split_once("[%eval ") {
            let value = rest.split([']', ',']).next().unwrap_or_default();
            let is_other = game.position().side() == Colour::Black;
            self.scores.extend(pawns(value.trim(), is_other).map(|score| (ply + 1, score)));
        } else {
            let value = text.split(['/', ' ']).find(|word| !word.is_empty()).unwrap_or_default();
            // Other numbers may be anything.
            let is_score = value.starts_with(['+', '-', '0']) && value.contains(['.', 'M']);
            self.scores.extend(pawns(value, false).filter(|_| is_score).map(|score| (ply, score)));
        }
    }

    /// The record of the game, with the result behind its moves.
    fn record(mut self, result: Option<&str>) -> Result<(usize, Record)> {
        let line = self.line;
        self.game().with_context(|| format!("line {line}"))?;
        let game = self.game.take().unwrap_or_default();
        let start = self.tags.get("FEN").cloned();
        let mut moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let result = result.filter(|result| *result != OPEN).or(self.known("Result"));
        let outcome = match result {
            Some(WHITE_WINS) => Some(self.won(Colour::White, &game, &mut moves)),
            Some(BLACK_WINS) => Some(self.won(Colour::Black, &game, &mut moves)),
            Some(DRAWN) => {
                // An agreement, as the arena has it.
                if let Some(last) = moves.last_mut().filter(|_| game.outcome().is_none()) {
                    last.push(OFFER);
                    moves.push(ACCEPT.to_string());
                }
                Some(DRAW.to_string())
            }
            _ => None,
        };
        let players = ["White", "Black"].map(|name| self.known(name).map(str::to_string));
        let id = self.known("GameId").or(self.known("Round")).map(str::to_string);
        let scores = self.scores;
        let record = Record { id, outcome, players, scores, ..Record::new(&ENTRY, start, moves) };
        Ok((line, record))
    }

    /// The outcome where a side has won: on the board, by the other one's failure, or by its resignation, which
    /// is added to the moves.
    fn won(&self, winner: Colour, game: &Game, moves: &mut Vec<String>) -> String {
        let name = ENTRY.sides[winner.index()];
        if game.outcome().is_some_and(|outcome| outcome.winner == Some(winner)) {
            return name.to_string();
        }
        let why = self.known("Termination").unwrap_or("normal").to_ascii_lowercase();
        if ["normal", "adjudication", "unterminated"].contains(&why.as_str()) {
            if game.position().side() != winner && game.outcome().is_none() {
                moves.push(RESIGN.to_string());
                return name.to_string();
            }
            return format!("{name}-{UNTOLD}");
        }
        format!("{name}-{}", why.replace(char::is_whitespace, "_"))
    }
}

/// A score in pawns, or moves to a mate: `+0.35`, `-M3`, `#-3`. `is_other`: from the view of the other side than
/// the one to move.
fn pawns(text: &str, is_other: bool) -> Option<Score> {
    let text = text.replace('#', "M");
    let mate = text
        .strip_prefix('M')
        .map(|rest| (rest.starts_with('-'), rest.trim_start_matches(['-', '+'])));
    let mate = mate.or_else(|| {
        let (sign, rest) = text.split_at_checked(1)?;
        rest.strip_prefix('M').map(|moves| (sign == "-", moves))
    });
    if let Some((is_lost, moves)) = mate {
        let moves = moves.parse::<usize>().ok().filter(|moves| (1..MAX_MATE).contains(moves))?;
        return Some(if is_lost != is_other {
            score::lost_in(2 * moves)
        } else {
            score::win_in(2 * moves - 1)
        });
    }
    let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.abs() < 1e6)?;
    let pawns = if is_other { -pawns } else { pawns };
    Some(score::clamp_eval((pawns * 100.0).round() as Score))
}

/// A mate is further away in no score.
const MAX_MATE: usize = 400;
