//! `exp` and `ln` with bit-identical results on all platforms, unlike those of C libraries: moves depend on them. Each
//! reduces its argument to a short interval and evaluates a polynomial there (J.-M. Muller, "Elementary Functions:
//! Algorithms and Implementation", 3rd edition, 2016). They use only the four basic operations of IEEE 754, whose
//! rounding is the same everywhere.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// Limit of the argument's magnitude: beyond it `exp` is 0 or infinite in 32 bits.
const MAX_EXPONENT: f64 = 200.0;
/// Bit position of the exponent in an `f64`.
const EXPONENT_SHIFT: u32 = 52;
/// Bias of the exponent in an `f64`.
const EXPONENT_BIAS: i32 = 1023;

/// Taylor coefficients of `exp`, from the highest power down. The error is below 2^-46 for magnitudes up to `ln(2) /
/// 2`.
const EXP_SERIES: [f64; 12] = [
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    1.0 / 2.0,
    1.0,
    1.0,
];

/// Taylor coefficients of `atanh(s) / s` in powers of `s * s`, from the highest power down. The error is below 2^-58
/// for `s` up to 0.172, the maximum in [`ln`].
const ATANH_SERIES: [f64; 11] = [
    1.0 / 21.0,
    1.0 / 19.0,
    1.0 / 17.0,
    1.0 / 15.0,
    1.0 / 13.0,
    1.0 / 11.0,
    1.0 / 9.0,
    1.0 / 7.0,
    1.0 / 5.0,
    1.0 / 3.0,
    1.0,
];

/// Evaluates a polynomial by Horner's rule. The coefficients are ordered from the highest power down.
#[inline(always)]
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// Returns `e` to the power of `x`, computed in 64 bits as `2^k * e^r` with an integer `k` and `|r| <= ln(2) / 2`, then
/// rounded once. The error is barely above half a unit in the last place. NaN for NaN.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = f64::from(x).clamp(-MAX_EXPONENT, MAX_EXPONENT);
    // Rounds to the nearest integer; `round` might call the C library.
    let k = (x * LOG2_E + 0.5_f64.copysign(x)) as i32;
    let r = x - f64::from(k) * LN_2;
    let power_of_two = f64::from_bits(((EXPONENT_BIAS + k) as u64) << EXPONENT_SHIFT);
    (power_of_two * polynomial(&EXP_SERIES, r)) as f32
}

/// Returns the natural logarithm of a positive normal number, computed as `k * ln(2) + 2 * atanh(s)` with an integer
/// `k`, where `(1 + s) / (1 - s)` is between `1 / sqrt(2)` and `sqrt(2)`. The error is at most two units in the last
/// place of the result or of 1, whichever is larger. NaN for any other number.
pub fn ln(x: f64) -> f64 {
    if !x.is_normal() || x < 0.0 {
        return f64::NAN;
    }
    let k = (x.to_bits() >> EXPONENT_SHIFT) as i32 - EXPONENT_BIAS;
    let bias = (EXPONENT_BIAS as u64) << EXPONENT_SHIFT;
    let mantissa = f64::from_bits(x.to_bits() & ((1 << EXPONENT_SHIFT) - 1) | bias);
    let (k, mantissa) = if mantissa > SQRT_2 { (k + 1, mantissa / 2.0) } else { (k, mantissa) };
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    f64::from(k) * LN_2 + 2.0 * s * polynomial(&ATANH_SERIES, s * s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;

    /// Returns the distance of two numbers that are both positive or both negative, in units in the last place.
    fn ulps_between(one: f32, other: f32) -> u32 {
        one.to_bits().abs_diff(other.to_bits())
    }

    #[test]
    fn exp_agrees_with_the_standard_library() {
        let mut rng = Rng::new(1);
        for _ in 0..200_000 {
            let x = (rng.unit() * 220.0 - 110.0) as f32;
            assert!(ulps_between(exp(x), x.exp()) <= 1, "{} {} {}", x, exp(x), x.exp());
            // Both are rounded once from 64 bits, so they differ in only one of many thousands of cases.
            let x = (rng.unit() * 60.0 - 30.0) as f32;
            assert_eq!(exp(x), f64::from(x).exp() as f32, "{}", x);
        }
    }

    #[test]
    fn exp_of_special_values() {
        let infinity = f32::INFINITY;
        let cases = [
            (0.0, 1.0),
            (-0.0, 1.0),
            (1.0, std::f32::consts::E),
            (89.0, infinity),
            (-104.0, 0.0),
            (f32::MAX, infinity),
            (f32::MIN, 0.0),
            (infinity, infinity),
            (-infinity, 0.0),
            (f32::MIN_POSITIVE, 1.0),
        ];
        for (x, expected) in cases {
            assert_eq!(exp(x), expected, "{}", x);
        }
        assert!(exp(f32::NAN).is_nan());
    }

    #[test]
    fn ln_agrees_with_the_standard_library() {
        let mut rng = Rng::new(2);
        let random = (0..200_000).map(|_| {
            let x = f64::from_bits(rng.next() >> 1);
            if rng.below(2) == 0 {
                x
            } else {
                1.0 + rng.unit()
            }
        });
        let mut count = 0;
        for x in (1..5000).map(f64::from).chain(random).filter(|x| x.is_normal()) {
            let (found, expected) = (ln(x), x.ln());
            let unit = expected.abs().max(1.0) * f64::EPSILON;
            assert!((found - expected).abs() <= 2.0 * unit, "{} {} {}", x, found, expected);
            count += 1;
        }
        assert!(count > 200_000);
    }

    #[test]
    fn ln_of_special_values() {
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(2.0), LN_2);
        for x in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 2.0] {
            assert!(ln(x).is_nan(), "{}", x);
        }
    }

    /// Hashes all bits of many results.
    #[test]
    fn every_platform_gets_the_same_bits() {
        let mut rng = Rng::new(3);
        let mut hash = 0u64;
        for _ in 0..100_000 {
            let x = rng.unit() * 60.0 - 30.0;
            let bits = u64::from(exp(x as f32).to_bits()) ^ ln(x.abs() + 0.001).to_bits();
            hash = hash.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ bits;
        }
        assert_eq!(hash, 6_743_562_821_760_378_914);
    }
}
