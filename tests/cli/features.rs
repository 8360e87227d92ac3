//! Commands that a build lacks are listed all the same, and say how to get them.

use crate::common::cupbot;

/// Commands of each feature, and whether this build has them.
const OPTIONAL: [(&str, bool); 9] = [
    ("board", cfg!(feature = "board")),
    ("replay", cfg!(feature = "board")),
    ("completions", cfg!(feature = "completions")),
    ("selfplay", cfg!(feature = "lab")),
    ("tournament", cfg!(feature = "lab")),
    ("tune", cfg!(feature = "lab")),
    ("merge", cfg!(feature = "lab")),
    ("zuniq", cfg!(feature = "lab")),
    ("submit", cfg!(feature = "submit")),
];
/// Those that the first page leaves out.
const UNLISTED: [&str; 4] = ["completions", "selfplay", "tune", "merge"];
const MARK: &str = "(not in this build)";

#[test]
fn an_optional_command_is_there_or_says_how_to_get_it() {
    let output = cupbot(&["--help"]).output().expect("it runs");
    let help = String::from_utf8(output.stdout).expect("text");
    for (command, is_there) in OPTIONAL {
        let line = help.lines().find(|line| line.starts_with(&format!("  {command} ")));
        assert_eq!(line.is_some(), !UNLISTED.contains(&command), "{command} in {help}");
        assert!(line.is_none_or(|line| line.contains(MARK) != is_there), "{line:?}");
        for arguments in [&[command, "--help"][..], &[command, "x", "--y", "z"]] {
            let output = cupbot(arguments).output().expect("it runs");
            let complaint = String::from_utf8_lossy(&output.stderr);
            let advice = "cargo install --path . --features full";
            assert_eq!(complaint.contains(advice), !is_there, "{complaint}");
            if !is_there {
                assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1));
            }
        }
    }
}
