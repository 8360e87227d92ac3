//! Self-play games in files, and the training positions that they give.

use crate::games::zuniq::geometry::{CELL_COUNT, SEGMENT_COUNT};
use crate::games::zuniq::network::features::{FeatureSource, KINDS};
use crate::games::zuniq::position::{Position, Sizes};
use crate::games::zuniq::segment::Segment;
use crate::tools::contracts::game_files::{GameFiles, Magic};
use crate::tools::training::game_file::{
    game_files, read_count, take, write_count, Record, Summary,
};
use crate::tools::training::store::{Packed, Unpacker};
use anyhow::{ensure, Context, Result};

/// A position and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Data from which the features of the position are computed.
    pub source: FeatureSource,
    /// Probability that the side to move wins, 0 to 1.
    pub target: f32,
    /// Number of moves before the position.
    pub ply: usize,
}

impl Packed for Sample {
    const BYTES: usize = 8 * (1 + KINDS) + 4 + 4 + KINDS * (CELL_COUNT + 1) + 4 + 1;

    fn pack(&self, bytes: &mut Vec<u8>) {
        let Sample { source, target, ply } = self;
        bytes.extend(source.gaps.to_le_bytes());
        bytes.extend(source.bridges.iter().flat_map(|bridges| bridges.to_le_bytes()));
        bytes.extend([source.legal, source.open, source.groups, source.new_zones]);
        bytes.extend(source.sizes.bits().to_le_bytes());
        bytes.extend(source.by_size.as_flattened());
        bytes.extend(target.to_le_bytes());
        bytes.push(*ply as u8);
    }

    fn unpack(bytes: &[u8]) -> Sample {
        let mut from = Unpacker(bytes);
        let gaps = from.u64();
        let bridges = [(); KINDS].map(|()| from.u64());
        let [legal, open, groups, new_zones] = from.take();
        let bits = u32::from_le_bytes(from.take());
        let sizes = (1..=CELL_COUNT).filter(|&size| bits >> size & 1 != 0);
        let sizes = sizes.fold(Sizes::default(), Sizes::with);
        let by_size = [(); KINDS].map(|()| from.take());
        let source =
            FeatureSource { gaps, legal, open, groups, new_zones, sizes, bridges, by_size };
        let target = f32::from_le_bytes(from.take());
        let [ply] = from.take();
        Sample { source, target, ply: usize::from(ply) }
    }
}

/// Adapter for `cupbot merge`.
pub const GAME_FILES: GameFiles = game_files::<PlayedGame>();

/// A self-play game.
#[derive(Debug, PartialEq)]
pub struct PlayedGame {
    /// The moves.
    pub moves: Vec<Segment>,
    /// The winner: 0 for White, 1 for Black.
    pub winner: usize,
    /// Values of positions of the game and near it.
    pub values: Vec<Value>,
}

/// The value of a position.
#[derive(Debug, PartialEq)]
pub struct Value {
    /// Number of moves of the game before the position.
    pub ply: usize,
    /// Further moves to the position.
    pub path: Vec<Segment>,
    /// Expected result for the side to move, 0 to 1000.
    pub permille: u16,
}

/// Maximum value, for a won position.
const MAX_VALUE: u16 = 1000;

/// A game is encoded as the moves, the winner, and the values, each as its ply, its path and 2 bytes. A segment, the
/// winner, a ply and the length of a path have one byte.
impl Record for PlayedGame {
    const MAGIC: Magic = *b"cupgamZ\x01";
    const SIDES: [&'static str; 2] = ["white", "black"];

    fn write(&self, bytes: &mut Vec<u8>) {
        write_segments(&self.moves, bytes);
        bytes.push(self.winner as u8);
        write_count(self.values.len(), bytes);
        for Value { ply, path, permille } in &self.values {
            bytes.push(*ply as u8);
            write_segments(path, bytes);
            bytes.extend(permille.to_le_bytes());
        }
    }

    fn read(bytes: &mut &[u8]) -> Result<PlayedGame> {
        let moves = read_segments(bytes)?;
        let [winner] = take(bytes)?.map(usize::from);
        ensure!(winner < 2, "unknown winner {winner}");
        let mut game = PlayedGame { moves, winner, values: Vec::new() };
        for _ in 0..read_count(bytes)? {
            let [ply] = take(bytes)?.map(usize::from);
            let path = read_segments(bytes)?;
            let permille = u16::from_le_bytes(take(bytes)?);
            ensure!(permille <= MAX_VALUE, "a value is above {MAX_VALUE}");
            game.values.push(Value { ply, path, permille });
        }
        game.positions()?;
        Ok(game)
    }

    fn summary(&self) -> Summary {
        Summary { positions: self.values.len(), winner: Some(self.winner) }
    }
}

impl PlayedGame {
    /// Returns the samples of all values. Fails if a move is illegal.
    pub fn samples(&self) -> Result<Vec<Sample>> {
        let values = self.values.iter().zip(self.positions()?);
        let sample = |(value, position): (&Value, Position)| Sample {
            source: FeatureSource::of(&position),
            // Divided in two steps, to round in the same way as the earlier format, which stored percent.
            target: f32::from(value.permille) / 10.0 / 100.0,
            ply: position.ply(),
        };
        Ok(values.map(sample).collect())
    }

    /// Returns the positions of all values. Fails if a move is illegal.
    fn positions(&self) -> Result<Vec<Position>> {
        let mut line = vec![Position::START];
        for &segment in &self.moves {
            line.push(play(&line[line.len() - 1], segment)?);
        }
        let position = |value: &Value| {
            let start =
                line.get(value.ply).context("a value's ply is after the end of the game")?;
            value.path.iter().try_fold(start.clone(), |position, &next| play(&position, next))
        };
        self.values.iter().map(position).collect()
    }
}

fn play(position: &Position, segment: Segment) -> Result<Position> {
    ensure!(position.is_legal(segment), "{segment} is not a legal move");
    Ok(position.make(segment))
}

/// Appends the number of segments and the segments.
fn write_segments(segments: &[Segment], bytes: &mut Vec<u8>) {
    bytes.push(segments.len() as u8);
    bytes.extend(segments.iter().map(|segment| segment.index() as u8));
}

fn read_segments(bytes: &mut &[u8]) -> Result<Vec<Segment>> {
    let [count] = take(bytes)?;
    let segment = |_| {
        let [index] = take(bytes)?.map(usize::from);
        ensure!(index < SEGMENT_COUNT, "no segment has the number {index}");
        Ok(Segment::from_bit(1 << index))
    };
    (0..count).map(segment).collect()
}
