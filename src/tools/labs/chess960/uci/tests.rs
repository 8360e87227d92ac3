use super::go::MIN_TIME;
use super::search::score_text;
use super::*;
use crate::engine::score::{lost_in, win_in};
use crate::games::chess960::search::Limits;
use crate::games::chess960::types::Colour;

const SETTINGS: Settings = Settings { hash_mb: 1, nodes: None };

fn options() -> Options {
    Options::new(SETTINGS)
}

fn server() -> Server {
    Server::new(SETTINGS)
}

/// Parses a line whose first word is `go`.
fn go(line: &str) -> Go {
    Go::parse(&line.split_whitespace().skip(1).collect::<Vec<_>>())
}

#[test]
fn commands_are_parsed_despite_odd_white_space() {
    let mut server = server();
    for line in ["", " \t ", "debug on", "joho stop", "ponderhit", "setoption  name\tClear Hash"] {
        assert_eq!(server.execute(line), Ok(true), "{line:?}");
    }
    assert_eq!(server.execute("setoption name Move Overhead value 30"), Ok(true));
    assert_eq!(server.options.overhead, Duration::from_millis(30));
    assert_eq!(server.execute("  info string SetOption \tName MultiPV  Value 7"), Ok(true));
    assert_eq!(server.options.lines, 7);
    for (line, moves) in [
        ("position startpos", ""),
        ("Position StartPos e2e4 MOVES e7e5", "e2e4 e7e5"),
        ("position fen 4k3/8/8/8/8/8/4R3/4K3 b - moves  e8d8 e2e4", "e8d8 e2e4"),
        ("position 4k3/8/8/8/8/8/4R3/4K3 b", ""),
    ] {
        assert_eq!(server.execute(line), Ok(true), "{line:?}");
        // After a pawn move the list of moves starts again.
        let made = server.game.as_ref().expect(line).moves().iter().map(ToString::to_string);
        let made: Vec<String> = made.collect();
        assert_eq!(made.join(" "), if line.contains("MOVES") { "" } else { moves }, "{line:?}");
    }
    assert_eq!(server.execute("quit"), Ok(false));
}

