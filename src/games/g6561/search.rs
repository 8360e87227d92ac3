//! Expectimax for two players who share their points: our own moves are maximised, the partner's
//! are a mixture of what its likely policies make.

use super::board::{Board, Colour, Direction, Piece};
use super::game::{Move, Position, Turn, MAX_PLIES};
use super::network::{phase, Network};
use super::slides::Slides;
use super::value::{Value, MAIN};
use crate::engine::clock::Deadline;
use crate::engine::interrupt;
use std::sync::Arc;

/// The deepest search, in plies.
pub const MAX_DEPTH: usize = 30;
/// The clock is asked once in so many nodes.
const NODES_A_LOOK: u64 = 1024;

/// The parts of the colours: `[colour]` is what a colour of the game is recoloured to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles(pub [Colour; 3]);

impl Roles {
    /// The parts with this main colour.
    pub fn of_main(main: Colour) -> Roles {
        let mut images = Colour::ALL;
        images.swap(main.index(), MAIN.index());
        Roles(images)
    }
}

/// Where a search ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The deepest iteration; [`MAX_DEPTH`] where it is not set.
    pub depth: Option<usize>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time.
    pub deadline: Option<Deadline>,
}

/// What is expected of the partner's turns: the parts of the policies that a search can follow. The rest
/// is any move, all alike.
///
/// With a foreseen part a search goes on after the foreseen move alone, and so looks about twice as far ahead
/// (opponent-model search: D. Carmel, S. Markovitch; H. Iida and others, 1993). The other moves change the
/// value by the difference of their static values from that of the foreseen one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Replies {
    /// The best move by our own value: 1 for a partner who plays as we do, 0 for a random mover.
    pub best: f32,
    /// The greatest sum right after the move.
    pub greedy: f32,
    /// The fewest pieces right after the move, then the sum.
    pub tidy: f32,
    /// The best move by the hand-made value right after it.
    pub foreseen: f32,
}

impl Replies {
    /// Any move, all alike.
    pub const RANDOM: Replies = Replies { best: 0.0, greedy: 0.0, tidy: 0.0, foreseen: 0.0 };

    /// The best move with this part, or else any one.
    pub fn trusting(best: f32) -> Replies {
        Replies { best, ..Replies::RANDOM }
    }

    /// The same, but with this part for the foreseen move.
    pub fn foreseeing(self, part: f32) -> Replies {
        let rest = 1.0 - part;
        let Replies { best, greedy, tidy, .. } = self;
        Replies { best: best * rest, greedy: greedy * rest, tidy: tidy * rest, foreseen: part }
    }

    /// Does any part look at the board right after the move?
    fn look_at_sums(self) -> bool {
        self.greedy + self.tidy > 0.0
    }

    /// The part of any move, all alike.
    fn random(self) -> f32 {
        1.0 - self.best - self.greedy - self.tidy - self.foreseen
    }
}

/// How tidy a board is: the fewer pieces the better, of equal ones the sum.
pub fn tidiness(board: Board) -> u32 {
    TIDINESS_OF_SQUARE * board.count_empty() + board.sum()
}

/// An empty square is worth more than any sum.
const TIDINESS_OF_SQUARE: u32 = 10_000;

/// A move and what is expected of it, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The value of the position after it.
    pub value: f32,
}

/// All moves of a position with their values, in the order of the rules.
pub struct Ranking {
    /// The moves.
    pub choices: Vec<Choice>,
    /// The depth to which all of them were searched.
    pub depth: usize,
}

impl Ranking {
    /// The first of the best moves; `None` where there is no move.
    pub fn best(&self) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        for &choice in &self.choices {
            if best.map_or(true, |best| choice.value > best.value) {
                best = Some(choice);
            }
        }
        best
    }
}

/// The search's limit is reached.
#[derive(Debug)]
pub struct OutOfTime;

/// What values the leaves of a search.
#[derive(Clone)]
pub enum Evaluation {
    /// The hand-made value, for partners who build something.
    HandMade(Arc<Value>),
    /// The learned one, for partners who move at random.
    Learned(Arc<Network>),
}

