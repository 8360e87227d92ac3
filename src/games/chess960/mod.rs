//! Chess960 as played in CodinGame's arena: two games per match from one of 960 start positions, 50 ms per move, and
//! castling rules slightly looser than FIDE's.

pub mod attacks;
pub mod bench;
pub mod checks;
pub mod eval;
pub mod fen;
pub mod game;
pub mod movegen;
pub mod player;
pub mod position;
pub mod search;
pub mod see;
pub mod start;
pub mod threats;
pub mod types;
pub mod zobrist;

use crate::engine::clock::TimeControl;
use crate::engine::contest::{Contest, SourceLimit};
use crate::engine::dialogue::codingame;
use std::time::Duration;

/// The contest.
pub static CONTEST: Contest = Contest {
    name: "CodinGame Chess",
    time: TimeControl::Move {
        first: Duration::from_secs(1),
        later: Duration::from_millis(50),
        reserve: RESERVE,
    },
    protocol: codingame::run,
    source: SourceLimit::Characters(100_000),
    log_characters: 1_000_000,
    memory_bytes: 768 << 20,
    threads: 1,
};

/// Reserve per turn: answers are sent 40 ms after the turn has arrived, earlier on a busy machine. The arena's clock
/// includes pipe latency and scheduling, which took up to 5 ms with a free core.
const RESERVE: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests;
