//! `cupbot tune` and the like of other games: turns the parameters of the search by playing.

mod spsa;

#[cfg(test)]
mod tests;

use crate::engine::params::ParamSpec;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::arena::children::Children;
use crate::tools::arena::options::OpeningOptions;
use crate::tools::arena::process::Limits;
use crate::tools::arena::runner::{Arena, Pairing};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::JudgeOptions;
use crate::tools::contracts::opponent::Opponent;
use crate::tools::contracts::params::{self, Parameters};
use crate::tools::contracts::Side;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{create_new_atomically, read_text, replace_atomically};
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::units::parse_positive;
use anyhow::{bail, ensure, Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use spsa::{Schedule, Tuned};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// How to tune the built-in players `B` of a game by the parameters `P` of their search.
pub struct Tunable<B, P> {
    /// Reads a player's options.
    pub parse: fn(&str) -> Result<B>,
    /// The parameters of a player.
    pub params: fn(&mut B) -> &mut P,
}

impl<B: Clone, P: Parameters> Tunable<B, P> {
    /// The same player with these values of the tuned parameters.
    fn with_values(&self, base: &B, tuned: &[Tuned], values: &[i32]) -> B {
        let mut player = base.clone();
        let params = (self.params)(&mut player);
        for (parameter, value) in tuned.iter().zip(values) {
            params.set(&parameter.name, *value);
        }
        player
    }
}

/// Tune the parameters of the search by SPSA and print a file that `match` takes as `params=FILE`
///
/// In each iteration two settings, the present one plus and minus a random step, play some pairs of
/// games; the parameters then move towards the winner. The state is saved at the start and after
/// every iteration.
#[derive(clap::Args)]
pub struct Args {
    /// The player to tune, as in `match`: its limits, and where its parameters begin
    #[arg(default_value = "self:nodes=3000")]
    player: String,
    /// Tune these parameters alone
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Iterations in all
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,
    /// Pairs of games an iteration
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pairs: u64,
    /// How far parameters move: the part of a step for winning every game of the first iteration
    #[arg(long, default_value_t = 0.5, value_parser = parse_positive::<f64>)]
    rate: f64,
    #[command(flatten)]
    openings: OpeningOptions,
    /// Games played at a time
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: u64,
    /// The file that the state is saved in; a state that is there is kept unless --resume is given
    #[arg(long, default_value = "tune.json", value_name = "FILE")]
    state: OutputFile,
    /// Go on from the state file (the same arguments but for --jobs)
    #[arg(long)]
    resume: bool,
}

/// The progress shows so many parameters.
const SHOWN_PARAMETERS: usize = 2;

/// What the state file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// All that decides how the tuning goes.
    settings: Value,
    /// Finished iterations.
    iteration: u64,
    /// The parameters so far.
    tuned: Vec<Tuned>,
}

impl State {
    /// The content of the state file.
    fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(serde_json::to_vec_pretty(self)?)
    }
}

/// Tunes a built-in player of a game, and prints the parameters.
pub fn run<B, P>(game: &'static Entry, tunable: &Tunable<B, P>, args: Args) -> Result<ExitCode>
where
    B: Opponent + Clone + 'static,
    P: Parameters,
{
    let mut base = (tunable.parse)(options_of_built_in(game, &args.player)?)?;
    let settings = settings(game, &args, &base)?;
    let tuned = chosen(&args.only, (tunable.params)(&mut base))?;
    let fresh = State { settings, iteration: 0, tuned };
    let mut state = if args.resume {
        load(&args.state, &fresh)?
    } else {
        create_new_atomically(&args.state, &fresh.to_bytes()?)?;
        fresh
    };
    let begun: Vec<f64> = state.tuned.iter().map(|parameter| parameter.value).collect();
    let schedule = Schedule { iterations: args.iterations, rate: args.rate };
    let mut progress = Progress::new("iterations", state.iteration, args.iterations);
    let mut arena = Arc::new(Arena {
        game,
        players: Vec::new(),
        limits: Limits::new(game.contest.time),
        judge: JudgeOptions::default(),
        openings: args.openings.openings(game)?,
        seed: args.openings.seed(),
        children: Children::default(),
    });
    while state.iteration < args.iterations {
        iterate(&mut state, &schedule, &mut arena, (tunable, &base), &args)?;
        replace_atomically(&args.state, &state.to_bytes()?)?;
        progress.advance(|| moved_line(&state.tuned, &begun));
    }
    progress.finish();
    let values: Vec<i32> = state.tuned.iter().map(Tuned::rounded).collect();
    let mut player = tunable.with_values(&base, &state.tuned, &values);
    say_part!("{}", params::write((tunable.params)(&mut player)))?;
    Ok(ExitCode::SUCCESS)
}

/// The options of the player to tune, from its name on the command line.
fn options_of_built_in<'a>(game: &Entry, text: &'a str) -> Result<&'a str> {
    match PlayerSpec::parse(game, text)? {
        PlayerSpec::BuiltIn(_) => Ok(text.split_once(':').map_or("", |(_, options)| options)),
        _ => {
            bail!("{text:?} is a program: only the built-in player can be tuned")
        }
    }
}

