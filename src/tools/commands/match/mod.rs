//! `cupbot match`: plays many games between two players and estimates their elo difference (or their mean score, in
//! games where both sides get the same points) with a confidence interval.

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
use crate::tools::support::text::sanitize;
use crate::tools::support::units::integer;
use anyhow::{bail, ensure, Result};
use failures::Failures;
use options::Options;
use report::{Report, SprtOptions};
use session::Scoreboard;
use std::process::ExitCode;
use summary::Summary;

/// Exit status of a match that ends with an error.
const EXIT_ABORTED: u8 = 2;

/// Play a match between two players and estimate which is stronger
///
/// A player is `self`, the built-in player, with options after a colon (e.g. `self:nodes=8000,hash=16`; see the list
/// below), or a shell command that speaks the protocol of the contest. `plain:COMMAND` is a program that does not
/// understand cupbot's own lines, `Time` and `Opening`. `name=NAME` in front of a player, or among the options of
/// `self`, names it in records and tables. Every opening is played twice with colours swapped. If the contest plays
/// two-game matches, so does this command. In a game in which both sides get the same points, the result is the mean
/// score. Ctrl-C ends the match and prints the summary of the finished games. SIGUSR1 first lets the running pairs of
/// games finish.
#[derive(clap::Args)]
#[command(after_help = options_help())]
pub struct Args {
    /// First player
    a: String,
    /// Second player
    b: String,
    /// Number of games
    #[arg(short = 'n', long, default_value_t = 100, value_parser = integer::<u64>(1..=10_000_000))]
    games: u64,
    /// End the match with an error when a player has lost N games by faults
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..))]
    max_faults: Option<u64>,
    #[command(flatten)]
    sprt: SprtOptions,
    #[command(flatten)]
    options: Options,
}

/// Returns the help on player and opening options of all games.
pub fn options_help() -> String {
    let players = registry::help_of_games("Options of self:", |game| {
        Some(game.tools.opponents.as_ref()?.options)
    });
    let openings = registry::help_of_games("Options of --openings random:", |game| {
        Some(game.openings.options)
    });
    let engines =
        registry::help_of_games("Players with a prefix, e.g. \"uci:COMMAND ...\":", |game| {
            Some(game.tools.engines.as_ref()?.options)
        });
    format!("{players}\n\n{engines}\n\n{openings}")
}

/// Plays the match.
pub fn run(args: Args) -> Result<ExitCode> {
    let is_whole_pairs = args.options.sharding.shard.is_none() || args.games.is_multiple_of(2);
    ensure!(is_whole_pairs, "--shard splits pairs of games: --games must be even");
    let is_match = args.options.is_match();
    ensure!(
        !is_match || args.games.is_multiple_of(2),
        "{} plays two-game matches: --games must be even, or use --single-games",
        args.options.game.contest.name
    );
    let plan = plan(args.games as usize, is_match);
    let planned = session::own_games(&args.options, &plan).len();
    let (game, jobs) = (args.options.game, args.options.jobs());
    let sprt = args.sprt.sprt()?;
    let is_sharded = args.options.sharding.shard.is_some();
    ensure!(
        sprt.is_none() || !is_sharded,
        "--sprt can't be used with --shard: use `cupbot merge --sprt` on the merged shards"
    );
    ensure!(
        !is_sharded || args.options.record_path().is_some(),
        "--shard needs a record, otherwise there is nothing to merge: omit --no-record"
    );
    let arena = args.options.arena(&[args.a, args.b])?;
    let names = [arena.names[0].clone(), arena.names[1].clone()];
    let mut report = Report::new(game, names, planned, sprt, jobs)?;
    let mut watched =
        Watched { summary: report.summary(), failures: Failures::with_limit(args.max_faults) };
    let ended = session::play(&args.options, arena, &plan, &mut watched)?;
    let failures = watched.failures;
    if let Some(reason) = failures.abort_reason().filter(|_| failures.is_before_the_first_game()) {
        bail!("{reason}");
    }
    let aborted = failures.abort_reason().filter(|_| ended != Ended::Interrupted);
    if let Some(reason) = &aborted {
        // Before the table, which may be long.
        tell!("cupbot: match aborted: {}", sanitize(reason));
    }
    let status = report.print(args.options.json)?;
    Ok(match (ended, aborted) {
        (Ended::Interrupted, _) => ExitCode::from(ctrl_c::exit_status()),
        (_, Some(_)) => ExitCode::from(EXIT_ABORTED),
        _ => status,
    })
}

/// A summary, combined with the detection of players that can't play.
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
        self.summary.is_settled() || self.failures.abort_reason().is_some()
    }

    fn line(&self) -> String {
        self.summary.line()
    }
}

/// Creates the schedule: pairs of games with colours swapped; A begins the first game. In two-game matches A and B take
/// turns to begin a match, since the second game depends on the result of the first.
fn plan(games: usize, is_match: bool) -> Vec<Pairing> {
    let pairing = |game: usize| {
        let pair = game / 2;
        let is_turned = is_match && !pair.is_multiple_of(2);
        let players = if game.is_multiple_of(2) != is_turned { [0, 1] } else { [1, 0] };
        Pairing { pair, opening: pair, players }
    };
    (0..games).map(pairing).collect()
}
