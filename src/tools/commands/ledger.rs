//! `cupbot ledger`: the graph of strength over all changes that were kept.

use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{ensure_replaceable, read_text, replace_atomically};
use anyhow::{ensure, Context, Result};
use plotters::prelude::*;
use std::collections::HashSet;
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
    output: OutputFile,
}

/// The heads of the ledger's columns.
const COLUMNS: [&str; 5] = ["date", "commit", "change", "test", "result"];
/// The result of a change that is not in play says so.
const LEFT_OUT: &str = "left out";
/// The name of one more test of the change above, which must not count twice.
const AGAIN: &str = "the same";
/// Pixels: of the whole width, of the names of the changes, of a change's row, of what is above and
/// below the rows.
const WIDTH: u32 = 960;
const WIDTH_OF_NAMES: u32 = 330;
const HEIGHT_A_CHANGE: u32 = 22;
const HEIGHT_BESIDE: u32 = 130;
/// Sizes of letters.
const TITLE_SIZE: u32 = 20;
const TEXT_SIZE: u32 = 15;
/// So many gridlines at most.
const GRIDLINES: usize = 8;
/// Of the empty space at both ends of the scale.
const SCALE_MARGIN: f64 = 0.05;
/// A longer name of a change is cut.
const MAX_NAME: usize = 36;
/// A name that goes on behind a colon is cut there if so much is left.
const MIN_NAME: usize = 8;
/// No measured difference is larger.
const MAX_ELO: f64 = 10_000.0;

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    date: String,
    /// Empty where the change was not kept, or its commit is not known yet.
    commit: String,
    name: String,
    /// The difference in elo, and the ends of its interval; `None` for a result of another kind.
    elo: Option<[f64; 3]>,
    kept: bool,
}

/// Draws the graph.
pub fn run(args: Args) -> Result<ExitCode> {
    let changes = read(&args.file)?;
    let points = points(&changes);
    ensure!(!points.is_empty(), "{}: no change was kept", args.file.display());
    ensure_replaceable(&args.output)?;
    let graph = draw(&points).context("drawing the graph")?;
    replace_atomically(&args.output, graph.as_bytes())?;
    say!("{} changes, {} of them kept", changes.len(), points.len())?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Vec<Change>> {
    let text = read_text(path).with_context(|| format!("reading {}", path.display()))?;
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
    let [date, commit, name] = [date, commit, name].map(str::to_string);
    Ok(Change { date, commit, name, elo, kept })
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
    let number = |text: &str| {
        let number = text.trim().parse::<f64>().ok().filter(|number| number.abs() <= MAX_ELO);
        number.with_context(|| format!("expected a number within {MAX_ELO}"))
    };
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
        let label = format!("{} {value:+}", label(change));
        points.push(Point { label, elo: sum, low: sum - below, high: sum + above });
    }
    points
}

/// The commit of a change, else its date, and its name in short.
fn label(change: &Change) -> String {
    let Change { date, commit, name, .. } = change;
    // What is only the same says more behind the comma.
    let short = name.split([',', ';', '(']).next().filter(|short| *short != AGAIN).unwrap_or(name);
    let head = short.split(':').next().filter(|head| head.len() >= MIN_NAME);
    let short = head.unwrap_or(short).trim();
    let place = if commit.is_empty() { date } else { commit };
    match short.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{place} {}…", short[..end].trim_end()),
        None => format!("{place} {short}"),
    }
}

