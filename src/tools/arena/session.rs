//! A whole match or tournament: the record, what it holds already, the games, the live report.

use super::contest::Contest;
use super::options::Options;
use super::record::{GameRecord, RecordFile};
use super::runner::Pairing;
use crate::tools::rules::Side;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Plain progress lines, where stderr is no terminal, come no faster than this.
const REPORT_EVERY: Duration = Duration::from_secs(5);

/// Counts the games of a session.
pub trait Scoreboard {
    /// Counts a game.
    fn add(&mut self, game: &GameRecord);

    /// Is the question settled, so that no more games are needed?
    fn is_settled(&self) -> bool;

    /// The live result in one line.
    fn line(&self) -> String;
}

/// Plays the games of a plan between the players of these names, those that a resumed record holds
/// excepted.
pub fn play<G: Contest>(
    options: &Options,
    names: &[String],
    plan: &[Pairing],
    scoreboard: &mut dyn Scoreboard,
) -> Result<()> {
    let arena = options.arena::<G>(names)?;
    let mut file = None;
    let mut recorded = Vec::new();
    if let Some(path) = options.record_path() {
        let settings = options.settings(&arena);
        let (opened, games) = RecordFile::open(path, &settings, options.resume)?;
        file = Some(opened);
        recorded = games;
    }
    let id = file.as_ref().map_or_else(String::new, |file| file.id().to_string());
    recorded.retain(|game| game.game < plan.len());
    recorded.iter().for_each(|game| scoreboard.add(game));
    let done: BTreeSet<usize> = recorded.iter().map(|game| game.game).collect();
    let games: Vec<usize> = (0..plan.len()).filter(|game| !done.contains(game)).collect();
    let mut progress = Progress::new(done.len(), plan.len());
    if !scoreboard.is_settled() {
        arena.run(plan, &games, options.jobs(), |finished| {
            let game = GameRecord::new(&id, plan[finished.index], names, finished);
            if let Some(file) = &mut file {
                file.push(&game)?;
            }
            scoreboard.add(&game);
            progress.show(scoreboard, &game);
            let settled = scoreboard.is_settled();
            Ok(if settled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    progress.finish();
    Ok(())
}

/// Shows on stderr how it goes.
struct Progress {
    bar: ProgressBar,
    done: usize,
    planned: usize,
    reported: Option<Instant>,
}

impl Progress {
    fn new(done: usize, planned: usize) -> Progress {
        let bar = ProgressBar::new(planned as u64);
        let template = "{elapsed_precise} {bar:20} {pos}/{len} {msg} eta {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(done as u64);
        Progress { bar, done, planned, reported: None }
    }

    fn show(&mut self, scoreboard: &dyn Scoreboard, game: &GameRecord) {
        self.done += 1;
        self.bar.set_position(self.done as u64);
        for remark in remarks(game) {
            self.bar.suspend(|| eprintln!("{remark}"));
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(scoreboard.line());
        } else if self.reported.is_none_or(|last| last.elapsed() >= REPORT_EVERY) {
            self.reported = Some(Instant::now());
            eprintln!("{}/{} {}", self.done, self.planned, scoreboard.line());
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Faults, and what players did wrong after the end, in words.
fn remarks(game: &GameRecord) -> Vec<String> {
    let name = |side: &str| Side::named(side).map_or("", |side| &game.names[side.index()]);
    let number = game.game + 1;
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
