//! `cupbot progress`: how far the shards in a folder are.

use super::merge::input::{Contents, Input};
use super::r#match::report::{report_of, SprtOptions};
use crate::tools::arena::match_file::GameRecord;
use crate::tools::contracts::entry::Comparison;
use crate::tools::labs::registry;
use crate::tools::support::shard::{take_part, Shard, Shards};
use crate::tools::support::style::{self, painted, painted_if};
use crate::tools::support::units::time_text;
use anyhow::{ensure, Context, Result};
use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

/// Show how far the shards of a run are, from their files in a folder
///
/// For each shard the games it has; for all together games, speed, the time left at that speed, shards
/// that have not begun, that are damaged or that have not written for a while, and for a match the
/// result so far. The speed of a shard is taken from when its file was made to its last game, pauses
/// included.
#[derive(clap::Args)]
pub struct Args {
    /// The folder with the files of one run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    sprt: SprtOptions,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// A shard that has written nothing for so long, and has games to play, is said to be silent.
const SILENCE: Duration = Duration::from_secs(600);

/// How far a shard is.
struct Row {
    shard: Shard,
    /// Its file; `None` where it has not begun.
    file: Option<String>,
    games: u64,
    planned: u64,
    damage: Option<String>,
    /// Games and positions a second, from when the file was made to the last game.
    speed: [f64; 2],
    is_silent: bool,
}

impl Row {
    fn state(&self) -> String {
        match (&self.file, &self.damage) {
            (None, _) => "not begun".to_string(),
            (_, Some(damage)) => format!("damaged: {damage}"),
            _ if self.games >= self.planned => "complete".to_string(),
            _ if self.is_silent => "silent".to_string(),
            _ => "running".to_string(),
        }
    }
}

/// Reads the files and prints the table.
pub fn run(args: Args) -> Result<ExitCode> {
    let inputs = inputs(&args.folder)?;
    let described = inputs.iter().map(|(_, input)| (input.name.clone(), input.settings.clone()));
    let shards = Shards::of(described.collect())?;
    let row = |(shard, file): (Shard, Option<usize>)| match file {
        Some(place) => row_of(&inputs[place].0, &inputs[place].1, shard, shards.total),
        None => {
            let planned = planned(&inputs[0].1, shard, shards.total);
            let (damage, speed, is_silent) = (None, [0.0; 2], false);
            Ok(Row { shard, file: None, games: 0, planned, damage, speed, is_silent })
        }
    };
    let rows: Vec<Row> = shards.all().map(row).collect::<Result<_>>()?;
    let result = result_of(&args.sprt, &shards, &inputs)?;
    if args.json {
        say!("{}", serde_json::to_string_pretty(&to_json(&rows, result.as_ref()))?)?;
    } else {
        show!("{}", to_text(&rows, result.as_ref()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The shards' files of a folder, by name; others are passed over with a line on stderr.
fn inputs(folder: &Path) -> Result<Vec<(PathBuf, Input)>> {
    let name = folder.display();
    let entries = fs::read_dir(folder).with_context(|| format!("reading {name}"))?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    let mut inputs = Vec::new();
    for path in paths.into_iter().filter(|path| path.is_file()) {
        let input = Input::read(&path).and_then(|input| {
            let part = take_part(&mut input.settings.clone());
            part.map(|_| input).with_context(|| path.display().to_string())
        });
        match input {
            Ok(input) => inputs.push((path, input)),
            Err(error) => tell!("passed over: {error:#}"),
        }
    }
    ensure!(!inputs.is_empty(), "{name} has no file of a shard");
    Ok(inputs)
}

fn planned(input: &Input, shard: Shard, total: u64) -> u64 {
    match input.contents {
        Contents::Games(..) => shard.share(total),
        Contents::Match(_) => 2 * shard.share(total),
    }
}

fn row_of(path: &Path, input: &Input, shard: Shard, total: u64) -> Result<Row> {
    let (games, planned) = input.count(shard, total)?;
    let data = fs::metadata(path).with_context(|| format!("reading {}", path.display()))?;
    let written = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let begun = data.created().unwrap_or(written);
    let seconds = written.duration_since(begun).unwrap_or_default().as_secs_f64();
    let positions = match &input.contents {
        Contents::Games(_, stored) => stored.positions,
        Contents::Match(games) => games.iter().map(|game| game.moves.len() as u64).sum(),
    };
    let per_second = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
    let is_silent = SystemTime::now().duration_since(written).is_ok_and(|time| time > SILENCE);
    Ok(Row {
        shard,
        file: Some(input.name.clone()),
        games,
        planned,
        damage: input.damage.clone(),
        speed: [per_second(games), per_second(positions)],
        is_silent,
    })
}

/// The result of a match so far.
struct MatchResult {
    /// In one line.
    line: String,
    /// Of the SPRT.
    verdict: Option<&'static str>,
}

/// The result of a match; `None` for self-play and tournaments.
fn result_of(
    sprt: &SprtOptions,
    shards: &Shards,
    inputs: &[(PathBuf, Input)],
) -> Result<Option<MatchResult>> {
    let mut games: Vec<GameRecord> = Vec::new();
    for (_, input) in inputs {
        let Contents::Match(found) = &input.contents else { continue };
        games.extend(found.iter().cloned());
    }
    let players = shards.settings["players"].as_array().map_or(0, Vec::len);
    let Some(game) = shards.settings["rules"].as_str().and_then(registry::find) else {
        ensure!(!sprt.is_asked_for(), "--sprt: these are games of self-play, no match");
        return Ok(None);
    };
    if players != 2 {
        return Ok(None);
    }
    games.sort_by_key(|game| game.game);
    let names = ["A", "B"].map(str::to_string);
    let planned = 2 * shards.total as usize;
    let report = report_of(game, names, planned, sprt, &games)?;
    let what = match game.comparison {
        Comparison::Elo => "A",
        Comparison::MeanScore => "together",
    };
    let (line, verdict) = (format!("{what}: {}", report.line()), report.verdict());
    Ok(Some(MatchResult { line, verdict }))
}

/// Games, planned games, games and positions a second, seconds left.
fn totals(rows: &[Row]) -> (u64, u64, [f64; 2], Option<f64>) {
    let (games, planned) = rows
        .iter()
        .fold((0, 0), |(games, planned), row| (games + row.games, planned + row.planned));
    // Of the shards that are at work.
    let at_work = || rows.iter().filter(|row| row.state() == "running");
    let speed = [0, 1].map(|which| at_work().fold(0.0, |sum, row| sum + row.speed[which]));
    let left = planned.saturating_sub(games) as f64;
    let seconds = if left == 0.0 { Some(0.0) } else { (speed[0] > 0.0).then(|| left / speed[0]) };
    (games, planned, speed, seconds)
}

fn to_text(rows: &[Row], result: Option<&MatchResult>) -> String {
    let mut text = String::new();
    for row in rows {
        let state = row.state();
        let is_bad = !["complete", "running"].contains(&state.as_str());
        let state = painted_if(is_bad, state, style::BAD);
        let file = row.file.as_deref().unwrap_or("-");
        let shard = row.shard.to_string();
        text += &format!("{shard:>9} {:>9} of {:<9} {file}  {state}\n", row.games, row.planned);
    }
    let (games, planned, [per_second, positions], seconds) = totals(rows);
    let share = 100.0 * games as f64 / planned.max(1) as f64;
    let head = painted(format!("games {games} of {planned} ({share:.1} %)"), style::HEAD);
    let left = match seconds {
        Some(seconds) => {
            let whole = Duration::from_secs(seconds as u64);
            format!("{} left", time_text(whole))
        }
        None => "time left unknown".to_string(),
    };
    text += &format!("{head}, {per_second:.2} games/s, {positions:.0} positions/s, {left}\n");
    if let Some(MatchResult { line, verdict }) = result {
        let verdict = verdict.map_or(String::new(), |verdict| format!(": {verdict}"));
        text += &format!("{line}{verdict}\n");
    }
    text
}

fn to_json(rows: &[Row], result: Option<&MatchResult>) -> Value {
    let shards: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "shard": row.shard.to_string(), "file": row.file, "games": row.games,
                "planned": row.planned, "state": row.state(),
            })
        })
        .collect();
    let (games, planned, [per_second, positions], seconds) = totals(rows);
    json!({
        "games": games, "planned": planned, "games_per_second": per_second,
        "positions_per_second": positions, "seconds_left": seconds,
        "result": result.map(|result| &result.line),
        "verdict": result.map(|result| result.verdict),
        "shards": shards,
    })
}
