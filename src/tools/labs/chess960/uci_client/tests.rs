use super::*;
use crate::engine::clock::fake::FakeTime;

#[test]
fn commands_and_options_are_told_apart() {
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
    assert_eq!(timed.limit.clock, Some((Duration::from_secs(10), Duration::from_millis(500))));
}

#[test]
fn without_a_limit_that_of_the_match_holds() {
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

fn judge_of(text: &str, start: &str) -> (Box<dyn Judge>, Vec<String>, Game) {
    let mut game = Game::default();
    game.play(start).expect("a start");
    let mut judge = read(text, "").expect("good").judge();
    let lines = judge.start_game(Side::First, &game, None, MatchScore::START);
    (judge, lines, game)
}

#[test]
fn an_engine_is_greeted_asked_and_heard() {
    let (mut judge, lines, mut game) = judge_of("engine nodes=9 option.Hash=4", "start0");
    assert_eq!(lines[0], "uci");
    assert_eq!(
        lines[1..3],
        ["setoption name UCI_Chess960 value true", "setoption name Hash value 4"]
    );
    assert_eq!(lines[3..], ["ucinewgame", "isready"]);
    let options = ["option name Hash type spin default 16", "option name UCI_Chess960 type check"];
    for line in
        ["Engine 1.0 by somebody", "id name x", "uciok", "bestmove e2e4"].iter().chain(&options)
    {
        assert!(!judge.receive(line), "{line}");
    }
    assert!(judge.receive("readyok"));
    assert_eq!(judge.accept_greeting("readyok"), Ok(()));
    game.play("e2e4").expect("legal");
    let Request { lines, time } = judge.request_move(&game);
    assert_eq!(time, None);
    assert!(lines[0].starts_with("position fen bbqnnrkr/"), "{lines:?}");
    assert!(lines[0].ends_with(" w FHfh - 0 1 moves e2e4"), "{lines:?}");
    assert_eq!(lines[1..], ["isready", "go nodes 9"]);
    // Answers to an earlier question.
    for stale in ["info depth 9 score cp 500 pv e2e4", "bestmove e2e4"] {
        assert!(!judge.receive(stale), "{stale}");
    }
    assert!(!judge.receive("readyok") && judge.parse_answer("", &game).score.is_none());
    assert!(!judge.receive("info depth 3 score cp -31 nodes 5 pv e7e5"));
    assert!(!judge.receive("info string hello"));
    assert!(judge.receive("bestmove e7e5 ponder d2d4"));
    let answer = judge.parse_answer("bestmove e7e5 ponder d2d4", &game);
    assert_eq!(answer, Answer { text: "e7e5".to_string(), score: Some(-31) });
    assert_eq!(judge.parse_answer("bestmove (none)", &game).text, "(none)");
    assert_eq!(judge.parse_answer("bestmove", &game).text, "");
}

#[test]
fn what_an_engine_lacks_is_told() {
    let (mut judge, ..) = judge_of("engine nodes=9 option.Contempt=4", "start518");
    assert!(judge.receive("readyok"));
    assert!(judge.accept_greeting("readyok").expect_err("missing").contains("Contempt"));
    let (mut judge, ..) = judge_of("engine nodes=9", "start518");
    assert!(judge.receive("readyok"));
    assert_eq!(judge.accept_greeting("readyok"), Ok(()), "classical chess needs no option");
    let (mut judge, ..) = judge_of("engine nodes=9", "start0");
    assert!(judge.receive("readyok"));
    assert!(judge.accept_greeting("readyok").expect_err("missing").contains(CHESS960));
}

#[test]
fn castling_is_told_as_the_engine_reads_it() {
    let mut game = Game::default();
    for text in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1h1"] {
        game.play(text).expect("legal");
    }
    assert!(position_line(&game, true).ends_with(" e1h1"));
    assert!(position_line(&game, false).ends_with(" e1g1"));
}

#[test]
fn castling_that_only_the_arena_allows_is_left_behind() {
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
    assert!(judge.receive("readyok"));
    let request = judge.request_move(&game);
    assert_eq!(request.lines[2], "go wtime 2000 btime 2000 winc 1000 binc 1000");
    assert_eq!(request.time, Some(Duration::from_millis(2100)));
    assert!(!judge.receive("readyok"));
    time.sleep(300);
    assert!(judge.receive("bestmove e2e4"));
    assert_eq!(judge.request_move(&game).lines[2], "go wtime 2700 btime 2700 winc 1000 binc 1000");
}

#[test]
fn scores_of_mates_are_in_plies() {
    let cases = [("mate 1", score::win_in(1)), ("mate 3", score::win_in(5))];
    let lost = [("mate -1", score::lost_in(2)), ("mate 0", score::lost_in(0)), ("cp 12", 12)];
    for (text, expected) in cases.into_iter().chain(lost) {
        assert_eq!(
            score_of(&format!("info depth 3 score {text} pv e2e4")),
            Some(expected),
            "{text}"
        );
    }
    assert_eq!(score_of("info depth 3 currmove e2e4"), None);
}
