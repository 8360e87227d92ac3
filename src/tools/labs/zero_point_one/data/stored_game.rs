//! A self-play game and its binary format.

use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Colour, Kind, Move};
use crate::tools::training::targets;
use anyhow::{anyhow, bail, ensure, Result};

/// A move of a self-play game.
pub type Ply = targets::Ply<Move>;

/// A self-play game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// Red's and Blue's setups.
    pub setups: [Setup; 2],
    /// Moves after the setups.
    pub plies: Vec<Ply>,
    /// Outcome. A game may be adjudicated before its end by the rules.
    pub outcome: Outcome,
}

/// Encodes the missing score of a random move.
const NO_SCORE: i16 = i16::MIN;
/// Bits per kind in an encoded setup.
const KIND_BITS: u32 = 3;

impl TrainingGame {
    /// Appends the encoded game to `bytes`: both setups (6 bytes each), the outcome and the number of plies (1 byte
    /// each), then 3 bytes per ply: the index of the move among the pseudo-legal moves sorted by their bits, and the
    /// score.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        for setup in &self.setups {
            let packed = setup
                .kinds()
                .iter()
                .rev()
                .fold(0u64, |packed, &kind| packed << KIND_BITS | kind.index() as u64);
            bytes.extend_from_slice(&packed.to_le_bytes()[..6]);
        }
        bytes.push(match self.outcome {
            Outcome::Drawn => 0,
            Outcome::Won(Colour::Red) => 1,
            Outcome::Won(Colour::Blue) => 2,
        });
        bytes.push(self.plies.len() as u8);
        let mut position = self.start();
        for ply in &self.plies {
            let index = sorted_moves(&position).iter().position(|&mv| mv == ply.mv);
            // All moves are legal; an illegal one would be detected when the game is read.
            bytes.push(index.unwrap_or(255) as u8);
            bytes.extend_from_slice(&ply.score.unwrap_or(NO_SCORE).to_le_bytes());
            position = position.make(ply.mv);
        }
    }

    /// Reads a game from the front of `bytes` and advances it.
    pub fn read(bytes: &mut &[u8]) -> Result<TrainingGame> {
        let setups = [read_setup(bytes)?, read_setup(bytes)?];
        let [outcome, plies] = *take(bytes, 2)? else { bail!("a game is truncated") };
        let outcome = match outcome {
            0 => Outcome::Drawn,
            1 => Outcome::Won(Colour::Red),
            2 => Outcome::Won(Colour::Blue),
            other => bail!("unknown outcome {other}"),
        };
        let mut record = TrainingGame { setups, plies: Vec::with_capacity(plies.into()), outcome };
        let mut position = record.start();
        for number in 0..plies {
            ensure!(!position.is_over(), "ply {number}: the game is over");
            let [index, low, high] = *take(bytes, 3)? else { bail!("a game is truncated") };
            let mv = *sorted_moves(&position)
                .get(usize::from(index))
                .ok_or_else(|| anyhow!("ply {number}: no move with index {index}"))?;
            let score = i16::from_le_bytes([low, high]);
            record.plies.push(Ply { mv, score: (score != NO_SCORE).then_some(score) });
            position = position.make(mv);
        }
        Ok(record)
    }

    /// Returns the position after the setups.
    pub fn start(&self) -> Position {
        Position::from_setups(&self.setups[0], &self.setups[1])
    }

    /// Replays the game.
    pub fn replay(&self) -> Game {
        let mut game = Game::from_setups(self.setups[0], self.setups[1]);
        self.plies.iter().for_each(|ply| game.push(ply.mv));
        game
    }
}

fn read_setup(bytes: &mut &[u8]) -> Result<Setup> {
    let mut word = [0; 8];
    word[..6].copy_from_slice(take(bytes, 6)?);
    let packed = u64::from_le_bytes(word);
    let mut kinds = [Kind::Alfil; 16];
    for (index, kind) in kinds.iter_mut().enumerate() {
        let code = (packed >> (KIND_BITS * index as u32) & 7) as usize;
        *kind = *Kind::ALL.get(code).ok_or_else(|| anyhow!("unknown piece {code} in a setup"))?;
    }
    Ok(Setup::new(kinds)?)
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8]> {
    ensure!(bytes.len() >= count, "a game is truncated");
    let (taken, rest) = bytes.split_at(count);
    *bytes = rest;
    Ok(taken)
}

/// Returns the pseudo-legal moves in an order that is independent of the generator.
fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::with_capacity(128);
    movegen::pseudo_legal(position, |mv| moves.push(mv));
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves
}
