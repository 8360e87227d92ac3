use super::score_in_words;
use crate::tools::commands::play::by_hand::{self, HELP};
use crate::tools::labs::zero_point_one::ENTRY;

const RED: &str = "WFNADAAADDFDAAAA";
const BLUE: &str = "aaaadddaaadaffnw";

/// Runs a session. Returns its output on stdout and on the screen.
fn session(input: &str) -> (String, String) {
    by_hand::session(&ENTRY, &format!("Time 500\n{input}"))
}

#[test]
fn stdout_has_only_the_dialogue() {
    let (output, screen) = session(&format!("{RED}\nb1d1\nquit\nno\nb3d3\n"));
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.iter().map(|line| line.len()).collect::<Vec<_>>(), [16, 4]);
    assert!(screen.contains("red to move") && screen.contains("cupbot plays"), "{screen}");
    assert!(screen.contains(lines[1]), "{screen}");
    let (output, _) = session("Start\n");
    assert_eq!(output.trim_end().len(), 16);
}

#[test]
fn mistakes_are_explained_and_ignored() {
    let begin = format!("Opening {RED} {BLUE}\n");
    let mistakes = [
        ("b1b2", "dabbaba does not leap"),
        ("c1d1", "no piece"),
        ("Dd4", "in hand"),
        ("castle", "I don't know \"castle\". Type a move like b5d3 or Df8"),
        ("g1e1", "the piece on g1 is not red's"),
        ("b1d1 g5e5", "One move"),
        ("Time soon", "milliseconds"),
        ("Opening b1d1 b1d1", "Move 2"),
    ];
    for (mistake, reason) in mistakes {
        let (output, screen) = session(&format!("{begin}{mistake}\n"));
        assert!(output.is_empty(), "{output}");
        assert!(screen.replace('\n', " ").contains(reason), "{screen}");
        // The game is unchanged.
        let (output, _) = session(&format!("{begin}{mistake}\nb1d1\n"));
        assert_eq!(output.lines().count(), 1, "after {mistake}");
    }
}

#[test]
fn enter_takes_a_good_setup() {
    let (output, screen) = session("\n\nfoo\nzuniq\n");
    assert!(screen.contains("You take ") && output.trim_end().len() == 16, "{screen}");
    let (_, screen) = session("foo\nwfnadaaaddfdaaaa\n");
    assert!(screen.contains("I don't know \"foo\". Type a setup of 16 letters"), "{screen}");
    assert!(screen.contains("red to move"), "either case is read: {screen}");
}

#[test]
fn board_hands_and_last_move_are_shown() {
    let line = format!("Opening {RED} {BLUE} b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8");
    let (_, screen) = session(&line);
    let expected = "     1  2  3  4  5  6  7  8
  h  a  a  .  a  f  f  n  w  h    blue holds nothing
  g  a  a  a  a  d  d  d  a  g
  f  .  .  .  .  .  .  . [D] f
  e  .  .  .  .  .  .  .  .  e
  d  .  .  F  .  .  .  .  .  d
  c  .  .  a  .  .  .  .  .  c
  b  D  D  .  D  .  A  A  A  b
  a  W  F  N  A  D  A  A  A  a    red holds nothing
     1  2  3  4  5  6  7  8
9 moves made, the last one Df8; blue to move
";
    assert!(screen.contains(expected), "{screen}");
    let (_, screen) = session(&line.replace(" ac3 Df8", ""));
    assert!(screen.contains("red holds 1 D\n"), "{screen}");
    assert!(screen.contains("  d  .  . [F]") && screen.contains("  c  . ( ) . "), "{screen}");
}

#[test]
fn the_outcome_is_shown() {
    let line = format!("Opening {RED} {BLUE} b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8 c3a1\n");
    let (output, screen) = session(&format!("{line}Start\nhint\nmoves\na2b3\n"));
    assert!(output.is_empty(), "{output}");
    assert!(screen.matches("blue has captured the wazir and won").count() >= 3, "{screen}");
}

#[test]
fn hints_have_a_move_a_score_and_a_line() {
    let line = format!("Opening {RED} {BLUE} b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8\n");
    let (output, screen) = session(&format!("{line}hint\n"));
    assert!(output.is_empty(), "a hint plays nothing: {output}");
    assert!(screen.contains("c3a1  (Blue wins in 1 at depth"), "{screen}");
    let (_, screen) = session("hint\n");
    let (played, _) = session("Start\n");
    assert!(screen.contains(played.trim_end()), "{played} in {screen}");
    // Blue's hint is an answer to Red's setup.
    let (_, screen) = session("Start\nhint\n");
    let blue = screen.split_whitespace().find(|word| word.len() == 16 && word.contains('w'));
    assert!(blue.is_some(), "{screen}");
}

#[test]
fn undo_takes_back_both_moves() {
    let (output, screen) = session(&format!("{RED}\nb1d1\nundo\nb2d2\nundo\nundo\nundo\n{RED}\n"));
    let lengths: Vec<usize> = output.lines().map(str::len).collect();
    assert_eq!(lengths, [16, 4, 4, 16]);
    assert!(screen.contains("red to set up") && screen.contains("Nothing"), "{screen}");
}

#[test]
fn all_moves_are_listed() {
    let (_, screen) = session(&format!("moves\nOpening {RED} {BLUE}\nmoves\n"));
    assert!(screen.contains("Any setup") && screen.contains("moves (20):"), "{screen}");
    // Without the prompt, which is on the line of the input.
    let widest = screen.lines().filter_map(|line| Some(line.rsplit("> ").next()?.len())).max();
    assert!(widest <= Some(80), "{screen}");
}

#[test]
fn every_command_of_the_help_exists() {
    let is_command = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    for line in HELP.lines().filter(is_command) {
        let command = line.split_whitespace().next().expect("a word");
        let (_, screen) = session(&format!("Opening {RED} {BLUE}\n{command}\n"));
        assert!(!screen.contains("I don't know"), "{command}: {screen}");
    }
}

#[test]
fn a_score_near_zero_has_no_minus() {
    assert_eq!(score_in_words(-4), "+0.0 pieces for Red");
    assert_eq!(score_in_words(-80), "-0.8 pieces for Red");
}
