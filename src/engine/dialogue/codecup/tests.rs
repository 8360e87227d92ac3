use super::*;
use crate::engine::clock::fake::FakeTime;
use crate::engine::clock::TimeControl;
use crate::engine::dialogue::Report;
use crate::engine::rng::Rng;
use crate::mutated::{any_bytes, mutated};
use proptest::prelude::*;
use std::cell::RefCell;
use std::io::{self, BufReader};
use std::rc::Rc;

/// The budget of these games unless the judge sets another.
const BUDGET: Duration = Duration::from_secs(30);

fn clock() -> Clock {
    Clock::start(TimeControl::Game(BUDGET))
}

/// A game for these tests: the sides count up from 1 in turn, and whoever says `END` has finished
/// it.
#[derive(Default)]
struct Counter {
    count: u32,
    end: u32,
    /// What it moves by 10 ms for an answer.
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

    fn answer(&mut self, _: &Clock) -> Option<String> {
        if self.count == 13 {
            return None;
        }
        if let Some(time) = &self.time {
            time.work(10);
        }
        self.count += 1;
        Some(self.count.to_string())
    }

    fn is_over(&self) -> bool {
        self.count >= self.end
    }

    fn report(&self) -> Report {
        Report { text: format!("count {}", self.count), ..Report::default() }
    }
}

/// What a dialogue with a counter said and logged, and how it ended.
struct Held {
    said: String,
    log: String,
    budget: Duration,
    result: Result<(), DialogueError>,
}

fn hold(end: u32, input: &[u8]) -> Held {
    let (mut said, mut log) = (Vec::new(), Vec::new());
    let mut clock = clock();
    let mut player = Counter::to(end);
    let mut input = BufReader::with_capacity(3, input);
    let result = run(&mut player, &mut clock, &mut input, &mut said, &mut log);
    Held {
        said: String::from_utf8(said).expect("answers are ASCII"),
        log: String::from_utf8(log).expect("the log is ASCII"),
        budget: clock.budget(),
        result,
    }
}

/// The answers to an input that must be obeyed to its end.
fn answers(input: &str) -> String {
    let held = hold(99, input.as_bytes());
    held.result.expect("a dialogue without fault");
    held.said
}

/// The line that ends an input which must fail, and why.
fn refusal(input: &str) -> (usize, String) {
    match hold(99, input.as_bytes()).result {
        Err(DialogueError::Line { number, reason, .. }) => (number, reason),
        other => panic!("{:?} for {:?}", other, input),
    }
}

/// What [`refusal`] returns for a line that is refused so.
fn at(number: usize, refusal: Refusal) -> (usize, String) {
    (number, refusal.to_string())
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
    ] {
        assert_eq!(answers(input), expected, "{:?}", input);
    }
}

#[test]
fn start_means_the_first_side() {
    for (input, said) in [("A\n2\n", "1\n3\n"), ("B\n1\n", "2\n"), ("Start\n2\n", "1\n3\n")] {
        let (mut heard, mut log) = (Vec::new(), Vec::new());
        let mut player = Counter::to(100);
        let mut clock = clock();
        let mut input = input.as_bytes();
        run_with_sides(&mut player, &mut clock, &mut input, &mut heard, &mut log).expect("held");
        assert_eq!(String::from_utf8(heard).expect("text"), said);
    }
}

#[test]
fn quit_and_the_end_of_input_may_come_at_every_moment() {
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
    assert_eq!(hold(9, b"Quit\n").budget, BUDGET);
    assert_eq!(hold(9, b"Time 1234\nQuit\n").budget, Duration::from_millis(1234));
    for line in ["Time", "Time x", "Time 0", "Time -5", "Time 1.5", "Time 1 2", "Time 1e3"] {
        assert_eq!(refusal(line), at(1, Refusal::TimeForm), "{}", line);
    }
    assert_eq!(refusal("Time 99999999999999999999"), at(1, Refusal::TimeForm));
}

#[test]
fn an_opening_is_played_and_not_answered() {
    assert_eq!(answers("Opening 1 2\nStart\n4\n"), "3\n5\n");
    assert_eq!(answers("Opening 1 2\n3\n"), "4\n");
    assert_eq!(answers("Opening\nStart\n"), "1\n");
    let reason = Refusal::Opening(3, "4".to_string(), "expected 3".to_string());
    assert_eq!(refusal("\nOpening 1 2 4\n"), at(2, reason));
}

