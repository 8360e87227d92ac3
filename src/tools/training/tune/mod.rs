//! The command `tune` of several games: tunes search parameters by self-play.

mod spsa;

#[cfg(test)]
mod tests;

use crate::engine::params::ParamSpec;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::arena::adjudication::Adjudication;
use crate::tools::arena::options::OpeningOptions;
use crate::tools::arena::process::Limits;
use crate::tools::arena::runner::{Arena, Pairing};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::JudgeOptions;
use crate::tools::contracts::opponent::Opponent;
use crate::tools::contracts::params::{self, Parameters};
use crate::tools::contracts::Side;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{
    create_new_atomically, ensure_regular, open_to_append, read_text, replace_locked, Named,
};
use crate::tools::support::progress_bar::{tell_folded, Progress};
use crate::tools::support::text::{count_of, shown_name};
use crate::tools::support::units::{integer, parse_positive};
use crate::tools::training::report::{Charts, ReportOption};
use anyhow::{bail, ensure, Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use spsa::{Schedule, Tuned};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// A game's built-in player `B` whose search parameters `P` can be tuned.
pub struct Tunable<B, P> {
    /// Parses a player's options.
    pub parse: fn(&str) -> Result<B>,
    /// Returns a player's parameters.
    pub params: fn(&mut B) -> &mut P,
}

impl<B: Clone, P: Parameters> Tunable<B, P> {
    /// Returns a copy of the player with these values of the tuned parameters.
    fn with_values(&self, base: &B, tuned: &[Tuned], values: &[i32]) -> B {
        let mut player = base.clone();
        let params = (self.params)(&mut player);
        for (parameter, value) in tuned.iter().zip(values) {
            params.set(&parameter.name, *value);
        }
        player
    }
}

/// Tune search parameters by SPSA and print them; `match` reads the output as `params=FILE`
///
/// In each iteration two players, with the current values plus and minus a random step, play `--pairs` pairs of games;
/// the values then move towards the winner's. The state is saved at the start and after every iteration.
#[derive(clap::Args)]
pub struct Args {
    /// Player to tune, as in `match`, with its search limits and initial parameters
    #[arg(default_value = "self:nodes=3000")]
    player: String,
    /// Tune only these parameters (default: all)
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Total number of iterations
    #[arg(long, default_value_t = 1000, value_parser = integer::<u64>(1..=10_000_000))]
    iterations: u64,
    /// Pairs of games per iteration
    #[arg(long, default_value_t = 8, value_parser = integer::<u64>(1..=100_000))]
    pairs: u64,
    /// Learning rate: fraction of a step to move if one side wins every game of the first iteration
    #[arg(long, default_value_t = 0.5, value_parser = parse_positive::<f64>)]
    rate: f64,
    #[command(flatten)]
    openings: OpeningOptions,
    /// Number of games to play in parallel
    #[arg(short, long, default_value_t = 1, value_parser = integer::<u64>(1..=256))]
    jobs: u64,
    /// State file; it must not exist, unless --resume is given
    #[arg(long, default_value = "tune.json", value_name = "FILE")]
    state: OutputFile,
    #[command(flatten)]
    report: ReportOption,
    /// Resume from the state file (same arguments except --jobs)
    #[arg(long)]
    resume: bool,
}

/// Maximum number of values of a parameter in the report.
const REPORTED: u64 = 200;
/// Number of parameters in the progress line.
const SHOWN_PARAMETERS: usize = 2;

/// Content of the state file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// All options that determine the result.
    settings: Value,
    /// Number of finished iterations.
    iteration: u64,
    /// The tuned parameters with their current values.
    tuned: Vec<Tuned>,
    /// Curves for the report.
    #[serde(default)]
    charts: Charts,
}

impl State {
    /// Adds the current values to the curves, about [`REPORTED`] times in a run.
    fn add_to_charts(&mut self, schedule: &Schedule) {
        let every = schedule.iterations.div_ceil(REPORTED).max(1);
        if !self.iteration.is_multiple_of(every) && self.iteration != schedule.iterations {
            return;
        }
        let x = self.iteration as f64;
        for parameter in &self.tuned {
            // Two decimals keep the state file short.
            let value = (parameter.value * 100.0).round() / 100.0;
            self.charts.add(&parameter.name, "", [x, value]);
        }
        self.charts.add("Learning rate", "", [x, schedule.rate(self.iteration)]);
    }

