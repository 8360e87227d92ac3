use super::*;
use crate::engine::clock::fake::FakeTime;
use crate::engine::clock::{Clock, TimeControl};
use crate::engine::dialogue::{Answer, Player, Protocol, Report};
use crate::engine::pipes::Input;
use crate::fuzz::{any_bytes, mutated};
use proptest::prelude::*;
use std::cell::RefCell;
use std::io::{self, BufReader, Write};
use std::rc::Rc;

/// Time budget unless the judge sets another one.
const BUDGET: Duration = Duration::from_secs(30);

fn clock() -> Clock {
    Clock::start(TimeControl::Game(BUDGET))
}

/// A player of a test game: the sides take turns counting up from 1, and the game is over at `end`.
#[derive(Default)]
struct Counter {
    count: u32,
    end: u32,
    /// Whether a rejected line is an error.
    is_strict: bool,
    /// Fake time that advances by 10 ms per answer.
    time: Option<Rc<FakeTime>>,
}

impl Counter {
    fn to(end: u32) -> Counter {
        Counter { end, ..Counter::default() }
    }
}

impl Player for Counter {
    fn play(&mut self, text: &str) -> Result<(), String> {
        let expected = self.count + 1;
        if text.parse() != Ok(expected) {
            return Err(format!("expected {}", expected));
        }
        self.count = expected;
        Ok(())
    }

    /// Counts on from any number below 1000.
    fn force(&mut self, text: Option<&str>) -> bool {
        let forced = text.map_or(Some(self.count + 1), |text| text.parse().ok());
        match forced.filter(|&count| !self.is_strict && count < 1000) {
            Some(count) => self.count = count,
            None => return false,
        }
        true
    }

    fn answer(&mut self, _: &Clock) -> Option<Answer> {
        if self.count == 13 {
            return None;
        }
        if let Some(time) = &self.time {
            time.work(10);
        }
        self.count += 1;
        Some(self.count.to_string().into())
    }

    fn is_over(&self) -> bool {
        self.count >= self.end
    }

    fn report(&self) -> Report {
        Report { text: format!("count {}", self.count), ..Report::default() }
    }
}

/// Transcript of a dialogue with a [`Counter`].
struct Transcript {
    sent: String,
    log: String,
    budget: Duration,
    result: Result<(), DialogueError>,
}

fn run_dialogue(end: u32, input: &[u8]) -> Transcript {
    run_with(run, Counter::to(end), &mut BufReader::with_capacity(3, input))
}

fn run_with(protocol: Protocol, mut player: Counter, input: &mut dyn Input) -> Transcript {
    let (mut sent, mut log) = (Vec::new(), Vec::new());
    let mut clock = clock();
    let session =
        Session { player: &mut player, clock: &mut clock, input, output: &mut sent, log: &mut log };
    let result = protocol(session);
    Transcript {
        sent: String::from_utf8(sent).expect("answers are ASCII"),
        log: String::from_utf8(log).expect("the log is ASCII"),
        budget: clock.budget(),
        result,
    }
}

/// Runs a dialogue without errors and returns the answers.
fn answers(input: &str) -> String {
    let transcript = run_dialogue(99, input.as_bytes());
    transcript.result.expect("a dialogue without errors");
    transcript.sent
}

/// Runs a dialogue that a strict player must reject, and returns the number of the line and the reason.
fn rejection(input: &str) -> (usize, String) {
    let player = Counter { is_strict: true, ..Counter::to(99) };
    match run_with(run, player, &mut input.as_bytes()).result {
        Err(DialogueError::Line { number, reason, .. }) => (number, reason),
        other => panic!("{:?} for {:?}", other, input),
    }
}

/// Returns what [`rejection`] returns if the line with this number is rejected.
fn at(number: usize, rejection: Rejection) -> (usize, String) {
    (number, rejection.to_string())
}

#[test]
fn answers_as_the_first_and_as_the_second_player() {
    assert_eq!(answers("Start\n2\n4\nQuit\n"), "1\n3\n5\n");
    assert_eq!(answers("1\n3\nQuit\n"), "2\n4\n");
}

