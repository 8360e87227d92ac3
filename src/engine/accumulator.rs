//! Accumulators of a network's first layer along the search path. Each one is computed lazily, only when an evaluation
//! needs it, from the previous one and the features that the move changed (NNUE, Y. Nasu, 2018).

/// Capacity of the stack. On longer paths accumulators are computed from scratch.
const MAX_ENTRIES: usize = 256;

#[derive(Clone)]
struct Entry<S, C> {
    /// Accumulators of both perspectives.
    sums: [S; 2],
    computed: [bool; 2],
    /// Feature changes made by the move that led here.
    change: C,
}

/// A stack of accumulators along the search path. `S` is the accumulator of one perspective, `C` the feature changes of
/// one move.
#[derive(Clone)]
pub struct Stack<S, C> {
    entries: Vec<Entry<S, C>>,
    top: usize,
    /// Number of moves pushed after the stack was full.
    beyond: usize,
}

impl<S: Copy, C: Copy> Stack<S, C> {
    /// Creates a stack for an empty path. `sums` and `change` are placeholders.
    pub fn new(sums: S, change: C) -> Stack<S, C> {
        let entry = Entry { sums: [sums; 2], computed: [false; 2], change };
        Stack { entries: vec![entry; MAX_ENTRIES], top: 0, beyond: 0 }
    }

    /// Starts a new path with nothing computed.
    pub fn reset(&mut self) {
        self.top = 0;
        self.beyond = 0;
        self.entries[0].computed = [false; 2];
    }

    /// Records a move and the features that it changes.
    #[inline(always)]
    pub fn push(&mut self, change: impl FnOnce() -> C) {
        if self.top + 1 == MAX_ENTRIES {
            self.beyond += 1;
            return;
        }
        self.top += 1;
        let entry = &mut self.entries[self.top];
        entry.computed = [false; 2];
        entry.change = change();
    }

    /// Takes back the last move.
    #[inline(always)]
    pub fn pop(&mut self) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else {
            self.top -= 1;
        }
    }

    /// Updates a side's accumulator at the top incrementally from the last computed one. Returns false if there is
    /// none, or if a move in between requires a refresh (e.g. because it changes the side's feature bucket).
    #[inline(always)]
    pub fn follow(
        &mut self,
        side: usize,
        needs_refresh: impl Fn(&C) -> bool,
        apply: impl Fn(&C, &S, &mut S),
    ) -> bool {
        if self.beyond > 0 {
            return false;
        }
        let mut computed = self.top;
        while !self.entries[computed].computed[side] {
            if computed == 0 || needs_refresh(&self.entries[computed].change) {
                return false;
            }
            computed -= 1;
        }
        for index in computed + 1..=self.top {
            let (below, above) = self.entries.split_at_mut(index);
            let (from, entry) = (&below[index - 1].sums[side], &mut above[0]);
            apply(&entry.change, from, &mut entry.sums[side]);
            entry.computed[side] = true;
        }
        true
    }

    /// Returns a side's accumulator at the top, for the caller to compute from scratch, and marks it as computed.
    #[inline(always)]
    pub fn fresh(&mut self, side: usize) -> &mut S {
        let entry = &mut self.entries[self.top];
        entry.computed[side] = self.beyond == 0;
        &mut entry.sums[side]
    }

    /// Returns the accumulators of both sides at the top.
    #[inline(always)]
    pub fn sums(&self) -> &[S; 2] {
        &self.entries[self.top].sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;

    /// Incremental sums along a random path equal sums computed from its start. A change of 0 requires a refresh for
    /// side 0.
    #[test]
    fn lazy_updates_equal_full_computation() {
        let mut rng = Rng::new(1);
        let mut stack = Stack::new(0u64, 0u64);
        let mut path = Vec::new();
        let (mut followed, mut deepest) = (0, 0);
        stack.reset();
        for _ in 0..30_000 {
            let is_up = path.is_empty() || rng.below(100) < 55 && path.len() < MAX_ENTRIES + 40;
            if is_up {
                path.push(rng.below(9) as u64);
                stack.push(|| path[path.len() - 1]);
            } else {
                path.pop();
                stack.pop();
            }
            deepest = deepest.max(path.len());
            let side = rng.below(2);
            let needs_refresh = |change: &u64| side == 0 && *change == 0;
            if stack.follow(side, needs_refresh, |change, from, to| *to = from + change) {
                followed += 1;
            } else {
                *stack.fresh(side) = path.iter().sum();
            }
            assert_eq!(stack.sums()[side], path.iter().sum::<u64>());
        }
        assert!(followed > 2000 && deepest > MAX_ENTRIES, "{followed} {deepest}");
    }
}
