//! What the page asks for. Requests for positions know the whole game and leave nothing behind; searches
//! belong to a session.

use super::app::App;
use super::input::{board_page, game, Failure, GameText, Input};
use super::levels::{Level, MAX_SEARCH};
use super::sessions::{Session, Ticket};
use super::work;
use crate::tools::commands::replay;
use crate::tools::contracts::board::{Puzzle, Puzzles, Scene};
use crate::tools::contracts::page::{capitalised, result_text};
use crate::tools::contracts::record::{Record, ReplayError};
use crate::tools::labs::game_reader::{line_of, parse, read_lines};
use crate::tools::labs::registry::entry;
use crate::tools::support::text::sanitize;
use anyhow::Result;
use axum::extract::{Path, State};
use axum::http::{header, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::IntoResponse;
use axum::Json;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

/// An answer in JSON, or why there is none.
type ApiResult<T> = Result<Json<T>, Failure>;

/// A page shows at most so many lines.
const MAX_LINES: usize = 8;
/// More games of a log are not listed.
const MAX_GAMES: usize = 20_000;
/// So many lines without a game are named, each in so many characters.
const MAX_FAULTS: usize = 100;
const FAULT_CHARACTERS: usize = 400;
/// A game broken into lines has no more of them.
const LINES_TRIED: usize = 64;
/// The time that a review may have for a move.
const MAX_REVIEW: u64 = 60_000;

/// Does work that takes some time in a thread of its own, so that others need not wait.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let lost = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error");
    spawn_blocking(work).await.map_err(lost)?
}

/// Asks for the positions of a game.
#[derive(Deserialize)]
pub struct ScenesRequest {
    /// The game.
    record: GameText,
    /// After so many of the moves and later.
    from: usize,
}

/// Positions of a game.
#[derive(Serialize)]
pub struct Scenes {
    /// One for each ply, in their order.
    scenes: Vec<Scene>,
}

/// The positions of a game and what can be done there.
pub async fn scenes(Input(wanted): Input<ScenesRequest>) -> ApiResult<Scenes> {
    run_blocking(move || {
        let record = wanted.record.record()?;
        let scenes = (board_page(record.game)?.scenes)(&record, wanted.from)?;
        Ok(Json(Scenes { scenes }))
    })
    .await
}

/// Asks why nothing is done by picking these spots.
#[derive(Deserialize)]
pub struct RefusalRequest {
    /// The game so far.
    record: GameText,
    /// What was picked, the last one in vain.
    spots: Vec<String>,
}

/// More spots are picked for no move.
const MAX_SPOTS: usize = 3;
/// No spot has a longer name, in bytes.
const MAX_SPOT: usize = 3;

/// Why picks make no move, in words; nothing where they might.
pub async fn refusal(Input(wanted): Input<RefusalRequest>) -> ApiResult<Value> {
    run_blocking(move || {
        let mut record = wanted.record.record()?;
        let spots = wanted.spots;
        if spots.is_empty()
            || spots.len() > MAX_SPOTS
            || spots.iter().any(|spot| spot.len() > MAX_SPOT)
        {
            return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "no spots"));
        }
        let page = board_page(record.game)?;
        if let Some(reason) = (page.refusal)(&record, &spots)? {
            return Ok(Json(json!({ "reason": reason })));
        }
        record.moves.push(spots.concat());
        let reason = (page.scenes)(&record, record.moves.len()).err().map(reason_of);
        Ok(Json(json!({ "reason": reason })))
    })
    .await
}

/// What is wrong with a move, without its place in the game.
fn reason_of(error: anyhow::Error) -> String {
    let reason = error.downcast_ref::<ReplayError>().map(|error| error.reason.clone());
    let reason = reason.unwrap_or_else(|| format!("{error:#}"));
    capitalised(reason.strip_prefix("illegal: ").unwrap_or(&reason))
}

/// An error where the moves of a record are none, as its game reads them.
fn ensure_legal(record: &Record) -> Result<(), Failure> {
    (board_page(record.game)?.scenes)(record, record.moves.len())?;
    Ok(())
}

/// The frames of a game's replay page: what its record says of the positions.
pub async fn story(Input(text): Input<GameText>) -> ApiResult<Value> {
    run_blocking(move || {
        let record = text.record()?;
        let game = entry(record.game);
        let page = game.require(&game.page, "replay page")?;
        let story = (page.story)(&record)?;
        Ok(Json(json!({ "frames": story.frames, "outcome": story.outcome })))
    })
    .await
}

