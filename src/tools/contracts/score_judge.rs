//! Judges the moves of a game by the scores of an alpha-beta search.

use super::analysis::{Mark, Options, DEFAULT_BLUNDER};
use super::record::for_first;
use super::review::{review, Judge, Rating};
use super::score_note::{height, ScoreNote};
use super::Side;
use crate::engine::alpha_beta::SearchResult;
use crate::engine::budget::Limits;
use crate::engine::score::{self, Score};
use std::ops::RangeInclusive;

/// Scores are clamped to plus or minus this value, in hundredths, before losses are computed: a change of the score
/// within a decided game is not a mistake.
const CLEAR_ADVANTAGE: Score = 1_000;

/// Finding in a position of a game under review.
pub enum Examined<M> {
    /// The game is over, with this score for the side to move.
    Over(Score),
    /// The position was searched.
    Searched {
        /// The side to move.
        side: Side,
        /// Result of the search.
        found: SearchResult<M>,
        /// The move played.
        played: Option<M>,
        /// Note on the move, without its loss.
        note: ScoreNote,
    },
}

impl<M> Examined<M> {
    /// Returns the score for the side to move.
    fn score(&self) -> Score {
        match self {
            Examined::Over(score) => *score,
            Examined::Searched { found, .. } => found.score,
        }
    }

    /// Replaces the score for the side to move.
    fn set_score(&mut self, score: Score) {
        if let Examined::Searched { side, found, note, .. } = self {
            found.score = score;
            note.score = for_first(score, *side);
        }
    }

    /// Keeps a win that the move played is proved to reach, if the search did not find it or only a slower one.
    fn keep_win(&mut self, after: &Examined<M>)
    where
        M: Copy,
    {
        let reached = score_before(after.score());
        if reached <= self.score().max(score::MAX_EVAL) {
            return;
        }
        self.set_score(reached);
        if let Examined::Searched { found, played, note, .. } = self {
            found.best = *played;
            let rest = match after {
                Examined::Over(_) => &[][..],
                Examined::Searched { note, .. } => &note.line,
            };
            note.line = note.mv.iter().chain(rest).cloned().collect();
        }
    }
}

/// Searches the position before the move with a number, within limits; `None`: there is no such position.
pub type Look<'a, M> = dyn FnMut(usize, Limits) -> Option<Examined<M>> + 'a;

/// Returns the notes on moves.
pub fn notes<M: Copy + PartialEq>(
    plies: RangeInclusive<usize>,
    options: &Options,
    look: &mut Look<M>,
) -> Vec<ScoreNote> {
    let blunder = options.blunder.map_or(DEFAULT_BLUNDER, f64::from);
    let found = review(&mut Scores { look, blunder, nodes: 0 }, plies, options);
    let note = |(examined, rating): (Examined<M>, Option<Rating>)| match examined {
        Examined::Over(_) => None,
        Examined::Searched { note, .. } => Some(ScoreNote {
            loss: rating.map(|rating| rating.loss as Score),
            mark: rating.and_then(|rating| rating.mark),
            is_certain: rating.is_some_and(|rating| rating.proved && rating.mark.is_some()),
            ..note
        }),
    };
    found.into_iter().filter_map(note).collect()
}

/// Judges positions by the scores of a search.
struct Scores<'a, 'b, M> {
    look: &'a mut Look<'b, M>,
    /// Loss of a blunder, in percent of the probability of winning.
    blunder: f64,
    nodes: u64,
}

impl<M: Copy + PartialEq> Judge for Scores<'_, '_, M> {
    type Found = Examined<M>;

