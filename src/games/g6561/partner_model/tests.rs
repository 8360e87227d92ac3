use super::*;
use crate::games::g6561::search::Ranking;

/// Whole games with two independent players, recorded by an independent referee: the score, then the moves.
const RECORDED: &str = include_str!("../../../../tests/data/6561_sparring_games.txt");
/// Number of generated games per policy.
const GAMES: u64 = 4;
/// Number of the partner's moves after which its policy must be identified.
const ENOUGH: usize = 40;

fn search() -> Search {
    Search::new()
}

/// Chooses a move by a policy: one of the best by its values, which are all equal for the random policy.
fn move_of(
    policy: Policy,
    position: Position,
    model: &mut PartnerModel,
    search: &mut Search,
) -> Move {
    let mut moves = position.moves();
    let index = POLICIES.iter().position(|&one| one == policy).expect("listed");
    let values = model.values(position, &moves, search, false)[index].clone();
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut is_best = values.iter().map(|&value| value == most);
    moves.retain(|_| is_best.next() == Some(true));
    moves[model.rng.below(moves.len())]
}

/// Returns the model of a player with policy `truth` after [`ENOUGH`] of its moves in a game with a player of policy
/// `other`, or `None` if the game ends before.
fn model_of(truth: Policy, other: Policy, seed: u64) -> Option<PartnerModel> {
    let (mut partner, mut search) = (PartnerModel::new(), search());
    let mut models = [PartnerModel::new(), PartnerModel::new()];
    for (model, salt) in models.iter_mut().zip([1, 2]) {
        model.rng = Rng::new(10 * seed + salt);
    }
    let first = seed as usize % 2;
    let mut game = Game::new();
    let mut observed = 0;
    while observed < ENOUGH {
        let side = (game.ply() + first) % 2;
        if game.ending().is_some() {
            return None;
        }
        let policy = [truth, other][side];
        let mv = move_of(policy, game.position(), &mut models[side], &mut search);
        game.push(mv).expect("a legal move");
        if side == 0 {
            partner.observe(&game, &mut search, false);
            observed += 1;
        }
    }
    Some(partner)
}

/// Returns the probability of all policies equivalent to `truth`: those that build the same colour.
fn equivalent_belief(truth: Policy, belief: &PartnerModel) -> f32 {
    let alike = |policy: &&Policy| match truth.built_colour(belief.leading.0) {
        Some(colour) => policy.built_colour(belief.leading.0) == Some(colour),
        None => **policy == truth,
    };
    POLICIES.iter().filter(alike).map(|&policy| belief.belief(policy)).sum()
}

#[test]
fn policies_are_identified_after_forty_moves() {
    for &truth in &POLICIES {
        // Random moves sometimes agree with another policy, and results of random games vary.
        let is_noisy = matches!(truth, Policy::Random | Policy::MonteCarlo);
        let enough = if is_noisy { 0.4 } else { 0.8 };
        let games = (0..GAMES).filter_map(|seed| {
            let other = if seed % 4 < 2 { Policy::Random } else { Policy::Deep(Gray) };
            model_of(truth, other, seed)
        });
        let beliefs: Vec<f32> = games.map(|partner| equivalent_belief(truth, &partner)).collect();
        let known = beliefs.iter().filter(|&&belief| belief >= enough).count();
        assert!(beliefs.len() >= 2 && 4 * known >= 3 * beliefs.len(), "{truth:?}: {beliefs:?}");
    }
}

#[test]
fn only_builders_of_our_colour_are_predicted() {
    for (policy, main, is_predicted) in [
        (Policy::Deep(Red), Red, true),
        (Policy::Deep(Red), Blue, false),
        (Policy::Shallow(Gray), Gray, true),
        (Policy::Greedy, Red, false),
        (Policy::Random, Red, false),
    ] {
        let mut partner =
            model_of(policy, Policy::Deep(Red), 2).expect("the game does not end early");
        partner.main = main;
        let late = partner.late_replies();
        assert_eq!(late.predicted > 0.0, is_predicted, "{policy:?} with {main:?}: {late:?}");
        assert!(is_predicted || late == partner.replies(), "{policy:?} with {main:?}");
    }
}

