//! A Monte Carlo player with all-moves-as-first statistics, a sparring partner: tree search in which
//! every node counts, for each segment, the simulations in which its side to move drew the segment
//! at any later time (AMAF: Brügmann, 1993; RAVE: Gelly and Silver, 2007). The game is impartial, so
//! one table a node serves both players. It solves the last moves exactly and claims a win by its
//! estimate, in the manner of the winner of CodeCup 2021.
//!
//! Counting the segments drawn by either side, each for the side that drew it, plays much worse.

use super::uct::{play_out, Limits};
use crate::engine::clock::Clock;
use crate::engine::dialogue::{self, Report};
use crate::engine::rng::{split_mix, Rng};
use crate::games::zuniq::game::{Game, CLAIM};
use crate::games::zuniq::geometry::{Segments, SEGMENT_COUNT};
use crate::games::zuniq::position::{Identity, Position};
use crate::games::zuniq::segment::Segment;
use std::collections::HashMap;
use std::ops::Range;

/// The number of visits to a move at which its own results count as much as those of all moves as
/// first: the weight of the latter falls by the square root of `EQUIVALENCE / (3 visits +
/// EQUIVALENCE)` (Gelly and Silver, 2007).
const EQUIVALENCE: f32 = 1000.0;
/// The weight of the exploration term of UCB1.
const EXPLORATION: f32 = 0.1;
/// The value of a move of which nothing is known.
const FIRST_VALUE: f32 = 1.0;

/// With at most this many legal moves the rest is searched to the end ...
const MAX_EXACT_MOVES: u32 = 9;
/// ... in at most this many positions.
const MAX_EXACT_POSITIONS: u32 = 500_000;

/// From this move of the game on a win is claimed ...
const CLAIM_FROM_MOVE: usize = 19;
/// ... if the chosen move won this part of its simulations.
const CLAIM_VALUE: f32 = 0.67;

/// The weights of moves in the division of the time, each from a ply on: most for the opening ...
const TIME_WEIGHTS: [(usize, f64); 3] = [(0, 3.0), (12, 2.0), (24, 1.0)];
/// ... up to this ply.
const LAST_WEIGHED_PLY: usize = 33;

/// The maximum number of edges, of 20 bytes each.
const MAX_EDGES: usize = 16_000_000;
const ROOT: u32 = 0;

/// The player.
pub struct Amaf {
    game: Game,
    /// Simulations per move; `None` if the clock is the limit.
    simulations: Option<u64>,
    report: Report,
}

/// A move and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Choice {
    segment: Segment,
    /// The share of its simulations that it won; 0 or 1 if it was searched to the end.
    value: f32,
    simulations: u64,
}

impl Amaf {
    /// A player at the start of a game.
    pub fn new(simulations: Option<u64>) -> Amaf {
        Amaf { game: Game::new(), simulations, report: Report::default() }
    }

    fn limits(&self, clock: &Clock) -> Limits {
        let deadline = match self.simulations {
            Some(_) => None,
            None => {
                let allotment = clock.allot(expected_own_moves(self.game.ply()));
                Some(clock.stopwatch().deadline(allotment.soft))
            }
        };
        Limits { deadline, simulations: self.simulations }
    }

    fn should_claim(&self, choice: Choice) -> bool {
        let is_new = self.game.claim(self.game.side()).is_none();
        is_new && self.game.ply() + 1 >= CLAIM_FROM_MOVE && choice.value >= CLAIM_VALUE
    }
}

impl dialogue::Player for Amaf {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn answer(&mut self, clock: &Clock) -> Option<String> {
        let choice = choose(self.game.position(), self.limits(clock))?;
        let claimed = self.should_claim(choice);
        self.game.push(choice.segment, claimed);
        let mut answer = choice.segment.to_string();
        if claimed {
            answer.push(CLAIM);
        }
        let Choice { value, simulations, .. } = choice;
        let text = format!("{answer} {:.1} % after {simulations} simulations", value * 100.0);
        self.report = Report { text, ..Report::default() };
        Some(answer)
    }