    fn look(
        &mut self,
        ply: usize,
        limits: Limits,
        after: Option<&Examined<M>>,
    ) -> Option<Examined<M>> {
        let mut examined = (self.look)(ply, limits)?;
        if let Examined::Searched { found, .. } = &examined {
            self.nodes += found.nodes;
        }
        if let Some(after) = after {
            examined.keep_win(after);
        }
        Some(examined)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn is_proved(found: &Examined<M>) -> bool {
        match found {
            Examined::Over(_) => true,
            Examined::Searched { found, .. } => score::is_decisive(found.score),
        }
    }

    /// After any move in a lost position the opponent wins, and after the best move in a won one the opponent loses.
    fn carry(before: &Examined<M>, after: &mut Examined<M>) {
        let Examined::Searched { found, played, .. } = before else { return };
        let Some(plies) = score::plies_to_end(found.score).filter(|plies| *plies > 0) else {
            return;
        };
        if found.score < 0 {
            after.set_score(score::win_in(plies - 1));
        } else if found.best == *played {
            after.set_score(score::lost_in(plies - 1));
        }
    }

    fn rate(&self, before: &Examined<M>, after: Option<&Examined<M>>) -> Option<Rating> {
        let Examined::Searched { found, played: Some(played), .. } = before else { return None };
        let Some(after) = after.filter(|_| found.best != Some(*played)) else {
            return Some(Rating::default());
        };
        let (loss, mark) = assess(found.score, score_before(after.score()), self.blunder);
        let proved = Self::is_proved(before) && Self::is_proved(after);
        Some(Rating { loss: f64::from(loss), mark, proved })
    }
}

/// Converts the opponent's score after a move to the mover's score before it.
fn score_before(next: Score) -> Score {
    // A win in n plies from there is a win in n + 1 plies from here.
    score::from_root(-next, 1)
}

/// Returns the loss of a move worth `after` when the best one is worth `best`, both from the mover's point of view, and
/// its mark.
pub fn assess(best: Score, after: Score, blunder: f64) -> (Score, Option<Mark>) {
    let within = |score: Score| score.clamp(-CLEAR_ADVANTAGE, CLEAR_ADVANTAGE);
    let loss = (within(best) - within(after)).max(0);
    let won = |score: Score| score > score::MAX_EVAL;
    let percent = 50.0 * (height(best) - height(after));
    (loss, Mark::of(percent, blunder, won(best), won(-after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_judged_by_their_loss() {
        let win = score::win_in(5);
        let loss = score::lost_in(4);
        let assess = |best, after| assess(best, after, 15.0);
        assert_eq!(assess(50, 40), (10, None));
        assert_eq!(assess(50, -30), (80, Some(Mark::Inaccuracy)));
        assert_eq!(assess(50, -110), (160, Some(Mark::Mistake)));
        assert_eq!(assess(50, -200), (250, Some(Mark::Blunder)));
        assert_eq!(assess(win, 300).1, Some(Mark::MissedWin));
        assert_eq!(assess(300, loss).1, Some(Mark::AllowedWin));
        assert_eq!(assess(win, loss).1, Some(Mark::AllowedWin));
        // A slower win is still a win, a lost game can't be lost again, and a better move costs nothing.
        assert_eq!(assess(win, score::win_in(9)), (0, None));
        assert_eq!(assess(loss, score::lost_in(2)), (0, None));
        assert_eq!(assess(-100, 100), (0, None));
        // In a decided position a change of the score is not a mistake, nor is a loss that becomes certain.
        assert_eq!(assess(5_000, 2_000), (0, None));
        assert_eq!(assess(win, 1_500).1, None);
        assert_eq!(assess(-1_500, loss).1, None);
    }

    #[test]
    fn win_distances_include_the_move_itself() {
        assert_eq!(score_before(score::lost_in(2)), score::win_in(3));
        assert_eq!(score_before(score::win_in(1)), score::lost_in(2));
        assert_eq!(score_before(70), -70);
    }

    fn examined(score: Score, best: u8, played: Option<u8>) -> Examined<u8> {
        let found = SearchResult { best: Some(best), score, depth: 3, nodes: 9, line: vec![best] };
        let note = ScoreNote { mv: played.map(|mv| mv.to_string()), score, ..ScoreNote::default() };
        Examined::Searched { side: Side::First, found, played, note }
    }

    #[test]
    fn the_best_move_has_no_loss() {
        let judge = Scores { look: &mut |_, _| None, blunder: 15.0, nodes: 0 };
        let judged = |played, next: Option<Score>| {
            let after = next.map(|score| examined(score, 1, None));
            let rating = judge.rate(&examined(50, 7, played), after.as_ref());
            rating.map(|rating| (rating.loss as Score, rating.mark))
        };
        assert_eq!(judged(Some(7), Some(400)), Some((0, None)));
        assert_eq!(judged(Some(8), Some(-30)), Some((20, None)));
        assert_eq!(judged(Some(8), Some(170)), Some((220, Some(Mark::Mistake))));
        assert_eq!(judged(Some(8), Some(220)), Some((270, Some(Mark::Blunder))));
        assert_eq!(judged(Some(8), None), Some((0, None)));
        assert_eq!(judged(None, Some(10)), None);
    }

    #[test]
    fn proofs_are_carried_in_both_directions() {
        let mut before = examined(30, 7, Some(8));
        before.keep_win(&examined(score::lost_in(4), 1, None));
        assert_eq!(before.score(), score::win_in(5));
        let mut after = examined(-20, 1, None);
        Scores::carry(&before, &mut after);
        assert_eq!(after.score(), score::lost_in(4), "the move played has become the best one");
        let mut after = examined(-20, 1, None);
        Scores::carry(&examined(score::lost_in(6), 7, Some(8)), &mut after);
        assert_eq!(after.score(), score::win_in(5));
        let mut after = examined(-20, 1, None);
        Scores::carry(&examined(score::win_in(5), 7, Some(8)), &mut after);
        assert_eq!(after.score(), -20, "another move may not win");
    }
}