#[test]
fn blanks_and_line_ends_do_not_matter() {
    let expected = "1\n3\n";
    for input in [
        "Start\n2\nQuit\n",
        "Start\r\n2\r\nQuit\r\n",
        "\n\r\n  \nStart\n\n\t\n2\n\nQuit",
        "  Start \n\t2  \r\n Quit  \n",
        "Start\n2",
        "Start\n2\n",
        "Start\n2\r",
        "\u{feff}Start\n2\n",
        "START\n2\nquit\n4\n",
    ] {
        assert_eq!(answers(input), expected, "{:?}", input);
    }
}

#[test]
fn greetings_assign_the_sides() {
    for (input, expected) in [("A\n2\n", "1\n3\n"), ("B\n1\n", "2\n"), ("start\n2\n", "1\n3\n")] {
        for input in [input.to_string(), input.to_ascii_lowercase()] {
            let transcript = run_with(run_with_sides, Counter::to(99), &mut input.as_bytes());
            transcript.result.expect("no error");
            assert_eq!(transcript.sent, expected);
        }
    }
}

#[test]
fn quit_and_the_end_of_input_are_accepted_anywhere() {
    let lines = ["Time 1000", "Opening 1 2", "3", "5"];
    for count in 0..=lines.len() {
        let begin: String = lines[..count].iter().map(|line| format!("{}\n", line)).collect();
        let expected = answers(&begin);
        assert_eq!(expected.lines().count(), count.saturating_sub(2));
        assert_eq!(answers(&format!("{}Quit\n", begin)), expected);
        assert_eq!(answers(&format!("{}Quit", begin)), expected);
        assert_eq!(answers(&format!("{}Quit\n7\nnonsense\n", begin)), expected);
        assert_eq!(answers(begin.trim_end()), expected);
    }
}

#[test]
fn time_sets_the_budget() {
    assert_eq!(run_dialogue(9, b"Quit\n").budget, BUDGET);
    assert_eq!(run_dialogue(9, b"Time 1234\nQuit\n").budget, Duration::from_millis(1234));
    for line in ["Time", "Time x", "Time 0", "Time -5", "Time 1.5", "Time 1 2", "Time 1e3"] {
        assert_eq!(rejection(line), at(1, Rejection::TimeForm), "{}", line);
    }
    assert_eq!(rejection("Time 99999999999999999999"), at(1, Rejection::TimeForm));
}

#[test]
fn an_opening_is_played_and_not_answered() {
    assert_eq!(answers("Opening 1 2\nStart\n4\n"), "3\n5\n");
    assert_eq!(answers("Opening 1 2\n3\n"), "4\n");
    assert_eq!(answers("Opening\nStart\n"), "1\n");
    let reason = Rejection::Opening(3, "4".to_string(), "expected 3".to_string());
    assert_eq!(rejection("\nOpening 1 2 4\n"), at(2, reason));
}

#[test]
fn strict_players_reject_bad_moves() {
    let expected = |number: u32| Rejection::Move(format!("expected {}", number));
    assert_eq!(rejection("Start\n2 4\n"), at(2, expected(2)));
    assert_eq!(rejection("Start now\n"), at(1, expected(1)));
    assert_eq!(rejection("Start\n3\n"), at(2, expected(2)));
}

#[test]
fn a_disputed_move_is_made_and_answered() {
    for (input, sent, log) in [
        ("Start\n7\n9\n", "1\n8\n10\n", "continuing despite line 2 \"7\": expected 2"),
        ("3\n5\n", "4\n6\n", "continuing despite line 1 \"3\": expected 1"),
        // The move before is not known.
        ("Start\n2 x\n4\n", "1\n3\n5\n", "continuing despite line 2 \"2 x\": expected 2"),
    ] {
        let transcript = run_dialogue(99, input.as_bytes());
        assert!(transcript.result.is_ok());
        assert_eq!(transcript.sent, sent);
        assert!(transcript.log.contains(log), "{}", transcript.log);
    }
}

/// Input that is known to be available.
struct Available<'a>(&'a [u8]);

impl io::Read for Available<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl io::BufRead for Available<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

