//! `cupbot play chess960` at a terminal.

use super::lines::searcher;
use super::replay::{self, number_text};
use super::rules::RULES;
use super::{fen, notation};
use crate::engine::clock::Clock;
use crate::engine::dialogue::{Answer, Player, Report};
use crate::engine::score::{self, Score};
use crate::games::chess960::game::{Game, Outcome, Reason, ACCEPT, OFFER, RESIGN, START};
use crate::games::chess960::movegen;
use crate::games::chess960::player::accepts_draw;
use crate::games::chess960::position::CastlingRule;
use crate::games::chess960::search::{Limits, SearchResult, Searcher};
use crate::games::chess960::start;
use crate::games::chess960::types::{Colour, Kind, Square};
use crate::tools::contracts::by_hand::{
    list_text, status_line, ByHand, SquareBoard, TerminalBoard,
};
use crate::tools::contracts::capitalised;
use crate::tools::contracts::record::{for_first, moves_of};
use crate::tools::contracts::Settings;
use crate::tools::support::style::{self, has_unicode, painted};
use clap::builder::styling::{AnsiColor, Style};

/// Entry for play at a terminal.
pub const BY_HAND: ByHand = ByHand {
    pitch: "chess, also from a shuffled start position",
    welcome: "\
Chess960 by hand. Type your move to play White, as e4 or e2e4, or `Start` to let
cupbot play White. `position 518` begins at a start position by its number,
`position FEN` at any other. `hint` suggests a move, `help` lists what else
there is.
",
    rules: "\
Moves are in SAN or as squares; castling goes to the squares of classical chess,
wherever king and rook come from.
  Nf3 g1f3   a move of a piece; exd5 e4d5 a capture; e8=Q e7e8q a promotion
  O-O e1h1   castling: O-O to the h side, O-O-O to the a side, or the squares of
             king and rook
  e4=        a move and the offer of a draw; draw accepts one, resign gives up
  position N begin at a start position by its number, 0 to 959 (518: classical
             chess), or at a FEN
",
    player: |settings| Box::new(HandPlayer::new(settings)),
};

/// The player at a terminal.
pub struct HandPlayer {
    game: Game,
    settings: Settings,
    /// Created at the first use.
    searcher: Option<Searcher>,
    report: Report,
}

impl HandPlayer {
    /// Creates a player at the start of a game.
    pub fn new(settings: Settings) -> HandPlayer {
        HandPlayer { game: Game::default(), settings, searcher: None, report: Report::default() }
    }

    /// Returns the player in another game.
    pub fn in_game(mut self, game: Game) -> HandPlayer {
        self.game = game;
        self
    }

    /// Searches the current position.
    fn think(&mut self, clock: &Clock) -> SearchResult {
        let nodes = self.settings.nodes;
        let hard_time = nodes.is_none().then(|| clock.allot(1.0).hard);
        let limits = Limits { hard_nodes: nodes, hard_time, ..Limits::default() };
        let moves = movegen::moves(self.game.position());
        let searcher = self.searcher.get_or_insert_with(|| searcher(self.settings.hash_mb));
        let mut found = searcher.search(&self.game, &moves, limits);
        found.best = found.best.or(moves.first().copied());
        found
    }
}

impl Player for HandPlayer {
    fn play(&mut self, text: &str) -> Result<(), String> {
        if self.game.outcome().is_some() {
            return Err("the game is over".to_string());
        }
        replay::play(&mut self.game, text)
    }

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        let found = self.think(clock);
        let mv = found.best?;
        let (score, text) = (score::text(found.score), notation::san(self.game.position(), mv));
        let number = number_text(self.game.position());
        let SearchResult { depth, nodes, .. } = found;
        let line = format!("{number}{text} depth {depth} score {score} nodes {nodes}");
        self.report = Report { text: line, score: Some(found.score), nodes, ..Report::default() };
        let accepts = self.game.is_offered() && accepts_draw(self.game.position(), found.score);
        let answer = if accepts { ACCEPT.to_string() } else { mv.to_string() };
        self.game.play(&answer).ok()?;
        Some(answer.into())
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

impl TerminalBoard for HandPlayer {
    fn contest_text(&self, text: &str) -> String {
        let (bare, mark) = match text.strip_suffix(OFFER) {
            Some(bare) => (bare, OFFER.to_string()),
            None => (text, String::new()),
        };
        let words = [ACCEPT, RESIGN].into_iter().find(|word| word.eq_ignore_ascii_case(text));
        let cases = [bare.to_string(), bare.to_lowercase(), capitalised(&bare.to_lowercase())];
        let mut moves = cases.iter().map(|text| notation::parse_any(self.game.position(), text));
        let found = moves.find_map(Result::ok).map(|mv| format!("{mv}{mark}"));
        words.map(str::to_string).or(found).unwrap_or_else(|| text.to_string())
    }

