//! `cupbot match`: two players, many games, one answer: which is stronger, or how well they play
//! together, and how sure is that.

mod failures;
pub mod options;
pub mod report;
pub mod session;
pub mod summary;
mod teamwork;

use crate::tools::arena::match_file::GameRecord;
use crate::tools::arena::runner::{Ended, Pairing};
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use anyhow::{bail, ensure, Result};
use failures::Failures;
use options::Options;
use report::{Report, SprtOptions};
use session::Scoreboard;
use std::process::ExitCode;
use summary::Summary;

/// Play two players against each other and tell which is stronger
///
/// A player is `self`, the built-in player, with options after a colon (`self:nodes=8000,hash=16`; see
/// below for those of each game), or a shell command that speaks the protocol of the contest: `plain:COMMAND`
/// where it knows nothing but the contest's lines, no `Time` and no `Opening`. Where the contest plays matches
/// of two games, so does this. Every opening is played twice with colours swapped. In a game where both sides
/// get the same points, the result is the mean of these points. Ctrl-C ends the match with the summary of what
/// was played.
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

/// The options of the built-in players and of the random openings of all games.
pub fn options_help() -> String {
    let players =
        registry::help_of_games("Options of self:", |game| Some(game.opponents.as_ref()?.options));
    let openings = registry::help_of_games("Options of --openings random:", |game| {
        Some(game.openings.options)
    });
    let engines =
        registry::help_of_games("Players after a prefix, as \"uci:COMMAND ...\":", |game| {
            Some(game.engines.as_ref()?.options)
        });
    format!("{players}\n\n{engines}\n\n{openings}")
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
    let mut watched = Watched { summary: report.summary(), failures: Failures::default() };
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
