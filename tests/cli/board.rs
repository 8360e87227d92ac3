//! `cupbot board` over real HTTP: responses, rejected requests, and the end of searches.

#![cfg(unix)]

use crate::common::board::Server;
use crate::common::{cupbot, json as printed, wait_until, Running, PATIENCE};
use rustix::process::Signal;
use serde_json::{json, Value};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// A real game: a drop on move 10, a wazir captured on move 12.
const GAME: &str =
    "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3 a3c5 e5d3 c5a3 ad7 a3c5 d7b5";
/// Start of a game in which both sides blunder.
pub const BLUNDERS: &str =
    "WAAAAAAADDNAFFDD aaddfdaaaaadfnaw a6c8 g2e4 a4c6 h2f4 b8d8 g6e6 a3c1 g4g6";
const NODES: u64 = 200;

fn record(game: &str, moves: &str) -> Value {
    json!({ "game": game, "moves": moves.split_whitespace().collect::<Vec<_>>() })
}

/// Returns the first moves of the real game.
fn real(count: usize) -> Value {
    record("zero-point-one", &GAME.split(' ').take(count).collect::<Vec<_>>().join(" "))
}

/// Returns cupbot's answer to a record, at few nodes.
fn answer(server: &Server, session: &str, record: &Value) -> Value {
    let level = json!({ "by": "nodes", "nodes": NODES });
    server.result(session, "answer", &json!({ "record": record, "level": level }))
}

fn games() -> Vec<String> {
    let games = printed(&cupbot("games --json").output().expect("it runs"));
    let games = games.as_array().expect("a list").iter().filter(|game| {
        game["capabilities"].as_array().is_some_and(|all| all.contains(&json!("board")))
    });
    games.map(|game| game["name"].as_str().expect("a name").into()).collect()
}

#[test]
fn every_page_asks_for_nothing_elsewhere() {
    let server = Server::start();
    let host = format!("Host: {}\r\n", server.host());
    assert!(games().len() >= 4);
    for game in games() {
        for (path, part) in
            [("", "<!DOCTYPE html>"), ("/style.css", ":root"), ("/script.js", "'use strict'")]
        {
            let (status, text) = server.raw("GET", &format!("/{game}{path}"), &host, "");
            assert!(status == 200 && text.contains(part), "{game}{path}: {status}");
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http://") && !text.contains("https://"), "{game}{path}");
        }
    }
    // The root redirects to the game of the command line, an unknown path to the list of games.
    let own = Server::of(&mut cupbot("board chess960 --no-open --port 0"));
    let answer = io::read_to_string(own.send("GET", "/", &format!("Host: {}\r\n", own.host()), ""));
    assert!(answer.expect("text").contains("location: chess960"));
    // Every address without a game has a page with a sentence and the games, by relative links.
    for (path, link) in [
        ("/no-game", "href=\"zuniq\""),
        ("/zuniq/x", "href=\"../zuniq\""),
        ("//zuniq", "href=\"../zuniq\""),
        ("/a/b/c", "href=\"../../zuniq\""),
    ] {
        let (status, list) = server.raw("GET", path, &host, "");
        assert!(status == 404 && list.contains(link), "{path}: {list}");
        assert!(list.contains("There is no") && list.contains("The games are:"), "{list}");
    }
    let (status, page) = server.raw("GET", "/zuniq", "Host: elsewhere\r\n", "");
    assert!(status == 403 && page.starts_with("<!DOCTYPE html>"), "{page}");
    assert!(page.contains("--host"), "{page}");
    assert_eq!(server.raw("GET", "/zuniq/", &host, "").0, 303);
    // The title is neutral until the game has loaded, and a proxy may add a prefix.
    let (_, page) = server.raw("GET", "/zuniq", &host, "");
    assert!(page.contains("<title>cupbot</title>"), "{page}");
    assert!(!page.contains("src=\"/") && !page.contains("href=\"/"), "{page}");
}

