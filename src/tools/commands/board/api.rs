//! Requests of the page. Requests for positions contain the whole game and have no side effects; searches belong to a
//! session.

use super::app::App;
use super::bots;
use super::http::{Failure, StatusCode};
use super::input::{board_page, game, GameText};
use super::levels::Level;
use super::sessions::Session;
use super::{replay, work};
use crate::tools::contracts::analysis::Options;
use crate::tools::contracts::board::{Puzzle, Puzzles, Verdict};
use crate::tools::contracts::capitalised;
use crate::tools::contracts::lessons::Lesson;
use crate::tools::contracts::record::{result_text, Record, ReplayError};
use crate::tools::labs::game_reader::{line_of, parse, read_lines, NoGame};
use crate::tools::labs::registry::entry;
use crate::tools::support::text::{error_text, sanitize};
use anyhow::{anyhow, ensure, Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A response or an error.
type ApiResult<T> = Result<T, Failure>;

/// Maximum number of lines of an analysis.
const MAX_LINES: usize = 8;
/// Maximum number of lines of a file, and time to read it.
const MAX_TEXT_LINES: usize = 500_000;
const READING_TIME: Duration = Duration::from_secs(20);
/// Maximum number of games listed from a file.
const MAX_GAMES: usize = 20_000;
/// Maximum number and length of reported faults.
const MAX_FAULTS: usize = 100;
const FAULT_CHARACTERS: usize = 400;
/// Maximum number of lines of a single game.
const LINES_TRIED: usize = 64;
/// Message for a text without a game.
const NOTHING_PASTED: &str = "No game found. Paste PGN, a FEN or moves.";
/// Maximum time per move of a review.
const MAX_REVIEW: u64 = 60_000;
/// Maximum nodes per move of a review.
const MAX_REVIEW_NODES: u64 = 20_000_000;

/// Requests the scenes of a game.
#[derive(Deserialize)]
pub struct ScenesRequest {
    /// The game.
    record: GameText,
    /// Number of the first scene.
    from: usize,
}

/// Returns the scenes of a game, one per ply, in order.
pub fn scenes(wanted: ScenesRequest) -> ApiResult<Value> {
    let record = wanted.record.record()?;
    let scenes = (board_page(record.game)?.scenes)(&record, wanted.from)?;
    Ok(json!({ "scenes": scenes }))
}

/// Asks why picked spots make no move.
#[derive(Deserialize)]
pub struct RefusalRequest {
    /// The game so far.
    record: GameText,
    /// The picked spots; the last one was refused.
    spots: Vec<String>,
}

/// Maximum number of picked spots.
const MAX_SPOTS: usize = 3;
/// Maximum length of a spot's name, in bytes.
const MAX_SPOT_NAME: usize = 3;

/// Explains why picks make no move; empty if they might.
pub fn refusal(wanted: RefusalRequest) -> ApiResult<Value> {
    let mut record = wanted.record.record()?;
    let spots = wanted.spots;
    let is_long = spots.iter().any(|spot| spot.len() > MAX_SPOT_NAME);
    if is_long || !(1..=MAX_SPOTS).contains(&spots.len()) {
        return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "expected 1 to 3 squares"));
    }
    let page = board_page(record.game)?;
    if let Some(reason) = (page.refusal)(&record, &spots)? {
        return Ok(json!({ "reason": reason }));
    }
    record.moves.push(spots.concat());
    let reason = (page.scenes)(&record, record.moves.len()).err().map(reason_of);
    Ok(json!({ "reason": reason }))
}

/// Returns the error of a move without its position in the game.
fn reason_of(error: anyhow::Error) -> String {
    let reason = error.downcast_ref::<ReplayError>().map(|error| error.reason.clone());
    let reason = reason.unwrap_or_else(|| error_text(&error));
    capitalised(reason.strip_prefix("illegal: ").unwrap_or(&reason))
}

/// Fails if the moves of a record can't be played.
fn ensure_legal(record: &Record) -> Result<(), Failure> {
    (board_page(record.game)?.scenes)(record, record.moves.len())?;
    Ok(())
}

