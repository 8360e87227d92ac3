//! The exact solver: depth-first search for win or loss over reduced positions, the children first that
//! seem easiest to be proved lost, everything proved kept in a table but for the endings, which are
//! quicker to search again.

mod ending;
mod moves;
pub mod node;
mod order;
pub mod table;

use super::position::Position;
use super::segment::Segment;
use crate::engine::clock::Deadline;
use crate::engine::kernels::{with_bit_instructions, Instructions, Work};
use moves::Moves;
use node::Node;
use order::{hardness, hardness_of_all, History, MAX_PLIES};
use table::Table;

/// The clock is read once in so many nodes.
const NODES_BETWEEN_CLOCK_READS: u64 = 1024;
/// The table is asked about a child when so many more have been made: its line is on the way meanwhile.
const LAG: usize = 2;
/// Up to this ply the replies to all moves are looked at before one is searched ...
const LOOK_AHEAD_UNTIL_PLY: usize = 28;
/// ... unless only so many nodes are left: then it would take them all.
const LOOK_AHEAD_NODES: u64 = 1000;

/// When to give up. The default never does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// At this time,
    pub deadline: Option<Deadline>,
    /// or after so many nodes.
    pub nodes: Option<u64>,
}

/// Who wins a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move, with this move.
    Won(Segment),
    /// The other side.
    Lost,
}

impl Verdict {
    fn is_won(self) -> bool {
        self != Verdict::Lost
    }
}

/// A move waiting to be searched.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// The greater, the later.
    order: f32,
    segment: Segment,
    key: u64,
}

/// Proves positions of one game after another; what it proved stays known.
pub struct Solver {
    table: Table,
    history: History,
    /// The last move at a ply that was known at once to win (a killer move: Huberman, 1968).
    killers: [Segment; MAX_PLIES],
    /// The children waiting on the path, those of one node after another.
    waiting: Vec<Child>,
    nodes: u64,
    last_node: u64,
    look_ahead_until: usize,
    deadline: Option<Deadline>,
    instructions: Instructions,
}

impl Solver {
    /// A solver with a table of so many MiB.
    pub fn new(table_mb: usize) -> Solver {
        Solver {
            table: Table::new(table_mb),
            history: History::new(),
            killers: [Segment::from_bit(1); MAX_PLIES],
            waiting: Vec::new(),
            nodes: 0,
            last_node: u64::MAX,
            look_ahead_until: LOOK_AHEAD_UNTIL_PLY,
            deadline: None,
            instructions: Instructions::best(),
        }
    }

    /// The solver with these instructions instead of the best ones.
    pub fn with_instructions(self, instructions: Instructions) -> Solver {
        Solver { instructions, ..self }
    }

    /// Nodes searched since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins? `None` if that was not found out within the limits.
    pub fn solve(&mut self, position: &Position, limits: Limits) -> Option<Verdict> {
        self.begin(limits);
        let node = Node::new(position.clone());
        if node.position().legal() == 0 {
            return Some(Verdict::Lost);
        }
        self.expand(&node)
    }

    /// Does the side to move win? `None` if that was not found out within the limits.
    pub fn wins(&mut self, position: &Position, limits: Limits) -> Option<bool> {
        self.begin(limits);
        let node = Node::new(position.clone());
        let key = node.reduced().key();
        match node.reduced().decided().or_else(|| self.table.probe(key)) {
            None => Some(self.search(&node, key)?.is_won()),
            known => known,
        }
    }

    fn begin(&mut self, limits: Limits) {
        // A panic caught by the caller may have left some.
        self.waiting.clear();
        self.deadline = limits.deadline;
        // The clock is read too rarely to notice in many short calls that the time is over.
        let is_late = limits.deadline.map_or(false, Deadline::is_past);
        let nodes = if is_late { Some(0) } else { limits.nodes };
        self.last_node = nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
    }

    #[inline(always)]
    fn must_stop(&mut self) -> bool {
        self.nodes += 1;
        self.nodes > self.last_node
            || self.nodes % NODES_BETWEEN_CLOCK_READS == 0
                && self.deadline.map_or(false, Deadline::is_past)
    }

