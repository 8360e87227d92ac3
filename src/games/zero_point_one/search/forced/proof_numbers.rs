//! Proof and disproof numbers.

/// The bits of a number.
pub const NUMBER_BITS: u32 = 20;
/// The proof or disproof number of what can't be done; also the largest number that fits.
pub const INFINITE: u32 = (1 << NUMBER_BITS) - 1;

/// Proof and disproof number of a node. Which is which depends on the side to move there (phi and
/// delta of Nagai's df-pn), so that one rule serves both: with the attacker to move `phi` is the
/// proof number and `delta` the disproof number, with the defender to move it is the other way
/// round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// The open positions that must be decided, at least, for the side to move to succeed: 0 where
    /// it has, [`INFINITE`] where it can't.
    pub phi: u32,
    /// The same for its opponent.
    pub delta: u32,
    /// Where the win is proved: the attacker's moves to come, the capture of the wazir included.
    pub moves: u32,
}

impl ProofNumbers {
    /// The side to move has succeeded: the attacker in so many moves, the defender in 0.
    pub fn succeeded(moves: u32) -> ProofNumbers {
        ProofNumbers { phi: 0, delta: INFINITE, moves }
    }

    /// The side to move can't succeed: the defender loses in so many moves, the attacker has 0.
    pub fn failed(moves: u32) -> ProofNumbers {
        ProofNumbers { phi: INFINITE, delta: 0, moves }
    }

    pub fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}