/// Returns what the notes and scores of a record say.
pub fn views(text: GameText) -> ApiResult<Value> {
    let record = text.record()?;
    Ok(json!({ "views": (board_page(record.game)?.views)(&record)? }))
}

/// Pasted or dropped text.
#[derive(Deserialize)]
pub struct Pasted {
    /// One or more games.
    text: String,
}

/// An entry in a list of games.
#[derive(Serialize)]
pub struct Listed {
    /// Line number, from 1.
    line: usize,
    /// Name of the rules.
    title: &'static str,
    /// Number of moves, including setups.
    count: usize,
    /// The result as a sentence, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// The game.
    record: GameText,
}

/// Games of a text.
#[derive(Default, Serialize)]
pub struct List {
    /// At most [`MAX_GAMES`], in order.
    games: Vec<Listed>,
    /// Lines without a game and parts of games that are ignored, with reasons; at most [`MAX_FAULTS`].
    faults: Vec<String>,
    /// Number of further faults.
    more_faults: usize,
    /// Whether a line has no game.
    #[serde(skip)]
    is_faulty: bool,
    /// Whether the first fault is a line that can't be recognised as a game.
    #[serde(skip)]
    begins_without_game: bool,
}

impl List {
    fn push_fault(&mut self, line: usize, reason: &Error) {
        self.is_faulty = true;
        self.begins_without_game |= self.faults.is_empty() && reason.is::<NoGame>();
        self.push_remark(&format!("line {line}: {reason:#}"));
    }

    /// A remark contains its own line number.
    fn push_remark(&mut self, remark: &str) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(sanitize(remark).chars().take(FAULT_CHARACTERS).collect());
        } else {
            self.more_faults += 1;
        }
    }
}

/// Reads the games of a text in any record format.
pub fn read(Pasted { text }: Pasted) -> ApiResult<List> {
    let mut list = read_list(&text)?;
    if list.is_faulty || has_illegal(&text) {
        // A single game may span several lines.
        let words: Vec<&str> = text.split_whitespace().collect();
        let whole = parse(&words.join(" ")).ok().flatten();
        if let Some(record) = whole.filter(|record| ensure_legal(record).is_ok()) {
            list = List { games: vec![listed(1, record)], ..List::default() };
        }
    }
    if let (true, Some(fault)) = (list.games.is_empty(), list.faults.first()) {
        let fault = if list.begins_without_game { NOTHING_PASTED } else { fault };
        return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, fault));
    }
    Ok(list)
}

/// Whether one of the first lines of a text is not a legal game: the text may then be in another format.
fn has_illegal(text: &str) -> bool {
    let mut is_found = false;
    let lines: Vec<&str> = text.lines().take(LINES_TRIED).collect();
    let read = read_lines(lines.join("\n").as_bytes(), |_, record| {
        is_found |= record.is_ok_and(|record| ensure_legal(&record).is_err());
        Ok(())
    });
    read.is_err() || is_found
}

/// Reads one game per line; other lines are reported as faults.
fn read_list(text: &str) -> Result<List> {
    let mut list = List::default();
    let count = text.lines().count();
    ensure!(
        count <= MAX_TEXT_LINES,
        "{count} lines are too many: import at most {MAX_TEXT_LINES} at once"
    );
    let started = Instant::now();
    read_lines(text.as_bytes(), |line, record| {
        ensure!(
            started.elapsed() < READING_TIME,
            "line {line}: reading takes too long: import fewer games at once"
        );
        match record {
            Ok(record) if list.games.len() < MAX_GAMES => {
                record.remarks.iter().for_each(|remark| list.push_remark(remark));
                list.games.push(listed(line, record));
            }
            Ok(_) => list.push_fault(line, &anyhow!("not listed, there are too many games")),
            Err(error) => list.push_fault(line, &error),
        }
        Ok(())
    })?;
    Ok(list)
}

