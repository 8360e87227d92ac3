//! The lessons.

use super::{Board, LINE};
use crate::common::board::Server;
use serde_json::Value;

#[test]
fn the_lessons_of_all_games_are_walked_through() {
    for game in ["zero-point-one", "zuniq", "6561", "chess960"] {
        let Some(page) = Board::at(game) else { return };
        assert_ne!(page.run("byId('goal').textContent.length > 20"), Value::Bool(false));
        page.click("#learn-button");
        page.until_text("task-number", "Lesson 1 of ");
        let title = page.poll("byId('task-number').textContent", Value::is_string);
        let count = title.as_str().and_then(|text| text.rsplit(' ').next());
        let count: usize = count.and_then(|count| count.parse().ok()).expect("a number");
        assert!((5..=8).contains(&count), "{game}");
        for index in 0..count {
            page.until_text("task-number", &format!("Lesson {} of {count}", index + 1));
            page.until_text("match", "A lesson is on the board.");
            page.until("!byId('puzzle-solve').disabled && !byId('puzzle-solve').hidden");
            page.until("byId('hint').disabled && byId('go').hidden");
            let lesson = serde_json::json!({ "game": game, "index": index });
            let solution = Server::shared().ask("lesson", &lesson)["moves"][0].clone();
            page.type_into("#move", &format!("{}\n", solution.as_str().expect("a move")));
            page.until_text("verdict", "Right.");
            page.click("#puzzle-next");
        }
        // The game is back after the last lesson.
        page.until("byId('task').hidden");
        page.until_text("match", "You ");
    }
}

#[test]
fn a_wrong_move_in_a_lesson_is_taken_back() {
    let Some(page) = Board::at("zero-point-one#lesson=4") else { return };
    page.until_text("task-text", "Capture the wazir.");
    page.type_into("#move", "a1a2\n");
    page.until_text("verdict", "No: Capture the wazir.");
    page.until_count(LINE, 0);
    page.click("#puzzle-solve");
    page.until_text("verdict", "The solution: c3c5");
    page.click("#puzzle-leave");
    page.until("byId('task').hidden");
}
