//! Forced wins by checks in three to eight moves: the solver and the player must find them. Each proof is verified
//! against all answers by the reference implementation.

use super::super::game::Game;
use super::super::movegen;
use super::super::position::{Position, MAX_PLIES};
use super::super::search::forced::{Solver, Verdict};
use super::super::search::params::Params;
use super::super::search::{Limits, Searcher};
use super::super::setup;
use super::super::types::{Colour, Move};
use super::reference::Reference;
use crate::engine::budget::Budget;
use crate::engine::clock::Stopwatch;
use crate::engine::rng::Rng;
use crate::engine::score;
use std::collections::HashSet;
use std::time::Duration;

/// Test suite, one position per line: `position; N`. By giving check with every move, the side to move can capture the
/// wazir with its N-th move, but not sooner.
const FORCED: &str = include_str!("forced.txt");
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=8;
/// Node limit within which the solver must find each win: a twentieth of a second at 4 million nodes per second.
const SOLVER_NODES: u64 = 200_000;
/// Node limit within which the player must find each win.
const PLAYER_NODES: u64 = 100_000;
const TABLE_KB: usize = 512;
const HASH_MB: usize = 1;

fn budget() -> Budget {
    Budget::new(Some(SOLVER_NODES), None)
}

fn suite() -> Vec<(Position, usize)> {
    let parse = |line: &str| {
        let (position, length) = line.split_once(';')?;
        Some((position.parse().ok()?, length.trim().parse().ok()?))
    };
    FORCED.lines().map(|line| parse(line).expect(line)).collect()
}

/// Verifies wins by playing the solver's moves against all answers, by the rules of the reference.
pub struct Verifier {
    solver: Solver,
    /// Verified wins: position text and number of moves left.
    proved: HashSet<(String, usize)>,
}

impl Verifier {
    /// Creates a verifier.
    pub fn new() -> Verifier {
        Verifier { solver: Solver::new(TABLE_KB), proved: HashSet::new() }
    }

    /// Whether the solver's moves capture the wazir with at most `left` moves of the side to move.
    fn wins(&mut self, reference: &Reference, left: usize) -> bool {
        if can_capture_wazir(reference) {
            return left >= 1;
        }
        let place = (reference.text(), left);
        if self.proved.contains(&place) {
            return true;
        }
        let position: Position = place.0.parse().expect("a position");
        let wins = match self.solver.solve(&position, left, budget()) {
            Verdict::Win(mv, moves) => moves <= left && self.move_wins(reference, mv, left),
            Verdict::None | Verdict::Unknown => false,
        };
        if wins {
            self.proved.insert(place);
        }
        wins
    }

    /// Whether this move, which does not capture the wazir itself, starts a win in at most `left` moves.
    pub fn move_wins(&mut self, reference: &Reference, mv: Move, left: usize) -> bool {
        let text = mv.text(side(reference)).to_string();
        if left < 2 || !reference.moves().contains(&text) {
            return false;
        }
        let next = reference.make(&text);
        let answers = next.moves();
        !answers.is_empty()
            && !can_capture_wazir(&next)
            && answers.iter().all(|answer| self.wins(&next.make(answer), left - 1))
    }
}

fn side(reference: &Reference) -> Colour {
    Colour::to_move_after(reference.ply)
}

fn can_capture_wazir(reference: &Reference) -> bool {
    let red = reference.is_red_to_move();
    reference.wazir(!red).map_or(false, |wazir| reference.attacks(red, wazir))
}

/// Converts a position to the reference implementation.
pub fn reference(position: &Position) -> Reference {
    let text = position.to_string();
    let reference = Reference::parse(&text);
    assert_eq!(reference.text(), text);
    reference
}

#[test]
fn the_suite_has_every_length() {
    let suite = suite();
    for length in LENGTHS {
        let positions: Vec<_> = suite.iter().filter(|entry| entry.1 == length).collect();
        assert!(positions.len() >= 8, "length {}", length);
    }
    let mut lines: Vec<&str> = FORCED.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), suite.len());
}

#[test]
fn the_solver_finds_all_forced_wins() {
    let mut solver = Solver::new(TABLE_KB);
    for (position, length) in suite() {
        solver.clear();
        let verdict = solver.solve(&position, length, budget());
        assert!(matches!(verdict, Verdict::Win(_, moves) if moves == length), "{}", position);
        let sooner = solver.solve(&position, length - 1, budget());
        assert_eq!(sooner, Verdict::None, "{}", position);
        assert!(Verifier::new().wins(&reference(&position), length), "{}", position);
    }
}

#[test]
fn the_player_finds_all_forced_wins() {
    let mut searcher = Searcher::new(Params::default(), HASH_MB);
    let limits = Limits { hard_nodes: Some(PLAYER_NODES), ..Limits::default() };
    for (position, length) in suite() {
        searcher.clear();
        let found = searcher.search(&Game::from_position(position), limits);
        let best = found.best.expect("a move");
        let plies = score::plies_to_end(found.score).expect("a win");
        assert!(found.score > 0 && plies % 2 == 1, "{}", position);
        let moves = (plies + 1) / 2;
        assert!(Verifier::new().move_wins(&reference(&position), best, moves), "{}", position);
        // The principal variation is legal and ends before the capture, no later than the score states.
        let last = found.line.iter().fold(position, |position, &mv| {
            assert!(position.is_pseudo_legal(mv));
            position.make(mv)
        });
        assert!(found.line.len() + 2 <= plies && length <= moves, "{}", position);
        assert!(last.checkers().any());
    }
}

