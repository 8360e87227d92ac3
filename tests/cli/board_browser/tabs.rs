//! Many tabs of one browser, and the page served through a proxy.

use super::{Board, DESKTOP, LINE};
use crate::common::board::Server;
use crate::common::browser::Page;
use crate::common::wait_until;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

#[test]
fn twelve_tabs_analyse_and_play_at_once() {
    let server = Server::start();
    let Some(first) = Page::new(DESKTOP) else { return };
    let mut tabs = vec![first];
    // A browser has six connections to a host, for all its tabs.
    for _ in 1..12 {
        let next = tabs[0].beside(DESKTOP);
        tabs.push(next);
    }
    let open = |tab: &Page| {
        tab.load(&format!("http://{}/zuniq", server.host()));
        tab.until("document.body.dataset.ready === 'true'");
    };
    tabs.iter().for_each(open);
    for tab in &tabs {
        tab.click("#tab-analyse");
        tab.click("#live");
    }
    tabs.iter().for_each(|tab| tab.until_count("#found li", 3));
    // Meanwhile a page loads, and a match is played on it.
    open(&tabs[11]);
    tabs[11].click("[data-spot='C3h']");
    tabs[11].until_count(LINE, 2);
    // The searches end with their tabs.
    tabs.truncate(2);
    wait_until("two searches are left", || server.status().1 <= 2);
}

/// Starts a proxy that serves a server below the prefix `/cup`, and returns its port.
fn proxy(server: u16) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            // A client that closes its connection early ends only this thread.
            thread::spawn(move || forward(&client, server));
        }
    });
    port
}

/// Forwards one request without the prefix, and its response.
fn forward(client: &TcpStream, server: u16) -> io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let mut server = TcpStream::connect(("127.0.0.1", server))?;
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let name = line.to_ascii_lowercase();
        if let Some(number) = name.strip_prefix("content-length:") {
            length = number.trim().parse().unwrap_or(0);
        }
        match line.trim() {
            "" => break,
            _ if name.starts_with("connection:") => {}
            _ if head.is_empty() => head += &line.replacen(" /cup/", " /", 1),
            _ => head += &line,
        }
    }
    server.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes())?;
    io::copy(&mut reader.take(length), &mut server)?;
    io::copy(&mut server, &mut &*client)?;
    client.shutdown(Shutdown::Both)
}

#[test]
fn the_page_works_behind_a_prefix() {
    let port = proxy(Server::shared().port);
    let Some(page) = Page::new(DESKTOP) else { return };
    let page = Board { page, host: format!("127.0.0.1:{port}/cup") };
    page.open("zuniq");
    page.click("[data-spot='C3h']");
    page.until_count(LINE, 2);
    page.click("#rules-button");
    page.until_text("rules-text", "Zuniq");
    page.press(&["Escape"]);
    page.choose("#game", "6561");
    page.until_is("location.pathname", "/cup/6561");
    page.until_ready();
    page.open("");
    page.until_is("location.pathname", "/cup/zero-point-one");
}
