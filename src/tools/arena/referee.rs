//! One game between two players: asks, checks the rules, names the winner.

use super::{Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::score::Score;
use crate::tools::contracts::judge::{Answer, MatchScore};
use crate::tools::contracts::{can_move, End, GameState, Refused, Side};

/// A finished game.
pub struct Played {
    /// What was played, the opening included.
    pub game: Box<dyn GameState>,
    /// The plies that the opening gave.
    pub opening_plies: usize,
    /// The movers' opinions after the opening, one a ply.
    pub scores: Vec<Option<Score>>,
    /// How it ended, by the rules or by the fault.
    pub end: End,
    /// Who failed, and why.
    pub fault: Option<(Side, Fault)>,
    /// What the game cost, the side that began first.
    pub usage: [Usage; 2],
    /// How the players went, the side that began first.
    pub endings: [Ending; 2],
}

/// Plays a game from an opening. The first seat is that of the side that begins.
pub fn play(seats: [&mut dyn Seat; 2], opening: &dyn GameState) -> Played {
    let [first, second] = seats;
    let mut played = play_one([first, second], opening, [MatchScore::START; 2]);
    played.endings = [first.end(), second.end()];
    played
}

/// Plays a match of two games from an opening: the first seat begins the first game, the second seat the
/// second one. A fault in the first game loses the second one too.
pub fn play_match(seats: [&mut dyn Seat; 2], opening: &dyn GameState) -> [Played; 2] {
    let [one, other] = seats;
    let mut first = play_one([one, other], opening, [MatchScore::START; 2]);
    let mut second = match &first.fault {
        Some((side, fault)) => forfeited(opening, !*side, fault),
        None => {
            // Contests with matches count in whole numbers.
            let [points, others] = first.end.points.map(|points| points as i32);
            let scores = [[others, points], [points, others]];
            play_one([other, one], opening, scores.map(|points| MatchScore { game: 2, points }))
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

/// A game that is lost with its match before it has begun.
fn forfeited(opening: &dyn GameState, loser: Side, fault: &Fault) -> Played {
    let detail = format!("lost with the match: {}", fault.detail);
    Played {
        game: opening.copy(),
        opening_plies: opening.texts().len(),
        scores: Vec::new(),
        end: opening.forfeit(loser),
        fault: Some((loser, Fault::new(fault.kind, detail))),
        usage: Default::default(),
        endings: Default::default(),
    }
}

/// Plays a game between players that go on afterwards.
fn play_one(
    seats: [&mut dyn Seat; 2],
    opening: &dyn GameState,
    match_scores: [MatchScore; 2],
) -> Played {
    let mut game = opening.copy();
    let mut scores = Vec::new();
    let [first, second] = seats;
    let before = [first.usage(), second.usage()];
    let fault = match begin([first, second], opening, match_scores) {
        Some(fault) => Some(fault),
        None => play_on([first, second], game.as_mut(), &mut scores).err(),
    };
    let end = match (&fault, game.end()) {
        (Some((side, _)), _) => game.forfeit(*side),
        (None, Some(end)) => end,
        // Not reached: a game goes on until it ends or a side fails.
        (None, None) => End::new(None, [0.0; 2], ""),
    };
    Played {
        opening_plies: opening.texts().len(),
        game,
        scores,
        end,
        fault,
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

/// Asks for moves until the game is over. The error names the side that failed, and why.
fn play_on(
    seats: [&mut dyn Seat; 2],
    game: &mut dyn GameState,
    scores: &mut Vec<Option<Score>>,
) -> Result<(), (Side, Fault)> {
    while game.end().is_none() {
        let side = game.side();
        if !can_move(game) {
            return Err((side, Fault::new(FaultKind::NoMove, "the rules leave no move")));
        }
        let answered = seats[side.index()].answer(game);
        let played = answered.and_then(|answer| play_answer(game, answer));
        scores.push(played.map_err(|fault| (side, fault))?);
    }
    Ok(())
}

/// Plays what a player answered, and returns its score of the position.
fn play_answer(game: &mut dyn GameState, answer: Answer) -> Result<Option<Score>, Fault> {
    let Answer { text, score } = answer;
    game.play(&text).map_err(|Refused { is_move, reason }| {
        let kind = if is_move { FaultKind::Illegal } else { FaultKind::Garbage };
        Fault::new(kind, format!("{text:?}: {reason}"))
    })?;
    Ok(score)
}
