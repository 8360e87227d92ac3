//! The board of 6561 in the browser.

use super::by_hand::{end_text, turn_text};
use super::judged_value::{main_colour, REPLIES};
use super::lessons::LESSONS;
use super::opponent::player;
use super::page;
use super::rules::{begin, game_of};
use crate::engine::interrupt;
use crate::games::g6561::game::{Game, MAX_PLIES};
use crate::games::g6561::search::{Choice as Valued, Evaluation, Search, MAX_DEPTH};
use crate::tools::contracts::board::{
    ending, no_refusal, scenes_of, Analyst, BoardPage, Choice, Finding, Line, Report, RulesPage,
    Scene,
};
use crate::tools::contracts::capitalised;
use crate::tools::contracts::record::Record;
use anyhow::Result;

/// Adapter for the board in the browser.
pub const BOARD: BoardPage = BoardPage {
    scenes: |record, from| scenes_of(begin(record.start.as_deref())?, record, from, scene),
    player: |settings, start| {
        begin(start)?;
        Ok(Box::new(player(settings).verbose()))
    },
    analyst: |_| Box::new(Values { search: Search::new(Evaluation::hand_made()) }),
    mark: None,
    editor: None,
    refusal: no_refusal,
    has_attacks: false,
    goal: "Build the highest sum together: equal tiles of one colour merge to three times their value.",
    how: "Click an empty square to place a tile. To slide, click a strip beside the board, press an arrow key, or swipe.",
    lessons: LESSONS,
    rules: RulesPage {
        text: include_str!("../../../../docs/rules/6561.md"),
        drawings: &[("6561-slide.svg", include_str!("../../../../docs/rules/6561-slide.svg"))],
    },
};

/// Points at the middle of the score bar.
const HALF_BAR_POINTS: f32 = 1500.0;

fn scene(game: &Game) -> Scene {
    let position = game.position();
    let status = match end_text(game) {
        Some(how) => capitalised(&how),
        None => format!("{}; {} points so far", turn_text(game), game.score()),
    };
    let choice = |mv: &crate::games::g6561::game::Move| {
        let text = mv.to_string();
        Choice { spots: vec![text.clone()], text, written: None, is_risky: false }
    };
    let mut frame = page::frame(&[], game, game.score());
    frame.view = None;
    Scene {
        frame,
        status,
        moves: position.moves().iter().map(choice).collect(),
        end: ending(game),
        ..Scene::default()
    }
}

/// Analyst that values all moves by iterative deepening.
struct Values {
    search: Search,
}

impl Analyst for Values {
    fn analyse(&mut self, record: &Record, lines: usize, report: &mut Report) -> Result<()> {
        let game = game_of(record)?;
        let position = game.position();
        let main = main_colour(&game);
        let before = self.search.nodes();
        let deepest = MAX_DEPTH.min(MAX_PLIES - game.ply());
        for depth in 1..=deepest {
            let mut choices =
                self.search.rank_at(depth, position, main, REPLIES).unwrap_or_default();
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
