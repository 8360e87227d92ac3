//! The search tree of the Monte Carlo players.

use crate::engine::clock::Deadline;
use crate::engine::rng::Rng;
use crate::games::zuniq::geometry::{random_bit, Segments, SEGMENT_COUNT};
use crate::games::zuniq::position::{Identity, Position};
use crate::games::zuniq::segment::Segment;
use std::collections::HashMap;
use std::ops::Range;

/// Number of simulations between clock reads.
const SIMULATIONS_BETWEEN_CLOCK_READS: u64 = 64;

/// UCT: weight of the exploration term of UCB1.
const UCT_EXPLORATION: f32 = 0.7;
/// AMAF: weight of the exploration term of UCB1.
const AMAF_EXPLORATION: f32 = 0.1;
/// AMAF: equivalence parameter, the number of visits at which a move's own results count as much as its AMAF results.
/// The weight of the latter is the square root of `EQUIVALENCE / (3 visits + EQUIVALENCE)` (Gelly and Silver, 2007).
const EQUIVALENCE: f32 = 1000.0;
/// AMAF: value of a move without statistics.
const FIRST_VALUE: f32 = 1.0;
/// UCT: maximum number of edges, of 20 bytes each.
const UCT_MAX_EDGES: usize = 11_999_999;
/// AMAF: maximum number of edges, of 20 bytes each.
const AMAF_MAX_EDGES: usize = 16_000_000;
/// Index of the root node.
pub const ROOT: u32 = 0;

/// How a tree is searched and how its result is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// Upper confidence bounds for trees (UCT: Kocsis and Szepesvári, 2006), without a solver, AMAF statistics,
    /// transpositions or claims.
    Uct,
    /// All-moves-as-first statistics: every node counts, for each segment, the simulations in which its side to move
    /// drew the segment at any later time (AMAF: Brügmann, 1993; RAVE: Gelly and Silver, 2007). The game is impartial,
    /// so one table per node serves both players. Solves the last moves exactly and claims wins by its estimate, like
    /// the winner of CodeCup 2021.
    ///
    /// Counting the segments drawn by either side, each for the side that drew it, plays much worse.
    Amaf,
}

/// Limits of a search.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Time at which the search stops.
    pub deadline: Option<Deadline>,
    /// Maximum number of simulations.
    pub simulations: Option<u64>,
}

impl Limits {
    /// Whether a limit is reached after `done` simulations.
    #[inline(always)]
    fn are_reached(&self, done: u64) -> bool {
        self.simulations.is_some_and(|max| done >= max)
            || done.is_multiple_of(SIMULATIONS_BETWEEN_CLOCK_READS)
                && self.deadline.is_some_and(Deadline::is_past)
    }
}

/// Number of simulations with an action and number of these that its side won.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub tries: u32,
    pub wins: u32,
}

impl Count {
    #[inline(always)]
    fn add(&mut self, tries: u32, wins: u32) {
        self.tries += tries;
        self.wins += wins;
    }

    #[inline(always)]
    fn rate(self) -> f32 {
        self.wins as f32 / self.tries as f32
    }
}

#[derive(Clone, Copy)]
pub struct Node {
    first_edge: u32,
    edge_count: u32,
    /// Simulations through this node; wins are those of its side to move.
    pub own: Count,
}

#[derive(Clone, Copy)]
pub struct Edge {
    segment: Segment,
    /// The node after the move, or `NO_NODE` before the first visit.
    child: u32,
    pub visits: u32,
    /// Simulations through the parent node in which its side to move drew this segment: immediately (UCT) or at any
    /// later time (AMAF).
    pub drawn: Count,
}

const NO_NODE: u32 = u32::MAX;

/// A search tree. With AMAF, transpositions share a node.
pub struct Tree {
    policy: Policy,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The nodes by position; empty with UCT.
    index: HashMap<Identity, u32>,
    rng: Rng,
    /// The nodes of the current simulation.
    path: Vec<u32>,
    /// The edges of the current simulation.
    taken: Vec<u32>,
}

