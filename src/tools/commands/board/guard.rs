//! Access checks of the server: only its own page and programs on this machine may use it. A browser sends
//! the origin of a request in `Origin` and the host name in `Host`, so scripts of other sites and other
//! names for this address (DNS rebinding) are rejected.

use super::app::App;
use super::input::Failure;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Names of this machine.
const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
/// Default port of `http:` addresses.
const HTTP_PORT: u16 = 80;
/// Header with the relation of the requesting site to this one.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Content security policy: everything is loaded from this server only, and nothing may frame the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Rejects foreign requests and adds security headers to all responses.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match check(request.headers(), request.uri().path(), app.port) {
        Ok(()) => next.run(request).await,
        Err(why) => Failure::new(StatusCode::FORBIDDEN, why).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Checks whether a request is allowed and returns the reason if not.
fn check(headers: &HeaderMap, path: &str, port: u16) -> Result<(), &'static str> {
    // Browsers omit the default port.
    let is_ours = |text: &str, host: &str| {
        text == format!("{host}:{port}") || port == HTTP_PORT && text == host
    };
    let ours = |text: &str| HOSTS.iter().any(|host| is_ours(text, host));
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if !text(header::HOST).is_some_and(ours) {
        return Err("the request is for another host");
    }
    match text(header::ORIGIN) {
        Some(origin) if !origin.strip_prefix("http://").is_some_and(ours) => {
            return Err("the request comes from another site");
        }
        _ => {}
    }
    let is_foreign = text(FETCH_SITE).is_some_and(|site| !["same-origin", "none"].contains(&site));
    // A link from another site may lead to the page, but to nothing else.
    if is_foreign && path.matches('/').count() > 1 {
        return Err("the request comes from another site");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(path: &str, lines: &[(&'static str, &'static str)]) -> bool {
        checked_at(6101, path, lines)
    }

    fn checked_at(port: u16, path: &str, lines: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        check(&headers, path, port).is_ok()
    }

    #[test]
    fn only_this_machine_and_its_page_may_ask() {
        for host in ["127.0.0.1:6101", "localhost:6101", "[::1]:6101"] {
            assert!(checked("/api/scenes", &[("host", host)]), "{host}");
        }
        for host in ["127.0.0.1", "127.0.0.1:80", "evil.example:6101", "127.0.0.1:6101.evil", ""] {
            assert!(!checked("/api/scenes", &[("host", host)]), "{host}");
        }
        assert!(!checked("/", &[]));
        let host = ("host", "127.0.0.1:6101");
        assert!(checked("/api/read", &[host, ("origin", "http://127.0.0.1:6101")]));
        for origin in ["null", "https://127.0.0.1:6101", "http://evil.example", "http://127.0.0.1"]
        {
            assert!(!checked("/api/read", &[host, ("origin", origin)]), "{origin}");
        }
        let foreign = ("sec-fetch-site", "cross-site");
        assert!(!checked("/api/status", &[host, foreign]));
        assert!(checked("/a-game", &[host, foreign]));
        assert!(checked("/api/status", &[host, ("sec-fetch-site", "same-origin")]));
    }

    #[test]
    fn the_usual_port_may_be_left_out() {
        for host in ["127.0.0.1", "localhost:80", "[::1]"] {
            assert!(checked_at(80, "/api/scenes", &[("host", host)]), "{host}");
        }
        let host = ("host", "localhost");
        assert!(checked_at(80, "/api/read", &[host, ("origin", "http://localhost")]));
        assert!(!checked_at(80, "/api/read", &[host, ("origin", "http://localhost:6101")]));
        for host in ["evil.example", "127.0.0.1:6101", "localhost.evil", ""] {
            assert!(!checked_at(80, "/api/scenes", &[("host", host)]), "{host}");
        }
    }
}