impl Input for Available<'_> {
    fn has_input(&mut self) -> bool {
        !self.0.is_empty()
    }
}

#[test]
fn garbage_before_an_answer_is_skipped() {
    let mut input = Available(b"Start\nx\n2\n1 2\n4\n");
    let transcript = run_with(run, Counter::to(99), &mut input);
    assert!(transcript.result.is_ok());
    assert_eq!(transcript.sent, "1\n3\n5\n");
    assert_eq!(transcript.log.matches("ignored: line ").count(), 2, "{}", transcript.log);
    // The opponent's last move ended the game, so it stays unanswered.
    let transcript = run_dialogue(4, b"Start\n2\n4\nx\n6\n");
    assert_eq!(transcript.sent, "1\n3\n");
}

#[test]
fn harmless_lines_are_ignored() {
    let cases = [
        ("Start\nStart\n2\n", "1\n3\n", "line 2 \"Start\": the game has begun already"),
        ("1\nStart\n3\n", "2\n4\n", "line 2 \"Start\": the game has begun already"),
        ("Start\nTime 1000\n2\n", "1\n3\n", "line 2 \"Time 1000\": too late"),
        ("1\nOpening 1\n3\nQuit\n", "2\n4\n", "line 2 \"Opening 1\": too late"),
    ];
    for (input, sent, log) in cases {
        let transcript = run_dialogue(99, input.as_bytes());
        assert!(transcript.result.is_ok(), "{:?}", input);
        assert_eq!(transcript.sent, sent, "{:?}", input);
        assert_eq!(transcript.budget, BUDGET);
        assert!(transcript.log.contains(&format!("ignored: {}", log)), "{}", transcript.log);
    }
}

#[test]
fn errors_are_one_line_without_control_characters() {
    let inputs: [&[u8]; 6] = [
        b"Start\n3\n",
        b"Start\n\x1b[2J\x07\n",
        b"\xff\xfe\0\n",
        b"Opening 1 \x0bx\n",
        b"Time \xc3\xa9\n",
        b"Start\rStart\n",
    ];
    for input in inputs {
        let player = Counter { is_strict: true, ..Counter::to(99) };
        let result = run_with(run, player, &mut BufReader::new(input)).result;
        let error = result.expect_err("a bad line").to_string();
        assert!(error.starts_with("line ") && error.contains("expected"), "{}", error);
        assert!(!error.chars().any(char::is_control), "{:?}", error);
    }
}

#[test]
fn a_long_line_is_garbage_and_truncated() {
    let longest = format!("Opening{}1\nStart\n", " ".repeat(MAX_LINE as usize - 8));
    assert_eq!(answers(&longest), "2\n");
    let longer = format!("Opening{}1\nStart\n", " ".repeat(MAX_LINE as usize - 7));
    assert_eq!(rejection(&longer), at(1, Rejection::TooLong));
    let transcript = run_dialogue(9, &[&[b'x'; 100_000][..], b"\n3\n"].concat());
    assert_eq!(transcript.sent, "2\n4\n");
    let Transcript { log, .. } = transcript;
    assert!(log.len() < 300 && log.contains("xxx...\": line too long"), "{}", log);
}

#[test]
fn a_finished_game_waits_for_quit() {
    let stuck = "Opening 1 2 3 4 5 6 7 8 9 10 11 12\n13\nQuit\n";
    for (end, input, sent, log) in [
        (3, "Start\n2\nQuit\n", "1\n3\n", ""),
        // The opponent's last move ends the game, so there is no answer.
        (4, "Start\n2\n4\n\nQuit\n", "1\n3\n", "over"),
        // Without a legal move nothing is sent.
        (99, stuck, "", "no move"),
    ] {
        let transcript = run_dialogue(end, input.as_bytes());
        assert!(transcript.result.is_ok(), "{:?}", input);
        assert_eq!(transcript.sent, sent);
        assert!(transcript.log.contains(log), "{}", transcript.log);
    }
}

#[test]
fn one_line_is_logged_per_answer() {
    let transcript = run_dialogue(99, b"Start\n2\n4\n");
    let lines: Vec<&str> = transcript.log.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[2].starts_with("count 5 used "), "{}", lines[2]);
}

