//! Games as chess programs exchange them: portable game notation (PGN, S. Edwards, 1994), with the tags `SetUp`,
//! `FEN` and `Variant` of Chess960.

mod reader;
mod writer;

use crate::tools::game::format::FileFormat;

/// What the instruments need to know.
pub const FORMAT: FileFormat =
    FileFormat { name: "PGN", is_of_form, read: reader::read, write: writer::write };

/// The results of games, and the sides that they mean.
const WHITE_WINS: &str = "1-0";
const BLACK_WINS: &str = "0-1";
const DRAWN: &str = "1/2-1/2";
const OPEN: &str = "*";
/// The name of the variant.
const VARIANT: &str = "Chess960";

/// A text of tags, or of numbered moves.
fn is_of_form(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(line) = lines.find(|line| !line.starts_with(['%', ';'])) else { return false };
    let is_tag = line.strip_prefix('[').is_some_and(|rest| {
        rest.starts_with(|sign: char| sign.is_ascii_alphabetic()) && rest.contains('"')
    });
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    is_tag || digits > 0 && line[digits..].starts_with('.')
}

#[cfg(test)]
mod tests;