/// Observes a partner who builds red for [`ENOUGH`] moves and then moves at random for two rhythms. Returns the
/// probability that it builds red and the trust, before and after the change.
fn beliefs_around_a_change(seed: u64) -> [(f32, f32); 2] {
    let (mut partner, mut search) = (PartnerModel::new(), search());
    let mut model = PartnerModel::new();
    model.rng = Rng::new(seed);
    partner.main = Red;
    let mut game = Game::new();
    let mut observed = Vec::new();
    while game.ply() < 2 * (ENOUGH + 2 * RHYTHM) {
        let is_own = (game.ply() as u64 + seed) % 2 == 0;
        let is_changed = game.ply() >= 2 * ENOUGH && !is_own;
        let policy = if is_changed { Policy::Random } else { Policy::Deep(Red) };
        let mv = move_of(policy, game.position(), &mut model, &mut search);
        game.push(mv).expect("a legal move");
        if !is_own {
            partner.observe(&game, &mut search, false);
            observed.push((equivalent_belief(Policy::Deep(Red), &partner), partner.replies().best));
        }
    }
    [observed[ENOUGH - 1], observed[observed.len() - 1]]
}

#[test]
fn a_change_of_policy_is_detected_in_two_rhythms() {
    let games: Vec<[(f32, f32); 2]> = (0..8).map(beliefs_around_a_change).collect();
    assert!(games.iter().all(|[before, _]| before.0 > 0.9 && before.1 > 0.7), "{games:?}");
    let detected = games.iter().filter(|[_, after]| after.0 < 0.3 && after.1 < 0.5).count();
    assert!(detected >= 6, "{games:?}");
}

/// Baseline: the previous model, with one trust number per colour. It is the fraction of the possible gain, by a
/// two-ply search for the colour, that the partner's moves achieved.
struct OneNumber {
    gained: [f32; 3],
    possible: [f32; 3],
}

impl OneNumber {
    fn observe(&mut self, game: &Game, search: &mut Search) -> f32 {
        let (before, made) = game.last_move().expect("a move");
        let trust = |one: &OneNumber, colour: usize| {
            (one.gained[colour] / one.possible[colour]).clamp(0.0, 0.95)
        };
        let most = |&one: &usize, other: &usize| trust(self, one).total_cmp(&trust(self, *other));
        let main = (0..3).max_by(|one, other| most(one, other)).expect("three");
        let trusted = trust(self, main);
        let mut likelihood = 0.0;
        for colour in Colour::ALL {
            let choices = search
                .rank_at(2, before, &Aim::new(colour, ReplyModel::trusting(1.0)))
                .expect("there is no limit");
            let count = choices.len() as f32;
            let mean = choices.iter().map(|one| one.value).sum::<f32>() / count;
            let value = choices.iter().find(|one| one.mv == made).expect("a legal move").value;
            let best = Ranking { choices, depth: 2 }.best().expect("a legal move");
            let index = colour.index();
            if index == main {
                let is_best = if best.mv == made { trusted } else { 0.0 };
                likelihood = is_best + (1.0 - trusted) / count;
            }
            self.gained[index] = 0.93 * self.gained[index] + value - mean;
            self.possible[index] = (0.93 * self.possible[index] + best.value - mean).max(1e-3);
        }
        likelihood
    }
}

#[test]
fn moves_of_recorded_players_are_predicted() {
    let mut header = "";
    let mut players = 0;
    for line in RECORDED.lines() {
        if line.starts_with('#') {
            header = line;
            continue;
        }
        let is_recorded = |side: &str| header.contains(&format!("{side}: sparring player 1"));
        for side in [0, 1].into_iter().filter(|&side| is_recorded(["A", "B"][side])) {
            let (mut partner, mut search, mut game) = (PartnerModel::new(), search(), Game::new());
            let mut before = OneNumber { gained: [18.0; 3], possible: [30.0; 3] };
            let mut logs = [0.0; 3];
            for text in line.split_whitespace().skip(1) {
                let moves = game.position().moves().len();
                game.play(text).expect("a legal move");
                if game.ply() % 2 == 1 - side {
                    if let Some(likelihood) = partner.observe(&game, &mut search, false) {
                        logs[0] += likelihood.ln();
                        logs[1] -= (moves as f32).ln();
                        logs[2] += before.observe(&game, &mut search).ln();
                    }
                }
            }
            assert!(logs[0] > logs[1] + 50.0 && logs[0] > logs[2], "{header}, {side}: {logs:?}");
            players += 1;
        }
    }
    assert_eq!(players, 7);
}