#[test]
fn limits_and_searchmoves_of_go_are_parsed() {
    let read =
        go("go searchmoves e2e4 d2d4 wtime 1000 btime -5 winc 100 binc 50 movestogo 0 depth 7");
    assert_eq!(read.searchmoves, ["e2e4", "d2d4"]);
    assert_eq!(read.time, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
    assert_eq!((read.depth, read.movestogo), (Some(7), None));
    assert!(!read.is_infinite);
    for line in ["go", "go infinite", "go ponder wtime 1000 btime 1000", "go searchmoves e2e4"] {
        assert!(go(line).is_infinite, "{line}");
    }
}

#[test]
fn every_finite_go_has_a_limit() {
    for (line, unread) in [
        ("go depth 0", 0),
        ("go nodes 0", 0),
        ("go mate 0", 0),
        ("go wtime 1000.0 btime 1000.0", 0),
        ("go movetime 50 nodes 18446744073709551615", 0),
        ("go movetime 50 foo", 1),
        ("go MoveTime 100", 0),
        ("go wtime btime 50000", 1),
        ("go depth", 1),
        ("go depth x", 2),
        ("go nodes -3", 0),
        ("go fast", 1),
        ("go winc 100 binc 100", 0),
        ("go movestogo 30", 0),
        ("go movetime 1e3", 0),
        ("go depth 99999999999999999999999", 0),
    ] {
        let read = go(line);
        assert!(!read.is_infinite, "{line}");
        assert_eq!(read.unread.len(), unread, "{line}: {:?}", read.unread);
        for side in Colour::ALL {
            let found = read.limits(side, &options());
            let has_limit = found.depth.is_some() || found.hard_nodes.is_some();
            assert!(has_limit || found.hard_time.is_some(), "{line}");
        }
    }
    assert_eq!(go("go movetime 50 foo").movetime, Some(Duration::from_millis(50)));
    assert_eq!(go("go wtime 1000.7").time, [Some(Duration::from_secs(1)); 2]);
}

#[test]
fn repetitions_follow_fide() {
    // The capture en passant would leave the king in check: the position after h7h5 counts as the later ones.
    let moves = "h7h5 a2a8 g8h7 a8a2 h7g8 a2a8 g8h7 a8a2 h7g8".split(' ');
    let moves: Vec<&str> = moves.collect();
    let fen = Some("6k1/6rp/8/6P1/8/6K1/R7/8 b - - 0 1");
    let (game, remarks, _) = game(fen, &moves).expect("legal");
    assert!(remarks.is_empty());
    let count = game.hashes().iter().filter(|hash| **hash == game.position().hash()).count();
    assert_eq!(count, 3);
    // Where the capture is legal, it is not the same.
    let open = Some("6k1/r6p/8/6P1/8/6K1/R7/8 b - - 0 1");
    let (game, ..) = super::game(open, &moves[..1]).expect("legal");
    assert!(game.position().en_passant().is_some());
}

#[test]
fn planned_times_stay_within_the_clock() {
    for left in [0, 1, 5, 20, 100, 1_000, 60_000, 10_000_000] {
        for increment in [0, 50, 1_000] {
            for moves in ["", " movestogo 1", " movestogo 2", " movestogo 40"] {
                let line = format!("go wtime 9 btime {left} binc {increment}{moves}");
                let found = go(&line).limits(Colour::Black, &options());
                let (soft, hard) = (found.soft_time.expect(&line), found.hard_time.expect(&line));
                assert!(soft <= hard, "{line}: {soft:?} {hard:?}");
                let most = Duration::from_millis(left).saturating_sub(options().overhead);
                assert!(hard <= most.max(MIN_TIME), "{line}: {hard:?}");
            }
        }
    }
    let found = go("go movetime 50").limits(Colour::White, &options());
    assert_eq!((found.soft_time, found.hard_time), (None, Some(Duration::from_millis(40))));
    let ponder = "go ponder wtime 60000 btime 60000";
    let ponder_time = |line| go(line).ponder_time(Colour::White, &options());
    assert_eq!(
        ponder_time(ponder),
        go(&ponder.replace("ponder ", "")).limits(Colour::White, &options()).soft_time
    );
    assert_eq!(ponder_time("go ponder movetime 50"), Some(Duration::from_millis(40)));
    assert_eq!(ponder_time("go infinite wtime 5"), None);
    let infinite = go("go infinite wtime 5").limits(Colour::White, &options());
    assert_eq!(infinite, Limits::default());
    let by_nodes = Options { nodes: Some(70), ..options() };
    assert_eq!(go("go movetime 9").limits(Colour::White, &by_nodes).hard_nodes, Some(70));
    assert_eq!(go("go nodes 9").limits(Colour::White, &by_nodes).hard_nodes, Some(9));
}

#[test]
fn a_long_game_keeps_only_repeatable_positions() {
    let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves = ["e2e4", "b8c6", "g1f3", "c6b8", "f3g1"];
    let game = |fen: Option<&str>, moves: &[&str]| super::game(fen, moves).map(|(game, ..)| game);
    let short = game(None, &moves).expect("legal");
    assert_eq!(short.hashes().len(), 5, "from the pawn's move on");
    // 300 half-moves that the arena's rules would have ended long before.
    let long: Vec<&str> = there_and_back.iter().cycle().take(300).copied().collect();
    let long = game(None, &long).expect("legal");
    assert_eq!(long.hashes().len(), 301);
    // The number of the position is returned for `d`; the game itself counts from 1.
    let numbered = super::game(Some("4k3/8/8/8/8/8/8/4K2R w K - 10 180"), &["e1e2", "e8e7"]);
    assert_eq!(numbered.expect("legal").2, 181);
    let late = game(Some("4k3/8/8/8/8/8/8/4K2R w K - 10 180"), &[]).expect("a position");
    assert_eq!((late.position().number(), late.position().halfmoves()), (1, 10));
    assert!(late.outcome().is_none());
    let (cut, remarks, _) = super::game(None, &["e2e4", "e2e4"]).expect("a position");
    assert!(remarks[0].starts_with("move 2 \"e2e4\": illegal"), "{remarks:?}");
    assert_eq!(cut.position().side(), Colour::Black);
    assert!(game(Some("8/8/8/8/8/8/8/8 w - - 0 1"), &[]).is_err());
}

#[test]
fn castling_follows_fide() {
    // In the arena the king may jump over the knight.
    let fen = "4k3/8/8/8/8/8/8/1KR1N3 w C - 0 1";
    let arena = Position::from_fen(fen, CastlingRule::Arena).expect("a position");
    assert!(notation::parse_uci(&arena, "b1c1").is_ok());
    let is_whole = |fen, mv: &str| game(Some(fen), &[mv]).expect("a position").1.is_empty();
    assert!(!is_whole(fen, "b1c1"));
    let fen = "4k3/8/8/8/8/8/8/1KR4N w C - 0 1";
    assert!(is_whole(fen, "b1c1") && is_whole(fen, "b1g1"));
}

#[test]
fn scores_are_in_hundredths_or_moves() {
    let cases = [(35, "cp 35"), (-7, "cp -7"), (win_in(1), "mate 1"), (win_in(3), "mate 2")];
    let lost = [(lost_in(2), "mate -1"), (lost_in(4), "mate -2")];
    for (score, expected) in cases.into_iter().chain(lost) {
        assert_eq!(score_text(score), expected);
    }
}

#[test]
fn only_a_bad_position_command_clears_the_game() {
    for line in ["position", "joho position xyz", "\u{feff}Position fen", "position fen 8/8"] {
        let mut server = server();
        assert!(server.execute(line).is_err() && server.game.is_none(), "{line}");
    }
    for line in ["", "setoption position", "go perft position", "opposition"] {
        let mut server = server();
        let _ = server.execute(line);
        assert!(server.game.is_some(), "{line}");
    }
}
