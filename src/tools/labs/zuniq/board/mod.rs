//! The pages of Zuniq: the board in the browser and the replay.

use super::analysis::ChanceNote;
use super::by_hand::{chance_text, proved_text};
use super::evaluation::network;
use super::lessons::LESSONS;
use super::opponent::player;
use super::rules::{begin, game_of, RULES};
use crate::engine::budget::Budget;
use crate::engine::clock::Stopwatch;
use crate::engine::interrupt;
use crate::games::zuniq::game::{Game, Side, CLAIM};
use crate::games::zuniq::geometry::SIDE as CELLS;
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use crate::games::zuniq::solver::{Solver, Verdict};
use crate::games::zuniq::tree::{self, Params, Tree};
use crate::tools::contracts::analysis::parse_notes;
use crate::tools::contracts::board::{
    ending, no_refusal, scenes_of, show_end, Analyst, BoardPage, Choice, Finding, LastMove, Line,
    Mark, Report, RulesPage, Scene, View,
};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::{capitalised, GameState};
use crate::tools::support::text::count_of;
use anyhow::Result;
use serde_json::{json, Map};
use std::time::Duration;

/// Adapter for the pages.
pub const BOARD: BoardPage = BoardPage {
    script: include_str!("board.js"),
    style: include_str!("board.css"),
    shapes: "",
    views,
    scenes: |record, from| scenes_of(begin(record.start.as_deref())?, record, from, scene),
    player: |settings, start| {
        begin(start)?;
        let tree = Params::default().with_megabytes(TREE_MB);
        Ok(Box::new(player(settings).with_tree(tree)))
    },
    analyst: |hash_mb| Box::new(Chances { engine: None, hash_mb }),
    mark: Some(Mark { symbol: CLAIM, label: "Claim that this move wins", declined: None }),
    editor: None,
    refusal: no_refusal,
    has_attacks: false,
    goal: "Whoever can't draw a wall loses; no two closed zones may have the same size.",
    how: "Click between two neighbouring dots to draw a wall.",
    lessons: LESSONS,
    rules: RulesPage {
        text: include_str!("../../../../../docs/rules/zuniq.md"),
        drawings: &[("zuniq-zones.svg", include_str!("../../../../../docs/rules/zuniq-zones.svg"))],
    },
};

fn scene(game: &Game) -> Scene {
    let texts = GameState::texts(game);
    let status = match game.winner() {
        Some(winner) => format!("{} can't move, {} has won", winner.other().name(), winner.name()),
        None if texts.last().is_some_and(|text| text.ends_with(CLAIM)) => {
            format!("{} to move; {} claims a win", game.side().name(), game.side().other().name())
        }
        None => format!("{} to move", game.side().name()),
    };
    let choice = |segment: Segment| {
        let text = segment.to_string();
        Choice { spots: vec![text.clone()], text, written: None, is_risky: false }
    };
    let mover = (!GameState::side(game)).index();
    Scene {
        ply: game.ply(),
        turn: game.winner().is_none().then(|| GameState::side(game).index()),
        last: texts.last().map(|text| LastMove { text: text.clone(), mover }),
        board: board(game),
        status,
        moves: Segment::each(game.position().legal()).map(choice).collect(),
        end: ending(game),
        ..Scene::default()
    }
}

/// Returns the walls, the size of the zone of each cell (0: none), and the walls that would close a zone of a size that
/// is taken.
fn board(game: &Game) -> Map<String, serde_json::Value> {
    let size = |cell| game.zone_size(cell / CELLS, cell % CELLS).unwrap_or(0);
    let position = game.position();
    let barred = Segment::each(position.gaps() & !position.legal());
    Map::from_iter([
        (
            "walls".to_string(),
            json!(game.moves().iter().map(Segment::to_string).collect::<Vec<_>>()),
        ),
        ("zones".to_string(), json!((0..CELLS * CELLS).map(size).collect::<Vec<_>>())),
        ("barred".to_string(), json!(barred.map(|wall| wall.to_string()).collect::<Vec<_>>())),
    ])
}

