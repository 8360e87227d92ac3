//! `cupbot match`: two players, many games, one answer: which is stronger, or how well they play
//! together, and how sure is that.

mod failures;
pub mod options;
pub mod session;
pub mod summary;
mod teamwork;

use crate::tools::arena::match_file::GameRecord;
use crate::tools::arena::runner::{Ended, Pairing};
use crate::tools::contracts::entry::{Comparison, Entry};

use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::stats::{Sprt, Verdict};
use anyhow::{bail, ensure, Result};
use failures::Failures;
use options::Options;
use serde_json::Value;
use session::Scoreboard;
use std::process::ExitCode;
use summary::Tally;
use teamwork::Teamwork;

/// The exit status when the SPRT rejects.
const EXIT_REJECTED: u8 = 1;

/// Play two players against each other and tell which is stronger
///
/// A player is `self`, the built-in player, with options after a colon (`self:nodes=8000,hash=16`; see
/// below for those of each game, and `clock=cpu` for what all of them count as their time), or a shell command
/// that speaks the protocol of the contest: `plain:COMMAND` where it knows nothing but the contest's lines, no
/// `Time` and no `Opening`. Where the contest plays matches of two games, so does this. Every
/// opening is played twice with colours swapped. In a game where both sides get the same points, the
/// result is the mean of these points. Ctrl-C ends the match with the summary of what was played.
#[derive(clap::Args)]
#[command(after_help = options_help())]
pub struct Args {
    /// The first player
    a: String,
    /// The second player
    b: String,
    /// Games to play
    #[arg(short = 'n', long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    #[command(flatten)]
    sprt: SprtOptions,
    #[command(flatten)]
    options: Options,
}

/// The sequential test of a match.
#[derive(clap::Args)]
pub struct SprtOptions {
    /// Stop as soon as it is clear whether A is ELO0 or ELO1 stronger than B
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The probability that the SPRT accepts where ELO0 is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// The probability that the SPRT rejects where ELO1 is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
}

/// The options of the built-in players and of the random openings of all games.
pub fn options_help() -> String {
    let players =
        registry::help_of_games("Options of self:", |game| Some(game.opponents.as_ref()?.options));
    let openings = registry::help_of_games("Options of --openings random:", |game| {
        Some(game.openings.options)
    });
    let engines =
        registry::help_of_games("Players behind a prefix, as \"uci:COMMAND ...\":", |game| {
            Some(game.engines.as_ref()?.options)
        });
    format!("{players}\n\n{engines}\n\n{openings}")
}

/// The result of a match.
trait Summary: Scoreboard {
    /// The result for people, with styles.
    fn text(&self) -> String;

    /// The result for programs. Infinite numbers are null.
    fn json(&self) -> Value;

    /// What the SPRT says, once it does.
    fn verdict(&self) -> Option<Verdict>;
}

/// Plays the match.
pub fn run(args: Args) -> Result<ExitCode> {
    let names = [args.a.clone(), args.b.clone()];
    let is_whole_pairs = args.options.sharding.shard.is_none() || args.games.is_multiple_of(2);
    ensure!(is_whole_pairs, "--shard divides pairs of games: --games must be even");
    let is_match = args.options.is_match();
    ensure!(
        !is_match || args.games.is_multiple_of(2),
        "{} plays matches of two games: --games must be even (or --single-games)",
        args.options.game.contest.name
    );
    let plan = plan(args.games as usize, is_match);
    let planned = session::own_games(&args.options, &plan).len();
    let (game, jobs) = (args.options.game, args.options.jobs());
    let sprt = args.sprt.sprt()?;
    let is_sharded = args.options.sharding.shard.is_some();
    ensure!(
        sprt.is_none() || !is_sharded,
        "--sprt: a shard can't decide it; `cupbot merge --sprt` does"
    );
    ensure!(
        !is_sharded || args.options.record_path().is_some(),
        "--shard: without a record there is nothing to merge"
    );
    let mut report = Report::new(game, names.clone(), planned, sprt, jobs)?;
    let mut watched = Watched { summary: report.0.as_mut(), failures: Failures::default() };
    let ended = session::play(&args.options, &names, &plan, &mut watched)?;
    let failures = watched.failures;
    if let Some(reason) = failures.hopeless().filter(|_| failures.is_before_the_first_game()) {
        bail!("{reason}: the match is ended before its first game");
    }
    let status = report.print(args.options.json)?;
    if ended == Ended::Interrupted {
        return Ok(ExitCode::from(ctrl_c::exit_status()));
    }
    if let Some(reason) = failures.hopeless() {
        bail!("{reason}: the match is ended");
    }
    Ok(status)
}

