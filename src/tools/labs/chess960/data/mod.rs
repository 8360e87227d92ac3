//! Files of self-play games: settings in the first line, then one game with a checksum per line. A kill leaves at most
//! one incomplete line; damaged lines are reported and skipped.

use crate::games::chess960::movegen::{self, MoveList};
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::games::chess960::types::{Colour, Move};
use crate::tools::contracts::game_files::{
    not_ours, read_lines, write_lines, GameFiles, LineWriter,
};
use crate::tools::support::text::TextLines;
use crate::tools::training::targets;
use anyhow::{bail, ensure, Context, Result};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

mod bits;

use bits::{BitReader, BitWriter};

/// Prefix of the first line, followed by the settings.
const MAGIC: &str = "# cupbot chess960 games 2 ";
/// Order of the Golomb code of score changes: most are below 16 hundredths of a pawn.
const CHANGE_ORDER: u32 = 4;

/// A move of a self-play game.
pub type Ply = targets::Ply<Move>;

/// A self-play game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// Number of the start position.
    pub start: usize,
    /// All moves.
    pub plies: Vec<Ply>,
    /// The winner; `None` for a draw.
    pub winner: Option<Colour>,
}

impl TrainingGame {
    /// Formats the game as a line without its end: checksum, start, winner, number of plies, and the plies. A ply is
    /// the rank of its move among the legal ones, whether it has a score, and the difference from the previous score.
    ///
    /// # Panics
    ///
    /// If a move is illegal.
    pub fn to_line(&self) -> String {
        let winner = self.winner.map_or("-", |colour| ["w", "b"][colour.index()]);
        let mut bits = BitWriter::default();
        let mut position = start::numbered(self.start, CastlingRule::Arena);
        let mut expected = 0;
        for ply in &self.plies {
            let moves = ranked_moves(&position);
            let rank = moves.binary_search_by_key(&ply.mv.bits(), |mv| mv.bits());
            bits.push(rank.expect("a legal move") as u32, rank_bits(moves.len()));
            bits.push(u32::from(ply.score.is_some()), 1);
            expected = -expected;
            if let Some(score) = ply.score {
                let score = i32::from(score);
                bits.push_small(zigzag(score - expected), CHANGE_ORDER);
                expected = score;
            }
            position = position.make(ply.mv);
        }
        let body = format!("{} {winner} {} {}", self.start, self.plies.len(), bits.finish());
        format!("{:08x} {body}", crc32fast::hash(body.as_bytes()))
    }

    /// Parses a line. Fails if it is damaged or has an illegal move.
    pub fn from_line(line: &str) -> Result<TrainingGame> {
        let words: Vec<&str> = body_of(line)?.split(' ').collect();
        let [number, winner, count, plies] = words[..] else { bail!("expected four fields") };
        let start = number.parse().ok().filter(|&number| number < start::COUNT);
        let start = start.context("no start position")?;
        let winner = match winner {
            "-" => None,
            "w" => Some(Colour::White),
            "b" => Some(Colour::Black),
            other => bail!("no winner is called {other:?}"),
        };
        let count: usize = count.parse().context("no number of plies")?;
        let mut game = TrainingGame { start, plies: Vec::new(), winner };
        let mut bits = BitReader::new(plies);
        let mut position = start::numbered(game.start, CastlingRule::Arena);
        let mut expected = 0;
        for _ in 0..count {
            let moves = ranked_moves(&position);
            let rank = bits.next(rank_bits(moves.len()))? as usize;
            let mv = *moves.get(rank).context("an illegal move")?;
            expected = -expected;
            let mut score = None;
            if bits.next(1)? == 1 {
                expected += unzigzag(bits.next_small(CHANGE_ORDER)?);
                score = Some(i16::try_from(expected).context("a score too large")?);
            }
            game.plies.push(Ply { mv, score });
            position = position.make(mv);
        }
        ensure!(bits.is_at_end(), "unexpected digits after the last move");
        Ok(game)
    }
}

/// Verifies and removes the checksum of a line.
fn body_of(line: &str) -> Result<&str> {
    let (checksum, body) = line.split_once(' ').context("no checksum")?;
    let found = format!("{:08x}", crc32fast::hash(body.as_bytes()));
    ensure!(found == checksum, "wrong checksum");
    Ok(body)
}

/// Returns the legal moves in an order that depends only on the moves.
fn ranked_moves(position: &Position) -> MoveList {
    let mut moves = movegen::moves(position);
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves
}

/// Returns the number of bits for a rank among this many moves.
fn rank_bits(moves: usize) -> u32 {
    usize::BITS - moves.saturating_sub(1).leading_zeros()
}

