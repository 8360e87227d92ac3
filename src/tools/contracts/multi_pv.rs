//! Multi-PV: a search for several lines, made of searches for one.

use super::board::{Finding, Line};
use super::record::for_first;
use super::score_note::height;
use super::Side;
use crate::engine::interrupt;
use crate::engine::score::{self, Score};
use crate::engine::search::{Limits, SearchResult};
use std::time::{Duration, Instant};

/// Maximum depth of a search for several lines.
const DEEPEST: i32 = 64;

/// A line, and the state of the searcher after it.
pub type Found<M, S> = (SearchResult<M>, S);
/// Receives the lines of a depth, and the time so far.
pub type Report<'a, M, S> = dyn FnMut(&[Found<M, S>], Duration) + 'a;
/// Searches all moves except the given ones. Returns `None` if there are no others.
pub type Search<'a, M, S> = dyn FnMut(&[M], Limits) -> Option<Found<M, S>> + 'a;

/// At each depth finds the best of all moves, then the best of the others, and so on, until a limit is reached or the
/// thread's flag is raised; each search is fast because of the hash table. Reports the lines of each depth, best
/// first, with the nodes so far. Returns the best line of the last finished depth, or the first line of depth 1; `None`
/// without moves.
pub fn search_lines<M: Copy + PartialEq, S>(
    limits: Limits,
    lines: usize,
    search: &mut Search<M, S>,
    report: &mut Report<M, S>,
) -> Option<SearchResult<M>> {
    let begun = Instant::now();
    let mut nodes = 0;
    let mut best: Option<SearchResult<M>> = None;
    for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
        let mut found: Vec<Found<M, S>> = Vec::new();
        while found.len() < lines {
            let limits = Limits {
                depth: Some(depth),
                hard_nodes: limits.hard_nodes.map(|hard| hard.saturating_sub(nodes).max(1)),
                hard_time: limits.hard_time.map(|hard| hard.saturating_sub(begun.elapsed())),
                ..Limits::default()
            };
            let earlier: Vec<M> = found.iter().filter_map(|(line, _)| line.best).collect();
            let Some((line, state)) = search(&earlier, limits) else { break };
            nodes += line.nodes;
            best.get_or_insert_with(|| line.clone());
            let is_known = score::plies_to_end(line.score).is_some();
            if interrupt::is_raised() || line.depth < depth && !is_known {
                return best;
            }
            found.push((line, state));
        }
        // A later line may turn out to be better than an earlier one.
        found.sort_by_key(|(line, _)| -line.score);
        found.iter_mut().for_each(|(line, _)| line.nodes = nodes);
        best = Some(found.first()?.0.clone());
        let elapsed = begun.elapsed();
        report(&found, elapsed);
        // Deeper searches do not change lines that are proved wins or losses.
        let is_final = |(line, _): &Found<M, S>| {
            score::plies_to_end(line.score).is_some_and(|plies| depth as usize > plies + 1)
        };
        let is_spent = |limit: Option<Duration>| limit.is_some_and(|limit| elapsed >= limit);
        if limits.hard_nodes.is_some_and(|hard| nodes >= hard)
            || is_spent(limits.soft_time)
            || is_spent(limits.hard_time)
            || found.iter().all(is_final)
        {
            break;
        }
    }
    best
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
