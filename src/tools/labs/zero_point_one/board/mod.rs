//! The pages of Zero Point One: the board in the browser and the replay.

mod editor;
#[cfg(test)]
mod tests;

use super::analysis::line_texts;
use super::by_hand::{end_text, score_text};
use super::lessons::LESSONS;
use super::opponent;
use super::opponent::player;
use super::rules::{begin, game_of, RULES};
use crate::engine::alpha_beta::search_lines;
use crate::games::zero_point_one::attacks::attacks;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::{Colour, Move, Origin, Piece, Square};
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::board::{
    ending, scenes_of, show_end, Analyst, Arrangement, BoardPage, Choice, Finding, LastMove,
    Report, RulesPage, Scene, View,
};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::score_note;
use crate::tools::contracts::score_note::finding;
use crate::tools::contracts::{capitalised, GameState};
use anyhow::Result;
use serde_json::{json, Map};
use std::collections::BTreeMap;

/// Adapter for the pages.
pub const BOARD: BoardPage = BoardPage {
    script: concat!(include_str!("../../square_board.js"), include_str!("board.js")),
    style: concat!(include_str!("../../square_board.css"), include_str!("board.css")),
    shapes: include_str!("shapes.svg"),
    views,
    scenes: |record, from| scenes_of(begin(record.start.as_deref())?, record, from, scene),
    player: |settings, start| Ok(Box::new(player(settings).in_game(begin(start)?))),
    analyst: |hash_mb| Box::new(Lines { searcher: None, hash_mb }),
    mark: None,
    editor: Some(editor::EDITOR),
    refusal,
    has_attacks: true,
    goal: "Capture the wazir (the king): whoever does so wins at once.",
    how: "Drag a piece, or click it and then where it goes; rings show where it leaps. The wazir, with the crown, is your king.",
    lessons: LESSONS,
    rules: RulesPage {
        text: include_str!("../../../../../docs/rules/zero-point-one.md"),
        drawings: &[(
            "zero-point-one-leaps.svg",
            include_str!("../../../../../docs/rules/zero-point-one-leaps.svg"),
        )],
    },
};

/// Maximum number of setups of the book that the page offers.
const SETUPS_OFFERED: usize = 8;

fn scene(game: &Game) -> Scene {
    match game.position() {
        Some(position) => position_scene(game, position),
        None => setup_scene(game),
    }
}

/// Returns the scene before both setups are chosen, with Red's setup if it is known.
fn setup_scene(game: &Game) -> Scene {
    let side = game.side();
    let mut rows: Vec<String> = vec!["8".to_string(); 8];
    if let [red] = game.setups() {
        let text = red.text(Colour::Red);
        rows[0] = text[..8].to_string();
        rows[1] = text[8..].to_string();
    }
    let mut board = Map::new();
    board.insert("board".to_string(), json!(rows.join("/")));
    board.insert("hands".to_string(), json!("-"));
    let mover = Colour::Red.index();
    Scene {
        ply: game.ply(),
        turn: Some(side.index()),
        last: game.setups().last().map(|red| LastMove { text: red.text(Colour::Red), mover }),
        board,
        status: format!("{} sets up", capitalised(side.name())),
        setup: Some(arrangement(side)),
        ..Scene::default()
    }
}

fn arrangement(side: Colour) -> Arrangement {
    let named = setup::book(side).take(SETUPS_OFFERED).enumerate().map(|(index, found)| {
        let name = match (index, side) {
            (0, Colour::Red) => "Cupbot's own".to_string(),
            _ => format!("Book {}", index + 1),
        };
        (name, found.text(side))
    });
    Arrangement {
        spots: (0..16).map(|index| Setup::square(side, index).to_string()).collect(),
        good: named.collect(),
    }
}

fn position_scene(game: &Game, position: &Position) -> Scene {
    let before = game.moves().last().and_then(|&mv| {
        let count = game.positions().len();
        Some((game.positions().get(count.checked_sub(2)?)?, mv))
    });
    let last = match (game.setups(), before) {
        ([_, blue], None) => Some((blue.text(Colour::Blue), Colour::Blue)),
        (_, before) => before.map(|(before, mv)| {
            let side = before.side();
            (mv.text(side).to_string(), side)
        }),
    };
    let side = capitalised(position.side().name());
    let status = match end_text(game) {
        Some(how) => capitalised(&how),
        None if position.checkers().any() => format!("{side} to move; the wazir is attacked"),
        None => format!("{side} to move"),
    };
    Scene {
        ply: position.ply(),
        turn: (!position.is_over()).then(|| position.side().index()),
        last: last.map(|(text, side)| LastMove { text, mover: side.index() }),
        board: drawing(position, before),
        status,
        moves: if game.outcome().is_none() { choices(position) } else { Vec::new() },
        setup: None,
        reach: reach(position),
        attacked: attacked(position),
        position: Some(position.to_string()),
        end: ending(game),
    }
}

