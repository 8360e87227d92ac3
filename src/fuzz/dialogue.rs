//! Dialogues of CodeCup with a judge whose lines may break the rules.

use crate::engine::clock::Clock;
use crate::engine::dialogue::{codecup, Player, Report};
use crate::engine::pipes::Input;
use crate::engine::rng::Rng;
use std::cell::RefCell;
use std::io::{self, BufRead, Read, Write};
use std::rc::Rc;

/// Maximum number of lines of the judge.
const MAX_LINES: usize = 24;

/// A test player of a CodeCup game whose game is visible.
pub trait Contestant: Player {
    /// Returns the texts of all legal moves; empty if the game is over.
    fn legal(&self) -> Vec<String>;
}

/// A judge whose lines may break the rules, at both ends of the player's pipes.
struct Judge {
    rng: Rng,
    /// The player's legal moves: before its answer its own, after it the opponent's.
    legal: Vec<String>,
    /// The bytes of the current line.
    line: Vec<u8>,
    /// Lines left to send.
    left: usize,
    /// Whether the last line was answered.
    is_answered: bool,
    /// Returns the text of any move, legal or not.
    any_move: fn(&mut Rng) -> String,
}

impl Judge {
    fn next_line(&mut self) -> String {
        let any_move = (self.any_move)(&mut self.rng);
        let legal = self.legal.get(self.rng.below(self.legal.len())).cloned();
        let last = String::from_utf8_lossy(&self.line).trim().to_string();
        match self.rng.below(12) {
            0 | 1 => any_move,
            2 => last,
            3 => format!("{} {}", any_move, any_move),
            4 => "?!".to_string(),
            // After the end of the game it continues.
            _ => legal.unwrap_or(any_move),
        }
    }
}

/// The player's end of a pipe from the judge.
struct FromJudge(Rc<RefCell<Judge>>, Vec<u8>);

impl Read for FromJudge {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for FromJudge {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let mut judge = self.0.borrow_mut();
        if self.1.is_empty() && judge.left > 0 {
            judge.left -= 1;
            judge.is_answered = false;
            let line = judge.next_line() + "\n";
            judge.line = line.clone().into_bytes();
            self.1 = line.into_bytes();
        }
        drop(judge);
        Ok(&self.1)
    }

    fn consume(&mut self, count: usize) {
        self.1.drain(..count);
    }
}

impl Input for FromJudge {}

/// The player's end of a pipe to the judge. Fails the test if a line is answered twice or by an illegal move.
struct ToJudge(Rc<RefCell<Judge>>);

impl Write for ToJudge {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut judge = self.0.borrow_mut();
        assert!(!judge.is_answered, "two answers to {:?}", String::from_utf8_lossy(&judge.line));
        judge.is_answered = true;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A player whose answers are checked.
struct Checked<P>(P, Rc<RefCell<Judge>>);

impl<P: Contestant> Player for Checked<P> {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.0.play(text)
    }

    fn force(&mut self, text: Option<&str>) -> bool {
        self.0.force(text)
    }

    fn answer(&mut self, clock: &Clock) -> Option<String> {
        let legal = self.0.legal();
        let answer = self.0.answer(clock);
        let bare = answer.as_ref().map(|text| text.trim_end_matches('!').to_string());
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
    let judge = Judge { rng, legal, line: Vec::new(), left, is_answered: false, any_move };
    let judge = Rc::new(RefCell::new(judge));
    let result = codecup::run(
        &mut Checked(player, Rc::clone(&judge)),
        &mut Clock::start(codecup::CONTEST.time),
        &mut FromJudge(Rc::clone(&judge), Vec::new()),
        &mut ToJudge(Rc::clone(&judge)),
        &mut io::sink(),
    );
    assert!(result.is_ok(), "{:?}", result);
    assert_eq!(judge.borrow().left, 0);
}
