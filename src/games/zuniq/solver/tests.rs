use super::node::Node;
use super::*;
use crate::engine::clock::Stopwatch;
use crate::engine::rng::Rng;
use crate::games::zuniq::geometry::{image_of_segment, Each, Segments, SYMMETRIES};
use crate::games::zuniq::tests::random_position;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// Solves a position by exhaustive search, with a cache by the complete state of the rules.
fn exhaustive(position: &Position, known: &mut HashMap<(Segments, u32), bool>) -> bool {
    let key = (position.gaps(), position.sizes().bits());
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let wins = Each(position.legal()).any(|bit| !exhaustive(&position.make_bit(bit), known));
    known.insert(key, wins);
    wins
}

#[test]
fn solver_agrees_with_exhaustive_search() {
    let mut rng = Rng::new(3);
    // One solver for all positions: the proofs in its table must hold for every position.
    let mut solver = Solver::new(1);
    let mut won = 0;
    for game in 0..120 {
        let position = random_position(&mut rng, 30 + game % 8);
        let expected = exhaustive(&position, &mut HashMap::new());
        assert_eq!(solver.wins(&position, Budget::unlimited()), Some(expected), "{:?}", position);
        match solver.solve(&position, Budget::unlimited()) {
            Some(Verdict::Won(segment)) => {
                assert!(expected, "{:?}", position);
                let next = position.make(segment);
                assert!(!exhaustive(&next, &mut HashMap::new()), "{:?}", position);
                won += 1;
            }
            Some(Verdict::Lost) => assert!(!expected, "{:?}", position),
            None => panic!("not solved although there is no limit"),
        }
    }
    assert!((30..90).contains(&won), "{} of 120 won", won);
}

#[test]
fn look_ahead_keeps_proofs_correct() {
    let mut rng = Rng::new(12);
    let mut solver = Solver::new(1);
    solver.look_ahead_until = MAX_PLIES;
    for game in 0..64 {
        let position = random_position(&mut rng, 30 + game % 8);
        let mut known = HashMap::new();
        let expected = exhaustive(&position, &mut known);
        assert_eq!(solver.wins(&position, Budget::unlimited()), Some(expected), "{:?}", position);
        // The stored proofs of children must be correct too.
        for bit in Each(position.legal()) {
            let next = position.make_bit(bit);
            let node = Node::new(next);
            if let Some(wins) = solver.table.probe(node.reduced().key()) {
                assert_eq!(wins, exhaustive(node.position(), &mut known), "{:?}", node);
            }
        }
    }
}

#[test]
fn the_solver_stops_at_a_limit() {
    let position = random_position(&mut Rng::new(4), 14);
    let mut solver = Solver::new(1);
    assert_eq!(solver.solve(&position, Budget::new(Some(1000), None)), None);
    assert!((1000..1100).contains(&solver.nodes()), "{}", solver.nodes());
    let deadline = Some(Stopwatch::start().deadline(Duration::ZERO));
    assert_eq!(solver.wins(&position, Budget::new(None, deadline)), None);
}

#[test]
fn images_of_a_position_share_its_key() {
    let mut rng = Rng::new(5);
    for game in 0..200 {
        let plies = 10 + game % 25;
        let mut images = [Position::START; SYMMETRIES];
        for _ in 0..plies {
            let legal: Vec<Segment> = Segment::each(images[0].legal()).collect();
            if legal.is_empty() {
                break;
            }
            let segment = legal[rng.below(legal.len())];
            for (symmetry, image) in images.iter_mut().enumerate() {
                *image = image.make_bit(1 << image_of_segment(segment.index(), symmetry));
            }
        }
        let keys = images.clone().map(|image| Node::new(image).reduced().key());
        assert_eq!(keys, [keys[0]; SYMMETRIES]);
        // Keys computed incrementally or without making the move are the same.
        let node = Node::new(images[0].clone());
        for (bit, zone) in moves_of(&node).list() {
            let next = node.after(*bit);
            assert_eq!(node.reduced_after(*bit, *zone).key(), next.reduced().key());
            assert_eq!(next.reduced().key(), Node::new(images[0].make_bit(*bit)).reduced().key());
        }
    }
}

