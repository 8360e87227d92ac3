//! Parsers of times and numbers on the command line.

use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::Duration;

/// Units of a thinking time, in milliseconds.
const TIME_UNITS: [(&str, f64); 5] =
    [("", 1000.0), ("ms", 1.0), ("s", 1000.0), ("m", 60_000.0), ("min", 60_000.0)];

/// Maximum thinking time: one day.
const MAX_TIME: Duration = Duration::from_secs(86_400);

/// Maximum thinking time that needs no unit, as a multiple of the contest's.
const MAX_UNITLESS: u32 = 10;
/// Maximum thinking time that needs no unit if the contest is unknown: ten times the longest time of a contest.
const MAX_UNITLESS_TIME: Duration = Duration::from_secs(600);

/// Parses a time above 0: `3s`, `500ms`, `1.5s`, `2m`. A number without a unit means seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let unit_length = TIME_UNITS.iter().find(|(name, _)| *name == unit).map(|(_, length)| length);
    let number: Option<f64> = text[..text.len() - unit.len()].parse().ok();
    let (Some(unit_length), Some(number)) = (unit_length, number) else {
        return Err("expected a time, e.g. 3s, 500ms or 2m".to_string());
    };
    let seconds = number * unit_length / 1000.0;
    if seconds > MAX_TIME.as_secs_f64() {
        return Err(format!("expected at most {} s", MAX_TIME.as_secs()));
    }
    if unit.is_empty() && seconds > MAX_UNITLESS_TIME.as_secs_f64() {
        return Err(format!("a number without a unit means seconds: expected {text}s or {text}ms"));
    }
    let time = Duration::from_secs_f64(seconds);
    if time.is_zero() {
        return Err("expected a time above 0".to_string());
    }
    Ok(time)
}

/// A thinking time on the command line.
#[derive(Clone, Copy, Debug)]
pub struct GivenTime {
    /// The time.
    pub time: Duration,
    has_unit: bool,
}

impl FromStr for GivenTime {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenTime, String> {
        let has_unit = text.ends_with(|c: char| c.is_ascii_alphabetic());
        Ok(GivenTime { time: parse_time(text)?, has_unit })
    }
}

impl From<Duration> for GivenTime {
    fn from(time: Duration) -> GivenTime {
        GivenTime { time, has_unit: true }
    }
}

impl GivenTime {
    /// Returns the time. Fails if it has no unit and is so far above the contest's time that milliseconds may be meant.
    pub fn near(self, contest: Duration) -> anyhow::Result<Duration> {
        let number = self.time.as_secs_f64();
        anyhow::ensure!(
            self.has_unit || self.time <= contest * MAX_UNITLESS,
            "--time {number}: a number without a unit means seconds, and the contest's time is {contest:?}; expected \
             {number}s or {number}ms"
        );
        Ok(self.time)
    }
}

/// Returns a parser of integers in a range, e.g. `1..=256`.
pub fn integer<T: TryFrom<i128>>(
    range: impl RangeBounds<i128> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().map_err(|_| "expected an integer".to_string())?;
        match (range.start_bound(), range.end_bound()) {
            (Bound::Included(min), _) if number < *min => Err(format!("must be at least {min}")),
            (_, Bound::Included(max)) if number > *max => Err(format!("must be at most {max}")),
            _ => T::try_from(number).map_err(|_| "too large".to_string()),
        }
    }
}

/// Parses a finite number above 0, e.g. a learning rate.
pub fn parse_positive<F: FromStr + Copy + Into<f64>>(text: &str) -> Result<F, String> {
    parse_number(text, |number| number > 0.0, "a number above 0")
}

/// Parses a learning rate. Higher ones destroy a network.
pub fn parse_rate(text: &str) -> Result<f32, String> {
    parse_number(text, |number| number > 0.0 && number <= 1.0, "a number above 0, at most 1")
}

/// Parses a factor of a penalty, relative to the learning rate, e.g. weight decay.
pub fn parse_decay(text: &str) -> Result<f32, String> {
    parse_number(text, |number| (0.0..=100.0).contains(&number), "a number from 0 to 100")
}

/// Parses a scale or a factor of scores.
pub fn parse_scale(text: &str) -> Result<f32, String> {
    let min = f64::from(0.01f32);
    parse_number(text, |number| (min..=10_000.0).contains(&number), "a number from 0.01 to 10000")
}

/// Parses a finite number of at least 0.
pub fn parse_not_negative<F: FromStr + Copy + Into<f64>>(text: &str) -> Result<F, String> {
    parse_number(text, |number| number >= 0.0, "a number of at least 0")
}

