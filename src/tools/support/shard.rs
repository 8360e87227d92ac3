//! Shards of a run of numbered games, for several machines: shard I of N plays every N-th game. Each game is seeded by
//! its number, so the shards together give the same games as one run on one machine.

use anyhow::{ensure, Result};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::fmt;
use std::str::FromStr;

/// Maximum number of shards.
const MAX_COUNT: usize = 1_000_000;

/// One of the shards of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Index of the shard, from 0.
    index: usize,
    count: usize,
}

impl Shard {
    /// The single shard of a run that is not sharded.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Whether the game with this number belongs to the shard.
    pub fn owns(self, number: usize) -> bool {
        number % self.count == self.index
    }

    /// Returns the game number of the shard's game at `index`, from 0.
    pub fn number(self, index: u64) -> u64 {
        self.index as u64 + index * self.count as u64
    }

    /// Returns the shard's number of games in a run of `total` games.
    pub fn share(self, total: u64) -> u64 {
        total.saturating_sub(self.index as u64).div_ceil(self.count as u64)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.parse::<usize>().ok()?, count.parse::<usize>().ok()?))
        });
        match numbers {
            Some((index, count)) if index >= 1 && index <= count && count <= MAX_COUNT => {
                Ok(Shard { index: index - 1, count })
            }
            _ => Err("expected I/N for shard I of N, e.g. 3/8".to_string()),
        }
    }
}

/// Sharding option of commands that play numbered games.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Sharding {
    /// Play only shard I of N (every N-th game); join the files with `cupbot merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
}

impl Sharding {
    /// Returns the shard to play.
    pub fn shard(self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// Adds the shard, if there is one, to the settings of a run of `total` games.
    pub fn settings(self, mut settings: Value, total: u64) -> Value {
        if let Some(shard) = self.shard {
            settings[KEY] = json!(ShardSettings { shard: shard.to_string(), of: total });
        }
        settings
    }
}

/// Key of the shard in the settings.
const KEY: &str = "shard";

/// A shard in the settings of a file.
#[derive(Debug, Serialize, Deserialize)]
struct ShardSettings {
    shard: String,
    /// Number of games, or of pairs of games, of the whole run.
    of: u64,
}

/// Removes the shard from the settings of a file and returns it with the number of games, or of pairs of games, of the
/// whole run. The remaining settings are those of the whole run.
fn take_shard(settings: &mut Value) -> Result<(Shard, u64)> {
    let part = settings.as_object_mut().and_then(|settings| settings.shift_remove(KEY));
    let part: ShardSettings = match part {
        Some(part) => serde_json::from_value(part)?,
        None => anyhow::bail!("this is not a shard but a whole run"),
    };
    let shard = part.shard.parse().map_err(anyhow::Error::msg)?;
    ensure!(part.of > 0, "the run has no games");
    Ok((shard, part.of))
}

/// The files of the shards of one run; some shards may be missing.
#[derive(Debug)]
pub struct Shards {
    /// For each shard the index of its file in the input; `None` if it is missing.
    pub files: Vec<Option<usize>>,
    /// Number of games, or of pairs of games, of the whole run.
    pub total: u64,
    /// Settings of the whole run.
    pub settings: Value,
}

impl Shards {
    /// Assigns files to shards by their settings and checks that they belong to one run. `found` has the name of each
    /// file, for error messages, and its settings.
    pub fn of(found: Vec<(String, Value)>) -> Result<Shards> {
        let mut shards: Option<(Shards, String)> = None;
        for (index, (name, mut settings)) in found.into_iter().enumerate() {
            let (shard, total) = match take_shard(&mut settings) {
                Ok(part) => part,
                Err(error) => anyhow::bail!("{name}: {error}"),
            };
            let (shards, first) = shards.get_or_insert_with(|| {
                let files = vec![None; shard.count];
                (Shards { files, total, settings: settings.clone() }, name.clone())
            });
            ensure!(
                shards.settings == settings,
                "{name} belongs to another run than {first}: {settings}, not {}",
                shards.settings
            );
            ensure!(
                shards.files.len() == shard.count && shards.total == total,
                "{name} is shard {shard} of {total} games, but {first} is one of {} shards of {}",
                shards.files.len(),
                shards.total
            );
            ensure!(shards.files[shard.index].is_none(), "{name}: shard {shard} was given twice");
            shards.files[shard.index] = Some(index);
        }
        match shards {
            Some((shards, _)) => Ok(shards),
            None => anyhow::bail!("no shard was given"),
        }
    }

    /// Returns all shards in order, each with the index of its file, if any.
    pub fn all(&self) -> impl Iterator<Item = (Shard, Option<usize>)> + '_ {
        let count = self.files.len();
        self.files.iter().enumerate().map(move |(index, &file)| (Shard { index, count }, file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(text: &str) -> Shard {
        text.parse().expect(text)
    }

    #[test]
    fn every_number_belongs_to_one_shard() {
        for count in 1..=7 {
            for total in 0..30 {
                let mut numbers: Vec<u64> = Vec::new();
                for index in 1..=count {
                    let shard = shard(&format!("{index}/{count}"));
                    let own: Vec<u64> =
                        (0..shard.share(total)).map(|index| shard.number(index)).collect();
                    assert!(own.iter().all(|&number| shard.owns(number as usize)));
                    numbers.extend(own);
                }
                numbers.sort_unstable();
                assert_eq!(numbers, (0..total).collect::<Vec<u64>>());
            }
        }
    }

    #[test]
    fn shards_of_different_runs_are_rejected() {
        let settings = |seed: u64, text: &str, total: u64| {
            Sharding { shard: Some(shard(text)) }.settings(json!({ "seed": seed }), total)
        };
        let named = |settings: Vec<Value>| {
            let name = |index: usize| format!("file {index}");
            settings.into_iter().enumerate().map(|(index, value)| (name(index), value)).collect()
        };
        let good = named(vec![settings(1, "3/3", 10), settings(1, "1/3", 10)]);
        let shards = Shards::of(good).expect("one run");
        assert_eq!((&*shards.files, shards.total), (&[Some(1), None, Some(0)][..], 10));
        assert_eq!(shards.settings, json!({ "seed": 1 }));
        for (wrong, message) in [
            (settings(2, "2/3", 10), "another run"),
            (settings(1, "2/4", 10), "one of 3 shards"),
            (settings(1, "2/3", 11), "one of 3 shards of 10"),
            (settings(1, "1/3", 10), "twice"),
            (json!({ "seed": 1 }), "not a shard"),
            (json!({ "seed": 1, "shard": { "shard": "5/3", "of": 1 } }), "expected I/N"),
            (json!({ "seed": 1, "shard": 3 }), "file 1"),
            (json!(7), "not a shard"),
        ] {
            let error = Shards::of(named(vec![settings(1, "1/3", 10), wrong])).expect_err(message);
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
