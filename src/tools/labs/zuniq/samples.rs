//! Training positions with their values, from files of games. Each line is a game: the moves, a bar, and values
//! `PLY:PERCENT` or `PLY+MOVE+MOVE:PERCENT`. PERCENT is the expected result for the side to move after PLY moves of the
//! game plus the given moves. The first line is a comment with the settings of the games.

use crate::games::zuniq::network::features::FeatureSource;
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use crate::tools::contracts::game_files::{read_lines, write_lines, GameFiles, COMMENT};
use crate::{
    games::zuniq::{geometry::CELL_COUNT, network::features::KINDS, position::Sizes},
    tools::contracts::game_files::LineWriter,
    tools::training::store::{Packed, Unpacker},
};
use anyhow::{ensure, Context, Result};
use std::path::Path;

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

/// Prefix of the line with the settings.
const SETTINGS: &str = "# cupbot zuniq selfplay ";

/// Creates a file of games with these settings, or opens one to resume it. Returns the number of games in it. Returns
/// an error if the file is not a file of games or its settings differ.
pub fn open(path: &Path, resume: bool, settings: &str) -> Result<(LineWriter, u64)> {
    LineWriter::open(path, resume, SETTINGS, settings, |line| of_line(line).map(|_| ()))
}

/// Iterates over the games of a file with their line numbers. Skips comments.
pub fn games(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(|(_, line)| !line.starts_with(COMMENT))
}

/// Adapter for merging files of games.
pub const GAME_FILES: GameFiles = GameFiles {
    recognise: |bytes| bytes.starts_with(SETTINGS.as_bytes()),
    read: |path, bytes| read_lines(path, bytes, SETTINGS, |line| Ok(of_line(line)?.len() as u64)),
    write: |settings, games| Ok(write_lines(SETTINGS, settings, games)),
};

/// Parses the samples of a game. Returns an error if a move is illegal or a value is malformed.
pub fn of_line(line: &str) -> Result<Vec<Sample>> {
    let (moves, values) = line.split_once('|').context("expected a bar after the moves")?;
    let mut positions = vec![Position::START];
    for text in moves.split_whitespace() {
        let next = play(positions.last().unwrap_or(&Position::START), text)?;
        positions.push(next);
    }
    values.split_whitespace().map(|text| sample(&positions, text)).collect()
}

fn play(position: &Position, text: &str) -> Result<Position> {
    let segment: Segment = text.parse().map_err(anyhow::Error::new)?;
    ensure!(position.is_legal(segment), "{text} is not a legal move");
    Ok(position.make(segment))
}

fn sample(positions: &[Position], text: &str) -> Result<Sample> {
    let (place, percent) = text.split_once(':').context("expected a colon in a value")?;
    let percent: f32 = percent.parse().context("a value is not a number")?;
    ensure!((0.0..=100.0).contains(&percent), "a value is not between 0 and 100");
    let mut place = place.split('+');
    let ply = place.next().and_then(|ply| ply.parse::<usize>().ok());
    let ply = ply.context("a value's ply is not a number")?;
    let position = positions.get(ply).context("a value's ply is after the end of the game")?;
    let position = place.try_fold(position.clone(), |position, other| play(&position, other))?;
    Ok(Sample {
        source: FeatureSource::of(&position),
        target: percent / 100.0,
        ply: position.ply(),
    })
}
