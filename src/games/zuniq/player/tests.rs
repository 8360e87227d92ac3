use super::*;
use crate::engine::dialogue::Player as _;
use crate::engine::rng::Rng;
use crate::fuzz::dialogue::{disputed_dialogue, disputed_dialogues, Contestant};
use crate::games::zuniq::tests::random_position;
use crate::games::zuniq::CONTEST;

/// Plays a game between two players with this many nodes per move after eight random plies.
fn play(rng: &mut Rng, nodes: u64) -> Game {
    let clock = Clock::start(CONTEST.time);
    let mut players = [1, 2].map(|_| Player::new(1).with_nodes(nodes));
    for ply in 0.. {
        let text = if ply < 8 {
            let legal: Vec<Segment> = Segment::each(players[0].game().position().legal()).collect();
            legal[rng.below(legal.len())].to_string()
        } else {
            match players[ply % 2].answer(&clock) {
                Some(answer) => answer.mv,
                None => break,
            }
        };
        for player in &mut players {
            if player.game().ply() == ply {
                assert_eq!(player.play(&text), Ok(()), "{}", text);
            }
        }
    }
    let [player, other] = players;
    assert!(player.is_over() && other.is_over());
    assert_eq!(player.game().moves(), other.game().moves());
    other.game().clone()
}

#[test]
fn games_are_legal_and_claims_correct() {
    let mut rng = Rng::new(6);
    let mut claims = 0;
    for _ in 0..6 {
        let game = play(&mut rng, 200);
        let winner = game.winner().expect("the game is over");
        for side in [Side::White, Side::Black] {
            if let Some(number) = game.claim(side) {
                claims += 1;
                assert_eq!(side, winner, "{:?} claimed at move {}", game.moves(), number);
            }
        }
    }
    assert!(claims >= 3, "{} claims in 6 games", claims);
}

#[test]
fn games_with_a_node_limit_are_reproducible() {
    let [one, other] = [7, 7].map(|seed| play(&mut Rng::new(seed), 100));
    assert_eq!(one.moves(), other.moves());
}

#[test]
fn a_won_ending_is_claimed_once_and_won() {
    let mut rng = Rng::new(8);
    let clock = Clock::start(CONTEST.time);
    let mut won = 0;
    while won < 10 {
        let mut player = Player::new(1).with_nodes(100_000);
        for _ in 0..30 {
            let legal: Vec<Segment> = Segment::each(player.game().position().legal()).collect();
            let text = legal[rng.below(legal.len())].to_string();
            assert_eq!(player.play(&text), Ok(()));
        }
        let side = player.game().side();
        let mut claims = 0;
        while !player.is_over() {
            if player.game().side() == side {
                let text = player.answer(&clock).expect("the game is not over").mv;
                claims += usize::from(text.ends_with(CLAIM));
            } else {
                let legal: Vec<Segment> = Segment::each(player.game().position().legal()).collect();
                let text = legal[rng.below(legal.len())].to_string();
                assert_eq!(player.play(&text), Ok(()));
            }
        }
        assert!(claims <= 1);
        if claims == 1 {
            assert_eq!(player.game().winner(), Some(side));
            won += 1;
        }
    }
}

#[test]
fn the_player_answers_after_a_panic() {
    let clock = Clock::start(CONTEST.time);
    let mut player = Player::new(1).with_nodes(50);
    assert!(player.think(&clock).is_some());
    let engine = player.engine.as_mut().expect("the engine was created");
    engine.tree.corrupt();
    let choice = player.think(&clock).expect("a fallback move");
    assert!(player.game().position().is_legal(choice.segment()));
    assert!(player.engine.is_none(), "the broken engine was kept");
    // The next engine is intact.
    assert!(matches!(player.think(&clock), Some(Choice::Expected(_, value)) if value > 0.0));
}

#[test]
fn the_allotted_times_fit_the_budget() {
    // Assumes that every move uses its whole allotment.
    let games = [(2, 0), (2, 1), (12, 0), (12, 1), (30, 0), (30, 1)];
    for (seconds, first) in games {
        let budget = Duration::from_secs(seconds);
        let mut spent = Duration::ZERO;
        for ply in (first..41).step_by(2) {
            let allotment =
                crate::engine::clock::allot(budget, spent, expected_own_moves(ply, budget));
            spent += allotment.soft.mul_f64(1.0 + RESIST_FRACTION);
        }
        assert!(spent < budget.mul_f64(0.99), "{:?}", spent);
        assert!(spent > budget.mul_f64(0.8), "{:?}", spent);
    }
}

