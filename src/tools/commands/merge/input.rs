//! A shard's file, of whatever kind.

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

/// A file that was read.
pub struct Input {
    /// Its path.
    pub name: String,
    /// The settings of its run, the shard included.
    pub settings: Value,
    /// Its games.
    pub contents: Contents,
    /// What is wrong with it after these games.
    pub damage: Option<String>,
}

/// The games of a file.
pub enum Contents {
    /// Of self-play.
    Games(&'static GameFiles, StoredGames),
    /// Of a match or a tournament.
    Match(Vec<GameRecord>),
}

impl Input {
    /// Reads a file. An error where it is none that a shard writes.
    pub fn read(path: &Path) -> Result<Input> {
        let name = path.display().to_string();
        let mut head = Vec::new();
        let file = File::open(path).with_context(|| format!("opening {name}"))?;
        file.take(HEAD as u64).read_to_end(&mut head).with_context(|| format!("reading {name}"))?;
        ensure!(!head.is_empty(), "{name} is empty: its shard has to be gone on with by --resume");
        if match_file::is_record(&head) {
            let found = match_file::read_whole(path)?;
            let (settings, damage) = (found.settings, found.damage);
            return Ok(Input { name, settings, contents: Contents::Match(found.games), damage });
        }
        let mut formats = GAMES.iter().filter_map(|game| game.game_files.as_ref());
        let files = formats.find(|files| (files.recognise)(&head));
        let files = files.with_context(|| format!("{name} is neither games nor a match"))?;
        let mut stored = (files.read)(path)?;
        let settings = stored.settings.take().with_context(|| format!("{name} has no settings"))?;
        let settings = serde_json::from_str(&settings)
            .with_context(|| format!("{name}: the settings can't be read"))?;
        let damage = stored.damage.take();
        Ok(Input { name, settings, contents: Contents::Games(files, stored), damage })
    }

    /// Checks that its games are those of this shard of a run of `total` games, or of `total` pairs of a
    /// match, and reports damage and missing games as gaps. Fails if a game is of another shard or there
    /// twice.
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
                    ensure!(is_own, "{name}: game {game} is not of shard {shard}");
                    ensure!(seen.insert(game), "{name}: game {game} is there twice");
                }
                (games.len() as u64, 2 * share)
            }
        };
        ensure!(found <= planned, "{name}: {found} games where the shard has {planned}");
        if found < planned {
            gaps.push(format!("{name}: shard {shard} has {found} of {planned} games"))?;
        }
        Ok(())
    }
}

/// Missing or damaged parts of a run.
pub struct Gaps {
    /// Whether the rest may be joined all the same.
    pub is_allowed: bool,
    /// The gaps found so far.
    pub found: Vec<String>,
}

impl Gaps {
    /// Adds a gap with a warning, or fails with it if gaps are not allowed.
    pub fn push(&mut self, gap: String) -> Result<()> {
        ensure!(self.is_allowed, "{gap}; --allow-missing joins the rest");
        tell!("{gap}");
        self.found.push(gap);
        Ok(())
    }
}
