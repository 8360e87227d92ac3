//! Reads records of games in all formats that the tools exchange.
//!
//! A record is one line of text in one of these formats:
//! - `move ...`: the moves, including setups if the game has them;
//! - `POSITION move ...`: a position in the game's notation and the moves from there;
//! - `ID OUTCOME move ...` or `ID OUTCOME POSITION move ...`, as contests list their games;
//! - a JSON object with at least `moves`, as logged by match runners and written by `cupbot analyse`.
//!
//! The game is the one that a JSON object names (`rules`), or else the one that recognises the words. Empty lines and
//! lines that begin with `#` are ignored.
//!
//! A file may also have a game-specific format such as PGN.

use super::registry::{self, GAMES};
use crate::engine::score::Score;
use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::contracts::Rules;

use crate::tools::contracts::game_files::{FileFormat, FileGame};
use crate::tools::contracts::record::{
    clamped, moves_of, Annotations, Outcome, Record, ADJUDICATION, TERMINATION,
};
use crate::tools::support::files;
use crate::tools::support::text::{
    shown, shown_name, warn, with_head, Complaints, TextLines, STDIN,
};
use anyhow::{anyhow, bail, ensure, Context, Result};
use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::{json, Map, Value};
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::io::BufRead;
use std::path::Path;

/// Type of the header line of a match's log.
const MATCH_HEAD: &str = "match";
/// Error of a text that is not a record.
#[derive(Debug)]
pub struct NoGame;

impl Display for NoGame {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(
            "no game found: expected moves, optionally after an id and an outcome or after a \
             position, or a JSON object",
        )
    }
}

impl Error for NoGame {}

/// Parses a line as a record; `None` if it is empty or a comment.
pub fn parse(line: &str) -> Result<Option<Record>> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        Ok(None)
    } else if line.starts_with('{') {
        from_json(line)
    } else {
        from_words(&line.split_whitespace().collect::<Vec<_>>()).map(Some)
    }
}

/// Formats a game as a line that [`parse`] reads back: start position and moves if they are recognised, or else a JSON
/// object.
pub fn line_of(game: &Rules, start: Option<&str>, moves: &[String]) -> String {
    let words: Vec<&str> = start.into_iter().chain(moves.iter().map(String::as_str)).collect();
    let line = words.join(" ");
    let found = parse(&line).ok().flatten();
    if found.is_some_and(|found| {
        found.game == game && found.moves == moves && found.start.as_deref() == start
    }) {
        return line;
    }
    let mut object = Map::new();
    object.insert("rules".to_string(), game.name.into());
    start.map(|start| object.insert("position".to_string(), start.into()));
    object.insert("moves".to_string(), moves.into());
    Value::Object(object).to_string()
}

/// Returns the game that recognises these words, and the number of words of its start position.
fn recognised(words: &[&str]) -> Option<(&'static Entry, usize)> {
    GAMES.iter().find_map(|game| Some((*game, (game.recognise)(words)?)))
}

/// Creates a record from a start position and moves, if a game recognises them.
fn bare_record(words: &[&str]) -> Option<Result<Record>> {
    let (game, count) = recognised(words)?;
    let (start, moves) = words.split_at(count.min(words.len()));
    let start = (!start.is_empty()).then(|| start.join(" "));
    Some(record_of(game, start, moves_of(moves)))
}

/// Creates a record of moves from the beginning or from a position. An invalid position is an error here, an invalid
/// move only when the record is replayed.
fn record_of(game: &'static Entry, start: Option<String>, moves: Vec<String>) -> Result<Record> {
    (game.rules.begin)(start.as_deref())?;
    let remarks = start.as_deref().map_or(Vec::new(), game.start_remarks);
    Ok(Record { remarks, ..Record::new(game.rules, start, moves) })
}

/// Parses a record from its words.
fn from_words(words: &[&str]) -> Result<Record> {
    if let Some(record) = bare_record(words) {
        return record;
    }
    if let Some(record) = without_numbers(words).and_then(|words| bare_record(&words)) {
        return record;
    }
    if let [id, outcome, rest @ ..] = words {
        if let Some(record) = bare_record(rest) {
            let (id, outcome) = (Some(id.to_string()), Some(outcome.parse()?));
            return Ok(Record { id, outcome, ..record? });
        }
    }
    Err(NoGame.into())
}

