//! HTML pages: the shared style sheet, the shared script, and the template engine.

pub mod template;

/// Style sheet: colours, boards, lists and score graphs.
pub const STYLE: &str = include_str!("look.css");
/// Shared script: elements, the sides beside the board, the move list, the score graph.
pub const SCRIPT: &str = include_str!("parts.js");
