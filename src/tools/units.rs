//! Quantities as people write them on a command line.

use std::time::Duration;

/// The units of a time of play. `humantime` knows hours to years too, which nobody means here.
const TIME_UNITS: [&str; 5] = ["", "ms", "s", "m", "min"];

/// Reads a time above 0: `3s`, `500ms`, `1.5s`, `2m`; a number alone means seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !TIME_UNITS.contains(&unit) {
        return Err(format!("no time: {text:?}, expected one like 3s, 500ms or 2m"));
    }
    let seconds = if unit.is_empty() { "s" } else { "" };
    match humantime::parse_duration(&format!("{text}{seconds}")) {
        Ok(time) if time.is_zero() => Err(format!("{text:?} is no time above 0")),
        Ok(time) => Ok(time),
        Err(error) => Err(format!("no time: {text:?}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_units() {
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
    fn refuses_what_is_no_time() {
        for text in ["", "s", "3h", "-1s", "0", "nan", "inf", "1e30s", "3 s", "1.2.3s", "1m30s"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        let huge = "9".repeat(30);
        assert!(parse_time(&huge).is_err());
    }
}