/// Creates an entry for the record on this line.
fn listed(line: usize, record: Record) -> Listed {
    let (title, count) = (record.game.title, record.moves.len());
    let result = result_text(record.game, record.outcome.as_ref());
    Listed { line, title, count, result, record: GameText::of(record) }
}

/// Returns a game as a line of text.
pub fn text(text: GameText) -> Result<String, Failure> {
    let record = text.record()?;
    ensure_legal(&record)?;
    Ok(line_of(record.game, record.start.as_deref(), &record.moves) + "\n")
}

/// Returns a game in its community's file format, e.g. PGN, with names, result, variations and comments.
pub fn file(text: GameText) -> Result<String, Failure> {
    let record = text.record()?;
    let game = entry(record.game);
    let format = game.require(&game.tools.format, "format for files of other programs")?;
    Ok((format.write)(&record)?)
}

/// Returns a game as the page of `cupbot replay`.
pub fn replay(text: GameText) -> Result<String, Failure> {
    Ok(replay::page(&text.record()?)?)
}

/// An edit of a position.
#[derive(Deserialize)]
pub struct Edited {
    /// Name of the rules.
    game: String,
    /// The position before the edit, as the game's editor writes it.
    position: String,
    /// The spot to set or clear.
    spot: Option<String>,
    /// The piece to place; clears the spot if missing.
    piece: Option<String>,
    /// Whether to change the side to move.
    #[serde(default)]
    turn: bool,
    /// The right to add or remove.
    right: Option<String>,
}

/// The position after an edit, with its drawing.
pub fn edit(edited: Edited) -> ApiResult<Value> {
    let game = game(&edited.game)?;
    let editor = game.require(&board_page(game.rules)?.editor, "positions to build")?;
    let mut remarks = (game.start_remarks)(&edited.position);
    // A text that is being typed may not be a position yet.
    let mut position = match (editor.read)(&edited.position) {
        Ok(position) => position,
        Err(error) => return Ok(json!({ "fault": error_text(&error) })),
    };
    if let Some(spot) = edited.spot {
        position = (editor.put)(&position, &spot, edited.piece.as_deref())?;
    }
    if edited.turn {
        position = (editor.turn)(&position)?;
    }
    if let Some(right) = edited.right {
        position = (editor.toggle)(&position, &right)?;
    }
    let frame = (editor.draw)(&position)?;
    let rights = (editor.rights)(&position)?;
    let is_board_only = edited.position.contains('/') && !edited.position.trim().contains(' ');
    if is_board_only && !rights.is_empty() {
        let on = rights.iter().filter(|right| right.is_on).map(|right| right.label);
        let on = on.collect::<Vec<_>>().join(", ");
        let on = if on.is_empty() { "no castling rights" } else { &on };
        remarks.push(format!("the text has only the board, assumed {on}"));
    }
    let fault = match (game.rules.begin)(Some(&position)) {
        _ if (editor.missing)(&position).is_some() => {
            (editor.missing)(&position).map(str::to_string)
        }
        Ok(begun) if begun.end().is_some() => Some("the game would be over".to_string()),
        Ok(_) => None,
        Err(error) => Some(error_text(&error)),
    };
    let edited = json!({ "position": position, "frame": frame, "fault": fault, "rights": rights, "remarks": remarks });
    Ok(edited)
}

/// A move in a lesson, or a question for its solution.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonRequest {
    /// Name of the rules.
    game: String,
    /// Number of the lesson, from 0.
    index: usize,
    /// The move; missing to ask for one that solves the task.
    #[serde(rename = "move")]
    text: Option<String>,
}

/// Asks for the lessons of a game.
#[derive(Deserialize)]
pub struct LessonsRequest {
    /// Name of the rules.
    game: String,
}

/// Returns the lessons of a game.
pub fn lessons(wanted: LessonsRequest) -> ApiResult<Value> {
    let rules = game(&wanted.game)?.rules;
    let described = |lesson: &Lesson| {
        let record = lesson.record(rules);
        let side = record.replay()?.side().index();
        let (text, task) = (lesson.text, lesson.task);
        Ok(
            json!({ "start": record.start, "moves": record.moves, "side": side, "text": text, "task": task }),
        )
    };
    let lessons: Result<Vec<Value>> = board_page(rules)?.lessons.iter().map(described).collect();
    Ok(json!(lessons?))
}