/// A summary, and what shows that a player does not play at all.
struct Watched<'a> {
    summary: &'a mut dyn Summary,
    failures: Failures,
}

impl Scoreboard for Watched<'_> {
    fn add(&mut self, game: &GameRecord) {
        self.summary.add(game);
        self.failures.add(game);
    }

    fn is_void(&mut self, game: &GameRecord) -> bool {
        self.failures.is_void(game)
    }

    fn is_settled(&self) -> bool {
        self.summary.is_settled() || self.failures.hopeless().is_some()
    }

    fn line(&self) -> String {
        self.summary.line()
    }
}

impl SprtOptions {
    /// Is a test asked for?
    pub fn is_asked_for(&self) -> bool {
        self.sprt.is_some()
    }

    /// The test that is asked for.
    fn sprt(&self) -> Result<Option<Sprt>> {
        let &[elo0, elo1] = self.sprt.as_deref().unwrap_or_default() else { return Ok(None) };
        ensure!(
            elo0 < elo1 && elo0.is_finite() && elo1.is_finite(),
            "--sprt: expected ELO0 < ELO1"
        );
        let (alpha, beta) = (self.alpha, self.beta);
        for (name, error) in [("--alpha", alpha), ("--beta", beta)] {
            let is_valid = error > 0.0 && error < 0.5;
            ensure!(is_valid, "{name}: expected a probability above 0 and below 0.5");
        }
        Ok(Some(Sprt { elo0, elo1, alpha, beta }))
    }
}

/// The result of a match, as far as it is played.
pub struct Report(Box<dyn Summary>);

impl Report {
    /// No game yet, of so many.
    fn new(
        game: &'static Entry,
        names: [String; 2],
        planned: usize,
        sprt: Option<Sprt>,
        jobs: usize,
    ) -> Result<Report> {
        Ok(Report(match game.comparison {
            Comparison::Elo => Box::new(Tally::new(game, names, planned, sprt, jobs)),
            Comparison::MeanScore => {
                ensure!(sprt.is_none(), "--sprt: a match of {} compares no strength", game.title);
                Box::new(Teamwork::new(game, names, planned))
            }
        }))
    }

    /// The result so far in one line.
    pub fn line(&self) -> String {
        self.0.line()
    }

    /// What the SPRT says; `None` where there is no test.
    pub fn verdict(&self) -> Option<&'static str> {
        let has_test = !self.0.json()["sprt"].is_null();
        has_test.then(|| summary::verdict_text(self.0.verdict()))
    }

    /// Prints it, for people or for programs. The exit status says whether the SPRT rejects.
    pub fn print(&self, is_json: bool) -> Result<ExitCode> {
        if is_json {
            say!("{}", serde_json::to_string_pretty(&self.0.json())?)?;
        } else {
            show!("{}", self.0.text())?;
        }
        let is_rejected = self.0.verdict() == Some(Verdict::Rejected);
        Ok(if is_rejected { ExitCode::from(EXIT_REJECTED) } else { ExitCode::SUCCESS })
    }
}

/// The result of these games, in the order of their numbers.
pub fn report_of(
    game: &'static Entry,
    names: [String; 2],
    planned: usize,
    sprt: &SprtOptions,
    games: &[GameRecord],
) -> Result<Report> {
    let mut report = Report::new(game, names, planned, sprt.sprt()?, 1)?;
    games.iter().for_each(|game| report.0.add(game));
    Ok(report)
}

/// Pairs of games with colours swapped; A begins the first. Where they are matches, A and B begin matches
/// in turn: the second game knows the result of the first one.
fn plan(games: usize, is_match: bool) -> Vec<Pairing> {
    let pairing = |game: usize| {
        let pair = game / 2;
        let is_turned = is_match && !pair.is_multiple_of(2);
        let players = if game.is_multiple_of(2) != is_turned { [0, 1] } else { [1, 0] };
        Pairing { pair, players }
    };
    (0..games).map(pairing).collect()
}
