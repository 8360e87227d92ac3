//! Lines to the client.

use crate::tools::support::text::tame;
use std::io::{self, Write};

/// Says a line; false where nobody listens. The lines of both threads stay whole.
pub fn say(text: &str) -> bool {
    let mut output = io::stdout().lock();
    output.write_all(format!("{text}\n").as_bytes()).and_then(|()| output.flush()).is_ok()
}

/// Says what is wrong.
pub fn complain(text: &str) {
    say(&format!("info string error: {}", tame(text)));
}
