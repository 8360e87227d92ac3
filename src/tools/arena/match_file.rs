//! Match records: JSON-lines files to which each finished game is appended. A file can hold several matches; each game
//! names its match.

use super::hints::{hint, Evidence};
use super::referee::Played;
use super::runner::{Finished, Pairing};
use super::FaultKind;
use crate::engine::score::Score;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::record::ADJUDICATION;
use crate::tools::contracts::{Fact, Rules, Side};
use crate::tools::support::files::{self, Named};
use crate::tools::support::text::{count_of, shown_name};
use anyhow::{bail, ensure, Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{Seek, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Maximum time that another process needs to write a line.
const WRITING_TIME: Duration = Duration::from_secs(2);
/// The beginning of every line.
pub const RECORD_START: &str = "{\"type\":";
/// The beginning of the line of a game.
const GAME_LINE: &str = "{\"type\":\"game\"";

/// A line of a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    /// Start of a match.
    Match {
        /// Id of the match, repeated by its games.
        id: String,
        /// Settings that determine its games: players, limits, openings, seed.
        settings: Value,
    },
    /// A finished game.
    Game(Box<GameRecord>),
}

impl Line {
    fn text(&self) -> Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game in the file (in the match if there is no file), from 1.
    #[serde(rename = "id", default)]
    pub number: usize,
    /// Id of its match.
    #[serde(rename = "match")]
    pub id: String,
    /// Name of the game in the registry.
    pub rules: String,
    /// Names of the sides, the one that begins first.
    pub sides: [String; 2],
    /// Index in the schedule of the match, from 0.
    pub game: usize,
    /// Number of the pair of games that share the opening, from 0.
    pub pair: usize,
    /// Numbers of the players. In this and the following arrays the side that begins comes first.
    pub players: [usize; 2],
    /// Players as given on the command line.
    pub names: [String; 2],
    /// Side that won; `None` for a draw.
    pub winner: Option<String>,
    /// Reason of the end: a word of the game, the kind of the loser's fault, or `adjudication`.
    pub reason: String,
    /// Why the game was adjudicated, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<String>,
    /// Points by the contest's rules.
    pub points: [f64; 2],
    /// Other figures that the contest counts, of both sides.
    #[serde(default, skip_serializing_if = "has_no_facts")]
    pub facts: [Vec<Fact>; 2],
    /// The loser's fault, if one ended the game.
    pub fault: Option<FaultRecord>,
    /// Errors after the end of the game: side and description.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub complaints: Vec<(String, String)>,
    /// Number of plies of the opening, including setups.
    pub opening: usize,
    /// Setups and moves.
    pub moves: Vec<String>,
    /// Scores reported with the moves after the opening, each from the mover's view.
    pub scores: Vec<Option<Score>>,
    /// Wall time of the answers after the opening, in seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
    /// Time controls as PGN writes them.
    #[serde(default)]
    pub time_controls: [String; 2],
    /// Date of the end (UTC) as PGN writes it.
    #[serde(default)]
    pub date: String,
    /// Total wall time of the players' answers, in seconds.
    pub wall: [f64; 2],
    /// Wall time of the players' slowest answers, in seconds.
    #[serde(default)]
    pub longest: [f64; 2],
    /// Number of the game in a two-game match, from 1; `None` for a single game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_match: Option<usize>,
    /// Nodes searched by built-in players.
    pub nodes: [u64; 2],
    /// Duration of the game including start and exit of the players, in seconds.
    pub elapsed: f64,
}

/// A fault in a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Side of the player that failed.
    pub side: String,
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Number of the move at which it failed.
    #[serde(default, rename = "move")]
    pub ply: usize,
    /// Description for people.
    pub detail: String,
    /// The answer that was refused, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Likely cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Last lines exchanged, with the time since the start of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialogue: Vec<String>,
    /// Output after the last line that was read.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unread: String,
    /// Last lines of the player's stderr.
    pub stderr: Vec<String>,
}

impl FaultRecord {
    /// Creates the record of the fault that ended a game, if there is one.
    pub fn of(rules: &Rules, played: &Played) -> Option<FaultRecord> {
        let (side, fault) = played.fault.as_ref()?;
        let (game, ending) = (played.game.as_ref(), &played.endings[side.index()]);
        Some(FaultRecord::new(&Evidence { fault, side: *side, game, rules, ending }))
    }

    /// Creates the record of a fault.
    pub fn new(evidence: &Evidence) -> FaultRecord {
        let Evidence { fault, side, game, rules, ending } = *evidence;
        FaultRecord {
            side: rules.side_name(side).to_string(),
            kind: fault.kind,
            ply: game.ply() + 1,
            detail: fault.detail.clone(),
            answer: fault.answer.clone(),
            hint: hint(evidence),
            dialogue: ending.dialogue.last_lines.clone(),
            unread: ending.dialogue.unread.clone(),
            stderr: ending.stderr.clone(),
        }
    }

