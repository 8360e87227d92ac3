//! `cupbot chess960 params`: the tunable parameters of the search.

use crate::games::chess960::search::params::{ParamSpec, Params};
use anyhow::Result;
use serde_json::{json, Value};
use std::process::ExitCode;

/// List the parameters of Chess960's search, with default, range and meaning
///
/// A built-in player takes them by name, as in `self:lmr_base=600`, or from a file (`params=FILE`);
/// the ranges are those that make sense.
#[derive(clap::Args)]
pub struct Args {
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the list.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.json {
        let list: Vec<Value> = Params::SPECS.iter().map(json_of).collect();
        say!("{}", serde_json::to_string_pretty(&list)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    say!("{:26}{:>8} {:>15}  meaning", "parameter", "default", "range")?;
    for spec in Params::SPECS {
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
