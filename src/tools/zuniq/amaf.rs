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
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
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

/// The maximum number of nodes, of 28 bytes each.
const MAX_NODES: usize = 12_000_000;
const ROOT: usize = 0;

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
    /// The move that leads here.
    segment: Segment,
    first_child: u32,
    child_count: u32,
    /// The simulations through this node.
    own: Count,
    /// Those of the parent in which its side to move drew this segment at any time from there on.
    as_first: Count,
}

impl Node {
    fn new(segment: Segment) -> Node {
        Node {
            segment,
            first_child: 0,
            child_count: 0,
            own: Count::default(),
            as_first: Count::default(),
        }
    }

    /// The value for the side that makes the move.
    #[inline(always)]
    fn value(&self, log_parent_visits: f32) -> f32 {
        let visits = self.own.tries as f32;
        let as_first = if self.as_first.tries == 0 { FIRST_VALUE } else { self.as_first.rate() };
        if self.own.tries == 0 {
            return as_first;
        }
        let weight = (EQUIVALENCE / (3.0 * visits + EQUIVALENCE)).sqrt();
        let exploration = EXPLORATION * (log_parent_visits / visits).sqrt();
        weight * as_first + (1.0 - weight) * self.own.rate() + exploration
    }
}

/// A search tree.
struct Tree {
    nodes: Vec<Node>,
    rng: Rng,
    /// The nodes of the current simulation.
    path: Vec<usize>,
}

impl Tree {
    fn new(seed: u64) -> Tree {
        Tree { nodes: Vec::new(), rng: Rng::new(seed), path: Vec::new() }
    }

    /// Makes at least one simulation. Returns the number made.
    fn search(&mut self, root: &Position, limits: Limits) -> u64 {
        self.nodes = vec![Node::new(Segment::from_bit(1))];
        self.expand(ROOT, root);
        let mut done = 0;
        while done == 0 || !limits.are_reached(done) {
            self.simulate(root.clone());
            done += 1;
        }
        done
    }

    /// The move with the most visits and the part of them that it won.
    fn choice(&self) -> Option<(Segment, f32)> {
        let children = &self.nodes[self.children(ROOT)];
        let best = children.iter().max_by_key(|child| child.own.tries)?;
        Some((best.segment, best.own.rate()))
    }

    #[inline(always)]
    fn children(&self, node: usize) -> Range<usize> {
        let Node { first_child, child_count, .. } = self.nodes[node];
        first_child as usize..(first_child + child_count) as usize
    }

    fn expand(&mut self, node: usize, position: &Position) {
        let first_child = self.nodes.len() as u32;
        self.nodes.extend(Segment::each(position.legal()).map(Node::new));
        self.nodes[node].first_child = first_child;
        self.nodes[node].child_count = self.nodes.len() as u32 - first_child;
    }

    /// One simulation: selects a leaf, expands it, plays a random game and backs up the result.
    fn simulate(&mut self, mut position: Position) {
        self.path.clear();
        self.path.push(ROOT);
        let mut node = ROOT;
        // The segments drawn by each side, first that to move at the root.
        let mut drawn = [0; 2];
        loop {
            let is_new = self.nodes[node].child_count == 0;
            let has_room = self.nodes.len() + SEGMENT_COUNT <= MAX_NODES;
            if is_new && self.nodes[node].own.tries > 0 && has_room {
                self.expand(node, &position);
            }
            let Some(child) = self.select(node) else { break };
            let segment = self.nodes[child].segment;
            position = position.make(segment);
            drawn[(self.path.len() - 1) % 2] |= segment.bit();
            self.path.push(child);
            node = child;
        }
        // The side to move at the leaf.
        let side = (self.path.len() - 1) % 2;
        let random = play_out(position, &mut self.rng);
        drawn[side] |= random.drawn[0];
        drawn[1 - side] |= random.drawn[1];
        let winner = if random.mover_wins { side } else { 1 - side };
        self.back_up(drawn, winner);
    }

    /// Counts a simulation at all nodes of the path; `drawn` and `winner` by the sides, first that to
    /// move at the root.
    fn back_up(&mut self, drawn: [Segments; 2], winner: usize) {
        for depth in 0..self.path.len() {
            let node = self.path[depth];
            // The side that made the move, and the one that is to move.
            let (mover, next) = ((depth + 1) % 2, depth % 2);
            self.nodes[node].own.add(1, u32::from(mover == winner));
            // Segments drawn before are no moves of this node.
            let wins = u32::from(next == winner);
            let children = self.children(node);
            for child in &mut self.nodes[children] {
                let tries = u32::from(drawn[next] & child.segment.bit() != 0);
                child.as_first.add(tries, tries * wins);
            }
        }
    }

    /// The child with the highest value.
    fn select(&self, node: usize) -> Option<usize> {
        let log = (self.nodes[node].own.tries.max(1) as f32).ln();
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for child in self.children(node) {
            let value = self.nodes[child].value(log);
            if value > best_value {
                best_value = value;
                best = Some(child);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::dialogue::Player as _;
    use crate::games::zuniq::solver::{self, Solver};
    use crate::games::zuniq::CONTEST;
    use crate::tools::game::GameState as _;
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
    fn counts_of_all_moves_as_first_belong_to_who_drew_them() {
        let mut tree = Tree::new(1);
        let limits = Limits { deadline: None, simulations: Some(500) };
        assert_eq!(tree.search(&Position::START, limits), 500);
        let root = tree.nodes[ROOT];
        assert_eq!(root.own.tries, 500);
        let children = &tree.nodes[tree.children(ROOT)];
        assert_eq!(children.iter().map(|child| child.own.tries).sum::<u32>(), 500);
        // White draws half of the segments of a game, 14 to 21, and wins those with an odd number.
        let tries: u32 = children.iter().map(|child| child.as_first.tries).sum();
        assert!((14 * 500..=21 * 500).contains(&tries), "{tries}");
        let wins: u32 = children.iter().map(|child| child.as_first.wins).sum();
        let won = 500 - root.own.wins;
        assert!((14 * won..=21 * won).contains(&wins), "{wins} in {won} games");
        for child in children {
            assert!(
                child.own.tries <= child.as_first.tries && child.own.wins <= child.as_first.wins
            );
        }
    }

    #[test]
    fn whole_games_by_the_clock_are_legal_and_claim_once_at_most() {
        let mut player = begun(&mut Rng::new(3), 4, None);
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
        // The bound leaves room for a busy machine.
        assert!(clock.spent() < Duration::from_secs(2), "{:?}", clock.spent());
        assert_eq!(player.answer(&clock), None);
    }
}
