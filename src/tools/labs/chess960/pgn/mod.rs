//! Portable game notation (PGN, S. Edwards, 1994), with the tags `SetUp`, `FEN` and `Variant` of Chess960.

mod glyphs;
mod lexer;
mod reader;
mod scores;
mod signs;
mod words;
mod writer;

use super::replay;
use crate::tools::contracts::format::FileFormat;

/// Entry of the format.
pub const FORMAT: FileFormat = FileFormat {
    name: "PGN",
    is_of_form,
    read: reader::read,
    write: writer::write,
    judge: replay::judge,
    glyphs: glyphs::GLYPHS,
};

/// Whether a text begins with tags, comments or numbered moves, or has a tag in its first lines.
fn is_of_form(text: &str) -> bool {
    let text = signs::visible_lines(text);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_tag = |line: &str| lexer::tag(line).is_some_and(|(.., length)| length == line.len());
    if text.lines().any(|line| is_tag(line.trim())) {
        return true;
    }
    let Some(line) = lines.find(|line| !line.starts_with(['%', ';'])) else { return false };
    // JSON, not PGN.
    let begins = |sign: char| {
        let behind = line.strip_prefix(sign).map(str::trim_start);
        behind.is_some_and(|behind| !behind.starts_with(['"', '{', '[']))
    };
    let is_number = signs::number(line.split_whitespace().next().unwrap_or_default())
        .is_some_and(|(_, _, points)| points > 0);
    begins('[') || begins('{') && line != "{}" || is_number
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