#[test]
fn both_loopback_addresses_are_served() {
    let server = Server::start();
    let Ok(mut stream) = TcpStream::connect(("::1", server.port)) else {
        assert!(TcpListener::bind(("::1", 0)).is_err(), "this machine has IPv6");
        return;
    };
    let request = format!("GET /zuniq HTTP/1.0\r\nHost: [::1]:{}\r\n\r\n", server.port);
    stream.write_all(request.as_bytes()).expect("sent");
    let answer = io::read_to_string(stream).expect("text");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let host = format!("Host: localhost.:{}\r\n", server.port);
    assert_eq!(server.raw("GET", "/zuniq", &host, "").0, 200);
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = Server::start();
    let host = server.host();
    let body = json!({ "record": real(2), "from": 0 }).to_string();
    let json_type = "Content-Type: application/json\r\n";
    let scenes = |headers: String| server.raw("POST", "/api/scenes", &headers, &body);
    assert_eq!(scenes(format!("Host: {host}\r\n{json_type}")).0, 200);
    // A forwarded port.
    assert_eq!(
        scenes(format!("Host: LocalHost:9000\r\nOrigin: http://localhost:9000\r\n{json_type}")).0,
        200
    );
    for headers in [
        format!("Host: {host}\r\nOrigin: https://evil.example\r\n"),
        format!("Host: {host}\r\nOrigin: null\r\n"),
        format!("Host: evil.example:{}\r\n", server.port),
        format!("Host: {host}\r\nSec-Fetch-Site: cross-site\r\n"),
        String::new(),
    ] {
        let (status, answer) = scenes(format!("{headers}{json_type}"));
        assert_eq!(status, 403, "{headers}");
        assert!(answer.contains("\"error\""), "{answer}");
    }
    // Other sites can send only content types that need no preflight request: no JSON.
    assert_eq!(scenes(format!("Host: {host}\r\nContent-Type: text/plain\r\n")).0, 415);
    for (bad, status, words) in [
        ("{", 400, "JSON"),
        ("[]", 422, "expected"),
        (r#"{"record": {"game": "go"}, "from": 0}"#, 404, "no game"),
        (r#"{"record": {"game": "zuniq", "surprise": 1}, "from": 0}"#, 422, "surprise"),
    ] {
        let (found, answer) = server.raw("POST", "/api/scenes", &server.headers(), bad);
        assert!(found == status && answer.contains(words), "{bad}: {found} {answer}");
    }
    let wanted = |record: Value| json!({ "record": record, "from": 0 });
    for (record, status, words) in [
        (record("zuniq", "A1h A1h"), 422, "drawn already"),
        (record("zero-point-one", "WWW"), 422, "16"),
        (record("6561", &"11 ".repeat(3000)), 413, "too many moves"),
        (record("zuniq", &"x".repeat(200)), 413, "too long"),
        (json!({ "game": "zuniq", "start": "x" }), 422, "no start position"),
        (json!({ "game": "zero-point-one", "start": "8 - 2" }), 422, "eight rows"),
        (record("chess960", "e2e5"), 422, "illegal"),
        (json!({ "game": "chess960", "start": "8/8 w" }), 422, "8 rows expected, found 2"),
    ] {
        server.refuses("scenes", &wanted(record), status, words);
    }
    let huge = "x".repeat(3 << 20);
    assert_eq!(server.post("scenes", &wanted(record("zuniq", &huge))).0, 413);
    assert_eq!(server.post("session/nobody/stop", &json!({ "job": 1 })).0, 410);
    let session = server.session();
    for (moves, nodes, words) in [(3, 0, "level"), (12, 9, "")] {
        let level = json!({ "by": "nodes", "nodes": nodes });
        let body = json!({ "record": real(moves), "level": level });
        server.fails(&session, "answer", &body, 422, words);
    }
}

#[test]
fn two_pages_play_every_game_at_the_same_time() {
    let server = Server::start();
    for game in games() {
        let mut pages = [0, 1].map(|first| (server.session(), Vec::<String>::new(), first));
        for _ in 0..8 {
            for (session, moves, pick) in &mut pages {
                let record = json!({ "game": game, "moves": moves });
                let scenes =
                    server.ask("scenes", &json!({ "record": record, "from": moves.len() }));
                let scene = &scenes["scenes"][0];
                // Alternates between an offered move and cupbot's move.
                let offered = scene["moves"].as_array().expect("a list");
                let text = match (moves.len() + *pick) % 2 {
                    0 if !offered.is_empty() => offered[*pick]["text"].clone(),
                    _ => answer(&server, session, &record)["text"].clone(),
                };
                moves.push(text.as_str().expect("a move").to_string());
            }
        }
        let text = server.ask("text", &json!({ "game": game, "moves": pages[0].1 }));
        assert!(text.as_str().is_some_and(|text| text.contains(&pages[0].1[7])), "{text}");
        assert_ne!(pages[0].1, pages[1].1);
    }
    server.wait_for_no_search();
}

#[test]
fn every_game_is_analysed_live_until_its_page_closes() {
    let server = Server::start();
    for (game, moves) in [
        ("zero-point-one", real(5)),
        ("zuniq", record("zuniq", "A1h A2v")),
        ("6561", record("6561", "11 12 14")),
        ("chess960", record("chess960", "e4 e7e5 Nf3")),
    ] {
        let session = server.session();
        let body = json!({ "record": moves, "lines": 3 });
        let found = server
            .search(&session, "analyse", &body)
            .find(|news| news["finding"]["lines"].as_array().is_some_and(|lines| lines.len() == 3));
        let found = found.unwrap_or_else(|| panic!("{game}: no lines"));
        let line = &found["finding"]["lines"][0];
        assert!(line["height"].as_f64().is_some_and(|height| height.abs() <= 1.0), "{found}");
        assert!(
            !line["moves"].as_array().expect("moves").is_empty()
                && found["finding"]["nodes"].as_u64() > Some(0)
        );
        // The page is closed.
        server.ask(&format!("{session}/close"), &Value::Null);
        server.wait_for_no_search();
    }
}

#[test]
fn quick_changes_of_position_leave_no_search() {
    let server = Server::start();
    let session = server.session();
    let mut last = 0;
    for change in 0..200 {
        let body = json!({ "record": real(2 + change % 9), "lines": 3 });
        let job = server.begin(&session, "analyse", &body);
        assert!(job > last, "{job}");
        // Some pages stop a search before they begin the next one.
        if change % 3 == 0 {
            server.ask(&format!("{session}/stop"), &json!({ "job": job }));
        }
        last = job;
    }
    // The running search is the last one.
    wait_until("one search at most", || server.status().1 <= 1);
    server.ask(&format!("{session}/stop"), &json!({ "job": last }));
    server.wait_for_no_search();
    server.refuses(&format!("{session}/news"), &json!({ "job": last - 1 }), 422, "was stopped");
    // The session still works.
    let answer = answer(&server, &session, &real(4));
    assert!(answer["text"].as_str().is_some_and(|text| !text.is_empty()), "{answer}");
    server.ask(&format!("{session}/close"), &Value::Null);
    wait_until("nothing is left", || server.status() == (0, 0));
}

#[test]
fn a_new_search_stops_a_running_answer() {
    let server = Server::start();
    let session = server.session();
    let level = json!({ "by": "move", "ms": 600_000 });
    let body = json!({ "record": real(4), "level": level });
    server.begin(&session, "answer", &body);
    wait_until("it thinks", || server.status().1 == 1);
    answer(&server, &session, &real(5));
    server.wait_for_no_search();
    // Also for a setup.
    let body = json!({ "record": real(1), "level": level });
    let setup = server.begin(&session, "answer", &body);
    wait_until("it thinks", || server.status().1 == 1);
    server.ask(&format!("{session}/stop"), &json!({ "job": setup }));
    server.wait_for_no_search();
}

#[test]
fn a_game_is_reviewed_shared_and_read_again() {
    let server = Server::start();
    let session = server.session();
    let body = json!({ "record": real(12), "ms": 5 });
    let last = server.search(&session, "review", &body).last().expect("news");
    assert_eq!(last["done"], json!(true), "{last}");
    let views = last["views"].as_array().expect("views");
    assert_eq!(views.len(), 13);
    // Red was lost after the setups, so its moves are no mistakes; in another game both sides make mistakes.
    assert!(views[3..].iter().all(|view| view["mark"].is_null()), "{last}");
    let body = json!({ "record": record("zero-point-one", BLUNDERS), "ms": 5 });
    let marked = server.search(&session, "review", &body).last().expect("news");
    let views = marked["views"].as_array().expect("views");
    assert!(views.iter().any(|view| view["mark"].is_string()), "{marked}");
    let mut reviewed = real(12);
    reviewed["notes"] = last["notes"].clone();
    let page = server.ask("replay", &reviewed);
    let page = page.as_str().expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("\"height\""), "the scores are in the page");
    assert_eq!(server.ask("views", &reviewed)["views"], last["views"]);
    let text = server.ask("text", &real(12));
    let list = server.ask("read", &json!({ "text": text }));
    assert_eq!(list["games"][0]["record"]["moves"], real(12)["moves"]);
    // A match record with an invalid line, and a game over several lines.
    let game = json!({ "type": "game", "game": 7, "rules": "zuniq", "moves": ["A1h"], "names": ["X", "Y"] });
    let log = format!("{{\"type\": \"match\"}}\n{game}\n\nnonsense!\n{GAME}\n");
    let list = server.ask("read", &json!({ "text": log }));
    let games = list["games"].as_array().expect("a list");
    assert_eq!((games.len(), list["faults"].as_array().map(Vec::len)), (2, Some(1)), "{list}");
    assert_eq!(
        (&games[0]["record"]["game"], &games[0]["record"]["players"]),
        (&json!("zuniq"), &json!(["X", "Y"]))
    );
    let broken = GAME.replace(" b1d3", "\nb1d3").replace(" c5a3", "\n c5a3");
    let list = server.ask("read", &json!({ "text": broken }));
    assert_eq!(list["games"][0]["count"], json!(12));
    assert_eq!(server.post("read", &json!({ "text": "nonsense!" })).0, 422);
    // The log of a long match.
    let long = format!("{}\n", GAME).repeat(40_000);
    let list = server.ask("read", &json!({ "text": long }));
    assert_eq!(list["games"].as_array().map(Vec::len), Some(20_000));
}

#[test]
fn page_and_command_judge_every_game_alike() {
    let server = Server::start();
    for (game, moves) in [
        ("zero-point-one", BLUNDERS),
        ("zuniq", "A1h A1v A2h B2v A3v B1v C1h D4v E5h C3v D2h B4h E2v A5h F3h"),
        ("6561", "11 12 14 L D 22 23 24 R U"),
        ("chess960", "e4 e5 Qh5 Ke7 Qxe5#"),
    ] {
        let session = server.session();
        let body = json!({ "record": record(game, moves), "nodes": 300 });
        let page = server.search(&session, "review", &body).last().expect("news");
        let line = format!("analyse --nodes 300 --json {moves}");
        let command = cupbot(&line).output().expect("it runs");
        assert!(command.status.success(), "{}", String::from_utf8_lossy(&command.stderr));
        assert_eq!(page["notes"], printed(&command)["analysis"], "{game}");
        assert!(page["notes"].as_array().is_some_and(|notes| notes.len() >= 5), "{page}");
    }
}

#[test]
fn every_game_has_hints_with_a_reason() {
    let server = Server::start();
    for (game, moves) in [
        ("zero-point-one", real(9)),
        ("zuniq", record("zuniq", "A1h A1v B1h")),
        ("6561", record("6561", "11 12 14")),
        ("chess960", record("chess960", "f3 e5 g4")),
    ] {
        let session = server.session();
        let hint = server.result(&session, "hint", &json!({ "record": moves, "nodes": 500 }));
        let reason = hint["reason"].as_str().expect("a reason");
        assert!(reason.len() >= 10 && hint["score"].is_string(), "{game}: {hint}");
        if game == "chess960" {
            assert_eq!((&hint["text"], reason), (&json!("d8h4"), "Qh4#: mate"));
        }
    }
}

#[test]
fn games_of_chess960_are_read_and_reviewed() {
    let server = Server::start();
    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let list = server.ask("read", &json!({ "text": pgn }));
    let read = &list["games"][0]["record"];
    assert_eq!(read["game"], json!("chess960"), "{list}");
    let scenes = server.ask("scenes", &json!({ "record": read, "from": 0 }));
    let scenes = scenes["scenes"].as_array().expect("a list");
    assert_eq!((&scenes[4]["text"], &scenes[4]["written"]), (&json!("d8h4"), &json!("Qh4#")));
    assert_eq!(scenes[4]["end"]["winner"], json!(1));

    let played = record("chess960", "f3 e5 g4 Qh4#");
    assert!(server.ask("text", &played).as_str().is_some_and(|text| text.contains("Qh4#")));
    let session = server.session();
    let body = json!({ "record": played, "ms": 5 });
    let last = server.search(&session, "review", &body).last().expect("news");
    assert_eq!(last["views"].as_array().map(Vec::len), Some(5), "{last}");
    assert_eq!(last["views"][3]["mark"], json!("allowed-win"), "{last}");

    let edited = server.ask("edit", &json!({ "game": "chess960", "position": "0" }));
    let position = edited["position"].as_str().expect("a text").to_string();
    assert!(position.starts_with("bbqnnrkr/pppppppp/") && edited["fault"].is_null(), "{edited}");
    let refused = server.ask("edit", &json!({ "game": "chess960", "position": "960" }));
    assert!(refused["fault"] == json!("start positions are numbered 0 to 959"), "{refused}");
    assert!(refused["position"].is_null(), "{refused}");
    // Cupbot continues from moves in SAN.
    let begun = json!({ "game": "chess960", "start": position, "moves": ["e4", "e7e5"] });
    let answer = answer(&server, &session, &begun);
    assert!(answer["text"].as_str().is_some_and(|text| text.len() == 4), "{answer}");
    server.wait_for_no_search();
}

#[test]
fn a_position_is_edited_and_played() {
    let server = Server::start();
    let mut position = json!("8/8/8/8/8/8/8/8 - 2");
    for (spot, piece) in [("a1", "W"), ("h8", "w"), ("D", "D")] {
        let edit =
            json!({ "game": "zero-point-one", "position": position, "spot": spot, "piece": piece });
        let answer = server.ask("edit", &edit);
        position = answer["position"].clone();
        assert!(answer["frame"]["board"].is_string(), "{answer}");
        assert_eq!(answer["fault"].is_string(), spot == "a1", "without a wazir: {answer}");
    }
    assert_eq!(position, json!("W7/8/8/8/8/8/8/7w D 2"));
    let record = json!({ "game": "zero-point-one", "start": position, "moves": [] });
    let session = server.session();
    let answer = answer(&server, &session, &record);
    let played = json!({ "game": "zero-point-one", "start": position, "moves": [answer["text"]] });
    assert_eq!(
        server.ask("scenes", &json!({ "record": played, "from": 1 }))["scenes"][0]["turn"],
        json!(1)
    );
    let none = json!({ "game": "zuniq", "position": "" });
    assert_eq!(server.post("edit", &none).0, 422);
}

#[test]
fn a_port_in_use_is_explained_and_ctrl_c_ends_it() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let refused = cupbot(&format!("board --no-open --port {port}")).output().expect("it runs");
    let message = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(
        message.contains(&port) && message.contains("--port") && message.lines().count() == 1,
        "{message}"
    );

    let mut server = Server::start();
    let session = server.session();
    let body = json!({ "record": real(4), "lines": 1 });
    server.begin(&session, "analyse", &body);
    wait_until("it searches", || server.status().1 == 1);
    server.running.send(Signal::INT);
    assert_eq!(server.running.wait().code(), Some(130));
}

