//! `cupbot ledger`: the graph of strength over all changes that were kept.

use anyhow::{ensure, Context, Result};
use plotters::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Draw the elo of all changes that were kept, from the ledger of strength, as SVG
///
/// The ledger is a Markdown table of date, commit, change, test and result. A result begins with the
/// difference in elo and its interval: `+33 [+6, +60]`; with `left out` in it, the change is not in
/// play. A change called `the same` is one more test of the one above. The graph adds up what was
/// measured change by change, each against the version before and under its own conditions; the band
/// adds the intervals as independent errors.
#[derive(clap::Args)]
pub struct Args {
    /// The ledger
    #[arg(default_value = "docs/strength.md")]
    file: PathBuf,
    /// Where the graph goes
    #[arg(short, long, default_value = "docs/strength.svg")]
    output: PathBuf,
}

/// The heads of the ledger's columns.
const COLUMNS: [&str; 5] = ["date", "commit", "change", "test", "result"];
/// The result of a change that is not in play says so.
const LEFT_OUT: &str = "left out";
/// The name of one more test of the change above, which must not count twice.
const AGAIN: &str = "the same";
/// Pixels: of a change, of what stands beside the changes, and of the height.
const WIDTH_A_CHANGE: u32 = 64;
const WIDTH_BESIDE: u32 = 240;
const HEIGHT: u32 = 420;

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    date: String,
    /// Empty where the change was not kept, or its commit is not known yet.
    commit: String,
    /// The difference in elo, and the ends of its interval; `None` for a result of another kind.
    elo: Option<[f64; 3]>,
    kept: bool,
}

/// Draws the graph.
pub fn run(args: Args) -> Result<ExitCode> {
    let changes = read(&args.file)?;
    let points = points(&changes);
    ensure!(!points.is_empty(), "{}: no change was kept", args.file.display());
    draw(&points, &args.output).with_context(|| format!("writing {}", args.output.display()))?;
    say!("{} changes, {} of them kept", changes.len(), points.len())?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Vec<Change>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

/// Reads the table with the ledger's columns; other tables and text are passed over.
fn parse(text: &str) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut lines = HashSet::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let cells = cells(line);
        if cells == COLUMNS {
            inside = true;
        } else if cells.is_empty() {
            inside = false;
        } else if inside && !line.starts_with("|---") {
            // A change that is listed twice would count twice.
            ensure!(lines.insert(line), "line {} is there twice", index + 1);
            changes.push(change(&cells).with_context(|| format!("line {}", index + 1))?);
        }
    }
    ensure!(!changes.is_empty(), "no table of {}", COLUMNS.join(", "));
    Ok(changes)
}

/// The cells of a table's line; none elsewhere.
fn cells(line: &str) -> Vec<&str> {
    match line.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) {
        Some(inner) => inner.split('|').map(str::trim).collect(),
        None => Vec::new(),
    }
}

fn change(cells: &[&str]) -> Result<Change> {
    let &[date, commit, name, _, result] = cells else {
        anyhow::bail!("expected {} cells, found {}", COLUMNS.len(), cells.len());
    };
    let digits = date.split('-').map(str::len).collect::<Vec<_>>();
    ensure!(digits == [4, 2, 2], "{date:?} is no date like 2026-11-21");
    let elo = elo(result).with_context(|| format!("result {result:?}"))?;
    let kept = elo.is_some() && !result.contains(LEFT_OUT) && name != AGAIN;
    Ok(Change { date: date.to_string(), commit: commit.to_string(), elo, kept })
}

/// Reads `**+33** [+6, +60] ...`. `None`: the result is in words.
fn elo(result: &str) -> Result<Option<[f64; 3]>> {
    let plain = result.replace('*', "");
    if !plain.starts_with(['+', '-']) {
        return Ok(None);
    }
    let (value, rest) = plain.split_once('[').context("expected an interval")?;
    let (ends, _) = rest.split_once(']').context("expected the end of the interval")?;
    let (low, high) = ends.split_once(',').context("expected both ends of the interval")?;
    let number = |text: &str| text.trim().parse::<f64>().context("expected a number");
    let elo = [number(value)?, number(low)?, number(high)?];
    ensure!(elo[1] <= elo[0] && elo[0] <= elo[2], "the interval does not hold the value");
    Ok(Some(elo))
}

/// What the versions are worth against the first one: a point for every kept change.
struct Point {
    label: String,
    elo: f64,
    low: f64,
    high: f64,
}