fn views(record: &Record) -> Result<Vec<View>> {
    let game = game_of(record)?;
    let notes: Vec<ChanceNote> = parse_notes(&record.notes)?;
    let find = |ply| notes.iter().find(|note| note.ply == ply);
    let percent = |loss: f64| format!("{loss:.0} % of the probability of winning");
    let view = |ply| {
        let (made, next) = (find(ply), find(ply + 1));
        View {
            ply,
            height: next.map(|note| 2.0 * note.white - 1.0),
            text: next.map(|note| match &note.proved {
                Some(side) => format!("{} is proved to win", capitalised(side)),
                None => chance_text(note.white),
            }),
            line: next.and_then(|note| note.best.clone()).map(|best| vec![best]),
            mark: made.and_then(|note| note.mark),
            cost: made.and_then(|note| note.loss).filter(|loss| *loss >= 0.5).map(percent),
            certain: made.is_some_and(|note| note.is_certain),
            ..View::default()
        }
    };
    let mut views: Vec<View> = (0..=game.ply()).map(view).collect();
    show_end(&mut views, &RULES, game.end().filter(|_| !notes.is_empty()));
    Ok(views)
}

/// Maximum size of a search tree in MiB: there may be many sessions.
const TREE_MB: usize = 64;
/// First ply at which the solver is tried.
const SOLVE_FROM_PLY: usize = 14;
/// Time of the solver's first turn.
const FIRST_SOLVE: Duration = Duration::from_millis(100);
/// Factor by which each turn of the solver is longer than the one before.
const SOLVE_GROWTH: u32 = 2;
/// Time of each turn of the tree search, after which it reports.
const SEARCH: Duration = Duration::from_millis(150);
/// Maximum number of turns. After these the tree is full or does not improve.
const MAX_TURNS: usize = 2000;
/// Depth shown for a solved position.
const SOLVED: &str = "Solved";

/// Analyst that alternates between the tree search and the solver.
struct Chances {
    /// Created on first use, since this reads the network.
    engine: Option<(Solver, Tree)>,
    hash_mb: usize,
}

impl Analyst for Chances {
    fn analyse(&mut self, record: &Record, lines: usize, report: &mut Report) -> Result<()> {
        let game = game_of(record)?;
        let (solver, tree) = match &mut self.engine {
            Some(engine) => engine,
            empty => {
                let params = Params::default().with_megabytes(TREE_MB);
                empty.insert((Solver::new(self.hash_mb), Tree::new(params, network(None)?)))
            }
        };
        let (position, side) = (game.position(), game.side());
        let mut solve_for = FIRST_SOLVE;
        let (mut simulations, nodes_before) = (0, solver.nodes());
        for _ in 0..MAX_TURNS {
            let deadline = Stopwatch::start().deadline(SEARCH);
            let Some(found) = tree.search(position, solver, Some(deadline), u64::MAX) else {
                break;
            };
            simulations += found.simulations;
            let depth = match found.proved {
                true => SOLVED.to_string(),
                false => count_of(simulations, "simulation"),
            };
            let nodes = simulations + solver.nodes() - nodes_before;
            let drawn = tree.lines(position, lines).iter().map(|found| line(found, side)).collect();
            report(Finding { depth, nodes, lines: drawn, remark: None });
            if found.proved || interrupt::is_raised() {
                break;
            }
            if position.ply() >= SOLVE_FROM_PLY {
                let deadline = Some(Stopwatch::start().deadline(solve_for));
                if let Some(verdict) = solver.solve(position, Budget::new(None, deadline)) {
                    let nodes = simulations + solver.nodes() - nodes_before;
                    report(proved(verdict, position, side, nodes));
                    break;
                }
                solve_for *= SOLVE_GROWTH;
            }
        }
        Ok(())
    }
}

