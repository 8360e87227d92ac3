//! Access checks of the server: only its own page and programs on this machine may use it. A browser sends the origin
//! of a request in `Origin` and the host name in `Host`, so scripts of other sites and other names for this address
//! (DNS rebinding) are rejected. The port may be any, since it may be forwarded.

use super::http::Headers;
use crate::tools::support::text::shown;

/// Names of this machine.
const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Checks whether a request is allowed and returns the reason if not. `names` are further names of this machine.
pub fn check(headers: &Headers, path: &str, names: &[String]) -> Result<(), String> {
    let host = headers.get("host").unwrap_or_default().to_ascii_lowercase();
    if !is_ours(&host, names) {
        return Err(format!(
            "the request is for another host, {:?}: start `cupbot board` with --host and its name",
            shown(&host)
        ));
    }
    let foreign = || Err("the request comes from another site".to_string());
    // Browsers omit the default port in both.
    let origin = headers.get("origin").map(str::to_ascii_lowercase);
    let is_same = |origin: String| {
        ["http", "https"].map(|scheme| format!("{scheme}://{host}")).contains(&origin)
    };
    if !origin.is_none_or(is_same) {
        return foreign();
    }
    let is_foreign =
        headers.get("sec-fetch-site").is_some_and(|site| !["same-origin", "none"].contains(&site));
    // A link from another site may lead to the page, but to nothing else.
    if is_foreign && path.matches('/').count() > 1 {
        return foreign();
    }
    Ok(())
}

/// Whether a host, with or without a port, is this machine.
fn is_ours(host: &str, names: &[String]) -> bool {
    let port_at = host.rfind(':').filter(|&at| host[at + 1..].bytes().all(|b| b.is_ascii_digit()));
    let name = &host[..port_at.unwrap_or(host.len())];
    // A full domain name ends with a dot.
    let name = name.strip_suffix('.').unwrap_or(name);
    HOSTS.contains(&name) || names.iter().any(|own| own.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(path: &str, lines: &[(&'static str, &'static str)]) -> bool {
        let headers = Headers::new(lines.iter().map(|(name, value)| (*name, value.as_bytes())));
        check(&headers, path, &["Tower.lan".to_string()]).is_ok()
    }

    #[test]
    fn only_this_machine_and_its_page_may_ask() {
        // The port may be forwarded, and is omitted if it is 80.
        for host in [
            "127.0.0.1:6101",
            "localhost:9000",
            "[::1]:6101",
            "LocalHost",
            "localhost.:6101",
            "127.0.0.1",
            "[::1]",
            "tower.LAN:80",
        ] {
            assert!(checked("/api/scenes", &[("host", host)]), "{host}");
        }
        for host in [
            "evil.example:6101",
            "127.0.0.1:6101.evil",
            "localhost..",
            "localhost.evil",
            "localhost@evil",
            "evil@localhost:1",
            "xlocalhost",
            "127.0.0.1:6101:6101",
            "::1",
            "[::1",
            ":6101",
            "",
        ] {
            assert!(!checked("/api/scenes", &[("host", host)]), "{host}");
        }
        assert!(!checked("/", &[]));
        let host = ("host", "127.0.0.1:6101");
        for origin in ["http://127.0.0.1:6101", "HTTP://127.0.0.1:6101", "https://127.0.0.1:6101"] {
            assert!(checked("/api/read", &[host, ("origin", origin)]), "{origin}");
        }
        // Another page of this machine is another site.
        for origin in [
            "null",
            "http://evil.example",
            "http://127.0.0.1",
            "http://localhost:6101",
            "file://127.0.0.1:6101",
            "",
        ] {
            assert!(!checked("/api/read", &[host, ("origin", origin)]), "{origin}");
        }
        let foreign = ("sec-fetch-site", "cross-site");
        assert!(!checked("/api/status", &[host, foreign]));
        assert!(checked("/a-game", &[host, foreign]));
        assert!(checked("/api/status", &[host, ("sec-fetch-site", "same-origin")]));
    }
}