fn moves_of(node: &Node) -> Moves {
    let mut moves = Moves::new();
    moves.generate(node);
    moves
}

#[test]
fn commuting_moves_lead_to_the_same_position() {
    let mut rng = Rng::new(13);
    // Counts by the number of the two moves that are bridges initially, and by the result.
    let mut counts = [[0; 2]; 3];
    for game in 0..300 {
        let position = random_position(&mut rng, 16 + game % 16);
        for first in Each(position.legal()) {
            let next = position.make_bit(first);
            for second in Each(next.legal()) {
                let same = position.legal() & second != 0 && {
                    let other = position.make_bit(second);
                    other.legal() & first != 0 && other.make_bit(first) == next.make_bit(second)
                };
                assert_eq!(commute(&position, first, second), same, "{:?}", position);
                let bridges = (position.bridges() & (first | second)).count_ones();
                counts[bridges as usize][usize::from(same)] += 1;
            }
        }
    }
    // Two moves that are not bridges always commute.
    assert_eq!(counts[0][0], 0);
    assert!(counts.iter().flatten().skip(1).all(|&count| count >= 30), "{:?}", counts);
}

fn ending_of(position: &Position) -> Option<bool> {
    ending::wins(position.gaps(), position.open(), position.sizes())
}

#[test]
fn dropped_endings_agree_with_made_positions() {
    let mut rng = Rng::new(10);
    let (mut won, mut lost, mut counts) = (0, 0, [0; 2]);
    for game in 0..3000 {
        let node = Node::new(random_position(&mut rng, 26 + game % 14));
        let mut moves = moves_of(&node);
        let all = |moves: &Moves| moves.list().iter().fold(0, |all, (bit, _)| all | bit);
        assert_eq!(all(&moves), node.reduced().moves());
        if let Some(winning) = moves.drop_endings(node.position()) {
            assert_eq!(ending_of(node.after(winning).position()), Some(false));
            won += 1;
            continue;
        }
        let unknown = all(&moves);
        lost += usize::from(unknown == 0 && node.reduced().moves() != 0);
        for bit in Each(node.reduced().moves()) {
            let expected = if unknown & bit != 0 { None } else { Some(true) };
            assert_eq!(ending_of(node.after(bit).position()), expected, "{:?}", node);
            counts[usize::from(expected.is_some())] += 1;
        }
    }
    assert!(won >= 100 && lost >= 100, "{} won, {} lost", won, lost);
    assert!(counts.iter().all(|&count| count >= 100), "{:?}", counts);
}

#[test]
fn children_agree_with_and_without_bit_instructions() {
    let mut rng = Rng::new(11);
    let mut solver = Solver::new(1);
    let mut waiting = 0;
    for game in 0..500 {
        let node = Node::new(random_position(&mut rng, 20 + game % 16));
        let of = |solver: &mut Solver, found: Option<Segment>| {
            let children = solver.waiting.drain(..);
            let children = children.map(|child| (child.segment, child.key, child.order.to_bits()));
            (found, children.collect::<Vec<_>>())
        };
        let found = solver.add_children(&node);
        let with = of(&mut solver, found);
        let found = solver.add_unknown_children(&node);
        assert_eq!(with, of(&mut solver, found), "{:?}", node);
        waiting += with.1.len();
    }
    assert!(waiting > 1000, "{}", waiting);
}

#[test]
fn endings_agree_with_exhaustive_search() {
    let mut rng = Rng::new(6);
    let mut counts = [[0; 2]; 2];
    for game in 0..3000 {
        let position = random_position(&mut rng, 28 + game % 12);
        if let Some(wins) = ending_of(&position) {
            let expected = exhaustive(&position, &mut HashMap::new());
            assert_eq!(wins, expected, "{:?}", position);
            let has_cycle = position.gaps().count_ones() > position.open().count_ones();
            counts[usize::from(has_cycle)][usize::from(wins)] += 1;
        }
    }
    assert!(counts.iter().flatten().all(|&count| count >= 50), "{:?}", counts);
}

