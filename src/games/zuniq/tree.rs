//! Search for the part of the game that can't be solved yet: Monte Carlo tree search in which a network
//! judges the leaves and weighs the moves (as in Silver and others, 2017), on a graph in which
//! transposed positions are one node, with proofs from the solver (Winands, Björnsson and Saito, 2008).

use super::geometry::SEGMENT_COUNT;
use super::network::features::{Features, View};
use super::network::Network;
use super::position::{Identity, Position};
use super::segment::Segment;
use super::solver::{Limits, Solver, Verdict};
use crate::engine::clock::Deadline;
use crate::engine::elementary::exp;
use crate::engine::kernels::{with_bit_instructions, Work};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The search's tunable numbers.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// The weight of the upper confidence term.
    pub exploration: f32,
    /// How much a leaf's worth is that of its best move, the rest being its own.
    pub best_move_part: f32,
    /// Nodes from this ply on are given to the solver when they get their edges ...
    pub solve_from_ply: usize,
    /// ... for so many solver nodes each.
    pub solve_nodes: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params { exploration: 0.5, best_move_part: 0.5, solve_from_ply: 28, solve_nodes: 60 }
    }
}

/// The memory for edges, in edges of 20 bytes.
const MOST_EDGES: usize = 6_000_000;
/// The clock is read once in so many simulations.
const SIMULATIONS_BETWEEN_CLOCK_READS: u64 = 4;

/// Whatever the network says, no move is surer than this to win or to lose.
const MOST_LOG_ODDS: f32 = 30.0;

/// What is proved about a node.
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
    /// The sum of what the visits told about the side to move: 0 for a loss, 1 for a win.
    worth: f32,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The node behind it, or `NO_NODE` before the first visit.
    child: u32,
    segment: u8,
    visits: u32,
    /// What the network thinks that the side to move wins with it,
    worth: f32,
    /// and its part of the attention among the moves of the node.
    prior: f32,
}

const NO_NODE: u32 = u32::MAX;

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The move to play.
    pub best: Segment,
    /// What it is expected to win, 0 to 1; exactly 0 or 1 where proved.
    pub value: f64,
    /// Is the value proved?
    pub proved: bool,
    /// Simulations of the search.
    pub simulations: u64,
}

/// What searches found about a position that they met.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// How often they came to it.
    pub visits: u32,
    /// What the side to move is expected to win, 0 to 1; exactly 0 or 1 where proved.
    pub value: f64,
}

/// The tree; it keeps what it knows from one search to the next.
pub struct Tree {
    params: Params,
    network: Arc<Network>,
    nodes: Vec<TreeNode>,
    edges: Vec<Edge>,
    index: HashMap<Identity, u32>,
    /// The path of the present simulation: nodes and the edges taken.
    path: Vec<(u32, u32)>,
}

impl Tree {
    /// An empty tree.
    pub fn new(params: Params, network: Arc<Network>) -> Tree {
        Tree {
            params,
            network,
            nodes: Vec::new(),
            edges: Vec::new(),
            index: HashMap::new(),
            path: Vec::new(),
        }
    }

    /// The network that it judges by.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// How many moves it has judged and holds.
    pub fn size(&self) -> usize {
        self.edges.len()
    }

    /// Searches until the deadline, or as many simulations as given, or until a proof. A root that was
    /// proved before is answered by its proof, unless the deadline comes before the winning move is found
    /// again. `None` where there is no move.
    pub fn search(
        &mut self,
        position: &Position,
        solver: &mut Solver,
        deadline: Option<Deadline>,
        simulations: u64,
    ) -> Option<Estimate> {
        if position.legal() == 0 {
            return None;
        }
        if self.edges.len() > MOST_EDGES / 2 {
            self.nodes.clear();
            self.edges.clear();
            self.index.clear();
        }
        let root = self.node_of(position);
        self.expand(root, position);
        let mut done = 0;
        while done < simulations && self.nodes[root as usize].proof == Proof::None {
            let read_clock = done % SIMULATIONS_BETWEEN_CLOCK_READS == 0;
            if read_clock && deadline.map_or(false, Deadline::is_past) {
                break;
            }
            self.simulate(root, position, solver);
            done += 1;
        }
        let found = self.choose(root, done)?;
        Some(self.by_proof(root, position, solver, deadline, found))
    }

