//! The options of the built-in player.

use crate::engine::lines::megabytes_for;
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::player::DEFAULT_HASH_MB;
use crate::games::zero_point_one::search::params::Params;
use crate::tools::arena::spec::{hash_megabytes, pairs, positive, Thinking};
use crate::tools::units::parse_time;
use crate::tools::zero_point_one::evaluation::{self, HANDMADE};
use anyhow::{bail, ensure, Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The transposition table of a player that no clock limits, in MiB, unless told or unless it needs less.
const HASH_MB: usize = 16;
/// Moves of a long game, to judge how large a table a node limit can fill at all.
const MOVES_A_GAME: u64 = 40;
/// Bytes of an entry of the table.
const ENTRY_BYTES: u64 = 16;

/// A built-in player.
#[derive(Clone)]
pub struct BuiltInSpec {
    /// How much it may think.
    pub thinking: Thinking,
    /// The parameters of its search.
    pub params: Params,
    /// How it evaluates positions.
    pub evaluator: Evaluator,
    /// The evaluation's name: `built-in`, or a file and its checksum.
    pub evaluation: String,
    /// Its transposition table, in MiB.
    pub hash_mb: usize,
}

impl BuiltInSpec {
    /// All that decides how the player plays, contents of files included.
    pub fn description(&self) -> String {
        let BuiltInSpec { thinking, params, evaluation, hash_mb, .. } = self;
        format!("{thinking:?} {params:?} {evaluation} hash {hash_mb}")
    }
}

/// Reads options. `common` holds where they set no limit at all.
pub fn parse(options: &str, common: Thinking) -> Result<BuiltInSpec> {
    let mut thinking = Thinking::default();
    let mut params = Params::default();
    let mut hash_mb = None;
    let mut net = None;
    let mut overrides = Vec::new();
    for pair in pairs(options) {
        let (key, value) = pair?;
        let number = || positive(key, value);
        match key {
            "time" => thinking.time = Some(parse_time(value).map_err(anyhow::Error::msg)?),
            "nodes" => thinking.nodes = Some(number()?),
            "soft-nodes" => thinking.soft_nodes = Some(number()?),
            "depth" => thinking.depth = Some(i32::try_from(number()?)?),
            "hash" => hash_mb = Some(hash_megabytes(key, value)?),
            "params" => params = read_params(Path::new(value))?,
            "net" => net = Some(Path::new(value)),
            name => overrides.push((name, value)),
        }
    }
    for (name, value) in overrides {
        set_param(&mut params, name, value)?;
    }
    if !thinking.is_limited() {
        thinking = common;
    }
    let hash_mb = hash_mb.unwrap_or_else(|| enough_hash_mb(&thinking));
    let evaluator = evaluation::named(net)?;
    let evaluation = evaluation_name(net)?;
    Ok(BuiltInSpec { thinking, params, evaluator, evaluation, hash_mb })
}

/// The name that tells an evaluation from all others.
fn evaluation_name(net: Option<&Path>) -> Result<String> {
    Ok(match net {
        None => "built-in".to_string(),
        Some(path) if path == Path::new(HANDMADE) => HANDMADE.to_string(),
        Some(path) => format!("{} {:08x}", path.display(), crc32fast::hash(&fs::read(path)?)),
    })
}

/// The default table: the contest player's where there is a clock, else no larger than a game can fill,
/// since clearing it between games takes time.
fn enough_hash_mb(thinking: &Thinking) -> usize {
    if let Some(budget) = thinking.budget() {
        return megabytes_for(budget, DEFAULT_HASH_MB);
    }
    let nodes = thinking.nodes.or(thinking.soft_nodes);
    let filled = nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(MOVES_A_GAME * ENTRY_BYTES));
    HASH_MB.min((filled >> 20) as usize + 1)
}

fn set_param(params: &mut Params, name: &str, value: &str) -> Result<()> {
    let Some(spec) = Params::SPECS.iter().find(|spec| spec.name == name) else {
        bail!("no option and no parameter is named {name:?}");
    };
    let number: i32 = value.parse().with_context(|| format!("{name}={value}: no whole number"))?;
    ensure!(
        (spec.min..=spec.max).contains(&number),
        "{name}={value}: expected {} to {}",
        spec.min,
        spec.max
    );
    params.set(name, number);
    Ok(())
}

