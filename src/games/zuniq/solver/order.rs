//! Move ordering: the move that promises the shortest proof of a win comes first. Every reply to a winning move must be
//! refuted, so this is usually the move that leaves the fewest replies.
//!
//! The weights were tuned by hand for the fewest nodes on positions after 24 moves of self-play games, and checked on
//! other such positions (0.60 times the nodes of the order before: docs/ledger.tsv). They are neither derived from a
//! model nor optimal: weights by game phase saved 6 % of the nodes on one set of positions and cost 5 % on another.

use super::super::geometry::SEGMENT_COUNT;
use super::super::segment::Segment;
use super::node::Reduced;

/// Maximum number of moves of a game, plus one.
pub const MAX_PLIES: usize = SEGMENT_COUNT + 1;

/// Hardness of a zone that can still be closed, in replies.
const ZONE_WEIGHT: f32 = 2.0;
/// Hardness of a bridge, in replies.
const BRIDGE_WEIGHT: f32 = 0.2;
/// Hardness added if the last move closed a zone, in replies.
const CLOSING_WEIGHT: f32 = 1.0;
/// Weight of the order value of each reply if the replies are known.
const REPLY_WEIGHT: f32 = 0.11;
/// Subtracted per known reply, so that replies that are easy to refute do not make a position harder.
const REPLY_EASE: f32 = 1.0;
/// Weight of a move's success rate at the same ply, in replies.
const PLY_HISTORY_WEIGHT: f32 = 4.0;
/// Weight of a move's success rate at all plies, in replies.
const HISTORY_WEIGHT: f32 = 7.5;
/// Number of tries at which history counts are halved, so that they follow the current part of the tree.
const HISTORY_LIMIT: u32 = 2000;

/// Estimates how hard it is to prove a position lost, in replies. `zones` is the maximum number of zones that can still
/// be closed; `closed` is whether the last move closed one.
#[inline(always)]
pub fn hardness(position: &Reduced, zones: u32, closed: bool) -> f32 {
    let board = position.board();
    position.moves().count_ones() as f32
        + ZONE_WEIGHT * zones as f32
        + BRIDGE_WEIGHT * board.bridges().count_ones() as f32
        + CLOSING_WEIGHT * f32::from(u8::from(closed))
}

/// Estimates how hard it is to prove a position lost from the order values of the replies that must be refuted.
pub fn hardness_of_all(orders: impl Iterator<Item = f32>) -> f32 {
    orders.map(|order| REPLY_WEIGHT * order - REPLY_EASE).sum()
}

/// Success count of a move: how often it was searched and how often it won.
#[derive(Clone, Copy, Debug)]
struct SuccessCount {
    wins: u32,
    tries: u32,
    /// `wins / tries`, cached because it is read far more often than it changes.
    rate: f32,
}

impl SuccessCount {
    const NONE: SuccessCount = SuccessCount { wins: 1, tries: 2, rate: 0.5 };

    #[inline(always)]
    fn add(&mut self, won: bool) {
        self.wins += u32::from(won);
        self.tries += 1;
        if self.tries >= HISTORY_LIMIT {
            self.wins /= 2;
            self.tries /= 2;
        }
        self.rate = self.wins as f32 / self.tries as f32;
    }
}

/// History heuristic (Schaeffer, 1983): the success rates of moves, by ply and segment and by segment alone.
pub struct History {
    by_ply: Box<[[SuccessCount; SEGMENT_COUNT]; MAX_PLIES]>,
    overall: [SuccessCount; SEGMENT_COUNT],
}

impl History {
    /// Creates an empty history.
    pub fn new() -> History {
        History {
            by_ply: Box::new([[SuccessCount::NONE; SEGMENT_COUNT]; MAX_PLIES]),
            overall: [SuccessCount::NONE; SEGMENT_COUNT],
        }
    }

    /// Returns the weighted success rate of a move, in replies.
    #[inline(always)]
    pub fn success(&self, ply: usize, segment: Segment) -> f32 {
        let index = segment.index();
        PLY_HISTORY_WEIGHT * self.by_ply[ply][index].rate
            + HISTORY_WEIGHT * self.overall[index].rate
    }

    /// Records the result of a move that was searched.
    #[inline(always)]
    pub fn add(&mut self, ply: usize, segment: Segment, won: bool) {
        self.by_ply[ply][segment.index()].add(won);
        self.overall[segment.index()].add(won);
    }
}