    fn wanted(&self) -> &'static str {
        "a move like e4, Nf3 or O-O"
    }

    fn last_move(&self) -> Option<String> {
        let &last = self.game.moves().last().filter(|_| texts_since_move(&self.game) == 0)?;
        let before = self.game.back_at(self.game.texts().len() - 1);
        Some(notation::san(before.position(), last))
    }

    fn begin_at(&mut self, start: &str) -> Option<Result<String, String>> {
        let number = start.strip_prefix(START).unwrap_or(start).parse::<usize>().ok();
        let game = match number {
            Some(number) if number < start::COUNT => {
                Ok(Game::new(start::numbered(number, CastlingRule::Arena)))
            }
            Some(_) => Err(format!("expected a number from 0 to {}", start::COUNT - 1)),
            None => game_of(start),
        };
        Some(game.map(|game| {
            self.game = game;
            self.searcher.iter_mut().for_each(Searcher::clear);
            fen::text(self.game.position())
        }))
    }

    fn board(&self) -> String {
        board_text(&self.game, has_unicode())
    }

    fn moves(&self) -> String {
        if self.is_over() {
            return String::new();
        }
        let position = self.game.position();
        let moves = movegen::moves(position);
        let mut texts: Vec<String> = moves.iter().map(|&mv| notation::san(position, mv)).collect();
        texts.sort();
        list_text("moves", texts)
    }

    fn thought(&self) -> Option<String> {
        let report = self.report();
        // An accepted draw is not a move: the side to move stays the same.
        let mover = match texts_since_move(&self.game) {
            0 => !self.game.position().side(),
            _ => self.game.position().side(),
        };
        Some(score_in_words(for_first(report.score?, mover.into())))
    }

    fn end(&self) -> Option<String> {
        self.game.outcome().map(|outcome| end_text(&outcome))
    }
}

/// Returns the game of a position and moves.
fn game_of(text: &str) -> Result<Game, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (start, moves) = words.split_at(fen::count_words(&words).unwrap_or(words.len()));
    let found = fen::read_to_play(&start.join(" ")).map_err(|error| format!("{error:#}"))?;
    let mut game = Game::new(found.position);
    for text in moves_of(moves) {
        replay::play(&mut game, &text).map_err(|reason| format!("move {text:?}: {reason}"))?;
    }
    Ok(game)
}

/// Describes how a game ended.
pub fn end_text(outcome: &Outcome) -> String {
    let winner = outcome.winner.map_or("", |side| RULES.sides[side.index()]);
    let loser = outcome.winner.map_or("", |side| RULES.sides[(!side).index()]);
    match outcome.reason {
        Reason::Checkmate => format!("{winner} has given mate and won"),
        Reason::Resignation => format!("{loser} has resigned, {winner} has won"),
        Reason::Stalemate => "a draw by stalemate".to_string(),
        Reason::Repetition => "a draw, the position has occurred three times".to_string(),
        Reason::Insufficient => "a draw, nobody has enough to give mate".to_string(),
        Reason::Fifty => "a draw, 50 moves without a capture or a pawn's move".to_string(),
        Reason::MaxMoves => "a draw, 125 moves are made".to_string(),
        Reason::Agreement => "a draw by agreement".to_string(),
    }
}