impl Evaluation {
    /// The hand-made value that all searches share.
    pub fn hand_made() -> Evaluation {
        Evaluation::HandMade(Value::shared())
    }

    /// The hand-made value near the end of a game.
    pub fn late() -> Evaluation {
        Evaluation::HandMade(Value::late())
    }

    /// The value of a recoloured board; `is_own` where the searching side moves next.
    #[inline(always)]
    fn of(&self, board: Board, ply: usize, is_own: bool) -> f32 {
        match self {
            Evaluation::HandMade(value) => value.of(board),
            Evaluation::Learned(network) => network.value(board, phase(ply, is_own)),
        }
    }
}

/// A search with its tables.
pub struct Search {
    slides: Arc<Slides>,
    evaluation: Evaluation,
    roles: Roles,
    replies: Replies,
    /// What the partner's moves are foreseen by.
    hand_made: Arc<Value>,
    /// The parity of the plies at which we move.
    own_parity: usize,
    known: Known,
    nodes: u64,
    /// The clock is asked at so many nodes.
    next_look: u64,
    node_limit: u64,
    deadline: Option<Deadline>,
}

impl Search {
    /// A search with these tables.
    pub fn new(evaluation: Evaluation) -> Search {
        Search {
            slides: Slides::shared(),
            evaluation,
            roles: Roles(Colour::ALL),
            replies: Replies::RANDOM,
            hand_made: Value::shared(),
            own_parity: 0,
            known: Known::new(),
            nodes: 0,
            next_look: NODES_A_LOOK,
            node_limit: u64::MAX,
            deadline: None,
        }
    }

