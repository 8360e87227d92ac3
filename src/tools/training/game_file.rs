//! Files of self-play games of any game: a header with the magic number of the game and the settings of the run, then
//! one block with a checksum per game (a file of version 0.6.0 or earlier has up to 64 games per block). A kill leaves
//! at most one incomplete block at the end. Damaged blocks are reported and skipped.

#[cfg(test)]
mod tests;

use crate::tools::contracts::game_files::{GameFiles, Magic};
use crate::tools::support::files::{self, Named};
use crate::tools::support::text::shown_name;
use anyhow::{bail, ensure, Context, Result};
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};
use std::path::Path;

/// Start of the text files of self-play games that versions up to 0.6.0 wrote for some games.
const OLD_TEXT: &[u8] = b"# cupbot ";
/// Length of the head of the settings, in bytes: their length and checksum.
const SETTINGS_HEAD: usize = 8;
/// Marker at the beginning of a block.
const BLOCK_MARK: [u8; 4] = *b"blok";
/// Length of a block's head, in bytes: marker, number of games, length of the payload, checksum.
const BLOCK_HEAD: usize = 16;
/// Maximum length of settings and payloads, in bytes: a damaged length must not fill the memory.
const MAX_LENGTH: usize = 1 << 24;
/// Number of bytes that are read at once in search of the next block.
const CHUNK: usize = 1 << 16;

/// A self-play game that can be stored in a file.
pub trait Record: Send + Sized {
    /// Start of the files.
    const MAGIC: Magic;
    /// Names of the sides, first mover first.
    const SIDES: [&'static str; 2];

    /// Appends the encoded game.
    fn write(&self, bytes: &mut Vec<u8>);
    /// Reads a game from the front of `bytes` and advances it. Fails if a move is illegal.
    fn read(bytes: &mut &[u8]) -> Result<Self>;
    /// Returns the figures of the game that are added up over a file.
    fn summary(&self) -> Summary;
}

/// Figures of a game that are added up over a file.
pub struct Summary {
    /// Number of training positions.
    pub positions: usize,
    /// Index of the winner in [`Record::SIDES`]; `None` for a draw.
    pub winner: Option<usize>,
}

/// Returns the adapter for tools that know no game.
pub const fn game_files<R: Record>() -> GameFiles {
    GameFiles { magic: R::MAGIC, read: |bytes| Ok(R::read(bytes)?.summary().positions as u64) }
}

/// Reads the next `N` bytes of a game and advances `bytes`.
pub fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk().context("a game is truncated")?;
    *bytes = rest;
    Ok(*taken)
}

/// Appends a number in groups of seven bits, the lowest first (LEB128).
pub fn write_count(mut count: usize, bytes: &mut Vec<u8>) {
    while count >= 0x80 {
        bytes.push(count as u8 | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
}

/// Reads a number that [`write_count`] has written.
pub fn read_count(bytes: &mut &[u8]) -> Result<usize> {
    let mut count = 0;
    for shift in (0..usize::BITS - 7).step_by(7) {
        let [byte] = take(bytes)?;
        count |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(count);
        }
    }
    bail!("a count is too large")
}

/// A game of a file.
pub struct Stored<T> {
    /// The game as it was read.
    pub game: T,
    /// Its bytes in the file.
    pub bytes: Vec<u8>,
}

/// A block of a file.
pub enum Block<T> {
    /// The games of a valid block.
    Games(Vec<Stored<T>>),
    /// A block that can't be read.
    Damaged(Damage),
}

/// Damage of a block.
pub struct Damage {
    /// Offset of the block, in bytes from the start of the file.
    pub offset: u64,
    /// Description of the damage.
    reason: String,
    /// Whether the file ends within the block, e.g. after a kill.
    is_torn: bool,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: {}", self.offset, self.reason)
    }
}

/// Reads a file, which may be a pipe, block by block.
pub struct Reader<T> {
    /// Settings of the run as JSON.
    pub settings: String,
    /// Offset of the next block, in bytes from the start of the file.
    pub offset: u64,
    input: Box<dyn Read>,
    /// Bytes of the input from `offset` on, as far as they have been read.
    buffer: Vec<u8>,
    read: fn(&mut &[u8]) -> Result<T>,
}

impl<R: Record> Reader<R> {
    /// Opens a file and reads its header. Errors name the file.
    pub fn open(path: &Path) -> Result<Reader<R>> {
        let file = File::open(path).named("opening", path)?;
        Reader::new(path, Box::new(BufReader::new(file)), &R::MAGIC, R::read)
    }
}

