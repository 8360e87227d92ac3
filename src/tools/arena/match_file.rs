//! The record of a match: a JSON-lines file to which every game is appended as it ends. One file can
//! hold many matches; each line names the one it belongs to.

use super::runner::{Finished, Pairing};
use super::FaultKind;
use crate::engine::score::Score;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::game_files::utf8;
use crate::tools::contracts::{Fact, Side};
use crate::tools::support::files;
use anyhow::{bail, ensure, Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// How every line of a record begins.
const RECORD_START: &str = "{\"type\":";
/// How the line of a game begins.
const GAME_LINE: &str = "{\"type\":\"game\"";

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    /// A match begins.
    Match {
        /// Its name, which its games repeat.
        id: String,
        /// All that decides how its games go.
        settings: Value,
    },
    /// A game has ended.
    Game(Box<GameRecord>),
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number among the games of the file, from 1; of the match where no file is kept.
    #[serde(rename = "id", default)]
    pub number: usize,
    /// The match that it belongs to.
    #[serde(rename = "match")]
    pub id: String,
    /// The name of the game of the registry.
    pub rules: String,
    /// What its sides are called, the one that begins first.
    pub sides: [String; 2],
    /// Its place in the plan of the match, from 0.
    pub game: usize,
    /// The number of its opening.
    pub pair: usize,
    /// The players' numbers. Here and below the side that begins comes first.
    pub players: [usize; 2],
    /// The players as the command line names them.
    pub names: [String; 2],
    /// The side, or nothing for a draw.
    pub winner: Option<String>,
    /// What ended it: a word of the game's, or the kind of the loser's fault.
    pub reason: String,
    /// The contest's points.
    pub points: [f64; 2],
    /// What else the contest counts of both sides.
    #[serde(default, skip_serializing_if = "has_no_facts")]
    pub facts: [Vec<Fact>; 2],
    /// What exactly the loser did wrong.
    pub fault: Option<FaultRecord>,
    /// What a player did wrong after the game: the side and what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub complaints: Vec<(String, String)>,
    /// Plies given by the opening, setups included.
    pub opening: usize,
    /// Setups and moves.
    pub moves: Vec<String>,
    /// The movers' opinions, one for each of `moves` after the opening, each from its mover's view.
    pub scores: Vec<Option<Score>>,
    /// Wall time in which the player was waited for, in seconds.
    pub wall: [f64; 2],
    /// The longest wait for an answer, in seconds.
    #[serde(default)]
    pub longest: [f64; 2],
    /// Which game of a match it was, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_match: Option<usize>,
    /// Nodes that built-in players searched.
    pub nodes: [u64; 2],
    /// What the game took in all, in seconds.
    pub elapsed: f64,
}

/// A fault in a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Whose.
    pub side: String,
    /// Of which kind.
    pub kind: FaultKind,
    /// What happened.
    pub detail: String,
    /// The last lines of the player's stderr.
    pub stderr: Vec<String>,
}

impl GameRecord {
    /// The record of a finished game.
    pub fn new(
        id: &str,
        rules: &Entry,
        pairing: Pairing,
        names: &[String],
        finished: Finished,
    ) -> GameRecord {
        let Finished { index, of_match, played, elapsed } = finished;
        let fault = played.fault.map(|(side, fault)| FaultRecord {
            side: rules.side_name(side).to_string(),
            kind: fault.kind,
            detail: fault.detail,
            stderr: played.endings[side.index()].stderr.clone(),
        });
        let reason = fault.as_ref().map_or(played.end.reason, |fault| fault.kind.name());
        let complaint = |side: Side| {
            let text = played.endings[side.index()].complaint.clone()?;
            Some((rules.side_name(side).to_string(), text))
        };
        GameRecord {
            number: index + 1,
            id: id.to_string(),
            rules: rules.name.to_string(),
            sides: rules.sides.map(str::to_string),
            game: index,
            pair: pairing.pair,
            players: pairing.players,
            names: pairing.players.map(|player| names[player].clone()),
            winner: played.end.winner.map(|side| rules.side_name(side).to_string()),
            reason: reason.to_string(),
            points: played.end.points,
            facts: played.end.facts,
            complaints: Side::ALL.into_iter().filter_map(complaint).collect(),
            opening: played.opening_plies,
            moves: played.game.texts(),
            scores: played.scores,
            wall: played.usage.map(|usage| usage.wall.as_secs_f64()),
            longest: played.usage.map(|usage| usage.longest.as_secs_f64()),
            of_match,
            nodes: played.usage.map(|usage| usage.nodes),
            elapsed: elapsed.as_secs_f64(),
            fault,
        }
    }

