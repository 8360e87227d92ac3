//! The server and its routes.

use super::app::App;
use super::guard::guard;
use super::input::{Failure, MAX_BODY, MAX_LOG, REQUEST_TIME};
use super::sessions::Sessions;
use super::{api, pages};
use crate::tools::contracts::entry::Entry;
use anyhow::{Context, Result};
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;

/// Interval of the session clean-up.
const TIDY_EVERY: Duration = Duration::from_secs(5);
/// Pause after a failed accept.
const ACCEPT_PAUSE: Duration = Duration::from_millis(500);

/// Serves until the process ends.
pub fn serve(listener: TcpListener, hosts: Vec<String>, game: &'static Entry) -> Result<()> {
    listener.set_nonblocking(true).context("listening")?;
    let app = Arc::new(App { game, hosts, sessions: Sessions::new() });
    // Requests are short; searches have their own threads.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("starting the server")?.block_on(accept(listener, app))
}

async fn accept(listener: TcpListener, app: Arc<App>) -> Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    tokio::spawn(tidy(app.clone()));
    let router = router(app);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(connection(stream, router.clone()))),
            // Too many open files, or the client has gone already: later connections may succeed.
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Serves a connection. Closes it if no request arrives in time.
async fn connection(stream: TcpStream, router: Router) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(REQUEST_TIME);
    // Errors of a single connection are ignored.
    let _ = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await;
}

async fn tidy(app: Arc<App>) {
    let mut ticks = tokio::time::interval(TIDY_EVERY);
    loop {
        ticks.tick().await;
        app.sessions.tidy();
    }
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(pages::start))
        .route("/{game}", get(pages::page))
        .route("/{game}/style.css", get(pages::style))
        .route("/{game}/script.js", get(pages::script))
        .route("/{game}/rules", get(pages::rules))
        .route("/{game}/{*module}", get(pages::module))
        .route("/favicon.ico", get(pages::icon))
        .route("/api/scenes", post(api::scenes))
        .route("/api/refusal", post(api::refusal))
        .route("/api/story", post(api::story))
        .route("/api/read", post(api::read).layer(DefaultBodyLimit::max(MAX_LOG)))
        .route("/api/text", post(api::text))
        .route("/api/file", post(api::file))
        .route("/api/replay", post(api::replay))
        .route("/api/edit", post(api::edit))
        .route("/api/status", get(api::status))
        .route("/api/session", post(api::open))
        .route("/api/session/{name}/answer", post(api::answer))
        .route("/api/session/{name}/analyse", post(api::analyse))
        .route("/api/session/{name}/review", post(api::review))
        .route("/api/session/{name}/judge", post(api::judge))
        .route("/api/session/{name}/solve", post(api::solve))
        .route("/api/session/{name}/stop", post(api::stop))
        .route("/api/session/{name}/close", post(api::close))
        .fallback(|| async { Failure::nothing() })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}
