//! The kernels against their definitions; how the paths agree is tested with the networks.

use super::{at_least, sums_of_products};
use crate::engine::rng::Rng;

#[test]
fn places_of_numbers_above_a_limit_are_found() {
    let mut rng = Rng::new(3);
    for min in [i16::MIN, -2000, -1, 0, 1, 700, i16::MAX] {
        for _ in 0..100 {
            let mut numbers = [0; 64];
            // Many near the limit, and the extremes.
            numbers.iter_mut().for_each(|number| {
                *number = match rng.below(4) {
                    0 => min,
                    1 => min.saturating_add(rng.below(3) as i16 - 1),
                    2 => [i16::MIN, i16::MAX][rng.below(2)],
                    _ => (rng.below(1 << 16) as i32 - (1 << 15)) as i16,
                }
            });
            let found = at_least(&numbers, min);
            for (place, &number) in numbers.iter().enumerate() {
                assert_eq!(found >> place & 1 != 0, number >= min, "{} {}", number, min);
            }
        }
    }
}

#[test]
fn sums_of_products_are_those_of_single_products() {
    const FOURS: usize = 3;
    let mut rng = Rng::new(4);
    for max in [3, 300, i32::from(i16::MAX)] {
        for _ in 0..100 {
            let mut any = || (rng.below(2 * max as usize + 1) as i32 - max) as i16;
            let numbers: Vec<i16> = (0..10).map(|_| any()).collect();
            let weights = [[[0; 8]; FOURS]; 5].map(|row| row.map(|four| four.map(|_: i16| any())));
            let biases = [[0; 4]; FOURS].map(|four| four.map(|_: i32| i32::from(any())));
            let sums = sums_of_products(&numbers, &weights, &biases);
            for (column, &sum) in sums.iter().flatten().enumerate() {
                let product = |(row, &number): (usize, &i16)| {
                    i64::from(number)
                        * i64::from(weights[row / 2][column / 4][2 * (column % 4) + row % 2])
                };
                let products: i64 = numbers.iter().enumerate().map(product).sum();
                assert_eq!(sum, (i64::from(biases[column / 4][column % 4]) + products) as i32);
            }
        }
    }
}
