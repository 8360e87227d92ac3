use super::*;

/// The example game of the rules, which Blue wins by capturing the wazir.
const EXAMPLE: &str = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8 c3a1";

fn played(texts: &str) -> Game {
    let mut game = Game::new();
    for text in texts.split_whitespace() {
        game.play(text).expect(text);
    }
    game
}

#[test]
fn the_example_of_the_rules_is_won_by_blue() {
    let mut game = Game::new();
    for (ply, text) in EXAMPLE.split_whitespace().enumerate() {
        assert_eq!((game.ply(), game.side()), (ply, Colour::to_move_after(ply)));
        assert_eq!(game.outcome(), None);
        game.play(text).expect(text);
    }
    assert_eq!(game.outcome(), Some(Outcome::Won(Colour::Blue)));
    assert_eq!(game.texts().join(" "), EXAMPLE);
    assert_eq!(game.play("a2a4"), Err(GameError::Over));
}

#[test]
fn illegal_moves_state_the_reason() {
    let start = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3";
    let board = |from, to| Move::board(from, to);
    let alfil = Piece { colour: Colour::Blue, kind: Kind::Alfil };
    let knight = Piece { colour: Colour::Blue, kind: Kind::Knight };
    let cases = [
        ("b1b3", GameError::OpponentsPiece(Square::named("b1"), Colour::Blue)),
        ("d5d6", GameError::NoPiece(Square::named("d5"), Colour::Blue)),
        (
            "g5g6",
            GameError::Geometry(Kind::Dabbaba, board(Square::named("g5"), Square::named("g6"))),
        ),
        ("g5g7", GameError::OwnPiece(Square::named("g7"))),
        ("nd5", GameError::NotInHand(knight)),
        ("ad3", GameError::Occupied(Square::named("d3"))),
        ("ag5", GameError::Occupied(Square::named("g5"))),
        ("Ad5", GameError::Notation(NotationError::DropLetter('A', Colour::Blue))),
        ("zz", GameError::Notation(NotationError::MoveForm)),
    ];
    let mut game = played(start);
    for (text, error) in cases {
        assert_eq!(game.play(text), Err(error.clone()), "{}", text);
        assert!(!error.to_string().contains('\n'));
        assert_eq!(game.texts().join(" "), start, "an illegal move must not change the game");
    }
    assert_eq!(GameError::NotInHand(alfil).to_string(), "illegal: blue has no alfil in hand");
}

#[test]
fn setups_come_first_and_in_order() {
    let mut game = Game::new();
    assert!(matches!(game.play("b5d3"), Err(GameError::Notation(_))));
    assert!(matches!(game.play("aaaadddaaadaffnw"), Err(GameError::Notation(_))));
    game.play("WFNADAAADDFDAAAA").expect("Red's setup");
    assert!(matches!(game.play("WFNADAAADDFDAAAA"), Err(GameError::Notation(_))));
    assert_eq!((game.position(), game.ply()), (None, 1));
    game.play("aaaadddaaadaffnw").expect("Blue's setup");
    assert_eq!(game.ply(), 2);
}

#[test]
fn the_game_is_drawn_after_102_moves() {
    let mut game = played("WFNADAAADDFDAAAA aaaadddaaadaffnw");
    let round = ["b1d1", "g5e5", "d1b1", "e5g5"];
    for ply in 2..MAX_PLIES {
        assert_eq!((game.ply(), game.outcome()), (ply, None));
        game.play(round[(ply - 2) % 4]).expect("a legal move");
    }
    assert_eq!(game.outcome(), Some(Outcome::Drawn));
    assert_eq!(game.play("b1d1"), Err(GameError::Over));
}

#[test]
fn a_wazir_captured_by_the_last_move_counts() {
    let line: Position = "W7/8/8/8/8/8/1D6/1w6 - 101".parse().expect("a position");
    let mut game = Game::from_position(line);
    assert_eq!(game.side(), Colour::Blue);
    game.play("h1h2").expect_err("no piece there");
    let line: Position = "W1n5/8/8/8/8/8/8/1w6 - 101".parse().expect("a position");
    game = Game::from_position(line);
    game.play("a3b1").expect("a knight's move");
    assert_eq!(game.outcome(), Some(Outcome::Drawn));
    let line: Position = "W7/2n5/8/8/8/8/8/1w6 - 101".parse().expect("a position");
    game = Game::from_position(line);
    game.play("b3a1").expect("the capture");
    assert_eq!(game.outcome(), Some(Outcome::Won(Colour::Blue)));
}

#[test]
fn taking_back_restores_every_position() {
    let mut game = played(EXAMPLE);
    let positions = game.positions().to_vec();
    for position in positions.iter().rev() {
        assert_eq!(game.position(), Some(position));
        game.pop();
    }
    assert_eq!(game.pop(), None);
    assert_eq!((game.ply(), game.moves().len()), (2, 0));
}
