//! Choice of the setups: Red's from a book, Blue's by searching for the best answer to Red's.

use super::game::Game;
use super::notation::Setup;
use super::search::{Limits, Searcher};
use super::types::{Colour, Kind};
use crate::engine::clock::Stopwatch;
use crate::engine::interrupt;
use crate::engine::rng::Rng;
use crate::engine::score::{self, Score, INFINITE};
use std::time::Duration;

/// Setups found by `cupbot setups`, one per line. Red's come first, with their scores against the best answer; the
/// first one did best in games. Then come the answers that Blue tries, with the average gain of each over those before
/// it.
const BOOK: &str = include_str!("setups.txt");
/// Successive halving of Blue's answers: search depth of the first round, in plies.
const FIRST_ROUND_DEPTH: i32 = 4;
/// Successive halving: additional depth of each further round, in plies.
const ROUND_DEPTH_STEP: i32 = 2;
/// Successive halving: one in this many answers is kept after each round.
const KEPT_ONE_IN: usize = 2;
/// Hill climbing: depth at which a mutation is compared with the best answer, in plies.
const MUTATION_DEPTH: i32 = 8;
/// Hill climbing: depth at which a mutation that seems better is compared again, in plies. The best of many results is
/// often just a lucky one.
const CONFIRMATION_DEPTH: i32 = 11;
/// Hill climbing: maximum number of mutations, even without a time limit.
const MUTATIONS: u64 = 300;
/// Hill climbing: maximum number of pairs of pieces that a mutation swaps.
const MAX_SWAPS: usize = 2;

/// Returns Red's setup: the first of the book.
pub fn first() -> Setup {
    book(Colour::Red).next().unwrap_or_else(|| random_good(&mut Rng::new(0)))
}

/// Returns the book's setups of a side, the best first.
pub fn book(colour: Colour) -> impl Iterator<Item = Setup> {
    parse_list(BOOK, colour)
}

/// Parses the setups of a side from a text in the book's format: the first word of each line, if it is a valid setup of
/// that side.
pub fn parse_list(text: &str, colour: Colour) -> impl Iterator<Item = Setup> + '_ {
    let words = text.lines().filter_map(|line| line.split_whitespace().next());
    words.filter_map(move |word| Setup::parse(word, colour).ok())
}

/// Returns a good answer to Red's setup, found within `time`: the best of the book's answers, chosen by successive
/// halving, improved by hill climbing.
pub fn answer(red: &Setup, searcher: &mut Searcher, time: Duration) -> Setup {
    let started = Stopwatch::start();
    let mut search = AnswerSearch { red: *red, searcher, started, time };
    let best = search.best_of_book();
    search.hill_climb(best)
}

/// Search for the best answer to Red's setup.
struct AnswerSearch<'a> {
    red: Setup,
    searcher: &'a mut Searcher,
    started: Stopwatch,
    time: Duration,
}

impl AnswerSearch<'_> {
    /// Searches the position after an answer to this depth and returns Red's score; `None` if time has run out.
    fn search(&mut self, blue: Setup, depth: i32) -> Option<Score> {
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

    /// Returns the best of the book's answers, found by successive halving.
    fn best_of_book(&mut self) -> Setup {
        let mut answers: Vec<(Score, Setup)> =
            book(Colour::Blue).map(|blue| (INFINITE, blue)).collect();
        let mut depth = FIRST_ROUND_DEPTH;
        while answers.len() > 1 {
            for (score, blue) in answers.iter_mut() {
                // If time has run out, the score of the previous round is kept.
                *score = self.search(*blue, depth).unwrap_or(*score);
            }
            answers.sort_by_key(|&(score, _)| score);
            answers.truncate((answers.len() + KEPT_ONE_IN - 1) / KEPT_ONE_IN);
            depth += ROUND_DEPTH_STEP;
        }
        answers.first().map_or_else(|| for_side(&first(), Colour::Blue), |&(_, blue)| blue)
    }

    /// Hill climbing: improves an answer by swapping pieces.
    fn hill_climb(&mut self, answer: Setup) -> Setup {
        let mut best = answer;
        let first = self.search(best, MUTATION_DEPTH);
        let (mut min, mut confirmed_min) =
            match first.and_then(|score| Some((score, self.search(best, CONFIRMATION_DEPTH)?))) {
                Some(scores) => scores,
                None => return best,
            };
        let mut rng = Rng::new(MUTATIONS);
        for _ in 0..MUTATIONS {
            let candidate = mutated(&best, MAX_SWAPS, &mut rng);
            let score = match self.search(candidate, MUTATION_DEPTH) {
                Some(score) if score < min => score,
                Some(_) => continue,
                None => break,
            };
            match self.search(candidate, CONFIRMATION_DEPTH) {
                Some(confirmed) if confirmed < confirmed_min => {
                    best = candidate;
                    min = score;
                    confirmed_min = confirmed;
                }
                Some(_) => {}
                None => break,
            }
        }
        best
    }
}

