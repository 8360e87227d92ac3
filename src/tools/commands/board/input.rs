//! What the page sends: read with limits, every fault a sentence for the person at the page.

use super::games::has_board;
use crate::engine::score::Score;
use crate::tools::contracts::board::BoardPage;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::record::{Annotations, Note, Outcome, Record};
use crate::tools::contracts::rules::Rules;
use crate::tools::labs::registry;
use crate::tools::labs::registry::entry;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::Json;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

/// The largest body of a request, in bytes; logs of matches may be larger.
pub const MAX_BODY: usize = 2 << 20;
/// The largest log of a match, in bytes.
pub const MAX_LOG: usize = 16 << 20;
/// A request whose head, or whose body, takes longer to arrive is refused.
pub const REQUEST_TIME: Duration = Duration::from_secs(20);
/// The longest game, in moves, and the longest move, in bytes, which may be a position: more than any game has.
const MAX_MOVES: usize = 2_000;
const MAX_WORD: usize = 128;
/// The longest start position, in bytes.
const MAX_START: usize = 400;

/// What can't be done, with the reason for the person at the page.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    message: String,
}

impl Failure {
    /// A failure with this status.
    pub fn new(status: StatusCode, message: impl ToString) -> Failure {
        Failure { status, message: message.to_string() }
    }

    /// An address at which nothing is.
    pub fn nothing() -> Failure {
        Failure::new(StatusCode::NOT_FOUND, "there is nothing here")
    }
}

/// Whatever goes wrong with what the page sends is bad input.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{error:#}"))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}

/// The JSON body of a request.
pub struct Input<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Input<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Input<T>, Failure> {
        let read =
            tokio::time::timeout(REQUEST_TIME, Json::<T>::from_request(request, state)).await;
        let read =
            read.map_err(|_| Failure::new(StatusCode::REQUEST_TIMEOUT, "the body is late"))?;
        let Json(value) =
            read.map_err(|refused| Failure::new(refused.status(), refused.body_text()))?;
        Ok(Input(value))
    }
}

/// A game as the page and the server exchange it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    /// The name of the game.
    pub game: String,
    /// The start position, where it is not the game's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// All that was played, setups included, as the dialogue writes it.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The name of the game in its log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The recorded outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The names of the players, that of the side that begins first.
    #[serde(default)]
    pub players: [Option<String>; 2],
    /// What a review has found about the moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// The movers' scores before their moves, by the number of the move (1: the first of `moves`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<usize, Score>,
    /// What else is said of the game, such as its event and date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<(String, String)>,
    /// Comments and variations.
    #[serde(default, skip_serializing_if = "Annotations::is_empty")]
    pub annotations: Annotations,
}

impl GameText {
    /// The record of it.
    pub fn record(self) -> Result<Record, Failure> {
        let too_long = |what: &str| Failure::new(StatusCode::PAYLOAD_TOO_LARGE, what);
        if self.moves.len() > MAX_MOVES {
            return Err(too_long("no game has so many moves"));
        }
        if self.moves.iter().any(|word| word.len() > MAX_WORD) {
            return Err(too_long("no move is so long"));
        }
        if self.start.as_ref().is_some_and(|start| start.len() > MAX_START) {
            return Err(too_long("no position is so long"));
        }
        Ok(Record {
            game: game(&self.game)?,
            id: self.id,
            outcome: self.outcome,
            players: self.players,
            start: self.start,
            moves: self.moves,
            opening: 0,
            notes: self.notes,
            scores: self.scores,
            tags: self.tags,
            annotations: self.annotations,
            remarks: Vec::new(),
            is_cut: false,
        })
    }

    /// The text of a record.
    pub fn of(record: Record) -> GameText {
        GameText {
            game: record.game.name.to_string(),
            start: record.start,
            moves: record.moves,
            id: record.id,
            outcome: record.outcome,
            players: record.players,
            notes: record.notes,
            scores: record.scores,
            tags: record.tags,
            annotations: record.annotations,
        }
    }
}

/// The game of this name, which must have a board.
pub fn game(name: &str) -> Result<&'static Entry, Failure> {
    let found = registry::find(name).filter(|game| has_board(game));
    found.ok_or_else(|| {
        Failure::new(StatusCode::NOT_FOUND, format!("no game {name:?} with a board"))
    })
}

/// The board of a game.
pub fn board_page(rules: &Rules) -> Result<&'static BoardPage, Failure> {
    let game = entry(rules);
    Ok(game.require(&game.board, "board in the browser")?)
}