    /// Describes the fault in one line.
    pub fn text(&self) -> String {
        let got = if self.answer.is_some() { ", got" } else { ":" };
        format!("move {} of {} expected{got} {}", self.ply, self.side, self.detail)
    }

    /// Returns everything that helps to find the cause, in lines.
    pub fn diagnosis(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.hint.iter().map(|hint| format!("  {hint}")).collect();
        if !self.dialogue.is_empty() {
            lines.push("  last lines (-> to the program, <- from it):".to_string());
            lines.extend(self.dialogue.iter().map(|line| format!("  {line}")));
        }
        if !self.unread.is_empty() {
            lines.push(format!("  output not read: {:?}", self.unread));
        }
        lines.extend(self.stderr.iter().map(|line| format!("    stderr: {line}")));
        lines
    }
}

impl GameRecord {
    /// Creates the record of a finished game.
    pub fn new(
        id: &str,
        entry: &Entry,
        pairing: Pairing,
        names: &[String],
        finished: Finished,
    ) -> GameRecord {
        let Finished { index, of_match, played, elapsed } = finished;
        let fault = FaultRecord::of(entry.rules, &played);
        let reason = match (&fault, &played.adjudication) {
            (Some(fault), _) => fault.kind.name(),
            (None, Some(_)) => ADJUDICATION,
            (None, None) => played.end.reason,
        };
        let complaint = |side: Side| {
            let text = played.endings[side.index()].complaint.clone()?;
            Some((entry.rules.side_name(side).to_string(), text))
        };
        GameRecord {
            number: index + 1,
            id: id.to_string(),
            rules: entry.rules.name.to_string(),
            sides: entry.rules.sides.map(str::to_string),
            game: index,
            pair: pairing.pair,
            players: pairing.players,
            names: pairing.players.map(|player| names[player].clone()),
            winner: played.end.winner.map(|side| entry.rules.side_name(side).to_string()),
            reason: reason.to_string(),
            adjudication: played.adjudication,
            points: played.end.points,
            facts: played.end.facts,
            complaints: Side::ALL.into_iter().filter_map(complaint).collect(),
            opening: played.opening_plies,
            moves: played.game.texts(),
            scores: played.scores,
            times: played.times.iter().map(|time| time.as_millis() as f64 / 1e3).collect(),
            time_controls: Default::default(),
            date: today(),
            wall: played.usage.map(|usage| usage.wall.as_secs_f64()),
            longest: played.usage.map(|usage| usage.longest.as_secs_f64()),
            of_match,
            nodes: played.usage.map(|usage| usage.nodes),
            elapsed: elapsed.as_secs_f64(),
            fault,
        }
    }

    /// Returns the side with this name.
    pub fn side(&self, name: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.sides[side.index()] == name)
    }

    /// Returns the half points of the player on a side: 0, 1 or 2.
    pub fn half_points(&self, side: Side) -> usize {
        match &self.winner {
            None => 1,
            Some(winner) if self.side(winner) == Some(side) => 2,
            Some(_) => 0,
        }
    }

    /// Returns the number of the player that lost by a fault.
    pub fn faulty_player(&self) -> Option<usize> {
        let side = self.side(&self.fault.as_ref()?.side)?;
        Some(self.players[side.index()])
    }

    /// Returns the number of a player whose fault shows that it can't play at all with its command line.
    pub fn unable_player(&self) -> Option<usize> {
        self.faulty_player()
            .filter(|_| self.fault.as_ref().is_some_and(|fault| fault.kind.is_unable()))
    }

    /// Whether a player made a move.
    pub fn has_moved(&self, player: usize) -> bool {
        let sides = (self.opening..self.moves.len()).map(Side::to_move_after);
        sides.into_iter().any(|side| self.players[side.index()] == player)
    }

    /// Describes the fault in one line, with the last line of the player's stderr and the hint.
    pub fn fault_text(&self) -> Option<String> {
        let fault = self.fault.as_ref()?;
        let name = &self.names[self.side(&fault.side)?.index()];
        let is_unstarted = fault.kind == FaultKind::NotStarted;
        // The shell's message only repeats a command of one word.
        let last =
            fault.stderr.last().filter(|line| !(is_unstarted && line.contains(name.as_str())));
        let last = last.map_or(String::new(), |line| format!("; stderr: {line}"));
        let hint = fault.hint.as_ref().map_or(String::new(), |hint| format!(". {hint}"));
        Some(match is_unstarted {
            true => format!("can't start {name:?}: {}{last}{hint}", fault.detail),
            false => format!("{name:?} failed: {}{last}{hint}", fault.text()),
        })
    }

    /// Whether the player on this side lost by a fault.
    pub fn failed(&self, side: Side) -> bool {
        self.fault.as_ref().is_some_and(|fault| self.side(&fault.side) == Some(side))
    }
}