    /// What was found, or what the proof of the root says where its edges do not show it: as a leaf of an
    /// earlier search it may have been proved by the solver.
    fn by_proof(
        &self,
        root: u32,
        position: &Position,
        solver: &mut Solver,
        deadline: Option<Deadline>,
        found: Estimate,
    ) -> Estimate {
        let proved = |best, value| Estimate { best, value, proved: true, ..found };
        match self.nodes[root as usize].proof {
            Proof::Lost => proved(found.best, 0.0),
            Proof::Won if !found.proved => {
                // Its table still knows most of what the proof took.
                match solver.solve(position, Limits { deadline, nodes: None }) {
                    Some(Verdict::Won(best)) => proved(best, 1.0),
                    _ => found,
                }
            }
            _ => found,
        }
    }

    /// What the searches so far found about a position. `None` if they never met it.
    pub fn known(&self, position: &Position) -> Option<Known> {
        let node = &self.nodes[*self.index.get(&position.identity())? as usize];
        let value = match node.proof {
            Proof::Won => 1.0,
            Proof::Lost => 0.0,
            Proof::None => f64::from(node.worth) / f64::from(node.visits.max(1)),
        };
        Some(Known { visits: node.visits, value })
    }

    fn node_of(&mut self, position: &Position) -> u32 {
        let nodes = &mut self.nodes;
        *self.index.entry(position.identity()).or_insert_with(|| {
            nodes.push(TreeNode {
                first_edge: 0,
                edge_count: 0,
                proof: if position.legal() == 0 { Proof::Lost } else { Proof::None },
                visits: 0,
                worth: 0.0,
            });
            nodes.len() as u32 - 1
        })
    }

    /// Gives a node its edges, judged by the network, unless it has them.
    fn expand(&mut self, node: u32, position: &Position) {
        if self.nodes[node as usize].edge_count == 0 {
            let instructions = self.network.instructions();
            with_bit_instructions(instructions, AddEdges { tree: self, node, position });
        }
    }

