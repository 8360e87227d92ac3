//! Files of self-play games: a header with the settings of the games, then blocks with length and checksum. Games are
//! appended in blocks, so that a kill loses at most one block. Damaged blocks are reported and skipped.

use super::stored_game::TrainingGame;
use crate::tools::contracts::game_files::{GameFiles, StoredGames};
use crate::tools::support::files::{self, create_new};
use anyhow::{bail, ensure, Context, Result};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// Magic number of a file, with the format version. It is followed by the settings: length, checksum, text.
const MAGIC: [u8; 8] = *b"cupgam\x00\x02";
/// Length of the head of the settings (length, checksum), in bytes.
const SETTINGS_HEAD: usize = 8;
/// Marker at the beginning of a block.
const BLOCK_MARK: [u8; 4] = *b"blok";
/// Length of a block's head, in bytes: marker, number of games, length of the payload, checksum.
const BLOCK_HEAD: usize = 16;
/// Maximum number of games per block.
pub const GAMES_PER_BLOCK: usize = 64;
/// Maximum length of a payload, in bytes: enough for 64 games of 100 plies.
const MAX_PAYLOAD: usize = 1 << 16;

/// A block of a file.
pub enum Block {
    /// The games of a valid block.
    Games(Vec<TrainingGame>),
    /// A block that can't be read.
    Damaged(Damage),
}

/// Damage of a block.
pub struct Damage {
    /// Offset of the block, in bytes from the start of the file.
    pub offset: u64,
    /// Description of the damage.
    pub reason: String,
    /// Whether the file ends within the block, e.g. after a kill.
    pub is_truncated: bool,
}

/// Reads a file block by block.
pub struct GameReader {
    bytes: Vec<u8>,
    offset: usize,
    settings: String,
}

impl GameReader {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<GameReader> {
        let bytes = fs::read(path).with_context(|| format!("opening {}", path.display()))?;
        GameReader::new(bytes, path)
    }

    fn new(bytes: Vec<u8>, path: &Path) -> Result<GameReader> {
        let name = path.display();
        let rest = bytes.strip_prefix(&MAGIC);
        let rest = rest.with_context(|| format!("{name} is not a file of self-play games"))?;
        let settings = read_settings(rest).with_context(|| format!("reading {name}"))?;
        let offset = MAGIC.len() + SETTINGS_HEAD + settings.len();
        Ok(GameReader { bytes, offset, settings })
    }

    /// Returns the settings of the games.
    pub fn settings(&self) -> &str {
        &self.settings
    }
}

impl Iterator for GameReader {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let start = self.offset;
        let rest = &self.bytes[start..];
        let damaged = |reason: String, is_truncated| {
            Some(Block::Damaged(Damage { offset: start as u64, reason, is_truncated }))
        };
        self.offset = self.bytes.len();
        if rest.is_empty() {
            return None;
        }
        let Some((head, body)) = rest.split_at_checked(BLOCK_HEAD) else {
            return damaged("the head of the block is truncated".to_string(), true);
        };
        let [games, length, checksum] = [4, 8, 12].map(|at| word(head, at));
        let length = length as usize;
        let payload = body.get(..length);
        // With a wrong checksum the length itself may be wrong, so the search for the next marker starts right after
        // this one.
        if head[..4] != BLOCK_MARK
            || length > MAX_PAYLOAD
            || payload.is_some_and(|payload| crc32fast::hash(payload) != checksum)
        {
            let next = rest[1..].windows(4).position(|window| window == BLOCK_MARK);
            let Some(next) = next.map(|at| start + 1 + at) else {
                return damaged("damaged up to the end of the file".to_string(), false);
            };
            self.offset = next;
            return damaged(format!("damaged up to offset {next}"), false);
        }
        let Some(mut payload) = payload else {
            return damaged("the block is truncated".to_string(), true);
        };
        self.offset = start + BLOCK_HEAD + length;
        let games: Result<Vec<_>> = (0..games).map(|_| TrainingGame::read(&mut payload)).collect();
        match games {
            Ok(games) if payload.is_empty() => Some(Block::Games(games)),
            Ok(_) => damaged("extra bytes after the last game".to_string(), false),
            Err(error) => damaged(error.to_string(), false),
        }
    }
}

/// Reads the games of a file. Damaged blocks are reported on stderr and skipped.
pub fn games(path: &Path) -> Result<impl Iterator<Item = Result<TrainingGame>>> {
    let name = path.display().to_string();
    Ok(GameReader::open(path)?.flat_map(move |block| match block {
        Block::Games(games) => games.into_iter().map(Ok).collect(),
        Block::Damaged(Damage { offset, reason, .. }) => {
            tell!("{name}: offset {offset}: {reason}");
            Vec::new()
        }
    }))
}

