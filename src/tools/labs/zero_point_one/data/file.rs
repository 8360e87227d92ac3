//! Files of self-play games: a header with the settings of the games, then blocks with length and
//! checksum. Games are appended in blocks, so that a kill loses at most one; a damaged block is
//! named and passed over. Files of version 1 have no settings; they can be read and gone on with.

use super::stored_game::TrainingGame;
use crate::tools::contracts::game_files::{GameFiles, StoredGames};
use crate::tools::support::files::{self, create_new};
use anyhow::{bail, ensure, Context, Result};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first bytes of a file: a name and the version of the format. Behind them the settings:
/// length, checksum, text.
const MAGIC: [u8; 8] = *b"cupgam\x00\x02";
/// The first bytes of a file without settings.
const MAGIC_WITHOUT_SETTINGS: [u8; 8] = *b"cupgam\x00\x01";
/// The length of what stands before the text of the settings.
const SETTINGS_HEAD: usize = 8;
/// No text of settings is longer.
const LONGEST_SETTINGS: usize = 1 << 16;
/// The first bytes of a block.
const BLOCK_MARK: [u8; 4] = *b"blok";
/// A block's head: the mark, the number of games, the length of the payload, its checksum.
const BLOCK_HEAD: usize = 16;
/// Games a block, unless the writer closes earlier.
pub const GAMES_PER_BLOCK: usize = 64;
/// No payload is longer: a block holds at most 64 games of 100 plies.
const LONGEST_PAYLOAD: usize = 1 << 16;

/// A block as found in a file.
pub enum Block {
    /// Its games.
    Games(Vec<TrainingGame>),
    /// It can't be read.
    Damaged(Damage),
}

/// What is wrong with a block.
pub struct Damage {
    /// Where the block begins, in bytes from the start of the file.
    pub offset: u64,
    /// What is wrong.
    pub reason: String,
    /// Does the file end within the block, as after a kill?
    pub cut_short: bool,
}

/// Reads a file block by block.
pub struct GameReader {
    input: BufReader<File>,
    offset: u64,
    ended: bool,
    settings: Option<String>,
}

impl GameReader {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<GameReader> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("opening {name}"))?;
        let mut input = BufReader::new(file);
        let mut magic = [0; MAGIC.len()];
        let whole = read_up_to(&mut input, &mut magic)? == magic.len();
        let has_settings = whole && magic == MAGIC;
        let is_ours = has_settings || whole && magic == MAGIC_WITHOUT_SETTINGS;
        ensure!(is_ours, "{name} is no file of self-play games");
        let settings = match has_settings {
            true => Some(read_settings(&mut input).with_context(|| format!("reading {name}"))?),
            false => None,
        };
        let settings_length = settings.as_ref().map_or(0, |text| SETTINGS_HEAD + text.len());
        let offset = (MAGIC.len() + settings_length) as u64;
        Ok(GameReader { input, offset, ended: false, settings })
    }

    /// The settings of the games; `None` in a file of version 1.
    pub fn settings(&self) -> Option<&str> {
        self.settings.as_deref()
    }

    fn read_block(&mut self) -> Result<Option<Block>> {
        let start = self.offset;
        let mut head = [0; BLOCK_HEAD];
        let found = read_up_to(&mut self.input, &mut head)?;
        self.offset += found as u64;
        if found == 0 {
            return Ok(None);
        }
        let damaged = |reason: &str, cut_short| {
            Ok(Some(Block::Damaged(Damage {
                offset: start,
                reason: reason.to_string(),
                cut_short,
            })))
        };
        if found < BLOCK_HEAD {
            return damaged("the head is cut short", true);
        }
        let (games, length) = (word(&head, 4) as usize, word(&head, 8) as usize);
        let checksum = word(&head, 12);
        if head[..4] != BLOCK_MARK || length > LONGEST_PAYLOAD {
            return self.find_next_block(start);
        }
        let payload = read_at_most(&mut self.input, length)?;
        self.offset += payload.len() as u64;
        if payload.len() < length {
            return damaged("the block is cut short", true);
        }
        if crc32fast::hash(&payload) != checksum {
            // The length itself may be wrong: look for the next mark from just after this one.
            return self.find_next_block(start);
        }
        let mut rest = &payload[..];
        let records: Result<Vec<TrainingGame>> =
            (0..games).map(|_| TrainingGame::read(&mut rest)).collect();
        match records {
            Ok(records) if rest.is_empty() => Ok(Some(Block::Games(records))),
            Ok(_) => damaged("bytes are left over behind the last game", false),
            Err(error) => damaged(&error.to_string(), false),
        }
    }

    /// After damage at `start`: goes on at the next mark after it.
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
                    cut_short: false,
                })));
            }
        }
        self.offset = start + 1 + length;
        let reason = "damaged up to the end of the file".to_string();
        Ok(Some(Block::Damaged(Damage { offset: start, reason, cut_short: false })))
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

