//! The curve of a training: how the score grew with the games.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The size of the image, in pixels.
const SIZE: [f64; 2] = [720.0, 400.0];
/// The edges of the plot: left and right, bottom and top.
const PLOT: [[f64; 2]; 2] = [[60.0, 680.0], [360.0, 48.0]];
/// What is free above the highest score.
const MARGIN: f64 = 1.1;
/// Maximum number of steps between the marks of an axis.
const MAX_STEPS: f64 = 10.0;

/// What a report said.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The games so far.
    pub games: u64,
    /// The mean score of the test games.
    pub score: f64,
}

/// The curve as an SVG image, in the colours of the other drawings.
pub fn draw(points: &[Point]) -> String {
    let [width, height] = SIZE;
    let [[left, right], [bottom, top]] = PLOT;
    let most_games = points.iter().map(|point| point.games).max().unwrap_or(1).max(1) as f64;
    let highest = MARGIN * points.iter().map(|point| point.score).fold(1.0, f64::max);
    let x = |games: f64| left + (right - left) * games / most_games;
    let y = |score: f64| bottom + (top - bottom) * score / highest;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" \
         aria-label=\"Learning curve\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#645e54\">\n\
         <rect fill=\"#fbf8f1\" width=\"{width}\" height=\"{height}\"/>\n\
         <text fill=\"#23211d\" x=\"{left}\" y=\"28\" font-size=\"15\" font-weight=\"600\">\
         Mean score of test games, one ply deep, by games trained</text>\n"
    );
    for score in marks(highest) {
        let (y, number) = (y(score), number(score));
        svg += &format!(
            "<path stroke=\"#e0d9cc\" d=\"M{left} {y:.1}H{right}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>\n",
            left - 8.0,
            y + 4.5
        );
    }
    for games in marks(most_games) {
        let (x, number) = (x(games), number(games));
        svg += &format!(
            "<path stroke=\"#8b8375\" d=\"M{x:.1} {bottom}v5\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>\n",
            bottom + 21.0
        );
    }
    svg += &format!("<path stroke=\"#8b8375\" d=\"M{left} {bottom}H{right}\"/>\n");
    svg += "<polyline fill=\"none\" stroke=\"#23699f\" stroke-width=\"2\" stroke-linejoin=\"round\" points=\"";
    for point in points {
        // Nothing fails when text is written to a string.
        let _ = write!(svg, "{:.1},{:.1} ", x(point.games as f64), y(point.score));
    }
    svg + "\"/>\n</svg>\n"
}

/// The round numbers of an axis from 0 to `max`.
fn marks(max: f64) -> impl Iterator<Item = f64> {
    let least = (max / MAX_STEPS).max(1.0);
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|&step| step >= least).unwrap_or(max);
    (0..=(max / step) as u32).map(move |index| f64::from(index) * step)
}

/// A whole number with its thousands apart.
fn number(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_as_written_and_drawn() {
        let points = [(5000, 812.5), (10_000, 990.0), (15_000, 1_020.25)];
        let points = points.map(|(games, score)| Point { games, score });
        let text = serde_json::to_string(&points).expect("written");
        assert_eq!(serde_json::from_str::<Vec<Point>>(&text).expect("read"), points);
        let svg = draw(&points);
        let line = svg.split("<polyline").nth(1);
        let corners = line.and_then(|line| line.split("points=\"").nth(1)?.split('"').next());
        assert_eq!(corners.expect("a line").split_whitespace().count(), points.len(), "{svg}");
        assert!(svg.contains(">14,000<") && svg.contains(">1,000<"), "{svg}");
        assert!(draw(&[]).ends_with("</svg>\n"));
    }
}
