//! Tests of files of games: round trips, kills, and damaged and forged files.

use super::*;
use crate::fuzz::{any_bytes, mutated};
use crate::tools::support::files::folder_of;
use proptest::prelude::*;
use std::fs;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A game of a single number.
#[derive(Clone, Debug, PartialEq)]
struct Number(usize);

impl Record for Number {
    const MAGIC: Magic = *b"cupgamN\x01";
    const SIDES: [&'static str; 2] = ["one", "other"];

    fn write(&self, bytes: &mut Vec<u8>) {
        write_count(self.0, bytes);
    }

    fn read(bytes: &mut &[u8]) -> Result<Number> {
        read_count(bytes).map(Number)
    }

    fn summary(&self) -> Summary {
        Summary { positions: 1, winner: None }
    }
}

const SETTINGS: &str = "{\"seed\":1}";
/// Length of the header with these settings, in bytes.
const HEADER: usize = 16 + SETTINGS.len();

/// Games of one to five bytes each.
static GAMES: LazyLock<Vec<Number>> =
    LazyLock::new(|| (0..30).map(|number: usize| Number(number.pow(7))).collect());

fn open(path: &Path, resume: bool) -> Result<(Writer, u64)> {
    Writer::open::<Number>(path, resume, SETTINGS)
}

/// Writes all games to a new file. Returns its folder, its path and its content.
fn written() -> (TempDir, std::path::PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let (mut writer, count) = open(&path, true).expect("a new file");
    assert_eq!(count, 0);
    GAMES.iter().try_for_each(|game| writer.push(game)).expect("written");
    let bytes = fs::read(&path).expect("the file");
    (folder, path, bytes)
}

/// Reads a file and returns its games and its damages.
fn read(path: &Path) -> (Vec<Number>, Vec<Damage>) {
    let (mut games, mut damages) = (Vec::new(), Vec::new());
    for block in Reader::<Number>::open(path).expect("a readable header") {
        match block.expect("a readable file") {
            Block::Games(found) => games.extend(found.into_iter().map(|stored| stored.game)),
            Block::Damaged(damage) => damages.push(damage),
        }
    }
    (games, damages)
}

/// Returns the offsets of the blocks.
fn marks(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len()).filter(|&at| bytes[at..].starts_with(&BLOCK_MARK)).collect()
}

#[test]
fn games_read_back_with_their_bytes() {
    let (_folder, path, bytes) = written();
    let (found, damages) = read(&path);
    assert!(found == *GAMES && damages.is_empty());
    let stored = games::<Number>(&path).and_then(Iterator::collect::<Result<Vec<_>>>);
    let stored: Vec<Vec<u8>> = stored.expect("games").into_iter().map(|game| game.bytes).collect();
    assert_eq!(whole(&Number::MAGIC, SETTINGS, &stored), bytes);
}

/// A flipped bit damages only its block, which is reported by offset; all other blocks are read.
#[test]
fn damage_affects_one_block() {
    let (_folder, path, bytes) = written();
    let marks = marks(&bytes);
    for block in [0, 20, 29] {
        // The marker, the number of games, the low and the high byte of the length, the checksum, and the payload.
        for at in [1, 4, 8, 10, 13, 16] {
            let mut damaged = bytes.clone();
            damaged[marks[block] + at] ^= 0x10;
            fs::write(&path, &damaged).expect("written");
            let (games, damages) = read(&path);
            assert_eq!(damages.len(), 1, "{block} {at}");
            assert_eq!(damages[0].offset as usize, marks[block], "{block} {at}");
            assert_eq!(games, [&GAMES[..block], &GAMES[block + 1..]].concat(), "{block} {at}");
            // A run continues only after a block that may be torn.
            let is_torn = block == 29 && [8, 10].contains(&at);
            assert_eq!(open(&path, true).is_ok(), is_torn, "{block} {at}");
            assert_eq!(fs::read(&path).expect("the file") == damaged, !is_torn);
        }
    }
}

