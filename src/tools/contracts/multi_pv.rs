//! The lines of a multi-PV search as the board shows them.

use super::board::{Finding, Line};
use super::record::for_first;
use super::score_note::height;
use super::Side;
use crate::engine::alpha_beta::SearchResult;
use crate::engine::score::Score;

/// Converts the lines of a search for `side` to what the board shows. `texts` writes the moves of a line, `score_text`
/// a score for the side that begins.
pub fn finding<'a, M: 'a>(
    found: impl IntoIterator<Item = &'a SearchResult<M>>,
    side: Side,
    texts: impl Fn(&[M]) -> Vec<String>,
    score_text: fn(Score) -> String,
) -> Finding {
    let mut finding = Finding::default();
    let mut depth = 0;
    for line in found {
        let score = for_first(line.score, side);
        depth = depth.max(line.depth);
        finding.nodes = finding.nodes.max(line.nodes);
        let moves = texts(&line.line);
        finding.lines.push(Line { height: height(score), score: score_text(score), moves });
    }
    Finding { depth: format!("depth {depth}"), ..finding }
}