/// Parses a fraction or a probability, 0 to 1.
pub fn parse_share<F: FromStr + Copy + Into<f64>>(text: &str) -> Result<F, String> {
    parse_number(text, |number| (0.0..=1.0).contains(&number), "a number from 0 to 1")
}

/// Parses a finite number that satisfies `is_valid`; `expected` describes such numbers.
fn parse_number<F: FromStr + Copy + Into<f64>>(
    text: &str,
    is_valid: impl Fn(f64) -> bool,
    expected: &str,
) -> Result<F, String> {
    let number = text.parse::<F>().ok();
    let valid_number = number.filter(|&number| {
        let number = number.into();
        number.is_finite() && is_valid(number)
    });
    valid_number.ok_or_else(|| format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_with_units_are_parsed() {
        assert_eq!(parse_time("3s"), Ok(Duration::from_secs(3)));
        assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_time("1000ms"), Ok(Duration::from_secs(1)));
        assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("30"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_time("2min"), Ok(Duration::from_secs(120)));
    }

    #[test]
    fn long_times_need_a_unit() {
        let near = |text: &str| {
            let given: GivenTime = text.parse().expect("a time");
            given.near(Duration::from_secs(30)).is_ok()
        };
        assert!(near("300") && near("3000s") && near("3000ms") && near("10min"));
        assert!(!near("301"));
        let message = "a number without a unit means seconds: expected 3000s or 3000ms";
        assert_eq!(parse_time("3000"), Err(message.to_string()));
    }

    #[test]
    fn invalid_times_are_rejected() {
        for text in
            ["", "s", "3h", "-1s", "0", "nan", "inf", "1e30s", "3 s", "1.2.3s", "1m30s", ".", ".s"]
        {
            assert!(parse_time(text).is_err(), "{text}");
        }
        for huge in ["9".repeat(30), "9".repeat(23) + "s", "86401s".to_string()] {
            assert_eq!(parse_time(&huge), Err("expected at most 86400 s".to_string()), "{huge}");
        }
        assert_eq!(parse_time("86400s"), Ok(MAX_TIME));
    }

    #[test]
    fn integers_must_be_in_range() {
        let parse = integer::<u64>(1..=20);
        assert_eq!((parse("1"), parse("20"), integer::<i32>(-3..)("-3")), (Ok(1), Ok(20), Ok(-3)));
        for (text, error) in [
            ("0", "must be at least 1"),
            ("-5", "must be at least 1"),
            ("21", "must be at most 20"),
            ("", "expected an integer"),
            ("1.5", "expected an integer"),
            ("5s", "expected an integer"),
        ] {
            assert_eq!(parse(text), Err(error.to_string()), "{text}");
        }
        assert_eq!(integer::<u64>(0..)(&"9".repeat(25)), Err("too large".to_string()));
    }

    #[test]
    fn numbers_must_be_finite_and_in_range() {
        assert_eq!(parse_positive("0.5"), Ok(0.5f32));
        assert_eq!(parse_not_negative("0"), Ok(0.0f64));
        assert_eq!((parse_share("0"), parse_share("1")), (Ok(0.0f64), Ok(1.0f64)));
        for text in ["", "x", "nan", "inf", "-inf", "-1", "1e39"] {
            assert!(parse_positive::<f32>(text).is_err(), "{text}");
            assert!(parse_not_negative::<f32>(text).is_err(), "{text}");
            assert!(parse_share::<f32>(text).is_err(), "{text}");
        }
        assert_eq!(parse_positive::<f32>("0"), Err("expected a number above 0".to_string()));
        for text in ["0", "1.01", "100", "nan"] {
            assert!(parse_rate(text).is_err(), "{text}");
        }
        assert_eq!(
            (parse_rate("1"), parse_decay("0"), parse_decay("100")),
            (Ok(1.0), Ok(0.0), Ok(100.0))
        );
        assert!(parse_decay("1e30").is_err() && parse_decay("-1").is_err());
        assert_eq!((parse_scale("0.01"), parse_scale("1e4")), (Ok(0.01), Ok(10_000.0)));
        assert!(parse_scale("1e-30").is_err() && parse_scale("10001").is_err());
        // Underflows to 0 in single precision.
        assert!(parse_positive::<f32>("1e-50").is_err() && parse_positive::<f64>("1e-50").is_ok());
        assert!(parse_share::<f64>("1.001").is_err());
    }
}