/// Returns the placement, the hands, an attacked wazir, and of the last move its squares and the letters of the moved
/// and the captured piece. `before` is the previous position and the move made there.
fn drawing(
    position: &Position,
    before: Option<(&Position, Move)>,
) -> Map<String, serde_json::Value> {
    let text = position.to_string();
    let mut fields = text.split(' ').map(str::to_string);
    let wazir = position.board().wazir(position.side()).filter(|_| position.checkers().any());
    let mut board: Vec<(&str, Option<String>)> = vec![
        ("board", fields.next()),
        ("hands", fields.next()),
        ("threat", wazir.map(|square| square.to_string())),
    ];
    if let Some((before, mv)) = before {
        let piece = Piece { colour: before.side(), kind: before.moved_kind(mv) };
        let takes = before.board().piece_on(mv.to());
        board.extend([
            ("from", mv.from().map(|square| square.to_string())),
            ("to", Some(mv.to().to_string())),
            ("piece", Some(piece.letter().to_string())),
            ("takes", takes.map(|piece| piece.letter().to_string())),
        ]);
    }
    let known = board.into_iter().filter_map(|(name, text)| Some((name.to_string(), json!(text?))));
    known.collect()
}

fn views(record: &Record) -> Result<Vec<View>> {
    let game = game_of(record)?;
    let mover = |ply: usize| Some((ply, Colour::to_move_after(ply.checked_sub(1)?).into()));
    let notes = score_note::notes_of(record, mover)?;
    let words = |loss| format!("{:.1} pieces", f64::from(loss) / 100.0);
    let first = game.ply() - game.texts().len();
    let mut views = score_note::views(&notes, first..=game.ply(), score_text, words);
    show_end(&mut views, &RULES, game.end().filter(|_| !notes.is_empty()));
    Ok(views)
}

fn choices(position: &Position) -> Vec<Choice> {
    let mut choices = Vec::new();
    movegen::pseudo_legal(position, |mv| choices.push(choice(position, mv)));
    choices
}

fn choice(position: &Position, mv: Move) -> Choice {
    let from = match mv.origin() {
        Origin::Board(from) => from.to_string(),
        Origin::Hand(kind) => Piece { colour: position.side(), kind }.letter().to_string(),
    };
    let wins = position.board().wazir(!position.side()) == Some(mv.to());
    Choice {
        text: mv.text(position.side()).to_string(),
        written: None,
        spots: vec![from, mv.to().to_string()],
        is_risky: !wins && !position.is_safe(mv),
    }
}

/// Explains why a piece can't move to a square.
fn refusal(record: &Record, spots: &[String]) -> Result<Option<String>> {
    let game = game_of(record)?;
    let Some(position) = game.position() else {
        return Ok(Some("The setup comes first: exchange pieces of its squares".to_string()));
    };
    let side = position.side();
    let Some(from) = spots.first().and_then(|spot| spot.parse::<Square>().ok()) else {
        return Ok(spots
            .get(1)
            .map(|_| "A piece in hand is dropped on an empty square".to_string()));
    };
    let Some(kind) = position.board().kind_on(from) else { return Ok(None) };
    if !position.board().colour(side).has(from) {
        return Ok(Some(format!("{} is to move", capitalised(side.name()))));
    }
    let name = kind.name();
    let Some(to) = spots.get(1).and_then(|spot| spot.parse::<Square>().ok()) else {
        return Ok(Some(format!("The {name} on {from} has no move")));
    };
    Ok(Some(match attacks(kind, from).has(to) {
        true => format!("A piece of {} stands on {to}", capitalised(side.name())),
        false => format!("The {name} on {from} does not leap to {to}"),
    }))
}

/// Returns the number of attacking pieces of each side, for every attacked square.
fn attacked(position: &Position) -> BTreeMap<String, [usize; 2]> {
    let board = position.board();
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for square in board.occupied() {
        let Some(kind) = board.kind_on(square) else { continue };
        let side = usize::from(!board.colour(Colour::Red).has(square));
        for to in attacks(kind, square) {
            counts.entry(to.to_string()).or_default()[side] += 1;
        }
    }
    counts
}

/// Returns the squares that each piece on the board can leap to, regardless of what stands there.
fn reach(position: &Position) -> BTreeMap<String, Vec<String>> {
    let board = position.board();
    let leaps = |square| {
        let kind = board.kind_on(square)?;
        Some((
            square.to_string(),
            attacks(kind, square).into_iter().map(|to| to.to_string()).collect(),
        ))
    };
    board.occupied().into_iter().filter_map(leaps).collect()
}

/// Analyst: the multi-PV search.
struct Lines {
    /// Created at its first use, because it reads the network.
    searcher: Option<Searcher>,
    hash_mb: usize,
}

impl Analyst for Lines {
    fn analyse(&mut self, record: &Record, lines: usize, report: &mut Report) -> Result<()> {
        let game = game_of(record)?;
        let Some(position) = game.position() else {
            let remark = Some("there is nothing to analyse before both setups");
            report(Finding { remark, ..Finding::default() });
            return Ok(());
        };
        let searcher = match &mut self.searcher {
            Some(searcher) => searcher,
            empty => empty.insert(Searcher::with_evaluator(
                Params::default(),
                opponent::Game::evaluator(None)?,
                self.hash_mb,
            )),
        };
        searcher.begin(&game, Limits::default());
        let (moves, side) = (searcher.root_moves(position), game.side());
        search_lines(searcher, position, moves, lines, &mut |found, _| {
            report(finding(found, side.into(), |line| line_texts(line, side), score_text));
        });
        Ok(())
    }
}
