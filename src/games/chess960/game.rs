//! A game: start position, moves, and result by the arena's rules.

use super::movegen;
use super::position::{CastlingRule, Position};
use super::start;
use super::types::{Colour, Kind, Move, Square};

/// A game is drawn after this many plies without a capture or pawn move.
pub const MAX_HALFMOVES: usize = 100;
/// A game is drawn when a position occurs this many times.
pub const REPETITIONS: usize = 3;

/// Suffix of a move that offers a draw.
pub const OFFER: char = '=';
/// Accepts the draw offer of the opponent's last move.
pub const ACCEPT: &str = "draw";
/// Resigns.
pub const RESIGN: &str = "resign";
/// Prefix of a start position: by number (`start518`), or any position as FEN with `_` for spaces.
pub const START: &str = "start";

/// Reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reason {
    Checkmate,
    Stalemate,
    Repetition,
    Insufficient,
    Fifty,
    MaxMoves,
    Agreement,
    Resignation,
}

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Colour>,
    /// The reason.
    pub reason: Reason,
}

impl Outcome {
    fn draw(reason: Reason) -> Option<Outcome> {
        Some(Outcome { winner: None, reason })
    }
}

/// Why a text is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Not in the form of a move.
    Form,
    /// Illegal move.
    Illegal,
    /// The game is over.
    Over,
    /// [`ACCEPT`] without an offer.
    NoOffer,
    /// Not the number of a start position, or not at the beginning.
    Start,
}

impl MoveError {
    /// Returns the reason. (Not `Display`: see [`Position::fen`].)
    pub fn reason(&self) -> &'static str {
        match self {
            MoveError::Form => {
                "not a move: expected one like e2e4, e7e8q, or king and rook like e1h1"
            }
            MoveError::Illegal => "illegal: the position has no such move",
            MoveError::Over => "illegal: the game is over",
            MoveError::Start => "expected start0 to start959 before all moves",
            MoveError::NoOffer => "illegal: \"draw\" accepts an offer, but there is no offer",
        }
    }
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// Hashes of all positions, including the current one.
    hashes: Vec<u64>,
    /// All texts played.
    texts: Vec<String>,
    /// Whether the last move offered a draw.
    is_offered: bool,
    outcome: Option<Outcome>,
}

impl Default for Game {
    /// Creates a game of classical chess by the arena's rules.
    fn default() -> Game {
        Game::new(start::classical(CastlingRule::Arena))
    }
}

