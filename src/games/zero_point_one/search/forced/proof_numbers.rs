//! Proof and disproof numbers.

/// Bits per number.
pub const NUMBER_BITS: u32 = 20;
/// The number of an impossible success; also the largest number that fits.
pub const INFINITE: u32 = (1 << NUMBER_BITS) - 1;

/// Proof and disproof number of a node, from the point of view of the side to move (phi and delta of Nagai's df-pn), so
/// that one rule serves both sides. With the attacker to move `phi` is the proof number and `delta` the disproof
/// number; with the defender to move it is the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// Minimum number of open positions to be decided for the side to move to succeed: 0 if it has, [`INFINITE`] if it
    /// can't.
    pub phi: u32,
    /// The same for its opponent.
    pub delta: u32,
    /// For a proved win: the attacker's moves to come, including the capture of the wazir.
    pub moves: u32,
}

impl ProofNumbers {
    /// The side to move has succeeded: the attacker in `moves` moves, the defender with 0.
    pub fn succeeded(moves: u32) -> ProofNumbers {
        ProofNumbers { phi: 0, delta: INFINITE, moves }
    }

    /// The side to move can't succeed: the defender loses in `moves` moves, the attacker with 0.
    pub fn failed(moves: u32) -> ProofNumbers {
        ProofNumbers { phi: INFINITE, delta: 0, moves }
    }

    pub fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}
