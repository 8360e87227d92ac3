//! The report of a training or tuning run: an HTML page with its curves.

use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::replace_atomically;
use crate::tools::support::pages::{ensure_page, template, STYLE};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("report.html");
/// Size of a chart, in pixels.
const SIZE: [f64; 2] = [480.0, 230.0];
/// Edges of the plot, in pixels: left and right, bottom and top.
const PLOT: [[f64; 2]; 2] = [[62.0, 466.0], [186.0, 10.0]];
/// Minimum number of intervals on an axis, approximately.
const STEPS: f64 = 5.0;
/// Maximum number of points that are marked by dots.
const MAX_DOTS: usize = 60;

/// The option of a command that writes a report.
#[derive(clap::Args, Default)]
pub struct ReportOption {
    /// Write a page with the curves of the run to this file, anew after each step
    #[arg(long, value_name = "FILE")]
    pub report: Option<OutputFile>,
}

impl ReportOption {
    /// Fails if the file can't be written, or if it exists and is not a page.
    pub fn ensure_writable(&self) -> Result<()> {
        self.report.as_deref().map_or(Ok(()), ensure_page)
    }

    /// Writes the report, if there is to be one. `unit` names what the x axes count.
    pub fn write(&self, title: &str, summary: &str, unit: &str, charts: &Charts) -> Result<()> {
        let Some(path) = &self.report else { return Ok(()) };
        let charts: Vec<Value> = charts.0.iter().map(|chart| chart.values(unit)).collect();
        let values =
            json!({ "title": title, "summary": summary, "charts": charts, "style": STYLE });
        replace_atomically(path, template::page(TEMPLATE, &values)?.as_bytes())
    }
}

/// The curves of a run so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Charts(Vec<Chart>);

/// Curves of the same quantity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Chart {
    title: String,
    curves: Vec<Curve>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Curve {
    /// Name in the legend; empty for the only curve of a chart.
    name: String,
    points: Vec<[f64; 2]>,
}

impl Charts {
    /// Adds a point to a curve. The first point of a curve creates it.
    pub fn add(&mut self, title: &str, name: &str, point: [f64; 2]) {
        let at = self.0.iter().position(|chart| chart.title == title).unwrap_or_else(|| {
            self.0.push(Chart { title: title.to_string(), curves: Vec::new() });
            self.0.len() - 1
        });
        let curves = &mut self.0[at].curves;
        let at = curves.iter().position(|curve| curve.name == name).unwrap_or_else(|| {
            curves.push(Curve { name: name.to_string(), points: Vec::new() });
            curves.len() - 1
        });
        curves[at].points.push(point);
    }
}

impl Chart {
    /// Returns the values for the template.
    fn values(&self, unit: &str) -> Value {
        let names = self.curves.iter().map(|curve| &curve.name).filter(|name| !name.is_empty());
        let names: Vec<&String> = names.collect();
        json!({ "title": self.title, "names": names, "svg": self.draw(unit) })
    }

    /// Draws the chart as an SVG image.
    fn draw(&self, unit: &str) -> String {
        let [width, height] = SIZE;
        let [[left, right], [bottom, top]] = PLOT;
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let across = Axis::of(points().map(|point| point[0]), 1.0);
        let up = Axis::of(points().map(|point| point[1]), 0.0);
        let x = |value: f64| left + (right - left) * across.share(value);
        let y = |value: f64| bottom + (top - bottom) * up.share(value);
        let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\">\n");
        // Writing to a string can't fail.
        for mark in up.marks() {
            let (at, number) = (y(mark), up.number(mark));
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/><text x=\"{}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{number}</text>",
                left - 8.0,
                at + 4.0
            );
        }
        for mark in across.marks() {
            let (at, number) = (x(mark), across.number(mark));
            let _ = writeln!(
                svg,
                "<path class=\"axis\" d=\"M{at:.1} {bottom}v5\"/><text x=\"{at:.1}\" y=\"{}\" \
                 text-anchor=\"middle\">{number}</text>",
                bottom + 19.0
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{left} {bottom}H{right}\"/><text x=\"{right}\" y=\"{}\" \
             text-anchor=\"end\">{unit}</text>",
            height - 6.0
        );
        for (index, curve) in self.curves.iter().enumerate() {
            let at = curve.points.iter().map(|point| (x(point[0]), y(point[1])));
            let line: String = at.clone().map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
            let _ =
                writeln!(svg, "<g class=\"c{index}\"><polyline class=\"line\" points=\"{line}\"/>");
            let dots = curve.points.iter().zip(at).filter(|_| curve.points.len() <= MAX_DOTS);
            for ([unit_value, value], (x, y)) in dots {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"><title>{unit} {unit_value}: {value}</title></circle>"
                );
            }
            svg += "</g>\n";
        }
        svg + "</svg>"
    }
}