#[test]
fn lines_out_of_place_are_refused() {
    assert_eq!(refusal("Start\n2 4\n"), at(2, Refusal::ExtraWords));
    assert_eq!(refusal("Start now\n"), at(1, Refusal::ExtraWords));
    assert_eq!(refusal("start\n"), at(1, Refusal::Move("expected 1".to_string())));
    assert_eq!(refusal("Start\n3\n"), at(2, Refusal::Move("expected 2".to_string())));
}

#[test]
fn the_game_goes_on_after_lines_that_change_nothing() {
    let cases = [
        ("Start\nStart\n2\n", "1\n3\n", "line 2 \"Start\": the game has begun already"),
        ("1\nStart\n3\n", "2\n4\n", "line 2 \"Start\": the game has begun already"),
        ("Start\nTime 1000\n2\n", "1\n3\n", "line 2 \"Time 1000\": too late"),
        ("1\nOpening 1\n3\nQuit\n", "2\n4\n", "line 2 \"Opening 1\": too late"),
    ];
    for (input, said, log) in cases {
        let held = hold(99, input.as_bytes());
        assert!(held.result.is_ok(), "{:?}", input);
        assert_eq!(held.said, said, "{:?}", input);
        assert_eq!(held.budget, BUDGET);
        assert!(held.log.contains(&format!("ignored: {}", log)), "{}", held.log);
    }
}

#[test]
fn errors_take_one_line_and_show_the_bad_one() {
    let inputs: [&[u8]; 6] = [
        b"Start\n3\n",
        b"Start\n\x1b[2J\x07\n",
        b"\xff\xfe\0\n",
        b"Opening 1 \x0bx\n",
        b"Time \xc3\xa9\n",
        b"Start\rStart\n",
    ];
    for input in inputs {
        let error = hold(99, input).result.expect_err("a bad line").to_string();
        assert!(error.starts_with("line ") && error.contains("expected"), "{}", error);
        assert!(!error.chars().any(char::is_control), "{:?}", error);
    }
    let error = hold(99, b"Start\n3\n").result.expect_err("a bad line").to_string();
    assert_eq!(error, "line 2 \"3\": expected 2");
}

#[test]
fn a_long_line_is_refused_and_quoted_in_short() {
    let longest = format!("Opening{}1\nStart\n", " ".repeat(MAX_LINE as usize - 8));
    assert_eq!(answers(&longest), "2\n");
    let longer = format!("Opening{}1\nStart\n", " ".repeat(MAX_LINE as usize - 7));
    assert_eq!(refusal(&longer), at(1, Refusal::TooLong));
    let error = hold(9, &[b'x'; 100_000]).result.expect_err("a bad line").to_string();
    assert!(error.len() < 200 && error.contains("xxx...\""), "{}", error);
}

#[test]
fn a_finished_game_waits_for_quit() {
    let held = hold(3, b"Start\n2\nQuit\n");
    assert!(held.result.is_ok());
    assert_eq!(held.said, "1\n3\n");
    // The opponent's last move ends the game: nothing to answer.
    let held = hold(4, b"Start\n2\n4\n\nQuit\n");
    assert!(held.result.is_ok());
    assert_eq!(held.said, "1\n3\n");
    assert!(held.log.contains("over"), "{}", held.log);
}

#[test]
fn without_a_move_nothing_is_said() {
    let held = hold(99, b"Opening 1 2 3 4 5 6 7 8 9 10 11 12\n13\nQuit\n");
    assert!(held.result.is_ok());
    assert_eq!(held.said, "");
    assert!(held.log.contains("no move"), "{}", held.log);
}

#[test]
fn logs_one_line_an_answer() {
    let held = hold(99, b"Start\n2\n4\n");
    let lines: Vec<&str> = held.log.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[2].starts_with("count 5 used "), "{}", lines[2]);
}

/// Takes so many bytes and then fails.
struct Closing(usize);

