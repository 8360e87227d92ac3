use super::*;
use crate::engine::clock::Stopwatch;
use crate::engine::rng::Rng;
use crate::games::zuniq::geometry::random_bit;
use crate::games::zuniq::tests::random_position;
use std::time::Duration;

fn tree() -> Tree {
    Tree::new(Params::default(), Network::built_in())
}

#[test]
fn proofs_are_correct() {
    let mut rng = Rng::new(1);
    let (mut solver, mut leaf_solver) = (Solver::new(4), Solver::new(1));
    let mut proved = [0; 2];
    for game in 0..60 {
        let position = random_position(&mut rng, 27 + game % 8);
        let result = tree().search(&position, &mut leaf_solver, None, 300);
        let result = match result {
            Some(result) if result.proved => result,
            Some(result) => {
                assert!((0.0..=1.0).contains(&result.value), "{:?}", result);
                continue;
            }
            None => {
                assert_eq!(position.legal(), 0);
                continue;
            }
        };
        let wins = solver.wins(&position, Budget::unlimited());
        assert_eq!(wins, Some(result.value > 0.5), "{:?}", position);
        if wins == Some(true) {
            let next = position.make(result.best);
            assert_eq!(solver.wins(&next, Budget::unlimited()), Some(false));
        }
        proved[usize::from(wins == Some(true))] += 1;
    }
    assert!(proved.iter().all(|&count| count > 5), "{:?}", proved);
}

/// In a tree that is kept for a whole game, some roots were proved as leaves or through transpositions.
#[test]
fn proved_roots_return_their_proof() {
    let mut rng = Rng::new(4);
    let mut proved = [0; 2];
    for game in 0..40 {
        let mut position = random_position(&mut rng, 24 + game % 4);
        let (mut tree, mut solver) = (tree(), Solver::new(1));
        while let Some(result) = tree.search(&position, &mut solver, None, 40) {
            let stats = tree.stats(&position).expect("the position was just searched");
            let is_proved = stats.value == 0.0 || stats.value == 1.0;
            assert_eq!(result.proved, is_proved, "{:?} {:?}", result, stats);
            if is_proved {
                assert_eq!(result.value, stats.value);
                proved[stats.value as usize] += 1;
                let next = position.make(result.best);
                let wins = Solver::new(1).wins(&next, Budget::unlimited());
                assert_eq!(wins, Some(result.value == 0.0), "{:?}", position);
            }
            let bit = random_bit(position.legal(), &mut rng);
            position = position.make_bit(bit);
        }
    }
    assert!(proved.iter().all(|&count| count > 20), "{:?}", proved);
}

#[test]
fn searches_are_reproducible_and_stop() {
    let position = random_position(&mut Rng::new(2), 12);
    let search = |tree: &mut Tree, deadline, simulations| {
        tree.search(&position, &mut Solver::new(1), deadline, simulations).expect("a legal move")
    };
    let [one, other] = [(); 2].map(|_| search(&mut tree(), None, 100));
    assert_eq!((one.best, one.value), (other.best, other.value));
    assert_eq!(one.simulations, 100);
    // Even without any time a move is returned.
    let hurried = search(&mut tree(), Some(Stopwatch::start().deadline(Duration::ZERO)), u64::MAX);
    assert!(position.is_legal(hurried.best));
    assert_eq!(hurried.simulations, 0);
}

#[test]
fn a_zero_network_still_plays() {
    let mut tree = Tree::new(Params::default(), Arc::new(Network::zero()));
    let position = random_position(&mut Rng::new(3), 10);
    let result = tree.search(&position, &mut Solver::new(1), None, 200).expect("a legal move");
    assert!(position.is_legal(result.best));
}

