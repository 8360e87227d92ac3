//! Monte Carlo tree search for the part of the game that can't be solved yet: rapid action value
//! estimates (Gelly and Silver, 2007), shared by both players since the game is impartial, on a graph
//! in which transposed positions are one node, with proofs from the solver (Winands, Björnsson and
//! Saito, 2008).

use super::geometry::{random_bit, Segments, SEGMENT_COUNT};
use super::position::Position;
use super::segment::Segment;
use super::solver::{Limits, Solver};
use crate::engine::rng::Rng;
use std::collections::HashMap;
use std::time::Instant;

/// The search's tunable numbers.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// A node gets its edges once it has been visited so often.
    pub expand_at: u32,
    /// How many visits it takes until a move's own results weigh about as much as those of
    /// simulations in which it was played later.
    pub rave_visits: f32,
    /// The weight of the upper confidence term.
    pub exploration: f32,
    /// Nodes from this ply on are given to the solver when they get their edges ...
    pub solve_from_ply: usize,
    /// ... for so many solver nodes each.
    pub solve_nodes: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            expand_at: 6,
            rave_visits: 1500.0,
            exploration: 0.0,
            solve_from_ply: 25,
            solve_nodes: 60,
        }
    }
}

/// The memory for edges, in edges of 20 bytes.
const MOST_EDGES: usize = 6_000_000;
/// The clock is read once in so many simulations.
const SIMULATIONS_BETWEEN_CLOCK_READS: u64 = 64;
/// What a move without any record is expected to win: a bit more than any other, so that it is tried.
const UNKNOWN_VALUE: f32 = 1.1;

/// What is proved about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    None,
    /// The side to move wins.
    Won,
    /// The side to move loses.
    Lost,
}

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    first_edge: u32,
    edge_count: u8,
    proof: Proof,
    visits: u32,
    /// Simulations won by the side to move.
    wins: u32,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The node behind it, or `NO_NODE` before the first visit.
    child: u32,
    segment: u8,
    visits: u32,
    /// Simulations through the node in which the segment was drawn, now or later and by either side,
    rave_visits: u32,
    /// and those of them that were won by the side that drew it.
    rave_wins: u32,
}

const NO_NODE: u32 = u32::MAX;

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The move to play.
    pub best: Segment,
    /// The part of the simulations that it won, 0 to 1; exactly 0 or 1 where proved.
    pub value: f64,
    /// Is the value proved?
    pub proved: bool,
    /// Simulations of the search.
    pub simulations: u64,
}

/// The tree; it keeps what it knows from one search to the next.
pub struct Tree {
    params: Params,
    nodes: Vec<TreeNode>,
    edges: Vec<Edge>,
    index: HashMap<(Segments, u32), u32>,
    rng: Rng,
    /// The path of the present simulation: nodes and the edges taken.
    path: Vec<(u32, u32)>,
}

impl Tree {
    /// An empty tree.
    pub fn new(params: Params, seed: u64) -> Tree {
        Tree {
            params,
            nodes: Vec::new(),
            edges: Vec::new(),
            index: HashMap::new(),
            rng: Rng::new(seed),
            path: Vec::new(),
        }
    }

