use super::*;
use crate::engine::rng::Rng;

/// Positions of random games before the first of two slides.
fn positions() -> Vec<Position> {
    let mut rng = Rng::new(4);
    let mut found = Vec::new();
    while found.len() < 50 {
        let mut position = Position::START;
        let plies = 5 * (2 + rng.below(5)) + 3;
        while position.ply < plies {
            let moves = position.moves();
            match moves.get(rng.below(moves.len().max(1))) {
                Some(&mv) => position = position.after(mv).expect("offered"),
                None => break,
            }
        }
        if position.ply == plies {
            found.push(position);
        }
    }
    found
}

/// The mean value of those replies to which the measure gives most.
fn mean_of_best(replies: &[(Board, f32)], measure: impl Fn(Board) -> u32) -> f32 {
    let most = replies.iter().map(|&(board, _)| measure(board)).max().expect("a reply");
    let best = replies.iter().filter(|&&(board, _)| measure(board) == most);
    let best: Vec<f32> = best.map(|&(_, value)| value).collect();
    best.iter().sum::<f32>() / best.len() as f32
}

#[test]
fn a_partners_turn_is_worth_its_policies_mixture() {
    let mut search = Search::new(Evaluation::hand_made());
    let roles = Roles::of_main(Colour::Red);
    let mixed = Replies { best: 0.3, greedy: 0.2, tidy: 0.1, ..Replies::RANDOM };
    let mut different = 0;
    for position in positions() {
        for choice in search.rank_at(2, position, roles, mixed).expect("in time") {
            let after = position.after(choice.mv).expect("offered");
            let replies: Vec<(Board, f32)> = search
                .rank_at(1, after, roles, Replies::RANDOM)
                .expect("in time")
                .iter()
                .map(|reply| (after.after(reply.mv).expect("offered").board, reply.value))
                .collect();
            if replies.is_empty() {
                continue;
            }
            let best = replies.iter().map(|&(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
            let parts = [
                (0.3, best),
                (0.2, mean_of_best(&replies, Board::sum)),
                (0.1, mean_of_best(&replies, tidiness)),
                (0.4, mean_of_best(&replies, |_| 0)),
            ];
            let expected: f32 = parts.iter().map(|(part, value)| part * value).sum();
            assert!((choice.value - expected).abs() < 0.1, "{} {expected}", choice.value);
            different += usize::from((parts[1].1 - parts[3].1).abs() > 1.0);
        }
    }
    assert!(different > 20, "{different}");
}

/// The greatest value of a move searched one ply deep, and the position after the first move that has it.
fn first_of_the_best(
    search: &mut Search,
    position: Position,
    roles: Roles,
) -> Option<(f32, Position)> {
    let choices = search.rank_at(1, position, roles, Replies::RANDOM).expect("in time");
    let best = Ranking { choices, depth: 1 }.best()?;
    Some((best.value, position.after(best.mv).expect("offered")))
}

#[test]
fn the_foreseen_reply_is_the_best_by_hand_made_value() {
    let mut search = Search::new(Evaluation::hand_made());
    let roles = Roles::of_main(Colour::Red);
    let mut searched = 0;
    for position in positions() {
        let foreseen = Replies::RANDOM.foreseeing(1.0);
        for choice in search.rank_at(3, position, roles, foreseen).expect("in time") {
            let after = position.after(choice.mv).expect("offered");
            let reply = first_of_the_best(&mut search, after, roles);
            let Some((_, replied)) = reply else { continue };
            let Some((expected, _)) = first_of_the_best(&mut search, replied, roles) else {
                continue;
            };
            assert!((choice.value - expected).abs() < 0.1, "{} {expected}", choice.value);
            searched += 1;
        }
    }
    assert!(searched > 100, "{searched}");
}

#[test]
fn what_is_not_foreseen_weighs_by_static_values() {
    let mut search = Search::new(Evaluation::hand_made());
    let roles = Roles::of_main(Colour::Red);
    let usual = Replies { best: 0.3, greedy: 0.2, tidy: 0.1, ..Replies::RANDOM };
    for position in positions() {
        // Two plies deep all values are static ones: the best move is the foreseen one.
        let best = Replies { best: 0.65, greedy: 0.1, tidy: 0.05, ..Replies::RANDOM };
        let foreseen = search.rank_at(2, position, roles, usual.foreseeing(0.5)).expect("in time");
        let all = search.rank_at(2, position, roles, best).expect("in time");
        for (one, other) in foreseen.iter().zip(&all) {
            assert!((one.value - other.value).abs() < 0.1, "{} {}", one.value, other.value);
        }
    }
}

#[test]
fn a_search_ends_soon_after_its_nodes() {
    let mut search = Search::new(Evaluation::hand_made());
    let limits = Limits { nodes: Some(5000), ..Limits::default() };
    for replies in [Replies::trusting(0.5), Replies::trusting(0.5).foreseeing(0.5)] {
        for position in positions() {
            let before = search.nodes();
            search.rank(position, Roles::of_main(Colour::Red), replies, limits);
            let nodes = search.nodes() - before;
            assert!(nodes <= 5000 + NODES_A_LOOK + 16, "{replies:?}: {nodes}");
        }
    }
}

#[test]
fn a_tidier_board_has_fewer_pieces_or_a_greater_sum() {
    let piece = |exponent| Piece { colour: Colour::Gray, exponent };
    let (one, larger) = (Board::EMPTY.with(0, piece(3)), Board::EMPTY.with(0, piece(4)));
    let two = Board::EMPTY.with(0, piece(7)).with(1, piece(7));
    assert!(tidiness(one) < tidiness(larger) && tidiness(two) < tidiness(one));
}
