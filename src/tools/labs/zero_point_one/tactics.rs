//! `cupbot tactics`: counts the nodes that the search needs to solve a suite of positions.

use super::suite::Tactic;
use crate::engine::score;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::tools::support::ctrl_c;
use crate::tools::support::files::{read_text, Named};
use crate::tools::support::text::shown_name;
use crate::tools::support::units::integer;
use anyhow::{ensure, Context, Result};
use std::path::PathBuf;
use std::process::ExitCode;

/// Count the nodes that Zero Point One's search needs for each position of a suite
///
/// A line is `position; task; moves`, with all moves that solve the task. A search is correct if it chooses one of
/// these moves or proves another win. Each position is searched with increasing depth; the result is the node count of
/// the shallowest search from which all deeper ones are correct.
#[derive(clap::Args)]
pub struct Args {
    /// File with the suite
    file: PathBuf,
    /// Maximum nodes per search; an unsolved position counts as this many
    #[arg(long, default_value_t = 2_000_000, value_parser = integer::<u64>(1..))]
    nodes: u64,
}

/// Hash table size, in MiB.
const HASH_MB: usize = 64;
/// Maximum search depth, in plies.
const MAX_DEPTH: i32 = 30;

/// Prints the nodes of every position and a summary.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::start_over();
    let name = shown_name(&args.file);
    let text = read_text(&args.file).named("reading", &args.file)?;
    let mut searcher = Searcher::new(Params::default(), HASH_MB);
    let (mut total, mut solved, mut count, mut logs) = (0, 0, 0, 0.0);
    for (index, line) in text.lines().enumerate() {
        let tactic = Tactic::parse(line).with_context(|| format!("{name}, line {}", index + 1))?;
        let nodes = nodes_to_solution(&mut searcher, &tactic, args.nodes);
        let mark = if nodes.is_some() { "" } else { " unsolved" };
        let nodes = nodes.unwrap_or(args.nodes);
        say!("{nodes:>10}{mark} {line}")?;
        total += nodes;
        count += 1;
        solved += usize::from(mark.is_empty());
        logs += (nodes.max(1) as f64).ln();
    }
    ensure!(count > 0, "{name} contains no positions");
    let mean = (logs / f64::from(count.max(1))).exp();
    say!("solved {solved} of {count}\nnodes {total}\ngeometric mean {mean:.0}")?;
    Ok(ExitCode::SUCCESS)
}

fn nodes_to_solution(searcher: &mut Searcher, tactic: &Tactic, max_nodes: u64) -> Option<u64> {
    let game = Game::from_position(tactic.position);
    let mut solved = None;
    for depth in 1..=MAX_DEPTH {
        searcher.clear();
        let limits =
            Limits { depth: Some(depth), hard_nodes: Some(max_nodes), ..Limits::default() };
        let found = searcher.search(&game, limits);
        // A longer win than the listed one is accepted.
        let won = score::is_decisive(found.score) && found.score > 0;
        let right = won || found.best.is_some_and(|mv| tactic.solutions.contains(&mv));
        if found.nodes >= max_nodes {
            // The search was stopped early, so nothing is known about deeper ones.
            break;
        }
        solved = if right { solved.or(Some(found.nodes)) } else { None };
        let ends = score::plies_to_end(found.score);
        if ends.is_some_and(|plies| depth as usize > plies) {
            break;
        }
    }
    solved
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN_IN_2: &str = "W1A3DA/f2A2dD/2AD3A/A1a5/aA2d1N1/5an1/3F1a1a/1ad1Adw1 FFDAA 55";

    #[test]
    fn nodes_of_a_stable_solution_are_counted() {
        let nodes = |solution: &str| {
            let tactic =
                Tactic::parse(&format!("{WIN_IN_2}; win 2; {solution}")).expect("a tactic");
            nodes_to_solution(&mut Searcher::new(Params::default(), 1), &tactic, 20_000)
        };
        assert!(nodes("e1c3").is_some_and(|nodes| nodes < 5_000));
    }

    #[test]
    fn a_solution_not_chosen_is_unsolved() {
        let start = "AAAAAAWA/NADDDFFD/8/8/8/8/dffdddan/awaaaaaa - 2; win 9; a1c3";
        let tactic = Tactic::parse(start).expect("a tactic");
        let mut searcher = Searcher::new(Params::default(), 1);
        assert_eq!(nodes_to_solution(&mut searcher, &tactic, 1), None);
    }

    #[test]
    fn invalid_lines_are_rejected() {
        for line in ["", "x; win 1; a1a2", WIN_IN_2, &format!("{WIN_IN_2}; win 2; a1")] {
            assert!(Tactic::parse(line).is_err(), "{line}");
        }
    }
}