/// The games of a file. Damaged blocks are named on stderr and passed over.
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

/// The settings after the first bytes.
fn read_settings(input: &mut impl Read) -> Result<String> {
    let mut head = [0; SETTINGS_HEAD];
    let found = read_up_to(input, &mut head)?;
    let length = word(&head, 0) as usize;
    ensure!(found == head.len() && length <= LONGEST_SETTINGS, "the header is damaged");
    let text = read_at_most(input, length)?;
    ensure!(text.len() == length, "the header is cut short");
    ensure!(crc32fast::hash(&text) == word(&head, 4), "the header is damaged: wrong checksum");
    String::from_utf8(text).context("the header is no text")
}

/// The header of a file with these settings.
fn header(settings: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(settings.as_bytes()).to_le_bytes());
    bytes.extend_from_slice(settings.as_bytes());
    bytes
}

/// The block of so many games.
fn block(games: usize, payload: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(BLOCK_HEAD + payload.len());
    block.extend_from_slice(&BLOCK_MARK);
    block.extend_from_slice(&(games as u32).to_le_bytes());
    block.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    block.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
    block.extend_from_slice(payload);
    block
}

/// For merging, see [`GameFiles`].
pub const GAME_FILES: GameFiles = GameFiles {
    recognise: |bytes| bytes.starts_with(&MAGIC) || bytes.starts_with(&MAGIC_WITHOUT_SETTINGS),
    read: stored_games,
    write: |settings, games| {
        let blocks = games.chunks(GAMES_PER_BLOCK);
        let blocks = blocks.flat_map(|games| block(games.len(), &games.concat()));
        Ok(header(settings).into_iter().chain(blocks).collect())
    },
};

fn stored_games(path: &Path) -> Result<StoredGames> {
    let reader = GameReader::open(path)?;
    let settings = reader.settings().map(str::to_string);
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

/// So many bytes, or as many as are left: memory is taken only for those.
fn read_at_most(input: &mut impl Read, length: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Fills the buffer as far as the input goes.
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

/// Did a kill leave less than the header of a file with these settings?
fn is_cut_short_in_header(path: &Path, settings: &str) -> Result<bool> {
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
    /// Makes a new file of games with these settings; fails where one exists.
    pub fn create(path: &Path, settings: &str) -> Result<GameWriter> {
        let mut file = create_new(path)?;
        file.write_all(&header(settings))?;
        Ok(GameWriter { file, pending: Vec::new(), games: 0 })
    }

    /// Opens a file of games with these settings to append to. A last block that was cut short is
    /// removed. Returns the number of games that the file holds. An error where the settings are
    /// others; where the file has none, a warning on stderr.
    pub fn resume(path: &Path, settings: &str) -> Result<(GameWriter, u64)> {
        let mut file = files::open_to_append(path)?;
        if is_cut_short_in_header(path, settings)? {
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
                Block::Damaged(damage) if damage.cut_short => break,
                Block::Damaged(Damage { offset, reason, .. }) => {
                    bail!("{}: the block at offset {offset} is {reason}", path.display())
                }
            }
            end = reader.offset;
        }
        file.set_len(end)?;
        Ok((GameWriter { file, pending: Vec::new(), games: 0 }, games))
    }

    /// Adds a game; it is safe on the disk once its block is full or [`GameWriter::flush`] is
    /// called.
    pub fn push(&mut self, record: &TrainingGame) -> Result<()> {
        record.write(&mut self.pending);
        self.games += 1;
        if self.games == GAMES_PER_BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the block begun.
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
    fn a_length_alone_takes_no_memory() {
        let bytes = read_at_most(&mut &b"short"[..], usize::MAX >> 8).expect("readable");
        assert_eq!(bytes, b"short");
        assert!(bytes.capacity() < 1000, "{}", bytes.capacity());
    }
}