/// Returns the words without the numbers of moves, if they begin with the number 1.
fn without_numbers<'a>(words: &[&'a str]) -> Option<Vec<&'a str>> {
    let number = |word: &str| word.trim_end_matches('.').parse::<u16>().ok();
    words.first().filter(|word| number(word) == Some(1))?;
    Some(words.iter().copied().filter(|word| number(word).is_none()).collect())
}

/// Parses a record from a JSON object; returns `None` for the header of a match.
fn from_json(line: &str) -> Result<Option<Record>> {
    let object: Map<String, Value> = serde_json::from_str(line).context("invalid JSON object")?;
    if word(&object, &["type"]).is_some_and(|kind| kind == MATCH_HEAD) {
        return Ok(None);
    }
    let moves = object.get("moves").context("the JSON object has no \"moves\"")?;
    let moves: Vec<String> = Vec::deserialize(moves).context("\"moves\"")?;
    let start = word(&object, &["position"]);
    let game = game_of(&object, start.as_deref(), &moves)?;
    let players = match object.get("names") {
        Some(names) => <[String; 2]>::deserialize(names).context("\"names\"")?.map(Some),
        None => game.rules.sides.map(|side| word(&object, &[side])),
    };
    let (notes, mut tags) = (field(&object, "analysis")?, field::<Vec<_>>(&object, "tags")?);
    if word(&object, &["reason"]).is_some_and(|reason| reason == ADJUDICATION) {
        tags.push((TERMINATION.to_string(), ADJUDICATION.to_string()));
    }
    tags.extend(match_tags(&object)?);
    let mut annotations: Annotations = field(&object, "annotations")?;
    let times = field::<Vec<f64>>(&object, "times")?;
    let plies = (1..=moves.len()).skip(opening(&object));
    annotations.comments.extend(plies.zip(times).map(|(ply, time)| (ply, time_text(time))));
    let (id, outcome) = (word(&object, &["id", "game"]), json_outcome(game, &object)?);
    let scores = json_scores(&object, &moves)?;
    let opening = opening(&object);
    let refused = refused(&object);
    let record = record_of(game, start, moves).context("\"position\"")?;
    Ok(Some(Record {
        id,
        outcome,
        players,
        opening,
        refused,
        notes,
        scores,
        tags,
        annotations,
        ..record
    }))
}

/// Returns the tags of a logged game: its date and the time controls of the players.
fn match_tags(object: &Map<String, Value>) -> Result<Vec<(String, String)>> {
    let [first, second] = field::<[String; 2]>(object, "time_controls")?;
    let date = word(object, &["date"]).unwrap_or_default();
    let tags = match first == second {
        true => vec![("Date", date), ("TimeControl", first)],
        false => vec![("Date", date), ("WhiteTimeControl", first), ("BlackTimeControl", second)],
    };
    let known = tags.into_iter().filter(|(_, value)| !value.is_empty());
    Ok(known.map(|(name, value)| (name.to_string(), value)).collect())
}

/// Formats the time of a move as a command in a comment, as PGN has it.
fn time_text(seconds: f64) -> String {
    let (minutes, seconds) = ((seconds / 60.0).floor(), seconds % 60.0);
    format!("[%emt {}:{:02}:{seconds:06.3}]", (minutes / 60.0).floor(), minutes % 60.0)
}

/// Returns the value of a field, or the default if it is missing.
fn field<T: Default + DeserializeOwned>(object: &Map<String, Value>, name: &str) -> Result<T> {
    let value = object.get(name).map(T::deserialize).transpose();
    Ok(value.with_context(|| format!("{name:?}"))?.unwrap_or_default())
}

/// Returns the game of a JSON object: the one that it names, or else the one that recognises its moves, or the main
/// game if it has no moves.
fn game_of(
    object: &Map<String, Value>,
    start: Option<&str>,
    moves: &[String],
) -> Result<&'static Entry> {
    if let Some(name) = word(object, &["rules"]) {
        return registry::find(&name).with_context(|| format!("\"rules\": unknown game {name:?}"));
    }
    let start = start.into_iter().flat_map(str::split_whitespace);
    let words: Vec<&str> = start.chain(moves.iter().map(String::as_str)).collect();
    if words.is_empty() {
        return Ok(registry::main_game());
    }
    let found = recognised(&words).map(|(game, _)| game);
    found.context("\"moves\": no game recognises them")
}

