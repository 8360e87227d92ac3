//! Search parameters of a game: listing, parsing, reading and writing.

use crate::engine::params::ParamSpec;
use crate::tools::support::files::{read_text, Named};
use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// Search parameters of a game.
pub trait Parameters: Clone + Default + Send + Sync + 'static {
    /// Names, defaults and ranges of all parameters.
    const SPECS: &'static [ParamSpec];
    /// The command that lists them.
    const LIST: &'static str;

    /// Returns the value of a parameter.
    fn value_of(&self, name: &str) -> Option<i32>;

    /// Sets a parameter. Returns false if there is no such name.
    fn set(&mut self, name: &str, value: i32) -> bool;
}

/// List the search parameters with default, range and meaning
///
/// Built-in players take them by name, e.g. `self:lmr_base=70`, or from a file (`params=FILE`). `tune` tunes them
/// within these ranges.
#[derive(clap::Args)]
pub struct Args {
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the list.
pub fn list<P: Parameters>(args: &Args) -> Result<ExitCode> {
    if args.json {
        let list: Vec<Value> = P::SPECS.iter().map(json_of).collect();
        say!("{}", serde_json::to_string_pretty(&list)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    say!("{:26}{:>8} {:>15}  meaning", "parameter", "default", "range")?;
    for spec in P::SPECS {
        let range = format!("{} to {}", spec.min, spec.max);
        say!("{:26}{:>8} {range:>15}  {}", spec.name, spec.default, spec.meaning.trim())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn json_of(spec: &ParamSpec) -> Value {
    json!({
        "name": spec.name,
        "default": spec.default,
        "min": spec.min,
        "max": spec.max,
        "step": spec.step,
        "meaning": spec.meaning.trim(),
    })
}

/// Sets a parameter. Fails if the name is unknown or the value is out of range.
pub fn set<P: Parameters>(params: &mut P, name: &str, value: &str) -> Result<()> {
    let Some(spec) = P::SPECS.iter().find(|spec| spec.name == name) else {
        bail!("no option or parameter is named {name:?}; `{}` lists the parameters", P::LIST);
    };
    let number: i32 =
        value.parse().with_context(|| format!("{name}={value}: expected an integer"))?;
    ensure!(
        (spec.min..=spec.max).contains(&number),
        "{name}={value}: expected {} to {} (see `{}`)",
        spec.min,
        spec.max,
        P::LIST
    );
    params.set(name, number);
    Ok(())
}

/// Reads parameters from a file: lines `name = value` with `#` before comments, or a JSON object. Parameters that are
/// not named keep their defaults.
pub fn read<P: Parameters>(path: &Path) -> Result<P> {
    let text = read_text(path).named("reading", path)?;
    parse(&text).named("reading", path)
}

/// Like [`read`], from the contents of a file.
pub fn parse<P: Parameters>(text: &str) -> Result<P> {
    let mut params = P::default();
    if text.trim_start().starts_with('{') {
        let values: BTreeMap<String, Value> = serde_json::from_str(text)?;
        for (name, value) in values {
            set(&mut params, &name, &value.to_string())?;
        }
        return Ok(params);
    }
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let (name, value) = line
                .split_once('=')
                .with_context(|| format!("line {line:?}: expected name = value"))?;
            set(&mut params, name.trim(), value.trim())?;
        }
    }
    Ok(params)
}

/// Formats parameters as lines that [`read`] accepts.
pub fn write<P: Parameters>(params: &P) -> String {
    let line = |name| format!("{name} = {}\n", params.value_of(name).unwrap_or_default());
    P::SPECS.iter().map(|spec| line(spec.name)).collect()
}

/// Formats parameters as options of a player, for its description.
pub fn options<P: Parameters>(params: &P) -> impl Iterator<Item = String> + '_ {
    let value = |name| params.value_of(name).unwrap_or_default();
    P::SPECS.iter().map(move |spec| format!("{}={}", spec.name, value(spec.name)))
}

/// Implements [`Parameters`] for a game's parameters.
macro_rules! impl_parameters {
    ($params:ty, $list:literal) => {
        impl $crate::tools::contracts::params::Parameters for $params {
            const SPECS: &'static [$crate::engine::params::ParamSpec] = <$params>::SPECS;
            const LIST: &'static str = $list;

            fn value_of(&self, name: &str) -> Option<i32> {
                <$params>::value_of(self, name)
            }

            fn set(&mut self, name: &str, value: i32) -> bool {
                <$params>::set(self, name, value)
            }
        }
    };
}
pub(crate) use impl_parameters;