/// What the reader has pasted or dropped.
#[derive(Deserialize)]
pub struct Pasted {
    /// Games, one or many.
    text: String,
}

/// A game of a list to pick from.
#[derive(Serialize)]
pub struct Listed {
    /// The line that it stands on, 1 for the first.
    line: usize,
    /// What its game is called.
    title: &'static str,
    /// Its moves, setups included.
    count: usize,
    /// How it ended, in a sentence, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// The game itself.
    record: GameText,
}

/// The games of a text.
#[derive(Default, Serialize)]
pub struct List {
    /// In their order, [`MAX_GAMES`] at most.
    games: Vec<Listed>,
    /// The lines that hold no game, with the reason, and what of the games is not used, [`MAX_FAULTS`] at most.
    faults: Vec<String>,
    /// The number of those that are left out.
    more_faults: usize,
    /// Does a line hold no game?
    #[serde(skip)]
    is_faulty: bool,
}

impl List {
    fn push_fault(&mut self, line: usize, reason: &str) {
        self.is_faulty = true;
        self.push_remark(&format!("line {line}: {reason}"));
    }

    /// A remark names its line itself.
    fn push_remark(&mut self, remark: &str) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(sanitize(remark).chars().take(FAULT_CHARACTERS).collect());
        } else {
            self.more_faults += 1;
        }
    }
}

/// The games of a text, in any form that records have.
pub async fn read(Input(Pasted { text }): Input<Pasted>) -> ApiResult<List> {
    run_blocking(move || {
        let mut list = read_list(&text)?;
        if list.is_faulty || has_illegal(&text) {
            // A single game may be broken into lines.
            let words: Vec<&str> = text.split_whitespace().collect();
            let whole = parse(&words.join(" ")).ok().flatten();
            if let Some(record) = whole.filter(|record| ensure_legal(record).is_ok()) {
                list = List { games: vec![listed(1, record)], ..List::default() };
            }
        }
        if let (true, Some(fault)) = (list.games.is_empty(), list.faults.first()) {
            return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, fault));
        }
        Ok(Json(list))
    })
    .await
}

/// Is one of the first lines of a text no legal game? It may be a part of one that looks like another's.
fn has_illegal(text: &str) -> bool {
    let mut is_found = false;
    let lines: Vec<&str> = text.lines().take(LINES_TRIED).collect();
    let read = read_lines(lines.join("\n").as_bytes(), |_, record| {
        is_found |= record.is_ok_and(|record| ensure_legal(&record).is_err());
        Ok(())
    });
    read.is_err() || is_found
}

/// A game a line; lines that hold none are kept as faults.
fn read_list(text: &str) -> Result<List> {
    let mut list = List::default();
    read_lines(text.as_bytes(), |line, record| {
        match record {
            Ok(record) if list.games.len() < MAX_GAMES => {
                record.remarks.iter().for_each(|remark| list.push_remark(remark));
                list.games.push(listed(line, record));
            }
            Ok(_) => list.push_fault(line, "not listed, there are too many games"),
            Err(error) => list.push_fault(line, &format!("{error:#}")),
        }
        Ok(())
    })?;
    Ok(list)
}

/// A game of the list, from the record on this line.
fn listed(line: usize, record: Record) -> Listed {
    let (title, count) = (record.game.title, record.moves.len());
    let result = result_text(record.game, record.outcome.as_ref());
    Listed { line, title, count, result, record: GameText::of(record) }
}

/// A game as a line of text.
pub async fn text(Input(text): Input<GameText>) -> Result<String, Failure> {
    let record = text.record()?;
    ensure_legal(&record)?;
    Ok(line_of(record.game, record.start.as_deref(), &record.moves) + "\n")
}

/// A game in the form that its community has for files, such as PGN, with names, result, variations and comments.
pub async fn file(Input(text): Input<GameText>) -> Result<String, Failure> {
    let record = text.record()?;
    let game = entry(record.game);
    let format = game.require(&game.format, "files of games of its own")?;
    run_blocking(move || Ok((format.write)(&record)?)).await
}

/// A game as the page of `cupbot replay`.
pub async fn replay(Input(text): Input<GameText>) -> Result<impl IntoResponse, Failure> {
    let page = run_blocking(move || Ok(replay::page(&text.record()?)?)).await?;
    Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page))
}

/// A change of a position that is being built.
#[derive(Deserialize)]
pub struct Edited {
    /// The name of the game.
    game: String,
    /// The text of the position before the change, as the game's editor writes it.
    position: String,
    /// The spot that gets the piece or is emptied.
    spot: Option<String>,
    /// The piece of the editor's palette; nothing empties the spot.
    piece: Option<String>,
    /// Is the other side to move?
    #[serde(default)]
    turn: bool,
    /// The right to be given or taken away.
    right: Option<String>,
}