/// Reads parameters from a file: lines `name = value`, with `#` before remarks, or a JSON object.
/// What is not named keeps its default.
pub fn read_params(path: &Path) -> Result<Params> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    parse_params(&text).with_context(|| path.display().to_string())
}

fn parse_params(text: &str) -> Result<Params> {
    let mut params = Params::default();
    if text.trim_start().starts_with('{') {
        let values: BTreeMap<String, Value> = serde_json::from_str(text)?;
        for (name, value) in values {
            set_param(&mut params, &name, &value.to_string())?;
        }
        return Ok(params);
    }
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let (name, value) = line
                .split_once('=')
                .with_context(|| format!("line {line:?}: expected name = value"))?;
            set_param(&mut params, name.trim(), value.trim())?;
        }
    }
    Ok(params)
}

/// The parameters as lines that [`read_params`] reads.
pub fn write_params(params: &Params) -> String {
    let line = |name| format!("{name} = {}\n", params.get(name).unwrap_or_default());
    Params::SPECS.iter().map(|spec| line(spec.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::zero_point_one::game::Game;
    use std::time::Duration;

    type PlayerSpec = crate::tools::arena::spec::PlayerSpec<Game>;

    fn built_in(text: &str) -> BuiltInSpec {
        match PlayerSpec::parse(text, Thinking::default()).expect("a good player") {
            PlayerSpec::BuiltIn(spec) => *spec,
            PlayerSpec::Command(command) => panic!("{command} is no built-in player"),
        }
    }

    #[test]
    fn reads_built_in_players() {
        let spec = built_in("self:nodes=8000,lmr_base=60,hash=3");
        assert_eq!(spec.thinking.nodes, Some(8000));
        assert_eq!((spec.params.lmr_base, spec.hash_mb), (60, 3));
        assert_eq!(built_in("self:time=1.5s").thinking.time, Some(Duration::from_millis(1500)));
        assert_eq!(built_in("self").params, Params::default());
        // The contest player's table on a clock.
        assert_eq!(
            ["self", "self:time=1s", "self:depth=3"].map(|text| built_in(text).hash_mb),
            [32, 10, 16]
        );
    }

    #[test]
    fn common_limits_hold_without_own_ones() {
        let common = Thinking { depth: Some(3), ..Thinking::default() };
        let thinking = |text| match PlayerSpec::parse(text, common) {
            Ok(PlayerSpec::BuiltIn(spec)) => spec.thinking,
            _ => panic!("no built-in player"),
        };
        assert_eq!(thinking("self"), common);
        assert_eq!(thinking("self:nodes=5"), Thinking { nodes: Some(5), ..Thinking::default() });
    }

    #[test]
    fn everything_else_is_a_command() {
        for text in ["./bot --x", "selfish", "bot self:nodes=3"] {
            let spec = PlayerSpec::parse(text, Thinking::default());
            assert!(matches!(spec, Ok(PlayerSpec::Command(command)) if command == text));
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let wrong = [
            "self:nodes",
            "self:nodes=0",
            "self:hash=1025",
            "self:nodes=x",
            "self:colour=3",
            "self:time=3h",
        ];
        for text in wrong.iter().chain(&[
            "self:lmr_base=100000",
            "self:params=/no/file",
            "self:net=/no",
            " ",
        ]) {
            assert!(PlayerSpec::parse(text, Thinking::default()).is_err(), "{text}");
        }
    }

    #[test]
    fn parameter_files_read_back() {
        let params = Params { lmr_base: 77, ..Params::default() };
        assert_eq!(parse_params(&write_params(&params)).ok(), Some(params.clone()));
        assert_eq!(parse_params("{\"lmr_base\": 77}").ok(), Some(params.clone()));
        assert_eq!(parse_params("# tuned\n lmr_base=77 # more\n\n").ok(), Some(params));
        assert!(parse_params("lmr_base 77").is_err());
        assert!(parse_params("lmr = 77").is_err());
    }
}
