//! What the pages have in common: one look, the parts of their scripts, and how a template is filled in.

pub mod template;

/// The colours, and the style of boards, lists and curves.
pub const STYLE: &str = include_str!("look.css");
/// Elements, the sides beside the board, moves in a list, the curve of scores.
pub const SCRIPT: &str = include_str!("parts.js");

/// The whole script of a page: the parts, a game's board, and the page's own. What the game's script names
/// beside `board` stays its own.
pub fn script(board: &str, page: &str) -> String {
    format!("'use strict';\n{SCRIPT}const board = (() => {{\n{board}return board;\n}})();\n{page}")
}
