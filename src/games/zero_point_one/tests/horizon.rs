//! The end of the game by the number of moves: compares the search with an exhaustive one over the last plies of random
//! positions with few pieces.

use super::super::game::Game;
use super::super::movegen;
use super::super::position::{Board, Position, MAX_PLIES};
use super::super::search::params::Params;
use super::super::search::{Limits, Searcher};
use super::super::types::{Colour, Hand, Kind, Piece, Square};
use crate::engine::rng::Rng;
use crate::engine::score::{self, Score, DRAW, INFINITE};
use std::collections::HashMap;

/// Number of positions per result.
const POSITIONS_PER_RESULT: usize = 30;
/// Maximum number of plies left in the game.
const MAX_LEFT: usize = 4;
/// Number of rows and columns on which pieces are placed: they are close together, so that many moves threaten
/// something.
const SIZE: usize = 4;
/// Search depth in plies, large enough that pruning and reductions do not affect the last plies.
const DEPTH: i32 = 40;

/// Creates a position of a side with few pieces and its wazir in the corner against a side with more pieces. Some
/// pieces are in hand. `None` if there are more pieces of a kind than exist, or if a wazir can be captured at once.
fn random_position(rng: &mut Rng) -> Option<Position> {
    let left = 1 + rng.below(MAX_LEFT);
    let mut squares: Vec<Square> =
        (1..SIZE * SIZE).map(|index| Square::new(index / SIZE, index % SIZE)).collect();
    rng.shuffle(&mut squares);
    squares.push(Square::named("a1"));
    let (mut board, mut hands) = (Board::EMPTY, [Hand::EMPTY; 2]);
    let weak = Colour::ALL[rng.below(2)];
    for (colour, max_pieces) in [(weak, 2), (!weak, 5)] {
        board.toggle(Piece { colour, kind: Kind::Wazir }, squares.pop()?);
        for _ in 0..=rng.below(max_pieces) {
            let kind = Kind::DROPPABLE[rng.below(4)];
            if rng.below(12) == 0 {
                hands[colour.index()].add(kind);
            } else {
                board.toggle(Piece { colour, kind }, squares.pop()?);
            }
        }
    }
    let position = Position::new(board, hands, MAX_PLIES - left)?;
    let enemy_wazir = board.wazir(!position.side())?;
    let can_capture = board.attackers(enemy_wazir, position.side()).any();
    Some(position).filter(|_| !can_capture)
}

/// Returns the score of a position by exhaustive search: the capture of the wazir wins, and after the last move the
/// game is drawn.
fn exhaustive(position: &Position, known: &mut HashMap<(u64, usize), Score>) -> Score {
    if position.winner().is_some() {
        return score::lost_in(0);
    }
    if position.ply() >= MAX_PLIES {
        return DRAW;
    }
    let key = (position.hash(), position.ply());
    if let Some(&score) = known.get(&key) {
        return score;
    }
    let mut moves = Vec::new();
    movegen::pseudo_legal(position, |mv| moves.push(mv));
    let one_ply_later = |mv| -score::from_root(exhaustive(&position.make(mv), known), 1);
    let best = moves.into_iter().map(one_ply_later).max().unwrap_or(-INFINITE);
    known.insert(key, best);
    best
}

#[test]
fn the_search_is_exact_near_the_end_of_the_game() {
    let mut rng = Rng::new(102);
    let mut searcher = Searcher::new(Params::default(), 1);
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    // Numbers of losses, draws and wins.
    let mut counts = [0; 3];
    let mut positions = std::iter::repeat_with(|| random_position(&mut rng)).flatten();
    while counts.iter().any(|&count| count < POSITIONS_PER_RESULT) {
        let position = positions.next().expect("no end");
        let mut known = HashMap::new();
        let expected = exhaustive(&position, &mut known);
        let count = &mut counts[(expected.signum() + 1) as usize];
        if *count == POSITIONS_PER_RESULT {
            continue;
        }
        *count += 1;
        searcher.clear();
        let found = searcher.search(&Game::from_position(position), limits);
        assert_eq!(found.score, expected, "{}", position);
        // The best move achieves the score.
        let best = found.best.expect("a move");
        let kept = -score::from_root(exhaustive(&position.make(best), &mut known), 1);
        assert_eq!(kept, expected, "{} in {}", best, position);
    }
}

/// Zugzwang: passing would save the losing side, so null-move pruning must not apply.
#[test]
fn zugzwang_near_the_end_is_found() {
    let mut searcher = Searcher::new(Params::default(), 1);
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    for (text, expected) in [
        ("1W6/w7/1a6/8/3a4/8/8/8 - 98", -1),
        ("W7/1fw5/4d3/8/d7/8/8/8 - 98", -1),
        ("W2f4/3w4/2f5/8/8/8/8/8 - 97", 1),
        ("2W5/4w3/3d3d/a7/8/8/8/8 f 99", 1),
        ("W1n5/1w6/1d6/1f6/1A6/8/8/8 - 99", 1),
    ] {
        let position: Position = text.parse().expect("a position");
        let exhaustive = exhaustive(&position, &mut HashMap::new());
        assert_eq!(exhaustive.signum(), expected, "{}", text);
        let found = searcher.search(&Game::from_position(position), limits);
        assert_eq!(found.score, exhaustive, "{}", text);
    }
}
