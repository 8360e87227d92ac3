//! `cupbot merge`: joins the files of all shards of a run (see [`crate::tools::support::shard`]) into the file that one
//! machine would have written.

mod input;

use super::r#match::report::{report_of, SprtOptions};
use super::tournament;
use crate::tools::arena::match_file::{GameRecord, RecordFile};
use crate::tools::contracts::game_files::{Duplicates, Magic};
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{ensure_new, replace_atomically};
use crate::tools::support::shard::Shards;
use crate::tools::support::text::shown_name;
use crate::tools::training::game_file;
use anyhow::{bail, ensure, Context, Result};
use input::{Contents, Gaps, Input};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Join the shards of a self-play run or of a match into one file
///
/// Checks that the shards are intact and belong to the same run, and that no game is missing or occurs twice; on an
/// error nothing is written. For a match the overall result is printed, and the exit status is that of `match`: 1 if
/// the SPRT rejects. Without --output the shards are only checked; with --allow-missing this shows the progress of a
/// run.
#[derive(clap::Args)]
pub struct Args {
    /// Files of the shards
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output file
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputFile>,
    /// Join the available games and report missing ones; a damaged shard counts up to the damage, an empty file as
    /// missing
    #[arg(long)]
    allow_missing: bool,
    #[command(flatten)]
    sprt: SprtOptions,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Writes the output file, if one was given.
    fn write(&self, contents: impl FnOnce() -> Result<Vec<u8>>) -> Result<()> {
        match &self.output {
            Some(output) => Ok(replace_atomically(output, &contents()?)?),
            None => Ok(()),
        }
    }
}

/// Joins the shards.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(output) = &args.output {
        ensure_new(output)?;
    }
    ctrl_c::catch();
    let inputs = inputs(&args)?;
    if ctrl_c::is_interrupted() {
        tell!("interrupted: nothing is written; the same command starts again");
        return Ok(ExitCode::from(ctrl_c::exit_status()));
    }
    let described = inputs.iter().map(|input| (input.name.clone(), input.settings.clone()));
    let mut shards = Shards::of(described.collect())?;
    let mut gaps = Gaps { is_allowed: args.allow_missing, found: Vec::new() };
    for (shard, file) in shards.all() {
        match file {
            None => gaps.push(format!(
                "shard {shard} is missing (the run's command with --shard {shard} plays it)"
            ))?,
            Some(place) => inputs[place].check(shard, shards.total, &mut gaps)?,
        }
    }
    if !gaps.found.is_empty() {
        // Prevents a run from resuming the incomplete file.
        shards.settings["missing"] = json!(gaps.found);
    }
    let Some(first) = inputs.first() else { bail!("no file") };
    match &first.contents {
        Contents::Games { magic, .. } => {
            let magic = *magic;
            ensure!(
                !args.sprt.is_asked_for(),
                "--sprt: expected a match, but these are games of self-play"
            );
            merge_games(&args, &shards, inputs, &magic)
        }
        Contents::Match(_) => merge_matches(&args, &shards, inputs),
    }
}

/// Reads the files. With `--allow-missing`, empty files are skipped.
fn inputs(args: &Args) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for path in args.files.iter().take_while(|_| !ctrl_c::is_interrupted()) {
        let name = shown_name(path);
        match Input::read(path)? {
            Some(input) => inputs.push(input),
            None if args.allow_missing => tell!("{name} is empty"),
            None => bail!("{name} is empty: continue its shard with --resume"),
        }
    }
    ensure!(!inputs.is_empty() || ctrl_c::is_interrupted(), "all files are empty");
    Ok(inputs)
}

/// Joins the games of self-play shards in the order of the run: one game of each shard in turn.
fn merge_games(
    args: &Args,
    shards: &Shards,
    inputs: Vec<Input>,
    magic: &Magic,
) -> Result<ExitCode> {
    let mut all_positions = 0;
    let mut parts: Vec<Vec<Vec<u8>>> = Vec::new();
    for input in inputs {
        let Contents::Games { positions, games, .. } = input.contents else {
            bail!("{} is a match record, but the other files have games of self-play", input.name);
        };
        all_positions += positions;
        parts.push(games);
    }
    let mut numbered: Vec<(u64, Vec<u8>)> = Vec::new();
    for (shard, file) in shards.all() {
        let games = file.map(|place| std::mem::take(&mut parts[place])).unwrap_or_default();
        let numbers = (0..shard.share(shards.total)).map(|place| shard.number(place));
        numbered.extend(numbers.zip(games));
    }
    numbered.sort_by_key(|&(number, _)| number);
    let games: Vec<Vec<u8>> = numbered.into_iter().map(|(_, game)| game).collect();
    let mut duplicates = Duplicates::default();
    games.iter().for_each(|game| duplicates.add(game));
    duplicates.warn();
    let settings = serde_json::to_string(&shards.settings)?;
    args.write(|| Ok(game_file::whole(magic, &settings, &games)))?;
    let (games, all) = (games.len(), shards.total);
    let numbers = json!({ "games": games, "planned": all, "positions": all_positions });
    say_as!(args.json, numbers, "games {games} of {all}, positions {all_positions}")?;
    Ok(ExitCode::SUCCESS)
}

/// Joins the shards of a match and prints the result.
fn merge_matches(args: &Args, shards: &Shards, inputs: Vec<Input>) -> Result<ExitCode> {
    let mut games: BTreeMap<usize, GameRecord> = BTreeMap::new();
    for input in inputs {
        let Contents::Match(found) = input.contents else {
            bail!("{} has games of self-play, but the other files are match records", input.name);
        };
        games.extend(found.into_iter().map(|game| (game.game, game)));
    }
    let rules = shards.settings["rules"].as_str().unwrap_or_default();
    let game = registry::find(rules).with_context(|| format!("unknown game {rules:?}"))?;
    let games: Vec<GameRecord> = games.into_values().collect();
    let names = names_of(&games, &shards.settings);
    let [a, b] = &names[..] else {
        ensure!(!args.sprt.is_asked_for(), "--sprt: expected a match, but this is a tournament");
        args.write(|| RecordFile::whole(&shards.settings, games.clone()))?;
        tournament::print_table(game, names, &games, args.json)?;
        return Ok(ExitCode::SUCCESS);
    };
    let (names, planned) = ([a.clone(), b.clone()], 2 * shards.total as usize);
    let report = report_of(game, names, planned, &args.sprt, &games)?;
    args.write(|| RecordFile::whole(&shards.settings, games))?;
    report.print(args.json)
}

/// Returns the names of the players as given on the command line; for players without games, their descriptions in the
/// settings.
fn names_of(games: &[GameRecord], settings: &Value) -> Vec<String> {
    let players = settings["players"].as_array().cloned().unwrap_or_default();
    let mut names: Vec<String> =
        players.iter().map(|player| player.as_str().unwrap_or_default().to_string()).collect();
    for game in games {
        for (&player, name) in game.players.iter().zip(&game.names) {
            if let Some(known) = names.get_mut(player) {
                known.clone_from(name);
            }
        }
    }
    names
}
