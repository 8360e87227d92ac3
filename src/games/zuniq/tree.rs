//! Monte Carlo tree search for positions that are too early to be solved. A network provides leaf
//! values and priors (PUCT: Silver and others, 2017). Transpositions share a node, and the solver
//! proves nodes (MCTS-Solver: Winands, Björnsson and Saito, 2008).

use super::geometry::SEGMENT_COUNT;
use super::network::features::{FeatureSource, Features};
use super::network::Network;
use super::position::{Identity, Position};
use super::segment::Segment;
use super::solver::{Limits, Solver, Verdict};
use crate::engine::clock::Deadline;
use crate::engine::interrupt;
use crate::engine::math::exp;
use crate::engine::rng::split_mix;
use crate::engine::sys::simd::{with_bit_instructions, Work};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// Search parameters.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// Weight of the exploration term of PUCT.
    pub exploration: f32,
    /// Weight of the best child's value in the value of a leaf, 0 to 1. The rest is the leaf's own
    /// value.
    pub best_child_weight: f32,
    /// First ply at which the solver is tried on leaves before they are expanded.
    pub solve_from_ply: usize,
    /// Maximum number of solver nodes per leaf.
    pub solve_nodes: u64,
    /// Maximum number of edges, of 20 bytes each. A full tree stops growing. Memory is allocated as
    /// needed, so short games use little of it.
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
/// Fraction of the maximum number of edges above which, after unreachable nodes are dropped, a
/// search starts with an empty tree: it gives better results than a tree that soon stops growing.
const KEEP_FRACTION: f64 = 0.75;
/// Growth of the capacity for edges, as a divisor of their number. Doubling, the default for
/// vectors, could exceed the available memory.
const GROWTH_DIVISOR: usize = 8;
/// Minimum growth of the capacity for edges.
const MIN_GROWTH: usize = 1 << 16;
/// Number of simulations between clock reads.
const SIMULATIONS_BETWEEN_CLOCK_READS: u64 = 4;

/// Limit of the log odds from which a prior is computed, which keeps `exp` finite.
const MAX_LOG_ODDS: f32 = 30.0;

/// Proved result of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    None,
    /// The side to move wins.
    Won,
    /// The side to move loses.
    Lost,
}

