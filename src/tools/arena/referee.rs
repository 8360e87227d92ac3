//! The referee: plays one game or match between two players and determines the winner.

use super::adjudication::Adjudication;
use super::{Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::score::Score;
use crate::tools::contracts::judge::{Answer, MatchScore};
use crate::tools::contracts::{can_move, End, GameState, Refused, Side};
use std::time::Duration;

/// A finished game.
pub struct Played {
    /// The game with all its moves, including the opening.
    pub game: Box<dyn GameState>,
    /// Number of plies of the opening.
    pub opening_plies: usize,
    /// Scores reported with the moves after the opening, one per ply.
    pub scores: Vec<Option<Score>>,
    /// Wall time of the answers after the opening, one per ply.
    pub times: Vec<Duration>,
    /// Result, by the rules or by a fault.
    pub end: End,
    /// The fault that ended the game and the side that committed it.
    pub fault: Option<(Side, Fault)>,
    /// Why the game was adjudicated, if it was.
    pub adjudication: Option<String>,
    /// Resources used in the game, the side that began first.
    pub usage: [Usage; 2],
    /// How the players ended, the side that began first.
    pub endings: [Ending; 2],
}

/// Plays a single game from an opening. The first player begins.
pub fn play(
    seats: [&mut dyn Seat; 2],
    opening: &dyn GameState,
    adjudication: &Adjudication,
) -> Played {
    let [first, second] = seats;
    let scores = [MatchScore::START; 2];
    let mut played = play_one([first, second], opening, scores, adjudication);
    played.endings = [first.end(), second.end()];
    played
}

/// Plays a match of two games from an opening. The first player begins the first game, the second player the second
/// one. A fault in the first game also loses the second one.
pub fn play_match(
    seats: [&mut dyn Seat; 2],
    opening: &dyn GameState,
    adjudication: &Adjudication,
) -> [Played; 2] {
    let [one, other] = seats;
    let scores = [MatchScore::START; 2];
    let mut first = play_one([one, other], opening, scores, adjudication);
    let mut second = match &first.fault {
        Some((side, fault)) => forfeited(opening, !*side, fault),
        None => {
            // Contests with matches have integral points.
            let [points, others] = first.end.points.map(|points| points as i32);
            let scores = [[others, points], [points, others]];
            let scores = scores.map(|points| MatchScore { game: 2, points });
            play_one([other, one], opening, scores, adjudication)
        }
    };
    let [one, other] = [one.end(), other.end()];
    if first.fault.is_some() {
        first.endings = [one, other];
    } else {
        second.endings = [other, one];
    }
    [first, second]
}

/// Returns the second game of a match that was lost by a fault in the first game.
fn forfeited(opening: &dyn GameState, loser: Side, fault: &Fault) -> Played {
    let detail = format!("the match was lost in its first game: {}", fault.detail);
    Played {
        game: opening.copy(),
        opening_plies: opening.texts().len(),
        scores: Vec::new(),
        times: Vec::new(),
        end: opening.forfeit(loser),
        fault: Some((loser, Fault::new(fault.kind, detail))),
        adjudication: None,
        usage: Default::default(),
        endings: Default::default(),
    }
}

/// Plays one game without ending the players.
fn play_one(
    seats: [&mut dyn Seat; 2],
    opening: &dyn GameState,
    match_scores: [MatchScore; 2],
    adjudication: &Adjudication,
) -> Played {
    let mut game = opening.copy();
    let (mut scores, mut times) = (Vec::new(), Vec::new());
    let [first, second] = seats;
    let before = [first.usage(), second.usage()];
    let played = match begin([first, second], opening, match_scores) {
        Some(fault) => Err(fault),
        None => play_on([first, second], game.as_mut(), (&mut scores, &mut times), adjudication),
    };
    let (end, fault, adjudication) = match played {
        Ok((end, adjudication)) => (end, None, adjudication),
        Err((side, fault)) => (game.forfeit(side), Some((side, fault)), None),
    };
    Played {
        opening_plies: opening.texts().len(),
        game,
        scores,
        times,
        end,
        fault,
        adjudication,
        usage: [first.usage().since(&before[0]), second.usage().since(&before[1])],
        endings: Default::default(),
    }
}

fn begin(
    seats: [&mut dyn Seat; 2],
    opening: &dyn GameState,
    match_scores: [MatchScore; 2],
) -> Option<(Side, Fault)> {
    let mut begun = seats.into_iter().zip(Side::ALL).zip(match_scores);
    begun.find_map(|((seat, side), score)| {
        seat.begin(side, opening, score).err().map(|fault| (side, fault))
    })
}

/// Asks for moves until the game is over, and adds the scores and times of the answers. Returns the result, with a
/// reason if it was adjudicated, or the fault and its side as an error.
fn play_on(
    seats: [&mut dyn Seat; 2],
    game: &mut dyn GameState,
    (scores, times): (&mut Vec<Option<Score>>, &mut Vec<Duration>),
    adjudication: &Adjudication,
) -> Result<(End, Option<String>), (Side, Fault)> {
    loop {
        if let Some(end) = game.end() {
            return Ok((end, None));
        }
        if let Some((end, reason)) = adjudication.result(game, scores) {
            return Ok((end, Some(reason)));
        }
        let side = game.side();
        if !can_move(game) {
            return Err((side, Fault::new(FaultKind::NoMove, "no legal move")));
        }
        let seat = &mut *seats[side.index()];
        let before = seat.usage().wall;
        let answered = seat.answer(game);
        let played = answered.and_then(|answer| play_answer(game, answer));
        scores.push(played.map_err(|fault| (side, fault))?);
        times.push(seat.usage().wall.saturating_sub(before));
    }
}

/// Plays a player's answer and returns the reported score.
pub fn play_answer(game: &mut dyn GameState, answer: Answer) -> Result<Option<Score>, Fault> {
    let Answer { text, score } = answer;
    game.play(&text).map_err(|Refused { is_move, reason }| {
        let kind = if is_move { FaultKind::Illegal } else { FaultKind::Garbage };
        let detail = format!("{text:?}: {reason}");
        Fault { answer: Some(text.clone()), ..Fault::new(kind, detail) }
    })?;
    Ok(score)
}
