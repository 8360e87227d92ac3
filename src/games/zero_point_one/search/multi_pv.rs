//! Multi-PV for analysis: at each depth the best move is searched, then the best of the others, and so on.
//! Not used in play.

use super::super::game::Game;
use super::super::position::Position;
use super::super::types::Move;
use super::root::{immediate_result, root_moves, RootMove, MAX_DEPTH};
use super::{Limits, SearchResult, Searcher};
use crate::engine::score::{self, Score};

impl Searcher {
    /// Searches the best `count` moves of the current position with increasing depth and reports them after
    /// each depth, best first, until a limit or an interruption ends the search. Soft limits are ignored.
    /// Nothing is reported if there is no legal move.
    pub fn search_lines(
        &mut self,
        game: &Game,
        limits: Limits,
        count: usize,
        report: &mut dyn FnMut(&[SearchResult]),
    ) {
        self.begin(game, limits);
        let position = match game.position() {
            Some(position) => position,
            None => return,
        };
        let mut moves = root_moves(position);
        if moves.is_empty() {
            return;
        }
        if let Some(score) = immediate_result(position, &moves) {
            let only = |root: &RootMove| self.result(root, score, 0);
            return report(&moves.iter().take(1).map(only).collect::<Vec<_>>());
        }
        // A win by checks alone is the first line, whatever its search score.
        let won = self.forced_win(position);
        if let Some(won) = &won {
            moves.retain(|root| Some(root.mv) != won.best);
            report(std::slice::from_ref(won));
        }
        let count = count.saturating_sub(usize::from(won.is_some())).min(moves.len());
        self.evaluate_root(position);
        self.deepen(position, &mut moves[..], count, won, report);
    }

    fn deepen(
        &mut self,
        position: &Position,
        moves: &mut [RootMove],
        count: usize,
        won: Option<SearchResult>,
        report: &mut dyn FnMut(&[SearchResult]),
    ) {
        if count == 0 {
            return;
        }
        let deepest = self.effort.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            for index in 0..count {
                let last = moves[index].score;
                if self.aspiration_search(position, &mut moves[index..], depth, last).is_err() {
                    return;
                }
            }
            // A later line may turn out to be better than an earlier one.
            moves[..count].sort_by_key(|root| -root.score);
            let found = moves[..count].iter().map(|root| self.result(root, root.score, depth));
            report(&won.iter().cloned().chain(found).collect::<Vec<_>>());
            // All lines are proved wins or losses, which deeper searches do not change.
            let is_known = |root: &RootMove| {
                score::plies_to_end(root.score).map_or(false, |plies| depth as usize > plies)
            };
            if moves[..count].iter().all(is_known) {
                return;
            }
        }
    }

    fn result(&self, root: &RootMove, score: Score, depth: i32) -> SearchResult {
        let line: Vec<Move> = root.line.clone();
        SearchResult { best: Some(root.mv), score, depth, nodes: self.effort.nodes, line }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::*;
    use crate::engine::interrupt;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::Arc;

    fn game(position: &str) -> Game {
        Game::from_position(position.parse().expect("a position"))
    }

    const START: &str = "AAAADDNW/AAAADDFF/8/8/8/8/affdadda/nwaadaaa - 2";

    #[test]
    fn the_first_line_is_the_ordinary_searchs() {
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let mut last = Vec::new();
        let mut searcher = Searcher::new(Params::default(), 4);
        searcher.search_lines(&game(START), limits, 3, &mut |found| last = found.to_vec());
        assert_eq!((last.len(), last[0].depth), (3, 6));
        assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
        let mut firsts: Vec<Move> = last.iter().map(|found| found.line[0]).collect();
        assert!(last.iter().all(|found| found.best == Some(found.line[0])));
        // Sorted by their text, so that duplicates are adjacent.
        firsts.sort_by_key(Move::to_string);
        firsts.dedup();
        assert_eq!(firsts.len(), 3);
        // A single line is the search used in play, node by node.
        let mut one = Vec::new();
        let mut searcher = Searcher::new(Params::default(), 4);
        searcher.search_lines(&game(START), limits, 1, &mut |found| one = found.to_vec());
        let plain = Searcher::new(Params::default(), 4).search(&game(START), limits);
        assert_eq!(
            (one[0].best, one[0].score, one[0].nodes),
            (plain.best, plain.score, plain.nodes)
        );
    }

    #[test]
    fn a_win_on_the_spot_is_the_only_line() {
        let mut reports = Vec::new();
        let mut searcher = Searcher::new(Params::default(), 1);
        let mut search = |text: &str| {
            reports.clear();
            let limits = Limits { depth: Some(4), ..Limits::default() };
            searcher
                .search_lines(&game(text), limits, 3, &mut |found| reports.push(found.to_vec()));
            reports.clone()
        };
        let won = search("W7/1F6/2w5/8/8/8/8/8 - 40");
        assert_eq!((won.len(), won[0].len(), won[0][0].score), (1, 1, score::win_in(1)));
        let stuck = "WA3A2/A3A3/3A3A/2A3A1/1A3A2/A3A3/3A3A/w1A3A1 - 40";
        assert!(search(stuck).is_empty());
    }

    #[test]
    fn a_raised_flag_ends_a_search_without_limits() {
        let flag = Arc::new(AtomicBool::new(false));
        interrupt::set_flag(Some(flag.clone()));
        let mut reports = 0;
        let mut searcher = Searcher::new(Params::default(), 1);
        searcher.search_lines(&game(START), Limits::default(), 3, &mut |_| {
            reports += 1;
            flag.store(true, Ordering::Relaxed);
        });
        interrupt::set_flag(None);
        // The first depth may take fewer nodes than the interval at which the flag is checked.
        assert!((1..8).contains(&reports), "{}", reports);
    }
}