    /// The search with other values at its leaves.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.known.forget();
        self.evaluation = evaluation;
    }

    /// The nodes of all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The values of all moves of the side to move by iterative deepening. The only move is not searched.
    pub fn rank(
        &mut self,
        position: Position,
        roles: Roles,
        replies: Replies,
        limits: Limits,
    ) -> Ranking {
        let value = self.evaluation.of(position.board.recoloured(roles.0), position.ply, true);
        let choices: Vec<Choice> =
            position.moves().into_iter().map(|mv| Choice { mv, value }).collect();
        let mut ranking = Ranking { choices, depth: 0 };
        if ranking.choices.len() == 1 {
            return ranking;
        }
        self.node_limit = limits.nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
        let left = MAX_PLIES - position.ply;
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).min(left);
        for depth in 1..=max_depth {
            // However late it is, one ply is searched.
            self.deadline = limits.deadline.filter(|_| depth > 1);
            match self.rank_at(depth, position, roles, replies) {
                Ok(choices) => ranking = Ranking { choices, depth },
                Err(OutOfTime) => break,
            }
        }
        self.node_limit = u64::MAX;
        self.deadline = None;
        ranking
    }

    /// The values of all moves of the side to move, searched to a depth of at least 1. An error where the search
    /// was interrupted.
    pub fn rank_at(
        &mut self,
        depth: usize,
        position: Position,
        roles: Roles,
        replies: Replies,
    ) -> Result<Vec<Choice>, OutOfTime> {
        let own_parity = position.ply % 2;
        if (self.roles, self.replies, self.own_parity) != (roles, replies, own_parity) {
            self.known.forget();
        }
        self.roles = roles;
        self.replies = replies;
        self.own_parity = own_parity;
        let mut choices = Vec::new();
        for mv in position.moves() {
            // What the rules offer they allow.
            if let Ok(after) = position.after(mv) {
                let board = after.board.recoloured(roles.0);
                choices.push(Choice { mv, value: self.node(board, after.ply, depth - 1)? });
            }
        }
        Ok(choices)
    }

    /// The value of a recoloured board with so many plies to search.
    fn node(&mut self, board: Board, ply: usize, depth: usize) -> Result<f32, OutOfTime> {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            // A foreseen turn counts several nodes at once.
            self.next_look = (self.nodes / NODES_A_LOOK + 1) * NODES_A_LOOK;
            if self.is_out_of_time() {
                return Err(OutOfTime);
            }
        }
        if depth == 0 || ply >= MAX_PLIES {
            return Ok(self.static_value(board, ply));
        }
        if let Some(value) = self.known.value(board, ply, depth) {
            return Ok(value);
        }
        let is_own = ply % 2 == self.own_parity;
        let value = if is_own || self.replies.foreseen == 0.0 {
            self.searched(board, ply, depth, is_own)?
        } else {
            self.foreseen(board, ply, depth)?
        };
        self.known.store(board, ply, depth, value);
        Ok(value)
    }

    /// The value of a turn all of whose moves are searched.
    fn searched(
        &mut self,
        board: Board,
        ply: usize,
        depth: usize,
        is_own: bool,
    ) -> Result<f32, OutOfTime> {
        let looks_at_sums = !is_own && self.replies.look_at_sums();
        let mut moves = Tally::new();
        match Turn::after(ply) {
            Turn::Place(colour) => {
                let colour = self.roles.0[colour.index()];
                for square in board.empty_squares() {
                    let after = board.with(square, Piece { colour, exponent: 0 });
                    let value = self.node(after, ply + 1, depth - 1)?;
                    moves.add(value);
                }
            }
            Turn::Slide => {
                for direction in Direction::ALL.iter().copied() {
                    let after = self.slides.slid(board, direction);
                    if after == board {
                        continue;
                    }
                    let value = self.node(after, ply + 1, depth - 1)?;
                    moves.add(value);
                    if looks_at_sums {
                        moves.add_sums(after, value);
                    }
                }
            }
        }
        Ok(if moves.count == 0 {
            early_end(board)
        } else if is_own {
            moves.best
        } else {
            moves.expected(self.replies)
        })
    }

    /// The value of a turn of which only the foreseen move is searched.
    fn foreseen(&mut self, board: Board, ply: usize, depth: usize) -> Result<f32, OutOfTime> {
        let looks_at_sums = self.replies.look_at_sums();
        let mut moves = Tally::new();
        let mut leader: Option<Foreseen> = None;
        self.each_after(board, ply, |after| {
            let value = self.static_value(after, ply + 1);
            moves.add(value);
            if looks_at_sums {
                moves.add_sums(after, value);
            }
            let measure = self.hand_made.of(after);
            if leader.map_or(true, |leader| measure > leader.measure) {
                leader = Some(Foreseen { measure, value, after });
            }
        });
        self.nodes += u64::from(moves.count);
        let Foreseen { value, after, .. } = match leader {
            Some(leader) => leader,
            None => return Ok(early_end(board)),
        };
        let expected = moves.expected(self.replies) + self.replies.foreseen * value;
        Ok(self.node(after, ply + 1, depth - 1)? + expected - value)
    }

    /// Hands on the board after each move.
    #[inline(always)]
    fn each_after(&self, board: Board, ply: usize, mut take: impl FnMut(Board)) {
        match Turn::after(ply) {
            Turn::Place(colour) => {
                let piece = Piece { colour: self.roles.0[colour.index()], exponent: 0 };
                board.empty_squares().for_each(|square| take(board.with(square, piece)));
            }
            Turn::Slide => {
                let slid =
                    Direction::ALL.iter().map(|&direction| self.slides.slid(board, direction));
                slid.filter(|&after| after != board).for_each(take);
            }
        }
    }

    /// The value of a recoloured board without a search.
    #[inline(always)]
    fn static_value(&self, board: Board, ply: usize) -> f32 {
        if ply >= MAX_PLIES {
            return board.sum() as f32;
        }
        self.evaluation.of(board, ply, ply % 2 == self.own_parity)
    }

    /// Makes the next search panic.
    #[cfg(test)]
    pub fn break_apart(&mut self) {
        self.evaluation = Evaluation::HandMade(Arc::new(Value::broken()));
    }

    fn is_out_of_time(&self) -> bool {
        self.nodes >= self.node_limit
            || self.deadline.map_or(false, Deadline::is_past)
            || interrupt::is_raised()
    }
}

