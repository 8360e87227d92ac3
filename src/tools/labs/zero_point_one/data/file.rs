//! Files of self-play games: a header with the settings of the games, then blocks with length and
//! checksum. Games are appended in blocks, so that a kill loses at most one block. Damaged blocks are
//! reported and skipped.

use super::stored_game::TrainingGame;
use crate::tools::contracts::game_files::{GameFiles, StoredGames};
use crate::tools::support::files::{self, create_new};
use anyhow::{bail, ensure, Context, Result};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Magic number of a file, with the format version. It is followed by the settings: length, checksum, text.
const MAGIC: [u8; 8] = *b"cupgam\x00\x02";
/// Length of the head of the settings (length, checksum), in bytes.
const SETTINGS_HEAD: usize = 8;
/// Maximum length of the settings, in bytes.
const MAX_SETTINGS: usize = 1 << 16;
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
    input: BufReader<File>,
    offset: u64,
    ended: bool,
    settings: String,
}

impl GameReader {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<GameReader> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("opening {name}"))?;
        let mut input = BufReader::new(file);
        let mut magic = [0; MAGIC.len()];
        read_up_to(&mut input, &mut magic)?;
        ensure!(magic == MAGIC, "{name} is not a file of self-play games");
        let settings = read_settings(&mut input).with_context(|| format!("reading {name}"))?;
        let offset = (MAGIC.len() + SETTINGS_HEAD + settings.len()) as u64;
        Ok(GameReader { input, offset, ended: false, settings })
    }

    /// Returns the settings of the games.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    fn read_block(&mut self) -> Result<Option<Block>> {
        let start = self.offset;
        let mut head = [0; BLOCK_HEAD];
        let found = read_up_to(&mut self.input, &mut head)?;
        self.offset += found as u64;
        if found == 0 {
            return Ok(None);
        }
        let damaged = |reason: &str, is_truncated| {
            Ok(Some(Block::Damaged(Damage {
                offset: start,
                reason: reason.to_string(),
                is_truncated,
            })))
        };
        if found < BLOCK_HEAD {
            return damaged("the head of the block is truncated", true);
        }
        let (games, length) = (word(&head, 4) as usize, word(&head, 8) as usize);
        let checksum = word(&head, 12);
        if head[..4] != BLOCK_MARK || length > MAX_PAYLOAD {
            return self.find_next_block(start);
        }
        let payload = read_at_most(&mut self.input, length)?;
        self.offset += payload.len() as u64;
        if payload.len() < length {
            return damaged("the block is truncated", true);
        }
        if crc32fast::hash(&payload) != checksum {
            // The length itself may be wrong, so the search for the next marker starts right after this one.
            return self.find_next_block(start);
        }
        let mut rest = &payload[..];
        let records: Result<Vec<TrainingGame>> =
            (0..games).map(|_| TrainingGame::read(&mut rest)).collect();
        match records {
            Ok(records) if rest.is_empty() => Ok(Some(Block::Games(records))),
            Ok(_) => damaged("extra bytes after the last game", false),
            Err(error) => damaged(&error.to_string(), false),
        }
    }

    /// Finds the next marker after a damaged block at `start` and continues there.
    fn find_next_block(&mut self, start: u64) -> Result<Option<Block>> {
        self.input.seek(SeekFrom::Start(start + 1))?;
        let mut window = [0; 4];
        let mut length = 0u64;
        let mut byte = [0];
        while self.input.read(&mut byte)? == 1 {
            window.rotate_left(1);
            window[3] = byte[0];
            length += 1;
            if length >= 4 && window == BLOCK_MARK {
                self.offset = start + 1 + length - 4;
                self.input.seek(SeekFrom::Start(self.offset))?;
                let reason = format!("damaged up to offset {}", self.offset);
                return Ok(Some(Block::Damaged(Damage {
                    offset: start,
                    reason,
                    is_truncated: false,
                })));
            }
        }
        self.offset = start + 1 + length;
        let reason = "damaged up to the end of the file".to_string();
        Ok(Some(Block::Damaged(Damage { offset: start, reason, is_truncated: false })))
    }
}

