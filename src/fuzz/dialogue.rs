//! Dialogues with a judge whose lines may break the rules.

use crate::engine::clock::{Clock, TimeControl};
use crate::engine::dialogue::{codecup, codingame, Answer, Player, Report, Session, Turn};
use crate::engine::pipes::Input;
use crate::engine::rng::Rng;
use std::cell::RefCell;
use std::io::{self, BufRead, Read, Write};
use std::rc::Rc;
use std::time::Duration;

/// Maximum number of lines of CodeCup's judge, and of turns of CodinGame's.
const MAX_LINES: usize = 24;

/// Defines two tests of a function that runs the dialogue with a seed: a quick one and a thorough one.
macro_rules! disputed_dialogues {
    ($run:ident) => {
        #[test]
        fn disputed_dialogues_are_answered() {
            (0..20).for_each($run);
        }

        #[test]
        #[ignore = "takes minutes"]
        fn ten_thousand_disputed_dialogues_are_answered() {
            (0..10_000).for_each($run);
        }
    };
}

pub(crate) use disputed_dialogues;

/// A test player of a CodeCup game whose game is visible.
pub trait Contestant: Player {
    /// Returns the texts of all legal moves; empty if the game is over.
    fn legal(&self) -> Vec<String>;
}

/// A judge at both ends of the player's pipes.
trait Judge {
    /// Returns the next lines, which must be answered at most once; empty at the end of the input.
    fn say(&mut self) -> String;

    /// Checks an answer.
    fn hear(&mut self, answer: &str);
}

/// The player's end of a pipe from the judge.
struct FromJudge<J>(Rc<RefCell<J>>, Vec<u8>);

impl<J: Judge> Read for FromJudge<J> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<J: Judge> BufRead for FromJudge<J> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.1.is_empty() {
            self.1 = self.0.borrow_mut().say().into_bytes();
        }
        Ok(&self.1)
    }

    fn consume(&mut self, count: usize) {
        self.1.drain(..count);
    }
}

impl<J: Judge> Input for FromJudge<J> {}

/// The player's end of a pipe to the judge.
struct ToJudge<J>(Rc<RefCell<J>>);

impl<J: Judge> Write for ToJudge<J> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().hear(std::str::from_utf8(bytes).expect("text").trim_end());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Judge of a CodeCup game whose lines may break the rules.
struct Disputer {
    rng: Rng,
    /// The player's legal moves: before its answer its own, after it the opponent's.
    legal: Vec<String>,
    line: String,
    /// Lines left to send.
    left: usize,
    /// Whether the last line was answered.
    is_answered: bool,
    /// Returns the text of any move, legal or not.
    any_move: fn(&mut Rng) -> String,
}

impl Judge for Disputer {
    fn say(&mut self) -> String {
        if self.left == 0 {
            return String::new();
        }
        self.left -= 1;
        self.is_answered = false;
        let any_move = (self.any_move)(&mut self.rng);
        let legal = self.legal.get(self.rng.below(self.legal.len())).cloned();
        self.line = match self.rng.below(12) {
            0 | 1 => any_move,
            2 => self.line.trim().to_string(),
            3 => format!("{} {}", any_move, any_move),
            4 => "?!".to_string(),
            // After the end of the game it continues.
            _ => legal.unwrap_or(any_move),
        } + "\n";
        self.line.clone()
    }

    fn hear(&mut self, _: &str) {
        assert!(!self.is_answered, "two answers to {:?}", self.line);
        self.is_answered = true;
    }
}

/// A player whose answers are checked.
struct Checked<P>(P, Rc<RefCell<Disputer>>);

impl<P: Contestant> Player for Checked<P> {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.0.play(text)
    }

    fn force(&mut self, text: Option<&str>) -> bool {
        self.0.force(text)
    }

    fn answer(&mut self, clock: &Clock) -> Option<Answer> {
        let legal = self.0.legal();
        let answer = self.0.answer(clock);
        let bare = answer.as_ref().map(|answer| answer.mv.trim_end_matches('!').to_string());
        assert_eq!(bare.is_none(), legal.is_empty(), "{:?} of {:?}", answer, legal);
        assert!(bare.is_none_or(|bare| legal.contains(&bare)), "{:?} of {:?}", answer, legal);
        self.1.borrow_mut().legal = self.0.legal();
        answer
    }

    fn is_over(&self) -> bool {
        assert!(!self.0.is_over() || self.0.legal().is_empty());
        self.0.is_over()
    }

    fn report(&self) -> Report {
        self.0.report()
    }
}

