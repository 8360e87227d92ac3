//! Tests of files of games: round trips, kills and damage.

use super::file::{Block, Damage, GameReader, GameWriter, GAMES_PER_BLOCK};
use super::stored_game::{Ply, TrainingGame};
use crate::engine::rng::Rng;
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::setup;
use rand::seq::IndexedRandom;
use rand::RngExt;
use std::path::{Path, PathBuf};

/// Creates a game of random moves with random scores.
fn random_record(rng: &mut Rng) -> TrainingGame {
    let setups = [setup::random(rng), setup::random(rng)];
    let mut game = Game::from_setups(setups[0], setups[1]);
    let mut plies = Vec::new();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        let mut moves = Vec::new();
        movegen::pseudo_legal(game.position().expect("both setups"), |mv| moves.push(mv));
        if moves.is_empty() {
            break Outcome::Drawn;
        }
        let mv = *moves.choose(rng).expect("not empty");
        let score = rng.random_ratio(7, 8).then(|| rng.random_range(-30_000..=30_000));
        plies.push(Ply { mv, score });
        game.push(mv);
    };
    TrainingGame { setups, plies, outcome }
}

/// Creates random games with at least `positions` positions in total.
pub fn random_records(positions: usize, seed: u64) -> Vec<TrainingGame> {
    let mut rng = Rng::new(seed);
    let mut records = Vec::new();
    let mut count = 0;
    while count < positions {
        let record = random_record(&mut rng);
        count += record.plies.len();
        records.push(record);
    }
    records
}

/// Settings of all files in these tests.
const SETTINGS: &str = "{\"seed\":1}";
/// Length of the header with these settings, in bytes.
const HEADER: usize = 16 + SETTINGS.len();

/// Returns the path of a file that only this test uses.
fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cupbot-data-{}-{name}", std::process::id()));
    // It may exist after a failed test.
    let _ = std::fs::remove_file(&path);
    path
}

fn write(path: &Path, records: &[TrainingGame]) {
    let mut writer = GameWriter::create(path, SETTINGS).expect("a new file");
    records.iter().for_each(|record| writer.push(record).expect("space on the disk"));
    writer.flush().expect("space on the disk");
}

fn read(path: &Path) -> (Vec<TrainingGame>, Vec<Damage>) {
    let (mut records, mut damages) = (Vec::new(), Vec::new());
    for block in GameReader::open(path).expect("a readable header") {
        match block {
            Block::Games(games) => records.extend(games),
            Block::Damaged(damage) => damages.push(damage),
        }
    }
    (records, damages)
}

#[test]
fn a_hundred_thousand_positions_round_trip() {
    let records = random_records(100_000, 1);
    let path = file("whole");
    write(&path, &records);
    let (back, damages) = read(&path);
    assert!(damages.is_empty());
    assert_eq!(back, records);
    for (record, back) in records.iter().zip(&back) {
        assert_eq!(record.replay().texts(), back.replay().texts());
        assert_eq!(record.replay().outcome(), Some(record.outcome));
    }
    let plies: usize = records.iter().map(|record| record.plies.len()).sum();
    let bytes = std::fs::metadata(&path).expect("just written").len();
    // Random games are short, so the setups take a large part.
    assert!(bytes < 4 * plies as u64, "{bytes} bytes for {plies} plies");
    std::fs::remove_file(path).expect("just written");
}

/// A flipped bit damages only its block, which is reported by offset; all other blocks are read.
#[test]
fn damage_affects_one_block() {
    let records = random_records(20_000, 2);
    let path = file("damaged");
    write(&path, &records);
    let bytes = std::fs::read(&path).expect("just written");
    let marks: Vec<usize> =
        (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"blok")).collect();
    assert!(marks.len() >= 4);
    for (part, at) in [("head", marks[1] + 5), ("length", marks[1] + 9), ("payload", marks[1] + 99)]
    {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&path, damaged).expect("a writable file");
        let (back, damages) = read(&path);
        assert_eq!(damages.len(), 1, "{part}");
        assert_eq!(damages[0].offset as usize, marks[1], "{part}");
        let kept = [&records[..GAMES_PER_BLOCK], &records[2 * GAMES_PER_BLOCK..]].concat();
        assert!(back == kept, "{part}");
    }
    std::fs::remove_file(path).expect("just written");
}

/// Wherever a kill truncates the file, its complete blocks are kept and writing continues after them.
#[test]
fn a_truncated_file_is_resumed() {
    let records = random_records(12_000, 3);
    let path = file("cut");
    write(&path, &records);
    let bytes = std::fs::read(&path).expect("just written");
    let mut rng = Rng::new(4);
    let anywhere = (0..20).map(|_| rng.random_range(..bytes.len())).collect::<Vec<usize>>();
    for length in [0, 5, 8, 12, HEADER - 1, HEADER, HEADER + 3].into_iter().chain(anywhere) {
        std::fs::write(&path, &bytes[..length]).expect("a writable file");
        let (mut writer, games) =
            GameWriter::resume(&path, SETTINGS).expect("only the end is missing");
        records[games as usize..].iter().for_each(|record| writer.push(record).expect("space"));
        writer.flush().expect("space on the disk");
        assert!(std::fs::read(&path).expect("just written") == bytes);
    }
    std::fs::remove_file(path).expect("just written");
}

#[test]
fn other_files_are_rejected() {
    let path = file("other");
    std::fs::write(&path, b"something else").expect("a writable directory");
    assert!(GameReader::open(&path).is_err());
    assert!(GameWriter::resume(&path, SETTINGS).is_err());
    assert!(GameWriter::create(&path, SETTINGS).is_err(), "an existing file is not overwritten");
    assert_eq!(std::fs::read(&path).expect("the file"), b"something else");
    std::fs::remove_file(path).expect("just written");
}

#[test]
fn games_with_other_settings_are_rejected() {
    let path = file("settings");
    write(&path, &random_records(100, 5));
    let bytes = std::fs::read(&path).expect("just written");
    assert_eq!(GameReader::open(&path).expect("a file of games").settings(), SETTINGS);
    let error = GameWriter::resume(&path, "{\"seed\":2}").err().expect("another seed");
    assert!(error.to_string().contains("created with other options: {\"seed\":1}"), "{error}");
    // A file with a damaged header is rejected and left unchanged.
    for at in [8, 12, 20] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&path, &damaged).expect("a writable file");
        assert!(GameReader::open(&path).is_err() && GameWriter::resume(&path, SETTINGS).is_err());
        assert_eq!(std::fs::read(&path).expect("the file"), damaged);
    }
    std::fs::remove_file(path).expect("just written");
}

/// Games that continue after their end are never written, and readers do not expect them.
#[test]
fn a_game_beyond_its_end_is_rejected() {
    let mut rng = Rng::new(7);
    let mut captured = false;
    while !captured {
        let record = random_record(&mut rng);
        captured = record.outcome != Outcome::Drawn;
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        let plies = &mut bytes[13];
        *plies += 1;
        bytes.extend_from_slice(&[0, 0, 0]);
        let error = TrainingGame::read(&mut &bytes[..]).expect_err("one ply too many");
        assert!(error.to_string().ends_with("the game is over"), "{error}");
    }
}