/// Self-play games of an early network, which rarely closed a zone before it had to, and of network 5.
const GOOD_GAMES: [(&str, &str); 2] = [
    ("early", include_str!("tests/good_games.txt")),
    ("recent", include_str!("tests/good_games_recent.txt")),
];

/// Benchmark: prints how many positions of good games are proved in time. It takes minutes: `cargo test --release
/// proves -- --ignored --nocapture`.
#[test]
#[ignore]
fn proves_positions_of_good_games() {
    for (name, games) in GOOD_GAMES {
        for (ply, seconds) in [(28, 1), (27, 1), (26, 1), (24, 10), (22, 10)] {
            let mut times: Vec<f64> =
                games.lines().map(|line| time_to_prove(line, ply, seconds)).collect();
            times.sort_by(f64::total_cmp);
            println!(
                "{} games, ply {}: {} of {} proved within {} s, the median in {:.2} s",
                name,
                ply,
                times.iter().filter(|time| time.is_finite()).count(),
                times.len(),
                seconds,
                times[times.len() / 2]
            );
        }
    }
}

/// Measures the seconds that a proof of the position at `ply` takes; infinite if it is not proved in time.
fn time_to_prove(moves: &str, ply: usize, seconds: u64) -> f64 {
    let moves = moves.split_whitespace().take(ply).map(|text| text.parse::<Segment>());
    let position = moves.fold(Position::START, |position, segment| position.make(segment.unwrap()));
    let watch = Stopwatch::start();
    let deadline = Some(watch.deadline(Duration::from_secs(seconds)));
    let proved = Solver::new(64).wins(&position, Budget::new(None, deadline));
    if proved.is_some() {
        watch.elapsed().as_secs_f64()
    } else {
        f64::INFINITY
    }
}

/// Checks all positions that can follow a position: equal keys must have equal winners.
#[derive(Default)]
struct ByKey {
    known: HashMap<(Segments, u32), bool>,
    by_key: HashMap<u64, (bool, Position)>,
    seen: HashSet<(Segments, u32)>,
}

impl ByKey {
    fn check(&mut self, position: &Position) {
        if !self.seen.insert((position.gaps(), position.sizes().bits())) {
            return;
        }
        let wins = exhaustive(position, &mut self.known);
        let node = Node::new(position.clone());
        let (first_wins, first) =
            self.by_key.entry(node.reduced().key()).or_insert((wins, position.clone()));
        assert_eq!(wins, *first_wins, "{:?} has the key of {:?}", position, first);
        if let Some(known) = node.reduced().known_result().or_else(|| ending_of(position)) {
            assert_eq!(wins, known, "{:?}", position);
        }
        Each(position.legal()).for_each(|bit| self.check(&position.make_bit(bit)));
    }
}

#[test]
fn positions_that_share_a_key_share_the_winner() {
    // Regression: in this game the keys of a size and a gap collided, which led to a false claim.
    let text = "F3h A1v B1v E3v D4v D5h A4h F5h B6v F1h E2h E4h D1v C3v A6v D5v C5v B1h C1v C3h \
                A2h C2v A3h B2v F4h B4h E6v B3v E1v E4v D6v A3v A1h";
    let segments = text.split_whitespace().map(|text| text.parse::<Segment>().unwrap());
    let position = segments.fold(Position::START, |position, segment| position.make(segment));
    let mut rng = Rng::new(9);
    let others = (0..12).map(|game| random_position(&mut rng, 32 + game % 4));
    let mut all = ByKey::default();
    std::iter::once(position).chain(others).for_each(|position| all.check(&position));
    assert!(all.by_key.len() * 4 < all.seen.len() * 3, "{} keys", all.by_key.len());
}