/// The graph as SVG: a row a change, the first one on top, with the sum of elo along the row.
fn draw(points: &[Point]) -> Result<String> {
    let mut svg = String::new();
    let rows = points.len() as i32;
    let size = (WIDTH, HEIGHT_BESIDE + HEIGHT_A_CHANGE * points.len() as u32);
    let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    root.fill(&WHITE)?;
    let highest = points.iter().map(|point| point.high).fold(0.0, f64::max);
    let lowest = points.iter().map(|point| point.low).fold(0.0, f64::min);
    let margin = (SCALE_MARGIN * (highest - lowest)).max(1.0);
    let mut chart = ChartBuilder::on(&root)
        .caption("Elo over the plain search, change by change", ("sans-serif", TITLE_SIZE))
        .margin(12)
        .x_label_area_size(26)
        .y_label_area_size(WIDTH_OF_NAMES)
        .build_cartesian_2d(lowest - margin..highest + margin, -1..rows + 1)?;
    // The axis counts from the bottom; at both ends is a row of nothing.
    let label = |row: &i32| match usize::try_from(rows - row) {
        Ok(0) => "the plain search".to_string(),
        Ok(number) => points.get(number - 1).map_or(String::new(), |point| point.label.clone()),
        Err(_) => String::new(),
    };
    chart
        .configure_mesh()
        .x_labels(GRIDLINES)
        .max_light_lines(0)
        .x_label_formatter(&|elo| format!("{elo:+.0}"))
        .y_labels(points.len() + 3)
        .y_label_formatter(&label)
        .label_style(("sans-serif", TEXT_SIZE))
        .disable_y_mesh()
        .draw()?;
    let row = |index: usize| rows - 1 - index as i32;
    let upper = points.iter().enumerate().map(|(index, point)| (point.high, row(index)));
    let lower = points.iter().enumerate().rev().map(|(index, point)| (point.low, row(index)));
    let band: Vec<_> = [(0.0, rows)].into_iter().chain(upper).chain(lower).collect();
    chart.draw_series([Polygon::new(band, BLUE.mix(0.15))])?;
    let line = points.iter().enumerate().map(|(index, point)| (point.elo, row(index)));
    let line: Vec<_> = [(0.0, rows)].into_iter().chain(line).collect();
    chart.draw_series(LineSeries::new(line.iter().copied(), BLUE.stroke_width(2)))?;
    chart.draw_series(line.iter().map(|&place| Circle::new(place, 3, BLUE.filled())))?;
    root.present()?;
    drop(chart);
    drop(root);
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEDGER: &str = include_str!("../../../docs/strength.md");

    #[test]
    fn the_ledger_can_be_read_and_drawn() {
        let changes = parse(LEDGER).expect("the ledger");
        let kept = changes.iter().filter(|change| change.kept).count();
        assert!(kept >= 10 && kept < changes.len(), "{kept} of {}", changes.len());
        let svg = draw(&points(&changes)).expect("drawn");
        assert!(svg.starts_with("<svg") && svg.contains("</svg>"), "{svg}");
        // Every kept change has its name, and the gridlines are few.
        let svg = svg.replace("&apos;", "'").replace("&quot;", "\"");
        for change in changes.iter().filter(|change| change.kept) {
            assert!(svg.contains(&label(change)), "{} in {svg}", label(change));
        }
        let gridlines = svg.matches("<line").count();
        assert!(gridlines <= 2 * GRIDLINES, "{gridlines} gridlines");
    }

    #[test]
    fn results_have_a_value_and_an_interval() {
        assert_eq!(elo("**+33** [+6, +60]").ok(), Some(Some([33.0, 6.0, 60.0])));
        assert_eq!(elo("-85 [-109, -61] against 50 %").ok(), Some(Some([-85.0, -109.0, -61.0])));
        assert_eq!(elo("no fault").ok(), Some(None));
        for wrong in ["+33", "+33 [+40, +60]", "+33 [-inf, +60]", "+NaN [+1, +2]", "+1 [0, 99999]"]
        {
            assert!(elo(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn labels_are_short_and_begin_with_the_commit_or_the_date() {
        let labelled = |commit: &str, name: &str| {
            let [date, commit, name] = ["2026-11-22", commit, name].map(str::to_string);
            label(&Change { date, commit, name, elo: None, kept: true })
        };
        assert_eq!(labelled("abc", "sixth network: by the fifth"), "abc sixth network");
        assert_eq!(labelled("", "quiet checks, in one ply"), "2026-11-22 quiet checks");
        assert_eq!(labelled("abc", "time: 36 moves"), "abc time: 36 moves");
        assert_eq!(labelled("abc", "the same, in games"), "abc the same, in games");
        let long = labelled("abc", &"é".repeat(60));
        assert_eq!(long, format!("abc {}…", "é".repeat(MAX_NAME)));
    }

    #[test]
    fn a_graph_that_cannot_be_written_is_told_in_plain_words() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let file = folder.path().join("ledger.md");
        std::fs::write(&file, LEDGER).expect("written");
        let output = folder.path().join("none/graph.svg");
        let error = run(Args { file, output: output.clone().into() }).expect_err("no such folder");
        let reason = "No such file or directory (os error 2)";
        assert_eq!(format!("{error:#}"), format!("writing {}: {reason}", output.display()));
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
        assert_eq!((points.len(), last.label.as_str(), last.elo), (2, "2026-11-22 x +5", 15.0));
        assert_eq!((last.low, last.high), (10.0, 20.0));
        assert!(parse(&format!("{head}{rows}{rows}")).is_err());
        assert!(parse(&format!("{head}| 21.11.2026 | | x | y | +5 [+1, +8] |")).is_err());
        assert!(parse("no table").is_err());
    }
}
