//! Expectimax for a cooperative game: our own moves are maximised, and the partner's replies are a mixture of likely
//! policies.

mod replies;
mod table;
#[cfg(test)]
mod tests;

use super::board::{Board, Colour, Direction, Piece, SQUARES};
use super::game::{Move, Position, Turn, MAX_PLIES};
use super::network::{phase, Network};
use super::slides::Slides;
use super::value::{roles, Value, MAIN};
use crate::engine::budget::Stopped;
use crate::engine::clock::Deadline;
use crate::engine::interrupt;
use replies::Tally;
use std::cmp::Ordering::Equal;
use std::sync::Arc;
use table::TranspositionTable;

pub use replies::{tidiness, ReplyModel};

/// Maximum search depth, in plies.
pub const MAX_DEPTH: usize = 30;
/// First ply at which the sum counts beside the learned value, since pieces that are not merged by the end are lost.
const SUM_FROM_PLY: usize = 900;
/// Weight of the sum at the end of a game; it grows from 0 at [`SUM_FROM_PLY`].
const SUM_WEIGHT: f32 = 1.5;
/// Number of nodes between clock reads.
const NODES_BETWEEN_CLOCK_READS: u64 = 1024;

/// Limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Maximum depth of an iteration, in plies; the default is [`MAX_DEPTH`].
    pub depth: Option<usize>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Time at which the search stops.
    pub deadline: Option<Deadline>,
    /// Maximum distance of a move from the best one, in points; worse moves are not searched deeper.
    pub margin: Option<f32>,
}

/// A move and its expected points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The value of the position after it.
    pub value: f32,
}

/// All moves of a position with their values, in the order of [`Position::moves`].
pub struct Ranking {
    /// The moves.
    pub choices: Vec<Choice>,
    /// The depth to which the best moves were searched, in plies.
    pub depth: usize,
}

impl Ranking {
    /// Returns the first of the best moves, or `None` if there is no move.
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

/// Evaluation function of the leaves.
#[derive(Clone)]
pub enum Evaluation {
    /// The hand-made value, for partners who build a colour.
    HandMade(Arc<Value>),
    /// The learned value, for careless partners.
    Learned(Arc<Network>),
}

impl Evaluation {
    /// Returns the shared hand-made value.
    pub fn hand_made() -> Evaluation {
        Evaluation::HandMade(Value::shared())
    }

    /// Returns the shared hand-made value for the end of a game.
    pub fn late() -> Evaluation {
        Evaluation::HandMade(Value::late())
    }