/// The position after a change, and what is drawn of it.
pub async fn edit(Input(edited): Input<Edited>) -> ApiResult<Value> {
    let game = game(&edited.game)?;
    let editor = game.require(&board_page(game)?.editor, "positions to build")?;
    let mut position = (editor.read)(&edited.position)?;
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
    let fault = match (game.begin)(Some(&position)) {
        Ok(begun) if begun.end().is_some() => Some("the game would be over".to_string()),
        Ok(_) => None,
        Err(error) => Some(format!("{error:#}")),
    };
    Ok(Json(json!({ "position": position, "frame": frame, "fault": fault, "rights": rights })))
}

/// How much goes on.
pub async fn status(State(app): State<Arc<App>>) -> Json<Value> {
    let (sessions, searches) = app.sessions.counts();
    Json(json!({ "sessions": sessions, "searches": searches }))
}

/// Begins a session.
pub async fn open(State(app): State<Arc<App>>) -> ApiResult<Value> {
    let full = "too many boards are busy: close one";
    let name = app.sessions.open();
    let name = name.ok_or_else(|| Failure::new(StatusCode::SERVICE_UNAVAILABLE, full))?;
    Ok(Json(json!({ "session": name })))
}

/// The session of this name, or a failure that says that it is over.
fn session(app: &App, name: &str) -> Result<Arc<Session>, Failure> {
    let found = app.sessions.find(name);
    found.ok_or_else(|| Failure::new(StatusCode::GONE, "the session is over"))
}

/// Stops the search of a session.
pub async fn stop(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<Value>, Failure> {
    session(&app, &name)?.stop();
    Ok(Json(json!({})))
}

/// Ends a session.
pub async fn close(State(app): State<Arc<App>>, Path(name): Path<String>) -> Json<Value> {
    app.sessions.close(&name);
    Json(json!({}))
}

/// Asks for a move.
#[derive(Deserialize)]
pub struct AnswerRequest {
    /// The game so far.
    record: GameText,
    /// How strong cupbot plays.
    level: Level,
}

/// What cupbot plays in a game.
pub async fn answer(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Input(wanted): Input<AnswerRequest>,
) -> ApiResult<work::Answer> {
    let session = session(&app, &name)?;
    wanted.level.check()?;
    let record = wanted.record.record()?;
    in_session(&session, move |worker| worker.answer(&record, wanted.level)).await
}

/// Asks about a puzzle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRequest {
    /// What was played from the puzzle's position, by which it is found.
    record: GameText,
}

impl PuzzleRequest {
    /// The puzzle, and the moves made there so far.
    fn read(self) -> Result<(&'static Puzzles, Puzzle, Vec<String>), Failure> {
        let record = self.record.record()?;
        let game = entry(record.game);
        let puzzles = game.require(&game.puzzles, "puzzles")?;
        let is_asked = |puzzle: &Puzzle| Some(&puzzle.position) == record.start.as_ref();
        let puzzle = (puzzles.list)().into_iter().find(is_asked);
        let unknown = || Failure::new(StatusCode::NOT_FOUND, "there is no such puzzle");
        Ok((puzzles, puzzle.ok_or_else(unknown)?, record.moves))
    }
}

/// Judges the last move that was tried in a puzzle.
pub async fn judge(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Input(wanted): Input<PuzzleRequest>,
) -> ApiResult<Value> {
    let (puzzles, puzzle, moves) = wanted.read()?;
    let session = session(&app, &name)?;
    in_session(&session, move |_| Ok(json!((puzzles.judge)(&puzzle, &moves)?))).await
}

/// The moves that solve a puzzle after what was played.
pub async fn solve(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Input(wanted): Input<PuzzleRequest>,
) -> ApiResult<Value> {
    let (puzzles, puzzle, moves) = wanted.read()?;
    let session = session(&app, &name)?;
    in_session(&session, move |_| Ok(json!({ "moves": (puzzles.solve)(&puzzle, &moves)? }))).await
}

/// Does something in the thread of a session, as soon as there is a core for it.
async fn in_session<T: Send + 'static>(
    session: &Session,
    work: impl FnOnce(&mut work::Worker) -> Result<T> + Send + 'static,
) -> ApiResult<T> {
    let (sender, receiver) = oneshot::channel();
    let _ticket = session.begin(move |worker| {
        // Nobody waits any longer where the page has gone.
        let _ = sender.send(work(worker));
    });
    let stopped = |_| Failure::new(StatusCode::CONFLICT, "stopped");
    Ok(Json(receiver.await.map_err(stopped)??))
}

