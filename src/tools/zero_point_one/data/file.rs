//! Files of self-play games: a header, then blocks with length and checksum. Games are appended in
//! blocks, so that a kill loses at most one; a damaged block is named and passed over.

use super::record::TrainingGame;
use anyhow::{bail, ensure, Context, Result};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first bytes of a file: a name and the version of the format.
const MAGIC: [u8; 8] = *b"cupgam\x00\x01";
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
}

impl GameReader {
    /// Opens a file and checks its header.
    pub fn open(path: &Path) -> Result<GameReader> {
        let file = File::open(path).with_context(|| format!("opening {}", path.display()))?;
        let mut input = BufReader::new(file);
        let mut magic = [0; 8];
        let whole = input.read_exact(&mut magic).is_ok();
        ensure!(whole && magic == MAGIC, "{} is no file of self-play games", path.display());
        Ok(GameReader { input, offset: MAGIC.len() as u64, ended: false })
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
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (games, length, checksum) = (word(4) as usize, word(8) as usize, word(12));
        if head[..4] != BLOCK_MARK || length > LONGEST_PAYLOAD {
            return self.find_next_block(start);
        }
        let mut payload = vec![0; length];
        let found = read_up_to(&mut self.input, &mut payload)?;
        self.offset += found as u64;
        if found < length {
            return damaged("the block is cut short", true);
        }
        if crc32fast::hash(&payload) != checksum {
            // The length itself may be wrong: look for the next mark from just behind this one.
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

    /// After damage at `start`: goes on at the next mark behind it.
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

/// Appends games to a file.
pub struct GameWriter {
    file: File,
    pending: Vec<u8>,
    games: usize,
}

impl GameWriter {
    /// Makes a new file; fails where one exists.
    pub fn create(path: &Path) -> Result<GameWriter> {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .with_context(|| format!("creating {}", path.display()))?;
        file.write_all(&MAGIC)?;
        Ok(GameWriter { file, pending: Vec::new(), games: 0 })
    }

    /// Opens a file to append to. A last block that was cut short is removed. Returns the number of
    /// games that the file holds.
    pub fn resume(path: &Path) -> Result<(GameWriter, u64)> {
        let mut reader = GameReader::open(path)?;
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
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(end)?;
        file.seek(SeekFrom::End(0))?;
        Ok((GameWriter { file, pending: Vec::new(), games: 0 }, games))
    }

    /// Adds a game; it is safe on the disk once its block is full or [`GameWriter::flush`] is called.
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
        let mut block = Vec::with_capacity(BLOCK_HEAD + self.pending.len());
        block.extend_from_slice(&BLOCK_MARK);
        block.extend_from_slice(&(self.games as u32).to_le_bytes());
        block.extend_from_slice(&(self.pending.len() as u32).to_le_bytes());
        block.extend_from_slice(&crc32fast::hash(&self.pending).to_le_bytes());
        block.append(&mut self.pending);
        self.file.write_all(&block).context("writing games")?;
        self.games = 0;
        Ok(())
    }
}
