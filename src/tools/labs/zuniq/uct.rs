//! A plain Monte Carlo player, a baseline for the contest player: tree search by upper confidence
//! bounds (UCT: Kocsis and Szepesvári, 2006) with random games from the leaves. It has no solver,
//! no move statistics (RAVE) and no transpositions, and never claims.

use crate::engine::clock::{Clock, Deadline};
use crate::engine::dialogue::{self, Report};
use crate::engine::rng::{split_mix, Rng};
use crate::games::zuniq::game::Game;
use crate::games::zuniq::geometry::{random_bit, Segments, SEGMENT_COUNT};
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use std::ops::Range;

/// The weight of the exploration term of UCB1.
const EXPLORATION: f32 = 0.7;
/// The clock is read once in this many simulations.
const SIMULATIONS_BETWEEN_CLOCK_READS: u64 = 64;
/// The longest game to be expected, in moves; few are longer. The time is divided evenly among the
/// own moves up to there.
const EXPECTED_MAX_PLIES: usize = 41;
/// The maximum number of nodes, of 20 bytes each.
const MAX_NODES: usize = 12_000_000;
const ROOT: usize = 0;

/// The player.
pub struct Uct {
    game: Game,
    /// Simulations per move; `None` if the clock is the limit.
    simulations: Option<u64>,
    report: Report,
}

impl Uct {
    /// A player at the start of a game.
    pub fn new(simulations: Option<u64>) -> Uct {
        Uct { game: Game::new(), simulations, report: Report::default() }
    }
}

/// The limits of a search by simulations.
#[derive(Clone, Copy)]
pub struct Limits {
    /// When to stop.
    pub deadline: Option<Deadline>,
    /// The maximum number of simulations.
    pub simulations: Option<u64>,
}

impl Limits {
    /// Is one of them reached after so many simulations?
    #[inline(always)]
    pub fn are_reached(&self, done: u64) -> bool {
        self.simulations.is_some_and(|max| done >= max)
            || done.is_multiple_of(SIMULATIONS_BETWEEN_CLOCK_READS)
                && self.deadline.is_some_and(Deadline::is_past)
    }
}

/// A game played to the end at random.
pub struct PlayOut {
    /// The segments drawn by the side that was to move, and by the other.
    pub drawn: [Segments; 2],
    /// Does the side that was to move win?
    pub mover_wins: bool,
}

/// Plays random moves to the end.
pub fn play_out(mut position: Position, rng: &mut Rng) -> PlayOut {
    let mut drawn = [0; 2];
    let mut plies = 0;
    while position.legal() != 0 {
        let bit = random_bit(position.legal(), rng);
        position = position.make_bit(bit);
        drawn[plies % 2] |= bit;
        plies += 1;
    }
    PlayOut { drawn, mover_wins: plies % 2 == 1 }
}

/// The move that a search chooses within the limits, and the number of simulations that it made. The
/// same position and number give the same move. `None` if there is no legal move.
pub fn choose(position: &Position, limits: Limits) -> Option<(Segment, u64)> {
    let mut tree = Tree::new(split_mix(position.gaps()));
    let done = tree.search(position, limits);
    Some((tree.choice()?, done))
}

impl dialogue::Player for Uct {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn answer(&mut self, clock: &Clock) -> Option<String> {
        let own_moves = (EXPECTED_MAX_PLIES.saturating_sub(self.game.ply()) + 1) as f64 / 2.0;
        let deadline = match self.simulations {
            Some(_) => None,
            None => Some(clock.stopwatch().deadline(clock.allot(own_moves.max(2.0)).soft)),
        };
        let limits = Limits { deadline, simulations: self.simulations };
        let (segment, done) = choose(self.game.position(), limits)?;
        self.game.push(segment, false);
        let text = format!("{segment} after {done} simulations");
        self.report = Report { text, ..Report::default() };
        Some(segment.to_string())
    }

