//! HTTP/1.1 on one connection, with limits on size and time: reads requests and writes responses.

use crate::tools::support::text::error_text;
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::error::Category;
use serde_json::json;
use std::borrow::Cow;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Time limit for the head and for the body of a request, and for a client that does not read.
const REQUEST_TIME: Duration = Duration::from_secs(20);
/// Maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 16 << 10;
/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 100;
/// Size of a read, in bytes.
const CHUNK: usize = 16 << 10;
/// Headers of every response. Content security policy: everything is loaded from this server only, and nothing may
/// frame the page.
const COMMON_HEADERS: &str = "content-security-policy: default-src 'none'; script-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'\r\n\
    x-content-type-options: nosniff\r\n\
    referrer-policy: no-referrer\r\n\
    cross-origin-resource-policy: same-origin\r\n\
    cache-control: no-store\r\n";

/// Status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusCode(u16);

impl StatusCode {
    pub const OK: StatusCode = StatusCode(200);
    pub const SEE_OTHER: StatusCode = StatusCode(303);
    pub const BAD_REQUEST: StatusCode = StatusCode(400);
    pub const FORBIDDEN: StatusCode = StatusCode(403);
    pub const NOT_FOUND: StatusCode = StatusCode(404);
    pub const REQUEST_TIMEOUT: StatusCode = StatusCode(408);
    pub const GONE: StatusCode = StatusCode(410);
    pub const LENGTH_REQUIRED: StatusCode = StatusCode(411);
    pub const PAYLOAD_TOO_LARGE: StatusCode = StatusCode(413);
    pub const UNSUPPORTED_MEDIA_TYPE: StatusCode = StatusCode(415);
    pub const UNPROCESSABLE_ENTITY: StatusCode = StatusCode(422);
    pub const HEADERS_TOO_LARGE: StatusCode = StatusCode(431);
    pub const INTERNAL_SERVER_ERROR: StatusCode = StatusCode(500);
    pub const SERVICE_UNAVAILABLE: StatusCode = StatusCode(503);
}

/// An error of a request with its status; the page shows the message.
#[derive(Debug)]
pub struct Failure {
    pub status: StatusCode,
    pub message: String,
}

impl Failure {
    /// Creates an error with this status.
    pub fn new(status: StatusCode, message: impl ToString) -> Failure {
        Failure { status, message: message.to_string() }
    }

    /// Creates the error for an unknown address.
    pub fn nothing() -> Failure {
        Failure::new(StatusCode::NOT_FOUND, "there is nothing here")
    }

    /// Returns it as a response.
    pub fn response(&self) -> Response {
        let body = json!({ "error": self.message }).to_string();
        Response::new("application/json", body.into_bytes()).with_status(self.status)
    }
}

/// Other errors are caused by the page's input.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, error_text(&error))
    }
}

/// Headers of a request.
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// Creates headers from names and values.
    pub fn new<'a>(all: impl Iterator<Item = (&'a str, &'a [u8])>) -> Headers {
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        Headers(all.map(|(name, value)| (name.to_string(), text(value))).collect())
    }

    /// Returns the value of a header.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(header, _)| header.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// A request.
pub struct Request {
    pub method: String,
    /// Path without the query.
    pub path: String,
    pub headers: Headers,
    /// Whether the client wants to send further requests.
    keeps_alive: bool,
    /// The body, once it has been read.
    body: Vec<u8>,
}

impl Request {
    /// Parses the head of a request and returns it with its length. Returns `None` if the head is incomplete.
    fn parse(text: &[u8]) -> Result<Option<(Request, usize)>, Failure> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let parsed = head.parse(text).map_err(|error| {
            Failure::new(StatusCode::BAD_REQUEST, format!("this is not HTTP: {error}"))
        })?;
        let httparse::Status::Complete(length) = parsed else { return Ok(None) };
        let headers = Headers::new(head.headers.iter().map(|header| (header.name, header.value)));
        let connection = headers.get("connection").unwrap_or_default();
        let is_close = connection.to_ascii_lowercase().contains("close");
        let path = head.path.unwrap_or_default();
        let request = Request {
            method: head.method.unwrap_or_default().to_string(),
            path: path.split('?').next().unwrap_or_default().to_string(),
            headers,
            keeps_alive: head.version == Some(1) && !is_close,
            body: Vec::new(),
        };
        Ok(Some((request, length)))
    }

    /// Returns the length of the body in bytes.
    fn body_length(&self) -> Result<usize, Failure> {
        if self.headers.get("transfer-encoding").is_some() {
            let message = "the length of the body is missing";
            return Err(Failure::new(StatusCode::LENGTH_REQUIRED, message));
        }
        let Some(text) = self.headers.get("content-length") else { return Ok(0) };
        text.parse().map_err(|_| Failure::new(StatusCode::BAD_REQUEST, "invalid content length"))
    }

    /// Parses the body, which must be JSON.
    pub fn input<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        let kind = self.headers.get("content-type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            let message = "the content type must be application/json";
            return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        serde_json::from_slice(&self.body).map_err(|error| match error.classify() {
            Category::Data => Failure::new(StatusCode::UNPROCESSABLE_ENTITY, error),
            _ => Failure::new(StatusCode::BAD_REQUEST, format!("the body is not JSON: {error}")),
        })
    }
}