/// Parses the settings after the magic number.
fn read_settings(bytes: &[u8]) -> Result<String> {
    let (head, rest) = bytes.split_at_checked(SETTINGS_HEAD).context("the header is truncated")?;
    let text = rest.get(..word(head, 0) as usize).context("the header is truncated")?;
    ensure!(crc32fast::hash(text) == word(head, 4), "the header is damaged: wrong checksum");
    String::from_utf8(text.to_vec()).context("the header is not UTF-8")
}

/// Returns the header of a file with these settings.
fn header(settings: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(settings.as_bytes()).to_le_bytes());
    bytes.extend_from_slice(settings.as_bytes());
    bytes
}

/// Returns a block with this number of games.
fn block(games: usize, payload: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(BLOCK_HEAD + payload.len());
    block.extend_from_slice(&BLOCK_MARK);
    block.extend_from_slice(&(games as u32).to_le_bytes());
    block.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    block.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
    block.extend_from_slice(payload);
    block
}

/// Adapter for `cupbot merge`.
pub const GAME_FILES: GameFiles = GameFiles {
    recognise: |bytes| bytes.starts_with(&MAGIC),
    read: stored_games,
    write: |settings, games| {
        let blocks = games.chunks(GAMES_PER_BLOCK);
        let blocks = blocks.flat_map(|games| block(games.len(), &games.concat()));
        Ok(header(settings).into_iter().chain(blocks).collect())
    },
};

fn stored_games(path: &Path, bytes: Vec<u8>) -> Result<StoredGames> {
    let reader = GameReader::new(bytes, path)?;
    let settings = reader.settings().to_string();
    let mut stored = StoredGames { settings, games: Vec::new(), positions: 0, damage: None };
    for block in reader {
        match block {
            Block::Games(records) => {
                for record in records {
                    let mut bytes = Vec::new();
                    record.write(&mut bytes);
                    stored.positions += record.plies.len() as u64;
                    stored.games.push(bytes);
                }
            }
            Block::Damaged(Damage { offset, reason, .. }) => {
                stored.damage = Some(format!("offset {offset}: {reason}"));
                break;
            }
        }
    }
    Ok(stored)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Appends games to a file.
pub struct GameWriter {
    file: File,
    pending: Vec<u8>,
    games: usize,
}

impl GameWriter {
    /// Creates a new file of games with these settings. Fails if the file exists.
    pub fn create(path: &Path, settings: &str) -> Result<GameWriter> {
        let mut file = create_new(path)?;
        file.write_all(&header(settings))?;
        Ok(GameWriter { file, pending: Vec::new(), games: 0 })
    }

    /// Opens a file of games with these settings for appending and removes a truncated last block. Returns the writer
    /// and the number of games in the file. Different settings are an error.
    pub fn resume(path: &Path, settings: &str) -> Result<(GameWriter, u64)> {
        let mut file = files::open_to_append(path)?;
        let bytes = fs::read(path).with_context(|| format!("opening {}", path.display()))?;
        let header = header(settings);
        // A kill may have left a part of the header.
        if bytes.len() < header.len() && header.starts_with(&bytes) {
            file.set_len(0)?;
            file.write_all(&header)?;
            return Ok((GameWriter { file, pending: Vec::new(), games: 0 }, 0));
        }
        let mut reader = GameReader::new(bytes, path)?;
        files::ensure_same_settings(path, reader.settings(), settings)?;
        let mut games = 0;
        let mut end = reader.offset;
        while let Some(block) = reader.next() {
            match block {
                Block::Games(records) => games += records.len() as u64,
                Block::Damaged(damage) if damage.is_truncated => break,
                Block::Damaged(Damage { offset, reason, .. }) => {
                    bail!("{}: bad block at offset {offset}: {reason}", path.display())
                }
            }
            end = reader.offset;
        }
        file.set_len(end as u64)?;
        Ok((GameWriter { file, pending: Vec::new(), games: 0 }, games))
    }

    /// Adds a game. It is written when its block is full or [`GameWriter::flush`] is called.
    pub fn push(&mut self, record: &TrainingGame) -> Result<()> {
        record.write(&mut self.pending);
        self.games += 1;
        if self.games == GAMES_PER_BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the unfinished block.
    pub fn flush(&mut self) -> Result<()> {
        if self.games == 0 {
            return Ok(());
        }
        self.file.write_all(&block(self.games, &self.pending)).context("writing games")?;
        self.pending.clear();
        self.games = 0;
        Ok(())
    }
}
