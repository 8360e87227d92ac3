//! Rules of Zuniq for the tools.

use super::casual;
use crate::engine::rng::Rng;
use crate::games::zuniq::game::{self, Game, GameError, CLAIM};
use crate::games::zuniq::segment::{Segment, SegmentError};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::sight::Sight;
use crate::tools::contracts::{End, Fact, GameState, Refused, Rules, Side};
use anyhow::{ensure, Result};

/// The game's sides, in the order of [`Side::ALL`].
const COLOURS: [game::Side; 2] = [game::Side::White, game::Side::Black];

/// Points of the winner, without the bonus.
const WIN_POINTS: f64 = 100.0;
/// Points of a loser that made no claim.
const LOSS_POINTS: f64 = 50.0;

/// Name of the fact that counts correct claims in a match.
pub const RIGHT_CLAIMS: &str = "claims right";
/// Name of the fact that counts false claims in a match.
pub const FALSE_CLAIMS: &str = "claims false";
/// Name of the fact that sums the bonuses in a match.
pub const BONUS: &str = "bonus";

/// The rules in the registry.
pub static RULES: Rules = Rules {
    id: "zuniq",
    name: "zuniq",
    title: "Zuniq",
    sides: ["white", "black"],
    marks: &[CLAIM],
    end_reasons: &["stuck"],
    begin: |start| Ok(Box::new(begin(start)?)),
};

/// Creates a game. Returns an error if there is a start position.
pub fn begin(start: Option<&str>) -> Result<Game> {
    ensure!(start.is_none(), "games of Zuniq have no start position");
    Ok(Game::new())
}

/// Replays the game of a record. Returns an error at an illegal move.
pub fn game_of(record: &Record) -> Result<Game> {
    record.replay_as(begin)
}

impl GameState for Game {
    fn copy(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        if self.winner().is_some() {
            let reason = "the game is over, expected Quit".to_string();
            return Err(Refused { is_move: true, reason });
        }
        Game::play(self, text).map_err(|error| {
            let is_move = error != GameError::Notation(SegmentError::Format);
            Refused { is_move, reason: error.to_string() }
        })
    }

    fn texts(&self) -> Vec<String> {
        let claims = COLOURS.map(|side| self.claim(side));
        let text = |(index, segment): (usize, &Segment)| {
            let mut text = segment.to_string();
            text.extend(claims.contains(&Some(index + 1)).then_some(CLAIM));
            text
        };
        self.moves().iter().enumerate().map(text).collect()
    }

    fn side(&self) -> Side {
        Game::side(self).into()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let moves: Vec<Segment> = Segment::each(self.position().legal()).collect();
        moves.get(rng.below(moves.len())).map(Segment::to_string)
    }

    fn casual_move(&self, sight: &Sight) -> Option<String> {
        casual::casual_move(self, sight).map(|wall| wall.to_string())
    }

    fn end(&self) -> Option<End> {
        Some(won(self, self.winner()?.into(), LOSS_POINTS, "stuck"))
    }

    fn forfeit(&self, loser: Side) -> End {
        won(self, !loser, 0.0, "fault")
    }
}

/// Returns the end of a won game. `loser_points` are the points of a loser without a claim. A correct claim earns a
/// bonus; a false claim loses all points.
fn won(game: &Game, winner: Side, loser_points: f64, reason: &'static str) -> End {
    let mut end = End::new(Some(winner), [0.0; 2], reason);
    for side in Side::ALL {
        let points = &mut end.points[side.index()];
        *points = if side == winner { WIN_POINTS } else { loser_points };
        let Some(number) = game.claim(COLOURS[side.index()]) else { continue };
        let facts = &mut end.facts[side.index()];
        if side == winner {
            let bonus = game::bonus(number);
            *points += bonus;
            facts.extend([Fact::new(RIGHT_CLAIMS, 1.0), Fact::new(BONUS, bonus)]);
        } else {
            *points = 0.0;
            facts.push(Fact::fault(FALSE_CLAIMS));
        }
    }
    end
}

impl From<game::Side> for Side {
    fn from(side: game::Side) -> Side {
        match side {
            game::Side::White => Side::First,
            game::Side::Black => Side::Second,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a random game in which both sides claim with these moves.
    fn random_game(seed: u64, claims: &[usize]) -> Game {
        let mut rng = Rng::new(seed);
        let mut game = Game::new();
        while let Some(mut text) = game.random_move(&mut rng) {
            text.extend(claims.contains(&(game.ply() + 1)).then_some(CLAIM));
            GameState::play(&mut game, &text).expect("a legal move");
        }
        game
    }

    /// Returns the points of White and of Black in a game that is over.
    fn points(game: &Game) -> [f64; 2] {
        let winner = game.winner().expect("the game is over");
        COLOURS.map(|side| match game.claim(side) {
            Some(number) if side == winner => 100.0 + game::bonus(number),
            Some(_) => 0.0,
            None if side == winner => 100.0,
            None => 50.0,
        })
    }

    #[test]
    fn points_depend_on_winner_and_claims() {
        for seed in 0..200 {
            for claims in [&[][..], &[21], &[20, 33], &[22, 23, 35], &[1, 2]] {
                let game = random_game(seed, claims);
                let end = game.end().expect("the game is over");
                assert_eq!(end.points, points(&game));
            }
        }
    }

    #[test]
    fn texts_contain_the_claims_and_replay_the_game() {
        let game = random_game(1, &[20, 21, 30]);
        let texts = game.texts();
        let marked: Vec<usize> =
            (1..).zip(&texts).filter(|(_, text)| text.ends_with('!')).map(|(n, _)| n).collect();
        assert_eq!(marked, [20, 21], "only a side's first claim counts");
        let mut again = Game::new();
        assert!(texts.iter().all(|text| GameState::play(&mut again, text).is_ok()));
        assert_eq!(again.end(), game.end());
        assert!(GameState::play(&mut again, "A1h").is_err(), "the game is over");
    }

    #[test]
    fn a_fault_loses_all_points() {
        let mut game = Game::new();
        assert!(["A1h!", "A2h"].iter().all(|text| GameState::play(&mut game, text).is_ok()));
        let points = |loser| GameState::forfeit(&game, loser).points;
        assert_eq!(points(Side::Second), [110.0, 0.0]);
        assert_eq!(points(Side::First), [0.0, 100.0]);
        assert!(!GameState::play(&mut game, "hello").unwrap_err().is_move);
        assert!(GameState::play(&mut game, "A1h").unwrap_err().is_move);
        assert!(GameState::play(&mut game, "G9h").unwrap_err().is_move);
    }
}