fn points(changes: &[Change]) -> Vec<Point> {
    let mut sum = 0.0;
    // Squares of errors below and above.
    let mut errors = [0.0; 2];
    let mut points = Vec::new();
    for change in changes.iter().filter(|change| change.kept) {
        let Some([value, low, high]) = change.elo else { continue };
        sum += value;
        errors[0] += (value - low).powi(2);
        errors[1] += (high - value).powi(2);
        let [below, above] = errors.map(f64::sqrt);
        let label = if change.commit.is_empty() { &change.date } else { &change.commit };
        points.push(Point { label: label.clone(), elo: sum, low: sum - below, high: sum + above });
    }
    points
}

fn draw(points: &[Point], path: &Path) -> Result<()> {
    let width = WIDTH_BESIDE + WIDTH_A_CHANGE * points.len() as u32;
    let root = SVGBackend::new(path, (width, HEIGHT)).into_drawing_area();
    root.fill(&WHITE)?;
    let top = points.iter().map(|point| point.high).fold(0.0, f64::max);
    let bottom = points.iter().map(|point| point.low).fold(0.0, f64::min);
    let mut chart = ChartBuilder::on(&root)
        .caption("Elo over the plain search, change by change", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(28)
        .y_label_area_size(56)
        .build_cartesian_2d(-0.5..points.len() as f64 + 0.5, bottom - 20.0..top * 1.05)?;
    let label = |x: &f64| {
        let index = x.round() as usize;
        let on_point = (x - x.round()).abs() < 1e-6 && index <= points.len();
        match (on_point, index.checked_sub(1).and_then(|index| points.get(index))) {
            (true, Some(point)) => point.label.clone(),
            (true, None) => "start".to_string(),
            (false, _) => String::new(),
        }
    };
    chart
        .configure_mesh()
        .x_labels(2 * points.len() + 3)
        .x_label_formatter(&label)
        .x_label_style(("monospace", 12))
        .y_label_formatter(&|elo| format!("{elo:+.0}"))
        .y_desc("elo")
        .disable_x_mesh()
        .draw()?;
    let at = |index: usize| (index + 1) as f64;
    let upper = points.iter().enumerate().map(|(index, point)| (at(index), point.high));
    let lower = points.iter().enumerate().rev().map(|(index, point)| (at(index), point.low));
    let band: Vec<_> = [(0.0, 0.0)].into_iter().chain(upper).chain(lower).collect();
    chart.draw_series([Polygon::new(band, BLUE.mix(0.15))])?;
    let line = points.iter().enumerate().map(|(index, point)| (at(index), point.elo));
    let line: Vec<_> = [(0.0, 0.0)].into_iter().chain(line).collect();
    chart.draw_series(LineSeries::new(line.iter().copied(), BLUE.stroke_width(2)))?;
    chart.draw_series(line.iter().map(|&place| Circle::new(place, 3, BLUE.filled())))?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEDGER: &str = include_str!("../../docs/strength.md");

    #[test]
    fn the_ledger_can_be_read_and_drawn() {
        let changes = parse(LEDGER).expect("the ledger");
        let kept = changes.iter().filter(|change| change.kept).count();
        assert!(kept >= 10 && kept < changes.len(), "{kept} of {}", changes.len());
        let file = tempfile::Builder::new().suffix(".svg").tempfile().expect("a file");
        draw(&points(&changes), file.path()).expect("drawn");
        let svg = fs::read_to_string(file.path()).expect("text");
        assert!(svg.contains("<svg") && svg.contains("2f73599"));
    }

    #[test]
    fn results_have_a_value_and_an_interval() {
        assert_eq!(elo("**+33** [+6, +60]").ok(), Some(Some([33.0, 6.0, 60.0])));
        assert_eq!(elo("-85 [-109, -61] against 50 %").ok(), Some(Some([-85.0, -109.0, -61.0])));
        assert_eq!(elo("no fault").ok(), Some(None));
        assert!(elo("+33").is_err() && elo("+33 [+40, +60]").is_err());
    }

    #[test]
    fn kept_changes_add_up_and_so_do_their_errors() {
        let head = "| date | commit | change | test | result |\n|---|---|---|---|---|\n";
        let rows = "| 2026-11-21 | abc | x | y | +10 [+7, +14] |\n\
                    | 2026-11-21 | | x | y | +99 [+1, +200], left out |\n\
                    | 2026-11-22 | | x | y | +5 [+1, +8] |\n\
                    | 2026-11-22 | | the same | y | +4 [+1, +8] |\n";
        let points = points(&parse(&format!("{head}{rows}")).expect("a ledger"));
        let last = points.last().expect("a point");
        assert_eq!((points.len(), last.label.as_str(), last.elo), (2, "2026-11-22", 15.0));
        assert_eq!((last.low, last.high), (10.0, 20.0));
        assert!(parse(&format!("{head}{rows}{rows}")).is_err());
        assert!(parse(&format!("{head}| 21.11.2026 | | x | y | +5 [+1, +8] |")).is_err());
        assert!(parse("no table").is_err());
    }
}
