//! Probabilities of win, draw and loss (UCI_ShowWDL), fitted on games between equal players: see docs/chess960.md.

use crate::engine::score::{is_decisive, Score};
use crate::games::chess960::position::Position;
use crate::games::chess960::types::{Colour, Kind};

/// Material of a piece by kind, in pawns.
const VALUES: [usize; 6] = [1, 3, 3, 5, 9, 0];
/// Material of both sides at the start, in pawns.
const FULL: f64 = 78.0;
/// Minimum material of the positions on which the model was fitted, in pawns.
const MIN: f64 = 10.0;
/// Score at which half of the games are won, in hundredths of a pawn: a polynomial of the share of the material.
const HALF: [f64; 3] = [430.6, -722.5, 367.2];
/// Spread of the scores around [`HALF`]: a polynomial of the share of the material.
const SPREAD: [f64; 3] = [32.3, 208.0, -154.4];

/// Returns the probabilities of a win, a draw and a loss, in thousandths that add up to 1000.
pub fn wdl(score: Score, position: &Position) -> [u32; 3] {
    if is_decisive(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let material = (material(position) as f64).clamp(MIN, FULL) / FULL;
    let at =
        |[constant, linear, square]: [f64; 3]| constant + material * (linear + material * square);
    let share = |score: Score| {
        let odds = (f64::from(score) - at(HALF)) / at(SPREAD);
        (1000.0 / (1.0 + (-odds).exp())).round() as u32
    };
    let (win, loss) = (share(score), share(-score));
    [win, 1000 - win - loss, loss]
}

/// Returns the material of both sides, in pawns.
fn material(position: &Position) -> usize {
    let count =
        |kind| Colour::ALL.iter().map(|&side| position.pieces(side, kind).count()).sum::<usize>();
    Kind::ALL.iter().zip(VALUES).map(|(&kind, value)| count(kind) * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::score::{lost_in, win_in, MAX_EVAL};
    use crate::games::chess960::position::CastlingRule;
    use crate::games::chess960::start;

    #[test]
    fn probabilities_add_up_and_rise_with_the_score() {
        let position = |fen| Position::from_fen(fen, CastlingRule::Fide).expect("a position");
        let ending = position("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1");
        for position in [start::classical(CastlingRule::Fide), ending] {
            let mut last = 0.0;
            for score in (-2000..=2000).step_by(50).chain([MAX_EVAL]) {
                let [win, draw, loss] = wdl(score, &position);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(wdl(-score, &position), [loss, draw, win]);
                let expected = f64::from(win) + f64::from(draw) / 2.0;
                assert!(expected >= last, "{score}");
                last = expected;
            }
            assert_eq!(wdl(win_in(7), &position), [1000, 0, 0]);
            assert_eq!(wdl(lost_in(8), &position), [0, 0, 1000]);
        }
        // In the ending fewer games are decided, by either side.
        let start = start::classical(CastlingRule::Fide);
        assert!(wdl(0, &start)[1] < 500 && wdl(0, &ending)[1] > 900);
        assert_eq!(material(&start::classical(CastlingRule::Fide)), FULL as usize);
    }
}
