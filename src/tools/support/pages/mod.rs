//! HTML pages: the shared style sheet, the shared script, and the template engine.

pub mod template;

use crate::tools::support::files::{ensure_begins, ensure_replaceable};
use anyhow::Result;
use std::path::Path;

/// First bytes of every page.
const START: &[u8] = b"<!DOCTYPE html>";

/// Fails if the file can't be written, or if it exists and is not a page.
pub fn ensure_page(path: &Path) -> Result<()> {
    ensure_begins(path, START, "page in HTML")?;
    ensure_replaceable(path)
}

/// Style sheet: colours, boards, lists and score graphs.
pub const STYLE: &str = include_str!("look.css");
/// Shared script: elements, the sides beside the board, the move list, the score graph.
pub const SCRIPT: &str = include_str!("parts.js");
