//! Monte Carlo tree search for positions that are too early to be solved. A network provides leaf values and priors
//! (PUCT: Silver and others, 2017). Transpositions share a node, and the solver proves nodes (MCTS-Solver: Winands,
//! Björnsson and Saito, 2008).

mod arena;

use super::geometry::SEGMENT_COUNT;
use super::network::features::{FeatureSource, Features};
use super::network::Network;
use super::position::Position;
use super::segment::Segment;
use super::solver::{Solver, Verdict};
use crate::engine::budget::Budget;
use crate::engine::clock::Deadline;
use crate::engine::interrupt;
use crate::engine::math::exp;
use crate::engine::sys::simd::{with_bit_instructions, Work};
use arena::{Arena, Edge, Proof, MIN_GROWTH, NO_NODE};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Search parameters.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// Weight of the exploration term of PUCT.
    pub exploration: f32,
    /// Weight of the best child's value in the value of a leaf, 0 to 1. The rest is the leaf's own value.
    pub best_child_weight: f32,
    /// First ply at which the solver is tried on leaves before they are expanded.
    pub solve_from_ply: usize,
    /// Maximum number of solver nodes per leaf.
    pub solve_nodes: u64,
    /// Maximum number of edges, of 20 bytes each. A full tree stops growing. Memory is allocated as needed, so short
    /// games use little of it.
    pub max_edges: usize,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            exploration: 0.5,
            best_child_weight: 0.5,
            solve_from_ply: 28,
            solve_nodes: 60,
            // 0.8 GB including the nodes and their index.
            max_edges: 36_000_000,
        }
    }
}

/// Memory per edge in bytes, including its share of the nodes, the index and the reallocation.
const BYTES_PER_EDGE: u64 = 40;

impl Params {
    /// Limits the tree to about this many MiB. Unlike [`Tree::with_memory`], it does not end searches.
    pub fn with_megabytes(self, megabytes: usize) -> Params {
        let edges = (megabytes << 20) / BYTES_PER_EDGE as usize;
        Params { max_edges: self.max_edges.min(edges), ..self }
    }
}

/// Fraction of the maximum number of edges above which a search first drops unreachable nodes.
const COLLECT_FRACTION: f64 = 0.5;
/// The same for the number of edges that fits the memory.
const COLLECT_FRACTION_OF_MEMORY: f64 = 0.75;
/// Fraction of the maximum number of edges above which, after unreachable nodes are dropped, a search starts with an
/// empty tree: it gives better results than a tree that soon stops growing.
const KEEP_FRACTION: f64 = 0.75;
/// Number of simulations between clock reads.
const SIMULATIONS_BETWEEN_CLOCK_READS: u64 = 4;

/// Limit of the log odds from which a prior is computed, which keeps `exp` finite.
const MAX_LOG_ODDS: f32 = 30.0;

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult {
    /// The best move.
    pub best: Segment,
    /// Its value for the side to move, 0 to 1; exactly 0 or 1 if proved.
    pub value: f64,
    /// Whether the value is proved.
    pub proved: bool,
    /// Number of simulations made.
    pub simulations: u64,
}

/// A move of a searched position with its value and principal variation.
#[derive(Clone, Debug)]
pub struct Line {
    /// The principal variation, starting with the move.
    pub moves: Vec<Segment>,
    /// Its value for the side to move, 0 to 1; exactly 0 or 1 if proved.
    pub value: f64,
    /// Whether the value is proved.
    pub proved: bool,
}

/// Statistics of a position in the tree.
#[derive(Clone, Copy, Debug)]
pub struct NodeStats {
    /// Number of visits.
    pub visits: u32,
    /// The value for the side to move, 0 to 1; exactly 0 or 1 if proved.
    pub value: f64,
}

/// A search tree. It keeps its nodes between searches.
pub struct Tree {
    params: Params,
    /// Memory limit: searches stop before the number of edges exceeds this.
    max_edges: usize,
    network: Arc<Network>,
    arena: Arena,
    /// The path of the current simulation: nodes and selected edges.
    path: Vec<(u32, u32)>,
}

impl Tree {
    /// Creates an empty tree.
    pub fn new(params: Params, network: Arc<Network>) -> Tree {
        Tree { params, max_edges: usize::MAX, network, arena: Arena::default(), path: Vec::new() }
    }

