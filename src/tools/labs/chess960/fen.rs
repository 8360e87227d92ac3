//! Lenient FEN reader, with remarks on what was ignored.

use crate::games::chess960::fen::FenError;
use crate::games::chess960::game::MAX_HALFMOVES;
use crate::games::chess960::movegen::first_rank;
use crate::games::chess960::position::{CastlingRule, Position, MAX_PLIES};
use crate::games::chess960::start;
use crate::games::chess960::types::{Bitboard, Colour, Kind, Square};
use crate::tools::labs::placement::is_placement;
use crate::tools::support::text::{sanitize, shown};
use anyhow::{anyhow, ensure, Context, Result};
use std::fmt;

/// Number of slashes of a board.
const SLASHES: usize = 7;
/// The letters of the pieces.
const PIECE_LETTERS: &str = "kqrbnp";
/// Index of the castling rights among the fields.
const CASTLING: usize = 2;
/// An empty field.
const NONE: &str = "-";
/// Maximum value of a counter.
const MAX_COUNT: u32 = 9_999;
/// EPD operations for the counters.
const HALFMOVES_OPERATION: &str = "hmvc";
const NUMBER_OPERATION: &str = "fmvn";
/// EPD operation with moves.
const MOVES: &str = "moves";
/// EPD operations without quotes, of which the last one in a line may lack its semicolon.
const OPERATIONS: [&str; 16] = [
    "acd", "acn", "acs", "am", "bm", "ce", "dm", "eco", "fmvn", "hmvc", "id", "nic", "noop", "pm",
    "pv", "sm",
];
/// Quotation marks around a position.
const QUOTES: [char; 6] = ['"', '\'', '“', '”', '‘', '’'];
/// Words of UCI before a position, and for that of classical chess.
const POSITION: &str = "position";
const FEN: &str = "fen";
const STARTPOS: &str = "startpos";
/// A site whose addresses of positions are often pasted without a scheme.
const SITE: &str = "lichess.org/";

/// File of the king in classical chess.
const CLASSICAL_KING_FILE: usize = 4;
/// Files of its rooks.
const CLASSICAL_ROOK_FILES: [usize; 2] = [0, 7];

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

/// A position, and what was ignored in its text.
#[derive(Clone, Debug)]
pub struct Lenient {
    /// The position.
    pub position: Position,
    /// Descriptions of ignored or changed parts, one sentence each.
    pub remarks: Vec<String>,
}

/// The fields of a position's text, not checked for consistency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    pub board: String,
    /// `w` or `b`.
    pub side: &'static str,
    pub castling: String,
    pub en_passant: String,
    pub halfmoves: u32,
    pub number: u32,
}