/// One iteration: draws the two settings, lets them meet, learns. The same for the same state,
/// whatever came before in this process.
fn iterate<B: Opponent + Clone + 'static, P: Parameters>(
    state: &mut State,
    schedule: &Schedule,
    arena: &mut Arc<Arena>,
    (tunable, base): (&Tunable<B, P>, &B),
    args: &Args,
) -> Result<()> {
    let iteration = state.iteration;
    let mut rng = Rng::new(split_mix(split_mix(arena.seed).wrapping_add(iteration)));
    let drawn = spsa::perturb(&state.tuned, schedule, iteration, &mut rng);
    let player = |values: &Vec<i32>| {
        PlayerSpec::BuiltIn(Arc::new(tunable.with_values(base, &state.tuned, values)))
    };
    let players = [&drawn.plus, &drawn.minus].map(player).into();
    Arc::get_mut(arena).context("games go on")?.players = players;
    let result = meet(arena, iteration * args.pairs, args.pairs, args.jobs as usize)?;
    spsa::learn(&mut state.tuned, schedule, iteration, &drawn, result);
    state.iteration += 1;
    Ok(())
}

/// Lets the two players of the arena play pairs of games. Returns the points of the first less
/// those of the second, per game, -1 to 1.
fn meet(arena: &Arc<Arena>, first_pair: u64, pairs: u64, jobs: usize) -> Result<f64> {
    let pair = |index: u64| {
        let pair = (first_pair + index) as usize;
        [[0, 1], [1, 0]].map(|players| Pairing { pair, players })
    };
    let plan: Vec<Pairing> = (0..pairs).flat_map(pair).collect();
    let games: Vec<usize> = (0..plan.len()).collect();
    // Whole numbers: the sum must not depend on the order in which games end.
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

/// The parameters to tune: those named, or all.
fn chosen<P: Parameters>(only: &[String], params: &P) -> Result<Vec<Tuned>> {
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

/// All that decides how the tuning goes.
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

/// Reads a state that can have come from this one.
fn load(path: &Path, fresh: &State) -> Result<State> {
    let name = path.display();
    let text = read_text(path).with_context(|| format!("reading {name}"))?;
    parse_state(&text, fresh).with_context(|| name.to_string())
}

/// As [`load`], from the text of a file.
fn parse_state(text: &str, fresh: &State) -> Result<State> {
    let state: State = serde_json::from_str(text).context("no state of a tuning")?;
    ensure!(state.settings == fresh.settings, "the state of a tuning with other arguments");
    let parameters = state.tuned.iter().zip(&fresh.tuned);
    let fits = state.tuned.len() == fresh.tuned.len()
        && parameters.into_iter().all(|(found, fresh)| found.is_later(fresh));
    ensure!(fits, "the state of a tuning of other parameters");
    Ok(state)
}

/// The parameters that have moved most, by their steps, with their values: short enough for a line.
fn moved_line(tuned: &[Tuned], begun: &[f64]) -> String {
    let mut moved: Vec<(f64, &Tuned)> = tuned
        .iter()
        .zip(begun)
        .map(|(parameter, &value)| (parameter.steps_from(value), parameter))
        .collect();
    moved.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let value =
        |(_, parameter): &(f64, &Tuned)| format!("{} {:.1}", parameter.name, parameter.value);
    moved.iter().take(SHOWN_PARAMETERS).map(value).collect::<Vec<_>>().join(", ")
}
