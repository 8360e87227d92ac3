//! Forced wins by exhaustive AND/OR search: slow, small, and independent of the searcher.

use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::Move;
use std::collections::HashMap;

/// Proves and refutes forced wins. A win in `n` captures the wazir by the `n`-th own move or
/// sooner, whatever the opponent plays. The end of the game by the number of moves is not looked
/// at.
pub struct Solver {
    /// With more own moves than this to go, the winner only gives check: then what is proved holds,
    /// but what is refuted may have a quiet win.
    full_width: usize,
    /// Is the position with this hash a win in so many for the side to move?
    known: HashMap<(u64, usize), bool>,
    /// The reply that last refuted a try with so many own moves to go; it often refutes the next
    /// one.
    refutations: Vec<Option<Move>>,
}

impl Solver {
    /// A solver that tries all moves while at most `full_width` own moves are left.
    pub fn new(full_width: usize) -> Solver {
        Solver { full_width, known: HashMap::new(), refutations: Vec::new() }
    }

    /// Can the side to move force the capture of the wazir by its `n`-th move?
    pub fn wins(&mut self, position: &Position, n: usize) -> bool {
        if n == 0 || position.winner().is_some() {
            return false;
        }
        if can_capture_wazir(position) || n == 1 {
            return can_capture_wazir(position);
        }
        let key = (position.hash(), n);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        // The shorter win is found in less time.
        let wins = self.wins(position, n - 1)
            || safe_moves(position).into_iter().any(|mv| self.move_wins(position, mv, n));
        self.known.insert(key, wins);
        wins
    }

    /// Does a safe move win by the `n`-th own move, itself included?
    pub fn move_wins(&mut self, position: &Position, mv: Move, n: usize) -> bool {
        let next = position.make(mv);
        if next.winner().is_some() {
            return true;
        }
        if n < 2 || n > self.full_width && !position.gives_check(mv) {
            return false;
        }
        let mut replies = safe_moves(&next);
        self.refutations.resize(self.refutations.len().max(n + 1), None);
        if let Some(at) = replies.iter().position(|&reply| Some(reply) == self.refutations[n]) {
            replies.swap(0, at);
        }
        match replies.iter().find(|&&reply| !self.wins(&next.make(reply), n - 1)) {
            Some(&refutation) => {
                self.refutations[n] = Some(refutation);
                false
            }
            // Without a safe reply, any other leaves the wazir to be captured; there must be one.
            None => !replies.is_empty() || has_moves(&next),
        }
    }

    /// The moves that win by the `n`-th own move, themselves included.
    pub fn winning_moves(&mut self, position: &Position, n: usize) -> Vec<Move> {
        let moves = safe_moves(position).into_iter();
        moves.filter(|&mv| self.move_wins(position, mv, n)).collect()
    }

    /// The safe moves after which the opponent has no win in `n`.
    pub fn defences(&mut self, position: &Position, n: usize) -> Vec<Move> {
        let moves = safe_moves(position).into_iter();
        moves.filter(|&mv| !self.wins(&position.make(mv), n)).collect()
    }
}

/// The moves that do not leave the own wazir en prise, and all captures of the enemy's.
pub fn safe_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    if can_capture_wazir(position) {
        let wazir = position.board().wazir(!position.side());
        movegen::pseudo_legal(position, |mv| {
            if Some(mv.to()) == wazir {
                moves.push(mv);
            }
        });
    }
    movegen::safe(position, |mv| {
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    });
    moves
}

fn can_capture_wazir(position: &Position) -> bool {
    let enemy = position.board().wazir(!position.side());
    enemy.is_some_and(|square| position.board().attackers(square, position.side()).any())
}

fn has_moves(position: &Position) -> bool {
    let mut any = false;
    movegen::pseudo_legal(position, |_| any = true);
    any
}
