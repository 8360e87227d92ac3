//! Training samples: positions of self-play games as lists of network inputs, with a target.

use crate::engine::rng::Rng;
use crate::engine::score::{is_decisive, Score};
use crate::games::zero_point_one::eval::features::{active, bucket, phase, Perspective, PHASES};
use crate::games::zero_point_one::game::Outcome;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::Colour;
use crate::tools::contracts::game_files::Duplicates;
use crate::tools::labs::zero_point_one::data::file::{Block, GameReader};
use crate::tools::labs::zero_point_one::data::stored_game::TrainingGame;
use anyhow::Result;
use rand::seq::SliceRandom;
use rand::RngExt;
use rayon::prelude::*;
use std::path::Path;

/// A position with what is expected of it. Its inputs are found anew whenever it is seen: as lists
/// they would take more than twice the memory.
#[derive(Clone)]
pub struct Sample {
    /// The position, with both wazirs.
    pub position: Position,
    /// The expected result for the side to move: 0 a loss, 65535 a win.
    pub target: u16,
    /// The output bucket.
    pub bucket: u8,
}

/// The inputs that are 1 in the perspectives of the side to move and of its opponent.
#[derive(Default)]
pub struct Inputs(pub [Vec<u16>; 2]);

impl Inputs {
    /// Becomes the inputs of a sample in the perspectives that the network has when it plays.
    pub fn set(&mut self, sample: &Sample) {
        self.set_views(sample, [false; 2]);
    }

    /// Becomes the inputs of a sample; the perspective of a wazir on a diagonal is either one of
    /// the two, as the seed has it, so that the network learns from both.
    pub fn set_at_random(&mut self, sample: &Sample, seed: u64) {
        let mut rng = Rng::new(seed ^ sample.position.hash());
        self.set_views(sample, rng.random());
    }

    fn set_views(&mut self, sample: &Sample, others: [bool; 2]) {
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

/// How samples are made from games.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// The part of a target that comes from the next position's target, at the end of the game from
    /// the result; the rest is the position's own score.
    pub lambda: f32,
    /// The score that stands for an expected result of 1 / (1 + e^-1), in hundredths of a piece;
    /// `None`: for each file and phase of the game the one that fits the results best.
    pub score_scale: Option<f32>,
}

/// Every so many games one is kept for validation.
const VALIDATION_EVERY: usize = 50;
/// Scores beyond this count as this.
const MAX_SCORE: f32 = 3000.0;

/// Samples for training and for validation.
#[derive(Default)]
pub struct Samples {
    /// Shuffled samples to learn from.
    pub training: Vec<Sample>,
    /// Samples of other games.
    pub validation: Vec<Sample>,
    /// The same positions with the results of their games as targets, where those are known.
    pub results: Vec<Sample>,
    /// Games read.
    pub games: usize,
    duplicates: Duplicates,
}

impl Samples {
    /// Reads all games of the files. Damaged blocks are named on stderr and passed over.
    pub fn read(paths: &[impl AsRef<Path>], labels: Labels, seed: u64) -> Result<Samples> {
        let mut samples = Samples::default();
        for path in paths {
            samples.add(path.as_ref(), labels)?;
        }
        samples.duplicates.warn();
        samples.training.shuffle(&mut Rng::new(seed));
        Ok(samples)
    }

