use super::ArrayVec as StandIn;
use crate::engine::rng::Rng;
use arrayvec::ArrayVec;
use std::panic::{catch_unwind, AssertUnwindSafe};

const CAPACITY: usize = 7;

/// The crate's list and its replacement.
struct Both {
    real: ArrayVec<u64, CAPACITY>,
    stand_in: StandIn<u64, CAPACITY>,
}

impl Both {
    fn new() -> Both {
        Both { real: ArrayVec::new(), stand_in: StandIn::new() }
    }

    /// Creates both lists with `count` elements.
    fn of(count: usize) -> Both {
        let mut both = Both::new();
        both.real.extend(0..count as u64);
        both.stand_in.extend(0..count as u64);
        both
    }

    fn assert_equal(&self) {
        assert_eq!(self.stand_in[..], self.real[..]);
        assert_eq!(self.stand_in.len(), self.real.len());
        assert_eq!(format!("{:?}", self.stand_in), format!("{:?}", self.real));
    }
}

fn panics(action: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(action)).is_err()
}

fn read_panics(read: impl FnOnce() -> u64) -> bool {
    catch_unwind(AssertUnwindSafe(read)).is_err()
}

#[test]
fn behaves_like_the_crate() {
    let mut rng = Rng::new(4);
    let mut both = Both::new();
    let mut full = 0;
    for _ in 0..10_000 {
        let (value, number) = (rng.next(), rng.below(CAPACITY + 2));
        let has_room = both.real.len() < CAPACITY;
        match rng.below(6) {
            0 if has_room => {
                both.real.push(value);
                both.stand_in.push(value);
            }
            1 => {
                both.real.truncate(number);
                both.stand_in.truncate(number);
            }
            2 if both.real.len() + number <= CAPACITY => {
                both.real.extend(value..value.saturating_add(number as u64));
                both.stand_in.extend(value..value.saturating_add(number as u64));
            }
            3 => {
                both.real.iter_mut().for_each(|element| *element ^= value);
                both.stand_in.iter_mut().for_each(|element| *element ^= value);
            }
            4 => {
                both = Both { real: both.real.clone(), stand_in: both.stand_in.clone() };
            }
            _ => {
                let real = both.real.try_push(value).map_err(|error| error.element());
                assert_eq!(both.stand_in.try_push(value), real);
                full += usize::from(real.is_err());
            }
        }
        both.assert_equal();
    }
    assert!(full > 100, "{full}");
}

#[test]
fn panics_when_the_crate_does() {
    for count in 0..=CAPACITY {
        let Both { mut real, mut stand_in } = Both::of(count);
        assert_eq!(panics(|| stand_in.push(1)), panics(|| real.push(1)));
        let Both { mut real, mut stand_in } = Both::of(count);
        assert_eq!(panics(|| stand_in.extend([1, 2])), panics(|| real.extend([1, 2])));
        let Both { real, stand_in } = Both::of(count);
        let index = CAPACITY - 1;
        assert_eq!(read_panics(|| stand_in[index]), read_panics(|| real[index]));
    }
}

#[test]
fn lists_in_constants_are_empty() {
    const REAL: ArrayVec<u64, CAPACITY> = ArrayVec::new_const();
    const STAND_IN: StandIn<u64, CAPACITY> = StandIn::new_const();
    Both { real: REAL, stand_in: STAND_IN }.assert_equal();
    let mut both = Both { real: REAL, stand_in: STAND_IN };
    both.real.push(1);
    both.stand_in.push(1);
    both.assert_equal();
}