impl Game {
    /// Creates a game from a position.
    pub fn new(start: Position) -> Game {
        let mut game = Game {
            start,
            position: start,
            moves: Vec::new(),
            hashes: vec![start.hash()],
            texts: Vec::new(),
            is_offered: false,
            outcome: None,
        };
        game.outcome = game.judge();
        game
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Hashes of all positions, including the current one.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The result, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether the last move offered a draw.
    pub fn is_offered(&self) -> bool {
        self.is_offered
    }

    /// All texts played: the start position if it was given, moves (with a suffix for draw offers), and a resignation
    /// or accepted draw.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Makes a legal move.
    pub fn push(&mut self, mv: Move) {
        self.position = self.position.make(mv);
        self.moves.push(mv);
        self.hashes.push(self.position.hash());
        self.texts.push(mv.to_string());
        self.is_offered = false;
        self.outcome = self.judge();
    }

    /// Plays a text: a move, optionally followed by [`OFFER`]; [`ACCEPT`] or [`RESIGN`]; or [`START`] with a start
    /// position before all others.
    pub fn play(&mut self, text: &str) -> Result<(), MoveError> {
        if let Some(name) = text.strip_prefix(START) {
            let rule = self.start.rule();
            let named = match name.parse::<usize>() {
                Ok(number) if number < start::COUNT => Some(start::numbered(number, rule)),
                _ => Position::from_fen(&name.replace('_', " "), rule).ok(),
            };
            *self = Game::new(named.filter(|_| self.texts.is_empty()).ok_or(MoveError::Start)?);
        } else if text != ACCEPT && text != RESIGN {
            self.play_move(text.strip_suffix(OFFER).unwrap_or(text))?;
            self.texts.pop();
            self.is_offered = text.ends_with(OFFER);
        } else if self.outcome.is_some() {
            return Err(MoveError::Over);
        } else if text == RESIGN {
            let winner = Some(!self.position.side());
            self.outcome = Some(Outcome { winner, reason: Reason::Resignation });
        } else if self.is_offered {
            self.outcome = Outcome::draw(Reason::Agreement);
        } else {
            return Err(MoveError::NoOffer);
        }
        self.texts.push(text.to_string());
        Ok(())
    }

    /// Plays the text of a move.
    pub fn play_move(&mut self, text: &str) -> Result<(), MoveError> {
        if self.outcome.is_some() {
            return Err(MoveError::Over);
        }
        self.push(parse_move(&self.position, text)?);
        Ok(())
    }

    /// Returns the game after its first `count` texts, or itself if it has no more.
    pub fn back_at(&self, count: usize) -> Game {
        let is_start = |text: &String| text.starts_with(START);
        let fresh = if self.texts.first().map_or(false, is_start) {
            Game::new(start::classical(self.start.rule()))
        } else {
            Game::new(self.start)
        };
        self.texts.iter().take(count).fold(fresh, |mut game, text| {
            // Can't fail: it was played before.
            let _ = game.play(text);
            game
        })
    }

    /// Number of occurrences of the current position.
    fn occurrences(&self) -> usize {
        // Positions before a capture or pawn move can't recur.
        let window = self.hashes.iter().rev().take(self.position.halfmoves() + 1);
        window.filter(|&&hash| hash == self.position.hash()).count()
    }

    /// Returns the result by the rules, tested in the arena's order.
    fn judge(&self) -> Option<Outcome> {
        let position = &self.position;
        if !movegen::has_moves(position) {
            if position.checkers().any() {
                let winner = Some(!position.side());
                return Some(Outcome { winner, reason: Reason::Checkmate });
            }
            return Outcome::draw(Reason::Stalemate);
        }
        if self.occurrences() >= REPETITIONS {
            Outcome::draw(Reason::Repetition)
        } else if is_insufficient(position) {
            Outcome::draw(Reason::Insufficient)
        } else if position.halfmoves() >= MAX_HALFMOVES {
            Outcome::draw(Reason::Fifty)
        } else if position.plies_left() == 0 {
            Outcome::draw(Reason::MaxMoves)
        } else {
            None
        }
    }
}

/// Parses a legal move in the arena's notation, in either case.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let text = text.to_ascii_lowercase();
    let is_square = |part: Option<&str>| part.map_or(false, |p| p.parse::<Square>().is_ok());
    let is_kind = |part: &str| matches!(part, "" | "q" | "r" | "b" | "n" | "k" | "p");
    let has_squares = is_square(text.get(..2)) && is_square(text.get(2..4));
    if !has_squares || !text.get(4..).map_or(false, is_kind) {
        return Err(MoveError::Form);
    }
    let moves = movegen::moves(position);
    moves.iter().copied().find(|mv| mv.to_string() == text).ok_or(MoveError::Illegal)
}

/// Insufficient material: bare kings, a single minor piece, or bishops of both sides on squares of one colour. Two
/// knights and other minor pieces of both sides are sufficient.
pub fn is_insufficient(position: &Position) -> bool {
    const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
    let bishops = position.kind(Kind::Bishop);
    let minors = bishops | position.kind(Kind::Knight);
    if position.occupied() != minors | position.kind(Kind::King) {
        return false;
    }
    let are_alike = minors == bishops && (bishops.0 & LIGHT == 0 || bishops.0 & !LIGHT == 0);
    !minors.several()
        || are_alike && {
            // The arena scans the board file by file, and every other bishop must belong to the other side than the
            // first.
            let first = bishops.into_iter().min_by_key(|square| (square.file(), square.rank()));
            let colour = first.and_then(|square| position.colour_on(square));
            colour.map_or(false, |colour| !(bishops & position.colour(colour)).several())
        }
}