/// Styles of White's and Black's pieces.
const STYLES: [Style; 2] =
    [AnsiColor::BrightYellow.on_default().bold(), AnsiColor::BrightBlue.on_default().bold()];

/// Figurines of White and Black, in the order of the kinds.
const FIGURES: [[char; 6]; 2] = [['♙', '♘', '♗', '♖', '♕', '♔'], ['♟', '♞', '♝', '♜', '♛', '♚']];

/// Formats a piece in the colour of its side: a figurine, or its FEN letter.
fn piece_text(colour: Colour, kind: Kind, is_figure: bool) -> String {
    let letter = kind.letter();
    let symbol = match colour {
        _ if is_figure => FIGURES[colour.index()][kind.index()],
        Colour::White => letter.to_ascii_uppercase(),
        Colour::Black => letter,
    };
    painted(symbol, STYLES[colour.index()])
}

/// Draws the board from White's side with coordinates and the side to move.
fn board_text(game: &Game, is_figure: bool) -> String {
    let position = game.position();
    let last = game.moves().last();
    let place = |square: Square| (square.rank(), square.file());
    let board = SquareBoard {
        names: ["12345678", "abcdefgh"],
        last: [last.map(|mv| mv.from()), last.map(|mv| mv.to())].map(|at| at.map(place)),
        piece: &|(rank, file)| {
            let square = Square::new(file, rank);
            let (colour, kind) = position.colour_on(square).zip(position.kind_on(square))?;
            Some(piece_text(colour, kind, is_figure))
        },
        beside: &|_| String::new(),
    };
    format!("{board}{}", status_text(game))
}

/// Describes the last move and the side to move.
fn status_text(game: &Game) -> String {
    let position = game.position();
    let offer = if game.is_offered() { " with the offer of a draw" } else { "" };
    let last = game.moves().last().map(|&last| {
        let before = game.back_at(game.texts().len() - texts_since_move(game) - 1);
        let san = notation::san(before.position(), last);
        let number = number_text(before.position());
        painted(format!("{number}{san}"), style::LAST) + offer
    });
    let turn = game.outcome().is_none().then(|| {
        let side = position.side();
        let name = painted(RULES.sides[side.index()], STYLES[side.index()]);
        let check = if position.checkers().any() { ", in check" } else { "" };
        format!("{name} to move{check}")
    });
    status_line(game.moves().len(), last, turn)
}

/// Returns the texts after the last move: an accepted draw or a resignation.
fn texts_since_move(game: &Game) -> usize {
    let is_word = |text: &&String| [ACCEPT, RESIGN].contains(&text.as_str());
    game.texts().iter().rev().take_while(is_word).count()
}

/// Returns the capitalised name of a side.
pub fn side_name(side: Colour) -> String {
    capitalised(RULES.sides[side.index()])
}

/// Formats a score from White's point of view in words: `White mates in 5`, `-1.20 for White`.
pub(super) fn score_in_words(score: Score) -> String {
    match score::plies_to_end(score) {
        Some(_) => score_text(score),
        None => format!("{:+.2} for White", in_pawns(score)),
    }
}

/// Formats a score from White's point of view: `White mates in 5`, `Score -1.20`.
pub(super) fn score_text(score: Score) -> String {
    let winner = if score > 0 { Colour::White } else { Colour::Black };
    match score::plies_to_end(score) {
        Some(plies) => format!("{} mates in {}", side_name(winner), plies.div_ceil(2)),
        None => format!("Score {:+.2}", in_pawns(score)),
    }
}

