use super::*;
use crate::engine::clock::allot;
use crate::engine::dialogue::{DialogueError, Session};
use crate::engine::rng::Rng;
use crate::engine::score::lost_in;
use crate::fuzz::dialogue::{disputed_dialogue, disputed_dialogues, Contestant};
use crate::games::zero_point_one::types::Square;
use crate::games::zero_point_one::CONTEST;

const RED: &str = "WFNADAAADDFDAAAA";
const BLUE: &str = "aaaadddaaadaffnw";
/// Log limit in characters, with a margin: the judge keeps about 10,000.
const KEPT_LOG: usize = 9_000;
/// Maximum number of moves of one player, including its setup.
const MAX_ANSWERS: usize = MAX_PLIES / 2;

#[test]
fn the_log_of_the_longest_game_is_short() {
    let found = SearchResult {
        best: Some(Move::board(Square::named("h7"), Square::named("f8"))),
        score: lost_in(99),
        depth: 64,
        nodes: 9_999_999_999,
        line: Vec::new(),
    };
    let line = report_line(MAX_PLIES, "h7f8", &found, Duration::from_secs(30));
    // Appends what the dialogue adds.
    let line = format!("{} used {:.3}\n", line, 30.0);
    assert!(line.len() * MAX_ANSWERS < KEPT_LOG, "{} characters: {}", line.len(), line);
}

#[test]
fn expected_own_moves_decrease_during_a_game() {
    for ply in 0..MAX_PLIES {
        let expected = expected_own_moves(ply);
        let possible = (MAX_PLIES - ply + 1) / 2;
        assert!((1.0..=possible as f64).contains(&expected), "{} at ply {}", expected, ply);
        assert!(expected >= expected_own_moves(ply + 1));
    }
    assert_eq!(expected_own_moves(MAX_PLIES - 1), 1.0);
}

#[test]
fn a_long_game_leaves_time_for_its_end() {
    // Every move takes 1.5 times the soft time, more than the search takes on average.
    let budget = Duration::from_secs(30);
    let mut spent = Duration::ZERO;
    let first = allot(budget, spent, expected_own_moves(0)).soft;
    for ply in (0..MAX_PLIES).step_by(2) {
        let soft = allot(budget, spent, expected_own_moves(ply)).soft;
        let min = if ply <= 80 { first / 5 } else { first / 100 };
        assert!(soft >= min, "{:?} at ply {}", soft, ply);
        spent += soft.mul_f64(1.5);
    }
    assert!(spent < budget && spent > budget / 2, "{:?}", spent);
}

/// Runs a dialogue with a new player. Returns the answers and the result.
fn run_dialogue(input: &str) -> (String, Result<(), DialogueError>) {
    let (player, clock) = (&mut Player::new(1), &mut Clock::start(CONTEST.time));
    let (input, mut sent, log) = (&mut input.as_bytes(), Vec::new(), &mut Vec::new());
    let result = (CONTEST.protocol)(Session { player, clock, input, output: &mut sent, log });
    (String::from_utf8_lossy(&sent).into_owned(), result)
}

#[test]
fn every_move_is_answered_with_little_time() {
    for time in ["Time 1", "Time 10", "Time 50"] {
        let (sent, result) = run_dialogue(&format!("{}\n{}\nb1d1\n", time, RED));
        assert!(result.is_ok());
        assert_eq!(sent.lines().count(), 2, "{}", sent);
    }
}

#[test]
fn a_panic_in_the_search_is_survived() {
    let clock = Clock::start(CONTEST.time);
    let mut player = Player::new(1).with_nodes(3000);
    for text in [RED, BLUE] {
        assert_eq!(dialogue::Player::play(&mut player, text), Ok(()));
    }
    // The search panics at once, before any result, or deep in the tree, after the first iteration.
    for (panic_at, is_found) in [(0, false), (6, true)] {
        let mut searcher = Searcher::new(Params::default(), 1);
        searcher.panic_at(panic_at);
        player.searcher = Some(searcher);
        let position = *player.game().position().expect("the setups stand");
        let found = player.think(&clock).expect("an answer");
        let any = any_move(&position);
        assert!(found.best.map_or(false, |mv| position.is_pseudo_legal(mv)));
        assert!(is_found || found.best == any, "{:?} instead of {:?}", found.best, any);
        assert_eq!(found.depth, 0, "the search must not finish");
        assert!(player.searcher.is_none(), "the searcher that panicked must be dropped");
        // The next move creates a new searcher.
        let best = dialogue::Player::answer(&mut player, &clock);
        assert!(best.is_some() && player.searcher.is_some());
    }
}

#[test]
fn the_best_move_so_far_survives_a_panic() {
    let mut game = Game::new();
    [RED, BLUE].iter().for_each(|text| assert_eq!(game.play(text), Ok(())));
    let mut searcher = Searcher::new(Params::default(), 1);
    searcher.panic_at(6);
    assert!(guarded(|| searcher.search(&game, Limits::default())).is_none());
    assert!(searcher.core().provisional.is_some());
}