impl Iterator for GameReader {
    type Item = Result<Block>;

    fn next(&mut self) -> Option<Result<Block>> {
        if self.ended {
            return None;
        }
        let block = self.read_block().transpose();
        self.ended = !matches!(block, Some(Ok(_)));
        block
    }
}

/// Reads the games of a file. Damaged blocks are reported on stderr and skipped.
pub fn games(path: &Path) -> Result<impl Iterator<Item = Result<TrainingGame>>> {
    let name = path.display().to_string();
    let blocks = GameReader::open(path)?;
    Ok(blocks.flat_map(move |block| match block {
        Ok(Block::Games(games)) => games.into_iter().map(Ok).collect(),
        Ok(Block::Damaged(Damage { offset, reason, .. })) => {
            tell!("{name}: offset {offset}: {reason}");
            Vec::new()
        }
        Err(error) => vec![Err(error)],
    }))
}

/// Reads the settings after the magic number.
fn read_settings(input: &mut impl Read) -> Result<String> {
    let mut head = [0; SETTINGS_HEAD];
    let found = read_up_to(input, &mut head)?;
    let length = word(&head, 0) as usize;
    ensure!(found == head.len() && length <= MAX_SETTINGS, "the header is damaged");
    let text = read_at_most(input, length)?;
    ensure!(text.len() == length, "the header is truncated");
    ensure!(crc32fast::hash(&text) == word(&head, 4), "the header is damaged: wrong checksum");
    String::from_utf8(text).context("the header is not UTF-8")
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

fn stored_games(path: &Path) -> Result<StoredGames> {
    let reader = GameReader::open(path)?;
    let settings = reader.settings().to_string();
    let mut stored = StoredGames { settings, games: Vec::new(), positions: 0, damage: None };
    for block in reader {
        match block? {
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

/// Reads `length` bytes, or fewer at the end of the input. Memory is allocated only for bytes that exist.
fn read_at_most(input: &mut impl Read, length: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Fills the buffer, or a part of it at the end of the input. Returns the number of bytes read.
fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(filled)
}

/// Whether the file is only a part of the header with these settings, e.g. after a kill.
fn is_truncated_in_header(path: &Path, settings: &str) -> Result<bool> {
    let header = header(settings);
    let mut file = File::open(path).with_context(|| format!("opening {}", path.display()))?;
    let found = read_at_most(&mut file, header.len())?;
    Ok(found.len() < header.len() && header.starts_with(&found))
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

    /// Opens a file of games with these settings for appending and removes a truncated last block. Returns
    /// the writer and the number of games in the file. Different settings are an error.
    pub fn resume(path: &Path, settings: &str) -> Result<(GameWriter, u64)> {
        let mut file = files::open_to_append(path)?;
        if is_truncated_in_header(path, settings)? {
            file.set_len(0)?;
            file.write_all(&header(settings))?;
            return Ok((GameWriter { file, pending: Vec::new(), games: 0 }, 0));
        }
        let mut reader = GameReader::open(path)?;
        files::ensure_same_settings(path, reader.settings(), settings)?;
        let mut games = 0;
        let mut end = reader.offset;
        while let Some(block) = reader.next() {
            match block? {
                Block::Games(records) => games += records.len() as u64,
                Block::Damaged(damage) if damage.is_truncated => break,
                Block::Damaged(Damage { offset, reason, .. }) => {
                    bail!("{}: bad block at offset {offset}: {reason}", path.display())
                }
            }
            end = reader.offset;
        }
        file.set_len(end)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_does_not_allocate_memory() {
        let bytes = read_at_most(&mut &b"short"[..], usize::MAX >> 8).expect("readable");
        assert_eq!(bytes, b"short");
        assert!(bytes.capacity() < 1000, "{}", bytes.capacity());
    }
}