/// Maps a signed number to an unsigned one, small magnitudes to small numbers (zigzag).
fn zigzag(number: i32) -> u32 {
    (number << 1 ^ number >> (i32::BITS - 1)) as u32
}

fn unzigzag(code: u32) -> i32 {
    (code >> 1) as i32 ^ -((code & 1) as i32)
}

/// Entry for merging, see [`GameFiles`].
pub const GAME_FILES: GameFiles = GameFiles {
    recognise: |bytes| bytes.starts_with(MAGIC.as_bytes()),
    read: |path, bytes| {
        let positions = |line: &str| Ok(TrainingGame::from_line(line)?.plies.len() as u64);
        read_lines(path, bytes, MAGIC, positions)
    },
    write: |settings, games| Ok(write_lines(MAGIC, settings, games)),
};

/// Creates a file of games with these settings, or opens one to resume it. Returns its number of games. Fails if the
/// file is of another kind or its settings differ.
pub fn open(path: &Path, resume: bool, settings: &str) -> Result<(LineWriter, u64)> {
    LineWriter::open(path, resume, MAGIC, settings, |line| body_of(line).map(|_| ()))
}

/// Returns the games of a file. Damaged lines are reported on stderr and skipped.
pub fn games(path: &Path) -> Result<impl Iterator<Item = Result<TrainingGame>>> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("opening {name}"))?;
    let mut lines = TextLines::new(BufReader::new(file));
    let first = lines.next().transpose().with_context(|| format!("reading {name}"))?;
    let is_ours = first.and_then(|line| line.text).is_some_and(|first| first.starts_with(MAGIC));
    ensure!(is_ours, not_ours(path));
    Ok(lines.filter_map(move |line| {
        let line = match line.with_context(|| format!("reading {name}")) {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let game = TrainingGame::from_line(&line.text.unwrap_or_default());
        game.map_err(|error| tell!("{name}: line {}: {error:#}", line.number)).ok().map(Ok)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use std::fs;

    fn random_game(rng: &mut Rng) -> TrainingGame {
        let start = rng.below(start::COUNT);
        let mut position = start::numbered(start, CastlingRule::Arena);
        let mut plies = Vec::new();
        while plies.len() < 60 {
            let moves = movegen::moves(&position);
            let Some(&mv) = moves.get(rng.below(moves.len())) else { break };
            let score = (rng.below(3) > 0).then(|| rng.below(4000) as i16 - 2000);
            plies.push(Ply { mv, score });
            position = position.make(mv);
        }
        let winner = [None, Some(Colour::White), Some(Colour::Black)][rng.below(3)];
        TrainingGame { start, plies, winner }
    }

    #[test]
    fn games_read_back_and_damage_is_noticed() {
        let mut rng = Rng::new(1);
        for _ in 0..50 {
            let game = random_game(&mut rng);
            let line = game.to_line();
            assert_eq!(TrainingGame::from_line(&line).expect("sound"), game);
            let mut bytes = line.clone().into_bytes();
            let at = rng.below(bytes.len());
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let damaged = String::from_utf8(bytes).expect("ASCII");
            assert!(TrainingGame::from_line(&damaged).is_err(), "{damaged}");
            assert!(TrainingGame::from_line(&line[..rng.below(line.len())]).is_err());
        }
    }

    #[test]
    fn a_file_goes_on_behind_its_last_whole_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let mut rng = Rng::new(2);
        let games: Vec<TrainingGame> = (0..3).map(|_| random_game(&mut rng)).collect();
        let (mut writer, count) = open(&path, true, "{}").expect("a new file");
        assert_eq!(count, 0);
        games[..2].iter().try_for_each(|game| writer.push(&game.to_line())).expect("written");
        drop(writer);
        let torn = fs::read_to_string(&path).expect("text");
        fs::write(&path, &torn[..torn.len() - 7]).expect("written");
        let (mut writer, count) = open(&path, true, "{}").expect("the same settings");
        assert_eq!(count, 1);
        writer.push(&games[2].to_line()).expect("written");
        drop(writer);
        let found = super::games(&path).and_then(Iterator::collect::<Result<Vec<_>>>);
        assert_eq!(found.expect("readable"), [games[0].clone(), games[2].clone()]);
        assert!(open(&path, true, "{\"seed\":2}").is_err());
        assert!(open(&path, false, "{}").is_err());
        fs::write(&path, "something else\n").expect("written");
        assert!(open(&path, true, "{}").is_err() && super::games(&path).is_err());
    }
}
