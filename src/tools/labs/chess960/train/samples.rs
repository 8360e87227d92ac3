//! Training samples: packed positions of self-play games with targets.

use crate::engine::score::{is_decisive, Score};
use crate::games::chess960::eval::features::{bucket, is_mirrored, BUCKETS};
use crate::games::chess960::position::Position;
use crate::games::chess960::types::{Bitboard, Colour, Kind, Move, Square};
use crate::tools::training::store::{code_at, set_code, Packed, Unpacker};
use crate::tools::training::targets::Ply;

/// Maximum number of pieces.
const MAX_PIECES: usize = 32;
/// Offset of the codes of the opponent's pieces.
const ENEMY: u8 = 6;

/// A position with its target, from the perspective of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    occupied: u64,
    /// Piece codes in the order of their squares, two per byte.
    pieces: [u8; MAX_PIECES / 2],
    /// Expected result for the side to move: 0 for a loss, 65535 for a win.
    pub target: u16,
    /// Output bucket.
    pub bucket: u8,
}

impl Packed for Sample {
    const BYTES: usize = 8 + MAX_PIECES / 2 + 2 + 1;

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.occupied.to_le_bytes());
        bytes.extend(self.pieces);
        bytes.extend(self.target.to_le_bytes());
        bytes.push(self.bucket);
    }

    fn unpack(bytes: &[u8]) -> Sample {
        let mut from = Unpacker(bytes);
        let (occupied, pieces) = (from.u64(), from.take());
        let target = u16::from_le_bytes(from.take());
        let [bucket] = from.take();
        Sample { occupied, pieces, target, bucket }
    }
}

/// Active inputs in the perspectives of the side to move and the opponent.
pub struct Inputs {
    /// Number of pieces.
    pub count: usize,
    /// Inputs of both perspectives.
    pub views: [[u16; MAX_PIECES]; 2],
}

impl Inputs {
    /// Returns the inputs of both perspectives.
    #[inline(always)]
    pub fn lists(&self) -> [&[u16]; 2] {
        [&self.views[0][..self.count], &self.views[1][..self.count]]
    }
}

impl Sample {
    /// Returns the target as a fraction.
    #[inline(always)]
    pub fn expected(&self) -> f32 {
        f32::from(self.target) / 65535.0
    }

    /// Packs a position.
    pub fn new(position: &Position, target: f32) -> Sample {
        let us = position.side();
        let mut sample = Sample {
            occupied: 0,
            pieces: [0; MAX_PIECES / 2],
            target: (target * 65535.0).round() as u16,
            bucket: bucket(position) as u8,
        };
        let seen = |square: Square| if us == Colour::White { square } else { square.flipped() };
        let occupied = position.occupied().into_iter();
        occupied.for_each(|square| sample.occupied |= seen(square).bit().0);
        for (index, square) in Bitboard(sample.occupied).into_iter().enumerate() {
            let real = seen(square);
            let owner = if position.colour(us).has(real) { 0 } else { ENEMY };
            let kind = position.kind_on(real).unwrap_or(Kind::Pawn);
            set_code(&mut sample.pieces, index, owner + kind as u8);
        }
        sample
    }

    /// Returns the inputs: the same as those of [`crate::games::chess960::eval::features`].
    #[inline(always)]
    pub fn inputs(&self) -> Inputs {
        let mut pieces = [(0u8, 0usize); MAX_PIECES];
        let mut mirrors = [0; 2];
        let mut count = 0;
        for (index, square) in Bitboard(self.occupied).into_iter().take(MAX_PIECES).enumerate() {
            let code = code_at(&self.pieces, index);
            pieces[index] = (code, square.index());
            count += 1;
            if code % ENEMY == Kind::King as u8 && is_mirrored(square) {
                mirrors[usize::from(code >= ENEMY)] = 7;
            }
        }
        let mut inputs = Inputs { count, views: [[0; MAX_PIECES]; 2] };
        for (index, &(code, square)) in pieces[..count].iter().enumerate() {
            let (code, other) = (usize::from(code), usize::from((code + ENEMY) % (2 * ENEMY)));
            inputs.views[0][index] = (code * 64 + (square ^ mirrors[0])) as u16;
            inputs.views[1][index] = (other * 64 + (square ^ 56 ^ mirrors[1])) as u16;
        }
        inputs
    }
}

/// Whether a position is suitable for training: the move is not a capture or promotion, the side to move is not in
/// check, and no mate is near.
pub fn is_suitable(position: &Position, ply: Ply<Move>) -> bool {
    let is_quiet = !position.is_capture(ply.mv)
        && ply.mv.promotion().is_none()
        && position.checkers().is_empty();
    is_quiet && ply.score.is_some_and(|score| !is_decisive(Score::from(score)))
}

const _: () = assert!(BUCKETS <= u8::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::engine::score;
    use crate::games::chess960::eval::features::{active, View};
    use crate::games::chess960::movegen;
    use crate::games::chess960::position::CastlingRule;
    use crate::games::chess960::start;
    use crate::tools::labs::chess960::stored_game::TrainingGame;
    use crate::tools::training::samples::Target;
    use crate::tools::training::store::assert_packs;

    #[test]
    fn inputs_of_samples_are_those_of_the_player() {
        let mut rng = Rng::new(3);
        for _ in 0..60 {
            let mut position = start::numbered(rng.below(start::COUNT), CastlingRule::Arena);
            for _ in 0..90 {
                let sample = Sample::new(&position, 0.4);
                assert_packs(&sample);
                let found = sample.inputs();
                for (view, side) in [position.side(), !position.side()].into_iter().enumerate() {
                    let mut expected = Vec::new();
                    let own = View::new(side, position.king(side));
                    active(&position, own, |input| expected.push(input as u16));
                    let mut found = found.views[view][..found.count].to_vec();
                    expected.sort_unstable();
                    found.sort_unstable();
                    assert_eq!(found, expected, "{position}");
                }
                let moves = movegen::moves(&position);
                match moves.get(rng.below(moves.len())) {
                    Some(&mv) => position = position.make(mv),
                    None => break,
                }
            }
        }
    }

    #[test]
    fn quiet_positions_with_a_score_become_samples() {
        let mut game = TrainingGame { start: 518, plies: Vec::new(), winner: Some(0) };
        let mut position = start::numbered(518, CastlingRule::Arena);
        let is_mate = score::win_in(3) as i16;
        for score in [None, Some(100), Some(-100), Some(is_mate), Some(0)] {
            let moves = movegen::moves(&position);
            let mv = *moves.iter().find(|&&mv| !position.is_capture(mv)).expect("a quiet move");
            game.plies.push(Ply { mv, score });
            position = position.make(mv);
        }
        let expected = game.targets(Target::Result, 0.9, &[300.0]);
        assert_eq!(expected, [None, Some(0.0), Some(1.0), Some(0.0), Some(1.0)]);
        let samples = game.samples(&expected);
        let targets: Vec<u16> = samples.iter().map(|sample| sample.target).collect();
        assert_eq!(targets, [0, u16::MAX, u16::MAX], "neither the random move nor the mate");
    }
}
