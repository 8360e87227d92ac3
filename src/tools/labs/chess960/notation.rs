//! Move notations of chess players and programs: standard algebraic notation (SAN, as in the PGN standard of S.
//! Edwards, 1994, including castling in Chess960) and UCI's, which has two forms of castling.

use super::fen;
use super::rules::RULES;
use crate::games::chess960::attacks;
use crate::games::chess960::game::{self, MoveError};
use crate::games::chess960::movegen;
use crate::games::chess960::position::{castled, Position};
use crate::games::chess960::types::{Kind, Move, Square};
use crate::tools::contracts::capitalised;
use std::fmt;

/// Kingside and queenside castling.
const CASTLING: [&str; 2] = ["O-O", "O-O-O"];
/// Letters of pieces in German, French, Spanish, Italian and Dutch that are not also English ones: `R` is no king, and
/// `P` no knight.
const FOREIGN_PIECES: [(char, Kind); 7] = [
    ('D', Kind::Queen),
    ('T', Kind::Rook),
    ('L', Kind::Bishop),
    ('F', Kind::Bishop),
    ('S', Kind::Knight),
    ('C', Kind::Knight),
    ('A', Kind::Bishop),
];
/// Text of a null move.
pub const PASS: &str = "--";

/// Why a text is not a move in SAN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SanError {
    /// It does not have the form of a move.
    Form,
    /// No legal move matches.
    Illegal,
    /// Several legal moves match; these are their full texts.
    Ambiguous(Vec<String>),
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Form => f.write_str("not a move: expected one like e4, Nf3, exd8=Q or O-O"),
            SanError::Illegal => f.write_str("illegal: the position has no such move"),
            SanError::Ambiguous(moves) => write!(f, "ambiguous: {}", moves.join(" or ")),
        }
    }
}

impl std::error::Error for SanError {}

/// Formats a legal move in SAN.
pub fn san(position: &Position, mv: Move) -> String {
    let mut text =
        if mv.is_castling() { CASTLING[side_of(mv)].to_string() } else { plain_san(position, mv) };
    let next = position.make(mv);
    if next.checkers().any() {
        text.push(if movegen::has_moves(&next) { '+' } else { '#' });
    }
    text
}

/// Formats a move other than castling, without a check symbol.
fn plain_san(position: &Position, mv: Move) -> String {
    let kind = position.moved(mv);
    let is_capture = position.is_capture(mv);
    let mut text = match kind {
        Kind::Pawn if is_capture => Square::file_letter(mv.from().file()).to_string(),
        Kind::Pawn => String::new(),
        _ => kind.letter().to_ascii_uppercase().to_string() + &origin(position, mv, kind),
    };
    if is_capture {
        text.push('x');
    }
    text += &mv.to().to_string();
    if let Some(promotion) = mv.promotion() {
        text.push('=');
        text.push(promotion.letter().to_ascii_uppercase());
    }
    text
}

/// Returns the disambiguation from other pieces of the same kind: nothing, the file, the rank, or both.
fn origin(position: &Position, mv: Move, kind: Kind) -> String {
    let from = mv.from();
    let rivals: Vec<Square> = movegen::moves(position)
        .iter()
        .filter(|other| other.to() == mv.to() && other.from() != from && !other.is_castling())
        .filter(|other| position.moved(**other) == kind)
        .map(|other| other.from())
        .collect();
    let file = Square::file_letter(from.file()).to_string();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        file
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

/// Formats the moves of a line in SAN, up to the first illegal one.
pub fn san_line(position: &Position, line: &[Move]) -> Vec<String> {
    let mut now = *position;
    let mut texts = Vec::new();
    for &mv in line {
        if !movegen::is_legal(&now, mv) {
            break;
        }
        texts.push(san(&now, mv));
        now = now.make(mv);
    }
    texts
}

/// Parses a legal move in SAN. Check symbols and annotation marks are optional, castling may be written with zeros, a
/// promotion without `=`, and the origin in more detail than needed.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let text = text.strip_suffix("e.p.").unwrap_or(text);
    let (castling, pattern) = (castling_side(text), Pattern::read(text));
    let fits = |&mv: &Move| match (castling, &pattern) {
        (Some(side), _) => mv.is_castling() && side == side_of(mv),
        (None, Some(pattern)) => !mv.is_castling() && pattern.fits(position, mv),
        (None, None) => false,
    };
    let found: Vec<Move> = movegen::moves(position).iter().copied().filter(fits).collect();
    match found[..] {
        [mv] => Ok(mv),
        [] if castling.is_none() && pattern.is_none() => Err(SanError::Form),
        [] => Err(SanError::Illegal),
        _ => Err(SanError::Ambiguous(found.iter().map(|&mv| san(position, mv)).collect())),
    }
}

/// Returns 0 or 1 for castling as in [`CASTLING`], in either case.
fn castling_side(text: &str) -> Option<usize> {
    let text = text.replace(['0', 'o'], "O");
    CASTLING.iter().position(|castling| [*castling, &castling.replace('-', "")].contains(&&*text))
}

