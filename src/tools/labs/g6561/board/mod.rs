//! The pages of 6561: the board in the browser and the replay.

use super::analysis::ValueNote;
use super::by_hand::{end_text, turn_text};
use super::judged_value::aim_of;
use super::lessons::LESSONS;
use super::opponent::player;
use super::rules::{begin, game_of};
use crate::engine::interrupt;
use crate::games::g6561::board::SQUARES;
use crate::games::g6561::game::{Game, MAX_PLIES};
use crate::games::g6561::search::{Choice as Valued, Search, MAX_DEPTH};
use crate::tools::contracts::analysis::parse_notes;
use crate::tools::contracts::board::{
    ending, no_refusal, scenes_of, Analyst, BoardPage, Choice, Finding, LastMove, Line, Report,
    RulesPage, Scene, View,
};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::{capitalised, GameState};
use crate::tools::support::text::count_of;
use anyhow::Result;
use serde_json::json;

/// Adapter for the pages.
pub const BOARD: BoardPage = BoardPage {
    script: include_str!("board.js"),
    style: include_str!("board.css"),
    shapes: "",
    views,
    scenes: |record, from| scenes_of(begin(record.start.as_deref())?, record, from, scene),
    player: |settings, start| {
        begin(start)?;
        Ok(Box::new(player(settings).verbose()))
    },
    analyst: |_| Box::new(Values { search: Search::new() }),
    mark: None,
    editor: None,
    refusal: no_refusal,
    has_attacks: false,
    goal: "Build the highest sum together: equal tiles of one colour merge to triple the value.",
    how: "Click an empty square to place a tile. To slide, click a strip beside the board, press an arrow key, or swipe.",
    lessons: LESSONS,
    rules: RulesPage {
        text: include_str!("../../../../../docs/rules/6561.md"),
        drawings: &[("6561-slide.svg", include_str!("../../../../../docs/rules/6561-slide.svg"))],
    },
};

/// Points at the middle of the score bar.
const HALF_BAR_POINTS: f32 = 1500.0;

fn scene(game: &Game) -> Scene {
    let position = game.position();
    let status = match end_text(game) {
        Some(how) => capitalised(&how),
        None => format!("{}; {} so far", turn_text(game), count_of(game.score(), "point")),
    };
    let choice = |mv: &crate::games::g6561::game::Move| {
        let text = mv.to_string();
        Choice { spots: vec![text.clone()], text, written: None, is_risky: false }
    };
    let tile = |square| {
        position.board.piece(square).map(|piece| json!([piece.colour.index(), piece.value()]))
    };
    let tiles = (0..SQUARES).map(tile).collect::<Vec<_>>();
    let mover = (!GameState::side(game)).index();
    Scene {
        ply: game.ply(),
        turn: game.ending().is_none().then(|| GameState::side(game).index()),
        last: game.moves().last().map(|mv| LastMove { text: mv.to_string(), mover }),
        board: [("tiles".to_string(), json!(tiles))].into_iter().collect(),
        status,
        moves: position.moves().iter().map(choice).collect(),
        end: ending(game),
        ..Scene::default()
    }
}

/// Returns the sum of the tiles after each move, with the notes of an analysis.
fn views(record: &Record) -> Result<Vec<View>> {
    let game = game_of(record)?;
    let notes: Vec<ValueNote> = parse_notes(&record.notes)?;
    let find = |ply| notes.iter().find(|note| note.ply == ply);
    let points = |loss: f64| format!("{loss:.0} points");
    let view = |now: &Game| {
        let (made, next) = (find(now.ply()), find(now.ply() + 1));
        let sum = now.position().board.sum();
        View {
            ply: now.ply(),
            // The bottom of the curve is 0, the top is the score of the game.
            height: Some(2.0 * f64::from(sum) / f64::from(game.score().max(1)) - 1.0),
            text: Some(format!("Sum {sum}, highest {}", now.score())),
            detail: next.map(|note| format!("value {:.0}", note.value)),
            line: next.and_then(|note| note.best.clone()).map(|best| vec![best]),
            mark: made.and_then(|note| note.mark),
            cost: made.and_then(|note| note.loss).filter(|loss| *loss >= 0.5).map(points),
            ..View::default()
        }
    };
    let mut now = Game::new();
    let mut views = vec![view(&now)];
    for &mv in game.moves() {
        // Can't fail: the move was replayed before.
        let _ = now.push(mv);
        views.push(view(&now));
    }
    Ok(views)
}

