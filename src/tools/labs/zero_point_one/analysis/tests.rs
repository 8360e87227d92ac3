use super::*;
use crate::tools::contracts::analysis::tests::options;
use crate::tools::contracts::record::for_first;
use crate::tools::labs::game_reader::parse;

#[test]
fn scores_are_for_red_whoever_moves() {
    let for_red = |score, side: Colour| for_first(score, side.into());
    assert_eq!(score_text(for_red(score::win_in(5), Colour::Blue)), "blue in 5");
    assert_eq!(score_text(for_red(score::lost_in(4), Colour::Blue)), "red in 4");
    assert_eq!(score_text(for_red(30, Colour::Blue)), "-30");
    assert_eq!(score_text(for_red(30, Colour::Red)), "+30");
}

#[test]
fn every_line_can_be_played_from_its_position() {
    let moves = "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3 a3c5 e5d3 c5a3 ad7";
    let record = parse(moves).expect("a record").expect("not empty");
    let game = game_of(&record).expect("legal");
    let options = options(&["--nodes", "2000", "--hash", "1", "--from", "3"]);
    let notes = notes(&game, &options).expect("notes");
    assert_eq!(notes.len(), 9);
    for note in &notes {
        assert!(!note.line.is_empty(), "ply {}", note.ply);
        let mut before = Game::new();
        for text in record.moves.iter().take(note.ply - 1).chain(&note.line) {
            before.play(text).unwrap_or_else(|error| panic!("ply {} {text}: {error}", note.ply));
        }
    }
    // The last note is on the final position of the record.
    assert_eq!(notes.last().map(|note| (note.ply, &note.mv, note.loss)), Some((11, &None, None)));
}