    /// Evaluates a recoloured board whose main colour was `main`. `is_own` is whether the searching side moves next.
    #[inline(always)]
    fn of(&self, board: Board, main: Colour, ply: usize, is_own: bool) -> f32 {
        match self {
            Evaluation::HandMade(value) => value.of(board),
            Evaluation::Learned(network) => {
                let value = network.value(board, phase(main, ply, is_own));
                if ply < SUM_FROM_PLY {
                    value
                } else {
                    value + sum_weight(ply) * board.sum() as f32
                }
            }
        }
    }
}

impl PartialEq for Evaluation {
    /// Whether both are the same shared value.
    fn eq(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::HandMade(one), Evaluation::HandMade(other)) => Arc::ptr_eq(one, other),
            (Evaluation::Learned(one), Evaluation::Learned(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// The quantity that a search maximises, and its model of the partner.
#[derive(Clone, PartialEq)]
pub struct Aim {
    /// The main colour, which is built.
    pub main: Colour,
    /// Model of the partner's replies.
    pub replies: ReplyModel,
    /// Evaluation function of the leaves.
    pub evaluation: Evaluation,
}

impl Aim {
    /// Creates an aim with the hand-made value.
    pub fn new(main: Colour, replies: ReplyModel) -> Aim {
        Aim { main, replies, evaluation: Evaluation::hand_made() }
    }
}

/// Returns the weight of the sum beside the learned value near the end of a game.
fn sum_weight(ply: usize) -> f32 {
    SUM_WEIGHT * (ply - SUM_FROM_PLY) as f32 / (MAX_PLIES - SUM_FROM_PLY) as f32
}

/// A search with its tables and limits.
pub struct Search {
    slides: Arc<Slides>,
    aim: Aim,
    /// The colours to which the board is recoloured at the root.
    roles: [Colour; 3],
    /// The value by which the partner's moves are predicted.
    hand_made: Arc<Value>,
    /// The parity of the plies at which we move.
    own_parity: usize,
    table: TranspositionTable,
    nodes: u64,
    /// Number of nodes at the next clock read.
    next_clock_read: u64,
    node_limit: u64,
    deadline: Option<Deadline>,
}

impl Search {
    /// Creates a search.
    pub fn new() -> Search {
        Search {
            slides: Slides::shared(),
            aim: Aim::new(MAIN, ReplyModel::RANDOM),
            roles: roles(MAIN),
            hand_made: Value::shared(),
            own_parity: 0,
            table: TranspositionTable::new(),
            nodes: 0,
            next_clock_read: NODES_BETWEEN_CLOCK_READS,
            node_limit: u64::MAX,
            deadline: None,
        }
    }

    /// Returns the number of nodes of all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Values all moves of the side to move by iterative deepening. If there is only one move, it is not searched.
    pub fn rank(&mut self, position: Position, aim: &Aim, limits: Limits) -> Ranking {
        self.set_root(position, aim);
        let board = position.board.recoloured(self.roles);
        let value = aim.evaluation.of(board, aim.main, position.ply, true);
        let choices: Vec<Choice> =
            position.moves().into_iter().map(|mv| Choice { mv, value }).collect();
        let mut ranking = Ranking { choices, depth: 0 };
        if ranking.choices.len() <= 1 {
            return ranking;
        }
        self.node_limit = limits.nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
        let left = MAX_PLIES - position.ply;
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).min(left);
        let margin = limits.margin.unwrap_or(f32::INFINITY);
        while ranking.depth < max_depth {
            // Depth 1 is always completed.
            self.deadline = limits.deadline.filter(|_| ranking.depth > 0);
            if let Err(Stopped) = self.deepen(&mut ranking, position, margin) {
                break;
            }
        }
        self.node_limit = u64::MAX;
        self.deadline = None;
        ranking
    }

    /// Searches the moves one ply deeper, the best first, except those more than `margin` below the best. The best is
    /// taken by its lower value of before and now: if all good moves turn out bad, the others are searched too. Moves
    /// that are left out keep their distance to the move that was best before, also those left out because the search
    /// reached a limit: in this case it returns an error.
    fn deepen(
        &mut self,
        ranking: &mut Ranking,
        position: Position,
        margin: f32,
    ) -> Result<(), Stopped> {
        let mut choices: Vec<&mut Choice> = ranking.choices.iter_mut().collect();
        choices.sort_by(|one, other| other.value.partial_cmp(&one.value).unwrap_or(Equal));
        let mut choices = choices.into_iter();
        let first = match choices.next() {
            Some(first) => first,
            None => return Ok(()),
        };
        let value = self.value_after(position, first.mv, ranking.depth)?;
        let (before, change) = (first.value, value - first.value);
        first.value = value;
        let mut best = value;
        let mut outcome = Ok(());
        for choice in choices {
            if outcome.is_ok() && choice.value >= best.min(before) - margin {
                match self.value_after(position, choice.mv, ranking.depth) {
                    Ok(value) => {
                        choice.value = value;
                        best = best.max(value);
                        continue;
                    }
                    Err(out) => outcome = Err(out),
                }
            }
            choice.value += change;
        }
        ranking.depth += 1;
        outcome
    }

    /// Values all moves of the side to move, searched to `depth` plies, at least 1. Returns an error if the search
    /// reached a limit or was interrupted.
    pub fn rank_at(
        &mut self,
        depth: usize,
        position: Position,
        aim: &Aim,
    ) -> Result<Vec<Choice>, Stopped> {
        self.set_root(position, aim);
        let mut choices = Vec::new();
        for mv in position.moves() {
            let value = self.value_after(position, mv, depth - 1)?;
            choices.push(Choice { mv, value });
        }
        Ok(choices)
    }

    /// Prepares a search of a position. Values of other searches in the transposition table are kept if they are
    /// comparable.
    fn set_root(&mut self, position: Position, aim: &Aim) {
        let own_parity = position.ply % 2;
        if (&self.aim, self.own_parity) != (aim, own_parity) {
            self.table.clear();
        }
        self.aim = aim.clone();
        self.roles = roles(aim.main);
        self.own_parity = own_parity;
    }

    /// Searches the position after a move to `depth` plies and returns its value.
    fn value_after(&mut self, position: Position, mv: Move, depth: usize) -> Result<f32, Stopped> {
        match position.after(mv) {
            Ok(after) => self.node(after.board.recoloured(self.roles), after.ply, depth),
            // Can't happen: all moves are legal.
            Err(_) => Ok(f32::NEG_INFINITY),
        }
    }

    /// Searches a recoloured board to `depth` plies and returns its value.
    fn node(&mut self, board: Board, ply: usize, depth: usize) -> Result<f32, Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_clock_read {
            // A predicted turn adds several nodes at once.
            self.next_clock_read =
                (self.nodes / NODES_BETWEEN_CLOCK_READS + 1) * NODES_BETWEEN_CLOCK_READS;
            if self.is_out_of_time() {
                return Err(Stopped);
            }
        }
        if depth == 0 || ply >= MAX_PLIES {
            return Ok(self.static_value(board, ply));
        }
        if let Some(value) = self.table.get(board, ply, depth) {
            return Ok(value);
        }
        let is_own = ply % 2 == self.own_parity;
        let value = if is_own || self.aim.replies.predicted == 0.0 {
            self.search_all(board, ply, depth, is_own)?
        } else {
            self.search_predicted(board, ply, depth)?
        };
        self.table.store(board, ply, depth, value);
        Ok(value)
    }

    /// Searches all moves of a turn.
    fn search_all(
        &mut self,
        board: Board,
        ply: usize,
        depth: usize,
        is_own: bool,
    ) -> Result<f32, Stopped> {
        let uses_sums = !is_own && self.aim.replies.uses_sums();
        let mut moves = Tally::new();
        match Turn::after(ply).recoloured(self.roles) {
            Turn::Place(colour) => {
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
                    if uses_sums {
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
            moves.expected(self.aim.replies)
        })
    }

    /// Searches only the predicted move of a turn of the partner.
    fn search_predicted(&mut self, board: Board, ply: usize, depth: usize) -> Result<f32, Stopped> {
        let uses_sums = self.aim.replies.uses_sums();
        let mut moves = Tally::new();
        let mut leader: Option<PredictedMove> = None;
        self.each_after(board, ply, |after| {
            let value = self.static_value(after, ply + 1);
            moves.add(value);
            if uses_sums {
                moves.add_sums(after, value);
            }
            let measure = self.hand_made.of(after);
            if leader.map_or(true, |leader| measure > leader.measure) {
                leader = Some(PredictedMove { measure, value, after });
            }
        });
        self.nodes += u64::from(moves.count);
        let PredictedMove { value, after, .. } = match leader {
            Some(leader) => leader,
            None => return Ok(early_end(board)),
        };
        let expected = moves.expected(self.aim.replies) + self.aim.replies.predicted * value;
        Ok(self.node(after, ply + 1, depth - 1)? + expected - value)
    }

    /// Calls `take` with the board after each move.
    #[inline(always)]
    fn each_after(&self, board: Board, ply: usize, mut take: impl FnMut(Board)) {
        match Turn::after(ply).recoloured(self.roles) {
            Turn::Place(colour) => {
                let piece = Piece { colour, exponent: 0 };
                board.empty_squares().for_each(|square| take(board.with(square, piece)));
            }
            Turn::Slide => {
                let slid =
                    Direction::ALL.iter().map(|&direction| self.slides.slid(board, direction));
                slid.filter(|&after| after != board).for_each(take);
            }
        }
    }

    /// Evaluates a recoloured board without a search.
    #[inline(always)]
    fn static_value(&self, board: Board, ply: usize) -> f32 {
        if ply >= MAX_PLIES {
            return board.sum() as f32;
        }
        if self.is_stuck(board, ply) {
            return early_end(board);
        }
        self.aim.evaluation.of(board, self.aim.main, ply, ply % 2 == self.own_parity)
    }

    /// Whether there is no legal move, which ends the game. Only an empty or a full board has none.
    #[inline(always)]
    fn is_stuck(&self, board: Board, ply: usize) -> bool {
        let is_slide = Turn::after(ply) == Turn::Slide;
        match board.count_empty() as usize {
            SQUARES => is_slide,
            0 => {
                let stays = |&way: &Direction| self.slides.slid(board, way) == board;
                !is_slide || Direction::ALL.iter().all(stays)
            }
            _ => false,
        }
    }

    /// Corrupts the table so that the next search panics.
    #[cfg(test)]
    pub fn corrupt(&mut self) {
        self.table = TranspositionTable::broken();
    }

    fn is_out_of_time(&self) -> bool {
        self.nodes >= self.node_limit
            || self.deadline.map_or(false, Deadline::is_past)
            || interrupt::is_raised()
    }
}

/// Penalty of an early end, in addition to the missing pieces, in points.
const EARLY_END: f32 = 1000.0;

/// Returns the value of a board without a legal move, which ends the game.
fn early_end(board: Board) -> f32 {
    board.sum() as f32 - EARLY_END
}

/// The predicted move of the partner.
#[derive(Clone, Copy)]
struct PredictedMove {
    /// The hand-made value after the move, by which it is predicted.
    measure: f32,
    /// The static value after the move.
    value: f32,
    after: Board,
}