/// Analyst that values all moves by iterative deepening.
struct Values {
    search: Search,
}

impl Analyst for Values {
    fn analyse(&mut self, record: &Record, lines: usize, report: &mut Report) -> Result<()> {
        let game = game_of(record)?;
        let position = game.position();
        let aim = aim_of(&game);
        let before = self.search.nodes();
        let deepest = MAX_DEPTH.min(MAX_PLIES - game.ply());
        for depth in 1..=deepest {
            let mut choices = self.search.rank_at(depth, position, &aim).unwrap_or_default();
            if interrupt::is_raised() || choices.is_empty() {
                break;
            }
            choices.sort_by(|one, other| other.value.total_cmp(&one.value));
            report(Finding {
                depth: format!("depth {depth}"),
                nodes: self.search.nodes() - before,
                lines: choices.iter().take(lines).map(line).collect(),
                remark: Some("expected points; the search of this game returns only single moves"),
            });
        }
        Ok(())
    }
}

fn line(choice: &Valued) -> Line {
    let value = choice.value.max(0.0);
    Line {
        height: f64::from(2.0 * value / (value + HALF_BAR_POINTS) - 1.0),
        score: format!("{:.0} points", choice.value),
        moves: vec![choice.mv.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::contracts::board::tests::{self, findings};
    use crate::tools::labs::g6561::rules::RULES;
    use crate::tools::labs::game_reader::parse;
    use serde_json::Value;

    fn record(moves: &str) -> Record {
        tests::record(&RULES, None, moves)
    }

    #[test]
    fn a_scene_offers_squares_and_slides() {
        let scenes = (BOARD.scenes)(&record("11 12 14"), 0).expect("legal");
        let counts: Vec<usize> = scenes.iter().map(|scene| scene.moves.len()).collect();
        assert_eq!(counts[..3], [16, 15, 14]);
        let slides: Vec<&str> = scenes[3].moves.iter().map(|choice| &*choice.text).collect();
        assert_eq!(slides, ["D", "L", "R"]);
        assert!(scenes[3].status.starts_with("B slides; "), "{}", scenes[3].status);
        let scenes = (BOARD.scenes)(&record("11 12 14 L"), 3).expect("legal");
        let tiles = |scene: usize, square: usize| &scenes[scene].board["tiles"][square];
        assert_eq!(tiles(0, 3), &json!([2, 1]));
        assert_eq!((tiles(1, 0), tiles(1, 3)), (&json!([2, 1]), &Value::Null));
    }

    #[test]
    fn sums_and_notes_become_views() {
        let note = r#"{"ply": 2, "side": "b", "move": "12", "value": 99.4, "sum": 1, "best": "44",
            "loss": 12.3, "mark": "mistake"}"#;
        let line = format!(r#"{{"moves": ["11", "12", "14", "L"], "analysis": [{note}]}}"#);
        let record = parse(&line.replace('\n', " ")).expect("readable").expect("a record");
        let views = views(&record).expect("legal");
        let heights = views.iter().map(|view| (3.0 * view.height.expect("a sum")).round() as i32);
        assert_eq!(heights.collect::<Vec<_>>(), [-3, -1, 1, 3, -1]);
        assert_eq!(views[1].detail.as_deref(), Some("value 99"));
        assert_eq!(views[2].cost.as_deref(), Some("12 points"));
    }

    #[test]
    fn the_analyst_values_moves_until_it_is_interrupted() {
        let found = findings(&BOARD, &record("11 12 14"), 3, |count, _| count == 3);
        assert_eq!(found.len(), 3);
        for finding in found {
            assert_eq!(finding.lines.len(), 3);
            assert!(finding.lines.windows(2).all(|pair| pair[0].height >= pair[1].height));
        }
    }
}
