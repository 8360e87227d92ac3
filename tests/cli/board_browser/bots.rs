//! Programs of the user as opponents.

use super::{Board, DESKTOP, LINE};
use crate::common::board::Server;
use crate::common::{cupbot, folder, wait_until};
use rustix::process::Signal;
use serde_json::{json, Value};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Starts a server of a game with these players.
fn server(game: &str, players: &[String]) -> Server {
    let mut command = cupbot(&format!("board {game} --no-open --port 0"));
    for player in players {
        command.args(["--player", player]);
    }
    Server::of(&mut command)
}

/// Returns a request for a program's move after these moves.
fn asked(game: &str, moves: &[&str], player: &str) -> Value {
    let level = json!({ "by": "named", "index": 0 });
    json!({ "record": { "game": game, "moves": moves }, "level": level, "player": player })
}

#[test]
fn bots_move_and_their_faults_are_explained() {
    let own = format!("{} play zuniq --nodes 50", env!("CARGO_BIN_EXE_cupbot"));
    let logged = format!("echo thinking >&2; exec {own}");
    let players = [
        format!("own={logged}"),
        format!("plain=plain:{own}"),
        "words=read line; echo this is my move; read line".to_string(),
        "missing=./no-such-bot".to_string(),
    ];
    let server = server("zuniq", &players);
    let session = server.session();
    let answer = |moves: &[&str], player: &str| {
        server.result(&session, "answer", &asked("zuniq", moves, player))
    };
    let text = |answer: &Value| answer["text"].as_str().expect("a move").to_string();
    let first = answer(&["A1h"], "own");
    let (second, third) = (text(&first), "F5h");
    assert!(first["time"].as_str().is_some_and(|time| time.contains("s in all")), "{first}");
    // The same program continues; another one receives all moves made so far.
    let next = answer(&["A1h", &second, third], "own");
    assert_eq!(next["log"][0], "thinking", "{next}");
    text(&next);
    let taken_back = answer(&["A1h", &second, "F4h"], "own");
    text(&taken_back);
    for (player, cause, explanation) in [
        ("words", "words has lost by an unreadable answer", "belongs on stderr"),
        ("missing", "missing has lost because the program can't be started", "Is the path right?"),
    ] {
        let fault = &answer(&["A1h"], player)["fault"];
        assert!(fault["text"] == cause && fault["outcome"].as_str().is_some(), "{fault}");
        assert!(fault["details"].to_string().contains(explanation), "{fault}");
    }
    let body = asked("zuniq", &["A1h", &second, third], "plain");
    server.fails(&session, "answer", &body, 422, "begin a new one");
    // Only programs of the command line, and only for their game.
    for (game, player) in [("zuniq", "sh -c ls"), ("6561", "own")] {
        let body = asked(game, &[], player);
        server.fails(&session, "answer", &body, 404, "not given by --player");
    }
}

#[test]
fn a_bot_ends_with_its_search_and_the_server() {
    let folder = folder("board_bots", "ends");
    let script = folder.join("bot.sh");
    fs::write(&script, "echo $$ >>\"$1\"\nexec sleep 1000\n").expect("written");
    let ids = folder.join("ids");
    let bot = format!("slow=exec sh '{}' '{}'", script.display(), ids.display());
    let mut server = server("zuniq", &[bot]);
    let session = server.session();
    let started = || fs::read_to_string(&ids).unwrap_or_default();
    let is_running = |line: usize| {
        let text = started();
        let id = text.lines().nth(line).expect("an id").to_string();
        Command::new("kill").args(["-0", &id]).output().expect("kill").status.success()
    };
    let job = server.begin(&session, "answer", &asked("zuniq", &["A1h"], "slow"));
    wait_until("it runs", || started().lines().count() == 1);
    server.ask(&format!("{session}/stop"), &json!({ "job": job }));
    wait_until("it is killed", || !is_running(0));
    server.begin(&session, "answer", &asked("zuniq", &["A1h"], "slow"));
    wait_until("another one runs", || started().lines().count() == 2);
    server.running.send(Signal::INT);
    assert_eq!(server.running.wait().code(), Some(130));
    wait_until("it is killed, too", || !is_running(1));
}

#[test]
fn players_that_are_no_programs_are_refused() {
    for (player, words) in [("bot", "NAME=COMMAND"), ("a=self:nodes=9", "protocol")] {
        let run = cupbot(&format!("board --no-open --port 0 --player {player}"))
            .output()
            .expect("it runs");
        let message = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.code() == Some(2) && message.contains(words), "{message}");
    }
}

#[test]
fn a_bot_in_python_plays_on_the_page() {
    let has_python = Command::new("python3").arg("--version").output();
    if !has_python.is_ok_and(|output| output.status.success()) {
        return;
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/random_mover.py");
    let bots = [
        format!("name=snake plain:python3 '{}'", example.display()),
        "mute=echo no words >&2; exit 3".to_string(),
    ];
    let server = server("zero-point-one", &bots);
    let Some(page) = Board::new(DESKTOP, &server) else { return };
    page.open("zero-point-one");
    page.choose("#opponent", "snake");
    page.until_text("side-1", "snake");
    page.click("#set-up");
    page.until_count(LINE, 2);
    page.until_text("bot", "snake: ");
    page.until_text("bot", "s in all");
    // Any legal move.
    page.click("#hint");
    page.until("byId('hinted').dataset.move?.length > 2");
    let hinted = page.poll("byId('hinted').dataset.move", Value::is_string);
    page.type_into("#move", &format!("{}\n", hinted.as_str().expect("a move")));
    page.until_count(LINE, 4);
    // It can't take over the other side, since it is not told earlier moves.
    page.choose("#seat", "nobody");
    page.until_text("match", "The match is paused.");
    page.until_refused();
    // It against cupbot, until cupbot has moved, too.
    page.click("#new");
    page.click("#yes");
    page.until_text("match", "snake against cupbot");
    page.until(&format!("document.querySelectorAll({LINE:?}).length >= 4"));
    // A fault ends the match.
    page.choose("#opponent", "mute");
    page.until_text("status", "mute has lost by an exit at the start");
    page.until_text("bot", "stderr: no words");
}
