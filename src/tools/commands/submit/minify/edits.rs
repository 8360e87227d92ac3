//! Text edits.

use std::cmp::Reverse;
use std::ops::Range;

/// Replacements of byte ranges of a text.
pub type Edits = Vec<(Range<usize>, String)>;

/// Applies edits to a text. Edits within a replaced range are ignored; insertions at its start come before the
/// replacement.
pub fn apply(text: &str, mut edits: Edits) -> String {
    edits.sort_by_key(|(range, _)| (range.start, !range.is_empty(), Reverse(range.end)));
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for (range, with) in edits {
        if range.start >= done {
            result.push_str(&text[done..range.start]);
            result.push_str(&with);
            done = range.end;
        }
    }
    result.push_str(&text[done..]);
    result
}

#[cfg(test)]
mod tests;