/// Judges a move in a lesson by the rules, or solves the lesson.
pub fn lesson(wanted: LessonRequest) -> ApiResult<Value> {
    let rules = game(&wanted.game)?.rules;
    let board = board_page(rules)?;
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "there is no such lesson");
    let lesson = board.lessons.get(wanted.index).ok_or_else(unknown)?;
    let Some(text) = wanted.text else {
        return Ok(json!({ "moves": [board.solution(rules, lesson)?] }));
    };
    Ok(match lesson.solves(rules, &text)? {
        true => json!(Verdict::Solved { text: "Right.".to_string() }),
        false => json!(Verdict::Wrong { text: lesson.task.to_string() }),
    })
}

/// Load of the server.
pub fn status(app: &App) -> Value {
    let (sessions, searches) = app.sessions.counts();
    json!({ "sessions": sessions, "searches": searches })
}

/// Starts a session.
pub fn open(app: &App) -> ApiResult<Value> {
    let name = app.sessions.open();
    let name = name.map_err(|why| Failure::new(StatusCode::SERVICE_UNAVAILABLE, why))?;
    Ok(json!({ "session": name }))
}

/// The page that sends a request to its session.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    pub app: &'a App,
    /// Name of the session.
    pub name: &'a str,
}

impl Caller<'_> {
    /// Returns the session, or an error if it has ended.
    fn session(self) -> Result<Arc<Session>, Failure> {
        let found = self.app.sessions.find(self.name);
        found.ok_or_else(|| Failure::new(StatusCode::GONE, "the session has expired"))
    }
}

/// A search by its number in its session.
#[derive(Deserialize)]
pub struct JobRequest {
    /// The number.
    job: u64,
}

/// Returns the latest news of a search.
pub fn news(caller: Caller, JobRequest { job }: JobRequest) -> ApiResult<Value> {
    news_of(&*caller.session()?, job)
}

fn news_of(session: &Session, job: u64) -> ApiResult<Value> {
    let news = session.news(job)?;
    let is_done = news.as_ref().is_some_and(|news| news["done"] == true);
    Ok(json!({ "job": job, "news": news, "done": is_done }))
}

/// Stops a search.
pub fn stop(caller: Caller, JobRequest { job }: JobRequest) -> ApiResult<Value> {
    caller.session()?.stop(job);
    Ok(json!({}))
}

/// Ends a session.
pub fn close(caller: Caller) -> Value {
    caller.app.sessions.close(caller.name);
    json!({})
}

/// Requests a move.
#[derive(Deserialize)]
pub struct AnswerRequest {
    /// The game so far.
    record: GameText,
    /// The level of cupbot.
    level: Level,
    /// Name of the program that moves instead of cupbot.
    player: Option<String>,
}

/// Starts the search for the move of cupbot or of a program in a game.
pub fn answer(caller: Caller, wanted: AnswerRequest) -> ApiResult<Value> {
    let session = caller.session()?;
    wanted.level.check()?;
    let record = wanted.record.record()?;
    if let Some(name) = wanted.player {
        let bot = caller.app.bots.find(entry(record.game), &name)?;
        return in_session(&session, move |worker| bots::answer(&mut worker.bot, &bot, &record));
    }
    in_session(&session, move |worker| worker.answer(&record, wanted.level))
}

/// Request about a puzzle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRequest {
    /// Moves from the puzzle's position, which identifies it.
    record: GameText,
}

