use super::*;
use crate::engine::clock::{Clock, TimeControl};
use crate::engine::dialogue::{Player, Report};
use crate::fuzz::{any_bytes, mutated};
use proptest::prelude::*;
use std::io::BufReader;
use std::time::Duration;

const TIME: TimeControl = TimeControl::Move {
    first: Duration::from_secs(1),
    later: Duration::from_millis(50),
    reserve: Duration::from_millis(8),
};

/// Answer of a player that panics.
const PANIC: Option<&str> = Some("panic");

/// A player that records the turns and always returns the same answer.
#[derive(Default)]
struct FixedPlayer {
    /// A move, and a comment after a blank.
    reply: Option<&'static str>,
    turns: Vec<Turn>,
    prepared: usize,
    constants: Vec<String>,
}

impl Player for FixedPlayer {
    fn play(&mut self, _: &str) -> Result<(), String> {
        Ok(())
    }

    fn follow(&mut self, turn: &Turn) -> Result<(), String> {
        assert_ne!(self.reply, PANIC);
        self.turns.push(turn.clone());
        Ok(())
    }

    fn answer(&mut self, _: &Clock) -> Option<Answer> {
        let (mv, comment) = self.reply.map(|text| text.split_once(' ').unwrap_or((text, "")))?;
        Some(Answer { mv: mv.to_string(), comment: comment.to_string() })
    }

    fn is_over(&self) -> bool {
        false
    }

    fn report(&self) -> Report {
        Report::default()
    }

    fn prepare(&mut self, _: &Clock) {
        self.prepared += 1;
        assert_ne!(self.reply, PANIC);
    }

    fn set_constant(&mut self, name: &str, value: &str) {
        self.constants.push(format!("{}={}", name, value));
    }
}

struct Transcript {
    sent: String,
    log: String,
    turns: Vec<Turn>,
    constants: Vec<String>,
    ended: Result<(), DialogueError>,
}

fn run_dialogue(reply: Option<&'static str>, input: &[u8]) -> Transcript {
    let mut player = FixedPlayer { reply, ..FixedPlayer::default() };
    let (mut sent, mut log) = (Vec::new(), Vec::new());
    let (clock, input) = (&mut Clock::start(TIME), &mut BufReader::new(input));
    let session = Session { player: &mut player, clock, input, output: &mut sent, log: &mut log };
    let ended = run(session);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    assert!(player.prepared <= 1);
    let FixedPlayer { turns, constants, .. } = player;
    Transcript { sent: text(sent), log: text(log), turns, constants, ended }
}

const CONSTANTS: &str = "2\ncrazyHouse 0\nmaxMoves 125\n";
const BLOCK: &str = "8/8/8/8/8/8/8/8 w - - 0 1\n3\ne2e4\na7a8q\ne1h1\nd7d5\n1\n2\n0 2\n";

#[test]
fn blank_lines_before_and_between_blocks_are_skipped() {
    let input = ["\n \n", CONSTANTS, "\n", BLOCK, "\n\r\n\n", BLOCK, "\n"].concat();
    let transcript = run_dialogue(Some("e1h1"), input.as_bytes());
    assert!(transcript.ended.is_ok());
    assert_eq!(
        (transcript.sent, transcript.log.as_str()),
        (format!("{}\ne1h1\ne1h1\n", INPUTS), "")
    );
}

#[test]
fn every_block_is_answered() {
    let input = [CONSTANTS, BLOCK, &BLOCK.replace("d7d5\n1", "none\n0")].concat();
    let transcript = run_dialogue(Some("e1h1 depth 12"), input.as_bytes());
    assert!(transcript.ended.is_ok());
    assert_eq!(transcript.sent, format!("{}\ne1h1 depth 12\ne1h1 depth 12\n", INPUTS));
    assert_eq!(transcript.log, "");
    let turn = Turn {
        position: "8/8/8/8/8/8/8/8 w - - 0 1".to_string(),
        moves: ["e2e4", "a7a8q", "e1h1"].map(String::from).to_vec(),
        last_move: Some("d7d5".to_string()),
        is_draw_offered: true,
        game: 2,
        score: [0, 2],
    };
    let second = Turn { last_move: None, is_draw_offered: false, ..turn.clone() };
    assert_eq!(transcript.turns, [turn, second]);
    assert_eq!(transcript.constants, ["crazyHouse=0", "maxMoves=125"]);
}

