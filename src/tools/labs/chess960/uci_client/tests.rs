use super::*;
use crate::engine::clock::fake::FakeTime;

#[test]
fn commands_and_options_are_separated() {
    let engine =
        read("stockfish nodes=1000 'option.Skill Level=5' --x=y", "time=2s").expect("good");
    assert_eq!(engine.command, "stockfish --x=y");
    assert_eq!(engine.limit, Limit { nodes: Some(1000), ..Limit::default() });
    assert_eq!(engine.options, [("Skill Level".to_string(), "5".to_string())]);
    assert_eq!(engine.describe(), "stockfish --x=y nodes=1000 'option.Skill Level=5'");
    let quoted = read("'my engine' \"a b\" movetime=20 margin=0", "").expect("good");
    assert_eq!(quoted.command, "'my engine' \"a b\"");
    assert_eq!(quoted.longest_move(), Some(Duration::from_millis(20)));
    let timed = read("engine tc=10+0.5", "").expect("good");
    assert_eq!(
        timed.limit.clock,
        Some(GameClock { left: Duration::from_secs(10), increment: Duration::from_millis(500) })
    );
}

#[test]
fn players_without_a_limit_get_that_of_the_match() {
    let limit = |common| read("engine", common).expect("good").limit;
    assert_eq!(limit("").movetime, Some(CONTEST.time.budget()));
    assert_eq!(limit("time=200ms").movetime, Some(Duration::from_millis(200)));
    assert_eq!(
        limit("nodes=7,depth=3"),
        Limit { nodes: Some(7), depth: Some(3), ..Limit::default() }
    );
}

#[test]
fn bad_players_are_refused() {
    let bad = [
        "",
        "nodes=5",
        "engine nodes=x",
        "engine nodes=0",
        "engine 'open",
        "engine tc=0",
        "engine tc=1+x",
        "engine option.=3",
        "engine movetime=1s",
    ];
    for text in bad {
        assert!(read(text, "").is_err(), "{text:?}");
    }
}

/// Starts a game of an engine. Returns its judge, the first lines and the game.
fn judge_of(text: &str, start: &str) -> (Box<dyn Judge>, Vec<String>, Game) {
    let [clocks, _] = GameClocks::pair();
    let mut game = Game::default();
    game.play(start).expect("a start");
    let mut judge = read(text, "").expect("good").judge(clocks);
    let lines = judge.start_game(Side::First, &game, None, MatchScore::START);
    (judge, lines, game)
}

/// Passes on lines that have no consequence.
fn ignored(judge: &mut dyn Judge, lines: &[&str]) {
    lines.iter().for_each(|line| assert_eq!(judge.receive(line), Received::Nothing, "{line}"));
}

