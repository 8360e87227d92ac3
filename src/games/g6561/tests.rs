//! Tests of the rules against a slow, independent implementation.

mod reference;

use super::board::{Board, Colour, Direction, Piece, MAX_EXPONENT, SQUARES};
use super::game::{Ending, Game, GameError, Move, MAX_PLIES};
use super::perft::perft;
use super::slides::Slides;
use crate::engine::rng::Rng;
use reference::Reference;

/// Number of random games to compare. Games of random moves end early, so most games use moves that leave many squares
/// empty.
const GAMES: u64 = 600;

/// Chooses a random move or, mostly if `is_careful`, one that leaves many squares empty.
fn choose(game: &Game, rng: &mut Rng, is_careful: bool) -> Option<Move> {
    let moves = game.position().moves();
    if moves.is_empty() {
        return None;
    }
    let random = moves[rng.below(moves.len())];
    if !is_careful || rng.below(10) == 0 {
        return Some(random);
    }
    let empty = |mv: Move| {
        let after = game.position().after(mv).expect("a legal move");
        after.board.count_empty().min(12)
    };
    let mut best = random;
    for &mv in &moves {
        if empty(mv) > empty(best) {
            best = mv;
        }
    }
    Some(best)
}

#[test]
fn random_games_agree_with_the_slow_rules() {
    let slides = Slides::shared();
    let mut rng = Rng::new(1);
    let (mut plies, mut complete) = (0, 0);
    for index in 0..GAMES {
        let mut game = Game::new();
        let mut slow = Reference::new();
        loop {
            let position = game.position();
            let mut moves: Vec<String> = position.moves().iter().map(Move::to_string).collect();
            let mut expected = slow.moves();
            moves.sort();
            expected.sort();
            assert_eq!(moves, expected, "{}", position.board);
            for direction in Direction::ALL {
                let by_table = slides.slid(position.board, direction);
                assert_eq!(by_table, position.board.slid(direction).unwrap_or(position.board));
            }
            let Some(mv) = choose(&game, &mut rng, index % 4 != 0) else { break };
            game.push(mv).expect("a legal move");
            slow.play(&mv.to_string());
            assert_eq!(game.position().board.to_string(), slow.to_string());
            assert_eq!(game.score(), slow.best);
            plies += 1;
        }
        let is_complete = game.ply() == MAX_PLIES;
        let expected = if is_complete { Ending::Complete } else { Ending::Stuck };
        assert_eq!(game.ending(), Some(expected));
        complete += u64::from(is_complete);
    }
    assert!(plies > 60_000 && complete > 0, "{plies} plies, {complete} games complete");
}

#[test]
fn examples_of_the_rules_slide_correctly() {
    // Each column is given from the top and slid up.
    fn piece(text: &str) -> Option<(Colour, &str)> {
        let (letter, value) = text.split_at(1);
        let colour = Colour::ALL.into_iter().find(|colour| colour.name().starts_with(letter));
        colour.map(|colour| (colour, value))
    }
    let column = |words: &str| {
        let mut board = Board::EMPTY;
        for (row, word) in words.split(' ').enumerate() {
            let Some((colour, value)) = piece(word) else { continue };
            let exponent = ["1", "3", "9", "27"].iter().position(|known| *known == value);
            let exponent = exponent.expect("a value") as u8;
            board = board.with(4 * row, Piece { colour, exponent });
        }
        board
    };
    for (before, after) in [
        ("r3 r3 b1 -", "r9 b1 - -"),
        ("g1 b1 - -", "- - - -"),
        ("b9 - - b9", "b27 - - -"),
        ("g1 g1 g3 -", "g3 g3 - -"),
        ("b1 b1 b1 b1", "b3 b3 - -"),
        ("b1 r1 r1 r1", "r3 - - -"),
    ] {
        let slid = column(before).slid(Direction::Up).expect("a change");
        assert_eq!(slid, column(after), "{before}");
    }
    assert_eq!(column("b1 r3 - -").slid(Direction::Up), None);
}

#[test]
fn transposing_and_recolouring_are_involutions() {
    let mut rng = Rng::new(2);
    for _ in 0..10_000 {
        let mut board = Board::EMPTY;
        for square in 0..SQUARES {
            let colour = Colour::ALL[rng.below(3)];
            let exponent = rng.below(usize::from(MAX_EXPONENT) + 1) as u8;
            if rng.below(3) > 0 {
                board = board.with(square, Piece { colour, exponent });
            }
        }
        let transposed = board.transposed();
        for square in 0..SQUARES {
            assert_eq!(transposed.piece(square), board.piece(square % 4 * 4 + square / 4));
        }
        assert_eq!(transposed.transposed(), board);
        assert_eq!(Board::of_rows(board.rows()), board);
        let swap = [Colour::Red, Colour::Blue, Colour::Gray];
        assert_eq!(board.recoloured(swap).recoloured(swap), board);
        assert_eq!(board.recoloured(swap).units(Colour::Red), board.units(Colour::Blue));
        assert_eq!(board.empty_squares().count() as u32, board.count_empty());
    }
}

#[test]
fn moves_are_rejected_with_a_reason() {
    let mut game = Game::new();
    assert!(matches!(game.play("15"), Err(GameError::Format(_))));
    assert!(matches!(game.play("U"), Err(GameError::ExpectedSquare(Colour::Blue))));
    for text in ["", "1", "111", "u", "LR", "\u{e9}", "0"] {
        assert!(matches!(game.play(text), Err(GameError::Format(_))), "{text}");
    }
    assert_eq!(game.play("11"), Ok(()));
    assert!(matches!(game.play("11"), Err(GameError::Occupied(_))));
    assert_eq!([game.play("12"), game.play("13")], [Ok(()), Ok(())]);
    assert_eq!(game.play("14"), Err(GameError::ExpectedSlide));
    assert_eq!(game.play("U"), Err(GameError::NoChange(Move::Slide(Direction::Up))));
    assert_eq!(game.play("L"), Ok(()));
    assert_eq!((game.score(), game.position().board.sum()), (3, 1));
}

#[test]
fn perft_agrees_with_the_slow_rules() {
    let start = Game::new().position();
    for (depth, leaves) in [(0, 1), (1, 16), (2, 240), (3, 3360)] {
        assert_eq!(perft(start, depth), leaves);
    }
    let mut rng = Rng::new(3);
    let mut game = Game::new();
    let mut slow = Reference::new();
    for _ in 0..60 {
        let mv = choose(&game, &mut rng, true).expect("a legal move");
        game.push(mv).expect("a legal move");
        slow.play(&mv.to_string());
        assert_eq!(perft(game.position(), 2), slow.perft(2), "after {}", game.ply());
    }
    assert_eq!(perft(game.position(), 4), slow.perft(4));
}

#[test]
fn a_vanished_pair_does_not_join_its_neighbours() {
    let piece = |colour, exponent| Piece { colour, exponent };
    let (red3, red1, blue1) =
        (piece(Colour::Red, 1), piece(Colour::Red, 0), piece(Colour::Blue, 0));
    let row = [red3, red1, blue1, red3];
    let board = row.iter().enumerate().fold(Board::EMPTY, |board, (at, one)| board.with(at, *one));
    let after = board.slid(Direction::Left).expect("the pair vanishes");
    assert_eq!(after, Board::EMPTY.with(0, red3).with(1, red3));
}