/// Returns a setup with one to `max_swaps` random pairs of pieces swapped.
pub fn mutated(setup: &Setup, max_swaps: usize, rng: &mut Rng) -> Setup {
    let mut kinds = *setup.kinds();
    for _ in 0..=rng.below(max_swaps) {
        kinds.swap(rng.below(16), rng.below(16));
    }
    from_permutation(kinds)
}

/// Returns a random setup, uniformly distributed.
pub fn random(rng: &mut Rng) -> Setup {
    let mut kinds = [Kind::Alfil; 16];
    let all = Kind::ALL
        .iter()
        .flat_map(|&kind| std::iter::repeat(kind).take(Kind::SETUP_COUNT[kind.index()]));
    kinds.iter_mut().zip(all).for_each(|(slot, kind)| *slot = kind);
    rng.shuffle(&mut kinds);
    from_permutation(kinds)
}

/// Returns a random setup that follows heuristics, for Red: the colour-bound pieces cover all their classes of squares,
/// the ferzes stand in front, and the wazir stands next to a corner.
///
/// An alfil's class is determined by the row and by the column modulo 4, a dabbaba's by the parities of both. So every
/// row has an alfil on one of each two columns four apart, and a dabbaba on an even and on an odd column.
fn random_good_kinds(rng: &mut Rng) -> [Kind; 16] {
    loop {
        let mut kinds = [Kind::Alfil; 16];
        for row in 0..2 {
            let mut others: Vec<usize> = (0..4).map(|c| c + 4 * rng.below(2)).collect();
            rng.shuffle(&mut others);
            // Even columns come first, to place one dabbaba on an even and one on an odd column.
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
        // Even and odd columns of a row have different colours, so the ferzes are on both colours.
        if kinds[1] == Kind::Wazir || kinds[6] == Kind::Wazir {
            return kinds;
        }
    }
}

/// Returns a random setup for Red that follows heuristics; see [`random_good_kinds`].
pub fn random_good(rng: &mut Rng) -> Setup {
    from_permutation(random_good_kinds(rng))
}

/// Converts a setup from Red's point of view to that of `colour`. For Blue it is rotated by 180 degrees, because Blue's
/// front row is the lower one.
pub fn for_side(setup: &Setup, colour: Colour) -> Setup {
    let mut kinds = *setup.kinds();
    if colour == Colour::Blue {
        kinds.reverse();
    }
    from_permutation(kinds)
}

fn from_permutation(kinds: [Kind; 16]) -> Setup {
    match Setup::new(kinds) {
        Ok(setup) => setup,
        // Callers only permute a complete set of pieces.
        Err(_) => unreachable!(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::params::Params;
    use super::*;
    use crate::engine::clock::fake::FakeTime;

    #[test]
    fn the_book_has_no_duplicates() {
        for colour in Colour::ALL {
            let setups: Vec<Setup> = book(colour).collect();
            let distinct = |(at, setup)| !setups[..at].contains(setup);
            assert!(setups.iter().enumerate().all(distinct));
        }
    }

    #[test]
    fn every_line_of_the_book_is_a_setup() {
        let both = book(Colour::Red).count() + book(Colour::Blue).count();
        assert_eq!(both, BOOK.lines().count());
        assert!(book(Colour::Red).count() >= 1 && book(Colour::Blue).count() >= 10);
    }

    #[test]
    fn without_time_the_answer_is_from_the_book() {
        let mut searcher = Searcher::new(Params::default(), 1);
        let blue = answer(&first(), &mut searcher, Duration::ZERO);
        assert!(book(Colour::Blue).any(|setup| setup == blue));
    }

    #[test]
    fn an_answer_hardly_exceeds_its_time() {
        let _time = FakeTime::ticking(Duration::from_micros(200));
        let mut searcher = Searcher::new(Params::default(), 1);
        let watch = Stopwatch::start();
        answer(&first(), &mut searcher, Duration::from_millis(30));
        assert!(watch.elapsed() < Duration::from_millis(60), "{:?}", watch.elapsed());
    }

    #[test]
    fn random_good_setups_spread_the_colour_bound_pieces() {
        let mut rng = Rng::new(4);
        for _ in 0..200 {
            let setup = random_good(&mut rng);
            // The class of an alfil, within the two rows of a setup: row, column parity, and column modulo 4 halved.
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
