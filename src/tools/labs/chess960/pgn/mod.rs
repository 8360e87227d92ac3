//! Portable game notation (PGN, S. Edwards, 1994), with the tags `SetUp`, `FEN` and `Variant` of Chess960.
//!
//! Reading has three parts: the lexer, which knows the [`spellings`], the builder of one game's tree of moves, and the
//! reader, which divides a text into games.

mod builder;
mod lexer;
mod reader;
mod scores;
mod spellings;
mod writer;

use super::replay;
use crate::tools::contracts::game_files::FileFormat;

/// Entry of the format.
pub const FORMAT: FileFormat = FileFormat {
    name: "PGN",
    is_of_form,
    read: reader::read,
    write: writer::write,
    judge: replay::judge,
    glyphs: spellings::GLYPHS,
};

/// Whether a text begins with tags, comments or numbered moves, or has a tag in its first lines.
fn is_of_form(text: &str) -> bool {
    let mut lines = text.lines().map(spellings::visible);
    if lines.clone().any(|line| lexer::is_tag_line(&line)) {
        return true;
    }
    let is_text = |line: &String| !line.trim().is_empty() && !line.starts_with(['%', ';']);
    let Some(line) = lines.find(is_text) else { return false };
    let line = line.trim();
    // JSON, not PGN.
    let begins = |character: char| {
        let after = line.strip_prefix(character).map(str::trim_start);
        after.is_some_and(|after| !after.starts_with(['"', '{', '[']))
    };
    let is_number = lexer::number(line.split_whitespace().next().unwrap_or_default())
        .is_some_and(|(_, points, _)| points > 0);
    begins('[') || begins('{') && line != "{}" || is_number
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
