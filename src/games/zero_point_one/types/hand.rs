//! Captured pieces that wait to be dropped.

use super::Kind;

/// How many pieces of each kind a side holds: one byte a kind, in the order of [`Kind::DROPPABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Hand(u32);

impl Hand {
    /// Nothing in hand.
    pub const EMPTY: Hand = Hand(0);

    /// The most pieces of each droppable kind that a hand can hold: both sides' together.
    pub const MOST: [usize; 4] = [2, 4, 8, 16];

    #[inline(always)]
    const fn bit(kind: Kind) -> u32 {
        8 * kind as u32
    }

    /// The number of pieces of this kind (none for the wazir).
    #[inline(always)]
    pub const fn count(self, kind: Kind) -> usize {
        if matches!(kind, Kind::Wazir) {
            return 0;
        }
        (self.0 >> Hand::bit(kind) & 0xff) as usize
    }

    /// Is the hand empty?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of all pieces.
    pub fn total(self) -> usize {
        Kind::DROPPABLE.iter().map(|&kind| self.count(kind)).sum()
    }

    /// Adds one piece of this kind, which is not the wazir.
    #[inline(always)]
    pub fn add(&mut self, kind: Kind) {
        debug_assert!(kind != Kind::Wazir && self.count(kind) < Hand::MOST[kind.index()]);
        self.0 += 1 << Hand::bit(kind);
    }

    /// Takes one piece of this kind, which must be there.
    #[inline(always)]
    pub fn remove(&mut self, kind: Kind) {
        debug_assert!(self.count(kind) > 0);
        self.0 -= 1 << Hand::bit(kind);
    }
}
