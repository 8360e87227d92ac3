use super::*;
use crate::games::g6561::search::{Evaluation, Ranking};

/// Whole games with two strangers, by an independent referee: the score, then the moves.
const RECORDED: &str = include_str!("../../../../tests/data/6561_strangers.txt");
/// Generated games of every policy.
const GAMES: u64 = 4;
/// Moves of the partner after which it has to be known.
const ENOUGH: usize = 40;

fn search() -> Search {
    Search::new(Evaluation::hand_made())
}

/// The move of a policy: one of its best, for the random one any.
fn move_of(policy: Policy, position: Position, mind: &mut Partner, search: &mut Search) -> Move {
    let mut moves = position.moves();
    let index = POLICIES.iter().position(|&one| one == policy).expect("listed");
    let values = mind.values(position, &moves, search, false)[index].clone();
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut is_best = values.iter().map(|&value| value == most);
    moves.retain(|_| is_best.next() == Some(true));
    moves[mind.rng.below(moves.len())]
}

/// What is believed of a policy after some of its moves, in a game with another one.
fn believed(truth: Policy, other: Policy, seed: u64) -> Option<Partner> {
    let (mut partner, mut search) = (Partner::new(), search());
    let mut minds = [Partner::new(), Partner::new()];
    for (mind, salt) in minds.iter_mut().zip([1, 2]) {
        mind.rng = Rng::new(10 * seed + salt);
    }
    let first = seed as usize % 2;
    let mut game = Game::new();
    let mut seen = 0;
    while seen < ENOUGH {
        let side = (game.ply() + first) % 2;
        if game.ending().is_some() {
            return None;
        }
        let policy = [truth, other][side];
        let mv = move_of(policy, game.position(), &mut minds[side], &mut search);
        game.push(mv).expect("legal");
        if side == 0 {
            partner.observe(&game, &mut search, false);
            seen += 1;
        }
    }
    Some(partner)
}

/// The policies that do the same: one colour is kept, however deep it is searched and by what name.
fn like(truth: Policy, belief: &Partner) -> f32 {
    let alike = |policy: &&Policy| match belief.kept(truth) {
        Some(colour) => belief.kept(**policy) == Some(colour),
        None => **policy == truth,
    };
    POLICIES.iter().filter(alike).map(|&policy| belief.belief(policy)).sum()
}

#[test]
fn a_policy_is_known_after_forty_moves() {
    for &truth in &POLICIES {
        // A random move is like one of any policy now and then, and random games differ from each other.
        let is_noisy = matches!(truth, Policy::Random | Policy::MonteCarlo);
        let enough = if is_noisy { 0.4 } else { 0.8 };
        let games = (0..GAMES).filter_map(|seed| {
            let other = if seed % 4 < 2 { Policy::Random } else { Policy::Deep(Gray) };
            believed(truth, other, seed)
        });
        let beliefs: Vec<f32> = games.map(|partner| like(truth, &partner)).collect();
        let known = beliefs.iter().filter(|&&belief| belief >= enough).count();
        assert!(beliefs.len() >= 2 && 4 * known >= 3 * beliefs.len(), "{truth:?}: {beliefs:?}");
    }
}

#[test]
fn only_builders_of_our_colour_are_foreseen() {
    for (policy, main, is_foreseen) in [
        (Policy::Deep(Red), Red, true),
        (Policy::Deep(Red), Blue, false),
        (Policy::Shallow(Gray), Gray, true),
        (Policy::Greedy, Red, false),
        (Policy::Random, Red, false),
    ] {
        let mut partner = believed(policy, Policy::Deep(Red), 2).expect("a game that goes on");
        partner.main = main;
        let late = partner.late_replies();
        assert_eq!(late.foreseen > 0.0, is_foreseen, "{policy:?} with {main:?}: {late:?}");
        assert!(is_foreseen || late == partner.replies(), "{policy:?} with {main:?}");
    }
}

