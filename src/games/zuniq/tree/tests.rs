use super::*;
use crate::engine::clock::{Measure, Stopwatch};
use crate::engine::rng::Rng;
use crate::games::zuniq::geometry::random_bit;
use crate::games::zuniq::tests::random_position;
use std::time::Duration;

fn tree() -> Tree {
    Tree::new(Params::default(), Network::built_in())
}

#[test]
fn what_it_proves_is_true() {
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
        let wins = solver.wins(&position, Limits::default());
        assert_eq!(wins, Some(result.value > 0.5), "{:?}", position);
        if wins == Some(true) {
            let next = position.make(result.best);
            assert_eq!(solver.wins(&next, Limits::default()), Some(false));
        }
        proved[usize::from(wins == Some(true))] += 1;
    }
    assert!(proved.iter().all(|&count| count > 5), "{:?}", proved);
}

/// A tree that is kept for a whole game meets roots that it has proved as leaves or through
/// transpositions.
#[test]
fn what_is_known_to_be_proved_is_answered_by_the_proof() {
    let mut rng = Rng::new(4);
    let mut proved = [0; 2];
    for game in 0..40 {
        let mut position = random_position(&mut rng, 24 + game % 4);
        let (mut tree, mut solver) = (tree(), Solver::new(1));
        while let Some(result) = tree.search(&position, &mut solver, None, 40) {
            let stats = tree.stats(&position).expect("it has just been searched");
            let is_proved = stats.value == 0.0 || stats.value == 1.0;
            assert_eq!(result.proved, is_proved, "{:?} {:?}", result, stats);
            if is_proved {
                assert_eq!(result.value, stats.value);
                proved[stats.value as usize] += 1;
                let next = position.make(result.best);
                let wins = Solver::new(1).wins(&next, Limits::default());
                assert_eq!(wins, Some(result.value == 0.0), "{:?}", position);
            }
            let bit = random_bit(position.legal(), &mut rng);
            position = position.make_bit(bit);
        }
    }
    assert!(proved.iter().all(|&count| count > 20), "{:?}", proved);
}

#[test]
fn searches_repeat_and_end() {
    let position = random_position(&mut Rng::new(2), 12);
    let search = |tree: &mut Tree, deadline, simulations| {
        tree.search(&position, &mut Solver::new(1), deadline, simulations).expect("a move")
    };
    let [one, other] = [(); 2].map(|_| search(&mut tree(), None, 100));
    assert_eq!((one.best, one.value), (other.best, other.value));
    assert_eq!(one.simulations, 100);
    // Even without any time there is a move.
    let hurried = search(
        &mut tree(),
        Some(Stopwatch::start(Measure::Processor).deadline(Duration::ZERO)),
        u64::MAX,
    );
    assert!(position.is_legal(hurried.best));
    assert_eq!(hurried.simulations, 0);
}

#[test]
fn a_network_that_knows_nothing_still_plays() {
    let mut tree = Tree::new(Params::default(), Arc::new(Network::zero()));
    let position = random_position(&mut Rng::new(3), 10);
    let result = tree.search(&position, &mut Solver::new(1), None, 200).expect("a move");
    assert!(position.is_legal(result.best));
}
