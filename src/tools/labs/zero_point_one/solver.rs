//! A solver of forced wins by exhaustive AND/OR search: slow, simple, and independent of the searcher.

use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::Move;
use std::collections::HashMap;

/// Proves and refutes forced wins. A win in `n` captures the wazir with at most `n` moves of the winner, whatever the
/// opponent plays. The maximum number of moves of a game is ignored.
pub struct Solver {
    /// With more moves than this left, the winner only gives check. Proofs are still correct, but a refuted position
    /// may have a quiet win.
    full_width: usize,
    /// Whether the position with this hash is a win in this many moves for the side to move.
    known: HashMap<(u64, usize), bool>,
    /// Last refuting reply, by number of moves left: it often refutes the next move too.
    refutations: Vec<Option<Move>>,
}

impl Solver {
    /// Creates a solver that tries all moves, not only checks, while at most `full_width` moves are left.
    pub fn new(full_width: usize) -> Solver {
        Solver { full_width, known: HashMap::new(), refutations: Vec::new() }
    }

    /// Whether the side to move can force the capture of the wazir with at most `n` moves.
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
        // A shorter win is found faster.
        let wins = self.wins(position, n - 1)
            || safe_moves(position).into_iter().any(|mv| self.move_wins(position, mv, n));
        self.known.insert(key, wins);
        wins
    }

    /// Whether a safe move wins in at most `n` moves, including itself.
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
            // Without a safe reply every other reply loses the wazir, but there must be one.
            None => !replies.is_empty() || has_moves(&next),
        }
    }

    /// Returns the safe moves that win in at most `n` moves, including themselves.
    pub fn winning_moves(&mut self, position: &Position, n: usize) -> Vec<Move> {
        let moves = safe_moves(position).into_iter();
        moves.filter(|&mv| self.move_wins(position, mv, n)).collect()
    }

    /// Returns the safe moves after which the opponent has no win in `n` moves.
    pub fn defences(&mut self, position: &Position, n: usize) -> Vec<Move> {
        let moves = safe_moves(position).into_iter();
        moves.filter(|&mv| !self.wins(&position.make(mv), n)).collect()
    }
}

/// Returns the moves that do not leave the wazir en prise, and all captures of the enemy wazir.
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
