//! The server of `cupbot board` under test, and raw requests to it.

use super::{cupbot, wait_until, Running, PATIENCE};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::iter;
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Shell script that runs a server until its input is closed, which happens when the test process ends.
const SHARED: &str = r#"trap : INT; "$0" board --no-open --port 0 & cat; kill $!"#;

/// A running server.
pub struct Server {
    pub running: Running,
    pub port: u16,
}

impl Server {
    pub fn start() -> Server {
        Server::of(&mut cupbot("board --no-open --port 0"))
    }

    /// Returns the server that is shared by all tests that do not need their own.
    pub fn shared() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| {
            let mut command = Command::new("sh");
            command.args(["-c", SHARED, env!("CARGO_BIN_EXE_cupbot")]);
            Server::of(command.stdin(Stdio::piped()))
        })
    }

    pub fn of(command: &mut Command) -> Server {
        let mut running = Running::of(command.stdout(Stdio::piped()));
        let output = running.0.stdout.take().expect("a pipe");
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address).expect("text");
        let port = address.trim().split(':').nth(2).and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok()).expect("an address with a port");
        Server { running, port }
    }

    /// Returns the host and port of the server.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends a request and returns the connection without reading the response.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        // With HTTP 1.0 the connection is closed after the response.
        let head =
            format!("{method} {path} HTTP/1.0\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
        // Write errors are ignored: a server that rejects a body need not read it.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        stream
    }

    /// Sends a request with exactly these headers and returns the status and the body of the response.
    pub fn raw(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut answer = Vec::new();
        let mut stream = self.send(method, path, headers, body);
        // Read errors are ignored: the connection may be closed early if the body is rejected.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.unwrap_or_else(|| panic!("no status: {answer:?}")), body.to_string())
    }

    /// Returns the headers that the page sends.
    pub fn headers(&self) -> String {
        let host = self.host();
        format!("Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n")
    }

    /// Posts JSON to the API like the page does. Returns the status and the response.
    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, text) =
            self.raw("POST", &format!("/api/{path}"), &self.headers(), &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Posts a request that must succeed and returns the response.
    pub fn ask(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body);
        assert_eq!(status, 200, "{path} {body}: {answer}");
        answer
    }

    /// Posts a request that must be refused with this status and these words.
    pub fn refuses(&self, path: &str, body: &Value, status: u16, words: &str) {
        let (found, answer) = self.post(path, body);
        let text = answer["error"].as_str().unwrap_or_default();
        assert!(found == status && text.contains(words), "{path} {body}: {found} {answer}");
    }

    /// Starts a session and returns its path.
    pub fn session(&self) -> String {
        let answer = self.ask("session", &Value::Null);
        format!("session/{}", answer["session"].as_str().expect("a name"))
    }

    /// Starts a search in a session and returns its number.
    pub fn begin(&self, session: &str, what: &str, body: &Value) -> u64 {
        self.ask(&format!("{session}/{what}"), body)["job"].as_u64().expect("a number")
    }

    /// Runs a search in a session and returns its news as the page fetches them. It ends if a request is refused.
    pub fn search<'a>(
        &'a self,
        session: &'a str,
        what: &str,
        body: &Value,
    ) -> impl Iterator<Item = Value> + 'a {
        let mut next = Some(self.ask(&format!("{session}/{what}"), body));
        iter::from_fn(move || loop {
            let mut answer = next.take()?;
            if answer["done"] != true {
                let (status, more) = self.post(&format!("{session}/news"), &answer);
                next = (status == 200).then_some(more);
            }
            if !answer["news"].is_null() {
                return Some(answer["news"].take());
            }
        })
    }

    /// Starts a search that must be refused or fail with this status and these words.
    pub fn fails(&self, session: &str, what: &str, body: &Value, status: u16, words: &str) {
        let (mut found, mut answer) = self.post(&format!("{session}/{what}"), body);
        while found == 200 && answer["news"].is_null() {
            (found, answer) = self.post(&format!("{session}/news"), &answer);
        }
        let text = answer["error"].as_str().unwrap_or_default();
        assert!(found == status && text.contains(words), "{what} {body}: {found} {answer}");
    }

    /// Returns the result of a search that has only one.
    pub fn result(&self, session: &str, what: &str, body: &Value) -> Value {
        self.search(session, what, body).next().expect("a result")["result"].take()
    }

    /// Returns the numbers of sessions and of running searches.
    pub fn status(&self) -> (u64, u64) {
        let host = format!("Host: {}\r\n", self.host());
        let (status, text) = self.raw("GET", "/api/status", &host, "");
        assert_eq!(status, 200, "{text}");
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        let number = |key: &str| answer[key].as_u64().expect("a number");
        (number("sessions"), number("searches"))
    }

    pub fn wait_for_no_search(&self) {
        wait_until("no search runs", || self.status().1 == 0);
    }
}
