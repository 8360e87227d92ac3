//! Portable implementations of the functions of [`super::simd`] and the methods of [`super::simd::Kernels`] with the
//! same names.

use super::rows::{Aligned, Row, Sums};

pub fn update<const N: usize, const ROWS: usize>(
    to: &mut Sums<N>,
    from: &Sums<N>,
    added: [&Row<N>; ROWS],
    removed: [&Row<N>; ROWS],
) {
    for i in 0..N {
        let mut sum = from.0[i];
        for n in 0..ROWS {
            sum += i16::from(added[n].0[i]) - i16::from(removed[n].0[i]);
        }
        to.0[i] = sum;
    }
}

pub fn change<const N: usize>(sums: &mut Sums<N>, row: &Row<N>, is_added: bool) {
    for (sum, &weight) in sums.0.iter_mut().zip(&row.0) {
        *sum += if is_added { i16::from(weight) } else { -i16::from(weight) };
    }
}

pub fn update_all<const N: usize>(
    to: &mut Sums<N>,
    from: &Sums<N>,
    rows: &[Row<N>],
    added: &[u16],
    removed: &[u16],
) {
    *to = *from;
    added.iter().for_each(|&input| change(to, &rows[usize::from(input)], true));
    removed.iter().for_each(|&input| change(to, &rows[usize::from(input)], false));
}

pub fn output<const N: usize, const MAX: i16>(
    own: &Sums<N>,
    other: &Sums<N>,
    weights: &[Aligned<[i16; N]>; 2],
) -> i32 {
    let activated = own.0.iter().chain(&other.0).map(|sum| sum.clamp(&0, &MAX));
    let weights = weights.iter().flat_map(|half| &half.0);
    activated.zip(weights).map(|(&a, &w)| i32::from(a) * i32::from(a * w)).sum()
}

pub fn at_least(numbers: &[i16; 64], min: i16) -> u64 {
    let places = numbers.iter().enumerate();
    places.fold(0, |mask, (place, &number)| mask | u64::from(number >= min) << place)
}

pub fn sums_of_products<const FOURS: usize>(
    numbers: &[i16],
    weights: &[[[i16; 8]; FOURS]],
    biases: &[[i32; 4]; FOURS],
) -> [[i32; 4]; FOURS] {
    let mut sums = *biases;
    for (pair, row) in numbers.chunks_exact(2).zip(weights) {
        let weights = row.iter().flat_map(|four| four.chunks_exact(2));
        for (sum, weights) in sums.iter_mut().flatten().zip(weights) {
            for (number, weight) in pair.iter().zip(weights) {
                *sum = sum.wrapping_add(i32::from(*number) * i32::from(*weight));
            }
        }
    }
    sums
}
