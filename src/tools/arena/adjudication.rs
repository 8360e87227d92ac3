//! Adjudication: ends a game early if the players' scores leave no doubt, or if it lasts too long.

use crate::engine::score::Score;
use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::contracts::{End, GameState};
use crate::tools::support::text::count_of;
use crate::tools::support::units::integer;
use anyhow::{ensure, Result};
use serde::Serialize;
use std::str::FromStr;

/// Rules by which games end early. None applies by default.
#[derive(clap::Args, Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Adjudication {
    /// A player loses that reported -N or less for M of its moves in a row (hundredths of a piece)
    #[arg(long, value_name = "score=N,moves=M")]
    #[serde(skip_serializing_if = "Option::is_none")]
    resign: Option<Resign>,
    /// The game is drawn if, from move K on, both players reported from -N to N for M moves in a row
    #[arg(long, value_name = "from=K,score=N,moves=M")]
    #[serde(skip_serializing_if = "Option::is_none")]
    draw: Option<Draw>,
    /// The game is drawn after N moves of each side
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..=100_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_moves: Option<u64>,
}

/// Adjudication of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Resign {
    score: Score,
    moves: usize,
}

/// Adjudication of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Draw {
    from: usize,
    score: Score,
    moves: usize,
}

impl FromStr for Resign {
    type Err = String;

    fn from_str(text: &str) -> Result<Resign, String> {
        let [score, moves] = numbers(text, ["score", "moves"])?;
        Ok(Resign { score: score as Score, moves })
    }
}

impl FromStr for Draw {
    type Err = String;

    fn from_str(text: &str) -> Result<Draw, String> {
        let [from, score, moves] = numbers(text, ["from", "score", "moves"])?;
        Ok(Draw { from, score: score as Score, moves })
    }
}

/// Parses `NAME=NUMBER,...` with each of these names once, in any order.
fn numbers<const N: usize>(text: &str, names: [&str; N]) -> Result<[usize; N], String> {
    let expected = || {
        format!("expected {}, numbers from 1 to 30000", names.map(|n| format!("{n}=N")).join(","))
    };
    let pairs: Vec<(&str, usize)> = text
        .split(',')
        .filter_map(|pair| {
            let (name, number) = pair.split_once('=')?;
            let number = number.parse().ok().filter(|number| (1..=30_000).contains(number))?;
            Some((name, number))
        })
        .collect();
    if text.split(',').count() != N || pairs.len() != N {
        return Err(expected());
    }
    let mut found = [0; N];
    for (name, number) in names.iter().zip(&mut found) {
        *number = pairs.iter().find(|(other, _)| other == name).ok_or_else(expected)?.1;
    }
    Ok(found)
}

impl Adjudication {
    /// Whether no game is adjudicated.
    pub fn is_off(&self) -> bool {
        *self == Adjudication::default()
    }

    /// Fails if the game has no such results.
    pub fn ensure_fits(&self, game: &Entry) -> Result<()> {
        let has_winner = game.comparison == Comparison::Elo;
        let title = game.rules.title;
        ensure!(has_winner || self.resign.is_none(), "--resign: {title} has no winner");
        let is_drawn = self.draw.is_some() || self.max_moves.is_some();
        let has_draws = (game.rules.begin)(None)?.draw().is_some();
        ensure!(has_draws || !is_drawn, "--draw, --max-moves: {title} has no draws");
        Ok(())
    }

    /// Returns the result of a running game and its reason in words, if a rule applies after the last move. `scores`
    /// are those reported with the moves so far, each from the mover's view.
    pub fn result(&self, game: &dyn GameState, scores: &[Option<Score>]) -> Option<(End, String)> {
        let all_last = |count, step, is_met: &dyn Fn(Score) -> bool| {
            let last = scores.iter().rev().step_by(step).take(count);
            last.filter(|score| score.is_some_and(is_met)).count() == count
        };
        if let Some(Resign { score, moves }) = self.resign {
            if all_last(moves, 2, &|own| own <= -score) {
                let why = format!(
                    "the loser's score was -{score} or less for {}",
                    count_of(moves, "move")
                );
                return Some((game.forfeit(!game.side()), why));
            }
        }
        let is_past = |moves: usize| game.ply() >= 2 * moves;
        if let Some(Draw { from, score, moves }) = self.draw {
            if is_past(from) && all_last(2 * moves, 1, &|own| own.abs() <= score) {
                let why =
                    format!("both scores were within {score} for {}", count_of(moves, "move"));
                return Some((game.draw()?, why));
            }
        }
        let most = self.max_moves.filter(|&most| is_past(most as usize))?;
        Some((game.draw()?, format!("after {}", count_of(most, "move"))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::tools::contracts::Side;
    use crate::tools::labs::registry::main_game;

    #[test]
    fn options_are_named_numbers_in_any_order() {
        assert_eq!("moves=4,score=600".parse(), Ok(Resign { score: 600, moves: 4 }));
        let draw = Draw { from: 40, score: 10, moves: 8 };
        assert_eq!("from=40,score=10,moves=8".parse(), Ok(draw));
        for text in
            ["", "600", "score=600", "score=0,moves=4", "score=1,score=2", "score=1,moves=x"]
        {
            let error = text.parse::<Resign>().expect_err(text);
            assert_eq!(error, "expected score=N,moves=N, numbers from 1 to 30000", "{text}");
        }
        assert!("score=1,moves=2,from=3,from=4".parse::<Draw>().is_err());
    }

    #[test]
    fn scores_and_lengths_decide_games() {
        let mut game = (main_game().rules.begin)(None).expect("a game");
        let mut rng = Rng::new(1);
        for _ in 0..5 {
            let text = game.random_move(&mut rng).expect("a move");
            game.play(&text).expect("legal");
        }
        // The first side moved last.
        let resign = Some(Resign { score: 500, moves: 2 });
        let draw = |from| Some(Draw { from, score: 10, moves: 2 });
        let off = Adjudication::default();
        let [lost, drawn] = [Some(Some(Side::Second)), Some(None)];
        let cases = [
            (off, [-900, 900, -900, 900, -900].map(Some), None),
            (Adjudication { resign, ..off }, [9, 9, -500, -900, -700].map(Some), lost),
            (Adjudication { resign, ..off }, [-900, -900, -499, -900, -700].map(Some), None),
            (Adjudication { resign, ..off }, [Some(-900), None, None, None, Some(-900)], None),
            (Adjudication { draw: draw(2), ..off }, [99, -10, 10, 0, 3].map(Some), drawn),
            (Adjudication { draw: draw(3), ..off }, [0; 5].map(Some), None),
            (Adjudication { draw: draw(2), ..off }, [0, 11, 0, 0, 0].map(Some), None),
            (
                Adjudication { draw: draw(2), ..off },
                [Some(0), Some(0), None, Some(0), Some(0)],
                None,
            ),
            (Adjudication { max_moves: Some(2), ..off }, [None; 5], drawn),
            (Adjudication { max_moves: Some(3), ..off }, [None; 5], None),
        ];
        for (rules, scores, expected) in cases {
            let found = rules.result(game.as_ref(), &scores);
            assert_eq!(found.map(|(end, _)| end.winner), expected, "{rules:?} {scores:?}");
        }
        let resign = Adjudication { resign, ..off };
        assert!(resign.result(game.as_ref(), &[Some(-900); 1]).is_none(), "too few moves");
    }
}
