//! The replay page of Chess960.

use super::by_hand::{end_text, in_pawns, score_text, side_name};
use super::notation;
use super::note;
use super::replay::{game_of, is_over, number_text, stages};
use crate::engine::score::Score;
use crate::games::chess960::game::Game;
use crate::games::chess960::position::{castled, Position};
use crate::games::chess960::types::{Colour, Move};
use crate::tools::contracts::page::{capitalised, open_end, Frame, LastMove, Page, Story, View};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::score_note::{find, ScoreNote};
use anyhow::Result;
use serde_json::{json, Map, Value};

/// The page's entry for the command.
pub const PAGE: Page = Page {
    story,
    script: concat!(include_str!("../../square_board.js"), include_str!("board.js")),
    style: concat!(include_str!("../../square_board.css"), include_str!("board.css")),
    shapes: include_str!("shapes.svg"),
};

fn story(record: &Record) -> Result<Story> {
    let game = game_of(record)?;
    let notes = note::notes_of(record)?;
    let stages = stages(&game);
    let frames = stages.iter().enumerate().map(|(index, stage)| {
        let before = index.checked_sub(1).map(|at| (stages[at].position(), game.moves()[at]));
        let is_last = index == stages.len() - 1;
        // How the whole game ended, if a text ended it.
        frame(&notes, index, if is_last { &game } else { stage }, before)
    });
    let outcome = match game.outcome() {
        // The contest's rules do not end games of other programs.
        Some(outcome) if !record.is_foreign || is_over(game.position()) => {
            capitalised(&end_text(&outcome))
        }
        _ => open_end(record, &game),
    };
    Ok(Story {
        outcome,
        setups: None,
        beginning: "The first position",
        frames: frames.collect(),
        opening: Vec::new(),
    })
}

/// Returns the frame at a ply; `before` is the previous position with its move.
pub(super) fn frame(
    notes: &[ScoreNote],
    ply: usize,
    game: &Game,
    before: Option<(&Position, Move)>,
) -> Frame {
    let position = game.position();
    let mut board = Map::new();
    board.insert("board".to_string(), json!(position.board_text()));
    if position.checkers().any() {
        let king = position.king(position.side());
        board.insert("threat".to_string(), json!(king.to_string()));
    }
    if let Some((before, mv)) = before {
        describe_move(&mut board, before, mv);
    }
    let view = view(notes, ply, game);
    let best = view.as_ref().and_then(|view| view.line.as_ref()?.first());
    let best = best.and_then(|text| notation::parse_any(position, text).ok());
    if let Some(best) = best {
        let to = if best.is_castling() { castled(best.from(), best.to()).0 } else { best.to() };
        board.insert("best".to_string(), json!([best.from().to_string(), to.to_string()]));
    }
    Frame {
        ply,
        turn: game.outcome().is_none().then(|| position.side().index()),
        last: before.map(|(before, mv)| last_move(before, mv, find(notes, ply))),
        view,
        board,
    }
}

/// A move for the script: number, squares, and the letters of the moving and the captured piece. Castling targets the
/// king's square.
fn describe_move(board: &mut Map<String, Value>, before: &Position, mv: Move) {
    let letter = |kind: crate::games::chess960::types::Kind, colour: Colour| match colour {
        Colour::White => kind.letter().to_ascii_uppercase(),
        Colour::Black => kind.letter(),
    };
    let side = before.side();
    let to = if mv.is_castling() { castled(mv.from(), mv.to()).0 } else { mv.to() };
    board.insert("number".to_string(), json!(number_text(before)));
    board.insert("from".to_string(), json!(mv.from().to_string()));
    board.insert("to".to_string(), json!(to.to_string()));
    board.insert("piece".to_string(), json!(letter(before.moved(mv), side)));
    if let Some(taken) = before.captured(mv) {
        board.insert("takes".to_string(), json!(letter(taken, !side)));
    }
}

fn last_move(before: &Position, mv: Move, note: Option<&ScoreNote>) -> LastMove {
    let words = |loss: Score| format!("{:.2} pawns", in_pawns(loss));
    LastMove {
        text: notation::san(before, mv),
        mover: before.side().index(),
        mark: note.and_then(|note| note.mark),
        cost: note.and_then(ScoreNote::cost).map(words),
        certain: note.is_some_and(|note| note.is_certain),
        why: None,
    }
}

/// Returns the record's note on the next move. A finished game needs no search.
fn view(notes: &[ScoreNote], ply: usize, game: &Game) -> Option<View> {
    let end = |height: f64, text: String| Some(View { height, text, ..View::default() });
    if notes.is_empty() {
        return None;
    }
    match game.outcome() {
        Some(outcome) if is_over(game.position()) || find(notes, ply + 1).is_none() => {
            match outcome.winner {
                Some(side) if side == Colour::White => {
                    end(1.0, format!("{} has won", side_name(side)))
                }
                Some(side) => end(-1.0, format!("{} has won", side_name(side))),
                None => end(0.0, "A draw".to_string()),
            }
        }
        _ => find(notes, ply + 1).map(|note| note.view(score_text(note.score))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::commands::replay::page;
    use crate::tools::labs::game_reader::parse;

    fn story_of(line: &str) -> Story {
        story(&parse(line).expect("readable").expect("a record")).expect("legal")
    }

    #[test]
    fn frames_show_san_and_castling_by_the_king() {
        let story = story_of("start518 e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1h1 f6e4");
        let frame = &story.frames[7];
        assert_eq!(frame.last.as_ref().map(|last| &*last.text), Some("O-O"));
        assert_eq!((&frame.board["from"], &frame.board["to"]), (&json!("e1"), &json!("g1")));
        assert_eq!((&frame.board["number"], frame.turn), (&json!("4."), Some(1)));
        let last = &story.frames[8];
        assert_eq!((&last.board["takes"], &last.board["piece"]), (&json!("P"), &json!("n")));
        assert_eq!(story.outcome, "8 moves, unfinished");
        let page = page(&parse("e4 e5").expect("readable").expect("a record")).expect("a page");
        assert!(page.contains("A game of Chess960") && page.contains("glyph-K"));
    }

    #[test]
    fn scores_of_a_match_become_a_curve_and_mate_ends_it() {
        let story = story_of(
            r#"{"rules":"chess960","moves":["start518","f2f3","e7e5","g2g4","d8h4"],"opening":1,
                "scores":[-20,35,null,29999]}"#
                .replace('\n', " ")
                .as_str(),
        );
        let texts: Vec<_> =
            story.frames.iter().map(|frame| frame.view.as_ref().map(|view| &*view.text)).collect();
        let expected = [
            Some("Score -0.20"),
            Some("Score -0.35"),
            None,
            Some("Black mates in 1"),
            Some("Black has won"),
        ];
        assert_eq!(texts, expected);
        assert_eq!(story.frames[4].board["threat"], json!("e1"));
        assert_eq!(story.outcome, "Black has given mate and won");
    }

    #[test]
    fn the_best_move_has_its_squares() {
        let story = story_of(
            r#"{"rules":"chess960","moves":["e2e4"],"analysis":[{"ply":1,"score":30,"line":["Nf3"]}]}"#,
        );
        assert_eq!(story.frames[0].board["best"], json!(["g1", "f3"]));
    }
}
