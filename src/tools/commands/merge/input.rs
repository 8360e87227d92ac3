//! Reads the file of a shard.

use crate::tools::arena::match_file::{self, GameRecord};
use crate::tools::contracts::game_files::{GameFiles, StoredGames, HEAD};
use crate::tools::labs::registry::GAMES;
use crate::tools::support::shard::Shard;
use anyhow::{ensure, Context, Result};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The file of a shard.
pub struct Input {
    /// Path, as given.
    pub name: String,
    /// Settings of the run, including the shard.
    pub settings: Value,
    /// Games of the file, up to the first error.
    pub contents: Contents,
    /// The first error, if any.
    pub damage: Option<String>,
}

/// The games of a file.
pub enum Contents {
    /// Games of self-play.
    Games(&'static GameFiles, StoredGames),
    /// Games of a match or a tournament.
    Match(Vec<GameRecord>),
}

impl Input {
    /// Reads a file. Fails if it is not the file of a shard.
    pub fn read(path: &Path) -> Result<Input> {
        let name = path.display().to_string();
        let mut head = Vec::new();
        let file = File::open(path).with_context(|| format!("opening {name}"))?;
        file.take(HEAD as u64).read_to_end(&mut head).with_context(|| format!("reading {name}"))?;
        ensure!(!head.is_empty(), "{name} is empty: continue its shard with --resume");
        if match_file::is_record(&head) {
            let found = match_file::read_whole(path)?;
            let (settings, damage) = (found.settings, found.damage);
            return Ok(Input { name, settings, contents: Contents::Match(found.games), damage });
        }
        let mut formats = GAMES.iter().filter_map(|game| game.tools.game_files.as_ref());
        let files = formats.find(|files| (files.recognise)(&head));
        let files = files.with_context(|| {
            format!("{name} is neither a file of self-play games nor a match record")
        })?;
        let mut stored = (files.read)(path)?;
        let settings = serde_json::from_str(&stored.settings)
            .with_context(|| format!("{name}: the settings can't be read"))?;
        let damage = stored.damage.take();
        Ok(Input { name, settings, contents: Contents::Games(files, stored), damage })
    }

    /// Checks that the games belong to this shard of a run of `total` games (or pairs, for a match), and adds
    /// damage and missing games to the gaps. Fails if a game belongs to another shard or occurs twice.
    pub fn check(&self, shard: Shard, total: u64, gaps: &mut Gaps) -> Result<()> {
        let name = &self.name;
        if let Some(damage) = &self.damage {
            gaps.push(format!("{name}: {damage}"))?;
        }
        let share = shard.share(total);
        let (found, planned) = match &self.contents {
            Contents::Games(_, stored) => (stored.games.len() as u64, share),
            Contents::Match(games) => {
                let mut seen = BTreeSet::new();
                for GameRecord { game, pair, .. } in games {
                    let is_own = shard.owns(*pair) && (*pair as u64) < total && game / 2 == *pair;
                    ensure!(is_own, "{name}: game {game} does not belong to shard {shard}");
                    ensure!(seen.insert(game), "{name}: game {game} occurs twice");
                }
                (games.len() as u64, 2 * share)
            }
        };
        ensure!(found <= planned, "{name} has {found} games, but its shard has only {planned}");
        if found < planned {
            gaps.push(format!("{name}: shard {shard} has {found} of {planned} games"))?;
        }
        Ok(())
    }
}

/// Missing or damaged parts of a run.
pub struct Gaps {
    /// Whether gaps are allowed (`--allow-missing`).
    pub is_allowed: bool,
    /// Gaps found so far.
    pub found: Vec<String>,
}

impl Gaps {
    /// Adds a gap and prints it. Fails if gaps are not allowed.
    pub fn push(&mut self, gap: String) -> Result<()> {
        ensure!(self.is_allowed, "{gap}; use --allow-missing to join the rest");
        tell!("{gap}");
        self.found.push(gap);
        Ok(())
    }
}