/// Runs a dialogue of CodeCup in which about a third of the judge's lines break the rules, after up to `max_plies`
/// random legal moves. The player must answer every line at most once, with legal moves, until the end of the input.
pub fn disputed_dialogue<P: Contestant>(
    mut player: P,
    seed: u64,
    max_plies: usize,
    any_move: fn(&mut Rng) -> String,
) {
    let mut rng = Rng::new(seed);
    for _ in 0..rng.below(max_plies + 1) {
        let legal = player.legal();
        if let Some(text) = legal.get(rng.below(legal.len())) {
            assert_eq!(player.play(text), Ok(()));
        }
    }
    let left = 1 + rng.below(MAX_LINES);
    let legal = player.legal();
    let judge = Disputer { rng, legal, line: String::new(), left, is_answered: false, any_move };
    let judge = Rc::new(RefCell::new(judge));
    let result = codecup::run(Session {
        player: &mut Checked(player, Rc::clone(&judge)),
        clock: &mut Clock::start(codecup::CONTEST.time),
        input: &mut FromJudge(Rc::clone(&judge), Vec::new()),
        output: &mut ToJudge(Rc::clone(&judge)),
        log: &mut io::sink(),
    });
    assert!(result.is_ok(), "{:?}", result);
    assert_eq!(judge.borrow().left, 0);
}

/// Time control of the players of CodinGame, which search by nodes.
const TIME: TimeControl = TimeControl::Move {
    first: Duration::from_secs(1),
    later: Duration::from_secs(1),
    reserve: Duration::ZERO,
};

/// Lines that replace a line of a turn. None is a number of moves.
const GARBAGE: [&str; 7] = ["?!", "x y", "none", "a1a1", "h8h1q", "-1", "9999999999999999999"];

/// Returns the lines of a turn as CodinGame's judge sends them.
fn lines_of(turn: &Turn) -> Vec<String> {
    let mut lines = vec![turn.position.clone(), turn.moves.len().to_string()];
    lines.extend(turn.moves.iter().cloned());
    lines.push(turn.last_move.clone().unwrap_or_else(|| "none".to_string()));
    lines.push(u8::from(turn.is_draw_offered).to_string());
    lines.push(turn.game.to_string());
    lines.push(format!("{} {}", turn.score[0], turn.score[1]));
    lines
}

/// Judge of a CodinGame match. A third of its turns have a line of [`GARBAGE`].
struct TurnJudge<F> {
    rng: Rng,
    /// Returns the next turn, given the last answer.
    next_turn: F,
    /// The moves of the current turn; one of them may be replaced in its lines.
    moves: Vec<String>,
    /// The lines of the current turn; empty before the first one.
    lines: Vec<String>,
    /// The last answer; `None` if the current turn was not answered.
    answer: Option<String>,
    /// Turns left to send.
    left: usize,
}

impl<F: FnMut(&mut Rng, &str) -> Turn> Judge for TurnJudge<F> {
    fn say(&mut self) -> String {
        let answer = self.answer.take();
        assert!(answer.is_some(), "no answer to {:?}", self.lines);
        if self.left == 0 {
            self.answer = answer;
            return String::new();
        }
        self.left -= 1;
        let turn = (self.next_turn)(&mut self.rng, &answer.unwrap_or_default());
        self.lines = lines_of(&turn);
        self.moves = turn.moves;
        if self.rng.below(3) == 0 {
            let index = self.rng.below(self.lines.len());
            self.lines[index] = GARBAGE[self.rng.below(GARBAGE.len())].to_string();
        }
        self.lines.join("\n") + "\n"
    }

    fn hear(&mut self, answer: &str) {
        assert_eq!(self.answer, None, "two answers to {:?}", self.lines);
        let mv = answer.split(' ').next().unwrap_or_default().to_string();
        let is_accepted =
            mv == "draw" && self.lines.iter().rev().nth(2).is_some_and(|line| line == "1");
        // If the only move is unreadable, the player finds it by the rules.
        let is_known = self.lines.contains(&mv) || self.moves == [mv.as_str()];
        assert!(is_accepted || is_known, "{:?} of {:?}", answer, self.lines);
        self.answer = Some(mv);
    }
}

/// Runs a dialogue of CodinGame with the turns that `next_turn` returns for the last answer, of which a third have a
/// line that breaks the protocol. The player must answer every turn exactly once, by one of its moves.
pub fn disputed_match<P: Player>(
    mut player: P,
    seed: u64,
    next_turn: impl FnMut(&mut Rng, &str) -> Turn,
) {
    let mut rng = Rng::new(seed);
    let left = 1 + rng.below(MAX_LINES);
    // The constants are the first turn, which the player answers by the inputs that it wants.
    let lines = codingame::INPUTS.split(' ').map(str::to_string).collect();
    let judge = TurnJudge { rng, next_turn, moves: Vec::new(), lines, answer: None, left };
    let judge = Rc::new(RefCell::new(judge));
    let result = codingame::run(Session {
        player: &mut player,
        clock: &mut Clock::start(TIME),
        input: &mut FromJudge(Rc::clone(&judge), b"1\nmaxMoves 125\n".to_vec()),
        output: &mut ToJudge(Rc::clone(&judge)),
        log: &mut io::sink(),
    });
    assert!(result.is_ok(), "{:?}", result);
    assert_eq!(judge.borrow().left, 0);
}