fn line(found: &tree::Line, side: Side) -> Line {
    let white = if side == Side::White { found.value } else { 1.0 - found.value };
    let winner = if white > 0.5 { Side::White } else { Side::Black };
    let score = match found.proved {
        true => proved_text(winner),
        false => chance_text(white),
    };
    let moves = found.moves.iter().map(|segment| segment.to_string()).collect();
    Line { height: 2.0 * white - 1.0, score, moves }
}

/// Creates the finding for a verdict of the solver: the winning move, or any move of a lost position.
fn proved(verdict: Verdict, position: &Position, side: Side, nodes: u64) -> Finding {
    let (winner, best) = match verdict {
        Verdict::Won(best) => (side, Some(best)),
        Verdict::Lost => (side.other(), Segment::each(position.legal()).next()),
    };
    let line = best.map(|best| Line {
        height: if winner == Side::White { 1.0 } else { -1.0 },
        score: proved_text(winner),
        moves: vec![best.to_string()],
    });
    let remark = match verdict {
        Verdict::Won(_) => "one winning move is shown",
        Verdict::Lost => "every move loses",
    };
    let lines = line.into_iter().collect();
    Finding { depth: SOLVED.to_string(), nodes, lines, remark: Some(remark) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::contracts::board::tests::{self, findings};
    use crate::tools::labs::game_reader::parse;

    fn record(moves: &str) -> Record {
        tests::record(&RULES, None, moves)
    }

    #[test]
    fn a_scene_offers_the_walls_that_can_be_drawn() {
        let scenes = (BOARD.scenes)(&record("A1h A1v B1h!"), 1).expect("legal");
        let counts: Vec<usize> = scenes.iter().map(|scene| scene.moves.len()).collect();
        assert_eq!(counts, [59, 58, 57]);
        assert_eq!(scenes[2].moves[0].spots, [scenes[2].moves[0].text.clone()]);
        assert_eq!((&*scenes[0].status, scenes[2].ply), ("Black to move", 3));
        assert!((BOARD.scenes)(&record("A1h A1h"), 0).is_err());
        let [walls, zones] = ["walls", "zones"].map(|name| &scenes[2].board[name]);
        assert_eq!(walls, &json!(["A1h", "A1v", "B1h!"].map(|text| &text[..3])));
        assert_eq!(scenes[2].last.as_ref().map(|last| &*last.text), Some("B1h!"));
        assert!(zones.as_array().is_some_and(|zones| zones.iter().all(|size| *size == 0)));
        let closed = (BOARD.scenes)(&record("A1h A1v A2v C3h B1h D4v C3v C4v"), 8).expect("legal");
        assert_eq!(
            (&closed[0].board["zones"][0], &closed[0].board["barred"]),
            (&json!(1), &json!(["D3h"]))
        );
    }

    #[test]
    fn notes_become_views_and_costs() {
        let note = r#"{"ply": 2, "white": 0.25, "best": "A2h", "loss": 12.3, "mark": "mistake"}"#;
        let line = format!(r#"{{"moves": ["A1h", "A1v"], "analysis": [{note}]}}"#);
        let record = parse(&line).expect("readable").expect("a record");
        let views = views(&record).expect("legal");
        assert_eq!(
            (views[1].height, views[1].text.as_deref()),
            (Some(-0.5), Some("White's chances: 25 %"))
        );
        assert_eq!(views[2].cost.as_deref(), Some("12 % of the probability of winning"));
    }

    #[test]
    fn the_analyst_ranks_moves_and_ends_when_interrupted() {
        let reports = findings(&BOARD, &record("A1h A1v"), 3, |count, _| count == 2);
        assert_eq!((reports.len(), reports[1].lines.len()), (2, 3), "{reports:?}");
        let mut game = record("A1h A1v").replay().expect("legal");
        assert!(reports[1].lines[0].moves.iter().all(|text| game.play(text).is_ok()));
    }
}