fn has_no_facts(facts: &[Vec<Fact>; 2]) -> bool {
    facts.iter().all(Vec::is_empty)
}

/// What to do with a record that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfExists {
    /// Append another match. The same match is refused: its games would be played twice.
    Append,
    /// Continue the match.
    Resume,
    /// Delete all matches in it.
    Overwrite,
}

/// A record file open for appending.
pub struct RecordFile {
    file: File,
    id: String,
    /// Number of games in the file, including those of other matches, but not those of processes that append to it now.
    games: usize,
}

impl RecordFile {
    /// Opens or creates the file and starts a match in it, or continues the last match with the same settings and
    /// returns its games. Resuming fails if there is no such match (unless the file is empty, e.g. after a kill) or if
    /// another process is writing to the file.
    pub fn open(
        path: &Path,
        settings: &Value,
        if_exists: IfExists,
    ) -> Result<(RecordFile, Vec<GameRecord>)> {
        files::ensure_regular(path)?;
        let resume = if_exists == IfExists::Resume;
        if !resume {
            files::make_folder_of(path).named("opening", path)?;
        }
        let opened = OpenOptions::new().read(true).append(true).create(!resume).open(path);
        let mut file = opened.named("opening", path)?;
        // Several processes may append matches to one file, but resuming needs exclusive access.
        let is_alone = match files::lock(&file, path) {
            Ok(()) => true,
            Err(error) if if_exists != IfExists::Append => return Err(error),
            Err(_) => {
                files::lock_shared(&file, path)?;
                false
            }
        };
        let text = files::read_lines(&mut file);
        let mut text = text.named("reading", path)?;
        // Any other file must not be truncated or appended to.
        ensure!(
            text.is_empty() || text.starts_with(RECORD_START),
            "{} is not a match record; choose another file with --record",
            shown_name(path)
        );
        if is_alone {
            files::drop_torn_line(&file, &mut text)?;
            if if_exists == IfExists::Overwrite && !text.is_empty() {
                text.clear();
                file.set_len(0).named("emptying", path)?;
            }
            files::lock_shared(&file, path)?;
        } else {
            let started = Instant::now();
            // Another process may be writing the last line.
            while !(text.is_empty() || text.ends_with('\n')) {
                ensure!(
                    started.elapsed() < WRITING_TIME,
                    "{} ends in an unfinished line: wait until no match writes to it, or choose another \
                     --record",
                    shown_name(path)
                );
                thread::sleep(WRITING_TIME / 100);
                file.rewind().named("reading", path)?;
                text = files::read_lines(&mut file).named("reading", path)?;
            }
        }
        let count = text.lines().filter(|line| line.starts_with(GAME_LINE)).count();
        if !resume || text.is_empty() {
            let found = find(&text, settings).named("reading", path)?;
            let games = found.map_or(0, |(_, games)| games.len());
            ensure!(
                games == 0,
                "{} has {} of this match: use --resume to continue it, --overwrite to delete the whole \
                 file first, or another --record or --seed",
                shown_name(path),
                count_of(games, "game")
            );
            let id = new_id();
            let line = Line::Match { id: id.clone(), settings: settings.clone() };
            let mut record = RecordFile { file, id, games: count };
            record.append(&line)?;
            return Ok((record, Vec::new()));
        }
        let (id, games) = find(&text, settings)
            .and_then(|found| {
                found.context("there is no match with the same players, limits, openings and seed")
            })
            .named("resuming", path)?;
        Ok((RecordFile { file, id, games: count }, games))
    }

    /// Returns the contents of a record with one match. The games are renumbered.
    pub fn whole(settings: &Value, games: Vec<GameRecord>) -> Result<Vec<u8>> {
        let id = new_id();
        let head = Line::Match { id: id.clone(), settings: settings.clone() };
        let mut text = head.text()?;
        for (index, game) in games.into_iter().enumerate() {
            let game = GameRecord { number: index + 1, id: id.clone(), ..game };
            text += &Line::Game(Box::new(game)).text()?;
        }
        Ok(text.into_bytes())
    }

    /// Returns the id of the match.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Numbers a game and appends it.
    pub fn push(&mut self, game: &mut GameRecord) -> Result<()> {
        self.games += 1;
        game.number = self.games;
        self.append(&Line::Game(Box::new(game.clone())))
    }