/// After its deadline the solver searches at most the moves of one position, which it lists before it reads the clock,
/// and not the whole winning line that is missing in the table.
#[test]
fn proof_and_line_respect_the_deadline() {
    const MAX_NODES: u64 = 256;
    let mut solver = Solver::new(TABLE_KB);
    let mut largest = 0;
    for (position, length) in suite() {
        let win = match solver.solve(&position, length, budget()) {
            Verdict::Win(mv, moves) => (mv, moves),
            other => panic!("{:?} for {}", other, position),
        };
        let nodes_of_line = |solver: &mut Solver, budget: Budget| {
            solver.clear();
            solver.begin();
            let line = solver.line(&position, win, budget);
            assert_eq!(line[0], win.0);
            (solver.nodes(), line.len())
        };
        let (nodes, all) = nodes_of_line(&mut solver, budget());
        largest = largest.max(nodes);
        let past = Stopwatch::start().deadline(Duration::ZERO);
        let late = Budget::new(Some(SOLVER_NODES), Some(past));
        let (nodes, some) = nodes_of_line(&mut solver, late);
        assert!(nodes <= MAX_NODES && some <= all, "{} nodes for {}", nodes, position);
        solver.clear();
        solver.begin();
        assert_eq!(solver.solve(&position, length, late), Verdict::Unknown, "{}", position);
        assert!(solver.nodes() <= MAX_NODES, "{}", position);
    }
    assert!(largest > 8 * MAX_NODES, "{}", largest);
}

#[test]
fn no_win_is_found_after_the_last_move() {
    for (position, length) in suite().into_iter().step_by(5) {
        let mut late = reference(&position);
        let in_time = MAX_PLIES + 1 - 2 * length - (position.ply() + 1) % 2;
        for (ply, expected) in [(in_time, true), (in_time + 2, false)] {
            late.ply = ply;
            let late: Position = late.text().parse().expect("a position");
            let verdict = Solver::new(TABLE_KB).solve(&late, length, budget());
            assert_eq!(matches!(verdict, Verdict::Win(..)), expected, "{}", late);
        }
    }
}

/// The solver agrees with a simple search of all checks and all answers without a table.
#[test]
fn the_solver_agrees_with_a_simple_search() {
    let mut solver = Solver::new(TABLE_KB);
    let (mut wins, mut rng) = (0, Rng::new(1));
    for _ in 0..300 {
        let position: Position = Reference::random(&mut rng).text().parse().expect("a position");
        for max_moves in 1..=3 {
            let in_time = (MAX_PLIES + 1 - position.ply()) / 2;
            let expected = wins_by_simple_search(&position, max_moves.min(in_time));
            let verdict = solver.solve(&position, max_moves, budget());
            assert_ne!(verdict, Verdict::Unknown);
            assert_eq!(matches!(verdict, Verdict::Win(..)), expected, "{} {}", max_moves, position);
            wins += usize::from(expected);
        }
    }
    assert!(wins > 50, "{}", wins);
}

fn wins_by_simple_search(position: &Position, left: usize) -> bool {
    let wazir = position.board().wazir(!position.side());
    let mut is_capturable = false;
    movegen::pseudo_legal(position, |mv| is_capturable |= Some(mv.to()) == wazir);
    if left < 2 || is_capturable {
        return left > 0 && is_capturable;
    }
    let mut wins = false;
    movegen::safe(position, |mv| {
        let next = position.make(mv);
        let mut answers = Vec::new();
        movegen::safe(&next, |answer| answers.push(answer));
        wins |= position.gives_check(mv)
            && answers.iter().all(|&answer| wins_by_simple_search(&next.make(answer), left - 1));
    });
    wins
}

/// Prints a new suite: wins that occur in games of shallow searches, at most one of each length per game.
#[test]
#[ignore = "generates the suite"]
fn generate_suite() {
    const POSITIONS_PER_LENGTH: usize = 10;
    let mut rng = Rng::new(2026);
    let mut searcher = Searcher::new(Params::default(), HASH_MB);
    let limits = Limits { hard_nodes: Some(400), ..Limits::default() };
    let mut solver = Solver::new(TABLE_KB);
    let mut lines: Vec<Vec<String>> = vec![Vec::new(); LENGTHS.end() + 1];
    while LENGTHS.into_iter().any(|length| lines[length].len() < POSITIONS_PER_LENGTH) {
        let mut game = Game::from_setups(setup::random(&mut rng), setup::random(&mut rng));
        searcher.clear();
        let mut wanted: Vec<usize> =
            LENGTHS.filter(|&length| lines[length].len() < POSITIONS_PER_LENGTH).collect();
        while let (None, Some(&position)) = (game.outcome(), game.position()) {
            let shortest = (1..=*LENGTHS.end()).find(|&max_moves| {
                matches!(solver.solve(&position, max_moves, budget()), Verdict::Win(..))
            });
            if let Some(at) = wanted.iter().position(|&length| Some(length) == shortest) {
                let length = wanted.swap_remove(at);
                lines[length].push(format!("{}; {}", position, length));
            }
            match searcher.search(&game, limits).best {
                Some(mv) => game.push(mv),
                None => break,
            }
        }
    }
    lines.iter().flatten().for_each(|line| println!("{}", line));
}