/// Formats a position as X-FEN, which programs for classical chess read as well. A castling right is written as one of
/// `KQkq` if its rook is the outermost one, otherwise as the rook's file.
pub fn text(position: &Position) -> String {
    let mut castling = String::new();
    for side in Colour::ALL {
        let rank = Bitboard::rank(first_rank(side));
        let files = |squares: Bitboard| (squares & rank).into_iter().map(Square::file);
        let rooks: Vec<usize> = files(position.pieces(side, Kind::Rook)).collect();
        let mut rights: Vec<usize> = files(position.castling()).collect();
        rights.reverse();
        for file in rights {
            let letter = right_letter(file, position.king(side).file(), &rooks);
            castling.push(if side == Colour::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    let text = position.to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    if !castling.is_empty() {
        fields[CASTLING] = &castling;
    }
    fields.join(" ")
}

/// Returns the letter of the right to castle with the rook on a file, in lower case. `rooks` are the files of the
/// side's rooks on its first rank.
pub fn right_letter(file: usize, king: usize, rooks: &[usize]) -> char {
    match (rooks.iter().min(), rooks.iter().max()) {
        (_, Some(&last)) if file == last && file > king => 'k',
        (Some(&first), _) if file == first && file < king => 'q',
        _ => Square::file_letter(file),
    }
}

/// Whether the squares of king and rook are those of castling in classical chess.
pub fn castles_classically(king: Square, rook: Square) -> bool {
    king.file() == CLASSICAL_KING_FILE && CLASSICAL_ROOK_FILES.contains(&rook.file())
}

/// Whether the castling rights are those of classical chess, by kings and rooks on its squares.
pub fn is_classical(position: &Position) -> bool {
    let kings = Colour::ALL.map(|side| position.king(side));
    let castles = |king: &Square, rook: Square| {
        king.rank() == rook.rank() && castles_classically(*king, rook)
    };
    position.castling().into_iter().all(|rook| kings.iter().any(|king| castles(king, rook)))
}

/// Splits a text into fields, of which any after the board may be missing. Fails if the side to move is invalid.
pub fn fields(text: &str) -> Result<Fields> {
    let text = plain(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let board = words.first().context("expected a position, found nothing")?;
    let board = board.trim_end_matches('/').replace('~', "").replace("[]", "");
    let mut rest = &words[1..];
    let found = take(&mut rest, |word| side(word).is_some()).and_then(side);
    if let (None, Some(word)) = (found, rest.first()) {
        ensure!(is_operation(rest), "not a FEN: side {:?}, expected w or b", shown(word));
    }
    let castling = take(&mut rest, is_castling).unwrap_or(NONE).to_string();
    let en_passant = take(&mut rest, is_square).unwrap_or(NONE).to_ascii_lowercase();
    let (halfmoves, number) = counters(rest);
    Ok(Fields { board, side: found.unwrap_or("w"), castling, en_passant, halfmoves, number })
}

/// Parses a position. Fails only if the board is invalid: wrong number of ranks, files or kings, pawns on the last
/// ranks, or a king that can be captured.
pub fn read(text: &str, rule: CastlingRule) -> Result<Lenient> {
    let Fields { board, side, castling, en_passant, halfmoves, number } = fields(text)?;
    let mut remarks = Vec::new();
    let bare = format!("{board} {side}");
    let kept = castling_that_fits(&bare, &castling, rule);
    if kept != castling {
        remarks.push(format!("castling {castling:?}: no king and rook for it, read as {kept:?}"));
    }
    let with = |square: &str| {
        Position::from_fen(&format!("{bare} {kept} {square} {halfmoves} {number}"), rule)
    };
    let position = with(&en_passant).or_else(|_| {
        remarks.push(format!("en passant square {en_passant:?}: no pawn has just passed it"));
        with(NONE)
    });
    let position = position.map_err(|error| anyhow!(sanitize(&error_text(error))))?;
    Ok(Lenient { position, remarks })
}

/// Formats the error of a position that can't be read, with what was expected.
fn error_text(error: FenError) -> String {
    let (name, text) = match error {
        FenError::Impossible(why) => return format!("impossible position: {why}"),
        FenError::Field(name, text) => (name, text),
    };
    let rows = text.matches('/').count() + 1;
    match name {
        "board" if rows != SLASHES + 1 => {
            format!("not a FEN: {} rows expected, found {rows}", SLASHES + 1)
        }
        "board" => {
            format!("not a FEN: a row of {text:?} does not have 8 squares, or has an unknown piece")
        }
        _ => format!("not a FEN: {name} {text:?}"),
    }
}

/// Parses a position to play on from by the arena's rules. Counters that have reached the arena's limits start again.
pub fn read_to_play(text: &str) -> Result<Lenient> {
    let Lenient { position, mut remarks } = read(text, CastlingRule::Arena)?;
    let (mut halfmoves, mut number) = (position.halfmoves(), position.number());
    if halfmoves >= MAX_HALFMOVES {
        remarks.push(format!("{halfmoves} half-moves without progress: the count was reset to 0"));
        halfmoves = 0;
    }
    if position.ply() >= MAX_PLIES {
        remarks.push(format!("move {number}: the move number was reset to 1"));
        number = 1;
    }
    Ok(Lenient { position: position.with_clocks(halfmoves, number), remarks })
}

/// Returns what is ignored or changed in a position's text when a game starts from it.
pub fn remarks(text: &str) -> Vec<String> {
    read_to_play(text).map_or(Vec::new(), |found| found.remarks)
}

/// Returns the number of words of a position and the EPD operations after it; `None` if the words do not begin with a
/// position. UCI's words may precede it, and a web address may contain it.
pub fn count_words(words: &[&str]) -> Option<usize> {
    let before = usize::from(words.first() == Some(&POSITION));
    let before = before + usize::from(words.get(before) == Some(&FEN));
    let (first, mut rest) = words[before..].split_first()?;
    if *first == STARTPOS || of_address(first).is_some() {
        return Some(before + 1);
    }
    // Underscores may stand for spaces.
    let placement = first.split('_').next()?.trim_matches(QUOTES);
    // A single word may be a path.
    let is_board = !rest.is_empty() || is_placement(placement, PIECE_LETTERS);
    if first.matches('/').count() != SLASHES || !is_board {
        return None;
    }
    take(&mut rest, |word| side(word).is_some());
    take(&mut rest, is_castling);
    take(&mut rest, is_square);
    take(&mut rest, is_counter);
    take(&mut rest, is_counter);
    let fields = words.len() - rest.len();
    // The moves of EPD are moves of the record.
    rest = &rest[..rest.iter().position(|word| *word == MOVES).unwrap_or(rest.len())];
    let operations = rest.iter().rposition(|word| word.ends_with(';')).map_or(0, |last| last + 1);
    let is_open = match rest[operations..] {
        [name, ..] if OPERATIONS.contains(&name) || name.starts_with(';') => true,
        [_, value, ..] => value.starts_with('"'),
        _ => false,
    };
    Some(fields + if is_open { rest.len() } else { operations })
}

/// Returns the position in a web address, as in those of analysis boards: the last parts of its path, or `fen=...`.
fn of_address(word: &str) -> Option<String> {
    let address = word.trim_matches(QUOTES);
    if !address.contains("://") && !address.starts_with(SITE) {
        return None;
    }
    let text = match address.split_once("fen=") {
        Some((_, value)) => value.split('&').next()?,
        None => address.split(['?', '#']).next()?,
    };
    let text = text.replace("%20", " ").replace("%2F", "/").replace(['_', '+'], " ");
    let parts: Vec<&str> = text.split('/').collect();
    let ranks = &parts[parts.len().checked_sub(SLASHES + 1)?..];
    let is_rank = |rank: &&str| {
        rank.starts_with(|character: char| {
            character.is_ascii_digit() || PIECE_LETTERS.contains(character.to_ascii_lowercase())
        })
    };
    ranks.iter().all(is_rank).then(|| ranks.join("/"))
}

/// Normalises dashes and removes invisible characters, quotes, and what surrounds the position.
fn plain(text: &str) -> String {
    let replaced = |character: char| match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        character
            if character.is_control() || character == '\u{feff}' || QUOTES.contains(&character) =>
        {
            ' '
        }
        character => character,
    };
    let text: String = text.chars().map(replaced).collect();
    let text = text.trim();
    let text = text.strip_prefix(POSITION).map_or(text, str::trim_start);
    let text = text.strip_prefix(FEN).map_or(text, str::trim_start);
    if let Some(rest) = text.strip_prefix(STARTPOS) {
        return self::text(&start::classical(CastlingRule::Fide)) + rest;
    }
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match of_address(first) {
        Some(position) => format!("{position} {rest}"),
        // As in web addresses.
        None if rest.is_empty() => text.replace('_', " "),
        None => text.to_string(),
    }
}

/// Takes the first word if it fits without quotes.
fn take<'a>(words: &mut &[&'a str], fits: impl Fn(&str) -> bool) -> Option<&'a str> {
    let (first, rest) = words.split_first()?;
    let first = first.trim_matches(QUOTES);
    fits(first).then(|| {
        *words = rest;
        first
    })
}

