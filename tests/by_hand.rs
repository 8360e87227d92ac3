//! Play by hand at a pseudo-terminal, made by util-linux's `script`; skipped where that can't be.

#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

/// What a terminal shows of the binary that plays this game and is given these lines.
fn terminal(game: &str, lines: &str) -> Option<String> {
    let command = format!("{} play {game} --hash 1", env!("CARGO_BIN_EXE_cupbot"));
    let run = |command: &str, input: &str| {
        let mut child = Command::new("timeout")
            .args(["60", "script", "-qec", command, "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        // `script` ends with the program, whether it has read everything or not.
        let mut pipe = child.stdin.take()?;
        let _ = pipe.write_all(input.as_bytes());
        let output = child.wait_with_output().ok()?;
        drop(pipe);
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    run("test -t 0", "")?;
    Some(run(&command, lines).expect("status 0 at a terminal"))
}

#[test]
fn a_terminal_shows_the_board_and_forgives_mistakes() {
    let lines = "Time 300\nWFNADAAADDFDAAAA\nb1b2\nb1d1\nhint\nquit\n";
    let Some(shown) = terminal("zero-point-one", lines) else {
        eprintln!("skipped: no util-linux `script` with a pseudo-terminal here");
        return;
    };
    assert!(shown.contains("Zero Point One by hand"), "{shown}");
    assert!(shown.contains("a dabbaba does not move from b1 to b2. Try again"), "{shown}");
    assert!(shown.contains("  d [D] .  .  .  .  .  .  .  d"), "{shown}");
    assert!(shown.contains("for red, depth"), "{shown}");
}

#[test]
fn a_terminal_shows_walls_and_zones() {
    let lines = "Time 300\nOpening A1h A1v\nboard\nB1h!\nA1h\nhint\nnew\nOpening A1h A1v B1h A2v\nboard\nquit\n";
    let Some(shown) = terminal("zuniq", lines) else {
        eprintln!("skipped: no util-linux `script` with a pseudo-terminal here");
        return;
    };
    // Pseudo-terminals end lines by two characters.
    let shown = shown.replace('\r', "");
    for expected in [
        "Zuniq by hand",
        "A  +---+   +   +   +   +\n   |\nB  +   +",
        "White claimed to win with move 3",
        "A1h is drawn already. Try again",
        " % of games)",
        "A  +---+   +   +   +   +\n   | 1 |\nB  +---+",
    ] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
}
