//! Captured pieces that can be dropped.

use super::piece::Kind;

/// Number of pieces of each kind in a side's hand, one byte per kind in the order of [`Kind::DROPPABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Hand(u32);

impl Hand {
    /// The empty hand.
    pub const EMPTY: Hand = Hand(0);

    /// Maximum number of pieces of each droppable kind in a hand: those of both sides.
    pub const MAX: [usize; 4] = [2, 4, 8, 16];

    #[inline(always)]
    const fn bit(kind: Kind) -> u32 {
        8 * kind as u32
    }

    /// Returns the number of pieces of this kind (0 for the wazir).
    #[inline(always)]
    pub const fn count(self, kind: Kind) -> usize {
        if matches!(kind, Kind::Wazir) {
            return 0;
        }
        (self.0 >> Hand::bit(kind) & 0xff) as usize
    }

    /// Returns the hand as a number.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether the hand is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a piece of this kind, which must not be the wazir.
    #[inline(always)]
    pub fn add(&mut self, kind: Kind) {
        debug_assert!(kind != Kind::Wazir && self.count(kind) < Hand::MAX[kind.index()]);
        self.0 += 1 << Hand::bit(kind);
    }

    /// Removes a piece of this kind. There must be one.
    #[inline(always)]
    pub fn remove(&mut self, kind: Kind) {
        debug_assert!(self.count(kind) > 0);
        self.0 -= 1 << Hand::bit(kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_can_hold_all_pieces() {
        let mut hand = Hand::EMPTY;
        assert!(hand.is_empty());
        for kind in Kind::DROPPABLE {
            for held in 0..Hand::MAX[kind.index()] {
                assert_eq!(hand.count(kind), held);
                hand.add(kind);
            }
        }
        let counts = Kind::DROPPABLE.map(|kind| hand.count(kind));
        assert_eq!(counts, Hand::MAX);
        assert_eq!(counts, Kind::DROPPABLE.map(|kind| 2 * Kind::SETUP_COUNT[kind.index()]));
        assert_eq!(hand.count(Kind::Wazir), 0);
    }

    #[test]
    fn pieces_are_removed_in_any_order() {
        let mut hand = Hand::EMPTY;
        let kinds = [Kind::Alfil, Kind::Knight, Kind::Alfil, Kind::Ferz];
        kinds.iter().for_each(|&kind| hand.add(kind));
        hand.remove(Kind::Alfil);
        hand.remove(Kind::Knight);
        assert_eq!(Kind::DROPPABLE.map(|kind| hand.count(kind)), [0, 1, 0, 1]);
        hand.remove(Kind::Ferz);
        hand.remove(Kind::Alfil);
        assert_eq!(hand, Hand::EMPTY);
    }
}