/// The transposition table: values of boards that the search has come to before. Pieces placed on
/// neighbouring squares of a line often stand on the same one after a slide.
struct Known {
    entries: Vec<Entry>,
    /// Entries of other eras are out of date.
    era: u32,
}

/// The value of a board after so many plies, searched so deep.
#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    value: f32,
    era: u32,
    ply: u16,
    depth: u16,
}

/// The entries of the table, a power of two: 2 MB, which a cache of the second level holds.
const ENTRIES: usize = 1 << 16;

impl Known {
    fn new() -> Known {
        let none = Entry { board: Board::EMPTY, value: 0.0, era: 0, ply: 0, depth: 0 };
        Known { entries: vec![none; ENTRIES], era: 1 }
    }

    /// Everything known is out of date.
    fn forget(&mut self) {
        self.era += 1;
    }

    #[inline(always)]
    fn value(&self, board: Board, ply: usize, depth: usize) -> Option<f32> {
        let entry = &self.entries[Known::index(board, depth)];
        let is_it = entry.board == board
            && entry.era == self.era
            && usize::from(entry.ply) == ply
            && usize::from(entry.depth) == depth;
        if is_it {
            Some(entry.value)
        } else {
            None
        }
    }

    #[inline(always)]
    fn store(&mut self, board: Board, ply: usize, depth: usize, value: f32) {
        let (index, era) = (Known::index(board, depth), self.era);
        self.entries[index] = Entry { board, value, era, ply: ply as u16, depth: depth as u16 };
    }

    #[inline(always)]
    fn index(board: Board, depth: usize) -> usize {
        (board.hash() as usize ^ depth.wrapping_mul(0x9e37)) & (ENTRIES - 1)
    }
}

/// What an early end costs beside the pieces that never come.
const EARLY_END: f32 = 1000.0;

/// The value of a board on which there is no move: the game ends with what it has.
fn early_end(board: Board) -> f32 {
    board.sum() as f32 - EARLY_END
}

/// The move that is foreseen.
#[derive(Clone, Copy)]
struct Foreseen {
    /// The hand-made value after it.
    measure: f32,
    /// The static value.
    value: f32,
    after: Board,
}

/// The values of a turn's moves.
struct Tally {
    best: f32,
    sum: f32,
    count: u32,
    greedy: Leaders,
    tidy: Leaders,
}

impl Tally {
    fn new() -> Tally {
        let (greedy, tidy) = (Leaders::new(), Leaders::new());
        Tally { best: f32::NEG_INFINITY, sum: 0.0, count: 0, greedy, tidy }
    }

    #[inline(always)]
    fn add(&mut self, value: f32) {
        self.best = self.best.max(value);
        self.sum += value;
        self.count += 1;
    }

    /// For the policies that look at sums. A piece that is placed changes all of them alike.
    #[inline(always)]
    fn add_sums(&mut self, after: Board, value: f32) {
        self.greedy.add(after.sum(), value);
        self.tidy.add(tidiness(after), value);
    }

    /// What these parts of policies make of it, but for the foreseen one; there must be a value.
    #[inline(always)]
    fn expected(&self, parts: Replies) -> f32 {
        let mean = self.sum / self.count as f32;
        let of_sums =
            parts.greedy * self.greedy.mean_or(mean) + parts.tidy * self.tidy.mean_or(mean);
        parts.best * self.best + parts.random() * mean + of_sums
    }
}

/// The mean of the values of those moves that lead by a measure.
struct Leaders {
    most: u32,
    sum: f32,
    count: u32,
}

impl Leaders {
    fn new() -> Leaders {
        Leaders { most: 0, sum: 0.0, count: 0 }
    }

    fn add(&mut self, measure: u32, value: f32) {
        if measure > self.most {
            *self = Leaders { most: measure, sum: 0.0, count: 0 };
        }
        if measure == self.most {
            self.sum += value;
            self.count += 1;
        }
    }

    fn mean_or(&self, otherwise: f32) -> f32 {
        if self.count == 0 {
            otherwise
        } else {
            self.sum / self.count as f32
        }
    }
}

#[cfg(test)]
mod tests;