/// Returns the first of these fields that exists, as a string.
fn word(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match object.get(*key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// Returns the outcome of a logged game: `outcome` or `result` in cupbot's format, or the `winner` (name or number of
/// the side, 0 for the first; null for none) with the `end` or `reason` (how the game ended by the rules, or the
/// loser's fault).
fn json_outcome(game: &Entry, object: &Map<String, Value>) -> Result<Option<Outcome>> {
    if let Some(outcome) = word(object, &["outcome", "result"]) {
        return Ok(Some(outcome.into()));
    }
    let reason = word(object, &["end", "reason"]).unwrap_or_default();
    let reason = reason.split_whitespace().next();
    let winner = match object.get("winner") {
        None => return Ok(None),
        // These games have no winner; a game that ended by a fault has no outcome by the rules.
        Some(Value::Null)
            if game.comparison == Comparison::MeanScore
                && reason.is_some_and(|why| !game.rules.end_reasons.contains(&why)) =>
        {
            return Ok(None);
        }
        Some(Value::Null) => return Ok(Some(Outcome::Draw)),
        Some(Value::Number(number)) => {
            let side = number.as_u64().and_then(|index| game.rules.sides.get(index as usize));
            side.copied().with_context(|| format!("\"winner\": no side has the number {number}"))?
        }
        Some(Value::String(name)) => {
            ensure!(game.rules.side(name).is_some(), "\"winner\": no side is called {name:?}");
            name
        }
        Some(other) => bail!("\"winner\": expected a side, not {other}"),
    };
    Ok(Some(match reason {
        Some(why) if why != ADJUDICATION && !game.rules.end_reasons.contains(&why) => {
            Outcome::failed(winner, why)
        }
        _ => Outcome::won(winner),
    }))
}

/// Returns the number of moves of the opening, which the players did not choose.
fn opening(object: &Map<String, Value>) -> usize {
    object.get("opening").and_then(Value::as_u64).unwrap_or_default() as usize
}

/// Returns the answer that ended a game because it was refused, with the reason.
fn refused(object: &Map<String, Value>) -> Option<(String, String)> {
    let fault = object.get("fault")?.as_object()?;
    let (answer, detail) = (word(fault, &["answer"])?, word(fault, &["detail"])?);
    let reason = detail.strip_prefix(&format!("{answer:?}: ")).unwrap_or(&detail);
    Some((answer, reason.to_string()))
}

/// Returns the `scores` of a record by ply: one per move after the opening, null if unknown.
fn json_scores(object: &Map<String, Value>, moves: &[String]) -> Result<BTreeMap<usize, Score>> {
    let Some(value) = object.get("scores") else { return Ok(BTreeMap::new()) };
    let scores: Vec<Option<Score>> = Vec::deserialize(value).context("\"scores\"")?;
    let numbers = (1..=moves.len()).skip(opening(object));
    Ok(numbers.zip(scores).filter_map(|(number, score)| Some((number, clamped(score?)))).collect())
}

/// Returns the format of games of other programs that a text has.
fn format_of(text: &str) -> Option<&'static FileFormat> {
    GAMES
        .iter()
        .filter_map(|game| game.tools.format.as_ref())
        .find(|format| (format.is_of_form)(text))
}

/// Reads the records of a text and passes each to `each` with its line number, from 1. An invalid record is passed as
/// an error; reading continues after it.
pub fn read_lines(
    input: impl BufRead,
    mut each: impl FnMut(usize, Result<Record>) -> Result<()>,
) -> Result<()> {
    let (beginning, mut input) = with_head(input)?;
    if let Some(format) = format_of(&beginning) {
        return (format.read)(&mut input, &mut |FileGame { line, record }| each(line, record))
            .context(format.name);
    }
    for line in TextLines::new(input) {
        let line = line?;
        let record = match &line.text {
            Some(text) => parse(text.trim_start_matches('\u{feff}')).transpose(),
            None => Some(Err(anyhow!("the line is too long"))),
        };
        match record {
            // The last line is incomplete, e.g. after a kill.
            Some(Err(error)) if !line.is_whole => {
                each(line.number, Err(error.context("the line is incomplete")))?
            }
            Some(Ok(mut record)) => {
                let place =
                    |remark: &mut String| remark.insert_str(0, &format!("line {}: ", line.number));
                record.remarks.iter_mut().for_each(place);
                each(line.number, Ok(record))?;
            }
            Some(error) => each(line.number, error)?,
            None => {}
        }
    }
    Ok(())
}

/// Arguments that select the record of a command.
#[derive(clap::Args)]
pub struct Source {
    /// A file, - for stdin, moves of a game (including setups), or a position and moves
    #[arg(value_name = "GAME", required = true)]
    words: Vec<OsString>,
    /// Game that is expected (default: any; recognised by its moves)
    #[arg(long, value_parser = registry::parser())]
    game: Option<&'static Entry>,
    /// Game of a file: its position in the file (see --list), or an id
    #[arg(long, value_name = "N")]
    number: Option<String>,
    /// List the games of a file with number, id, game, outcome, moves and players
    #[arg(long, conflicts_with = "number")]
    list: bool,
}

impl Source {
    /// Reads the selected record.
    pub fn read(&self) -> Result<Record> {
        let Some(name) = self.file_name() else {
            let record = self.read_text()?;
            record.remarks.iter().for_each(|remark| warn(remark));
            return self.expected(record);
        };
        let record = each_game(name, |each| self.pick(each))?;
        let record = self.expected(record)?;
        record.remarks.iter().for_each(|remark| warn(&format!("{}: {remark}", shown_name(name))));
        Ok(record)
    }

    /// Fails if another game is expected.
    fn expected(&self, record: Record) -> Result<Record> {
        if let Some(game) = self.game.filter(|game| *game.rules != *record.game) {
            bail!("a game of {}, expected a game of {}", record.game.title, game.rules.title);
        }
        Ok(record)
    }

    /// Reads the record that the arguments contain.
    fn read_text(&self) -> Result<Record> {
        let words: Vec<_> = self.words.iter().map(|word| word.to_string_lossy()).collect();
        let text = words.join(" ");
        if format_of(&text).is_some() {
            return self.pick(&mut |each| read_lines(text.as_bytes(), each));
        }
        parse(&text)?.context("no record")
    }

    /// Returns the origin of the record for error messages: the file, if any, and the game's id.
    pub fn place(&self, record: &Record) -> String {
        let file = self.file_name().map_or("the command line".to_string(), shown_name);
        let game = record.id.as_ref().map_or(String::new(), |id| format!(", game {id}"));
        file + &game
    }

    /// Passes all records to `each`, or only the selected one.
    pub fn read_several(&self, mut each: impl FnMut(Record) -> Result<()>) -> Result<()> {
        let name = self.file_name().filter(|_| self.number.is_none());
        let Some(name) = name else { return each(self.read()?) };
        let mut count = 0;
        each_good(name, |_, record| {
            count += 1;
            each(self.expected(record)?)
        })?;
        ensure!(count > 0, "{}: no records found", shown_name(name));
        Ok(())
    }

    /// Returns the list of games, one per line of text or JSON, if it is requested.
    pub fn list(&self, is_json: bool) -> Result<Option<String>> {
        if !self.list {
            return Ok(None);
        }
        let name = self.file_name();
        let name = name.context("--list: expected a file name, or - for stdin")?;
        let mut lines = String::new();
        each_good(name, |number, record| {
            lines += &list_line(number, &self.expected(record)?, is_json);
            Ok(())
        })?;
        Ok(Some(lines))
    }

    /// Returns the file name, or the word for stdin, if the arguments name a file. A single argument may also be a
    /// whole record or a move, unless a file has this name.
    fn file_name(&self) -> Option<&Path> {
        let [word] = &self.words[..] else { return None };
        let path = Path::new(word);
        let Some(text) = word.to_str().filter(|text| *text != STDIN && !path.exists()) else {
            return Some(path);
        };
        let is_record = text.contains(char::is_whitespace) || text.starts_with('{');
        (!is_record && recognised(&[text]).is_none()).then_some(path)
    }

    /// Selects the record among those of a reader.
    fn pick(&self, reader: &mut Reader) -> Result<Record> {
        let name = self.number.as_deref();
        let (count, chosen) = choose(reader, name)?;
        match chosen {
            Chosen::One(record) => Ok(*record),
            Chosen::Bad(error) => Err(error),
            Chosen::Several => {
                bail!("{count} games found: choose one with --number (1 to {count}; --list shows them)")
            }
            Chosen::Missing if name.is_none() => bail!("no records found"),
            Chosen::Missing => bail!("no game {:?} among {count}", shown(name.unwrap_or_default())),
        }
    }
}

/// Result of selecting a game.
pub enum Chosen {
    /// The selected game, or the only one.
    One(Box<Record>),
    /// The selected game can't be read.
    Bad(anyhow::Error),
    /// No game is selected, but there are several.
    Several,
    /// There are no games, or none with this number or id.
    Missing,
}

/// Callback for the records of a text with their line numbers.
type TakeRecord<'a> = dyn FnMut(usize, Result<Record>) -> Result<()> + 'a;
/// Passes the records of a text to a callback.
type Reader<'a> = dyn FnMut(&mut TakeRecord) -> Result<()> + 'a;

/// Selects the game with this number (from 1), or else the last one with this id; without a name, the only one. Returns
/// it with the number of games, including invalid ones. At most one other game is kept in memory.
fn choose(reader: &mut Reader, name: Option<&str>) -> Result<(usize, Chosen)> {
    let number = name.map_or(Some(1), |name| name.parse::<usize>().ok());
    let (mut count, mut good) = (0, 0);
    let (mut chosen, mut is_by_number) = (None, false);
    reader(&mut |line, record| {
        count += 1;
        good += usize::from(record.is_ok());
        let is_numbered = number == Some(count);
        let is_wanted = is_numbered
            || record.as_ref().is_ok_and(|record| match name {
                // The first valid one.
                None => good == 1,
                Some(_) => record.id.as_deref() == name && !is_by_number,
            });
        if is_wanted {
            is_by_number = is_numbered;
            chosen = Some(record.map_err(|error| error.context(format!("line {line}"))));
        }
        Ok(())
    })?;
    let chosen = match chosen {
        _ if name.is_none() && good > 1 => Chosen::Several,
        None => Chosen::Missing,
        Some(Ok(record)) => Chosen::One(Box::new(record)),
        Some(Err(error)) => Chosen::Bad(error),
    };
    Ok((count, chosen))
}

/// Selects a game of a file, like [`choose`].
pub fn choose_in(path: &Path, name: Option<&str>) -> Result<(usize, Chosen)> {
    each_game(path, |reader| choose(reader, name))
}

/// Opens a file or stdin and reads it game by game. Errors name the file.
fn each_game<T>(name: &Path, work: impl FnOnce(&mut Reader) -> Result<T>) -> Result<T> {
    let mut input = Some(files::open_input(name)?);
    work(&mut |each| input.take().map_or(Ok(()), |input| read_lines(input, each)))
        .context(shown_name(name))
}

/// Passes the records of a file with their numbers to `each`. Reports bad games and remarks on stderr.
fn each_good(name: &Path, mut each: impl FnMut(usize, Record) -> Result<()>) -> Result<()> {
    let mut complaints = Complaints::new(name);
    let mut number = 0;
    each_game(name, |reader| {
        reader(&mut |line, record| {
            number += 1;
            match record {
                Ok(record) => {
                    record.remarks.iter().for_each(|remark| complaints.say(remark));
                    return each(number, record);
                }
                Err(error) => complaints.say(&format!("game {number}, line {line}: {error:#}")),
            }
            Ok(())
        })
    })?;
    complaints.end();
    Ok(())
}

/// Formats a line of the list of games.
fn list_line(number: usize, record: &Record, is_json: bool) -> String {
    if is_json {
        let Record { game, id, outcome, moves, players, .. } = record;
        let line = json!({
            "number": number,
            "id": id,
            "rules": game.name,
            "outcome": outcome,
            "moves": moves.len(),
            "players": players,
        });
        return format!("{line}\n");
    }
    let id = record.id.as_deref().unwrap_or("-");
    let outcome = Outcome::text(record.outcome.as_ref());
    let (game, moves) = (record.game.name, record.moves.len());
    let players = record.players.iter().flatten().cloned().collect::<Vec<_>>().join(" - ");
    let line = format!("{number:>5} {id:12} {game:16} {outcome:16} {moves:>3} moves  {players}");
    line.trim_end().to_string() + "\n"
}

#[cfg(test)]
mod tests;
