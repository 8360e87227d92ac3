//! The sums of a network's first layer along the search path: each entry differs from the one before by a move, and is
//! computed only when an evaluation asks for it (NNUE, Y. Nasu, 2018).

/// Longer paths are not followed move by move but computed anew.
const MAX_ENTRIES: usize = 256;

#[derive(Clone)]
struct Entry<S, C> {
    /// Of both sides' views.
    sums: [S; 2],
    known: [bool; 2],
    /// What the move that led here does to the inputs.
    change: C,
}

/// The stack of sums along a path: `S` are the sums of one view, `C` is what a move changes.
#[derive(Clone)]
pub struct Stack<S, C> {
    entries: Vec<Entry<S, C>>,
    top: usize,
    /// Moves pushed beyond the last entry.
    beyond: usize,
}

impl<S: Copy, C: Copy> Stack<S, C> {
    /// A path of no moves, with any sums and change.
    pub fn new(sums: S, change: C) -> Stack<S, C> {
        let entry = Entry { sums: [sums; 2], known: [false; 2], change };
        Stack { entries: vec![entry; MAX_ENTRIES], top: 0, beyond: 0 }
    }

    /// A path begins.
    pub fn reset(&mut self) {
        self.top = 0;
        self.beyond = 0;
        self.entries[0].known = [false; 2];
    }

    /// A move is made that changes this.
    #[inline(always)]
    pub fn push(&mut self, change: impl FnOnce() -> C) {
        if self.top + 1 == MAX_ENTRIES {
            self.beyond += 1;
            return;
        }
        self.top += 1;
        let entry = &mut self.entries[self.top];
        entry.known = [false; 2];
        entry.change = change();
    }

    /// The last move is taken back.
    #[inline(always)]
    pub fn pop(&mut self) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else {
            self.top -= 1;
        }
    }

    /// Computes a side's sums at the top from the last known ones below. False where there are none, or where a
    /// change in between `ends` them: then the side sees everything from elsewhere.
    #[inline(always)]
    pub fn follow(
        &mut self,
        side: usize,
        ends: impl Fn(&C) -> bool,
        apply: impl Fn(&C, &S, &mut S),
    ) -> bool {
        if self.beyond > 0 {
            return false;
        }
        let mut known = self.top;
        while !self.entries[known].known[side] {
            if known == 0 || ends(&self.entries[known].change) {
                return false;
            }
            known -= 1;
        }
        for index in known + 1..=self.top {
            let (below, above) = self.entries.split_at_mut(index);
            let (from, entry) = (&below[index - 1].sums[side], &mut above[0]);
            apply(&entry.change, from, &mut entry.sums[side]);
            entry.known[side] = true;
        }
        true
    }

    /// A side's sums at the top, to be set.
    #[inline(always)]
    pub fn fresh(&mut self, side: usize) -> &mut S {
        let entry = &mut self.entries[self.top];
        entry.known[side] = self.beyond == 0;
        &mut entry.sums[side]
    }

    /// The sums of both sides at the top.
    #[inline(always)]
    pub fn sums(&self) -> &[S; 2] {
        &self.entries[self.top].sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;

    /// Numbers along a path of random moves, the same as those counted from its start. A change of 0 ends the
    /// sums of side 0.
    #[test]
    fn sums_follow_the_path_whatever_is_asked_for() {
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
            let ends = |change: &u64| side == 0 && *change == 0;
            if stack.follow(side, ends, |change, from, to| *to = from + change) {
                followed += 1;
            } else {
                *stack.fresh(side) = path.iter().sum();
            }
            assert_eq!(stack.sums()[side], path.iter().sum::<u64>());
        }
        assert!(followed > 2000 && deepest > MAX_ENTRIES, "{followed} {deepest}");
    }
}
