//! The contract for files of self-play games, as far as merging them needs it.

use crate::tools::support::files::{self, create_new};
use anyhow::{ensure, Context, Result};
use std::collections::HashSet;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;

/// How a game keeps its self-play games in files.
#[derive(Clone, Copy)]
pub struct GameFiles {
    /// Does a file that begins with these bytes hold such games?
    pub recognise: fn(&[u8]) -> bool,
    /// Reads a file, up to the first damage.
    pub read: fn(&Path) -> Result<StoredGames>,
    /// The contents of a file with these settings and games, as self-play without a break writes it.
    pub write: fn(&str, &[StoredGame]) -> Result<Vec<u8>>,
}

/// A game in the form of its format.
pub type StoredGame = Vec<u8>;

/// The first character of a line that holds no game.
pub const COMMENT: char = '#';

/// How many bytes of a file decide what it is.
pub const HEAD: usize = 32;

/// The games of a file.
pub struct StoredGames {
    /// The settings of the run, JSON; `None` in files of old versions.
    pub settings: Option<String>,
    /// Its games, in the order in which they were played.
    pub games: Vec<StoredGame>,
    /// Positions for training in them.
    pub positions: u64,
    /// What is wrong with the file after these games.
    pub damage: Option<String>,
}

/// Reads a file with a game a line after a first line, which has the settings after a prefix.
/// `positions` counts those of a line, or says what is wrong with it.
pub fn read_lines(
    path: &Path,
    prefix: &str,
    positions: impl Fn(&str) -> Result<u64>,
) -> Result<StoredGames> {
    let name = path.display();
    let bytes = File::open(path).map_err(Into::into).and_then(files::read_bytes_of_lines);
    let bytes = bytes.with_context(|| format!("reading {name}"))?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    let mut lines = lines.map(|(index, line)| (index + 1, utf8(line)));
    let first = lines.next().and_then(|(_, first)| first.ok());
    let settings = first.and_then(|first| first.trim_end().strip_prefix(prefix));
    let settings = settings.map(str::to_string);
    let mut stored = StoredGames { settings, games: Vec::new(), positions: 0, damage: None };
    for (number, line) in lines {
        let found = line.and_then(|line| {
            let line = line.strip_suffix('\n').context("cut short")?;
            ensure!(!line.is_empty(), "empty");
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

/// The text of a line. One with other bytes is damaged; the lines before it are not.
pub fn utf8(line: &[u8]) -> Result<&str> {
    std::str::from_utf8(line).ok().context("it is no UTF-8")
}

/// The contents of such a file.
pub fn write_lines(prefix: &str, settings: &str, games: &[StoredGame]) -> Vec<u8> {
    let head = [prefix.as_bytes(), settings.as_bytes(), b"\n"].into_iter();
    head.chain(games.iter().flat_map(|game| [&game[..], b"\n"])).collect::<Vec<_>>().concat()
}

/// Appends games, a line each, to a file whose first line has a prefix and the settings.
pub struct LineWriter(File);

impl LineWriter {
    /// Makes a new file, or opens one to go on with: then a torn last line is cut off. Returns the number of games
    /// in it. An error where its settings differ, where `ensure_ours` refuses its first line, or `ensure_game` a
    /// later one: if that counted as a game, one game would stay unplayed.
    pub fn open(
        path: &Path,
        resume: bool,
        prefix: &str,
        settings: &str,
        ensure_ours: impl FnOnce(&str) -> Result<()>,
        ensure_game: impl Fn(&str) -> Result<()>,
    ) -> Result<(LineWriter, u64)> {
        let header = format!("{prefix}{settings}\n");
        if !resume || !path.exists() {
            return Ok((LineWriter::begin(create_new(path)?, &header)?, 0));
        }
        let mut file = files::open_to_append(path)?;
        let text = files::read_lines(&mut file);
        let mut text = text.with_context(|| format!("reading {}", path.display()))?;
        // A kill may have left nothing or a part of the header.
        if text.len() < header.len() && header.starts_with(&text) {
            file.set_len(0)?;
            return Ok((LineWriter::begin(file, &header)?, 0));
        }
        // Another's file must be neither cut nor appended to.
        let first = text.lines().next().unwrap_or_default();
        ensure_ours(first)?;
        files::ensure_same_settings(path, first.strip_prefix(prefix), settings)?;
        files::drop_torn_line(&file, &mut text)?;
        let mut games = 0;
        for (index, line) in text.lines().enumerate() {
            let is_header = index == 0 && line.starts_with(COMMENT);
            if !is_header {
                ensure_game(line)
                    .with_context(|| format!("{}, line {}", path.display(), index + 1))?;
                games += 1;
            }
        }
        Ok((LineWriter(file), games))
    }

    fn begin(mut file: File, header: &str) -> Result<LineWriter> {
        file.write_all(header.as_bytes()).context("writing games")?;
        Ok(LineWriter(file))
    }

    /// Adds a game by one write: a kill leaves whole lines, or one torn line at the end.
    pub fn push(&mut self, line: &str) -> Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes()).context("writing games")
    }
}

/// Counts games that are there more than once, as two runs at one file or a file named twice leave them.
#[derive(Default)]
pub struct Duplicates {
    /// A hash of every game: millions of games must fit.
    seen: HashSet<u64>,
    count: u64,
}

impl Duplicates {
    /// Takes in a game, in whatever form.
    pub fn add(&mut self, game: impl Hash) {
        let mut hasher = DefaultHasher::new();
        game.hash(&mut hasher);
        self.count += u64::from(!self.seen.insert(hasher.finish()));
    }

    /// Says how many there are on stderr, if any.
    pub fn warn(&self) {
        if self.count > 0 {
            let (count, all) = (self.count, self.count + self.seen.len() as u64);
            tell!("warning: {count} of {all} games are there a second time");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_from_their_second_time_on() {
        let mut duplicates = Duplicates::default();
        for (game, count) in [("a", 0), ("b", 0), ("a", 1), ("c", 1), ("a", 2)] {
            duplicates.add(game);
            assert_eq!(duplicates.count, count, "{game}");
        }
    }
}
