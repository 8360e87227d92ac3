//! The exact solver: depth-first search for win or loss over reduced positions, the children with the
//! fewest replies first, everything proved kept in a table but for the endings, which are quicker to
//! search again.

mod ending;
pub mod node;
pub mod table;

use super::geometry::{around, Each, Segments, SEGMENT_COUNT};
use super::position::Position;
use super::segment::Segment;
use crate::engine::clock::Deadline;
use crate::engine::kernels::{with_bit_instructions, Work};
use node::Node;
use table::Table;

/// The clock is read once in so many nodes.
const NODES_BETWEEN_CLOCK_READS: u64 = 1024;
/// So many children are made before what is known about them is looked up.
const BATCH: usize = 6;
/// How many replies the share of a move's successes outweighs when moves are ordered.
const HISTORY_WEIGHT: f32 = 20.0;
/// Counts of the history are halved at this, so that it follows the part of the tree being searched.
const HISTORY_LIMIT: u32 = 2000;
/// More moves than this don't fit in a game.
const MAX_PLIES: usize = SEGMENT_COUNT + 1;

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

/// How often a move was tried and how often it won, by ply and segment.
#[derive(Clone, Copy, Debug)]
struct Record {
    wins: u32,
    tries: u32,
}

impl Record {
    const NONE: Record = Record { wins: 1, tries: 2 };

    #[inline(always)]
    fn rate(self) -> f32 {
        self.wins as f32 / self.tries as f32
    }

    #[inline(always)]
    fn add(&mut self, won: bool) {
        self.wins += u32::from(won);
        self.tries += 1;
        if self.tries >= HISTORY_LIMIT {
            self.wins /= 2;
            self.tries /= 2;
        }
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
    history: Box<[[Record; SEGMENT_COUNT]; MAX_PLIES]>,
    /// The children waiting on the path, those of one node after another.
    waiting: Vec<Child>,
    nodes: u64,
    last_node: u64,
    deadline: Option<Deadline>,
}

impl Solver {
    /// A solver with a table of so many MiB.
    pub fn new(table_mb: usize) -> Solver {
        Solver {
            table: Table::new(table_mb),
            history: Box::new([[Record::NONE; SEGMENT_COUNT]; MAX_PLIES]),
            waiting: Vec::new(),
            nodes: 0,
            last_node: u64::MAX,
            deadline: None,
        }
    }

    /// Nodes searched since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins? `None` if that was not found out within the limits.
    pub fn solve(&mut self, position: &Position, limits: Limits) -> Option<Verdict> {
        self.begin(limits);
        let node = Node::new(*position);
        if node.position().legal() == 0 {
            return Some(Verdict::Lost);
        }
        let base = self.waiting.len();
        let found = match self.add_children(&node) {
            Some(segment) => Some(Some(segment)),
            None => self.search_children(&node, base),
        };
        self.waiting.truncate(base);
        found.map(|winning| winning.map_or(Verdict::Lost, Verdict::Won))
    }

