//! Tests of the Monte Carlo players.

use super::tree::ROOT;
use super::*;
use crate::engine::budget::Budget;
use crate::engine::clock::fake::FakeTime;
use crate::engine::dialogue::Player as _;
use crate::engine::rng::Rng;
use crate::games::zuniq::solver::Solver;
use crate::games::zuniq::CONTEST;
use crate::tools::contracts::GameState as _;
use std::time::Duration;

/// Creates a player after this many random moves, or fewer if the game ends.
fn player_after(
    policy: Policy,
    rng: &mut Rng,
    plies: usize,
    simulations: Option<u64>,
) -> MonteCarlo {
    let mut player = MonteCarlo::new(policy, simulations);
    for _ in 0..plies {
        if let Some(text) = player.game.random_move(rng) {
            player.play(&text).expect("a legal move");
        }
    }
    player
}

/// Counts the moves that a player finds among 20 only winning moves with at least `least` legal ones.
fn winning_moves_found(
    policy: Policy,
    seed: u64,
    plies: usize,
    simulations: u64,
    least: u32,
) -> usize {
    let mut rng = Rng::new(seed);
    let mut solver = Solver::new(1);
    let (mut met, mut found) = (0, 0);
    while met < 20 {
        let mut player = player_after(policy, &mut rng, plies, Some(simulations));
        let position = player.game.position().clone();
        let mut loses = |segment: &Segment| {
            solver.wins(&position.make(*segment), Budget::unlimited()) == Some(false)
        };
        let winning: Vec<Segment> = Segment::each(position.legal()).filter(&mut loses).collect();
        if winning.len() == 1 && position.legal().count_ones() >= least {
            met += 1;
            let answer = player.answer(&Clock::start(CONTEST.time)).expect("a legal move").mv;
            found += usize::from(answer.trim_end_matches(CLAIM) == winning[0].to_string());
        }
    }
    found
}

#[test]
fn the_only_winning_moves_are_found() {
    assert_eq!(winning_moves_found(Policy::Uct, 1, 33, 4000, 3), 20);
    let found = winning_moves_found(Policy::Amaf, 2, 30, 3000, MAX_EXACT_MOVES + 1);
    assert!(found >= 14, "{found}");
}

#[test]
fn games_with_a_clock_have_a_claim_by_amaf_only() {
    for policy in [Policy::Uct, Policy::Amaf] {
        let mut player = player_after(policy, &mut Rng::new(3), 4, None);
        let _time = FakeTime::ticking(Duration::from_micros(500));
        let control = CONTEST.time.with_budget(Duration::from_millis(300));
        let clock = Clock::for_one_move(control, Duration::ZERO);
        let mut claims = [0; 2];
        while !player.is_over() {
            let side = player.game.side();
            let text = player.answer(&clock).expect("the game is not over").mv;
            claims[side as usize] += usize::from(text.ends_with(CLAIM));
            let is_early = player.game.ply() < CLAIM_FROM_MOVE;
            assert!(!is_early || !text.ends_with(CLAIM), "{text}");
        }
        assert!(claims.iter().all(|&count| count <= 1), "{claims:?}");
        assert_eq!(claims != [0, 0], policy == Policy::Amaf);
        assert!(clock.spent() < Duration::from_millis(300), "{:?}", clock.spent());
        assert_eq!(player.answer(&clock), None);
    }
}

#[test]
fn amaf_solves_the_last_moves_and_claims_wins() {
    let mut rng = Rng::new(1);
    let mut solver = Solver::new(1);
    let mut met = [0; 2];
    while met.iter().any(|&count| count < 10) {
        let mut player = player_after(Policy::Amaf, &mut rng, 31, Some(1));
        let position = player.game.position().clone();
        if !(1..=MAX_EXACT_MOVES).contains(&position.legal().count_ones()) {
            continue;
        }
        let wins = solver.wins(&position, Budget::unlimited()) == Some(true);
        let answer = player.answer(&Clock::start(CONTEST.time)).expect("a legal move").mv;
        assert_eq!(answer.ends_with(CLAIM), wins, "{answer} {position:?}");
        let next = solver.wins(player.game.position(), Budget::unlimited());
        assert_eq!(next, Some(!wins), "{answer} {position:?}");
        met[usize::from(wins)] += 1;
    }
}

#[test]
fn amaf_counts_belong_to_the_side_that_drew() {
    let mut tree = Tree::new(Policy::Amaf, 1);
    let limits = Limits { deadline: None, simulations: Some(500) };
    assert_eq!(tree.search(&Position::START, limits), 500);
    let root = tree.nodes[ROOT as usize];
    assert_eq!(root.own.tries, 500);
    let edges = &tree.edges[tree.edges_of(ROOT)];
    assert_eq!(edges.iter().map(|edge| edge.visits).sum::<u32>(), 500);
    // White draws half of the segments of a game, 14 to 21, and wins the games with an odd number.
    let tries: u32 = edges.iter().map(|edge| edge.drawn.tries).sum();
    assert!((14 * 500..=21 * 500).contains(&tries), "{tries}");
    let wins: u32 = edges.iter().map(|edge| edge.drawn.wins).sum();
    let won = root.own.wins;
    assert!((14 * won..=21 * won).contains(&wins), "{wins} in {won} games");
    for edge in edges {
        assert!(edge.visits <= edge.drawn.tries && edge.drawn.wins <= edge.drawn.tries);
    }
}
