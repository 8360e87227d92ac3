//! Training samples: packed positions of self-play games with targets.

use crate::engine::score::{is_decisive, Score};
use crate::games::chess960::eval::features::{bucket, is_mirrored, BUCKETS};
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::games::chess960::types::{Bitboard, Colour, Kind, Square};
use crate::tools::labs::chess960::data::{self, TrainingGame};
use crate::tools::training::samples::{Collector, Labels, Samples, Target};
use crate::tools::training::store::{code_at, set_code, Packed, StoreConfig, Unpacker};
use crate::tools::training::targets::{fitted_scale, result_for, ScoredGame};
use anyhow::{Context, Result};
use std::path::Path;

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

/// Reads all games of the files. Returns the samples and the mean of the files' score scales, in hundredths, weighted
/// by their games. Damaged lines are reported on stderr and skipped. Fails if there are no games.
pub fn read(
    paths: &[impl AsRef<Path>],
    labels: Labels,
    store: StoreConfig,
) -> Result<(Samples<Sample>, f32)> {
    let mut fits = Vec::new();
    let samples = Samples::of(paths, store, |collector, path| {
        fits.push(add_file(collector, path.as_ref(), labels)?);
        Ok(())
    })?;
    let mean = mean_scale(&fits).context("the files have no games")?;
    Ok((samples, mean))
}

/// Returns the mean of score scales, weighted by numbers of games; `None` without games.
fn mean_scale(fits: &[(f32, usize)]) -> Option<f32> {
    let games: usize = fits.iter().map(|&(_, games)| games).sum();
    let sum: f32 = fits.iter().map(|&(scale, games)| scale * games as f32).sum();
    (games > 0).then(|| sum / games as f32)
}

/// Adds the games of a file; returns its score scale and the number of games.
fn add_file(
    collector: &mut Collector<Sample>,
    path: &Path,
    labels: Labels,
) -> Result<(f32, usize)> {
    let fit = |first: &[TrainingGame]| match labels.score_scale {
        Some(scale) => scale,
        None => fitted_scale(&points(first)),
    };
    let games = data::games(path)?;
    let (scale, games) = collector.add_games(games, fit, |collector, game, &scale| {
        let expected = |target| match target {
            Target::Blend => scored(game).targets(labels.lambda, |_| scale),
            Target::Result => scored(game).results(),
        };
        collector.add_game(game.to_line(), |target| usable(game, &expected(target)))
    })?;
    tell!("{}: {games} games, score scale {scale:.0}", path.display());
    Ok((scale, games))
}

/// Returns the scores of games with the results for their movers, to fit a score scale.
fn points(games: &[TrainingGame]) -> Vec<(i16, f32)> {
    let mut points = Vec::new();
    for game in games {
        points.extend(scored(game).points().map(|(_, score, result)| (score, result)));
    }
    points
}

/// The parts of a game that determine its targets.
fn scored(game: &TrainingGame) -> ScoredGame {
    ScoredGame::new(&game.plies, result_for(game.winner, Colour::White))
}

/// Returns the positions of a game that have a target and are quiet: the move is not a capture or promotion, the side
/// to move is not in check, and no mate is near.
fn usable(game: &TrainingGame, expected: &[Option<f32>]) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut position = start::numbered(game.start, CastlingRule::Arena);
    for (ply, &expected) in game.plies.iter().zip(expected) {
        let is_quiet = !position.is_capture(ply.mv)
            && ply.mv.promotion().is_none()
            && position.checkers().is_empty();
        let is_open = ply.score.is_some_and(|score| !is_decisive(Score::from(score)));
        let target = expected.filter(|_| is_quiet && is_open);
        samples.extend(target.map(|target| Sample::new(&position, target)));
        position = position.make(ply.mv);
    }
    samples
}

const _: () = assert!(BUCKETS <= u8::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::engine::score;
    use crate::games::chess960::eval::features::{active, View};
    use crate::games::chess960::movegen;
    use crate::tools::labs::chess960::data::Ply;
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
    fn scales_of_files_count_by_their_games() {
        assert_eq!(mean_scale(&[(300.0, 1), (400.0, 3)]), Some(375.0));
        assert_eq!(mean_scale(&[(300.0, 0)]), None);
    }

    #[test]
    fn quiet_positions_with_a_score_become_samples() {
        let mut game = TrainingGame { start: 518, plies: Vec::new(), winner: Some(Colour::White) };
        let mut position = start::numbered(518, CastlingRule::Arena);
        let is_mate = score::win_in(3) as i16;
        for score in [None, Some(100), Some(-100), Some(is_mate), Some(0)] {
            let moves = movegen::moves(&position);
            let mv = *moves.iter().find(|&&mv| !position.is_capture(mv)).expect("a quiet move");
            game.plies.push(Ply { mv, score });
            position = position.make(mv);
        }
        let expected = scored(&game).results();
        assert_eq!(expected, [None, Some(0.0), Some(1.0), Some(0.0), Some(1.0)]);
        let samples = usable(&game, &expected);
        let targets: Vec<u16> = samples.iter().map(|sample| sample.target).collect();
        assert_eq!(targets, [0, u16::MAX, u16::MAX], "neither the random move nor the mate");
    }
}