/// Returns the index in [`CASTLING`] of a castling move.
fn side_of(mv: Move) -> usize {
    usize::from(mv.to().file() < mv.from().file())
}

/// Returns the piece of a letter in English or another language.
fn kind_of(letter: char) -> Option<Kind> {
    let foreign = FOREIGN_PIECES.iter().find(|(other, _)| *other == letter);
    Kind::from_letter(letter).or(foreign.map(|(_, kind)| *kind))
}

/// The parts of a move's text.
struct Pattern {
    kind: Kind,
    file: Option<usize>,
    rank: Option<usize>,
    to: Square,
    promotion: Option<Kind>,
}

impl Pattern {
    fn read(text: &str) -> Option<Pattern> {
        let piece = text.chars().next().filter(char::is_ascii_uppercase);
        let (kind, text) = match piece {
            Some(letter) => (kind_of(letter)?, &text[1..]),
            None => (Kind::Pawn, text),
        };
        let (text, promotion) = Pattern::split_promotion(text)?;
        let squares: String =
            text.chars().filter(|character| !matches!(character, 'x' | ':' | '-')).collect();
        let (origin, to) = squares.split_at_checked(squares.len().checked_sub(2)?)?;
        let (mut file, mut rank) = (None, None);
        for character in origin.bytes() {
            match character {
                b'a'..=b'h' if file.is_none() && rank.is_none() => {
                    file = Some(usize::from(character - b'a'));
                }
                b'1'..=b'8' if rank.is_none() => rank = Some(usize::from(character - b'1')),
                _ => return None,
            }
        }
        Some(Pattern { kind, file, rank, to: to.parse().ok()?, promotion })
    }

    /// Removes a promotion from the end: `=Q`, `(Q)` or `Q`.
    fn split_promotion(text: &str) -> Option<(&str, Option<Kind>)> {
        let text = text.strip_suffix(')').unwrap_or(text);
        let Some(letter) = text.chars().last().filter(char::is_ascii_alphabetic) else {
            return Some((text, None));
        };
        let kind = kind_of(letter)?;
        Some((text[..text.len() - 1].trim_end_matches(['=', '(', '/']), Some(kind)))
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let from = mv.from();
        position.moved(mv) == self.kind
            && mv.to() == self.to
            && mv.promotion() == self.promotion
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
    }
}

/// Formats a move in UCI notation. Castling is written as the squares of king and rook if `is_chess960` is set,
/// otherwise as the king's two squares; if those could be another king move, it is always the first form.
pub fn uci(mv: Move, is_chess960: bool) -> String {
    if mv.is_castling() && !is_chess960 && fen::castles_classically(mv.from(), mv.to()) {
        let (king_to, _) = castled(mv.from(), mv.to());
        return format!("{}{king_to}", mv.from());
    }
    mv.to_string()
}

/// Parses a legal move in UCI notation, with castling in either form.
pub fn parse_uci(position: &Position, text: &str) -> Result<Move, MoveError> {
    let found = game::parse_move(position, text);
    if found != Err(MoveError::Illegal) {
        return found;
    }
    let moves = movegen::moves(position);
    let text = text.to_ascii_lowercase();
    let castles_so = |mv: &&Move| {
        let (king_to, _) = castled(mv.from(), mv.to());
        mv.is_castling() && format!("{}{king_to}", mv.from()) == text
    };
    moves.iter().find(castles_so).copied().ok_or(MoveError::Illegal)
}

/// Error message for a promotion without a piece.
fn promotions(position: &Position, text: &str) -> Option<String> {
    let bare = text.trim_end_matches(['+', '#', '!', '?', '=']);
    let found = parse_san(position, &format!("{bare}=Q")).ok()?;
    found.promotion()?;
    let forms = ["Q", "R", "B", "N"].map(|piece| format!("{bare}={piece}"));
    Some(format!("illegal: a pawn that promotes names its piece, {}", forms.join(", ")))
}

/// Explains why the king can't castle with the rook on this square.
fn why_no_castling(position: &Position, rook: Option<Square>) -> String {
    let side = position.side();
    let Some(rook) = rook.filter(|&rook| position.castling().has(rook)) else {
        return "no right to castle there: the king or that rook has moved".to_string();
    };
    if position.checkers().any() {
        return "the king can't castle out of check".to_string();
    }
    let king = position.king(side);
    let (king_to, rook_to) = castled(king, rook);
    let way = attacks::between(king, king_to) | king_to.bit();
    let all = way | attacks::between(king, rook) | attacks::between(rook, rook_to) | rook_to.bit();
    let others = position.occupied() ^ king.bit() ^ rook.bit();
    if let Some(square) = (all & others).into_iter().next() {
        return format!("the piece on {square} is in the way of castling");
    }
    let is_attacked =
        |square: &Square| position.is_attacked(*square, !side, position.occupied() ^ king.bit());
    match way.into_iter().find(is_attacked) {
        Some(square) => format!("{square}, on the king's way, is attacked"),
        None => "castling would leave the king in check".to_string(),
    }
}