#[test]
fn random_dialogues_are_answered_to_their_end() {
    let words = [
        "Start",
        "Quit",
        "Time 10",
        "Opening",
        RED,
        BLUE,
        "b1d1",
        "b3d3",
        "g5e5",
        "h3f3",
        "a1",
        "Ad4",
        "ad4",
        "b5b5",
        "WWWWWWWWWWWWWWWW",
        "é",
        "b1",
        "\0",
        "9",
    ];
    let opening = format!("Time 10\nOpening {} {}\n", RED, BLUE);
    let mut rng = Rng::new(1);
    let (mut refused, mut answered) = (0, 0);
    for _ in 0..300 {
        let mut input = if rng.below(2) == 0 { opening.clone() } else { "Time 10\n".to_string() };
        for _ in 0..rng.below(8) {
            input.push_str(words[rng.below(words.len())]);
            input.push_str(["\n", "\n", " ", "\r\n", ""][rng.below(5)]);
        }
        let (sent, result) = run_dialogue(&input);
        answered += sent.lines().count();
        if let Err(error) = result {
            let error = error.to_string();
            assert!(error.contains("\"Time") || error.contains("\"Opening"), "{}", error);
            assert!(!error.contains(char::is_control), "{:?}", error);
            refused += 1;
        }
    }
    assert!(refused > 0 && answered > 100, "{} {}", refused, answered);
}

#[test]
fn any_move_prefers_a_safe_one() {
    // The knight on c3 attacks both squares next to the wazir on a1: a2 and b1.
    let position: Position = "W7/8/2n5/8/8/8/7A/7w - 20".parse().expect("a position");
    let mv = any_move(&position).expect("a move");
    assert!(position.is_safe(mv), "{}", mv);
    let stuck: Position = "W7/8/8/8/8/8/8/7w - 102".parse().expect("a position");
    assert!(any_move(&stuck).is_some());
}

impl Contestant for Player {
    fn legal(&self) -> Vec<String> {
        let mut legal = Vec::new();
        if let (Some(position), None) = (self.game.position(), self.game.outcome()) {
            movegen::pseudo_legal(position, |mv| legal.push(mv.text(position.side()).to_string()));
        }
        legal
    }
}

/// Plays a dialogue with disputed moves. Its judge may drop pieces that are not in hand.
fn disputed(seed: u64) {
    fn square(rng: &mut Rng) -> String {
        Square::new(rng.below(8), rng.below(8)).to_string()
    }
    let setup = Setup::parse(RED, Colour::Red).expect("a setup");
    let player = Player::new(1).with_nodes(30).in_game(Game::from_setups(setup, setup));
    disputed_dialogue(player, seed, MAX_PLIES, |rng| match rng.below(3) {
        0 => format!("{}{}", ["D", "n", "F", "a"][rng.below(4)], square(rng)),
        _ => square(rng) + &square(rng),
    });
}

disputed_dialogues!(disputed);

#[test]
fn a_disputed_setup_is_answered_with_a_setup() {
    let (sent, result) = run_dialogue("Time 20\nhello you\nb1d1\n");
    result.expect("it answers");
    let answers: Vec<&str> = sent.lines().collect();
    assert!(Setup::parse(answers[0], Colour::Blue).is_ok(), "{}", sent);
    assert_eq!(answers.len(), 2);
    // Wrong numbers, an unknown letter, the other side's letters, and too few.
    for text in ["WFNADAAADDFDDAAA", "WFNADAAADDFDAAAS", "wfnadaaaddfdaaaa", "WFNADAAADDFDAAA"] {
        assert_eq!(nearest_setup(text).text(Colour::Red), RED);
    }
}

/// After a disputed move a captured wazir may stand elsewhere, so both sides play on.
#[test]
fn a_disputed_game_goes_on_without_a_wazir() {
    // Blue captures it: the judge's wazir is not on a1.
    let opening = format!("Opening {} {} b5d3 h3f3 b3c2 f3d3 c2d3 ac3", RED, BLUE);
    let (sent, result) = run_dialogue(&format!("Time 50\n{}\nDf8\nd3e4\nb1d1\n", opening));
    result.expect("it answers");
    let answers: Vec<&str> = sent.lines().collect();
    assert_eq!((answers[0], answers.len()), ("c3a1", 3), "{}", sent);
    // The opponent captures it.
    let position: Position = "W7/2n5/8/8/8/8/8/7w - 10".parse().expect("a position");
    let mut player = Player::new(1).with_nodes(50).in_game(Game::from_position(position));
    let contestant: &mut dyn dialogue::Player = &mut player;
    assert!(contestant.force(Some("Ad4")));
    assert!(contestant.play("b3a1").is_err() && contestant.force(Some("b3a1")));
    assert!(!contestant.is_over() && contestant.answer(&Clock::start(CONTEST.time)).is_some());
}
