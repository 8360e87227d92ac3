use super::super::start;
use super::*;
use crate::engine::clock::TimeControl;
use crate::engine::dialogue::Player as _;
use crate::engine::rng::Rng;
use crate::fuzz::dialogue::{disputed_dialogues, disputed_match};
use std::time::Duration;

fn clock() -> Clock {
    let second = Duration::from_secs(1);
    Clock::start(TimeControl::Move { first: second, later: second, reserve: Duration::ZERO })
}

fn player(nodes: u64) -> Player {
    Player::new(1).with_nodes(nodes)
}

/// Returns the turn that the arena would send in a game.
fn turn(game: &Game) -> Turn {
    Turn {
        position: game.position().to_string(),
        moves: movegen::moves(game.position()).iter().map(ToString::to_string).collect(),
        last_move: game.moves().last().map(ToString::to_string),
        is_draw_offered: false,
        game: 1,
        score: [0; 2],
    }
}

/// Returns the player's move in a turn.
fn answer_to(turn: &Turn, player: &mut Player) -> Option<String> {
    let _ = player.follow(turn);
    player.answer(&clock()).map(|answer| answer.mv)
}

#[test]
fn a_match_against_itself_is_legal() {
    let mut players = [player(300), player(300)];
    players.iter_mut().for_each(|player| player.prepare(&clock()));
    for number in [1, 2] {
        let mut game = Game::new(start::numbered(100 * number, CastlingRule::Arena));
        while game.outcome().is_none() {
            let index = (game.position().side().index() + number) % 2;
            let turn = Turn { game: number, ..turn(&game) };
            let text = answer_to(&turn, &mut players[index]).expect("a move");
            game.play(&text).expect("legal");
            // All positions since the player's first move.
            let known = players[index].game().hashes();
            assert!(game.hashes().ends_with(known) && known.len() + 1 >= game.hashes().len());
        }
        assert!(game.position().ply() <= MAX_PLIES);
    }
}

#[test]
fn a_mate_in_one_is_played() {
    let mate = Game::new(
        Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", CastlingRule::Arena)
            .expect("a position"),
    );
    assert_eq!(answer_to(&turn(&mate), &mut player(2000)).as_deref(), Some("a1a8"));
}

#[test]
fn draws_are_accepted_when_worth_more() {
    let answer = |fen: &str, game, score| {
        let position = Position::from_fen(fen, CastlingRule::Arena).expect(fen);
        let turn = Turn { is_draw_offered: true, game, score, ..turn(&Game::new(position)) };
        answer_to(&turn, &mut player(3000)).expect("an answer")
    };
    let (winning, losing) =
        ("6k1/5ppp/8/8/8/8/8/RR2K3 w - - 0 1", "6k1/8/8/8/8/8/5q2/K7 w - - 0 30");
    for (game, score) in [(1, [0, 0]), (2, [1, 1]), (2, [2, 0]), (2, [0, 2])] {
        assert_ne!(answer(winning, game, score), ACCEPT);
    }
    assert_eq!(answer(losing, 1, [0, 0]), ACCEPT);
    assert_eq!(answer(losing, 2, [2, 0]), ACCEPT);
    // An even score, but a draw would lose or win the match.
    let even = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 20";
    assert_eq!(answer(even, 2, [2, 0]), ACCEPT);
    assert_ne!(answer(even, 2, [0, 2]), ACCEPT);
    // A draw that decides nothing is declined in the opening and in a level position until nothing has happened for
    // long.
    for number in [1, 51, 300, 518, 959] {
        let opening = format!("{}", start::numbered(number, CastlingRule::Arena));
        assert_ne!(answer(&opening, 1, [0, 0]), ACCEPT);
    }
    let level = |halfmoves| format!("8/8/1r2k3/8/8/R3K3/8/8 w - - {} 60", halfmoves);
    assert_ne!(answer(&level(3), 1, [0, 0]), ACCEPT);
    assert_eq!(answer(&level(60), 1, [0, 0]), ACCEPT);
    assert_eq!(answer(&level(60), 2, [1, 1]), ACCEPT);
}

#[test]
fn answers_to_strange_turns_are_listed_moves() {
    let game = Game::default();
    let sound = turn(&game);
    let strange = [
        Turn { position: "nonsense".to_string(), ..sound.clone() },
        Turn { position: "8/8/8/8/8/8/8/8 w - - 0 1".to_string(), ..sound.clone() },
        Turn { moves: vec!["e2e4".to_string()], ..sound.clone() },
        Turn { moves: vec!["e2e5".to_string(), "d2d4".to_string()], ..sound.clone() },
        Turn { moves: vec!["h8h1".to_string()], ..sound.clone() },
        Turn { last_move: Some("a1a1".to_string()), game: 7, score: [-5, 900], ..sound.clone() },
        sound,
    ];
    let mut player = player(200);
    for turn in strange.iter().chain(strange.iter().rev()) {
        // Without a legal move in the list, the dialogue answers.
        let text = answer_to(turn, &mut player);
        let is_listed = text.as_ref().map_or(true, |text| turn.moves.contains(text));
        assert!(is_listed, "{:?} {:?}", text, turn);
    }
}

#[test]
fn only_listed_moves_are_played() {
    let game = Game::new(
        Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", CastlingRule::Arena)
            .expect("a position"),
    );
    let listed = Turn { moves: vec!["a1a2".to_string(), "a1b1".to_string()], ..turn(&game) };
    let text = answer_to(&listed, &mut player(2000)).expect("a move");
    assert!(listed.moves.contains(&text));
}

/// Plays a match whose judge disputes our rules in half of its turns.
fn disputed(seed: u64) {
    fn begin(rng: &mut Rng) -> Game {
        Game::new(start::numbered(rng.below(960), CastlingRule::Arena))
    }
    let mut game = begin(&mut Rng::new(seed));
    let mut number = 1;
    disputed_match(player(30), seed, |rng, answer| {
        // An illegal answer is skipped, so that the judge moves for both sides.
        let _ = game.play(answer);
        let moves = movegen::moves(game.position());
        if let Some(mv) = moves.get(rng.below(moves.len())) {
            game.push(*mv);
        }
        if game.outcome().is_some() || rng.below(20) == 0 {
            game = begin(rng);
            number = 3 - number;
        }
        let mut next = Turn { game: number, ..turn(&game) };
        match rng.below(14) {
            0 => next.position = begin(rng).position().to_string(),
            1 => next.moves.truncate(2),
            2 => next.moves = vec!["h8h1".to_string(), "a7a8q".to_string()],
            3 => next.last_move = Some("a1a1".to_string()),
            4 => next.is_draw_offered = true,
            5 => next.score = [2, 0],
            6 => next.game = 7,
            _ => {}
        }
        next
    });
}

disputed_dialogues!(disputed);
