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
    let mixed = Replies { best: 0.3, greedy: 0.2, tidy: 0.1 };
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

#[test]
fn a_tidier_board_has_fewer_pieces_or_a_greater_sum() {
    let piece = |exponent| Piece { colour: Colour::Gray, exponent };
    let (one, larger) = (Board::EMPTY.with(0, piece(3)), Board::EMPTY.with(0, piece(4)));
    let two = Board::EMPTY.with(0, piece(7)).with(1, piece(7));
    assert!(tidiness(one) < tidiness(larger) && tidiness(two) < tidiness(one));
}
