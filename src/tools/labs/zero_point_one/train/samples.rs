//! Training samples: positions of self-play games as lists of network inputs, with a target.

use crate::engine::rng::Rng;
use crate::games::zero_point_one::eval::features::{active, bucket, phase, Perspective, PHASES};
use crate::games::zero_point_one::game::Outcome;
use crate::games::zero_point_one::position::{Board, Position};
use crate::games::zero_point_one::types::{Bitboard, Colour, Hand, Kind, Piece};
use crate::tools::labs::zero_point_one::data::file::games;
use crate::tools::labs::zero_point_one::data::stored_game::TrainingGame;
use crate::tools::training::samples::{Collector, Samples, Target};
use crate::tools::training::store::{code_at, set_code, Packed, StoreConfig, Unpacker};
use crate::tools::training::targets::{fitted_scale, result_for, ScoredGame};
use anyhow::Result;
use rand::RngExt;
use std::path::Path;

/// A position with what is expected of it. Its inputs are found anew whenever it is seen: as lists
/// they would take several times the memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position, with both wazirs.
    pub position: Position,
    /// The expected result for the side to move: 0 a loss, 65535 a win.
    pub target: u16,
    /// The output bucket.
    pub bucket: u8,
}

/// The most pieces on the board.
const MAX_PIECES: usize = 32;

/// The occupied squares, the pieces on them in the order of the squares, two a byte, both hands, the ply, and
/// the target. The side to move and the bucket follow from these.
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
        let position = Position::new(board, hands, usize::from(ply)).expect("as it was packed");
        Sample { position, target, bucket: bucket(&position) as u8 }
    }
}

/// A hand in a packed sample: the number of each kind.
const HAND_BYTES: usize = Kind::DROPPABLE.len();

fn hand(counts: [u8; HAND_BYTES]) -> Hand {
    let mut hand = Hand::EMPTY;
    for (kind, count) in Kind::DROPPABLE.into_iter().zip(counts) {
        (0..count).for_each(|_| hand.add(kind));
    }
    hand
}

/// The number of a piece in a packed sample.
fn code(piece: Piece) -> u8 {
    (piece.kind.index() + Kind::ALL.len() * piece.colour.index()) as u8
}

fn piece(code: u8) -> Piece {
    let code = usize::from(code);
    Piece { colour: Colour::ALL[code / Kind::ALL.len()], kind: Kind::ALL[code % Kind::ALL.len()] }
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

/// Reads all games of the files. Damaged blocks are named on stderr and passed over.
pub fn read(
    paths: &[impl AsRef<Path>],
    labels: Labels,
    store: StoreConfig,
) -> Result<Samples<Sample>> {
    Samples::of(paths, store, |collector, path| add_file(collector, path.as_ref(), labels))
}

/// Takes in the games of a file.
fn add_file(collector: &mut Collector<Sample>, path: &Path, labels: Labels) -> Result<()> {
    let fit = |first: &[TrainingGame]| match labels.score_scale {
        Some(scale) => [scale; PHASES],
        None => fitted_scales(first),
    };
    let (scales, games) = collector.add_games(games(path)?, fit, |collector, game, scales| {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        collector.add_game(bytes, |target| usable(game, &expected(game, target, labels, scales)))
    })?;
    tell!("{}: {games} games, score scales {scales:.0?}", path.display());
    Ok(())
}

/// The number of moves made before the `index`-th of a record: the setups are the first two.
fn ply_of(index: usize) -> usize {
    index + 2
}

/// A game as far as its targets need it.
fn scored(game: &TrainingGame) -> ScoredGame {
    let winner = match game.outcome {
        Outcome::Drawn => None,
        Outcome::Won(winner) => Some(winner),
    };
    let scores = game.plies.iter().map(|ply| ply.score).collect();
    ScoredGame { scores, result: result_for(winner, Colour::to_move_after(ply_of(0))) }
}

/// For every ply the target, as far as there is one.
fn expected(
    game: &TrainingGame,
    target: Target,
    labels: Labels,
    scales: &[f32; PHASES],
) -> Vec<Option<f32>> {
    match target {
        Target::Blend => scored(game).targets(labels.lambda, |index| scales[phase(ply_of(index))]),
        Target::Result => scored(game).results(),
    }
}

/// For each phase the score scale under which the scores predict the results best; where there are few scores, by
/// those of all phases.
fn fitted_scales(games: &[TrainingGame]) -> [f32; PHASES] {
    const MIN_POINTS: usize = 200;
    let mut points = [(); PHASES].map(|()| Vec::new());
    for game in games {
        for (index, score, result) in scored(game).points() {
            points[phase(ply_of(index))].push((score, result));
        }
    }
    let all = points.concat();
    points.map(|points| fitted_scale(if points.len() < MIN_POINTS { &all } else { &points }))
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

#[cfg(test)]
mod tests {
    use super::*;
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
        let labels = Labels { lambda: 0.0, score_scale: None };
        let found = expected(&game(&scores), Target::Blend, labels, &scales);
        let close = |index: usize, value: f32| {
            found[index].is_some_and(|found| (found - value).abs() < 1e-4)
        };
        assert!(close(0, 0.73106) && close(98, 0.52498), "{found:?}");
    }

    #[test]
    fn results_are_for_the_side_to_move() {
        let labels = Labels { lambda: 0.0, score_scale: None };
        let game = game(&[None, Some(0), Some(0)]);
        let found = expected(&game, Target::Result, labels, &SCALES);
        assert_eq!(found, [None, Some(0.0), Some(1.0)]);
    }
}