    #[inline(always)]
    fn add_edges(&mut self, node: u32, position: &Position) {
        let first_edge = self.edges.len();
        let mut total = 0.0;
        let view = View::of(position);
        let sums = self.network.sums(&Features::of(&view));
        for segment in Segment::each(position.legal()) {
            let child = position.make_bit(segment.bit());
            let (worth, prior) = if child.legal() == 0 {
                (1.0, 1.0)
            } else {
                let output = self.network.output_beside(&view, &sums, &View::of(&child));
                let odds = exp((-output).clamp(-MOST_LOG_ODDS, MOST_LOG_ODDS));
                (odds / (1.0 + odds), odds)
            };
            total += prior;
            let segment = segment.index() as u8;
            self.edges.push(Edge { child: NO_NODE, segment, visits: 0, worth, prior });
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

    /// One walk from the root to a leaf, its judgement, and the way back.
    fn simulate(&mut self, root: u32, position: &Position, solver: &mut Solver) {
        let mut position = position.clone();
        let mut node = root;
        // What the leaf is worth to the side to move.
        let mut worth = 0.5;
        self.path.clear();
        while self.nodes[node as usize].proof == Proof::None {
            if self.nodes[node as usize].edge_count == 0 {
                worth = self.judge(node, &position, solver, worth);
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
            worth = 1.0 - self.edges[edge].worth;
            position = position.make_bit(1 << self.edges[edge].segment);
            if self.edges[edge].child == NO_NODE {
                self.edges[edge].child = self.node_of(&position);
            }
            node = self.edges[edge].child;
        }
        match self.nodes[node as usize].proof {
            Proof::Won => worth = 1.0,
            Proof::Lost => worth = 0.0,
            Proof::None => {}
        }
        self.back_up(node, worth);
    }

    /// What a leaf is worth to the side to move, `own` being what the network thinks of it.
    fn judge(&mut self, node: u32, position: &Position, solver: &mut Solver, own: f32) -> f32 {
        if position.ply() >= self.params.solve_from_ply {
            let limits = Limits { nodes: Some(self.params.solve_nodes), deadline: None };
            if let Some(wins) = solver.wins(position, limits) {
                self.nodes[node as usize].proof = Proof::of(wins);
                return own;
            }
        }
        if self.edges.len() + SEGMENT_COUNT > MOST_EDGES {
            return own;
        }
        self.expand(node, position);
        let edges = self.edges[self.edges_of(node)].iter();
        let best = edges.fold(0.0f32, |best, edge| best.max(edge.worth));
        own + self.params.best_move_part * (best - own)
    }

    /// The edge to follow: the best by its worth and the attention it has not had yet (PUCT).
    /// `None` if all lead to positions proved to be won for the opponent.
    fn select(&self, node: u32) -> Option<usize> {
        let visits = self.nodes[node as usize].visits.max(1) as f32;
        let explore = self.params.exploration * visits.sqrt();
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for index in self.edges_of(node) {
            let edge = &self.edges[index];
            let value = match self.value(edge) {
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

    /// What the side that draws an edge is expected to win; `None` if it is proved to lose.
    #[inline(always)]
    fn value(&self, edge: &Edge) -> Option<f32> {
        if edge.child == NO_NODE {
            return Some(edge.worth);
        }
        let child = &self.nodes[edge.child as usize];
        match child.proof {
            Proof::Won => None,
            Proof::Lost => Some(f32::INFINITY),
            Proof::None if child.visits == 0 => Some(edge.worth),
            Proof::None => Some(1.0 - child.worth / child.visits as f32),
        }
    }

    /// Records on all nodes of the path what the last one is worth to the side to move there.
    fn back_up(&mut self, last: u32, mut worth: f32) {
        self.record(last, worth);
        let mut below = self.nodes[last as usize].proof;
        for step in (0..self.path.len()).rev() {
            let (node, taken) = self.path[step];
            worth = 1.0 - worth;
            self.edges[taken as usize].visits += 1;
            below = match below {
                Proof::Lost => Proof::Won,
                Proof::Won if self.all_won(self.edges_of(node)) => Proof::Lost,
                _ => Proof::None,
            };
            match below {
                Proof::Won => worth = 1.0,
                Proof::Lost => worth = 0.0,
                Proof::None => {}
            }
            if below != Proof::None {
                self.nodes[node as usize].proof = below;
            }
            self.record(node, worth);
        }
    }

    fn record(&mut self, node: u32, worth: f32) {
        let node = &mut self.nodes[node as usize];
        node.visits += 1;
        node.worth += worth;
    }

    /// Do all these edges lead to positions proved to be won for the side to move there?
    fn all_won(&self, range: Range<usize>) -> bool {
        self.edges[range].iter().all(|edge| {
            edge.child != NO_NODE && self.nodes[edge.child as usize].proof == Proof::Won
        })
    }

    /// The move with the most visits, or one that is proved to win.
    fn choose(&self, root: u32, simulations: u64) -> Option<Estimate> {
        let proof_behind = |edge: &Edge| {
            self.nodes.get(edge.child as usize).map_or(Proof::None, |child| child.proof)
        };
        let rank = |edge: &Edge| match proof_behind(edge) {
            Proof::Lost => (2, edge.visits),
            Proof::None => (1, edge.visits),
            Proof::Won => (0, edge.visits),
        };
        let edges = self.edges[self.edges_of(root)].iter();
        let best = edges.max_by(|one, other| {
            rank(one).cmp(&rank(other)).then(one.worth.total_cmp(&other.worth))
        })?;
        let value = match (proof_behind(best), self.value(best)) {
            (Proof::Lost, _) => 1.0,
            (_, Some(value)) => f64::from(value).clamp(0.0, 1.0),
            (_, None) => 0.0,
        };
        Some(Estimate {
            best: Segment::from_bit(1 << best.segment),
            value,
            proved: proof_behind(best) != Proof::None,
            simulations,
        })
    }
}

/// The call of [`Tree::add_edges`], for the processor's best instructions.
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
    /// Makes the next search of a position that it knows panic.
    pub fn break_apart(&mut self) {
        self.nodes.clear();
    }
}

#[cfg(test)]
mod tests;