    fn is_over(&self) -> bool {
        self.game.winner().is_some()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

/// The number of own moves that remain to be paid for, in moves of the weight at this ply.
fn expected_own_moves(ply: usize) -> f64 {
    let weight = |ply: usize| {
        TIME_WEIGHTS.iter().rev().find(|(from, _)| ply >= *from).map_or(1.0, |(_, weight)| *weight)
    };
    let ahead: f64 = (ply..=LAST_WEIGHED_PLY).step_by(2).map(weight).sum();
    (ahead / weight(ply)).max(2.0)
}

/// The move that wins by an exact search of the rest, else the one that the simulations favour.
/// `None` if there is no legal move.
fn choose(position: &Position, limits: Limits) -> Option<Choice> {
    let any = Segment::each(position.legal()).next()?;
    if position.legal().count_ones() <= MAX_EXACT_MOVES {
        let mut left = MAX_EXACT_POSITIONS;
        match winning_move(position, &mut left) {
            Some(Some(segment)) => return Some(Choice { segment, value: 1.0, simulations: 0 }),
            Some(None) => return Some(Choice { segment: any, value: 0.0, simulations: 0 }),
            None => {}
        }
    }
    let mut tree = Tree::new(split_mix(position.gaps()));
    let simulations = tree.search(position, limits);
    tree.choice().map(|(segment, value)| Choice { segment, value, simulations })
}

/// A winning move by trying everything. The outer `Option` is `None` if more than `left` positions
/// would have to be searched, the inner one if all moves lose.
fn winning_move(position: &Position, left: &mut u32) -> Option<Option<Segment>> {
    for segment in Segment::each(position.legal()) {
        *left = left.checked_sub(1)?;
        if winning_move(&position.make(segment), left)?.is_none() {
            return Some(Some(segment));
        }
    }
    Some(None)
}

/// How often something was tried and how often the side that did it won.
#[derive(Clone, Copy, Default)]
struct Count {
    tries: u32,
    wins: u32,
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
struct Node {
    first_edge: u32,
    edge_count: u32,
    /// The simulations through this node, won by its side to move.
    own: Count,
}

#[derive(Clone, Copy)]
struct Edge {
    segment: Segment,
    /// The node that it leads to, or `NO_NODE` before the first visit.
    child: u32,
    visits: u32,
    /// The simulations through its node in which the side to move there drew this segment at any
    /// time from there on.
    as_first: Count,
}

const NO_NODE: u32 = u32::MAX;

/// A search tree. Transpositions share a node: the order of moves does not matter to a position.
struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    index: HashMap<Identity, u32>,
    rng: Rng,
    /// The nodes of the current simulation, and the edges between them.
    path: Vec<u32>,
    taken: Vec<u32>,
}

impl Tree {
    fn new(seed: u64) -> Tree {
        Tree {
            nodes: Vec::new(),
            edges: Vec::new(),
            index: HashMap::new(),
            rng: Rng::new(seed),
            path: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Makes at least one simulation. Returns the number made.
    fn search(&mut self, root: &Position, limits: Limits) -> u64 {
        let node = self.node_at(root);
        self.expand(node, root);
        let mut done = 0;
        while done == 0 || !limits.are_reached(done) {
            self.simulate(root.clone());
            done += 1;
        }
        done
    }

    /// The move with the most visits and the part of its simulations that it won.
    fn choice(&self) -> Option<(Segment, f32)> {
        let best = self.edges[self.edges_of(ROOT)].iter().max_by_key(|edge| edge.visits)?;
        let child = self.nodes.get(best.child as usize)?;
        Some((best.segment, 1.0 - child.own.rate()))
    }

    #[inline(always)]
    fn edges_of(&self, node: u32) -> Range<usize> {
        let Node { first_edge, edge_count, .. } = self.nodes[node as usize];
        first_edge as usize..(first_edge + edge_count) as usize
    }

    fn node_at(&mut self, position: &Position) -> u32 {
        let nodes = &mut self.nodes;
        *self.index.entry(position.identity()).or_insert_with(|| {
            nodes.push(Node { first_edge: 0, edge_count: 0, own: Count::default() });
            nodes.len() as u32 - 1
        })
    }

    fn expand(&mut self, node: u32, position: &Position) {
        let first_edge = self.edges.len() as u32;
        self.edges.extend(Segment::each(position.legal()).map(|segment| Edge {
            segment,
            child: NO_NODE,
            visits: 0,
            as_first: Count::default(),
        }));
        let node = &mut self.nodes[node as usize];
        node.first_edge = first_edge;
        node.edge_count = self.edges.len() as u32 - first_edge;
    }

    /// One simulation: selects a leaf, expands it, plays a random game and backs up the result.
    fn simulate(&mut self, mut position: Position) {
        self.path.clear();
        self.taken.clear();
        let mut node = ROOT;
        // The segments drawn by each side, first that to move at the root.
        let mut drawn = [0; 2];
        loop {
            self.path.push(node);
            let Node { edge_count, own, .. } = self.nodes[node as usize];
            let has_room = self.edges.len() + SEGMENT_COUNT <= MAX_EDGES;
            if edge_count == 0 && own.tries > 0 && has_room {
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
        // The side to move at the leaf.
        let side = self.taken.len() % 2;
        let random = play_out(position, &mut self.rng);
        drawn[side] |= random.drawn[0];
        drawn[1 - side] |= random.drawn[1];
        let winner = if random.mover_wins { side } else { 1 - side };
        self.back_up(drawn, winner);
    }

    /// Counts a simulation at all nodes of the path; `drawn` and `winner` by the sides, first that to
    /// move at the root.
    fn back_up(&mut self, drawn: [Segments; 2], winner: usize) {
        for &edge in &self.taken {
            self.edges[edge as usize].visits += 1;
        }
        for depth in 0..self.path.len() {
            let node = self.path[depth];
            let side = depth % 2;
            let wins = u32::from(side == winner);
            self.nodes[node as usize].own.add(1, wins);
            // Segments drawn before are no moves of this node.
            let edges = self.edges_of(node);
            for edge in &mut self.edges[edges] {
                let tries = u32::from(drawn[side] & edge.segment.bit() != 0);
                edge.as_first.add(tries, tries * wins);
            }
        }
    }

    /// The edge with the highest value.
    fn select(&self, node: u32) -> Option<usize> {
        let log = (self.nodes[node as usize].own.tries.max(1) as f32).ln();
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for edge in self.edges_of(node) {
            let value = self.value(&self.edges[edge], log);
            if value > best_value {
                best_value = value;
                best = Some(edge);
            }
        }
        best
    }

    /// The value of an edge for the side that makes the move, with the exploration term.
    #[inline(always)]
    fn value(&self, edge: &Edge, log_parent_visits: f32) -> f32 {
        let as_first = if edge.as_first.tries == 0 { FIRST_VALUE } else { edge.as_first.rate() };
        if edge.visits == 0 {
            return as_first;
        }
        let child = self.nodes[edge.child as usize].own;
        let visits = child.tries as f32;
        let weight = (EQUIVALENCE / (3.0 * visits + EQUIVALENCE)).sqrt();
        let exploration = EXPLORATION * (log_parent_visits / edge.visits as f32).sqrt();
        weight * as_first + (1.0 - weight) * (1.0 - child.rate()) + exploration
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::fake::FakeTime;
    use crate::engine::dialogue::Player as _;
    use crate::games::zuniq::solver::{self, Solver};
    use crate::games::zuniq::CONTEST;
    use crate::tools::contracts::GameState as _;
    use std::time::Duration;

    /// A player after this many random moves, or fewer if the game ends.
    fn begun(rng: &mut Rng, plies: usize, simulations: Option<u64>) -> Amaf {
        let mut player = Amaf::new(simulations);
        for _ in 0..plies {
            if let Some(text) = player.game.random_move(rng) {
                player.play(&text).expect("a legal move");
            }
        }
        player
    }

    #[test]
    fn the_last_moves_are_exact_and_claimed() {
        let mut rng = Rng::new(1);
        let mut solver = Solver::new(1);
        let mut met = [0; 2];
        while met.iter().any(|&count| count < 10) {
            let mut player = begun(&mut rng, 31, Some(1));
            let position = player.game.position().clone();
            if !(1..=MAX_EXACT_MOVES).contains(&position.legal().count_ones()) {
                continue;
            }
            let wins = solver.wins(&position, solver::Limits::default()) == Some(true);
            let answer = player.answer(&Clock::start(CONTEST.time)).expect("a move");
            assert_eq!(answer.ends_with(CLAIM), wins, "{answer} {position:?}");
            let next = solver.wins(player.game.position(), solver::Limits::default());
            assert_eq!(next, Some(!wins), "{answer} {position:?}");
            met[usize::from(wins)] += 1;
        }
    }

    #[test]
    fn finds_most_of_the_only_moves_that_win() {
        let mut rng = Rng::new(2);
        let mut solver = Solver::new(1);
        let (mut met, mut found) = (0, 0);
        while met < 20 {
            let mut player = begun(&mut rng, 30, Some(3000));
            let position = player.game.position().clone();
            let mut loses = |segment: &Segment| {
                let next = position.make(*segment);
                solver.wins(&next, solver::Limits::default()) == Some(false)
            };
            let winning: Vec<Segment> =
                Segment::each(position.legal()).filter(&mut loses).collect();
            if winning.len() != 1 || position.legal().count_ones() <= MAX_EXACT_MOVES {
                continue;
            }
            met += 1;
            let answer = player.answer(&Clock::start(CONTEST.time)).expect("a move");
            found += usize::from(answer.trim_end_matches(CLAIM) == winning[0].to_string());
        }
        assert!(found >= 14, "{found} of {met}");
    }

    #[test]
    fn amaf_counts_belong_to_who_drew_them() {
        let mut tree = Tree::new(1);
        let limits = Limits { deadline: None, simulations: Some(500) };
        assert_eq!(tree.search(&Position::START, limits), 500);
        let root = tree.nodes[ROOT as usize];
        assert_eq!(root.own.tries, 500);
        let edges = &tree.edges[tree.edges_of(ROOT)];
        assert_eq!(edges.iter().map(|edge| edge.visits).sum::<u32>(), 500);
        // White draws half of the segments of a game, 14 to 21, and wins those with an odd number.
        let tries: u32 = edges.iter().map(|edge| edge.as_first.tries).sum();
        assert!((14 * 500..=21 * 500).contains(&tries), "{tries}");
        let wins: u32 = edges.iter().map(|edge| edge.as_first.wins).sum();
        let won = root.own.wins;
        assert!((14 * won..=21 * won).contains(&wins), "{wins} in {won} games");
        for edge in edges {
            assert!(
                edge.visits <= edge.as_first.tries && edge.as_first.wins <= edge.as_first.tries
            );
        }
    }

    #[test]
    fn games_by_the_clock_claim_once_at_most() {
        let mut player = begun(&mut Rng::new(3), 4, None);
        let _time = FakeTime::ticking(Duration::from_micros(500));
        let control = CONTEST.time.with_budget(Duration::from_millis(300));
        let clock = Clock::for_one_move(control, Duration::ZERO);
        let mut claims = [0; 2];
        while !player.is_over() {
            let side = player.game.side();
            let text = player.answer(&clock).expect("the game goes on");
            claims[side as usize] += usize::from(text.ends_with(CLAIM));
            let is_early = player.game.ply() < CLAIM_FROM_MOVE;
            assert!(!is_early || !text.ends_with(CLAIM), "{text}");
        }
        assert!(claims.iter().all(|&count| count <= 1), "{claims:?}");
        assert_ne!(claims, [0, 0]);
        assert!(clock.spent() < control.budget(), "{:?}", clock.spent());
        assert_eq!(player.answer(&clock), None);
    }
}