/// Asks for an analysis.
#[derive(Deserialize)]
pub struct AnalysisRequest {
    /// The game whose last position is analysed.
    record: GameText,
    /// The number of lines, which is brought into 1 to [`MAX_LINES`].
    lines: usize,
}

/// Server-sent events.
type Messages = Sse<KeepAliveStream>;
type KeepAliveStream = axum::response::sse::KeepAliveStream<
    Box<dyn Stream<Item = Result<Event, Infallible>> + Send + Unpin>,
>;

/// Analyses a position until it is stopped: events with what is found.
pub async fn analyse(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Input(wanted): Input<AnalysisRequest>,
) -> Result<Messages, Failure> {
    let session = session(&app, &name)?;
    let record = wanted.record.record()?;
    let lines = wanted.lines.clamp(1, MAX_LINES);
    // An illegal game is refused at once, not in an event.
    ensure_legal(&record)?;
    let (sender, receiver) = watch::channel(Value::Null);
    let ticket = session.begin(move |worker| worker.analyse(&record, lines, &sender));
    Ok(events(receiver, ticket))
}

/// Asks for the search of a whole game.
#[derive(Deserialize)]
pub struct ReviewRequest {
    /// The game.
    record: GameText,
    /// The time for each move, in milliseconds, which is brought into 1 to [`MAX_REVIEW`].
    ms: u64,
}

/// Searches every move of a game: events with how far it is, then with what was found.
pub async fn review(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Input(wanted): Input<ReviewRequest>,
) -> Result<Messages, Failure> {
    let session = session(&app, &name)?;
    let record = wanted.record.record()?;
    ensure_legal(&record)?;
    let time = Duration::from_millis(wanted.ms.clamp(1, MAX_REVIEW));
    let (sender, receiver) = watch::channel(Value::Null);
    let ticket = session.begin(move |_| work::review(record, time, &sender));
    Ok(events(receiver, ticket))
}

/// The messages of a search as events. Of several at once the last one counts. The search is stopped as
/// soon as nobody listens.
fn events(messages: watch::Receiver<Value>, ticket: Ticket) -> Messages {
    let events = |message: Value| Ok(Event::default().data(message.to_string()));
    let stream = with_end(messages, ticket).map(events);
    Sse::new(Box::new(stream) as Box<dyn Stream<Item = _> + Send + Unpin>)
        .keep_alive(KeepAlive::default())
}

/// The messages of a search, and an error behind them if the limit of time has ended it before it was done.
fn with_end(
    messages: watch::Receiver<Value>,
    ticket: Ticket,
) -> impl Stream<Item = Value> + Send + Unpin {
    let state = Arc::new((ticket, AtomicBool::new(false)));
    let seen = state.clone();
    let found = WatchStream::from_changes(messages).map(move |message| {
        seen.1.store(message["done"] == true, Ordering::Relaxed);
        message
    });
    let minutes = MAX_SEARCH.as_secs() / 60;
    let end = tokio_stream::once(()).filter_map(move |()| {
        let (ticket, is_done) = &*state;
        let is_cut_off = ticket.is_over() && !is_done.load(Ordering::Relaxed);
        let error = format!("stopped: a search may take {minutes} minutes, this one is not done");
        is_cut_off.then(|| json!({ "error": error, "done": true }))
    });
    found.chain(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page hears of a search that has sent this message and has ended.
    fn heard(message: Value, left: Duration) -> Vec<Value> {
        let (sender, receiver) = watch::channel(Value::Null);
        let stream = with_end(receiver, Ticket::of_time(left));
        sender.send_replace(message);
        drop(sender);
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(stream.collect())
    }

    #[test]
    fn a_search_that_the_limit_ends_says_so() {
        let (half, done) = (json!({ "count": 1, "done": false }), json!({ "done": true }));
        let cut_off = heard(half.clone(), Duration::ZERO);
        assert_eq!((cut_off.len(), &cut_off[0]), (2, &half));
        assert!(cut_off[1]["error"].as_str().is_some_and(|text| text.contains("15 minutes")));
        assert_eq!(cut_off[1]["done"], true);
        // Neither one that is done nor one that the page has stopped.
        assert_eq!(heard(done.clone(), Duration::ZERO), [done]);
        assert_eq!(heard(half.clone(), MAX_SEARCH), [half]);
    }
}
