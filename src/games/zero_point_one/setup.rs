//! Choosing a setup: Red's first, Blue's in answer to it.

use super::game::Game;
use super::notation::Setup;
use super::search::{Limits, Searcher};
use super::types::{Colour, Kind};
use crate::engine::rng::Rng;
use crate::engine::score::{Score, INFINITE};
use std::time::Duration;

/// Red's setup: one of the good kind (see [`good`]).
const RED_SETUP_SEED: u64 = 1;
/// How many setups Blue tries against Red's.
const BLUE_CANDIDATES: u64 = 40;
/// How deep Blue looks into each.
const BLUE_DEPTH: i32 = 4;

/// The setup to begin with.
pub fn first() -> Setup {
    good(&mut Rng::new(RED_SETUP_SEED))
}

/// The best answer to Red's setup among a sample of good ones, found within `time`.
pub fn answer(red: &Setup, searcher: &mut Searcher, time: Duration) -> Setup {
    let each = time / BLUE_CANDIDATES as u32;
    let limits = Limits { depth: Some(BLUE_DEPTH), hard_time: Some(each), ..Limits::default() };
    let mut best: (Score, Setup) = (INFINITE, for_side(&good(&mut Rng::new(0)), Colour::Blue));
    for seed in 0..BLUE_CANDIDATES {
        let blue = for_side(&good(&mut Rng::new(seed)), Colour::Blue);
        let found = searcher.search(&Game::from_setups(*red, blue), limits);
        if found.score < best.0 {
            best = (found.score, blue);
        }
    }
    best.1
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
