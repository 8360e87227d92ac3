//! The games of self-play in files.

use super::train::samples::{is_suitable, Sample};
use crate::games::chess960::movegen;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::games::chess960::types::Move;
use crate::tools::contracts::game_files::{GameFiles, Magic};
use crate::tools::training::game_file::{game_files, take};
use crate::tools::training::targets;
use crate::tools::training::training_game::{self, TrainingPosition};
use anyhow::{ensure, Result};

/// A move of a self-play game.
pub type Ply = targets::Ply<Move>;

/// A self-play game. It starts with the number of the start position.
pub type TrainingGame = training_game::TrainingGame<Position>;

/// Adapter for `cupbot merge`.
pub const GAME_FILES: GameFiles = game_files::<TrainingGame>();

impl TrainingPosition for Position {
    type Start = usize;
    type Move = Move;
    type Sample = Sample;

    const MAGIC: Magic = *b"cupgamC\x03";
    const SIDES: [&'static str; 2] = ["white", "black"];

    fn write_start(start: &usize, bytes: &mut Vec<u8>) {
        bytes.extend((*start as u16).to_le_bytes());
    }

    fn read_start(bytes: &mut &[u8]) -> Result<usize> {
        let start = usize::from(u16::from_le_bytes(take(bytes)?));
        ensure!(start < start::COUNT, "no start position has the number {start}");
        Ok(start)
    }

    fn first(start: &usize) -> Position {
        start::numbered(*start, CastlingRule::Arena)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = movegen::moves(self).to_vec();
        moves.sort_unstable_by_key(|mv| mv.bits());
        moves
    }

    fn after(&self, mv: Move) -> Position {
        self.make(mv)
    }

    fn sample(&self, ply: Ply, target: f32) -> Option<Sample> {
        is_suitable(self, ply).then(|| Sample::new(self, target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::mutated;
    use crate::tools::training::game_file::Record;
    use crate::tools::training::training_game::random_games;
    use proptest::prelude::*;

    fn encoded(game: &TrainingGame) -> Vec<u8> {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        bytes
    }

    #[test]
    fn random_games_read_back() {
        for game in random_games::<Position>(50, |rng| rng.below(start::COUNT)) {
            let bytes = encoded(&game);
            assert_eq!(TrainingGame::read(&mut &bytes[..]).expect("just written"), game);
            assert!(TrainingGame::read(&mut &bytes[..bytes.len() - 1]).is_err());
        }
    }

    proptest! {
        #[test]
        fn any_game_is_read_or_rejected(bytes in mutated(
            encoded(&random_games::<Position>(1, |rng| rng.below(start::COUNT))[0])
        )) {
            if let Ok(game) = TrainingGame::read(&mut &bytes[..]) {
                prop_assert!(game.start < start::COUNT && game.winner < Some(2));
            }
        }
    }
}
