//! The exact solver: depth-first AND/OR search of reduced positions. Children that seem easiest to prove lost are
//! searched first. Proofs are stored in a table, except those of endings, which are faster to search again.

mod ending;
mod moves;
pub mod node;
mod order;
pub mod table;

use super::position::Position;
use super::segment::Segment;
use crate::engine::budget::Budget;
use crate::engine::sys::simd::{with_bit_instructions, Instructions, Work};
use moves::{commute, Moves};
use node::Node;
use order::{hardness, hardness_of_all, History, MAX_PLIES};
use table::Table;

/// Number of children that are generated between the prefetch of a child's table line and its lookup.
const PROBE_DELAY: usize = 2;
/// Last ply at which the replies to all moves are generated before one is searched.
const LOOK_AHEAD_UNTIL_PLY: usize = 28;
/// With at most this many nodes left there is no look-ahead, which would use them all.
const MIN_LOOK_AHEAD_NODES: u64 = 1000;

/// The proved result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins with this move.
    Won(Segment),
    /// The side to move loses.
    Lost,
}

impl Verdict {
    fn is_won(self) -> bool {
        self != Verdict::Lost
    }
}

/// A move that is waiting to be searched.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// Estimated hardness: children with higher values are searched later.
    order: f32,
    segment: Segment,
    key: u64,
}

/// The solver. Its table keeps proofs between calls.
pub struct Solver {
    table: Table,
    history: History,
    /// Killer moves (Huberman, 1968): the last move at each ply that won without a search.
    killers: [Segment; MAX_PLIES],
    /// Stack of the waiting children of all nodes on the path.
    waiting: Vec<Child>,
    /// Nodes of earlier calls.
    nodes_before: u64,
    budget: Budget,
    look_ahead_until: usize,
    instructions: Instructions,
}

impl Solver {
    /// Creates a solver with a proof table of `table_mb` MiB.
    pub fn new(table_mb: usize) -> Solver {
        Solver {
            table: Table::new(table_mb),
            history: History::new(),
            killers: [Segment::from_bit(1); MAX_PLIES],
            waiting: Vec::new(),
            nodes_before: 0,
            budget: Budget::unlimited(),
            look_ahead_until: LOOK_AHEAD_UNTIL_PLY,
            instructions: Instructions::best(),
        }
    }

    /// Replaces the instruction set, which is by default the best available one.
    pub fn with_instructions(self, instructions: Instructions) -> Solver {
        Solver { instructions, ..self }
    }

    /// Returns the number of nodes searched since the solver was created.
    pub fn nodes(&self) -> u64 {
        self.nodes_before + self.budget.nodes()
    }

    /// Solves a position. Returns `None` if it is not proved within the budget.
    pub fn solve(&mut self, position: &Position, budget: Budget) -> Option<Verdict> {
        self.begin(budget);
        let node = Node::new(position.clone());
        if node.position().legal() == 0 {
            return Some(Verdict::Lost);
        }
        self.expand(&node)
    }

    /// Returns whether the side to move wins, or `None` if that is not proved within the budget.
    pub fn wins(&mut self, position: &Position, budget: Budget) -> Option<bool> {
        self.begin(budget);
        let node = Node::new(position.clone());
        let key = node.reduced().key();
        match node.reduced().known_result().or_else(|| self.table.probe(key)) {
            None => Some(self.search(&node, key)?.is_won()),
            known => known,
        }
    }

    fn begin(&mut self, budget: Budget) {
        // A panic that the caller caught may have left children.
        self.waiting.clear();
        self.nodes_before = self.nodes();
        self.budget = budget;
    }

    /// Proves a node whose result is not yet known and stores the proof.
    fn search(&mut self, node: &Node, key: u64) -> Option<Verdict> {
        self.budget.count_node().ok()?;
        let nodes_before = self.budget.nodes();
        let verdict = self.expand(node)?;
        self.table.store(key, verdict.is_won(), self.budget.nodes() - nodes_before + 1);
        Some(verdict)
    }

    fn expand(&mut self, node: &Node) -> Option<Verdict> {
        let base = self.waiting.len();
        let verdict = match self.add_children(node) {
            Some(segment) => {
                self.killers[node.position().ply()] = segment;
                Some(Verdict::Won(segment))
            }
            None => self.search_children(node, base),
        };
        self.waiting.truncate(base);
        verdict
    }

    /// Adds the moves with unknown results to the waiting children. Stops and returns the move if one is known to win.
    fn add_children(&mut self, node: &Node) -> Option<Segment> {
        with_bit_instructions(self.instructions, AddChildren { solver: self, node })
    }

