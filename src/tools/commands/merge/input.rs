//! Reads the file of a shard.

use crate::tools::arena::match_file::{self, GameRecord};
use crate::tools::contracts::game_files::{GameFiles, Magic};
use crate::tools::labs::registry::GAMES;
use crate::tools::support::files::Named;
use crate::tools::support::shard::Shard;
use crate::tools::support::text::shown_name;
use crate::tools::training::game_file::{self, Block, Reader};
use anyhow::{ensure, Context, Result};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;

/// Number of bytes that identify the kind of a file.
const HEAD: usize = 32;

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
    /// Games of self-play, encoded, in the order in which they were played.
    Games {
        /// Start of the file.
        magic: Magic,
        /// Number of positions for training.
        positions: u64,
        /// The encoded games.
        games: Vec<Vec<u8>>,
    },
    /// Games of a match or a tournament.
    Match(Vec<GameRecord>),
}

impl Input {
    /// Reads a file, which may be a pipe. Returns `None` if it is empty. Fails if it is not the file of a shard.
    pub fn read(path: &Path) -> Result<Option<Input>> {
        let name = shown_name(path);
        let mut file = File::open(path).named("opening", path)?;
        // The head first: a file of another kind may have no end.
        let mut head = Vec::new();
        let read = file.by_ref().take(HEAD as u64).read_to_end(&mut head);
        read.named("reading", path)?;
        if head.is_empty() {
            return Ok(None);
        }
        let mut formats = GAMES.iter().filter_map(|game| game.tools.game_files.as_ref());
        if let Some(files) = formats.find(|files| head.starts_with(&files.magic)) {
            let input = Box::new(Cursor::new(head).chain(BufReader::new(file)));
            return Input::of_games(path, files, input).map(Some);
        }
        game_file::ensure_no_old_text(&head).named("reading", path)?;
        ensure!(
            match_file::is_record(&head),
            "{name} is neither a file of self-play games nor a match record"
        );
        file.read_to_end(&mut head).named("reading", path)?;
        let found = match_file::read_whole(path, &head)?;
        let (settings, damage) = (found.settings, found.damage);
        Ok(Some(Input { name, settings, contents: Contents::Match(found.games), damage }))
    }

    /// Reads a file of self-play games up to the first damage.
    fn of_games(path: &Path, files: &GameFiles, input: Box<dyn Read>) -> Result<Input> {
        let name = shown_name(path);
        let reader = Reader::new(path, input, &files.magic, files.read)?;
        let settings = serde_json::from_str(&reader.settings)
            .with_context(|| format!("{name}: the settings can't be read"))?;
        let (mut positions, mut games, mut damage) = (0, Vec::new(), None);
        for block in reader {
            match block.named("reading", path)? {
                Block::Games(found) => {
                    positions += found.iter().map(|stored| stored.game).sum::<u64>();
                    games.extend(found.into_iter().map(|stored| stored.bytes));
                }
                Block::Damaged(found) => {
                    damage = Some(found.to_string());
                    break;
                }
            }
        }
        let contents = Contents::Games { magic: files.magic, positions, games };
        Ok(Input { name, settings, contents, damage })
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
            Contents::Games { games, .. } => (games.len() as u64, share),
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