impl<T> Reader<T> {
    /// Reads the header of a file that begins with this magic number; `read` reads a game. Errors name the file.
    pub fn new(
        path: &Path,
        input: Box<dyn Read>,
        magic: &Magic,
        read: fn(&mut &[u8]) -> Result<T>,
    ) -> Result<Reader<T>> {
        let (settings, buffer) = (String::new(), Vec::new());
        let mut reader = Reader { settings, offset: 0, input, buffer, read };
        reader.read_header(magic).named("reading", path)?;
        Ok(reader)
    }

    fn read_header(&mut self, magic: &Magic) -> Result<()> {
        let start = magic.len() + SETTINGS_HEAD;
        self.fill(start)?;
        if !self.buffer.starts_with(magic) {
            ensure_no_old_text(&self.buffer)?;
            bail!("it is not a file of self-play games of this game");
        }
        let is_whole = self.buffer.len() == start;
        let length = if is_whole { word(&self.buffer, magic.len()) as usize } else { 0 };
        ensure!(length <= MAX_LENGTH, "the header is damaged: wrong length");
        self.fill(start + length)?;
        ensure!(is_whole && self.buffer.len() == start + length, "the header is truncated");
        let text = &self.buffer[start..];
        let is_sound = crc32fast::hash(text) == word(&self.buffer, magic.len() + 4);
        ensure!(is_sound, "the header is damaged: wrong checksum");
        self.settings = String::from_utf8(text.to_vec()).context("the header is not UTF-8")?;
        self.skip(start + length);
        Ok(())
    }

    /// Continues reading until the buffer has this length, or the input ends.
    fn fill(&mut self, length: usize) -> Result<()> {
        let missing = length.saturating_sub(self.buffer.len()) as u64;
        self.input.by_ref().take(missing).read_to_end(&mut self.buffer)?;
        Ok(())
    }

    /// Removes the first bytes of the buffer.
    fn skip(&mut self, length: usize) {
        self.buffer.drain(..length);
        self.offset += length as u64;
    }

    /// Reads the next block; `None` at the end of the file.
    fn next_block(&mut self) -> Result<Option<Block<T>>> {
        self.fill(BLOCK_HEAD)?;
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let has_head = self.buffer.len() >= BLOCK_HEAD;
        let length = if has_head { word(&self.buffer, 8) as usize } else { 0 };
        let end = BLOCK_HEAD + length;
        if !has_head || !self.buffer.starts_with(&BLOCK_MARK) || length > MAX_LENGTH {
            return Ok(Some(Block::Damaged(self.skip_damage(!has_head)?)));
        }
        self.fill(end)?;
        let payload = self.buffer.get(BLOCK_HEAD..end);
        if payload.is_none_or(|payload| crc32fast::hash(payload) != word(&self.buffer, 12)) {
            let is_torn = payload.is_none();
            return Ok(Some(Block::Damaged(self.skip_damage(is_torn)?)));
        }
        let offset = self.offset;
        let games = self.games(word(&self.buffer, 4), &self.buffer[BLOCK_HEAD..end]);
        self.skip(end);
        Ok(Some(games.map_or_else(
            |error| Block::Damaged(Damage { offset, reason: error.to_string(), is_torn: false }),
            Block::Games,
        )))
    }

    /// Reads the games of a payload.
    fn games(&self, count: u32, mut payload: &[u8]) -> Result<Vec<Stored<T>>> {
        let mut games = Vec::new();
        for _ in 0..count {
            let before = payload;
            let game = (self.read)(&mut payload)?;
            games.push(Stored { game, bytes: before[..before.len() - payload.len()].to_vec() });
        }
        ensure!(payload.is_empty(), "extra bytes after the last game");
        Ok(games)
    }

    /// Skips to the next block. With a wrong checksum the length of the damaged block may be wrong, so the search
    /// starts right after its marker. A block is torn only if no other block follows.
    fn skip_damage(&mut self, is_torn: bool) -> Result<Damage> {
        let offset = self.offset;
        self.skip(1);
        loop {
            let mark = self.buffer.windows(BLOCK_MARK.len()).position(|bytes| bytes == BLOCK_MARK);
            if let Some(mark) = mark {
                self.skip(mark);
                let reason = format!("damaged up to offset {}", self.offset);
                return Ok(Damage { offset, reason, is_torn: false });
            }
            self.skip(self.buffer.len().saturating_sub(BLOCK_MARK.len() - 1));
            let before = self.buffer.len();
            self.fill(CHUNK)?;
            if self.buffer.len() == before {
                self.skip(before);
                let reason = match is_torn {
                    true => "the block is truncated",
                    false => "damaged up to the end of the file",
                };
                return Ok(Damage { offset, reason: reason.to_string(), is_torn });
            }
        }
    }
}

