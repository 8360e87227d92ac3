//! Spellings: what people and programs write for results, null moves, variants, terminations and annotation glyphs.

use crate::tools::contracts::game_files::Glyph;
use crate::tools::support::text::is_invisible;

/// Game results as PGN writes them.
pub const WHITE_WINS: &str = "1-0";
pub const BLACK_WINS: &str = "0-1";
pub const DRAWN: &str = "1/2-1/2";
pub const OPEN: &str = "*";
/// A result by which both sides lose, which looks like castling.
pub const BOTH_LOSE: &str = "0-0";
/// Value of the tag `Variant`.
pub const VARIANT: &str = "Chess960";

/// Spellings of results, after [`plain`].
const RESULTS: [(&str, &str); 13] = [
    (WHITE_WINS, WHITE_WINS),
    ("1:0", WHITE_WINS),
    ("1-0F", WHITE_WINS),
    (BLACK_WINS, BLACK_WINS),
    ("0:1", BLACK_WINS),
    ("0-1F", BLACK_WINS),
    (DRAWN, DRAWN),
    ("1/2:1/2", DRAWN),
    ("1/2", DRAWN),
    ("½-½", DRAWN),
    ("½", DRAWN),
    ("0.5-0.5", DRAWN),
    (OPEN, OPEN),
];
/// Results that may be glued to a move, as in `Qh4#0-1`.
const GLUED: [&str; 5] = [DRAWN, "½-½", WHITE_WINS, BLACK_WINS, OPEN];
/// Spellings of a null move.
const NULL_MOVES: [&str; 7] = ["--", "Z0", "null", "pass", "0000", "@@@@", "<>"];
/// Spellings of `en passant` after a move.
const EN_PASSANT: [&str; 4] = ["e.p.", "e.p", "ep.", "ep"];
/// Variants that follow the rules of chess: letters and digits in lower case, without the word `chess`.
const CHESS: [&str; 5] = ["", "standard", "normal", "classical", "fromposition"];
/// Variants that begin with one of the 960 start positions: letters and digits in lower case, without the word `chess`.
const FISCHER: [&str; 9] = [
    "960",
    "frc",
    "dfrc",
    "fischerandom",
    "fischerrandom",
    "960fischerrandom",
    "freestyle",
    "9lx",
    "wildfr",
];
/// Words in the tag `Termination`, in lower case, with the loser's failure as records name it.
const FAILURES: [(&str, &str); 4] = [
    ("time", "time_forfeit"),
    ("abandon", "abandoned"),
    ("resign", "resigned"),
    ("rules infraction", "rules_infraction"),
];
/// Values of the tag `Termination`, with the failures in records for which they are written.
const TERMINATIONS: [(&str, &[&str]); 3] = [
    ("rules infraction", &["rules_infraction", "illegal", "garbage"]),
    ("time forfeit", &["time_forfeit", "timeout", "wall_time", "cpu_time", "silence"]),
    ("normal", &["resigned"]),
];
/// Value of the tag `Termination` for other failures, e.g. a crash.
const ABANDONED: &str = "abandoned";

/// Creates a glyph. `forms` are the texts that mean it, the usual one first.
const fn glyph(number: u16, forms: &'static [&'static str], text: &'static str) -> Glyph {
    Glyph { number, forms, text }
}

/// The numeric annotation glyphs (NAGs) that have a symbol or a word. Others are shown by their numbers.
pub const GLYPHS: &[Glyph] = &[
    glyph(1, &["!"], "good move"),
    glyph(2, &["?"], "mistake"),
    glyph(3, &["!!", "‼"], "brilliant move"),
    glyph(4, &["??", "⁇"], "blunder"),
    glyph(5, &["!?", "⁉"], "interesting move"),
    glyph(6, &["?!", "⁈"], "dubious move"),
    glyph(7, &["□"], "only move"),
    glyph(10, &["="], "equal"),
    glyph(13, &["∞"], "unclear"),
    glyph(14, &["⩲", "+="], "White is slightly better"),
    glyph(15, &["⩱", "=+"], "Black is slightly better"),
    glyph(16, &["±", "+/-"], "White is better"),
    glyph(17, &["∓", "-/+"], "Black is better"),
    glyph(18, &["+-"], "White is winning"),
    glyph(19, &["-+"], "Black is winning"),
    glyph(22, &["⨀", "zz"], "zugzwang"),
    glyph(32, &["⟳"], "lead in development"),
    glyph(36, &["↑"], "initiative"),
    glyph(40, &["→"], "attack"),
    glyph(44, &["=∞", "⯹"], "compensation"),
    glyph(132, &["⇆"], "counterplay"),
    glyph(138, &["⊕"], "time trouble"),
    glyph(140, &["∆", "△"], "with the idea"),
    glyph(142, &["⌓"], "better is"),
    glyph(145, &["RR"], "editorial comment"),
    glyph(146, &["N", "TN"], "novelty"),
    glyph(220, &["D"], "diagram"),
];

