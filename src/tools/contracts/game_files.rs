//! Files of self-play games: the interface for `merge`, and a format with one game per line.

use crate::tools::support::files::{self, create_new};
use anyhow::{ensure, Context, Result};
use std::collections::HashSet;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;

/// The file format of a game's self-play games.
#[derive(Clone, Copy)]
pub struct GameFiles {
    /// Whether a file that begins with these bytes has this format.
    pub recognise: fn(&[u8]) -> bool,
    /// Reads the contents of a file up to the first damage. The path names the file in errors.
    pub read: fn(&Path, Vec<u8>) -> Result<StoredGames>,
    /// Returns the contents of a file with these settings and games, as written by uninterrupted self-play.
    pub write: fn(&str, &[StoredGame]) -> Result<Vec<u8>>,
}

/// A game, encoded in its format.
pub type StoredGame = Vec<u8>;

/// First character of a line that is not a game.
pub const COMMENT: char = '#';

/// Number of bytes that identify the format of a file.
pub const HEAD: usize = 32;

/// The games of a file.
pub struct StoredGames {
    /// Settings of the run as JSON.
    pub settings: String,
    /// The games, in the order in which they were played.
    pub games: Vec<StoredGame>,
    /// Number of positions for training.
    pub positions: u64,
    /// Description of the damage after these games.
    pub damage: Option<String>,
}

/// Reads a file that has a prefix and its settings in the first line and then a game per line. `positions` counts the
/// positions of a line, or returns an error.
pub fn read_lines(
    path: &Path,
    bytes: Vec<u8>,
    prefix: &str,
    positions: impl Fn(&str) -> Result<u64>,
) -> Result<StoredGames> {
    let name = path.display();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    let mut lines = lines.map(|(index, line)| (index + 1, utf8(line)));
    let first = lines.next().and_then(|(_, first)| first.ok());
    let settings = first.and_then(|first| first.trim_end().strip_prefix(prefix));
    let settings = settings.with_context(|| format!("{name} has no settings"))?.to_string();
    let mut stored = StoredGames { settings, games: Vec::new(), positions: 0, damage: None };
    for (number, line) in lines {
        let found = line.and_then(|line| {
            let line = line.strip_suffix('\n').context("truncated")?;
            ensure!(!line.is_empty(), "empty line");
            Ok((line, positions(line)?))
        });
        match found {
            Ok((line, positions)) => {
                stored.positions += positions;
                stored.games.push(line.as_bytes().to_vec());
            }
            Err(error) => {
                stored.damage = Some(format!("line {number}: {error:#}"));
                break;
            }
        }
    }
    Ok(stored)
}

/// Returns the text of a line. Invalid UTF-8 counts as damage from this line on.
pub fn utf8(line: &[u8]) -> Result<&str> {
    std::str::from_utf8(line).ok().context("not UTF-8")
}

/// Returns the contents of a file with one game per line after the header line.
pub fn write_lines(prefix: &str, settings: &str, games: &[StoredGame]) -> Vec<u8> {
    let head = [prefix.as_bytes(), settings.as_bytes(), b"\n"].into_iter();
    head.chain(games.iter().flat_map(|game| [&game[..], b"\n"])).collect::<Vec<_>>().concat()
}

/// Error message for a file of another kind.
pub fn not_ours(path: &Path) -> String {
    format!("{} is not a file of games", path.display())
}

/// Appends games, one per line, to a file whose header line consists of a prefix and the settings.
pub struct LineWriter(File);

impl LineWriter {
    /// Creates a new file, or opens one to resume it after removing an incomplete last line. Returns the number of
    /// games in it. Fails if its settings differ, or if `ensure_game` rejects a line: counting an invalid line as a
    /// game would leave a game unplayed.
    pub fn open(
        path: &Path,
        resume: bool,
        prefix: &str,
        settings: &str,
        ensure_game: impl Fn(&str) -> Result<()>,
    ) -> Result<(LineWriter, u64)> {
        let header = format!("{prefix}{settings}\n");
        if !resume || !path.exists() {
            return Ok((LineWriter::begin(create_new(path)?, &header)?, 0));
        }
        let mut file = files::open_to_append(path)?;
        let text = files::read_lines(&mut file);
        let mut text = text.with_context(|| format!("reading {}", path.display()))?;
        // A kill may have left an empty file or part of the header.
        if text.len() < header.len() && header.starts_with(&text) {
            file.set_len(0)?;
            return Ok((LineWriter::begin(file, &header)?, 0));
        }
        // A file of another kind must not be truncated or appended to.
        let found = text.lines().next().and_then(|first| first.strip_prefix(prefix));
        let found = found.with_context(|| not_ours(path))?;
        files::ensure_same_settings(path, found, settings)?;
        files::drop_torn_line(&file, &mut text)?;
        let mut games = 0;
        for (index, line) in text.lines().enumerate().skip(1) {
            ensure_game(line).with_context(|| format!("{}, line {}", path.display(), index + 1))?;
            games += 1;
        }
        Ok((LineWriter(file), games))
    }

    fn begin(mut file: File, header: &str) -> Result<LineWriter> {
        file.write_all(header.as_bytes()).context("writing games")?;
        Ok(LineWriter(file))
    }

    /// Adds a game by a single write: a kill leaves whole lines, or one incomplete line at the end.
    pub fn push(&mut self, line: &str) -> Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes()).context("writing games")
    }
}

/// Counts duplicate games, e.g. if a file is named twice.
#[derive(Default)]
pub struct Duplicates {
    /// Hashes of all games: there may be millions.
    seen: HashSet<u64>,
    count: u64,
}

impl Duplicates {
    /// Adds a game in any form.
    pub fn add(&mut self, game: impl Hash) {
        let mut hasher = DefaultHasher::new();
        game.hash(&mut hasher);
        self.count += u64::from(!self.seen.insert(hasher.finish()));
    }

    /// Prints the number of duplicates to stderr, if there are any.
    pub fn warn(&self) {
        if self.count > 0 {
            let (count, all) = (self.count, self.count + self.seen.len() as u64);
            tell!("warning: {count} of {all} games are duplicates");
        }
    }
}
