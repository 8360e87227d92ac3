//! Moves of a weak player, who looks one move ahead and overlooks things.

use super::handmade;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::see::{see_at_least, EXCHANGE_VALUE};
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::{Colour, Kind, Move, Square};
use crate::tools::contracts::sight::Sight;

/// Distance assumed for a drop, whose piece comes from the hand.
const DROP_DISTANCE: f64 = 2.5;
/// Own captures are seen as if they were nearer by this factor.
const OWN: f64 = 0.5;
/// Maximum error of the judgement of a move and maximum preference, in hundredths of a piece.
const ERROR: f64 = 150.0;
const TASTE: f64 = 12.0;
/// Value of the wazir, in hundredths of a piece.
const WAZIR: f64 = 5_000.0;
/// A captured piece changes sides, so that it counts twice.
const SWING: f64 = 2.0;
/// Number of answers to Red's setup that are good enough, by their positions before the first move.
const ANSWERS: usize = 5;

/// Returns the move of a player with this sight.
pub fn casual_move(game: &Game, sight: &Sight) -> Option<String> {
    let side = game.side();
    let Some(position) = game.position() else {
        return Some(casual_setup(game.setups().first(), sight).text(side));
    };
    let mut best: Option<(f64, Move)> = None;
    movegen::pseudo_legal(position, |mv| {
        if let Some(value) = value(position, mv, sight) {
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, mv));
            }
        }
    });
    best.map(|(_, mv)| mv.text(side).to_string())
}

/// Chooses a setup of the book: any for Red, a good answer for Blue.
fn casual_setup(red: Option<&Setup>, sight: &Sight) -> Setup {
    let mut rng = sight.rng();
    let Some(red) = red else {
        let setups: Vec<Setup> = setup::book(Colour::Red).collect();
        return setups.get(rng.below(setups.len())).copied().unwrap_or_else(setup::first);
    };
    let mut answers: Vec<Setup> = setup::book(Colour::Blue).collect();
    // After a move of Red that changes little, the pieces that are attacked are worth less.
    answers.sort_by_cached_key(|blue| {
        Game::from_setups(*red, *blue).position().map_or(0, |position| {
            let loss = worst_reply(position, &Sight::new(1.0, 0));
            handmade::evaluate(position) + loss as i32
        })
    });
    answers.truncate(ANSWERS);
    let chosen = answers.get(rng.below(answers.len()));
    chosen.copied().unwrap_or_else(|| setup::for_side(&setup::first(), Colour::Blue))
}

/// Returns the value of a move for its side, in hundredths of a piece; `None` if the player overlooks it.
fn value(position: &Position, mv: Move, sight: &Sight) -> Option<f64> {
    let captured = position.captured_kind(mv);
    if captured.is_some() && !sight.sees(thing(mv), OWN * distance(mv)) {
        return None;
    }
    if captured == Some(Kind::Wazir) {
        return Some(f64::INFINITY);
    }
    let next = position.make(mv);
    let judged = ERROR * sight.error(thing(mv)) + TASTE * sight.taste(thing(mv));
    Some(judged - f64::from(handmade::evaluate(&next)) - worst_reply(&next, sight))
}

/// Returns the highest loss by a capture of the side to move that the other side sees.
fn worst_reply(position: &Position, sight: &Sight) -> f64 {
    let mut worst = 0.0;
    movegen::pseudo_legal(position, |reply| {
        let Some(kind) = position.captured_kind(reply) else { return };
        if !sight.sees_threat(thing(reply), distance(reply)) {
            return;
        }
        let value = EXCHANGE_VALUE[kind.index()];
        let loss = match kind {
            Kind::Wazir => WAZIR,
            _ if see_at_least(position, reply, value) => SWING * f64::from(value),
            _ if see_at_least(position, reply, 1) => SWING * f64::from(value) / 4.0,
            _ => 0.0,
        };
        worst = f64::max(worst, loss);
    });
    worst
}

/// Identifies a move for the sight.
fn thing(mv: Move) -> u64 {
    (mv.origin_index() * 64 + mv.to().index()) as u64
}

fn distance(mv: Move) -> f64 {
    let steps = |from: Square| {
        from.row().abs_diff(mv.to().row()).max(from.column().abs_diff(mv.to().column())) as f64
    };
    mv.from().map_or(DROP_DISTANCE, steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::games::zero_point_one::game::Outcome;
    use crate::tools::contracts::levels::Style;
    use crate::tools::labs::zero_point_one::ENTRY;

    #[test]
    fn setups_are_from_the_book_and_differ_by_seed() {
        let setups = |game: &Game| -> Vec<String> {
            let setup = |seed| casual_move(game, &Sight::new(0.7, seed)).expect("a setup");
            let mut all: Vec<String> = (0..30).map(setup).collect();
            all.sort();
            all.dedup();
            all
        };
        let mut game = Game::new();
        let reds = setups(&game);
        assert!(reds.len() > 5, "{reds:?}");
        game.set_up(setup::first());
        let blues = setups(&game);
        assert!((2..=ANSWERS).contains(&blues.len()), "{blues:?}");
        let book: Vec<String> =
            setup::book(Colour::Blue).map(|setup| setup.text(Colour::Blue)).collect();
        assert!(blues.iter().all(|blue| book.contains(blue)));
    }

    /// Returns the move of a player who takes the most valuable piece, or else moves at random.
    fn greedy_move(game: &Game, rng: &mut Rng) -> String {
        let position = game.position().expect("both setups");
        let mut moves = Vec::new();
        movegen::pseudo_legal(position, |mv| {
            let value = position.captured_kind(mv).map_or(0, |kind| EXCHANGE_VALUE[kind.index()]);
            moves.push((value, rng.next(), mv));
        });
        let best = moves.into_iter().max_by_key(|(value, tie, _)| (*value, *tie));
        best.map(|(_, _, mv)| mv.text(game.side()).to_string()).expect("a move")
    }

    /// Returns the points of the greedy player in games against a level, with both sides.
    fn points_of_greed(level: impl Fn(&Game, u64) -> String, games: u64) -> f64 {
        let mut points = 0.0;
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut game = Game::new();
            let greedy = if seed % 2 == 0 { Colour::Red } else { Colour::Blue };
            while game.outcome().is_none() {
                let text = match game.position() {
                    Some(_) if game.side() == greedy => greedy_move(&game, &mut rng),
                    Some(_) => level(&game, seed),
                    None => casual_move(&game, &Sight::new(1.0, seed)).expect("a setup"),
                };
                game.play(&text).expect("legal");
            }
            points += match game.outcome() {
                Some(Outcome::Won(winner)) => f64::from(u8::from(winner == greedy)),
                _ => 0.5,
            };
        }
        points
    }

    #[test]
    fn greed_loses_to_medium() {
        let [_, _, medium, ..] = ENTRY.strengths;
        let level = |strength| {
            move |game: &Game, seed| {
                let style = Style { strength, seed };
                style.casual_move_in(game).expect("a move")
            }
        };
        assert!(points_of_greed(level(medium), 20) < 5.0);
    }
}
