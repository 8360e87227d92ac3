//! Parts of the nodes of any game: node types, how a move is searched, the moves tried, reductions and gravity.

use super::window::Window;
use arrayvec::ArrayVec;

/// Node type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// PV node: open window.
    Principal,
    /// Cut node: expected to fail high.
    Cut,
    /// All node: expected to fail low.
    All,
}

impl NodeKind {
    /// Returns the type of a child that is searched with a null window.
    #[inline(always)]
    pub fn child(self) -> NodeKind {
        if self == NodeKind::Cut {
            NodeKind::All
        } else {
            NodeKind::Cut
        }
    }
}

/// A node to search.
#[derive(Clone, Copy)]
pub struct Visit<M> {
    /// Its type.
    pub kind: NodeKind,
    /// Search window.
    pub window: Window,
    /// Depth, in plies.
    pub depth: i32,
    /// Distance from the root, in plies.
    pub ply: usize,
    /// Move that is not searched: the hash move in the singular test.
    pub excluded: Option<M>,
}

impl<M> Visit<M> {
    /// Creates a visit that searches all moves.
    #[inline(always)]
    pub fn new(kind: NodeKind, window: Window, depth: i32, ply: usize) -> Visit<M> {
        Visit { kind, window, depth, ply, excluded: None }
    }
}

/// How a move of a node is searched.
#[derive(Clone, Copy)]
pub struct Step {
    /// Type of the node.
    pub kind: NodeKind,
    /// Distance of the node from the root, in plies.
    pub ply: usize,
    /// Depth after the move.
    pub depth: i32,
    /// Reduction of the first search, in plies.
    pub reduction: i32,
    /// Whether no move has been searched before.
    pub is_first: bool,
}

/// Moves tried without success, for the history malus after a cutoff. Moves that do not fit are dropped.
pub struct Tried<M, const QUIETS: usize, const CAPTURES: usize> {
    /// Quiet moves.
    pub quiets: ArrayVec<M, QUIETS>,
    /// Captures, and moves that count as such.
    pub captures: ArrayVec<M, CAPTURES>,
}

impl<M: Copy + Default, const QUIETS: usize, const CAPTURES: usize> Tried<M, QUIETS, CAPTURES> {
    /// Creates an empty list.
    pub fn new() -> Self {
        Tried { quiets: ArrayVec::new(), captures: ArrayVec::new() }
    }

    /// Adds a move.
    #[inline(always)]
    pub fn add(&mut self, mv: M, is_quiet: bool) {
        let _ = if is_quiet { self.quiets.try_push(mv) } else { self.captures.try_push(mv) };
    }
}

/// A table of late move reductions by depth and move number.
pub struct Reductions(Vec<[i32; 64]>);

impl Reductions {
    /// Creates a table of what `reduction` returns for a depth and a move number.
    pub fn new(reduction: impl Fn(usize, usize) -> i32) -> Reductions {
        let row = |depth| {
            let mut row = [0; 64];
            row.iter_mut().enumerate().for_each(|(count, entry)| *entry = reduction(depth, count));
            row
        };
        Reductions((0..64).map(row).collect())
    }

    /// Returns the reduction of the `count`-th move (from 1) at a depth.
    #[inline(always)]
    pub fn of(&self, depth: i32, count: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][count.min(63)]
    }
}

/// Returns a history value after a bonus, with gravity: the closer the value is to `limit`, the less it changes.
#[inline(always)]
pub fn with_gravity(value: i16, bonus: i32, limit: i32) -> i16 {
    let bonus = bonus.clamp(-limit, limit);
    let value = i32::from(value);
    (value + bonus - value * bonus.abs() / limit) as i16
}

/// Returns the margin or limit of a technique that is used up to the depth `max`; `None` beyond it.
#[inline(always)]
pub fn up_to(max: i32, depth: i32, value: i32) -> Option<i32> {
    if depth > max {
        None
    } else {
        Some(value)
    }
}
