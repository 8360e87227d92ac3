//! `cupbot depths`: nodes and time to depth of several programs, from their own benchmarks.

use crate::tools::support::reaper;
use anyhow::{bail, ensure, Context, Result};
use serde_json::json;
use std::fmt::Write;
use std::process::{Command, ExitCode};

/// Compare nodes to depth, time to depth and branching factors of programs on the bench positions
///
/// Every program is a shell command such as `target/release/cupbot bench`, of this version or an older
/// one. It is run with `--depth N` for every depth. The branching factor is the mean growth of the
/// nodes from one depth to the next over the last depths. Prints tables in Markdown.
#[derive(clap::Args)]
pub struct Args {
    /// The programs
    #[arg(required = true, value_name = "COMMAND")]
    programs: Vec<String>,
    /// The deepest search
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=30))]
    depth: u32,
    /// Over how many of the last depths branching factors are taken
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=29))]
    last: u32,
    /// Print JSON instead
    #[arg(long)]
    json: bool,
}

/// What a program needed for a position, or for all, at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cost {
    nodes: u64,
    seconds: f64,
}

/// A position and what a program needed for it at depth 1, 2, ...
struct Row {
    position: String,
    costs: Vec<Cost>,
}

impl Row {
    fn branching(&self, last: u32) -> f64 {
        let nodes = |index: usize| self.costs[index].nodes.max(1) as f64;
        let end = self.costs.len() - 1;
        let begin = end.saturating_sub(last as usize);
        (nodes(end) / nodes(begin)).powf(1.0 / (end - begin).max(1) as f64)
    }

    fn last(&self) -> Cost {
        *self.costs.last().expect("a depth")
    }
}

/// Runs the programs and prints the comparison.
pub fn run(args: Args) -> Result<ExitCode> {
    let measured: Result<Vec<Vec<Row>>> =
        args.programs.iter().map(|program| measure(program, args.depth)).collect();
    let measured = measured?;
    let positions = |rows: &[Row]| rows.iter().map(|row| row.position.clone()).collect::<Vec<_>>();
    let first = positions(&measured[0]);
    let same = measured.iter().all(|rows| positions(rows) == first);
    ensure!(same, "the programs search different positions");
    if args.json {
        say!("{:#}", to_json(&args, &measured))?;
    } else {
        say_part!("{}", to_markdown(&args, &measured))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The benchmarks of one program; the last row is the sum of all.
fn measure(program: &str, depth: u32) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for depth in 1..=depth {
        let command = format!("{program} --depth {depth}");
        let mut shell = Command::new("sh");
        reaper::mark(&mut shell);
        let output = shell.args(["-c", &command]).output().context("running sh")?;
        ensure!(output.status.success(), "{command}: {}", output.status);
        let report = String::from_utf8_lossy(&output.stdout);
        let costs: Vec<_> = report.lines().filter_map(parse).collect();
        ensure!(!costs.is_empty(), "{command}: no line like `123 nodes 0.456 s b5d3 POSITION`");
        if rows.is_empty() {
            let positions = costs.iter().map(|(_, position)| position.clone());
            let row = |position| Row { position, costs: Vec::new() };
            rows = positions.chain(["all".to_string()]).map(row).collect();
        }
        let sum = costs.iter().fold(Cost::default(), |sum, (cost, _)| Cost {
            nodes: sum.nodes + cost.nodes,
            seconds: sum.seconds + cost.seconds,
        });
        if costs.len() + 1 != rows.len() {
            bail!("{command}: another number of positions");
        }
        let costs = costs.iter().map(|&(cost, _)| cost).chain([sum]);
        rows.iter_mut().zip(costs).for_each(|(row, cost)| row.costs.push(cost));
    }
    Ok(rows)
}

/// Reads a line of a benchmark: `123 nodes 0.456 s b5d3 POSITION`.
fn parse(line: &str) -> Option<(Cost, String)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[nodes, "nodes", seconds, "s", _, ref position @ ..] = &words[..] else { return None };
    let cost = Cost { nodes: nodes.parse().ok()?, seconds: seconds.parse().ok()? };
    Some((cost, position.join(" ")))
}

