//! Choosing a setup: Red's first, Blue's in answer to it.

use super::game::Game;
use super::notation::Setup;
use super::search::{Limits, Searcher};
use super::types::{Colour, Kind};
use crate::engine::clock::Stopwatch;
use crate::engine::interrupt;
use crate::engine::rng::Rng;
use crate::engine::score::{self, Score, INFINITE};
use std::time::Duration;

/// Setups found by search (`cupbot setups`), a line each. Red's with the score that the best answer
/// leaves them; the first is the one that did best in games. Then the answers that Blue tries, with
/// what each gains in the mean on those before it.
const BOOK: &str = include_str!("setups.txt");
/// The depth of Blue's first look at every answer, and by how much each further look is deeper.
const FIRST_LOOK: i32 = 4;
const DEEPER: i32 = 2;
/// Of the answers one in so many gets a further look.
const KEPT: usize = 2;
/// The depth at which mutations of the best answer are compared with it, and that at which one that
/// looks better is compared again: the best of many looks is often only the luckiest.
const MUTATION_LOOK: i32 = 8;
const SECOND_LOOK: i32 = 11;
/// At most so many mutations are tried, even where time does not count; each exchanges up to so
/// many pairs of pieces.
const MUTATIONS: u64 = 300;
const MAX_SWAPS: usize = 2;

/// The setup to begin with.
pub fn first() -> Setup {
    book(Colour::Red).next().unwrap_or_else(|| good(&mut Rng::new(0)))
}

/// The book's setups of a side, the best first.
pub fn book(colour: Colour) -> impl Iterator<Item = Setup> {
    listed(BOOK, colour)
}

/// The setups of a side in a text like the book: the first words of its lines that are such setups.
pub fn listed(text: &str, colour: Colour) -> impl Iterator<Item = Setup> + '_ {
    let words = text.lines().filter_map(|line| line.split_whitespace().next());
    words.filter_map(move |word| Setup::parse(word, colour).ok())
}

/// A good answer to Red's setup, found within `time`: of the book's answers all are looked at, the
/// best ones again and deeper; then small changes of the best one that improve it are kept.
pub fn answer(red: &Setup, searcher: &mut Searcher, time: Duration) -> Setup {
    let started = Stopwatch::start();
    let mut trial = Trial { red: *red, searcher, started, time };
    let best = trial.best_of_book();
    trial.improved(best)
}

/// Red's setup under trial by answers.
struct Trial<'a> {
    red: Setup,
    searcher: &'a mut Searcher,
    started: Stopwatch,
    time: Duration,
}

impl Trial<'_> {
    /// Red's score after an answer, by a search to this depth; `None` when the time is over.
    fn look(&mut self, blue: Setup, depth: i32) -> Option<Score> {
        let left = self.time.saturating_sub(self.started.elapsed());
        if left == Duration::ZERO || interrupt::is_raised() {
            return None;
        }
        let limits = Limits { depth: Some(depth), hard_time: Some(left), ..Limits::default() };
        let found = self.searcher.search(&Game::from_setups(self.red, blue), limits);
        if found.depth == depth || score::is_decisive(found.score) {
            Some(found.score)
        } else {
            None
        }
    }

    /// The best of the book's answers, by successive halving.
    fn best_of_book(&mut self) -> Setup {
        let mut answers: Vec<(Score, Setup)> =
            book(Colour::Blue).map(|blue| (INFINITE, blue)).collect();
        let mut depth = FIRST_LOOK;
        while answers.len() > 1 {
            for (score, blue) in answers.iter_mut() {
                // Out of time: what earlier looks said stands.
                *score = self.look(*blue, depth).unwrap_or(*score);
            }
            answers.sort_by_key(|&(score, _)| score);
            answers.truncate((answers.len() + KEPT - 1) / KEPT);
            depth += DEEPER;
        }
        answers.first().map_or_else(|| for_side(&first(), Colour::Blue), |&(_, blue)| blue)
    }

    /// Climbs from an answer to better ones by exchanging pieces.
    fn improved(&mut self, answer: Setup) -> Setup {
        let mut best = answer;
        let first = self.look(best, MUTATION_LOOK);
        let (mut min, mut min_again) =
            match first.and_then(|score| Some((score, self.look(best, SECOND_LOOK)?))) {
                Some(scores) => scores,
                None => return best,
            };
        let mut rng = Rng::new(MUTATIONS);
        for _ in 0..MUTATIONS {
            let candidate = mutated(&best, MAX_SWAPS, &mut rng);
            let score = match self.look(candidate, MUTATION_LOOK) {
                Some(score) if score < min => score,
                Some(_) => continue,
                None => break,
            };
            match self.look(candidate, SECOND_LOOK) {
                Some(again) if again < min_again => {
                    best = candidate;
                    min = score;
                    min_again = again;
                }
                Some(_) => {}
                None => break,
            }
        }
        best
    }
}

