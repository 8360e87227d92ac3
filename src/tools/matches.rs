//! `cupbot match`: two players, many games, one answer: which is stronger, and how sure is that.

pub mod summary;

use super::arena::contest::Contest;
use super::arena::options::Options;
use super::arena::runner::Pairing;
use super::arena::session;
use super::stats::{Sprt, Verdict};
use crate::games::{zero_point_one, zuniq, GameId};
use anyhow::{ensure, Result};
use std::process::ExitCode;
use summary::Tally;

/// The exit status when the SPRT rejects.
const EXIT_REJECTED: u8 = 1;

/// Play two players against each other and tell which is stronger
///
/// A player is `self`, the built-in player, with options
/// (`self:nodes=8000,params=FILE,lmr_base=60,hash=16`; limits `nodes`, `soft-nodes`, `depth` and
/// `time`; any parameter of the search by its name; in Zuniq `nodes`, `time`, `hash` and `net`), or a shell
/// command that speaks the judge's dialogue. Every opening is played twice with colours swapped.
#[derive(clap::Args)]
pub struct Args {
    /// The first player
    a: String,
    /// The second player
    b: String,
    /// Games to play
    #[arg(short = 'n', long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Stop as soon as it is clear whether A is ELO0 or ELO1 stronger than B
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The probability that the SPRT accepts where ELO0 is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// The probability that the SPRT rejects where ELO1 is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    #[command(flatten)]
    options: Options,
}

/// Plays the match.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.options.game.id {
        GameId::ZeroPointOne => play::<zero_point_one::game::Game>(&args),
        GameId::Zuniq => play::<zuniq::game::Game>(&args),
    }
}

fn play<G: Contest>(args: &Args) -> Result<ExitCode> {
    let names = [args.a.clone(), args.b.clone()];
    let plan = plan(args.games as usize);
    let mut tally = Tally::new::<G>(names.clone(), plan.len(), sprt(args)?, args.options.jobs());
    session::play::<G>(&args.options, &names, &plan, &mut tally)?;
    if args.options.json {
        say!("{}", serde_json::to_string_pretty(&tally.json())?)?;
    } else {
        say_part!("{}", tally.text())?;
    }
    let rejected = tally.verdict() == Some(Verdict::Rejected);
    Ok(if rejected { ExitCode::from(EXIT_REJECTED) } else { ExitCode::SUCCESS })
}

/// The test that the arguments ask for.
fn sprt(args: &Args) -> Result<Option<Sprt>> {
    let &[elo0, elo1] = args.sprt.as_deref().unwrap_or_default() else { return Ok(None) };
    ensure!(elo0 < elo1 && elo0.is_finite() && elo1.is_finite(), "--sprt: expected ELO0 < ELO1");
    let (alpha, beta) = (args.alpha, args.beta);
    for (name, error) in [("--alpha", alpha), ("--beta", beta)] {
        ensure!(error > 0.0 && error < 0.5, "{name}: expected a probability above 0 and below 0.5");
    }
    Ok(Some(Sprt { elo0, elo1, alpha, beta }))
}

/// Pairs of games with colours swapped; A begins the first.
fn plan(games: usize) -> Vec<Pairing> {
    let pairing = |game: usize| {
        let players = if game.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        Pairing { pair: game / 2, players }
    };
    (0..games).map(pairing).collect()
}
