//! One game between two players: asks, checks the rules, names the winner.

use super::{Answer, Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::score::Score;
use crate::tools::rules::{Refused, Rules, Side};

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played<G> {
    /// What was played, the opening included.
    pub game: G,
    /// The plies that the opening gave.
    pub opening_plies: usize,
    /// The movers' opinions after the opening, one a ply.
    pub scores: Vec<Option<Score>>,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why the loser lost by itself.
    pub fault: Option<Fault>,
    /// What the game cost, the side that began first.
    pub usage: [Usage; 2],
    /// How the players went, the side that began first.
    pub endings: [Ending; 2],
}

/// Plays a game from an opening. The first seat is that of the side that begins.
pub fn play<G: Rules>(seats: [&mut dyn Seat<G>; 2], opening: &G) -> Played<G> {
    let mut game = opening.clone();
    let mut scores = Vec::new();
    let [first, second] = seats;
    let fault = match begin([first, second], opening) {
        Some(fault) => Some(fault),
        None => play_on([first, second], &mut game, &mut scores),
    };
    let winner = match (&fault, game.end()) {
        (Some((side, _)), _) => Some(!*side),
        (None, end) => end.and_then(|end| end.winner),
    };
    Played {
        opening_plies: opening.ply(),
        game,
        scores,
        winner,
        fault: fault.map(|(_, fault)| fault),
        usage: [first.usage(), second.usage()],
        endings: [first.end(), second.end()],
    }
}

fn begin<G: Rules>(seats: [&mut dyn Seat<G>; 2], opening: &G) -> Option<(Side, Fault)> {
    let mut begun = seats.into_iter().zip(Side::ALL);
    begun.find_map(|(seat, side)| seat.begin(opening).err().map(|fault| (side, fault)))
}

/// Asks for moves until the game is over. Returns the side that failed, and why.
fn play_on<G: Rules>(
    seats: [&mut dyn Seat<G>; 2],
    game: &mut G,
    scores: &mut Vec<Option<Score>>,
) -> Option<(Side, Fault)> {
    while game.end().is_none() {
        let side = game.to_move();
        if !game.can_move() {
            return Some((side, Fault::new(FaultKind::NoMove, "the rules leave no move")));
        }
        let answered = seats[side.index()].answer(game);
        let played = answered.and_then(|Answer { text, score }| match game.play(&text) {
            Ok(()) => Ok(score),
            Err(Refused { is_move, reason }) => {
                let kind = if is_move { FaultKind::Illegal } else { FaultKind::Garbage };
                Err(Fault::new(kind, format!("{text:?}: {reason}")))
            }
        });
        match played {
            Ok(score) => scores.push(score),
            Err(fault) => return Some((side, fault)),
        }
    }
    None
}
