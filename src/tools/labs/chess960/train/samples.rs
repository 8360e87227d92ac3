//! Training samples: positions of self-play games, packed, with a target.

use crate::engine::rng::Rng;
use crate::engine::score::{is_decisive, Score};
use crate::games::chess960::eval::features::{bucket, is_mirrored, BUCKETS};
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::games::chess960::types::{Bitboard, Colour, Kind, Square};
use crate::tools::contracts::game_files::Duplicates;
use crate::tools::labs::chess960::data::{self, TrainingGame};
use anyhow::{ensure, Result};
use rand::seq::SliceRandom;
use std::path::Path;

/// The most pieces of a position.
const MAX_PIECES: usize = 32;
/// What an enemy's piece adds to the code of its kind.
const ENEMY: u8 = 6;

/// A position with what is expected of it, seen by the side to move from its own first rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    occupied: u64,
    /// The codes of the pieces in the order of their squares, two a byte.
    pieces: [u8; MAX_PIECES / 2],
    /// The expected result for the side to move: 0 a loss, 65535 a win.
    pub target: u16,
    /// The result of the game alone.
    pub result: u8,
    /// The output bucket.
    pub bucket: u8,
}

/// The inputs that are 1 in the views of the side to move and of its opponent.
pub struct Inputs {
    /// As many as there are pieces.
    pub count: usize,
    /// Of both views.
    pub views: [[u16; MAX_PIECES]; 2],
}

impl Sample {
    /// Packs a position.
    pub fn new(position: &Position, target: f32, result: f32) -> Sample {
        let us = position.side();
        let mut sample = Sample {
            occupied: 0,
            pieces: [0; MAX_PIECES / 2],
            target: (target * 65535.0).round() as u16,
            result: (result * 2.0).round() as u8,
            bucket: bucket(position) as u8,
        };
        let seen = |square: Square| if us == Colour::White { square } else { square.flipped() };
        let occupied = position.occupied().into_iter();
        occupied.for_each(|square| sample.occupied |= seen(square).bit().0);
        for (index, square) in Bitboard(sample.occupied).into_iter().enumerate() {
            let real = seen(square);
            let owner = if position.colour(us).has(real) { 0 } else { ENEMY };
            let kind = position.kind_on(real).unwrap_or(Kind::Pawn);
            sample.pieces[index / 2] |= (owner + kind as u8) << (4 * (index % 2));
        }
        sample
    }

