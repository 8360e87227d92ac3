//! Solver of forced wins by checks alone: every move of the attacker threatens to capture the wazir, so the defender
//! has few replies, and long wins can be proved in few nodes.
//!
//! The method is depth-first proof-number search, df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002). The proof number of a position is the minimum number of open positions below it that must be
//! proved to prove the win; the disproof number is the minimum number that must be disproved to refute it (L. V. Allis,
//! "Searching for solutions in games and artificial intelligence", 1994). The search always continues where these are
//! smallest. The attacker's number of moves left is part of a position's key, so the tree has no cycles and every
//! stored proof or disproof is valid on all paths.

mod proof_numbers;
mod table;

use super::super::movegen;
use super::super::position::{Position, MAX_PLIES};
use super::super::types::Move;
use super::super::zobrist;
use crate::engine::budget::Budget;
use proof_numbers::{ProofNumbers, INFINITE};
use table::Table;

/// Maximum length of a win, in own moves.
pub const MAX_MOVES: usize = 60;
/// A move of a node on the path, and the numbers of the position after it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    numbers: ProofNumbers,
}

/// Result of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This move wins; the wazir is captured by that own move at the latest (1: by the next one).
    Win(Move, usize),
    /// No sequence of checks wins within the move limit.
    None,
    /// The budget was exhausted.
    Unknown,
}

/// A solver with its table.
pub struct Solver {
    table: Table,
    /// Moves of all nodes of the path.
    children: Vec<Child>,
    /// Nodes of earlier calls since the start of the search.
    nodes_before: u64,
    budget: Budget,
}