    /// Proves a node of which neither the rules nor the table tell the value, and stores the proof.
    fn search(&mut self, node: &Node, key: u64) -> Option<Verdict> {
        if self.must_stop() {
            return None;
        }
        let nodes_before = self.nodes;
        let verdict = self.expand(node)?;
        self.table.store(key, verdict.is_won(), self.nodes - nodes_before + 1);
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

    /// Puts all moves whose result is not known yet among those waiting; stops and returns a move that
    /// is known to win if there is one.
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
        let mut asked = self.waiting.len();
        for &(bit, zone) in moves.list() {
            let segment = Segment::from_bit(bit);
            let child = node.reduced_after(bit, zone);
            match child.decided() {
                Some(false) => return Some(segment),
                Some(true) => continue,
                None => {}
            }
            let key = child.key();
            self.table.prefetch(key);
            let order = hardness(&child, zone != 0) - self.history.success(ply, segment);
            self.waiting.push(Child { order, segment, key });
            if self.waiting.len() - asked > LAG {
                if let Some(segment) = self.ask(&mut asked) {
                    return Some(segment);
                }
            }
        }
        while asked < self.waiting.len() {
            if let Some(segment) = self.ask(&mut asked) {
                return Some(segment);
            }
        }
        None
    }

    /// Asks the table about a waiting child: returns its move if that wins; else takes it away or goes on
    /// to the next.
    #[inline(always)]
    fn ask(&mut self, index: &mut usize) -> Option<Segment> {
        let child = self.waiting[*index];
        match self.table.probe(child.key) {
            Some(false) => return Some(child.segment),
            Some(true) => drop(self.waiting.remove(*index)),
            None => *index += 1,
        }
        None
    }

    /// Searches the children that wait from `base` on until one is lost for the opponent. `None` if the
    /// limits were reached.
    fn search_children(&mut self, node: &Node, base: usize) -> Option<Verdict> {
        let ply = node.position().ply();
        let nodes_left = self.last_node.saturating_sub(self.nodes);
        if ply <= self.look_ahead_until && nodes_left > LOOK_AHEAD_NODES {
            if let Some(segment) = self.look_ahead(node, base)? {
                return Some(Verdict::Won(segment));
            }
        }
        // Equal ones by segment: how an unstable sort leaves them depends on the standard library.
        self.waiting[base..].sort_unstable_by(|one, other| {
            other.order.total_cmp(&one.order).then(other.segment.cmp(&one.segment))
        });
        while self.waiting.len() > base {
            let child = self.waiting.pop()?;
            // A search since may have met it.
            let loses = match self.table.probe(child.key) {
                Some(wins) => !wins,
                None => {
                    let next = node.after(child.segment.bit());
                    let verdict = self.search(&next, child.key)?;
                    if let Verdict::Won(reply) = verdict {
                        self.drop_transposed(node, &next, base, child.segment, reply);
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

    /// Looks at the replies to the children that wait from `base` on, for a better order of these. Takes
    /// away those that are found to be won for the opponent, or stops and returns a move that wins. `None`
    /// outside if the limits were reached.
    fn look_ahead(&mut self, node: &Node, base: usize) -> Option<Option<Segment>> {
        let ply = node.position().ply();
        let mut index = base;
        while index < self.waiting.len() {
            if self.must_stop() {
                return None;
            }
            let Child { segment, key, .. } = self.waiting[index];
            let replies = self.waiting.len();
            let found = self.add_children(&node.after(segment.bit()));
            let is_lost = found.is_none() && self.waiting.len() == replies;
            let hardness = hardness_of_all(self.waiting.drain(replies..).map(|reply| reply.order));
            if is_lost {
                self.table.store(key, false, 1);
                return Some(Some(segment));
            }
            if found.is_some() {
                self.table.store(key, true, 1);
                self.waiting.remove(index);
            } else {
                self.waiting[index].order = hardness - self.history.success(ply, segment);
                index += 1;
            }
        }
        Some(None)
    }

    /// A move that wins as a reply to another loses to that other where both can be made in either order:
    /// this spares its search.
    fn drop_transposed(
        &mut self,
        node: &Node,
        next: &Node,
        base: usize,
        played: Segment,
        reply: Segment,
    ) {
        let bridges = node.position().bridges() | next.position().bridges();
        if bridges & (played.bit() | reply.bit()) != 0 {
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

/// The call of [`Solver::add_unknown_children`], for the processor's best instructions.
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
