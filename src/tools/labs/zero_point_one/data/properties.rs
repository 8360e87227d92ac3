//! Property tests of the reader with damaged and forged files: it returns an error or usable games, and never panics.

use super::file::{Block, GameReader, GameWriter};
use super::stored_game::TrainingGame;
use super::tests::random_records;
use crate::fuzz::{any_bytes, mutated};
use crate::games::zero_point_one::position::MAX_PLIES;
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::LazyLock;

/// Magic number of the format.
const MAGIC: &[u8] = b"cupgam\0\x02";

/// A valid file, and some of its games as a payload.
static VALID: LazyLock<(Vec<u8>, Vec<u8>)> = LazyLock::new(|| {
    let records = random_records(3000, 9);
    let folder = tempfile::tempdir().expect("a writable directory");
    let path = folder.path().join("games");
    let mut writer = GameWriter::create(&path, "{\"seed\":9}").expect("a new file");
    records.iter().for_each(|record| writer.push(record).expect("space on the disk"));
    writer.flush().expect("space on the disk");
    let mut payload = Vec::new();
    records[..20].iter().for_each(|record| record.write(&mut payload));
    (std::fs::read(&path).expect("just written"), payload)
});

/// Creates a block with a correct checksum and an arbitrary payload.
fn block(games: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = b"blok".to_vec();
    bytes.extend_from_slice(&games.to_le_bytes());
    bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// Payloads of a game of arbitrary move indices, which may continue after its end.
fn forged_game() -> impl Strategy<Value = Vec<u8>> {
    let setups = VALID.1[..12].to_vec();
    let plies = vec((0..4u8, any::<i16>()), 0..256);
    (0..4u8, plies).prop_map(move |(outcome, plies)| {
        let mut bytes = [&setups[..], &[outcome, plies.len() as u8]].concat();
        for (index, score) in plies {
            bytes.push(index);
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes
    })
}

/// Files of all kinds: random, mutated and forged.
pub fn files() -> impl Strategy<Value = Vec<u8>> {
    let (file, payload) = &*VALID;
    let payloads = prop_oneof![
        3 => (0..30u32, mutated(payload.clone())),
        1 => any::<(u32, Vec<u8>)>(),
        4 => (Just(1), forged_game()),
    ];
    let forged = payloads.prop_map(|(games, payload)| {
        let block = block(games, &payload);
        // Empty settings: their length and checksum.
        [MAGIC, &[0; 8], &block, &block].concat()
    });
    prop_oneof![
        1 => any_bytes(300),
        1 => any_bytes(300).prop_map(|rest| [MAGIC, &rest].concat()),
        3 => mutated(file.clone()),
        4 => forged,
    ]
}

/// Uses a game like the commands that read files.
fn use_game(record: &TrainingGame) {
    let game = record.replay();
    assert_eq!(game.texts().len(), record.plies.len() + 2);
    assert!(game.ply() <= MAX_PLIES);
    let mut bytes = Vec::new();
    record.write(&mut bytes);
    let again = TrainingGame::read(&mut &bytes[..]).expect("just written");
    assert_eq!(&again, record);
}

proptest! {
    #[test]
    fn any_file_is_read_or_rejected(bytes in files()) {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("games");
        std::fs::write(&path, &bytes).expect("a writable directory");
        for block in GameReader::open(&path).into_iter().flatten() {
            match block {
                Block::Games(games) => games.iter().for_each(use_game),
                Block::Damaged(damage) => prop_assert!(damage.offset < bytes.len() as u64),
            }
        }
        // Resuming fails, or leaves a readable file.
        if let Ok((_, games)) = GameWriter::resume(&path, "{\"seed\":9}") {
            let blocks = GameReader::open(&path).expect("a header");
            let found = blocks.map(|block| match block {
                Block::Games(games) => games.len() as u64,
                Block::Damaged(damage) => panic!("{}", damage.reason),
            });
            prop_assert_eq!(found.sum::<u64>(), games);
        }
    }
}