    /// The side of a name.
    pub fn side(&self, name: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.sides[side.index()] == name)
    }

    /// The half points of the player on a side: 0, 1 or 2.
    pub fn half_points(&self, side: Side) -> usize {
        match &self.winner {
            None => 1,
            Some(winner) if self.side(winner) == Some(side) => 2,
            Some(_) => 0,
        }
    }

    /// The number of the player that failed.
    pub fn faulty_player(&self) -> Option<usize> {
        let side = self.side(&self.fault.as_ref()?.side)?;
        Some(self.players[side.index()])
    }

    /// The number of a player that can't play at all as it is called, as this game shows.
    pub fn unable_player(&self) -> Option<usize> {
        self.faulty_player()
            .filter(|_| self.fault.as_ref().is_some_and(|fault| fault.kind.is_unable()))
    }

    /// What the loser did wrong, in a line with the last of its stderr.
    pub fn fault_text(&self) -> Option<String> {
        let fault = self.fault.as_ref()?;
        let name = &self.names[self.side(&fault.side)?.index()];
        let last = fault.stderr.last().map_or(String::new(), |line| format!("; stderr: {line}"));
        Some(format!("{name:?} failed: {}{last}", fault.detail))
    }

    /// Did the player on this side lose by a fault of its own?
    pub fn failed(&self, side: Side) -> bool {
        self.fault.as_ref().is_some_and(|fault| self.side(&fault.side) == Some(side))
    }
}

fn has_no_facts(facts: &[Vec<Fact>; 2]) -> bool {
    facts.iter().all(Vec::is_empty)
}

/// The file that games are appended to.
pub struct RecordFile {
    file: File,
    id: String,
    /// The games that the file holds, those of other matches included.
    games: usize,
}

impl RecordFile {
    /// Opens or creates the file and begins a match in it. With `resume` it goes on with the last
    /// match of the same settings, whose games are returned; there must be one, but in a file in which a
    /// kill has left nothing, and nobody else may be writing to the file.
    pub fn open(
        path: &Path,
        settings: &Value,
        resume: bool,
    ) -> Result<(RecordFile, Vec<GameRecord>)> {
        files::ensure_regular(path)?;
        if !resume {
            let folder = || format!("making the folder of {}", path.display());
            files::make_folder_of(path).with_context(folder)?;
        }
        let opened = OpenOptions::new().read(true).append(true).create(!resume).open(path);
        let mut file = opened.with_context(|| format!("opening {}", path.display()))?;
        // Several matches may write to one file, but only one can go on with one of them.
        let is_alone = match files::lock(&file, path) {
            Ok(()) => true,
            Err(error) if resume => return Err(error),
            Err(_) => {
                files::lock_shared(&file, path)?;
                false
            }
        };
        let text = files::read_lines(&mut file);
        let mut text = text.with_context(|| format!("reading {}", path.display()))?;
        // Whatever else it is, it must not be cut or appended to.
        ensure!(
            text.is_empty() || text.starts_with(RECORD_START),
            "{} is no record of matches",
            path.display()
        );
        if is_alone {
            files::drop_torn_line(&file, &mut text)?;
            files::lock_shared(&file, path)?;
        }
        let count = text.lines().filter(|line| line.starts_with(GAME_LINE)).count();
        if !resume || text.is_empty() {
            let id = new_id();
            let line = Line::Match { id: id.clone(), settings: settings.clone() };
            let mut record = RecordFile { file, id, games: count };
            record.append(&line)?;
            return Ok((record, Vec::new()));
        }
        let (id, games) = find(&text, settings).with_context(|| path.display().to_string())?;
        Ok((RecordFile { file, id, games: count }, games))
    }