#[test]
fn lost_positions_respect_the_limits() {
    let mut rng = Rng::new(9);
    let position = random_position(&mut rng, 20);
    for (effort, nodes) in [(Effort::Time(Duration::ZERO), 0), (Effort::Nodes(5000), 5000)] {
        let tree = Tree::new(tree::Params::default(), Network::built_in());
        let mut engine = Engine { solver: Solver::new(1), tree };
        assert!(engine.resist(&position, effort).is_some());
        // Plus one node per pair of move and reply.
        let moves = u64::from(position.legal().count_ones());
        assert!(engine.solver.nodes() <= nodes + moves * moves, "{} nodes", engine.solver.nodes());
        assert!(engine.solver.nodes() >= nodes, "{} nodes", engine.solver.nodes());
    }
}

#[test]
fn earlier_proofs_of_the_tree_are_played() {
    let mut rng = Rng::new(10);
    let mut met = [0; 2];
    for game in 0..30 {
        let before = random_position(&mut rng, 27 + game % 5);
        let mut tree = Tree::new(tree::Params::default(), Network::built_in());
        tree.search(&before, &mut Solver::new(1), None, 300);
        for segment in Segment::each(before.legal()) {
            let position = before.make(segment);
            let proved = tree.stats(&position).map(|stats| stats.value);
            let proved = proved.filter(|value| *value == 0.0 || *value == 1.0);
            if position.legal() == 0 || proved.is_none() {
                continue;
            }
            // The engine's own solver gets no nodes, so it can't prove what the tree knows.
            let mut engine = Engine { solver: Solver::new(1), tree };
            let choice = engine.think(&position, Effort::Nodes(0)).expect("a legal move");
            let is_won = proved == Some(1.0);
            assert_eq!(matches!(choice, Choice::Won(_)), is_won, "{:?}", choice);
            assert_eq!(matches!(choice, Choice::Lost(_)), !is_won, "{:?}", choice);
            met[usize::from(is_won)] += 1;
            let next = position.make(choice.segment());
            assert_eq!(engine.solver.wins(&next, Budget::unlimited()), Some(!is_won));
            tree = engine.tree;
        }
    }
    assert!(met.iter().all(|&count| count > 10), "{:?}", met);
}

#[test]
fn estimated_wins_are_claimed_with_the_full_bonus() {
    let mut rng = Rng::new(11);
    let mut player = Player::new(1);
    let mut by_nodes = Player::new(1).with_nodes(100);
    while player.game().position().legal() != 0 {
        let legal: Vec<Segment> = Segment::each(player.game().position().legal()).collect();
        let segment = legal[rng.below(legal.len())];
        let number = player.game().ply() + 1;
        let is_first = CLAIM_MOVES.contains(&number);
        let has_bonus = bonus(number) > 0.0;
        let sure = Choice::Expected(segment, CLAIM_VALUE);
        assert_eq!(player.should_claim(sure), is_first, "move {}", number);
        assert!(!player.should_claim(Choice::Expected(segment, CLAIM_VALUE - 0.01)));
        assert!(!player.should_claim(Choice::Lost(segment)));
        assert_eq!(player.should_claim(Choice::Won(segment)), has_bonus, "move {}", number);
        assert!(!by_nodes.should_claim(sure));
        assert_eq!(by_nodes.should_claim(Choice::Won(segment)), has_bonus);
        for player in [&mut player, &mut by_nodes] {
            assert_eq!(player.play(&segment.to_string()), Ok(()));
        }
    }
    // A win is claimed only once.
    let mut player = Player::new(1);
    player.game.push(Segment::from_bit(1), true);
    player.game.push(Segment::from_bit(2), false);
    assert!(!player.should_claim(Choice::Won(Segment::from_bit(4))));
    player.game.push(Segment::from_bit(4), false);
    assert!(player.should_claim(Choice::Won(Segment::from_bit(8))));
}

impl Contestant for Player {
    fn legal(&self) -> Vec<String> {
        Segment::each(self.game.position().legal()).map(|segment| segment.to_string()).collect()
    }
}

fn disputed(seed: u64) {
    let player = Player::new(1).with_nodes(30);
    disputed_dialogue(player, seed, 45, |rng| {
        let claim = if rng.below(4) == 0 { " !" } else { "" };
        format!("{}{}", Segment::from_bit(1 << rng.below(60)), claim)
    });
}

disputed_dialogues!(disputed);
