//! Checks the kernels against their definitions on every path. The kernels of a layer are tested with the networks.

use super::{at_least, sums_of_products, with_bit_instructions, Instructions, Path, Work};
use crate::engine::rng::Rng;

/// The instructions of all paths that this CPU supports.
fn all_instructions() -> Vec<Instructions> {
    Path::available().into_iter().filter_map(Instructions::new).collect()
}

#[test]
fn only_available_instructions_are_returned() {
    let available = Path::available();
    assert_eq!(available[0], Path::Plain);
    assert_eq!(Some(&Instructions::best().path), available.last());
    for path in [Path::Plain, Path::Sse41, Path::Avx2] {
        assert_eq!(Instructions::new(path).is_some(), available.contains(&path), "{:?}", path);
    }
}

#[test]
fn work_has_the_same_result_on_all_paths() {
    /// Returns the leading zeros, the population count and the lowest bit.
    struct Count(u64);

    impl Work for Count {
        type Result = (u32, u32, u64);

        #[inline(always)]
        fn run(self) -> Self::Result {
            (self.0.leading_zeros(), self.0.count_ones(), self.0 & self.0.wrapping_neg())
        }
    }

    for instructions in all_instructions() {
        assert_eq!(with_bit_instructions(instructions, Count(0b1100)), (60, 2, 4));
        assert_eq!(with_bit_instructions(instructions, Count(0)), (64, 0, 0));
    }
}

#[test]
fn indices_of_numbers_above_a_limit_are_found() {
    let mut rng = Rng::new(3);
    for min in [i16::MIN, -2000, -1, 0, 1, 700, i16::MAX] {
        for _ in 0..100 {
            let mut numbers = [0; 64];
            // Many numbers are close to the limit or extreme.
            numbers.iter_mut().for_each(|number| {
                *number = match rng.below(4) {
                    0 => min,
                    1 => min.saturating_add(rng.below(3) as i16 - 1),
                    2 => [i16::MIN, i16::MAX][rng.below(2)],
                    _ => (rng.below(1 << 16) as i32 - (1 << 15)) as i16,
                }
            });
            for instructions in all_instructions() {
                let found = at_least(instructions, &numbers, min);
                for (place, &number) in numbers.iter().enumerate() {
                    assert_eq!(found >> place & 1 != 0, number >= min, "{} {}", number, min);
                }
            }
        }
    }
}

#[test]
fn sums_of_products_match_single_products() {
    const FOURS: usize = 3;
    let mut rng = Rng::new(4);
    for max in [3, 300, i32::from(i16::MAX)] {
        for _ in 0..100 {
            let mut any = || (rng.below(2 * max as usize + 1) as i32 - max) as i16;
            let numbers: Vec<i16> = (0..10).map(|_| any()).collect();
            let weights = [[[0; 8]; FOURS]; 5].map(|row| row.map(|four| four.map(|_: i16| any())));
            let biases = [[0; 4]; FOURS].map(|four| four.map(|_: i32| i32::from(any())));
            let expected = |column: usize| {
                let product = |(row, &number): (usize, &i16)| {
                    i64::from(number)
                        * i64::from(weights[row / 2][column / 4][2 * (column % 4) + row % 2])
                };
                let products: i64 = numbers.iter().enumerate().map(product).sum();
                (i64::from(biases[column / 4][column % 4]) + products) as i32
            };
            for instructions in all_instructions() {
                let sums = sums_of_products(instructions, &numbers, &weights, &biases);
                for (column, &sum) in sums.iter().flatten().enumerate() {
                    assert_eq!(sum, expected(column));
                }
            }
        }
    }
}