    /// Appends a line with a single write, so that a kill leaves at most one incomplete line.
    fn append(&mut self, line: &Line) -> Result<()> {
        self.file.write_all(line.text()?.as_bytes()).context("writing the record")
    }
}

/// Whether a file that begins with these bytes is a match record.
pub fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(RECORD_START.as_bytes())
}

/// A file with a single match.
pub struct WholeMatch {
    /// Settings that determine the games.
    pub settings: Value,
    /// Games in the order in which they ended.
    pub games: Vec<GameRecord>,
    /// Description of the damage after these games, if any.
    pub damage: Option<String>,
}

/// Reads a file with a single match, up to the first damaged line.
pub fn read_whole(path: &Path, bytes: &[u8]) -> Result<WholeMatch> {
    let name = shown_name(path);
    let mut found: Option<(String, WholeMatch)> = None;
    for line in lines(bytes) {
        match (line, &mut found) {
            (Ok(Line::Match { id, settings }), None) => {
                let games = Vec::new();
                found = Some((id, WholeMatch { settings, games, damage: None }));
            }
            (Ok(Line::Match { .. }), Some(_)) => {
                bail!("{name} holds more than one match, expected one")
            }
            (Ok(Line::Game(game)), Some((id, whole))) if game.id == *id => whole.games.push(*game),
            (Ok(Line::Game(game)), _) => {
                bail!("{name}: game {} belongs to another match", game.number)
            }
            (Err(error), Some((_, whole))) => {
                whole.damage = Some(format!("{error:#}"));
                break;
            }
            (Err(error), None) => return Err(error.context(format!("reading {name}"))),
        }
    }
    found
        .map(|(_, whole)| whole)
        .with_context(|| format!("{name} is empty, expected the record of a match"))
}

/// Parses lines, each of which must end with a newline.
fn lines(bytes: &[u8]) -> impl Iterator<Item = Result<Line>> + '_ {
    let parse = |line: &[u8]| {
        // Invalid UTF-8 counts as damage from this line on.
        let text = std::str::from_utf8(line).ok().context("not UTF-8")?;
        let parsed = serde_json::from_str(text)?;
        ensure!(line.ends_with(b"\n"), "incomplete line");
        Ok(parsed)
    };
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    lines.map(move |(index, line)| parse(line).with_context(|| format!("line {}", index + 1)))
}

/// Returns the id of the last match with these settings, and its games in schedule order, if there is one.
fn find(text: &str, settings: &Value) -> Result<Option<(String, Vec<GameRecord>)>> {
    let mut wanted = None;
    let mut games = Vec::new();
    for line in lines(text.as_bytes()) {
        match line? {
            Line::Match { id, settings: found } if found == *settings => wanted = Some(id),
            Line::Match { .. } => (),
            Line::Game(game) => games.push(*game),
        }
    }
    let Some(id) = wanted else { return Ok(None) };
    games.retain(|game| game.id == id);
    games.sort_by_key(|game| game.game);
    games.dedup_by_key(|game| game.game);
    Ok(Some((id, games)))
}

/// Returns the date (UTC) as `YYYY.MM.DD`.
fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date_text(now.as_secs() / 86_400)
}

/// Formats the date of a day, counted from 1970-01-01. Years begin in March here, so that a leap day is the last one
/// (H. Hinnant, `civil_from_days`).
fn date_text(day: u64) -> String {
    let day = day + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}.{month:02}.{day:02}", 400 * era + year)
}

/// Returns a unique match id.
fn new_id() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", now.as_nanos(), std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_as_dates() {
        for (day, date) in [
            (0, "1970.01.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (20_453, "2025.12.31"),
            (20_454, "2026.01.01"),
        ] {
            assert_eq!(date_text(day), date);
        }
    }

    #[test]
    fn reads_older_records_with_cpu_time() {
        let line = r#"{"type":"game","id":1,"match":"m","rules":"some-game","sides":["one","other"],
            "game":0,"pair":0,"players":[0,1],"names":["a","b"],"winner":"other","reason":"cpu_time",
            "points":[0.0,21.0],"fault":{"side":"one","kind":"cpu_time","detail":"used","stderr":[]},
            "opening":0,"moves":[],"scores":[],"clock":"cpu","cpu":[31.0,1.5],"wall":[40.0,2.0],
            "nodes":[0,0],"elapsed":42.0}"#;
        let Ok(Line::Game(game)) = serde_json::from_str(line) else { panic!("no game: {line}") };
        assert_eq!(game.fault.map(|fault| fault.kind), Some(FaultKind::CpuTime));
        assert_eq!(game.wall, [40.0, 2.0]);
    }
}
