//! Replacements of parts of a text.

use std::cmp::Reverse;
use std::ops::Range;

/// What replaces which bytes of a text.
pub type Edits = Vec<(Range<usize>, String)>;

/// The text after the edits. Within a replaced part nothing else changes; what is put in at its start stands before
/// what replaces it.
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