impl Solver {
    /// Creates a solver with a table of this many KiB.
    pub fn new(kibibytes: usize) -> Solver {
        Solver {
            table: Table::new(kibibytes),
            children: Vec::with_capacity(4096),
            nodes_before: 0,
            budget: Budget::unlimited(),
        }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Starts a new search: nodes count from zero, and older entries may be replaced.
    pub fn begin(&mut self) {
        self.nodes_before = 0;
        self.budget = Budget::unlimited();
        self.table.age();
    }

    /// Number of positions searched since the start of the search.
    pub fn nodes(&self) -> u64 {
        self.nodes_before + self.budget.nodes()
    }

    /// Decides whether the side to move can capture the wazir by its `max_moves`-th move, giving check with every move
    /// before. A win can't take longer than the rest of the game.
    pub fn solve(&mut self, position: &Position, max_moves: usize, budget: Budget) -> Verdict {
        self.nodes_before = self.nodes();
        self.budget = budget;
        self.children.clear();
        if let Some(mv) = capture_of_wazir(position) {
            return Verdict::Win(mv, 1);
        }
        if position.winner().is_some() {
            return Verdict::None;
        }
        let in_time = (MAX_PLIES + 1).saturating_sub(position.ply()) / 2;
        let left = max_moves.min(in_time).min(MAX_MOVES);
        if left < 2 {
            return Verdict::None;
        }
        let limit = ProofNumbers { phi: INFINITE, delta: INFINITE, moves: 0 };
        let proof = self.prove::<true>(position, left, limit);
        match self.children.first() {
            Some(first) if proof.phi == 0 => Verdict::Win(first.mv, proof.moves as usize),
            _ if proof.delta == 0 => Verdict::None,
            _ => Verdict::Unknown,
        }
    }

    /// Returns the principal variation of a win found by [`Solver::solve`], with the defender's longest resistance. It
    /// ends early if the budget is exhausted: its nodes are for each reply, its deadline for all.
    pub fn line(&mut self, position: &Position, win: (Move, usize), budget: Budget) -> Vec<Move> {
        let mut line = vec![win.0];
        let (mut defender, mut left) = (position.make(win.0), win.1 - 1);
        while let Some((answer, (mv, moves))) = self.longest_resistance(&defender, left, budget) {
            line.extend([answer, mv]);
            defender = defender.make(answer).make(mv);
            left = moves - 1;
        }
        line
    }

    /// Returns the safe reply that delays the capture of the wazir longest, and the attacker's win after it, in at most
    /// `left` moves.
    fn longest_resistance(
        &mut self,
        defender: &Position,
        left: usize,
        budget: Budget,
    ) -> Option<(Move, (Move, usize))> {
        let mut answers = Vec::new();
        movegen::safe(defender, |answer| answers.push(answer));
        let mut longest = None;
        for answer in answers {
            match self.solve(&defender.make(answer), left, budget) {
                Verdict::Win(mv, moves) => {
                    if longest.map_or(true, |(_, (_, max))| moves > max) {
                        longest = Some((answer, (mv, moves)));
                    }
                }
                Verdict::None | Verdict::Unknown => return None,
            }
        }
        longest
    }

    /// Searches a position until its numbers reach the limits, it is solved, or the budget is exhausted. `left` is the
    /// number of the attacker's moves to come. The best child of the root stays on the stack.
    fn prove<const ATTACKER: bool>(
        &mut self,
        position: &Position,
        left: usize,
        limit: ProofNumbers,
    ) -> ProofNumbers {
        let base = self.children.len();
        let before = self.budget.nodes();
        self.expand::<ATTACKER>(position, left);
        let numbers = loop {
            let choice = Choice::among::<ATTACKER>(&self.children[base..]);
            let ProofNumbers { phi, delta, .. } = choice.numbers;
            let reached = phi >= limit.phi || delta >= limit.delta;
            if reached || choice.numbers.is_decided() || self.budget.is_spent() {
                if base == 0 && choice.best > 0 {
                    self.children.swap(0, choice.best);
                }
                break choice.numbers;
            }
            let child = self.children[base + choice.best];
            // Stay with the best child until it is clearly worse than the second one (J. Pawlewicz and L. Lew,
            // "Improving depth-first pn-search: 1+epsilon trick", 2006).
            let child_limit = ProofNumbers {
                phi: limit.delta - (delta - child.numbers.phi),
                delta: limit.phi.min(choice.second + choice.second / 4 + 1),
                moves: 0,
            };
            let next = position.make(child.mv);
            self.children[base + choice.best].numbers = if ATTACKER {
                self.prove::<false>(&next, left - 1, child_limit)
            } else {
                self.prove::<true>(&next, left, child_limit)
            };
        };
        self.table.store(key::<ATTACKER>(position, left), numbers, self.budget.nodes() - before);
        self.children.truncate(base + usize::from(base == 0));
        numbers
    }

    /// Pushes the moves of a position, each with its numbers from the table or its initial ones.
    fn expand<const ATTACKER: bool>(&mut self, position: &Position, left: usize) {
        let Solver { table, children, budget, .. } = self;
        let mut push = |mv| {
            budget.add(1);
            let next = position.make(mv);
            let numbers = if ATTACKER {
                let known = table.probe(key::<false>(&next, left - 1));
                known.unwrap_or_else(|| initial_at_defender(&next, left - 1))
            } else {
                let known = table.probe(key::<true>(&next, left));
                known.unwrap_or_else(|| initial_at_attacker(&next))
            };
            children.push(Child { mv, numbers });
        };
        if ATTACKER {
            checks(position, push);
        } else {
            movegen::evasions(position, position.checkers(), &mut push);
        }
    }
}

/// The most-proving child, and the numbers of the parent computed from its children.
struct Choice {
    /// The most-proving child: the easiest one for the side to move.
    best: usize,
    /// The opponent's number of the second best child.
    second: u32,
    numbers: ProofNumbers,
}

impl Choice {
    /// The side to move needs one child in which its opponent fails, so `phi` is the minimum `delta` of the children;
    /// the opponent needs all children, so `delta` is the sum of their `phi`.
    #[inline(always)]
    fn among<const ATTACKER: bool>(children: &[Child]) -> Choice {
        let mut best = 0;
        let (mut min, mut second) = (INFINITE, INFINITE);
        let mut sum = 0;
        let (mut shortest, mut longest) = (u32::MAX, 0);
        for (index, child) in children.iter().enumerate() {
            let ProofNumbers { phi, delta, moves } = child.numbers;
            sum += phi;
            longest = longest.max(moves);
            let shorter = delta == 0 && moves < shortest;
            if delta < min || shorter {
                second = min;
                min = delta;
                best = index;
                shortest = moves;
            } else {
                second = second.min(delta);
            }
        }
        let failed = min > 0 && children.iter().all(|child| child.numbers.phi == 0);
        let numbers = if min == 0 {
            // The defender's success has no length.
            ProofNumbers::succeeded(if ATTACKER { shortest + 1 } else { 0 })
        } else if failed {
            ProofNumbers::failed(if ATTACKER { 0 } else { longest })
        } else {
            ProofNumbers { phi: min, delta: sum.min(INFINITE - 1), moves: 0 }
        };
        Choice { best, second, numbers }
    }
}

/// The attacker's moves: safe checks.
fn checks(position: &Position, mut emit: impl FnMut(Move)) {
    let checkers = position.checkers();
    let mut emit_check = |mv| {
        if position.gives_check(mv) {
            emit(mv);
        }
    };
    if checkers.any() {
        movegen::evasions(position, checkers, emit_check);
    } else {
        movegen::captures(position, &mut emit_check);
        movegen::checks(position, emit_check);
    }
}

/// Initial numbers of a position with the defender in check. The proof number is the number of replies, all of which
/// must lose (mobility initialisation, Allis 1994).
fn initial_at_defender(position: &Position, left: usize) -> ProofNumbers {
    let mut answers = 0;
    movegen::evasions(position, position.checkers(), |_| answers += 1);
    if answers == 0 {
        // Mate: every reply loses the wazir.
        return ProofNumbers::failed(1);
    }
    if left < 2 {
        // The attacker has no moves left for another check.
        return ProofNumbers::succeeded(0);
    }
    ProofNumbers { phi: 1, delta: answers, moves: 0 }
}

/// Initial numbers of a position with the attacker to move. The disproof number is the number of checks, all of which
/// must be refuted.
fn initial_at_attacker(position: &Position) -> ProofNumbers {
    let mut number = 0;
    checks(position, |_| number += 1);
    if number == 0 {
        return ProofNumbers::failed(0);
    }
    ProofNumbers { phi: 1, delta: number, moves: 0 }
}

/// Returns the key of a position, including the attacker and the number of moves to come.
#[inline(always)]
fn key<const ATTACKER: bool>(position: &Position, left: usize) -> u64 {
    position.hash() ^ zobrist::ply(2 * left + usize::from(ATTACKER))
}

/// Returns a move that captures the enemy wazir at once.
fn capture_of_wazir(position: &Position) -> Option<Move> {
    let side = position.side();
    let wazir = position.board().wazir(!side)?;
    let from = position.board().attackers(wazir, side).first()?;
    Some(Move::board(from, wazir))
}
