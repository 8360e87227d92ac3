//! The learning curve: mean score by number of games trained.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Size of the image, in pixels.
const SIZE: [f64; 2] = [720.0, 400.0];
/// Edges of the plot, in pixels: left and right, bottom and top.
const PLOT: [[f64; 2]; 2] = [[60.0, 680.0], [360.0, 48.0]];
/// Top of the score axis, as a multiple of the highest score.
const MARGIN: f64 = 1.1;
/// Maximum number of intervals on an axis.
const MAX_STEPS: f64 = 10.0;

/// A point of the learning curve, from one report.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Number of games so far.
    pub games: u64,
    /// Mean score of the test games.
    pub score: f64,
}

/// Draws the curve as an SVG image.
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
        // Writing to a string can't fail.
        let _ = write!(svg, "{:.1},{:.1} ", x(point.games as f64), y(point.score));
    }
    svg + "\"/>\n</svg>\n"
}

/// Returns round numbers for the ticks of an axis from 0 to `max`.
fn marks(max: f64) -> impl Iterator<Item = f64> {
    let least = (max / MAX_STEPS).max(1.0);
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|&step| step >= least).unwrap_or(max);
    (0..=(max / step) as u32).map(move |index| f64::from(index) * step)
}

/// Formats an integer with thousands separators.
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
    fn points_round_trip_and_are_drawn() {
        let points = [(5000, 812.5), (10_000, 990.0), (15_000, 1_020.25)];
        let points = points.map(|(games, score)| Point { games, score });
        let text = serde_json::to_string(&points).expect("serialisable");
        assert_eq!(serde_json::from_str::<Vec<Point>>(&text).expect("just serialised"), points);
        let svg = draw(&points);
        let line = svg.split("<polyline").nth(1);
        let corners = line.and_then(|line| line.split("points=\"").nth(1)?.split('"').next());
        assert_eq!(corners.expect("a line").split_whitespace().count(), points.len(), "{svg}");
        assert!(svg.contains(">14,000<") && svg.contains(">1,000<"), "{svg}");
        assert!(draw(&[]).ends_with("</svg>\n"));
    }
}
