//! `cupbot match`: two players, many games, one answer: which is stronger, and how sure is that.

mod summary;

use super::arena::options::Options;
use super::arena::record::{GameRecord, RecordFile};
use super::arena::runner::Pairing;
use super::stats::{Sprt, Verdict};
use anyhow::{ensure, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use summary::Tally;

/// The exit status when the SPRT rejects.
const EXIT_REJECTED: u8 = 1;
/// Plain progress lines, where stderr is no terminal, come no faster than this.
const REPORT_EVERY: Duration = Duration::from_secs(5);

/// Play two players against each other and tell which is stronger
///
/// A player is `self`, the built-in player, with options
/// (`self:nodes=8000,params=FILE,lmr_base=60,hash=16`; limits `nodes`, `soft-nodes`, `depth` and
/// `time`; any parameter of the search by its name), or a shell command that speaks the judge's
/// dialogue. Every opening is played twice with colours swapped.
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
    let sprt = sprt(&args)?;
    let names = [args.a.clone(), args.b.clone()];
    let arena = args.options.arena(&names)?;
    let settings = args.options.settings(&arena);
    let (mut file, recorded) = match args.options.record_path() {
        Some(path) => {
            let (file, games) = RecordFile::open(path, &settings, args.options.resume)?;
            (Some(file), games)
        }
        None => (None, Vec::new()),
    };
    let id = file.as_ref().map_or_else(String::new, |file| file.id().to_string());
    let plan = plan(args.games as usize);
    let mut tally = Tally::new(names.clone(), plan.len(), sprt, args.options.jobs());
    recorded.iter().filter(|game| game.game < plan.len()).for_each(|game| tally.add(game));
    let done = tally.played();
    let games: Vec<usize> = (0..plan.len()).filter(|game| !tally.has(*game)).collect();
    let mut progress = Progress::new(done, plan.len());
    if tally.verdict().is_none() {
        arena.run(&plan, &games, args.options.jobs(), |finished| {
            let record = GameRecord::new(&id, plan[finished.index], &names, finished);
            if let Some(file) = &mut file {
                file.push(&record)?;
            }
            tally.add(&record);
            progress.show(&tally, &record);
            let decided = tally.verdict().is_some();
            Ok(if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    progress.finish();
    if args.options.json {
        println!("{}", serde_json::to_string_pretty(&tally.json())?);
    } else {
        print!("{}", tally.text());
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

/// Pairs of games with colours swapped; A is Red first.
fn plan(games: usize) -> Vec<Pairing> {
    let pairing = |game: usize| {
        let players = if game.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        Pairing { pair: game / 2, players }
    };
    (0..games).map(pairing).collect()
}

/// Shows the match on stderr while it goes.
struct Progress {
    bar: ProgressBar,
    reported: Option<Instant>,
}

impl Progress {
    fn new(done: usize, games: usize) -> Progress {
        let bar = ProgressBar::new(games as u64);
        let template = "{elapsed_precise} {bar:20} {pos}/{len} {msg} eta {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(done as u64);
        Progress { bar, reported: None }
    }

    fn show(&mut self, tally: &Tally, game: &GameRecord) {
        for note in summary::notes(game) {
            if self.bar.is_hidden() {
                eprintln!("{note}");
            } else {
                self.bar.println(note);
            }
        }
        self.bar.set_position(tally.played() as u64);
        if !self.bar.is_hidden() {
            self.bar.set_message(tally.line());
        } else if self.reported.is_none_or(|last| last.elapsed() >= REPORT_EVERY) {
            self.reported = Some(Instant::now());
            eprintln!("{}/{} {}", tally.played(), tally.planned(), tally.line());
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
