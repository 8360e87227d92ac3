//! A whole match or tournament: the record, what it holds already, the games, the live report.

use super::options::Options;
use crate::tools::arena::record::{GameRecord, RecordFile};
use crate::tools::arena::runner::{Ended, Pairing};
use crate::tools::game::entry::Entry;
use crate::tools::game::format::FileFormat;
use crate::tools::interrupt;
use crate::tools::progress::Progress;
use crate::tools::record;
use anyhow::{ensure, Context, Result};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Counts the games of a session.
pub trait Scoreboard {
    /// Counts a game.
    fn add(&mut self, game: &GameRecord);

    /// Does a game show that a player can't play at all, so that neither it nor any other one counts?
    fn is_void(&mut self, _game: &GameRecord) -> bool {
        false
    }

    /// Is the question settled, so that no more games are needed?
    fn is_settled(&self) -> bool;

    /// The live result in one line.
    fn line(&self) -> String;
}

/// Plays the games of a plan between the players of these names, or the shard's pairs of them, those
/// that a resumed record holds excepted. After a Ctrl-C the scoreboard has those that were over by then.
pub fn play(
    options: &Options,
    names: &[String],
    plan: &[Pairing],
    scoreboard: &mut dyn Scoreboard,
) -> Result<Ended> {
    let arena = Arc::new(options.arena(names)?);
    let is_whole = !arena.manner.is_match || options.stop_after.is_none_or(|games| games % 2 == 0);
    ensure!(is_whole, "--stop-after: matches have two games each, expected an even number");
    let children = arena.children.clone();
    interrupt::at_once(move || children.end_all());
    let mut pgn =
        options.pgn.as_deref().map(|path| PgnFile::open(options.game, path)).transpose()?;
    let mut file = None;
    let mut recorded = Vec::new();
    if let Some(path) = options.record_path() {
        let settings = options.settings(&arena);
        // Pairs stay together: they are what the result is computed from.
        let pairs = plan.last().map_or(0, |last| last.pair as u64 + 1);
        let settings = options.sharding.settings(settings, pairs);
        let (opened, games) = RecordFile::open(path, &settings, options.resume)?;
        file = Some(opened);
        recorded = games;
    }
    let id = file.as_ref().map_or_else(String::new, |file| file.id().to_string());
    recorded.retain(|game| game.game < plan.len());
    recorded.iter().for_each(|game| scoreboard.add(game));
    let done: BTreeSet<usize> = recorded.iter().map(|game| game.game).collect();
    let mut games = own_games(options, plan);
    let planned = games.len();
    games.retain(|game| !done.contains(game));
    games.truncate(options.stop_after.map_or(usize::MAX, |games| games as usize));
    let measure = arena.limits.measure();
    let mut progress = Progress::new("games", done.len() as u64, planned as u64);
    let mut ended = Ended::BrokenOff;
    if !scoreboard.is_settled() {
        ended = arena.run(plan, &games, options.jobs(), |finished| {
            let pairing = plan[finished.index];
            let mut game = GameRecord::new(&id, arena.game, pairing, names, measure, finished);
            if scoreboard.is_void(&game) {
                return Ok(ControlFlow::Break(()));
            }
            if let Some(file) = &mut file {
                file.push(&mut game)?;
            }
            if let Some(pgn) = &mut pgn {
                pgn.push(&game)?;
            }
            scoreboard.add(&game);
            remarks(&game).iter().for_each(|remark| progress.remark(remark));
            progress.advance(|| scoreboard.line());
            let settled = scoreboard.is_settled();
            Ok(if settled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    // The end of the bar fills it.
    let played = progress.done();
    progress.finish();
    if ended == Ended::Interrupted {
        let hint = if file.is_some() { "; --resume goes on with the rest" } else { "" };
        progress.remark(&format!("interrupted after {played} of {planned} games{hint}"));
    }
    Ok(ended)
}

/// The file that games are appended to in the form that their community has for them.
struct PgnFile {
    file: File,
    format: &'static FileFormat,
}

impl PgnFile {
    fn open(game: &'static Entry, path: &Path) -> Result<PgnFile> {
        let format = game.require(&game.format, "games in PGN")?;
        let file = OpenOptions::new().append(true).create(true).open(path);
        Ok(PgnFile { file: file.with_context(|| format!("opening {}", path.display()))?, format })
    }

    fn push(&mut self, game: &GameRecord) -> Result<()> {
        let line = serde_json::to_string(game)?;
        let record = record::parse(&line)?.context("a game is a record")?;
        let text = (self.format.write)(&record)?;
        self.file.write_all(text.as_bytes()).context("writing the games in PGN")
    }
}

/// The games of a plan that are this shard's, by their index.
pub fn own_games(options: &Options, plan: &[Pairing]) -> Vec<usize> {
    let shard = options.sharding.shard();
    (0..plan.len()).filter(|&game| shard.owns(plan[game].pair)).collect()
}

/// Faults, and what players did wrong after the end, in words.
fn remarks(game: &GameRecord) -> Vec<String> {
    let name = |side: &str| game.side(side).map_or("", |side| &game.names[side.index()]);
    let number = game.number;
    let mut remarks = Vec::new();
    if let Some(fault) = &game.fault {
        let (side, kind, detail) = (&fault.side, fault.kind.name(), &fault.detail);
        remarks.push(format!("game {number}: {side} {:?} lost by {kind}: {detail}", name(side)));
        remarks.extend(fault.stderr.iter().map(|line| format!("    stderr: {line}")));
    }
    for (side, complaint) in &game.complaints {
        remarks.push(format!("game {number}: {side} {:?} {complaint}", name(side)));
    }
    remarks
}
