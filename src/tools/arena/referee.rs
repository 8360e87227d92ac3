//! One game between two players: asks, checks the rules, names the winner.

use super::{Answer, Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::score::Score;
use crate::games::zero_point_one::game::{Game, GameError, Outcome};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::NotationError;
use crate::games::zero_point_one::types::Colour;

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// Setups and moves, the opening included.
    pub game: Game,
    /// The plies that the opening gave.
    pub opening_plies: usize,
    /// The movers' opinions after the opening, one a ply.
    pub scores: Vec<Option<Score>>,
    /// The winner; `None` for a draw.
    pub winner: Option<Colour>,
    /// Why the loser lost by itself.
    pub fault: Option<Fault>,
    /// What the game cost, Red first.
    pub usage: [Usage; 2],
    /// How the players went, Red first.
    pub endings: [Ending; 2],
}

/// Plays a game from an opening. `seats` are Red's and Blue's.
pub fn play(seats: [&mut dyn Seat; 2], opening: &Game) -> Played {
    let mut game = opening.clone();
    let mut scores = Vec::new();
    let [red, blue] = seats;
    let fault = match begin([red, blue], opening) {
        Some(fault) => Some(fault),
        None => play_on([red, blue], &mut game, &mut scores),
    };
    let winner = match (&fault, game.outcome()) {
        (Some((side, _)), _) => Some(!*side),
        (None, Some(Outcome::Won(side))) => Some(side),
        (None, _) => None,
    };
    Played {
        opening_plies: opening.ply(),
        game,
        scores,
        winner,
        fault: fault.map(|(_, fault)| fault),
        usage: [red.usage(), blue.usage()],
        endings: [red.end(), blue.end()],
    }
}

fn begin(seats: [&mut dyn Seat; 2], opening: &Game) -> Option<(Colour, Fault)> {
    let mut begun = seats.into_iter().zip(Colour::ALL);
    begun.find_map(|(seat, side)| seat.begin(opening).err().map(|fault| (side, fault)))
}

/// Asks for moves until the game is over. Returns the side that failed, and why.
fn play_on(
    seats: [&mut dyn Seat; 2],
    game: &mut Game,
    scores: &mut Vec<Option<Score>>,
) -> Option<(Colour, Fault)> {
    while game.outcome().is_none() {
        let side = game.side();
        if !has_move(game) {
            return Some((side, Fault::new(FaultKind::NoMove, "the rules leave no move")));
        }
        let answered = seats[side.index()].answer(game);
        let played = answered.and_then(|Answer { text, score }| match game.play(&text) {
            Ok(()) => Ok(score),
            Err(error) => Err(judge(&text, &error)),
        });
        match played {
            Ok(score) => scores.push(score),
            Err(fault) => return Some((side, fault)),
        }
    }
    None
}

fn has_move(game: &Game) -> bool {
    let mut any = game.position().is_none();
    if let Some(position) = game.position() {
        movegen::pseudo_legal(position, |_| any = true);
    }
    any
}

/// The fault of a text that can't be played.
fn judge(text: &str, error: &GameError) -> Fault {
    let kind = match error {
        GameError::Notation(NotationError::MoveForm | NotationError::SetupLength(_)) => {
            FaultKind::Garbage
        }
        _ => FaultKind::Illegal,
    };
    Fault::new(kind, format!("{text:?}: {error}"))
}
