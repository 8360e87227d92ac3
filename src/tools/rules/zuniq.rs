//! Zuniq.

use super::{Claim, End, Points, Refused, Rules, Side, WINS};
use crate::engine::rng::Rng;
use crate::games::zuniq::game::{self, Game, GameError, CLAIM, LOSS_POINTS, WIN_POINTS};
use crate::games::zuniq::segment::{Segment, SegmentError};

/// The sides as the game knows them.
const COLOURS: [game::Side; 2] = [game::Side::White, game::Side::Black];

impl Rules for Game {
    const NAME: &'static str = "zuniq";
    const SIDES: [&'static str; 2] = ["white", "black"];
    const CLAIM_MARK: Option<char> = Some(CLAIM);

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        if self.winner().is_some() {
            let reason = "the game is over, expected Quit".to_string();
            return Err(Refused { is_move: true, reason });
        }
        Game::play(self, text).map_err(|error| {
            let is_move = error != GameError::Notation(SegmentError::Form);
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

    fn ply(&self) -> usize {
        Game::ply(self)
    }

    fn to_move(&self) -> Side {
        Side::from(self.side())
    }

    fn end(&self) -> Option<End> {
        Some(End { winner: Some(self.winner()?.into()), reason: WINS[1] })
    }

    fn can_move(&self) -> bool {
        self.position().legal() != 0
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let moves: Vec<Segment> = Segment::each(self.position().legal()).collect();
        moves.get(rng.below(moves.len())).map(Segment::to_string)
    }

    fn points(&self, winner: Option<Side>, failed: bool) -> [Points; 2] {
        Side::ALL.map(|side| {
            let won = winner == Some(side);
            let claim = self
                .claim(COLOURS[side.index()])
                .map(|number| Claim { number, bonus: won.then(|| game::bonus(number) as u64) });
            let total = match claim {
                Some(Claim { bonus: Some(bonus), .. }) => WIN_POINTS as u64 + bonus,
                Some(Claim { bonus: None, .. }) => 0,
                None if won => WIN_POINTS as u64,
                None if failed => 0,
                None => LOSS_POINTS as u64,
            };
            Points { total, claim }
        })
    }
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

    /// A random game in which both sides claim with these moves.
    fn random_game(seed: u64, claims: &[usize]) -> Game {
        let mut rng = Rng::new(seed);
        let mut game = Game::new();
        while let Some(mut text) = game.random_move(&mut rng) {
            text.extend(claims.contains(&(game.ply() + 1)).then_some(CLAIM));
            Rules::play(&mut game, &text).expect("a legal move");
        }
        game
    }

    #[test]
    fn points_agree_with_the_game_where_it_went_to_its_end() {
        for seed in 0..200 {
            for claims in [&[][..], &[21], &[20, 33], &[22, 23, 35], &[1, 2]] {
                let game = random_game(seed, claims);
                let end = game.end().expect("over");
                let points = Rules::points(&game, end.winner, false);
                assert_eq!(Some(points.map(|points| points.total as f64)), game.points());
            }
        }
    }

    #[test]
    fn texts_carry_the_claims_and_play_the_same_game() {
        let game = random_game(1, &[20, 21, 30]);
        let texts = game.texts();
        let marked: Vec<usize> =
            (1..).zip(&texts).filter(|(_, text)| text.ends_with('!')).map(|(n, _)| n).collect();
        assert_eq!(marked, [20, 21], "only a side's first claim counts");
        let mut again = Game::new();
        assert!(texts.iter().all(|text| Rules::play(&mut again, text).is_ok()));
        assert_eq!(again.points(), game.points());
        assert!(Rules::play(&mut again, "A1h").is_err(), "the game is over");
    }

    #[test]
    fn faults_cost_the_loser_everything() {
        let mut game = Game::new();
        assert!(["A1h!", "A2h"].iter().all(|text| Rules::play(&mut game, text).is_ok()));
        let totals = |winner| Rules::points(&game, Some(winner), true).map(|points| points.total);
        assert_eq!(totals(Side::First), [110, 0]);
        assert_eq!(totals(Side::Second), [0, 100]);
        assert!(!Rules::play(&mut game, "hello").unwrap_err().is_move);
        assert!(Rules::play(&mut game, "A1h").unwrap_err().is_move);
        assert!(Rules::play(&mut game, "G9h").unwrap_err().is_move);
    }
}
