//! Iterative deepening as the tools use it: for one line or several.

use super::board::{Finding, Line};
use super::record::for_first;
use super::score_note::height;
use super::Side;
use crate::engine::interrupt;
use crate::engine::score::{self, Score, INFINITE};
use crate::engine::search::{Effort, RootMove, SearchResult, Searched};

/// Maximum depth.
const DEEPEST: i32 = 64;
/// Depth to which the only move of a position is searched on the clock.
const FORCED_DEPTH: i32 = 4;

/// A searcher of a game.
pub trait Deepen {
    /// A position of the game.
    type Position;
    /// A move of the game.
    type Move: Copy;

    /// Searches the root moves to a depth and moves the best one to the front.
    fn deepen(
        &mut self,
        position: &Self::Position,
        root: &mut [RootMove<Self::Move>],
        depth: i32,
    ) -> Searched;

    /// The nodes and time used so far, and their limits.
    fn effort(&self) -> &Effort;
}

/// Receives the lines of a depth, best first, with the nodes so far.
pub type Report<'a, S> = dyn FnMut(&[SearchResult<<S as Deepen>::Move>], &S) + 'a;

/// At each depth finds the best of all moves, then the best of the others, and so on, until a limit is reached or the
/// thread's flag is raised. Moves with a score need no search and come first. Returns the best line; `None` without
/// moves.
pub fn search_lines<S: Deepen>(
    searcher: &mut S,
    position: &S::Position,
    mut moves: Vec<RootMove<S::Move>>,
    lines: usize,
    report: &mut Report<S>,
) -> Option<SearchResult<S::Move>> {
    moves.first()?;
    let limits = searcher.effort().limits;
    let lines = lines.min(moves.len());
    let known = moves.iter().filter(|root| root.score > -INFINITE).count().min(lines);
    let mut finished = 0;
    for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
        let mut search = |rank: usize| searcher.deepen(position, &mut moves[rank..], depth);
        if (known..lines).any(|rank| search(rank).is_err()) {
            break;
        }
        finished = depth;
        // A later line may turn out to be better than an earlier one.
        moves[known..lines].sort_by_key(|root| -root.score);
        let nodes = searcher.effort().nodes;
        let found = moves[..lines].iter().map(|root| result(root, depth, nodes));
        report(&found.collect::<Vec<_>>(), searcher);
        // Deeper searches do not change lines that are proved wins or losses.
        let is_final = |root: &RootMove<S::Move>| {
            score::plies_to_end(root.score).is_some_and(|plies| depth as usize > plies + 1)
        };
        let is_forced = moves.len() == 1 && limits.hard_time.is_some() && depth >= FORCED_DEPTH;
        if known == lines
            || is_forced
            || limits.depth.is_none() && moves[..lines].iter().all(is_final)
            || interrupt::is_raised()
            || searcher.effort().is_past(limits.soft_time)
        {
            break;
        }
    }
    // A stopped iteration may have changed the best move.
    moves.first().map(|root| result(root, finished, searcher.effort().nodes))
}

/// Returns the line of a root move. A move without a score counts as a draw.
fn result<M: Copy>(root: &RootMove<M>, depth: i32, nodes: u64) -> SearchResult<M> {
    let score = if root.score > -INFINITE { root.score } else { score::DRAW };
    SearchResult { best: Some(root.mv), score, depth, nodes, line: root.line.clone() }
}

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