    /// Searches until the deadline, or as many simulations as given, or until a proof. `None` where
    /// there is no move.
    pub fn search(
        &mut self,
        position: &Position,
        solver: &mut Solver,
        deadline: Option<Instant>,
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
            if read_clock && deadline.map_or(false, |deadline| Instant::now() >= deadline) {
                break;
            }
            self.simulate(root, position, solver);
            done += 1;
        }
        self.choose(root, done)
    }

    fn node_of(&mut self, position: &Position) -> u32 {
        let key = (position.gaps(), position.sizes().bits());
        let nodes = &mut self.nodes;
        *self.index.entry(key).or_insert_with(|| {
            nodes.push(TreeNode {
                first_edge: 0,
                edge_count: 0,
                proof: if position.legal() == 0 { Proof::Lost } else { Proof::None },
                visits: 0,
                wins: 0,
            });
            nodes.len() as u32 - 1
        })
    }

    fn expand(&mut self, node: u32, position: &Position) {
        let node = &mut self.nodes[node as usize];
        if node.edge_count > 0 {
            return;
        }
        node.first_edge = self.edges.len() as u32;
        self.edges.extend(Segment::each(position.legal()).map(|segment| Edge {
            child: NO_NODE,
            segment: segment.index() as u8,
            visits: 0,
            rave_visits: 0,
            rave_wins: 0,
        }));
        node.edge_count = position.legal().count_ones() as u8;
    }

    fn edges_of(&self, node: u32) -> std::ops::Range<usize> {
        let node = &self.nodes[node as usize];
        node.first_edge as usize..node.first_edge as usize + usize::from(node.edge_count)
    }

    /// One walk from the root to a leaf, a random game from there, and the way back.
    fn simulate(&mut self, root: u32, position: &Position, solver: &mut Solver) {
        let mut position = *position;
        let mut node = root;
        self.path.clear();
        while self.nodes[node as usize].proof == Proof::None {
            if self.nodes[node as usize].edge_count == 0 {
                if self.nodes[node as usize].visits < self.params.expand_at
                    || self.edges.len() + SEGMENT_COUNT > MOST_EDGES
                {
                    break;
                }
                self.expand(node, &position);
                self.prove(node, &position, solver);
                continue;
            }
            let edge = match self.select(node) {
                Some(edge) => edge,
                None => {
                    self.nodes[node as usize].proof = Proof::Lost;
                    break;
                }
            };
            self.path.push((node, edge as u32));
            position = position.make_bit(1 << self.edges[edge].segment);
            if self.edges[edge].child == NO_NODE {
                self.edges[edge].child = self.node_of(&position);
            }
            node = self.edges[edge].child;
        }
        let (mover_wins, by_winner, by_loser) = match self.nodes[node as usize].proof {
            Proof::Won => (true, 0, 0),
            Proof::Lost => (false, 0, 0),
            Proof::None => self.play_out(position),
        };
        self.back_up(node, mover_wins, by_winner, by_loser);
    }

    /// Asks the solver about a node late enough in the game.
    fn prove(&mut self, node: u32, position: &Position, solver: &mut Solver) {
        if position.ply() < self.params.solve_from_ply {
            return;
        }
        match solver.wins(position, Limits { nodes: Some(self.params.solve_nodes), deadline: None })
        {
            Some(true) => self.nodes[node as usize].proof = Proof::Won,
            Some(false) => self.nodes[node as usize].proof = Proof::Lost,
            None => {}
        }
    }

    /// The edge to follow: the best by its own record and that of simulations that drew it later.
    /// `None` if all lead to positions proved to be won for the opponent.
    fn select(&self, node: u32) -> Option<usize> {
        let visits = self.nodes[node as usize].visits.max(1) as f32;
        let explore = self.params.exploration * visits.ln().sqrt();
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for index in self.edges_of(node) {
            let edge = &self.edges[index];
            let value = match self.value(edge) {
                Some(value) => value + explore / (edge.visits as f32 + 1.0).sqrt(),
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
        let rave = if edge.rave_visits == 0 {
            UNKNOWN_VALUE
        } else {
            edge.rave_wins as f32 / edge.rave_visits as f32
        };
        if edge.child == NO_NODE {
            return Some(rave);
        }
        let child = &self.nodes[edge.child as usize];
        match child.proof {
            Proof::Won => return None,
            Proof::Lost => return Some(f32::INFINITY),
            Proof::None => {}
        }
        if child.visits == 0 {
            return Some(rave);
        }
        let own = 1.0 - child.wins as f32 / child.visits as f32;
        let own_visits = child.visits as f32;
        let equivalence = self.params.rave_visits;
        let beta = (equivalence / (3.0 * own_visits + equivalence)).sqrt();
        Some(beta * rave + (1.0 - beta) * own)
    }

    /// Plays at random until the game is decided. Does the side to move win, and which segments did
    /// the winner and the loser draw?
    fn play_out(&mut self, mut position: Position) -> (bool, Segments, Segments) {
        let mut drawn = [0u64; 2];
        let mut turn = 0;
        loop {
            let legal = position.legal();
            if legal == 0 {
                break;
            }
            let bit = random_bit(legal, &mut self.rng);
            drawn[turn] |= bit;
            turn ^= 1;
            position = position.make_bit(bit);
        }
        // The side whose turn it is can't move.
        (turn == 1, drawn[turn ^ 1], drawn[turn])
    }

    /// Records a result on all nodes of the path. `mover_wins` is about the side to move at its end.
    fn back_up(
        &mut self,
        last: u32,
        mover_wins: bool,
        mut by_winner: Segments,
        mut by_loser: Segments,
    ) {
        let mut wins = mover_wins;
        self.record(last, wins);
        let mut below = self.nodes[last as usize].proof;
        for step in (0..self.path.len()).rev() {
            let (node, taken) = self.path[step];
            wins = !wins;
            let bit = 1 << self.edges[taken as usize].segment;
            if wins {
                by_winner |= bit;
            } else {
                by_loser |= bit;
            }
            self.record(node, wins);
            self.edges[taken as usize].visits += 1;
            let range = self.edges_of(node);
            for edge in &mut self.edges[range.clone()] {
                edge.rave_visits += ((by_winner | by_loser) >> edge.segment & 1) as u32;
                edge.rave_wins += (by_winner >> edge.segment & 1) as u32;
            }
            below = match below {
                Proof::Lost => Proof::Won,
                Proof::Won if self.all_won(range) => Proof::Lost,
                _ => Proof::None,
            };
            if below != Proof::None {
                self.nodes[node as usize].proof = below;
            }
        }
    }

    fn record(&mut self, node: u32, wins: bool) {
        let node = &mut self.nodes[node as usize];
        node.visits += 1;
        node.wins += u32::from(wins);
    }

    /// Do all these edges lead to positions proved to be won for the side to move there?
    fn all_won(&self, range: std::ops::Range<usize>) -> bool {
        self.edges[range].iter().all(|edge| {
            edge.child != NO_NODE && self.nodes[edge.child as usize].proof == Proof::Won
        })
    }

    /// The move with the most visits, or one that is proved to win.
    fn choose(&self, root: u32, simulations: u64) -> Option<Estimate> {
        let proof_behind = |edge: &Edge| {
            self.nodes.get(edge.child as usize).map_or(Proof::None, |child| child.proof)
        };
        let worth = |edge: &Edge| match proof_behind(edge) {
            Proof::Lost => (2, edge.visits),
            Proof::None => (1, edge.visits),
            Proof::Won => (0, edge.visits),
        };
        let best = self.edges[self.edges_of(root)].iter().max_by_key(|edge| worth(edge))?;
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