#[test]
fn only_listed_moves_and_offered_draws_are_sent() {
    let offered = [CONSTANTS, BLOCK].concat();
    let not_offered = offered.replace("\n1\n2\n", "\n0\n2\n");
    let upper_case = offered.replacen("a7a8q", "a7a8Q", 1);
    let long = "a7a8q 0123456789012345678901234567890123456789";
    let cases = [
        (Some("draw"), &offered, "draw", true),
        (Some("draw"), &not_offered, "e2e4", false),
        (Some("e2e5"), &offered, "e2e4", false),
        (Some(""), &offered, "e2e4", false),
        (None, &offered, "e2e4", false),
        // In the judge's spelling.
        (Some("a7a8q depth 12"), &upper_case, "a7a8Q depth 12", true),
        (Some(long), &offered, &long[..6 + MAX_COMMENT], true),
    ];
    for (reply, input, expected, is_quiet) in cases {
        let transcript = run_dialogue(reply, input.as_bytes());
        assert_eq!(transcript.sent.lines().last(), Some(expected));
        assert_eq!(transcript.log.is_empty(), is_quiet, "{}", transcript.log);
    }
}

#[test]
fn a_panicking_player_plays_the_first_move() {
    let input = [CONSTANTS, BLOCK, &BLOCK.replacen("e2e4", "b1c3", 1)].concat();
    let transcript = run_dialogue(PANIC, input.as_bytes());
    transcript.ended.expect("played to the end");
    assert_eq!(transcript.sent, format!("{}\ne2e4\nb1c3\n", INPUTS));
    assert_eq!(transcript.log.matches("panicked").count(), 3);
}

#[test]
fn a_malformed_block_is_answered() {
    let wrong = [
        ("8/8/8/8/8/8/8/8 w - - 0 1\n", "nonsense\n"),
        ("\n3\n", "\nthree\n"),
        ("\n3\n", "\n-3\n"),
        ("a7a8q", "a7 a8 q"),
        ("d7d5", "?"),
        ("\n1\n2\n", "\nx\n2\n"),
        ("\n1\n2\n", "\n1\nzwei\n"),
        ("\n0 2\n", "\n0\n"),
        ("\n0 2\n", "\n"),
        ("\n2\n0 2\n", "\n"),
        ("\nd7d5\n1\n2\n0 2\n", "\n"),
    ];
    for (from, to) in wrong {
        let input = format!("{}{}", CONSTANTS, BLOCK.replacen(from, to, 1));
        let transcript = run_dialogue(Some("e2e4"), input.as_bytes());
        assert!(transcript.ended.is_ok(), "{} {:?}", to, transcript.ended);
        assert_eq!(transcript.sent, format!("{}\ne2e4\n", INPUTS), "{:?}", to);
        // The position is checked by the player, not by the protocol.
        let lines = if to == "nonsense\n" { 0 } else { 1 };
        assert_eq!(transcript.log.lines().count(), lines, "{:?}: {}", to, transcript.log);
    }
}

#[test]
fn a_block_without_moves_gets_the_players_move() {
    let none = format!("{}8/8/8/8/8/8/8/8 w - - 0 1\n0\nnone\n0\n1\n0 0\n", CONSTANTS);
    let transcript = run_dialogue(Some("e2e4"), none.as_bytes());
    transcript.ended.expect("the player answers");
    assert_eq!(transcript.sent, format!("{}\ne2e4\n", INPUTS));
    assert!(transcript.log.contains("expected a number"), "{}", transcript.log);
    for input in ["", CONSTANTS, "2\n", "x\n", "999999999999\n"] {
        assert!(run_dialogue(None, input.as_bytes()).ended.is_ok(), "{:?}", input);
    }
}

proptest! {
    #[test]
    fn any_input_is_processed_to_its_end(input in prop_oneof![
        any_bytes(400),
        mutated([CONSTANTS, BLOCK, BLOCK].concat().into_bytes()),
    ]) {
        let transcript = run_dialogue(Some("e2e4"), &input);
        for line in transcript.sent.lines().skip(1) {
            prop_assert!(!line.is_empty());
        }
    }
}
