//! Starting points of games between programs, from a file.

use crate::tools::rules::Rules;
use anyhow::{bail, ensure, Context, Result};
use std::fs;
use std::path::Path;

/// Reads openings from a file: one a line, all that was played, parted by blanks. Empty lines and
/// lines that begin with `#` are skipped.
pub fn read_openings<G: Rules>(path: &Path) -> Result<Vec<G>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if !line.trim().is_empty() && !line.starts_with('#') {
            let opening = parse_opening(line);
            let place = || format!("{} line {}", path.display(), index + 1);
            openings.push(opening.with_context(place)?);
        }
    }
    ensure!(!openings.is_empty(), "{} has no openings", path.display());
    Ok(openings)
}

fn parse_opening<G: Rules>(line: &str) -> Result<G> {
    let mut game = G::default();
    for text in line.split_whitespace() {
        if let Err(refused) = game.play(text) {
            bail!("move {text:?}: {}", refused.reason);
        }
    }
    ensure!(game.end().is_none(), "the game is over already");
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::zero_point_one::game::Game;

    #[test]
    fn reads_lines_and_names_what_is_wrong() {
        let game: Game = parse_opening("WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3").expect("legal");
        assert_eq!(game.ply(), 3);
        let error = parse_opening::<Game>("WFNADAAADDFDAAAA aaaadddaaadaffnw b5d4").unwrap_err();
        assert!(format!("{error:#}").contains("b5d4"));
        let over = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8 c3a1";
        assert!(parse_opening::<Game>(over).is_err());
    }
}
