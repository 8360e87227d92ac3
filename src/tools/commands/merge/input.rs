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
    /// Reads a file, which may be a pipe. Returns `None` if it is empty. Fails if it is not the file of a shard.
    pub fn read(path: &Path) -> Result<Option<Input>> {
        let name = path.display().to_string();
        let mut file = File::open(path).with_context(|| format!("opening {name}"))?;
        let mut bytes = Vec::new();
        let mut read = |bytes: &mut Vec<u8>, length| {
            let read = file.by_ref().take(length).read_to_end(bytes);
            read.with_context(|| format!("reading {name}")).map(drop)
        };
        // The head first: a file of another kind may have no end.
        read(&mut bytes, HEAD as u64)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let is_record = match_file::is_record(&bytes);
        let mut formats = GAMES.iter().filter_map(|game| game.tools.game_files.as_ref());
        let files = formats.find(|files| (files.recognise)(&bytes));
        ensure!(
            is_record || files.is_some(),
            "{name} is neither a file of self-play games nor a match record"
        );
        read(&mut bytes, u64::MAX)?;
        let Some(files) = files else {
            let found = match_file::read_whole(path, &bytes)?;
            let (settings, damage) = (found.settings, found.damage);
            let contents = Contents::Match(found.games);
            return Ok(Some(Input { name, settings, contents, damage }));
        };
        let mut stored = (files.read)(path, bytes)?;
        let settings = serde_json::from_str(&stored.settings)
            .with_context(|| format!("{name}: the settings can't be read"))?;
        let damage = stored.damage.take();
        Ok(Some(Input { name, settings, contents: Contents::Games(files, stored), damage }))
    }

    /// Checks that the games belong to this shard of a run of `total` games (or pairs, for a match), and adds damage
    /// and missing games to the gaps. Fails if a game belongs to another shard or occurs twice.
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