/// An output that accepts this many bytes and then fails.
struct ClosedAfter(usize);

impl Write for ClosedAfter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_ends_the_game_without_error() {
    for taken in 0..4 {
        let mut player = Counter::to(99);
        let (clock, input) = (&mut clock(), &mut &b"Start\n2\n4\n6\n8\n"[..]);
        let (output, log) = (&mut ClosedAfter(taken), &mut ClosedAfter(0));
        let result = run(Session { player: &mut player, clock, input, output, log });
        assert!(result.is_ok());
        assert!(player.count < 8, "{} bytes accepted, continued to {}", taken, player.count);
    }
}

/// A judge that suspends the player's process as soon as it has read an answer.
struct SuspendingJudge {
    time: Rc<FakeTime>,
    /// Charges and answers in the order of writing.
    events: Rc<RefCell<Vec<String>>>,
}

impl Write for SuspendingJudge {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.events.borrow_mut().push(String::from_utf8_lossy(bytes).trim_end().to_string());
        self.time.sleep(100_000);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn time_is_charged_before_the_answer_is_written() {
    let (time, events) = (Rc::new(FakeTime::start()), Rc::new(RefCell::new(Vec::new())));
    let mut player = Counter { end: 99, time: Some(Rc::clone(&time)), ..Counter::default() };
    let mut clock = clock();
    let books = Rc::clone(&events);
    clock.set_log(Box::new(move |charge| {
        books.borrow_mut().push(format!("{} ms", charge.as_millis()))
    }));
    let output = &mut SuspendingJudge { time, events: Rc::clone(&events) };
    let (input, log) = (&mut &b"Start\n2\n4\nQuit\n"[..], &mut Vec::new());
    run(Session { player: &mut player, clock: &mut clock, input, output, log }).expect("no error");
    assert_eq!(*events.borrow(), ["10 ms", "1", "10 ms", "3", "10 ms", "5"]);
    assert_eq!(clock.spent(), Duration::from_millis(30));
}

/// An input that fails when read.
struct BrokenInput;

impl io::Read for BrokenInput {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn a_failing_input_is_an_error() {
    let (player, clock) = (&mut Counter::to(99), &mut clock());
    let input = &mut BufReader::new(BrokenInput);
    let (output, log) = (&mut Vec::new(), &mut Vec::new());
    let result = run(Session { player, clock, input, output, log });
    assert!(matches!(result, Err(DialogueError::Io(_))));
}

proptest! {
    #[test]
    fn any_input_is_executed_or_rejected(input in prop_oneof![
        any_bytes(200),
        mutated(b"Time 500\nOpening 1 2\nStart\n4\n6\n8\nQuit\n".to_vec()),
        mutated(b"1\n3\n5\nTime 20\n7\n9\n11\n13\nQuit\n".to_vec()),
        "(Start|Quit|Opening 1 2|Time|-?[0-9]{1,22}|Time [0-9]{1,22}|\n|\r\n|\t| |\0|é|\u{fe0f}){0,20}"
            .prop_map(String::into_bytes),
    ]) {
        let transcript = run_dialogue(9, &input);
        // There are at most as many answers as lines, and each is a number.
        let lines = input.split(|&byte| byte == b'\n').count();
        prop_assert!(transcript.sent.lines().count() <= lines);
        prop_assert!(transcript.sent.lines().all(|answer| answer.parse::<u32>().is_ok()));
        if let Err(DialogueError::Line { number, text, reason }) = &transcript.result {
            let text_in_lower_case = text.to_ascii_lowercase();
            prop_assert!(["time", "opening"].iter().any(|word| text_in_lower_case.contains(word)));
            prop_assert!((1..=lines).contains(number) && !reason.is_empty());
            prop_assert!(text.chars().count() < 100);
            prop_assert!(!reason.contains('\n') && !text.contains('\n'));
        }
        // Any budget can be divided.
        let allotted = crate::engine::clock::allot(transcript.budget, Duration::ZERO, 40.0);
        prop_assert!(allotted.soft <= allotted.hard && allotted.hard <= transcript.budget);
    }
}