fn to_json(args: &Args, measured: &[Vec<Row>]) -> serde_json::Value {
    let row = |row: &Row| {
        json!({
            "position": row.position,
            "nodes": row.costs.iter().map(|cost| cost.nodes).collect::<Vec<_>>(),
            "seconds": row.costs.iter().map(|cost| cost.seconds).collect::<Vec<_>>(),
            "branching": row.branching(args.last),
        })
    };
    let programs = args.programs.iter().zip(measured);
    let program = |(program, rows): (&String, &Vec<Row>)| json!({ "program": program, "positions": rows.iter().map(row).collect::<Vec<_>>() });
    programs.map(program).collect()
}

/// A legend, a table of all depths and one of all positions. Writing to a string can't fail.
fn to_markdown(args: &Args, measured: &[Vec<Row>]) -> String {
    let mut text = String::new();
    let letters: Vec<char> = ('A'..).take(measured.len()).collect();
    for (letter, program) in letters.iter().zip(&args.programs) {
        let _ = writeln!(text, "- {letter}: `{program}`");
    }
    text += "\n| depth |";
    letters.iter().for_each(|letter| {
        let _ = write!(text, " {letter} nodes | {letter} time |");
    });
    text += &rule(1 + 2 * letters.len());
    let all = |rows: &[Row], depth: usize| rows.last().map_or(Cost::default(), |r| r.costs[depth]);
    for depth in 0..args.depth as usize {
        let _ = write!(text, "| {} |", depth + 1);
        for rows in measured {
            let Cost { nodes, seconds } = all(rows, depth);
            let _ = write!(text, " {nodes} | {seconds:.3} s |");
        }
        text += "\n";
    }
    let _ = write!(text, "\n| position, depth {} |", args.depth);
    letters.iter().for_each(|letter| {
        let _ = write!(text, " {letter} nodes | {letter} time | {letter} branching |");
    });
    text += &rule(1 + 3 * letters.len());
    for (index, row) in measured[0].iter().enumerate() {
        let _ = write!(text, "| {} |", row.position);
        for row in measured.iter().map(|rows| &rows[index]) {
            let Cost { nodes, seconds } = row.last();
            let branching = row.branching(args.last);
            let _ = write!(text, " {nodes} | {seconds:.3} s | {branching:.2} |");
        }
        text += "\n";
    }
    text
}

/// The line under a table's head: the position on the left, numbers on the right.
fn rule(columns: usize) -> String {
    format!("\n|---|{}\n", "--:|".repeat(columns - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines_of_a_benchmark() {
        let line = "     58236 nodes   0.041 s  e3d1 W1A3DA/f2A2dD - 55";
        let cost = Cost { nodes: 58236, seconds: 0.041 };
        assert_eq!(parse(line), Some((cost, "W1A3DA/f2A2dD - 55".to_string())));
        assert_eq!(parse("nodes 123"), None);
        assert_eq!(parse("Bench: 123"), None);
    }

    #[test]
    fn the_branching_factor_is_the_growth_of_nodes() {
        let costs = [7, 3, 6, 12, 24].map(|nodes| Cost { nodes, seconds: 0.0 }).to_vec();
        let row = Row { position: String::new(), costs };
        assert!((row.branching(3) - 2.0).abs() < 1e-9);
        assert!((row.branching(1) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn compares_programs_depth_by_depth() {
        // Answers like a benchmark with one position that takes `factor` times the depth.
        let program =
            |factor: u32| format!("f() {{ echo \"$(({factor} * $2)) nodes 0.1 s b5d3 - 3\"; }}; f");
        let programs = vec![program(10), program(20)];
        let args = Args { programs, depth: 3, last: 2, json: false };
        let measured: Vec<_> =
            args.programs.iter().map(|program| measure(program, 3).expect("runs")).collect();
        let text = to_markdown(&args, &measured);
        assert!(text.contains("| 3 | 30 | 0.100 s | 60 | 0.100 s |"), "{text}");
        assert!(text.contains("| - 3 | 30 | 0.100 s | 1.73 | 60 | 0.100 s | 1.73 |"), "{text}");
        assert_eq!(to_json(&args, &measured)[1]["positions"][0]["nodes"], json!([20, 40, 60]));
        assert!(measure("exit 3;", 1).is_err() && measure("echo", 1).is_err());
    }
}
