//! The review of a game: the same procedure for the command, the page and the hints of every game.
//!
//! The first pass searches all positions from the end backwards (retrograde analysis), each with a part of the effort
//! that the user allows for a move. A proof, i.e. a certain result, is carried to the positions before and after. The
//! second pass spends the rest on the moves that seem to be mistakes or blunders: it searches the positions before and
//! after them deeper, up to [`DEEPER`] times. A mark that is not proved is the milder one of both passes.

use super::analysis::{Mark, Options};
use crate::engine::budget::Limits;
use crate::engine::clock::Stopwatch;
use crate::tools::support::ctrl_c;
use crate::tools::support::progress_bar::moves_bar;
use std::ops::RangeInclusive;

/// Effort of a search of the first pass, as a fraction of the effort for a move.
const FIRST_PASS: f64 = 0.25;
/// Maximum effort of a search of the second pass, as a multiple of one of the first pass.
const DEEPER: f64 = 20.0;
/// Maximum number of rounds of the second pass: a deeper search may raise doubts about another move.
const ROUNDS: usize = 2;
/// Fraction of the unused effort of the later positions that an earlier one gets in the first pass.
const SAVED_PART: f64 = 0.5;

/// Judges the positions of a game.
pub trait Judge {
    /// The result of the search of a position.
    type Found;

    /// Searches the position before the move with this number. `after` is what was found in the position after the
    /// move. Returns `None` if there is no such position.
    fn look(
        &mut self,
        ply: usize,
        limits: Limits,
        after: Option<&Self::Found>,
    ) -> Option<Self::Found>;

    /// Returns the number of nodes searched so far.
    fn nodes(&self) -> u64;

    /// Whether the result of a position is proved.
    fn is_proved(found: &Self::Found) -> bool;

    /// Updates the result of a position by what the result of the position before it proves.
    fn carry(before: &Self::Found, after: &mut Self::Found);

    /// Rates the move between two positions. Returns `None` if no move was played.
    fn rate(&self, before: &Self::Found, after: Option<&Self::Found>) -> Option<Rating>;

    /// Returns the positions that must be searched to rate a move, by the numbers of the moves after them.
    fn needed(ply: usize) -> RangeInclusive<usize> {
        ply..=ply + 1
    }
}

/// Rating of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rating {
    /// Loss in the unit of the game.
    pub loss: f64,
    /// Mark of a bad move.
    pub mark: Option<Mark>,
    /// Whether the results before and after the move are proved.
    pub proved: bool,
}

/// Reviews moves of a game. Returns what was found before each move, in order, with the rating of the move. If the
/// review is interrupted, the first moves are missing.
pub fn review<J: Judge>(
    judge: &mut J,
    plies: RangeInclusive<usize>,
    options: &Options,
) -> Vec<(J::Found, Option<Rating>)> {
    let (from, to) = plies.into_inner();
    let count = J::needed(to).end() + 1 - from;
    let found = (0..count).map(|_| None).collect();
    let (first_marks, confirmed) = (Vec::new(), Vec::new());
    let mut review = Review { judge, options, from, to, found, spent: 0.0, first_marks, confirmed };
    review.first_pass();
    for _ in 0..ROUNDS {
        review.second_pass();
    }
    review.results()
}

struct Review<'a, J: Judge> {
    judge: &'a mut J,
    options: &'a Options,
    from: usize,
    to: usize,
    /// By position, beginning with `from`.
    found: Vec<Option<J::Found>>,
    /// Effort so far, in units of the effort for a move.
    spent: f64,
    /// Marks of the moves after the first pass.
    first_marks: Vec<Option<Mark>>,
    /// Moves that the second pass has searched deeper, with their marks before.
    confirmed: Vec<(usize, Option<Mark>)>,
}