/// What is believed of a partner who keeps red in [`ENOUGH`] moves and then moves at random for two
/// rhythms: before and after these, how likely it keeps red, and the trust.
fn changed(seed: u64) -> [(f32, f32); 2] {
    let (mut partner, mut search) = (Partner::new(), search());
    let mut mind = Partner::new();
    mind.rng = Rng::new(seed);
    partner.main = Red;
    let mut game = Game::new();
    let mut seen = Vec::new();
    while game.ply() < 2 * (ENOUGH + 2 * RHYTHM) {
        let is_own = (game.ply() as u64 + seed) % 2 == 0;
        let is_changed = game.ply() >= 2 * ENOUGH && !is_own;
        let policy = if is_changed { Policy::Random } else { Policy::Deep(Red) };
        let mv = move_of(policy, game.position(), &mut mind, &mut search);
        game.push(mv).expect("legal");
        if !is_own {
            partner.observe(&game, &mut search, false);
            seen.push((like(Policy::Deep(Red), &partner), partner.replies().best));
        }
    }
    [seen[ENOUGH - 1], seen[seen.len() - 1]]
}

#[test]
fn a_changed_partner_is_found_out_in_two_rhythms() {
    let games: Vec<[(f32, f32); 2]> = (0..8).map(changed).collect();
    assert!(games.iter().all(|[before, _]| before.0 > 0.9 && before.1 > 0.7), "{games:?}");
    let found_out = games.iter().filter(|[_, after]| after.0 < 0.3 && after.1 < 0.5).count();
    assert!(found_out >= 6, "{games:?}");
}

/// What the model before this one gave a move: one number for how much of what the best moves would
/// have gained, by a search of two plies for one colour, the partner's moves have gained.
struct OneNumber {
    gained: [f32; 3],
    possible: [f32; 3],
}

impl OneNumber {
    fn observe(&mut self, game: &Game, search: &mut Search) -> f32 {
        let before = game.position_after(game.ply() - 1);
        let made = game.moves()[game.ply() - 1];
        let trust = |one: &OneNumber, colour: usize| {
            (one.gained[colour] / one.possible[colour]).clamp(0.0, 0.95)
        };
        let most = |&one: &usize, other: &usize| trust(self, one).total_cmp(&trust(self, *other));
        let main = (0..3).max_by(|one, other| most(one, other)).expect("three");
        let trusted = trust(self, main);
        let mut likelihood = 0.0;
        for colour in Colour::ALL {
            let roles = Roles::of_main(colour);
            let choices =
                search.rank_at(2, before, roles, Replies::trusting(1.0)).expect("in time");
            let count = choices.len() as f32;
            let mean = choices.iter().map(|one| one.value).sum::<f32>() / count;
            let value = choices.iter().find(|one| one.mv == made).expect("legal").value;
            let best = Ranking { choices, depth: 2 }.best().expect("a move");
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
fn strangers_moves_are_likelier_than_by_chance() {
    let mut header = "";
    let mut strangers = 0;
    for line in RECORDED.lines() {
        if line.starts_with('#') {
            header = line;
            continue;
        }
        let is_stranger = |side: &str| header.contains(&format!("{side}: stranger 1"));
        for side in [0, 1].into_iter().filter(|&side| is_stranger(["A", "B"][side])) {
            let (mut partner, mut search, mut game) = (Partner::new(), search(), Game::new());
            let mut before = OneNumber { gained: [18.0; 3], possible: [30.0; 3] };
            let mut logs = [0.0; 3];
            for text in line.split_whitespace().skip(1) {
                let moves = game.position().moves().len();
                game.play(text).expect("legal");
                if game.ply() % 2 == 1 - side {
                    if let Some(likelihood) = partner.observe(&game, &mut search, false) {
                        logs[0] += likelihood.ln();
                        logs[1] -= (moves as f32).ln();
                        logs[2] += before.observe(&game, &mut search).ln();
                    }
                }
            }
            assert!(logs[0] > logs[1] + 50.0 && logs[0] > logs[2], "{header}, {side}: {logs:?}");
            strangers += 1;
        }
    }
    assert_eq!(strangers, 7);
}