/// Formats a score or a loss in pawns.
pub(super) fn in_pawns(score: Score) -> f64 {
    f64::from(score) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::commands::play::by_hand;
    use crate::tools::labs::chess960::ENTRY;

    /// Starts a session with letters as figurines, whatever the locale.
    fn session(input: &str) -> (String, String) {
        let (output, mut shown) = by_hand::session(&ENTRY, input);
        for (colour, figures) in Colour::ALL.into_iter().zip(FIGURES) {
            for (kind, figure) in Kind::ALL.into_iter().zip(figures) {
                let letter = style::plain(&piece_text(colour, kind, false));
                shown = shown.replace(figure, &letter);
            }
        }
        (output, shown)
    }

    #[test]
    fn moves_are_taken_in_every_notation() {
        let (output, shown) = session("nodes 200\nOpening e4 E7E5 Nf3 b8c6 Bb5\nStart\nrecord\n");
        assert_eq!(output.lines().count(), 1, "{output}");
        assert!(shown.contains("5 moves made, the last one 3.Bb5; black to move"), "{shown}");
        assert!(shown.contains("  5  . [B] .  .  p  .  .  .  5"), "{shown}");
        let recorded = format!("e2e4 e7e5 g1f3 b8c6 f1b5 {}", output.trim_end());
        assert!(shown.contains(&recorded), "{shown}");
    }

    #[test]
    fn games_begin_at_numbers_and_positions() {
        let input =
            "nodes 50\nposition 0\nf3\nundo\nboard\nposition 7k/P7/8/8/8/8/8/K7 w - - 0 1\n\
                     Opening a8=Q\nStart\nrecord\nnew\nmoves\nposition 960\nposition nonsense\nposition\n";
        let (output, shown) = session(input);
        assert_eq!(output.lines().count(), 2, "{output}");
        assert!(shown.contains("  1  B  B  Q  N  N  R  K  R  1"), "{shown}");
        assert!(shown.contains("the last one 1.a8=Q+"), "{shown}");
        assert!(shown.contains("7k/P7/8/8/8/8/8/K7 w - - 0 1 a7a8q h8"), "{shown}");
        assert!(shown.contains("moves (20): Na3 Nc3 Nf3 Nh3"), "{shown}");
        assert!(shown.contains("expected a number from 0 to 959"), "{shown}");
        assert!(shown.contains("not a FEN: 8 rows expected, found 1"), "{shown}");
        assert!(shown.contains("`position` needs a position"), "{shown}");
    }

    #[test]
    fn misspelled_moves_are_played_or_explained() {
        let (_, shown) = session("nodes 50\nOpening nf3\nNd5\nhint\n");
        assert!(shown.contains("the last one 1.Nf3"), "the only move that is written so: {shown}");
        assert!(shown.contains("Not possible: no knight can go to d5"), "{shown}");
        assert!(shown.contains(" at depth "), "{shown}");
    }

    #[test]
    fn draws_are_offered_and_accepted() {
        // Insufficient material.
        let input = "nodes 500\nposition 7k/8/8/8/8/7p/7P/K6N w - - 0 1\nresign\nundo\nStart\n";
        let (_, shown) = session(input);
        assert!(shown.contains("white has resigned, black has won"), "{shown}");
        let offer = |number: usize| {
            let start = format!("7k/7q/8/8/8/8/8/K7 b - - 0 {number}");
            session(&format!("nodes 500\nposition {start}\nOpening Qh6=\nStart\n"))
        };
        let (output, shown) = offer(40);
        assert_eq!(output, "draw\n");
        assert!(shown.contains("with the offer of a draw"), "{shown}");
        assert!(shown.contains("a draw by agreement"), "{shown}");
        // In the opening every offer is declined, and the answer says so.
        let (output, shown) = offer(2);
        assert_ne!(output, "draw\n");
        assert!(shown.contains("Cupbot declines the draw."), "{shown}");
    }

    #[test]
    fn undo_after_a_mate_returns_to_the_user() {
        let input = "position 7k/6pp/8/8/8/8/8/K3R3 w - - 0 40\nRe8\nundo\nKb1\n";
        let (output, shown) = session(input);
        assert!(shown.contains("white has given mate and won"), "{shown}");
        assert_eq!(output.lines().count(), 1, "cupbot answers the user's other move: {shown}");
    }

    #[test]
    fn figurines_and_letters_have_equal_widths() {
        let game = Game::default();
        let [letters, figures] =
            [false, true].map(|is_figure| style::plain(&board_text(&game, is_figure)));
        assert!(figures.contains('♔') && figures.contains('♟'));
        let widths = |text: &str| text.lines().map(|line| line.chars().count()).collect::<Vec<_>>();
        assert_eq!(widths(&letters), widths(&figures));
    }
}
