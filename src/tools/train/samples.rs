//! Training samples: positions of self-play games as lists of network inputs, with a target.

use crate::engine::rng::Rng;
use crate::engine::score::{is_decisive, Score};
use crate::games::zero_point_one::eval::features::{bucket, View, MAX_ACTIVE};
use crate::games::zero_point_one::game::Outcome;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Colour, Kind};
use crate::tools::data::file::{Block, GameReader};
use crate::tools::data::record::GameRecord;
use anyhow::Result;
use rayon::prelude::*;
use std::path::Path;

/// A position from the view of the side to move: 128 bytes.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The inputs that are 1 in the view of the side to move. All 32 pieces are always somewhere, so
    /// there are always 31.
    pub own: [u16; MAX_ACTIVE],
    /// The inputs that are 1 in the opponent's view.
    pub other: [u16; MAX_ACTIVE],
    /// The expected result for the side to move: 0 a loss, 65535 a win.
    pub target: u16,
    /// The output bucket.
    pub bucket: u8,
}

/// How samples are made from games.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// The weight of the game's result in the target; the rest is the score's.
    pub result_weight: f32,
    /// The score that stands for an expected result of 1 / (1 + e^-1), in hundredths of a piece;
    /// `None`: the one that fits the results best.
    pub score_scale: Option<f32>,
}

/// Every so many games one is kept for validation.
const VALIDATION_EVERY: usize = 50;
/// Scores beyond this count as this.
const MOST_SCORE: f32 = 3000.0;

/// Samples for training and for validation.
pub struct Samples {
    /// Shuffled samples to learn from.
    pub training: Vec<Sample>,
    /// Samples of other games.
    pub validation: Vec<Sample>,
    /// The score scale used.
    pub score_scale: f32,
    /// Games read.
    pub games: usize,
}

impl Samples {
    /// Reads all games of the files. Damaged blocks are named on stderr and passed over.
    pub fn read(paths: &[impl AsRef<Path>], labels: Labels, seed: u64) -> Result<Samples> {
        let mut records = Vec::new();
        for path in paths {
            let path = path.as_ref();
            for block in GameReader::open(path)? {
                match block? {
                    Block::Games(games) => records.extend(games),
                    Block::Damaged(damage) => {
                        let (path, offset) = (path.display(), damage.offset);
                        eprintln!("{path}: offset {offset}: {}", damage.reason);
                    }
                }
            }
        }
        let scale = labels.score_scale.unwrap_or_else(|| fitted_scale(&records));
        let make = |validation: bool| -> Vec<Sample> {
            records
                .par_iter()
                .enumerate()
                .filter(|(index, _)| (index % VALIDATION_EVERY == 0) == validation)
                .flat_map_iter(|(_, record)| samples_of(record, labels.result_weight, scale))
                .collect()
        };
        let (mut training, validation) = (make(false), make(true));
        Rng::new(seed).shuffle(&mut training);
        Ok(Samples { training, validation, score_scale: scale, games: records.len() })
    }
}

/// The usable positions of a game. Left out are those whose evaluation is the search's business: in
/// check, or with a capture as the move played; and those without a score.
fn samples_of(record: &GameRecord, result_weight: f32, scale: f32) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut position = record.start();
    // A random move makes the result say nothing about the positions before it.
    let last_random = record.plies.iter().rposition(|ply| ply.score.is_none());
    for (index, ply) in record.plies.iter().enumerate() {
        let quiet = !position.is_capture(ply.mv) && position.checkers().is_empty();
        if let (true, Some(score)) = (quiet, ply.score) {
            let expected = expected_result(score, scale);
            let weight = if last_random > Some(index) { 0.0 } else { result_weight };
            let result = result_for(record.outcome, position.side());
            let target = weight * result + (1.0 - weight) * expected;
            samples.extend(sample(&position, target));
        }
        position = position.make(ply.mv);
    }
    samples
}

/// The sample of a position; `None` where a wazir is gone.
pub fn sample(position: &Position, target: f32) -> Option<Sample> {
    let side = position.side();
    let inputs = |side: Colour| -> Option<[u16; MAX_ACTIVE]> {
        let view = View::new(side, position.board().wazir(side)?);
        let mut inputs = [0; MAX_ACTIVE];
        let mut slots = inputs.iter_mut();
        view.active(position, |input| {
            if let Some(slot) = slots.next() {
                *slot = input as u16;
            }
        });
        Some(inputs)
    };
    debug_assert!(position.board().kind(Kind::Wazir).count() == 2);
    Some(Sample {
        own: inputs(side)?,
        other: inputs(!side)?,
        target: (target * 65535.0).round() as u16,
        bucket: bucket(position) as u8,
    })
}

fn result_for(outcome: Outcome, side: Colour) -> f32 {
    match outcome {
        Outcome::Drawn => 0.5,
        Outcome::Won(winner) if winner == side => 1.0,
        Outcome::Won(_) => 0.0,
    }
}

fn expected_result(score: i16, scale: f32) -> f32 {
    let score = f32::from(score).clamp(-MOST_SCORE, MOST_SCORE);
    1.0 / (1.0 + (-score / scale).exp())
}

/// The score scale under which the scores predict the results best (least squares, golden-section
/// search), by the positions behind the last random move.
fn fitted_scale(records: &[GameRecord]) -> f32 {
    const MOST_RECORDS: usize = 20_000;
    let step = records.len() / MOST_RECORDS + 1;
    let mut points: Vec<(i16, f32)> = Vec::new();
    for record in records.iter().step_by(step) {
        let start = record.plies.iter().rposition(|ply| ply.score.is_none()).map_or(0, |n| n + 1);
        for (index, ply) in record.plies.iter().enumerate().skip(start) {
            if let Some(score) = ply.score.filter(|&score| !is_decisive(Score::from(score))) {
                let side = Colour::to_move_after(index + 2);
                points.push((score, result_for(record.outcome, side)));
            }
        }
    }
    let error = |scale: f32| -> f64 {
        points.iter().map(|&(s, r)| f64::from((expected_result(s, scale) - r).powi(2))).sum()
    };
    let (mut low, mut high) = (30.0f32, 3000.0f32);
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