/// Asks about a puzzle and the moves made from its position.
fn about_puzzle(
    caller: Caller,
    wanted: PuzzleRequest,
    ask: fn(&Puzzles, &Puzzle, &[String]) -> Result<Value>,
) -> ApiResult<Value> {
    let record = wanted.record.record()?;
    let game = entry(record.game);
    let puzzles = game.require(&game.tools.puzzles, "puzzles")?;
    let is_asked = |puzzle: &Puzzle| Some(&puzzle.position) == record.start.as_ref();
    let puzzle = (puzzles.list)().into_iter().find(is_asked);
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "there is no such puzzle");
    let puzzle = puzzle.ok_or_else(unknown)?;
    in_session(&*caller.session()?, move |_| ask(puzzles, &puzzle, &record.moves))
}

/// Judges the last move tried in a puzzle.
pub fn judge(caller: Caller, wanted: PuzzleRequest) -> ApiResult<Value> {
    let ask =
        |all: &Puzzles, puzzle: &Puzzle, moves: &[String]| Ok(json!((all.judge)(puzzle, moves)?));
    about_puzzle(caller, wanted, ask)
}

/// Returns the remaining solution of a puzzle.
pub fn solve(caller: Caller, wanted: PuzzleRequest) -> ApiResult<Value> {
    let ask = |all: &Puzzles, puzzle: &Puzzle, moves: &[String]| {
        Ok(json!({ "moves": (all.solve)(puzzle, moves)? }))
    };
    about_puzzle(caller, wanted, ask)
}

/// Starts a search with a single result on the thread of a session and returns its first news.
fn in_session<T: Serialize>(
    session: &Session,
    work: impl FnOnce(&mut work::Worker) -> Result<T> + Send + 'static,
) -> ApiResult<Value> {
    let job = session.begin(move |worker, news| {
        let result = work(worker).map(|result| json!({ "result": result, "done": true }));
        // The result of a stopped search is dropped.
        let _ = news.send(result);
    });
    news_of(session, job)
}

/// Requests an analysis.
#[derive(Deserialize)]
pub struct AnalysisRequest {
    /// The game whose last position is analysed.
    record: GameText,
    /// Number of lines, clamped to 1 to [`MAX_LINES`].
    lines: usize,
}

/// Starts the analysis of a position, which continues until it is stopped.
pub fn analyse(caller: Caller, wanted: AnalysisRequest) -> ApiResult<Value> {
    let session = caller.session()?;
    let record = wanted.record.record()?;
    let lines = wanted.lines.clamp(1, MAX_LINES);
    ensure_legal(&record)?;
    let job = session.begin(move |worker, news| worker.analyse(&record, lines, news));
    news_of(&session, job)
}

/// Requests a review of a whole game, or a hint in its last position.
#[derive(Deserialize)]
pub struct ReviewRequest {
    /// The game.
    record: GameText,
    /// Time per move in milliseconds, clamped to 1 to [`MAX_REVIEW`].
    #[serde(default)]
    ms: u64,
    /// Nodes per move instead of the time, clamped to [`MAX_REVIEW_NODES`].
    nodes: Option<u64>,
    /// First move to search; if missing, all are.
    from: Option<usize>,
}

impl ReviewRequest {
    /// Returns the options of the analysis and the game.
    fn options(self) -> Result<(Record, Options), Failure> {
        let record = self.record.record()?;
        ensure_legal(&record)?;
        let time = Duration::from_millis(self.ms.clamp(1, MAX_REVIEW));
        let nodes = self.nodes.map(|nodes| nodes.clamp(1, MAX_REVIEW_NODES));
        let mut options = Options::by_time(time);
        (options.nodes, options.from) = (nodes, self.from);
        Ok((record, options))
    }
}

/// Starts a search of the moves of a game, whose news are its progress and the results.
pub fn review(caller: Caller, wanted: ReviewRequest) -> ApiResult<Value> {
    let session = caller.session()?;
    let (record, options) = wanted.options()?;
    let job = session.begin(move |_, news| work::review(record, options, news));
    news_of(&session, job)
}

/// Starts the search for a suggested move in the last position of a game.
pub fn hint(caller: Caller, wanted: ReviewRequest) -> ApiResult<Value> {
    let (record, options) = wanted.options()?;
    in_session(&*caller.session()?, move |_| work::hint(&record, &options))
}