/// Returns the rook that castling to a side would move, if the side to move has the right.
fn castling_rook(position: &Position, side: usize) -> Option<Square> {
    let king = position.king(position.side());
    let rooks = position.castling() & position.colour(position.side());
    rooks.into_iter().find(|rook| usize::from(rook.file() < king.file()) == side)
}

/// Explains why a move between two squares is illegal.
pub fn why_illegal(position: &Position, from: Square, to: Square) -> String {
    let side = position.side();
    let Some(kind) = position.kind_on(from) else { return format!("there is no piece on {from}") };
    let name = capitalised(RULES.sides[side.index()]);
    if position.colour_on(from) != Some(side) {
        return format!("{name} is to move");
    }
    let piece = format!("the {} on {from}", kind_name(kind));
    let in_check = position.checkers().any();
    let ahead = attacks::of(kind, from, position.occupied()).has(to);
    let goes_so = match kind {
        Kind::Pawn => true,
        _ => ahead && position.colour_on(to) != Some(side),
    };
    match (kind, in_check) {
        (Kind::King, _) if position.castling().has(to) && !ahead => {
            why_no_castling(position, Some(to))
        }
        (Kind::King, _) if !ahead && from.rank() == to.rank() => {
            let side = usize::from(to.file() < from.file());
            why_no_castling(position, castling_rook(position, side))
        }
        (Kind::King, _) if goes_so => format!("the king would be in check on {to}"),
        (_, true) if goes_so => format!("{name} is in check, and that does not help"),
        (_, _) if position.pinned().has(from) && goes_so => {
            format!("{piece} is pinned: the king would be in check")
        }
        _ => format!("a {} can't go from {from} to {to}", kind_name(kind)),
    }
}

/// Returns the English name of a piece.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "pawn",
        Kind::Knight => "knight",
        Kind::Bishop => "bishop",
        Kind::Rook => "rook",
        Kind::Queen => "queen",
        Kind::King => "king",
    }
}

/// Error message for an illegal move in either notation.
fn illegal(position: &Position, text: &str) -> String {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let is_lower = !text.starts_with(|letter: char| letter.is_ascii_uppercase());
    if text.len() == 4 && is_lower && castling_side(text).is_none() {
        let square = |range| text.get(range).and_then(|text: &str| text.parse::<Square>().ok());
        if let (Some(from), Some(to)) = (square(0..2), square(2..4)) {
            return format!("illegal: {}", why_illegal(position, from, to));
        }
    }
    if let Some(side) = castling_side(text) {
        return format!("illegal: {}", why_no_castling(position, castling_rook(position, side)));
    }
    let Some(Pattern { kind, file, rank, to, promotion }) = Pattern::read(text) else {
        return SanError::Illegal.to_string();
    };
    let origin = match (file.map(Square::file_letter), rank.map(|rank| rank + 1)) {
        (Some(file), Some(rank)) => format!(" on {file}{rank}"),
        (Some(file), None) => format!(" on the {file}-file"),
        (None, Some(rank)) => format!(" on rank {rank}"),
        (None, None) => String::new(),
    };
    let verb = if promotion.is_some() { "promote on" } else { "go to" };
    format!("illegal: no {}{origin} can {verb} {to}", kind_name(kind))
}

/// Plays a move of a variation, in either notation or a null move. Returns the position after it and the move; `None`
/// for a null move.
pub fn step(position: &Position, text: &str) -> Result<(Position, Option<Move>), String> {
    if text == PASS {
        let is_legal = !position.checkers().any();
        let next = is_legal.then(|| (position.make_null(), None));
        return next.ok_or_else(|| "a king in check can't pass".to_string());
    }
    parse_any(position, text).map(|mv| (position.make(mv), Some(mv)))
}

/// Parses a legal move in either notation, where `B4f6` is a bishop's move and `b4f6` may be any piece's. Returns the
/// more helpful of both errors.
pub fn parse_any(position: &Position, text: &str) -> Result<Move, String> {
    let san_error = match parse_san(position, text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let is_lower = !text.starts_with(|letter: char| letter.is_ascii_uppercase());
    let found = if is_lower { parse_uci(position, text) } else { Err(MoveError::Form) };
    let uci_error = match found {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    if let Some(mv) = by_small_piece(position, text) {
        return Ok(mv);
    }
    Err(match (uci_error, san_error) {
        (MoveError::Form, SanError::Form) => {
            "not a move: expected one like e2e4 or e4, g1f3 or Nf3, e7e8q or e8=Q, O-O".to_string()
        }
        (MoveError::Illegal, SanError::Form) => illegal(position, text),
        (error, SanError::Form) => error.to_string(),
        (_, SanError::Illegal) => {
            promotions(position, text).unwrap_or_else(|| illegal(position, text))
        }
        (_, error) => error.to_string(),
    })
}

/// Parses a move whose piece letter is in lower case.
fn by_small_piece(position: &Position, text: &str) -> Option<Move> {
    let (piece, rest) = text.split_at_checked(1)?;
    let is_piece = matches!(piece, "n" | "b" | "r" | "q" | "k");
    parse_san(position, &(piece.to_ascii_uppercase() + rest)).ok().filter(|_| is_piece)
}

#[cfg(test)]
mod tests;
