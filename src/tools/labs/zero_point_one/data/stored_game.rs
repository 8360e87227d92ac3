//! A self-play game in memory and in bytes.

use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Colour, Kind, Move};
use anyhow::{anyhow, bail, ensure, Result};

/// A move of a self-play game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move played.
    pub mv: Move,
    /// The score of the search that chose it, for the mover; `None` for a move chosen at random.
    pub score: Option<i16>,
}

/// A whole game of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// Red's and Blue's setup.
    pub setups: [Setup; 2],
    /// All moves after the setups.
    pub plies: Vec<Ply>,
    /// How it ended; a game may be ended as a draw before the last move.
    pub outcome: Outcome,
}

/// In place of the score of a random move.
const NO_SCORE: i16 = i16::MIN;
/// Bits of a kind in a setup.
const KIND_BITS: u32 = 3;

impl TrainingGame {
    /// Appends the record to `bytes`: both setups (6 bytes each), the outcome, the number of plies
    /// (a byte each), then three bytes a ply: the move's index among the pseudo-legal moves sorted
    /// by their bits, and the score.
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
            // Records hold legal moves only; a wrong one would be seen when read back.
            bytes.push(index.unwrap_or(255) as u8);
            bytes.extend_from_slice(&ply.score.unwrap_or(NO_SCORE).to_le_bytes());
            position = position.make(ply.mv);
        }
    }

    /// Reads one record from the front of `bytes` and advances it.
    pub fn read(bytes: &mut &[u8]) -> Result<TrainingGame> {
        let setups = [read_setup(bytes)?, read_setup(bytes)?];
        let [outcome, plies] = *take(bytes, 2)? else { bail!("a record is cut short") };
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
            let [index, low, high] = *take(bytes, 3)? else { bail!("a record is cut short") };
            let mv = *sorted_moves(&position)
                .get(usize::from(index))
                .ok_or_else(|| anyhow!("ply {number}: no move with index {index}"))?;
            let score = i16::from_le_bytes([low, high]);
            record.plies.push(Ply { mv, score: (score != NO_SCORE).then_some(score) });
            position = position.make(mv);
        }
        Ok(record)
    }

    /// The position after the setups.
    pub fn start(&self) -> Position {
        Position::from_setups(&self.setups[0], &self.setups[1])
    }

    /// Replays the game, up to the position after its last move.
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
    ensure!(bytes.len() >= count, "a record is cut short");
    let (taken, rest) = bytes.split_at(count);
    *bytes = rest;
    Ok(taken)
}

/// The pseudo-legal moves in an order that does not depend on the generator's.
fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::with_capacity(128);
    movegen::pseudo_legal(position, |mv| moves.push(mv));
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves
}