    /// Serialises the state as JSON.
    fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(serde_json::to_vec_pretty(self)?)
    }
}

/// Tunes a game's built-in player and prints the resulting parameters.
pub fn run<B, P>(game: &'static Entry, tunable: &Tunable<B, P>, args: Args) -> Result<ExitCode>
where
    B: Opponent + Clone + 'static,
    P: Parameters,
{
    let mut base = (tunable.parse)(options_of_built_in(game, &args.player)?)?;
    let settings = settings(game, &args, &base)?;
    let tuned = select_parameters(&args.only, (tunable.params)(&mut base))?;
    let schedule = Schedule { iterations: args.iterations, rate: args.rate };
    let mut fresh = State { settings, iteration: 0, tuned, charts: Charts::default() };
    fresh.add_to_charts(&schedule);
    args.report.ensure_writable()?;
    ensure_regular(&args.state)?;
    let mut locked;
    let mut state = if args.resume {
        locked = open_to_append(&args.state)?;
        load(&args.state, &fresh)?
    } else {
        locked = create_new_atomically(&args.state, &fresh.to_bytes()?)?;
        fresh
    };
    let name = shown_name(&args.state);
    ctrl_c::end_with(format!(": finished iterations are in {name}; --resume continues the run"));
    tell_folded(&format!("tuning {} parameters, the state is in {name}", state.tuned.len()));
    let initial_values: Vec<f64> = state.tuned.iter().map(|parameter| parameter.value).collect();
    let mut progress = Progress::new("iterations", state.iteration, args.iterations);
    let mut arena = Arc::new(Arena {
        game,
        players: Vec::new(),
        names: Vec::new(),
        limits: Limits::new(game.contest.time),
        judge: JudgeOptions::default(),
        adjudication: Adjudication::default(),
        openings: args.openings.openings(game)?,
        seed: args.openings.seed(),
        transcripts: None,
    });
    let player = |tuned: &[Tuned], values: &[i32]| {
        PlayerSpec::BuiltIn(Arc::new(tunable.with_values(&base, tuned, values)))
    };
    while state.iteration < args.iterations {
        iterate(&mut state, &schedule, &mut arena, &player, &args)?;
        state.add_to_charts(&schedule);
        locked = replace_locked(&args.state, &state.to_bytes()?)?;
        write_report(&args, &state)?;
        progress.advance(|| progress_line(&state.tuned, &initial_values));
    }
    drop(locked);
    progress.finish();
    let values: Vec<i32> = state.tuned.iter().map(Tuned::rounded).collect();
    let mut player = tunable.with_values(&base, &state.tuned, &values);
    say_part!("{}", params::write((tunable.params)(&mut player)))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the report, if there is to be one.
fn write_report(args: &Args, state: &State) -> Result<()> {
    let title = format!("Tuning of {}", args.player);
    let summary = format!(
        "{} of {} of {} of games",
        state.iteration,
        count_of(args.iterations, "iteration"),
        count_of(args.pairs, "pair")
    );
    args.report.write(&title, &summary, "iteration", &state.charts)
}

/// Returns the options of the player to tune, which follow its name on the command line.
fn options_of_built_in<'a>(game: &Entry, text: &'a str) -> Result<&'a str> {
    match PlayerSpec::parse(game, text)? {
        PlayerSpec::BuiltIn(_) => Ok(text.split_once(':').map_or("", |(_, options)| options)),
        _ => {
            bail!("{text:?} is a program: only built-in players can be tuned")
        }
    }
}

/// Returns the player with these values of the tuned parameters.
type Player<'a> = dyn Fn(&[Tuned], &[i32]) -> PlayerSpec + 'a;

