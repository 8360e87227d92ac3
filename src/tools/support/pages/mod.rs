//! HTML pages: the shared style sheet, the shared script, and the template engine.

pub mod template;

/// Style sheet: colours, boards, lists and score graphs.
pub const STYLE: &str = include_str!("look.css");
/// Shared script: elements, the sides beside the board, the move list, the score graph.
pub const SCRIPT: &str = include_str!("parts.js");

/// Joins the script of a page: the shared script, a game's board, and the page's script. Of the names that the board's
/// script defines, only `board` is visible to the page.
pub fn script(board: &str, page: &str) -> String {
    format!("'use strict';\n{SCRIPT}const board = (() => {{\n{board}return board;\n}})();\n{page}")
}