impl<J: Judge> Review<'_, J> {
    fn first_pass(&mut self) {
        let bar = moves_bar(self.to + 1 - self.from, self.options.listener.as_ref());
        let positions = self.from..self.from + self.found.len();
        let mut granted = 0.0;
        for ply in positions.rev().take_while(|_| !ctrl_c::is_interrupted()) {
            self.look(ply, FIRST_PASS + SAVED_PART * f64::max(0.0, granted - self.spent));
            granted += FIRST_PASS;
            bar.inc(u64::from(ply <= self.to));
        }
        self.carry_proofs();
        self.first_marks = (self.from..=self.to).map(|ply| self.mark(ply)).collect();
        bar.finish_and_clear();
    }

    /// Searches the moves that seem to be mistakes or blunders again, and the last position if no move was played
    /// there.
    fn second_pass(&mut self) {
        let is_doubtful = |ply: &usize| {
            let is_clear = self.rating(*ply).is_some_and(|rating| {
                rating.proved || matches!(rating.mark, None | Some(Mark::Inaccuracy))
            });
            !is_clear && self.confirmed(*ply).is_none() && self.found[ply - self.from].is_some()
        };
        let mut doubtful: Vec<usize> = (self.from..=self.to).filter(is_doubtful).collect();
        while let Some(&ply) = doubtful.last().filter(|_| !ctrl_c::is_interrupted()) {
            let needed = J::needed(ply);
            let left = (self.found.len() as f64 - self.spent).max(0.0);
            let searches = (doubtful.len() * needed.clone().count()) as f64;
            let part = (left / searches).min(DEEPER * FIRST_PASS);
            if part <= FIRST_PASS {
                break;
            }
            let before = self.mark(ply);
            needed.rev().for_each(|ply| self.look(ply, part));
            self.confirmed.push((ply, before));
            doubtful.pop();
        }
        self.carry_proofs();
    }

    /// Searches a position unless it is proved.
    fn look(&mut self, ply: usize, part: f64) {
        let index = ply - self.from;
        let Some(slot) = self.found.get(index) else { return };
        if slot.as_ref().is_some_and(J::is_proved) {
            return;
        }
        let (watch, before) = (Stopwatch::start(), self.judge.nodes());
        let after = self.found.get(index + 1).and_then(Option::as_ref);
        if let Some(found) = self.judge.look(ply, self.options.limits(part), after) {
            self.found[index] = Some(found);
        }
        self.spent += self.options.efforts(self.judge.nodes() - before, watch.elapsed());
    }

    /// Carries proofs forwards. The searches carry them backwards.
    fn carry_proofs(&mut self) {
        for index in 1..self.found.len() {
            let (before, after) = self.found.split_at_mut(index);
            if let (Some(Some(before)), Some(Some(after))) = (before.last(), after.first_mut()) {
                if J::is_proved(before) && !J::is_proved(after) {
                    J::carry(before, after);
                }
            }
        }
    }

    /// Returns the mark that a move had before it was searched deeper; `None` if it was not.
    fn confirmed(&self, ply: usize) -> Option<Option<Mark>> {
        self.confirmed.iter().find(|(other, _)| *other == ply).map(|(_, mark)| *mark)
    }

    fn mark(&self, ply: usize) -> Option<Mark> {
        self.rating(ply)?.mark
    }

    fn rating(&self, ply: usize) -> Option<Rating> {
        let index = ply - self.from;
        let after = self.found.get(index + 1).and_then(Option::as_ref);
        self.judge.rate(self.found[index].as_ref()?, after)
    }

    fn results(mut self) -> Vec<(J::Found, Option<Rating>)> {
        let ratings: Vec<_> = (self.from..=self.to).map(|ply| self.final_rating(ply)).collect();
        let found = std::mem::take(&mut self.found).into_iter();
        found.zip(ratings).filter_map(|(found, rating)| Some((found?, rating))).collect()
    }

    /// Returns the rating of a move. If it is not proved, both passes must agree that it is as bad.
    fn final_rating(&self, ply: usize) -> Option<Rating> {
        let mut rating = self.rating(ply)?;
        if !rating.proved {
            let before = self.confirmed(ply).unwrap_or(self.first_marks[ply - self.from]);
            rating.mark = rating.mark.zip(before).map(|(now, before)| now.milder(before));
        }
        Some(rating)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::contracts::analysis::tests::options;

    /// A game in which every search finds the value of the position, in percent, only with enough nodes.
    struct Toy {
        shallow: Vec<f64>,
        deep: Vec<f64>,
        nodes: u64,
        looked: Vec<(usize, u64)>,
    }

    impl Judge for Toy {
        type Found = f64;

        fn look(&mut self, ply: usize, limits: Limits, _after: Option<&f64>) -> Option<f64> {
            let nodes = limits.hard_nodes.expect("a limit");
            self.nodes += nodes;
            self.looked.push((ply, nodes));
            let values = if nodes > 100 { &self.deep } else { &self.shallow };
            values.get(ply - 1).copied()
        }

        fn nodes(&self) -> u64 {
            self.nodes
        }

        fn is_proved(found: &f64) -> bool {
            [0.0, 100.0].contains(found)
        }

        fn carry(before: &f64, after: &mut f64) {
            if *before == 0.0 {
                *after = 0.0;
            }
        }

        fn rate(&self, before: &f64, after: Option<&f64>) -> Option<Rating> {
            let loss = before - after?;
            let mark = Mark::of(loss, 30.0, *before == 100.0, *after? == 0.0);
            Some(Rating { loss, mark, proved: *before == 100.0 && *after? == 0.0 })
        }
    }

    fn marks(shallow: &[f64], deep: &[f64]) -> (Vec<Option<Mark>>, Toy) {
        let mut toy =
            Toy { shallow: shallow.to_vec(), deep: deep.to_vec(), nodes: 0, looked: Vec::new() };
        let options = options(&["--nodes", "400"]);
        let found = review(&mut toy, 1..=shallow.len() - 1, &options);
        (found.iter().map(|(_, rating)| rating.expect("a move").mark).collect(), toy)
    }

    #[test]
    fn only_confirmed_mistakes_are_marked() {
        let shallow = [50.0, 50.0, 10.0, 10.0, 10.0];
        let (confirmed, toy) = marks(&shallow, &shallow);
        assert_eq!(confirmed, [None, Some(Mark::Blunder), None, None]);
        // The first pass goes backwards; then the positions around the doubtful move are searched deeper.
        let order: Vec<usize> = toy.looked.iter().map(|(ply, _)| *ply).collect();
        assert_eq!(order, [5, 4, 3, 2, 1, 3, 2]);
        assert!(toy.nodes <= 5 * 400, "{} nodes", toy.nodes);
        let (refuted, _) = marks(&shallow, &[12.0, 12.0, 10.0, 10.0, 10.0]);
        assert_eq!(refuted, [None; 4]);
    }

    #[test]
    fn a_lost_position_has_no_mistakes() {
        let values = [0.0, 60.0, 20.0, 20.0];
        let (carried, _) = marks(&values, &values);
        assert_eq!(carried, [None; 3]);
    }

    #[test]
    fn a_proved_mistake_needs_no_deeper_search() {
        let values = [100.0, 0.0, 0.0];
        let (proved, toy) = marks(&values, &values);
        assert_eq!(proved, [Some(Mark::AllowedWin), None]);
        assert_eq!(toy.looked.len(), 3);
    }
}