/// Plays the best moves with a search at every position, and returns the move, value and tree size of each search. If
/// `collects`, unreachable nodes are dropped before each search.
fn line_of_searches(collects: bool) -> Vec<(Segment, f64, usize)> {
    let mut tree = tree();
    let mut solver = Solver::new(1);
    let mut position = random_position(&mut Rng::new(5), 12);
    let mut found = Vec::new();
    for _ in 0..8 {
        let known = tree.stats(&position);
        if collects {
            tree.arena.collect(&position);
            assert_eq!(tree.arena.index.len(), tree.arena.nodes.len());
            let edges: usize =
                tree.arena.nodes.iter().map(|node| usize::from(node.edge_count)).sum();
            assert_eq!(edges, tree.arena.edges.len());
        }
        let kept = tree.stats(&position);
        assert_eq!(kept.map(|stats| stats.visits), known.map(|stats| stats.visits));
        let result = tree.search(&position, &mut solver, None, 150).expect("a legal move");
        found.push((result.best, result.value, tree.size()));
        position = position.make(result.best);
    }
    found
}

#[test]
fn collection_keeps_reachable_nodes_unchanged() {
    let (kept, collected) = (line_of_searches(false), line_of_searches(true));
    for ((best, value, size), (other, other_value, other_size)) in kept.iter().zip(&collected) {
        assert_eq!((best, value), (other, other_value));
        assert!(other_size <= size, "{} edges instead of {}", other_size, size);
    }
    let last = |found: &[(Segment, f64, usize)]| found[found.len() - 1].2;
    assert!(2 * last(&collected) < last(&kept), "{:?} {:?}", last(&collected), last(&kept));
}

#[test]
fn collecting_at_an_unknown_position_empties_the_tree() {
    let mut tree = tree();
    let mut rng = Rng::new(6);
    let position = random_position(&mut rng, 12);
    tree.search(&position, &mut Solver::new(1), None, 50);
    assert!(tree.size() > 0);
    tree.arena.collect(&random_position(&mut rng, 30));
    assert_eq!((tree.size(), tree.arena.nodes.len(), tree.arena.index.len()), (0, 0, 0));
}

#[test]
fn a_full_tree_still_answers_and_is_collected() {
    let params = Params::default().with_megabytes(64);
    assert!(params.max_edges as u64 * BYTES_PER_EDGE <= 64 << 20);
    let params = Params { max_edges: 4000, ..params };
    let mut tree = Tree::new(params, Network::built_in());
    let mut position = random_position(&mut Rng::new(7), 8);
    let mut solver = Solver::new(1);
    for _ in 0..6 {
        let result = tree.search(&position, &mut solver, None, 300).expect("a legal move");
        assert!(tree.size() <= 4000 && tree.arena.edges.capacity() <= 4000 + MIN_GROWTH);
        assert!(tree.size() > 3900, "{}", tree.size());
        position = position.make(result.best);
    }
}

#[test]
fn a_tree_at_its_memory_limit_is_collected() {
    let mut tree = Tree { max_edges: 4000, ..tree() };
    let mut position = random_position(&mut Rng::new(7), 8);
    let mut solver = Solver::new(1);
    for _ in 0..6 {
        let result = tree.search(&position, &mut solver, None, 300).expect("a legal move");
        assert!(result.simulations > 0 && tree.size() <= 4000, "{}", tree.size());
        position = position.make(result.best);
    }
}

/// Without decay, the sum of values would stay at 2^24 and the mean would decrease.
#[test]
fn the_mean_stays_accurate_in_long_searches() {
    let tree = tree_of_the_start();
    let mut node = tree.arena.nodes[0];
    for _ in 0..1 << 25 {
        node.record(1.0);
    }
    assert!(node.mean() > 0.99, "{}", node.mean());
    for _ in 0..1 << 21 {
        node.record(0.1);
    }
    assert!((node.mean() - 0.1).abs() < 0.02, "{}", node.mean());
    assert!(node.visits > 1 << 25);
}

/// Creates a tree with the start position as its root.
fn tree_of_the_start() -> Tree {
    let mut tree = tree();
    tree.search(&Position::START, &mut Solver::new(1), None, 1);
    tree
}