    fn is_over(&self) -> bool {
        self.game.winner().is_some()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

#[derive(Clone, Copy)]
struct Node {
    /// The move that leads here.
    segment: Segment,
    first_child: u32,
    child_count: u32,
    visits: u32,
    /// Simulations won by the side that made the move.
    wins: u32,
}

/// A search tree.
struct Tree {
    nodes: Vec<Node>,
    rng: Rng,
}

impl Tree {
    fn new(seed: u64) -> Tree {
        Tree { nodes: Vec::new(), rng: Rng::new(seed) }
    }

    /// Makes at least one simulation. Returns the number made.
    fn search(&mut self, root: &Position, limits: Limits) -> u64 {
        let any = Segment::from_bit(1);
        self.nodes =
            vec![Node { segment: any, first_child: 0, child_count: 0, visits: 0, wins: 0 }];
        self.expand(ROOT, root);
        let mut done = 0;
        while done == 0 || !limits.are_reached(done) {
            self.simulate(root.clone());
            done += 1;
        }
        done
    }

    /// The move with the most visits.
    fn choice(&self) -> Option<Segment> {
        let children = &self.nodes[self.children(ROOT)];
        children.iter().max_by_key(|child| child.visits).map(|child| child.segment)
    }

    fn children(&self, node: usize) -> Range<usize> {
        let Node { first_child, child_count, .. } = self.nodes[node];
        first_child as usize..(first_child + child_count) as usize
    }

    fn expand(&mut self, node: usize, position: &Position) {
        let first_child = self.nodes.len() as u32;
        self.nodes.extend(Segment::each(position.legal()).map(|segment| Node {
            segment,
            first_child: 0,
            child_count: 0,
            visits: 0,
            wins: 0,
        }));
        self.nodes[node].first_child = first_child;
        self.nodes[node].child_count = self.nodes.len() as u32 - first_child;
    }

    /// One simulation: selects a leaf, expands it, plays a random game and backs up the result.
    fn simulate(&mut self, mut position: Position) {
        let mut path = vec![ROOT];
        let mut node = ROOT;
        loop {
            let is_new = self.nodes[node].child_count == 0;
            let has_room = self.nodes.len() + SEGMENT_COUNT <= MAX_NODES;
            if is_new && self.nodes[node].visits > 0 && has_room {
                self.expand(node, &position);
            }
            let Some(child) = self.select(node) else { break };
            position = position.make(self.nodes[child].segment);
            path.push(child);
            node = child;
        }
        // The side that made the last node's move is not to move.
        let mut wins = !play_out(position, &mut self.rng).mover_wins;
        for &node in path.iter().rev() {
            self.nodes[node].visits += 1;
            self.nodes[node].wins += u32::from(wins);
            wins = !wins;
        }
    }

    /// The child with the highest upper confidence bound (UCB1); children without a visit come
    /// first.
    fn select(&self, node: usize) -> Option<usize> {
        let log = (self.nodes[node].visits.max(1) as f32).ln();
        let bound = |child: usize| {
            let Node { visits, wins, .. } = self.nodes[child];
            if visits == 0 {
                return f32::INFINITY;
            }
            let visits = visits as f32;
            wins as f32 / visits + EXPLORATION * (log / visits).sqrt()
        };
        self.children(node).max_by(|&one, &other| bound(one).total_cmp(&bound(other)))
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
    fn begun(rng: &mut Rng, plies: usize, simulations: Option<u64>) -> Uct {
        let mut player = Uct::new(simulations);
        for _ in 0..plies {
            if let Some(text) = player.game.random_move(rng) {
                player.play(&text).expect("a legal move");
            }
        }
        player
    }

    #[test]
    fn finds_the_only_moves_that_win_late_in_the_game() {
        let mut rng = Rng::new(1);
        let mut solver = Solver::new(1);
        let mut met = 0;
        while met < 20 {
            let mut player = begun(&mut rng, 33, Some(4000));
            let position = player.game.position().clone();
            let mut loses = |segment: &Segment| {
                solver.wins(&position.make(*segment), solver::Limits::default()) == Some(false)
            };
            let winning: Vec<Segment> =
                Segment::each(position.legal()).filter(&mut loses).collect();
            if winning.len() != 1 || position.legal().count_ones() < 3 {
                continue;
            }
            met += 1;
            assert_eq!(player.answer(&Clock::start(CONTEST.time)), Some(winning[0].to_string()));
        }
    }

    #[test]
    fn games_by_the_clock_are_legal_without_claims() {
        let mut player = begun(&mut Rng::new(2), 4, None);
        let _time = FakeTime::ticking(Duration::from_micros(500));
        let control = CONTEST.time.with_budget(Duration::from_millis(300));
        let clock = Clock::for_one_move(control, Duration::ZERO);
        while !player.is_over() {
            let text = player.answer(&clock).expect("the game goes on");
            assert_eq!(text.len(), 3);
        }
        assert!(clock.spent() < control.budget(), "{:?}", clock.spent());
        assert_eq!(player.answer(&clock), None);
    }
}
