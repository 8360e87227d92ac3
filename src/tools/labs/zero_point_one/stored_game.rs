//! The games of self-play in files.

use super::train::samples::{is_quiet, sample, Sample};
use crate::games::zero_point_one::eval::features::{phase, PHASES};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Kind, Move};
use crate::tools::contracts::game_files::{GameFiles, Magic};
use crate::tools::training::game_file::{game_files, take};
use crate::tools::training::targets;
use crate::tools::training::training_game::{self, TrainingPosition};
use anyhow::{Context, Result};

/// A move of a self-play game.
pub type Ply = targets::Ply<Move>;

/// A self-play game. It starts with Red's and Blue's setups.
pub type TrainingGame = training_game::TrainingGame<Position>;

/// Adapter for `cupbot merge`.
pub const GAME_FILES: GameFiles = game_files::<TrainingGame>();

/// Bits per kind in an encoded setup.
const KIND_BITS: usize = 3;

impl TrainingPosition for Position {
    type Start = [Setup; 2];
    type Move = Move;
    type Sample = Sample;

    const MAGIC: Magic = *b"cupgam\x00\x02";
    const SIDES: [&'static str; 2] = ["red", "blue"];
    const PHASES: usize = PHASES;

    fn phase(index: usize) -> usize {
        // The setups are the first two plies.
        phase(index + 2)
    }

    fn write_start(start: &[Setup; 2], bytes: &mut Vec<u8>) {
        for setup in start {
            let kinds = setup.kinds().iter().rev();
            let packed = kinds.fold(0u64, |all, kind| all << KIND_BITS | kind.index() as u64);
            bytes.extend_from_slice(&packed.to_le_bytes()[..6]);
        }
    }

    fn read_start(bytes: &mut &[u8]) -> Result<[Setup; 2]> {
        Ok([read_setup(bytes)?, read_setup(bytes)?])
    }

    fn first([red, blue]: &[Setup; 2]) -> Position {
        Position::from_setups(red, blue)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(128);
        if !self.is_over() {
            movegen::pseudo_legal(self, |mv| moves.push(mv));
        }
        moves.sort_unstable_by_key(|mv| mv.bits());
        moves
    }

    fn after(&self, mv: Move) -> Position {
        self.make(mv)
    }

    fn sample(&self, ply: Ply, target: f32) -> Option<Sample> {
        sample(self, target).filter(|_| is_quiet(self, ply.mv))
    }
}

fn read_setup(bytes: &mut &[u8]) -> Result<Setup> {
    let [a, b, c, d, e, f] = take(bytes)?;
    let packed = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]);
    let mut kinds = [Kind::Alfil; 16];
    for (index, kind) in kinds.iter_mut().enumerate() {
        let code = (packed >> (KIND_BITS * index) & 7) as usize;
        let found = Kind::ALL.get(code).copied();
        *kind = found.with_context(|| format!("unknown piece {code} in a setup"))?;
    }
    Ok(Setup::new(kinds)?)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::fuzz::mutated;
    use crate::games::zero_point_one::setup;
    use crate::tools::training::game_file::Record;
    use crate::tools::training::training_game::random_games;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    fn games(count: usize) -> Vec<TrainingGame> {
        random_games(count, |rng: &mut Rng| [setup::random(rng), setup::random(rng)])
    }

    fn encoded(games: &[TrainingGame]) -> Vec<u8> {
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.write(&mut bytes));
        bytes
    }

    #[test]
    fn random_games_read_back() {
        let games = games(500);
        let bytes = encoded(&games);
        let mut rest = &bytes[..];
        for game in &games {
            assert_eq!(&TrainingGame::read(&mut rest).expect("just written"), game);
        }
        assert!(rest.is_empty());
    }

    /// Games that continue after their end are never written, and readers do not expect them.
    #[test]
    fn a_game_beyond_its_end_is_rejected() {
        let game = games(1);
        let mut bytes = encoded(&game);
        bytes[13] += 1;
        bytes.extend([0; 3]);
        let error = TrainingGame::read(&mut &bytes[..]).expect_err("one ply too many");
        assert_eq!(error.to_string(), format!("ply {}: no move with index 0", game[0].plies.len()));
    }

    /// Encoded games, mutated and forged.
    pub fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
        static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| encoded(&games(20)));
        let setups = &VALID[..12];
        let plies = vec((0..4u8, any::<i16>()), 0..256);
        let forged = (0..4u8, plies).prop_map(move |(winner, plies)| {
            let mut bytes = [setups, &[winner, plies.len() as u8 & 0x7f]].concat();
            for (index, score) in plies {
                bytes.push(index);
                bytes.extend(score.to_le_bytes());
            }
            bytes
        });
        prop_oneof![vec(any::<u8>(), 0..300), mutated(VALID.clone()), forged]
    }

    proptest! {
        #[test]
        fn any_game_is_read_or_rejected(bytes in any_bytes()) {
            let mut rest = &bytes[..];
            while let Ok(game) = TrainingGame::read(&mut rest) {
                prop_assert!(game.plies.len() <= 100 && game.winner < Some(2));
                let bytes = encoded(std::slice::from_ref(&game));
                prop_assert_eq!(TrainingGame::read(&mut &bytes[..]).ok(), Some(game));
            }
        }
    }
}