/// Passes on a line and returns the judge's reply.
fn reply(judge: &mut dyn Judge, line: &str) -> Vec<String> {
    match judge.receive(line) {
        Received::Reply(lines) => lines,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_dialogue_with_an_engine_follows_uci() {
    let (mut judge, lines, mut game) =
        judge_of("engine nodes=9 option.hash=4 option.style=solid option.clear=1", "start0");
    let judge = judge.as_mut();
    assert_eq!(lines, ["uci"]);
    let declared = [
        "Engine 1.0 by somebody",
        "id name x",
        "readyok",
        "bestmove e2e4",
        "option name Hash type spin default 16 min 1 max 32",
        "option name UCI_Chess960 type check",
        "option name Style type combo default Normal var Solid var Normal",
        "option name Clear type button",
    ];
    ignored(judge, &declared);
    assert_eq!(
        reply(judge, "uciok"),
        [
            "setoption name UCI_Chess960 value true",
            "setoption name Hash value 4",
            "setoption name Style value Solid",
            "setoption name Clear",
            "ucinewgame",
            "isready"
        ]
    );
    ignored(judge, &["uciok", "info string ready soon"]);
    assert_eq!(judge.receive("readyok"), Received::Answer);
    assert_eq!(judge.accept_greeting("readyok"), Ok(()));
    game.play("e2e4").expect("legal");
    let Request { lines, time } = judge.request_move(&game);
    assert_eq!(time, None);
    assert!(lines[0].starts_with("position fen bbqnnrkr/"), "{lines:?}");
    assert!(lines[0].ends_with(" w FHfh - 0 1 moves e2e4"), "{lines:?}");
    assert_eq!(lines[1..], ["isready"]);
    // Answers to an earlier question.
    ignored(judge, &["info depth 9 score cp 500 pv e2e4", "bestmove e2e4"]);
    assert_eq!(reply(judge, "readyok"), ["go nodes 9"]);
    assert_eq!(judge.parse_answer("", &game).score, None);
    ignored(judge, &["info depth 3 score cp -31 nodes 5 pv e7e5", "info string hello", "readyok"]);
    assert_eq!(judge.receive("bestmove e7e5 ponder d2d4"), Received::Answer);
    let answer = Answer { text: "e7e5".to_string(), score: Some(-31) };
    assert_eq!(judge.parse_answer("bestmove e7e5 ponder d2d4", &game), answer);
    assert_eq!(judge.parse_answer("bestmove E7E5", &game), answer);
    assert_eq!(judge.parse_answer("bestmove (none)", &game).text, "(none)");
    assert_eq!(judge.parse_answer("bestmove", &game).text, "");
    ignored(judge, &["bestmove e7e5"]);
}

#[test]
fn only_declared_options_are_set() {
    let refused = |text: &str, start: &str| {
        let (mut judge, ..) = judge_of(text, start);
        ignored(judge.as_mut(), &["option name Hash type spin default 16 min 1 max 32"]);
        match judge.receive("uciok") {
            Received::Reply(lines) => Ok(lines.join("|")),
            _ => Err(judge.accept_greeting("uciok").expect_err("refused")),
        }
    };
    let of_option = |option: &str| refused(&format!("engine nodes=9 option.{option}"), "start518");
    assert_eq!(of_option("hASH=32"), Ok("setoption name Hash value 32|ucinewgame|isready".into()));
    assert_eq!(of_option("Contempt=4"), Err("the engine has no option \"Contempt\"".into()));
    for value in ["33", "0", "-1", "x", "1.5", ""] {
        let error = format!("option Hash={value}: the engine expects 1 to 32");
        assert_eq!(of_option(&format!("hash={value}")), Err(error));
    }
    // Classical chess needs no option for Chess960.
    assert!(refused("engine nodes=9", "start518").is_ok());
    let castled = "startr3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1";
    assert!(refused("engine nodes=9", castled).is_ok());
    assert!(refused("engine nodes=9", "start0").expect_err("missing").contains(CHESS960));
}

#[test]
fn castling_is_sent_in_the_notation_of_the_engine() {
    let mut game = Game::default();
    for text in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1h1"] {
        game.play(text).expect("legal");
    }
    assert!(position_line(&game, true).ends_with(" e1h1"));
    let line = position_line(&game, false);
    assert!(line.contains(" w KQkq - 0 1 moves e2e4 ") && line.ends_with(" e1g1"), "{line}");
}

#[test]
fn positions_sent_start_after_castling_of_the_arena() {
    // The king jumps over the knight.
    let fen = "4k3/8/8/8/8/8/8/1KR1N3 w C - 0 1";
    let mut game = Game::new(Position::from_fen(fen, CastlingRule::Arena).expect("a position"));
    for text in ["b1c1", "e8e7", "e1d3"] {
        game.play(text).expect("legal");
    }
    let line = position_line(&game, true);
    assert_eq!(line, "position fen 4k3/8/8/8/8/8/8/4NRK1 b - - 1 1 moves e8e7 e1d3");
}

#[test]
fn clocks_run_while_the_engine_thinks() {
    let time = FakeTime::start();
    let (mut judge, _, game) = judge_of("engine tc=2+1", "start518");
    let judge = judge.as_mut();
    reply(judge, "uciok");
    assert_eq!(judge.receive("readyok"), Received::Answer);
    assert_eq!(judge.request_move(&game).time, Some(Duration::from_millis(2100)));
    // Getting ready takes no time.
    time.sleep(900);
    assert_eq!(reply(judge, "readyok"), ["go wtime 2000 btime 2000 winc 1000 binc 1000"]);
    time.sleep(300);
    assert_eq!(judge.receive("bestmove e2e4"), Received::Answer);
    judge.request_move(&game);
    assert_eq!(reply(judge, "readyok"), ["go wtime 2700 btime 2700 winc 1000 binc 1000"]);
}

#[test]
fn both_clocks_are_sent() {
    let time = FakeTime::start();
    let game = Game::default();
    let texts = ["engine tc=20+0.5", "engine tc=9+2", "engine nodes=5"];
    let [white, black, other] = texts.map(|text| read(text, "").expect("good"));
    let go = |judge: &mut dyn Judge| {
        judge.request_move(&game);
        reply(judge, "readyok").swap_remove(0)
    };
    let [clocks, others] = GameClocks::pair();
    let (mut white, mut black) = (white.judge(clocks), black.judge(others));
    white.start_game(Side::First, &game, None, MatchScore::START);
    black.start_game(Side::Second, &game, None, MatchScore::START);
    assert_eq!(go(white.as_mut()), "go wtime 20000 btime 9000 winc 500 binc 2000");
    time.sleep(1000);
    assert_eq!(white.receive("bestmove e2e4"), Received::Answer);
    assert_eq!(go(black.as_mut()), "go wtime 19500 btime 9000 winc 500 binc 2000");
    // An opponent without a clock.
    let [clocks, others] = GameClocks::pair();
    let mut black = read("engine tc=9+2", "").expect("good").judge(clocks);
    let mut other = other.judge(others);
    other.start_game(Side::First, &game, None, MatchScore::START);
    black.start_game(Side::Second, &game, None, MatchScore::START);
    assert_eq!(go(black.as_mut()), "go wtime 9000 btime 9000 winc 2000 binc 2000");
    assert_eq!(go(other.as_mut()), "go nodes 5");
}

#[test]
fn only_exact_scores_of_the_best_line_count() {
    for (line, expected) in [
        ("info depth 3 score mate 1 pv e2e4", Some(score::win_in(1))),
        ("info depth 3 score mate 3 pv e2e4", Some(score::win_in(5))),
        ("info depth 3 score mate -1 pv e2e4", Some(score::lost_in(2))),
        ("info depth 3 score mate 0 pv e2e4", Some(score::lost_in(0))),
        ("info depth 3 currmove e2e4", None),
        ("info depth 5 multipv 1 score cp 12 pv e2e4", Some(12)),
        ("info score cp 12 depth 5 multipv 1", Some(12)),
        ("info depth 5 multipv 2 score cp -900 pv a2a3", None),
        ("info score cp -900 multipv 10", None),
        ("info depth 5 score cp -900 upperbound pv e2e4", None),
        ("info depth 5 score lowerbound cp -900", None),
        ("info depth 5 score cp -900 lowerbound nodes 7", None),
        ("info string the score cp -900 is bad", None),
        ("info depth 3 string score cp -900", None),
        ("info score cp 7 string multipv 2", Some(7)),
        ("info score cp", None),
        ("info score mate x", None),
        ("info", None),
    ] {
        assert_eq!(score_of(line), expected, "{line}");
    }
}

#[test]
fn engines_have_names_and_time_controls() {
    for (text, name, control) in [
        ("engine 'name=The Engine' tc=20+0.5", Some("The Engine"), "20+0.5"),
        ("engine movetime=50 name=x", Some("x"), "1/0.05"),
        ("engine nodes=5", None, "-"),
    ] {
        let engine = read(text, "").expect(text);
        assert_eq!((engine.name(), engine.time_control().as_str()), (name, control), "{text}");
        assert_eq!(read(&engine.describe(), "").expect(text), engine);
    }
    assert!(read("engine name=", "").is_err());
}
