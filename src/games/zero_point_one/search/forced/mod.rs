//! Forced wins by checks alone: every move of the attacker threatens to capture the wazir, so that
//! the defender has few answers and wins of many moves can be proved in few nodes.
//!
//! The method is depth-first proof-number search (A. Nagai, "Df-pn algorithm for searching AND/OR
//! trees and its applications", 2002): it always continues where the fewest open positions remain
//! to be proved or refuted. The number of own moves left belongs to the key of a position, so that
//! the tree has no cycles and every proof and refutation in the table holds whatever led there.

mod table;

use super::super::movegen;
use super::super::position::{Position, MAX_PLIES};
use super::super::types::Move;
use super::super::zobrist;
use table::{Table, NEVER};

/// The longest wins that can be looked for, in own moves.
pub const MOST_MOVES: usize = 60;

/// The state of a node, from the view of the side to move there: of the attacker who wants to prove
/// the win, or of the defender who wants to refute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The open positions that must be decided, at least, for the side to move to succeed.
    phi: u32,
    /// The same for its opponent.
    delta: u32,
    /// Where the win is proved: the attacker's moves to come, the capture of the wazir included.
    moves: u32,
}

impl Numbers {
    /// The side to move can't succeed.
    fn failed(moves: u32) -> Numbers {
        Numbers { phi: NEVER, delta: 0, moves }
    }

    fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// A move of a node on the path, and the state of the position after it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    numbers: Numbers,
}

/// What a solver has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This move wins; the wazir falls by that own move at the latest (1: by the next one).
    Win(Move, usize),
    /// No sequence of checks wins within the moves allowed.
    None,
    /// The nodes did not suffice.
    Unknown,
}

/// A solver with its memory.
pub struct Solver {
    table: Table,
    /// The moves of all nodes of the path.
    children: Vec<Child>,
    nodes: u64,
    /// Stop at so many nodes.
    limit: u64,
}

