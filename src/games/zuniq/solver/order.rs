//! Which move is searched first: the one that promises the shortest proof that it wins. All replies to a
//! move that wins must be refuted, so that is above all the one that leaves the fewest.
//!
//! The weights were tuned by hand, for the fewest nodes on positions after 24 moves of games of the
//! player against itself, and tried on others of these (0.60 times the nodes of the order before:
//! docs/strength.md). They are not derived from anything, and are no optimum: weights by the stage of
//! the game saved 6 % of the nodes on one set of positions and cost 5 % on another.

use super::super::geometry::SEGMENT_COUNT;
use super::super::segment::Segment;
use super::node::Reduced;

/// More moves than this don't fit in a game.
pub const MAX_PLIES: usize = SEGMENT_COUNT + 1;

/// What makes a position hard to be proved lost, in replies: a zone that can still be closed,
const ZONE_WEIGHT: f32 = 2.0;
/// a bridge,
const BRIDGE_WEIGHT: f32 = 0.2;
/// and that the move before closed a zone.
const CLOSING_WEIGHT: f32 = 1.0;
/// Where the replies are known, each adds this part of its own order ...
const REPLY_WEIGHT: f32 = 0.11;
/// ... less this, so that replies that are easy to refute make a position no harder.
const REPLY_EASE: f32 = 1.0;
/// How many replies the share of a move's successes at the same ply outweighs,
const PLY_HISTORY_WEIGHT: f32 = 4.0;
/// and that at any ply.
const HISTORY_WEIGHT: f32 = 7.5;
/// Counts of the history are halved at this, so that it follows the part of the tree being searched.
const HISTORY_LIMIT: u32 = 2000;

/// How hard a position seems to be proved lost, in replies, after a move that closed a zone or not.
#[inline(always)]
pub fn hardness(position: &Reduced, closed: bool) -> f32 {
    let board = position.board();
    let zones = board.sizes().most_new(board.open().count_ones());
    position.moves().count_ones() as f32
        + ZONE_WEIGHT * zones as f32
        + BRIDGE_WEIGHT * board.bridges().count_ones() as f32
        + CLOSING_WEIGHT * f32::from(u8::from(closed))
}

/// The same by what orders the replies that must be refuted.
pub fn hardness_of_all(orders: impl Iterator<Item = f32>) -> f32 {
    orders.map(|order| REPLY_WEIGHT * order - REPLY_EASE).sum()
}

/// How often a move was tried and how often it won.
#[derive(Clone, Copy, Debug)]
struct Record {
    wins: u32,
    tries: u32,
}

impl Record {
    const NONE: Record = Record { wins: 1, tries: 2 };

    #[inline(always)]
    fn rate(self) -> f32 {
        self.wins as f32 / self.tries as f32
    }

    #[inline(always)]
    fn add(&mut self, won: bool) {
        self.wins += u32::from(won);
        self.tries += 1;
        if self.tries >= HISTORY_LIMIT {
            self.wins /= 2;
            self.tries /= 2;
        }
    }
}

/// The successes of moves (history heuristic: Schaeffer, 1983), by ply and segment and by segment alone.
pub struct History {
    by_ply: Box<[[Record; SEGMENT_COUNT]; MAX_PLIES]>,
    overall: [Record; SEGMENT_COUNT],
}

impl History {
    /// Nothing known.
    pub fn new() -> History {
        History {
            by_ply: Box::new([[Record::NONE; SEGMENT_COUNT]; MAX_PLIES]),
            overall: [Record::NONE; SEGMENT_COUNT],
        }
    }

    /// What a move's successes are worth, in replies.
    #[inline(always)]
    pub fn success(&self, ply: usize, segment: Segment) -> f32 {
        let index = segment.index();
        PLY_HISTORY_WEIGHT * self.by_ply[ply][index].rate()
            + HISTORY_WEIGHT * self.overall[index].rate()
    }

    /// Counts a move that was searched.
    #[inline(always)]
    pub fn add(&mut self, ply: usize, segment: Segment, won: bool) {
        self.by_ply[ply][segment.index()].add(won);
        self.overall[segment.index()].add(won);
    }
}