/// Whether the tag `Variant` names chess (`Some(false)`) or Chess960 (`Some(true)`); `None` for another game.
pub fn is_fischer(variant: &str) -> Option<bool> {
    let plain: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase().replace("chess", "");
    let is_fischer = FISCHER.contains(&plain.as_str());
    (is_fischer || CHESS.contains(&plain.as_str())).then_some(is_fischer)
}

/// Returns the loser's failure as stated by the tag `Termination`.
pub fn failure(termination: &str) -> Option<&'static str> {
    let text = termination.to_ascii_lowercase();
    FAILURES.iter().find(|(word, _)| text.contains(word)).map(|(_, failure)| *failure)
}

/// Returns the value of the tag `Termination` for a failure of the loser.
pub fn termination(failure: &str) -> &'static str {
    let found = TERMINATIONS.iter().find(|(_, failures)| failures.contains(&failure));
    found.map_or(ABANDONED, |(text, _)| text)
}

/// Removes invisible characters and end-of-file marks from a line.
pub fn visible(text: &str) -> String {
    let shown = text.chars().filter(|character| !is_invisible(*character));
    shown.map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// Normalises dashes and figurines of a word.
pub fn plain(word: &str) -> String {
    let replaced = |character: char| match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => Some('-'),
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        // A pawn has no letter; a variation selector may follow a figurine.
        '♙' | '♟' | '\u{fe00}'..='\u{fe0f}' => None,
        '×' | '✕' => Some('x'),
        character => Some(character),
    };
    word.chars().filter_map(replaced).collect()
}

/// Returns the result that a plain word means.
pub fn result(word: &str) -> Option<&'static str> {
    RESULTS.iter().find(|(spelling, _)| *spelling == word).map(|(_, result)| *result)
}

/// Returns a move without the result that is glued to its end.
pub fn without_result(word: &str) -> &str {
    let bare = GLUED.iter().find_map(|result| word.strip_suffix(result));
    bare.filter(|bare| bare.len() > 1).unwrap_or(word)
}

/// Returns the length of a null move at the beginning of a word; a glyph may follow it.
pub fn null_move(word: &str) -> Option<usize> {
    let begins = |text: &&&str| {
        let head = word.get(..text.len());
        let ends = |rest: &str| {
            !rest.starts_with(|character: char| character.is_alphanumeric() || character == '-')
        };
        head.is_some_and(|head| head.eq_ignore_ascii_case(text) && ends(&word[text.len()..]))
    };
    NULL_MOVES.iter().find(begins).map(|text| text.len())
}

/// Returns a move without the words for en passant; nothing remains of the words alone.
pub fn without_en_passant(word: &str) -> &str {
    let bare = EN_PASSANT.iter().find_map(|end| word.strip_suffix(end));
    bare.filter(|bare| bare.is_empty() || bare.len() >= "exd6".len()).unwrap_or(word)
}

/// Returns the glyph that a text means.
pub fn glyph_of(text: &str) -> Option<u16> {
    GLYPHS.iter().find(|glyph| glyph.forms.contains(&text)).map(|glyph| glyph.number)
}

/// Returns the glyphs of the symbols after a move, in order. Check symbols and punctuation are skipped.
pub fn glyphs_of(mut symbols: &str) -> Vec<u16> {
    let mut found = Vec::new();
    while let Some(character) = symbols.chars().next() {
        let forms =
            GLYPHS.iter().flat_map(|glyph| glyph.forms.iter().map(|form| (form, glyph.number)));
        let longest = forms
            .filter(|(form, _)| symbols.starts_with(**form))
            .max_by_key(|(form, _)| form.len());
        found.extend(longest.map(|(_, number)| number));
        symbols = &symbols[longest.map_or(character.len_utf8(), |(form, _)| form.len())..];
    }
    found
}