/// An axis from `low` to `high` with marks at round numbers.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Returns an axis for these values with steps of at least `min_step`.
    fn of(values: impl Iterator<Item = f64> + Clone, min_step: f64) -> Axis {
        let finite = values.filter(|value| value.is_finite());
        let low = finite.clone().fold(f64::INFINITY, f64::min);
        let high = finite.fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let range = if high > low { high - low } else { low.abs().max(1.0) };
        let step = round_step(range / STEPS).max(min_step);
        let low = (low / step).floor() * step;
        Axis { low, high: (high / step).ceil().max((low / step).round() + 1.0) * step, step }
    }

    /// Returns the position of a value, from 0 (low) to 1 (high).
    fn share(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            1.0
        }
    }

    fn marks(&self) -> impl Iterator<Item = f64> + '_ {
        let count = ((self.high - self.low) / self.step).round() as u32;
        (0..=count).map(|index| self.low + f64::from(index) * self.step)
    }

    /// Formats a mark, with the decimals of the step and thousands separators.
    fn number(&self, mark: f64) -> String {
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        let text = format!("{:.decimals$}", mark.abs());
        let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
        let sign = if mark < 0.0 && text.contains(|digit: char| ('1'..='9').contains(&digit)) {
            "-"
        } else {
            ""
        };
        let mut number = sign.to_string();
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                number.push(',');
            }
            number.push(digit);
        }
        number + fraction
    }
}

/// Returns the smallest round number (1, 2 or 5 times a power of ten) that is at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|factor| factor * power);
    steps.into_iter().find(|&round| round >= step).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_marks() {
        for (values, min_step, expected) in [
            (&[5000.0, 15_000.0][..], 1.0, "4,000 6,000 8,000 10,000 12,000 14,000 16,000"),
            (&[0.671, 0.694], 0.0, "0.670 0.675 0.680 0.685 0.690 0.695"),
            (&[1.0, 3.0], 1.0, "1 2 3"),
            (&[-3.0, 3.0, f64::NAN], 0.0, "-4 -2 0 2 4"),
            (&[7.0], 1.0, "6 8"),
            (&[], 0.0, "0.0 0.2 0.4 0.6 0.8 1.0"),
        ] {
            let axis = Axis::of(values.iter().copied(), min_step);
            let marks: Vec<String> = axis.marks().map(|mark| axis.number(mark)).collect();
            assert_eq!(marks.join(" "), expected, "{values:?}");
        }
    }

    #[test]
    fn curves_round_trip_and_are_drawn() {
        let mut charts = Charts::default();
        for (epoch, loss) in [(1.0, 0.69), (2.0, 0.68), (3.0, f64::INFINITY)] {
            charts.add("Loss", "training", [epoch, loss]);
            charts.add("Loss", "validation", [epoch, 0.7]);
        }
        charts.add("Learning rate", "", [1.0, 0.002]);
        let svg = charts.0[0].draw("epoch");
        assert_eq!(svg.matches("<circle").count(), 6, "{svg}");
        assert!(svg.contains(">0.680<") && !svg.contains("NaN") && !svg.contains("inf,"), "{svg}");
        charts.0[0].curves[0].points.pop();
        let text = serde_json::to_string(&charts).expect("serialisable");
        assert_eq!(serde_json::from_str::<Charts>(&text).expect("just serialised"), charts);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.html");
        let option = ReportOption { report: Some(OutputFile::from(path.clone())) };
        option.ensure_writable().expect("a new file");
        option.write("Training", "a < b", "epoch", &charts).expect("written");
        option.ensure_writable().expect("a page is replaced");
        let page = std::fs::read_to_string(&path).expect("the page");
        for part in ["<h1>Training</h1>", "a &lt; b", "class=\"c1\">validation<", "Learning rate"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        std::fs::write(&path, "games").expect("written");
        assert!(option.ensure_writable().is_err());
    }
}