    /// Limits the tree to about `bytes` bytes.
    pub fn with_memory(self, bytes: u64) -> Tree {
        Tree { max_edges: ((bytes / BYTES_PER_EDGE) as usize).max(MIN_GROWTH), ..self }
    }

    /// Whether the edges of the simulations until the next clock read might exceed the memory limit.
    fn is_full(&self) -> bool {
        let most = SIMULATIONS_BETWEEN_CLOCK_READS as usize * SEGMENT_COUNT;
        self.arena.edges.len() + most > self.max_edges
    }

    /// Returns the network that evaluates positions.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Returns the number of edges, i.e. of evaluated moves.
    pub fn size(&self) -> usize {
        self.arena.edges.len()
    }

    /// Searches until the deadline, for at most `simulations` simulations, or until the root is proved. For a root that
    /// an earlier search proved, returns the proof, unless the deadline comes before the solver has found the winning
    /// move again. Returns `None` if there is no legal move.
    pub fn search(
        &mut self,
        position: &Position,
        solver: &mut Solver,
        deadline: Option<Deadline>,
        simulations: u64,
    ) -> Option<SearchResult> {
        if position.legal() == 0 {
            return None;
        }
        self.make_room(position);
        let root = self.arena.node_at(position);
        self.expand(root, position);
        let mut done = 0;
        while done < simulations && self.arena.nodes[root as usize].proof == Proof::None {
            let read_clock = done % SIMULATIONS_BETWEEN_CLOCK_READS == 0;
            let is_late = || deadline.map_or(false, Deadline::is_past) || interrupt::is_raised();
            if read_clock && (self.is_full() || is_late()) {
                break;
            }
            self.simulate(root, position, solver);
            done += 1;
        }
        let result = self.choose(root, done)?;
        Some(self.with_root_proof(root, position, solver, deadline, result))
    }

    /// Returns the result with the proof of the root. The edges do not contain this proof if the solver proved the root
    /// when it was a leaf of an earlier search.
    fn with_root_proof(
        &self,
        root: u32,
        position: &Position,
        solver: &mut Solver,
        deadline: Option<Deadline>,
        result: SearchResult,
    ) -> SearchResult {
        let proved = |best, value| SearchResult { best, value, proved: true, ..result };
        match self.arena.nodes[root as usize].proof {
            Proof::Lost => proved(result.best, 0.0),
            Proof::Won if !result.proved => {
                // The solver's table still contains most of the proof.
                match solver.solve(position, Budget::new(None, deadline)) {
                    Some(Verdict::Won(best)) => proved(best, 1.0),
                    _ => result,
                }
            }
            _ => result,
        }
    }

    /// Returns the statistics of a position, or `None` if it is not in the tree.
    pub fn stats(&self, position: &Position) -> Option<NodeStats> {
        let node = &self.arena.nodes[self.arena.get(position)? as usize];
        let value = match node.proof {
            Proof::Won => 1.0,
            Proof::Lost => 0.0,
            Proof::None => f64::from(node.value_sum) / f64::from(node.summed().max(1)),
        };
        Some(NodeStats { visits: node.visits, value })
    }

    /// Returns at most `count` best moves of a position, ranked as by [`Tree::search`], with their principal
    /// variations. Empty if the position is not in the tree.
    pub fn lines(&self, position: &Position, count: usize) -> Vec<Line> {
        let root = match self.arena.get(position) {
            Some(root) => root,
            None => return Vec::new(),
        };
        let mut edges: Vec<&Edge> = self.arena.edges[self.arena.edges_of(root)].iter().collect();
        edges.sort_by(|one, other| self.compare(other, one));
        let line = |edge: &&Edge| {
            let (value, proved) = self.value_and_proof(edge);
            Line { moves: self.line_from(edge), value, proved }
        };
        edges.iter().take(count).map(line).collect()
    }

    /// Returns the principal variation from an edge as far as it was searched.
    fn line_from(&self, edge: &Edge) -> Vec<Segment> {
        let mut moves = vec![Segment::from_bit(1 << edge.segment)];
        let mut child = edge.child;
        while child != NO_NODE && moves.len() < SEGMENT_COUNT {
            let edges = self.arena.edges[self.arena.edges_of(child)].iter();
            match edges.filter(|edge| edge.visits > 0).max_by(|a, b| self.compare(a, b)) {
                Some(best) => {
                    moves.push(Segment::from_bit(1 << best.segment));
                    child = best.child;
                }
                None => break,
            }
        }
        moves
    }