fn side(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "w" | "white" => Some("w"),
        "b" | "black" => Some("b"),
        _ => None,
    }
}

fn is_castling(word: &str) -> bool {
    let is_letter = |letter: char| "kqabcdefgh".contains(letter.to_ascii_lowercase());
    word == NONE || word.chars().all(is_letter)
}

fn is_square(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word == NONE || matches!(word.as_bytes(), [b'a'..=b'h', b'3' | b'6'])
}

fn is_counter(word: &str) -> bool {
    word == NONE || count(word).is_some()
}

/// Parses a counter. Negative and huge values are clamped.
fn count(word: &str) -> Option<u32> {
    let word = word.trim_end_matches(';');
    let digits = word.trim_start_matches('-');
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if word != digits {
        return Some(0);
    }
    Some(digits.parse().unwrap_or(MAX_COUNT).min(MAX_COUNT))
}

/// Whether these words contain an EPD operation.
fn is_operation(words: &[&str]) -> bool {
    words.iter().any(|word| word.ends_with(';'))
}

/// Returns the letters of a castling field that have a king and a rook.
fn castling_that_fits(bare: &str, field: &str, rule: CastlingRule) -> String {
    let fits = |letter: &char| Position::from_fen(&format!("{bare} {letter}"), rule).is_ok();
    let kept: String = field.chars().filter(fits).collect();
    if kept.is_empty() {
        NONE.to_string()
    } else {
        kept
    }
}