    /// Adds the games of a file.
    fn add(&mut self, path: &Path, labels: Labels) -> Result<()> {
        let records = games(path)?;
        let scales = match labels.score_scale {
            Some(scale) => [scale; PHASES],
            None => fitted_scales(&records),
        };
        eprintln!("{}: {} games, score scales {scales:.0?}", path.display(), records.len());
        let make = |validation: bool,
                    label: &(dyn Fn(&TrainingGame) -> Vec<Option<f32>> + Sync)| {
            records
                .par_iter()
                .enumerate()
                .filter(|(index, _)| (index % VALIDATION_EVERY == 0) == validation)
                .flat_map_iter(|(_, record)| usable(record, &label(record)))
                .collect::<Vec<Sample>>()
        };
        let blend = |record: &TrainingGame| targets(record, labels.lambda, &scales);
        self.training.extend(make(false, &blend));
        self.validation.extend(make(true, &blend));
        self.results.extend(make(true, &results));
        self.games += records.len();
        for record in &records {
            let mut bytes = Vec::new();
            record.write(&mut bytes);
            self.duplicates.add(bytes);
        }
        Ok(())
    }
}

/// The games of a file. Damaged blocks are named on stderr and passed over.
fn games(path: &Path) -> Result<Vec<TrainingGame>> {
    let mut records = Vec::new();
    for block in GameReader::open(path)? {
        match block? {
            Block::Games(games) => records.extend(games),
            Block::Damaged(damage) => {
                eprintln!("{}: offset {}: {}", path.display(), damage.offset, damage.reason);
            }
        }
    }
    Ok(records)
}

/// The number of moves made before the `index`-th of a record: the setups are the first two.
fn ply_of(index: usize) -> usize {
    index + 2
}

/// For every ply of a game the expected result for the side to move: a blend of its score, the
/// later scores and the result, which weighs less the further it is away (TD(lambda): R. Sutton,
/// 1988). `None` where a random move was played, at which the blend begins anew: it says nothing
/// about what was before.
fn targets(record: &TrainingGame, lambda: f32, scales: &[f32; PHASES]) -> Vec<Option<f32>> {
    let mut later = Some(result_for(record.outcome, Colour::Red));
    let mut targets = vec![None; record.plies.len()];
    for (index, ply) in record.plies.iter().enumerate().rev() {
        let side = Colour::to_move_after(ply_of(index));
        let perspective =
            |expected: f32| if side == Colour::Red { expected } else { 1.0 - expected };
        later = ply.score.map(|score| {
            let now = perspective(expected_result(score, scales[phase(ply_of(index))]));
            later.map_or(now, |later| lambda * later + (1.0 - lambda) * now)
        });
        targets[index] = later.map(perspective);
    }
    targets
}

/// For every ply behind the last random move the result for the side to move.
fn results(record: &TrainingGame) -> Vec<Option<f32>> {
    let last_random = record.plies.iter().rposition(|ply| ply.score.is_none());
    let result = |index| result_for(record.outcome, Colour::to_move_after(ply_of(index)));
    (0..record.plies.len())
        .map(|index| (last_random < Some(index)).then(|| result(index)))
        .collect()
}

/// The positions of a game that have a target and whose evaluation is not the search's business:
/// not in check, and the move played no capture.
fn usable(record: &TrainingGame, targets: &[Option<f32>]) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut position = record.start();
    for (ply, &target) in record.plies.iter().zip(targets) {
        let quiet = !position.is_capture(ply.mv) && position.checkers().is_empty();
        let target = target.filter(|_| quiet);
        samples.extend(target.and_then(|target| sample(&position, target)));
        position = position.make(ply.mv);
    }
    samples
}