    #[inline(always)]
    fn add_unknown_children(&mut self, node: &Node) -> Option<Segment> {
        let ply = node.position().ply();
        let mut moves = Moves::new();
        moves.generate(node);
        if let Some(bit) = moves.drop_endings(node.position()) {
            return Some(Segment::from_bit(bit));
        }
        moves.move_to_front(self.killers[ply].bit());
        let zones_left = node.position().board().max_new_zones();
        let mut probed = self.waiting.len();
        for &(bit, zone) in moves.list() {
            let segment = Segment::from_bit(bit);
            let child = node.reduced_after(bit, zone);
            match child.known_result() {
                Some(false) => return Some(segment),
                Some(true) => continue,
                None => {}
            }
            let key = child.key();
            self.table.prefetch(key);
            // A move that closes nothing changes neither the open cells nor the sizes.
            let zones = if zone == 0 { zones_left } else { child.board().max_new_zones() };
            let order = hardness(&child, zones, zone != 0) - self.history.success(ply, segment);
            self.waiting.push(Child { order, segment, key });
            if self.waiting.len() - probed > PROBE_DELAY {
                if let Some(segment) = self.probe_child(&mut probed) {
                    return Some(segment);
                }
            }
        }
        while probed < self.waiting.len() {
            if let Some(segment) = self.probe_child(&mut probed) {
                return Some(segment);
            }
        }
        None
    }

    /// Looks up a waiting child in the table. Returns its move if it wins, removes the child if the move loses, and
    /// otherwise advances `index`.
    #[inline(always)]
    fn probe_child(&mut self, index: &mut usize) -> Option<Segment> {
        let child = self.waiting[*index];
        match self.table.probe(child.key) {
            Some(false) => return Some(child.segment),
            Some(true) => drop(self.waiting.remove(*index)),
            None => *index += 1,
        }
        None
    }

    /// Searches the waiting children from index `base` until one is lost for the opponent. Returns `None` if a limit
    /// was reached.
    fn search_children(&mut self, node: &Node, base: usize) -> Option<Verdict> {
        let ply = node.position().ply();
        let nodes_left = self.budget.nodes_left();
        if ply <= self.look_ahead_until && nodes_left > MIN_LOOK_AHEAD_NODES {
            if let Some(segment) = self.look_ahead(node, base)? {
                return Some(Verdict::Won(segment));
            }
        }
        // Ties are broken by segment, because the order of equal elements after an unstable sort depends on the
        // standard library.
        self.waiting[base..].sort_unstable_by(|one, other| {
            other.order.total_cmp(&one.order).then(other.segment.cmp(&one.segment))
        });
        while self.waiting.len() > base {
            let child = self.waiting.pop()?;
            // A search since the first lookup may have proved it.
            let loses = match self.table.probe(child.key) {
                Some(wins) => !wins,
                None => {
                    let next = node.after(child.segment.bit());
                    let verdict = self.search(&next, child.key)?;
                    if let Verdict::Won(reply) = verdict {
                        self.drop_transposed(node, base, child.segment, reply);
                    }
                    !verdict.is_won()
                }
            };
            self.history.add(ply, child.segment, loses);
            if loses {
                return Some(Verdict::Won(child.segment));
            }
        }
        Some(Verdict::Lost)
    }

    /// Generates the replies to the waiting children from index `base` to improve the order of the children. Removes
    /// children that are proved to be won for the opponent. The outer `Option` is `None` if a limit was reached; the
    /// inner one contains a winning move if one was found.
    fn look_ahead(&mut self, node: &Node, base: usize) -> Option<Option<Segment>> {
        let ply = node.position().ply();
        let mut index = base;
        while index < self.waiting.len() {
            self.budget.count_node().ok()?;
            let Child { segment, key, .. } = self.waiting[index];
            let replies = self.waiting.len();
            let winning = self.add_children(&node.after(segment.bit()));
            let is_lost = winning.is_none() && self.waiting.len() == replies;
            let hardness = hardness_of_all(self.waiting.drain(replies..).map(|reply| reply.order));
            if is_lost {
                self.table.store(key, false, 1);
                return Some(Some(segment));
            }
            if winning.is_some() {
                self.table.store(key, true, 1);
                self.waiting.remove(index);
            } else {
                self.waiting[index].order = hardness - self.history.success(ply, segment);
                index += 1;
            }
        }
        Some(None)
    }

    /// Removes a waiting child whose move loses by transposition: if `reply` refutes `played` and both can be made in
    /// either order, `played` refutes `reply`.
    fn drop_transposed(&mut self, node: &Node, base: usize, played: Segment, reply: Segment) {
        if !commute(node.position(), played.bit(), reply.bit()) {
            return;
        }
        let waiting = &self.waiting[base..];
        if let Some(index) = waiting.iter().position(|child| child.segment == reply) {
            let child = self.waiting.remove(base + index);
            self.table.store(child.key, true, 1);
            self.history.add(node.position().ply(), reply, false);
        }
    }
}

/// A call of [`Solver::add_unknown_children`] compiled for the solver's instruction set.
struct AddChildren<'a> {
    solver: &'a mut Solver,
    node: &'a Node,
}

impl Work for AddChildren<'_> {
    type Result = Option<Segment>;

    #[inline(always)]
    fn run(self) -> Option<Segment> {
        self.solver.add_unknown_children(self.node)
    }
}

#[cfg(test)]
mod tests;