impl<T> Iterator for Reader<T> {
    type Item = Result<Block<T>>;

    fn next(&mut self) -> Option<Result<Block<T>>> {
        self.next_block().transpose()
    }
}

/// Reads the games of a file. Damaged blocks are reported on stderr and skipped.
pub fn games<R: Record>(path: &Path) -> Result<impl Iterator<Item = Result<Stored<R>>>> {
    let name = shown_name(path);
    Ok(Reader::open(path)?.flat_map(move |block| match block {
        Ok(Block::Games(games)) => games.into_iter().map(Ok).collect(),
        Ok(Block::Damaged(damage)) => {
            tell!("{name}: {damage}");
            Vec::new()
        }
        Err(error) => vec![Err(error.context(format!("reading {name}")))],
    }))
}

/// Fails for a text file of an earlier version that begins with these bytes.
pub fn ensure_no_old_text(head: &[u8]) -> Result<()> {
    ensure!(
        !head.starts_with(OLD_TEXT),
        "it is in the text format of earlier versions, which cupbot 0.6.0 was the last one to read"
    );
    Ok(())
}

/// Returns the content of a file with these settings and encoded games.
pub fn whole(magic: &Magic, settings: &str, games: &[Vec<u8>]) -> Vec<u8> {
    let blocks = games.iter().flat_map(|game| block(game));
    header(magic, settings).into_iter().chain(blocks).collect()
}

fn header(magic: &Magic, settings: &str) -> Vec<u8> {
    let length = (settings.len() as u32).to_le_bytes();
    let checksum = crc32fast::hash(settings.as_bytes()).to_le_bytes();
    [&magic[..], &length, &checksum, settings.as_bytes()].concat()
}

/// Returns a block with one encoded game.
fn block(game: &[u8]) -> Vec<u8> {
    let numbers = [1, game.len() as u32, crc32fast::hash(game)].map(u32::to_le_bytes);
    [&BLOCK_MARK[..], numbers.as_flattened(), game].concat()
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Appends games to a file.
pub struct Writer(File);

impl Writer {
    /// Creates a file of games with these settings. With `resume`, an existing file is continued after an incomplete
    /// last block is removed; it is an error if its settings differ or if it is damaged. Returns the number of games in
    /// the file.
    pub fn open<R: Record>(path: &Path, resume: bool, settings: &str) -> Result<(Writer, u64)> {
        let header = header(&R::MAGIC, settings);
        if !resume || !path.exists() {
            return Ok((Writer::begin(files::create_new(path)?, &header)?, 0));
        }
        let file = files::open_to_append(path)?;
        let mut head = Vec::new();
        let read = (&file).take(header.len() as u64).read_to_end(&mut head);
        read.named("reading", path)?;
        // A kill may have left a part of the header.
        if head.len() < header.len() && header.starts_with(&head) {
            file.set_len(0)?;
            return Ok((Writer::begin(file, &header)?, 0));
        }
        let input = Cursor::new(head).chain(BufReader::new(file.try_clone()?));
        let mut reader = Reader::new(path, Box::new(input), &R::MAGIC, R::read)?;
        files::ensure_same_settings(path, &reader.settings, settings)?;
        let (mut games, mut end) = (0, reader.offset);
        while let Some(block) = reader.next_block()? {
            match block {
                Block::Games(found) => games += found.len() as u64,
                Block::Damaged(damage) if damage.is_torn => break,
                Block::Damaged(damage) => bail!("{}: {damage}", shown_name(path)),
            }
            end = reader.offset;
        }
        file.set_len(end)?;
        Ok((Writer(file), games))
    }

    fn begin(mut file: File, header: &[u8]) -> Result<Writer> {
        file.write_all(header).context("writing games")?;
        Ok(Writer(file))
    }

    /// Adds a game by a single write: a kill leaves whole blocks, or one incomplete block at the end.
    pub fn push<R: Record>(&mut self, game: &R) -> Result<()> {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        self.0.write_all(&block(&bytes)).context("writing games")
    }
}
