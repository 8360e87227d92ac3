//! Signs and words of PGN in the forms that people and programs write.

use super::words::{BLACK_WINS, DRAWN, OPEN, WHITE_WINS};
use crate::tools::support::text::is_invisible;

/// Words after a move that repeat what the move itself shows.
const SAID_ANYWAY: [&str; 8] = ["e.p.", "e.p", "ep", "ep.", "ch", "ch.", "mate", "dbl"];
/// Maximum length of a result with spaces, in bytes.
const MAX_RESULT: usize = 64;
/// Texts of a null move.
const NULL_MOVES: [&str; 7] = ["--", "Z0", "z0", "null", "0000", "@@@@", "<>"];
/// Removes invisible characters and end-of-file marks from a line.
pub fn visible(text: &str) -> String {
    let shown = text.chars().filter(|sign| !is_invisible(*sign));
    shown.map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

/// Like [`visible`], for a text of several lines.
pub fn visible_lines(text: &str) -> String {
    text.lines().flat_map(|line| [visible(line), "\n".to_string()]).collect()
}

/// Normalises dashes and figurines of a word.
pub fn plain(word: &str) -> String {
    let sign = |sign: char| match sign {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => Some('-'),
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        // A pawn has no letter; a variation selector may follow a figurine.
        '♙' | '♟' | '\u{fe00}'..='\u{fe0f}' => None,
        '×' | '✕' => Some('x'),
        sign => Some(sign),
    };
    word.chars().filter_map(sign).collect()
}

/// Returns the length of a result with spaces at the beginning of a text.
pub fn spaced_result(text: &str) -> Option<usize> {
    // A short prefix, whatever follows it.
    let mut words = beginning(text, MAX_RESULT).split_whitespace();
    let (first, dash, last) = (words.next()?, words.next()?, words.next()?);
    let joined = format!("{first}-{last}");
    let is_result = plain(dash) == "-" && result(&joined).is_some_and(|found| found != OPEN);
    is_result.then(|| last.as_ptr() as usize - text.as_ptr() as usize + last.len())
}

/// Returns the result that a word means, as PGN writes it.
pub fn result(word: &str) -> Option<&'static str> {
    let word = word.trim_end_matches([',', '.', '!', '?']);
    let word = word.replace(':', "-").replace('½', "1/2");
    match word.as_str() {
        WHITE_WINS | "1-0F" => Some(WHITE_WINS),
        BLACK_WINS | "0-1F" => Some(BLACK_WINS),
        DRAWN | "1/2" | "0.5-0.5" => Some(DRAWN),
        OPEN => Some(OPEN),
        _ => None,
    }
}

/// Splits a result from the end of a move, as in `Qh4#0-1`.
pub fn split_result(word: &str) -> Option<(&str, &'static str)> {
    let ends = [DRAWN, "½-½", WHITE_WINS, BLACK_WINS, OPEN];
    let found = ends.into_iter().find_map(|end| Some((word.strip_suffix(end)?, end)))?;
    let (rest, end) = found;
    let is_move = rest.len() > 1 && number(rest).is_none_or(|(_, behind, _)| !behind.is_empty());
    Some((rest, result(end)?)).filter(|_| is_move)
}

/// Splits a word into a leading number, the rest, and the number of periods between them.
pub fn number(word: &str) -> Option<(usize, &str, usize)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, behind) = word.split_at(digits);
    if digits == 0 || !(behind.is_empty() || behind.starts_with(['.', '…'])) {
        return None;
    }
    let text = behind.trim_start_matches(['.', '…']);
    let points = behind.len() - text.len();
    Some((number.parse().unwrap_or(usize::MAX), text, points))
}

/// Splits a move from the signs after it.
pub fn split_move(word: &str) -> (&str, &str) {
    let is_sign = |sign: char| !sign.is_ascii_alphanumeric() && sign != ')';
    let bare = word.trim_end_matches(is_sign);
    let bare = if bare.contains('(') { bare } else { bare.trim_end_matches([')', ' ']) };
    let signs = &word[bare.len()..];
    let passing = ["e.p", "ep"].into_iter().find_map(|end| bare.strip_suffix(end));
    (passing.filter(|bare| bare.len() >= 4).unwrap_or(bare), signs)
}

/// Whether a word only repeats what the move before it shows.
pub fn is_repeated(word: &str) -> bool {
    SAID_ANYWAY.contains(&word)
}

/// Whether a word can be a move, even one that can't be read, rather than a mark or a remark on the move
/// before it.
pub fn is_like_move(word: &str) -> bool {
    word.contains(|sign: char| sign.is_ascii_digit())
        || word.to_ascii_uppercase().starts_with("O-O")
}

/// Whether a word is a null move.
pub fn is_null_move(word: &str) -> bool {
    NULL_MOVES.contains(&word)
}

/// Returns the beginning of a text, at most `length` bytes.
pub fn beginning(text: &str, length: usize) -> &str {
    let end = (0..=length.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}
