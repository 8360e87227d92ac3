//! The nodes and edges of a search tree, in two vectors, with an index of the positions.

use super::super::position::{Identity, Position};
use crate::engine::rng::split_mix;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Growth of the capacity for edges, as a divisor of their number. Doubling, the default for vectors, could exceed the
/// available memory.
const GROWTH_DIVISOR: usize = 8;
/// Minimum growth of the capacity for edges.
pub const MIN_GROWTH: usize = 1 << 16;

/// Proved result of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Not proved.
    None,
    /// The side to move wins.
    Won,
    /// The side to move loses.
    Lost,
}

impl Proof {
    /// Returns the proof of a win or a loss.
    pub fn of(wins: bool) -> Proof {
        if wins {
            Proof::Won
        } else {
            Proof::Lost
        }
    }
}

/// A node: a position that was visited or is about to be.
#[derive(Clone, Copy, Debug)]
pub struct TreeNode {
    /// Index of its first edge.
    pub first_edge: u32,
    /// Number of its edges; 0 before it is expanded.
    pub edge_count: u8,
    /// Proved result.
    pub proof: Proof,
    /// Number of visits.
    pub visits: u32,
    /// Sum of the values of the last visits, at most [`SUMMED_VISITS`], for the side to move: 0 is a loss, 1 is a win.
    pub value_sum: f32,
}

/// Number of visits from which earlier values decay. An `f32` has a precision of 24 bits, so a larger sum would lose
/// small values.
const SUMMED_VISITS: u32 = 1 << 18;

impl TreeNode {
    /// Returns the number of visits in the sum.
    #[inline(always)]
    pub fn summed(&self) -> u32 {
        self.visits.min(SUMMED_VISITS)
    }

    /// Returns the mean value of a visited node.
    #[inline(always)]
    pub fn mean(&self) -> f32 {
        self.value_sum / self.summed() as f32
    }

    /// Adds a visit with this value.
    pub fn record(&mut self, value: f32) {
        if self.visits >= SUMMED_VISITS {
            self.value_sum -= self.mean();
        }
        self.value_sum += value;
        self.visits = self.visits.saturating_add(1);
    }
}

/// An edge: a move of a node.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The node after the move, or `NO_NODE` before the first visit.
    pub child: u32,
    /// Index of the segment.
    pub segment: u8,
    /// Number of visits.
    pub visits: u32,
    /// The network's value for the side that makes the move, 0 to 1.
    pub value: f32,
    /// Prior probability. The priors of a node sum to 1.
    pub prior: f32,
}

/// The number of a missing node.
pub const NO_NODE: u32 = u32::MAX;

/// The nodes and edges of a tree.
#[derive(Default)]
pub struct Arena {
    /// All nodes.
    pub nodes: Vec<TreeNode>,
    /// All edges; those of a node are consecutive.
    pub edges: Vec<Edge>,
    /// Nodes by position.
    pub index: HashMap<Identity, u32, BuildHasherDefault<IdentityHasher>>,
}

impl Arena {
    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.index.clear();
    }

    /// Returns the node of a position.
    pub fn get(&self, position: &Position) -> Option<u32> {
        self.index.get(&position.identity()).copied()
    }

    /// Returns the indices of a node's edges.
    pub fn edges_of(&self, node: u32) -> Range<usize> {
        let node = &self.nodes[node as usize];
        node.first_edge as usize..node.first_edge as usize + usize::from(node.edge_count)
    }

    /// Makes room for this many edges.
    pub fn reserve(&mut self, edges: usize) {
        let count = self.edges.len();
        if self.edges.capacity() - count < edges {
            self.edges.reserve_exact(MIN_GROWTH.max(count / GROWTH_DIVISOR));
        }
    }

    /// Drops all nodes that are unreachable from a position.
    pub fn collect(&mut self, position: &Position) {
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

    /// Returns, by node, whether it may be reachable from a position by any moves, even if they are not in the tree:
    /// through transpositions, a later search may visit nodes to which no path of the tree leads.
    fn reachable(&self, position: &Position) -> Vec<bool> {
        let (gaps, sizes) = position.identity();
        let mut reachable = vec![false; self.nodes.len()];
        for (&(later_gaps, later_sizes), &node) in &self.index {
            let keeps_sizes = later_sizes.bits() & sizes.bits() == sizes.bits();
            reachable[node as usize] = keeps_sizes && later_gaps & !gaps == 0;
        }
        reachable
    }

    /// Returns the node of a position, adding it if it is missing.
    pub fn node_at(&mut self, position: &Position) -> u32 {
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
}

/// Hashes identities by mixing their words. Much faster than the standard hash, which is designed to resist attacks.
#[derive(Default)]
pub struct IdentityHasher(u64);

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
