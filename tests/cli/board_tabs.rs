//! Many tabs of one browser with the page of `cupbot board`.

#![cfg(unix)]

use crate::common::board::Server;
use crate::common::browser::Page;
use crate::common::wait_until;

const SIZE: [u32; 2] = [900, 700];

#[test]
fn twelve_tabs_analyse_and_play_at_once() {
    let server = Server::start();
    let Some(first) = Page::new(SIZE) else { return };
    let mut tabs = vec![first];
    // A browser has six connections to a host, for all its tabs.
    for _ in 1..12 {
        let next = tabs[0].beside(SIZE);
        tabs.push(next);
    }
    for tab in &tabs {
        tab.load(&format!("http://{}/zuniq", server.host()));
        tab.until("document.body.dataset.ready === 'true'");
        tab.click("#tab-analyse");
        tab.click("#live");
    }
    for tab in &tabs {
        tab.until("document.querySelectorAll('#found li').length === 3");
    }
    // A match goes on in the first and in the last one.
    for tab in [&tabs[0], &tabs[11]] {
        tab.click("[data-spot='C3h']");
        tab.until("document.querySelectorAll('#list > div [data-node]:not(.start)').length === 2");
    }
    assert_eq!(server.status().0, 12);
    // The searches end with their tabs.
    tabs.truncate(3);
    wait_until("three searches are left", || server.status().1 <= 3);
}