    /// The contents of a file with one match of these settings and games, which are numbered anew.
    pub fn whole(settings: &Value, games: Vec<GameRecord>) -> Result<Vec<u8>> {
        let id = new_id();
        let head = Line::Match { id: id.clone(), settings: settings.clone() };
        let mut text = serde_json::to_string(&head)? + "\n";
        for (index, game) in games.into_iter().enumerate() {
            let game = GameRecord { number: index + 1, id: id.clone(), ..game };
            text += &serde_json::to_string(&Line::Game(Box::new(game)))?;
            text.push('\n');
        }
        Ok(text.into_bytes())
    }

    /// The name of the match.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Numbers a game and adds it, so that it outlives this process.
    pub fn push(&mut self, game: &mut GameRecord) -> Result<()> {
        self.games += 1;
        game.number = self.games;
        self.append(&Line::Game(Box::new(game.clone())))
    }

    /// One write a line: a kill leaves whole lines, or one torn line at the end.
    fn append(&mut self, line: &Line) -> Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes()).context("writing the record")
    }
}

/// Does a file that begins with these bytes hold matches?
pub fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(RECORD_START.as_bytes())
}

/// The only match of a file.
pub struct WholeMatch {
    /// All that decides how its games go.
    pub settings: Value,
    /// Its games, in the order in which they ended.
    pub games: Vec<GameRecord>,
    /// What is wrong with the file after these games.
    pub damage: Option<String>,
}

/// Reads a file with one match, up to the first damage.
pub fn read_whole(path: &Path) -> Result<WholeMatch> {
    let name = path.display();
    let bytes = File::open(path).map_err(Into::into).and_then(files::read_bytes_of_lines);
    let bytes = bytes.with_context(|| format!("reading {name}"))?;
    let mut found: Option<(String, WholeMatch)> = None;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let number = index + 1;
        match (parse(line), &mut found) {
            (Ok(Line::Match { id, settings }), None) => {
                let games = Vec::new();
                found = Some((id, WholeMatch { settings, games, damage: None }));
            }
            (Ok(Line::Match { .. }), Some(_)) => bail!("{name} holds more than one match"),
            (Ok(Line::Game(game)), Some((id, whole))) if game.id == *id => whole.games.push(*game),
            (Ok(Line::Game(_)), _) => bail!("{name}: line {number} is of no match in the file"),
            (Err(error), Some((_, whole))) => {
                whole.damage = Some(format!("line {number}: {error}"));
                break;
            }
            (Err(error), None) => return Err(error.context(format!("{name}: line {number}"))),
        }
    }
    found.map(|(_, whole)| whole).with_context(|| format!("{name} holds no match"))
}

/// A line, with its end.
fn parse(line: &[u8]) -> Result<Line> {
    let parsed = serde_json::from_str(utf8(line)?)?;
    ensure!(line.ends_with(b"\n"), "it is cut short");
    Ok(parsed)
}

/// The name of the last match with these settings, and its games in the order of their numbers.
fn find(text: &str, settings: &Value) -> Result<(String, Vec<GameRecord>)> {
    let mut wanted = None;
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = serde_json::from_str(line).with_context(|| format!("line {}", index + 1))?;
        match line {
            Line::Match { id, settings: found } if found == *settings => wanted = Some(id),
            Line::Match { .. } => (),
            Line::Game(game) => games.push(*game),
        }
    }
    let Some(id) = wanted else {
        bail!("no match with the same players, limits, openings and seed to resume");
    };
    games.retain(|game| game.id == id);
    games.sort_by_key(|game| game.game);
    games.dedup_by_key(|game| game.game);
    Ok((id, games))
}

/// A name that no other match has.
fn new_id() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", now.as_nanos(), std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_charged_by_cpu_time_are_still_read() {
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
