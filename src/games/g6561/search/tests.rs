use super::*;
use crate::engine::rng::Rng;

/// Returns positions of random games before the first of two slides.
fn positions() -> Vec<Position> {
    let mut rng = Rng::new(4);
    let mut found = Vec::new();
    while found.len() < 50 {
        let mut position = Position::START;
        let plies = 5 * (2 + rng.below(5)) + 3;
        while position.ply < plies {
            let moves = position.moves();
            match moves.get(rng.below(moves.len().max(1))) {
                Some(&mv) => position = position.after(mv).expect("a legal move"),
                None => break,
            }
        }
        if position.ply == plies {
            found.push(position);
        }
    }
    found
}

/// Returns the mean value of the replies that are best by a measure.
fn mean_of_best(replies: &[(Board, f32)], measure: impl Fn(Board) -> u32) -> f32 {
    let most = replies.iter().map(|&(board, _)| measure(board)).max().expect("a reply");
    let best = replies.iter().filter(|&&(board, _)| measure(board) == most);
    let best: Vec<f32> = best.map(|&(_, value)| value).collect();
    best.iter().sum::<f32>() / best.len() as f32
}

#[test]
fn partner_turns_are_valued_by_the_mixture() {
    let mut search = Search::new();
    let main = Colour::Red;
    let mixed = ReplyModel { best: 0.3, greedy: 0.2, tidy: 0.1, ..ReplyModel::RANDOM };
    let mut different = 0;
    for position in positions() {
        for choice in
            search.rank_at(2, position, &Aim::new(main, mixed)).expect("there is no limit")
        {
            let after = position.after(choice.mv).expect("a legal move");
            let replies: Vec<(Board, f32)> = search
                .rank_at(1, after, &Aim::new(main, ReplyModel::RANDOM))
                .expect("there is no limit")
                .iter()
                .map(|reply| (after.after(reply.mv).expect("a legal move").board, reply.value))
                .collect();
            if replies.is_empty() {
                continue;
            }
            let best = replies.iter().map(|&(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
            let terms = [
                (0.3, best),
                (0.2, mean_of_best(&replies, Board::sum)),
                (0.1, mean_of_best(&replies, tidiness)),
                (0.4, mean_of_best(&replies, |_| 0)),
            ];
            let expected: f32 = terms.iter().map(|(weight, value)| weight * value).sum();
            assert!((choice.value - expected).abs() < 0.1, "{} {expected}", choice.value);
            different += usize::from((terms[1].1 - terms[3].1).abs() > 1.0);
        }
    }
    assert!(different > 20, "{different}");
}

/// Returns the highest value of a move at depth 1 and the position after the first such move.
fn first_of_the_best(
    search: &mut Search,
    position: Position,
    main: Colour,
) -> Option<(f32, Position)> {
    let choices = search
        .rank_at(1, position, &Aim::new(main, ReplyModel::RANDOM))
        .expect("there is no limit");
    let best = Ranking { choices, depth: 1 }.best()?;
    Some((best.value, position.after(best.mv).expect("a legal move")))
}

#[test]
fn the_predicted_reply_is_the_best_by_hand_made_value() {
    let mut search = Search::new();
    let main = Colour::Red;
    let mut searched = 0;
    for position in positions() {
        let predicted = ReplyModel::RANDOM.with_predicted(1.0);
        for choice in
            search.rank_at(3, position, &Aim::new(main, predicted)).expect("there is no limit")
        {
            let after = position.after(choice.mv).expect("a legal move");
            let reply = first_of_the_best(&mut search, after, main);
            let Some((_, replied)) = reply else { continue };
            let Some((expected, _)) = first_of_the_best(&mut search, replied, main) else {
                continue;
            };
            assert!((choice.value - expected).abs() < 0.1, "{} {expected}", choice.value);
            searched += 1;
        }
    }
    assert!(searched > 100, "{searched}");
}

#[test]
fn other_replies_are_weighted_by_static_values() {
    let mut search = Search::new();
    let main = Colour::Red;
    let usual = ReplyModel { best: 0.3, greedy: 0.2, tidy: 0.1, ..ReplyModel::RANDOM };
    for position in positions() {
        // At depth 2 all values are static, so the best move is the predicted one.
        let best = ReplyModel { best: 0.65, greedy: 0.1, tidy: 0.05, ..ReplyModel::RANDOM };
        let predicted = search
            .rank_at(2, position, &Aim::new(main, usual.with_predicted(0.5)))
            .expect("there is no limit");
        let all = search.rank_at(2, position, &Aim::new(main, best)).expect("there is no limit");
        for (one, other) in predicted.iter().zip(&all) {
            assert!((one.value - other.value).abs() < 0.1, "{} {}", one.value, other.value);
        }
    }
}

#[test]
fn a_search_stops_soon_after_the_node_limit() {
    let mut search = Search::new();
    let limits = Limits { nodes: Some(5000), ..Limits::default() };
    for replies in [ReplyModel::trusting(0.5), ReplyModel::trusting(0.5).with_predicted(0.5)] {
        for position in positions() {
            let before = search.nodes();
            search.rank(position, &Aim::new(Colour::Red, replies), limits);
            let nodes = search.nodes() - before;
            assert!(nodes <= 5000 + NODES_BETWEEN_CLOCK_READS + 16, "{replies:?}: {nodes}");
        }
    }
}

#[test]
fn a_tidier_board_has_fewer_pieces_or_a_higher_sum() {
    let piece = |exponent| Piece { colour: Colour::Gray, exponent };
    let (one, larger) = (Board::EMPTY.with(0, piece(3)), Board::EMPTY.with(0, piece(4)));
    let two = Board::EMPTY.with(0, piece(7)).with(1, piece(7));
    assert!(tidiness(one) < tidiness(larger) && tidiness(two) < tidiness(one));
}

#[test]
fn a_board_is_stuck_if_there_is_no_legal_move() {
    let search = Search::new();
    let piece = |exponent| Piece { colour: Colour::Red, exponent };
    let full = |exponent: fn(usize) -> u8| {
        let squares = 0..SQUARES;
        squares.fold(Board::EMPTY, |board, square| board.with(square, piece(exponent(square))))
    };
    let chequered = full(|square| ((square / 4 + square) % 2) as u8);
    let mergeable = full(|_| 1);
    let mut stuck = 0;
    for board in [Board::EMPTY, Board::EMPTY.with(5, piece(0)), chequered, mergeable] {
        for ply in 0..10 {
            let is_stuck = search.is_stuck(board, ply);
            assert_eq!(is_stuck, Position { board, ply }.moves().is_empty(), "{ply}\n{board}");
            stuck += usize::from(is_stuck);
        }
    }
    // The empty board at slides, one full board always and the other at placements.
    assert_eq!(stuck, 4 + 10 + 6);
}

#[test]
fn one_ply_is_enough_to_see_a_slide_end_the_game() {
    let mut search = Search::new();
    let piece = |colour| Piece { colour, exponent: 0 };
    let board = Board::EMPTY.with(0, piece(Colour::Red)).with(1, piece(Colour::Blue));
    let position = Position { board, ply: 3 };
    let choices = search
        .rank_at(1, position, &Aim::new(MAIN, ReplyModel::RANDOM))
        .expect("there is no limit");
    for choice in choices {
        let after = position.after(choice.mv).expect("a legal move").board;
        let ends = after == Board::EMPTY;
        assert_eq!(choice.value == early_end(after), ends, "{}", choice.mv);
    }
}

/// Returns the values of all moves at a depth, and the index of the best one.
fn values_at(search: &mut Search, depth: usize, position: Position) -> (Vec<f32>, usize) {
    let choices = search.rank_at(depth, position, &Aim::new(MAIN, ReplyModel::RANDOM));
    let values: Vec<f32> =
        choices.expect("there is no limit").iter().map(|choice| choice.value).collect();
    let best = (0..values.len()).rev().max_by(|&one, &other| values[one].total_cmp(&values[other]));
    (values, best.expect("a legal move"))
}

#[test]
fn moves_far_below_the_best_are_not_searched_deeper() {
    let mut search = Search::new();
    let margin = 10.0;
    let mut left = 0;
    for position in positions() {
        let limits = Limits { depth: Some(2), margin: Some(margin), ..Limits::default() };
        let ranking = search.rank(position, &Aim::new(MAIN, ReplyModel::RANDOM), limits);
        let (before, first) = values_at(&mut search, 1, position);
        let (after, _) = values_at(&mut search, 2, position);
        let mut order: Vec<usize> = (0..before.len()).collect();
        order.sort_by(|&one, &other| before[other].total_cmp(&before[one]));
        let mut best = f32::NEG_INFINITY;
        for index in order {
            let is_left = index != first && before[index] < best.min(before[first]) - margin;
            let shifted = before[index] + (after[first] - before[first]);
            let expected = if is_left { shifted } else { after[index] };
            assert_eq!(ranking.choices[index].value, expected);
            left += usize::from(is_left);
            best = if is_left { best } else { best.max(after[index]) };
        }
    }
    assert!(left > 0);
}

#[test]
fn an_incomplete_iteration_begins_with_the_best_moves() {
    let mut search = Search::new();
    let (mut searched, mut left) = (0, 0);
    for position in positions() {
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let ranking = search.rank(position, &Aim::new(MAIN, ReplyModel::RANDOM), limits);
        let (before, best) = values_at(&mut search, ranking.depth - 1, position);
        let (after, _) = values_at(&mut search, ranking.depth, position);
        let change = after[best] - before[best];
        let is_searched = |index: usize| ranking.choices[index].value == after[index];
        let least =
            (0..before.len()).filter(|&index| is_searched(index)).map(|index| before[index]);
        let least = least.fold(before[best], f32::min);
        for (index, choice) in ranking.choices.iter().enumerate() {
            if before[index] > least {
                assert_eq!(choice.value, after[index], "{}", choice.mv);
                searched += 1;
            } else if !is_searched(index) {
                assert_eq!(choice.value, before[index] + change, "{}", choice.mv);
                left += 1;
            }
        }
    }
    assert!(searched > 0 && left > 0, "{searched} {left}");
}