#[test]
fn the_address_is_printed_with_what_to_do() {
    // No browser is found.
    let mut command = cupbot("board --port 0");
    let piped = command.env("PATH", "").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::of(piped);
    let read = |pipe: &mut dyn Read, lines: usize| -> String {
        BufReader::new(pipe).lines().take(lines).map(|line| line.expect("text") + "\n").collect()
    };
    let address = read(running.0.stdout.as_mut().expect("a pipe"), 1);
    let advice = read(running.0.stderr.as_mut().expect("a pipe"), 2);
    drop(running);
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    assert!(advice.contains("Press Ctrl-C to stop."), "{advice}");
    assert!(advice.contains("open the address above in a browser"), "{advice}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_during_the_start_ends_it() {
    use crate::common::catches;
    for signal in [Signal::INT, Signal::TERM].repeat(8) {
        let mut command = cupbot("board --no-open --port 0");
        let mut running = Running::of(command.stdout(Stdio::null()));
        // The signal is sent as soon as the handler is installed.
        while !catches(&running.0, signal) {
            assert_eq!(running.0.try_wait().expect("a child"), None);
        }
        running.send(signal);
        assert_eq!(running.wait().code(), Some(128 + signal.as_raw()));
    }
}

#[test]
fn reported_faults_of_a_long_text_are_limited() {
    let server = Server::start();
    let (status, answer) = server.post("read", &json!({ "text": "a\n".repeat(500_001) }));
    assert!(
        status == 422 && answer["error"].as_str().is_some_and(|text| text.contains("too many"))
    );
    let nonsense = "a\n".repeat(20_000);
    for text in
        [format!("{GAME}\n{nonsense}"), format!("{GAME}\n{}\n{nonsense}", "!".repeat(100_000))]
    {
        let lines = text.lines().count();
        let list = server.ask("read", &json!({ "text": text }));
        let faults = list["faults"].as_array().expect("a list");
        assert_eq!(list["games"].as_array().map(Vec::len), Some(1));
        assert_eq!(faults.len() as u64 + list["more_faults"].as_u64().unwrap(), lines as u64 - 1);
        assert!(faults.len() <= 100 && faults.iter().all(|fault| fault.to_string().len() < 1000));
    }
}

#[test]
fn a_request_that_never_ends_is_closed() {
    let server = Server::start();
    let host = server.host();
    let started = Instant::now();
    // Nothing, half a line, endless headers, and a late body.
    let begun = [
        String::new(),
        "GET / HT".to_string(),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\n"),
        format!("POST /api/read HTTP/1.1\r\n{}Content-Length: 90\r\n\r\n{{", server.headers()),
    ];
    let streams: Vec<TcpStream> = begun
        .iter()
        .map(|text| {
            let mut stream = TcpStream::connect(&host).expect("it listens");
            stream.write_all(text.as_bytes()).expect("sent");
            stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
            stream
        })
        .collect();
    // A header every second does not keep a request alive.
    let mut slow = TcpStream::connect(&host).expect("it listens");
    slow.write_all(format!("GET / HTTP/1.1\r\nHost: {host}\r\n").as_bytes()).expect("sent");
    let dripping = thread::spawn(move || {
        while slow.write_all(b"X-More: a\r\n").is_ok() {
            assert!(started.elapsed() < PATIENCE, "it is never closed");
            thread::sleep(Duration::from_secs(1));
        }
    });
    // Other requests are served in the meantime.
    assert_eq!(server.raw("GET", "/zuniq", &format!("Host: {host}\r\n"), "").0, 200);
    for (mut stream, text) in streams.into_iter().zip(begun) {
        let _ = stream.read_to_end(&mut Vec::new());
        let waited = started.elapsed();
        assert!(waited > Duration::from_secs(10) && waited < PATIENCE, "{text}: {waited:?}");
    }
    dripping.join().expect("it is closed");
}

#[test]
fn one_connection_serves_many_requests() {
    let server = Server::start();
    let mut stream = TcpStream::connect(server.host()).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let first = format!("GET /api/status HTTP/1.1\r\nHost: {}\r\n", server.host());
    let requests = format!("{first}\r\n{first}Connection: close\r\n\r\n");
    stream.write_all(requests.as_bytes()).expect("sent");
    let answers = io::read_to_string(stream).expect("text");
    assert_eq!(answers.matches("\"searches\"").count(), 2, "{answers}");
}

#[test]
fn requests_without_a_size_limit_are_refused() {
    let server = Server::start();
    let long = format!("Host: {}\r\nX: {}\r\n", server.host(), "x".repeat(20_000));
    assert_eq!(server.raw("GET", "/zuniq", &long, "").0, 431);
    let chunked = format!("{}Transfer-Encoding: chunked\r\n", server.headers());
    assert_eq!(server.raw("POST", "/api/scenes", &chunked, "0\r\n\r\n").0, 411);
}

#[test]
fn pgn_games_are_read_and_written_completely() {
    let server = Server::start();
    let text = "[White \"Anna\"]\n[Site \"Bonn\"]\n\n1. e4 {first} e5 (1... c5 {sharp} (1... e6 {quiet})) 2. Nf3 1-0\n\n\
                [FEN \"4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\"]\n\n1. Kd2 Zz9 *\n";
    let list = server.ask("read", &json!({ "text": text }));
    let games = list["games"].as_array().expect("a list");
    assert_eq!(games.len(), 2, "{list}");
    let faults = list["faults"].to_string();
    assert!(faults.contains("castling") && faults.contains("Zz9"), "{faults}");
    let pgn = server.ask("file", &games[0]["record"]);
    let pgn = pgn.as_str().expect("a text");
    for part in [
        "[White \"Anna\"]",
        "[Site \"Bonn\"]",
        "[Result \"1-0\"]",
        "1. e4 {first} 1... e5 (1... c5 {sharp} (1... e6 {quiet})) 2. Nf3 1-0",
    ] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
    assert_eq!(server.post("file", &record("zuniq", "")).0, 422);
}

/// A puzzle that one move solves, and one with two solutions.
const PUZZLE: &str = "4DAA1/wWA1A1DA/1A3D2/2FD4/D1f2a2/1d6/1aFa1da1/2AaaNf1 ndaaa 50";
const TWO_WAYS: &str = "3FaA2/ADFA1A1W/2d2f2/7A/1d6/2A1A3/2aD4/1wNa1A1f Anddddaaaa 84";

#[test]
fn moves_of_puzzles_are_judged() {
    let server = Server::start();
    let session = server.session();
    let puzzle = |game: &str, start: &str, moves: &str| {
        let mut record = record(game, moves);
        record["start"] = json!(start);
        json!({ "record": record })
    };
    let game = "zero-point-one";
    let asked = |what: &str, start: &str, moves: &str| {
        server.result(&session, what, &puzzle(game, start, moves))
    };
    let judged = |start: &str, moves: &str| asked("judge", start, moves);
    assert_eq!(judged(PUZZLE, "b2b1")["is"], "solved");
    let wrong = judged(PUZZLE, "a5c5");
    assert!(wrong["is"] == "wrong" && wrong["text"].as_str().is_some_and(|text| !text.is_empty()));
    for way in ["h6f4", "Af4"] {
        let verdict = judged(TWO_WAYS, way);
        let answer = verdict["answer"].as_str().unwrap_or_default().to_string();
        assert!(verdict["is"] == "right" && !answer.is_empty(), "{way}: {verdict}");
        // The solution from this position captures the wazir.
        let rest = asked("solve", TWO_WAYS, &format!("{way} {answer}"));
        let capture = rest["moves"][0].as_str().expect("a move").to_string();
        assert_eq!(judged(TWO_WAYS, &format!("{way} {answer} {capture}"))["is"], "solved");
    }
    for (game, start, moves, status, words) in [
        (game, "8/8/8/8/8/8/8/8 - 2", "b2b1", 404, "no such puzzle"),
        (game, PUZZLE, "", 422, "side that solves"),
        (game, PUZZLE, "b2b1 a1a2 a2a3", 422, "no more than 1"),
        (game, PUZZLE, "b2b8", 422, "does not leap"),
        ("zuniq", PUZZLE, "A1h", 422, "no puzzles"),
        ("go", PUZZLE, "A1h", 404, "no game"),
    ] {
        server.fails(&session, "judge", &puzzle(game, start, moves), status, words);
    }
    assert_eq!(server.post(&format!("{session}/judge"), &json!({ "moves": [] })).0, 422);
    assert_eq!(server.post("session/nobody/solve", &json!({ "record": record(game, "") })).0, 404);
}
