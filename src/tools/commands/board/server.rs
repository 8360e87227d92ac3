//! The server and its routes. Each connection has a thread.

use super::app::App;
use super::guard::check;
use super::http::{Connection, Failure, Request, Response, StatusCode};
use super::input::{MAX_BODY, MAX_LOG};
use super::{api, pages};
use crate::engine::guarded;
use anyhow::{Context, Result};
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Maximum number of connections; further ones are closed.
const MAX_CONNECTIONS: usize = 500;
/// Interval of the session clean-up.
const TIDY_EVERY: Duration = Duration::from_secs(5);
/// Pause after a failed accept.
const ACCEPT_PAUSE: Duration = Duration::from_millis(500);

/// Serves on all listeners until the process ends.
pub fn serve(listeners: Vec<TcpListener>, app: App) -> Result<()> {
    let app = Arc::new(app);
    let tidied = app.clone();
    let tidy = move || loop {
        thread::sleep(TIDY_EVERY);
        tidied.sessions.tidy();
    };
    thread::Builder::new().spawn(tidy).context("starting the server")?;
    thread::scope(|scope| {
        for listener in &listeners {
            // Each listener's thread holds a reference, as do this function and the clean-up.
            let (app, own) = (app.clone(), listeners.len() + 2);
            thread::Builder::new().spawn_scoped(scope, move || accept(listener, &app, own))?;
        }
        Ok(())
    })
}

/// Accepts connections. `own` references to the state belong to no connection.
fn accept(listener: &TcpListener, app: &Arc<App>, own: usize) {
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // Too many open files, or the client has gone already: later connections may succeed.
            thread::sleep(ACCEPT_PAUSE);
            continue;
        };
        // Each thread of a connection holds a reference. At first not all listeners have theirs.
        if Arc::strong_count(app).saturating_sub(own) < MAX_CONNECTIONS {
            let app = app.clone();
            // Errors of a single connection are ignored.
            let work =
                move || drop(Connection::new(stream).map(|client| serve_client(client, &app)));
            let _ = thread::Builder::new().spawn(work);
        }
    }
}

/// Serves the requests of a connection, one after the other.
fn serve_client(mut client: Connection, app: &App) -> io::Result<()> {
    loop {
        let mut request = match client.read_head() {
            Ok(None) => return Ok(()),
            Ok(Some(request)) => request,
            Err(failure) => return client.refuse(&failure.response()),
        };
        let received = receive(&mut request, &mut client, app);
        match received.and_then(|()| reply(&request, app)) {
            Ok(response) => {
                if !client.answer(&request, &response)? {
                    return Ok(());
                }
            }
            Err(failure) if request.method == "GET" && !request.path.starts_with("/api/") => {
                return client.refuse(&pages::refusal(&request.path, &failure));
            }
            Err(failure) => return client.refuse(&failure.response()),
        }
    }
}

/// Reads the body of a request, unless the request is foreign.
fn receive(request: &mut Request, client: &mut Connection, app: &App) -> Result<(), Failure> {
    check(&request.headers, &request.path, &app.hosts)
        .map_err(|why| Failure::new(StatusCode::FORBIDDEN, why))?;
    let limit = if request.path == "/api/read" { MAX_LOG } else { MAX_BODY };
    client.read_body(request, limit)
}

fn reply(request: &Request, app: &App) -> Result<Response, Failure> {
    let routed = guarded(|| match request.method.as_str() {
        "GET" | "HEAD" => get(request, app),
        "POST" => post(request, app),
        _ => Err(Failure::nothing()),
    });
    let lost = || Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error");
    routed.unwrap_or_else(|| Err(lost()))
}

fn get(request: &Request, app: &App) -> Result<Response, Failure> {
    let path = request.path.strip_prefix('/').unwrap_or_default();
    match path.split_once('/').unwrap_or((path, "")) {
        ("", "") => Ok(pages::start(app)),
        ("favicon.ico", "") => Ok(pages::icon()),
        ("api", "status") => Response::json(&api::status(app)),
        ("api", _) => Err(Failure::nothing()),
        (game, "") if path.ends_with('/') => Ok(pages::without_slash(game)),
        (game, "") => pages::page(game, app),
        (game, "style.css") => pages::style(game),
        (game, "script.js") => pages::script(game),
        (game, "rules") => pages::rules(game),
        (_, module) => pages::module(module),
    }
}

fn post(request: &Request, app: &App) -> Result<Response, Failure> {
    let path = request.path.strip_prefix("/api/").ok_or_else(Failure::nothing)?;
    if let Some((name, action)) =
        path.strip_prefix("session/").and_then(|path| path.split_once('/'))
    {
        let caller = api::Caller { app, name };
        let answer = match action {
            "answer" => api::answer(caller, request.input()?)?,
            "hint" => api::hint(caller, request.input()?)?,
            "judge" => api::judge(caller, request.input()?)?,
            "solve" => api::solve(caller, request.input()?)?,
            "analyse" => api::analyse(caller, request.input()?)?,
            "review" => api::review(caller, request.input()?)?,
            "news" => api::news(caller, request.input()?)?,
            "stop" => api::stop(caller, request.input()?)?,
            "close" => api::close(caller),
            _ => return Err(Failure::nothing()),
        };
        return Response::json(&answer);
    }
    match path {
        "scenes" => Response::json(&api::scenes(request.input()?)?),
        "refusal" => Response::json(&api::refusal(request.input()?)?),
        "views" => Response::json(&api::views(request.input()?)?),
        "read" => Response::json(&api::read(request.input()?)?),
        "text" => api::text(request.input()?).map(Response::text),
        "file" => api::file(request.input()?).map(Response::text),
        "replay" => api::replay(request.input()?).map(Response::html),
        "lessons" => Response::json(&api::lessons(request.input()?)?),
        "lesson" => Response::json(&api::lesson(request.input()?)?),
        "edit" => Response::json(&api::edit(request.input()?)?),
        "session" => Response::json(&api::open(app)?),
        _ => Err(Failure::nothing()),
    }
}