impl Tree {
    /// Creates an empty tree.
    pub fn new(policy: Policy, seed: u64) -> Tree {
        Tree {
            policy,
            nodes: Vec::new(),
            edges: Vec::new(),
            index: HashMap::new(),
            rng: Rng::new(seed),
            path: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Runs simulations until a limit is reached, at least one. Returns their number.
    pub fn search(&mut self, root: &Position, limits: Limits) -> u64 {
        let node = self.node_at(root);
        self.expand(node, root);
        let mut done = 0;
        while done == 0 || !limits.are_reached(done) {
            self.simulate(root.clone());
            done += 1;
        }
        done
    }

    /// Returns the move with the most visits and the fraction of its simulations that it won.
    pub fn choice(&self) -> Option<(Segment, f32)> {
        let best = self.edges[self.edges_of(ROOT)].iter().max_by_key(|edge| edge.visits)?;
        let child = self.nodes.get(best.child as usize)?;
        Some((best.segment, 1.0 - child.own.rate()))
    }

    #[inline(always)]
    pub fn edges_of(&self, node: u32) -> Range<usize> {
        let Node { first_edge, edge_count, .. } = self.nodes[node as usize];
        first_edge as usize..(first_edge + edge_count) as usize
    }

    fn node_at(&mut self, position: &Position) -> u32 {
        let nodes = &mut self.nodes;
        let mut add = || {
            nodes.push(Node { first_edge: 0, edge_count: 0, own: Count::default() });
            nodes.len() as u32 - 1
        };
        match self.policy {
            Policy::Uct => add(),
            Policy::Amaf => *self.index.entry(position.identity()).or_insert_with(add),
        }
    }

    fn has_room(&self) -> bool {
        let max = match self.policy {
            Policy::Uct => UCT_MAX_EDGES,
            Policy::Amaf => AMAF_MAX_EDGES,
        };
        self.edges.len() + SEGMENT_COUNT <= max
    }

    fn expand(&mut self, node: u32, position: &Position) {
        let first_edge = self.edges.len() as u32;
        self.edges.extend(Segment::each(position.legal()).map(|segment| Edge {
            segment,
            child: NO_NODE,
            visits: 0,
            drawn: Count::default(),
        }));
        let node = &mut self.nodes[node as usize];
        node.first_edge = first_edge;
        node.edge_count = self.edges.len() as u32 - first_edge;
    }

    /// Runs one simulation: selects a leaf, expands it, plays a random game and backs up the result.
    fn simulate(&mut self, mut position: Position) {
        self.path.clear();
        self.taken.clear();
        let mut node = ROOT;
        // The segments drawn by each side; side 0 moves at the root.
        let mut drawn = [0; 2];
        loop {
            self.path.push(node);
            let Node { edge_count, own, .. } = self.nodes[node as usize];
            if edge_count == 0 && own.tries > 0 && self.has_room() {
                self.expand(node, &position);
            }
            let Some(edge) = self.select(node) else { break };
            let segment = self.edges[edge].segment;
            position = position.make(segment);
            drawn[self.taken.len() % 2] |= segment.bit();
            self.taken.push(edge as u32);
            if self.edges[edge].child == NO_NODE {
                self.edges[edge].child = self.node_at(&position);
            }
            node = self.edges[edge].child;
        }
        let mut side = self.taken.len() % 2;
        while position.legal() != 0 {
            let bit = random_bit(position.legal(), &mut self.rng);
            position = position.make_bit(bit);
            drawn[side] |= bit;
            side = 1 - side;
        }
        // The side that can't move has lost.
        self.back_up(drawn, 1 - side);
    }

    /// Counts a simulation at all nodes of the path. In `drawn` and `winner`, side 0 moves at the root.
    fn back_up(&mut self, drawn: [Segments; 2], winner: usize) {
        for (depth, &node) in self.path.iter().enumerate() {
            let side = depth % 2;
            let wins = u32::from(side == winner);
            self.nodes[node as usize].own.add(1, wins);
            let taken = self.taken.get(depth).map(|&edge| edge as usize);
            if let Some(edge) = taken {
                self.edges[edge].visits += 1;
            }
            match self.policy {
                Policy::Uct => {
                    if let Some(edge) = taken {
                        self.edges[edge].drawn.add(1, wins);
                    }
                }
                Policy::Amaf => {
                    // Segments drawn earlier are not moves of this node.
                    let edges = self.edges_of(node);
                    for edge in &mut self.edges[edges] {
                        let tries = u32::from(drawn[side] & edge.segment.bit() != 0);
                        edge.drawn.add(tries, tries * wins);
                    }
                }
            }
        }
    }

    /// Selects the edge with the highest value. Ties: the last edge with UCT, the first with AMAF.
    fn select(&self, node: u32) -> Option<usize> {
        let log = (self.nodes[node as usize].own.tries.max(1) as f32).ln();
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for index in self.edges_of(node) {
            let edge = &self.edges[index];
            let (value, is_better) = match self.policy {
                Policy::Uct => {
                    let value = uct_value(edge, log);
                    (value, value >= best_value)
                }
                Policy::Amaf => {
                    let value = self.amaf_value(edge, log);
                    (value, value > best_value)
                }
            };
            if is_better {
                best_value = value;
                best = Some(index);
            }
        }
        best
    }

    /// Returns the value of an edge for the side that makes the move, with the exploration term.
    #[inline(always)]
    fn amaf_value(&self, edge: &Edge, log_parent_visits: f32) -> f32 {
        let as_first = if edge.drawn.tries == 0 { FIRST_VALUE } else { edge.drawn.rate() };
        if edge.visits == 0 {
            return as_first;
        }
        let child = self.nodes[edge.child as usize].own;
        let visits = child.tries as f32;
        let weight = (EQUIVALENCE / (3.0 * visits + EQUIVALENCE)).sqrt();
        let exploration = AMAF_EXPLORATION * (log_parent_visits / edge.visits as f32).sqrt();
        weight * as_first + (1.0 - weight) * (1.0 - child.rate()) + exploration
    }
}

/// Returns the upper confidence bound of an edge (UCB1), infinite before the first visit.
#[inline(always)]
fn uct_value(edge: &Edge, log_parent_visits: f32) -> f32 {
    if edge.visits == 0 {
        return f32::INFINITY;
    }
    edge.drawn.rate() + UCT_EXPLORATION * (log_parent_visits / edge.visits as f32).sqrt()
}
