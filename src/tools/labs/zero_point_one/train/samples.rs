//! Training samples: positions of self-play games with a target, and their network inputs.

use crate::engine::rng::Rng;
use crate::games::zero_point_one::eval::features::{active, bucket, Perspective};
use crate::games::zero_point_one::position::{Board, Position};
use crate::games::zero_point_one::types::{Bitboard, Colour, Hand, Kind, Move, Piece};
use crate::tools::training::store::{code_at, set_code, Packed, Unpacker};
use rand::RngExt;

/// A training sample: a position with its target. Its inputs are recomputed at every use, because storing them would
/// take several times the memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Position. It has both wazirs.
    pub position: Position,
    /// Expected result for the side to move: 0 for a loss, 65535 for a win.
    pub target: u16,
    /// Output bucket.
    pub bucket: u8,
}

impl Sample {
    /// Returns the target as a fraction.
    #[inline(always)]
    pub fn expected(&self) -> f32 {
        f32::from(self.target) / 65535.0
    }
}

/// Maximum number of pieces on the board.
const MAX_PIECES: usize = 32;

/// Format: the occupied squares, the pieces on them in the order of the squares (two per byte), both hands, the ply,
/// and the target. The side to move and the bucket are derived from these.
impl Packed for Sample {
    const BYTES: usize = 8 + MAX_PIECES / 2 + 2 * HAND_BYTES + 1 + 2;

    fn pack(&self, bytes: &mut Vec<u8>) {
        let board = self.position.board();
        bytes.extend(board.occupied().0.to_le_bytes());
        let mut codes = [0; MAX_PIECES / 2];
        for (index, square) in board.occupied().into_iter().enumerate() {
            let code = board.piece_on(square).map_or(0, code);
            set_code(&mut codes, index, code);
        }
        bytes.extend(codes);
        for side in Colour::ALL {
            bytes.extend(Kind::DROPPABLE.map(|kind| self.position.hand(side).count(kind) as u8));
        }
        bytes.push(self.position.ply() as u8);
        bytes.extend(self.target.to_le_bytes());
    }

    fn unpack(bytes: &[u8]) -> Sample {
        let mut from = Unpacker(bytes);
        let occupied = Bitboard(from.u64());
        let codes: [u8; MAX_PIECES / 2] = from.take();
        let mut board = Board::EMPTY;
        for (index, square) in occupied.into_iter().enumerate() {
            board.toggle(piece(code_at(&codes, index)), square);
        }
        let hands = [(); 2].map(|()| hand(from.take()));
        let [ply] = from.take();
        let target = u16::from_le_bytes(from.take());
        let position =
            Position::new(board, hands, usize::from(ply)).expect("a packed position is valid");
        Sample { position, target, bucket: bucket(&position) as u8 }
    }
}

/// Bytes of a hand in a packed sample: the number of pieces of each kind.
const HAND_BYTES: usize = Kind::DROPPABLE.len();

fn hand(counts: [u8; HAND_BYTES]) -> Hand {
    let mut hand = Hand::EMPTY;
    for (kind, count) in Kind::DROPPABLE.into_iter().zip(counts) {
        (0..count).for_each(|_| hand.add(kind));
    }
    hand
}

/// Returns the code of a piece in a packed sample.
fn code(piece: Piece) -> u8 {
    (piece.kind.index() + Kind::ALL.len() * piece.colour.index()) as u8
}

fn piece(code: u8) -> Piece {
    let code = usize::from(code);
    Piece { colour: Colour::ALL[code / Kind::ALL.len()], kind: Kind::ALL[code % Kind::ALL.len()] }
}

/// Active inputs in the perspectives of the side to move and of its opponent.
#[derive(Default)]
pub struct Inputs(pub [Vec<u16>; 2]);

impl Inputs {
    /// Returns the inputs of both perspectives.
    #[inline(always)]
    pub fn lists(&self) -> [&[u16]; 2] {
        [&self.0[0], &self.0[1]]
    }

    /// Sets the inputs of a sample in the perspectives that the network uses in play.
    pub fn set(&mut self, sample: &Sample) {
        self.set_perspectives(sample, [false; 2]);
    }

    /// Sets the inputs of a sample. The perspective of a wazir on a diagonal is one of the two, selected by the seed,
    /// so that the network learns from both.
    pub fn set_at_random(&mut self, sample: &Sample, seed: u64) {
        let mut rng = Rng::new(seed ^ sample.position.hash());
        self.set_perspectives(sample, rng.random());
    }

    fn set_perspectives(&mut self, sample: &Sample, others: [bool; 2]) {
        let Sample { position, .. } = sample;
        self.0.iter_mut().for_each(Vec::clear);
        let wazirs = [position.side(), !position.side()]
            .map(|side| position.board().wazir(side).map(|wazir| (side, wazir)));
        // A sample has both wazirs.
        if let [Some(own), Some(enemy)] = wazirs {
            let perspective = |(side, wazir), other| Perspective::reflected(side, wazir, other);
            let perspectives = [perspective(own, others[0]), perspective(enemy, others[1])];
            active(position, &perspectives, |perspective, input| {
                self.0[perspective].push(input as u16)
            });
        }
    }
}

/// Whether a position is suitable for training: the side to move is not in check, and the move played is not a capture.
pub fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.is_capture(mv) && position.checkers().is_empty()
}

/// Creates the sample of a position; `None` if a wazir is missing.
pub fn sample(position: &Position, target: f32) -> Option<Sample> {
    let complete = Colour::ALL.iter().all(|&side| position.board().wazir(side).is_some());
    complete.then(|| Sample {
        position: *position,
        target: (target * 65535.0).round() as u16,
        bucket: bucket(position) as u8,
    })
}