    /// Drops nodes that are unreachable from a position if the tree is nearly full.
    fn make_room(&mut self, position: &Position) {
        let [most, most_by_memory] =
            [self.params.max_edges, self.max_edges].map(|edges| edges as f64);
        let fits = (COLLECT_FRACTION * most).min(COLLECT_FRACTION_OF_MEMORY * most_by_memory);
        if self.arena.edges.len() as f64 <= fits {
            return;
        }
        self.arena.collect(position);
        if self.arena.edges.len() as f64 > KEEP_FRACTION * most || self.is_full() {
            self.arena.clear();
        }
    }

    /// Adds the edges of a node, evaluated by the network, unless they exist.
    fn expand(&mut self, node: u32, position: &Position) {
        if self.arena.nodes[node as usize].edge_count == 0 {
            let instructions = self.network.instructions();
            with_bit_instructions(instructions, AddEdges { tree: self, node, position });
        }
    }

    #[inline(always)]
    fn add_edges(&mut self, node: u32, position: &Position) {
        let first_edge = self.arena.edges.len();
        self.arena.reserve(SEGMENT_COUNT);
        let mut total = 0.0;
        let source = FeatureSource::of(position);
        let sums = self.network.sums(&Features::of(&source));
        for segment in Segment::each(position.legal()) {
            let child = position.make_bit(segment.bit());
            let (value, prior) = if child.legal() == 0 {
                (1.0, 1.0)
            } else {
                let output =
                    self.network.updated_output(&source, &sums, &FeatureSource::of(&child));
                let odds = exp((-output).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS));
                (odds / (1.0 + odds), odds)
            };
            total += prior;
            let segment = segment.index() as u8;
            self.arena.edges.push(Edge { child: NO_NODE, segment, visits: 0, value, prior });
        }
        self.arena.edges[first_edge..].iter_mut().for_each(|edge| edge.prior /= total);
        let node = &mut self.arena.nodes[node as usize];
        node.first_edge = first_edge as u32;
        node.edge_count = (self.arena.edges.len() - first_edge) as u8;
    }

    /// Runs one simulation: selects a leaf, evaluates it and backs up its value.
    fn simulate(&mut self, root: u32, position: &Position, solver: &mut Solver) {
        let mut position = position.clone();
        let mut node = root;
        // The value of the leaf for the side to move.
        let mut value = 0.5;
        self.path.clear();
        while self.arena.nodes[node as usize].proof == Proof::None {
            if self.arena.nodes[node as usize].edge_count == 0 {
                value = self.evaluate_leaf(node, &position, solver, value);
                break;
            }
            let edge = match self.select(node) {
                Some(edge) => edge,
                None => {
                    self.arena.nodes[node as usize].proof = Proof::Lost;
                    break;
                }
            };
            self.path.push((node, edge as u32));
            value = 1.0 - self.arena.edges[edge].value;
            position = position.make_bit(1 << self.arena.edges[edge].segment);
            if self.arena.edges[edge].child == NO_NODE {
                self.arena.edges[edge].child = self.arena.node_at(&position);
            }
            node = self.arena.edges[edge].child;
        }
        match self.arena.nodes[node as usize].proof {
            Proof::Won => value = 1.0,
            Proof::Lost => value = 0.0,
            Proof::None => {}
        }
        self.back_up(node, value);
    }

    /// Evaluates a leaf for the side to move and expands it, or proves it. `own` is the network's value of the leaf.
    fn evaluate_leaf(
        &mut self,
        node: u32,
        position: &Position,
        solver: &mut Solver,
        own: f32,
    ) -> f32 {
        if position.ply() >= self.params.solve_from_ply {
            let budget = Budget::new(Some(self.params.solve_nodes), None);
            if let Some(wins) = solver.wins(position, budget) {
                self.arena.nodes[node as usize].proof = Proof::of(wins);
                return own;
            }
        }
        if self.arena.edges.len() + SEGMENT_COUNT > self.params.max_edges {
            return own;
        }
        self.expand(node, position);
        let edges = self.arena.edges[self.arena.edges_of(node)].iter();
        let best = edges.fold(0.0f32, |best, edge| best.max(edge.value));
        own + self.params.best_child_weight * (best - own)
    }

    /// Selects the edge with the maximum of value plus exploration term (PUCT). Returns `None` if all edges are proved
    /// to lose.
    fn select(&self, node: u32) -> Option<usize> {
        let visits = self.arena.nodes[node as usize].visits.max(1) as f32;
        let explore = self.params.exploration * visits.sqrt();
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for index in self.arena.edges_of(node) {
            let edge = &self.arena.edges[index];
            let value = match self.edge_value(edge) {
                Some(value) => value + explore * edge.prior / (edge.visits as f32 + 1.0),
                None => continue,
            };
            if value > best_value {
                best_value = value;
                best = Some(index);
            }
        }
        best
    }

    /// Returns the value of an edge for the side that makes the move, or `None` if it is proved to lose.
    #[inline(always)]
    fn edge_value(&self, edge: &Edge) -> Option<f32> {
        if edge.child == NO_NODE {
            return Some(edge.value);
        }
        let child = &self.arena.nodes[edge.child as usize];
        match child.proof {
            Proof::Won => None,
            Proof::Lost => Some(f32::INFINITY),
            Proof::None if child.visits == 0 => Some(edge.value),
            Proof::None => Some(1.0 - child.mean()),
        }
    }

    /// Backs up a simulation: adds a visit to all nodes of the path and proves those that follow from the proof of the
    /// last one. `value` is the value of the last node for its side to move.
    fn back_up(&mut self, last: u32, mut value: f32) {
        self.arena.nodes[last as usize].record(value);
        let mut proof = self.arena.nodes[last as usize].proof;
        for step in (0..self.path.len()).rev() {
            let (node, taken) = self.path[step];
            value = 1.0 - value;
            self.arena.edges[taken as usize].visits += 1;
            proof = match proof {
                Proof::Lost => Proof::Won,
                Proof::Won if self.all_won(self.arena.edges_of(node)) => Proof::Lost,
                _ => Proof::None,
            };
            match proof {
                Proof::Won => value = 1.0,
                Proof::Lost => value = 0.0,
                Proof::None => {}
            }
            if proof != Proof::None {
                self.arena.nodes[node as usize].proof = proof;
            }
            self.arena.nodes[node as usize].record(value);
        }
    }

    /// Whether all these edges lead to positions proved to be won for the opponent of the side that makes the move.
    fn all_won(&self, range: Range<usize>) -> bool {
        self.arena.edges[range].iter().all(|edge| {
            edge.child != NO_NODE && self.arena.nodes[edge.child as usize].proof == Proof::Won
        })
    }

    /// Chooses a move proved to win, or else the move with the most visits.
    fn choose(&self, root: u32, simulations: u64) -> Option<SearchResult> {
        let edges = self.arena.edges[self.arena.edges_of(root)].iter();
        let best = edges.max_by(|one, other| self.compare(one, other))?;
        let (value, proved) = self.value_and_proof(best);
        Some(SearchResult {
            best: Segment::from_bit(1 << best.segment),
            value,
            proved,
            simulations,
        })
    }

    /// Compares two edges of a node by proof, then by visits, then by value.
    fn compare(&self, one: &Edge, other: &Edge) -> Ordering {
        let rank = |edge: &Edge| match self.child_proof(edge) {
            Proof::Lost => (2, edge.visits),
            Proof::None => (1, edge.visits),
            Proof::Won => (0, edge.visits),
        };
        rank(one).cmp(&rank(other)).then(one.value.total_cmp(&other.value))
    }

    fn child_proof(&self, edge: &Edge) -> Proof {
        self.arena.nodes.get(edge.child as usize).map_or(Proof::None, |child| child.proof)
    }

    /// Returns the value of an edge for the side that makes the move, and whether it is proved.
    fn value_and_proof(&self, edge: &Edge) -> (f64, bool) {
        let proof = self.child_proof(edge);
        let value = match (proof, self.edge_value(edge)) {
            (Proof::Lost, _) => 1.0,
            (_, Some(value)) => f64::from(value).clamp(0.0, 1.0),
            (_, None) => 0.0,
        };
        (value, proof != Proof::None)
    }
}

/// A call of [`Tree::add_edges`] compiled for the network's instruction set.
struct AddEdges<'a> {
    tree: &'a mut Tree,
    node: u32,
    position: &'a Position,
}

impl Work for AddEdges<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        self.tree.add_edges(self.node, self.position);
    }
}

#[cfg(test)]
impl Tree {
    /// Corrupts the tree so that the next search of a position in it panics.
    pub fn corrupt(&mut self) {
        self.arena.nodes.clear();
    }
}

#[cfg(test)]
mod tests;
