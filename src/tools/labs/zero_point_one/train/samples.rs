//! Training samples: positions of self-play games with a target, and their network inputs.

use crate::engine::rng::Rng;
use crate::games::zero_point_one::eval::features::{active, bucket, phase, Perspective, PHASES};
use crate::games::zero_point_one::game::Outcome;
use crate::games::zero_point_one::position::{Board, Position};
use crate::games::zero_point_one::types::{Bitboard, Colour, Hand, Kind, Piece};
use crate::tools::labs::zero_point_one::data::file::games;
use crate::tools::labs::zero_point_one::data::stored_game::TrainingGame;
use crate::tools::training::samples::{Collector, Labels, Samples, Target};
use crate::tools::training::store::{code_at, set_code, Packed, StoreConfig, Unpacker};
use crate::tools::training::targets::{fitted_scale, result_for, ScoredGame};
use anyhow::Result;
use rand::RngExt;
use std::path::Path;

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

/// Reads the samples of all games of the files. Damaged blocks are reported on stderr and skipped.
pub fn read(
    paths: &[impl AsRef<Path>],
    labels: Labels,
    store: StoreConfig,
) -> Result<Samples<Sample>> {
    Samples::of(paths, store, |collector, path| add_file(collector, path.as_ref(), labels))
}

/// Adds the samples of a file.
fn add_file(collector: &mut Collector<Sample>, path: &Path, labels: Labels) -> Result<()> {
    let fit = |first: &[TrainingGame]| match labels.score_scale {
        Some(scale) => [scale; PHASES],
        None => fitted_scales(first),
    };
    let (scales, games) = collector.add_games(games(path)?, fit, |collector, game, scales| {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        collector.add_game(bytes, |target| {
            quiet_samples(game, &targets_of(game, target, labels, scales))
        })
    })?;
    tell!("{}: {games} games, score scales {scales:.0?}", path.display());
    Ok(())
}

/// Returns the ply of a game's move with this index: the setups are the first two plies.
fn ply_of(index: usize) -> usize {
    index + 2
}

/// Returns the scores and the result of a game.
fn scored_game(game: &TrainingGame) -> ScoredGame {
    let winner = match game.outcome {
        Outcome::Drawn => None,
        Outcome::Won(winner) => Some(winner),
    };
    ScoredGame::new(&game.plies, result_for(winner, Colour::to_move_after(ply_of(0))))
}

/// Returns the target of every ply, if it has one.
fn targets_of(
    game: &TrainingGame,
    target: Target,
    labels: Labels,
    scales: &[f32; PHASES],
) -> Vec<Option<f32>> {
    match target {
        Target::Blend => {
            scored_game(game).targets(labels.lambda, |index| scales[phase(ply_of(index))])
        }
        Target::Result => scored_game(game).results(),
    }
}

/// Fits the score scale of each phase such that the scores predict the results best. A phase with few scores uses the
/// scores of all phases.
fn fitted_scales(games: &[TrainingGame]) -> [f32; PHASES] {
    const MIN_POINTS: usize = 200;
    let mut points = [(); PHASES].map(|()| Vec::new());
    for game in games {
        for (index, score, result) in scored_game(game).points() {
            points[phase(ply_of(index))].push((score, result));
        }
    }
    let all = points.concat();
    points.map(|points| fitted_scale(if points.len() < MIN_POINTS { &all } else { &points }))
}

/// Returns the samples of a game's quiet positions with a target: the side to move is not in check, and the move played
/// is not a capture.
fn quiet_samples(record: &TrainingGame, targets: &[Option<f32>]) -> Vec<Sample> {
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

/// Creates the sample of a position; `None` if a wazir is missing.
pub fn sample(position: &Position, target: f32) -> Option<Sample> {
    let complete = Colour::ALL.iter().all(|&side| position.board().wazir(side).is_some());
    complete.then(|| Sample {
        position: *position,
        target: (target * 65535.0).round() as u16,
        bucket: bucket(position) as u8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::zero_point_one::movegen;
    use crate::games::zero_point_one::setup;
    use crate::tools::labs::zero_point_one::data::stored_game::Ply;

    const SCALES: [f32; PHASES] = [300.0; PHASES];

    /// Creates a game with these scores, won by Red. Its moves are irrelevant.
    fn game(scores: &[Option<i16>]) -> TrainingGame {
        let setups = [setup::first(), setup::first()];
        let mut moves = Vec::new();
        movegen::safe(&Position::from_setups(&setups[0], &setups[1]), |mv| moves.push(mv));
        let plies = scores.iter().map(|&score| Ply { mv: moves[0], score }).collect();
        TrainingGame { setups, plies, outcome: Outcome::Won(Colour::Red) }
    }

    #[test]
    fn a_phase_with_few_scores_uses_all_phases() {
        // Red wins three of four games at a score of 300, which gives a scale of 300 / ln 3.
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
    fn each_phase_uses_its_scale() {
        let mut scores = vec![Some(0); 100];
        (scores[0], scores[98]) = (Some(300), Some(300));
        let mut scales = SCALES;
        scales[PHASES - 1] = 3000.0;
        let labels = Labels { lambda: 0.0, score_scale: None };
        let found = targets_of(&game(&scores), Target::Blend, labels, &scales);
        let close = |index: usize, value: f32| {
            found[index].is_some_and(|found| (found - value).abs() < 1e-4)
        };
        assert!(close(0, 0.73106) && close(98, 0.52498), "{found:?}");
    }

    #[test]
    fn results_are_for_the_side_to_move() {
        let labels = Labels { lambda: 0.0, score_scale: None };
        let game = game(&[None, Some(0), Some(0)]);
        let found = targets_of(&game, Target::Result, labels, &SCALES);
        assert_eq!(found, [None, Some(0.0), Some(1.0)]);
    }
}
