//! The curve of a training: how the score grew with the games.

use anyhow::Result;
use plotters::prelude::*;
use serde::{Deserialize, Serialize};

const SIZE: (u32, u32) = (720, 400);
const TITLE_SIZE: u32 = 16;
const TEXT_SIZE: u32 = 13;
/// What is free above the highest score.
const MARGIN: f64 = 1.1;

/// What a report said.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The games so far.
    pub games: u64,
    /// The mean score of the test games.
    pub score: f64,
}

/// The curve as an SVG image.
pub fn draw(points: &[Point]) -> Result<String> {
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let most_games = points.iter().map(|point| point.games).max().unwrap_or(1) as f64;
    let highest = points.iter().map(|point| point.score).fold(1.0, f64::max);
    let title = "Mean score of test games, one ply deep, by games trained";
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", TITLE_SIZE))
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..most_games, 0.0..MARGIN * highest)?;
    chart
        .configure_mesh()
        .max_light_lines(0)
        .x_label_formatter(&|games| format!("{games:.0}"))
        .y_label_formatter(&|score| format!("{score:.0}"))
        .label_style(("sans-serif", TEXT_SIZE))
        .draw()?;
    let line = points.iter().map(|point| (point.games as f64, point.score));
    chart.draw_series(LineSeries::new(line, BLUE.stroke_width(2)))?;
    root.present()?;
    drop(chart);
    drop(root);
    Ok(svg)
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
        let svg = draw(&points).expect("drawn");
        let line = svg.split("<polyline").find(|part| part.contains("#0000FF"));
        let corners = line.and_then(|line| line.split("points=\"").nth(1)?.split('"').next());
        assert_eq!(corners.expect("a line").split_whitespace().count(), points.len(), "{svg}");
        assert!(draw(&[]).is_ok());
    }
}