/// Runs one iteration: perturbs the parameters, plays the games and updates the parameters. Depends only on the state,
/// so a resumed run gives the same result.
fn iterate(
    state: &mut State,
    schedule: &Schedule,
    arena: &mut Arc<Arena>,
    player: &Player,
    args: &Args,
) -> Result<()> {
    let iteration = state.iteration;
    let mut rng = Rng::new(split_mix(split_mix(arena.seed).wrapping_add(iteration)));
    let perturbation = spsa::perturb(&state.tuned, schedule, iteration, &mut rng);
    let values = [&perturbation.plus, &perturbation.minus];
    let players = values.map(|values| player(&state.tuned, values)).into();
    Arc::get_mut(arena).context("a game is still running")?.players = players;
    let result = play_pairs(arena, iteration * args.pairs, args.pairs, args.jobs as usize)?;
    spsa::update(&mut state.tuned, schedule, iteration, &perturbation, result);
    state.iteration += 1;
    Ok(())
}

/// Plays pairs of games between the two players of the arena. Returns the mean result of the first player, from -1 (all
/// games lost) to 1 (all won).
fn play_pairs(arena: &Arc<Arena>, first_pair: u64, pairs: u64, jobs: usize) -> Result<f64> {
    let pair = |index: u64| {
        let pair = (first_pair + index) as usize;
        [[0, 1], [1, 0]].map(|players| Pairing { pair, opening: pair, players })
    };
    let plan: Vec<Pairing> = (0..pairs).flat_map(pair).collect();
    let games: Vec<usize> = (0..plan.len()).collect();
    // An integer, so that the sum does not depend on the order in which games end.
    let mut sum = 0i64;
    arena.run(&plan, &games, jobs, |finished| {
        if let Some(winner) = finished.played.end.winner {
            let first = Side::ALL[usize::from(plan[finished.index].players[1] == 0)];
            sum += if winner == first { 1 } else { -1 };
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(sum as f64 / plan.len() as f64)
}

/// Returns the parameters to tune: those named, or all if none is named.
fn select_parameters<P: Parameters>(only: &[String], params: &P) -> Result<Vec<Tuned>> {
    for name in only {
        ensure!(
            params.value_of(name).is_some(),
            "--only: no parameter is named {name:?}; `{}` lists them",
            P::LIST
        );
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|other| other == name);
    let specs = P::SPECS.iter().filter(|spec| wanted(spec.name));
    let value = |spec: &ParamSpec| params.value_of(spec.name).unwrap_or(spec.default);
    Ok(specs.map(|spec| Tuned::new(spec, value(spec))).collect())
}

/// Returns all options that determine the result, for the state file.
fn settings(game: &'static Entry, args: &Args, player: &dyn Opponent) -> Result<Value> {
    Ok(json!({
        "player": player.describe(),
        "only": args.only,
        "iterations": args.iterations,
        "pairs": args.pairs,
        "rate": args.rate,
        "openings": args.openings.openings(game)?.description(),
        "seed": args.openings.seed(),
    }))
}

/// Reads a state file and checks that it belongs to the run that starts with `fresh`.
fn load(path: &Path, fresh: &State) -> Result<State> {
    let text = read_text(path).named("reading", path)?;
    parse_state(&text, fresh).named("reading", path)
}

/// Parses a state and checks that it belongs to the run that starts with `fresh`.
fn parse_state(text: &str, fresh: &State) -> Result<State> {
    let state: State = serde_json::from_str(text).context("not a state file of `tune`")?;
    ensure!(state.settings == fresh.settings, "the state belongs to a run with other arguments");
    let parameters = state.tuned.iter().zip(&fresh.tuned);
    let fits = state.tuned.len() == fresh.tuned.len()
        && parameters.into_iter().all(|(found, fresh)| found.is_successor_of(fresh));
    ensure!(fits, "the state belongs to a run with other parameters");
    Ok(state)
}

/// Formats the parameters that have moved most, in steps, with their values, for the progress line.
fn progress_line(tuned: &[Tuned], initial_values: &[f64]) -> String {
    let mut moved: Vec<(f64, &Tuned)> = tuned
        .iter()
        .zip(initial_values)
        .map(|(parameter, &value)| (parameter.steps_from(value), parameter))
        .collect();
    moved.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let value =
        |(_, parameter): &(f64, &Tuned)| format!("{} {:.1}", parameter.name, parameter.value);
    moved.iter().take(SHOWN_PARAMETERS).map(value).collect::<Vec<_>>().join(", ")
}