impl Solver {
    /// A solver with a table of so many KiB.
    pub fn new(kibibytes: usize) -> Solver {
        let children = Vec::with_capacity(4096);
        Solver { table: Table::new(kibibytes), children, nodes: 0, limit: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// A new search begins: nodes count from zero, and what older searches left may be replaced.
    pub fn begin(&mut self) {
        self.nodes = 0;
        self.table.age();
    }

    /// The positions looked at since the search began.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Can the side to move capture the wazir by its `most`-th move at the latest, if it gives check
    /// until then? Looks at about `budget` positions at most. No win needs more moves than the game
    /// has left.
    pub fn solve(&mut self, position: &Position, most: usize, budget: u64) -> Verdict {
        self.limit = self.nodes + budget;
        self.children.clear();
        if let Some(mv) = capture_of_wazir(position) {
            return Verdict::Win(mv, 1);
        }
        if position.winner().is_some() {
            return Verdict::None;
        }
        let in_time = (MAX_PLIES + 1).saturating_sub(position.ply()) / 2;
        let left = most.min(in_time).min(MOST_MOVES);
        if left < 2 {
            return Verdict::None;
        }
        let limit = Numbers { phi: NEVER, delta: NEVER, moves: 0 };
        let found = self.prove::<true>(position, left, limit);
        match self.children.first() {
            Some(first) if found.phi == 0 => Verdict::Win(first.mv, found.moves as usize),
            _ if found.delta == 0 => Verdict::None,
            _ => Verdict::Unknown,
        }
    }

    /// The expected line of a win that [`Solver::solve`] has found, with the defender's longest
    /// resistance. It ends early where the budget, one for every answer, does not suffice.
    pub fn line(&mut self, position: &Position, win: (Move, usize), budget: u64) -> Vec<Move> {
        let mut line = vec![win.0];
        let (mut defender, mut left) = (position.make(win.0), win.1 - 1);
        while let Some((answer, (mv, moves))) = self.longest_resistance(&defender, left, budget) {
            line.extend([answer, mv]);
            defender = defender.make(answer).make(mv);
            left = moves - 1;
        }
        line
    }

    /// The safe answer that postpones the capture of the wazir longest, and how the attacker wins
    /// then with at most `left` moves.
    fn longest_resistance(
        &mut self,
        defender: &Position,
        left: usize,
        budget: u64,
    ) -> Option<(Move, (Move, usize))> {
        let mut answers = Vec::new();
        movegen::safe(defender, |answer| answers.push(answer));
        let mut longest = None;
        for answer in answers {
            match self.solve(&defender.make(answer), left, budget) {
                Verdict::Win(mv, moves) => {
                    if longest.map_or(true, |(_, (_, most))| moves > most) {
                        longest = Some((answer, (mv, moves)));
                    }
                }
                Verdict::None | Verdict::Unknown => return None,
            }
        }
        longest
    }

    /// Searches a position until its numbers reach the limits, it is decided, or the nodes are
    /// spent. `left`: the attacker's moves to come. Of the root, the best child stays on the stack.
    fn prove<const ATTACKER: bool>(
        &mut self,
        position: &Position,
        left: usize,
        limit: Numbers,
    ) -> Numbers {
        let base = self.children.len();
        let before = self.nodes;
        self.expand::<ATTACKER>(position, left);
        let numbers = loop {
            let choice = Choice::among::<ATTACKER>(&self.children[base..]);
            let Numbers { phi, delta, .. } = choice.numbers;
            let reached = phi >= limit.phi || delta >= limit.delta;
            if reached || choice.numbers.is_decided() || self.nodes >= self.limit {
                if base == 0 && choice.best > 0 {
                    self.children.swap(0, choice.best);
                }
                break choice.numbers;
            }
            let child = self.children[base + choice.best];
            // Stay with the best child until it is clearly worse than the second (J. Pawlewicz and
            // L. Lew, "Improving depth-first pn-search: 1+epsilon trick", 2006).
            let child_limit = Numbers {
                phi: limit.delta - (delta - child.numbers.phi),
                delta: limit.phi.min(choice.second + choice.second / 4 + 1),
                moves: 0,
            };
            let next = position.make(child.mv);
            let found = if ATTACKER {
                self.prove::<false>(&next, left - 1, child_limit)
            } else {
                self.prove::<true>(&next, left, child_limit)
            };
            self.children[base + choice.best].numbers = found;
        };
        self.table.store(key::<ATTACKER>(position, left), numbers, self.nodes - before);
        self.children.truncate(base + usize::from(base == 0));
        numbers
    }

    /// Puts the moves of a position on the stack, each with what is known of it.
    fn expand<const ATTACKER: bool>(&mut self, position: &Position, left: usize) {
        let Solver { table, children, nodes, .. } = self;
        let mut push = |mv| {
            *nodes += 1;
            let next = position.make(mv);
            let numbers = if ATTACKER {
                let known = table.probe(key::<false>(&next, left - 1));
                known.unwrap_or_else(|| first_look_at_defender(&next, left - 1))
            } else {
                let known = table.probe(key::<true>(&next, left));
                known.unwrap_or_else(|| first_look_at_attacker(&next))
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

/// The child to continue with, and what all children say of their parent.
struct Choice {
    /// The child easiest for the side to move.
    best: usize,
    /// Its opponent's number in the second best child.
    second: u32,
    numbers: Numbers,
}

impl Choice {
    /// The side to move needs one child in which its opponent fails; the opponent needs all.
    #[inline(always)]
    fn among<const ATTACKER: bool>(children: &[Child]) -> Choice {
        let mut best = 0;
        let (mut least, mut second) = (NEVER, NEVER);
        let mut sum = 0;
        let (mut shortest, mut longest) = (u32::MAX, 0);
        for (index, child) in children.iter().enumerate() {
            let Numbers { phi, delta, moves } = child.numbers;
            sum += phi;
            longest = longest.max(moves);
            let shorter = delta == 0 && moves < shortest;
            if delta < least || shorter {
                second = least;
                least = delta;
                best = index;
                shortest = moves;
            } else {
                second = second.min(delta);
            }
        }
        let failed = least > 0 && children.iter().all(|child| child.numbers.phi == 0);
        let numbers = if least == 0 {
            // The defender's success has no length.
            let moves = if ATTACKER { shortest + 1 } else { 0 };
            Numbers { phi: 0, delta: NEVER, moves }
        } else if failed {
            Numbers::failed(if ATTACKER { 0 } else { longest })
        } else {
            Numbers { phi: least, delta: sum.min(NEVER - 1), moves: 0 }
        };
        Choice { best, second, numbers }
    }
}

/// The moves of the attacker: those that are safe and give check.
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

/// A position with the defender in check: the more answers, the harder the proof.
fn first_look_at_defender(position: &Position, left: usize) -> Numbers {
    let mut answers = 0;
    movegen::evasions(position, position.checkers(), |_| answers += 1);
    if answers == 0 {
        // Whatever the defender plays, its wazir falls.
        return Numbers::failed(1);
    }
    if left < 2 {
        // The attacker has no time for another check.
        return Numbers { phi: 0, delta: NEVER, moves: 0 };
    }
    Numbers { phi: 1, delta: answers, moves: 0 }
}

/// A position with the attacker to move: the more checks, the harder the refutation.
fn first_look_at_attacker(position: &Position) -> Numbers {
    let mut number = 0;
    checks(position, |_| number += 1);
    if number == 0 {
        return Numbers::failed(0);
    }
    Numbers { phi: 1, delta: number, moves: 0 }
}

/// The key of a position: who attacks and with how many moves to come are part of the question.
#[inline(always)]
fn key<const ATTACKER: bool>(position: &Position, left: usize) -> u64 {
    position.hash() ^ zobrist::ply(2 * left + usize::from(ATTACKER))
}

/// A move that captures the enemy wazir at once.
fn capture_of_wazir(position: &Position) -> Option<Move> {
    let side = position.side();
    let wazir = position.board().wazir(!side)?;
    let from = position.board().attackers(wazir, side).first()?;
    Some(Move::board(from, wazir))
}