/// Wherever a kill truncates the file, its complete blocks are kept and writing continues after them.
#[test]
fn a_truncated_file_is_resumed() {
    let (_folder, path, bytes) = written();
    let ends = [&marks(&bytes)[1..], &[bytes.len()]].concat();
    for length in 0..=bytes.len() {
        fs::write(&path, &bytes[..length]).expect("written");
        let error = Reader::<Number>::open(&path).err().map(|error| format!("{error:#}"));
        assert_eq!(error.is_some(), length < HEADER, "{length}: {error:?}");
        let (mut writer, count) = open(&path, true).expect("only the end is missing");
        assert_eq!(count as usize, ends.iter().filter(|&&end| end <= length).count());
        GAMES[count as usize..].iter().try_for_each(|game| writer.push(game)).expect("written");
        drop(writer);
        assert!(fs::read(&path).expect("the file") == bytes, "{length}");
    }
}

/// Files of 0.6.0 have up to 64 games in a block.
#[test]
fn a_block_may_have_several_games() {
    let (_folder, path, bytes) = written();
    let payload = [5, 0x80, 1, 7];
    let numbers = [3, 4, crc32fast::hash(&payload)].map(u32::to_le_bytes);
    let block = [&BLOCK_MARK[..], numbers.as_flattened(), &payload].concat();
    fs::write(&path, [&bytes[..HEADER], &block].concat()).expect("written");
    assert_eq!(read(&path).0, [Number(5), Number(128), Number(7)]);
    let (mut writer, count) = open(&path, true).expect("the same settings");
    assert_eq!(count, 3);
    writer.push(&Number(9)).expect("written");
    assert_eq!(read(&path).0.last(), Some(&Number(9)));
}

#[test]
fn other_files_are_rejected_and_left_unchanged() {
    let (_folder, path, bytes) = written();
    let mut damaged = bytes.clone();
    damaged[HEADER - 1] ^= 1;
    let mut of_another_game = bytes;
    of_another_game[6] ^= 1;
    let old = b"# cupbot game selfplay {}\n".to_vec();
    for (content, reason) in [
        (b"something else".to_vec(), "not a file of self-play games"),
        (of_another_game, "not a file of self-play games"),
        (old, "cupbot 0.6.0 was the last"),
        (damaged, "wrong checksum"),
    ] {
        fs::write(&path, &content).expect("written");
        let read = Reader::<Number>::open(&path).map(drop);
        let resumed = Writer::open::<Number>(&path, true, "{}").map(drop);
        for result in [read, resumed] {
            let error = format!("{:#}", result.expect_err(reason));
            assert!(error.contains(reason) && error.contains("games\": "), "{reason}: {error}");
        }
        assert!(open(&path, false).is_err(), "an existing file is not overwritten");
        assert_eq!(fs::read(&path).expect("the file"), content);
    }
    assert_eq!(fs::read_dir(folder_of(&path)).expect("a folder").count(), 1);
}

proptest! {
    #[test]
    fn any_file_is_read_or_rejected(bytes in prop_oneof![
        any_bytes(300),
        any_bytes(300).prop_map(|rest| [&Number::MAGIC[..], &rest].concat()),
        any_bytes(100).prop_map(|game| whole(&Number::MAGIC, SETTINGS, &[vec![1], game])),
        mutated(written().2),
    ]) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        fs::write(&path, &bytes).expect("written");
        for block in Reader::<Number>::open(&path).into_iter().flatten() {
            if let Block::Damaged(damage) = block.expect("a readable file") {
                prop_assert!(damage.offset < bytes.len() as u64);
            }
        }
        // Resuming fails, or leaves a readable file.
        if let Ok((_, count)) = open(&path, true) {
            let (games, damages) = read(&path);
            prop_assert!(damages.is_empty() && games.len() as u64 == count);
        }
    }
}
