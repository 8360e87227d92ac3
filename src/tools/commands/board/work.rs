//! Jobs of a session's thread: moves, analysis, and reviews of whole games.

use super::bots::RunningBot;
use super::input::board_page;
use super::levels::Level;
use crate::engine::dialogue::Player;
use crate::engine::interrupt;
use crate::tools::contracts::analysis::{Hint, Options};
use crate::tools::contracts::board::{Analyst, Finding};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::Settings;
use crate::tools::labs::registry::entry;
use anyhow::{anyhow, Context, Result};
use serde::Serialize;
use serde_json::{json, Value};
use std::sync::mpsc::Sender;
use std::time::Instant;

/// A message of a search to its page. An error ends the search; otherwise the last message has a true `done`.
pub type News = Result<Value>;

/// Hash table size of a search in MiB, small because there may be many sessions.
const HASH_MB: usize = 32;

/// State of a session that is kept between searches.
#[derive(Default)]
pub struct Worker {
    cached: Option<CachedPlayer>,
    /// With the name of its game.
    analyst: Option<(&'static str, Box<dyn Analyst>)>,
    /// The program that plays here.
    pub bot: Option<RunningBot>,
}

/// A player and the game that it has been told.
struct CachedPlayer {
    game: &'static str,
    start: Option<String>,
    nodes: Option<u64>,
    moves: Vec<String>,
    player: Box<dyn Player>,
}

/// A move of a computer player.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The move.
    pub text: String,
    /// The player's log line.
    pub report: String,
}

impl Worker {
    /// Frees the memory of searches. The program keeps running.
    pub fn free(&mut self) {
        *self = Worker { bot: self.bot.take(), ..Worker::default() };
    }

    /// Whether it holds no memory of searches.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.cached.is_none() && self.analyst.is_none()
    }

    /// Creates the state of an analysis.
    #[cfg(test)]
    pub fn fill(&mut self) {
        let record = Record::new(crate::tools::labs::registry::main_game().rules, None, Vec::new());
        self.analyst_of(&record).expect("a game with a board");
    }

    /// Answers a game. The result does not depend on earlier requests.
    pub fn answer(&mut self, record: &Record, level: Level) -> Result<Answer> {
        let game = entry(record.game);
        let nodes = level.nodes(game);
        let casual = level.style(game).zip(record.replay().ok());
        if let Some(text) = casual.and_then(|(style, state)| style.casual_move_in(state.as_ref())) {
            return Ok(Answer { text, report: String::new() });
        }
        let mut cached = self.player_for(record, nodes)?;
        let answer = cached.player.answer(&level.clock(entry(record.game)));
        if interrupt::is_raised() {
            return Err(anyhow!("stopped"));
        }
        let text = answer.context("there is no move")?.mv;
        cached.moves.push(text.clone());
        let report = cached.player.report().text;
        self.cached = Some(cached);
        Ok(Answer { text, report })
    }

    /// Returns a player that has been told all moves: the current one if the moves continue its game.
    fn player_for(&mut self, record: &Record, nodes: Option<u64>) -> Result<CachedPlayer> {
        let game = entry(record.game);
        let fits = |cached: &CachedPlayer| {
            (cached.game, &cached.start, cached.nodes) == (game.rules.name, &record.start, nodes)
                && record.moves.starts_with(&cached.moves)
        };
        let mut cached = match self.cached.take().filter(fits) {
            Some(cached) => cached,
            None => {
                let settings = Settings { hash_mb: HASH_MB.min(game.hash_mb), nodes };
                let page = game.require(&game.tools.board, "board in the browser")?;
                let player = (page.player)(settings, record.start.as_deref())?;
                let (start, moves) = (record.start.clone(), Vec::new());
                CachedPlayer { game: game.rules.name, start, nodes, moves, player }
            }
        };
        for text in &record.moves[cached.moves.len()..] {
            cached.player.play(text).map_err(|reason| anyhow!("{text}: {reason}"))?;
            cached.moves.push(text.clone());
        }
        Ok(cached)
    }

    /// Analyses the last position of a record and sends the results; the last message is marked `done`.
    pub fn analyse(&mut self, record: &Record, lines: usize, messages: &Sender<News>) {
        let started = Instant::now();
        let mut last = Finding::default();
        let message = |finding: &Finding, is_done: bool| {
            let ms = started.elapsed().as_millis() as u64;
            json!({ "finding": finding, "ms": ms, "done": is_done })
        };
        let result = self.analyst_of(record).and_then(|analyst| {
            analyst.analyse(record, lines, &mut |finding| {
                let _ = messages.send(Ok(message(&finding, false)));
                last = finding;
            })
        });
        // If the page has been closed, the results have no receiver.
        let _ = messages.send(result.map(|()| message(&last, true)));
    }

    fn analyst_of(&mut self, record: &Record) -> Result<&mut dyn Analyst> {
        let name = record.game.name;
        if self.analyst.as_ref().is_none_or(|(game, _)| *game != name) {
            let page = board_page(record.game).map_err(|_| anyhow!("no board for {name}"))?;
            self.analyst = Some((name, (page.analyst)(HASH_MB)));
        }
        let (_, analyst) = self.analyst.as_mut().context("made above")?;
        Ok(analyst.as_mut())
    }
}

/// Searches the moves of a game as `cupbot analyse` does with these options and sends its progress; the last message
/// has the notes and what the page shows of them.
pub fn review(mut record: Record, mut options: Options, messages: &Sender<News>) {
    let progress = messages.clone();
    options.listener = Some(Box::new(move |done, total| {
        let _ = progress.send(Ok(json!({ "count": done, "total": total, "done": false })));
    }));
    let reviewed = reviewed(&mut record, &options);
    if interrupt::is_raised() {
        return;
    }
    let _ = messages.send(reviewed);
}

fn reviewed(record: &mut Record, options: &Options) -> Result<Value> {
    let game = entry(record.game);
    let analyse = game.require(&game.tools.analyse, "analysis")?;
    record.notes = (analyse.run)(record, options)?.notes;
    let board = game.require(&game.tools.board, "board in the browser")?;
    Ok(json!({ "notes": record.notes, "views": (board.views)(record)?, "done": true }))
}

/// Suggests a move in the last position of a record, as `cupbot analyse` judges it.
pub fn hint(record: &Record, options: &Options) -> Result<Hint> {
    let game = entry(record.game);
    (game.require(&game.tools.analyse, "analysis")?.hint)(record, options)
}
