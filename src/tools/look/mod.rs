//! What the pages have in common: one look, and the parts of their scripts.

/// The colours, and the style of boards, lists and curves.
pub const STYLE: &str = include_str!("look.css");
/// Elements, the sides beside the board, moves in a list, the curve of scores.
pub const SCRIPT: &str = include_str!("parts.js");