    /// Its inputs: the same as those of [`crate::games::chess960::eval::features`].
    #[inline(always)]
    pub fn inputs(&self) -> Inputs {
        let mut pieces = [(0u8, 0usize); MAX_PIECES];
        let mut mirrors = [0; 2];
        let mut count = 0;
        for (index, square) in Bitboard(self.occupied).into_iter().take(MAX_PIECES).enumerate() {
            let code = self.pieces[index / 2] >> (4 * (index % 2)) & 15;
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

/// How samples are made from games.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// The weight of the result in a target; the rest is by scores.
    pub result_weight: f32,
    /// The weight of what the next position's target says against the position's own score, from the game's
    /// end on (TD(lambda): R. Sutton, 1988). 0: the own score alone.
    pub lambda: f32,
    /// The score that stands for an expected result of 1 / (1 + e^-1), in hundredths; `None`: for each file
    /// the one that fits the results best.
    pub score_scale: Option<f32>,
}

/// Every so many games one is kept for validation.
const VALIDATION_EVERY: usize = 50;
/// Scores beyond this count as this.
const MAX_SCORE: f32 = 4000.0;

/// Samples for training and for validation.
#[derive(Default)]
pub struct Samples {
    /// Shuffled samples to learn from.
    pub training: Vec<Sample>,
    /// Samples of other games.
    pub validation: Vec<Sample>,
    /// Games read.
    pub games: usize,
    duplicates: Duplicates,
}

impl Samples {
    /// Reads all games of the files. Damaged lines are named on stderr and passed over.
    pub fn read(paths: &[impl AsRef<Path>], labels: Labels, seed: u64) -> Result<Samples> {
        let mut samples = Samples::default();
        for path in paths {
            samples.add(path.as_ref(), labels)?;
        }
        samples.duplicates.warn();
        samples.training.shuffle(&mut Rng::new(seed));
        Ok(samples)
    }

    fn add(&mut self, path: &Path, labels: Labels) -> Result<()> {
        let scale = match labels.score_scale {
            Some(scale) => scale,
            None => fitted_scale(&some_points(path)?),
        };
        let before = self.games;
        data::read(path, |game| {
            let is_validation = self.games.is_multiple_of(VALIDATION_EVERY);
            let to = if is_validation { &mut self.validation } else { &mut self.training };
            self.duplicates.add(game.to_line());
            add_game(&game, labels, scale, to);
            self.games += 1;
        })?;
        let games = self.games - before;
        ensure!(games > 0, "{} has no games", path.display());
        eprintln!("{}: {games} games, score scale {scale:.0}", path.display());
        Ok(())
    }
}

/// The positions of a game whose evaluation is not the search's business: a move was searched for, was no
/// capture or promotion, the side to move is not in check, and no mate is near.
fn add_game(game: &TrainingGame, labels: Labels, scale: f32, to: &mut Vec<Sample>) {
    let expected = expected_results(game, labels.lambda, scale);
    let mut position = start::numbered(game.start, CastlingRule::Arena);
    for (ply, expected) in game.plies.iter().zip(expected) {
        let is_quiet = !position.is_capture(ply.mv)
            && ply.mv.promotion().is_none()
            && position.checkers().is_empty();
        let is_open = ply.score.is_some_and(|score| !is_decisive(Score::from(score)));
        if is_quiet && is_open {
            let result = result_for(game.winner, position.side());
            let target = labels.result_weight * result + (1.0 - labels.result_weight) * expected;
            to.push(Sample::new(&position, target, result));
        }
        position = position.make(ply.mv);
    }
}

/// The expected result at each ply of a game for the side to move there, by the scores of this ply and of all
/// later ones up to the next random move: what follows from that, the moves before it did not bring about.
fn expected_results(game: &TrainingGame, lambda: f32, scale: f32) -> Vec<f32> {
    let mut later = Some(result_for(game.winner, Colour::White));
    let mut expected = Vec::with_capacity(game.plies.len());
    for (index, ply) in game.plies.iter().enumerate().rev() {
        let for_side = |value: f32| if index.is_multiple_of(2) { value } else { 1.0 - value };
        let own = ply.score.map(|score| for_side(expected_result(score, scale)));
        let found = match (own, later) {
            (Some(own), Some(later)) => lambda * later + (1.0 - lambda) * own,
            (own, later) => own.or(later).unwrap_or(0.5),
        };
        expected.push(for_side(found));
        later = own.map(|_| found);
    }
    expected.reverse();
    expected
}

fn result_for(winner: Option<Colour>, side: Colour) -> f32 {
    match winner {
        None => 0.5,
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
    }
}

fn expected_result(score: i16, scale: f32) -> f32 {
    let score = f32::from(score).clamp(-MAX_SCORE, MAX_SCORE);
    1.0 / (1.0 + (-score / scale).exp())
}

/// Scores of the first games of a file with the results for the mover.
fn some_points(path: &Path) -> Result<Vec<(i16, f32)>> {
    const MAX_POINTS: usize = 400_000;
    let mut points = Vec::new();
    data::read(path, |game| {
        if points.len() >= MAX_POINTS {
            return;
        }
        for (index, ply) in game.plies.iter().enumerate() {
            let score = ply.score.filter(|&score| !is_decisive(Score::from(score)));
            let side = Colour::ALL[index % 2];
            points.extend(score.map(|score| (score, result_for(game.winner, side))));
        }
    })?;
    Ok(points)
}

/// The scale that fits pairs of a score and a result best (least squares, golden-section search).
fn fitted_scale(points: &[(i16, f32)]) -> f32 {
    let error = |scale: f32| -> f64 {
        points.iter().map(|&(s, r)| f64::from((expected_result(s, scale) - r).powi(2))).sum()
    };
    let (mut low, mut high) = (50.0f32, 1500.0f32);
    while high - low > 1.0 {
        let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if error(a) < error(b) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

const _: () = assert!(BUCKETS <= u8::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess960::eval::features::{active, View};
    use crate::games::chess960::movegen;
    use crate::tools::labs::chess960::data::Ply;

    #[test]
    fn inputs_of_samples_are_those_of_the_player() {
        let mut rng = Rng::new(3);
        for _ in 0..60 {
            let mut position = start::numbered(rng.below(start::COUNT), CastlingRule::Arena);
            for _ in 0..90 {
                let sample = Sample::new(&position, 0.5, 0.5);
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
    fn later_scores_count_by_their_distance() {
        let mut game = TrainingGame { start: 518, plies: Vec::new(), winner: Some(Colour::White) };
        let mut position = start::numbered(518, CastlingRule::Arena);
        for score in [None, Some(100), Some(-100)] {
            let mv = movegen::moves(&position)[0];
            game.plies.push(Ply { mv, score });
            position = position.make(mv);
        }
        let close = |found: Vec<f32>, expected: [f32; 3]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        };
        let [up, down] = [100, -100].map(|score| expected_result(score, 200.0));
        // The side to move changes with every ply; that with no score has the next one's.
        close(expected_results(&game, 0.0, 200.0), [down, up, down]);
        close(expected_results(&game, 1.0, 200.0), [1.0, 0.0, 1.0]);
        let last = 0.5 + 0.5 * down;
        let middle = 0.5 * (1.0 - last) + 0.5 * up;
        close(expected_results(&game, 0.5, 200.0), [1.0 - middle, middle, last]);
        // The moves before a random one are not judged by what it brings.
        game.plies.swap(0, 1);
        close(expected_results(&game, 0.5, 200.0), [up, 1.0 - last, last]);
    }

    #[test]
    fn scales_follow_the_results() {
        let points: Vec<(i16, f32)> =
            (-1000..1000).map(|score| (score, expected_result(score, 250.0))).collect();
        assert!((fitted_scale(&points) - 250.0).abs() < 2.0);
    }
}