/// A response with a body of known length.
pub struct Response {
    status: StatusCode,
    /// Name and value of the only header that depends on the response.
    header: (&'static str, String),
    body: Cow<'static, [u8]>,
}

impl Response {
    /// Creates a response with this content type.
    pub fn new(kind: &str, body: impl Into<Cow<'static, [u8]>>) -> Response {
        let header = ("content-type", kind.to_string());
        Response { status: StatusCode::OK, header, body: body.into() }
    }

    /// Creates a page.
    pub fn html(page: String) -> Response {
        Response::new("text/html; charset=utf-8", page.into_bytes())
    }

    /// Creates a plain text.
    pub fn text(text: String) -> Response {
        Response::new("text/plain; charset=utf-8", text.into_bytes())
    }

    /// Creates a JSON text.
    pub fn json(value: &impl Serialize) -> Result<Response, Failure> {
        let body = serde_json::to_vec(value);
        let body = body.map_err(|error| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, error))?;
        Ok(Response::new("application/json", body))
    }

    /// Creates a redirection to another path.
    pub fn redirect(path: String) -> Response {
        let header = ("location", path);
        Response { status: StatusCode::SEE_OTHER, header, body: Cow::Borrowed(&[]) }
    }

    /// Sets the status.
    pub fn with_status(mut self, status: StatusCode) -> Response {
        self.status = status;
        self
    }
}

/// A connection to a client.
pub struct Connection {
    stream: TcpStream,
    /// Bytes that were received but belong to no request yet.
    received: Vec<u8>,
}

impl Connection {
    /// Creates a connection. A client that stops reading is disconnected.
    pub fn new(stream: TcpStream) -> io::Result<Connection> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(REQUEST_TIME))?;
        Ok(Connection { stream, received: Vec::new() })
    }

    /// Reads the head of the next request. Returns `None` if the client has closed the connection or is late.
    pub fn read_head(&mut self) -> Result<Option<Request>, Failure> {
        let end = Instant::now() + REQUEST_TIME;
        loop {
            let parsed = Request::parse(&self.received)?;
            if let Some((request, length)) = parsed.filter(|(_, length)| *length <= MAX_HEAD) {
                self.received.drain(..length);
                return Ok(Some(request));
            }
            if self.received.len() > MAX_HEAD {
                let message = "the headers are too long";
                return Err(Failure::new(StatusCode::HEADERS_TOO_LARGE, message));
            }
            if !self.receive(end) {
                return Ok(None);
            }
        }
    }

    /// Reads the body of a request; `limit` is its maximum size in bytes.
    pub fn read_body(&mut self, request: &mut Request, limit: usize) -> Result<(), Failure> {
        let length = request.body_length()?;
        if length > limit {
            let message = format!("the body is too large: {length} bytes, at most {limit}");
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        if request.headers.get("expect").is_some() {
            // Write errors are ignored: the next read fails.
            let _ = self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
        let end = Instant::now() + REQUEST_TIME;
        while self.received.len() < length {
            if !self.receive(end) {
                return Err(Failure::new(
                    StatusCode::REQUEST_TIMEOUT,
                    "the request body timed out",
                ));
            }
        }
        let rest = self.received.split_off(length);
        request.body = std::mem::replace(&mut self.received, rest);
        Ok(())
    }

    /// Receives bytes. Returns whether there were any before `end`.
    fn receive(&mut self, end: Instant) -> bool {
        let mut chunk = [0; CHUNK];
        loop {
            let left = end.saturating_duration_since(Instant::now());
            // A timeout of zero is an error.
            if self.stream.set_read_timeout(Some(left)).is_err() {
                return false;
            }
            match self.stream.read(&mut chunk) {
                Ok(count) => {
                    self.received.extend_from_slice(&chunk[..count]);
                    return count > 0;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => return false,
            }
        }
    }

    /// Answers a request. Returns whether further requests may follow.
    pub fn answer(&mut self, request: &Request, response: &Response) -> io::Result<bool> {
        self.send(response, request.keeps_alive, request.method != "HEAD")?;
        Ok(request.keeps_alive)
    }

    /// Refuses a request, of which parts may not have been read, and closes the connection.
    pub fn refuse(&mut self, response: &Response) -> io::Result<()> {
        self.send(response, false, true)?;
        self.stream.shutdown(Shutdown::Write)?;
        // The response could be lost if the connection were closed before all was read.
        let end = Instant::now() + REQUEST_TIME;
        while self.receive(end) {
            self.received.clear();
        }
        Ok(())
    }

    fn send(&mut self, response: &Response, keeps_alive: bool, has_body: bool) -> io::Result<()> {
        let (StatusCode(status), (name, value)) = (response.status, &response.header);
        let length = response.body.len();
        let connection = if keeps_alive { "keep-alive" } else { "close" };
        let head = format!(
            "HTTP/1.1 {status} \r\n{name}: {value}\r\ncontent-length: {length}\r\nconnection: {connection}\r\n\
             {COMMON_HEADERS}\r\n"
        );
        let body = if has_body { &*response.body } else { &[] };
        self.stream.write_all(&[head.as_bytes(), body].concat())
    }
}