    /// Does the side to move win? `None` if that was not found out within the limits.
    pub fn wins(&mut self, position: &Position, limits: Limits) -> Option<bool> {
        self.begin(limits);
        let node = Node::new(*position);
        let key = node.key();
        match node.decided().or_else(|| self.table.probe(key)) {
            None => self.search(&node, key),
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
    fn search(&mut self, node: &Node, key: u64) -> Option<bool> {
        if self.must_stop() {
            return None;
        }
        let nodes_before = self.nodes;
        let base = self.waiting.len();
        let wins = match self.add_children(node) {
            Some(_) => Some(true),
            None => self.search_children(node, base).map(|winning| winning.is_some()),
        };
        self.waiting.truncate(base);
        if let Some(wins) = wins {
            self.table.store(key, wins, self.nodes - nodes_before + 1);
        }
        wins
    }

    /// Puts all moves whose result is not known yet among those waiting; stops and returns a move that
    /// is known to win if there is one.
    fn add_children(&mut self, node: &Node) -> Option<Segment> {
        with_bit_instructions(AddChildren { solver: self, node })
    }

    #[inline(always)]
    fn add_unknown_children(&mut self, node: &Node) -> Option<Segment> {
        let position = node.position();
        let history = &self.history[position.ply()];
        let unknown = match moves_but_endings(node) {
            Ok(unknown) => unknown,
            Err(winning) => return Some(Segment::from_bit(winning)),
        };
        for moves in Moves::by_replies(position, unknown).list().chunks(BATCH) {
            let batch = self.waiting.len();
            for &(_, bit) in moves {
                let segment = Segment::from_bit(bit);
                let child = node.after(bit);
                match child.decided() {
                    Some(false) => return Some(segment),
                    Some(true) => continue,
                    None => {}
                }
                let replies = child.moves().count_ones() as f32;
                let order = replies - HISTORY_WEIGHT * history[segment.index()].rate();
                self.waiting.push(Child { order, segment, key: child.key() });
            }
            // Probed one right after the other, the reads from memory overlap.
            let mut known = [None; BATCH];
            for (known, child) in known.iter_mut().zip(&self.waiting[batch..]) {
                *known = self.table.probe(child.key);
            }
            for index in (batch..self.waiting.len()).rev() {
                match known[index - batch] {
                    Some(false) => return Some(self.waiting[index].segment),
                    Some(true) => drop(self.waiting.swap_remove(index)),
                    None => {}
                }
            }
        }
        None
    }

    /// Searches the children that wait from `base` on until one is lost for the opponent: the move
    /// that wins, or `None` inside if there is none; `None` outside if the limits were reached.
    fn search_children(&mut self, node: &Node, base: usize) -> Option<Option<Segment>> {
        let ply = node.position().ply();
        // Equal ones by segment: how an unstable sort leaves them depends on the standard library.
        self.waiting[base..].sort_unstable_by(|one, other| {
            other.order.total_cmp(&one.order).then(other.segment.cmp(&one.segment))
        });
        while self.waiting.len() > base {
            let child = self.waiting.pop()?;
            // A search since may have met it.
            let known = self.table.probe(child.key);
            let loses = match known {
                Some(wins) => !wins,
                None => !self.search(&node.after(child.segment.bit()), child.key)?,
            };
            self.history[ply][child.segment.index()].add(loses);
            if loses {
                return Some(Some(child.segment));
            }
        }
        Some(None)
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

/// The moves that do not lead to endings, if none of those that do wins; else one that wins. Looked at
/// with the bridges first, since that was measured to be faster.
#[inline(always)]
fn moves_but_endings(node: &Node) -> Result<Segments, Segments> {
    let bridges = node.position().bridges();
    let mut unknown = node.moves();
    for bit in Each(unknown & bridges).chain(Each(unknown & !bridges)) {
        match ending_after(node.position(), bit) {
            Some(false) => return Err(bit),
            Some(true) => unknown &= !bit,
            None => {}
        }
    }
    Ok(unknown)
}

/// Does the reply to a move win? Known where the move leads to an ending. No position is made for this:
/// what the move leaves can be seen.
#[inline(always)]
fn ending_after(position: &Position, bit: Segments) -> Option<bool> {
    let (gaps, open, sizes) = (position.gaps(), position.open(), position.sizes());
    if position.bridges() & bit == 0 {
        return ending::wins(gaps & !bit, open, sizes);
    }
    let zone = position.zone_behind(bit);
    ending::wins(gaps & !around(zone), open & !zone, sizes.with(zone.count_ones() as usize))
}

/// Moves in the order in which what is known about them is looked up, each with the replies that it leaves.
struct Moves {
    list: [(u32, Segments); SEGMENT_COUNT],
    count: usize,
}

impl Moves {
    /// These moves, those first that leave the fewest replies (a new bridge counts as one even where it
    /// may not be drawn): what was searched before is most often among those.
    #[inline(always)]
    fn by_replies(position: &Position, moves: Segments) -> Moves {
        let legal = position.legal();
        let mut sorted = Moves { list: [(0, 0); SEGMENT_COUNT], count: 0 };
        for bit in Each(moves) {
            // Nothing is behind what is no bridge.
            let lost = bit | around(position.zone_behind(bit));
            sorted.insert((legal & !lost).count_ones(), bit);
        }
        sorted
    }

    #[inline(always)]
    fn insert(&mut self, replies: u32, bit: Segments) {
        let mut place = self.count;
        while place > 0 && self.list[place - 1].0 > replies {
            self.list[place] = self.list[place - 1];
            place -= 1;
        }
        self.list[place] = (replies, bit);
        self.count += 1;
    }

    #[inline(always)]
    fn list(&self) -> &[(u32, Segments)] {
        &self.list[..self.count]
    }
}

#[cfg(test)]
mod tests;
