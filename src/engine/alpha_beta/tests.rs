//! A player of a tiny game: Nim with one heap, of which a move takes one to three matches. The player who takes the
//! last one wins.

use super::*;
use crate::engine::budget::Limits;
use crate::engine::score::{self, DRAW, INFINITE};

struct Nim(Core<usize, ()>);

impl Search for Nim {
    type Position = usize;
    type Move = usize;
    type Extra = ();

    fn core(&self) -> &Core<usize, ()> {
        &self.0
    }

    fn core_mut(&mut self) -> &mut Core<usize, ()> {
        &mut self.0
    }

    fn enter(&mut self, heap: &usize, taken: Option<usize>, _ply: usize) -> usize {
        heap - taken.unwrap_or(0)
    }

    fn node(&mut self, heap: &usize, visit: Visit<usize>) -> Searched {
        let Visit { kind, window, depth, ply, .. } = visit;
        self.0.frames[ply].line.clear();
        self.0.budget.count_node()?;
        if *heap == 0 || depth <= 0 {
            return Ok(if *heap == 0 { score::lost_in(ply) } else { DRAW });
        }
        let mut best = Best::new(window);
        for taken in 1..=3.min(*heap) {
            let step = Step { kind, ply, depth: depth - 1, reduction: 0, is_first: taken == 1 };
            let score = self.search_move(heap, taken, step, &best)?;
            if best.add(taken, score) {
                self.0.extend_line(ply, taken, !best.is_cutoff());
                if best.is_cutoff() {
                    break;
                }
            }
        }
        Ok(best.score)
    }
}

impl Deepen for Nim {
    fn deepen(&mut self, heap: &usize, moves: &mut [RootMove<usize>], depth: i32) -> Searched {
        deepen_by_aspiration(self, heap, moves, depth, 10)
    }
}

/// Searches a heap for this many lines and returns them, best first.
fn lines(heap: usize, count: usize, limits: Limits) -> Vec<SearchResult<usize>> {
    let mut nim = Nim(Core::new(1, Reductions::new(|_, _| 0), MAX_DEPTH as usize + 2));
    nim.0.begin(limits);
    let moves = (1..=3.min(heap)).map(RootMove::new).collect();
    let mut last = Vec::new();
    search_lines(&mut nim, &heap, moves, count, &mut |found, _| last = found.to_vec());
    last
}

#[test]
fn a_tiny_game_is_played_perfectly() {
    for heap in 1..20 {
        let found = &lines(heap, 1, Limits::default())[0];
        let plies = 2 * (heap / 4);
        let won = heap % 4 > 0;
        assert_eq!(found.score, if won { score::win_in(plies + 1) } else { score::lost_in(plies) });
        assert!(!won || found.best == Some(heap % 4), "{} of {}", found.line[0], heap);
        assert_eq!(found.line.iter().sum::<usize>(), heap);
        assert_eq!(found.line.len(), plies + usize::from(won));
    }
}

#[test]
fn lines_are_ordered_by_their_scores() {
    let found = lines(7, 3, Limits::default());
    let scores: Vec<_> = found.iter().map(|line| line.score).collect();
    assert_eq!(scores, [score::win_in(3), score::lost_in(4), score::lost_in(4)]);
    assert_eq!(found[0].best, Some(3));
    assert!(lines(0, 3, Limits::default()).is_empty());
}

#[test]
fn a_node_limit_ends_deepening() {
    let limits = Limits { hard_nodes: Some(100), ..Limits::default() };
    let found = &lines(40, 1, limits)[0];
    assert!(found.nodes < 100 && (1..20).contains(&found.depth), "{:?}", found);
    let limits = Limits { depth: Some(3), ..Limits::default() };
    assert_eq!(lines(40, 1, limits)[0].depth, 3);
}

#[test]
fn the_window_of_an_iteration_is_widened_on_one_side() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let mut aspiration = Aspiration::new(4, 50, 10);
    let bounds = |aspiration: &Aspiration| (aspiration.window.alpha, aspiration.window.beta);
    assert_eq!((aspiration.widen(45), bounds(&aspiration)), (Equal, (40, 60)));
    assert_eq!((aspiration.widen(30), bounds(&aspiration).1), (Less, 60));
    assert!(aspiration.window.alpha < 0);
    assert_eq!((aspiration.widen(score::win_in(5)), bounds(&aspiration).1), (Greater, INFINITE));
    assert_eq!(bounds(&Aspiration::new(3, 50, 10)), (-INFINITE, INFINITE));
}
