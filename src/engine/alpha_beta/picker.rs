//! Mechanics of staged move ordering: the pending moves of a node.

/// A move with its rank.
#[derive(Clone, Copy)]
pub struct Ranked<M> {
    /// The move.
    pub mv: M,
    /// Its rank: higher ones come first.
    pub rank: i32,
}

/// The pending moves of a node, on a stack that all nodes of a path share: bad captures first, then the moves of the
/// current stage. The node truncates the stack when it is done.
pub struct Pending<M> {
    /// Hash move, which comes before all stages.
    pub table_move: Option<M>,
    /// Killers, which come before the other quiet moves.
    pub killers: [Option<M>; 2],
    base: usize,
    /// End of the bad captures.
    bad_end: usize,
    /// Start of the moves of the current stage.
    cursor: usize,
}

impl<M: Copy + PartialEq> Pending<M> {
    /// Begins a node on top of the stack.
    #[inline(always)]
    pub fn new(table_move: Option<M>, killers: [Option<M>; 2], stack: &[Ranked<M>]) -> Pending<M> {
        let base = stack.len();
        Pending { table_move, killers, base, bad_end: base, cursor: base }
    }

    /// Removes the moves of the last stage, before those of the next one are generated.
    #[inline(always)]
    pub fn begin_stage(&self, stack: &mut Vec<Ranked<M>>) {
        stack.truncate(self.cursor);
    }

    /// Takes the move with the highest rank, except the hash move.
    #[inline(always)]
    pub fn best(&mut self, stack: &mut [Ranked<M>]) -> Option<M> {
        self.best_from(i32::MIN, stack)
    }

    /// Takes the move with the highest rank, except the hash move, if the rank is at least `min_rank`.
    #[inline(always)]
    fn best_from(&mut self, min_rank: i32, stack: &mut [Ranked<M>]) -> Option<M> {
        loop {
            let pending = &mut stack[self.cursor..];
            let first = *pending.first()?;
            let (mut best, mut place) = (first, 0);
            for (index, &ranked) in pending.iter().enumerate() {
                // The last one of equal rank.
                if ranked.rank >= best.rank {
                    best = ranked;
                    place = index;
                }
            }
            if best.rank < min_rank {
                return None;
            }
            pending[place] = first;
            pending[0] = best;
            self.cursor += 1;
            if Some(best.mv) != self.table_move {
                return Some(best.mv);
            }
        }
    }

    /// Takes the quiet move with the highest rank, except those returned before, if the rank is at least `min_rank`.
    #[inline(always)]
    pub fn best_quiet(&mut self, min_rank: i32, stack: &mut [Ranked<M>]) -> Option<M> {
        loop {
            match self.best_from(min_rank, stack) {
                Some(mv) if self.killers.contains(&Some(mv)) => {}
                found => return found,
            }
        }
    }

    /// Returns the killer with this index if it was not returned yet and `fits`: it is a legal quiet move here.
    #[inline(always)]
    pub fn killer(&self, index: usize, fits: impl FnOnce(M) -> bool) -> Option<M> {
        self.killers[index].filter(|&mv| Some(mv) != self.table_move && fits(mv))
    }

    /// Saves a capture for the last stage. Its slot is free: the cursor has passed it.
    #[inline(always)]
    pub fn keep_bad(&mut self, mv: M, stack: &mut [Ranked<M>]) {
        stack[self.bad_end] = Ranked { mv, rank: 0 };
        self.bad_end += 1;
    }

    /// Begins the last stage, the bad captures.
    #[inline(always)]
    pub fn begin_bad(&mut self) {
        self.cursor = self.base;
    }

    /// Takes the next bad capture.
    #[inline(always)]
    pub fn next_bad(&mut self, stack: &[Ranked<M>]) -> Option<M> {
        if self.cursor == self.bad_end {
            return None;
        }
        self.cursor += 1;
        Some(stack[self.cursor - 1].mv)
    }
}
