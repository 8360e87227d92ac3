use super::*;
use crate::engine::dialogue::Player as _;
use crate::engine::rng::Rng;
use crate::fuzz::dialogue::{disputed_dialogue, disputed_dialogues, Contestant};
use crate::games::g6561::board::{Colour, Direction};
use crate::games::g6561::partner_model::Policy;
use crate::games::g6561::CONTEST;

/// Plays a game between a player with `nodes` nodes per move and a random mover.
fn play_with_random(seed: u64, first: usize, nodes: u64) -> Game {
    let clock = Clock::start(CONTEST.time);
    let mut rng = Rng::new(seed);
    let mut player = Player::default().with_nodes(nodes);
    while !player.is_over() {
        let ply = player.game().ply();
        if ply % 2 == first {
            assert!(player.answer(&clock).is_some());
        } else {
            let moves = player.game().position().moves();
            let text = moves[rng.below(moves.len())].to_string();
            assert_eq!(player.play(&text), Ok(()));
        }
    }
    player.game().clone()
}

#[test]
fn games_with_a_random_partner_score_well() {
    for first in [0, 1] {
        let game = play_with_random(1, first, 200);
        assert!(game.score() > 300, "{}", game.score());
    }
}

#[test]
fn games_with_a_node_limit_are_reproducible() {
    let [one, other] = [5, 5].map(|seed| play_with_random(seed, 0, 60));
    assert_eq!(one.moves(), other.moves());
}

#[test]
fn two_copies_follow_the_stored_game() {
    let clock = Clock::start(CONTEST.time);
    let mut players = [(); 2].map(|()| Player::default().with_nodes(1));
    while !players[0].is_over() {
        let side = players[0].game().ply() % 2;
        let text = players[side].answer(&clock).expect("a legal move").mv;
        assert_eq!(players[1 - side].play(&text), Ok(()));
    }
    assert_eq!(players[0].game().moves(), Plan::shared().moves());
}

#[test]
fn a_copy_that_leaves_the_plan_counts_as_random() {
    let clock = Clock::start(CONTEST.time);
    for (followed, is_random) in [(2, false), (MIN_FOLLOWED, true)] {
        let mut player = Player::default().with_nodes(50);
        let plan = Plan::shared();
        for mv in &plan.moves()[..followed] {
            assert_eq!(player.play(&mv.to_string()), Ok(()));
        }
        // Another move than the planned one.
        let moves = player.game().position().moves();
        let other = moves.into_iter().find(|mv| Some(mv) != plan.moves().get(followed));
        assert_eq!(player.play(&other.expect("another move").to_string()), Ok(()));
        assert!(player.answer(&clock).is_some());
        let engine = player.engine.as_ref().expect("the engine was created");
        let belief = engine.partner.belief(Policy::Random);
        assert_eq!(belief > 0.9, is_random, "{belief} after {followed} moves");
        assert!(engine.is_partner_careless || !is_random);
    }
}

#[test]
fn boards_of_a_failed_copy_use_the_hand_made_value() {
    let clock = Clock::start(CONTEST.time);
    for (followed, is_blind) in [(2, false), (300, true)] {
        let mut player = Player::default().with_nodes(50);
        for mv in &Plan::shared().moves()[..followed] {
            assert_eq!(player.play(&mv.to_string()), Ok(()));
        }
        let engine = player.new_engine(&clock);
        let mut left = Game::new();
        for mv in &Plan::shared().moves()[..300] {
            assert_eq!(left.push(*mv), Ok(()));
        }
        assert_eq!(engine.learned_for(left.position().board).is_none(), is_blind, "{followed}");
        assert!(engine.learned_for(Board::EMPTY).is_some());
    }
}

/// Start of a game as B with a partner who builds red, after [`OPENING`] random placements.
const BUILDER: &str = "42 12 14 L R 43 11 22 U D 32 21 34 R L 44 12 13 D L 44 13 34 L R 42 24 34 L";
const OPENING: usize = 3;

#[test]
fn an_early_builder_keeps_its_colour() {
    let clock = Clock::start(CONTEST.time);
    let mut player = Player::default().with_nodes(MIN_OBSERVATION_NODES);
    for text in BUILDER.split(' ') {
        let ply = player.game().ply();
        if ply >= OPENING && ply % 2 == 1 {
            assert!(player.think(&clock).is_some());
        }
        assert_eq!(player.play(text), Ok(()));
    }
    assert!(player.think(&clock).is_some());
    let engine = player.engine.as_ref().expect("the engine was created");
    assert!(engine.is_partner_careless);
    assert_eq!(engine.partner.main(), Colour::Red);
}

#[test]
fn two_copies_without_the_stored_game_complete_a_game() {
    let clock = Clock::start(CONTEST.time);
    let mut players = [(); 2].map(|()| Player::default().without_plan().with_nodes(300));
    let mut log = 0;
    while !players[0].is_over() {
        let side = players[0].game().ply() % 2;
        let text = players[side].answer(&clock).expect("a legal move").mv;
        log += players[side].report().text.len();
        assert_eq!(players[1 - side].play(&text), Ok(()));
    }
    let game = players[0].game();
    assert_eq!(game.ply(), MAX_PLIES);
    assert!(game.score() > 1000, "{}", game.score());
    assert!(log < 2 * 8000, "{} characters of log", log);
}

#[test]
fn the_player_answers_after_a_panic() {
    let clock = Clock::start(CONTEST.time);
    let mut player = Player::default().without_plan().with_nodes(50);
    assert!(player.answer(&clock).is_some());
    // A value without its tables.
    player.engine.as_mut().expect("the engine was created").corrupt();
    assert_eq!(player.play("44").or_else(|_| player.play("43")), Ok(()));
    assert!(player.answer(&clock).is_some());
    assert!(player.answer(&clock).is_some(), "the next engine is intact");
}

#[test]
fn the_allotted_times_fit_the_budget() {
    let budget = Duration::from_secs(60);
    for first in [0, 1] {
        let mut spent = Duration::ZERO;
        for ply in (first..MAX_PLIES).step_by(2) {
            let own_moves = (MAX_PLIES - ply + 1) / 2;
            let allotment = crate::engine::clock::allot(budget, spent, own_moves as f64);
            spent += allotment.soft.mul_f64(TIME_FRACTION);
        }
        assert!(spent < budget.mul_f64(0.99), "{:?}", spent);
        assert!(spent > budget.mul_f64(0.7), "{:?}", spent);
    }
}

impl Contestant for Player {
    fn legal(&self) -> Vec<String> {
        self.game.position().moves().iter().map(ToString::to_string).collect()
    }
}

fn disputed(seed: u64) {
    // Games of random moves rarely get far, so every fourth dialogue begins near the end of the stored game.
    let mut player = Player::default().with_nodes(30);
    let plies = if seed % 4 == 0 { MAX_PLIES - 9 } else { 0 };
    for mv in &Plan::shared().moves()[..plies] {
        player.game.push(*mv).expect("a legal move");
    }
    disputed_dialogue(player, seed, 20, |rng| match rng.below(3) {
        0 => Direction::ALL[rng.below(4)].letter().to_string(),
        _ => Move::Place(rng.below(16)).to_string(),
    });
}

disputed_dialogues!(disputed);