/// The sample of a position; `None` where a wazir is gone.
pub fn sample(position: &Position, target: f32) -> Option<Sample> {
    let complete = Colour::ALL.iter().all(|&side| position.board().wazir(side).is_some());
    complete.then(|| Sample {
        position: *position,
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

/// A proved win or loss is one; else a sigmoid of the score.
fn expected_result(score: i16, scale: f32) -> f32 {
    if is_decisive(Score::from(score)) {
        return f32::from(u8::from(score > 0));
    }
    let score = f32::from(score).clamp(-MAX_SCORE, MAX_SCORE);
    1.0 / (1.0 + (-score / scale).exp())
}

/// For each phase the score scale under which the scores predict the results best, by the positions
/// behind the last random move; where those are few, by those of all phases.
fn fitted_scales(records: &[TrainingGame]) -> [f32; PHASES] {
    const MAX_RECORDS: usize = 20_000;
    const MIN_POINTS: usize = 200;
    let step = records.len() / MAX_RECORDS + 1;
    let mut points = [(); PHASES].map(|()| Vec::new());
    for record in records.iter().step_by(step) {
        for (index, (ply, result)) in record.plies.iter().zip(results(record)).enumerate() {
            let score = ply.score.filter(|&score| !is_decisive(Score::from(score)));
            if let (Some(score), Some(result)) = (score, result) {
                points[phase(ply_of(index))].push((score, result));
            }
        }
    }
    let all = points.concat();
    points.map(|points| fitted_scale(if points.len() < MIN_POINTS { &all } else { &points }))
}

/// The scale that fits pairs of a score and a result best (least squares, golden-section search).
fn fitted_scale(points: &[(i16, f32)]) -> f32 {
    let error = |scale: f32| -> f64 {
        points.iter().map(|&(s, r)| f64::from((expected_result(s, scale) - r).powi(2))).sum()
    };
    let (mut low, mut high) = (30.0f32, 10_000.0f32);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::score;
    use crate::games::zero_point_one::movegen;
    use crate::games::zero_point_one::setup;
    use crate::tools::labs::zero_point_one::data::stored_game::Ply;

    const SCALES: [f32; PHASES] = [300.0; PHASES];

    /// A game with these scores, won by Red, whose moves don't matter.
    fn game(scores: &[Option<i16>]) -> TrainingGame {
        let setups = [setup::first(), setup::first()];
        let mut moves = Vec::new();
        movegen::safe(&Position::from_setups(&setups[0], &setups[1]), |mv| moves.push(mv));
        let plies = scores.iter().map(|&score| Ply { mv: moves[0], score }).collect();
        TrainingGame { setups, plies, outcome: Outcome::Won(Colour::Red) }
    }

    fn close(found: &[Option<f32>], expected: &[Option<f32>]) -> bool {
        let pairs = found.iter().zip(expected);
        found.len() == expected.len()
            && pairs.into_iter().all(|pair| match pair {
                (Some(found), Some(expected)) => (found - expected).abs() < 1e-4,
                (found, expected) => found == expected,
            })
    }

    #[test]
    fn a_target_blends_what_comes_later_from_the_movers_view() {
        // Red, Blue, Red to move; 300 in hundredths stands for 0.73106.
        let game = game(&[Some(300), Some(300), Some(0)]);
        let last = 0.5 * 1.0 + 0.5 * 0.5;
        let second = 0.5 * (1.0 - last) + 0.5 * 0.73106;
        let first = 0.5 * (1.0 - second) + 0.5 * 0.73106;
        let expected = [Some(first), Some(second), Some(last)];
        assert!(close(&targets(&game, 0.5, &SCALES), &expected));
        assert!(close(&targets(&game, 1.0, &SCALES), &[Some(1.0), Some(0.0), Some(1.0)]));
        assert!(close(&targets(&game, 0.0, &SCALES)[..1], &[Some(0.73106)]));
    }

    #[test]
    fn nothing_behind_a_random_move_reaches_the_positions_before_it() {
        let game = game(&[Some(-300), None, Some(0), Some(0)]);
        let found = targets(&game, 1.0, &SCALES);
        assert!(close(&found, &[Some(1.0 - 0.73106), None, Some(1.0), Some(0.0)]));
        assert_eq!(results(&game), [None, None, Some(1.0), Some(0.0)]);
    }

    #[test]
    fn a_proved_win_is_one_in_every_phase() {
        let win = score::win_in(5) as i16;
        for scale in [300.0, 10_000.0] {
            assert_eq!((expected_result(win, scale), expected_result(-win, scale)), (1.0, 0.0));
        }
    }

    #[test]
    fn scales_follow_the_results() {
        let points: Vec<(i16, f32)> =
            (-1000..1000).map(|score| (score, expected_result(score, 400.0))).collect();
        assert!((fitted_scale(&points) - 400.0).abs() < 2.0);
    }

    #[test]
    fn a_phase_with_few_scores_takes_the_scale_of_all() {
        // Red wins three games of four: at this score the scale is 300 / ln 3.
        let mut won = game(&[Some(300), Some(-300), Some(300), Some(-300)]);
        let mut lost = won.clone();
        won.outcome = Outcome::Won(Colour::Red);
        lost.outcome = Outcome::Won(Colour::Blue);
        let records = [vec![won; 90], vec![lost; 30]].concat();
        for scale in fitted_scales(&records) {
            assert!((scale - 300.0 / 3.0f32.ln()).abs() < 2.0, "{scale}");
        }
    }

    #[test]
    fn late_scores_say_less() {
        let mut scores = vec![Some(0); 100];
        (scores[0], scores[98]) = (Some(300), Some(300));
        let mut scales = SCALES;
        scales[PHASES - 1] = 3000.0;
        let found = targets(&game(&scores), 0.0, &scales);
        assert!(close(&[found[0], found[98]], &[Some(0.73106), Some(0.52498)]));
    }
}