/// A setup with one to `most` random pairs of pieces exchanged.
pub fn mutated(setup: &Setup, max_swaps: usize, rng: &mut Rng) -> Setup {
    let mut kinds = *setup.kinds();
    for _ in 0..=rng.below(max_swaps) {
        kinds.swap(rng.below(16), rng.below(16));
    }
    checked(kinds)
}

/// Any setup, all equally likely.
pub fn random(rng: &mut Rng) -> Setup {
    let mut kinds = [Kind::Alfil; 16];
    let all = Kind::ALL
        .iter()
        .flat_map(|&kind| std::iter::repeat(kind).take(Kind::SETUP_COUNT[kind.index()]));
    kinds.iter_mut().zip(all).for_each(|(slot, kind)| *slot = kind);
    rng.shuffle(&mut kinds);
    checked(kinds)
}

/// A setup as experience wants it: the colour-bound pieces spread over all their classes, ferzes in
/// front, the wazir beside a corner. For Red's rows; Blue's is turned by half.
///
/// An alfil's class is fixed by the row and by the column modulo 4, a dabbaba's by the parities of
/// both: so every row has an alfil on one of each two columns four apart, and a dabbaba on an even
/// and on an odd column.
fn good_rows(rng: &mut Rng) -> [Kind; 16] {
    loop {
        let mut kinds = [Kind::Alfil; 16];
        for row in 0..2 {
            let mut others: Vec<usize> = (0..4).map(|c| c + 4 * rng.below(2)).collect();
            rng.shuffle(&mut others);
            // One dabbaba on an even and one on an odd column.
            others.sort_by_key(|column| column % 2);
            let slots: Vec<usize> = others.iter().map(|column| 8 * row + column).collect();
            kinds[slots[0]] = Kind::Dabbaba;
            kinds[slots[2]] = Kind::Dabbaba;
            let (first, second) =
                if row == 0 { (Kind::Wazir, Kind::Knight) } else { (Kind::Ferz, Kind::Ferz) };
            let swap = rng.below(2) == 0;
            kinds[slots[1]] = if swap { second } else { first };
            kinds[slots[3]] = if swap { first } else { second };
        }
        // Even and odd columns of one row have different colours, so the ferzes are spread too.
        if kinds[1] == Kind::Wazir || kinds[6] == Kind::Wazir {
            return kinds;
        }
    }
}

/// A good setup for the lower rows, in the order of the dialogue for Red.
pub fn good(rng: &mut Rng) -> Setup {
    checked(good_rows(rng))
}

/// The setup that looks to `colour` as `setup` looks to Red: Blue's front row is the lower one.
pub fn for_side(setup: &Setup, colour: Colour) -> Setup {
    let mut kinds = *setup.kinds();
    if colour == Colour::Blue {
        kinds.reverse();
    }
    checked(kinds)
}

fn checked(kinds: [Kind; 16]) -> Setup {
    match Setup::new(kinds) {
        Ok(setup) => setup,
        // The callers only permute a full set.
        Err(_) => unreachable!(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::params::Params;
    use super::*;
    use crate::engine::clock::fake::FakeTime;

    #[test]
    fn no_setup_is_in_the_book_twice() {
        for colour in Colour::ALL {
            let setups: Vec<Setup> = book(colour).collect();
            let distinct = |(at, setup)| !setups[..at].contains(setup);
            assert!(setups.iter().enumerate().all(distinct));
        }
    }

    #[test]
    fn every_line_of_the_book_is_a_setup_of_one_side() {
        let both = book(Colour::Red).count() + book(Colour::Blue).count();
        assert_eq!(both, BOOK.lines().count());
        assert!(book(Colour::Red).count() >= 1 && book(Colour::Blue).count() >= 10);
    }

    #[test]
    fn an_answer_in_no_time_is_one_of_the_book() {
        let mut searcher = Searcher::new(Params::default(), 1);
        let blue = answer(&first(), &mut searcher, Duration::ZERO);
        assert!(book(Colour::Blue).any(|setup| setup == blue));
    }

    #[test]
    fn an_answer_takes_hardly_longer_than_it_may() {
        let _time = FakeTime::ticking(Duration::from_micros(200));
        let mut searcher = Searcher::new(Params::default(), 1);
        let watch = Stopwatch::start();
        answer(&first(), &mut searcher, Duration::from_millis(30));
        assert!(watch.elapsed() < Duration::from_millis(60), "{:?}", watch.elapsed());
    }

    #[test]
    fn good_setups_spread_the_colour_bound_pieces() {
        let mut rng = Rng::new(4);
        for _ in 0..200 {
            let setup = good(&mut rng);
            // An alfil keeps the row and column modulo 2 and the parity of their halves' sum.
            let mut classes: Vec<(usize, usize, usize)> = (0..16)
                .filter(|&index| setup.kinds()[index] == Kind::Alfil)
                .map(|index| (index / 8, index % 2, index % 4 / 2))
                .collect();
            classes.sort_unstable();
            classes.dedup();
            assert_eq!(classes.len(), 8);
        }
    }
}