/// Returns the half-move clock and the move number from the remaining words.
fn counters(mut rest: &[&str]) -> (u32, u32) {
    let mut next =
        |default| take(&mut rest, is_counter).map_or(default, |w| count(w).unwrap_or(default));
    let counted = (next(0), next(1));
    let operation = |name: &str| {
        let at = rest.iter().position(|word| *word == name)?;
        count(rest.get(at + 1)?)
    };
    let halfmoves = operation(HALFMOVES_OPERATION).unwrap_or(counted.0);
    (halfmoves, operation(NUMBER_OPERATION).unwrap_or(counted.1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn found(text: &str) -> (String, usize) {
        let found = read(text, CastlingRule::Fide).expect(text);
        (super::text(&found.position), found.remarks.len())
    }

    #[test]
    fn fens_of_other_programs_are_read() {
        let cases = [
            (format!("{BOARD} w KQkq - 0 1"), "w KQkq - 0 1", 0),
            (format!("\u{feff}\"{BOARD} W KQkq – - -\""), "w KQkq - 0 1", 0),
            (format!("{BOARD} w KQkq - 3 7;"), "w KQkq - 3 7", 0),
            (format!("{BOARD} b KQkq - bm e5; id \"a position\";"), "b KQkq - 0 1", 0),
            (format!("{BOARD} b KQkq - hmvc 12; fmvn 30;"), "b KQkq - 12 30", 0),
            (format!("{BOARD} w KQkq 4 5"), "w KQkq - 4 5", 0),
            (format!("{BOARD}_b_KQkq_-_0_9"), "b KQkq - 0 9", 0),
            (format!("{BOARD} w KQkq e3 0 1"), "w KQkq - 0 1", 1),
            (format!("{BOARD} b KQkq E6 -4 0"), "b KQkq - 0 1", 1),
            (format!("{BOARD} w KQkqCc - 0 99999999999"), "w KQkq - 0 9999", 1),
            (BOARD.to_string(), "w - - 0 1", 0),
            (format!("{BOARD} white HA - 120 80 more words"), "w KQ - 120 80", 0),
        ];
        for (text, expected, remarks) in cases {
            assert_eq!(found(&text), (format!("{BOARD} {expected}"), remarks), "{text}");
        }
        let (text, remarks) = found("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1");
        assert_eq!((text.as_str(), remarks), ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1));
        // Forms of the same rights: X-FEN names the inner rook only.
        for rights in ["HC", "KC", "CK"] {
            let (text, remarks) = found(&format!("4k3/8/8/8/8/8/8/R1R1K2R w {rights} - 0 1"));
            assert_eq!((text.as_str(), remarks), ("4k3/8/8/8/8/8/8/R1R1K2R w KC - 0 1", 0));
        }
        let many = "rnbqkbnr/pppppppp/8/8/8/QQQQQQQQ/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(found(many).1, 0);
    }

    #[test]
    fn impossible_boards_are_rejected() {
        for text in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1",
            "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x - - 0 1",
            "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KK2 w - - 0 1",
            "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            assert!(read(text, CastlingRule::Arena).is_err(), "{text}");
        }
    }

    #[test]
    fn expired_counters_are_reset_for_play() {
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - 143 131";
        let found = read_to_play(text).expect("a position");
        assert_eq!(found.position.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert_eq!(found.remarks.len(), 2);
        let strict = read(text, CastlingRule::Fide).expect("a position").position;
        assert_eq!((strict.halfmoves(), strict.number()), (143, 131));
    }

    #[test]
    fn the_words_of_a_position_are_counted() {
        let count = |rest: &str| {
            let text = format!("{BOARD} {rest}");
            count_words(&text.split_whitespace().collect::<Vec<_>>())
        };
        for (text, expected) in [
            ("w KQkq - 0 1 e4 e5", 6),
            ("w KQkq - e4 e5", 4),
            ("W KQkq e3 - - e4", 6),
            ("w KQkq - 0 1; e4", 6),
            ("w KQkq - bm e4; id \"x\"; e4", 8),
            ("w KQkq - bm e4; id \"an id\"", 9),
            ("w KQkq - bm e4 d4", 7),
            ("w KQkq - 0 1 ;D1 20 ;D2 400", 10),
            ("w KQkq - 0 1 c4 c5", 6),
            ("w KQkq - 0 1\" c4 c5", 6),
            ("e4 e5", 1),
        ] {
            assert_eq!(count(text), Some(expected), "{text}");
        }
        assert_eq!(count_words(&["e4"]), None);
        assert_eq!(count_words(&["position", "startpos", "moves", "e4"]), Some(2));
        assert_eq!(count_words(&["position", "fen", BOARD, "w", "moves", "e4"]), Some(4));
        assert_eq!(count_words(&["https://x.org/a/b/c/d/e/f/g"]), None);
        assert_eq!(count_words(&["/home/me/a/b/c/d/x.pgn"]), None);
        for position in [BOARD.to_string(), format!("“{BOARD}_w_-_-”")] {
            assert_eq!(count_words(&[&position]), Some(1));
        }
    }

    #[test]
    fn links_and_lines_of_uci_are_positions() {
        let fen = format!("{BOARD} b KQkq - 0 1");
        let line = fen.replace(' ', "_");
        for text in [
            format!("https://lichess.org/analysis/standard/{line}"),
            format!("https://lichess.org/analysis/{line}?color=black"),
            format!("lichess.org/analysis/chess960/{line}#12"),
            format!("https://lichess.org/editor/{}?x=1", line.replace('_', "%20")),
            format!(
                "https://x.org/analysis?fen={}&y=1",
                line.replace('_', "+").replace('/', "%2F")
            ),
            format!("position fen {fen}"),
            format!("fen {fen} moves"),
            format!("“{fen}”"),
        ] {
            assert_eq!(found(&text), (fen.clone(), 0), "{text}");
            let words: Vec<&str> = text.trim_end_matches(" moves").split(' ').collect();
            assert_eq!(count_words(&words), Some(words.len()), "{text}");
        }
        assert_eq!(found("position startpos").0, format!("{BOARD} w KQkq - 0 1"));
    }
}