impl Write for Closing {
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
fn nobody_listening_ends_the_game_quietly() {
    for taken in 0..4 {
        let mut player = Counter::to(99);
        let mut input: &[u8] = b"Start\n2\n4\n6\n8\n";
        let (mut output, mut log) = (Closing(taken), Closing(0));
        let mut clock = clock();
        let result = run(&mut player, &mut clock, &mut input, &mut output, &mut log);
        assert!(result.is_ok());
        assert!(player.count < 8, "{} bytes taken, went on to {}", taken, player.count);
    }
}

/// A judge that suspends the process as soon as it has read an answer.
struct Suspending {
    time: Rc<FakeTime>,
    /// Charges and answers in the order in which they were written.
    events: Rc<RefCell<Vec<String>>>,
}

impl Write for Suspending {
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
fn a_suspended_player_is_charged_its_own_time_first() {
    let (time, events) = (Rc::new(FakeTime::start()), Rc::new(RefCell::new(Vec::new())));
    let mut player = Counter { end: 99, time: Some(Rc::clone(&time)), ..Counter::default() };
    let mut clock = clock();
    let books = Rc::clone(&events);
    clock.set_log(Box::new(move |charge| {
        books.borrow_mut().push(format!("{} ms", charge.as_millis()))
    }));
    let mut output = Suspending { time, events: Rc::clone(&events) };
    let mut input: &[u8] = b"Start\n2\n4\nQuit\n";
    run(&mut player, &mut clock, &mut input, &mut output, &mut Vec::new()).expect("held");
    assert_eq!(*events.borrow(), ["10 ms", "1", "10 ms", "3", "10 ms", "5"]);
    assert_eq!(clock.spent(), Duration::from_millis(30));
}

/// Fails when read.
struct Broken;

impl io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn a_failing_input_is_an_error() {
    let mut player = Counter::to(99);
    let mut input = BufReader::new(Broken);
    let (mut output, mut log) = (Vec::new(), Vec::new());
    let mut clock = clock();
    let result = run(&mut player, &mut clock, &mut input, &mut output, &mut log);
    assert!(matches!(result, Err(DialogueError::Io(_))));
}

#[test]
fn random_lines_end_in_a_refusal_or_in_peace() {
    let words = [
        "Start", "Quit", "Time", "Opening", "1", "2", "3", "99", "-1", " ", "\n", "\n", "\r\n",
        "\0", "\u{fe0f}", "é", "Time 5\n", "Start\n",
    ];
    let mut rng = Rng::new(1);
    let mut refused = 0;
    for _ in 0..5000 {
        let mut input = Vec::new();
        for _ in 0..rng.below(12) {
            input.extend_from_slice(words[rng.below(words.len())].as_bytes());
            if rng.below(8) == 0 {
                input.push(rng.next() as u8);
            }
        }
        if let Err(error) = hold(20, &input).result {
            assert!(!error.to_string().contains('\n'), "{}", error);
            refused += 1;
        }
    }
    assert!((500..4500).contains(&refused), "{}", refused);
}

proptest! {
    #[test]
    fn any_input_is_obeyed_or_refused(input in prop_oneof![
        any_bytes(200),
        mutated(b"Time 500\nOpening 1 2\nStart\n4\n6\n8\nQuit\n".to_vec()),
        mutated(b"1\n3\n5\nTime 20\n7\n9\n11\n13\nQuit\n".to_vec()),
        "(Start|Quit|Opening 1 2|Time|[0-9]{1,22}|Time [0-9]{1,22}|\n|\t| ){0,20}"
            .prop_map(String::into_bytes),
    ]) {
        let held = hold(9, &input);
        // No more answers than lines, each a number of the count.
        let lines = input.split(|&byte| byte == b'\n').count();
        prop_assert!(held.said.lines().count() <= lines);
        prop_assert!(held.said.lines().all(|answer| answer.parse::<u32>().is_ok()));
        if let Err(DialogueError::Line { number, text, reason }) = &held.result {
            prop_assert!((1..=lines).contains(number) && !reason.is_empty());
            prop_assert!(text.chars().count() < 100);
        }
        // Any budget can be divided.
        let allotted = crate::engine::clock::allot(held.budget, Duration::ZERO, 40.0);
        prop_assert!(allotted.soft <= allotted.hard && allotted.hard <= held.budget);
    }
}