impl Proof {
    fn of(wins: bool) -> Proof {
        if wins {
            Proof::Won
        } else {
            Proof::Lost
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    first_edge: u32,
    edge_count: u8,
    proof: Proof,
    visits: u32,
    /// Sum of the values of the last visits, at most [`SUMMED_VISITS`], for the side to move: 0 is
    /// a loss, 1 is a win.
    value_sum: f32,
}

/// Number of visits from which earlier values decay. An `f32` has a precision of 24 bits, so a
/// larger sum would lose small values.
const SUMMED_VISITS: u32 = 1 << 18;

impl TreeNode {
    /// Returns the number of visits in the sum.
    #[inline(always)]
    fn summed(&self) -> u32 {
        self.visits.min(SUMMED_VISITS)
    }

    /// Returns the mean value of a visited node.
    #[inline(always)]
    fn mean(&self) -> f32 {
        self.value_sum / self.summed() as f32
    }

    fn record(&mut self, value: f32) {
        if self.visits >= SUMMED_VISITS {
            self.value_sum -= self.mean();
        }
        self.value_sum += value;
        self.visits = self.visits.saturating_add(1);
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The node after the move, or `NO_NODE` before the first visit.
    child: u32,
    segment: u8,
    visits: u32,
    /// The network's value for the side that makes the move, 0 to 1.
    value: f32,
    /// Prior probability. The priors of a node sum to 1.
    prior: f32,
}

const NO_NODE: u32 = u32::MAX;

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
    nodes: Vec<TreeNode>,
    edges: Vec<Edge>,
    index: HashMap<Identity, u32, BuildHasherDefault<IdentityHasher>>,
    /// The path of the current simulation: nodes and selected edges.
    path: Vec<(u32, u32)>,
}

impl Tree {
    /// Creates an empty tree.
    pub fn new(params: Params, network: Arc<Network>) -> Tree {
        Tree {
            params,
            max_edges: usize::MAX,
            network,
            nodes: Vec::new(),
            edges: Vec::new(),
            index: HashMap::default(),
            path: Vec::new(),
        }
    }

    /// Limits the tree to about `bytes` bytes.
    pub fn with_memory(self, bytes: u64) -> Tree {
        Tree { max_edges: ((bytes / BYTES_PER_EDGE) as usize).max(MIN_GROWTH), ..self }
    }

    /// Whether the edges of the simulations until the next clock read might exceed the memory
    /// limit.
    fn is_full(&self) -> bool {
        let most = SIMULATIONS_BETWEEN_CLOCK_READS as usize * SEGMENT_COUNT;
        self.edges.len() + most > self.max_edges
    }

    /// Returns the network that evaluates positions.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Returns the number of edges, i.e. of evaluated moves.
    pub fn size(&self) -> usize {
        self.edges.len()
    }

    /// Searches until the deadline, for at most `simulations` simulations, or until the root is
    /// proved. For a root that an earlier search proved, returns the proof, unless the deadline
    /// comes before the solver has found the winning move again. Returns `None` if there is no
    /// legal move.
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
        let root = self.node_at(position);
        self.expand(root, position);
        let mut done = 0;
        while done < simulations && self.nodes[root as usize].proof == Proof::None {
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

    /// Returns the result with the proof of the root. The edges do not contain this proof if the
    /// solver proved the root when it was a leaf of an earlier search.
    fn with_root_proof(
        &self,
        root: u32,
        position: &Position,
        solver: &mut Solver,
        deadline: Option<Deadline>,
        result: SearchResult,
    ) -> SearchResult {
        let proved = |best, value| SearchResult { best, value, proved: true, ..result };
        match self.nodes[root as usize].proof {
            Proof::Lost => proved(result.best, 0.0),
            Proof::Won if !result.proved => {
                // The solver's table still contains most of the proof.
                match solver.solve(position, Limits { deadline, nodes: None }) {
                    Some(Verdict::Won(best)) => proved(best, 1.0),
                    _ => result,
                }
            }
            _ => result,
        }
    }

    /// Returns the statistics of a position, or `None` if it is not in the tree.
    pub fn stats(&self, position: &Position) -> Option<NodeStats> {
        let node = &self.nodes[*self.index.get(&position.identity())? as usize];
        let value = match node.proof {
            Proof::Won => 1.0,
            Proof::Lost => 0.0,
            Proof::None => f64::from(node.value_sum) / f64::from(node.summed().max(1)),
        };
        Some(NodeStats { visits: node.visits, value })
    }

    /// Returns at most `count` best moves of a position, ranked as by [`Tree::search`], with their
    /// principal variations. Empty if the position is not in the tree.
    pub fn lines(&self, position: &Position, count: usize) -> Vec<Line> {
        let root = match self.index.get(&position.identity()) {
            Some(&root) => root,
            None => return Vec::new(),
        };
        let mut edges: Vec<&Edge> = self.edges[self.edges_of(root)].iter().collect();
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
            let edges = self.edges[self.edges_of(child)].iter();
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
        let fraction = self.edges.len() as f64 / self.params.max_edges as f64;
        if fraction <= COLLECT_FRACTION {
            return;
        }
        self.collect(position);
        if self.edges.len() as f64 > KEEP_FRACTION * self.params.max_edges as f64 {
            self.nodes.clear();
            self.edges.clear();
            self.index.clear();
        }
    }

    /// Drops all nodes that are unreachable from a position.
    fn collect(&mut self, position: &Position) {
        let kept = self.reachable(position);
        // Edges move towards the front in order, so none is overwritten before it has moved.
        let mut in_order: Vec<u32> = (0..self.nodes.len() as u32)
            .filter(|&node| kept[node as usize] && self.nodes[node as usize].edge_count > 0)
            .collect();
        in_order.sort_by_key(|&node| self.nodes[node as usize].first_edge);
        let mut edge_count = 0;
        for node in in_order {
            let range = self.edges_of(node);
            let count = range.len();
            self.edges.copy_within(range, edge_count);
            self.nodes[node as usize].first_edge = edge_count as u32;
            edge_count += count;
        }
        self.edges.truncate(edge_count);
        let mut number_of = vec![NO_NODE; kept.len()];
        let mut node_count = 0;
        for old in (0..kept.len()).filter(|&old| kept[old]) {
            number_of[old] = node_count as u32;
            self.nodes[node_count] = self.nodes[old];
            node_count += 1;
        }
        self.nodes.truncate(node_count);
        for edge in self.edges.iter_mut().filter(|edge| edge.child != NO_NODE) {
            edge.child = number_of[edge.child as usize];
        }
        self.index.retain(|_, node| {
            *node = number_of[*node as usize];
            *node != NO_NODE
        });
    }

    /// Returns, by node, whether it may be reachable from a position by any moves, even if they are
    /// not in the tree: through transpositions, a later search may visit nodes to which no path of
    /// the tree leads.
    fn reachable(&self, position: &Position) -> Vec<bool> {
        let (gaps, sizes) = position.identity();
        let mut reachable = vec![false; self.nodes.len()];
        for (&(later_gaps, later_sizes), &node) in &self.index {
            let keeps_sizes = later_sizes.bits() & sizes.bits() == sizes.bits();
            reachable[node as usize] = keeps_sizes && later_gaps & !gaps == 0;
        }
        reachable
    }

    fn node_at(&mut self, position: &Position) -> u32 {
        let nodes = &mut self.nodes;
        *self.index.entry(position.identity()).or_insert_with(|| {
            nodes.push(TreeNode {
                first_edge: 0,
                edge_count: 0,
                proof: if position.legal() == 0 { Proof::Lost } else { Proof::None },
                visits: 0,
                value_sum: 0.0,
            });
            nodes.len() as u32 - 1
        })
    }

    /// Adds the edges of a node, evaluated by the network, unless they exist.
    fn expand(&mut self, node: u32, position: &Position) {
        if self.nodes[node as usize].edge_count == 0 {
            let instructions = self.network.instructions();
            with_bit_instructions(instructions, AddEdges { tree: self, node, position });
        }
    }

    #[inline(always)]
    fn add_edges(&mut self, node: u32, position: &Position) {
        let first_edge = self.edges.len();
        if self.edges.capacity() - first_edge < SEGMENT_COUNT {
            self.edges.reserve_exact(MIN_GROWTH.max(first_edge / GROWTH_DIVISOR));
        }
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
            self.edges.push(Edge { child: NO_NODE, segment, visits: 0, value, prior });
        }
        self.edges[first_edge..].iter_mut().for_each(|edge| edge.prior /= total);
        let node = &mut self.nodes[node as usize];
        node.first_edge = first_edge as u32;
        node.edge_count = (self.edges.len() - first_edge) as u8;
    }

    fn edges_of(&self, node: u32) -> Range<usize> {
        let node = &self.nodes[node as usize];
        node.first_edge as usize..node.first_edge as usize + usize::from(node.edge_count)
    }

    /// Runs one simulation: selects a leaf, evaluates it and backs up its value.
    fn simulate(&mut self, root: u32, position: &Position, solver: &mut Solver) {
        let mut position = position.clone();
        let mut node = root;
        // The value of the leaf for the side to move.
        let mut value = 0.5;
        self.path.clear();
        while self.nodes[node as usize].proof == Proof::None {
            if self.nodes[node as usize].edge_count == 0 {
                value = self.evaluate_leaf(node, &position, solver, value);
                break;
            }
            let edge = match self.select(node) {
                Some(edge) => edge,
                None => {
                    self.nodes[node as usize].proof = Proof::Lost;
                    break;
                }
            };
            self.path.push((node, edge as u32));
            value = 1.0 - self.edges[edge].value;
            position = position.make_bit(1 << self.edges[edge].segment);
            if self.edges[edge].child == NO_NODE {
                self.edges[edge].child = self.node_at(&position);
            }
            node = self.edges[edge].child;
        }
        match self.nodes[node as usize].proof {
            Proof::Won => value = 1.0,
            Proof::Lost => value = 0.0,
            Proof::None => {}
        }
        self.back_up(node, value);
    }

    /// Evaluates a leaf for the side to move and expands it, or proves it. `own` is the network's
    /// value of the leaf.
    fn evaluate_leaf(
        &mut self,
        node: u32,
        position: &Position,
        solver: &mut Solver,
        own: f32,
    ) -> f32 {
        if position.ply() >= self.params.solve_from_ply {
            let limits = Limits { nodes: Some(self.params.solve_nodes), deadline: None };
            if let Some(wins) = solver.wins(position, limits) {
                self.nodes[node as usize].proof = Proof::of(wins);
                return own;
            }
        }
        if self.edges.len() + SEGMENT_COUNT > self.params.max_edges {
            return own;
        }
        self.expand(node, position);
        let edges = self.edges[self.edges_of(node)].iter();
        let best = edges.fold(0.0f32, |best, edge| best.max(edge.value));
        own + self.params.best_child_weight * (best - own)
    }

    /// Selects the edge with the maximum of value plus exploration term (PUCT). Returns `None` if
    /// all edges are proved to lose.
    fn select(&self, node: u32) -> Option<usize> {
        let visits = self.nodes[node as usize].visits.max(1) as f32;
        let explore = self.params.exploration * visits.sqrt();
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for index in self.edges_of(node) {
            let edge = &self.edges[index];
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

    /// Returns the value of an edge for the side that makes the move, or `None` if it is proved to
    /// lose.
    #[inline(always)]
    fn edge_value(&self, edge: &Edge) -> Option<f32> {
        if edge.child == NO_NODE {
            return Some(edge.value);
        }
        let child = &self.nodes[edge.child as usize];
        match child.proof {
            Proof::Won => None,
            Proof::Lost => Some(f32::INFINITY),
            Proof::None if child.visits == 0 => Some(edge.value),
            Proof::None => Some(1.0 - child.mean()),
        }
    }

    /// Backs up a simulation: adds a visit to all nodes of the path and proves those that follow
    /// from the proof of the last one. `value` is the value of the last node for its side to move.
    fn back_up(&mut self, last: u32, mut value: f32) {
        self.nodes[last as usize].record(value);
        let mut proof = self.nodes[last as usize].proof;
        for step in (0..self.path.len()).rev() {
            let (node, taken) = self.path[step];
            value = 1.0 - value;
            self.edges[taken as usize].visits += 1;
            proof = match proof {
                Proof::Lost => Proof::Won,
                Proof::Won if self.all_won(self.edges_of(node)) => Proof::Lost,
                _ => Proof::None,
            };
            match proof {
                Proof::Won => value = 1.0,
                Proof::Lost => value = 0.0,
                Proof::None => {}
            }
            if proof != Proof::None {
                self.nodes[node as usize].proof = proof;
            }
            self.nodes[node as usize].record(value);
        }
    }

    /// Whether all these edges lead to positions proved to be won for the opponent of the side that
    /// makes the move.
    fn all_won(&self, range: Range<usize>) -> bool {
        self.edges[range].iter().all(|edge| {
            edge.child != NO_NODE && self.nodes[edge.child as usize].proof == Proof::Won
        })
    }

    /// Chooses a move proved to win, or else the move with the most visits.
    fn choose(&self, root: u32, simulations: u64) -> Option<SearchResult> {
        let edges = self.edges[self.edges_of(root)].iter();
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
        self.nodes.get(edge.child as usize).map_or(Proof::None, |child| child.proof)
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

/// Hashes identities by mixing their words. Much faster than the standard hash, which is designed
/// to resist attacks.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = split_mix(self.0 ^ word);
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
        self.nodes.clear();
    }
}

#[cfg(test)]
mod tests;
