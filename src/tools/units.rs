//! Quantities as people write them on a command line.

use std::time::Duration;

/// Reads a time: `3s`, `500ms`, `1.5s`, `2m`; a number alone means seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err(format!("unknown unit in {text:?}, expected ms, s or m")),
    };
    let number: f64 =
        digits.parse().map_err(|_| format!("no time: {text:?}, expected one like 3s"))?;
    match Duration::try_from_secs_f64(number * unit) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(format!("{text:?} is no time above 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_units() {
        assert_eq!(parse_time("3s"), Ok(Duration::from_secs(3)));
        assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_time("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
    }

    #[test]
    fn refuses_what_is_no_time() {
        for text in ["", "s", "3h", "-1s", "0", "nan", "inf", "1e30s", "3 s"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }
}
